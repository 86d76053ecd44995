// Tests of the virtual vertex.

package graph

import (
	"slices"
	"testing"
)

func TestVirtualVertexIsJoinedWithAllOthersBothWays(t *testing.T) {
	for name, g := range randomGraphs(t) {
		t.Run(name, func(t *testing.T) {
			out, edges := g.AddVirtualVertex()
			checkGraph(t, out)
			n := int32(g.NumVertices())
			want, wantEdges := arcsOf(g), iota32(g.NumEdges())
			to, from := int32(-1), int32(-1)
			if g.EdgeTypes() != nil {
				to, from = int32(g.NumEdgeTypes()), int32(g.NumEdgeTypes())+1
				if out.NumEdgeTypes() != g.NumEdgeTypes()+2 {
					t.Errorf("%d edge types, want two more than %d", out.NumEdgeTypes(), g.NumEdgeTypes())
				}
			}
			for v := range n {
				want, wantEdges = append(want, arc{v, n, to}), append(wantEdges, -1)
			}
			for v := range n {
				want, wantEdges = append(want, arc{n, v, from}), append(wantEdges, -1)
			}
			if !slices.Equal(arcsOf(out), want) || !slices.Equal(edges, wantEdges) || out.NumVertices() != int(n)+1 {
				t.Errorf("%v: got %v of edges %v, want %v of %v", out, arcsOf(out), edges, want, wantEdges)
			}
			if types := g.VertexTypes(); types == nil && out.VertexTypes() != nil ||
				types != nil && (!slices.Equal(out.VertexTypes(), append(slices.Clone(types), int32(g.NumVertexTypes()))) || out.NumVertexTypes() != g.NumVertexTypes()+1) {
				t.Errorf("types of vertices %v of %d, were %v of %d", out.VertexTypes(), out.NumVertexTypes(), types, g.NumVertexTypes())
			}
		})
	}
}
