package vcentric_test

// Aggregation within types and over types, and counts by type, against loops.

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

var aggregators = map[vc.Aggregator]struct {
	name   string
	reduce func(xs []float64) float64
}{
	vc.BySum:  {"sum", total},
	vc.ByMean: {"mean", func(xs []float64) float64 { return total(xs) / math.Max(float64(len(xs)), 1) }},
	vc.ByMax:  {"max", func(xs []float64) float64 { return extreme(xs, math.Max) }},
	vc.ByMin:  {"min", func(xs []float64) float64 { return extreme(xs, math.Min) }},
}

// extreme is a maximum or minimum; 0 of nothing.
func extreme(xs []float64, f func(a, b float64) float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	y := xs[0]
	for _, x := range xs {
		y = f(y, x)
	}
	return y
}

// naiveByType reduces edge values over the edges that end (or start) in each
// vertex: each type's first, then those of the types that the vertex has.
func naiveByType(g *graph.Graph, inner, outer vc.Aggregator, out bool, x []float64, width int) []float64 {
	n, ends := g.NumDst(), g.Dst()
	if out {
		ends = g.Src()
	}
	y := make([]float64, n*width)
	for v := range n {
		for k := range width {
			var types []float64
			for r := range g.NumEdgeTypes() {
				var edges []float64
				for e, u := range ends {
					if int(u) == v && int(g.EdgeTypes()[e]) == r {
						edges = append(edges, x[e*width+k])
					}
				}
				if len(edges) > 0 {
					types = append(types, aggregators[inner].reduce(edges))
				}
			}
			y[v*width+k] = aggregators[outer].reduce(types)
		}
	}
	return y
}

func TestByTypeEqualsLoops(t *testing.T) {
	for inner := range aggregators {
		for outer := range aggregators {
			for _, out := range []bool{false, true} {
				name := fmt.Sprintf("%s of %ss, out-edges %v", aggregators[outer].name, aggregators[inner].name, out)
				program := vc.Compile(name, func(v vc.Vertex) vc.Value {
					e := v.InEdges()
					if out {
						e = v.OutEdges()
					}
					return vc.ByType(inner, outer, e.Feature("f"))
				})
				rows := [][]int{{2, 3}, {3}, {}}
				if testing.Short() {
					rows = rows[:1]
				}
				for _, row := range rows {
					ins := []input{edge("f", row...)}
					for _, g := range typedGraphs(t, false) {
						for dt, tol := range tolerance {
							xs := variables(g.Graph, dt, ins)
							got := program.Run(g.Graph, bindAll(ins, xs)...)
							want := naiveByType(g.Graph, inner, outer, out, xs[0].Tensor().Float64s(), tensor.Shape(row).Size())
							near(t, fmt.Sprintf("%s, row %v, %s, %v", name, row, g.name, dt), got.Tensor().Float64s(), want, tol)
						}
					}
				}
			}
		}
	}
}

func TestByTypeGradientsEqualCentralDifferences(t *testing.T) {
	g := typed(t, messy(t), 0)
	for inner := range aggregators {
		for outer := range aggregators {
			t.Run(aggregators[outer].name+" of "+aggregators[inner].name, func(t *testing.T) {
				gradcheck(t, g, func(v vc.Vertex) vc.Value {
					e := v.InEdges()
					return vc.ByType(inner, outer, e.Src("x").Mul(e.Type("a")).Add(e.Feature("f")))
				}, []input{vertex("x", 2), edgeType("a", 2), edge("f", 2)})
				gradcheck(t, g, func(v vc.Vertex) vc.Value {
					e := v.OutEdges()
					return vc.ByType(inner, outer, e.Dst("x").Mul(e.DstType("a")).Add(e.Feature("f")))
				}, []input{vertex("x", 2), vertexType("a", 2), edge("f", 2)})
			})
		}
	}
}

