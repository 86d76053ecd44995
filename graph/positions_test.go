package graph

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
)

func TestPositionsNameTheSameEdgesInAnotherList(t *testing.T) {
	r := rand.New(rng.NewStream(5))
	for _, n := range []int{0, 1, 500} {
		src, dst, types, order := make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, 40)
		for e := range n {
			src[e], dst[e], types[e] = int32(r.IntN(40)), int32(r.IntN(40)), int32(r.IntN(3))
		}
		for i, v := range r.Perm(40) {
			order[i] = int32(v)
		}
		for _, opts := range [][]Option{nil, {WithEdgeTypes(types, 3)}} {
			g, err := New(40, src, dst, opts...)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []*CSR{g.In(), g.Out(), g.In().InOrder(order), g.Out().InOrder(order)} {
				for _, home := range []*CSR{g.In(), g.Out()} {
					positions := c.PositionsIn(home)
					if len(positions) != n || cap(positions) < n+padding {
						t.Fatalf("%d edges: %d positions with room for %d", n, len(positions), cap(positions))
					}
					for i, p := range positions {
						if home.EdgeIDs[p] != c.EdgeIDs[i] || c == home && int(p) != i {
							t.Fatalf("%d edges: position %d is that of edge %d, want edge %d", n, p, home.EdgeIDs[p], c.EdgeIDs[i])
						}
					}
				}
			}
		}
	}
}

func TestPositionsAreFoundOnceForAllGoroutines(t *testing.T) {
	g, err := New(3, []int32{2, 1, 0}, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	var first [8]*int32
	var wg sync.WaitGroup
	for i := range first {
		wg.Go(func() { first[i] = &g.Out().PositionsIn(g.In())[0] })
	}
	wg.Wait()
	for _, p := range first {
		if p != first[0] {
			t.Error("positions were found twice")
		}
	}
}
