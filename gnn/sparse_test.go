package gnn_test

// The sparse ops against loops over the edges.

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// sparseGraphs are what sparse ops run on: any graph at all, bipartite ones that
// are no blocks too.
func sparseGraphs(t *testing.T) []namedGraph {
	more := func(name string, numSrc, numDst int, src, dst []int32) namedGraph {
		g, err := graph.NewBipartite(numSrc, numDst, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		return namedGraph{name, g}
	}
	return append(append(degenerate(t), someBlocks(t)...),
		more("more destinations than sources", 2, 5, []int32{0, 1, 1, 0}, []int32{4, 4, 0, 2}),
		more("no sources", 0, 3, nil, nil))
}

var (
	reduces = map[gnn.Reduce]string{gnn.ReduceSum: "sum", gnn.ReduceMean: "mean", gnn.ReduceMax: "max", gnn.ReduceMin: "min"}
	edgeOps = map[gnn.EdgeOp]func(x, y float64) float64{
		gnn.OpAdd: func(x, y float64) float64 { return x + y },
		gnn.OpSub: func(x, y float64) float64 { return x - y },
		gnn.OpMul: func(x, y float64) float64 { return x * y },
	}
)

func checkGradients(t *testing.T, what string, f func() *autograd.Var, xs ...*autograd.Var) {
	t.Helper()
	if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return f() }, xs); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

func TestSpMMEqualsLoopsOverTheEdges(t *testing.T) {
	for _, g := range sparseGraphs(t) {
		for reduce, how := range reduces {
			for _, row := range [][]int{{}, {3}, {2, 3}} {
				what := fmt.Sprintf("%s, %s, rows %v", g.name, how, row)
				x := autograd.Variable(randn(tensor.Float64, 1, append([]int{g.NumSrc()}, row...)...))
				width := tensor.Shape(row).Size()
				want := make(matrix, g.NumDst())
				for v := range want {
					want[v] = reduced(how, width, messages(g.Graph, v, func(a arc) []float64 { return rowsOf(x)[a.u] }))
				}
				f := func() *autograd.Var { return gnn.SpMM(g.Graph, x, reduce) }
				y := f()
				if !y.Shape().Equal(append(tensor.Shape{g.NumDst()}, row...)) {
					t.Errorf("%s: the result has shape %v", what, y.Shape())
				}
				near(t, what, y.Tensor().Float64s(), want.flat(), 1e-12)
				checkGradients(t, what, f, x)
			}
		}
	}
}

func TestSpMMEdgeEqualsLoopsOverTheEdges(t *testing.T) {
	for i, g := range sparseGraphs(t) {
		for reduce, how := range reduces {
			for op, f := range edgeOps {
				for _, rows := range [][2][]int{{{}, {}}, {{3}, {}}, {{3}, {3}}, {{2, 3}, {}}, {{2, 3}, {2}}, {{2, 3}, {2, 3}}} {
					if testing.Short() && (i+int(op)+3*len(rows[1])+len(rows[0]))%7 != 0 {
						continue
					}
					what := fmt.Sprintf("%s, %s of operation %d, rows %v and %v", g.name, how, op, rows[0], rows[1])
					x := autograd.Variable(randn(tensor.Float64, 1, append([]int{g.NumSrc()}, rows[0]...)...))
					w := autograd.Variable(randn(tensor.Float64, 2, append([]int{g.NumEdges()}, rows[1]...)...))
					width := tensor.Shape(rows[0]).Size()
					each := width / tensor.Shape(rows[1]).Size() // elements of x that one of w counts for
					want := make(matrix, g.NumDst())
					for v := range want {
						want[v] = reduced(how, width, messages(g.Graph, v, func(a arc) []float64 {
							m := make([]float64, width)
							for k := range m {
								m[k] = f(rowsOf(x)[a.u][k], rowsOf(w)[a.id][k/each])
							}
							return m
						}))
					}
					run := func() *autograd.Var { return gnn.SpMMEdge(g.Graph, x, w, op, reduce) }
					near(t, what, run().Tensor().Float64s(), want.flat(), 1e-12)
					checkGradients(t, what, run, x, w)
				}
			}
		}
	}
}

