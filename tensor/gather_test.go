// Tests of gathering and scattering by index tensors.

package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// indexFor returns random indices below n.
func indexFor(r *rand.Rand, dt DType, n int, shape ...int) *Tensor {
	x := Zeros(Int64, shape...)
	for i := range Data[int64](x) {
		Data[int64](x)[i] = int64(r.IntN(n))
	}
	return x.To(dt)
}

// gatherCases are tensors, an axis of them and an index.
var gatherCases = []struct {
	x     Shape
	axis  int
	index Shape
}{
	{Shape{5}, 0, Shape{8}},
	{Shape{5}, -1, Shape{0}},
	{Shape{4, 5}, 0, Shape{7, 5}},
	{Shape{4, 5}, 0, Shape{2, 3}},
	{Shape{4, 5}, 1, Shape{4, 1}},
	{Shape{4, 5}, 1, Shape{3, 9}},
	{Shape{3, 4, 5}, 1, Shape{2, 6, 4}},
	{Shape{3, 4, 5}, 0, Shape{5, 4, 5}},
	{Shape{3, 4, 5}, 2, Shape{3, 4, 2}},
	{Shape{2, 3, 400}, 1, Shape{2, 20, 300}},
	{Shape{100, 3, 30}, 0, Shape{300, 3, 30}},
	{Shape{3, 0}, 0, Shape{5, 0}},
}

func TestGatherPicksByItsDefinition(t *testing.T) {
	for _, dt := range []DType{Float32, Float64, Int32, Int64, Bool} {
		r := rand.New(rand.NewPCG(1, 1))
		for i, c := range gatherCases {
			axis := c.axis
			if axis < 0 {
				axis += len(c.x)
			}
			x := tied(r, Int64, c.x...).To(dt)
			ids := indexFor(r, []DType{Int32, Int64}[i%2], max(1, c.x[axis]), c.index...)
			var want []float64
			for _, idx := range indices(c.index) {
				from := slices.Clone(idx)
				from[axis] = int(ids.At(idx...))
				want = append(want, x.At(from...))
			}
			got := Gather(x, c.axis, ids)
			if got.DType() != dt {
				t.Fatalf("Gather of %v is %v", dt, got.DType())
			}
			wantClose(t, fmt.Sprint("Gather ", c), got, c.index, want, 0)
		}
	}
}

func TestScatterPutsAndAddsInOrder(t *testing.T) {
	forTypes(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(2, 2))
		for _, c := range gatherCases {
			axis := c.axis
			if axis < 0 {
				axis += len(c.x)
			}
			x, src := tied(r, Int64, c.x...).To(dt), indexFor(r, Int64, 100, c.index...).To(dt)
			ids := indexFor(r, Int64, max(1, c.x[axis]), c.index...)
			put, sum := FromSlice(x.Float64s(), c.x...), FromSlice(x.Float64s(), c.x...)
			for _, idx := range indices(c.index) { // row-major order is that along any axis
				at, to := 0, slices.Clone(idx)
				to[axis] = int(ids.At(idx...))
				for k, i := range to {
					at = at*c.x[k] + i
				}
				Data[float64](put)[at] = src.At(idx...)
				Data[float64](sum)[at] += src.At(idx...)
			}
			wantClose(t, fmt.Sprint("Scatter ", c), Scatter(x, c.axis, ids, src), c.x, put.Float64s(), 0)
			if dt.IsFloat() {
				wantClose(t, fmt.Sprint("ScatterAdd ", c), ScatterAdd(x, c.axis, ids, src), c.x, sum.Float64s(), 0)
			}
		}
	})
}

func TestScatterAddIsTheAdjointOfGather(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, c := range gatherCases {
		x, g := random(r, Float64, c.x...), random(r, Float64, c.index...)
		ids := indexFor(r, Int32, max(1, c.x[x.Shape().axis("", c.axis)]), c.index...)
		left := Sum(Mul(Gather(x, c.axis, ids), g), false).Item()
		right := Sum(Mul(x, ScatterAdd(ZerosLike(x), c.axis, ids, g)), false).Item()
		if d := left - right; d > 1e-9 || d < -1e-9 {
			t.Errorf("%v: <Gather x, g> = %v, <x, ScatterAdd g> = %v", c, left, right)
		}
	}
}

