// Package autograd is eager reverse-mode differentiation over package tensor.
//
// A [Var] is a tensor that remembers the operation it came from when some input
// of that operation requires a gradient. [Var.Backward] walks those operations
// once, in reverse topological order, and leaves d(result)/d(leaf) in
// [Var.Gradient] of every leaf that asked for it:
//
//	w := autograd.Parameter(tensor.Zeros(tensor.Float32, 16, 7))
//	loss := autograd.CrossEntropy(x.MatMul(w), labels, nil)
//	loss.Backward()
//	w.Gradient() // d loss / d w
//
// [Grad] returns gradients instead, of results as well as leaves, and with
// [CreateGraph] gradients that can be differentiated in turn.
//
// # Reading order
//
//	var.go         Var, leaves, Gorgonia's ValueGrad
//	node.go        what an operation leaves behind for the backward pass
//	region.go      what passes on from operands to results; NoGrad
//	table.go       the op table: name, meaning, gradient rule of every operation
//	ops_*.go       operations and their gradient rules, a family a file
//	targets.go     what the losses over classes compare with
//	backward.go    what starts a backward pass: Backward, Grad
//	pass.go        the backward pass, and the memory that it gives back
//	context.go     what a gradient rule sees
//	hook.go        functions that see gradients on their way
//	custom.go      operations from outside the table (compiled vertex programs)
//	checkpoint.go  compute again instead of keeping
//	blockwise.go   a function of rows, a cache-sized block at a time
//	scope.go       a function whose intermediate results end with it
//	pending.go     element-wise operations put off until wanted, and the chains they become
//	anomaly.go     which operation made the first NaN
//	gradcheck.go   central differences: the truth every rule is held against
//	errors.go      typed misuse errors and Try
//
// # Conventions
//
// Names and meanings are PyTorch's in Go's spelling, but for Transpose, which takes
// the order of all axes, as NumPy's. Arithmetic, comparisons and [Where] broadcast as
// in NumPy. An axis may count from the last with a negative number. Reductions take
// the axes to reduce, all if there are none, and drop them; the form whose name ends
// in Keep leaves them with length 1. Comparisons and logic give Bool constants, Argmax and
// its like Int64 constants; no gradient flows through them.
//
// Integers are constants: arithmetic, extrema, limits, sums and scans compute with Int32 and
// Int64 as package tensor does, and no gradient flows. Operands of one operation have one
// type.
//
// At a kink a gradient is PyTorch's choice: 0 for ReLU, Abs, Norm and Std at 0 and for
// Hardtanh, but not Clamp, at its bounds; halves to equal operands of Maximum; the first
// winner's for Max over one axis, shared evenly by the winners over several. So is the
// second derivative of ELU and SELU at 0, which is 0. NaN and infinities follow IEEE.
//
// Views ([Var.Transpose], [Var.Slice], [Var.BroadcastTo], ...) share memory with
// their operand. Tensors and index slices that a recorded operation used must not be
// written to before its backward pass, which panics at what it would read of values that
// optimisers have written, or [Var.MarkChanged] has told of.
//
// Element-wise arithmetic and activations of large tensors (16384 elements and more) that are
// not recorded are put off on the CPU until something asks for their result, and then run as
// one chain, which reads and writes memory once. Nobody can tell but by the time: the bits are the same,
// and an operation that writes to an operand, or [tensor.Data] that gives its elements out,
// computes what waits for it before. What reads memory of which the caller has a slice does
// not wait, nor what [DetectAnomaly] checks. To time such an operation, ask for its [Var.Tensor].
//
// Misuse (shapes, dtypes, a second backward pass over a freed graph) panics with a
// typed error naming the op and the shapes; [Try] turns it into an error. Results
// and gradients are the same bits for any number of threads.
//
// Vars work on every device of package tensor alike: results and gradients live where
// their operands do. [Var.MoveTo] moves a leaf in place, through [Var.ToDevice] gradients
// flow. On a device only the element-wise operations in a [Scope] are put off; they become one kernel.
//
// Nothing here is global, but for the clock that changes are told apart by: whether
// and how an operation is recorded follows from its inputs alone. Operations only
// read their inputs, so one parameter may be used by several goroutines, of which
// some evaluate ([NoGrad]) and some train on leaves of their own; Backward and the
// methods that change a Var must not run concurrently with other uses of the same
// leaf. Memory that a backward pass gives back for reuse is only what it made
// itself and nobody holds.
package autograd
