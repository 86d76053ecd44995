// The roofline: a pure gather of the rows that a program reads.

package main

import (
	"sort"
	"sync"
	"sync/atomic"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// A gatherer sums the rows of x that each row of a CSR names: the loads and
// stores of an aggregation, and nothing else, by the fastest kernel that there is for
// it. Chunks have equal numbers of edges, wherever rows end, so that a hub is no
// bottleneck.
type gatherer struct {
	csr       *graph.CSR
	x, out    []float32 // a row of width for each vertex
	width     int
	chunkSize int       // edges
	begun     []float32 // of each chunk, what it adds to a row that began before it
}

// chunkNumbers is about how many numbers a chunk of edges reads.
const chunkNumbers = 1 << 18

// rowsAtOnce is how many rows of a chunk are summed at once.
const rowsAtOnce = 512

// pastBytes is from how many bytes on whole rows are written past the caches, which is
// faster then: as programs do with results of that size.
const pastBytes = 6 << 20

func newGatherer(csr *graph.CSR, x []float32, width, chunkSize int) *gatherer {
	g := &gatherer{csr: csr, x: x, width: width, chunkSize: chunkSize}
	g.out = tensor.Data[float32](tensor.Zeros(tensor.Float32, csr.NumRows(), width))
	g.begun = make([]float32, g.chunks()*width)
	return g
}

// roofline is the gather over the edges that the timed pass walks with rows of
// the task's width: its in-edges forward, its out-edges backward. A training
// step walks both. A backward pass finds in the caches what the forward pass has left
// there, not what the last backward pass has; so does the gather that it is held against.
func (t *task) roofline() harness.Contender {
	x := tensor.Data[float32](harness.Numbers(1, t.graph.NumVertices(), t.width))
	var walks []*gatherer
	if t.pass != backward {
		walks = append(walks, newGatherer(t.graph.In(), x, t.width, max(1, chunkNumbers/t.width)))
	}
	if t.pass != forward {
		walks = append(walks, newGatherer(t.graph.Out(), x, t.width, max(1, chunkNumbers/t.width)))
	}
	gather := func() {
		for _, g := range walks {
			g.run(tensor.Threads())
		}
	}
	c := harness.InProcess(gather, nil)
	if t.pass == backward {
		s := t.step()
		between := func() {
			if s.out != nil {
				s.backward()
			}
			s.forward()
		}
		c.Run = harness.RepeatTimed(between, func() error { gather(); return nil })
	}
	return c
}

func (g *gatherer) edges() int { return int(g.csr.Offsets[g.csr.NumRows()]) }

// chunks is at least 1, for the rows without edges.
func (g *gatherer) chunks() int { return max(1, (g.edges()+g.chunkSize-1)/g.chunkSize) }

func (g *gatherer) run(threads int) {
	chunks := g.chunks()
	var next atomic.Int64
	work := func() {
		for c := int(next.Add(1)) - 1; c < chunks; c = int(next.Add(1)) - 1 {
			g.chunk(c)
		}
	}
	var wg sync.WaitGroup
	for range min(threads, chunks) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	for c := range chunks {
		if r := g.rowBefore(c); r >= 0 {
			kern.For[float32]().Add(g.row(r), g.row(r), g.begun[c*g.width:][:g.width])
		}
	}
}

func (g *gatherer) row(r int) []float32 { return g.out[r*g.width:][:g.width] }

// firstRow is the first row that begins in chunk c, or behind it.
func (g *gatherer) firstRow(c int) int {
	return sort.Search(g.csr.NumRows(), func(r int) bool { return int(g.csr.Offsets[r]) >= c*g.chunkSize })
}

// rowBefore is the row that began before chunk c and goes on in it, -1 if there
// is none.
func (g *gatherer) rowBefore(c int) int {
	if r := g.firstRow(c) - 1; r >= 0 && int(g.csr.Offsets[r+1]) > c*g.chunkSize {
		return r
	}
	return -1
}

func (g *gatherer) chunk(c int) {
	hi := min((c+1)*g.chunkSize, g.edges())
	if r := g.rowBefore(c); r >= 0 {
		g.sum(g.begun[c*g.width:][:g.width], []int32{int32(c * g.chunkSize), min(int32(hi), g.csr.Offsets[r+1])}, false)
	}
	end := g.csr.NumRows()
	if c+1 < g.chunks() {
		end = g.firstRow(c + 1)
	}
	first := g.firstRow(c)
	whole := end // the rows that end in the chunk, too
	if first < end && int(g.csr.Offsets[end]) > hi {
		whole--
		g.sum(g.row(whole), []int32{g.csr.Offsets[whole], int32(hi)}, false) // others add to it
	}
	for r := first; r < whole; r += rowsAtOnce {
		next := min(r+rowsAtOnce, whole)
		g.sum(g.out[r*g.width:next*g.width], g.csr.Offsets[r:next+1], 4*len(g.out) >= pastBytes)
	}
}

// sum sums the rows between each bound and the next, and writes the sums past the caches
// or not.
func (g *gatherer) sum(out []float32, bounds []int32, past bool) {
	kern.For[float32]().SegmentGatherSum(out, g.x, g.width, g.csr.Neighbors, bounds, g.width, kern.Ends[float32]{Past: past}, kern.Next[float32]{})
}
