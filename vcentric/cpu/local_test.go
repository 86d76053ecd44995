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
func groupsOf(t *testing.T, groups, size, edges int, bipartite bool) *graph.Graph {
	t.Helper()
	r := rand.New(rng.NewStream(42))
	number := r.Perm(groups * size)
	var src, dst []int32
	for range edges {
		group := r.IntN(groups) * size
		src, dst = append(src, int32(number[group+r.IntN(size)])), append(dst, int32(number[group+r.IntN(size)]))
	}
	g, err := graph.New(groups*size, src, dst)
	if bipartite {
		g, err = graph.NewBipartite(groups*size, groups*size, src, dst)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestWideRowsAreWalkedWhereNeighboursAreShared(t *testing.T) {
	const groups, size = 320, 40
	natural := map[ir.Dir]func(g *graph.Graph) *graph.CSR{ir.In: (*graph.Graph).In, ir.Out: (*graph.Graph).Out}
	local := map[ir.Dir]func(g *graph.Graph) *graph.CSR{ir.In: (*graph.Graph).LocalIn, ir.Out: (*graph.Graph).LocalOut}
	large, smaller := groupsOf(t, groups, size, localEdges, false), groupsOf(t, groups-14, size, localEdges, false)
	for _, c := range []struct {
		what    string
		g       *graph.Graph
		columns int
		dir     ir.Dir
		want    map[ir.Dir]func(g *graph.Graph) *graph.CSR
	}{
		{"wide rows", large, 64, ir.In, local},
		{"wide rows of out-edges", large, 64, ir.Out, local},
		{"narrow rows", large, 63, ir.In, natural},
		{"two sets of vertices", groupsOf(t, groups, size, localEdges, true), 64, ir.In, natural},
		{"few edges", groupsOf(t, groups, size, localEdges-1, false), 64, ir.Out, natural},
		{"a small table", smaller, 64, ir.In, natural},
		{"a larger table", smaller, 65, ir.In, local},
	} {
		b := ir.NewBuilder("sum", ir.F32, c.g.IsBipartite())
		b.Output("sum", b.Sum(c.dir, b.Input("h", c.dir.Rows().Other(), ir.Shape{c.columns})))
		x := Compile[float32](plan.Build(b.Program()))
		if got := x.steps[0].(*kernel[float32]).edges(x, c.g); got == nil || got != c.want[c.dir](c.g) {
			t.Errorf("%s: rows are walked in order of ids: %v", c.what, got == natural[c.dir](c.g))
		}
	}
}
