//go:build race

package cpu

// raceEnabled reports that the race detector watches: it does not know that the
// garbage collector ordered the last use of a buffer before the next, and would
// report memory that a finalizer returned as shared.
const raceEnabled = true
