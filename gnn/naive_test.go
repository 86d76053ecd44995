package gnn_test

// What the layers of naive_layers_test.go are made of: rows of numbers, messages,
// reductions and attention, in plain loops over float64.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// matrix is a list of rows.
type matrix [][]float64

// rowsOf are the rows of a tensor, what is in a row one after the other; nil of nil.
func rowsOf(x *autograd.Var) matrix {
	if x == nil {
		return nil
	}
	s, all := x.Shape(), x.Tensor().Float64s()
	m := make(matrix, s[0])
	for i := range m {
		width := len(all) / s[0]
		m[i] = all[i*width:][:width]
	}
	return m
}

func (m matrix) flat() (all []float64) {
	for _, row := range m {
		all = append(all, row...)
	}
	return all
}

// times is x·w.
func times(x []float64, w *autograd.Var) []float64 {
	rows := rowsOf(w)
	out := make([]float64, len(rows[0]))
	for i, row := range rows {
		for j := range out {
			out[j] += x[i] * row[j]
		}
	}
	return out
}

// affine is x·W + b.
func affine(x []float64, l *nn.Linear) []float64 { return plus(times(x, l.Weight), vector(l.Bias)) }

// vector is a vector's numbers, nil of nil.
func vector(b *autograd.Var) []float64 {
	if b == nil {
		return nil
	}
	return b.Tensor().Float64s()
}

// plus is x + y; a nil y is 0.
func plus(x, y []float64) []float64 {
	out := append([]float64{}, x...)
	for i := range y {
		out[i] += y[i]
	}
	return out
}

func scaled(x []float64, c float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = c * x[i]
	}
	return out
}

func mapped(x []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = f(x[i])
	}
	return out
}

func joined(xs ...[]float64) (out []float64) {
	for _, x := range xs {
		out = append(out, x...)
	}
	return out
}

func inner(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

func relu(x float64) float64 { return math.Max(x, 0) }

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func leaky(x float64) float64 { return math.Max(x, 0.2*x) }

// arc is an edge into a vertex.
type arc struct{ id, u int }

// inArcs are the edges into v, in order of their ids.
func inArcs(g *graph.Graph, v int) (arcs []arc) {
	for e, d := range g.Dst() {
		if int(d) == v {
			arcs = append(arcs, arc{e, int(g.Src()[e])})
		}
	}
	return arcs
}

// reduced is sum, mean, max or min of messages of a width: 0 of none.
func reduced(how string, width int, messages matrix) []float64 {
	out := make([]float64, width)
	for k := range out {
		for i, m := range messages {
			switch {
			case i == 0:
				out[k] = m[k]
			case how == "max":
				out[k] = math.Max(out[k], m[k])
			case how == "min":
				out[k] = math.Min(out[k], m[k])
			default:
				out[k] += m[k]
			}
		}
		if how == "mean" && len(messages) > 0 {
			out[k] /= float64(len(messages))
		}
	}
	return out
}

// naive is a layer's value of vertex v of g with features x and edge features f.
type naive func(g *graph.Graph, x, f matrix, v int) []float64

// naivePair is naive for features of both ends.
type naivePair func(g *graph.Graph, src, dst, f matrix, v int) []float64

// one is the layer on vertices of one kind.
func (n naivePair) one() naive {
	return func(g *graph.Graph, x, f matrix, v int) []float64 { return n(g, x, x, f, v) }
}

// messages are those of the edges into v.
func messages(g *graph.Graph, v int, of func(a arc) []float64) (m matrix) {
	for _, a := range inArcs(g, v) {
		m = append(m, of(a))
	}
	return m
}

// attention is, for each head, Σ_u softmax(score) value, heads concatenated or
// averaged; score and value are rows of all heads.
func attention(g *graph.Graph, v, heads, dim int, mean bool, score, value func(a arc) []float64) []float64 {
	return attentionOver(inArcs(g, v), heads, dim, mean, score, value)
}

func attentionOver(arcs []arc, heads, dim int, mean bool, score, value func(a arc) []float64) []float64 {
	out := make([]float64, heads*dim)
	for h := range heads {
		largest, sum := math.Inf(-1), 0.0
		for _, a := range arcs {
			largest = math.Max(largest, score(a)[h])
		}
		for _, a := range arcs {
			sum += math.Exp(score(a)[h] - largest)
		}
		for _, a := range arcs {
			alpha := math.Exp(score(a)[h]-largest) / sum
			for k := range dim {
				out[h*dim+k] += alpha * value(a)[h*dim+k]
			}
		}
	}
	if !mean {
		return out
	}
	avg := make([]float64, dim)
	for h := range heads {
		avg = plus(avg, scaled(out[h*dim:][:dim], 1/float64(heads)))
	}
	return avg
}

// perHead is the inner product of each head's part of x and of a.
func perHead(x, a []float64, heads int) []float64 {
	out, dim := make([]float64, heads), len(x)/heads
	for h := range heads {
		out[h] = inner(x[h*dim:][:dim], a[h*dim:][:dim])
	}
	return out
}
