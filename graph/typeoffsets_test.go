package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOffsetsOfTypesCutEachRowByType(t *testing.T) {
	for name, g := range randomTypedGraphs(t) {
		types := g.NumEdgeTypes()
		all := map[string]*CSR{"in": g.In(), "out": g.Out()}
		if g.EdgeTypes() != nil {
			byRelation, err := g.SourcesByRelation()
			if err != nil {
				t.Fatal(err)
			}
			all["by relation, in"], all["by relation, out"] = byRelation.In(), byRelation.Out()
		}
		for dir, rows := range all {
			offsets := rows.TypeOffsets()
			if rows.Types == nil {
				if offsets != nil {
					t.Errorf("%s, %s: offsets %v without types", name, dir, offsets)
				}
				continue
			}
			if len(offsets) != rows.NumRows()*types+1 {
				t.Fatalf("%s, %s: %d offsets of %d rows by %d types", name, dir, len(offsets), rows.NumRows(), types)
			}
			at := int32(0)
			for r := range rows.NumRows() {
				for typ := range types {
					if offsets[r*types+typ] != at {
						t.Fatalf("%s, %s: row %d, type %d begins at %d, want %d", name, dir, r, typ, offsets[r*types+typ], at)
					}
					for at < rows.Offsets[r+1] && int(rows.Types[at]) == typ {
						at++
					}
				}
			}
			if last := offsets[len(offsets)-1]; last != at || int(at) != g.NumEdges() {
				t.Errorf("%s, %s: the last offset is %d, the rows end at %d of %d edges", name, dir, last, at, g.NumEdges())
			}
		}
	}
}

func TestOffsetsOfTypesAreBuiltOnce(t *testing.T) {
	g := mustNew(t, 2, []int32{0, 1}, []int32{1, 1}, WithEdgeTypes([]int32{2, 0}, 3))
	if a, b := g.In().TypeOffsets(), g.In().TypeOffsets(); &a[0] != &b[0] {
		t.Error("the second call made its own")
	}
}

func TestCutByTypeCutsAnyRowsOfEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	var bounds []int32
	for range 200 {
		rows, types := r.IntN(6), 1+r.IntN(5)
		offsets, typeOf := []int32{int32(r.IntN(9))}, []int32(nil)
		want := []int32{0}
		for row := range rows {
			for typ := range types {
				for range r.IntN(4) * r.IntN(2) {
					typeOf = append(typeOf, int32(typ))
				}
				want = append(want, int32(len(typeOf)))
			}
			offsets = append(offsets, offsets[0]+want[(row+1)*types])
		}
		if bounds = CutByType(bounds, offsets, typeOf, types); !slices.Equal(bounds, want) {
			t.Fatalf("rows %v, types %v: %v, want %v", offsets, typeOf, bounds, want)
		}
	}
}
