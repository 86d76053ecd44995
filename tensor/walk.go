// Walking several tensors in step: broadcasting and strides.

package tensor

import "github.com/asterias-ml/asterias/tensor/cpu"

// elementGrain is how many elements of cheap element-wise work a goroutine
// takes at a time: some microseconds, and a few times the L1 cache.
const elementGrain = 1 << 14

// spreadLength is how many copies of a value that stands still are laid out for
// the kernels, which want slices.
const spreadLength = 512

// maxOperands is the most operands a walk has.
const maxOperands = 3

// An axis of a walk: its length and how many elements each operand moves from
// one index to the next; 0 where it is broadcast.
type axis struct {
	n    int
	step [maxOperands]int
}

// planWalk returns the axes of the common shape, with neighbours merged where all
// operands allow it: equal contiguous shapes become one axis, a matrix and a row
// or column vector two. Axes of length 1 vanish. The shape is not empty.
func planWalk(common Shape, xs ...*Tensor) []axis {
	axes := make([]axis, 0, len(common)+1)
	steps := make([][]int, len(xs))
	for i, x := range xs {
		steps[i] = x.Strides()
	}
	for k, n := range common {
		if n == 1 {
			continue
		}
		a := axis{n: n}
		for i, x := range xs {
			if j := k - len(common) + len(x.shape); j >= 0 && x.shape[j] != 1 {
				a.step[i] = steps[i][j]
			}
		}
		if last := len(axes) - 1; last >= 0 && mergeable(axes[last], a) {
			a.n *= axes[last].n
			axes[last] = a
			continue
		}
		axes = append(axes, a)
	}
	if len(axes) == 0 {
		axes = append(axes, axis{n: 1})
	}
	return axes
}

// mergeable reports whether a step of the outer axis is, for every operand, as
// far as a whole run of the inner one.
func mergeable(outer, inner axis) bool {
	for i := range outer.step {
		if outer.step[i] != inner.step[i]*inner.n {
			return false
		}
	}
	return true
}

// place returns where each operand is in row r of the outer axes.
func place(outer []axis, r int) (at [maxOperands]int) {
	for k := len(outer) - 1; k >= 0; k-- {
		i := r % outer[k].n
		r /= outer[k].n
		for j, s := range outer[k].step {
			at[j] += i * s
		}
	}
	return at
}

// walk cuts the common shape into rows along its innermost axis and hands them
// out in parallel, a few long pieces or many short rows at a time. f gets a
// range of rows, or of one row's elements if there is only one.
func walk(axes []axis, f func(row0, row1, lo, hi int)) {
	outer, inner := axes[:len(axes)-1], axes[len(axes)-1].n
	rows := 1
	for _, a := range outer {
		rows *= a.n
	}
	if inner > elementGrain { // cut the rows themselves
		pieces := (inner + elementGrain - 1) / elementGrain
		cpu.ParallelFor(rows*pieces, 1, func(lo, hi int) {
			for p := lo; p < hi; p++ {
				r, k := p/pieces, p%pieces
				f(r, r+1, k*elementGrain, min((k+1)*elementGrain, inner))
			}
		})
		return
	}
	cpu.ParallelFor(rows, max(1, elementGrain/inner), func(lo, hi int) { f(lo, hi, 0, inner) })
}

// innermostMoves reports whether every operand moves by single elements, or not
// at all, along the innermost axis: what the kernels can read.
func innermostMoves(axes []axis, operands int) bool {
	for _, s := range axes[len(axes)-1].step[:operands] {
		if s != 0 && s != 1 {
			return false
		}
	}
	return true
}

// run returns the n elements of a row that starts at, or copies of its value in
// spread if it stands still.
func run[T Element](x []T, at, n, step int, spread []T) []T {
	if step == 1 {
		return x[at : at+n]
	}
	spread = spread[:n]
	fill(spread, x[at])
	return spread
}

