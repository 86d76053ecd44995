// Tests of construction, access and misuse; what the other tests share.

package tensor

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// random returns normal numbers that float32 represents exactly.
func random(r *rand.Rand, dt DType, shape ...int) *Tensor {
	t := Zeros(Float64, shape...)
	for i := range Data[float64](t) {
		Data[float64](t)[i] = float64(float32(r.NormFloat64()))
	}
	return t.To(dt)
}

// wantClose fails unless got has the given shape and values, up to tol relative
// to the larger of 1 and the value.
func wantClose(t *testing.T, what string, got *Tensor, shape Shape, want []float64, tol float64) {
	t.Helper()
	if !got.Shape().Equal(shape) {
		t.Fatalf("%s: shape %v, want %v", what, got.Shape(), shape)
	}
	for i, g := range got.Float64s() {
		w := want[i]
		if g == w || math.IsNaN(g) && math.IsNaN(w) {
			continue
		}
		if !(math.Abs(g-w) <= tol*max(1, math.Abs(w))) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, g, w)
		}
	}
}

// tolerance is what a few roundings of the type may cost.
func tolerance(dt DType) float64 {
	if dt == Float32 {
		return 2e-6
	}
	return 1e-14
}

// wantPanic fails unless f panics with an error of type E whose text contains
// the given part.
func wantPanic[E error](t *testing.T, text string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		v := recover()
		err, ok := v.(E)
		if !ok {
			t.Errorf("recovered %T %v, want a %T", v, v, err)
			return
		}
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error is %q, want %q in it", err.Error(), text)
		}
	}()
	f()
}

// forFloats runs a test for both float types.
func forFloats(t *testing.T, f func(t *testing.T, dt DType)) {
	for _, dt := range []DType{Float32, Float64} {
		t.Run(dt.String(), func(t *testing.T) { f(t, dt) })
	}
}

// withThreads runs the rest of the test with n threads.
func withThreads(t *testing.T, n int) {
	SetThreads(n)
	t.Cleanup(func() { SetThreads(0) })
}

func TestConstructorsGiveShapeTypeAndElements(t *testing.T) {
	for _, dt := range []DType{Float32, Float64, Int32, Int64} {
		for _, shape := range []Shape{{}, {0}, {1}, {3}, {2, 3}, {0, 3}, {3, 0}, {2, 0, 4}, {1, 1, 1, 2}} {
			z := Zeros(dt, shape...)
			f := Full(dt, 7, shape...)
			if !z.Shape().Equal(shape) || z.DType() != dt || z.Rank() != len(shape) || z.Size() != shape.Size() {
				t.Errorf("Zeros(%v, %v) is %v", dt, shape, z)
			}
			if z.Bytes() != int64(shape.Size()*dt.Size()) {
				t.Errorf("Zeros(%v, %v) has %d bytes", dt, shape, z.Bytes())
			}
			if s := z.Float64s(); len(s) != shape.Size() || slices.ContainsFunc(s, func(v float64) bool { return v != 0 }) {
				t.Errorf("Zeros(%v, %v) holds %v", dt, shape, s)
			}
			if s := f.Float64s(); slices.ContainsFunc(s, func(v float64) bool { return v != 7 }) {
				t.Errorf("Full(%v, 7, %v) holds %v", dt, shape, s)
			}
		}
	}
}

func TestFromSliceSharesItsSlice(t *testing.T) {
	data := []float32{1, 2, 3, 4, 5, 6}
	x := FromSlice(data, 2, 3)
	data[4] = 50
	if got := x.At(1, 1); got != 50 {
		t.Errorf("At(1, 1) is %v after a write to the slice, want 50", got)
	}
	Data[float32](x)[0] = 10
	if data[0] != 10 {
		t.Errorf("data[0] is %v after a write to the tensor, want 10", data[0])
	}
}

func TestShapeIsACopyOfTheCallers(t *testing.T) {
	shape := []int{2, 3}
	x := Zeros(Float32, shape...)
	shape[0] = 99
	if x.Rows() != 2 {
		t.Errorf("Rows() is %d after the caller changed its slice", x.Rows())
	}
}

