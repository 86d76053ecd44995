// Drawing the blocks of a batch.

package data

import (
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// A sampler draws blocks. It has the scratch memory of one worker, which is as
// large as its largest batch.
type sampler struct {
	graph *graph.Graph
	in    *graph.CSR
	fans  fans

	// hidden are pairs of seeds, as ids in the batch, no edge between which is to
	// be in a block.
	hidden map[[2]int32]struct{}

	vertices  idMap    // of the batch; ids are the rows of the blocks
	rows      []row    // of a hop's destinations in the CSR
	positions []int32  // of a hop's edges in the CSR
	dst, src  []int32  // their ends as ids in the batch
	taken     []uint64 // a bit for each position of a row; 0 between draws
}

// row is the positions [lo, hi) of a CSR.
type row struct{ lo, hi int32 }

func newSampler(g *graph.Graph, f fans) *sampler {
	in := g.In()
	return &sampler{graph: g, in: in, fans: f, taken: make([]uint64, in.MaxDegree()/64+1)}
}

// sample draws a batch of seeds, which are different.
func (s *sampler) sample(seeds []int32, key uint64) *Batch {
	s.vertices.reset()
	for _, v := range seeds {
		s.vertices.id(v)
	}
	hops := len(s.fans.hops)
	b := &Batch{Blocks: make([]*graph.Graph, hops), Edges: make([][]int32, hops)}
	for hop, fan := range s.fans.hops {
		at := hops - 1 - hop
		b.Blocks[at], b.Edges[at] = s.block(fan, rng.Fold(key, uint64(hop)))
	}
	b.Vertices = slices.Clone(s.vertices.list)
	b.Seeds = b.Vertices[:len(seeds):len(seeds)]
	return b
}

// block draws edges into all vertices so far and adds their sources.
func (s *sampler) block(fan []int, key uint64) (block *graph.Graph, edges []int32) {
	numDst := s.vertices.len()
	s.positions, s.dst = s.positions[:0], s.dst[:0]
	// Rows and ends of edges lie anywhere in memory: loops that only fetch them let
	// the processor wait for many at a time.
	s.rows = slices.Grow(s.rows[:0], numDst)[:numDst]
	for i, v := range s.vertices.list {
		s.rows[i] = row{s.in.Offsets[v], s.in.Offsets[v+1]}
	}
	for i, r := range s.rows {
		s.draw(r, fan, rng.Hash(key, uint64(s.vertices.list[i])))
		for len(s.dst) < len(s.positions) {
			s.dst = append(s.dst, int32(i))
		}
	}
	edges = make([]int32, len(s.positions))
	s.src = slices.Grow(s.src[:0], len(edges))[:len(edges)]
	for i, at := range s.positions {
		edges[i] = s.in.EdgeIDs[at]
		s.src[i] = s.in.Neighbors[at]
	}
	for i, v := range s.src {
		s.src[i] = s.vertices.id(v)
	}
	if len(s.hidden) > 0 {
		edges = s.hide(edges)
	}
	return s.build(numDst, edges), edges
}

// hide drops the edges between hidden pairs. Their ends are seeds, so no vertex
// came with them.
func (s *sampler) hide(edges []int32) []int32 {
	kept := 0
	for i, e := range edges {
		if _, is := s.hidden[[2]int32{s.src[i], s.dst[i]}]; !is {
			edges[kept], s.src[kept], s.dst[kept] = e, s.src[i], s.dst[i]
			kept++
		}
	}
	s.src, s.dst = s.src[:kept], s.dst[:kept]
	return edges[:kept]
}

// draw appends positions of edges of a row.
func (s *sampler) draw(r row, fan []int, stream uint64) {
	if !s.fans.byType {
		s.drawFrom(r, fan[0], stream)
		return
	}
	for r.lo < r.hi { // a run of edges of one type
		t := s.in.Types[r.lo]
		n, _ := slices.BinarySearch(s.in.Types[r.lo:r.hi], t+1)
		run := row{r.lo, r.lo + int32(n)}
		s.drawFrom(run, fan[t], rng.Hash(stream, uint64(t)))
		r.lo = run.hi
	}
}

// drawFrom appends k of the positions of a row or a part of it.
func (s *sampler) drawFrom(r row, k int, stream uint64) {
	n := int(r.hi - r.lo)
	switch {
	case n == 0:
	case k < 0 || !s.fans.replace && n <= k:
		for at := r.lo; at < r.hi; at++ {
			s.positions = append(s.positions, at)
		}
	case s.fans.replace:
		for i := range k {
			s.positions = append(s.positions, r.lo+int32(below(rng.Hash(stream, uint64(i)), uint64(n))))
		}
	default:
		s.choose(r.lo, n, k, stream)
	}
}

// choose appends k different ones of n > k positions, each set of k equally
// likely, in O(k): Floyd's algorithm (Bentley and Floyd 1987, "A sample of
// brilliance"), which draws one of the first j+1 and takes the last of these in place
// of one that it has.
func (s *sampler) choose(lo int32, n, k int, stream uint64) {
	first := len(s.positions)
	for j := n - k; j < n; j++ {
		at := below(rng.Hash(stream, uint64(j)), uint64(j)+1)
		if s.taken[at/64]>>(at%64)&1 != 0 {
			at = uint64(j)
		}
		s.taken[at/64] |= 1 << (at % 64)
		s.positions = append(s.positions, lo+int32(at))
	}
	for _, at := range s.positions[first:] {
		s.taken[(at-lo)/64] = 0
	}
}

// build makes the graph of a hop's edges.
func (s *sampler) build(numDst int, edges []int32) *graph.Graph {
	g := s.graph
	var opts []graph.Option
	if types := g.EdgeTypes(); types != nil {
		opts = append(opts, graph.WithEdgeTypes(valuesAt(types, edges), g.NumEdgeTypes()))
	}
	if types := g.VertexTypes(); types != nil {
		of := valuesAt(types, s.vertices.list)
		opts = append(opts, graph.WithSrcTypes(of, g.NumVertexTypes()), graph.WithDstTypes(of[:numDst], g.NumVertexTypes()))
	}
	block, err := graph.NewBipartite(s.vertices.len(), numDst, s.src, s.dst, opts...)
	if err != nil {
		panic("BUG: data: a block is no graph: " + err.Error())
	}
	return block
}
