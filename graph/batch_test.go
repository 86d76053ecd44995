// Tests of batching.

package graph

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestBatchIsUndoneByUnbatch(t *testing.T) {
	all := randomGraphs(t)
	for name, names := range map[string][]string{
		"none":    {},
		"one":     {"medium"},
		"several": {"dense", "no vertices", "one vertex", "no edges", "sparse", "star", "dense"},
		"typed":   {"typed", "typed"},
		"vertex":  {"vertex types", "vertex types"},
	} {
		t.Run(name, func(t *testing.T) {
			gs := make([]*Graph, len(names))
			for i, n := range names {
				gs[i] = all[n]
			}
			g, info, err := Batch(gs...)
			if err != nil {
				t.Fatal(err)
			}
			checkGraph(t, g)
			if info.NumGraphs() != len(gs) || len(info.GraphOf) != g.NumVertices() {
				t.Fatalf("%d graphs and %d vertices in the info", info.NumGraphs(), len(info.GraphOf))
			}
			for v, i := range info.GraphOf {
				if int32(v) < info.VertexOffsets[i] || int32(v) >= info.VertexOffsets[i+1] {
					t.Errorf("vertex %d is said to be of graph %d", v, i)
				}
			}
			back, err := Unbatch(g, info)
			if err != nil {
				t.Fatal(err)
			}
			if len(back) != len(gs) {
				t.Fatalf("%d graphs came back of %d", len(back), len(gs))
			}
			for i := range gs {
				sameGraph(t, back[i], gs[i])
				checkGraph(t, back[i])
			}
		})
	}
}

func TestBatchOfKnownGraphs(t *testing.T) {
	a := mustNew(t, 2, []int32{0}, []int32{1})
	b := mustNew(t, 3, []int32{2, 1}, []int32{0, 1})
	g, info, err := Batch(a, b)
	if err != nil {
		t.Fatal(err)
	}
	sameGraph(t, g, mustNew(t, 5, []int32{0, 4, 3}, []int32{1, 2, 3}))
	if !slices.Equal(info.VertexOffsets, []int32{0, 2, 5}) || !slices.Equal(info.EdgeOffsets, []int32{0, 1, 3}) || !slices.Equal(info.GraphOf, []int32{0, 0, 1, 1, 1}) {
		t.Errorf("info %+v", info)
	}
}

func TestBatchRejectsGraphsThatDoNotAgree(t *testing.T) {
	all := randomGraphs(t)
	bipartite, err := NewBipartite(1, 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		gs   []*Graph
		want string
	}{
		{"nil", []*Graph{all["star"], nil}, "graph 1 is nil"},
		{"bipartite", []*Graph{all["star"], bipartite}, "bipartite"},
		{"typed and not", []*Graph{all["star"], all["typed"]}, "graphs 0 and 1: 0 and 5 edge types"},
		{"untyped and of no types", []*Graph{all["no edges"], mustNew(t, 1, nil, nil, WithEdgeTypes(nil, 0))}, "edge types"},
		{"vertex types", []*Graph{mustNew(t, 1, nil, nil), mustNew(t, 1, nil, nil, WithVertexTypes([]int32{0}, 2))}, "0 and 2 vertex types"},
	} {
		if _, _, err := Batch(tt.gs...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	var misuse *BipartiteError
	if _, _, err := Batch(bipartite); !errors.As(err, &misuse) {
		t.Errorf("error %v does not wrap a *BipartiteError", err)
	}
}

func TestUnbatchRejectsOffsetsThatDoNotFit(t *testing.T) {
	g := mustNew(t, 4, []int32{0, 2}, []int32{1, 3})
	for _, tt := range []struct {
		name            string
		vertices, edges []int32
		want            string
	}{
		{"empty", nil, nil, "do not run from 0 to 4"},
		{"short", []int32{0, 3}, []int32{0, 2}, "do not run from 0 to 4"},
		{"late start", []int32{1, 4}, []int32{0, 2}, "do not run from 0 to 4"},
		{"descending", []int32{0, 3, 2, 4}, []int32{0, 1, 1, 2}, "vertex offset 2 is 2 after 3"},
		{"edges short", []int32{0, 4}, []int32{0, 1}, "edge offsets do not run from 0 to 2"},
		{"lengths", []int32{0, 2, 4}, []int32{0, 2}, "3 vertex offsets but 2 edge offsets"},
		{"crossing edge", []int32{0, 1, 4}, []int32{0, 1, 2}, "edge 0 (0, 1) leaves graph 0"},
	} {
		if _, err := Unbatch(g, &BatchInfo{VertexOffsets: tt.vertices, EdgeOffsets: tt.edges}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	bipartite, err := NewBipartite(1, 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Unbatch(bipartite, &BatchInfo{}); err == nil {
		t.Error("a bipartite graph was unbatched")
	}
	for _, f := range []func() ([]*Graph, error){
		func() ([]*Graph, error) { return Unbatch(nil, &BatchInfo{}) },
		func() ([]*Graph, error) { return Unbatch(g, nil) },
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), "nil") {
			t.Errorf("error %v, want one that says what is nil", err)
		}
	}
}

func TestZeroBatchHasNoGraphs(t *testing.T) {
	if n := new(BatchInfo).NumGraphs(); n != 0 {
		t.Errorf("%d graphs", n)
	}
}
