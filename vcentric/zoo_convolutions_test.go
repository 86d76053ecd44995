package vcentric_test

// The zoo: convolutions, message passing and recurrent layers without types.

import vc "github.com/asterias-ml/asterias/vcentric"

// linear is x·W + b with params of these names.
func linear(x vc.Value, w, b string) vc.Value { return x.MatMul(vc.Param(w)).Add(vc.Param(b)) }

// loopNorm is deg^-1/2 in a graph with one more loop on every vertex.
func loopNorm(v vc.Vertex) vc.Value { return v.InDegree().AddScalar(1).Rsqrt() }

// propagation is one step of P = D^-1/2 (A+I) D^-1/2 on the feature z.
func propagation(v vc.Vertex) vc.Value {
	message := func(x vc.Vertex) vc.Value { return x.Feature("z").Mul(loopNorm(x)) }
	return vc.Sum(message(v.InNeighbors())).Add(message(v)).Mul(loopNorm(v))
}

// appnpHop is one step of personalised PageRank (Gasteiger et al. 2019, equation 5).
var appnpHop = vc.Compile("appnp hop", func(v vc.Vertex) vc.Value {
	return propagation(v).Scale(0.9).Add(v.Feature("x").Scale(0.1))
})

var convolutions = []zooLayer{
	{ // Kipf and Welling 2017, equation 2
		name: "gcn", golden: true, homogeneous: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			message := func(x vc.Vertex) vc.Value { return x.Feature("x").MatMul(vc.Param("W")).Mul(loopNorm(x)) }
			return vc.Sum(message(v.InNeighbors())).Add(message(v)).Mul(loopNorm(v)).Add(vc.Param("b"))
		}),
		ins: func(d dims) []input { return []input{vertex("x", d.in), param("W", d.in, d.out), param("b", d.out)} },
	},
	{ // the same without loops, normalised by the degrees of both ends
		name: "gcn_both", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			norm := func(degree vc.Value) vc.Value { return degree.Maximum(vc.Number(1)).Rsqrt() }
			u := v.InNeighbors()
			return vc.Sum(u.Feature("x").MatMul(vc.Param("W")).Mul(norm(u.OutDegree()))).Mul(norm(v.InDegree())).Add(vc.Param("b"))
		}),
		ins: func(d dims) []input { return []input{vertex("x", d.in), param("W", d.in, d.out), param("b", d.out)} },
	},
	{ // ten steps as one program
		name: "appnp", golden: true, homogeneous: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			z := v.Feature("x")
			for range 10 {
				z = appnpHop.Call(v, vc.Let{Name: "z", Value: z})
			}
			return z
		}),
		ins: func(d dims) []input { return []input{vertex("x", d.in)} },
	},
	{ // Xu et al. 2019, equation 4.1
		name: "gin", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			x := v.Feature("x").Mul(vc.Param("eps").AddScalar(1)).Add(vc.Sum(v.InNeighbors().Feature("x")))
			return linear(linear(x, "W1", "b1").ReLU(), "W2", "b2")
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("eps", 1), param("W1", d.in, d.hidden), param("b1", d.hidden),
				param("W2", d.hidden, d.out), param("b2", d.out)}
		},
	},
	{ // Hamilton et al. 2017, algorithm 1
		name: "sage_mean", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			mean := vc.Mean(v.InNeighbors().Feature("x"))
			return v.Feature("x").MatMul(vc.Param("Wself")).Add(mean.MatMul(vc.Param("Wneigh"))).Add(vc.Param("b"))
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("Wself", d.in, d.out), param("Wneigh", d.in, d.out), param("b", d.out)}
		},
	},
	{ // Hamilton et al. 2017, equation 3
		name: "sage_maxpool", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			pool := vc.Max(linear(v.InNeighbors().Feature("x"), "Wpool", "bpool").ReLU())
			return v.Feature("x").MatMul(vc.Param("Wself")).Add(pool.MatMul(vc.Param("Wneigh"))).Add(vc.Param("b"))
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("Wpool", d.in, d.hidden), param("bpool", d.hidden),
				param("Wself", d.in, d.out), param("Wneigh", d.hidden, d.out), param("b", d.out)}
		},
	},
	{ // NGra (Ma et al. 2019), G-GCN
		name: "ggcn", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			gate := e.Src("x").MatMul(vc.Param("WH")).Add(e.Dst("x").MatMul(vc.Param("WC"))).Sigmoid()
			return vc.Sum(gate.Mul(e.Src("x"))).MatMul(vc.Param("W")).ReLU()
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("WH", d.in, d.in), param("WC", d.in, d.in), param("W", d.in, d.out)}
		},
	},
	{ // NGra's reading of Sukhbaatar et al. 2016
		name: "commnet", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			sum := vc.Sum(v.InNeighbors().Feature("x"))
			return v.Feature("x").MatMul(vc.Param("WH")).Add(sum.MatMul(vc.Param("WC"))).ReLU()
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("WH", d.in, d.out), param("WC", d.in, d.out)}
		},
	},
	{ // NGra, max-pooling GCN
		name: "mpgcn", golden: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			return vc.Max(linear(v.InNeighbors().Feature("x"), "Wpool", "b").Sigmoid()).MatMul(vc.Param("W")).ReLU()
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("Wpool", d.in, d.hidden), param("b", d.hidden), param("W", d.hidden, d.out)}
		},
	},
	{ // Wang et al. 2019, equation 8, with a hidden layer
		name: "edgeconv",
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			x := vc.Concat(e.Dst("x"), e.Src("x").Sub(e.Dst("x")))
			return vc.Max(linear(linear(x, "W1", "b1").ReLU(), "W2", "b2"))
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("W1", 2*d.in, d.hidden), param("b1", d.hidden),
				param("W2", d.hidden, d.out), param("b2", d.out)}
		},
	},
	{ // Gilmer et al. 2017: the edge's features make the matrix of its message
		name: "mpnn",
		vertex: func(d dims) func(v vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				w := e.Feature("f").MatMul(vc.Param("W")).Reshape(d.dim, d.out)
				return vc.Sum(e.Src("x").MatMul(w))
			}
		},
		ins: func(d dims) []input {
			return []input{vertex("x", d.dim), edge("f", d.edge), param("W", d.edge, d.dim*d.out)}
		},
	},
	{ // both directions have weights of their own (Rossi et al. 2023)
		name: "directed_gcn", homogeneous: true,
		vertex: sameAt(func(v vc.Vertex) vc.Value {
			in := vc.Mean(v.InNeighbors().Feature("x")).MatMul(vc.Param("Win"))
			out := vc.Mean(v.OutNeighbors().Feature("x")).MatMul(vc.Param("Wout"))
			return in.Add(out).Add(v.Feature("x").MatMul(vc.Param("Wself")))
		}),
		ins: func(d dims) []input {
			return []input{vertex("x", d.in), param("Win", d.in, d.out), param("Wout", d.in, d.out), param("Wself", d.in, d.out)}
		},
	},
}
