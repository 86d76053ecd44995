package gnn

// Misuse of layers.

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
)

// Error is misuse of a layer: sizes that make no sense, or a graph or features
// that it does not take.
type Error struct {
	Layer, Detail string

	cause error // what a layer within the layer panicked with, or nil
}

func (e *Error) Error() string { return fmt.Sprintf("gnn: %s: %s", e.Layer, e.Detail) }

// Misuse marks the error as wrong use of the API.
func (e *Error) Misuse() {}

// Unwrap returns the error of the layer of a relation of [HeteroConv] or of a direction of
// [DirGNNConv], or nil.
func (e *Error) Unwrap() error { return e.cause }

// misuse panics with an *Error of the layer.
func misuse(layer, format string, args ...any) {
	panic(&Error{Layer: layer, Detail: fmt.Sprintf(format, args...)})
}

// wantModel panics if a model is nil.
func wantModel[M any](name string, m *M) {
	if m == nil {
		misuse(name, "the model is nil; make it with New%s", name)
	}
}

// wantX panics if a model is given no features, before dropout does.
func wantX(model string, x *autograd.Var) {
	if x == nil {
		misuse(model, "x is nil")
	}
}

// wantBlocks panics unless a model has a block for each of its layers.
func wantBlocks(model string, blocks []*graph.Graph, layers int) {
	if len(blocks) != layers {
		misuse(model, "%d blocks for %d layers", len(blocks), layers)
	}
}

func wantProbability(layer, what string, p float64) {
	if !(p >= 0 && p <= 1) { // also false for NaN
		misuse(layer, "%s %v is outside [0, 1]", what, p)
	}
}

func wantFinite(layer, what string, x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		misuse(layer, "%s is %v; want a finite number", what, x)
	}
}

func wantPositive(layer string, sizes ...int) {
	for _, n := range sizes {
		if n <= 0 {
			misuse(layer, "size %d; want sizes above 0", n)
		}
	}
}

// wantNotNegative is for sizes of what may be left out.
func wantNotNegative(layer string, sizes ...int) {
	for _, n := range sizes {
		if n < 0 {
			misuse(layer, "size %d; want 0 or more", n)
		}
	}
}

// notMade is the panic of a nil or zero layer.
func notMade(layer string) *Error {
	return &Error{Layer: layer, Detail: "the layer has no program; make it with New" + layer}
}

// wantInput panics unless a layer with the given weight [in ...] can be applied
// to g, homogeneous or a block, and x [NumSrc in].
func wantInput(layer string, g *graph.Graph, x, weight *autograd.Var) {
	wantFeatures(layer, g, x, weight.Shape()[0])
	wantType(layer, "x", x, weight)
}

// wantType panics unless x has the element type of the layer's weight.
func wantType(layer, name string, x, weight *autograd.Var) {
	if x.DType() != weight.DType() {
		misuse(layer, "%s holds %v, the layer's weights %v: convert %[1]s (tensor.Tensor.To), or make the layer WithDType", name, x.DType(), weight.DType())
	}
}

// wantOneKind panics if a layer was made with [DstFeatures], given as dst.
func wantOneKind(layer string, dst int) {
	if dst > 0 {
		misuse(layer, "the layer was made for destinations of %d features (DstFeatures), which ForwardPair takes", dst)
	}
}

// wantPair panics unless xSrc is [NumSrc in] and xDst [NumDst dst]; a width of 0 says
// that any will do.
func wantPair(layer string, g *graph.Graph, xSrc *autograd.Var, in int, xDst *autograd.Var, dst int) {
	wantSources(layer, g, xSrc, in)
	wantRows(layer, "xDst", xDst, g.NumDst(), "destinations", dst)
}

// wantSources is wantPair for xSrc alone.
func wantSources(layer string, g *graph.Graph, xSrc *autograd.Var, in int) {
	if g == nil {
		misuse(layer, "the graph is nil")
	}
	wantRows(layer, "xSrc", xSrc, g.NumSrc(), "sources", in)
}

// wantRoot is wantPair for a layer that reads xDst only if it has a weight for it, and wantType
// of both.
func wantRoot(layer string, g *graph.Graph, xSrc *autograd.Var, in int, xDst, root, neigh *autograd.Var) {
	wantSources(layer, g, xSrc, in)
	if root != nil {
		wantRows(layer, "xDst", xDst, g.NumDst(), "destinations", root.Shape()[0])
	} else if xDst != nil { // it is not read: of any width
		wantRows(layer, "xDst", xDst, g.NumDst(), "destinations", 0)
	}
	wantType(layer, "xSrc", xSrc, neigh)
	if root != nil {
		wantType(layer, "xDst", xDst, root)
	}
}

// wantFeatures is wantInput for a layer that takes the given number of features;
// 0 says that any number will do.
func wantFeatures(layer string, g *graph.Graph, x *autograd.Var, in int) {
	wantBlock(layer, g)
	wantRows(layer, "x", x, g.NumSrc(), "vertices", in)
}

// wantBlock panics unless g is homogeneous or may be a block.
func wantBlock(layer string, g *graph.Graph) {
	if g == nil {
		misuse(layer, "the graph is nil")
	}
	if t, ok := g.Relation(); ok {
		misuse(layer, "the graph is the relation %v and no block: its destinations are not its first sources; "+
			"layers with ForwardPair take the features of both, typed layers run on Hetero.Homogeneous", t)
	}
	if g.NumDst() > g.NumSrc() {
		misuse(layer, "a bipartite graph of %d sources and %d destinations is no block: its destinations are its first sources", g.NumSrc(), g.NumDst())
	}
}

// wantEdgeFeatures panics unless f is [E in] and has the element type of the layer's weight;
// in 0 says that the layer takes none.
func wantEdgeFeatures(layer string, g *graph.Graph, f *autograd.Var, in int, weight *autograd.Var) {
	if in == 0 {
		if f != nil {
			misuse(layer, "edge features of shape %v; the layer was made for none", f.Shape())
		}
		return
	}
	if f == nil {
		misuse(layer, "f is nil; the layer takes %d features of each edge", in)
	}
	wantDense(layer, "f", f)
	wantRows(layer, "f", f, g.NumEdges(), "edges", in)
	wantType(layer, "f", f, weight)
}

// wantRows panics unless x is [rows in], or [rows any] if in is 0; the graph has
// so many of what.
func wantRows(layer, name string, x *autograd.Var, rows int, what string, in int) {
	if x == nil {
		misuse(layer, "%s is nil", name)
	}
	s := x.Shape()
	switch {
	case len(s) != 2 && in == 0:
		misuse(layer, "%s has shape %v, the layer takes a row for each of %d %s", name, s, rows, what)
	case len(s) != 2:
		misuse(layer, "%s has shape %v, the layer takes [%d %d]", name, s, rows, in)
	case in != 0 && s[1] != in:
		misuse(layer, "%s has %d features, the layer takes %d", name, s[1], in)
	case s[0] != rows:
		misuse(layer, "%s has %d rows, the graph %d %s", name, s[0], rows, what)
	}
}

// wantDense is for layers that read features as they are, not multiplied by a
// weight first.
func wantDense(layer, name string, x *autograd.Var) {
	if x != nil && x.Sparse() != nil {
		misuse(layer, "%s is sparse; the layer takes it dense", name)
	}
}

// wantHomogeneous is for layers that reach farther than one hop, or out-edges.
func wantHomogeneous(layer string, g *graph.Graph) {
	if g != nil && g.IsBipartite() {
		misuse(layer, "the graph is bipartite, the layer takes a homogeneous one")
	}
}
