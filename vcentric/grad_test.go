package vcentric_test

// Gradients of whole layers, as their papers write them, against central
// differences with random cotangents.

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// heads1 is a score per head, [heads 1], from features [heads dim].
func heads1(x vc.Vertex, a string, heads int) vc.Value {
	return x.Feature("z").Dot(vc.Param(a)).Reshape(heads, 1)
}

func attention(v vc.Vertex, heads int, slope float64) vc.Value {
	u := v.InNeighbors()
	s := heads1(u, "al", heads).Add(heads1(v, "ar", heads)).LeakyReLU(slope)
	return vc.Sum(vc.Softmax(s).Mul(u.Feature("z")))
}

type layer struct {
	name   string
	vertex func(v vc.Vertex) vc.Value
	ins    []input
}

// typed tells whether the layer reads what belongs to types.
func (l layer) typed() bool {
	return slices.ContainsFunc(l.ins, func(in input) bool { return in.from[0].IsType() })
}

// layers read vertex features, edge features and params.
var layers = []layer{
	{"gcn (Kipf and Welling 2017), loops in the program", func(v vc.Vertex) vc.Value {
		norm := func(x vc.Vertex) vc.Value { return x.InDegree().AddScalar(1).Rsqrt() }
		message := func(x vc.Vertex) vc.Value { return x.Feature("h").MatMul(vc.Param("W")).Mul(norm(x)) }
		return vc.Sum(message(v.InNeighbors())).Add(message(v)).Mul(norm(v)).Add(vc.Param("b"))
	}, []input{vertex("h", 3), param("W", 3, 2), param("b", 2)}},
	{"gat (Veličković et al. 2018), concatenated", func(v vc.Vertex) vc.Value {
		return attention(v, 3, 0.2).Reshape(6).Add(vc.Param("b"))
	}, []input{vertex("z", 3, 2), param("al", 3, 2), param("ar", 3, 2), param("b", 6)}},
	{"gat, averaged, slope 0.5", func(v vc.Vertex) vc.Value {
		return attention(v, 3, 0.5).SumTo(1, 2).Scale(1. / 3).Reshape(2)
	}, []input{vertex("z", 3, 2), param("al", 3, 2), param("ar", 3, 2)}},
	{"gat, one head, projection in the program", func(v vc.Vertex) vc.Value {
		z := func(x vc.Vertex) vc.Value { return x.Feature("h").MatMul(vc.Param("W")) }
		s := z(v.InNeighbors()).Dot(vc.Param("al")).Add(z(v).Dot(vc.Param("ar"))).LeakyReLU(0.2)
		return vc.Sum(vc.Softmax(s).Mul(z(v.InNeighbors()))).ELU(1)
	}, []input{vertex("h", 3), param("W", 3, 2), param("al", 2), param("ar", 2)}},
	{"gatv2 (Brody et al. 2022)", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		z := e.Src("h").MatMul(vc.Param("Wl"))
		s := z.Add(e.Dst("h").MatMul(vc.Param("Wr"))).LeakyReLU(0.2).Dot(vc.Param("a"))
		return vc.Sum(vc.Softmax(s).Mul(z))
	}, []input{vertex("h", 3), param("Wl", 3, 2), param("Wr", 3, 2), param("a", 2)}},
	{"gin (Xu et al. 2019)", func(v vc.Vertex) vc.Value {
		x := v.Feature("h").Mul(vc.Param("eps").AddScalar(1)).Add(vc.Sum(v.InNeighbors().Feature("h")))
		return x.MatMul(vc.Param("W1")).Add(vc.Param("b1")).Tanh().MatMul(vc.Param("W2"))
	}, []input{vertex("h", 3), param("eps", 1), param("W1", 3, 4), param("b1", 4), param("W2", 4, 2)}},
	{"sage mean (Hamilton et al. 2017)", func(v vc.Vertex) vc.Value {
		own := v.Feature("h").MatMul(vc.Param("Wself"))
		return own.Add(vc.Mean(v.InNeighbors().Feature("h")).MatMul(vc.Param("Wneigh")))
	}, []input{vertex("h", 3), param("Wself", 3, 2), param("Wneigh", 3, 2)}},
	{"sage max pool", func(v vc.Vertex) vc.Value {
		pool := v.InNeighbors().Feature("h").MatMul(vc.Param("P")).Add(vc.Param("bp")).SiLU()
		return v.Feature("h").MatMul(vc.Param("Wself")).Add(vc.Max(pool).MatMul(vc.Param("Wneigh")))
	}, []input{vertex("h", 3), param("P", 3, 4), param("bp", 4), param("Wself", 3, 2), param("Wneigh", 4, 2)}},
	{"appnp step (Gasteiger et al. 2019)", func(v vc.Vertex) vc.Value {
		norm := func(d vc.Value) vc.Value { return d.AddScalar(1).Rsqrt() }
		u := v.InNeighbors()
		z := vc.Sum(u.Feature("z").Mul(norm(u.OutDegree()))).Mul(norm(v.InDegree()))
		return z.Scale(0.9).Add(v.Feature("x").Scale(0.1))
	}, []input{vertex("z", 3), vertex("x", 3)}},
	{"g-gcn gate (Bresson and Laurent 2018)", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		gate := e.Src("h").MatMul(vc.Param("A")).Add(e.Dst("h").MatMul(vc.Param("B"))).Sigmoid()
		return vc.Sum(gate.Mul(e.Src("h"))).MatMul(vc.Param("C"))
	}, []input{vertex("h", 3), param("A", 3, 3), param("B", 3, 3), param("C", 3, 2)}},
	{"attention with edge features", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		q := vc.Concat(e.Src("h"), e.Dst("h"), e.Feature("f")).MatMul(vc.Param("W")).LeakyReLU(0.2)
		s := q.Reshape(3, 2).Dot(vc.Param("a")).Reshape(3, 1)
		z := e.Src("h").MatMul(vc.Param("V")).Reshape(3, 2)
		return vc.Sum(vc.Softmax(s).Mul(z)).Reshape(6)
	}, []input{vertex("h", 2), edge("f", 3), param("W", 7, 6), param("a", 3, 2), param("V", 2, 6)}},
	{"edgeconv (Wang et al. 2019)", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		x := vc.Concat(e.Dst("h"), e.Src("h").Sub(e.Dst("h")))
		return vc.Max(x.MatMul(vc.Param("W")).Softplus())
	}, []input{vertex("h", 3), param("W", 6, 2)}},
	{"two layers of attention scores in one program", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		a := vc.Softmax(e.Src("h").Dot(e.Dst("h")))
		b := vc.Softmax(a.Mul(e.Feature("w")))
		return vc.Sum(b.Mul(e.Src("h")))
	}, []input{vertex("h", 3), edge("w")}},
	{"aggregates of aggregates", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		centred := e.Src("h").Sub(vc.Mean(e.Src("h")))
		variance := vc.Mean(centred.Square())
		return vc.Max(centred.Div(variance.AddScalar(0.3).Sqrt()))
	}, []input{vertex("h", 3)}},
	{"degrees as features", func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		x := u.Feature("h").Mul(u.InDegree().Add(v.OutDegree()))
		return vc.Sum(x.Mul(v.Feature("h")).Mul(u.OutDegree())).Div(v.InDegree().AddScalar(1))
	}, []input{vertex("h", 2)}},
	{"edge output from both ends, the edge and a param", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return e.Src("h").Mul(e.Dst("h")).Add(e.Feature("f")).MatMul(vc.Param("W")).Tanh()
	}, []input{vertex("h", 3), edge("f", 3), param("W", 3, 2)}},
	{"edge output of a softmax", func(v vc.Vertex) vc.Value {
		return vc.Softmax(v.InEdges().Src("h").Mul(vc.Param("w")))
	}, []input{vertex("h", 2), param("w", 2)}},
	{"edge output of a vertex value", func(v vc.Vertex) vc.Value {
		return vc.AtEdges(vc.Sum(v.InNeighbors().Feature("h").Tanh()))
	}, []input{vertex("h", 2)}},
	{"edge output without edge features", func(v vc.Vertex) vc.Value {
		return vc.AtEdges(v.InNeighbors().Feature("h").Square())
	}, []input{vertex("h", 2)}},
	{"params alone, on every vertex", func(v vc.Vertex) vc.Value {
		return v.InDegree().AddScalar(1).Mul(vc.Param("a").Exp().Mul(vc.Param("b")))
	}, []input{param("a", 3), param("b", 2, 1)}},
	{"params alone, on every edge", func(v vc.Vertex) vc.Value {
		return vc.Sum(vc.AtEdges(vc.Param("a").Sigmoid())).Add(vc.Sum(vc.Param("a").Square()))
	}, []input{param("a", 3)}},
	{"select and two-sided extrema", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		hi, lo := e.Src("h").Maximum(e.Dst("h")), e.Src("h").Minimum(e.Feature("f"))
		return vc.Sum(vc.Select(e.Src("h").Gt(e.Dst("h")), hi.Exp(), lo.Mul(vc.Param("w"))))
	}, []input{vertex("h", 3), edge("f", 3), param("w", 3)}},
	{"minimum over edges of edge values", func(v vc.Vertex) vc.Value {
		return vc.Min(v.InEdges().Feature("f").Mul(v.Feature("h")))
	}, []input{vertex("h", 3), edge("f", 3)}},
	{"broadcasting both ways", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		x := e.Src("a").Mul(e.Dst("b")) // [2 1] x [3] = [2 3]
		return vc.Sum(x.Add(e.Feature("s")).Sub(vc.Param("p")))
	}, []input{vertex("a", 2, 1), vertex("b", 3), edge("s"), param("p", 4, 1, 3)}},
	{"slices and concatenation", func(v vc.Vertex) vc.Value {
		h := v.InNeighbors().Feature("h")
		return vc.Concat(vc.Sum(h.Slice(1, 3)), v.Feature("h").Slice(0, 1), vc.Max(h.Slice(2, 4).Square()))
	}, []input{vertex("h", 4)}},
	{"the vertex's own feature, unchanged", func(v vc.Vertex) vc.Value { return v.Feature("h") }, []input{vertex("h", 3)}},
	{"the edge's own feature, unchanged", func(v vc.Vertex) vc.Value { return v.InEdges().Feature("f") }, []input{edge("f", 3)}},
	{"a feature of one name on vertex, edge and param", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Src("x").Mul(e.Feature("x")).Add(vc.Param("x")))
	}, []input{vertex("x", 2), edge("x", 2), param("x", 2)}},
	{"a row of no elements", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("h").Exp())
	}, []input{vertex("h", 0)}},
}

