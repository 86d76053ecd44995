package gnn

// Sparse matrix products over a graph, g-SpMM and g-SDDMM of DGL (Wang et al. 2019),
// as one-line vertex-centric programs.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Reduce says how the values of a vertex's in-edges become one.
type Reduce uint8

// The reductions. Over no edges each of them gives 0. The gradient of a maximum or
// minimum goes to the first edge, in id order, that attains it.
const (
	ReduceSum Reduce = iota
	ReduceMean
	ReduceMax
	ReduceMin
	numReduces
)

var reduces = [numReduces]func(vc.Value) vc.Value{vc.Sum, vc.Mean, vc.Max, vc.Min}

// EdgeOp says what two values become that meet on an edge.
type EdgeOp uint8

// The operations.
const (
	OpAdd EdgeOp = iota
	OpSub
	OpMul
	OpDot // the inner product over the last dimension, which goes away
	numEdgeOps
)

var edgeOps = [numEdgeOps]func(x, y vc.Value) vc.Value{vc.Value.Add, vc.Value.Sub, vc.Value.Mul, vc.Value.Dot}

// The programs of all combinations, compiled for each shape when first met.
var (
	copyReduce  [numReduces]*vc.Program
	edgeReduce  [OpDot][numReduces]*vc.Program // what is reduced has x's shape: no dot
	atEdges     [numEdgeOps]*vc.Program
	edgeSoftmax = vc.Compile("edge softmax", func(v vc.Vertex) vc.Value { return vc.Softmax(v.InEdges().Feature("s")) })
)

func init() {
	for r, reduce := range reduces {
		copyReduce[r] = vc.Compile("spmm", func(v vc.Vertex) vc.Value { return reduce(v.InNeighbors().Feature("x")) })
	}
	for o, op := range edgeOps {
		atEdges[o] = vc.Compile("sddmm", func(v vc.Vertex) vc.Value { return op(v.InEdges().Src("x"), v.Feature("y")) })
	}
	for o, op := range edgeOps[:OpDot] {
		for r, reduce := range reduces {
			edgeReduce[o][r] = vc.Compile("spmm", func(v vc.Vertex) vc.Value {
				e := v.InEdges()
				return reduce(op(e.Src("x"), spread(e.Feature("w"), e.Src("x"))))
			})
		}
	}
}

// spread gives w's row as many dimensions as x's, new ones last.
func spread(w, x vc.Value) vc.Value {
	s := w.Shape()
	for range len(x.Shape()) - len(s) {
		s = append(s, 1)
	}
	return w.Reshape(s...)
}

// SpMM reduces what the in-neighbours of each vertex have:
//
//	out_v = reduce_{e=(u,v)} x_u
//
// for x [NumSrc ...], giving [NumDst ...]; with the sum it is the product of the
// adjacency matrix and x. It panics with *[Error] for what does not fit.
func SpMM(g *graph.Graph, x *autograd.Var, reduce Reduce) *autograd.Var {
	wantReduce("SpMM", reduce)
	wantVertexRows("SpMM", g, "x", x, sources)
	return copyReduce[reduce].Run(g, sourceFeature(g, "x", x))
}

// SpMMEdge reduces what the in-neighbours of each vertex have, with values of the
// edges:
//
//	out_v = reduce_{e=(u,v)} x_u op w_e
//
// for x [NumSrc ...] and w [E ...], giving [NumDst ...]; op is OpMul, OpAdd or OpSub.
// A row of w has the first dimensions of a row of x: none of them (w [E], a number
// for each edge), all (w [E d] for x [N d]), or one for each head (w [E heads] for x
// [N heads dim]), and counts for all the rest. No tensor of the products is made.
// It panics with *[Error] for what does not fit.
func SpMMEdge(g *graph.Graph, x, w *autograd.Var, op EdgeOp, reduce Reduce) *autograd.Var {
	const name = "SpMMEdge"
	if op >= OpDot {
		misuse(name, "operation %d; want OpAdd, OpSub or OpMul", op)
	}
	wantReduce(name, reduce)
	wantVertexRows(name, g, "x", x, sources)
	wantEdgeRows(name, g, "w", w)
	xs, ws := x.Shape()[1:], w.Shape()[1:]
	if len(ws) > len(xs) || !ws.Equal(xs[:len(ws)]) {
		misuse(name, "a row of w has shape %v, one of x %v; want the first of its dimensions", ws, xs)
	}
	return edgeReduce[op][reduce].Run(g, sourceFeature(g, "x", x), vc.EdgeFeature("w", w))
}

