package main

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestEdgesAreInOrderOfTheMatrixWithoutLoops(t *testing.T) {
	for _, s := range []size{sizeOf("tiny"), sizeOf("cora-sized"), {name: "rmat", vertices: 300, edges: 5000, features: 2, classes: 2, powerLaw: true}} {
		p, err := s.build()
		if err != nil {
			t.Fatal(err)
		}
		src, dst := p.g.Src(), p.g.Dst()
		if p.g.NumVertices() != s.vertices || len(src) == 0 || len(src) > s.edges || p.g.NumEdgeTypes() != relations {
			t.Errorf("%s: %v", s.name, p.g)
		}
		if !slices.IsSorted(dst) || !slices.IsSorted(p.g.In().EdgeIDs) {
			t.Errorf("%s: edges are not in order", s.name)
		}
		for i := range src {
			if src[i] == dst[i] {
				t.Fatalf("%s: edge %d is a loop", s.name, i)
			}
		}
		if total := tensor.Sum(p.labels(), false).Item(); total != float64(s.vertices) {
			t.Errorf("%s: %v labels", s.name, total)
		}
	}
}
