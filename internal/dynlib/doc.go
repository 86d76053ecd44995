// Package dynlib loads shared libraries, with errors that say what was not found.
//
// A loader keeps the text of its last error for each thread, and a goroutine may move to
// another one before it asks: the text would be empty, or of somebody else's failure. So a
// goroutine stays on its thread from the call to its error.
//
// A binary that imports this package is linked dynamically.
package dynlib
