package saga_test

// SAGA stages: what layers compute, and what of them cannot be compiled.

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn/saga"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// messy has an isolated vertex (5), loops and duplicate edges.
func messy(t testing.TB) *graph.Graph {
	t.Helper()
	g, err := graph.New(6,
		[]int32{3, 0, 2, 1, 0, 2, 2, 0, 1, 3, 0, 2},
		[]int32{0, 1, 0, 4, 1, 2, 1, 0, 0, 4, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func randn(seed uint64, shape ...int) *autograd.Var {
	x := make([]float64, tensor.Shape(shape).Size())
	for i := range x {
		x[i] = rng.Normal(seed, uint64(i))
	}
	return autograd.Variable(tensor.FromSlice(x, shape...))
}

// gated is an edge function that reads the source, the destination and the edge.
func gated(src, dst vc.Vertex, e vc.Edge) vc.Value {
	return src.Feature("x").Mul(dst.Feature("x").Sigmoid()).Add(e.Feature("f"))
}

func TestAccumulatorsEqualPlainLoops(t *testing.T) {
	const width = 3
	g := messy(t)
	x, f := randn(1, 6, width), randn(2, 12, width)
	xs, fs := x.Tensor().Float64s(), f.Tensor().Float64s()
	value := func(e, k int) float64 {
		u, v := int(g.Src()[e]), int(g.Dst()[e])
		return xs[u*width+k]/(1+math.Exp(-xs[v*width+k])) + fs[e*width+k]
	}
	score := func(src, dst vc.Vertex, e vc.Edge) vc.Value { return e.Feature("f").Scale(2).Add(dst.Feature("x")) }
	for name, c := range map[string]struct {
		acc  saga.Accumulator
		want func(v, k int, edges []int) float64
	}{
		"the zero value": {saga.Accumulator{}, func(v, k int, edges []int) (s float64) {
			for _, e := range edges {
				s += value(e, k)
			}
			return s
		}},
		"sum": {saga.Sum, func(v, k int, edges []int) (s float64) {
			for _, e := range edges {
				s += value(e, k)
			}
			return s
		}},
		"mean": {saga.Mean, func(v, k int, edges []int) (s float64) {
			for _, e := range edges {
				s += value(e, k) / float64(len(edges))
			}
			return s
		}},
		"max": {saga.Max, func(v, k int, edges []int) float64 {
			s := math.Inf(-1)
			for _, e := range edges {
				s = math.Max(s, value(e, k))
			}
			return s
		}},
		"min": {saga.Min, func(v, k int, edges []int) float64 {
			s := math.Inf(1)
			for _, e := range edges {
				s = math.Min(s, value(e, k))
			}
			return s
		}},
		"softmax sum": {saga.SoftmaxSum(score), func(v, k int, edges []int) (s float64) {
			var sum float64
			for _, e := range edges {
				w := math.Exp(2*fs[e*width+k] + xs[v*width+k])
				sum += w
				s += w * value(e, k)
			}
			return s / sum
		}},
	} {
		var want []float64
		for v := range 6 {
			var edges []int
			for e, d := range g.Dst() {
				if int(d) == v {
					edges = append(edges, e)
				}
			}
			for k := range width {
				if len(edges) == 0 {
					want = append(want, 0)
				} else {
					want = append(want, c.want(v, k, edges))
				}
			}
		}
		layer := saga.Compile(name, saga.Layer{ApplyEdge: gated, Accumulator: c.acc})
		run := func(...*autograd.Var) *autograd.Var {
			return layer.Run(g, vc.VertexFeature("x", x), vc.EdgeFeature("f", f))
		}
		numtest.Near(t, name, run().Tensor().Float64s(), want, 1e-12)
		if err := autograd.Gradcheck(run, []*autograd.Var{x, f}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Figures 2, 9 and 11 of the paper, and the vertex functions they mean.
func TestLayersOfThePaperEqualVertexFunctions(t *testing.T) {
	g := messy(t)
	wide := func(name string, x vc.Value) vc.Value { return x.MatMul(vc.Param(name)) }
	x := randn(1, 6, 3)
	params := map[string]*autograd.Var{"WH": randn(2, 3, 3), "WC": randn(3, 3, 3), "W": randn(4, 3, 2), "b": randn(5, 3)}
	bindings := []vc.Binding{vc.VertexFeature("x", x)}
	for _, name := range []string{"WH", "WC", "W", "b"} {
		bindings = append(bindings, vc.ParamValue(name, params[name]))
	}
	for name, c := range map[string]struct {
		layer  saga.Layer
		vertex func(v vc.Vertex) vc.Value
	}{
		"g-gcn": {saga.Layer{
			ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value {
				return wide("WH", src.Feature("x")).Add(wide("WC", dst.Feature("x"))).Sigmoid().Mul(src.Feature("x"))
			},
			Accumulator: saga.Sum,
			ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return wide("W", acc).ReLU() },
		}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			eta := wide("WH", e.Src("x")).Add(wide("WC", e.Dst("x"))).Sigmoid()
			return wide("W", vc.Sum(eta.Mul(e.Src("x")))).ReLU()
		}},
		"commnet": {saga.Layer{
			ApplyEdge:   func(src, dst vc.Vertex, e vc.Edge) vc.Value { return src.Feature("x") },
			Accumulator: saga.Sum,
			ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value {
				return wide("WH", v.Feature("x")).Add(wide("WC", acc)).ReLU()
			},
		}, func(v vc.Vertex) vc.Value {
			sum := vc.Sum(v.InNeighbors().Feature("x"))
			return wide("WH", v.Feature("x")).Add(wide("WC", sum)).ReLU()
		}},
		"mp-gcn": {saga.Layer{
			ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value {
				return wide("WH", src.Feature("x")).Add(vc.Param("b")).Sigmoid()
			},
			Accumulator: saga.Max,
			ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return wide("W", acc).ReLU() },
		}, func(v vc.Vertex) vc.Value {
			pool := wide("WH", v.InNeighbors().Feature("x")).Add(vc.Param("b")).Sigmoid()
			return wide("W", vc.Max(pool)).ReLU()
		}},
	} {
		layer, vertex := saga.Compile(name, c.layer), vc.Compile(name, c.vertex)
		a, b := layer.Compiled(g, bindings...), vertex.Compiled(g, bindings...)
		if a.Forward.String() != b.Forward.String() || a.Backward.String() != b.Backward.String() {
			t.Errorf("%s: the plans are\n%v%v\nwant\n%v%v", name, a.Forward, a.Backward, b.Forward, b.Backward)
		}
		if !numtest.SameBits(layer.Run(g, bindings...).Tensor().Float64s(), vertex.Run(g, bindings...).Tensor().Float64s()) {
			t.Errorf("%s: the results differ", name)
		}
	}
}

// here is the line it is called in.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d: ", filepath.Base(file), line)
}

func TestWhatCannotBeCompiledSaysWhyAndWhere(t *testing.T) {
	source := func(src, dst vc.Vertex, e vc.Edge) vc.Value { return src.Feature("x") }
	g := messy(t)
	var kept vc.Value
	for _, c := range []struct {
		name, at string
		layer    saga.Layer
		want     []string
	}{
		{"an edge value out of ApplyVertex", here(), saga.Layer{ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value { kept = e.Feature("f"); return kept }, ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return acc.Add(kept) }},
			[]string{"saga: bad: ApplyVertex: returns a value of the edges", "[3]"}},
		{"a neighbour's value out of ApplyVertex", here(), saga.Layer{ApplyEdge: source, ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return v.InNeighbors().Feature("x") }},
			[]string{"ApplyVertex: returns a value of the edges", "src"}},
		{"the zero value out of ApplyVertex", here(), saga.Layer{ApplyEdge: source, ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return vc.Value{} }},
			[]string{"saga: bad: ApplyVertex: returns the zero Value"}},
		{"a param out of ApplyVertex", here(), saga.Layer{ApplyEdge: source, ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return vc.Param("w") }},
			[]string{"saga: bad: ApplyVertex: returns a param or a number"}},
		{"a neighbour's edges", here(), saga.Layer{ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value { return vc.Sum(src.InEdges().Feature("f")) }},
			[]string{"InEdges", "two hops"}},
		{"an unbound feature", here(), saga.Layer{ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value { return src.Feature("y") }},
			[]string{`vertex feature "y" is not bound`}},
		{"shapes of score and value", here(), saga.Layer{ApplyEdge: func(src, dst vc.Vertex, e vc.Edge) vc.Value { return src.Feature("x") }, Accumulator: saga.SoftmaxSum(func(src, dst vc.Vertex, e vc.Edge) vc.Value { return e.Feature("f").Slice(0, 2) })},
			[]string{"mul", "[2] and [3]"}},
	} {
		err := autograd.Try(func() {
			saga.Compile("bad", c.layer).Run(g, vc.VertexFeature("x", randn(1, 6, 3)), vc.EdgeFeature("f", randn(2, 12, 3)), vc.ParamValue("w", randn(3, 3)))
		})
		if !errors.As(err, new(*saga.Error)) && !errors.As(err, new(*ir.Error)) {
			t.Errorf("%s: the error is %T %v", c.name, err, err)
			continue
		}
		for _, part := range append(c.want, c.at) {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error is %q; it should contain %q", c.name, err, part)
			}
		}
	}
	err := autograd.Try(func() { saga.Compile("bad", saga.Layer{}) })
	if !errors.As(err, new(*saga.Error)) || !strings.HasPrefix(err.Error(), "saga_test.go:") || !strings.Contains(err.Error(), "a layer has an ApplyEdge function") {
		t.Errorf("without ApplyEdge the error is %T %v", err, err)
	}
	err = autograd.Try(func() { saga.SoftmaxSum(nil) })
	if !errors.As(err, new(*saga.Error)) || !strings.HasPrefix(err.Error(), "saga_test.go:") || !strings.HasSuffix(err.Error(), ": saga: SoftmaxSum: the score is nil; without one use Sum") {
		t.Errorf("a softmax of no score: the error is %T %v", err, err)
	}
}

