// Package device is a CUDA machine without a GPU that computes what a GPU would:
// kernels run on package emu's grid, matrix products on package tensor/cpu. What is
// written for package driver runs on it unchanged, whole training steps too.
//
//	m, err := device.New(ctx, device.Options{})
//	defer m.Close()
//	gpu, err := m.System().Open(0, driver.DeviceOptions{})
//
// Contexts, streams, events, stream capture, graphs, the record of calls, injected
// failures, faults and leaks are package mock's: everything that a GPU does later
// is queued there as a launch whose body is here. The compiler compiles kernels
// for this processor and returns their text as machine code; loading compiles it
// again, which the cache of package emu answers. Memory is the emulator's: a kernel
// that leaves it, or breaks another rule of package emu, ends the context with
// CUDA_ERROR_ILLEGAL_ADDRESS, and every error from then on has the [*emu.Fault] in
// its chain, which names the kernel.
//
// There is one device. Dynamic shared memory is refused.
package device
