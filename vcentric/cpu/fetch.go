package cpu

// Fetching: narrow operands of the vertices at the other ends of the edges (scores,
// norms) are gathered once for all who read them. If a kernel has several, they are
// copied side by side first, so that an edge waits for one place in memory instead
// of one for each.

import (
	"unsafe"

	"github.com/asterias-ml/asterias/graph"
	dense "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// fetch: dst[e] = the row of a buffer at the other end of edge e
type fetch[T kern.Float] struct {
	dst    operand[T]
	buffer int
	column int // of the copies side by side
}

func (i *fetch[T]) exec(w *worker[T]) {
	dst, width := w.dense(&i.dst), i.dst.width
	if w.beside != nil {
		w.set.GatherColumns(dst, w.beside[i.column:], width, w.kernel.besideWidth, w.neighbors)
		return
	}
	w.set.GatherRows(dst, w.run.mem.Floats[i.buffer], width, w.neighbors)
}

// fetchAll is the fetches of a kernel's only loop, of equal width: from copies side by
// side in one walk.
type fetchAll[T kern.Float] struct{ all []*fetch[T] }

func (i *fetchAll[T]) exec(w *worker[T]) {
	if w.beside == nil {
		for _, f := range i.all {
			f.exec(w)
		}
		return
	}
	var parts [maxTogether][]T
	for p, f := range i.all {
		parts[p] = w.dense(&f.dst)
	}
	w.set.GatherParts(parts[:len(i.all)], w.beside, i.all[0].dst.width, w.kernel.besideWidth, w.neighbors)
}

// maxTogether is how many fetches are worth one walk.
const maxTogether = 4

// fetchTogether makes one instruction of the fetches of a kernel, if it has one loop.
func (c *compiler[T]) fetchTogether(k *kernel[T]) {
	n := len(c.fetchOrder)
	if len(k.loops) != 1 || n < 2 || n > maxTogether {
		return
	}
	for _, f := range c.fetchOrder {
		if f.dst.width != c.fetchOrder[0].dst.width {
			return
		}
	}
	l := k.loops[0]
	together := []instr[T]{&fetchAll[T]{c.fetchOrder}}
	for _, i := range l.all {
		if _, ok := i.(*fetch[T]); !ok {
			together = append(together, i)
		}
	}
	l.all, l.fresh = together, together
}

// next is what the worker fetches first when it comes to the next edges; the row kernels
// bring it to the cache meanwhile.
func (w *worker[T]) next() kern.Next[T] {
	k := w.kernel
	switch {
	case w.beside != nil:
		return kern.Next[T]{X: w.beside, Width: k.besideWidth, Stride: k.besideWidth}
	case len(k.fetches) > 0:
		f := k.fetches[0]
		return kern.Next[T]{X: w.run.mem.Floats[f.buffer], Width: f.dst.width, Stride: f.dst.width}
	}
	return kern.Next[T]{}
}

// fetches returns the instructions that v, an edge value, wants to be run before its
// own: one for each narrow operand that it reads element by element at the other end, or
// of the edge itself.
func (c *compiler[T]) fetches(v *ir.Value) []instr[T] {
	info := v.Op.Info()
	if info.Unary == nil && info.Binary == nil {
		return nil
	}
	var out []instr[T]
	for _, a := range v.Args {
		if c.computed[c.base(a)] {
			continue
		}
		o := c.operand(a)
		if o.place != otherBuffer && !o.isOfEdges() || o.types > 0 || o.width == 0 || o.width >= rowwise {
			continue
		}
		c.inLoop[o.buffer] = true
		c.charge(overEdges, o.width)
		if o.isOfEdges() {
			out = append(out, c.recall(o))
			continue
		}
		f := c.fetched[o.buffer]
		if f == nil {
			f = &fetch[T]{buffer: o.buffer, column: c.fetchedWidth, dst: c.narrowRegister(o.width)}
			c.fetched[o.buffer] = f
			c.fetchOrder = append(c.fetchOrder, f)
			c.fetchedWidth += o.width
		}
		out = append(out, f)
	}
	return out
}

// narrowRegister is a register for what the edges of a tile read from memory.
func (c *compiler[T]) narrowRegister(width int) operand[T] {
	o := operand[T]{place: edgeRegister, width: width, offset: c.edge}
	c.edge += width
	c.widest[overEdges] = max(c.widest[overEdges], width)
	return o
}

// copies is memory for a run, on large pages.
type copies[T kern.Float] struct {
	rows  []T // nil for none
	mem   unsafe.Pointer
	class int
}

func newCopies[T kern.Float](n int) copies[T] {
	var element T
	mem, class := dense.Alloc(n * int(unsafe.Sizeof(element)))
	return copies[T]{unsafe.Slice((*T)(mem), n), mem, class}
}

func (c copies[T]) giveBack() { dense.Free(c.mem, c.class) }

// sideBySide copies what the kernel fetches side by side, a row for each vertex at the
// other ends, if that pays (packs).
func (k *kernel[T]) sideBySide(r *run[T], csr *graph.CSR) (c copies[T]) {
	if csr != nil && k.packs(len(csr.Neighbors), csr.NumCols()) {
		c = newCopies[T](csr.NumCols() * k.besideWidth)
		k.copyBeside(r, c.rows)
	}
	return c
}

func (k *kernel[T]) copyBeside(r *run[T], beside []T) {
	width := k.besideWidth
	rows := len(beside) / width
	perChunk := max(chunkCost/width, 1)
	r.parallel(ceil(rows, perChunk), func(_ *worker[T], chunk int) {
		lo, hi := chunk*perChunk, min((chunk+1)*perChunk, rows)
		for _, f := range k.fetches {
			n := f.dst.width
			x, to := r.mem.Floats[f.buffer][lo*n:hi*n], beside[lo*width+f.column:]
			if n == 1 {
				for i, v := range x {
					to[i*width] = v
				}
				continue
			}
			for i := range hi - lo {
				copy(to[i*width:][:n], x[i*n:])
			}
		}
	})
}
