package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// freePairs lists the pairs that may be drawn from a graph by looking at each.
func freePairs(g *graph.Graph, undirected bool) map[link]bool {
	loops := false
	if g.IsBipartite() {
		t, ok := g.Relation()
		loops = !ok || t.Src != t.Dst
	}
	joined := map[link]bool{}
	for e, u := range g.Src() {
		joined[link{src: u, dst: g.Dst()[e]}] = true
	}
	free := map[link]bool{}
	for u := range int32(g.NumSrc()) {
		for v := range int32(g.NumDst()) {
			switch x, back := (link{src: u, dst: v}), (link{src: v, dst: u}); {
			case u == v && !loops, joined[x], undirected && (u > v || joined[back]):
			default:
				free[x] = true
			}
		}
	}
	return free
}

// negativeGraphs have loops, parallel edges and edges that have none back.
func negativeGraphs(t *testing.T) map[string]*graph.Graph {
	t.Helper()
	edges := func(seed uint64, n, sources, destinations int) (src, dst []int32) {
		for e := range uint64(n) {
			src = append(src, int32(below(rng.Hash(seed, 2*e), uint64(sources))))
			dst = append(dst, int32(below(rng.Hash(seed, 2*e+1), uint64(destinations))))
		}
		return src, dst
	}
	out := map[string]*graph.Graph{}
	add := func(name string, g *graph.Graph, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		out[name] = g
	}
	for _, n := range []int{0, 1, 2, 5, 17} {
		src, dst := edges(uint64(n), n*n/2, n, n)
		g, err := graph.New(n, src, dst)
		add(fmt.Sprintf("%d vertices", n), g, err)
	}
	src, dst := edges(1, 30, 4, 4)
	g, err := graph.New(4, src, dst, graph.WithEdgeTypes(make([]int32, 30), 2))
	add("hardly a free pair", g, err)
	for _, size := range [][2]int{{3, 7}, {7, 3}, {0, 4}, {4, 0}} {
		src, dst := edges(9, min(10, size[0]*size[1]), size[0], size[1])
		g, err := graph.NewBipartite(size[0], size[1], src, dst)
		add(fmt.Sprint("bipartite ", size), g, err)
	}
	cites := graph.EdgeType{Src: "paper", Name: "cites", Dst: "paper"}
	writes := graph.EdgeType{Src: "author", Name: "writes", Dst: "paper"}
	src, dst = edges(3, 12, 6, 6)
	h, err := new(graph.HeteroBuilder).Vertices("paper", 6).Vertices("author", 5).
		Edges(cites, src, dst).Edges(writes, []int32{0, 1, 4}, []int32{0, 5, 4}).Build()
	if err != nil {
		t.Fatal(err)
	}
	add("relation of two vertex types", h.Relation(writes), nil)
	add("relation of one vertex type", h.Relation(cites), nil)
	return out
}

// With all there are, a link that is left out, drawn twice or an edge would show.
func TestNegativeLinksAreAllPairsWithoutAnEdge(t *testing.T) {
	for name, g := range negativeGraphs(t) {
		for _, undirected := range []bool{false, true} {
			if undirected && g.IsBipartite() {
				continue
			}
			free := freePairs(g, undirected)
			for _, n := range []int{0, len(free) / 2, len(free)} {
				c := NegativeConfig{Undirected: undirected, Seed: uint64(n)}
				links, err := NegativeLinks(g, n, c)
				if err != nil || len(links.Src) != n || len(links.Dst) != n || links.Types != nil {
					t.Fatalf("%s, undirected %v: %v with error %v, want %d links", name, undirected, links, err, n)
				}
				seen := map[link]bool{}
				for i := range n {
					x := links.at(int32(i))
					if !free[x] || seen[x] {
						t.Errorf("%s, undirected %v: link %v is an edge, or there twice", name, undirected, x)
					}
					seen[x] = true
				}
				if again, _ := NegativeLinks(g, n, c); !slices.Equal(again.Src, links.Src) || !slices.Equal(again.Dst, links.Dst) {
					t.Errorf("%s: other links for the same seed", name)
				}
			}
			_, err := NegativeLinks(g, len(free)+1, NegativeConfig{Undirected: undirected})
			if want := fmt.Sprintf("data: NegativeLinks: %d links that are no edges; the graph has %d", len(free)+1, len(free)); err == nil || err.Error() != want {
				t.Errorf("%s, undirected %v: error %v, want %s", name, undirected, err, want)
			}
		}
	}
}

// Each pair is drawn, at each place, as often as any other but for chance.
func TestNegativeLinksAreEvenlyDrawn(t *testing.T) {
	const draws, n = 20000, 3
	g := negativeGraphs(t)["5 vertices"]
	for _, undirected := range []bool{false, true} {
		free := freePairs(g, undirected)
		var counts [n]map[link]int
		for i := range counts {
			counts[i] = map[link]int{}
		}
		for seed := range uint64(draws) {
			links, err := NegativeLinks(g, n, NegativeConfig{Undirected: undirected, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				counts[i][links.at(int32(i))]++
			}
		}
		p := 1 / float64(len(free))
		for i, count := range counts {
			for x := range free {
				if off := float64(count[x]) - draws*p; math.Abs(off) > 5*math.Sqrt(draws*p*(1-p)) {
					t.Errorf("undirected %v, place %d: %v comes %d times of %d, want about %.0f", undirected, i, x, count[x], draws, draws*p)
				}
			}
		}
	}
}

// Numbers of pairs of the largest graphs are beyond what a float64 tells apart.
func TestPairNumbersOfLargeGraphsAreExact(t *testing.T) {
	const n = math.MaxInt32
	for _, p := range []pairNumbers{
		{src: n, dst: n, undirected: true, noLoops: true}, {src: n, dst: n, noLoops: true}, {src: n, dst: n},
	} {
		for i := range uint64(1000) {
			number := below(rng.Hash(1, i), p.count())
			switch {
			case i < 2:
				number = i * (p.count() - 1)
			case i%2 == 0: // the first pair of an undirected link's larger vertex
				d := 1 + below(rng.Hash(2, i), n-1)
				number = d * (d - 1) / 2
			}
			s, d := p.pair(number)
			back := uint64(s)*p.row() + uint64(d)
			switch {
			case p.undirected:
				back = uint64(d)*uint64(d-1)/2 + uint64(s)
			case p.noLoops && d > s:
				back--
			}
			if back != number || s < 0 || d < 0 || p.undirected && s >= d || p.noLoops && s == d {
				t.Fatalf("%+v: pair %d is (%d, %d), whose number is %d", p, number, s, d, back)
			}
		}
	}
}

func TestNegativeLinksRejectWhatDoesNotFit(t *testing.T) {
	gs := negativeGraphs(t)
	if got, want := misuseOf(func() { NegativeLinks(nil, 1, NegativeConfig{}) }), "data: NegativeLinks: the graph is nil"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for want, f := range map[string]func() (Links, error){
		"-1 links that are no edges": func() (Links, error) { return NegativeLinks(gs["5 vertices"], -1, NegativeConfig{}) },
		"a bipartite graph has no undirected links": func() (Links, error) {
			return NegativeLinks(gs["bipartite [3 7]"], 1, NegativeConfig{Undirected: true})
		},
	} {
		if _, err := f(); err == nil || !strings.HasPrefix(err.Error(), "data: NegativeLinks: "+want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
