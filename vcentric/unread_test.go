package vcentric_test

// What nobody reads has gradient 0, also where its derivative is infinite: rows without the
// edges that would read them, and results that the loss does not depend on.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

func float64s(x []float64, shape ...int) *autograd.Var {
	return autograd.Variable(tensor.FromSlice(x, shape...))
}

// What the centre says of its out-edges is computed on one side and read on the other.
func TestGradientsOfWhatTheOtherSideReadsAreFiniteWithoutEdges(t *testing.T) {
	path := mustGraph(t, 3, []int32{0, 1}, []int32{1, 2})
	one := mustGraph(t, 2, []int32{0}, []int32{1})
	hop := vc.Compile("hop", func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		return vc.Sum(u.Feature("h").Mul(u.OutDegree().Rsqrt()))
	})

	product := vc.Compile("product", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Src("h").MatMul(vc.Param("W")).Mul(e.Dst("h").MatMul(vc.Param("W")).Mul(v.InDegree().Rsqrt())))
	})
	h, w := float64s([]float64{1, 1, 1, 1, 1, 1}, 3, 2), float64s([]float64{1, 0, 0, 1}, 2, 2)
	product.Run(path, vc.VertexFeature("h", h), vc.ParamValue("W", w)).Sum().Backward()
	near(t, "a product of both ends", w.Gradient().Float64s(), []float64{4, 4, 4, 4}, 0)
	near(t, "a product of both ends: its rows", h.Gradient().Float64s(), []float64{1, 1, 2, 2, 1, 1}, 0)

	two := vc.Compile("two hops", func(v vc.Vertex) vc.Value { return hop.Call(v, vc.Let{Name: "h", Value: hop.Call(v)}) })
	h = float64s([]float64{1, 1, 1}, 3)
	two.Run(path, vc.VertexFeature("h", h)).Sum().Backward()
	near(t, "two hops", h.Gradient().Float64s(), []float64{1, 0, 0}, 0)

	out := vc.Compile("out-edges", func(v vc.Vertex) vc.Value { return vc.Sum(v.OutEdges().Feature("f").Mul(v.Feature("h").Log())) })
	h = float64s([]float64{1, 0}, 2)
	out.Run(one, vc.EdgeFeature("f", float64s([]float64{1}, 1)), vc.VertexFeature("h", h)).Sum().Backward()
	near(t, "the centre's own value", h.Gradient().Float64s(), []float64{1, 0}, 0)

	shared := vc.Compile("both directions", func(v vc.Vertex) vc.Value {
		x := v.Feature("h").Sqrt()
		return vc.Sum(v.OutEdges().Feature("f").Mul(x)).Add(vc.Sum(v.InEdges().Feature("f").Mul(x)))
	})
	h = float64s([]float64{4, 1, 0}, 3)
	lone := mustGraph(t, 3, []int32{0}, []int32{1})
	shared.Run(lone, vc.EdgeFeature("f", float64s([]float64{1}, 1)), vc.VertexFeature("h", h)).Sum().Backward()
	near(t, "edges of both directions", h.Gradient().Float64s(), []float64{0.25, 0.5, 0}, 0)
}

// A relation without edges, and a type without vertices, spoil no param.
func TestGradientsOfWhatTypesShareAreFiniteWithoutEdges(t *testing.T) {
	g := typed(t, mustGraph(t, 2, []int32{0}, []int32{1}), 0)
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"relation": func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Type("s").Mul(vc.Param("p")).Sqrt()) },
	} {
		rows := make([]float64, g.NumEdgeTypes())
		rows[g.EdgeTypes()[0]] = 4
		s, p := float64s(rows, len(rows)), float64s([]float64{1}, 1)
		vc.Compile(name, f).Run(g, vc.EdgeTypeFeature("s", s), vc.ParamValue("p", p)).Sum().Backward()
		near(t, name, p.Gradient().Float64s(), []float64{1}, 0)
	}
}