// The factor of the row leaves the sums of the types, whatever dimensions it and the rest have.
func TestFactorsLeaveTheSumsOfTypesForEveryPairOfRowShapes(t *testing.T) {
	for _, c := range []struct{ rest, factor []int }{
		{nil, []int{2}}, {[]int{2}, nil}, {[]int{2}, []int{1}}, {[]int{1}, []int{2}},
		{nil, []int{3, 2}}, {[]int{2}, []int{3, 2}}, {[]int{2}, []int{3, 1}}, {[]int{1}, []int{3, 2}},
		{[]int{3, 2}, []int{2}}, {[]int{3, 1}, []int{2}}, {[]int{3, 1}, []int{1, 2}}, {[]int{3, 2}, nil},
	} {
		for _, types := range []int{1, 2, 3, 4} {
			for outer := range aggregators {
				name := fmt.Sprintf("%s over %d types, %v times %v", aggregators[outer].name, types, c.factor, c.rest)
				sums := vc.Compile(name, func(v vc.Vertex) vc.Value {
					return vc.ByType(vc.BySum, outer, v.InEdges().Feature("rest").Mul(v.Feature("factor")))
				})
				g := messy(t)
				g, err := graph.New(6, g.Src(), g.Dst(), graph.WithEdgeTypes(spread(g.NumEdges(), types), types))
				if err != nil {
					t.Fatal(err)
				}
				ins := []input{edge("rest", c.rest...), vertex("factor", c.factor...)}
				xs := variables(g, tensor.Float64, ins)
				if c := sums.Compiled(g, bindAll(ins, xs)...); c.Fired["factor-out-of-sum"] == 0 {
					t.Errorf("%s: the factor stays", name)
				}
				got, want := runBoth(sums, g, ins, xs), runBoth(sums.Without("factor-out-of-sum"), g, ins, xs)
				near(t, name, got.out, want.out, 1e-12)
				for i := range xs {
					near(t, name+": grad "+ins[i].name, got.grads[i], want.grads[i], 1e-12)
				}
			}
		}
	}
}

// spread gives n edges types in turn.
func spread(n, types int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i % types)
	}
	return out
}

// No edges times infinity is nothing: a type that a vertex has no edges of adds 0.
func TestInfiniteFactorsLeaveTypesWithoutEdgesAtZero(t *testing.T) {
	g, err := graph.New(2, []int32{0, 1}, []int32{1, 1}, graph.WithEdgeTypes([]int32{0, 0}, 2))
	if err != nil {
		t.Fatal(err)
	}
	sums := vc.Compile("sums", func(v vc.Vertex) vc.Value {
		return vc.ByType(vc.BySum, vc.BySum, v.InEdges().Feature("w").Mul(v.Feature("h")))
	})
	w := autograd.Constant(tensor.FromSlice([]float64{1, 2}, 2))
	h := autograd.Constant(tensor.FromSlice([]float64{math.Inf(1), math.Inf(-1)}, 2))
	got := sums.Run(g, vc.EdgeFeature("w", w), vc.VertexFeature("h", h)).Tensor().Float64s()
	if want := []float64{0, math.Inf(-1)}; !slices.Equal(got, want) {
		t.Errorf("sums are %v, want %v", got, want)
	}
}

// One type that has all the edges makes the aggregate over types the plain one.
func TestByTypeOfOneTypeIsThePlainAggregate(t *testing.T) {
	plain := map[vc.Aggregator]func(vc.Value) vc.Value{vc.BySum: vc.Sum, vc.ByMean: vc.Mean, vc.ByMax: vc.Max, vc.ByMin: vc.Min}
	ins := []input{vertex("x", 3), edge("f", 3)}
	for _, g := range graphs(t, true) {
		one, err := graph.NewBipartite(g.NumSrc(), g.NumDst(), g.Src(), g.Dst(), graph.WithEdgeTypes(make([]int32, g.NumEdges()), 1))
		if err != nil {
			t.Fatal(err)
		}
		ins := forBipartite(ins)
		xs := variables(one, tensor.Float64, ins)
		for inner, reduce := range plain {
			for outer := range aggregators {
				byType := vc.Compile("by type", func(v vc.Vertex) vc.Value {
					e := v.InEdges()
					return vc.ByType(inner, outer, e.Src("x").Mul(e.Feature("f")))
				})
				at := vc.Compile("plain", func(v vc.Vertex) vc.Value {
					e := v.InEdges()
					return reduce(e.Src("x").Mul(e.Feature("f")))
				})
				got, want := runBoth(byType, one, ins, xs), runBoth(at, one, ins, xs)
				what := fmt.Sprintf("%s, %s of %ss", g.name, aggregators[outer].name, aggregators[inner].name)
				near(t, what, got.out, want.out, 1e-14)
				near(t, what+": grad x", got.grads[0], want.grads[0], 1e-14)
				near(t, what+": grad f", got.grads[2], want.grads[2], 1e-14)
			}
		}
	}
}

