package vcentric_test

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// What functions are at infinity, far out and next to 0, in the executor and the
// interpreter alike, with their slopes.
func TestFunctionsHaveTheirLimits(t *testing.T) {
	inf := math.Inf(1)
	functions := []struct {
		name          string
		f             func(vc.Value) vc.Value
		x, want, grad []float64
	}{
		{"silu", vc.Value.SiLU, []float64{-inf, inf, -700, -6}, []float64{0, inf, 0, -6 / (1 + math.Exp(6))}, []float64{0, 1, 0, 0}},
		{"gelu", vc.Value.GELU, []float64{-inf, inf, -100, -6}, []float64{0, inf, 0, -3 * math.Erfc(6/math.Sqrt2)}, []float64{0, 1, 0, 0}},
	}
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		for _, c := range functions {
			g := mustGraph(t, len(c.x), nil, nil)
			p := vc.Compile(c.name, func(v vc.Vertex) vc.Value { return c.f(v.Feature("x")) })
			x := autograd.Variable(tensor.FromSlice(c.x, len(c.x)).To(dt))
			ins := []input{vertex("x")}
			out := p.Run(g, vc.VertexFeature("x", x))
			out.BackwardWith(tensor.Full(dt, 1, len(c.x)))
			interpreted := interpret(t, p.Compiled(g, vc.VertexFeature("x", x)).Traced, g, ins, []*autograd.Var{x})["out"]
			for i, want := range c.want {
				for what, got := range map[string]float64{"executor": out.Tensor().Float64s()[i], "interpreter": interpreted[i]} {
					if !(got == want || math.Abs(got-want) <= 1e-5*math.Abs(want)) && !(want == 0 && math.Abs(got) < 1e-300) {
						t.Errorf("%s(%v) of %v is %v, want %v (%s)", c.name, c.x[i], dt, got, want, what)
					}
				}
				if got := x.Gradient().Float64s()[i]; i < 3 && !(math.Abs(got-c.grad[i]) <= 1e-30) {
					t.Errorf("the slope of %s(%v) of %v is %v, want %v", c.name, c.x[i], dt, got, c.grad[i])
				}
			}
		}
	}
}

func TestLogarithmsOfDenormalNumbers(t *testing.T) {
	x := autograd.Constant(tensor.FromSlice([]float64{0x1p-1074, 0x1p-1030, 0x1p-1022}, 3))
	g := mustGraph(t, 3, nil, nil)
	p := vc.Compile("log", func(v vc.Vertex) vc.Value { return v.Feature("x").Log() })
	want := []float64{-1074 * math.Ln2, -1030 * math.Ln2, -1022 * math.Ln2}
	near(t, "executor", p.Run(g, vc.VertexFeature("x", x)).Tensor().Float64s(), want, 1e-12)
	near(t, "interpreter", interpret(t, p.Compiled(g, vc.VertexFeature("x", x)).Traced, g, []input{vertex("x")}, []*autograd.Var{x})["out"], want, 1e-12)
}

// Quotients of edges become products with reciprocals, which normal numbers all have. Without the
// rule denormal numbers divide, too.
func TestQuotientsOfEdgesByTheSmallestNumbers(t *testing.T) {
	g := mustGraph(t, 3, []int32{0, 1, 2}, []int32{0, 1, 2})
	p := vc.Compile("quotient", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Feature("x").Div(v.Feature("y"))) })
	smallest := map[tensor.DType]struct{ normal, denormal float64 }{
		tensor.Float32: {0x1p-126, 0x1p-149},
		tensor.Float64: {0x1p-1022, 0x1p-1074},
	}
	for dt, y := range smallest {
		quotients := func(p *vc.Program, y float64) []float64 {
			x := tensor.FromSlice([]float64{0, y, -y}, 3).To(dt)
			return p.Run(g, vc.EdgeFeature("x", autograd.Constant(x)), vc.VertexFeature("y", autograd.Constant(tensor.Full(dt, y, 3)))).Tensor().Float64s()
		}
		want := []float64{0, 1, -1}
		near(t, dt.String()+", normal", quotients(p, y.normal), want, 1e-6)
		near(t, dt.String()+", denormal", quotients(p.Without("div-by-narrower"), y.denormal), want, 0)
	}
}
