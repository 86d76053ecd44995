// Walking several tensors in step: broadcasting and strides.

package tensor

import "github.com/asterias-ml/asterias/tensor/cpu"

// elementGrain is how many elements of cheap element-wise work a goroutine
// takes at a time: some microseconds, and a few times the L1 cache.
const elementGrain = 1 << 14

// blockLength is how many elements are laid out for a kernel, which wants
// slices, where an operand's own do not lie side by side.
const blockLength = 512

// maxOperands is the most operands a walk has.
const maxOperands = 3

// usualAxes is how many axes a tensor has at most in practice: there is room for so
// many without another allocation.
const usualAxes = 5

// An axis of a walk: its length and how many elements each operand moves from
// one index to the next; 0 where it is broadcast.
type axis struct {
	n    int
	step [maxOperands]int
}

// planWalk appends the axes of the common shape to axes, the innermost first,
// with neighbours merged where all operands allow it: equal contiguous shapes
// become one axis, a matrix and a row or column vector two. Axes of length 1
// vanish. The shape is not empty.
func planWalk(axes []axis, common Shape, xs ...*Tensor) []axis {
	var contiguous [maxOperands]int // the step if the operand is contiguous
	for i := range xs {
		contiguous[i] = 1
	}
	for k := len(common) - 1; k >= 0; k-- {
		a := axis{n: common[k]}
		for i, x := range xs {
			j := k - len(common) + len(x.shape)
			if j < 0 {
				continue
			}
			switch d := x.shape[j]; {
			case d == 1:
			case x.strides != nil:
				a.step[i] = x.strides[j]
			default:
				a.step[i] = contiguous[i]
				contiguous[i] *= d
			}
		}
		if a.n == 1 {
			continue
		}
		if last := len(axes) - 1; last >= 0 && mergeable(a, axes[last]) {
			axes[last].n *= a.n
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

// rowsOf returns how many rows the axes around the innermost one have.
func rowsOf(axes []axis) int {
	rows := 1
	for _, a := range axes[1:] {
		rows *= a.n
	}
	return rows
}

// place returns where each operand is in row r of the outer axes, the innermost
// of them first.
func place(outer []axis, r int) (at [maxOperands]int) {
	for _, a := range outer {
		i := r % a.n
		r /= a.n
		for j, s := range a.step {
			at[j] += i * s
		}
	}
	return at
}

// An odometer is place for one row after the other, without divisions for each.
type odometer struct {
	outer []axis
	r     int
	index [usualAxes]int // of r along each axis, if there are no more
	at    [maxOperands]int
}

func newOdometer(outer []axis, r int) odometer {
	o := odometer{outer: outer, r: r, at: place(outer, r)}
	if len(outer) <= len(o.index) {
		for k := range outer {
			o.index[k] = r % outer[k].n
			r /= outer[k].n
		}
	}
	return o
}

// pass moves on by some rows, at most to the end of a run along the innermost axis.
func (o *odometer) pass(rows int) {
	o.r += rows
	if len(o.outer) > len(o.index) {
		o.at = place(o.outer, o.r)
		return
	}
	for k := range o.outer {
		a, i := &o.outer[k], o.index[k]+rows
		if i < a.n {
			o.index[k] = i
			o.advance(a, rows)
			return
		}
		o.advance(a, -o.index[k])
		o.index[k], rows = 0, 1
	}
}

func (o *odometer) advance(a *axis, n int) {
	o.at[0] += n * a.step[0]
	o.at[1] += n * a.step[1]
	o.at[2] += n * a.step[2]
}

// walk cuts the common shape into rows along its innermost axis and hands them
// out in parallel, a few long pieces or many short rows at a time. f gets a
// range of rows, or of one row's elements.
func walk(axes []axis, f func(row0, row1, lo, hi int)) {
	rows, inner := rowsOf(axes), axes[0].n
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

// eachBlock cuts what walk hands out into blocks of m rows of n elements, up to
// blockLength in all where a row is shorter. f gets where each operand's block
// starts, and the number of its first element in the common shape.
func eachBlock(axes []axis, row0, row1, lo, hi int, f func(at [maxOperands]int, first, m, n int)) {
	inner := axes[0]
	if hi-lo < inner.n || inner.n > blockLength/2 || len(axes) == 1 {
		for r := row0; r < row1; r++ {
			at := place(axes[1:], r)
			for i := lo; i < hi; i += blockLength {
				here := at
				for j, s := range inner.step {
					here[j] += i * s
				}
				f(here, r*inner.n+i, 1, min(blockLength, hi-i))
			}
		}
		return
	}
	most, run := blockLength/inner.n, axes[1].n
	for r := row0; r < row1; {
		m := min(most, row1-r, run-r%run) // rows that lie evenly apart
		f(place(axes[1:], r), r*inner.n, m, inner.n)
		r += m
	}
}

// feed lays out the blocks of one operand of a walk.
type feed[T any] struct {
	x            []T
	step, stride int // from element to element, from row to row
	block        []T // the last block that was laid out
	at, laid     int // where it started, its length
}

func newFeed[T any](x []T, axes []axis, operand int) feed[T] {
	f := feed[T]{x: x, step: axes[0].step[operand]}
	if len(axes) > 1 {
		f.stride = axes[1].step[operand]
	}
	return f
}

// take returns m rows of n elements that start at: the operand's own elements if
// they lie side by side, else a copy that the next call overwrites.
func (f *feed[T]) take(at, m, n int) []T {
	if f.step == 1 && (m == 1 || f.stride == n) {
		return f.x[at : at+m*n]
	}
	still := (m == 1 || f.stride == 0) && (m > 1 || f.step == 0) // the same wherever it starts
	if still && f.at == at && f.laid >= m*n {
		return f.block[:m*n]
	}
	if cap(f.block) < m*n {
		f.block = make([]T, m*n)
	}
	block := f.block[:m*n]
	f.at, f.laid = at, 0
	if still {
		f.laid = m * n
	}
	if f.step == 1 && f.stride == 0 {
		repeat(block, copy(block, f.x[at:at+n]))
		return block
	}
	if f.step == 0 && f.stride == 1 {
		repeatEach(block, f.x[at:at+m], n)
		return block
	}
	for ; len(block) > 0; block, at = block[n:], at+f.stride {
		switch f.step {
		case 0:
			fill(block[:n], f.x[at])
		case 1:
			copy(block[:n], f.x[at:])
		default:
			for i := range block[:n] {
				block[i] = f.x[at+i*f.step]
			}
		}
	}
	return f.block[:m*n]
}
