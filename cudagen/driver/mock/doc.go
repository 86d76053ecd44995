// Package mock is a CUDA driver, NVRTC and cuBLAS in plain Go, to test what is
// written against them on a machine without a GPU.
//
// Device memory is host memory behind made-up addresses, kernels are Go
// functions ([Driver.Register]), streams are queues. Work that a real GPU does
// later is done later here too: not before something waits for it, or, with a
// seed, at random moments. A forgotten synchronisation therefore shows.
//
// Every call is recorded ([Driver.Calls]) and can be made to fail
// ([Driver.FailAt], [Driver.FailIf]). What a program must not do (free twice, use memory after its
// free, copy out of bounds, call from a thread without the context, break the
// rules of stream capture, …) fails as the real driver would fail it at best and
// is noted in [Driver.Faults]; what it forgets to free is in [Driver.Leaks].
//
// A goroutine stands for a thread. It says nothing of a GPU's speed, of races
// within a kernel or of the numbers a real kernel computes.
package mock