// A result that the loss does not depend on has no gradient, not one of 0 times infinity.
func TestResultsWithoutCotangentAreNotDifferentiated(t *testing.T) {
	g := mustGraph(t, 2, nil, nil)
	program := vc.CompileMany("scaled and root", func(v vc.Vertex) []vc.Value {
		x := v.Feature("x")
		return []vc.Value{x.Scale(2), x.Sqrt(), v.Feature("y").Square()}
	})
	run := func() (x, y *autograd.Var, outs []*autograd.Var) {
		x, y = float64s([]float64{0, 4}, 2), float64s([]float64{1, 2}, 2)
		return x, y, program.RunMany(g, vc.VertexFeature("x", x), vc.VertexFeature("y", y))
	}
	for range 2 { // compiled, and found compiled
		x, y, outs := run()
		outs[0].Sum().Backward()
		near(t, "first", x.Gradient().Float64s(), []float64{2, 2}, 0)
		if y.Gradient() != nil {
			near(t, "of what is not read", y.Gradient().Float64s(), []float64{0, 0}, 0)
		}
		x, y, outs = run()
		outs[0].Sum().Add(outs[2].Sum()).Backward()
		near(t, "first and third", x.Gradient().Float64s(), []float64{2, 2}, 0)
		near(t, "third", y.Gradient().Float64s(), []float64{2, 4}, 0)
		x, _, outs = run()
		d := autograd.Grad(outs[0].Square().Sum(), []*autograd.Var{x}, autograd.CreateGraph())[0]
		near(t, "under CreateGraph", d.Tensor().Float64s(), []float64{0, 32}, 0)
		d.Sum().Backward()
		near(t, "second", x.Gradient().Float64s(), []float64{8, 8}, 0)
	}
}

// Whatever the other result is made of.
func TestNoOpOfAResultWithoutCotangentSpoilsGradients(t *testing.T) {
	g := mustGraph(t, 3, []int32{0, 1}, []int32{1, 1})
	for name, f := range map[string]func(x vc.Value, v vc.Vertex) vc.Value{
		"log":           func(x vc.Value, _ vc.Vertex) vc.Value { return x.Log() },
		"root":          func(x vc.Value, _ vc.Vertex) vc.Value { return x.Sqrt() },
		"rsqrt":         func(x vc.Value, _ vc.Vertex) vc.Value { return x.Rsqrt() },
		"quotient":      func(x vc.Value, _ vc.Vertex) vc.Value { return x.Div(x) },
		"power":         func(x vc.Value, _ vc.Vertex) vc.Value { return x.Pow(0.5) },
		"negative":      func(x vc.Value, _ vc.Vertex) vc.Value { return x.Pow(-1) },
		"power of both": func(x vc.Value, _ vc.Vertex) vc.Value { return x.PowValue(x.AddScalar(-1)) },
		"exponential":   func(x vc.Value, _ vc.Vertex) vc.Value { return x.Scale(1000).Exp() },
		"by degree":     func(x vc.Value, v vc.Vertex) vc.Value { return x.Mul(v.OutDegree().Rsqrt()).Mul(v.InDegree().Rsqrt()) },
		"at edges":      func(x vc.Value, v vc.Vertex) vc.Value { return x.Mul(v.InNeighbors().Feature("x").Log()) },
		"of a sum":      func(x vc.Value, v vc.Vertex) vc.Value { return vc.Sum(v.OutNeighbors().Feature("x")).Log() },
		"of a softmax":  func(x vc.Value, v vc.Vertex) vc.Value { return vc.Softmax(v.InNeighbors().Feature("x").Log()) },
	} {
		program := vc.CompileMany(name, func(v vc.Vertex) []vc.Value { return []vc.Value{v.Feature("x").Scale(2), f(v.Feature("x"), v)} })
		x := float64s([]float64{0, 4, 0}, 3)
		program.RunMany(g, vc.VertexFeature("x", x))[0].Sum().Backward()
		near(t, name, x.Gradient().Float64s(), []float64{2, 2, 2}, 0)
	}
}

