package cpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func TestPositionsOfATilesEdgesNameTheseEdges(t *testing.T) {
	g := random("edges", rand.New(rng.NewStream(71)), 60, 60, 700, false).build(t)
	x := Compile[float32](plan.Build(attentionBackward(1, 16)))
	lists := map[string]*graph.CSR{"in": g.In(), "out": g.Out(), "in, shuffled": shuffled(g, ir.Dst), "out, shuffled": shuffled(g, ir.Src)}
	for name, csr := range lists {
		for at, home := range map[place]*graph.CSR{inEdgeBuffer: g.In(), outEdgeBuffer: g.Out()} {
			for _, found := range [][]int32{nil, {0, 3, 4, 17}} {
				w := (&run[float32]{prog: x, g: g}).worker()
				w.at(csr, 100, 120)
				if found != nil { // as winners do
					w.found, w.edges, w.edgeIDs = found, len(found), take(make([]int32, len(found)), w.edgeIDs, found)
				}
				where := fmt.Sprintf("%s, those at place %d, of which %v", name, at, found)
				positions := w.positions(at)
				if len(positions) != w.edges {
					t.Fatalf("%s: %d positions of %d edges", where, len(positions), w.edges)
				}
				for e, p := range positions {
					if home.EdgeIDs[p] != w.edgeIDs[e] {
						t.Errorf("%s: edge %d is %d, at its position is %d", where, e, w.edgeIDs[e], home.EdgeIDs[p])
					}
				}
				begin, ok := w.inOrder(at)
				if want := csr == home && found == nil; ok != want || ok && !slices.Equal(home.EdgeIDs[begin:begin+w.edges], w.edgeIDs) {
					t.Errorf("%s: side by side from %d on: %v, want %v", where, begin, ok, want)
				}
				if w.at(csr, 300, 310); !slices.Equal(w.positions(at), csr.PositionsIn(home)[300:310]) {
					t.Errorf("%s: the next tile is found elsewhere", where)
				}
			}
		}
	}
}

func TestWhatSortedEdgesHaveLiesSideBySideForRows(t *testing.T) {
	g := random("edges", rand.New(rng.NewStream(73)), 60, 60, 700, false).build(t)
	sorted, _ := g.SortEdges()
	x := Compile[float32](plan.Build(mustParse(gcnText)))
	for _, c := range []struct {
		what string
		g    *graph.Graph
		csr  *graph.CSR
		want bool
	}{{"sorted, in", sorted, sorted.In(), true}, {"sorted, out", sorted, sorted.Out(), false}, {"in", g, g.In(), false}} {
		w := (&run[float32]{prog: x, g: c.g}).worker()
		w.at(c.csr, 100, 120)
		if begin, ok := w.inOrder(edgeBuffer); ok != c.want || ok && begin != 100 {
			t.Errorf("%s: side by side from %d on: %v, want %v", c.what, begin, ok, c.want)
		}
		if w.found = []int32{0}; c.want {
			if _, ok := w.inOrder(edgeBuffer); ok {
				t.Errorf("%s: some edges of a tile are side by side", c.what)
			}
		}
	}
}

func TestKeptEdgeValuesLieInTheOrderOfWhoKeepsThem(t *testing.T) {
	r := rand.New(rng.NewStream(72))
	for _, heads := range []int{1, 4} {
		p := irtest.Kept(heads, 32)
		pl := plan.Build(p)
		x := Compile[float64](pl)
		homes := make(map[place]int)
		for _, s := range x.steps {
			for _, l := range s.(*kernel[float64]).loops {
				for _, i := range l.stores {
					to := map[ir.Residency]place{ir.Dst: inEdgeBuffer, ir.Src: outEdgeBuffer}[s.(*kernel[float64]).rows]
					homes[to]++
					kept := i.(*store[float64])
					if kept.to != to {
						t.Errorf("%d heads: a kernel keeps edges at place %d, want %d", heads, kept.to, to)
					}
					if kept.x.home != to || kept.x.buffer != kept.buffer {
						t.Errorf("%d heads: what is kept of edges is computed elsewhere, and copied", heads)
					}
				}
			}
		}
		if homes[inEdgeBuffer] == 0 || homes[outEdgeBuffer] == 0 {
			t.Fatalf("%d heads: nothing is kept of edges in one of the orders:\n%s", heads, pl)
		}
		for _, e := range append(graphs(), random("more", r, 300, 300, 3000, false)) {
			mustAgree(t, p, e, 73)
		}
		mustAgreeInParts(t, p, star(600), 74)
	}
}
