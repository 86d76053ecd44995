package graph

import (
	"fmt"
	"slices"
	"testing"
)

// coverKey is a row or a vertex at the other ends, and a type.
type coverKey struct{ vertex, typ int32 }

func TestCoverHasEveryEdgeOnceInOrder(t *testing.T) {
	for name, g := range randomTypedGraphs(t) {
		for dir, c := range map[string]*CSR{"in": g.In(), "out": g.Out()} {
			for _, sources := range []bool{false, true} {
				v := c.Cover(sources)
				if v == nil {
					if c.Types != nil && max(c.NumRows(), c.NumCols())*g.NumEdgeTypes() <= 3*g.NumEdges() {
						t.Errorf("%s, %s: no cover", name, dir)
					}
					continue
				}
				mustCover(t, fmt.Sprintf("%s, %s, sources %v", name, dir, sources), c, g.NumEdgeTypes(), v, sources)
			}
		}
	}
}

// mustCover checks a cover against the edges.
func mustCover(t *testing.T, what string, c *CSR, types int, v *Cover, sources bool) {
	t.Helper()
	want := make(map[coverKey][]int32)
	for r := range c.NumRows() {
		for p := c.Offsets[r]; p < c.Offsets[r+1]; p++ {
			k := coverKey{int32(r), c.Types[p]}
			want[k] = append(want[k], c.Neighbors[p])
		}
	}
	got := make(map[coverKey][]int32)
	put := func(k coverKey, others []int32) {
		if len(others) == 0 || len(got[k]) > 0 {
			t.Fatalf("%s: pair %v has edges to %v, and to %v before", what, k, others, got[k])
		}
		got[k] = others
	}
	sourceRows := make([][]int32, len(v.Sources))
	for b := range v.NumBlocks() {
		lo, hi := v.Rows[b], v.Rows[b+1]
		edges := int(c.Offsets[hi] - c.Offsets[lo])
		first, last := v.PairOffsets[b*types], v.PairOffsets[(b+1)*types]
		if hi <= lo || hi-lo > CoverRows || int(last-first) >= max(CoverPairs, CoverTypePairs*types)+types || edges > LongRow && hi-lo > 1 {
			t.Fatalf("%s: block %d has rows [%d, %d), %d pairs and %d edges", what, b, lo, hi, last-first, edges)
		}
		for typ := range types {
			before, most := int32(-1), int32(0)
			for p := v.PairOffsets[b*types+typ]; p < v.PairOffsets[b*types+typ+1]; p++ {
				r := v.PairRows[p]
				edges := v.EdgeOffsets[p+1] - v.EdgeOffsets[p]
				if edges < most || edges == most && r <= before || r < lo || r >= hi || int(v.PairPlaces[p]) != int(r-lo)*types+typ {
					t.Fatalf("%s: pair %d of block %d is of row %d after %d, with %d edges after %d, at %d", what, p, b, r, before, edges, most, v.PairPlaces[p])
				}
				before, most = r, edges
				put(coverKey{r, int32(typ)}, v.Direct[v.EdgeOffsets[p]:v.EdgeOffsets[p+1]])
			}
		}
		for r := lo; r < hi; r++ {
			var places []int32
			for _, p := range v.RowPairs[v.RowOffsets[r]:v.RowOffsets[r+1]] {
				if v.PairRows[first+p] != r {
					t.Fatalf("%s: row %d lists a pair of row %d", what, r, v.PairRows[first+p])
				}
				places = append(places, v.PairPlaces[first+p])
			}
			through := make(map[coverKey][]int32)
			for i := v.ThroughOffsets[r]; i < v.ThroughOffsets[r+1]; i++ {
				s, typ := v.Through[i], v.ThroughPlaces[i]-(r-lo)*int32(types)
				if typ < 0 || int(typ) >= types || s < v.OfTypes[typ] || s >= v.OfTypes[typ+1] {
					t.Fatalf("%s: row %d has an edge at %d through source %d", what, r, typ, s)
				}
				sourceRows[s] = append(sourceRows[s], r)
				k := coverKey{r, typ}
				through[k] = append(through[k], v.Sources[s])
			}
			for k, others := range through {
				put(k, others)
				places = append(places, (r-lo)*int32(types)+k.typ)
			}
			if len(through) > 0 && c.Degree(int(r)) > LongRow {
				t.Fatalf("%s: row %d of %d edges has through ones", what, r, c.Degree(int(r)))
			}
			slices.Sort(places)
			if len(slices.Compact(places)) != len(places) {
				t.Fatalf("%s: row %d has places %v", what, r, places)
			}
		}
	}
	if v.NumBlocks() > 0 && (v.Rows[0] != 0 || int(v.Rows[v.NumBlocks()]) != c.NumRows()) {
		t.Fatalf("%s: blocks of rows [%d, %d) of %d", what, v.Rows[0], v.Rows[v.NumBlocks()], c.NumRows())
	}
	for k, others := range want {
		if !slices.Equal(got[k], others) {
			t.Fatalf("%s: pair %v has edges to %v, want %v", what, k, got[k], others)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d pairs, want %d", what, len(got), len(want))
	}
	for s, rows := range sourceRows {
		if list := v.SourceRows[v.SourceOffsets[s]:v.SourceOffsets[s+1]]; len(list) == 0 || len(list) > LongRow || !slices.Equal(list, rows) {
			t.Fatalf("%s: source %d has %d rows, want %d", what, s, len(list), len(rows))
		}
	}
	if !sources && len(v.Sources) > 0 {
		t.Fatalf("%s: %d sources", what, len(v.Sources))
	}
}

// A greatest matching has as many edges as the least cover has pairs.
func leastCover(c *CSR, types int) int {
	edges := make(map[coverKey][]coverKey)
	for r := range c.NumRows() {
		for p := c.Offsets[r]; p < c.Offsets[r+1]; p++ {
			k := coverKey{int32(r), c.Types[p]}
			edges[k] = append(edges[k], coverKey{c.Neighbors[p], c.Types[p]})
		}
	}
	matched := make(map[coverKey]coverKey)
	var seen map[coverKey]bool
	var augment func(k coverKey) bool
	augment = func(k coverKey) bool {
		for _, u := range edges[k] {
			if seen[u] {
				continue
			}
			seen[u] = true
			if other, ok := matched[u]; !ok || augment(other) {
				matched[u] = k
				return true
			}
		}
		return false
	}
	n := 0
	for k := range edges {
		seen = make(map[coverKey]bool)
		if augment(k) {
			n++
		}
	}
	return n
}

func TestCoverIsSmall(t *testing.T) {
	for name, g := range randomTypedGraphs(t) {
		for dir, c := range map[string]*CSR{"in": g.In(), "out": g.Out()} {
			v := c.Cover(true)
			if v == nil {
				continue
			}
			least := leastCover(c, g.NumEdgeTypes())
			if n := len(v.PairRows) + len(v.Sources); n < least || n > least+least/4+1 {
				t.Errorf("%s, %s: %d products, the least are %d", name, dir, n, least)
			}
		}
	}
}

func TestLeavesOfHubsNeedNoProducts(t *testing.T) {
	const leaves = LongRow + 100
	var src, dst, types []int32
	for i := range int32(leaves) {
		src, dst, types = append(src, 0, i+1), append(dst, i+1, 0), append(types, i%2, i%2)
	}
	g := mustNew(t, leaves+1, src, dst, WithEdgeTypes(types, 2))
	for dir, c := range map[string]*CSR{"in": g.In(), "out": g.Out()} {
		v := c.Cover(true)
		mustCover(t, dir, c, 2, v, true)
		if len(v.PairRows) != 2 || len(v.Sources) != 2 {
			t.Errorf("%s: %d pairs and %d sources, want 2 and 2", dir, len(v.PairRows), len(v.Sources))
		}
	}
}

func TestAVertexWithVeryManyEdgesIsSeveralSources(t *testing.T) {
	const leaves = 2*LongRow + 1
	var src, dst []int32
	for i := range int32(leaves) {
		src, dst = append(src, 0), append(dst, i+1)
	}
	g := mustNew(t, leaves+1, src, dst, WithEdgeTypes(make([]int32, leaves), 1))
	v := g.In().Cover(true)
	mustCover(t, "in", g.In(), 1, v, true)
	if !slices.Equal(v.Sources, []int32{0, 0, 0}) || len(v.PairRows) != 0 {
		t.Errorf("sources %v, want vertex 0 three times, and %d pairs, want none", v.Sources, len(v.PairRows))
	}
}

func TestCoverIsBuiltOnceAndOnlyOfManyEdges(t *testing.T) {
	g := mustNew(t, 2, []int32{0, 1}, []int32{1, 1}, WithEdgeTypes([]int32{2, 0}, 3))
	direct, shared := g.In().Cover(false), g.In().Cover(true)
	if direct == nil || direct == shared || direct != g.In().Cover(false) || shared != g.In().Cover(true) {
		t.Error("want two covers, each made once")
	}
	g = mustNew(t, 3, []int32{0, 1}, []int32{1, 1}, WithEdgeTypes([]int32{2, 0}, 3))
	if g.In().Cover(false) != nil {
		t.Error("9 pairs of rows and types of 2 edges are listed")
	}
	if mustNew(t, 2, []int32{0}, []int32{1}).In().Cover(true) != nil {
		t.Error("a cover without types")
	}
}
