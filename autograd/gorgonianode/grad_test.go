package gorgonianode

// Gradients of graphs that have gradients, and of functions that do.

import (
	"math"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
)

// gorgonia.Grad looks at the whole graph, gradients that it made before included.
func TestGradCanBeAskedForTwice(t *testing.T) {
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", normals(tensor.Float64, 1, 3))
	z := newNode(t, g, "z", normals(tensor.Float64, 2, 3))
	square := func(xs ...*autograd.Var) *autograd.Var { return xs[0].Square().Sum() }
	dx, err := gorgonia.Grad(gorgonia.Must(gorgonia.Square(apply(t, square, gorgonia.Nodes{x}))), x)
	if err != nil {
		t.Fatal(err)
	}
	dz, err := gorgonia.Grad(apply(t, square, gorgonia.Nodes{z}), z)
	if err != nil {
		t.Fatalf("the gradient of another part: %v", err)
	}
	m := gorgonia.NewTapeMachine(g)
	defer m.Close()
	if err := m.RunAll(); err != nil {
		t.Fatal(err)
	}
	xs, zs := floats(t, x.Value()), floats(t, z.Value())
	sum := 0.0
	for _, v := range xs {
		sum += v * v
	}
	for i := range xs {
		xs[i] *= 4 * sum
		zs[i] *= 2
	}
	numtest.Near(t, "first", floats(t, dx[0].Value()), xs, 1e-12)
	numtest.Near(t, "second", floats(t, dz[0].Value()), zs, 1e-12)
	if _, err := gorgonia.Grad(gorgonia.Must(gorgonia.Sum(dz[0])), z); err == nil {
		t.Error("a second derivative is no error")
	}
}

// Where a cost depends on x by another way, too, Gorgonia adds up what ways have a gradient.
func TestSecondDerivativesAreErrorsBesideOtherPaths(t *testing.T) {
	must := gorgonia.Must
	for name, cost := range map[string]func(x, dx *gorgonia.Node) *gorgonia.Node{
		"only way": func(_, dx *gorgonia.Node) *gorgonia.Node { return must(gorgonia.Sum(dx)) },
		"sum": func(x, dx *gorgonia.Node) *gorgonia.Node {
			return must(gorgonia.Add(must(gorgonia.Sum(dx)), must(gorgonia.Sum(must(gorgonia.Square(x))))))
		},
		"product": func(x, dx *gorgonia.Node) *gorgonia.Node {
			return must(gorgonia.Sum(must(gorgonia.HadamardProd(dx, x))))
		},
	} {
		g := gorgonia.NewGraph()
		x := newNode(t, g, "x", tensor.FromSlice([]float64{1, 2, 3}, 3))
		y := apply(t, func(xs ...*autograd.Var) *autograd.Var { return xs[0].Pow(3) }, gorgonia.Nodes{x})
		dx, err := gorgonia.Grad(must(gorgonia.Sum(y)), x)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := gorgonia.Grad(cost(x, dx[0]), x); err == nil || !strings.Contains(err.Error(), "no second derivatives") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// The symbolic gradients are part of the graph that the lisp machine runs, and use up
// the record.
func TestLispMachineRunsGraphsWithSymbolicGradients(t *testing.T) {
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", tensor.FromSlice([]float64{0.5}))
	calls := 0
	y := apply(t, func(xs ...*autograd.Var) *autograd.Var {
		calls++
		return xs[0].Tanh()
	}, gorgonia.Nodes{x}, WithOutput(tensor.Float64))
	symbolic, err := gorgonia.Grad(gorgonia.Must(gorgonia.Add(y, x)), x)
	if err != nil {
		t.Fatal(err)
	}
	m := gorgonia.NewLispMachine(g)
	defer m.Close()
	if err := m.RunAll(); err != nil {
		t.Fatal(err)
	}
	d, err := x.Grad()
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{2 - math.Tanh(0.5)*math.Tanh(0.5)}
	numtest.Near(t, "symbolic", floats(t, symbolic[0].Value()), want, 1e-12)
	numtest.Near(t, "dual value", floats(t, d), want, 1e-12)
	if calls != 2 {
		t.Errorf("the function ran %d times, want 2", calls)
	}
}

// A run that comes out differently is not the one whose gradient is wanted.
func TestAFunctionWithAnotherResultDoesNotReplaceItsRecord(t *testing.T) {
	g := gorgonia.NewGraph()
	x := newNode(t, g, "x", tensor.FromSlice([]float64{0.5}))
	scale := 1.0
	n := apply(t, func(xs ...*autograd.Var) *autograd.Var {
		scale++
		return xs[0].Scale(scale)
	}, gorgonia.Nodes{x})
	o := n.Op().(*op)
	out, err := o.Do(x.Value())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.backward(out, gorgonia.NewF64(1), false); err != nil {
		t.Fatal(err)
	}
	if err := o.again(gorgonia.Nodes{x}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.backward(out, gorgonia.NewF64(1), false); err == nil {
		t.Error("a gradient of another run is taken for this one's")
	}
}

func TestTheFunctionMayDifferentiateInside(t *testing.T) {
	slope := func(xs ...*autograd.Var) *autograd.Var {
		y := xs[0].Square().Mul(xs[0]).Sum()
		return autograd.Grad(y, xs[:1], autograd.CreateGraph())[0]
	}
	checkGradients(t, "slope", []*tensor.Tensor{normals(tensor.Float64, 1, 3)}, func(_ *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node {
		return weighted(t, apply(t, slope, in))
	})
}
