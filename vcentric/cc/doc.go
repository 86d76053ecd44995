// Package cc is a second executor of kernels on the CPU: it writes a plan as C,
// has the system's compiler translate it for this very processor, and calls the
// result. It is imported for its effect:
//
//	import _ "github.com/asterias-ml/asterias/vcentric/cc"
//
// Then [cpu.CompileNative] finds it under the name "cc". The compiler is the one
// that the environment variable CC names, or cc, gcc or clang; libraries are kept
// in the user's cache directory and loaded without cgo, on Linux and macOS. Whoever
// adds a library there removes those that nobody has used for 90 days, and the least
// recently used ones beyond a hundred.
//
// A kernel that the renderer declines (one with matrix products, or very wide rows)
// runs on the Go executor, with a reason in [Kernel.Declined]; a plan may mix both.
// Rows of very many edges run there too, in parts that threads share.
//
// Numbers. A result does not depend on the number of threads, since a row is
// always summed by one call in one order. The compiler may contract a*b+c into one
// rounding and sums run in another order than in the Go executor, so results agree
// with it within rounding, and two processors or compilers may differ in the last
// bits. NaN and infinities behave as the op table says; e^x and ln x of float32 are
// within 2 units in the last place, what is made of them within 4, and the functions
// of float64 are the C library's.
//
// Reading order: source.go (what Render gives), prelude.h (what the text is
// written in), accept.go (which kernels are declined), kernel.go (a function),
// schedule.go (the phases of an edge loop), loop.go (its text), scope.go and
// columns.go (values in vectors of columns), lanes.go (values in vectors of
// edges), dots.go (sums of products of several edges), ops.go (the op table),
// reduce.go and typed.go (aggregates), compile.go, cache.go and sweep.go (from text to
// a file), load_unix.go and native.go (from a file to calls).
package cc
