package vcentric_test

import (
	"math"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Programs with more factors and products one after the other than rules take apart
// at once give what the interpreter gives.
func TestProgramsOfManyFactorsAndProducts(t *testing.T) {
	ins := []input{vertex("x", 2), param("w", 2, 2)}
	for name, f := range map[string]func(y vc.Value) vc.Value{
		"squares": func(y vc.Value) vc.Value {
			for range 6 {
				y = y.Mul(y)
			}
			return y
		},
		"numbers": func(y vc.Value) vc.Value {
			for range 66 {
				y = y.Scale(1.1)
			}
			return y
		},
		"matrices": func(y vc.Value) vc.Value {
			for range 66 {
				y = y.MatMul(vc.Param("w").Tanh())
			}
			return y
		},
		"softmaxes": func(y vc.Value) vc.Value {
			for range 66 {
				y = vc.Softmax(y).Mul(y)
			}
			return y
		},
	} {
		p := vc.Compile(name, func(v vc.Vertex) vc.Value {
			return vc.Sum(f(v.InNeighbors().Feature("x").Mul(v.Feature("x")).Tanh()))
		})
		g := messy(t)
		xs := variables(g, tensor.Float64, ins)
		bindings := bindAll(ins, xs)
		want := interpret(t, p.Compiled(g, bindings...).Traced, g, ins, xs)["out"]
		near(t, name, p.Run(g, bindings...).Tensor().Float64s(), want, 1e-9)
	}
}

// A value that is read twice, and what that is made of, is looked at once: programs compile whose
// expressions, written out, would be as long as 2^n.
func TestProgramsOfSharedOperandsCompile(t *testing.T) {
	g := messy(t)
	square := func(y vc.Value) vc.Value {
		for range 35 {
			y = y.Mul(y)
		}
		return y
	}
	newton := func(d vc.Value) vc.Value {
		x := d.Rsqrt()
		for range 16 {
			x = x.Mul(vc.Number(1.5).Sub(d.Mul(x).Mul(x).Scale(0.5)))
		}
		return x
	}
	ins := []input{vertex("x", 2), param("w", 2, 1), vertex("z", 40)}
	ins[0].fn = func(x float64) float64 { return 1 + 1e-12*x }
	w := func(x vc.Value) vc.Value { return x.MatMul(vc.Param("w")) }
	both := func(v vc.Vertex) vc.Value { return v.Feature("x").Mul(v.InNeighbors().Feature("x")) }
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"squares":             func(v vc.Vertex) vc.Value { return w(square(v.Feature("x"))) },
		"squares of edges":    func(v vc.Vertex) vc.Value { return w(vc.Sum(square(both(v)))) },
		"squares in products": func(v vc.Vertex) vc.Value { return vc.Sum(w(square(both(v))).Tanh()) },
		"squares as scores": func(v vc.Vertex) vc.Value {
			scores := square(v.InNeighbors().Feature("x")).Mul(v.Feature("x")).SumLast()
			return w(vc.Sum(vc.Softmax(scores).Mul(v.InNeighbors().Feature("x"))))
		},
		"squares of scores, in C": func(v vc.Vertex) vc.Value {
			scores := square(both(v).Reshape(1, 2).MatMul(vc.Param("w")).Tanh())
			return w(vc.Sum(vc.Softmax(scores).Reshape(1).Mul(v.InNeighbors().Feature("x"))))
		},
		"squares beside dot products, in C": func(v vc.Vertex) vc.Value {
			z := v.Feature("z").Mul(v.InNeighbors().Feature("z"))
			scores := z.SumLast().Sub(square(z.Tanh()).SumLast())
			return w(vc.Sum(vc.Softmax(scores).Mul(v.InNeighbors().Feature("x"))))
		},
		"maxima": func(v vc.Vertex) vc.Value {
			x := v.Feature("x")
			for range 40 {
				x = x.Maximum(x)
			}
			return w(x.Recip())
		},
		"newton": func(v vc.Vertex) vc.Value { return w(newton(v.InDegree().AddScalar(1)).Mul(v.Feature("x"))) },
		"newton of edges": func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			return w(vc.Sum(newton(u.OutDegree()).Mul(u.Feature("x"))))
		},
	} {
		inTime(t, name, func() {
			xs := variables(g, tensor.Float64, ins)
			p := vc.Compile(name, f)
			if strings.HasSuffix(name, "in C") {
				if _, err := exec.LookPath("cc"); err != nil {
					return
				}
				p = p.Native("cc")
			}
			want := interpretGradients(t, p.Compiled(g, bindAll(ins, xs)...).Traced, g, ins, xs)
			got := runBoth(p, g, ins, xs)
			near(t, name, got.out, want.out, 1e-4)
			for i := range ins {
				near(t, name+": gradient of "+ins[i].name, got.grads[i], want.grads[i], 1e-4)
			}
		})
	}
	inTime(t, "1/sqrt(d)", func() {
		p := vc.Compile("newton", func(v vc.Vertex) vc.Value { return newton(v.InDegree().AddScalar(1)).Mul(v.Feature("one")) })
		one := autograd.Constant(tensor.Full(tensor.Float64, 1, 6))
		for v, x := range p.Run(g, vc.VertexFeature("one", one)).Tensor().Float64s() {
			if d := float64(g.In().Offsets[v+1]-g.In().Offsets[v]) + 1; math.Abs(x-1/math.Sqrt(d)) > 1e-12 {
				t.Errorf("1/sqrt(%v) is %v", d, x)
			}
		}
	})
}

// inTime runs what takes no time unless it takes forever.
func inTime(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s takes more than a minute", what)
	}
}
