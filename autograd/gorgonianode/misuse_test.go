package gorgonianode

// What does not fit, and records that are out of date.

import (
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/tensor"
)

func TestMisuseIsAnErrorThatNamesTheNode(t *testing.T) {
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", normals(tensor.Float64, 1, 3, 2))
	w := newNode(t, g, "w", normals(tensor.Float64, 2, 3, 2))
	other := newNode(t, gorgonia.NewGraph(), "o", normals(tensor.Float64, 2, 3, 2))
	bytes := gorgonia.NewVector(g, gt.Uint8, gorgonia.WithName("b"), gorgonia.WithShape(3))
	p := autograd.Parameter(normals(tensor.Float64, 3, 2))
	q := autograd.Parameter(normals(tensor.Float64, 3, 3, 2))
	frozen := autograd.Parameter(normals(tensor.Float64, 3, 3, 2))
	frozen.SetRequiresGrad(false)
	id := func(xs ...*autograd.Var) *autograd.Var { return xs[0] }
	for _, c := range []struct {
		name string
		f    Func
		in   gorgonia.Nodes
		opts []Option
		want string
	}{
		{"shapes", func(xs ...*autograd.Var) *autograd.Var { return xs[0].MatMul(xs[1]) }, gorgonia.Nodes{x, w}, nil, "MatMul"},
		{"nil function", nil, gorgonia.Nodes{x}, nil, "function is nil"},
		{"no inputs", id, nil, nil, "input"},
		{"nil input", id, gorgonia.Nodes{nil}, nil, "input 0"},
		{"bytes", id, gorgonia.Nodes{bytes}, nil, "uint8"},
		{"two graphs", id, gorgonia.Nodes{x, other}, nil, "graph"},
		{"nil result", func(...*autograd.Var) *autograd.Var { return nil }, gorgonia.Nodes{x}, nil, "no dense tensor"},
		{"position", id, gorgonia.Nodes{x}, []Option{WithoutGradient(1)}, "WithoutGradient(1)"},
		{"parameters without nodes", id, gorgonia.Nodes{x}, []Option{WithParameters([]*autograd.Var{p}, nil)}, "1 parameters and 0 nodes"},
		{"parameter of another shape", id, gorgonia.Nodes{x}, []Option{WithParameters([]*autograd.Var{p}, gorgonia.Nodes{w})}, "[2]"},
		{"nil option", id, gorgonia.Nodes{x}, []Option{WithoutGradient(0), nil}, "layer: option 1 is nil"},
		{"parameter twice", id, gorgonia.Nodes{x}, []Option{WithParameters([]*autograd.Var{q, q}, gorgonia.Nodes{x, x})}, "parameter 1 is there twice"},
		{"declared element type", id, gorgonia.Nodes{x}, []Option{WithOutput(tensor.DType(77), 3, 2)}, "DType(77)"},
		{"declared shape", id, gorgonia.Nodes{x}, []Option{WithOutput(tensor.Float64, -3)}, "[-3]"},
		{"frozen parameter", id, gorgonia.Nodes{x}, []Option{WithParameters([]*autograd.Var{frozen}, gorgonia.Nodes{w})}, "no gradient"},
	} {
		_, err := Apply("layer", c.f, c.in, c.opts...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v; it should contain %q", c.name, err, c.want)
		}
	}
	if _, err := Parameters(nil, autograd.Parameter(tensor.Zeros(tensor.Float32, 2))); err == nil || err.Error() != "gorgonianode: Parameters: the graph is nil" {
		t.Errorf("no graph: error %v", err)
	}
	if _, err := Parameters(g, nil); err == nil {
		t.Error("a nil parameter makes a node")
	}
}

func TestMisuseWhileRunningIsAnErrorThatNamesTheNode(t *testing.T) {
	fail := false
	for _, c := range []struct {
		name string
		f    Func
		want string
	}{
		{"misuse in the function", func(xs ...*autograd.Var) *autograd.Var {
			if fail {
				return xs[0].MatMul(xs[0])
			}
			return xs[0]
		}, "MatMul"},
		{"another shape", func(xs ...*autograd.Var) *autograd.Var {
			if fail {
				return xs[0].Sum()
			}
			return xs[0]
		}, "the graph was built for f64[3 2]"},
	} {
		for _, m := range machines {
			fail = false
			g := gorgonia.NewGraph()
			x := newNode(t, g, "x", normals(tensor.Float64, 1, 3, 2))
			y, err := Apply("layer", c.f, gorgonia.Nodes{x})
			if err != nil {
				t.Fatal(err)
			}
			cost := weighted(t, y)
			fail = true
			if m.name == "lisp machine" {
				continue // its goroutine runs on after an error, in a race with RunAll's return
			}
			err = m.run(g, cost, gorgonia.Nodes{x})
			if err == nil || !strings.Contains(err.Error(), "layer") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: error is %v; it should contain %q", c.name, m.name, err, c.want)
			}
		}
	}
}

