// Copying elements between tensors of any strides.

package tensor

import (
	"unsafe"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// copyElements writes the elements of src to dst, of the same shape and element
// size, whose elements lie apart from each other.
func copyElements(dst, src *Tensor) {
	if dst.size == 0 {
		return
	}
	if dst.far != nil || src.far != nil {
		farCopy(dst, src)
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
	out, in := wordExtent[W](dst), wordExtent[W](src)
	if dst.strides == nil && src.strides == nil {
		if len(out) <= elementGrain {
			copy(out, in)
			return
		}
		cpu.ParallelFor(len(out), elementGrain, func(lo, hi int) { copy(out[lo:hi], in[lo:hi]) })
		return
	}
	if dst.size <= elementGrain {
		var room [usualAxes]axis
		axes := planWalk(room[:0], dst.shape, dst, src)
		copyRows(out, in, axes, 0, rowsOf(axes), 0, axes[0].n)
		return
	}
	axes := planWalk(nil, dst.shape, dst, src)
	if len(axes) > 1 && axes[0].step[0] == 1 && axes[0].step[1] > 1 && axes[1].step[1] == 1 {
		copyTransposed(out, in, axes)
		return
	}
	walk(axes, func(row0, row1, lo, hi int) { copyRows(out, in, axes, row0, row1, lo, hi) })
}

func copyRows[W word](out, in []W, axes []axis, row0, row1, lo, hi int) {
	to, from, n := axes[0].step[0], axes[0].step[1], hi-lo
	run, apart := 1, axis{}
	if len(axes) > 1 {
		run, apart = axes[1].n, axes[1]
	}
	rows := newOdometer(axes[1:], row0)
	for r := row0; r < row1; {
		i, j := rows.at[0]+lo*to, rows.at[1]+lo*from
		even := min(row1-r, run-r%run) // rows that lie evenly apart
		r += even
		rows.pass(even)
		if to == 1 && from == 1 && even > 1 && apart.step[1] == 0 && apart.step[0] == n {
			copy(out[i:i+n], in[j:j+n])
			repeat(out[i:i+even*n], n)
			continue
		}
		if to == 1 && from == 1 && even > 1 && moveRows(out[i:], apart.step[0], in[j:], apart.step[1], n, even) {
			continue
		}
		for range even {
			switch {
			case to == 1 && from == 1:
				copy(out[i:i+n], in[j:j+n])
			case to == 1 && from == 0:
				fill(out[i:i+n], in[j])
			default:
				for k := range n {
					out[i+k*to] = in[j+k*from]
				}
			}
			i, j = i+apart.step[0], j+apart.step[1]
		}
	}
}

// moveRows copies rows by the kernel for them, if they are a cache line or more: a call for
// each would take longer than its elements. It tells whether they are.
func moveRows[W word](out []W, step int, in []W, stride, n, rows int) bool {
	const number, line = 4, 64
	size := int(unsafe.Sizeof(W(0)))
	if size < number || size*n < line || step < 0 || stride < 0 {
		return false
	}
	numbers := func(x []W) []float32 { return unsafe.Slice((*float32)(unsafe.Pointer(&x[0])), len(x)*size/number) }
	k := size / number
	kern.For[float32]().CopyRows(numbers(out), k*step, numbers(in), k*stride, k*n, rows)
	return true
}

// A block that copyTransposed turns: rows by columns.
const (
	turnRows    = 64
	turnColumns = 32
)

// copyTransposed copies matrices whose columns, not rows, are contiguous in
// the memory of in. Blocks are turned in a buffer in the L1 cache, so that what is
// read and written at a time is several cache lines of one page, even where columns
// share a place in the cache.
func copyTransposed[W word](out, in []W, axes []axis) {
	const strip = elementGrain / turnRows // columns
	rows, cols := axes[1].n, axes[0].n
	width, step := axes[1].step[0], axes[0].step[1]
	outer := axes[2:]
	bands, strips, matrices := (rows+turnRows-1)/turnRows, (cols+strip-1)/strip, rowsOf(axes[1:])
	cpu.ParallelFor(matrices*bands*strips, max(1, elementGrain/(turnRows*min(cols, strip))), func(lo, hi int) {
		turned := make([]W, turnRows*turnColumns)
		for b := lo; b < hi; b++ {
			at, i0 := place(outer, b/strips/bands), b/strips%bands*turnRows
			h, end := min(turnRows, rows-i0), min((b%strips+1)*strip, cols)
			for j := b % strips * strip; j < end; j += turnColumns {
				w := min(turnColumns, end-j)
				turn(turned, in[at[1]+j*step+i0:], step, h, w)
				to := out[at[0]+i0*width+j:]
				if moveRows(to, width, turned, turnColumns, w, h) {
					continue
				}
				for i := range h {
					copy(to[i*width:][:w], turned[i*turnColumns:])
				}
			}
		}
	})
}

// turn writes the first h elements of w columns, step apart, to rows of turnColumns.
func turn[W word](rows, columns []W, step, h, w int) {
	if to, ok := any(rows).([]uint32); ok {
		kern.For[float32]().Interleave(recast[float32](to), turnColumns, recast[float32](columns), step, w, h)
		return
	}
	for j := range w {
		for i, v := range columns[j*step:][:h] {
			rows[i*turnColumns+j] = v
		}
	}
}

// word is elements by their size alone, for operations that only move them.
type word interface{ uint8 | uint32 | uint64 }

// words returns the live elements of a contiguous tensor as W of their size.
func words[W word](t *Tensor) []W {
	if t.strides != nil {
		panic("BUG: tensor: words of a strided tensor")
	}
	return unsafe.Slice((*W)(t.ptr), t.size)
}

// wordExtent is extent by the elements' size alone.
func wordExtent[W word](t *Tensor) []W {
	return unsafe.Slice((*W)(t.ptr), t.span())
}