func TestLayerGradientsEqualCentralDifferences(t *testing.T) {
	for _, l := range layers {
		t.Run(l.name, func(t *testing.T) { gradcheck(t, messy(t), l.vertex, l.ins) })
	}
}

// bipartiteLayers are over two vertex sets: the ends of an edge have features of their own.
var bipartiteLayers = []layer{
	{"sage mean", func(v vc.Vertex) vc.Value {
		return v.Feature("h").MatMul(vc.Param("Wself")).Add(vc.Mean(v.InNeighbors().Feature("h")).MatMul(vc.Param("Wneigh")))
	}, []input{source("h", 3), destination("h", 2), param("Wself", 2, 2), param("Wneigh", 3, 2)}},
	{"gat", func(v vc.Vertex) vc.Value { return attention(v, 2, 0.2) },
		[]input{source("z", 2, 3), destination("z", 2, 3), param("al", 2, 3), param("ar", 2, 3)}},
	{"degrees", func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		return vc.Sum(u.Feature("h").Mul(u.OutDegree().AddScalar(1).Rsqrt())).Mul(v.InDegree().AddScalar(1).Rsqrt())
	}, []input{source("h", 3)}},
	{"edge output", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return e.Src("x").Mul(e.Dst("y")).Add(e.Feature("f"))
	}, []input{source("x", 3), destination("y", 3), edge("f")}},
	{"max", func(v vc.Vertex) vc.Value { return vc.Max(v.InEdges().Src("x").Add(v.Feature("y")).Tanh()) },
		[]input{source("x", 3), destination("y", 3)}},
}

