// Package saga writes layers as NGra's stages Scatter, ApplyEdge, Gather,
// ApplyVertex (Ma et al., USENIX ATC 2019 as NeuGraph, section 2): a function of each
// edge and its ends, an accumulator, a function of each vertex and what was
// accumulated for it. Scattering vertices to edges and gathering along them are
// implied.
//
//	ggcn := saga.Compile("g-gcn", saga.Layer{ // Figure 2
//		ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value {
//			x := src.Feature("x")
//			eta := x.MatMul(vc.Param("WH")).Add(dst.Feature("x").MatMul(vc.Param("WC"))).Sigmoid()
//			return eta.Mul(x)
//		},
//		Accumulator: saga.Sum,
//		ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return acc.MatMul(vc.Param("W")).ReLU() },
//	})
//	y := ggcn.Run(g, vc.VertexFeature("x", x), ...)
//
// What Compile returns is a program of package vcentric: the functions are traced by
// its builder to the same IR, so a layer compiles to the plan that it has as a
// vertex function.
//
// A function that cannot be compiled is misuse: running the program panics with an
// *[Error], or an *ir.Error of the op, that says why and in which line; autograd.Try
// makes it an error.
package saga