func TestSDDMMEqualsLoopsOverTheEdges(t *testing.T) {
	for _, g := range sparseGraphs(t) {
		for _, row := range [][]int{{}, {3}, {2, 3}} {
			x := autograd.Variable(randn(tensor.Float64, 1, append([]int{g.NumSrc()}, row...)...))
			y := autograd.Variable(randn(tensor.Float64, 2, append([]int{g.NumDst()}, row...)...))
			for op := gnn.OpAdd; op <= gnn.OpDot; op++ {
				if op == gnn.OpDot && len(row) == 0 {
					continue
				}
				var want []float64
				for e, u := range g.Src() {
					a, b := rowsOf(x)[u], rowsOf(y)[g.Dst()[e]]
					if op == gnn.OpDot {
						want = append(want, perHead(a, b, len(a)/row[len(row)-1])...)
						continue
					}
					for k := range a {
						want = append(want, edgeOps[op](a[k], b[k]))
					}
				}
				what := fmt.Sprintf("%s, operation %d, rows %v", g.name, op, row)
				run := func() *autograd.Var { return gnn.SDDMM(g.Graph, x, y, op) }
				near(t, what, run().Tensor().Float64s(), want, 1e-12)
				checkGradients(t, what, run, x, y)
			}
		}
	}
}

func TestEdgeSoftmaxEqualsLoopsOverTheEdges(t *testing.T) {
	for _, g := range sparseGraphs(t) {
		for _, scale := range []float64{1, 1e4} { // the second overflows unless shifted
			s := autograd.Variable(tensor.Scale(randn(tensor.Float64, 1, g.NumEdges(), 2), scale))
			want := make(matrix, g.NumEdges())
			for v := range g.NumDst() {
				arcs := inArcs(g.Graph, v)
				for _, a := range arcs {
					want[a.id] = make([]float64, 2)
				}
				for k := range 2 {
					largest, sum := math.Inf(-1), 0.0
					for _, a := range arcs {
						largest = math.Max(largest, rowsOf(s)[a.id][k])
					}
					for _, a := range arcs {
						want[a.id][k] = math.Exp(rowsOf(s)[a.id][k] - largest)
						sum += want[a.id][k]
					}
					for _, a := range arcs {
						want[a.id][k] /= sum
					}
				}
			}
			run := func() *autograd.Var { return gnn.EdgeSoftmax(g.Graph, s) }
			near(t, fmt.Sprintf("%s, scores of %v", g.name, scale), run().Tensor().Float64s(), want.flat(), 1e-12)
			if scale == 1 {
				checkGradients(t, g.name, run, s)
			}
		}
	}
}

func TestSegmentReduceEqualsLoopsOverTheRows(t *testing.T) {
	for name, of := range map[string][]int32{
		"unsorted, one empty": {3, 0, 3, 1, 0, 3, 1},
		"no rows":             {},
		"all in one":          {2, 2, 2},
	} {
		segments, err := gnn.Segments(of, 4)
		if err != nil {
			t.Fatal(err)
		}
		x := autograd.Variable(randn(tensor.Float64, 1, len(of), 3))
		for reduce, how := range reduces {
			want := make(matrix, 4)
			for s := range want {
				var rows matrix
				for i, segment := range of {
					if int(segment) == s {
						rows = append(rows, rowsOf(x)[i])
					}
				}
				want[s] = reduced(how, 3, rows)
			}
			run := func() *autograd.Var { return gnn.SegmentReduce(segments, x, reduce) }
			near(t, name+", "+how, run().Tensor().Float64s(), want.flat(), 1e-12)
			checkGradients(t, name+", "+how, run, x)
		}
	}
	for _, of := range [][]int32{{0, 4}, {-1}} {
		if _, err := gnn.Segments(of, 4); err == nil {
			t.Errorf("segments %v of 4: no error", of)
		}
	}
}

// Neither the products of SpMMEdge nor their gradients are held: beyond the gradient
// of the weights, twice the edges take no more memory.
func TestSpMMEdgeHoldsNoProducts(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what is pooled")
	}
	const vertices, edges, width = 100, 20_000, 16
	for reduce, how := range reduces {
		step := func(edges int) int64 {
			g := random(t, vertices, edges)
			x := autograd.Variable(randn(tensor.Float32, 1, vertices, width))
			w := autograd.Variable(randn(tensor.Float32, 2, edges))
			return allocated(func() {
				x.ZeroGrad()
				w.ZeroGrad()
				out := gnn.SpMMEdge(g, x, w, gnn.OpMul, reduce)
				out.BackwardWith(out.Tensor())
			})
		}
		// A product would be 64 bytes an edge. The gradient of w is 4, and the tape may copy it.
		if got, double := step(edges), step(2*edges); double > got+10*edges {
			t.Errorf("%s: a step allocates %d bytes on %d edges, %d on twice as many", how, got, edges, double)
		}
	}
}