// map2 writes f of two operands, broadcast to the shape of dst. T is the
// operands' element type, R that of the result.
func map2[T, R Element](dst *Tensor, a, b *Tensor, f func(dst []R, a, b []T)) {
	if dst.size == 0 {
		return
	}
	out := elems[R](dst)
	if a.strides == nil && b.strides == nil && a.size == dst.size && b.size == dst.size {
		x, y := elems[T](a), elems[T](b)
		if len(out) <= elementGrain { // without making a closure
			f(out, x, y)
			return
		}
		cpu.ParallelFor(len(out), elementGrain, func(lo, hi int) { f(out[lo:hi], x[lo:hi], y[lo:hi]) })
		return
	}
	axes := planWalk(dst.shape, a, b)
	if !innermostMoves(axes, 2) {
		a, b = a.Contiguous(), b.Contiguous()
		axes = planWalk(dst.shape, a, b)
	}
	x, y := extent[T](a), extent[T](b)
	outer, inner := axes[:len(axes)-1], axes[len(axes)-1]
	walk(axes, func(row0, row1, lo, hi int) {
		var spreadX, spreadY []T
		if inner.step[0] == 0 {
			spreadX = make([]T, min(inner.n, spreadLength))
		}
		if inner.step[1] == 0 {
			spreadY = make([]T, min(inner.n, spreadLength))
		}
		most := hi - lo
		if spreadX != nil || spreadY != nil {
			most = min(most, spreadLength)
		}
		for r := row0; r < row1; r++ {
			at := place(outer, r)
			for i := lo; i < hi; i += most {
				n := min(most, hi-i)
				f(out[r*inner.n+i:r*inner.n+i+n],
					run(x, at[0]+i*inner.step[0], n, inner.step[0], spreadX),
					run(y, at[1]+i*inner.step[1], n, inner.step[1], spreadY))
			}
		}
	})
}

// copyElements writes the elements of src, in any order in memory, to dst, which
// is contiguous and of the same shape and type.
func copyElements(dst, src *Tensor) {
	if dst.size == 0 {
		return
	}
	switch dst.dtype.Size() {
	case 1:
		copyWords[uint8](dst, src)
	case 4:
		copyWords[uint32](dst, src)
	case 8:
		copyWords[uint64](dst, src)
	}
}

func copyWords[W word](dst, src *Tensor) {
	out := words[W](dst)
	if src.strides == nil {
		in := words[W](src)
		if len(out) <= elementGrain {
			copy(out, in)
			return
		}
		cpu.ParallelFor(len(out), elementGrain, func(lo, hi int) { copy(out[lo:hi], in[lo:hi]) })
		return
	}
	axes := planWalk(dst.shape, src)
	in := wordExtent[W](src)
	if n := len(axes); n >= 2 && axes[n-1].step[0] > 1 && axes[n-2].step[0] == 1 {
		copyTransposed(out, in, axes)
		return
	}
	outer, inner := axes[:len(axes)-1], axes[len(axes)-1]
	walk(axes, func(row0, row1, lo, hi int) {
		for r := row0; r < row1; r++ {
			at := place(outer, r)[0]
			row := out[r*inner.n+lo : r*inner.n+hi]
			switch s := inner.step[0]; s {
			case 1:
				copy(row, in[at+lo:])
			default:
				for i := range row {
					row[i] = in[at+(lo+i)*s]
				}
			}
		}
	})
}

// copyTransposed copies matrices whose columns, not rows, are contiguous in
// memory, in blocks whose cache lines fit the L1 cache on both sides.
func copyTransposed[W word](out, in []W, axes []axis) {
	const block = 16
	rows, cols := axes[len(axes)-2].n, axes[len(axes)-1].n
	step := axes[len(axes)-1].step[0]
	outer := axes[:len(axes)-2]
	bands := (rows + block - 1) / block
	cpu.ParallelFor(len(out)/(rows*cols)*bands, max(1, elementGrain/(block*cols)), func(lo, hi int) {
		for b := lo; b < hi; b++ {
			m, i0 := b/bands, b%bands*block
			i1 := min(i0+block, rows)
			dst, src := out[m*rows*cols:(m+1)*rows*cols], in[place(outer, m)[0]:]
			for j0 := 0; j0 < cols; j0 += block {
				for i := i0; i < i1; i++ {
					for j := j0; j < min(j0+block, cols); j++ {
						dst[i*cols+j] = src[j*step+i]
					}
				}
			}
		}
	})
}
