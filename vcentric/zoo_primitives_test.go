package vcentric_test

// The zoo: what other frameworks have as primitives.

import vc "github.com/asterias-ml/asterias/vcentric"

// sameAt is a vertex function that does not depend on the widths.
func sameAt(f func(v vc.Vertex) vc.Value) func(dims) func(vc.Vertex) vc.Value {
	return func(dims) func(vc.Vertex) vc.Value { return f }
}

var primitives = []zooLayer{
	spmm("sum", vc.Sum), spmm("mean", vc.Mean), spmm("max", vc.Max), spmm("min", vc.Min),
	spmmCopy("sum", vc.Sum), spmmCopy("mean", vc.Mean), spmmCopy("max", vc.Max), spmmCopy("min", vc.Min),
	{
		name: "spmm_add_max", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Max(e.Feature("w").Add(e.Src("x")))
		}),
		ins: func(d dims) []input { return []input{vertex("x", d.in), edge("w", d.in)} },
	},
	{
		name: "spmm_heads_sum", golden: true,
		vertex: func(d dims) func(vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				return vc.Sum(e.Feature("w").Reshape(d.heads, 1).Mul(e.Src("x")))
			}
		},
		ins: func(d dims) []input { return []input{vertex("x", d.heads, d.dim), edge("w", d.heads)} },
	},
	sddmm("add", vc.Value.Add), sddmm("sub", vc.Value.Sub), sddmm("mul", vc.Value.Mul), sddmm("dot", vc.Value.Dot),
	{
		name: "sddmm_dot_heads", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value { return v.InEdges().Src("x").Dot(v.Feature("y")) }),
		ins:    func(d dims) []input { return []input{vertex("x", d.heads, d.dim), vertex("y", d.heads, d.dim)} },
	},
	{
		name: "edge_softmax", golden: true,
		vertex: sameAt(softmaxOfScores),
		ins:    func(d dims) []input { return []input{edge("s", d.heads)} },
	},
	{
		name: "edge_softmax_scalar_large", golden: true,
		vertex: sameAt(softmaxOfScores),
		ins:    func(dims) []input { return []input{edge("s")} },
	},
	{
		name: "typed_linear", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value { return v.Feature("x").MatMul(v.Type("w")) }),
		ins:    func(d dims) []input { return []input{vertex("x", d.in), vertexType("w", d.in, d.out)} },
	},
	{
		name: "edge_typed_linear", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return e.Src("x").MatMul(e.Type("w"))
		}),
		ins: func(d dims) []input { return []input{vertex("x", d.in), edgeType("w", d.in, d.out)} },
	},
}

func softmaxOfScores(v vc.Vertex) vc.Value { return vc.Softmax(v.InEdges().Feature("s")) }

func spmm(name string, reduce func(vc.Value) vc.Value) zooLayer {
	return zooLayer{
		name: "spmm_" + name, golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return reduce(e.Feature("w").Mul(e.Src("x")))
		}),
		ins: func(d dims) []input { return []input{vertex("x", d.in), edge("w")} },
	}
}

func spmmCopy(name string, reduce func(vc.Value) vc.Value) zooLayer {
	return zooLayer{
		name: "spmm_copy_" + name, golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value { return reduce(v.InNeighbors().Feature("x")) }),
		ins:    func(d dims) []input { return []input{vertex("x", d.in)} },
	}
}

func sddmm(name string, op func(x, y vc.Value) vc.Value) zooLayer {
	return zooLayer{
		name: "sddmm_" + name, golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value { return op(v.InEdges().Src("x"), v.Feature("y")) }),
		ins:    func(d dims) []input { return []input{vertex("x", d.in), vertex("y", d.in)} },
	}
}
