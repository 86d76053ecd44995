// Tests of connected components.

package graph

import (
	"slices"
	"testing"
)

func TestConnectedComponentsAreThoseOfRepeatedMinima(t *testing.T) {
	for name, g := range randomGraphs(t) {
		label := iota32(g.NumVertices()) // the smallest vertex that is known to be joined
		for range g.NumVertices() {
			for e, u := range g.Src() {
				v := g.Dst()[e]
				label[u] = min(label[u], label[v])
				label[v] = label[u]
			}
		}
		smallest := slices.Compact(slices.Sorted(slices.Values(label)))
		component, n := g.ConnectedComponents()
		if n != len(smallest) || len(component) != g.NumVertices() {
			t.Errorf("%s: %d components of %d vertices, want %d of %d", name, n, len(component), len(smallest), g.NumVertices())
			continue
		}
		for v, c := range component {
			if smallest[c] != label[v] {
				t.Errorf("%s: vertex %d is in component %d, that of vertex %d, want that of %d", name, v, c, smallest[c], label[v])
			}
		}
	}
}
