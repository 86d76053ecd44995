package vcentric_test

// Dropout inside programs: which elements it drops, and that the gradient
// drops the same.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

var dropouts = []layer{
	{"of a vertex value", func(v vc.Vertex) vc.Value { return v.Feature("h").Dropout(0.4) }, []input{vertex("h", 4)}},
	{"of a neighbour's value", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("h").Dropout(0.4).Tanh())
	}, []input{vertex("h", 4)}},
	{"of an edge value", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Src("h").Mul(e.Dst("h")).Dropout(0.4).Exp())
	}, []input{vertex("h", 4)}},
	{"of attention", func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		s := heads1(u, "al", 2).Add(heads1(v, "ar", 2)).LeakyReLU(0.2)
		return vc.Sum(vc.Softmax(s).Dropout(0.4).Mul(u.Feature("z")))
	}, []input{vertex("z", 2, 3), param("al", 2, 3), param("ar", 2, 3)}},
	{"before a product with a param", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("h").Dropout(0.4).MatMul(vc.Param("W"))).Dropout(0.4)
	}, []input{vertex("h", 3), param("W", 3, 2)}},
	{"per edge, of an aggregate", func(v vc.Vertex) vc.Value {
		return vc.Sum(vc.AtEdges(vc.Sum(v.InNeighbors().Feature("h"))).Dropout(0.4))
	}, []input{vertex("h", 3)}},
}

// At a fixed seed a program with dropout is a function like any other, so
// central differences tell whether the gradient has the mask of the result.
func TestDropoutGradientUsesTheMaskOfTheForwardPass(t *testing.T) {
	for _, l := range dropouts {
		t.Run(l.name, func(t *testing.T) {
			for seed := range uint64(3) {
				gradcheck(t, messy(t), l.vertex, l.ins, vc.Training(seed))
			}
		})
	}
}

// One dropout has one mask wherever its value is used, also of what is a number or a param
// before it meets a vertex: edges are dropped for all sums alike.
func TestADropoutThatIsUsedTwiceHasOneMask(t *testing.T) {
	g := hub(t, 3, 40, 300)
	for name, shared := range map[string]vc.Value{
		"of edges":           vc.AtEdges(vc.Number(1)).Dropout(0.5),
		"of a param":         vc.AtEdges(vc.Param("p").Exp()).Dropout(0.5),
		"of a sum of params": vc.Sum(vc.Param("p")).Dropout(0.5),
	} {
		program := vc.CompileMany(name, func(v vc.Vertex) []vc.Value {
			return []vc.Value{vc.Sum(shared), vc.Sum(shared.Add(vc.Number(0))), vc.Sum(vc.AtEdges(shared).Mul(v.InDegree()))}
		})
		p := autograd.Constant(tensor.Full(tensor.Float64, 0.3))
		y := program.RunMany(g, vc.ParamValue("p", p), vc.Training(7))
		first := y[0].Tensor().Float64s()
		near(t, name+": the same sum", y[1].Tensor().Float64s(), first, 1e-14)
		for v, d := range g.InDegrees() {
			first[v] *= float64(d)
		}
		near(t, name+": a sum that the centre scales", y[2].Tensor().Float64s(), first, 1e-14)
	}
}

// What all edges or vertices of a type share is dropped for each of them by
// itself, and so is what is summed by type.
func TestDropoutOfTypesValuesIsForEachVertexOrEdge(t *testing.T) {
	layers := []layer{
		{"of an edge type's value", func(v vc.Vertex) vc.Value { return v.InEdges().Type("a").Dropout(0.5) }, []input{edgeType("a", 3)}},
		{"of a vertex type's value", func(v vc.Vertex) vc.Value { return v.Type("a").Dropout(0.5) }, []input{vertexType("a", 3)}},
		{"of a source type's value", func(v vc.Vertex) vc.Value {
			return vc.AtEdges(v.InEdges().SrcType("a").Dropout(0.5))
		}, []input{vertexType("a", 3)}},
		{"of messages", func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Src("x").MatMul(e.Type("W")).Dropout(0.5)).Add(vc.Sum(e.Src("x").Dropout(0.5).MatMul(e.Type("W"))))
		}, []input{vertex("x", 3), edgeType("W", 3, 3)}},
	}
	for _, l := range layers {
		t.Run(l.name, func(t *testing.T) {
			gradcheck(t, typed(t, messy(t), 0), l.vertex, l.ins, vc.Training(3))
		})
	}
	g := typed(t, hub(t, 3, 40, 300), 0)
	for _, l := range layers[:2] {
		xs := variables(g, tensor.Float64, l.ins)
		out := vc.Compile(l.name, l.vertex).Run(g, append(bindAll(l.ins, xs), vc.Training(1))...).Tensor().Float64s()
		types := g.EdgeTypes()
		if len(out) == 3*g.NumVertices() {
			types = g.VertexTypes()
		}
		dropped := 0
		for i, y := range out {
			if whole := 2 * xs[0].Tensor().Float64s()[3*int(types[i/3])+i%3]; y == 0 {
				dropped++
			} else if y != whole {
				t.Fatalf("%s: element %d is %v; want 0 or %v", l.name, i, y, whole)
			}
		}
		if share := float64(dropped) / float64(len(out)); math.Abs(share-0.5) > 0.15 {
			t.Errorf("%s: %v of the elements are dropped, want about half", l.name, share)
		}
	}
}

