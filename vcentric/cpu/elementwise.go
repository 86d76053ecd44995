package cpu

// Element-wise instructions: flat loops over a tile.

import (
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// unary: dst[i] = f(x[i])
type unary[T kern.Float] struct {
	at  level
	dst operand[T]
	x   argument[T]
	f   func(dst, x []T)
}

func (i *unary[T]) exec(w *worker[T]) {
	dst := w.dense(&i.dst)
	i.f(dst, w.full(&i.x, i.at, i.dst.width, dst))
}

// rowwise is the width from which row kernels read the rows of gathered operands where
// they lie; narrower ones are copied side by side first.
const rowwise = 16

// binary: dst[i] = f(x[i], y[i])
type binary[T kern.Float] struct {
	at   level
	dst  operand[T]
	x, y argument[T]
	f    func(dst, x, y []T)
}

func (i *binary[T]) exec(w *worker[T]) {
	dst, width := w.dense(&i.dst), i.dst.width
	i.f(dst, w.full(&i.x, i.at, width, dst), w.full(&i.y, i.at, width, w.scratch[0]))
}

// scale: dst[g*group+k] = x[g*group+k] * y[g], groups of a row's elements
// multiplied with one number each.
type scale[T kern.Float] struct {
	at    level
	dst   operand[T]
	x     argument[T] // of dst's width
	y     argument[T] // a number for each group
	group int
}

func (i *scale[T]) exec(w *worker[T]) {
	dst := w.dense(&i.dst)
	y := w.side(&i.y.operand, i.at, w.narrow)
	w.set.MulGroups(dst, w.side(&i.x.operand, i.at, dst), y, i.group)
}

// selection: dst[i] = x[i] if c[i] != 0, else y[i]
type selection[T kern.Float] struct {
	at      level
	dst     operand[T]
	c, x, y argument[T]
}

func (i *selection[T]) exec(w *worker[T]) {
	width := i.dst.width
	dst := w.dense(&i.dst)
	c := w.full(&i.c, i.at, width, w.scratch[0])[:len(dst)]
	x := w.full(&i.x, i.at, width, w.scratch[1])[:len(dst)]
	y := w.full(&i.y, i.at, width, w.scratch[2])[:len(dst)]
	w.choice.choose(w.set, dst, c, x, y)
}

// dropout: dst[i] = scale * x[i] if the element is kept, else 0. The mask is a
// hash of the seed, the site, the id of the row or edge, and the column.
type dropout[T kern.Float] struct {
	at        level
	dst       operand[T]
	x         argument[T]
	site      int
	threshold uint64
	scale     T
}

func (i *dropout[T]) exec(w *worker[T]) {
	dst := w.dense(&i.dst)
	x := w.full(&i.x, i.at, i.dst.width, w.scratch[0])
	seed, width := ir.DropoutSeed(w.run.Seed, i.site), i.dst.width
	if i.at == overEdges {
		w.set.DropoutRows(dst, x, width, w.edgeIDs, seed, i.threshold, i.scale)
		return
	}
	if w.vertices != nil {
		w.set.DropoutRows(dst, x, width, w.vertices, seed, i.threshold, i.scale)
		return
	}
	w.set.Dropout(dst, x, seed, uint64(w.vertex*width), i.threshold, i.scale)
}

// degrees: dst[r] = the degree of row r's vertex, or typed how many of its edges
// are of each type
type degrees[T kern.Float] struct {
	dst   operand[T]
	dir   ir.Dir
	typed bool
}

func (i *degrees[T]) exec(w *worker[T]) {
	csr := w.run.csr(i.dir.Rows())
	dst, types := w.dense(&i.dst), i.dst.width // of degrees that are not by type, 1
	if w.vertices == nil {
		i.count(w, csr, w.vertex, w.rows, dst)
		return
	}
	for k, v := range w.vertices {
		i.count(w, csr, int(v), 1, dst[k*types:(k+1)*types])
	}
}

// count puts the degrees of the rows from first on into dst.
func (i *degrees[T]) count(w *worker[T], csr *graph.CSR, first, rows int, dst []T) {
	types := i.dst.width
	switch {
	case !i.typed:
		for k, d := range csr.Degrees()[first : first+rows] {
			dst[k] = T(d)
		}
	case keepsOffsets(csr, types):
		kern.Lengths(dst, csr.TypeOffsets()[first*types:])
	default:
		kern.Lengths(dst, w.boundsOfRows(csr, first, rows, types))
	}
}
