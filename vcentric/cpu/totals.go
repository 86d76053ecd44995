package cpu

// Sums over all rows or edges of a kernel. Each chunk of rows has partial sums of
// its own, and so has each turn of parts of hubs; they are added in the order of the
// chunks, then of the turns, which the graph and the plan alone cut.

import (
	"fmt"

	"github.com/asterias-ml/asterias/graph"
	dense "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

const (
	maxParts = 64      // partial sums of a kernel
	partSize = 1 << 22 // elements that they may take together
)

// total is one sum: where its partial ones lie among those of a chunk, and where
// the result goes.
type total struct {
	offset, size int
	buffer       int
	listed       int // if not 0, the columns of a matrix whose sums are transposed where the kernel lists winners
}

// totals compiles the sums over a level.
func (c *compiler[T]) totals(at level, sums []plan.Sum) []instr[T] {
	var out []instr[T]
	for _, s := range sums {
		v := s.Value
		rows := 1
		if to := v.Attr.To; to != ir.Param {
			rows = c.prog.plan.Program.Types.Of(to)
		}
		t := total{offset: c.sums, size: rows * v.Width(), buffer: s.Out.Index}
		if v.Op == ir.OpOuter && c.listing.reads(v.Args[1]) {
			t.listed = v.Shape[1]
		}
		c.sums += t.size
		c.results = append(c.results, t)
		to := sumInto{total: t, place: c.placeOf(v.Attr.To), rows: rows, width: v.Width()}
		for _, a := range v.Args {
			c.spread(at, a)
		}
		if v.Op == ir.OpTotal {
			if at == overEdges {
				panic(fmt.Sprintf("BUG: cpu: %v over edges: rows sum theirs first", v))
			}
			c.charge(at, v.Width())
			out = append(out, &rowSum[T]{x: c.operand(v.Args[0]), sumInto: to})
			continue
		}
		n := len(v.Shape)
		i := &outerSum[T]{at: at, x: c.operand(v.Args[0]), y: c.operand(v.Args[1]), sumInto: to}
		i.in, i.out, i.heads = v.Shape[n-2], v.Shape[n-1], v.Shape[:n-2].Size()
		x := v.Args[0].Shape
		i.lead = x[:len(x)-1].Size() / max(i.heads, 1)
		c.chargeProduct(at, i.lead*v.Width())
		out = append(out, i)
	}
	return out
}

// partials are the partial sums of a run of a kernel: the chunks', then the hubs', then
// those of the sources of a cover.
type partials[T kern.Float] struct {
	size                  int // of a chunk's
	chunks, hubs, sources int
	sums                  []T
	buf                   *[]T
}

// partials makes room for the partial sums of the chunks, and the chunks so large
// that these are few; and for those of so many parts of hubs.
func (k *kernel[T]) partials(r *run[T], csr *graph.CSR, rows, hubs int) (cost, partials[T]) {
	c := k.cost
	if len(k.totals) == 0 {
		return c, partials[T]{}
	}
	most := int64(k.mostPartials())
	c.chunk = max((c.upTo(csr, rows)+most-1)/most, chunkCost)
	return c, k.room(r, c.chunks(csr, rows), hubs, 0)
}

// mostPartials is how many partial sums of a kernel of chunks, of hubs, or of sources there
// are at most.
func (k *kernel[T]) mostPartials() int {
	return min(maxParts, max(partSize/max(k.sumSize(), 1), 1))
}

// sumSize is the number of elements of a chunk's partial sums.
func (k *kernel[T]) sumSize() (n int) {
	for _, t := range k.totals {
		n += t.size
	}
	return n
}

// room makes room for the partial sums of so many chunks, parts of hubs and blocks of
// sources, or of as many as there may be.
func (k *kernel[T]) room(r *run[T], chunks, hubs, sources int) (p partials[T]) {
	if len(k.totals) == 0 {
		return p
	}
	most := k.mostPartials()
	const fewer = 4 // since there is less to do for the sources
	p = partials[T]{size: k.sumSize(), chunks: min(chunks, most), hubs: min(hubs, most), sources: min(sources, max(most/fewer, 1))}
	p.buf = r.borrow(p.size * (p.chunks + p.hubs + p.sources))
	p.sums = *p.buf
	clear(p.sums[p.size*p.chunks:])
	return p
}

func (p *partials[T]) giveBack(r *run[T]) {
	if p.buf != nil {
		r.giveBack(p.buf)
	}
}

// of returns the zeroed partial sums of a chunk.
func (p *partials[T]) of(chunk int) []T {
	if p.size == 0 {
		return nil
	}
	sums := p.sums[chunk*p.size : (chunk+1)*p.size]
	clear(sums)
	return sums
}

// ofHubs returns the partial sums of a turn of hubs so far.
func (p *partials[T]) ofHubs(turn int) []T {
	if p.size == 0 {
		return nil
	}
	return p.sums[(p.chunks+turn)*p.size:][:p.size]
}

// ofSources returns the partial sums of a turn of sources so far.
func (p *partials[T]) ofSources(turn int) []T { return p.ofHubs(p.hubs + turn) }

// total adds up the partial sums to the results.
func (k *kernel[T]) total(r *run[T], sums *partials[T]) {
	for _, t := range k.totals {
		p := *sums // on the heap
		out := r.mem.Floats[t.buffer]
		clear(out)
		const block = 1 << 14
		r.parallel(ceil(t.size, block), func(w *worker[T], b int) {
			lo, hi := b*block, min((b+1)*block, t.size)
			for part := range p.chunks + p.hubs + p.sources {
				w.set.Add(out[lo:hi], out[lo:hi], p.sums[part*p.size+t.offset+lo:][:hi-lo])
			}
		})
		if t.listed > 0 && k.lists(r) {
			turn(r, out, t.listed, t.size/t.listed)
		}
	}
}

// sumInto says where a sum goes: to one row, or to the row of each item's type.
type sumInto struct {
	total
	place place // of the type; paramBuffer for none
	rows  int
	width int
}

// placeOf is where a kernel reads a parameter of the residency.
func (c *compiler[T]) placeOf(res ir.Residency) place {
	switch {
	case res == ir.Param:
		return paramBuffer
	case res == c.plan.Rows:
		return ownBuffer
	case res == ir.Edge:
		return edgeBuffer
	case res == ir.EdgeType:
		return edgeTypeBuffer
	case res.IsVertex():
		return otherBuffer
	case res == c.plan.Rows.TypeOf() && c.plan.Rows.IsVertex():
		return ownTypeBuffer
	}
	return otherTypeBuffer
}

// rowSum: the sum of x over rows
type rowSum[T kern.Float] struct {
	sumInto
	x operand[T]
}

func (i *rowSum[T]) exec(w *worker[T]) {
	g := w.grouped(overRows, &i.sumInto)
	x := w.side(&i.x, overRows, w.scratch[0])
	for j, t := range g.types {
		sum := w.sums[i.offset+int(t)*i.width:][:i.width]
		items := g.order[g.bounds[j]:g.bounds[j+1]]
		if i.x.place == constant || i.x.place == paramBuffer { // the same in every row
			w.set.Axpy(sum, x[:i.width], T(len(items)))
		} else {
			w.set.GatherSum(sum, x, i.width, items)
		}
	}
}

// outerSum: the sum of xᵀ·y. Rows of x and y are lead times heads rows of in and
// out elements; each head has a sum of its own.
type outerSum[T kern.Float] struct {
	sumInto
	at                   level
	x, y                 operand[T]
	in, out, heads, lead int
}

func (i *outerSum[T]) exec(w *worker[T]) {
	if i.size == 0 || i.lead == 0 {
		return
	}
	if i.listed > 0 && w.wins.lists {
		w.wins.addOuter(w.set, w.sums[i.offset:][:i.size], w.side(&i.x, i.at, w.scratch[0]), i.out, i.in)
		return
	}
	g := w.grouped(i.at, &i.sumInto)
	x, y := w.sideByType(&i.x, i.at, g, w.scratch[0]), w.sideByType(&i.y, i.at, g, w.scratch[1])
	for j, t := range g.types {
		lo, hi := int(g.bounds[j]), int(g.bounds[j+1])
		rows := (hi - lo) * i.lead
		for h := range i.heads {
			a := dense.Matrix[T]{Data: x[lo*i.x.width+h*i.in:], Rows: rows, Cols: i.in, RowStride: i.heads * i.in, ColStride: 1}
			b := dense.Matrix[T]{Data: y[lo*i.y.width+h*i.out:], Rows: rows, Cols: i.out, RowStride: i.heads * i.out, ColStride: 1}
			c := dense.RowMajor(w.sums[i.offset+(int(t)*i.heads+h)*i.in*i.out:][:i.in*i.out], i.in, i.out)
			dense.MatMulTile(c, a.T(), b, dense.Epilogue[T]{Accumulate: true})
		}
	}
}

// grouped returns a tile's items by the row of a sum that they belong to.
func (w *worker[T]) grouped(at level, to *sumInto) *groups {
	if to.place == paramBuffer {
		return w.group(w.run.prog.zeros[:w.count(at)], 1)
	}
	return w.group(w.typeOf(at, to.place), to.rows)
}