func TestAccessors(t *testing.T) {
	x := FromSlice([]float64{0, 1, 2, 3, 4, 5}, 2, 3)
	if x.Dim(0) != 2 || x.Dim(-1) != 3 || x.Rows() != 2 || Zeros(Float32).Rows() != 1 {
		t.Errorf("Dim, Rows: %d %d %d", x.Dim(0), x.Dim(-1), x.Rows())
	}
	if got := FromSlice([]int64{42}, 1, 1).Item(); got != 42 {
		t.Errorf("Item is %v", got)
	}
	if got := x.String(); got != "f64[2 3] [0 1 2 3 4 5]" {
		t.Errorf("String is %q", got)
	}
	if got := Zeros(Int32, 9).String(); got != "i32[9] [0 0 0 0 0 0 0 0 ...]" {
		t.Errorf("String is %q", got)
	}
}

func TestCloneCopyZeroReshapeShareOnlyWhatTheySay(t *testing.T) {
	for _, dt := range []DType{Float32, Float64, Int32, Int64} {
		x := Full(dt, 1, 2, 3)
		c, r := x.Clone(), x.Reshape(3, -1)
		if !r.Shape().Equal(Shape{3, 2}) || r.DType() != dt {
			t.Fatalf("%v: Reshape(3, -1) is %v", dt, r)
		}
		x.Zero()
		if c.At(1, 2) != 1 || r.At(2, 1) != 0 {
			t.Errorf("%v: after Zero the clone holds %v, the reshaped %v", dt, c.At(1, 2), r.At(2, 1))
		}
		x.CopyFrom(c)
		if r.At(2, 1) != 1 {
			t.Errorf("%v: after CopyFrom the reshaped holds %v", dt, r.At(2, 1))
		}
	}
	if got := Zeros(Float32, 0, 3).Reshape(-1, 3).Shape(); !got.Equal(Shape{0, 3}) {
		t.Errorf("an empty tensor reshaped to [-1 3] has shape %v", got)
	}
	if got := Zeros(Float32, 1, 1).Reshape().Shape(); !got.Equal(Shape{}) {
		t.Errorf("[1 1] reshaped to a scalar has shape %v", got)
	}
}

func TestToConverts(t *testing.T) {
	x := FromSlice([]float64{-1.5, 0, 2.75}, 3)
	for dt, want := range map[DType][]float64{Float32: {-1.5, 0, 2.75}, Float64: {-1.5, 0, 2.75}, Int32: {-1, 0, 2}, Int64: {-1, 0, 2}} {
		if got := x.To(dt); got.DType() != dt || !slices.Equal(got.Float64s(), want) {
			t.Errorf("To(%v) is %v", dt, got)
		}
		if back := x.To(dt).To(Float64); !slices.Equal(back.Float64s(), want) {
			t.Errorf("To(%v) and back is %v", dt, back)
		}
	}
	if x.To(Float64) != x {
		t.Error("To the same type is not the tensor itself")
	}
}

