package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func TestSumsOfRowsAreTheSameInAnyOrderOfRows(t *testing.T) {
	r := rand.New(rng.NewStream(41))
	for _, text := range []string{gcnText, gcnWeightedText, gatText, gat1Text, gatBackText} {
		p := mustParse(text)
		pl := plan.Build(p)
		for _, e := range append(graphs(), random("dense", r, 400, 400, 6000, false)) {
			s, g := e.structure(), e.build(t)
			in := inputsOf(p, s, 3)
			var got [2][][]float64
			for i, m := range []manner{{}, {shuffle: true}} {
				run, end := prepareAs(m, &registers32, pl, g, s, in)
				got[i] = run(Options{Threads: 2})
				end()
			}
			for o := range got[0] {
				for k, want := range got[0][o] {
					if math.Float64bits(got[1][o][k]) != math.Float64bits(want) {
						t.Fatalf("%s on %q: %s[%d] is %v in another order, %v in that of ids", p.Name, e.name, p.Outputs[o].Name, k, got[1][o][k], want)
					}
				}
			}
		}
	}
}

// groupsOf is a graph whose edges join vertices of one group, numbered by chance.
func groupsOf(t *testing.T, groups, size, edges int, bipartite bool, options ...graph.Option) *graph.Graph {
	t.Helper()
	r := rand.New(rng.NewStream(42))
	number := r.Perm(groups * size)
	var src, dst []int32
	for range edges {
		group := r.IntN(groups) * size
		src, dst = append(src, int32(number[group+r.IntN(size)])), append(dst, int32(number[group+r.IntN(size)]))
	}
	g, err := graph.New(groups*size, src, dst, options...)
	if bipartite {
		g, err = graph.NewBipartite(groups*size, groups*size, src, dst)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// withSecondCache runs the test as on a processor that has one of so many bytes.
func withSecondCache(t *testing.T, n int) {
	was := secondCache
	secondCache = n
	t.Cleanup(func() { secondCache = was })
}

func TestWideRowsAreWalkedWhereNeighboursAreShared(t *testing.T) {
	const groups, size = 320, 40
	natural := map[ir.Dir]func(g *graph.Graph) *graph.CSR{ir.In: (*graph.Graph).In, ir.Out: (*graph.Graph).Out}
	local := map[ir.Dir]func(g *graph.Graph) *graph.CSR{ir.In: (*graph.Graph).LocalIn, ir.Out: (*graph.Graph).LocalOut}
	large, smaller := groupsOf(t, groups, size, localEdges, false), groupsOf(t, groups-14, size, localEdges, false)
	const far = farBytes / (4 * groups * size) // columns
	for _, c := range []struct {
		what    string
		cache   int
		g       *graph.Graph
		columns int
		dir     ir.Dir
		total   bool // over all rows
		times   bool // the row's own
		want    map[ir.Dir]func(g *graph.Graph) *graph.CSR
	}{
		{"wide rows", localCache, large, 64, ir.In, false, false, local},
		{"wide rows of out-edges", localCache, large, 64, ir.Out, false, true, local},
		{"narrow rows", localCache, large, 63, ir.In, false, false, natural},
		{"a sum over all rows", localCache, large, 64, ir.In, true, false, natural},
		{"two sets of vertices", localCache, groupsOf(t, groups, size, localEdges, true), 64, ir.In, false, false, natural},
		{"few edges", localCache, groupsOf(t, groups, size, localEdges-1, false), 64, ir.Out, false, false, natural},
		{"a small table", localCache, smaller, 64, ir.In, false, false, natural},
		{"a larger table", localCache, smaller, 65, ir.In, false, false, local},
		{"a small cache", localCache - 1, large, 64, ir.In, false, false, natural},
		{"a small cache and a table less than far", localCache - 1, large, far, ir.In, false, false, natural},
		{"a small cache and a far table", localCache - 1, large, far + 1, ir.In, false, false, local},
		{"a small cache, a far table and much to copy", localCache - 1, large, far + 1, ir.In, false, true, natural},
	} {
		withSecondCache(t, c.cache)
		b, rows := ir.NewBuilder("sum", ir.F32, c.g.IsBipartite()), c.dir.Rows()
		sum := b.Sum(c.dir, b.Input("h", rows.Other(), ir.Shape{c.columns}))
		if c.times {
			sum = b.Mul(sum, b.Input("x", rows, ir.Shape{c.columns}))
		}
		b.Output("sum", sum)
		if c.total {
			b.Output("total", b.Op(ir.OpTotal, ir.Attr{Res: rows}, b.Square(sum)))
		}
		x := Compile[float32](together(rows)(b.Program()))
		k := x.steps[0].(*kernel[float32])
		if len(k.totals) > 0 != c.total {
			t.Fatalf("%s: the kernel has %d sums over all rows", c.what, len(k.totals))
		}
		var csr *graph.CSR
		for range localPatience + 1 {
			csr = k.edges(x, c.g, x.walksOften(c.g))
		}
		if csr == nil || csr != c.want[c.dir](c.g) {
			t.Errorf("%s: rows are walked in order of ids: %v", c.what, csr == natural[c.dir](c.g))
		}
	}
}

// Whether a tile multiplies the sums of all types or of those that have edges is for its rows to
// say, and tells in the last bits: no later run may have other tiles.
func TestProductsByTypeWalkAGraphInTheSameOrderFromTheFirstRunOn(t *testing.T) {
	withSecondCache(t, localCache)
	const groups, size = 320, 40
	types := make([]int32, localEdges)
	for e := range types {
		types[e] = int32(e) * 7 % 11 % 4
	}
	g := groupsOf(t, groups, size, localEdges, false, graph.WithEdgeTypes(types, 4))
	b := ir.NewBuilder("relational", ir.F32, false)
	b.SetTypes(ir.Types{Src: 1, Dst: 1, Edge: 4})
	x := b.Mul(b.Input("h", ir.Src, ir.Shape{64}), b.Input("norm", ir.Edge, ir.Shape{}))
	sums := b.Reshape(b.Op(ir.OpSum, ir.Attr{Dir: ir.In, Typed: true}, x), ir.Shape{4 * 64})
	b.Output("sum", b.MatMul(sums, b.Input("w", ir.Param, ir.Shape{4 * 64, 8})))
	prog := Compile[float32](together(ir.Dst)(b.Program()))
	k := prog.steps[0].(*kernel[float32])
	if !k.byType || !k.ordersRows(g) {
		t.Fatalf("the kernel takes sums by type: %v; orders rows: %v", k.byType, k.ordersRows(g))
	}
	for n := range 2 * localPatience {
		if csr := k.edges(prog, g, prog.walksOften(g)); csr != g.LocalIn() || csr == g.In() {
			t.Fatalf("walk %d: rows are walked in order of ids: %v", n+1, csr == g.In())
		}
	}
}

func TestAGraphIsOrderedWhenItHasBeenWalkedOften(t *testing.T) {
	withSecondCache(t, localCache)
	g := groupsOf(t, 320, 40, localEdges, false)
	x := Compile[float32](plan.Build(mustParse(gcnText)))
	for n := range 2 * localPatience {
		k := x.steps[len(x.steps)-1].(*kernel[float32])
		csr := k.edges(x, g, x.walksOften(g))
		if first := n < localPatience; csr == nil || csr != g.In() && first || csr != g.LocalIn() && !first {
			t.Errorf("walk %d: rows are walked in order of ids: %v", n+1, csr == g.In())
		}
	}
}
