// Tensors made from a formula, or at random.

package tensor

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor/cpu"
)

// Ones returns a tensor of ones.
func Ones(dt DType, shape ...int) *Tensor {
	Shape(shape).check("Ones")
	t := empty(dt, shape)
	t.Fill(1)
	return t
}

// FullOn is [Full] on a device.
func FullOn(d *Device, dt DType, v float64, shape ...int) *Tensor {
	const op = "FullOn"
	Shape(shape).check(op)
	t := emptyOn(d, op, dt, shape)
	t.Fill(v)
	return t
}

// ZerosLike returns zeros in the shape and element type of x.
func ZerosLike(x *Tensor) *Tensor {
	wantTensors("ZerosLike", x)
	return zerosBeside(x, "ZerosLike", x.dtype, x.shape)
}

// FullLike returns a tensor of the shape and element type of x whose elements are v.
func FullLike(x *Tensor, v float64) *Tensor {
	wantTensors("FullLike", x)
	t := emptyBeside(x, "FullLike", x.dtype, x.shape)
	t.Fill(v)
	return t
}

// Arange returns start, start + step, ... as far as they lie before stop: [n].
func Arange(dt DType, start, stop, step float64) *Tensor {
	n := math.Ceil((stop - start) / step)
	if !(math.Abs(n) <= math.MaxInt32) || step == 0 {
		panic(&ShapeError{Op: "Arange", Detail: fmt.Sprintf("no finite number of steps of %v from %v to %v", step, start, stop)})
	}
	x := empty(Float64, Shape{int(max(n, 0))})
	for i := range elems[float64](x) {
		elems[float64](x)[i] = start + float64(i)*step
	}
	return x.To(dt)
}

// Linspace returns n numbers evenly spaced from lo to hi, both included: [n].
func Linspace(dt DType, lo, hi float64, n int) *Tensor {
	Shape{n}.check("Linspace")
	x := empty(Float64, Shape{n})
	step := (hi - lo) / float64(max(n-1, 1))
	for i := range elems[float64](x) {
		v := lo + float64(i)*step
		if i >= (n+1)/2 { // from the other end, so that it is met exactly
			v = hi - float64(n-1-i)*step
		}
		elems[float64](x)[i] = v
	}
	return x.To(dt)
}

// Eye returns the matrix with ones on its diagonal and zeros elsewhere.
func Eye(dt DType, rows, cols int) *Tensor {
	Shape{rows, cols}.check("Eye")
	t := zeros(dt, Shape{rows, cols})
	t.Diagonal(0).Fill(1)
	return t
}

// OneHot returns a row of classes elements for each id of a tensor of Int32 or
// Int64, 1 at the id and 0 elsewhere: [...] -> [... classes]. An id out of range
// panics with an *IndexError.
func OneHot(ids *Tensor, classes int, dt DType) *Tensor {
	const op = "OneHot"
	wantTensors(op, ids)
	Shape{classes}.check(op)
	if ids.dtype != Int32 && ids.dtype != Int64 {
		panic(&DTypeError{Op: op, Got: ids.dtype, Want: []DType{Int32, Int64}})
	}
	if ids.far != nil {
		return farOneHot(op, ids, classes, dt)
	}
	list := indicesOf(op, ids, classes)
	out := zeros(dt, append(ids.shape.Clone(), classes))
	switch dt {
	case Float32:
		mark(elems[float32](out), list, classes, 1)
	case Float64:
		mark(elems[float64](out), list, classes, 1)
	case Int32:
		mark(elems[int32](out), list, classes, 1)
	case Int64:
		mark(elems[int64](out), list, classes, 1)
	case Bool:
		mark(elems[bool](out), list, classes, true)
	}
	return out
}

// farOneHot compares each id with every class.
func farOneHot(op string, ids *Tensor, classes int, dt DType) *Tensor {
	checkFar(op, ids, classes)
	return farMap(op, append(ids.shape.Clone(), classes), []ProgramStep{
		{Op: "Coordinate", Type: Int64, U: 1, V: uint64(max(classes, 1))},
		{Op: "Cast", Type: Int64, Args: [3]int{^0}},
		{Op: "Equal", Type: Bool, Args: [3]int{0, 1}},
		{Op: "Cast", Type: dt, Args: [3]int{2}},
	}, ids.Unsqueeze(-1))
}

func mark[T Element](dst []T, ids []int64, classes int, one T) {
	for i, id := range ids {
		dst[i*classes+int(id)] = one
	}
}

// Rand returns numbers drawn evenly from [0, 1), the same for the same seed: float32
// with 24 random bits, float64 with 53.
func Rand(dt DType, seed uint64, shape ...int) *Tensor {
	return draw("Rand", dt, shape,
		func(i uint64) float32 { return float32(rng.Hash(seed, i)>>40) * 0x1p-24 }, // Uniform would round up to 1
		func(i uint64) float64 { return rng.Uniform(seed, i) })
}

// RandLike returns the numbers of [Rand] in the shape and type of x, on its device.
func RandLike(x *Tensor, seed uint64) *Tensor {
	const op = "RandLike"
	wantTensors(op, x)
	if x.far == nil {
		return Rand(x.dtype, seed, x.shape...)
	}
	wantFloat(op, x)
	out := emptyBeside(x, op, x.dtype, x.shape)
	farMapInto(op, out, []ProgramStep{{Op: "Rand", Type: x.dtype, U: seed}})
	return out
}

// Randn returns numbers drawn from the standard normal distribution, the same for
// the same seed.
func Randn(dt DType, seed uint64, shape ...int) *Tensor {
	return draw("Randn", dt, shape,
		func(i uint64) float32 { return float32(rng.Normal(seed, i)) },
		func(i uint64) float64 { return rng.Normal(seed, i) })
}

// draw returns a tensor whose i-th element is a function of i.
func draw(op string, dt DType, shape Shape, f32 func(i uint64) float32, f64 func(i uint64) float64) *Tensor {
	shape.check(op)
	if !dt.IsFloat() {
		panic(&DTypeError{Op: op, Got: dt, Want: []DType{Float32, Float64}})
	}
	t := empty(dt, shape)
	cpu.ParallelFor(t.size, costlyGrain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if dt == Float32 {
				elems[float32](t)[i] = f32(uint64(i))
			} else {
				elems[float64](t)[i] = f64(uint64(i))
			}
		}
	})
	return t
}
