package gorgonianode

// Both machines as functions of the input values, and central differences.

import (
	"fmt"
	"math"
	"testing"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// normals returns a tensor of standard normal numbers that follow from the seed.
func normals(dt tensor.DType, seed uint64, shape ...int) *tensor.Tensor {
	x := make([]float64, tensor.Shape(shape).Size())
	for i := range x {
		x[i] = rng.Normal(seed, uint64(i))
	}
	return tensor.FromSlice(x, shape...).To(dt)
}

// floats returns a value's elements.
func floats(t testing.TB, v gorgonia.Value) []float64 {
	t.Helper()
	x, err := toTensor(v)
	if err != nil {
		t.Fatal(err)
	}
	return x.Float64s()
}

// machine is how a graph is run: forward and backward once.
type machine struct {
	name string
	run  func(g *gorgonia.ExprGraph, cost *gorgonia.Node, wrt gorgonia.Nodes) error
}

var machines = []machine{
	{"tape machine", func(g *gorgonia.ExprGraph, cost *gorgonia.Node, wrt gorgonia.Nodes) error {
		if _, err := gorgonia.Grad(cost, wrt...); err != nil {
			return err
		}
		m := gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(wrt...))
		defer m.Close()
		return m.RunAll()
	}},
	{"lisp machine", func(g *gorgonia.ExprGraph, _ *gorgonia.Node, _ gorgonia.Nodes) error {
		m := gorgonia.NewLispMachine(g)
		defer m.Close()
		return m.RunAll()
	}},
}

// newNode adds an input with a value to a graph.
func newNode(t testing.TB, g *gorgonia.ExprGraph, name string, x *tensor.Tensor) *gorgonia.Node {
	t.Helper()
	v, err := toValue(x.Clone())
	if err != nil {
		t.Fatal(err)
	}
	return gorgonia.NewTensor(g, toDtype(x.DType()), x.Rank(),
		gorgonia.WithName(name), gorgonia.WithShape(x.Shape()...), gorgonia.WithValue(v))
}

// weighted returns Σ wᵢ yᵢ as a node, with random weights.
func weighted(t testing.TB, y *gorgonia.Node) *gorgonia.Node {
	t.Helper()
	dt, err := fromDtype(y.Dtype())
	if err != nil {
		t.Fatal(err)
	}
	w := newNode(t, y.Graph(), "cotangent", normals(dt, 99, y.Shape()...))
	prod := gorgonia.Must(gorgonia.HadamardProd(w, y))
	if prod.IsScalar() {
		return prod
	}
	return gorgonia.Must(gorgonia.Sum(prod))
}

// expression is a scalar made of inputs in a graph of its own.
type expression func(g *gorgonia.ExprGraph, in gorgonia.Nodes) *gorgonia.Node

// evaluate returns the cost and the gradients of the floating point inputs.
func evaluate(t testing.TB, m machine, xs []*tensor.Tensor, e expression) (cost float64, grads [][]float64) {
	t.Helper()
	g := gorgonia.NewGraph()
	in := make(gorgonia.Nodes, len(xs))
	var wrt gorgonia.Nodes
	for i, x := range xs {
		in[i] = newNode(t, g, fmt.Sprintf("x%d", i), x)
		if x.DType().IsFloat() {
			wrt = append(wrt, in[i])
		}
	}
	c := e(g, in)
	if err := m.run(g, c, wrt); err != nil {
		t.Fatalf("%s: %v", m.name, err)
	}
	for _, n := range wrt {
		d, err := n.Grad()
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		grads = append(grads, floats(t, d))
	}
	return floats(t, c.Value())[0], grads
}

// checkGradients holds the gradients of an expression in both machines against
// central differences. The inputs are float64, or integers that have none.
func checkGradients(t *testing.T, what string, xs []*tensor.Tensor, e expression) {
	t.Helper()
	const h = 1e-5
	for _, m := range machines {
		_, grads := evaluate(t, m, xs, e)
		k := 0
		for i, x := range xs {
			if !x.DType().IsFloat() {
				continue
			}
			analytic := grads[k]
			k++
			if len(analytic) != x.Size() {
				t.Errorf("%s, %s: input %d has %d elements, its gradient %d", what, m.name, i, x.Size(), len(analytic))
				continue
			}
			data := tensor.Data[float64](x)
			for j, old := range data {
				data[j] = old + h
				above, _ := evaluate(t, m, xs, e)
				data[j] = old - h
				below, _ := evaluate(t, m, xs, e)
				data[j] = old
				numeric := (above - below) / (2 * h)
				if !(math.Abs(analytic[j]-numeric) <= 1e-7+1e-6*math.Abs(numeric)) {
					t.Errorf("%s, %s: input %d, element %d: gradient %v, central difference %v", what, m.name, i, j, analytic[j], numeric)
				}
			}
		}
	}
}

// bind gives an input node another value.
func bind(t testing.TB, n *gorgonia.Node, x *tensor.Tensor) {
	t.Helper()
	v, err := toValue(x)
	if err != nil {
		t.Fatal(err)
	}
	if err := gorgonia.Let(n, v); err != nil {
		t.Fatal(err)
	}
}

func dense(t testing.TB, x *tensor.Tensor) *gt.Dense {
	t.Helper()
	return x.Clone().Dense()
}