// SDDMM computes a value for each edge from its ends, a dense product sampled where
// the adjacency matrix is not 0:
//
//	out_e = x_u op y_v,  e = (u, v)
//
// for x [NumSrc ...] and y [NumDst ...] with rows of one shape, giving [E ...] in
// order of edge ids. OpDot contracts the last dimension: [N d] gives [E], [N heads d]
// a number for each head, [E heads]. It panics with *[Error] for what does not fit.
func SDDMM(g *graph.Graph, x, y *autograd.Var, op EdgeOp) *autograd.Var {
	const name = "SDDMM"
	if op >= numEdgeOps {
		misuse(name, "operation %d; want OpAdd, OpSub, OpMul or OpDot", op)
	}
	wantVertexRows(name, g, "x", x, sources)
	wantVertexRows(name, g, "y", y, destinations)
	xs, ys := x.Shape()[1:], y.Shape()[1:]
	switch {
	case !xs.Equal(ys):
		misuse(name, "a row of x has shape %v, one of y %v; want one shape", xs, ys)
	case op == OpDot && len(xs) == 0:
		misuse(name, "rows are single numbers; OpDot wants a dimension to contract")
	}
	return atEdges[op].Run(g, sourceFeature(g, "x", x), ownFeature(g, "y", y))
}

// EdgeSoftmax normalises scores s [E ...] over the in-edges of each vertex, element
// by element:
//
//	out_e = exp(s_e) / Σ_{e' into v} exp(s_e'),  e = (u, v)
//
// in a form that does not overflow. It panics with *[Error] for what does not fit.
func EdgeSoftmax(g *graph.Graph, s *autograd.Var) *autograd.Var {
	wantEdgeRows("EdgeSoftmax", g, "s", s)
	return edgeSoftmax.Run(g, vc.EdgeFeature("s", s))
}

// Segments is the bipartite graph that [SegmentReduce] reduces over: row i of a
// tensor belongs to segment of[i] in [0, n). The rows need not be sorted. It is an
// error if one belongs to none of the segments.
func Segments(of []int32, n int) (*graph.Graph, error) {
	rows := make([]int32, len(of))
	for i := range rows {
		rows[i] = int32(i)
	}
	return graph.NewBipartite(len(of), n, rows, of)
}

// SegmentReduce reduces the rows of each segment of x [rows ...]: [n ...]. It panics
// with *[Error] for what does not fit.
func SegmentReduce(segments *graph.Graph, x *autograd.Var, reduce Reduce) *autograd.Var {
	wantReduce("SegmentReduce", reduce)
	wantVertexRows("SegmentReduce", segments, "x", x, sources)
	return copyReduce[reduce].Run(segments, sourceFeature(segments, "x", x))
}

func wantReduce(op string, r Reduce) {
	if r >= numReduces {
		misuse(op, "reduction %d; want ReduceSum, ReduceMean, ReduceMax or ReduceMin", r)
	}
}

func sources(g *graph.Graph) (n int, what string) { return g.NumSrc(), "sources" }

func destinations(g *graph.Graph) (n int, what string) { return g.NumDst(), "destinations" }

// wantVertexRows panics unless x has a row for each vertex of a side.
func wantVertexRows(op string, g *graph.Graph, name string, x *autograd.Var, side func(*graph.Graph) (int, string)) {
	if g == nil {
		misuse(op, "the graph is nil")
	}
	n, what := side(g)
	wantFirst(op, name, x, n, what)
}

// wantEdgeRows panics unless x has a row for each edge.
func wantEdgeRows(op string, g *graph.Graph, name string, x *autograd.Var) {
	if g == nil {
		misuse(op, "the graph is nil")
	}
	wantFirst(op, name, x, g.NumEdges(), "edges")
}

// wantFirst panics unless x is dense and has n rows of any shape.
func wantFirst(op, name string, x *autograd.Var, n int, what string) {
	wantDense(op, name, x)
	switch {
	case x == nil:
		misuse(op, "%s is nil", name)
	case len(x.Shape()) == 0 || x.Shape()[0] != n:
		misuse(op, "%s has shape %v; want a row for each of the graph's %d %s", name, x.Shape(), n, what)
	}
}
