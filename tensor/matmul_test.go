// Tests of products: batches, vectors, slices, accumulation and linear layers.

package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// productNaive is the product of the last two axes by definition, in float64.
func productNaive(a, b *Tensor) (Shape, []float64) {
	i, j := a.Rank()-2, b.Rank()-2
	k := a.Shape()[i+1]
	shape := append(Broadcast("", a.Shape()[:i], b.Shape()[:j]), a.Shape()[i], b.Shape()[j+1])
	var out []float64
	for _, idx := range indices(shape) {
		n := len(idx) - 2
		sum := 0.0
		for l := range k {
			sum += element(a, append(append([]int{}, idx[:n]...), idx[n], l)) * element(b, append(append([]int{}, idx[:n]...), l, idx[n+1]))
		}
		out = append(out, sum)
	}
	return shape, out
}

func TestBatchedProductsBroadcast(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, c := range []struct{ a, b Shape }{
			{Shape{2, 3, 4}, Shape{2, 4, 5}}, {Shape{2, 3, 4}, Shape{4, 5}}, {Shape{3, 4}, Shape{2, 4, 5}},
			{Shape{2, 1, 3, 4}, Shape{6, 4, 5}}, {Shape{1, 3, 4}, Shape{1, 4, 5}}, {Shape{0, 3, 4}, Shape{4, 5}},
			{Shape{2, 0, 4}, Shape{4, 5}}, {Shape{2, 3, 0}, Shape{2, 0, 5}}, {Shape{2, 3, 4}, Shape{1, 4, 0}}, {Shape{40, 9, 9}, Shape{40, 9, 9}},
		} {
			a, b := scrambledUnlessEmpty(r, dt, c.a), scrambledUnlessEmpty(r, dt, c.b)
			shape, want := productNaive(a, b)
			wantClose(t, fmt.Sprint("product ", c), MatMul(a, b), shape, want, 10*tolerance(dt))
			sum := Ones(dt, shape...)
			MatMulAdd(sum, a, b)
			for i := range want {
				want[i]++
			}
			wantClose(t, fmt.Sprint("sum of products ", c), sum, shape, want, 10*tolerance(dt))
		}
	})
	wantPanic[*ShapeError](t, "tensor: MatMul: shapes do not broadcast: [2] x [3]", func() { MatMul(Zeros(Float32, 2, 3, 4), Zeros(Float32, 3, 4, 5)) })
	wantPanic[*ShapeError](t, "tensor: MatMul: inner dimensions differ: [2 3 4] x [5 4]", func() { MatMul(Zeros(Float32, 2, 3, 4), Zeros(Float32, 5, 4)) })
}

func scrambledUnlessEmpty(r *rand.Rand, dt DType, shape Shape) *Tensor {
	if shape.Size() == 0 {
		return Zeros(dt, shape...)
	}
	return scrambled(r, dt, shape...)
}

func TestVectorsAreRowsOnTheLeftAndColumnsOnTheRight(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		v, m := FromSlice([]float64{1, 2, 3}, 3).To(dt), counting(dt, 3, 2)
		wantClose(t, "v·v", MatMul(v, v), Shape{}, []float64{14}, 0)
		wantClose(t, "v·M", MatMul(v, m), Shape{2}, []float64{16, 22}, 0)
		wantClose(t, "Mᵀ·v", MatMul(m.Transpose(), v), Shape{2}, []float64{16, 22}, 0)
		wantClose(t, "batch of M·v", MatMul(Stack(0, m, m).Transpose(), v), Shape{2, 2}, []float64{16, 22, 16, 22}, 0)
		wantClose(t, "v·batch of M", MatMul(v, Stack(0, m, m)), Shape{2, 2}, []float64{16, 22, 16, 22}, 0)
		wantClose(t, "Dot", Dot(v, v), Shape{}, []float64{14}, 0)
		wantClose(t, "Dot of nothing", Dot(Zeros(dt, 0), Zeros(dt, 0)), Shape{}, []float64{0}, 0)
		wantClose(t, "VecDot", VecDot(FromSlice([]float64{1, 2, 3, 4}, 2, 2).To(dt), FromSlice([]float64{5, 6, 7, 8}, 2, 2).To(dt)), Shape{2}, []float64{17, 53}, 0)
		Full(dt, 7, 3000).Free() // memory that may be taken again
		wantClose(t, "VecDot of nothing", VecDot(Zeros(dt, 3000, 0), Zeros(dt, 3000, 0)), Shape{3000}, make([]float64, 3000), 0)
		wantClose(t, "Outer", Outer(v, FromSlice([]float64{1, -1}, 2).To(dt)), Shape{3, 2}, []float64{1, -1, 2, -2, 3, -3}, 0)
	})
	x, v := Zeros(Float32, 3, 4), Zeros(Float32, 5)
	wantPanic[*ShapeError](t, "tensor: MatMul: inner dimensions differ: [5] x [3 4]", func() { MatMul(v, x) })
	wantPanic[*ShapeError](t, "tensor: MatMul: inner dimensions differ: [5] x [4]", func() { MatMul(v, Zeros(Float32, 4)) })
	wantPanic[*ShapeError](t, "tensor: MatMul: a scalar is no matrix: [] x [5]", func() { MatMul(Zeros(Float32), v) })
	wantPanic[*ShapeError](t, "tensor: Dot: operands are not vectors of one length", func() { Dot(v, x) })
	wantPanic[*ShapeError](t, "tensor: Outer: operands are not vectors", func() { Outer(v, x) })
}