// In 32 bits numbers that are not huge have infinite exponentials, and those that are not 0
// infinite reciprocals, or derivatives of them.
func TestNoInfinityOfAResultWithoutCotangentSpoilsGradients(t *testing.T) {
	g := mustGraph(t, 3, []int32{0, 1, 2}, []int32{1, 1, 0})
	for _, c := range []struct {
		name string
		at   float32
		f    func(x vc.Value, v vc.Vertex) vc.Value
	}{
		{"exponential of a maximum", 100, func(x vc.Value, _ vc.Vertex) vc.Value { return x.Maximum(vc.Number(1)).Exp() }},
		{"power of a number", 200, func(x vc.Value, _ vc.Vertex) vc.Value { return vc.Number(2).PowValue(x) }},
		{"power of a maximum", 200, func(x vc.Value, _ vc.Vertex) vc.Value { return x.Maximum(vc.Number(2)).PowValue(x) }},
		{"reciprocal of next to nothing", 2e-20, func(x vc.Value, _ vc.Vertex) vc.Value { return x.Maximum(vc.Number(1e-20)).Recip() }},
		{"quotient of next to nothing", 2e-20, func(x vc.Value, _ vc.Vertex) vc.Value { return vc.Number(1).Div(x.Maximum(vc.Number(1e-20))) }},
		{"root of next to nothing", 2e-30, func(x vc.Value, _ vc.Vertex) vc.Value { return x.Maximum(vc.Number(1e-30)).Rsqrt() }},
		{"power of little", 2e-5, func(x vc.Value, _ vc.Vertex) vc.Value { return x.Maximum(vc.Number(1e-5)).Pow(-8) }},
		{"infinite number", 1, func(x vc.Value, _ vc.Vertex) vc.Value { return x.Mul(vc.Number(math.Inf(1))) }},
		{"not a number", 1, func(x vc.Value, _ vc.Vertex) vc.Value { return x.Mul(vc.Number(math.NaN())) }},
		{"masks of all edges", 1, func(x vc.Value, v vc.Vertex) vc.Value {
			e := v.InEdges()
			a := vc.Softmax(vc.Select(e.Src("x").Gt(vc.Number(5)), e.Src("x"), vc.Number(math.Inf(-1))))
			return vc.Sum(a.Mul(e.Src("x")))
		}},
	} {
		x := autograd.Variable(tensor.Full(tensor.Float32, float64(c.at), 3))
		program := vc.CompileMany(c.name, func(v vc.Vertex) []vc.Value { return []vc.Value{v.Feature("x").Scale(2), c.f(v.Feature("x"), v)} })
		program.RunMany(g, vc.VertexFeature("x", x))[0].Sum().Backward()
		near(t, c.name, x.Gradient().Float64s(), []float64{2, 2, 2}, 0)
	}
}

