// Package gorgonianode joins our tape and Gorgonia's expression graphs, in both
// directions.
//
// Out: [Apply] makes any differentiable function of ours, such as a layer of
// package nn or gnn or a compiled vertex-centric program, a node of a Gorgonia
// graph, with symbolic gradients for the tape machine and dual values for the
// lisp machine:
//
//	y, err := gorgonianode.Apply("gcn", func(xs ...*autograd.Var) *autograd.Var {
//		return conv.Run(g, vc.VertexFeature("h", xs[0].MatMul(xs[1])))
//	}, gorgonia.Nodes{x, w})
//
// In: [NewExpr] makes a Gorgonia expression an operation of our tape, and [Op] a
// single Gorgonia operation:
//
//	norm := gorgonianode.NewExpr("norm", func(in gorgonia.Nodes) (*gorgonia.Node, error) {
//		return gorgonia.SoftMax(in[0], 1)
//	})
//	y := norm.Apply(x) // a *autograd.Var
//
// Who trains what is free: parameters inside a function of ours are trained by
// package optim or by a Gorgonia solver, as themselves or as nodes of the graph
// (see [Parameters]).
//
// # Reading order
//
//	apply.go    Apply, its options, Parameters
//	op.go       the forward operation that a machine executes
//	grad.go     its gradients, symbolic and by dual values
//	expr.go     Expr, Op
//	compile.go  an expression graph and its gradient as a list of operations
//	program.go  running that list
//	convert.go  values as tensors and back
//
// # What Gorgonia makes one mind
//
// Nodes whose operations hash alike are taken for one, so each operation here has
// a number of its own in its hash. An operation without DoDiff silently gets no
// gradient in the lisp machine. Gradients bound to nodes accumulate over runs
// until a solver clears them. The tape machine writes results over operands that
// nothing needs any more, and some operations share their operand's memory; so
// values are copied where they enter Gorgonia, and gradients name what they need
// as operands. The lisp machine does not run a second time after Reset (make another
// one), and gives a scalar that Gorgonia's own operations broadcast a wrong gradient if
// it is used more than once; the tape machine has neither fault. A second gorgonia.Grad
// with respect to one node gives, also for another cost, the gradients of the first, in full
// or in part: build another graph. Machines switch the engine of every value they meet: give them
// gorgonia.WithEngine(cpu.Engine{}) to keep Gorgonia's own operations on our
// kernels.
package gorgonianode