func TestSparseOpsRejectWhatDoesNotFit(t *testing.T) {
	g := messy(t) // 6 vertices, 12 edges
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	sparse, err := tensor.NewSparse(6, 2, make([]int32, 7), nil, tensor.Zeros(tensor.Float32, 0))
	if err != nil {
		t.Fatal(err)
	}
	segments, err := gnn.Segments([]int32{0, 1, 0}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]func(){
		"gnn: SpMM: the graph is nil": func() { gnn.SpMM(nil, v(6, 2), gnn.ReduceSum) },
		"gnn: SpMM: x is nil":         func() { gnn.SpMM(g, nil, gnn.ReduceSum) },
		"gnn: SpMM: x has shape []; want a row for each of the graph's 6 sources":      func() { gnn.SpMM(g, v(), gnn.ReduceSum) },
		"gnn: SpMM: x has shape [5 2]; want a row for each of the graph's 6 sources":   func() { gnn.SpMM(g, v(5, 2), gnn.ReduceSum) },
		"gnn: SpMM: reduction 4; want ReduceSum, ReduceMean, ReduceMax or ReduceMin":   func() { gnn.SpMM(g, v(6, 2), 4) },
		"gnn: SpMM: x is sparse; the layer takes it dense":                             func() { gnn.SpMM(g, autograd.SparseConstant(sparse), gnn.ReduceSum) },
		"gnn: SpMMEdge: w has shape [11]; want a row for each of the graph's 12 edges": func() { gnn.SpMMEdge(g, v(6, 2), v(11), gnn.OpMul, gnn.ReduceSum) },
		"gnn: SpMMEdge: w is nil":                                                                   func() { gnn.SpMMEdge(g, v(6, 2), nil, gnn.OpMul, gnn.ReduceSum) },
		"gnn: SpMMEdge: operation 3; want OpAdd, OpSub or OpMul":                                    func() { gnn.SpMMEdge(g, v(6, 2), v(12), gnn.OpDot, gnn.ReduceSum) },
		"gnn: SpMMEdge: reduction 9; want ReduceSum, ReduceMean, ReduceMax or ReduceMin":            func() { gnn.SpMMEdge(g, v(6, 2), v(12), gnn.OpMul, 9) },
		"gnn: SpMMEdge: a row of w has shape [3], one of x [2 3]; want the first of its dimensions": func() { gnn.SpMMEdge(g, v(6, 2, 3), v(12, 3), gnn.OpMul, gnn.ReduceSum) },
		"gnn: SpMMEdge: a row of w has shape [2 1], one of x [2]; want the first of its dimensions": func() { gnn.SpMMEdge(g, v(6, 2), v(12, 2, 1), gnn.OpMul, gnn.ReduceSum) },
		"gnn: SDDMM: y has shape [5 2]; want a row for each of the graph's 6 destinations":          func() { gnn.SDDMM(g, v(6, 2), v(5, 2), gnn.OpDot) },
		"gnn: SDDMM: a row of x has shape [2], one of y [3]; want one shape":                        func() { gnn.SDDMM(g, v(6, 2), v(6, 3), gnn.OpDot) },
		"gnn: SDDMM: rows are single numbers; OpDot wants a dimension to contract":                  func() { gnn.SDDMM(g, v(6), v(6), gnn.OpDot) },
		"gnn: SDDMM: operation 4; want OpAdd, OpSub, OpMul or OpDot":                                func() { gnn.SDDMM(g, v(6, 2), v(6, 2), 4) },
		"gnn: EdgeSoftmax: the graph is nil":                                                        func() { gnn.EdgeSoftmax(nil, v(12)) },
		"gnn: EdgeSoftmax: s has shape [6 2]; want a row for each of the graph's 12 edges":          func() { gnn.EdgeSoftmax(g, v(6, 2)) },
		"gnn: SegmentReduce: x has shape [2 3]; want a row for each of the graph's 3 sources":       func() { gnn.SegmentReduce(segments, v(2, 3), gnn.ReduceSum) },
		"gnn: SegmentReduce: reduction 5; want ReduceSum, ReduceMean, ReduceMax or ReduceMin":       func() { gnn.SegmentReduce(segments, v(3, 3), 5) },
		"gnn: SegmentReduce: the graph is nil":                                                      func() { gnn.SegmentReduce(nil, v(3, 3), gnn.ReduceSum) },
	} {
		var typed *gnn.Error
		if err := autograd.Try(f); !errors.As(err, &typed) || err.Error() != want {
			t.Errorf("the error is %T %v, want %s", err, err, want)
		}
	}
}
