package vcentric_test

// The zoo: attention without types.

import vc "github.com/asterias-ml/asterias/vcentric"

// gatHeads is Σ_e softmax(LeakyReLU(al·z_s + ar·z_d)) z_s with z = x·W, for each
// head (Veličković et al. 2018, equations 3 and 4).
func gatHeads(v vc.Vertex, d dims) vc.Value {
	z := func(x vc.Vertex) vc.Value { return x.Feature("x").MatMul(vc.Param("W")).Reshape(d.heads, d.dim) }
	u := v.InNeighbors()
	score := z(u).Dot(vc.Param("al")).Add(z(v).Dot(vc.Param("ar"))).LeakyReLU(0.2)
	return vc.Sum(vc.Softmax(score).Reshape(d.heads, 1).Mul(z(u)))
}

func gatInputs(d dims, bias int) []input {
	return []input{vertex("x", d.in), param("W", d.in, d.heads*d.dim), param("al", d.heads, d.dim), param("ar", d.heads, d.dim), param("b", bias)}
}

var attentions = []zooLayer{
	{
		name: "gat_concat", golden: true,
		vertex: func(d dims) func(vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value { return gatHeads(v, d).Reshape(d.heads * d.dim).Add(vc.Param("b")) }
		},
		ins: func(d dims) []input { return gatInputs(d, d.heads*d.dim) },
	},
	{
		name: "gat_mean", golden: true,
		vertex: func(d dims) func(vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value { return gatHeads(v, d).Permute(1, 0).MeanLast().Add(vc.Param("b")) }
		},
		ins: func(d dims) []input { return gatInputs(d, d.dim) },
	},
	{ // the score as equation 3 has it: a·[z_d ‖ z_s]
		name: "gat_of_concat",
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			z := func(x vc.Vertex) vc.Value { return x.Feature("x").MatMul(vc.Param("W")) }
			u := v.InNeighbors()
			score := vc.Concat(z(v), z(u)).MatMul(vc.Param("a")).LeakyReLU(0.2)
			return vc.Sum(vc.Softmax(score).Mul(z(u)))
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("W", d.in, d.out), param("a", 2*d.out, 1)}
		},
	},
	{ // Brody et al. 2022, equation 7, with heads
		name: "gatv2",
		vertex: func(d dims) func(vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				l := e.Src("x").MatMul(vc.Param("Wl")).Reshape(d.heads, d.dim)
				r := e.Dst("x").MatMul(vc.Param("Wr")).Reshape(d.heads, d.dim)
				score := l.Add(r).LeakyReLU(0.2).Dot(vc.Param("a"))
				return vc.Sum(vc.Softmax(score).Reshape(d.heads, 1).Mul(l)).Reshape(d.heads * d.dim)
			}
		},
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("Wl", d.in, d.heads*d.dim), param("Wr", d.in, d.heads*d.dim), param("a", d.heads, d.dim)}
		},
	},
	{ // pairwise attention with edge features
		name: "cgat_pairwise", golden: true,
		vertex: func(d dims) func(vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				q := vc.Concat(e.Src("x"), e.Dst("x"), e.Feature("f")).MatMul(vc.Param("W")).LeakyReLU(0.2)
				score := q.Reshape(d.heads, d.dim).Dot(vc.Param("a"))
				z := e.Src("x").MatMul(vc.Param("V")).Reshape(d.heads, d.dim)
				return vc.Sum(vc.Softmax(score).Reshape(d.heads, 1).Mul(z)).Reshape(d.heads * d.dim)
			}
		},
		ins: func(d dims) []input {
			n := d.heads * d.dim
			return []input{vertex("x", d.in), edge("f", d.edge), param("W", 2*d.in+d.edge, n), param("a", d.heads, d.dim), param("V", d.in, n)}
		},
	},
	{ // Vaswani et al. 2017 over the in-edges, in Seastar's spelling of softmax
		name: "dot_attention",
		vertex: func(d dims) func(vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				u := v.InNeighbors()
				heads := func(x vc.Vertex, w string) vc.Value {
					return x.Feature("x").MatMul(vc.Param(w)).Reshape(d.heads, d.dim)
				}
				weight := heads(u, "K").Dot(heads(v, "Q")).Exp()
				return vc.Sum(weight.Div(vc.Sum(weight)).Reshape(d.heads, 1).Mul(heads(u, "V")))
			}
		},
		ins: func(d dims) []input {
			n := d.heads * d.dim
			small := func(x float64) float64 { return x / float64(d.in) }
			k, q, v := param("K", d.in, n), param("Q", d.in, n), param("V", d.in, n)
			k.fn, q.fn = small, small
			return []input{vertex("x", d.in), k, q, v}
		},
	},
}
