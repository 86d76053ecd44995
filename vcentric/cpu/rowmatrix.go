package cpu

// Products of rows with matrices of their own: x·W_e of an edge e whose features make a matrix
// (NNConv, Gilmer et al. 2017), or of a vertex. The pass multiply-out writes them as a sum of a
// product; here the matrix is read where it lies, and no row of its size is made.

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// rowMatrix: dst[c] = Σ_r x[r]*m[r*cols+c], or dst[r] = Σ_c m[r*cols+c]*x[c] for a matrix m of
// each edge or row.
type rowMatrix[T kern.Float] struct {
	at         level
	dst, x, m  operand[T]
	rows, cols int
	across     bool // the latter
	copied     bool // the matrices do not lie where they can be picked
	ids        []int32
}

// leastMatrix is from how many elements on a matrix is worth a call of a kernel, and leastRow
// from how many in a row of it.
const leastMatrix, leastRow = 64, 8

// mostMatrixRows is how many rows of matrices an id can name.
var mostMatrixRows = math.MaxInt32

// matrixOf sees the reduction v of the product m as a row times a matrix; rows is 0 if it is none.
func matrixOf(v, m *ir.Value) (x, matrix *ir.Value, rows, cols int, across bool) {
	if !v.Args[0].Shape.Equal(m.Shape) { // a reshape of it
		return nil, nil, 0, 0, false
	}
	sum := newCast(v.Shape, m.Shape)
	for i, y := range m.Args {
		x := m.Args[1-i]
		if newCast(y.Shape, m.Shape).kind != same || y.Op == ir.OpConst || y.Res == ir.Param || y.Res.IsType() || x.Width() == 0 {
			continue
		}
		switch of := newCast(x.Shape, m.Shape); {
		case sum.kind == outer && of.kind == inner && of.group == v.Width():
			rows, cols, across = x.Width(), v.Width(), false
		case sum.kind == inner && of.kind == outer && sum.group == x.Width():
			rows, cols, across = v.Width(), x.Width(), true
		default:
			continue
		}
		if cols >= leastRow && rows*cols >= leastMatrix && rows*cols == m.Width() {
			return x, y, rows, cols, across
		}
	}
	return nil, nil, 0, 0, false
}

func (c *compiler[T]) rowMatrix(at level, v, m *ir.Value) instr[T] {
	x, matrix, rows, cols, across := matrixOf(v, m)
	i := &rowMatrix[T]{at: at, x: c.operand(x), m: c.operand(matrix), rows: rows, cols: cols, across: across}
	i.dst = c.register(at, v)
	i.ids = make([]int32, rows)
	for r := range i.ids {
		i.ids[r] = int32(r)
	}
	c.charge(at, m.Width())
	c.scratch[at] = max(c.scratch[at], x.Width())
	if i.m.types > 0 || at == overRows && !isOwn(&i.m) {
		i.copied = true
		c.scratch[at] = max(c.scratch[at], m.Width())
	}
	return i
}

func (i *rowMatrix[T]) exec(w *worker[T]) {
	dst, x := w.dense(&i.dst), w.side(&i.x, i.at, w.scratch[0])
	var data []T
	var ids []int32 // of the matrices; nil for one after the other
	switch {
	case i.copied:
		data = w.side(&i.m, i.at, w.scratch[1])
	case i.m.isDense(i.at):
		data = w.dense(&i.m)
	default:
		data, ids = w.indexed(&i.m)
	}
	size, n, out := i.rows*i.cols, i.x.width, i.dst.width
	count := w.count(i.at)
	if !i.across && len(data)/i.cols <= mostMatrixRows {
		rows, bounds := w.matrixRows(ids, count, i.rows)
		w.set.SegmentScaleSum(dst, data, i.cols, rows, bounds, x, i.cols, kern.Ends[T]{}, kern.Next[T]{})
		return
	}
	bounds := [2]int32{0, int32(i.rows)}
	for k := range count {
		at := k
		if ids != nil {
			at = int(ids[k])
		}
		m, row, to := data[at*size:][:size], x[k*n:][:n], dst[k*out:][:out]
		if i.across {
			w.set.GatherDot(to, 1, row, m, n, i.ids)
		} else {
			w.set.SegmentScaleSum(to, m, i.cols, i.ids, bounds[:], row, i.cols, kern.Ends[T]{}, kern.Next[T]{})
		}
	}
}

// matrixRows returns the rows of count matrices, of which ids picks the matrices, and where those
// of each begin.
func (w *worker[T]) matrixRows(ids []int32, count, rows int) (list, bounds []int32) {
	w.matrices = resized(w.matrices, count*rows+count+1)
	list, bounds = w.matrices[:count*rows], w.matrices[count*rows:]
	for k := range count {
		first := int32(k * rows)
		bounds[k+1] = first + int32(rows)
		if ids != nil {
			first = ids[k] * int32(rows)
		}
		of := list[k*rows:][:rows]
		for r := range of {
			of[r] = first + int32(r)
		}
	}
	bounds[0] = 0
	return list, bounds
}
