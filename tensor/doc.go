// Package tensor is dense and sparse arrays and the operations on them, run on
// the CPU or on a device such as a GPU.
//
// A [Tensor] has one element type: float32 or float64 for numbers, int32 or int64
// for indices and counts, bool for masks; [DType] says what is defined on which. A shape may be empty (a scalar) and may
// contain zeros. What an operation returns is contiguous and row-major; a view
// ([Tensor.Transpose], [Tensor.Expand], [Tensor.Narrow] ...) shares the memory of
// its tensor and reads it in strides, and every operation takes views. A contiguous
// tensor is a gorgonia.org/tensor Dense without a copy ([Tensor.Dense],
// [FromDense]).
//
// Names and rules are those of PyTorch and NumPy in Go's spelling: operands
// broadcast, negative axes count from the end, reductions take any set of axes and
// all if none is given. Comparisons give booleans, which [Where] and its like take.
//
// Operations return new tensors and leave their operands alone; the few that
// work in place say Into or Add in their name or are methods that say so. Misuse
// (shapes, element types, indices, integers divided by 0, nil) panics with a *[ShapeError],
// *[DTypeError], *[IndexError], *[ValueError] or *[NilError] whose text names the operation and the shapes. Data from
// outside (a Dense, the arrays of a sparse matrix) gives an error instead.
//
// The same inputs give the same bits for any number of threads. NaN and ±Inf
// propagate.
//
// A tensor lives on a [Device]: the CPU, or a GPU ([CUDA]) for programs that import
// package cudagen. [Tensor.ToDevice] copies; results live where the operands do, which
// are all on one device (scalars of the CPU may mix). Operations on a device are queued:
// what looks at elements waits for them ([Tensor.Item], [Tensor.Float64s], printing, the
// shape of [NonZero]), and a failure shows there or in a later operation, which panics
// with a *[DeviceFailure]. Go cannot read the elements: [Data] and [Tensor.Dense] panic
// with a *[DeviceError]. Element-wise results are the CPU's up to the last digits of the
// device's functions, sums up to rounding in another order, and all of them the same bits
// at every run.
//
// Memory of tensors over 4 KiB comes from a pool and returns to it when nothing
// refers to it any more, or at once with [Tensor.Free]; [MemoryStats] counts it.
//
// In reading order:
//
//	dtype.go shape.go errors.go        element types, shapes, what misuse panics with
//	storage.go view.go tensor.go       memory, views of it, construction and access
//	readers.go                         what reads a tensor later, and is run before it changes
//	dense.go threads.go                Gorgonia; how many goroutines
//	create.go                          ranges, one-hot, random numbers
//	walk.go map.go copy.go             strided operands in step; kernels over them
//	unary.go transcendental.go         functions of one tensor
//	activation.go gradient.go          activation functions and their gradients
//	binary.go compare.go logical.go    functions of two
//	integer.go                         how those are computed of integers
//	mask.go chain.go                   choosing by booleans; operations one after another
//	reduce.go sum.go moments.go        reductions: how; sums, extrema; variances, norms
//	extremum.go scan.go sort.go        where extrema are; running sums; order
//	softmax.go layernorm.go            rows normalised
//	recurrent.go gru.go lstm.go        recurrent units over packed sequences
//	join.go index.go gather.go         joining, splitting; rows and elements by index
//	matmul.go linear.go linalg.go      products; diagonals and triangles
//	sparse.go spmm.go                  CSR matrices and their product
//	device.go backend.go               devices, and what they are asked to do
//	device_memory.go far.go far_*.go   tensors on devices: families of operations
//	dlpack.go                          memory that is shared with code outside Go
package tensor
