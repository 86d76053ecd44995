// Package plugin runs systems that are shared libraries with the functions of
// capi/asterias_system.h. Neither is compiled against the other.
//
//	func main() {
//		plugin.Serve() // first of all
//		sys, err := plugin.Open("csr.so", plugin.Options{})
//		...
//		defer sys.Close()
//	}
//
// A library is somebody else's C code: it may crash, never return, write where it must
// not. So it runs in a process of its own, the same program started once more, in which
// [Serve] does not return. Tensors lie in memory that both processes see: there, inputs
// can be read only, and pages on either side of every operand not at all. Operands touch
// these at one end, by turns at the front and at the back; between their other end and the
// next page is a pattern that is looked at after the call.
//
// Whatever goes wrong becomes an [*Error] of the call: which kind, and what is known. The
// process is started anew for the next call, and the graphs in it. After too many such
// starts the library is given up, and calls fail at once.
//
// What cannot be seen: writes into other memory that the process has, and reads of the
// pattern, which are NaN.
//
// Calls cost two copies and two messages more than they take; [System.Stats] has what
// they take, measured beside the library. [Options.InProcess] does without all this, for
// timings of a library that has proved itself: calls cost half a microsecond more than
// a call in C, and a crash is the program's.
//
// On Linux, amd64 and arm64; elsewhere Open returns an error. Libraries are loaded without
// cgo, by purego.
//
// # Reading order
//
//	open.go      Open, System, graphs
//	errors.go    what can go wrong
//	library.go   a loaded library: its functions, their arguments
//	direct.go    a library in this process
//	isolated.go  a library in another process: calls, graphs, starting anew
//	layout.go    where operands lie in shared memory
//	memory.go    shared memory, seen from here
//	process.go   the other process, its messages
//	crash.go     what a dead process tells
//	worker.go    the other process: Serve
//	window.go    shared memory, seen from there
package plugin
