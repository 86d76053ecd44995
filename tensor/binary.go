// Element-wise operations of two tensors, with broadcasting.

package tensor

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Add returns a + b, broadcasting.
func Add(a, b *Tensor) *Tensor {
	return binary("Add", a, b, kern.For[float32]().Add, kern.For[float64]().Add)
}

// Sub returns a - b, broadcasting.
func Sub(a, b *Tensor) *Tensor {
	return binary("Sub", a, b, kern.For[float32]().Sub, kern.For[float64]().Sub)
}

// Mul returns the element-wise product a · b, broadcasting.
func Mul(a, b *Tensor) *Tensor {
	return binary("Mul", a, b, kern.For[float32]().Mul, kern.For[float64]().Mul)
}

// Div returns a / b, broadcasting.
func Div(a, b *Tensor) *Tensor {
	return binary("Div", a, b, kern.For[float32]().Div, kern.For[float64]().Div)
}

// Maximum returns the larger of a and b, broadcasting; NaN if either is.
func Maximum(a, b *Tensor) *Tensor {
	return binary("Maximum", a, b, kern.For[float32]().Max, kern.For[float64]().Max)
}

// Minimum returns the smaller of a and b, broadcasting; NaN if either is.
func Minimum(a, b *Tensor) *Tensor {
	return binary("Minimum", a, b, kern.For[float32]().Min, kern.For[float64]().Min)
}

// Equal returns 1 where a = b, else 0, broadcasting.
func Equal(a, b *Tensor) *Tensor { return binary("Equal", a, b, equal[float32], equal[float64]) }

// Greater returns 1 where a > b, else 0, broadcasting.
func Greater(a, b *Tensor) *Tensor {
	return binary("Greater", a, b, greater[float32], greater[float64])
}

// GreaterEqual returns 1 where a >= b, else 0, broadcasting.
func GreaterEqual(a, b *Tensor) *Tensor {
	return binary("GreaterEqual", a, b, greaterEqual[float32], greaterEqual[float64])
}

func equal[T Float](dst, a, b []T) {
	for i := range dst {
		dst[i] = indicator[T](a[i] == b[i])
	}
}

func greater[T Float](dst, a, b []T) {
	for i := range dst {
		dst[i] = indicator[T](a[i] > b[i])
	}
}

func greaterEqual[T Float](dst, a, b []T) {
	for i := range dst {
		dst[i] = indicator[T](a[i] >= b[i])
	}
}

func indicator[T Float](b bool) T {
	if b {
		return 1
	}
	return 0
}

// AddInto adds src to dst in place; the shapes must be equal.
func AddInto(dst, src *Tensor) {
	const op = "AddInto"
	wantSame(op, dst, src)
	if !dst.shape.Equal(src.shape) {
		panic(&ShapeError{Op: op, Detail: "shapes differ", Shapes: []Shape{dst.shape, src.shape}})
	}
	switch d := dst.data.(type) {
	case []float32:
		apply2(d, d, src.data.([]float32), kern.For[float32]().Add)
	case []float64:
		apply2(d, d, src.data.([]float64), kern.For[float64]().Add)
	}
}

// elementGrain is how many elements of cheap element-wise work a goroutine
// takes at a time: some microseconds, and a few times the L1 cache.
const elementGrain = 1 << 14

// apply2 runs f over equally long slices in parallel.
func apply2[T Float](dst, a, b []T, f func(dst, a, b []T)) {
	cpu.ParallelFor(len(dst), elementGrain, func(lo, hi int) { f(dst[lo:hi], a[lo:hi], b[lo:hi]) })
}

func binary(op string, a, b *Tensor, f32 func(dst, a, b []float32), f64 func(dst, a, b []float64)) *Tensor {
	wantSame(op, a, b)
	out := zeros(a.dtype, Broadcast(op, a.shape, b.shape))
	switch dst := out.data.(type) {
	case []float32:
		broadcast(dst, a.data.([]float32), b.data.([]float32), planBroadcast(a.shape, b.shape), f32)
	case []float64:
		broadcast(dst, a.data.([]float64), b.data.([]float64), planBroadcast(a.shape, b.shape), f64)
	default:
		panic(fmt.Sprintf("BUG: tensor: %s of %v", op, out.dtype))
	}
	return out
}

