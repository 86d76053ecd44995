package vcentric_test

// Programs on the tape: what their results take their need of a gradient from.

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// neighbours sums the neighbours' x.
func neighbours(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("x")) }

// Of the bindings x and w, each constant or not, results depend on some.
func TestResultsRequireAGradientOnlyForWhatTheyDependOn(t *testing.T) {
	g := messy(t)
	for _, c := range []struct {
		name string
		f    func(v vc.Vertex) []vc.Value
		x, w bool // require a gradient
		want bool
	}{
		{"w is not read", func(v vc.Vertex) []vc.Value { return []vc.Value{neighbours(v)} }, false, true, false},
		{"w is not read, x is", func(v vc.Vertex) []vc.Value { return []vc.Value{neighbours(v)} }, true, true, true},
		{"w is read for nothing", func(v vc.Vertex) []vc.Value {
			v.Feature("x").Mul(vc.Param("w"))
			return []vc.Value{neighbours(v)}
		}, false, true, false},
		{"nothing is read", func(v vc.Vertex) []vc.Value { return []vc.Value{v.InDegree(), v.OutDegree()} }, true, true, false},
		{"one of two results reads x", func(v vc.Vertex) []vc.Value { return []vc.Value{v.InDegree(), neighbours(v)} }, true, true, true},
		{"w is read by the second", func(v vc.Vertex) []vc.Value {
			return []vc.Value{neighbours(v), v.Feature("x").Mul(vc.Param("w"))}
		}, false, true, true},
		{"a step reads x", func(v vc.Vertex) []vc.Value { return []vc.Value{neighbours(v).Gt(vc.Number(0))} }, true, false, true},
	} {
		for _, first := range [][]vc.Binding{nil, {vc.Training(1)}} {
			x, w := autograd.Variable(randn(tensor.Float64, 1, 6, 3)), autograd.Variable(randn(tensor.Float64, 2, 3))
			x.SetRequiresGrad(c.x)
			w.SetRequiresGrad(c.w)
			bindings := append(first, vc.ParamValue("w", w), vc.VertexFeature("x", x))
			many := vc.CompileMany(c.name, c.f)
			outs := many.RunMany(g, bindings...)
			if len(outs) == 1 {
				one := vc.Compile(c.name, func(v vc.Vertex) vc.Value { return c.f(v)[0] })
				outs = append(outs, one.Run(g, bindings...))
			}
			loss := autograd.Constant(tensor.Zeros(tensor.Float64))
			for i, o := range outs {
				if o.RequiresGrad() != c.want {
					t.Errorf("%s: result %d requires a gradient: %v, want %v", c.name, i, o.RequiresGrad(), c.want)
				}
				loss = loss.Add(o.Sum())
			}
			if needs := many.Compiled(g, bindings...).Backward != nil; needs != c.want {
				t.Errorf("%s: there is a backward plan: %v, want %v", c.name, needs, c.want)
			}
			if loss.RequiresGrad() {
				loss.Backward()
			}
		}
	}
}

// A binding that nothing reads changes no gradient, wherever it is among the others.
func TestUnreadBindingsChangeNoGradient(t *testing.T) {
	g := messy(t)
	p := vc.Compile("scaled", func(v vc.Vertex) vc.Value { return neighbours(v).Mul(vc.Param("w")) })
	x, w, unread := randn(tensor.Float64, 1, 6, 3), randn(tensor.Float64, 2, 3), randn(tensor.Float64, 3, 4)
	gradients := func(order ...string) (dx, dw, du *tensor.Tensor) {
		vx, vw, vu := autograd.Variable(x), autograd.Variable(w), autograd.Variable(unread)
		bindings := map[string]vc.Binding{
			"x": vc.VertexFeature("x", vx), "w": vc.ParamValue("w", vw), "u": vc.ParamValue("u", vu), "training": vc.Training(1),
		}
		var bound []vc.Binding
		for _, name := range order {
			bound = append(bound, bindings[name])
		}
		p.Run(g, bound...).BackwardWith(randn(tensor.Float64, 9, 6, 3))
		return vx.Gradient(), vw.Gradient(), vu.Gradient()
	}
	wantX, wantW, _ := gradients("x", "w")
	for _, order := range [][]string{{"u", "x", "w"}, {"w", "u", "x"}, {"x", "training", "w", "u"}, {"training", "u", "w", "x"}} {
		dx, dw, du := gradients(order...)
		near(t, "x", dx.Float64s(), wantX.Float64s(), 0)
		near(t, "w", dw.Float64s(), wantW.Float64s(), 0)
		if du != nil {
			t.Errorf("%v: what is not read has the gradient %v", order, du)
		}
	}
}