func TestTypeDegreeAndCountEqualLoops(t *testing.T) {
	programs := vc.CompileMany("degrees", func(v vc.Vertex) []vc.Value {
		in, out := v.InEdges(), v.OutEdges()
		return []vc.Value{in.TypeDegree(), out.TypeDegree(), vc.Count(in), vc.Count(out)}
	})
	for _, g := range typedGraphs(t, false) {
		// Nothing is read; what is bound makes the results float64.
		got := programs.RunMany(g.Graph, vc.ParamValue("unread", autograd.Constant(tensor.Zeros(tensor.Float64, 1))))
		want := make([][]float64, 4)
		for e, r := range g.EdgeTypes() {
			same := [2]float64{}
			for f, s := range g.EdgeTypes() {
				same[0] += bit(s == r && g.Dst()[f] == g.Dst()[e])
				same[1] += bit(s == r && g.Src()[f] == g.Src()[e])
			}
			want[0], want[1] = append(want[0], same[0]), append(want[1], same[1])
		}
		for v := range g.NumVertices() {
			want[2] = append(want[2], float64(g.InDegrees()[v]))
			want[3] = append(want[3], float64(g.OutDegrees()[v]))
		}
		for i, name := range []string{"in-edges of a type", "out-edges of a type", "in-edges", "out-edges"} {
			near(t, g.name+": "+name, got[i].Tensor().Float64s(), want[i], 0)
		}
	}
}

// naiveSoftmaxByType normalises edge values over the edges of one type that end (or start) in one vertex.
func naiveSoftmaxByType(g *graph.Graph, out bool, x []float64, width int) []float64 {
	ends := g.Dst()
	if out {
		ends = g.Src()
	}
	y := make([]float64, len(x))
	for e, u := range ends {
		for k := range width {
			largest, sum := math.Inf(-1), 0.0
			same := func(f int) bool { return ends[f] == u && g.EdgeTypes()[f] == g.EdgeTypes()[e] }
			for f := range ends {
				if same(f) {
					largest = math.Max(largest, x[f*width+k])
				}
			}
			for f := range ends {
				if same(f) {
					sum += math.Exp(x[f*width+k] - largest)
				}
			}
			y[e*width+k] = math.Exp(x[e*width+k]-largest) / sum
		}
	}
	return y
}

func TestSoftmaxByTypeEqualsLoops(t *testing.T) {
	for _, out := range []bool{false, true} {
		program := vc.Compile("softmax by type", func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			if out {
				e = v.OutEdges()
			}
			return vc.SoftmaxByType(e.Feature("f"))
		})
		for _, row := range [][]int{{2, 3}, {3}, {}} {
			for _, scale := range []float64{1, 1e4} {
				f := edge("f", row...)
				f.fn = func(x float64) float64 { return scale * x }
				for _, g := range typedGraphs(t, false) {
					for dt, tol := range tolerance {
						xs := variables(g.Graph, dt, []input{f})
						got := program.Run(g.Graph, bindAll([]input{f}, xs)...)
						want := naiveSoftmaxByType(g.Graph, out, xs[0].Tensor().Float64s(), tensor.Shape(row).Size())
						near(t, fmt.Sprintf("out-edges %v, row %v, scale %v, %s, %v", out, row, scale, g.name, dt), got.Tensor().Float64s(), want, tol)
					}
				}
			}
		}
	}
}

func TestSoftmaxByTypeGradientsEqualCentralDifferences(t *testing.T) {
	g := typed(t, messy(t), 0)
	gradcheck(t, g, func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(vc.SoftmaxByType(e.Src("x").Mul(e.Type("a")).Add(e.Feature("f"))).Mul(e.Src("h")))
	}, []input{vertex("x", 2), edgeType("a", 2), edge("f", 2), vertex("h", 2)})
	gradcheck(t, g, func(v vc.Vertex) vc.Value {
		e := v.OutEdges()
		return vc.SoftmaxByType(e.Dst("x").Mul(e.DstType("a")).Add(e.Feature("f")))
	}, []input{vertex("x", 2), vertexType("a", 2), edge("f", 2)})
}

// What all edges of one type of a vertex share is one over their number, whatever it is.
func TestSoftmaxByTypeOfWhatEdgesShareIsOneOverTheirNumber(t *testing.T) {
	programs := vc.CompileMany("shared", func(v vc.Vertex) []vc.Value {
		in, out := v.InEdges(), v.OutEdges()
		return []vc.Value{
			vc.SoftmaxByType(v.Feature("x")), in.TypeDegree().Recip(),
			vc.SoftmaxByType(out.Type("a")), out.TypeDegree().Recip(),
		}
	})
	ins := []input{vertex("x"), edgeType("a")}
	for _, g := range typedGraphs(t, false) {
		got := programs.RunMany(g.Graph, bindAll(ins, variables(g.Graph, tensor.Float64, ins))...)
		near(t, g.name+": of the vertex", got[0].Tensor().Float64s(), got[1].Tensor().Float64s(), 1e-14)
		near(t, g.name+": of the type", got[2].Tensor().Float64s(), got[3].Tensor().Float64s(), 1e-14)
	}
}
