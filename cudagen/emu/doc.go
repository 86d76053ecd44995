// Package emu runs CUDA kernels on the host, to test them without a GPU: the same
// text that a GPU gets is compiled as C++ and run on an emulated grid.
//
//	p, err := emu.Compile(ctx, text)
//	x, out := emu.From(p, values), p.Buffer(4*n)
//	err = p.Launch("scale", emu.Dim3{X: blocks}, emu.Dim3{X: 128}, emu.Ptr(x), emu.Ptr(out), emu.Int32(n))
//	result := emu.Read[float32](out)
//
// # What it finds
//
// A launch that goes wrong returns a [*Fault] that names the kernel, the block,
// the thread and, where it is known, the line of the text:
//
//   - reads and writes outside of buffers: each lies between pages that nobody may
//     touch, flush with the one behind it, or with the one before it
//     ([Options.LeftAligned]); what alignment leaves free is checked after a launch;
//   - writes through a pointer to const, and into a [ReadOnly] buffer;
//   - barriers that not all threads of the block reach that are still running, and
//     barriers at different places;
//   - shuffles, votes and __syncwarp whose mask names a lane that has returned, does
//     not come, or comes to another place or with another mask or kind;
//   - with [Options.Races], as [Compile] has it: accesses of two threads to the same
//     memory that no barrier orders, one of them a write, and shared memory that is
//     read before the block has written it;
//   - signed integer overflow, indexes outside of arrays, misaligned vectors, shifts
//     that are too wide, division by zero;
//   - threads that run for too long or need too much local memory.
//
// Other faults show as wrong results, since what is not written yet is a NaN
// that is no valid index either: new buffers, shared memory at the start of each
// block, values shuffled from lanes that take no part. The order in which threads and
// blocks run is chosen by a seed ([Program.SetSeed]): 0 is ascending, 1 descending,
// others are random.
//
// # What it does not find
//
// Threads change places at barriers, warp functions and atomics only, never between
// two accesses to memory; only the search for races knows of other orders. To it
// atomics, fences and shuffles order nothing, so that a block that waits for another
// block's flag races. Blocks run one after the other. Lanes that leave a branch by
// different calls of one inlined function count as being at one place. Early returns
// are allowed before barriers, not before warp functions that name the lane. What
// atomicExch returns is not checked: it may be called on shared memory that nobody has
// written. Nothing is said about speed, registers, or how much shared memory a kernel has.
//
// # How
//
//   - compile.go finds a compiler and compiles texts: host/emu.h declares what CUDA
//     does. Libraries are kept in the user's cache directory; sweep.go cleans it.
//   - machine.go, process.go: the process that runs them. host/runtime.cc is its
//     main part, host/grid.h the grid, whose threads are fibers, host/races.h the
//     search for races.
//   - arena_linux.go, memory.go: memory that both processes have at the same addresses.
//   - module.go, launch.go, describe.go: loading, launching, and faults in words.
//   - program.go: the interface for tests.
//
// It needs Linux and a C++17 compiler: the one that the environment variable CXX
// names, c++, g++ or clang++. Lines of faults in accesses need binutils' addr2line. A
// text is compiled without optimisation where races are looked for, which is most of
// a test's time, and at -O1 elsewhere; many kernels in one text compile faster than
// many texts. Package device makes a device of all this.
package emu
