package cpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// leaves is a graph whose rows, in a direction, have one edge or two, from few hubs.
func leaves(d ir.Dir, hubs, n int) edges {
	r := rand.New(rng.NewStream(91))
	e := edges{name: fmt.Sprintf("leaves of %d hubs", hubs), src: hubs + n, dst: hubs + n}
	for leaf := range n {
		for range 1 + leaf%2 {
			e.from, e.to = append(e.from, int32(r.IntN(hubs))), append(e.to, int32(hubs+leaf))
		}
	}
	if d == ir.Out {
		e.from, e.to = e.to, e.from
	}
	return e
}

func TestProductsOfFewSourcesAgreeWithTheInterpreter(t *testing.T) {
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		for _, numTypes := range []int{1, 4} {
			for i, dims := range [][2]int{{1, 1}, {8, 16}, {16, 33}, {64, 3}} {
				types := ir.Types{Src: 1, Dst: 1, Edge: numTypes}
				p := relational(types, dims[0], dims[1], d, i%2 == 0, i == 1 || i == 2)
				for _, hubs := range []int{1, 3, 40} {
					e := leaves(d, hubs, 300).withTypes(types)
					mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 7), 7, 1e-4)
				}
			}
		}
	}
}

func TestSourcesAreThePairsOfRowsAndTypesThatEdgesRead(t *testing.T) {
	r := rand.New(rng.NewStream(92))
	var s sources
	for range 300 {
		types, rows := 1+r.IntN(5), 1+r.IntN(20)
		typeOf, ids, rowOf := make([]int32, r.IntN(200)), []int32(nil), []int32(nil)
		pairs := make(map[source]bool)
		for e := range typeOf {
			typeOf[e] = int32(r.IntN(types))
			ids, rowOf = append(ids, int32(r.IntN(12)*1000)), append(rowOf, int32(r.IntN(rows)))
			pairs[source{ids[e], typeOf[e]}] = true
		}
		if n := len(pairs); n > 0 && s.find(typeOf, ids, types, n-1) {
			t.Fatalf("%d sources where no more than %d are wanted", n, n-1)
		}
		if !s.find(typeOf, ids, types, len(pairs)) {
			t.Fatalf("not all of %d sources", len(pairs))
		}
		if len(s.ids) != len(pairs) || int(s.ofTypes[types]) != len(pairs) {
			t.Fatalf("%d sources, %v of the types, want %d", len(s.ids), s.ofTypes, len(pairs))
		}
		for e, i := range s.ofEdge {
			if s.ids[i] != ids[e] || i < s.ofTypes[typeOf[e]] || i >= s.ofTypes[typeOf[e]+1] {
				t.Fatalf("edge %d of type %d reads %d, its source %d is %d", e, typeOf[e], ids[e], i, s.ids[i])
			}
		}
		s.sortEdges(rowOf)
		edge := 0
		for i := range s.ids {
			last := int32(-1)
			for at := s.bounds[i]; at < s.bounds[i+1]; at++ {
				e := s.order[at]
				if int(s.ofEdge[e]) != i || s.rows[at] != rowOf[e] || e <= last {
					t.Fatalf("source %d has edge %d of source %d and row %d after edge %d, want row %d", i, e, s.ofEdge[e], s.rows[at], last, rowOf[e])
				}
				edge, last = edge+1, e
			}
		}
		if edge != len(ids) {
			t.Fatalf("sources have %d edges, want %d", edge, len(ids))
		}
	}
}

func TestSourcesAreNotLookedForWhereEveryEdgeHasItsOwn(t *testing.T) {
	typeOf, ids := make([]int32, 1000), make([]int32, 1000)
	for e := range ids {
		ids[e] = int32(e % 600)
	}
	var s sources
	if s.find(typeOf, ids, 1, 600) || len(s.found) > 100 {
		t.Errorf("%d sources were found", len(s.found))
	}
}
