package vcentric_test

// Programs over out-edges: the same as over the in-edges of the reversed graph.

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// mirror is what a vertex sees in one direction: its edges, the vertices at
// their other ends, and their types.
type mirror struct {
	edges     func(v vc.Vertex) vc.Edge
	neighbors func(v vc.Vertex) vc.Vertex
	end       func(e vc.Edge) vc.Vertex // the neighbour
	own       func(e vc.Edge) vc.Vertex // the centre, seen from the edge
	degree    func(v vc.Vertex) vc.Value
}

var (
	inward  = mirror{vc.Vertex.InEdges, vc.Vertex.InNeighbors, vc.Edge.SrcVertex, vc.Edge.DstVertex, vc.Vertex.InDegree}
	outward = mirror{vc.Vertex.OutEdges, vc.Vertex.OutNeighbors, vc.Edge.DstVertex, vc.Edge.SrcVertex, vc.Vertex.OutDegree}
)

var mirrored = []struct {
	name   string
	vertex func(m mirror, v vc.Vertex) vc.Value
	ins    []input
}{
	{"sum", func(m mirror, v vc.Vertex) vc.Value { return vc.Sum(m.neighbors(v).Feature("x")) }, []input{vertex("x", 3)}},
	{"the centre's own value", func(m mirror, v vc.Vertex) vc.Value {
		return vc.Sum(m.own(m.edges(v)).Feature("x").Mul(m.edges(v).Feature("f")))
	}, []input{vertex("x", 3), edge("f")}},
	{"weighted mean", func(m mirror, v vc.Vertex) vc.Value {
		e := m.edges(v)
		return vc.Mean(m.end(e).Feature("x").Mul(e.Feature("f"))).Div(m.degree(v).AddScalar(1))
	}, []input{vertex("x", 3), edge("f")}},
	{"maximum", func(m mirror, v vc.Vertex) vc.Value {
		e := m.edges(v)
		return vc.Max(m.end(e).Feature("x").Sub(v.Feature("y")).Mul(e.Feature("f")))
	}, []input{vertex("x", 3), vertex("y", 3), edge("f", 3)}},
	{"minimum", func(m mirror, v vc.Vertex) vc.Value { return vc.Min(m.edges(v).Feature("f")) }, []input{edge("f", 2)}},
	{"attention", func(m mirror, v vc.Vertex) vc.Value {
		e := m.edges(v)
		z := func(x vc.Vertex) vc.Value { return x.Feature("x").MatMul(vc.Param("W")) }
		score := z(m.end(e)).Dot(vc.Param("l")).Add(z(m.own(e)).Dot(vc.Param("r"))).LeakyReLU(0.2)
		return vc.Sum(vc.Softmax(score).Mul(z(m.end(e))))
	}, []input{vertex("x", 3), param("W", 3, 2), param("l", 2), param("r", 2)}},
	{"attention, the centre used directly", func(m mirror, v vc.Vertex) vc.Value {
		u := m.neighbors(v)
		score := vc.Concat(v.Feature("x"), u.Feature("x")).MatMul(vc.Param("a")).LeakyReLU(0.2)
		return vc.Sum(vc.Softmax(score).Mul(u.Feature("x")))
	}, []input{vertex("x", 3), param("a", 6, 1)}},
	{"softmax per edge", func(m mirror, v vc.Vertex) vc.Value { return vc.Softmax(m.edges(v).Feature("f")) }, []input{edge("f", 2)}},
	{"softmax of what the centre shares", func(m mirror, v vc.Vertex) vc.Value {
		return vc.Sum(vc.Softmax(m.own(m.edges(v)).Feature("x")).Mul(m.edges(v).Feature("f")))
	}, []input{vertex("x", 2), edge("f", 2)}},
	{"a result per edge", func(m mirror, v vc.Vertex) vc.Value {
		e := m.edges(v)
		return m.end(e).Feature("x").Mul(v.Feature("y")).Add(e.Feature("f")).MatMul(vc.Param("W"))
	}, []input{vertex("x", 3), vertex("y", 3), edge("f"), param("W", 3, 2)}},
	{"aggregates of aggregates", func(m mirror, v vc.Vertex) vc.Value {
		x := m.neighbors(v).Feature("x")
		return vc.Max(x.Sub(vc.Mean(x)).Tanh())
	}, []input{vertex("x", 2)}},
	{"rgcn", func(m mirror, v vc.Vertex) vc.Value {
		e := m.edges(v)
		return vc.Sum(m.end(e).Feature("x").MatMul(e.Type("W")).Div(e.TypeDegree())).Add(v.Feature("x").MatMul(vc.Param("W0")))
	}, []input{vertex("x", 3), edgeType("W", 3, 2), param("W0", 3, 2)}},
	{"types of both ends", func(m mirror, v vc.Vertex) vc.Value {
		e := m.edges(v)
		x := m.end(e).Feature("x").MatMul(m.end(e).Type("W")).Mul(m.own(e).Type("s")).Add(v.Type("s"))
		return vc.ByType(vc.ByMax, vc.BySum, x)
	}, []input{vertex("x", 3), vertexType("W", 3, 2), vertexType("s", 2)}},
	{"matrices of the edges", func(m mirror, v vc.Vertex) vc.Value {
		e := m.edges(v)
		return vc.Sum(m.end(e).Feature("x").MatMul(e.Feature("F")))
	}, []input{vertex("x", 3), edge("F", 3, 2)}},
}

