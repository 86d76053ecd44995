package main

// The models as Gorgonia's expressions.

import (
	"fmt"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/benchmarks/peers/serve"
)

// adjacency is the matrix of the sums over in-edges, dense.
func adjacency(t *serve.Task) *gt.Dense {
	n := t.Vertices
	a := make([]float32, n*n)
	weights := make([]float32, t.Edges)
	for e := range weights {
		weights[e] = 1
	}
	if t.Model == "gcn" {
		weights = t.GCNWeights()
	}
	for e, u := range t.Src {
		a[int(t.Dst[e])*n+int(u)] += weights[e]
	}
	return gt.New(gt.WithShape(n, n), gt.WithBacking(a))
}

// values are what the expressions of training and evaluation share.
type values struct {
	task   *serve.Task
	a, x   *gt.Dense
	params map[string]*gt.Dense
}

// A model is an expression under construction: the first error ends it.
type model struct {
	*values
	graph  *gorgonia.ExprGraph
	adj    *gorgonia.Node
	params map[string]*gorgonia.Node
	masks  []*gt.Dense // of dropout, after each layer but the last
	logits *gorgonia.Node
	err    error
}

// newModel builds the logits. With dropout there are masks to fill before each run.
func newModel(v *values, dropout bool) *model {
	m := &model{values: v, graph: gorgonia.NewGraph(), params: make(map[string]*gorgonia.Node)}
	m.adj = m.matrix("adjacency", v.a)
	for name, p := range v.params {
		m.params[name] = m.matrix(name, p)
	}
	x := m.matrix("x", v.x)
	for l := 1; l <= v.task.Layers; l++ {
		if l > 1 {
			x = m.unary(gorgonia.Rectify, x)
			if dropout {
				x = m.dropout(x, l)
			}
		}
		if v.task.Model == "gcn" {
			x = m.gcn(l, x)
		} else {
			x = m.gin(l, x)
		}
	}
	m.logits = x
	return m
}

// gcn is S·(x·W) + b.
func (m *model) gcn(l int, x *gorgonia.Node) *gorgonia.Node {
	return m.add(m.mul(m.adj, m.mul(x, m.param("w%d", l))), m.param("b%d", l))
}

// gin is W2·relu(W1·((1+ε)x + A·x) + b1) + b2, with the first product before the sum.
func (m *model) gin(l int, x *gorgonia.Node) *gorgonia.Node {
	y := m.mul(x, m.param("w%da", l))
	own := m.binary(func(y, eps *gorgonia.Node) (*gorgonia.Node, error) {
		return gorgonia.BroadcastHadamardProd(y, eps, nil, []byte{0, 1})
	}, y, m.param("eps%d", l))
	y = m.binary(gorgonia.Add, m.binary(gorgonia.Add, y, own), m.mul(m.adj, y))
	hidden := m.unary(gorgonia.Rectify, m.add(y, m.param("b%da", l)))
	return m.add(m.mul(hidden, m.param("w%db", l)), m.param("b%db", l))
}

// dropout multiplies by a mask that is drawn outside: Gorgonia's own Dropout divides
// gradients by the wrong probability and panics on memory that is there already.
func (m *model) dropout(x *gorgonia.Node, l int) *gorgonia.Node {
	mask := gt.New(gt.WithShape(m.task.Vertices, m.task.Hidden), gt.Of(gt.Float32))
	m.masks = append(m.masks, mask)
	return m.binary(gorgonia.HadamardProd, x, m.matrix(fmt.Sprintf("mask%d", l), mask))
}

// loss is the mean cross entropy over the rows to train on, as -Σ y log softmax: y has
// the mean's factor at each row's label, and zeros in other rows.
func (m *model) loss() *gorgonia.Node {
	t := m.task
	y := make([]float32, t.Vertices*t.Classes)
	for _, v := range t.Train {
		y[int(v)*t.Classes+int(t.Labels[v])] -= 1 / float32(len(t.Train))
	}
	target := m.matrix("y", gt.New(gt.WithShape(t.Vertices, t.Classes), gt.WithBacking(y)))
	logProbs := m.unary(func(n *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.LogSoftMax(n, 1) }, m.logits)
	return m.unary(func(n *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Sum(n) },
		m.binary(gorgonia.HadamardProd, logProbs, target))
}

func (m *model) matrix(name string, v *gt.Dense) *gorgonia.Node {
	return gorgonia.NewMatrix(m.graph, gorgonia.Float32, gorgonia.WithName(name), gorgonia.WithShape(v.Shape()...), gorgonia.WithValue(v))
}

func (m *model) param(format string, l int) *gorgonia.Node {
	name := fmt.Sprintf(format, l)
	n := m.params[name]
	if n == nil && m.err == nil {
		m.err = fmt.Errorf("the task has no parameter %s", name)
	}
	return n
}

func (m *model) unary(f func(*gorgonia.Node) (*gorgonia.Node, error), x *gorgonia.Node) *gorgonia.Node {
	if m.err != nil {
		return nil
	}
	var out *gorgonia.Node
	out, m.err = f(x)
	return out
}

func (m *model) binary(f func(a, b *gorgonia.Node) (*gorgonia.Node, error), a, b *gorgonia.Node) *gorgonia.Node {
	if m.err != nil {
		return nil
	}
	var out *gorgonia.Node
	out, m.err = f(a, b)
	return out
}

func (m *model) mul(a, b *gorgonia.Node) *gorgonia.Node { return m.binary(gorgonia.Mul, a, b) }

// add adds a row to every row.
func (m *model) add(x, row *gorgonia.Node) *gorgonia.Node {
	return m.binary(func(x, row *gorgonia.Node) (*gorgonia.Node, error) {
		return gorgonia.BroadcastAdd(x, row, nil, []byte{0})
	}, x, row)
}
