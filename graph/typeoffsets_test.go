package graph

import "testing"

func TestOffsetsOfTypesCutEachRowByType(t *testing.T) {
	for name, g := range randomTypedGraphs(t) {
		types := g.NumEdgeTypes()
		for dir, rows := range map[string]*CSR{"in": g.In(), "out": g.Out()} {
			offsets := rows.TypeOffsets(types)
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
	if a, b := g.In().TypeOffsets(3), g.In().TypeOffsets(3); &a[0] != &b[0] {
		t.Error("the second call made its own")
	}
}
