// Tests of the lists of edges that are in order already.

package graph

import "testing"

func TestEdgesInOrderKeepTheirLists(t *testing.T) {
	for _, c := range []struct {
		name     string
		src, dst []int32
		types    []int32 // nil for none
		in, out  bool    // in order of destinations, of sources
	}{
		{"of destinations", []int32{3, 0, 3, 1, 0, 2}, []int32{0, 0, 1, 1, 1, 3}, nil, true, false},
		{"of sources", []int32{0, 0, 1, 1, 1, 3}, []int32{3, 0, 3, 1, 0, 2}, nil, false, true},
		{"of both", []int32{1, 1, 2}, []int32{0, 2, 2}, nil, true, true},
		{"of neither", []int32{2, 1, 2}, []int32{3, 2, 2}, nil, false, false},
		{"but the last", []int32{0, 1, 0}, []int32{1, 2, 1}, nil, false, false},
		{"of types", []int32{3, 0, 3, 1, 0}, []int32{0, 0, 1, 1, 2}, []int32{0, 2, 1, 1, 0}, true, false},
		{"but for types", []int32{3, 0, 3, 1, 0}, []int32{0, 0, 1, 1, 2}, []int32{0, 2, 2, 1, 0}, false, false},
		{"of types alone", []int32{3, 0, 1}, []int32{2, 1, 3}, []int32{0, 1, 2}, false, false},
		{"no edges", nil, nil, nil, true, true},
		{"no edges of types", nil, nil, []int32{}, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var opts []Option
			if c.types != nil {
				opts = append(opts, WithEdgeTypes(c.types, 3))
			}
			g := mustNew(t, 4, c.src, c.dst, opts...)
			in, out := g.In(), g.Out()
			if lists := sameList(in.Neighbors, g.Src()); lists != c.in {
				t.Errorf("In has the list of sources: %v, want %v", lists, c.in)
			}
			if lists := sameList(out.Neighbors, g.Dst()); lists != c.out {
				t.Errorf("Out has the list of destinations: %v, want %v", lists, c.out)
			}
			if c.types != nil && (sameList(in.Types, g.EdgeTypes()) != c.in || sameList(out.Types, g.EdgeTypes()) != c.out) {
				t.Error("types are in the list of the graph, or not, unlike neighbours")
			}
			if sorted := g.edgesByType.order != nil; sorted != (c.types != nil && !(c.in && c.out)) {
				t.Errorf("edges are sorted by type: %v", sorted)
			}
			if in.IDsInOrder() != c.in || out.IDsInOrder() != c.out {
				t.Errorf("ids in order: %v and %v, want %v and %v", in.IDsInOrder(), out.IDsInOrder(), c.in, c.out)
			}
			checkGraph(t, g)
		})
	}
}

// sameList tells whether two lists, which have spare entries, are one.
func sameList(a, b []int32) bool { return &a[:1][0] == &b[:1][0] }
