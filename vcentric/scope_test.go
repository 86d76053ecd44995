package vcentric_test

// Programs in an autograd.Scope.

import (
	"runtime/debug"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// What programs read and make in a scope is given back at its end, and its result stays what it is.
func TestAScopeGivesBackWhatProgramsReadAndMake(t *testing.T) {
	const n, width = 300, 64
	g := hub(t, 3, n, 2000)
	sum := vc.Compile("sum", neighbours)
	twice := vc.CompileMany("twice", func(v vc.Vertex) []vc.Value {
		x := v.Feature("x").Tanh()
		return []vc.Value{x, x, v.Feature("x")}
	})
	w := autograd.Parameter(randn(tensor.Float32, 2, width, width))
	run := func(x *autograd.Var) *autograd.Var { return sum.Run(g, vc.VertexFeature("x", x)) }
	layer := func(x *autograd.Var) *autograd.Var { return run(run(x.Scale(0.1)).MatMul(w).Tanh()) }
	in := func(f func(x *autograd.Var) *autograd.Var) func(x *autograd.Var) *autograd.Var {
		return func(x *autograd.Var) *autograd.Var {
			return autograd.Scope(func(xs ...*autograd.Var) *autograd.Var { return f(xs[0]) }, x)
		}
	}
	step := func(x *autograd.Var) *autograd.Var {
		loss := layer(x).Square().Mean()
		loss.Backward()
		return loss
	}
	constant := func() *autograd.Var { return autograd.NoGrad(autograd.Constant(randn(tensor.Float32, 1, n, width))) }
	for _, c := range []struct {
		name    string
		in, out func(x *autograd.Var) *autograd.Var // in a scope, and what to compare it with
		x       func() *autograd.Var
	}{
		{"program's result", in(layer), layer, constant},
		{"what is computed from it", in(func(x *autograd.Var) *autograd.Var { return layer(x).Mean() }), func(x *autograd.Var) *autograd.Var { return layer(x).Mean() }, constant},
		{"program on the operand", in(run), run, constant},
		{"nested", in(func(x *autograd.Var) *autograd.Var { return in(layer)(in(run)(x)).Square() }), func(x *autograd.Var) *autograd.Var { return layer(run(x)).Square() }, constant},
		{"several results, of one value", in(func(x *autograd.Var) *autograd.Var {
			ys := twice.RunMany(g, vc.VertexFeature("x", x.Scale(3)))
			return ys[1].Add(ys[2])
		}), func(x *autograd.Var) *autograd.Var { return x.Scale(3).Tanh().Add(x.Scale(3)) }, constant},
		{"one of several results", in(func(x *autograd.Var) *autograd.Var {
			return twice.RunMany(g, vc.VertexFeature("x", x.Scale(3)))[2]
		}), func(x *autograd.Var) *autograd.Var { return x.Scale(3) }, constant},
		{"step of training", in(step), step, func() *autograd.Var { return autograd.Constant(randn(tensor.Float32, 1, n, width)) }},
		{"step of training in a nested scope", in(in(step)), step, func() *autograd.Var { return autograd.Variable(randn(tensor.Float32, 1, n, width)) }},
	} {
		gradient := func() []float64 {
			if w.Gradient() == nil {
				return nil
			}
			return w.Gradient().Float64s()
		}
		w.ZeroGrad()
		want := c.out(c.x())
		wantGrad := gradient()
		w.ZeroGrad()
		got := c.in(c.x())
		held := tensor.Full(tensor.Float32, -99, n, width) // where something was given back, this is now
		near(t, c.name, got.Tensor().Float64s(), want.Tensor().Float64s(), 1e-6)
		near(t, c.name+": gradient", gradient(), wantGrad, 1e-6)
		held.Free()

		tensor.TrimMemory() // waits until what is unused is given back
		collects := debug.SetGCPercent(-1)
		x := c.x()
		w.ZeroGrad()
		before := tensor.MemoryStats().Live
		y := c.in(x)
		if g := x.Gradient(); g != nil {
			g.Free()
		}
		if g := w.Gradient(); g != nil {
			g.Free()
		}
		y.Tensor().Free()
		if more := tensor.MemoryStats().Live - before; more != 0 {
			t.Errorf("%s: the scope has left %d bytes", c.name, more)
		}
		debug.SetGCPercent(collects)
		w.ZeroGrad()
	}
}

// The result of a scope that waits for its backward pass keeps what that needs.
func TestABackwardPassAfterAScopeSeesWhatProgramsHaveRead(t *testing.T) {
	g := hub(t, 3, 300, 2000)
	p := vc.Compile("p", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("x").Mul(v.Feature("x"))) })
	f := func(x *autograd.Var) *autograd.Var {
		y := p.Run(g, vc.VertexFeature("x", x.Tanh()))
		return p.Run(g, vc.VertexFeature("x", y.Tanh()))
	}
	gradient := func(scoped bool) []float64 {
		x := autograd.Variable(randn(tensor.Float32, 1, 300, 16))
		var y *autograd.Var
		if scoped {
			y = autograd.Scope(func(xs ...*autograd.Var) *autograd.Var { return f(xs[0]) }, x)
		} else {
			y = f(x)
		}
		held := tensor.Full(tensor.Float32, -99, 300, 16)
		defer held.Free()
		y.Square().Mean().Backward()
		return x.Gradient().Float64s()
	}
	near(t, "gradient", gradient(true), gradient(false), 1e-6)
}

// Programs in a backward function are computed from temporaries of the pass, and make some.
func TestProgramsInABackwardFunction(t *testing.T) {
	g := hub(t, 3, 300, 2000)
	same := vc.Compile("same", func(v vc.Vertex) vc.Value { return v.Feature("x") })
	sum := vc.Compile("sum", neighbours)
	run := func(p *vc.Program, x *autograd.Var) *autograd.Var { return p.Run(g, vc.VertexFeature("x", x)) }
	gradient := func(backward func(g *autograd.Var) *autograd.Var) []float64 {
		x := autograd.Variable(randn(tensor.Float32, 1, 300, 16))
		y := autograd.CustomVars("y", []*autograd.Var{x}, []*tensor.Tensor{x.Tensor().Clone()}, func(gs []*autograd.Var) []*autograd.Var {
			return []*autograd.Var{backward(gs[0])}
		})[0]
		y.Square().Sum().Backward()
		return x.Gradient().Float64s()
	}
	got := gradient(func(g *autograd.Var) *autograd.Var { return run(same, run(sum, run(same, g.Scale(2)))) })
	want := gradient(func(d *autograd.Var) *autograd.Var {
		return autograd.Constant(run(sum, autograd.Constant(d.Scale(2).Tensor())).Tensor())
	})
	near(t, "gradient", got, want, 1e-6)
}
