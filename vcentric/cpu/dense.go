package cpu

// Matrix products and totals: steps of their own. Each is cut into blocks of
// rows by its sizes alone, and built on the row kernel that adds up scaled rows
// of a matrix with its accumulators in registers.

import (
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

const (
	blockRows = 128     // rows of a matrix that a pass works on: with 64 columns they fill the L1 cache
	blockCols = 64      // columns whose sums the row kernel keeps in registers
	maxParts  = 64      // partial sums of a reduction over rows
	partSize  = 1 << 22 // elements that they may take together
	partRows  = 4 * blockRows

	minChunkRows = 64 // of a product: fewer would not reuse the matrix in the cache
)

// product is a compiled plan.Product.
type product[T kern.Float] struct {
	plan      *plan.Product
	in, out   int // rows of a flattened operand have in (matmul) or in and out (outer) columns
	perRow    int // flattened rows in a row of the level
	transpose bool
}

func newProduct[T kern.Float](s *plan.Product) step[T] {
	x, v := s.Value.Args[0], s.Value
	p := &product[T]{plan: s, perRow: leading(x.Shape), transpose: v.Op == ir.OpMatMulT}
	p.in, p.out = last(x.Shape), last(v.Shape)
	return p
}

func last(s ir.Shape) int    { return s[len(s)-1] }
func leading(s ir.Shape) int { return s[:len(s)-1].Size() }

func (p *product[T]) run(r *run[T]) {
	if p.plan.Value.Op == ir.OpOuter {
		p.outer(r)
		return
	}
	rows := r.rows(p.plan.Level) * p.perRow
	a, b, out := r.mem.Floats[p.plan.A.Index], r.mem.Floats[p.plan.B.Index], r.mem.Floats[p.plan.Out.Index]
	if p.transpose {
		buf := r.borrow(len(b))
		defer r.giveBack(buf)
		t := *buf
		for i := range p.out {
			for j := range p.in {
				t[j*p.out+i] = b[i*p.in+j]
			}
		}
		b = t
	}
	perChunk := min(max(chunkCost/max(p.in*p.out, 1), minChunkRows), rows)
	r.parallel(ceil(rows, perChunk), func(w *worker[T], chunk int) {
		lo := chunk * perChunk
		hi := min(lo+perChunk, rows)
		matmul(w, out[lo*p.out:hi*p.out], a[lo*p.in:hi*p.in], b, hi-lo, p.in, p.out)
	})
}

func ceil(n, d int) int { return (n + max(d, 1) - 1) / max(d, 1) }

// matmul: c = a·b for a rows×in and b in×out.
func matmul[T kern.Float](w *worker[T], c, a, b []T, rows, in, out int) {
	clear(c)
	for j := 0; j < out; j += blockCols {
		cols := min(blockCols, out-j)
		for k := 0; k < in; k += blockRows {
			ids := w.run.prog.iota[:min(blockRows, in-k)]
			for i := range rows {
				w.set.GatherScaleSum(c[i*out+j:][:cols], b[k*out+j:], out, ids, a[i*in+k:], 1)
			}
		}
	}
}

// outer sums aᵀ·b over the rows of the level: blocks of rows to partial sums,
// the partial sums in order.
func (p *product[T]) outer(r *run[T]) {
	rows, size := r.rows(p.plan.Level), p.in*p.out
	step := partition(rows, size, max(ceil(partRows, max(p.perRow, 1)), 1))
	a, b := rowsOf(r, p.plan.A, p.plan.Value.Args[0].Res, p.plan.Level), rowsOf(r, p.plan.B, p.plan.Value.Args[1].Res, p.plan.Level)
	r.reduce(r.mem.Floats[p.plan.Out.Index], rows, step, func(w *worker[T], sum []T, lo, hi int) {
		blk := max(blockRows/max(p.perRow, 1), 1)
		xs, ys := r.borrow(blk*a.width), r.borrow(blk*b.width)
		defer r.giveBack(xs)
		defer r.giveBack(ys)
		for ; lo < hi; lo += blk {
			n := min(blk, hi-lo)
			x, y := a.block(lo, n, *xs), b.block(lo, n, *ys)
			for k := 0; k < n*p.perRow; k += blockRows {
				ids := w.run.prog.iota[:min(blockRows, n*p.perRow-k)]
				for j := 0; j < p.out; j += blockCols {
					cols := min(blockCols, p.out-j)
					for i := range p.in {
						w.set.GatherScaleSum(sum[i*p.out+j:][:cols], y[k*p.out+j:], p.out, ids, x[k*p.in+i:], p.in)
					}
				}
			}
		}
	})
}

// partition is the number of rows of a partial sum of the given size: at least
// least, and so many that the partial sums are few and small.
func partition(rows, size, least int) int {
	parts := min(maxParts, max(partSize/max(size, 1), 1))
	return max(ceil(rows, parts), least)
}

// reduce adds up to dst what body adds to a zeroed sum for every step rows.
func (r *run[T]) reduce(dst []T, rows, step int, body func(w *worker[T], sum []T, lo, hi int)) {
	clear(dst)
	if len(dst) == 0 || rows == 0 {
		return
	}
	if rows <= step {
		r.parallel(1, func(w *worker[T], _ int) { body(w, dst, 0, rows) })
		return
	}
	parts := ceil(rows, step)
	buf := r.borrow(parts * len(dst))
	defer r.giveBack(buf)
	sums := *buf
	clear(sums)
	r.parallel(parts, func(w *worker[T], part int) {
		body(w, sums[part*len(dst):(part+1)*len(dst)], part*step, min((part+1)*step, rows))
	})
	set := r.prog.set
	for part := range parts {
		set.Add(dst, dst, sums[part*len(dst):(part+1)*len(dst)])
	}
}

// source is a buffer read at the rows of a level.
type source[T kern.Float] struct {
	data  []T
	width int
	ids   []int32 // the row to read; nil if it is the level's own
	param bool    // always row 0
}

func rowsOf[T kern.Float](r *run[T], b *plan.Buffer, res, at ir.Residency) *source[T] {
	s := &source[T]{data: r.mem.Floats[b.Index], width: b.Width()}
	switch {
	case res == at:
	case res == ir.Param:
		s.param = true
	case res == ir.Src:
		s.ids = r.g.Src()
	default:
		s.ids = r.g.Dst()
	}
	return s
}

// block returns rows [lo, lo+n) side by side: where they lie if they lie so, else
// copied to buf.
func (s *source[T]) block(lo, n int, buf []T) []T {
	if s.ids == nil && !s.param {
		return s.data[lo*s.width : (lo+n)*s.width]
	}
	out := buf[:n*s.width]
	for i := range n {
		row := 0
		if !s.param {
			row = int(s.ids[lo+i])
		}
		copy(out[i*s.width:(i+1)*s.width], s.data[row*s.width:])
	}
	return out
}

// total is a compiled plan.Total: the sum of a buffer's rows, blocks first.
type total[T kern.Float] struct {
	plan *plan.Total
}

func (t *total[T]) run(r *run[T]) {
	rows, width := r.rows(t.plan.Level), t.plan.Out.Width()
	x, out := r.mem.Floats[t.plan.In.Index], r.mem.Floats[t.plan.Out.Index]
	if t.plan.Value.Args[0].Res == ir.Param {
		clear(out)
		if rows > 0 {
			r.prog.set.MulScalar(out, x, T(rows))
		}
		return
	}
	r.reduce(out, rows, partition(rows, width, partRows), func(w *worker[T], sum []T, lo, hi int) {
		for ; lo < hi; lo += blockRows {
			w.set.GatherSum(sum, x[lo*width:], width, w.run.prog.iota[:min(blockRows, hi-lo)])
		}
	})
}