func TestMisusePanicsWithTypedErrors(t *testing.T) {
	wantPanic[*DTypeError](t, "tensor: DType.Size: element type DType(9), want f32 or", func() { Zeros(DType(9), 2) })
	x, y := Zeros(Float32, 3, 4), Zeros(Float32, 5, 6)
	i := Zeros(Int32, 3)
	const half = 1 << (bits.UintSize / 2) // half² is one more than a uint holds
	shapeErrors := map[string]func(){
		"tensor: MatMul: inner dimensions differ: [3 4] x [5 6]":                     func() { MatMul(x, y) },
		"tensor: MatMul: inner dimensions differ: [4 3] x [6 5]":                     func() { MatMul(x.Transpose(), y.Transpose()) },
		"tensor: MatMul: inner dimensions differ: [3 4] x [5]":                       func() { MatMul(x, Zeros(Float32, 5)) },
		"tensor: Add: shapes do not broadcast: [3 4] x [5 6]":                        func() { Add(x, y) },
		"tensor: AddInto: shapes differ: [3 4] x [4]":                                func() { AddInto(x, Zeros(Float32, 4)) },
		"tensor: CopyFrom: shapes differ":                                            func() { x.CopyFrom(y) },
		"tensor: Reshape: sizes differ: [3 4] x [5 -1]":                              func() { x.Reshape(5, -1) },
		"tensor: Reshape: only one length may be -1: [3 4] x [-1 -1]":                func() { x.Reshape(-1, -1) },
		"tensor: Reshape: negative length: [3 4] x [-3 -4]":                          func() { x.Reshape(-3, -4) },
		"tensor: Reshape: any length would do for -1: [0 4] x [-1 0]":                func() { Zeros(Float32, 0, 4).Reshape(-1, 0) },
		"tensor: Zeros: negative length: [2 -1]":                                     func() { Zeros(Float32, 2, -1) },
		"tensor: Zeros: more elements than memory can hold":                          func() { Zeros(Float32, half, half) },
		"tensor: Empty: more elements than memory can hold":                          func() { Empty(Float64, math.MaxInt/4) },
		"tensor: FromSlice: more elements than memory can hold":                      func() { FromSlice([]float32{}, half, half, 3) },
		"tensor: Reshape: more elements than memory can hold":                        func() { Zeros(Float32, 0).Reshape(half, half) },
		"tensor: Expand: more elements than memory can hold":                         func() { Zeros(Float32, 1).Expand(2*half, 2*half) },
		"tensor: FromSlice: 2 elements do not fill the shape: [3]":                   func() { FromSlice([]float32{1, 2}, 3) },
		"tensor: At: 1 indices for 2 axes":                                           func() { x.At(1) },
		"tensor: Item: more or less than one element":                                func() { x.Item() },
		"tensor: Dim: no axis 2":                                                     func() { x.Dim(2) },
		"tensor: Sum: no axis -3":                                                    func() { Sum(x, false, -3) },
		"tensor: Max: an axis is given twice":                                        func() { Max(x, false, 1, -1) },
		"tensor: SumTo: the second shape does not broadcast to the first":            func() { SumTo(Zeros(Float32, 1, 4), Shape{3, 4}) },
		"tensor: Argmax: no elements along axis 1: [3 0]":                            func() { Argmax(Zeros(Float32, 3, 0)) },
		"tensor: Softmax: a scalar has no last axis":                                 func() { Softmax(Zeros(Float32)) },
		"tensor: Concat: no tensors":                                                 func() { Concat(0) },
		"tensor: Concat: shapes differ outside axis 1: [3 4] x [5 6]":                func() { Concat(1, x, y) },
		"tensor: Narrow: range [1:5) on axis 1: [3 4]":                               func() { x.Narrow(1, 1, 5) },
		"tensor: Squeeze: an axis is given twice: [1 4]":                             func() { Zeros(Float32, 1, 4).Squeeze(0, -2) },
		"tensor: Transpose: needs two axes to swap: [3]":                             func() { i.Transpose() },
		"tensor: Transpose: the order of 2 axes, want that of all 3: [2 3 4]":        func() { Zeros(Float32, 2, 3, 4).Transpose(1, 2) },
		"tensor: IndexSelect: a scalar has no rows":                                  func() { IndexSelect(Zeros(Float32), nil) },
		"tensor: ScatterAddRows: rows, indices and result do not fit: [3 4] x [2] x": func() { ScatterAddRows(x, []int32{0, 1}, 2) },
	}
	// A product that runs over to the right size, and lengths that one of 0 outweighs.
	wrapped := []int{half + 1, half - 1, half + 1, half - 1} // (2^64 - 1)² = 1 modulo 2^64
	shapeErrors["tensor: Reshape: more elements than memory can hold: ["] = func() { Zeros(Float32, 1).Reshape(wrapped...) }
	for name, f := range map[string]func(){ // of operands that are small, or empty
		"Add":            func() { Add(Zeros(Float32, 1, 1).Expand(half, 1), Zeros(Float32, 1, 1).Expand(1, half)) },
		"MatMul":         func() { MatMul(Zeros(Float32, half, 0), Zeros(Float32, 0, half)) },
		"Sum":            func() { Sum(Zeros(Float32, 0, half, half), false, 0) },
		"DiagEmbed":      func() { DiagEmbed(Zeros(Float32, 1), half-1) },
		"ScatterAddRows": func() { ScatterAddRows(Zeros(Float32, 0, 4), nil, math.MaxInt/2) },
	} {
		t.Run(name, func(t *testing.T) {
			wantPanic[*ShapeError](t, "tensor: the result: more elements than memory can hold: [", f)
		})
	}
	if n := Zeros(Float32, half, half, 0, half).Size(); n != 0 {
		t.Errorf("a tensor with an empty axis has %d elements", n)
	}
	if err := (&ShapeError{Op: "Concat", Detail: "no tensors"}); err.Error() != "tensor: Concat: no tensors" {
		t.Errorf("an error without shapes reads %q", err)
	}
	for text, f := range shapeErrors {
		wantPanic[*ShapeError](t, text, f)
	}
	typeErrors := map[string]func(){
		"tensor: Exp: element type i32, want f32 or f64":                func() { Exp(i) },
		"tensor: Mean: element type i32, want f32 or f64":               func() { Mean(i, false) },
		"tensor: Max: element type bool, want f32 or f64 or i32 or i64": func() { Max(Zeros(Bool, 2), false) },
		"tensor: Min: element type bool, want f32 or f64 or i32 or i64": func() { Min(Zeros(Bool, 2), false) },
		"tensor: Mul: element type f64, want f32":                       func() { Mul(x, Zeros(Float64, 3, 4)) },
		"tensor: MatMul: element type f64, want f32":                    func() { MatMul(x, Zeros(Float64, 4, 4)) },
		"tensor: Data: element type f32, want f64":                      func() { Data[float64](x) },
		"tensor: CopyFrom: element type i32, want f32":                  func() { x.CopyFrom(i) },
		"tensor: Concat: element type i32, want f32":                    func() { Concat(0, x, i) },
	}
	for text, f := range typeErrors {
		wantPanic[*DTypeError](t, text, f)
	}
	indexErrors := map[string]func(){
		"tensor: At: index 1 is 4, out of range [0, 4)":              func() { x.At(0, 4) },
		"tensor: IndexSelect: index 1 is 3, out of range [0, 3)":     func() { IndexSelect(x, []int32{0, 3}) },
		"tensor: IndexSelect: index 0 is -1, out of range [0, 3)":    func() { IndexSelect(x, []int32{-1}) },
		"tensor: ScatterAddRows: index 2 is 2, out of range [0, 2)":  func() { ScatterAddRows(x, []int32{0, 1, 2}, 2) },
		"tensor: ScatterAddRows: index 0 is -1, out of range [0, 2)": func() { ScatterAddRows(x, []int32{-1, 1, 0}, 2) },
	}
	for text, f := range indexErrors {
		wantPanic[*IndexError](t, text, f)
	}
}

