package cpu

// Instructions on ids, and stores.

import (
	"unsafe"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// ids returns an id operand as a matrix and the row of it that each edge reads.
func (w *worker[T]) ids(o *operand[T]) (data, rows []int32) {
	switch o.place {
	case ownRegister, ownBuffer:
		data = w.ownIDs(o)
	default:
		data = w.run.mem.Ints[o.buffer]
	}
	return data, w.list(o.place, o.types)
}

// ownIDs returns the tile's rows of a row operand of ids.
func (w *worker[T]) ownIDs(o *operand[T]) []int32 {
	n := o.width * max(o.types, 1)
	switch o.place {
	case ownRegister:
		return w.rowInts[o.offset*w.kernel.tileRows:][:w.rows*n]
	case paramBuffer:
		return w.run.mem.Ints[o.buffer]
	}
	return w.intRowsOf(o.buffer, n)
}

// intRowsOf returns the tile's rows of a buffer of ids.
func (w *worker[T]) intRowsOf(buffer, width int) []int32 {
	if w.vertices != nil {
		return w.stagedInts(buffer, width)
	}
	return w.run.mem.Ints[buffer][w.vertex*width:][:w.rows*width]
}

// winner: dst[k] = y[k] if x[k] is the id of the edge, else 0
type winner[T kern.Float] struct {
	dst operand[T]
	x   operand[T] // ids
	y   operand[T]

	listed bool // a kernel that lists winners lists these instead
}

func (i *winner[T]) exec(w *worker[T]) {
	if i.listed && w.wins.lists {
		i.list(w)
		return
	}
	ids, idRows := w.ids(&i.x)
	y, yRows := w.indexed(&i.y)
	w.set.GatherWinners(w.dense(&i.dst), y, ids, i.dst.width, yRows, idRows, w.edgeIDs)
}

// store writes a value's rows, or its edges' rows, to a buffer.
type store[T kern.Float] struct {
	at     level
	x      operand[T]
	buffer int
	to     place // of edges
}

func (i *store[T]) exec(w *worker[T]) {
	dst, width := w.run.mem.Floats[i.buffer], i.x.width
	if i.at == overRows {
		dst = w.rowsOf(i.buffer, width)
		copy(dst, w.side(&i.x, overRows, dst))
		return
	}
	if at, ok := w.inOrder(i.to); ok {
		dst = dst[at*width:][:w.edges*width]
		if x := w.side(&i.x, overEdges, dst); len(x) > 0 && &x[0] != &dst[0] {
			copy(dst, x)
		}
		return
	}
	to := w.list(i.to, 0)
	if i.x.isDense(overEdges) {
		w.set.ScatterRows(dst, w.dense(&i.x), width, to, len(dst)*int(unsafe.Sizeof(T(0))) >= w.run.prog.cached)
		return
	}
	x, rows := w.indexed(&i.x)
	scatter(dst, to, x, rows, width)
}

// storeIDs is store for a value of ids.
type storeIDs[T kern.Float] struct {
	at     level
	x      operand[T]
	buffer int
}

func (i *storeIDs[T]) exec(w *worker[T]) {
	dst, width := w.run.mem.Ints[i.buffer], i.x.width
	if i.at == overRows {
		copy(w.intRowsOf(i.buffer, width), w.ownIDs(&i.x))
		return
	}
	x, rows := w.ids(&i.x)
	scatter(dst, w.edgeIDs, x, rows, width)
}

// scatter: row to[e] of dst = row from[e] of x
func scatter[E any](dst []E, to []int32, x []E, from []int32, width int) {
	from = from[:len(to)]
	if width == 1 {
		for e, id := range to {
			dst[id] = x[from[e]]
		}
		return
	}
	for e, id := range to {
		copy(dst[int(id)*width:][:width], x[int(from[e])*width:])
	}
}