// In Gorgonia's own goroutine a panic would end the process.
func TestWhatBecomesMisuseBetweenRunsIsAnError(t *testing.T) {
	d := densetest.Device(t)
	var leaked, result *autograd.Var
	one := autograd.Constant(tensor.Ones(tensor.Float64, 3, 2))
	autograd.Scope(func(xs ...*autograd.Var) *autograd.Var {
		leaked = xs[0].Exp()
		return xs[0]
	}, one)
	for name, c := range map[string]struct {
		before func(p *autograd.Var) // the run
		within func(p *autograd.Var) // the function
		want   string
	}{
		"a result on a device": {before: func(*autograd.Var) { result = one.ToDevice(d) }, want: "the result is on cuda:0"},
		"a result of a Scope":  {before: func(*autograd.Var) { result = leaked }, want: "a Scope that has ended"},
		"a parameter moved":    {before: func(p *autograd.Var) { p.MoveTo(d) }, want: "the elements are not in Go's memory"},
		"moved meanwhile":      {within: func(p *autograd.Var) { p.MoveTo(d) }, want: "gradient of layer, input"},
	} {
		g := gorgonia.NewGraph()
		x := newNode(t, g, "x", normals(tensor.Float64, 1, 3, 2))
		p := autograd.Parameter(normals(tensor.Float64, 2, 3, 2))
		weights, err := Parameters(g, p)
		if err != nil {
			t.Fatal(err)
		}
		result = nil
		running := false
		y, err := Apply("layer", func(xs ...*autograd.Var) *autograd.Var {
			if result != nil {
				return result
			}
			y := xs[0].Mul(p)
			if running && c.within != nil {
				c.within(p)
			}
			return y
		}, gorgonia.Nodes{x}, WithParameters([]*autograd.Var{p}, weights))
		if err != nil {
			t.Fatal(err)
		}
		cost := weighted(t, y)
		running = true
		if c.before != nil {
			c.before(p)
		}
		if err := machines[0].run(g, cost, gorgonia.Nodes{x, weights[0]}); err == nil || !strings.Contains(err.Error(), "layer") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v; it should contain %q", name, err, c.want)
		}
	}
	_, err := Apply("layer", func(xs ...*autograd.Var) *autograd.Var { return leaked }, gorgonia.Nodes{newNode(t, gorgonia.NewGraph(), "x", one.Tensor())})
	if err == nil || !strings.Contains(err.Error(), "a Scope that has ended") {
		t.Errorf("a result of a Scope while the graph is built: %v", err)
	}
}

// A gradient must never be taken from the record of another run.
func TestStaleRecordIsAnError(t *testing.T) {
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", normals(tensor.Float64, 1, 2))
	n := apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Tanh() }, gorgonia.Nodes{x})
	o := n.Op().(*op)
	first, err := o.Do(x.Value())
	if err != nil {
		t.Fatal(err)
	}
	second, err := o.Do(x.Value())
	if err != nil {
		t.Fatal(err)
	}
	one := dense(t, tensor.Full(tensor.Float64, 1, 2))
	if _, err := o.backward(first, one, false); err == nil {
		t.Error("the gradient of the first run is that of the second")
	}
	if _, err := o.backward(second, one, false); err != nil {
		t.Error(err)
	}
	if _, err := o.backward(second, one, false); err == nil {
		t.Error("a freed record gives a gradient")
	}
}

func TestTheGradientOfAnExpressionWantsItsInputsAsTheyWere(t *testing.T) {
	e := NewExpr("square", func(in gorgonia.Nodes) (*gorgonia.Node, error) { return gorgonia.Square(in[0]) })
	w := autograd.Parameter(normals(tensor.Float64, 3, 2))
	y := e.Apply(w)
	w.MarkChanged()
	err := autograd.Try(func() { y.BackwardWith(tensor.Ones(tensor.Float64, 2)) })
	if err == nil || !strings.Contains(err.Error(), "square") || !strings.Contains(err.Error(), "input 0 was changed") {
		t.Error(err)
	}
}
