// Package vcentric compiles graph neural network layers written as what one
// vertex does. Imported as vc:
//
//	gat := vc.Compile("gat", func(v vc.Vertex) vc.Value {
//		e := v.InEdges()
//		score := e.Src("el").Add(e.Dst("er")).LeakyReLU(0.2) // edge value
//		alpha := vc.Softmax(score)                           // over v's in-edges
//		return vc.Sum(alpha.Mul(e.Src("h")))                 // vertex value
//	})
//	out := gat.Run(g, vc.VertexFeature("h", h), vc.VertexFeature("el", el), vc.VertexFeature("er", er))
//
// The Go function is traced once for each signature: the row shapes and types
// of what is bound, which of it needs gradients, and whether the graph is
// bipartite. What it captures from its surroundings is constant from then on; but a program
// keeps what it compiled for the 64 signatures used last, and traces others anew.
//
// Vertex, edge and param bindings have name spaces of their own; a binding that
// the function does not read is ignored. A value of the centre that is
// aggregated counts once for each in-edge, so vc.Sum(v.Feature("h")) is h times
// the in-degree. Degrees may be 0: bound them with Maximum before dividing, see
// [Vertex.InDegree].
//
// A run computes in the number type of what is bound, read or not: float32 or float64, one
// type for all of it. Without any, as where only degrees are read, it computes in float32;
// bind a float64 tensor for more.
//
// The compiler regroups sums and products as real numbers allow. What it leaves alone is what
// NaN and infinities reach; roundings differ in the last digits, and by more where numbers are
// extreme: (h_u - h_v)·W is computed as h_u·W - h_v·W, which loses the digits that h_u and
// h_v share; factors may meet in another order, and overflow on the way; an edge's number
// divided by one of its vertex is multiplied with the reciprocal, so x/x need not be 1. Rules
// have names, and [Program.Without] leaves them out: "matmul-of-sum", "regroup",
// "factor-out-of-sum", "div-by-narrower".
//
// Matrices that are bound, and the rows that they multiply, are taken to be finite. A sum of products
// is computed as the product of a sum, also where there are no edges: there an infinite matrix gives
// NaN, and edge by edge 0 ("aggregate-first", and "sum-of-matmul" for rows of edges). The gradient
// of a matrix is a sum over all rows: one that is infinite at a vertex that no edge reads makes it NaN,
// where products are of vertices from the start or moved there ("outer-off-edges"). Of several
// results, one that the loss does not depend on may count with a gradient of zeros, which make NaN
// of infinite inputs.
//
// A result is a node of the autograd tape, and so is its gradient: under
// [autograd.CreateGraph] it is a run of another program, derived from this one, that can be
// differentiated in turn. So a loss may have forces in it, or a penalty on a gradient:
//
//	forces := autograd.Grad(energy, []*autograd.Var{x}, autograd.CreateGraph())[0].Neg()
//	nn.MSE(forces, target).Backward()
//
// What a program compiles to can be read: Compiled gives the plans of a run,
// whose String shows the kernels and whose Report shows every buffer, its bytes
// and why it exists:
//
//	c := gat.Compiled(g, bindings...)
//	fmt.Print(c.Forward, c.Backward.Report(plan.Sizes{NumSrc: n, NumDst: n, NumEdges: e}))
//
// The pipeline, in the order of the folders:
//
//	vcentric       the API: vertex.go, value.go, rows.go, aggregate.go, call.go; tracing: trace.go; running: program.go, run.go, derive.go, kernels.go
//	vcentric/ir    values with residencies, op table, text form, reference interpreter
//	vcentric/pass  rewrites, gradient, the split of forward and backward
//	vcentric/plan  kernels as loops over rows and edges, and the buffers between them
//	vcentric/cpu   runs a plan on the CPU
//	vcentric/cc    the same kernels as C for the system's compiler, if imported
//	vcentric/explain  reports of all stages: Explain, ASTERIAS_DUMP
//	internal/debug    ASTERIAS_DEBUG: devices, times of steps, decisions, source
//
// The programming model is Seastar's (Wu et al., EuroSys 2021, section 4).
package vcentric