func TestGatherAndScatterCheckTheirIndices(t *testing.T) {
	x, ids := Zeros(Float32, 3, 4), FromSlice([]int64{0, 1, 3, 2}, 2, 2)
	wantPanic[*IndexError](t, "tensor: Gather: index 2 is 3, out of range [0, 3)", func() { Gather(x, 0, ids) })
	wantPanic[*IndexError](t, "tensor: Scatter: index 1 is -1, out of range [0, 4)", func() { Scatter(x, 1, FromSlice([]int32{0, -1}, 1, 2), x) })
	wantPanic[*IndexError](t, "tensor: ScatterAdd: index 2 is 3, out of range [0, 3)", func() { ScatterAdd(x, 0, ids, x) })
	wantPanic[*DTypeError](t, "tensor: Gather: element type f32, want i32 or i64", func() { Gather(x, 0, x) })
	wantPanic[*DTypeError](t, "tensor: ScatterAdd: element type f64, want f32", func() { ScatterAdd(x, 0, ids, Zeros(Float64, 2, 2)) })
	wantPanic[*ShapeError](t, "tensor: Gather: the index does not fit the tensor: [3 4] x [5 5]", func() { Gather(x, 0, Zeros(Int64, 5, 5)) })
	wantPanic[*ShapeError](t, "tensor: Gather: the index does not fit the tensor: [3 4] x [3]", func() { Gather(x, 0, Zeros(Int64, 3)) })
	wantPanic[*ShapeError](t, "tensor: Scatter: the source is shorter than the index: [3 4] x [2 2] x [1 4]", func() { Scatter(x, 1, Zeros(Int64, 2, 2), Zeros(Float32, 1, 4)) })
	if Gather(Zeros(Float32, 3, 0), 0, Zeros(Int64, 2, 0)).Size() != 0 {
		t.Error("gathering nothing gives something")
	}
	wantPanic[*IndexError](t, "tensor: Gather: index 0 is 0, out of range [0, 0)", func() { Gather(Zeros(Float32, 0, 2), 0, Zeros(Int64, 1, 2)) })
}

func TestIndexSelectAxisPicksAlongAnyAxis(t *testing.T) {
	for _, dt := range []DType{Float32, Int64, Bool} {
		r := rand.New(rand.NewPCG(4, 4))
		for _, shape := range []Shape{{5}, {4, 5}, {3, 4, 5}, {2, 0, 3}} {
			x := tied(r, Int64, shape...).To(dt)
			for axis, n := range shape {
				ids := []int32{}
				for range min(n, 1) * 7 {
					ids = append(ids, int32(r.IntN(n)))
				}
				to := shape.Clone()
				to[axis] = len(ids)
				var want []float64
				for _, idx := range indices(to) {
					from := slices.Clone(idx)
					from[axis] = int(ids[idx[axis]])
					want = append(want, x.At(from...))
				}
				wantClose(t, fmt.Sprintf("IndexSelectAxis %v over %d", shape, axis), IndexSelectAxis(x, axis, ids), to, want, 0)
			}
		}
	}
	wantPanic[*IndexError](t, "tensor: IndexSelectAxis: index 1 is 4, out of range [0, 4)", func() { IndexSelectAxis(Zeros(Float32, 3, 4), -1, []int32{0, 4}) })
}

func TestScatterAddAxisIsTheAdjointOfIndexSelectAxis(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, shape := range []Shape{{5}, {4, 5}, {3, 4, 5}, {2, 3, 4, 5}} {
		for axis, n := range shape {
			var ids []int32
			for range 6 {
				ids = append(ids, int32(r.IntN(n)))
			}
			x := random(r, Float64, shape...)
			y := IndexSelectAxis(x, axis, ids)
			g := random(r, Float64, y.Shape()...)
			back := ScatterAddAxis(g, axis, ids, n)
			if !back.Shape().Equal(shape) {
				t.Fatalf("ScatterAddAxis over %d has shape %v, want %v", axis, back.Shape(), shape)
			}
			if d := Sum(Mul(y, g), false).Item() - Sum(Mul(x, back), false).Item(); d > 1e-9 || d < -1e-9 {
				t.Errorf("%v over %d: the two sides differ by %v", shape, axis, d)
			}
		}
	}
}

