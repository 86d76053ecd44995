package cpu

// Instructions that move or sum numbers within a row.

import "github.com/asterias-ml/asterias/tensor/kern"

// expansion: dst = x broadcast to dst's shape
type expansion[T kern.Float] struct {
	at  level
	dst operand[T]
	x   argument[T]
}

func (i *expansion[T]) exec(w *worker[T]) {
	x := w.side(&i.x.operand, i.at, w.narrow)
	spread(&i.x.cast, w.dense(&i.dst), x, i.dst.width, i.x.width)
}

// reduction: dst[j] = Σ of the elements of x that broadcasting dst to x's shape
// reads from element j
type reduction[T kern.Float] struct {
	at   level
	dst  operand[T]
	x    operand[T]
	cast cast // from dst to x
}

func (i *reduction[T]) exec(w *worker[T]) {
	dst, x := w.dense(&i.dst), w.side(&i.x, i.at, w.scratch[0])
	to, from := i.dst.width, i.x.width
	switch {
	case from == 0 || to == 0:
		clear(dst)
	case i.cast.kind == same:
		copy(dst, x)
	case i.cast.kind == inner:
		for g := range dst {
			dst[g] = w.set.Sum(x[g*i.cast.group : (g+1)*i.cast.group])
		}
	case i.cast.kind == outer:
		for r := range w.count(i.at) {
			sum := dst[r*to : (r+1)*to]
			copy(sum, x[r*from:])
			for at := r*from + to; at < (r+1)*from; at += to {
				w.set.Add(sum, sum, x[at:])
			}
		}
	default:
		clear(dst)
		for r := range w.count(i.at) {
			sum, row := dst[r*to:(r+1)*to], x[r*from:(r+1)*from]
			for k, j := range i.cast.index {
				sum[j] += row[k]
			}
		}
	}
}

// columns copies columns of the last dimension: concat, slice and pad.
type columns[T kern.Float] struct {
	at    level
	dst   operand[T]
	cols  int // of dst's last dimension
	parts []part[T]
	zero  bool // the parts do not cover dst
}

// part: columns [from, from+n) of x, which has cols, become columns [to, to+n).
type part[T kern.Float] struct {
	x                 operand[T]
	cols, from, to, n int
}

func (i *columns[T]) exec(w *worker[T]) {
	dst := w.dense(&i.dst)
	if i.zero {
		clear(dst)
	}
	if i.cols == 0 {
		return
	}
	for k := range i.parts {
		p := &i.parts[k]
		if p.n == 0 {
			continue
		}
		x := w.side(&p.x, i.at, w.scratch[0])
		for r := range len(dst) / i.cols {
			copy(dst[r*i.cols+p.to:][:p.n], x[r*p.cols+p.from:])
		}
	}
}

// permutation: dst[k] = x[index[k]] in every row
type permutation[T kern.Float] struct {
	at     level
	dst, x operand[T]
	index  []int
}

func (i *permutation[T]) exec(w *worker[T]) {
	dst, x, width := w.dense(&i.dst), w.side(&i.x, i.at, w.scratch[0]), i.dst.width
	for r := 0; r < len(dst); r += width {
		to, from := dst[r:r+width], x[r:r+width]
		for k, j := range i.index {
			to[k] = from[j]
		}
	}
}

// rowMax: dst[g] = the largest of columns [g*cols, (g+1)*cols) of x
type rowMax[T kern.Float] struct {
	at     level
	dst, x operand[T]
	cols   int
}

func (i *rowMax[T]) exec(w *worker[T]) {
	dst, x := w.dense(&i.dst), w.side(&i.x, i.at, w.scratch[0])
	for g := range dst {
		dst[g] = w.set.MaxOf(x[g*i.cols : (g+1)*i.cols])
	}
}

// firstMax: 1 at the first of the columns that rowMax finds, 0 at the others
type firstMax[T kern.Float] struct{ rowMax[T] }

func (i *firstMax[T]) exec(w *worker[T]) {
	dst, x := w.dense(&i.dst), w.side(&i.x, i.at, w.scratch[0])
	clear(dst)
	for g := 0; g < len(x); g += i.cols {
		dst[g+w.set.ArgMax(x[g:g+i.cols])] = 1
	}
}
