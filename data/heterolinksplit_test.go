// Tests of splits of the edges of a relation.

package data

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
)

// pairsOf counts the links that edges of a relation and its inverse stand for, as pairs of
// the relation's source and destination.
func pairsOf(h *graph.Hetero, relation, inverse graph.EdgeType, bothWays bool) map[[2]int32]int {
	out := map[[2]int32]int{}
	add := func(u, v int32) {
		if bothWays {
			u, v = min(u, v), max(u, v)
		}
		out[[2]int32{u, v}]++
	}
	for e, u := range h.Relation(relation).Src() {
		add(u, h.Relation(relation).Dst()[e])
	}
	if (inverse != graph.EdgeType{}) && inverse != relation {
		for e, v := range h.Relation(inverse).Src() {
			add(h.Relation(inverse).Dst()[e], v)
		}
	}
	return out
}

// mutual is a relation that has an edge back for each, and another of the same vertices.
func mutual(t *testing.T) *graph.Hetero {
	t.Helper()
	g := undirectedGraph(t, 30, 90, false)
	h, err := new(graph.HeteroBuilder).Vertices("movie", 3).Vertices("user", 30).
		Edges(wants, []int32{1, 7, 1}, []int32{2, 0, 1}).Edges(follows, g.Src(), g.Dst()).Build()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestSplitsOfARelationKeepEveryLinkInOnePart(t *testing.T) {
	first, last := filmGraph(t, true), filmGraph(t, false)
	back := last.Relation(ratedBy)
	films, err := new(graph.HeteroBuilder).Vertices("movie", 25).Vertices("user", 40).
		Edges(ratedBy, back.Src(), back.Dst()).Edges(wants, nil, nil).Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name              string
		h                 *graph.Hetero
		relation, inverse graph.EdgeType
		undirected        bool
		bothWays          bool // one link, whichever way its edges go
	}{
		{"an inverse that stands after it", last, rates, ratedBy, false, false},
		{"an inverse that stands before it", first, rates, ratedBy, false, false},
		{"the inverse itself", first, ratedBy, rates, false, false},
		{"one that is not all of its edges", last, has, of, false, false},
		{"an inverse that has all edges", films, wants, ratedBy, false, false},
		{"no inverse", last, rates, graph.EdgeType{}, false, false},
		{"within a type", last, follows, graph.EdgeType{}, false, false},
		{"its own inverse", last, follows, follows, false, true},
		{"undirected", mutual(t), follows, graph.EdgeType{}, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := LinkSplitConfig{Val: 0.2, Test: 0.1, Disjoint: 0.3, Undirected: tt.undirected, Negatives: 0.5, TrainNegatives: true, Seed: 5}
			s, err := RandomHeteroLinkSplit(tt.h, tt.relation, tt.inverse, c)
			if err != nil {
				t.Fatal(err)
			}
			again, err := RandomHeteroLinkSplit(tt.h, tt.relation, tt.inverse, c)
			if err != nil || !reflect.DeepEqual(again.Val.Links, s.Val.Links) || !reflect.DeepEqual(again.Test.Edges, s.Test.Edges) {
				t.Errorf("split again: error %v, or another split", err)
			}
			whole := pairsOf(tt.h, tt.relation, tt.inverse, tt.bothWays)
			key := func(u, v int32) [2]int32 {
				if tt.bothWays {
					u, v = min(u, v), max(u, v)
				}
				return [2]int32{u, v}
			}
			parts := []*HeteroLinkPart{&s.Train, &s.Val, &s.Test}
			trues, seen, falses := make([]map[[2]int32]bool, 3), map[[2]int32]bool{}, map[[2]int32]bool{}
			for i, p := range parts {
				trues[i] = map[[2]int32]bool{}
				if len(p.Links.Src) != len(p.Labels) || len(p.Links.Dst) != len(p.Labels) || p.Links.Types != nil {
					t.Fatalf("part %d has %d labels of %d links, types %v", i, len(p.Labels), len(p.Links.Src), p.Links.Types)
				}
				for k, label := range p.Labels {
					u, v := p.Links.Src[k], p.Links.Dst[k]
					if u < 0 || v < 0 || int(u) >= tt.h.NumVertices(tt.relation.Src) || int(v) >= tt.h.NumVertices(tt.relation.Dst) {
						t.Fatalf("part %d: link (%d, %d)", i, u, v)
					}
					x := key(u, v)
					if tt.bothWays && u > v {
						t.Errorf("part %d: link (%d, %d) has the larger vertex first", i, u, v)
					}
					if seen[x] || (whole[x] > 0) != (label == 1) || label != 0 && label != 1 {
						t.Errorf("part %d: link %v with label %v is there before: %v; it has %d edges", i, x, label, seen[x], whole[x])
					}
					seen[x] = true
					if label == 1 {
						trues[i][x] = true
					} else {
						falses[x] = true
					}
				}
				if n := len(p.Labels) - len(trues[i]); n != int(math.Round(0.5*float64(len(trues[i])))) {
					t.Errorf("part %d: %d false links for %d true ones", i, n, len(trues[i]))
				}
			}
			n := float64(len(whole))
			val, test := math.Round(0.2*n), math.Round(0.1*n)
			if train := math.Round(0.3 * (n - val - test)); len(trues[0]) != int(train) || len(trues[1]) != int(val) || len(trues[2]) != int(test) {
				t.Errorf("%d, %d and %d links of %v", len(trues[0]), len(trues[1]), len(trues[2]), n)
			}

			for i, p := range parts {
				// What is not shown: in training what is asked for there and later, in
				// validation that and what testing asks for, in testing that alone.
				hidden := map[[2]int32]bool{}
				for _, later := range trues[i:] {
					for x := range later {
						hidden[x] = true
					}
				}
				for _, e := range tt.h.EdgeTypes() {
					old, now := tt.h.Relation(e), p.Graph.Relation(e)
					var want []int32
					for id, u := range old.Src() {
						x := key(u, old.Dst()[id])
						if e == tt.inverse && e != tt.relation {
							x = key(old.Dst()[id], u)
						}
						if split := e == tt.relation || e == tt.inverse; !split || !hidden[x] {
							want = append(want, int32(id))
						}
					}
					if !slices.Equal(p.Edges[e], want) || p.Edges[e] == nil {
						t.Errorf("part %d: edges %v of %v, want %v", i, p.Edges[e], e, want)
					}
					if !slices.Equal(now.Src(), valuesAt(old.Src(), want)) || !slices.Equal(now.Dst(), valuesAt(old.Dst(), want)) {
						t.Errorf("part %d: the edges of %v are not those that it names", i, e)
					}
				}
				if !slices.Equal(p.Graph.VertexTypes(), tt.h.VertexTypes()) || !slices.Equal(p.Graph.EdgeTypes(), tt.h.EdgeTypes()) {
					t.Errorf("part %d has types %v and %v", i, p.Graph.VertexTypes(), p.Graph.EdgeTypes())
				}
				for _, name := range tt.h.VertexTypes() {
					if p.Graph.NumVertices(name) != tt.h.NumVertices(name) {
						t.Errorf("part %d has %d vertices of type %s", i, p.Graph.NumVertices(name), name)
					}
				}
			}
		})
	}
}

