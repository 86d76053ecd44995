package cpu

// Matrix products inside kernels: the rows of a tile, or of its edges, times a
// matrix that all share, or that their types have.

import (
	"slices"

	dense "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// weight is the right operand of products: a matrix for each type (one if it has
// no types) and head. A run packs it once, for all workers, unless it reads it where it lies.
type weight[T kern.Float] struct {
	operand[T]
	rows, heads int // matrices
	in, out     int // of each, as the product takes it
	transposed  bool
	listed      bool // kernels that list winners multiply lists with it
}

// packedWeight is a matrix as those take it who multiply with it: packed, or its rows one after
// another.
type packedWeight[T kern.Float] struct {
	dense.Packed[T]
	rows []T
}

// count is the number of matrices that are packed.
func (m *weight[T]) count() int { return m.rows * m.heads }

// matrix returns matrix i of those.
func (m *weight[T]) matrix(data []T, i int) dense.Matrix[T] {
	size := m.in * m.out
	data = data[i*size : (i+1)*size]
	if m.transposed {
		return dense.RowMajor(data, m.out, m.in).T()
	}
	return dense.RowMajor(data, m.in, m.out)
}

// packing is the weights of a kernel, packed for one run; nil of a kernel without.
type packing[T kern.Float] struct {
	packs   [][]packedWeight[T] // the matrices of each weight
	inPlace []bool              // whether they are read where they lie
	buf     *[]T                // of the others; nil if there are none
}

// pack packs the kernel's weights.
func (k *kernel[T]) pack(r *run[T]) *packing[T] {
	if len(k.weights) == 0 {
		return nil
	}
	items, size := r.rows(k.rows), 0
	if len(k.loops) > 0 {
		items = max(items, r.g.NumEdges())
	}
	p := r.packing(k)
	for i, m := range k.weights {
		if p.inPlace[i] = m.inPlace(items); !p.inPlace[i] {
			size += m.space()
		}
	}
	var free []T
	if size > 0 {
		p.buf = r.borrow(size)
		free = *p.buf
	}
	for i, m := range k.weights {
		n := 0
		if !p.inPlace[i] {
			n = m.space()
		}
		switch {
		case m.listed && k.lists(r):
			p.packs[i][0].rows = m.layRows(r, free)
		case p.inPlace[i]:
			m.lay(r, p.packs[i])
		default:
			m.pack(r, p.packs[i], free[:n])
		}
		free = free[n:]
	}
	return p
}

// packing returns the run's room for the weights of a kernel.
func (r *run[T]) packing(k *kernel[T]) *packing[T] {
	if r.packings == nil {
		r.packings = make([]packing[T], r.prog.packings)
	}
	p := &r.packings[k.packing]
	if p.packs == nil {
		p.packs, p.inPlace = make([][]packedWeight[T], len(k.weights)), make([]bool, len(k.weights))
		for i, m := range k.weights {
			p.packs[i] = make([]packedWeight[T], m.count())
		}
	}
	return p
}

// inPlace tells whether products of so many rows or edges read the matrices where they lie.
func (m *weight[T]) inPlace(items int) bool {
	return !m.transposed && dense.InPlacePays[T](m.out, items/max(m.rows, 1))
}

// space is the number of elements of the packed matrices.
func (m *weight[T]) space() int {
	return m.count() * dense.PackedSize[T](m.in, m.out)
}

// weights are the packed matrices of each weight.
func (p *packing[T]) weights() [][]packedWeight[T] {
	if p == nil {
		return nil
	}
	return p.packs
}

func (p *packing[T]) giveBack(r *run[T]) {
	if p == nil {
		return
	}
	if p.buf != nil {
		r.giveBack(p.buf)
		p.buf = nil
	}
	for _, packs := range p.packs {
		clear(packs) // they point into the buffer, and into what the run reads
	}
}

// layRows returns the rows of the only matrix one after another, laid to the memory to if they
// do not lie so.
func (m *weight[T]) layRows(r *run[T], to []T) []T {
	rows := m.param(r)[:m.in*m.out]
	if !m.transposed {
		return rows
	}
	to = to[:m.in*m.out]
	r.prog.set.Interleave(to, m.out, rows, m.in, m.out, m.in)
	return to
}

// lay has the matrices read where they lie.
func (m *weight[T]) lay(r *run[T], packs []packedWeight[T]) {
	data := m.param(r)
	for j := range packs {
		packs[j].Packed = dense.InPlace(m.matrix(data, j))
	}
}

// pack packs the matrices to the memory to, in turns.
func (m *weight[T]) pack(r *run[T], packs []packedWeight[T], to []T) {
	each := len(to) / max(len(packs), 1)
	perTurn := max(1, chunkCost/max(each, 1))
	if len(packs) <= perTurn { // without making a closure
		m.packRange(r, packs, to, 0, len(packs))
		return
	}
	r.parallel(ceil(len(packs), perTurn), func(_ *worker[T], turn int) {
		m.packRange(r, packs, to, turn*perTurn, min((turn+1)*perTurn, len(packs)))
	})
}

func (m *weight[T]) packRange(r *run[T], packs []packedWeight[T], to []T, lo, hi int) {
	each, data := len(to)/max(len(packs), 1), m.param(r)
	for j := lo; j < hi; j++ {
		packs[j] = packedWeight[T]{Packed: dense.Pack(m.matrix(data, j), to[j*each:(j+1)*each])}
	}
}

// tileProduct: dst = x·W for each item, with a bias x·W + bias. Rows of x are lead times heads rows of as
// many elements as W[head] has rows.
type tileProduct[T kern.Float] struct {
	at     level
	dst, x operand[T]
	weight *weight[T]
	index  int // of the weight among the kernel's
	lead   int
	bias   *operand[T] // a parameter, of products with one matrix; nil for none
	listed bool        // x is winners, of which there may be lists
}

// productOf compiles a product among a kernel's values, or one with a bias.
func (c *compiler[T]) productOf(at level, v *ir.Value, sum *withBias) instr[T] {
	x, w := v.Args[0], v.Args[1]
	n := len(w.Shape)
	m := &weight[T]{operand: c.operand(w), rows: 1, heads: w.Shape[:n-2].Size(), in: w.Shape[n-2], out: w.Shape[n-1]}
	if m.transposed = v.Op == ir.OpMatMulT; m.transposed {
		m.in, m.out = m.out, m.in
	}
	m.listed = sum == nil && c.listing.reads(x)
	if w.Res.IsType() {
		m.rows = c.prog.plan.Program.Types.Of(w.Res)
	}
	if at == overEdges {
		c.types = max(c.types, m.rows)
	}
	i := &tileProduct[T]{at: at, x: c.operand(x), weight: m, index: len(c.weights), lead: x.Shape[:len(x.Shape)-1].Size() / max(m.heads, 1), listed: m.listed}
	for j, other := range c.weights {
		// The place says whose type picks the matrix: ends of other types may read one buffer.
		if other.buffer == m.buffer && other.place == m.place && slices.Equal(other.value, m.value) && other.transposed == m.transposed && other.in == m.in && other.heads == m.heads && other.listed == m.listed {
			i.index, i.weight = j, other
		}
	}
	if i.index == len(c.weights) {
		c.weights = append(c.weights, m)
	}
	if sum != nil {
		bias := c.operand(sum.bias)
		i.bias, v = &bias, sum.sum
	}
	i.dst = c.register(at, v)
	c.chargeProduct(at, i.lead*m.heads*m.in*m.out)
	return i
}

// chargeProduct adds a product's multiplications to the work of a level, whose
// tiles it wants large.
func (c *compiler[T]) chargeProduct(at level, multiplications int) {
	const perElement = 16 // multiplications in the time of one operation of an element-wise loop
	c.charge(at, multiplications/perElement)
	c.products[at] = true
}

func (i *tileProduct[T]) exec(w *worker[T]) {
	m, packed := i.weight, w.packs[i.index]
	dst, heads := w.dense(&i.dst), m.heads
	if i.dst.width == 0 {
		return
	}
	if i.listed && w.wins.lists {
		w.wins.times(w.set, dst, packed[0].rows, m.out)
		return
	}
	if m.rows == 1 {
		var e dense.Epilogue[T]
		if i.bias != nil {
			e.Bias = i.bias.param(w.run)
		}
		i.multiply(dst, w.side(&i.x, i.at, w.scratch[0]), packed, e)
		return
	}
	g := w.group(w.typeOf(i.at, m.place), m.rows)
	x, to := w.sideByType(&i.x, i.at, g, w.scratch[0]), dst
	if !g.sorted {
		to = w.scratch[1][:len(dst)]
	}
	for j, t := range g.types {
		lo, hi := int(g.bounds[j]), int(g.bounds[j+1])
		i.multiply(to[lo*i.dst.width:hi*i.dst.width], x[lo*i.x.width:hi*i.x.width], packed[int(t)*heads:(int(t)+1)*heads], dense.Epilogue[T]{})
	}
	if !g.sorted {
		scatter(dst, g.order, to, w.run.prog.iota, i.dst.width)
	}
}

// multiply multiplies items by the matrices of each head.
func (i *tileProduct[T]) multiply(dst, x []T, packed []packedWeight[T], e dense.Epilogue[T]) {
	m := i.weight
	rows := len(dst) / (m.heads * m.out)
	for h := range packed {
		a := dense.Matrix[T]{Rows: rows, Cols: m.in, RowStride: m.heads * m.in, ColStride: 1}
		if m.in > 0 {
			a.Data = x[h*m.in:]
		}
		c := dense.Matrix[T]{Data: dst[h*m.out:], Rows: rows, Cols: m.out, RowStride: m.heads * m.out, ColStride: 1}
		packed[h].Multiply(c, a, e)
	}
}