func TestBipartiteGradientsEqualCentralDifferences(t *testing.T) {
	for _, l := range bipartiteLayers {
		t.Run(l.name, func(t *testing.T) { gradcheck(t, messyBipartite(t), l.vertex, l.ins) })
	}
}

// Gradients of some inputs only: the others are constants to the compiler, and
// get none.
func TestGradientsOfSomeInputsEqualThoseOfAll(t *testing.T) {
	someGradients(t, messy(t), layers)
	someGradients(t, typed(t, messy(t), 0), zooLayers(smallDims))
}

func someGradients(t *testing.T, g *graph.Graph, layers []layer) {
	for _, l := range layers {
		program := vc.Compile(l.name, l.vertex)
		xs := variables(g, tensor.Float64, l.ins)
		all := runBoth(program, g, l.ins, xs)
		for i := range xs {
			for _, x := range xs {
				x.SetRequiresGrad(false)
			}
			xs[i].SetRequiresGrad(true)
			some := runBoth(program, g, l.ins, xs)
			near(t, l.name+": out", some.out, all.out, 1e-13)
			for j := range xs {
				if j != i && some.grads[j] != nil {
					t.Errorf("%s: input %q needs no gradient and got one", l.name, l.ins[j].name)
				}
			}
			near(t, l.name+": grad "+l.ins[i].name, some.grads[i], all.grads[i], 1e-13)
		}
	}
}
