package cpu

// Where the operands of instructions lie, and how they are read.

import (
	"unsafe"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// place says where the rows of an operand are.
type place uint8

const (
	constant        place = iota // one number
	paramBuffer                  // the one row of a buffer
	edgeRegister                 // a register with a row for each edge of the tile
	edgeBuffer                   // a buffer, at the edge's id
	inEdgeBuffer                 // a buffer, at the edge's position among the in-edges (plan.Home)
	outEdgeBuffer                // a buffer, at its position among the out-edges
	ownRegister                  // a register with a row for each row of the tile
	ownBuffer                    // a buffer, at the row itself
	otherBuffer                  // a buffer, at the vertex at the other end of the edge
	ownTypeBuffer                // a buffer, at the type of the row's vertex
	otherTypeBuffer              // a buffer, at the type of the vertex at the other end
	edgeTypeBuffer               // a buffer, at the type of the edge
)

// operand is a value as a kernel reads or writes it.
type operand[T kern.Float] struct {
	place  place
	width  int // elements a row
	types  int // if not 0: so many rows of that width at each place, of which the edge's type picks one (ir.OpPick)
	offset int // of the register: the elements a row of those before it
	buffer int
	home   place // of an edge register: where its rows are those of the buffer, if the tile's lie side by side there; constant for nowhere
	kept   int   // of a row register: the number among the kernel's values of the graph (ofgraph.go), counted from 1, that it has; 0 for none
	value  []T   // of a constant: its number
	unread bool  // by the kernel that computes it
}

// edgeRows returns the tile's rows of an edge register.
func (w *worker[T]) edgeRows(o *operand[T]) []T {
	n := o.width * max(o.types, 1)
	if o.home != constant {
		if at, ok := w.inOrder(o.home); ok {
			return w.run.mem.Floats[o.buffer][at*n:][:w.edges*n]
		}
	}
	return w.edge[o.offset*w.kernel.wholeEdges:][:w.edges*n]
}

// own returns the tile's rows of a row operand.
func (w *worker[T]) own(o *operand[T]) []T {
	n := o.width * max(o.types, 1)
	if o.place == ownRegister {
		if rows := w.rowsOfGraph(o); rows != nil {
			return rows
		}
		return w.row[o.offset*w.kernel.tileRows:][:w.rows*n]
	}
	return w.rowsOf(o.buffer, n)
}

// rowsOf returns the tile's rows of a buffer.
func (w *worker[T]) rowsOf(buffer, width int) []T {
	if w.vertices != nil {
		return w.staged(buffer, width)
	}
	return w.run.mem.Floats[buffer][w.vertex*width:][:w.rows*width]
}

// cached is the bytes of a buffer from which on it is written past the caches: beside the
// tables that are read, little of it would be left when the next kernel comes to it, at the
// price of theirs. Measured with a third cache of 32 MiB, training attention, alone and
// between two linear layers: 0.90 to 0.98 of the time with 6 MiB, not 32, at 64 and 128
// columns of 30 and 34 thousand vertices, and at 16 columns of 200 thousand.
const cached = 6 << 20

// past tells whether what is written to a row operand is best written past the caches.
func (w *worker[T]) past(o *operand[T]) bool {
	var element T
	return o.place == ownBuffer && o.unread && w.vertices == nil && len(w.run.mem.Floats[o.buffer])*int(unsafe.Sizeof(element)) >= w.run.prog.cached
}

// indexed returns an operand as a matrix and the row of it that each edge reads.
func (w *worker[T]) indexed(o *operand[T]) (data []T, ids []int32) {
	switch o.place {
	case constant:
		data = o.value
	case edgeRegister:
		data = w.edgeRows(o)
	case ownRegister, ownBuffer:
		data = w.own(o)
	default:
		data = w.run.mem.Floats[o.buffer]
	}
	return data, w.list(o.place, o.types)
}

// param returns the numbers that all rows read: those of a buffer, or a constant's one.
func (o *operand[T]) param(r *run[T]) []T {
	if o.place == constant {
		return o.value
	}
	return r.mem.Floats[o.buffer]
}

// isDense tells whether the operand's rows lie side by side at a level.
func (o *operand[T]) isDense(at level) bool {
	switch {
	case o.types > 0:
		return false
	case o.place == edgeRegister:
		return true
	}
	return at == overRows && isOwn(o)
}

// isOwn tells whether every edge of a row reads that row of the operand.
func isOwn[T kern.Float](o *operand[T]) bool {
	return (o.place == ownRegister || o.place == ownBuffer) && o.types == 0
}

// dense returns the rows of an operand that isDense.
func (w *worker[T]) dense(o *operand[T]) []T {
	if o.place == edgeRegister {
		return w.edgeRows(o)
	}
	return w.own(o)
}

// side returns the rows of an operand side by side: where they lie if they lie
// so, else copied to buf.
func (w *worker[T]) side(o *operand[T], at level, buf []T) []T {
	if o.isDense(at) {
		return w.dense(o)
	}
	n, width := w.count(at), o.width
	dst := buf[:n*width]
	switch {
	case o.place == constant:
		fill(dst, o.value[0])
	case o.place == paramBuffer && o.types == 0:
		row := w.run.mem.Floats[o.buffer][:width]
		if n == 1 {
			return row
		}
		repeat(dst, copy(dst, row))
	case at == overRows:
		w.set.GatherRows(dst, w.run.mem.Floats[o.buffer], width, w.ownTypes())
	case isOwn(o):
		w.set.RepeatRows(dst, w.own(o), width, w.segment[:w.rows+1])
	default:
		if kept := w.keptInOrder(o); kept != nil {
			return kept
		}
		data, ids := w.indexed(o)
		w.set.GatherRows(dst, data, width, ids)
	}
	return dst
}

func fill[T kern.Float](dst []T, x T) {
	const few = 16
	n := min(len(dst), few)
	for i := range dst[:n] {
		dst[i] = x
	}
	repeat(dst, n)
}

// repeat fills dst with copies of its first n elements.
func repeat[T kern.Float](dst []T, n int) {
	for n > 0 && n < len(dst) {
		n += copy(dst[n:], dst[:n])
	}
}

// cast is how a row of an operand is stretched to the row of an op: element k
// of the op's row reads element index[k] of the operand's.
type cast struct {
	kind  castKind
	group int   // inner: how many neighbours read the same element
	index []int // of other
}

type castKind uint8

const (
	same  castKind = iota // k
	inner                 // k / group: an operand [H 1] or [] against [H D]
	outer                 // k mod the operand's width: an operand [D] against [H D]
	other                 // none of these
)

func newCast(from, to ir.Shape) cast {
	index := ir.BroadcastIndex(from, to)
	n, width := from.Size(), len(index)
	if width == 0 || n == 0 { // nothing is read
		return cast{kind: same}
	}
	is := func(f func(k int) int) bool {
		for k, i := range index {
			if i != f(k) {
				return false
			}
		}
		return true
	}
	group := width / n
	switch {
	case n == width && is(func(k int) int { return k }):
		return cast{kind: same}
	case is(func(k int) int { return k / group }):
		return cast{kind: inner, group: group}
	case is(func(k int) int { return k % n }):
		return cast{kind: outer}
	}
	return cast{kind: other, index: index}
}

// argument is an operand of an op with the cast to the op's shape.
type argument[T kern.Float] struct {
	operand[T]
	cast cast
}

// full returns the rows of an argument in the op's width, side by side: where
// they lie if they lie so, else spread to buf.
func (w *worker[T]) full(a *argument[T], at level, width int, buf []T) []T {
	if width == 0 {
		return nil // whatever the argument's width
	}
	if a.cast.kind == same {
		return w.side(&a.operand, at, buf)
	}
	n := w.count(at)
	dst := buf[:n*width]
	if a.place == constant {
		fill(dst, a.value[0])
		return dst
	}
	x := w.side(&a.operand, at, w.narrow)
	spread(&a.cast, dst, x, width, a.width)
	return dst
}

// spread: dst[r*width+k] = x[r*from+index[k]] for every row r.
func spread[T kern.Float](c *cast, dst, x []T, width, from int) {
	switch c.kind {
	case same:
		copy(dst, x)
	case inner:
		for i, v := range x {
			fill(dst[i*c.group:(i+1)*c.group], v)
		}
	case outer:
		for r := 0; r*width < len(dst); r++ {
			row := x[r*from : (r+1)*from]
			for at := r * width; at < (r+1)*width; at += from {
				copy(dst[at:], row)
			}
		}
	default:
		for r := 0; r*width < len(dst); r++ {
			row, to := x[r*from:(r+1)*from], dst[r*width:(r+1)*width]
			for k, i := range c.index {
				to[k] = row[i]
			}
		}
	}
}