// mirroredLayers are the programs over out-edges.
func mirroredLayers() []layer {
	var all []layer
	for _, p := range mirrored {
		all = append(all, layer{p.name, func(v vc.Vertex) vc.Value { return p.vertex(outward, v) }, p.ins})
	}
	return all
}

func TestProgramsOverOutEdgesEqualThoseOnTheReversedGraph(t *testing.T) {
	for _, p := range mirrored {
		out := vc.Compile(p.name, func(v vc.Vertex) vc.Value { return p.vertex(outward, v) })
		in := vc.Compile(p.name, func(v vc.Vertex) vc.Value { return p.vertex(inward, v) })
		for _, g := range typedGraphs(t, false) {
			// Edges keep their ids; package graph's Reverse may renumber them.
			reversed, err := graph.New(g.NumVertices(), g.Dst(), g.Src(),
				graph.WithEdgeTypes(g.EdgeTypes(), g.NumEdgeTypes()), graph.WithVertexTypes(g.VertexTypes(), g.NumVertexTypes()))
			if err != nil {
				t.Fatal(err)
			}
			xs := variables(g.Graph, tensor.Float64, p.ins)
			got, want := runBoth(out, g.Graph, p.ins, xs), runBoth(in, reversed, p.ins, xs)
			what := p.name + ", " + g.name
			near(t, what, got.out, want.out, 1e-12)
			for i := range xs {
				near(t, what+": grad "+p.ins[i].name, got.grads[i], want.grads[i], 1e-11)
			}
		}
	}
}

func TestOutEdgeProgramsEqualTheInterpreterAndCentralDifferences(t *testing.T) {
	g := typed(t, messy(t), 0)
	for _, p := range mirrored {
		t.Run(p.name, func(t *testing.T) {
			f := func(v vc.Vertex) vc.Value { return p.vertex(outward, v) }
			xs := variables(g, tensor.Float64, p.ins)
			program := vc.Compile(p.name, f)
			want := interpret(t, program.Compiled(g, bindAll(p.ins, xs)...).Traced, g, p.ins, xs)["out"]
			near(t, p.name, program.Run(g, bindAll(p.ins, xs)...).Tensor().Float64s(), want, 1e-12)
			gradcheck(t, g, f, p.ins)
		})
	}
}

