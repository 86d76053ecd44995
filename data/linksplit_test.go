// Tests of splits of edges.

package data

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// undirectedGraph has duplicate edges, loops and, if typed, types of edges and vertices.
func undirectedGraph(t testing.TB, n, pairs int, typed bool) *graph.Graph {
	t.Helper()
	var src, dst, types []int32
	for i := range uint64(pairs) {
		u, v := int32(rng.Hash(1, i)%uint64(n)), int32(rng.Hash(2, i)%uint64(n))
		src, dst, types = append(src, u), append(dst, v), append(types, int32(i%3))
	}
	for i := range pairs { // the reverses, elsewhere; a loop is its own
		if src[i] != dst[i] {
			src, dst, types = append(src, dst[i]), append(dst, src[i]), append(types, types[i])
		}
	}
	var opts []graph.Option
	if typed {
		vertices := make([]int32, n)
		for v := range vertices {
			vertices[v] = int32(v % 2)
		}
		opts = append(opts, graph.WithEdgeTypes(types, 3), graph.WithVertexTypes(vertices, 2))
	}
	g, err := graph.New(n, src, dst, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// pairOf are the edges that a link of an undirected graph stands for.
func pairOf(g *graph.Graph, x link) (ids []int32) {
	for e := range int32(g.NumEdges()) {
		y := LinksOf(g).at(e)
		if y.typ == x.typ && (y.src == x.src && y.dst == x.dst || y.src == x.dst && y.dst == x.src) {
			ids = append(ids, e)
		}
	}
	return ids
}

// split is RandomLinkSplit of what can be split.
func split(t *testing.T, g *graph.Graph, c LinkSplitConfig) *LinkSplit {
	t.Helper()
	s, err := RandomLinkSplit(g, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// trues are the true links of a part.
func (p *LinkPart) trues() (out []link) {
	for i, l := range p.Labels {
		if l == 1 {
			out = append(out, p.Links.at(int32(i)))
		}
	}
	return out
}

func TestUndirectedLinksKeepAllTheirEdgesTogether(t *testing.T) {
	for _, typed := range []bool{false, true} {
		g := undirectedGraph(t, 30, 150, typed)
		s := split(t, g, LinkSplitConfig{Val: 0.2, Test: 0.3, Undirected: true, Seed: 4})
		edges := func(parts ...*LinkPart) []int32 {
			ids := []int32{}
			for _, p := range parts {
				for _, x := range p.trues() {
					if x.src > x.dst {
						t.Errorf("link %v: the larger vertex is first", x)
					}
					ids = append(ids, pairOf(g, x)...)
				}
			}
			slices.Sort(ids)
			return ids
		}
		if all := edges(&s.Train, &s.Val, &s.Test); !slices.Equal(all, appendRange(nil, 0, int32(g.NumEdges()))) {
			t.Errorf("the links stand for edges %v, want every edge once", all)
		}
		train, trainAndVal := edges(&s.Train), edges(&s.Train, &s.Val)
		for what, c := range map[string][2][]int32{
			"training": {s.Train.Edges, train}, "validation": {s.Val.Edges, train}, "testing": {s.Test.Edges, trainAndVal},
		} {
			if !slices.Equal(c[0], c[1]) {
				t.Errorf("the graph for %s has edges %v, want %v", what, c[0], c[1])
			}
		}
	}
}

// TestNoEdgeTellsOfALinkByItsInverse splits graphs whose edges say what others say, turned
// round.
func TestNoEdgeTellsOfALinkByItsInverse(t *testing.T) {
	directed := func(n, edges int, types int32, more ...int32) *graph.Graph { // more: sources, types and destinations
		var src, dst, typ []int32
		for i := range uint64(edges) {
			src, dst = append(src, int32(rng.Hash(3, i)%uint64(n))), append(dst, int32(rng.Hash(4, i)%uint64(n)))
			typ = append(typ, int32(rng.Hash(5, i)%uint64(types)))
		}
		for ; len(more) > 0; more = more[3:] {
			src, typ, dst = append(src, more[0]), append(typ, more[1]), append(dst, more[2])
		}
		g, err := graph.New(n, src, dst, graph.WithEdgeTypes(typ, int(types)))
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, tt := range []struct {
		name       string
		g          *graph.Graph
		inverse    []int32
		undirected bool
	}{
		{"AddInverse", AddInverse(directed(20, 120, 3)), []int32{3, 4, 5, 0, 1, 2}, false},
		// Types 1 and 2 are inverse to each other, edges of type 3 are true both ways; many
		// are there one way only.
		{"some", directed(14, 150, 4, 0, 1, 9, 9, 2, 0, 5, 3, 4), []int32{-1, 2, 1, 3}, false},
		{"none", directed(20, 120, 2), []int32{-1, -1}, false},
		{"undirected", AddInverse(undirectedGraph(t, 20, 60, true)), []int32{3, 4, 5, 0, 1, 2}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			same := func(x, y link) bool {
				ways := []link{x}
				if back := tt.inverse[x.typ]; back >= 0 {
					ways = append(ways, link{x.dst, x.src, back})
				}
				if tt.undirected {
					for _, w := range slices.Clone(ways) {
						ways = append(ways, link{w.dst, w.src, w.typ})
					}
				}
				return slices.Contains(ways, y)
			}
			edges := func(links ...link) (ids []int32) {
				for e := range int32(tt.g.NumEdges()) {
					y := LinksOf(tt.g).at(e)
					for _, x := range links {
						if same(x, y) {
							ids = append(ids, e)
						}
					}
				}
				return ids
			}
			s := split(t, tt.g, LinkSplitConfig{Val: 0.2, Test: 0.2, Inverse: tt.inverse, Undirected: tt.undirected, Negatives: 0.5, TrainNegatives: true, Seed: 2})
			train, val, test := s.Train.trues(), s.Val.trues(), s.Test.trues()
			if all := edges(slices.Concat(train, val, test)...); !slices.Equal(all, iotaIDs(tt.g.NumEdges())) {
				t.Errorf("the links stand for edges %v, want every edge once", all)
			}
			for _, x := range slices.Concat(train, val, test) {
				if back := tt.inverse[x.typ]; back >= 0 && back < x.typ || back == x.typ && x.src > x.dst {
					t.Errorf("link %v, which is known by its inverse", x)
				}
			}
			for what, c := range map[string][2][]int32{
				"training": {s.Train.Edges, edges(train...)}, "validation": {s.Val.Edges, edges(train...)}, "testing": {s.Test.Edges, edges(slices.Concat(train, val)...)},
			} {
				if !slices.Equal(c[0], c[1]) {
					t.Errorf("the graph for %s has edges %v, want %v", what, c[0], c[1])
				}
			}
			var seen []link
			for _, p := range []*LinkPart{&s.Train, &s.Val, &s.Test} {
				for i := len(p.trues()); i < len(p.Labels); i++ {
					x := p.Links.at(int32(i))
					if len(edges(x)) > 0 {
						t.Errorf("false link %v is edge %v", x, edges(x))
					}
					if slices.ContainsFunc(seen, func(y link) bool { return same(x, y) }) {
						t.Errorf("false link %v comes twice", x)
					}
					seen = append(seen, x)
				}
			}
			if len(seen) == 0 {
				t.Error("no false links")
			}
		})
	}
}

func TestDirectedLinksAreTheEdgesEachOnce(t *testing.T) {
	for _, typed := range []bool{false, true} {
		g := undirectedGraph(t, 20, 60, typed)
		s := split(t, g, LinkSplitConfig{Val: 0.1, Test: 0.2, Directed: true, Seed: 1})
		parts := map[link]int{}
		for e := range int32(g.NumEdges()) {
			parts[LinksOf(g).at(e)] = 0
		}
		n := float64(len(parts))
		if len(parts) == g.NumEdges() {
			t.Fatal("no edge has a copy")
		}
		for _, p := range []*LinkPart{&s.Train, &s.Val, &s.Test} {
			for _, x := range p.trues() {
				parts[x]++
			}
		}
		for x, times := range parts {
			if times != 1 {
				t.Errorf("link %v is there %d times", x, times)
			}
		}
		if val, test := len(s.Val.Labels), len(s.Test.Labels); val != int(math.Round(0.1*n)) || test != int(math.Round(0.2*n)) {
			t.Errorf("%d links for validation and %d for testing of %v", val, test, n)
		}
	}
}

func TestNoEdgeTellsOfADirectedLinkAsItsCopy(t *testing.T) {
	for _, typed := range []bool{false, true} {
		g := undirectedGraph(t, 20, 200, typed)
		s := split(t, g, LinkSplitConfig{Val: 0.2, Test: 0.3, Directed: true, Disjoint: 0.4, Seed: 6})
		for _, p := range []*LinkPart{&s.Train, &s.Val, &s.Test} {
			for _, x := range p.trues() {
				if naiveHas(p.Graph, x, typed) {
					t.Errorf("typed %v: link %v is an edge of the graph that it is predicted from", typed, x)
				}
			}
		}
		for _, x := range slices.Concat(s.Val.trues(), s.Test.trues()) {
			if naiveHas(s.Train.Graph, x, typed) {
				t.Errorf("typed %v: link %v is an edge of the training graph", typed, x)
			}
		}
	}
}

func TestGraphsWhoseEdgesAllHaveOneBackAreSplitOnlyAsTheCallerSays(t *testing.T) {
	const want = "set Undirected, or Directed"
	newGraph := func(n int, src, dst []int32, opts ...graph.Option) *graph.Graph {
		g, err := graph.New(n, src, dst, opts...)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for name, tt := range map[string]struct {
		g       *graph.Graph
		refused bool
	}{
		"the Karate club":           {Karate().Graph, true},
		"copies and loops":          {undirectedGraph(t, 20, 60, false), true},
		"types":                     {undirectedGraph(t, 20, 60, true), true},
		"one edge without one back": {newGraph(3, []int32{0, 1, 1}, []int32{1, 0, 2}), false},
		"back by another type":      {newGraph(2, []int32{0, 1, 0}, []int32{1, 0, 0}, graph.WithEdgeTypes([]int32{0, 1, 0}, 2)), false},
		"loops alone":               {newGraph(3, []int32{0, 1, 2}, []int32{0, 1, 2}), false},
	} {
		c := LinkSplitConfig{Val: 0.4}
		if _, err := RandomLinkSplit(tt.g, c); (err != nil) != tt.refused || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", name, err)
		}
		c.Directed = true
		if _, err := RandomLinkSplit(tt.g, c); err != nil {
			t.Errorf("%s, directed: error %v", name, err)
		}
	}
}

func TestMessageGraphsAreTheNamedEdgesOfTheWhole(t *testing.T) {
	g := undirectedGraph(t, 20, 60, true)
	s := split(t, g, LinkSplitConfig{Val: 0.1, Test: 0.2, Undirected: true, Disjoint: 0.4})
	for _, p := range []*LinkPart{&s.Train, &s.Val, &s.Test} {
		if p.Graph.NumVertices() != 20 || !slices.Equal(p.Graph.VertexTypes(), g.VertexTypes()) || p.Graph.NumEdgeTypes() != 3 {
			t.Errorf("the graph is %v of types %v, want the vertices of %v", p.Graph, p.Graph.VertexTypes(), g)
		}
		for e, old := range p.Edges {
			if got, want := LinksOf(p.Graph).at(int32(e)), LinksOf(g).at(old); got != want {
				t.Errorf("edge %d is %v, edge %d of the whole graph %v", e, got, old, want)
			}
		}
	}
}

func TestDisjointTrainingLinksAreNoEdgesOfTheTrainingGraph(t *testing.T) {
	g := undirectedGraph(t, 30, 150, false)
	c := LinkSplitConfig{Val: 0.2, Test: 0.2, Undirected: true, Seed: 9}
	whole := split(t, g, c)
	c.Disjoint = 0.3
	s := split(t, g, c)
	train := len(whole.Train.Labels)
	if n := len(s.Train.Labels); n != int(math.Round(0.3*float64(train))) {
		t.Errorf("%d links to predict of %d", n, train)
	}
	for _, x := range s.Train.trues() {
		if naiveHas(s.Train.Graph, x, false) {
			t.Errorf("link %v is an edge of the training graph", x)
		}
		if !naiveHas(s.Val.Graph, x, false) {
			t.Errorf("link %v is no edge of the graph for validation", x)
		}
	}
	if !slices.Equal(s.Val.Edges, whole.Train.Edges) || !reflect.DeepEqual(s.Val.Links, whole.Val.Links) || !reflect.DeepEqual(s.Test.Links, whole.Test.Links) {
		t.Error("validation and testing are others than without disjoint links")
	}
}

func TestFalseLinksAreNoEdgesAndAllDiffer(t *testing.T) {
	for _, typed := range []bool{false, true} {
		for _, undirected := range []bool{false, true} {
			for _, ratio := range []float64{0, 0.5, 1, 2} {
				t.Run(fmt.Sprint(typed, undirected, ratio), func(t *testing.T) {
					g := undirectedGraph(t, 40, 120, typed)
					s := split(t, g, LinkSplitConfig{Val: 0.2, Test: 0.1, Undirected: undirected, Directed: !undirected, Negatives: ratio, TrainNegatives: true, Seed: 3})
					seen := map[link]bool{}
					for _, p := range []*LinkPart{&s.Train, &s.Val, &s.Test} {
						trues := len(p.trues())
						if n := len(p.Labels) - trues; n != int(math.Round(ratio*float64(trues))) || len(p.Links.Src) != len(p.Labels) || len(p.Links.Dst) != len(p.Labels) {
							t.Errorf("%d false links for %d true ones, %d and %d ends", n, trues, len(p.Links.Src), len(p.Links.Dst))
						}
						for i := trues; i < len(p.Labels); i++ {
							x := p.Links.at(int32(i))
							same := x
							if undirected {
								same.src, same.dst = min(x.src, x.dst), max(x.src, x.dst)
							}
							switch {
							case p.Labels[i] != 0:
								t.Errorf("link %v has label %v", x, p.Labels[i])
							case naiveHas(g, x, typed):
								t.Errorf("false link %v is an edge", x)
							case x.src == x.dst:
								t.Errorf("false link %v is a loop", x)
							case seen[same]:
								t.Errorf("false link %v comes twice", x)
							case same != x:
								t.Errorf("false link %v: the larger vertex is first", x)
							}
							seen[same] = true
						}
					}
				})
			}
		}
	}
}

func TestFalseLinksOfTypedGraphsAreOfTheTypesOfTrueOnes(t *testing.T) {
	// Vertices 0 to 9 have type 0, the others type 1; edges go from type 0 to type 1.
	var src, dst []int32
	types, vertices := []int32{}, make([]int32, 20)
	for v := range vertices {
		vertices[v] = int32(v / 10)
	}
	for i := range int32(40) {
		src, dst, types = append(src, i%10), append(dst, 10+(i*7+i/10)%10), append(types, i%2)
	}
	g, err := graph.New(20, src, dst, graph.WithEdgeTypes(types, 2), graph.WithVertexTypes(vertices, 2))
	if err != nil {
		t.Fatal(err)
	}
	s := split(t, g, LinkSplitConfig{Val: 0.5, Negatives: 1})
	if want := 2 * len(s.Val.trues()); len(s.Val.Labels) != want {
		t.Fatalf("%d links, want %d", len(s.Val.Labels), want)
	}
	count := [2]int{}
	for i := range s.Val.Labels {
		x := s.Val.Links.at(int32(i))
		if x.src >= 10 || x.dst < 10 {
			t.Errorf("link %v does not go from type 0 to type 1", x)
		}
		count[x.typ] += 1 - 2*int(s.Val.Labels[i])
	}
	if count != [2]int{} {
		t.Errorf("there are %v more false links of the types than true ones", count)
	}
}

func TestFalseLinksOfSeveralTypesMayJoinTheSameVertices(t *testing.T) {
	var src, dst, types []int32
	for i := range int32(20) {
		src, dst, types = append(src, i%3), append(dst, (i+1)%3), append(types, i)
	}
	g, err := graph.New(3, src, dst, graph.WithEdgeTypes(types, 20))
	if err != nil {
		t.Fatal(err)
	}
	s := split(t, g, LinkSplitConfig{Val: 0.5, Negatives: 1})
	if len(s.Val.Labels) != 20 || len(s.Val.trues()) != 10 {
		t.Errorf("%d links, %d of them true", len(s.Val.Labels), len(s.Val.trues()))
	}
	c := LinkSplitConfig{Val: 0.5, Negatives: 19}
	if _, err := RandomLinkSplit(g, c); err == nil || !strings.Contains(err.Error(), "190 false links; 3 vertices have no so many pairs") {
		t.Errorf("error %v", err)
	}
}

func TestTrainingHasFalseLinksOnlyIfAsked(t *testing.T) {
	s := split(t, undirectedGraph(t, 40, 120, false), LinkSplitConfig{Val: 0.2, Undirected: true, Negatives: 1})
	if slices.Contains(s.Train.Labels, 0) || !slices.Contains(s.Val.Labels, 0) {
		t.Errorf("labels for training are %v, for validation %v", s.Train.Labels, s.Val.Labels)
	}
}

func TestFalseLinksOfANearlyFullGraphAreFound(t *testing.T) {
	const n = 12
	var src, dst []int32
	for u := range int32(n) {
		for v := range int32(n) {
			if u != v && (u+v)%11 != 0 { // leaves 10 directed pairs, of 5 undirected ones
				src, dst = append(src, u), append(dst, v)
			}
		}
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	missing := n*(n-1) - len(src)
	for _, undirected := range []bool{false, true} {
		links, free := len(src), missing
		if undirected {
			links, free = links/2, free/2
		}
		c := LinkSplitConfig{Val: 10.2 / float64(links), Negatives: float64(free) / 10, Undirected: undirected, Directed: !undirected}
		if s := split(t, g, c); len(s.Val.Labels) != 10+free {
			t.Errorf("undirected %v: %d links, want 10 true ones and %d", undirected, len(s.Val.Labels), free)
		}
		c.Negatives += 0.1
		if _, err := RandomLinkSplit(g, c); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d false links; after %d of them all pairs of vertices are joined or taken", free+1, free)) {
			t.Errorf("undirected %v: one more false link than there are gives %v", undirected, err)
		}
	}
}

func TestLinkSplitDependsOnTheSeedAlone(t *testing.T) {
	g := undirectedGraph(t, 40, 120, true)
	c := LinkSplitConfig{Val: 0.2, Test: 0.1, Undirected: true, Negatives: 1, TrainNegatives: true, Disjoint: 0.2, Seed: 3}
	parts := func(s *LinkSplit) (out []any) {
		for _, p := range []LinkPart{s.Train, s.Val, s.Test} {
			out = append(out, p.Edges, p.Links, p.Labels)
		}
		return out
	}
	a, b := parts(split(t, g, c)), parts(split(t, g, c))
	if !reflect.DeepEqual(a, b) {
		t.Error("one seed gives two splits")
	}
	c.Seed++
	for i, other := range parts(split(t, g, c)) {
		if i%3 != 2 && reflect.DeepEqual(a[i], other) {
			t.Errorf("two seeds give one %T", other)
		}
	}
	// A split that is written down: no change of the code may alter it.
	karate := split(t, Karate().Graph, LinkSplitConfig{Val: 0.03, Test: 0.06, Undirected: true, Negatives: 1, Seed: 1})
	if got := fmt.Sprint(karate.Val.Links, karate.Test.Links); got != wantKarate {
		t.Errorf("the split of the Karate club is %v, want %v", got, wantKarate)
	}
}

const wantKarate = "{[5 29 9 2] [16 33 22 17] []} {[0 5 8 26 28 10 14 7 9 21] [4 10 33 29 31 12 27 30 15 24] []}"

func TestLinkSplitRejectsWhatMakesNoSense(t *testing.T) {
	g := undirectedGraph(t, 10, 30, false)
	oneWay, err := graph.New(3, []int32{0, 1, 1}, []int32{1, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	bipartite, err := graph.NewBipartite(2, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	none, err := graph.New(3, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	typed := undirectedGraph(t, 10, 30, true)
	for want, c := range map[string]struct {
		g *graph.Graph
		c LinkSplitConfig
	}{
		"inverses of 1 edge types; the graph has 0":                {g, LinkSplitConfig{Inverse: []int32{0}}},
		"inverses of 0 edge types; the graph has 0":                {g, LinkSplitConfig{Inverse: []int32{}}},
		"inverses of 2 edge types; the graph has 3":                {typed, LinkSplitConfig{Inverse: []int32{1, 0}}},
		"edge type 1 has the inverse 3; want -1 or one in [0, 3)":  {typed, LinkSplitConfig{Inverse: []int32{0, 3, 2}}},
		"edge type 0 has the inverse -2; want -1 or one in [0, 3)": {typed, LinkSplitConfig{Inverse: []int32{-2, 1, 2}}},
		"edge type 0 has the inverse 1, whose own is 2":            {typed, LinkSplitConfig{Inverse: []int32{1, 2, 0}}},
		"edge type 2 has the inverse 0, whose own is -1":           {typed, LinkSplitConfig{Inverse: []int32{-1, 1, 0}}},
		"a graph cannot be both Undirected and Directed":           {g, LinkSplitConfig{Undirected: true, Directed: true}},
		"the graph is nil": {nil, LinkSplitConfig{}},
		"graph: RandomLinkSplit: the graph is bipartite":                                         {bipartite, LinkSplitConfig{}},
		"-0.1 of the links for validation and 0 for testing":                                     {g, LinkSplitConfig{Val: -0.1}},
		"0.5 of the links for validation and 0.5 for testing; want at least 0, and less than 1":  {g, LinkSplitConfig{Val: 0.5, Test: 0.5}},
		"NaN of the links for validation":                                                        {g, LinkSplitConfig{Val: math.NaN()}},
		"0 of the links for validation and 1 for testing":                                        {g, LinkSplitConfig{Test: 1}},
		"1 of the training links kept from the graph; want a share in [0, 1)":                    {g, LinkSplitConfig{Disjoint: 1}},
		"-1 false links for each true one":                                                       {g, LinkSplitConfig{Negatives: -1}},
		"+Inf false links for each true one":                                                     {g, LinkSplitConfig{Negatives: math.Inf(1)}},
		"1e+12 false links; 10 vertices have no so many pairs":                                   {g, LinkSplitConfig{Val: 1 / float64(g.NumEdges()), Directed: true, Negatives: 1e12}},
		"0 links: 0 for validation and 0 for testing leave none for training":                    {none, LinkSplitConfig{}},
		"3 links: 2 for validation and 1 for testing leave none for training":                    {oneWay, LinkSplitConfig{Val: 0.6, Test: 0.3}},
		"3 links: 0.1 for validation and 0.3 for testing are 0 and 1 of them; want at least one": {oneWay, LinkSplitConfig{Val: 0.1, Test: 0.3}},
		"0.1 of 3 training links kept from the graph are 0; want some, and not all":              {oneWay, LinkSplitConfig{Disjoint: 0.1}},
		"edge 2 from 1 to 2 has none back: the graph is not undirected":                          {oneWay, LinkSplitConfig{Undirected: true}},
	} {
		if _, err := RandomLinkSplit(c.g, c.c); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "data: RandomLinkSplit: ") {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