// Inside a checkpoint nothing is recorded at first; what is not read makes no difference.
func TestUnreadBindingsOfACheckpointChangeNoGradient(t *testing.T) {
	g := messy(t)
	p := vc.Compile("scaled", func(v vc.Vertex) vc.Value { return neighbours(v).Mul(vc.Param("w")) })
	x, w := randn(tensor.Float64, 1, 6, 3), randn(tensor.Float64, 2, 3)
	gradients := func(inside func(f func(xs ...*autograd.Var) *autograd.Var, xs ...*autograd.Var) *autograd.Var) []float64 {
		vw := autograd.Variable(w)
		inside(func(xs ...*autograd.Var) *autograd.Var {
			return p.Run(g, vc.ParamValue("u", xs[0]), vc.VertexFeature("x", autograd.Constant(x)), vc.ParamValue("w", vw))
		}, autograd.Variable(randn(tensor.Float64, 3, 4))).Sum().Backward()
		return vw.Gradient().Float64s()
	}
	want := gradients(func(f func(xs ...*autograd.Var) *autograd.Var, xs ...*autograd.Var) *autograd.Var { return f(xs...) })
	near(t, "w", gradients(autograd.Checkpoint), want, 0)
}

// What the backward pass reads must still be there when it runs.
func TestFreedTensorsAreMisuseOfTheBackwardPass(t *testing.T) {
	g := messy(t)
	for _, c := range []struct {
		name string
		f    func(v vc.Vertex) []vc.Value // the loss is the sum of the last result
		free func(x *autograd.Var, outs []*autograd.Var) *autograd.Var
		want string
	}{
		{"a result that the gradient of another reads",
			func(v vc.Vertex) []vc.Value { return []vc.Value{neighbours(v), neighbours(v).Mul(v.Feature("x"))} },
			func(_ *autograd.Var, outs []*autograd.Var) *autograd.Var { return outs[0] },
			"a result has been freed"},
		{"a feature",
			func(v vc.Vertex) []vc.Value { return []vc.Value{v.Feature("x").Square()} },
			func(x *autograd.Var, _ []*autograd.Var) *autograd.Var { return x },
			"what was bound has been freed"},
	} {
		x := autograd.Variable(randn(tensor.Float64, 1, 6, 3))
		outs := vc.CompileMany("program", c.f).RunMany(g, vc.VertexFeature("x", x))
		loss := outs[len(outs)-1].Sum()
		c.free(x, outs).Tensor().Free()
		wantMisuse[*vc.BindError](t, c.name, func() { loss.Backward() }, "program: Backward", c.want, "[6 3]")
	}
}

// A result that neither the loss nor a gradient reads may be freed.
func TestAResultThatTheLossDoesNotReadMayBeFreed(t *testing.T) {
	g := messy(t)
	p := vc.CompileMany("two", func(v vc.Vertex) []vc.Value { return []vc.Value{neighbours(v), neighbours(v).Scale(3)} })
	x := autograd.Variable(randn(tensor.Float64, 1, 6, 3))
	outs := p.RunMany(g, vc.VertexFeature("x", x))
	outs[1].Tensor().Free()
	outs[0].Sum().Backward()
	var want []float64
	for _, d := range g.OutDegrees() {
		want = append(want, float64(d), float64(d), float64(d))
	}
	near(t, "gradient", x.Gradient().Float64s(), want, 0)
}

// w scales what is summed, and its own gradient needs x alone; the bias is read by neither.
func TestBackwardPanicsIfWhatItReadsWasChanged(t *testing.T) {
	g := messy(t)
	p := vc.Compile("scaled", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("x").Mul(vc.Param("w"))).Add(vc.Param("b"))
	})
	for _, c := range []struct {
		changed string
		create  bool
		want    string
	}{
		{"x", false, `"x" was changed`}, {"w", false, `"w" was changed`}, {"b", false, ""},
		{"x", true, `"x" was changed`}, {"w", true, `"w" was changed`}, {"b", true, ""},
	} {
		vars := map[string]*autograd.Var{
			"x": autograd.Variable(randn(tensor.Float64, 1, 6, 3)),
			"w": autograd.Parameter(randn(tensor.Float64, 2, 3)),
			"b": autograd.Parameter(randn(tensor.Float64, 3, 3)),
		}
		y := p.Run(g, vc.VertexFeature("x", vars["x"]), vc.ParamValue("w", vars["w"]), vc.ParamValue("b", vars["b"])).Sum()
		vars[c.changed].Tensor().Fill(0)
		vars[c.changed].MarkChanged()
		err := autograd.Try(func() {
			if c.create {
				autograd.Grad(y, []*autograd.Var{vars["x"], vars["w"], vars["b"]}, autograd.CreateGraph())
			} else {
				y.Backward()
			}
		})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s was changed, graph %t: %v, want %q", c.changed, c.create, err, c.want)
		}
	}
}
