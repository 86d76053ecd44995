package vcentric_test

// The zoo: layers over graphs with types of vertices and edges.

import (
	"math"

	vc "github.com/asterias-ml/asterias/vcentric"
)

// rgcn is Σ_e x_s W_r / c_{v,r} + x_v W0 + b for messages x_s W_r
// (Schlichtkrull et al. 2018, equation 2, before its activation).
func rgcn(message func(d dims, e vc.Edge) vc.Value) func(d dims) func(v vc.Vertex) vc.Value {
	return func(d dims) func(v vc.Vertex) vc.Value {
		return func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			sum := vc.Sum(message(d, e).Div(e.TypeDegree()))
			return sum.Add(v.Feature("x").MatMul(vc.Param("W0"))).Add(vc.Param("b"))
		}
	}
}

func rgcnInputs(d dims, more ...input) []input {
	return append([]input{vertex("x", d.in), param("W0", d.in, d.out), param("b", d.out)}, more...)
}

var typedLayers = []zooLayer{
	{
		name: "rgcn_full", golden: true,
		vertex: rgcn(func(_ dims, e vc.Edge) vc.Value { return e.Src("x").MatMul(e.Type("W")) }),
		ins:    func(d dims) []input { return rgcnInputs(d, edgeType("W", d.in, d.out)) },
	},
	{ // equation 3: W_r = Σ_k coef_rk V_k
		name: "rgcn_basis", golden: true,
		vertex: rgcn(func(d dims, e vc.Edge) vc.Value {
			bases := vc.Param("V").Reshape(d.bases, d.in*d.out)
			return e.Src("x").MatMul(e.Type("coef").MatMul(bases).Reshape(d.in, d.out))
		}),
		ins: func(d dims) []input {
			return rgcnInputs(d, param("V", d.bases, d.in, d.out), edgeType("coef", d.bases))
		},
	},
	{ // equation 4: W_r is block-diagonal
		name: "rgcn_block", golden: true,
		vertex: rgcn(func(d dims, e vc.Edge) vc.Value {
			return e.Src("x").Reshape(d.blocks, d.in/d.blocks).MatMul(e.Type("B")).Reshape(d.out)
		}),
		ins: func(d dims) []input {
			return rgcnInputs(d, edgeType("B", d.blocks, d.in/d.blocks, d.out/d.blocks))
		},
	},
	{ // Li et al. 2016: messages of the edge's type, then a GRU cell
		name: "ggnn", golden: true,
		vertex: func(d dims) func(v vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				h := v.Feature("h")
				i := linear(vc.Sum(e.Src("h").MatMul(e.Type("A"))), "Wih", "bih")
				hh := linear(h, "Whh", "bhh")
				gate := func(x vc.Value, k int) vc.Value { return x.Slice(k*d.in, (k+1)*d.in) }
				r := gate(i, 0).Add(gate(hh, 0)).Sigmoid()
				z := gate(i, 1).Add(gate(hh, 1)).Sigmoid()
				n := gate(i, 2).Add(r.Mul(gate(hh, 2))).Tanh()
				return vc.Number(1).Sub(z).Mul(n).Add(z.Mul(h))
			}
		},
		ins: func(d dims) []input {
			a, w := edgeType("A", d.in, d.in), param("Wih", d.in, 3*d.in)
			a.fn = func(x float64) float64 { return x / float64(d.in) } // keeps the gates off their flat ends
			w.fn = a.fn
			return []input{vertex("h", d.in), a, w, param("Whh", d.in, 3*d.in), param("bih", 3*d.in), param("bhh", 3*d.in)}
		},
	},
	{ // Hu et al. 2020, section 3
		name: "hgt", golden: true,
		vertex: func(d dims) func(v vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				width := d.in / d.heads
				project := func(x vc.Vertex, w string) vc.Value {
					return x.Feature("x").MatMul(x.Type(w)).Reshape(d.heads, width)
				}
				e, u := v.InEdges(), v.InNeighbors()
				score := project(u, "K").MatMul(e.Type("Ratt")).Dot(project(v, "Q"))
				alpha := vc.Softmax(score.Mul(e.Type("mu")).Scale(1 / math.Sqrt(float64(width))))
				t := vc.Sum(alpha.Reshape(d.heads, 1).Mul(project(u, "V").MatMul(e.Type("Rmsg")))).Reshape(d.in)
				gate := v.Type("skip").Sigmoid()
				return gate.Mul(t.GELU().MatMul(v.Type("A"))).Add(vc.Number(1).Sub(gate).Mul(v.Feature("x")))
			}
		},
		ins: func(d dims) []input {
			w := d.in / d.heads
			return []input{vertex("x", d.in), vertexType("K", d.in, d.in), vertexType("Q", d.in, d.in), vertexType("V", d.in, d.in),
				vertexType("A", d.in, d.in), edgeType("Ratt", d.heads, w, w), edgeType("Rmsg", d.heads, w, w),
				edgeType("mu", d.heads), vertexType("skip")}
		},
	},
	{ // Lv et al. 2021, section 4
		name: "simple_hgn", golden: true,
		vertex: func(d dims) func(v vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				heads := func(x vc.Value, w string) vc.Value { return x.MatMul(vc.Param(w)).Reshape(d.heads, d.dim) }
				e := v.InEdges()
				z := heads(e.Src("x"), "W")
				score := z.Dot(vc.Param("al")).Add(heads(e.Dst("x"), "W").Dot(vc.Param("ar"))).
					Add(heads(e.Type("r"), "Wr").Dot(vc.Param("ae"))).LeakyReLU(0.2)
				alpha := vc.Softmax(score).Scale(0.95).Add(e.Feature("aprev").Scale(0.05))
				sum := vc.Sum(alpha.Reshape(d.heads, 1).Mul(z)).Reshape(d.heads * d.dim)
				return sum.Add(v.Feature("x").MatMul(vc.Param("Wres"))).ELU(1)
			}
		},
		ins: func(d dims) []input {
			n := d.heads * d.dim
			return []input{vertex("x", d.in), param("W", d.in, n), edgeType("r", 6), param("Wr", 6, n), param("al", d.heads, d.dim),
				param("ar", d.heads, d.dim), param("ae", d.heads, d.dim), edge("aprev", d.heads), param("Wres", d.in, n)}
		},
	},
	{ // Yang et al. 2015: the score of an edge
		name: "distmult", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return e.Src("e").Mul(e.Type("rel")).Dot(e.Dst("e"))
		}),
		ins: func(d dims) []input { return []input{vertex("e", d.in), edgeType("rel", d.in)} },
	},
	{ // Seastar section 6.3.5: sum within a type, maximum of the types
		name: "sum_then_max_by_type",
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.ByType(vc.BySum, vc.ByMax, e.Src("x").Mul(e.Type("a")))
		}),
		ins: func(d dims) []input { return []input{vertex("x", d.in), edgeType("a", d.in)} },
	},
	{ // weights of the types of both ends
		name: "typed_ends",
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Max(e.Src("x").MatMul(e.SrcType("W")).Mul(e.DstType("s")).Tanh())
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), vertexType("W", d.in, d.out), vertexType("s", d.out)}
		},
	},
	{ // weights of the other end's type
		name: "weights_of_the_other_end",
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Src("x").MatMul(e.DstType("W")).Sigmoid())
		}),
		ins: func(d dims) []input { return []input{vertex("x", d.in), vertexType("W", d.in, d.out)} },
	},
	{ // a matrix for each pair of vertex types and edge type, from its factors
		name: "weights_of_three_types",
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			w := e.SrcType("A").Mul(e.Type("B")).Mul(e.DstType("C"))
			return vc.Sum(e.Src("x").MatMul(w))
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.dim), vertexType("A", d.dim, 1), edgeType("B", d.dim, d.out), vertexType("C", 1, d.out)}
		},
	},
	{ // messages of features of the edges, which nothing can move off them
		name: "edge_messages",
		vertex: func(d dims) func(v vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				heads := e.Feature("f").MatMul(e.Type("W")).Add(e.Src("x")).Tanh() // [heads dim]
				mlp := heads.MatMul(vc.Param("P")).ReLU().MatMul(e.SrcType("S"))
				return vc.Max(mlp.Permute(1, 0).MaxLast()).Add(vc.Sum(mlp.SumTo(1, d.out).Reshape(d.out)))
			}
		},
		ins: func(d dims) []input {
			return []input{edge("f", d.heads, d.edge), edgeType("W", d.heads, d.edge, d.dim), vertex("x", d.heads, d.dim),
				param("P", d.dim, d.hidden), vertexType("S", d.hidden, d.out)}
		},
	},
}
