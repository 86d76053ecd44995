//go:build race

package cpu

// Whether the tests run under the race detector.

const raceEnabled = true
