// Splits of the edges of a graph, for link prediction.

package data

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// LinkSplitConfig says how [RandomLinkSplit] splits.
type LinkSplitConfig struct {
	Val, Test float64 // shares of the links for validation and for testing
	Seed      uint64

	// Undirected says that every edge has one of its type back. All edges between two
	// vertices, of one type, are then one link, whichever way they go, so that none tells
	// of another.
	Undirected bool

	// Directed says that both directions of a pair are links of their own although every
	// edge has one of its type back, as in a graph of who follows whom where all do so
	// mutually. Without it such a graph must be Undirected, or have Inverse: a link would
	// else be known by its reverse, which another part may have.
	Directed bool

	// Inverse is the inverse of each edge type, -1 where there is none: an edge from u to v
	// of type t says what one from v to u of type Inverse[t] does. With R types and those
	// that [AddInverse] adds it is (t + R) mod 2R; a type whose edges are true both ways is
	// its own. All edges that say the same are then one link, of the smaller of the two
	// types, as PyG's rev_edge_types. Not every edge need have its inverse. nil: no type
	// has one, as in a graph whose parts get their inverse edges after the split.
	Inverse []int32

	// Disjoint is the share of the training links that are to be predicted and are no
	// edges of the training graph. With 0 all are both.
	Disjoint float64

	// Negatives is how many false links there are for each true one, in validation and
	// testing; for training only with TrainNegatives: a LinkLoader makes new ones in
	// every epoch.
	Negatives      float64
	TrainNegatives bool
}

// LinkSplit is what [RandomLinkSplit] makes.
type LinkSplit struct{ Train, Val, Test LinkPart }

// LinkPart is one part of a split: the graph that a model reads and the links that it
// is to tell apart.
type LinkPart struct {
	// Graph has all vertices and the edges that are known: in training those of the
	// training links, in validation too, in testing also those of the validation links.
	Graph *graph.Graph
	Edges []int32 // the edge of the whole graph that each edge of Graph is, ascending

	// Links are the true ones in order of their first edges, then the false ones. A
	// link of an undirected graph, or of a type that is its own inverse, is there once,
	// from its smaller vertex to its larger: filtered ranks must know it both ways, see
	// gnn.NewKnownLinks. One of two types that are inverse to each other is there as an
	// edge of the smaller type, whichever the graph has.
	Links  Links
	Labels []float32 // 1 for a true link, 0 for a false one
}

// RandomLinkSplit splits the edges of a homogeneous graph into links for training,
// validation and testing, as PyG's RandomLinkSplit, but that edges with the same source,
// destination and type are one link, so that no copy tells of another. Shares are rounded
// to whole links. [RandomHeteroLinkSplit] splits one relation of a heterogeneous graph.
//
// False links are drawn evenly from all pairs of two vertices that no edge joins (of the
// type of a true link or its inverse, and between vertices of the types of its ends, where
// there are types), and all differ. The result depends on the graph and the configuration
// alone.
//
// It is an error if a share is negative, if training is left without links, or if there
// are not enough false ones; for undirected graphs, if an edge has none back; for others,
// if every edge that is no loop has one of its type back, unless they are Directed or have
// Inverse; and if Inverse is not of all edge types, or the inverse of a type's inverse is
// not the type.
// O(V + E log E), and up to O(V^2 log E) for a false link if nearly all pairs are joined.
func RandomLinkSplit(g *graph.Graph, c LinkSplitConfig) (*LinkSplit, error) {
	const op = "RandomLinkSplit"
	s, err := splitLinks(g, c, op)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", op, err)
	}
	return s, nil
}

