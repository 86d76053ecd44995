// Choosing by a boolean mask.

package tensor

import (
	"unsafe"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// Where returns a where cond is true, else b; all three broadcast. a and b have
// the same element type, any.
func Where(cond, a, b *Tensor) *Tensor {
	const op = "Where"
	wantTensors(op, a)
	wantType(op, cond, Bool)
	wantType(op, b, a.dtype)
	shape := Broadcast(op, cond.shape, Broadcast(op, a.shape, b.shape))
	if anyFar(cond, a, b) {
		return farMap(op, shape, []ProgramStep{{Op: "Where", Type: a.dtype, Args: [3]int{^0, ^1, ^2}}}, cond, a, b)
	}
	out := empty(a.dtype, shape)
	choose(out, cond, a, b)
	return out
}

// MaskedFill returns x with v, converted to x's element type, where mask is true.
// The mask broadcasts to x's shape.
func MaskedFill(x, mask *Tensor, v float64) *Tensor {
	const op = "MaskedFill"
	wantTensors(op, x)
	wantType(op, mask, Bool)
	if !Broadcast(op, x.shape, mask.shape).Equal(x.shape) {
		panic(&ShapeError{Op: op, Detail: "the mask does not broadcast to the tensor", Shapes: []Shape{x.shape, mask.shape}})
	}
	if anyFar(x, mask) {
		return Where(mask, Full(x.dtype, v), x)
	}
	out := empty(x.dtype, x.shape)
	choose(out, mask, Full(x.dtype, v), x)
	return out
}

// choose writes a where cond is true, else b. Elements of one size are alike here.
func choose(out, cond, a, b *Tensor) {
	switch out.dtype {
	case Bool:
		map3(out, cond, a, b, chooseBools)
	case Float64, Int64:
		map3(as(out, Float64), cond, as(a, Float64), as(b, Float64), kern.For[float64]().Select)
	default:
		map3(as(out, Float32), cond, as(a, Float32), as(b, Float32), kern.For[float32]().Select)
	}
}

// as returns t with its elements taken for others of the same size, for kernels
// that only move them.
func as(t *Tensor, dt DType) *Tensor {
	if t.dtype == dt {
		return t
	}
	v := t.view(t.shape, t.strides, 0)
	v.dtype = dt
	return v
}

func chooseBools(dst, mask, a, b []bool) {
	for i, m := range mask {
		if m {
			dst[i] = a[i]
		} else {
			dst[i] = b[i]
		}
	}
}

// MaskedSelect returns the elements of x where mask is true, in row-major order:
// [n]. x and mask broadcast.
func MaskedSelect(x, mask *Tensor) *Tensor {
	const op = "MaskedSelect"
	wantTensors(op, x)
	wantType(op, mask, Bool)
	shape := Broadcast(op, x.shape, mask.shape)
	x, mask = x.Expand(shape...).Contiguous(), mask.Expand(shape...).Contiguous()
	if anyFar(x, mask) {
		return farCompact(op, x, mask)
	}
	m := elems[bool](mask)
	counts, total := countTrue(m)
	out := empty(x.dtype, Shape{total})
	switch x.dtype.Size() {
	case 1:
		compress(words[uint8](out), words[uint8](x), m, counts)
	case 4:
		compress(words[uint32](out), words[uint32](x), m, counts)
	case 8:
		compress(words[uint64](out), words[uint64](x), m, counts)
	}
	return out
}

// NonZero returns the indices of the elements that are not 0, or true, one row
// each, in row-major order: Int64 [n rank]. NaN is not 0.
func NonZero(x *Tensor) *Tensor {
	wantTensors("NonZero", x)
	if x.far != nil {
		return farNonZero("NonZero", x)
	}
	m := elems[bool](x.To(Bool))
	counts, total := countTrue(m)
	rank := len(x.shape)
	out := empty(Int64, Shape{total, rank})
	index := elems[int64](out)
	cpu.ParallelFor(len(m), elementGrain, func(lo, hi int) {
		at := counts[lo/elementGrain] * rank
		for i := lo; i < hi; i++ {
			if !m[i] {
				continue
			}
			rest := i
			for k := rank - 1; k >= 0; k-- {
				index[at+k] = int64(rest % x.shape[k])
				rest /= x.shape[k]
			}
			at += rank
		}
	})
	return out
}

// farCompact returns the elements where a mask is true, both contiguous.
func farCompact(op string, x, mask *Tensor) *Tensor {
	sameDevice(op, x, mask)
	before, total := farCount(mask)
	out := emptyBeside(x, op, x.dtype, Shape{total})
	farCompactInto(op, out, x, mask, before)
	return out
}

// farCount returns how many elements of a mask are true up to each, and in all.
func farCount(mask *Tensor) (before *Tensor, total int) {
	before = CumSum(mask.Reshape(-1), 0)
	if mask.size > 0 {
		total = int(before.Narrow(0, mask.size-1, mask.size).Item())
	}
	return before, total
}

func farCompactInto(op string, out, x, mask, before *Tensor) {
	if out.size > 0 {
		d := out.far.device
		d.must(op, d.backend.Compact(out.faraway(), x.Reshape(-1).faraway(), mask.Reshape(-1).faraway(), before.faraway()))
	}
}

// farNonZero is NonZero on a device: it picks one coordinate of the elements after
// the other.
func farNonZero(op string, x *Tensor) *Tensor {
	mask := x.To(Bool).Contiguous()
	before, total := farCount(mask)
	defer before.Free()
	out := emptyBeside(x, op, Int64, Shape{total, len(x.shape)})
	if out.size == 0 {
		return out
	}
	all, found := emptyBeside(x, op, Int64, Shape{x.size}), emptyBeside(x, op, Int64, Shape{total})
	defer all.Free()
	defer found.Free()
	for k, n := range x.shape {
		inner := x.shape[k+1:].Size()
		farMapInto(op, all, []ProgramStep{{Op: "Coordinate", Type: Int64, U: uint64(inner), V: uint64(n)}})
		farCompactInto(op, found, all, mask, before)
		copyElements(out.Narrow(1, k, k+1), found.Unsqueeze(1))
	}
	return out
}

// countTrue returns how many elements before each grain are true, and in all.
func countTrue(m []bool) (before []int, total int) {
	before = make([]int, (len(m)+elementGrain-1)/elementGrain)
	cpu.ParallelFor(len(m), elementGrain, func(lo, hi int) {
		n := 0
		for _, b := range unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(m[lo:hi]))), hi-lo) {
			n += int(b)
		}
		before[lo/elementGrain] = n
	})
	for i, n := range before {
		before[i] = total
		total += n
	}
	return before, total
}

func compress[W word](dst, x []W, m []bool, before []int) {
	cpu.ParallelFor(len(x), elementGrain, func(lo, hi int) {
		at := before[lo/elementGrain]
		for i := lo; i < hi; i++ {
			if m[i] {
				dst[at] = x[i]
				at++
			}
		}
	})
}