// Numbers of bytes that an int holds, and that Go makes no slice of. Views have no memory.
func TestMoreBytesThanGoMayBeAskedForAreTypedMisuse(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("an int holds no such numbers")
	}
	const most = math.MaxInt >> 16 // 1<<47 - 1
	for name, f := range map[string]func(){
		"Zeros":     func() { Zeros(Float32, most) },
		"Full":      func() { Full(Bool, 1, 4*most) },
		"of a view": func() { Neg(Zeros(Float64, 1).Expand(most)) },
	} {
		t.Run(name, func(t *testing.T) {
			wantPanic[*ShapeError](t, "tensor: the result: more elements than memory can hold: [", f)
		})
	}
}

func TestInt32sAreTheElementsOfIntegers(t *testing.T) {
	narrow := FromSlice([]int32{1, -2, 3, math.MaxInt32, math.MinInt32, 6}, 2, 3)
	for name, c := range map[string]struct {
		x    *Tensor
		want []int32
	}{
		"int32":            {narrow, []int32{1, -2, 3, math.MaxInt32, math.MinInt32, 6}},
		"int64":            {narrow.To(Int64), []int32{1, -2, 3, math.MaxInt32, math.MinInt32, 6}},
		"transposed":       {narrow.Transpose(), []int32{1, math.MaxInt32, -2, math.MinInt32, 3, 6}},
		"int64 transposed": {narrow.To(Int64).Transpose(), []int32{1, math.MaxInt32, -2, math.MinInt32, 3, 6}},
		"rows":             {narrow.Narrow(0, 1, 2), []int32{math.MaxInt32, math.MinInt32, 6}},
		"a scalar":         {FromSlice([]int64{7}), []int32{7}},
		"none":             {Zeros(Int32, 0), []int32{}},
		"none of int64":    {Zeros(Int64, 2, 0), []int32{}},
	} {
		if got := c.x.Int32s(); got == nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if narrow.Int32s()[0] = 9; narrow.At(0, 0) != 9 {
		t.Error("contiguous int32 elements were copied")
	}
	wide := narrow.To(Int64)
	if wide.Int32s()[0] = 5; wide.At(0, 0) != 9 {
		t.Error("int64 elements were written")
	}
}

func TestInt32sOfWhatIsNoInt32IsMisuse(t *testing.T) {
	for want, x := range map[string]*Tensor{
		"tensor: Int32s: element 1 is 2147483648, which i32 does not hold":  FromSlice([]int64{0, 1 << 31}, 2),
		"tensor: Int32s: element 0 is -2147483649, which i32 does not hold": FromSlice([]int64{-1<<31 - 1}, 1, 1),
		"tensor: Int32s: element type f32, want i32 or i64":                 Zeros(Float32, 2),
		"tensor: Int32s: element type bool, want i32 or i64":                Zeros(Bool, 0),
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || err.Error() != want {
					t.Errorf("%v, want %s", err, want)
				}
			}()
			x.Int32s()
		}()
	}
}