func splitLinks(g *graph.Graph, c LinkSplitConfig, op string) (*LinkSplit, error) {
	if err := wantHomogeneous(g, op); err != nil {
		return nil, err
	}
	if err := errors.Join(c.check(), c.checkInverse(g)); err != nil {
		return nil, err
	}
	way := orientation{undirected: c.Undirected, inverse: c.Inverse}
	all, err := way.edgesOfLinks(g)
	if err != nil {
		return nil, err
	}
	links := way.links(g, all)
	known := newEdgeSet(links.graph(g), links.Types != nil)
	if !c.Undirected && !c.Directed && c.Inverse == nil && links.goBothWays(known) {
		return nil, errors.New("every edge has one of its type back, which would tell of it in another part: set Undirected, or Directed if both directions of a pair are links of their own")
	}
	train, val, test, err := c.deal(len(all))
	if err != nil {
		return nil, err
	}
	shown, asked := train, train
	if c.Disjoint > 0 {
		if shown, asked, err = c.divide(train); err != nil {
			return nil, err
		}
	}
	negatives := &corrupter{
		kind: CorruptBoth, graph: g, avoid: known,
		drawn: &drawnLinks{orientation: way, links: make(map[link]struct{})},
	}
	s := &LinkSplit{}
	for i, p := range []struct {
		part         *LinkPart
		known, asked []int32 // links
		negatives    bool
	}{
		{&s.Train, shown, asked, c.TrainNegatives},
		{&s.Val, train, val, true},
		{&s.Test, slices.Concat(train, val), test, true},
	} {
		p.part.Graph, p.part.Edges = subgraphOfLinks(g, all, p.known)
		p.part.Links = links.pick(p.asked)
		p.part.Labels = slices.Repeat([]float32{1}, len(p.asked))
		if p.negatives {
			if err := p.part.addNegatives(negatives, c.Negatives, rng.Fold(c.Seed, streamNegatives, uint64(i))); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// check returns an error for shares that no graph can be split by.
func (c *LinkSplitConfig) check() error {
	share := func(x float64) bool { return x >= 0 && x < 1 } // false for NaN
	switch {
	case !share(c.Val) || !share(c.Test) || !(c.Val+c.Test < 1):
		return fmt.Errorf("%v of the links for validation and %v for testing; want at least 0, and less than 1 together", c.Val, c.Test)
	case !share(c.Disjoint):
		return fmt.Errorf("%v of the training links kept from the graph; want a share in [0, 1)", c.Disjoint)
	case c.Undirected && c.Directed:
		return errors.New("a graph cannot be both Undirected and Directed")
	case !(c.Negatives >= 0) || math.IsInf(c.Negatives, 1):
		return fmt.Errorf("%v false links for each true one", c.Negatives)
	}
	return nil
}

// checkInverse returns an error unless there are no inverses or those of a graph.
func (c *LinkSplitConfig) checkInverse(g *graph.Graph) error {
	if c.Inverse == nil {
		return nil
	}
	n := g.NumEdgeTypes()
	if g.EdgeTypes() == nil || len(c.Inverse) != n {
		return fmt.Errorf("inverses of %d edge types; the graph has %d", len(c.Inverse), n)
	}
	for t, back := range c.Inverse {
		switch {
		case back < -1 || int(back) >= n:
			return fmt.Errorf("edge type %d has the inverse %d; want -1 or one in [0, %d)", t, back, n)
		case back >= 0 && c.Inverse[back] != int32(t):
			return fmt.Errorf("edge type %d has the inverse %d, whose own is %d", t, back, c.Inverse[back])
		}
	}
	return nil
}

// deal draws the links of each part, each ascending.
func (c *LinkSplitConfig) deal(links int) (train, val, test []int32, err error) {
	order := appendRange([]int32{}, 0, int32(links))
	sortByHash(order, rng.Fold(c.Seed, streamOrder))
	n := float64(links)
	v, t := int(math.Round(c.Val*n)), int(math.Round(c.Test*n))
	switch rest := links - v - t; {
	case rest <= 0:
		err = fmt.Errorf("%d links: %d for validation and %d for testing leave none for training", links, v, t)
	case c.Val > 0 && v == 0 || c.Test > 0 && t == 0:
		err = fmt.Errorf("%d links: %v for validation and %v for testing are %d and %d of them; want at least one", links, c.Val, c.Test, v, t)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	test, val, train = order[:t], order[t:t+v], order[t+v:]
	for _, part := range [][]int32{train, val, test} {
		slices.Sort(part)
	}
	return train, val, test, nil
}

// divide takes the links to predict from the training links.
func (c *LinkSplitConfig) divide(train []int32) (shown, asked []int32, err error) {
	order := slices.Clone(train)
	sortByHash(order, rng.Fold(c.Seed, streamOrder, 1))
	n := int(math.Round(c.Disjoint * float64(len(order))))
	if n == 0 || n == len(order) {
		return nil, nil, fmt.Errorf("%v of %d training links kept from the graph are %d; want some, and not all", c.Disjoint, len(order), n)
	}
	asked, shown = order[:n], order[n:]
	slices.Sort(asked)
	slices.Sort(shown)
	return shown, asked, nil
}

// orientation says which edges are one link.
type orientation struct {
	undirected bool
	inverse    []int32 // of each edge type, -1 for none; nil if none has one
}

// forward returns an edge of the larger of two types that are inverse to each other as
// one of the smaller, any other as it is.
func (o orientation) forward(x link) link {
	if o.inverse == nil {
		return x
	}
	if t := o.inverse[x.typ]; t >= 0 && t < x.typ {
		return link{src: x.dst, dst: x.src, typ: t}
	}
	return x
}

// oriented returns the link that an edge stands for.
func (o orientation) oriented(x link) link {
	x = o.forward(x)
	bothWays := o.undirected || o.inverse != nil && o.inverse[x.typ] == x.typ
	if bothWays && x.src > x.dst {
		x.src, x.dst = x.dst, x.src
	}
	return x
}

// edgesOfLinks makes a link of all edges that stand for the same one, in order of their
// first edges. It is an error if a graph that is to be undirected is not.
func (o orientation) edgesOfLinks(g *graph.Graph) ([][]int32, error) {
	edges := LinksOf(g)
	key := func(e int32) link { return o.oriented(edges.at(e)) }
	ids := appendRange(nil, 0, int32(g.NumEdges()))
	slices.SortFunc(ids, func(a, b int32) int {
		x, y := key(a), key(b)
		return cmp.Or(cmp.Compare(x.src, y.src), cmp.Compare(x.dst, y.dst), cmp.Compare(x.typ, y.typ), cmp.Compare(a, b))
	})
	var out [][]int32
	for from := 0; from < len(ids); {
		first := o.forward(edges.at(ids[from]))
		to, back := from+1, first.src == first.dst
		for ; to < len(ids) && key(ids[to]) == key(ids[from]); to++ {
			back = back || o.forward(edges.at(ids[to])).src != first.src
		}
		if e := ids[from]; o.undirected && !back {
			return nil, fmt.Errorf("edge %d from %d to %d has none back: the graph is not undirected", e, g.Src()[e], g.Dst()[e])
		}
		out = append(out, ids[from:to])
		from = to
	}
	slices.SortFunc(out, func(a, b []int32) int { return cmp.Compare(a[0], b[0]) })
	return out, nil
}

// links are those that edges stand for, link i that of the edges all[i].
func (o orientation) links(g *graph.Graph, all [][]int32) Links {
	edges := LinksOf(g)
	out := Links{Src: make([]int32, len(all)), Dst: make([]int32, len(all))}
	if edges.Types != nil {
		out.Types = make([]int32, len(all))
	}
	for i, ids := range all {
		x := o.oriented(edges.at(ids[0]))
		out.Src[i], out.Dst[i] = x.src, x.dst
		if out.Types != nil {
			out.Types[i] = x.typ
		}
	}
	return out
}

// pick returns the links with the given numbers.
func (l Links) pick(numbers []int32) Links {
	out := Links{Src: valuesAt(l.Src, numbers), Dst: valuesAt(l.Dst, numbers)}
	if l.Types != nil {
		out.Types = valuesAt(l.Types, numbers)
	}
	return out
}

// goBothWays tells whether there are links between two vertices, and the reverse of each
// of them is one, too.
func (l Links) goBothWays(known *edgeSet) bool {
	pairs := false
	for i := range int32(len(l.Src)) {
		x := l.at(i)
		if !known.has(link{src: x.dst, dst: x.src, typ: x.typ}) {
			return false
		}
		pairs = pairs || x.src != x.dst
	}
	return pairs
}

// graph returns the graph whose edges are links of another one.
func (l Links) graph(of *graph.Graph) *graph.Graph {
	var opts []graph.Option
	if l.Types != nil {
		opts = append(opts, graph.WithEdgeTypes(l.Types, of.NumEdgeTypes()))
	}
	g, err := graph.New(of.NumVertices(), l.Src, l.Dst, opts...)
	if err != nil {
		panic("BUG: data: RandomLinkSplit: " + err.Error())
	}
	return g
}

// subgraphOfLinks is the graph of the edges of some links, in order of their ids.
func subgraphOfLinks(g *graph.Graph, all [][]int32, numbers []int32) (part *graph.Graph, edges []int32) {
	edges = []int32{}
	for _, n := range numbers {
		edges = append(edges, all[n]...)
	}
	slices.Sort(edges)
	var opts []graph.Option
	if g.EdgeTypes() != nil {
		opts = append(opts, graph.WithEdgeTypes(valuesAt(g.EdgeTypes(), edges), g.NumEdgeTypes()))
	}
	if g.VertexTypes() != nil {
		opts = append(opts, graph.WithVertexTypes(g.VertexTypes(), g.NumVertexTypes()))
	}
	part, err := graph.New(g.NumVertices(), valuesAt(g.Src(), edges), valuesAt(g.Dst(), edges), opts...)
	if err != nil {
		panic("BUG: data: RandomLinkSplit: " + err.Error())
	}
	return part, edges
}

// addNegatives appends so many false links for each true one that the part has.
func (p *LinkPart) addNegatives(c *corrupter, ratio float64, key uint64) error {
	trues, n := p.Links, float64(c.graph.NumVertices())
	wanted := math.Round(ratio * float64(len(trues.Src)))
	kinds := 1.0 // of links between two vertices
	if trues.Types != nil {
		kinds = float64(max(1, c.graph.NumEdgeTypes()))
	}
	if wanted > n*n*kinds {
		return fmt.Errorf("%v false links; %v vertices have no so many pairs", wanted, n)
	}
	count := int(wanted)
	for i := range count {
		like := trues.at(int32(int64(i) * int64(len(trues.Src)) / int64(count))) // evenly, where types matter
		x, ok := c.of(like, rng.Hash(key, uint64(i)))
		if !ok {
			return fmt.Errorf("%d false links; after %d of them all pairs of vertices are joined or taken", count, i)
		}
		x = c.drawn.add(x)
		p.Links.Src, p.Links.Dst = append(p.Links.Src, x.src), append(p.Links.Dst, x.dst)
		if trues.Types != nil {
			p.Links.Types = append(p.Links.Types, x.typ)
		}
		p.Labels = append(p.Labels, 0)
	}
	return nil
}