// axisPair is one axis of a broadcast: its length and whether each operand
// moves along it (it stands still where its own length is 1).
type axisPair struct {
	n            int
	aMove, bMove bool
}

// planBroadcast returns the axes of the common shape with neighbours merged
// where both operands behave alike: equal shapes become one axis, a matrix and
// a row or column vector two. Axes of length 1 vanish.
func planBroadcast(a, b Shape) []axisPair {
	rank := max(len(a), len(b))
	axes := make([]axisPair, 0, rank)
	for k := range rank {
		da, db := 1, 1
		if i := k - rank + len(a); i >= 0 {
			da = a[i]
		}
		if i := k - rank + len(b); i >= 0 {
			db = b[i]
		}
		p := axisPair{n: da, aMove: da != 1, bMove: db != 1}
		if da == 1 {
			p.n = db
		}
		if p.n == 1 {
			continue
		}
		if last := len(axes) - 1; last >= 0 && axes[last].aMove == p.aMove && axes[last].bMove == p.bMove {
			axes[last].n *= p.n
			continue
		}
		axes = append(axes, p)
	}
	if len(axes) == 0 {
		axes = append(axes, axisPair{n: 1, aMove: true, bMove: true})
	}
	return axes
}

// broadcast runs f over dst. The innermost axis is a run: f works on it
// directly if both operands move along it; the one that stands still is first
// spread over a small buffer.
func broadcast[T Float](dst, a, b []T, axes []axisPair, f func(dst, a, b []T)) {
	if len(dst) == 0 {
		return
	}
	outer, run := axes[:len(axes)-1], axes[len(axes)-1]
	if len(outer) == 0 {
		cpu.ParallelFor(run.n, elementGrain, func(lo, hi int) {
			av, bv := a, b
			if run.aMove {
				av = a[lo:hi]
			}
			if run.bMove {
				bv = b[lo:hi]
			}
			broadcastRun(dst[lo:hi], av, bv, run, newSpread[T](run), f)
		})
		return
	}
	cpu.ParallelFor(len(dst)/run.n, max(1, elementGrain/run.n), func(lo, hi int) {
		spread := newSpread[T](run)
		for r := lo; r < hi; r++ {
			ai, bi := operandRows(outer, r)
			if run.aMove {
				ai *= run.n
			}
			if run.bMove {
				bi *= run.n
			}
			broadcastRun(dst[r*run.n:(r+1)*run.n], a[ai:], b[bi:], run, spread, f)
		}
	})
}

// operandRows splits the number of a run over the outer axes and returns which
// run (or element, if it stands still on the innermost axis) of each operand
// it reads.
func operandRows(outer []axisPair, r int) (ai, bi int) {
	aStep, bStep := 1, 1
	for k := len(outer) - 1; k >= 0; k-- {
		i := r % outer[k].n
		r /= outer[k].n
		if outer[k].aMove {
			ai += i * aStep
			aStep *= outer[k].n
		}
		if outer[k].bMove {
			bi += i * bStep
			bStep *= outer[k].n
		}
	}
	return ai, bi
}

// newSpread returns the buffer of broadcastRun, nil if the run needs none.
func newSpread[T Float](run axisPair) []T {
	if run.aMove && run.bMove {
		return nil
	}
	return make([]T, min(run.n, 512))
}

// broadcastRun runs f over one run; an operand that stands still has its value
// at [0].
func broadcastRun[T Float](dst, a, b []T, run axisPair, spread []T, f func(dst, a, b []T)) {
	if run.aMove && run.bMove {
		f(dst, a, b)
		return
	}
	still := a
	if run.aMove {
		still = b
	}
	fill(spread, still[0])
	for lo := 0; lo < len(dst); lo += len(spread) {
		hi := min(lo+len(spread), len(dst))
		if run.aMove {
			f(dst[lo:hi], a[lo:hi], spread[:hi-lo])
		} else {
			f(dst[lo:hi], spread[:hi-lo], b[lo:hi])
		}
	}
}
