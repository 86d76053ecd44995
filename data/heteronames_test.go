// Tests of heterogeneous datasets under the names of their types.

package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// mixedTypes is a dataset whose vertices and edges of different types take turns.
func mixedTypes(t *testing.T) *HeteroDataset {
	t.Helper()
	const n = 20
	vertexTypes := make([]int32, n) // 0 1 2 0 1 2 ...; none is of type 3
	for v := range vertexTypes {
		vertexTypes[v] = int32(v % 3)
	}
	ends := [][2]int32{{0, 1}, {1, 0}, {2, 2}, {1, 2}}
	var src, dst, types []int32
	pick := func(typ int32, random uint64) int32 { return typ + 3*int32(random%6) }
	for e := range uint64(60) {
		r := int32(rng.Hash(1, e) % 4)
		src, dst = append(src, pick(ends[r][0], rng.Hash(2, e))), append(dst, pick(ends[r][1], rng.Hash(3, e)))
		types = append(types, r)
	}
	g, err := graph.New(n, src, dst, graph.WithVertexTypes(vertexTypes, 4), graph.WithEdgeTypes(types, 4))
	if err != nil {
		t.Fatal(err)
	}
	return &HeteroDataset{
		Name: "mixed", Graph: g, VertexTypes: []string{"a", "b", "c", "none"}, EdgeTypes: []string{"to", "to", "loop", "to"}, EdgeEnds: ends,
		Features: make([]Features, 4), Weights: make([]float32, 60),
		Labels: slices.Repeat([]int32{NoLabel}, n), Train: []int32{}, Val: []int32{}, Test: []int32{},
	}
}

func TestHeteroNamesTheTypes(t *testing.T) {
	d := mixedTypes(t)
	h, view, err := d.Hetero()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(h.VertexTypes(), h.EdgeTypes()[0], h.EdgeTypes()[3]); got != fmt.Sprint(d.VertexTypes, graph.EdgeType{Src: "a", Name: "to", Dst: "b"}, graph.EdgeType{Src: "b", Name: "to", Dst: "c"}) {
		t.Errorf("types %s", got)
	}
	all := h.Homogeneous()
	at := func(v int32) int32 { return all.VertexIDs[d.Graph.VertexTypes()[v]][view.LocalVertex[v]] }
	for e, r := range d.Graph.EdgeTypes() {
		moved := all.EdgeIDs[r][view.LocalEdge[e]]
		if all.Graph.Src()[moved] != at(d.Graph.Src()[e]) || all.Graph.Dst()[moved] != at(d.Graph.Dst()[e]) || all.Graph.EdgeTypes()[moved] != r {
			t.Errorf("edge %d is another one under the names", e)
		}
	}
}

func TestHeteroRefusesTypesThatHaveNoNameOfTheirOwn(t *testing.T) {
	noEdge, twice, half, few := mixedTypes(t), mixedTypes(t), mixedTypes(t), mixedTypes(t)
	half.EdgeEnds = slices.Clone(half.EdgeEnds)
	half.EdgeEnds[1] = [2]int32{0, -1}
	few.EdgeEnds = few.EdgeEnds[:3]
	noEdge.EdgeEnds = slices.Clone(noEdge.EdgeEnds)
	noEdge.EdgeEnds[1] = [2]int32{-1, -1}
	twice.VertexTypes = []string{"a", "a", "c", "none"}
	for d, want := range map[*HeteroDataset]string{noEdge: "data: mixed: there is no edge of type to", twice: `data: mixed: graph: FromHomogeneous`,
		half: "data: mixed: edges of type to go from vertex type 0 to -1, there are 4 types", few: "data: mixed: ends of 3 edge types of 4"} {
		if _, _, err := d.Hetero(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestHeteroSelfLoopsAreOnEveryVertex(t *testing.T) {
	d := mixedTypes(t)
	before := fmt.Sprint(d)
	out := d.AddSelfLoops()
	if err := out.Validate(); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(d) != before {
		t.Error("the dataset itself has changed")
	}
	n, old := d.Graph.NumVertices(), d.Graph.NumEdges()
	if out.Graph.NumEdges() != old+n || len(out.EdgeTypes) != 4+3 || len(out.Weights) != old+n {
		t.Fatalf("%d edges, %d edge types, %d weights", out.Graph.NumEdges(), len(out.EdgeTypes), len(out.Weights))
	}
	for v, typ := range d.Graph.VertexTypes() {
		e := old + v
		r := out.Graph.EdgeTypes()[e]
		if out.Graph.Src()[e] != int32(v) || out.Graph.Dst()[e] != int32(v) || out.EdgeTypes[r] != selfLoop || out.EdgeEnds[r] != [2]int32{typ, typ} || out.Weights[e] != 1 {
			t.Errorf("edge %d of type %d is not the loop at %d", e, r, v)
		}
	}
	if !slices.Equal(out.Graph.Src()[:old], d.Graph.Src()) || !slices.Equal(out.Graph.EdgeTypes()[:old], d.Graph.EdgeTypes()) {
		t.Error("the edges before the loops are not those of the dataset")
	}
	if _, _, err := out.Hetero(); err != nil {
		t.Error(err)
	}
}