// TestFalseLinksOfSplitsOfARelationAreEven counts those of many splits.
func TestFalseLinksOfSplitsOfARelationAreEven(t *testing.T) {
	h, err := new(graph.HeteroBuilder).Vertices("user", 6).Vertices("movie", 5).
		Edges(rates, []int32{0, 1, 2, 3, 0}, []int32{0, 1, 2, 3, 4}).
		Edges(ratedBy, []int32{0, 4}, []int32{0, 5}).Build()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[[2]int32]float64{}
	for seed := range uint64(4000) {
		s, err := RandomHeteroLinkSplit(h, rates, ratedBy, LinkSplitConfig{Test: 0.4, Negatives: 1, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for i, label := range s.Test.Labels {
			if label == 0 {
				counts[[2]int32{s.Test.Links.Src[i], s.Test.Links.Dst[i]}]++
			}
		}
	}
	var list []float64
	for _, n := range counts {
		list = append(list, n)
	}
	if len(list) != 30-6 {
		t.Errorf("%d different false links of 24", len(list))
	}
	chiSquare(t, list)
}

func TestRandomHeteroLinkSplitRejectsWhatMakesNoSense(t *testing.T) {
	h, both := filmGraph(t, false), mutual(t)
	none, fine := graph.EdgeType{}, LinkSplitConfig{Test: 0.2}
	for _, tt := range []struct {
		name              string
		h                 *graph.Hetero
		relation, inverse graph.EdgeType
		c                 LinkSplitConfig
		want              string
		unknown           bool
	}{
		{"nil", nil, rates, none, fine, "the graph is nil", false},
		{"relation", both, rates, none, fine, "graph: links: no type (user, rates, movie); the graph has [(user, wants, movie) (user, follows, user)]", true},
		{"inverse", both, wants, ratedBy, fine, "graph: inverse: no type (movie, rated_by, user)", true},
		{"no inverse", h, rates, wants, fine, `(user, wants, movie) is no inverse of (user, rates, movie), which leads from "user" to "movie"`, false},
		{"its own inverse", h, rates, rates, fine, "(user, rates, movie) is no inverse of", false},
		{"inverse by numbers", h, rates, none, LinkSplitConfig{Test: 0.2, Inverse: []int32{-1}}, "want it as a relation", false},
		{"undirected", h, rates, none, LinkSplitConfig{Test: 0.2, Undirected: true}, "(user, rates, movie) cannot be Undirected", false},
		{"none back", h, follows, none, LinkSplitConfig{Test: 0.2, Undirected: true}, "has none back: the graph is not undirected", false},
		{"all back", both, follows, none, fine, "every edge has one of its type back", false},
		{"no links", h, unused, none, fine, "0 links", false},
		{"shares", h, rates, none, LinkSplitConfig{Val: 0.5, Test: 0.5}, "0.5 of the links for validation", false},
		{"false links", h, has, of, LinkSplitConfig{Test: 0.5, Negatives: 9}, "all pairs of vertices are joined or taken", false},
	} {
		s, err := RandomHeteroLinkSplit(tt.h, tt.relation, tt.inverse, tt.c)
		if err == nil || s != nil || !strings.HasPrefix(err.Error(), "data: RandomHeteroLinkSplit: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
		if errors.As(err, new(*graph.UnknownTypeError)) != tt.unknown {
			t.Errorf("%s: error %v of type %T", tt.name, err, err)
		}
	}
}

func TestLinksOfASplitCanBeLoaded(t *testing.T) {
	h := filmGraph(t, true)
	s, err := RandomHeteroLinkSplit(h, rates, ratedBy, LinkSplitConfig{Val: 0.1, Test: 0.1, Negatives: 1, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	c := HeteroLinkConfig{Loading: Loading{BatchSize: 16}, HeteroFanout: HeteroFanout{Hops: []int{-1, 3}}, Negatives: 2, Corrupt: CorruptDst, Avoid: h.Relation(rates)}
	l := heteroLoader(t, s.Train.Graph, rates, s.Train.Links, c)
	for _, b := range heteroBatches(t, l, 0) {
		checkHeteroLinks(t, s.Train.Graph, rates, s.Train.Links, c, b)
		checkHeteroBatch(t, s.Train.Graph, c.HeteroFanout, &b.HeteroBatch, nothingHidden)
	}
	labels := fmt.Sprint(s.Test.Labels)
	var got []float32
	for _, b := range heteroBatches(t, heteroLoader(t, s.Test.Graph, rates, s.Test.Links, HeteroLinkConfig{Loading: Loading{BatchSize: 7}, HeteroFanout: c.HeteroFanout}), 0) {
		for _, at := range b.Links {
			got = append(got, s.Test.Labels[at])
		}
	}
	if fmt.Sprint(got) != labels {
		t.Errorf("labels %v, want %v", got, labels)
	}
}