func TestTakeRowsTakesAnIndexOfAnyShape(t *testing.T) {
	x := counting(Float32, 4, 2)
	for _, dt := range []DType{Int32, Int64} {
		ids := FromSlice([]int64{3, 0, 1, 3}, 2, 2).To(dt)
		wantClose(t, "TakeRows", TakeRows(x, ids), Shape{2, 2, 2}, []float64{6, 7, 0, 1, 2, 3, 6, 7}, 0)
		wantClose(t, "TakeRows transposed", TakeRows(x, ids.Transpose()), Shape{2, 2, 2}, []float64{6, 7, 2, 3, 0, 1, 6, 7}, 0)
		wantClose(t, "TakeRows of one", TakeRows(x, Ones(dt)), Shape{2}, []float64{2, 3}, 0)
		wantPanic[*IndexError](t, "tensor: TakeRows: index 0 is 4, out of range [0, 4)", func() { TakeRows(x, Full(dt, 4, 1)) })
	}
	wantPanic[*DTypeError](t, "tensor: TakeRows: element type f32, want i32 or i64", func() { TakeRows(x, x) })
}

// Against sums of g's rows one by one; what stands in rows of padding is not read.
func TestTakeRowsGradAddsRowsInOrder(t *testing.T) {
	numbers := []int64{3, 0, 1, 3, 1, 1}
	g := FromSlice([]float64{1, 2, 1e16, 4, 5, 6, 7, 8, 1, 1e8, -1e16, 3}, 2, 3, 2)
	for _, dt := range []DType{Int32, Int64} {
		for _, padding := range []*int{nil, new(1), new(2), new(3)} {
			want, x := make([]float64, 10), g.Clone()
			for i, r := range numbers {
				for k := range 2 {
					if padding != nil && int(r) == *padding {
						x.Reshape(6, 2).Narrow(0, i, i+1).Fill(math.NaN())
					} else {
						want[2*r+int64(k)] += Data[float64](g)[2*i+k]
					}
				}
			}
			ids := FromSlice(numbers, 2, 3).To(dt)
			wantClose(t, "TakeRowsGrad", TakeRowsGrad(x, ids, 5, padding), Shape{5, 2}, want, 0)
			wantClose(t, "TakeRowsGrad of views", TakeRowsGrad(x.Transpose(2, 1, 0).Clone().Transpose(2, 1, 0), ids.Transpose().Clone().Transpose(), 5, padding), Shape{5, 2}, want, 0)
		}
	}
	wantClose(t, "TakeRowsGrad of one", TakeRowsGrad(Ones(Float32, 2), Ones(Int32), 2, nil), Shape{2, 2}, []float64{0, 0, 1, 1}, 0)
	wantClose(t, "TakeRowsGrad of none", TakeRowsGrad(Ones(Float32, 0, 2), Zeros(Int32, 0), 1, nil), Shape{1, 2}, []float64{0, 0}, 0)
	three := Full(Int32, 3, 2)
	wantPanic[*IndexError](t, "tensor: TakeRowsGrad: index 0 is 3, out of range [0, 3)", func() { TakeRowsGrad(g, three, 3, nil) })
	wantPanic[*DTypeError](t, "tensor: TakeRowsGrad: element type f64, want i32 or i64", func() { TakeRowsGrad(g, g, 3, nil) })
	wantPanic[*DTypeError](t, "tensor: TakeRowsGrad: element type i32, want f32 or f64", func() { TakeRowsGrad(three, three, 3, nil) })
	wantPanic[*ShapeError](t, "tensor: TakeRowsGrad: rows, indices and result do not fit: [2 3 2] x [2 2] x [4]", func() { TakeRowsGrad(g, Ones(Int32, 2, 2), 4, nil) })
	wantPanic[*ShapeError](t, "tensor: TakeRowsGrad: rows, indices and result do not fit: [2 3 2] x [2] x [-1]", func() { TakeRowsGrad(g, three, -1, nil) })
	wantPanic[*ShapeError](t, "tensor: TakeRowsGrad: rows, indices and result do not fit: [] x [2] x [4]", func() { TakeRowsGrad(Ones(Float32), three, 4, nil) })
}