// Programs that aggregate in both directions.
var bothDirections = []layer{
	{"sums", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("x")).Sub(vc.Sum(v.OutNeighbors().Feature("x")).Scale(2))
	}, []input{vertex("x", 3)}},
	{"one feature of all edges", func(v vc.Vertex) vc.Value {
		return vc.Max(v.InEdges().Feature("f")).Mul(vc.Sum(v.OutEdges().Feature("f")))
	}, []input{edge("f", 2)}},
	{"out after in", func(v vc.Vertex) vc.Value {
		mean := vc.Mean(v.InNeighbors().Feature("x"))
		return vc.Sum(v.OutNeighbors().Feature("x").Sub(mean).Tanh())
	}, []input{vertex("x", 3)}},
	{"in after out", func(v vc.Vertex) vc.Value {
		most := vc.Max(v.OutNeighbors().Feature("x"))
		return vc.Sum(vc.Softmax(v.InNeighbors().Feature("x").Mul(most)).Mul(v.InEdges().Feature("f")))
	}, []input{vertex("x", 2), edge("f", 2)}},
	{"types in both", func(v vc.Vertex) vc.Value {
		in, out := v.InEdges(), v.OutEdges()
		return vc.Sum(in.Src("x").MatMul(in.Type("W"))).Add(vc.ByType(vc.ByMean, vc.ByMax, out.Dst("x").MatMul(out.Type("W"))))
	}, []input{vertex("x", 3), edgeType("W", 3, 2)}},
}

func TestBothDirectionsInOneProgram(t *testing.T) {
	for _, l := range bothDirections {
		program := vc.Compile(l.name, l.vertex)
		for _, g := range typedGraphs(t, false) {
			xs := variables(g.Graph, tensor.Float64, l.ins)
			want := interpret(t, program.Compiled(g.Graph, bindAll(l.ins, xs)...).Traced, g.Graph, l.ins, xs)["out"]
			near(t, l.name+", "+g.name, program.Run(g.Graph, bindAll(l.ins, xs)...).Tensor().Float64s(), want, 1e-12)
		}
		t.Run(l.name, func(t *testing.T) { gradcheck(t, typed(t, messy(t), 0), l.vertex, l.ins) })
	}
}

// The end that is the centre is not the edge's own: e.Dst of an in-edge is
// v.Feature, a value of the vertex that may meet those of the out-edges too.
func TestDestinationOfAnInEdgeIsTheCentre(t *testing.T) {
	g := messy(t)
	ins := []input{vertex("x", 3), edge("f", 3)}
	xs := variables(g, tensor.Float64, ins)
	own := vc.Compile("own", func(v vc.Vertex) vc.Value { return v.InEdges().Dst("x") })
	near(t, "e.Dst", own.Run(g, bindAll(ins, xs)...).Tensor().Float64s(), xs[0].Tensor().Float64s(), 0)
	mixed := vc.Compile("mixed", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Dst("x").Mul(v.OutEdges().Feature("f"))) })
	plain := vc.Compile("plain", func(v vc.Vertex) vc.Value { return vc.Sum(v.Feature("x").Mul(v.OutEdges().Feature("f"))) })
	if got, want := runBoth(mixed, g, ins, xs), runBoth(plain, g, ins, xs); !got.sameBits(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A directed layer against loops: Σ over in-edges of x·A plus Σ over out-edges of x·B.
func TestDirectedSumsEqualLoops(t *testing.T) {
	program := vc.Compile("directed", func(v vc.Vertex) vc.Value {
		in := vc.Sum(v.InNeighbors().Feature("x").Mul(vc.Param("a")))
		return in.Add(vc.Sum(v.OutNeighbors().Feature("x").Mul(vc.Param("b"))))
	})
	for _, g := range graphs(t, false) {
		x := autograd.Variable(randn(tensor.Float64, 1, g.NumVertices(), 2))
		a, b := randn(tensor.Float64, 2, 2), randn(tensor.Float64, 3, 2)
		want := make([]float64, g.NumVertices()*2)
		xs := x.Tensor().Float64s()
		for e, u := range g.Src() {
			v := g.Dst()[e]
			for k := range 2 {
				want[int(v)*2+k] += xs[int(u)*2+k] * a.Float64s()[k]
				want[int(u)*2+k] += xs[int(v)*2+k] * b.Float64s()[k]
			}
		}
		got := program.Run(g.Graph, vc.VertexFeature("x", x), vc.ParamValue("a", autograd.Constant(a)), vc.ParamValue("b", autograd.Constant(b)))
		near(t, g.name, got.Tensor().Float64s(), want, 1e-12)
	}
}