// Results that nothing is infinite in take zeros for the cotangents that they have not; others
// are left out of a program of their own.
func TestResultsOfCommonLayersHaveFiniteFactors(t *testing.T) {
	attention := func(v vc.Vertex, eps float64) vc.Value {
		e := v.InEdges()
		s := e.Src("x").Dot(e.Dst("x"))
		w := s.Sigmoid()
		return vc.Sum(e.Src("x").Mul(w.Div(vc.Sum(w).Maximum(vc.Number(eps)))))
	}
	for _, c := range []struct {
		name string
		f    func(v vc.Vertex) vc.Value
		want bool
	}{
		{"mean", func(v vc.Vertex) vc.Value { return vc.Mean(v.InNeighbors().Feature("x")) }, true},
		{"maximum", func(v vc.Vertex) vc.Value { return vc.Max(v.InNeighbors().Feature("x")) }, true},
		{"softmax", func(v vc.Vertex) vc.Value { return vc.Softmax(v.InEdges().Src("x").Dot(v.InEdges().Dst("x"))) }, true},
		{"sum of a softmax", func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Feature("x").Mul(vc.Softmax(v.InEdges().Src("x").Dot(v.InEdges().Dst("x")).LeakyReLU(0.2)).Reshape(1)))
		}, true},
		{"weights by their sum, or 1e-6", func(v vc.Vertex) vc.Value { return attention(v, 1e-6) }, true},
		{"weights by their sum, or 1e-20", func(v vc.Vertex) vc.Value { return attention(v, 1e-20) }, false},
		{"degree^-1/2, at least 1", func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			norm := func(degree vc.Value) vc.Value { return degree.Maximum(vc.Number(1)).Rsqrt() }
			return vc.Sum(u.Feature("x").Mul(norm(u.OutDegree()))).Mul(norm(v.InDegree()))
		}, true},
		{"degree^-1/2 as a power, at least 1", func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Feature("x")).Mul(v.InDegree().Maximum(vc.Number(1)).Pow(-0.5))
		}, true},
		{"degree^-1/2", func(v vc.Vertex) vc.Value { return v.Feature("x").Mul(v.InDegree().Rsqrt()) }, false},
		{"over a length, or 1e-6", func(v vc.Vertex) vc.Value {
			x := v.Feature("x")
			return x.Div(x.Square().SumLast().Maximum(vc.Number(1e-6)).Sqrt().Maximum(vc.Number(1e-6)).Reshape(1))
		}, true},
		{"exponential", func(v vc.Vertex) vc.Value { return v.Feature("x").Exp() }, false},
	} {
		x := randn(tensor.Float32, 1, 6, 2)
		traced := vc.Compile(c.name, c.f).Compiled(messy(t), vc.VertexFeature("x", autograd.Constant(x))).Traced
		if got := pass.FiniteFactors(traced)[0]; got != c.want {
			t.Errorf("%s: factors are known to be finite: %v, want %v\n%v", c.name, got, c.want, traced)
		}
	}
}

func TestGradientsOfGradientsAreFiniteWithoutEdges(t *testing.T) {
	g := mustGraph(t, 2, []int32{0}, []int32{1})
	for _, c := range []struct {
		name          string
		f             func(x vc.Value) vc.Value
		first, second float64 // at 2
	}{
		{"log", vc.Value.Log, 0.5, -0.25},
		{"recip", func(x vc.Value) vc.Value { return vc.Number(1).Div(x) }, -0.25, 0.25},
		{"power", func(x vc.Value) vc.Value { return x.Pow(-1) }, -0.25, 0.25},
		{"log of a square", func(x vc.Value) vc.Value { return x.Square().Log() }, 1, -0.5},
		{"power of a value", func(x vc.Value) vc.Value { return x.PowValue(vc.Number(0.5).Mul(x)) }, 0.5 * 2 * (1 + 0.6931471805599453) / 1, 0},
	} {
		h := float64s([]float64{2, 0}, 2)
		y := vc.Compile(c.name, func(v vc.Vertex) vc.Value { return vc.Sum(c.f(v.InNeighbors().Feature("h"))) }).Run(g, vc.VertexFeature("h", h))
		d := autograd.Grad(y.Sum(), []*autograd.Var{h}, autograd.CreateGraph())[0]
		near(t, c.name, d.Tensor().Float64s(), []float64{c.first, 0}, 1e-14)
		d.Sum().Backward()
		if c.second != 0 {
			near(t, c.name+": second", h.Gradient().Float64s(), []float64{c.second, 0}, 1e-14)
		} else if z := h.Gradient().Float64s(); z[1] != 0 || z[0] != z[0] {
			t.Errorf("%s: second derivative %v", c.name, z)
		}
	}
}
