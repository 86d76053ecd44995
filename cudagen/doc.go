// Package cudagen is the CUDA back end. It is imported for its effect:
//
//	import _ "github.com/asterias-ml/asterias/cudagen"
//
// Then tensor.CUDA opens NVIDIA GPUs: operations on their tensors, vertex programs,
// losses and optimisers run there.
//
//	device, err := tensor.CUDA(0)
//	...
//	nn.To(model, device)
//	x := autograd.Input(features).ToDevice(device)
//
// Nothing but the GPU's driver and the libraries NVRTC and cuBLAS is needed where a
// program runs, and nothing at all where it is built: kernels are generated as CUDA
// C, compiled at run time for the GPU at hand and kept on disk. [Devices] says what was
// found where.
//
// Kernels of vertex programs take rows of up to 16384 numbers, 64 in each of a block's 256
// threads; and of 48 KiB, 12288 float32, where a kernel computes a row and then combines its
// columns, as a product of edges or MaxLast does. Programs with wider ones are refused when
// they first run, by a *tensor.DeviceFailure. On the CPU rows are of any width.
//
// The pipeline, in the order of the folders:
//
//	cudagen/driver   the libraries, found and loaded; a device as a goroutine; memory, streams, graphs, cuBLAS
//	cudagen/render   plans as CUDA C, and how their kernels are launched
//	cudagen/dense    the dense engine: tensor.Backend; captured steps
//	cudagen          opening devices (open.go), compiling plans (program.go), graphs on a device
//	                 (arrays.go), launching (launch.go), choosing how kernels are cut (tune.go)
//	cudagen/emu      for tests: the same text compiled for the host and run on emulated grids
//
// The programming model of the kernels is Seastar's (Wu et al., EuroSys 2021, section 6).
//
// Everything is checked on the emulator, and was on an H200: see benchmarks/gpu.
package cudagen
