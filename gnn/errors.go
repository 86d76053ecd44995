package gnn

// Misuse of layers.

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
)

// Error is misuse of a layer: sizes that make no sense, or a graph or features
// that it does not take.
type Error struct{ Layer, Detail string }

func (e *Error) Error() string { return fmt.Sprintf("gnn: %s: %s", e.Layer, e.Detail) }

// Misuse marks the error as wrong use of the API.
func (e *Error) Misuse() {}

func wantProbability(layer, what string, p float64) {
	if !(p >= 0 && p <= 1) { // also false for NaN
		panic(&Error{layer, fmt.Sprintf("%s %v is outside [0, 1]", what, p)})
	}
}

func wantPositive(layer string, sizes ...int) {
	for _, n := range sizes {
		if n <= 0 {
			panic(&Error{layer, fmt.Sprintf("size %d; want sizes above 0", n)})
		}
	}
}

// notMade is the panic of a nil or zero layer.
func notMade(layer string) *Error {
	return &Error{layer, "the layer has no program; make it with New" + layer}
}

// wantInput panics unless a layer with the given weight [in ...] can be applied
// to g and x [N in].
func wantInput(layer string, g *graph.Graph, x, weight *autograd.Var) {
	fail := func(format string, args ...any) { panic(&Error{layer, fmt.Sprintf(format, args...)}) }
	switch {
	case g == nil:
		fail("the graph is nil")
	case g.IsBipartite():
		fail("the graph is bipartite, the layer takes a homogeneous one")
	case x == nil:
		fail("x is nil")
	}
	s, in := x.Shape(), weight.Shape()[0]
	switch {
	case len(s) != 2:
		fail("x has shape %v, the layer takes [%d %d]", s, g.NumVertices(), in)
	case s[1] != in:
		fail("x has %d features, the layer takes %d", s[1], in)
	case s[0] != g.NumVertices():
		fail("x has %d rows, the graph %d vertices", s[0], g.NumVertices())
	}
}