func TestLayersOnABlockAndWithoutEdges(t *testing.T) {
	layer := saga.Compile("gated", saga.Layer{ApplyEdge: gated, Accumulator: saga.Mean,
		ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return acc.Add(v.Feature("x")) }})
	block, err := graph.NewBipartite(3, 2, []int32{2, 1}, []int32{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	src, dst, f := randn(1, 3, 2), randn(2, 2, 2), randn(3, 2, 2)
	got := layer.Run(block, vc.SrcFeature("x", src), vc.DstFeature("x", dst), vc.EdgeFeature("f", f)).Tensor()
	want := dst.Tensor().Float64s()
	for k := range 2 {
		gate := 1 / (1 + math.Exp(-dst.Tensor().At(0, k)))
		want[k] += ((src.Tensor().At(2, k)+src.Tensor().At(1, k))*gate + f.Tensor().At(0, k) + f.Tensor().At(1, k)) / 2
	}
	numtest.Near(t, "block", got.Float64s(), want, 1e-13)

	empty, err := graph.New(0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if out := layer.Run(empty, vc.VertexFeature("x", randn(1, 0, 2)), vc.EdgeFeature("f", randn(1, 0, 2))); !out.Shape().Equal(tensor.Shape{0, 2}) {
		t.Errorf("an empty graph gives %v", out.Shape())
	}
}
