// Package driver reaches an NVIDIA GPU from Go without cgo and without a CUDA
// toolkit: the driver, the run-time compiler NVRTC and cuBLAS are libraries that
// are searched for and loaded when a program asks for them.
//
// From the bottom up:
//
//   - discover.go finds the libraries ([Load]) and keeps a log of the search;
//     real_*.go bind them. On systems other than Linux and Windows Load returns
//     an error.
//   - api.go, compiler.go, blas.go are what is used of them, as interfaces:
//     [Driver], [Compiler], [BLAS]. Package mock implements all three in plain Go.
//   - device.go, ctx.go: a [Device] is one goroutine, locked to its thread, that
//     owns a GPU's context. Other goroutines hand it functions ([Device.Do],
//     [Device.Go]); what such a function may do on the GPU are the methods of [Ctx].
//   - buffer.go, memory.go, backing.go, guard.go: device memory, cached and reused
//     in stream order; the out-of-memory error names the largest buffers.
//   - transfer.go, launch.go, graph.go, gemm.go: copies through pinned memory,
//     kernels, CUDA graphs, matrix products.
//   - cache.go keeps compiled kernels on disk.
//   - sparse.go is cuSPARSE, which is searched for on request only
//     ([System.LoadSparse]) and which benchmarks use.
//
// Kernels are compiled to a cubin for the device's own architecture: a driver
// refuses PTX that is newer than itself.
//
// Tests run on package mock, and the bindings on a C library with the same
// prototypes; NVRTC is called for real where it is installed. It has run on an H200
// below package cudagen: see benchmarks/gpu.
//
// # Environment
//
// ASTERIAS_CUDA_PATH lists folders (separated as in PATH) that are searched
// first: toolkit roots, folders with libraries, or site-packages.
package driver