func TestMatMulAddWritesPartsOfALargerMatrix(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(2, 2))
		a, b := random(r, dt, 3, 4), random(r, dt, 4, 2)
		whole := Ones(dt, 5, 6)
		MatMulAdd(whole.Narrow(0, 1, 4).Narrow(1, 2, 4), a, b)
		want := Pad(MatMul(a, b), 0, []int{1, 2}, []int{1, 2})
		wantClose(t, "the larger matrix", whole, Shape{5, 6}, AddScalar(want, 1).Float64s(), 10*tolerance(dt))
		heads := Ones(dt, 3, 2, 2) // [rows heads columns], written head by head
		both := Stack(0, a, a)
		MatMulAdd(heads.Transpose(1, 0, 2), both, b)
		wantClose(t, "heads", heads.Narrow(1, 1, 2).Squeeze(1), Shape{3, 2}, AddScalar(MatMul(a, b), 1).Float64s(), 10*tolerance(dt))
		wantPanic[*ShapeError](t, "tensor: MatMulAdd: writes to a view with strides [1 3]", func() { MatMulAdd(Zeros(dt, 2, 3).Transpose(), a, b) })
		wantPanic[*ShapeError](t, "tensor: MatMulAdd: writes to a view", func() { MatMulAdd(Zeros(dt, 1, 2).Expand(3, 2), a, b) })
		wantPanic[*ShapeError](t, "tensor: MatMulAdd: the product has another shape: [2 2] x [3 4] x [4 2]", func() { MatMulAdd(Zeros(dt, 2, 2), a, b) })
	})
}

func TestLinearIsProductBiasAndReLU(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(3, 3))
		for _, shape := range []Shape{{6, 4}, {2, 3, 4}, {0, 4}, {1, 4}, {300, 4}} {
			x, w, b := random(r, dt, shape...), random(r, dt, 4, 5), random(r, dt, 5)
			want := Add(MatMul(x, w), b)
			wantClose(t, "x·w", Linear(x, w, nil, false), want.Shape(), MatMul(x, w).Float64s(), 10*tolerance(dt))
			wantClose(t, "x·w + b", Linear(x, w, b, false), want.Shape(), want.Float64s(), 10*tolerance(dt))
			wantClose(t, "ReLU", Linear(x, w, b, true), want.Shape(), ReLU(want).Float64s(), 10*tolerance(dt))
		}
		nan := Full(dt, math.NaN(), 1, 1)
		if got := Linear(nan, Ones(dt, 1, 1), nil, true).Item(); !math.IsNaN(got) {
			t.Errorf("ReLU of NaN is %v", got)
		}
	})
	x, w := Zeros(Float32, 3, 4), Zeros(Float32, 4, 5)
	wantPanic[*ShapeError](t, "tensor: Linear: input and weight do not fit: [3 4] x [3 4]", func() { Linear(x, x, nil, false) })
	wantPanic[*ShapeError](t, "tensor: Linear: the bias is not one number a column of the weight: [4 5] x [4]", func() { Linear(x, w, Zeros(Float32, 4), false) })
	wantPanic[*DTypeError](t, "tensor: Linear: element type f64, want f32", func() { Linear(x, w, Zeros(Float64, 5), false) })
}

func TestProductsOfNaNAndInfinityFollowIEEE(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		a := FromSlice([]float64{0, 1, 0, 2}, 2, 2).To(dt)
		b := FromSlice([]float64{math.NaN(), math.Inf(1), 1, 1}, 2, 2).To(dt)
		nan := math.NaN()
		wantClose(t, "0·NaN, 0·Inf", MatMul(a, b), Shape{2, 2}, []float64{nan, nan, nan, nan}, 0)
	})
}