func TestDropoutFollowsTheSeedAndTraining(t *testing.T) {
	g := hub(t, 3, 40, 300)
	for _, l := range dropouts {
		program := vc.Compile(l.name, l.vertex)
		xs := variables(g, tensor.Float32, l.ins)
		first := runBoth(program, g, l.ins, xs, vc.Training(7))
		if again := runBoth(program, g, l.ins, xs, vc.Training(7)); !again.sameBits(first) {
			t.Errorf("%s: one seed gives two results", l.name)
		}
		if fresh := runBoth(vc.Compile(l.name, l.vertex), g, l.ins, xs, vc.Training(7)); !fresh.sameBits(first) {
			t.Errorf("%s: one seed gives two results in two programs", l.name)
		}
		if other := runBoth(program, g, l.ins, xs, vc.Training(8)); sameBits(other.out, first.out) {
			t.Errorf("%s: two seeds give one result", l.name)
		}
		off := runBoth(program, g, l.ins, xs)
		if sameBits(off.out, first.out) {
			t.Errorf("%s: training changes nothing", l.name)
		}
		if again := runBoth(program, g, l.ins, xs); !again.sameBits(off) {
			t.Errorf("%s: a run without training is random", l.name)
		}
	}
	// Without training dropout is the identity.
	x := autograd.Constant(randn(tensor.Float32, 1, 40, 4))
	got := vc.Compile("identity", dropouts[0].vertex).Run(g, vc.VertexFeature("h", x))
	near(t, "not training", got.Tensor().Float64s(), x.Tensor().Float64s(), 0)
}

func TestDropoutKeepsTheRightShareAndScalesIt(t *testing.T) {
	const n, width = 500, 200
	src, dst := randomArcs(1, n, n, n)
	g := mustGraph(t, n, src, dst)
	ones := autograd.Constant(tensor.Full(tensor.Float64, 1, n, width))
	for _, p := range []float64{0, 0.1, 0.5, 0.6, 0.9, 1} {
		for name, f := range map[string]func(v vc.Vertex) vc.Value{
			"vertices": func(v vc.Vertex) vc.Value { return v.Feature("h").Dropout(p) },
			"edges":    func(v vc.Vertex) vc.Value { return v.InEdges().Feature("h").Dropout(p) },
		} {
			out := vc.Compile(name, f).Run(g, vc.VertexFeature("h", ones), vc.EdgeFeature("h", ones), vc.Training(3))
			kept := 0.0
			for _, x := range out.Tensor().Float64s() {
				if x != 0 {
					kept++
					if math.Abs(x*(1-p)-1) > 1e-12 {
						t.Fatalf("%s, p = %v: an element is %v, want %v", name, p, x, 1/(1-p))
					}
				}
			}
			size := float64(n * width)
			if sigma := math.Sqrt(size * p * (1 - p)); math.Abs(kept-size*(1-p)) > 5*sigma {
				t.Errorf("%s, p = %v: %v of %v elements are kept", name, p, kept, size)
			}
		}
	}
}

// Two dropouts of one program drop different elements; one value used twice is
// dropped once; the ends of an edge see the mask of their vertex.
func TestDropoutMasksBelongToPlaceAndVertex(t *testing.T) {
	g := hub(t, 2, 30, 200)
	ones := autograd.Constant(tensor.Full(tensor.Float32, 1, 30, 8))
	run := func(f func(v vc.Vertex) vc.Value) []float64 {
		return vc.Compile("mask", f).Run(g, vc.VertexFeature("h", ones), vc.Training(5)).Tensor().Float64s()
	}
	once := run(func(v vc.Vertex) vc.Value {
		x := v.Feature("h").Dropout(0.5)
		return x.Sub(x)
	})
	near(t, "a value minus itself", once, make([]float64, len(once)), 0)
	twice := run(func(v vc.Vertex) vc.Value { return v.Feature("h").Dropout(0.5).Sub(v.Feature("h").Dropout(0.5)) })
	differ := 0
	for _, x := range twice {
		if x != 0 {
			differ++
		}
	}
	if share := float64(differ) / float64(len(twice)); share < 0.35 || share > 0.65 {
		t.Errorf("two dropouts differ in a share of %v of the elements, want about 1/2", share)
	}
	masks := run(func(v vc.Vertex) vc.Value { return vc.AtEdges(v.InNeighbors().Feature("h").Dropout(0.5)) })
	perSource := map[int32][]float64{}
	for e, u := range g.Src() {
		row := masks[e*8:][:8]
		if perSource[u] == nil {
			perSource[u] = row
		}
		near(t, "mask of a source", row, perSource[u], 0)
	}
}

// Permuting the features of the graph's edges permutes nothing: a mask belongs
// to the edge's id, wherever it lies in the adjacency lists.
func TestDropoutMaskOfAnEdgeDependsOnItsIDOnly(t *testing.T) {
	const edges = 100
	ones := autograd.Constant(tensor.Full(tensor.Float32, 1, edges, 3))
	program := vc.Compile("mask", func(v vc.Vertex) vc.Value { return v.InEdges().Feature("f").Dropout(0.5) })
	var want []float64
	for seed := range uint64(3) {
		src, dst := randomArcs(seed, 10, 10, edges)
		for _, g := range []*graph.Graph{mustGraph(t, 10, src, dst), mustGraph(t, 10, dst, src)} {
			got := program.Run(g, vc.EdgeFeature("f", ones), vc.Training(1)).Tensor().Float64s()
			if want == nil {
				want = got
			}
			near(t, "mask", got, want, 0)
		}
	}
}
