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
// # Reading order
//
//	var.go       Var, leaves, Gorgonia's ValueGrad
//	node.go      what an operation leaves behind for the backward pass
//	table.go     the op table: name, meaning, gradient rule of every operation
//	ops_*.go     operations and their gradient rules, a family a file
//	backward.go  the backward pass
//	custom.go    operations from outside the table (compiled vertex programs)
//	gradcheck.go central differences: the truth every rule is held against
//	errors.go    typed misuse errors and Try
//
// # Conventions
//
// Arithmetic broadcasts as in NumPy. Misuse (shapes, dtypes, a second backward
// pass over a freed graph) panics with a typed error naming the op and the
// shapes; [Try] turns it into an error. Results and gradients are the same bits
// for any number of threads.
//
// Nothing here is global: whether an operation is recorded follows from its
// inputs alone. Operations only read their inputs, so one parameter may be used
// by several goroutines; Backward and the methods that change a Var must not run
// concurrently with other uses of the same leaf.
package autograd
