// Tests of logic on booleans and of choosing by masks.

package tensor

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// coins returns random booleans.
func coins(r *rand.Rand, shape ...int) *Tensor {
	x := Zeros(Bool, shape...)
	for i := range Data[bool](x) {
		Data[bool](x)[i] = r.IntN(2) == 0
	}
	return x
}

func TestLogicFollowsTruthTablesAndBroadcasts(t *testing.T) {
	a, b := FromSlice([]bool{false, true}, 2, 1), FromSlice([]bool{false, true}, 2)
	wantClose(t, "And", And(a, b), Shape{2, 2}, []float64{0, 0, 0, 1}, 0)
	wantClose(t, "Or", Or(a, b), Shape{2, 2}, []float64{0, 1, 1, 1}, 0)
	wantClose(t, "Xor", Xor(a, b), Shape{2, 2}, []float64{0, 1, 1, 0}, 0)
	wantClose(t, "Equal", Equal(a, b), Shape{2, 2}, []float64{1, 0, 0, 1}, 0)
	wantClose(t, "NotEqual", NotEqual(a, b), Shape{2, 2}, []float64{0, 1, 1, 0}, 0)
	wantClose(t, "Not", Not(a), Shape{2, 1}, []float64{1, 0}, 0)
	wantClose(t, "And of nothing", And(Zeros(Bool, 0, 2), b), Shape{0, 2}, nil, 0)
	wantPanic[*DTypeError](t, "tensor: And: element type f32, want bool", func() { And(Zeros(Float32, 2), b) })
	wantPanic[*DTypeError](t, "tensor: Or: element type i64, want bool", func() { Or(b, Zeros(Int64, 2)) })
	wantPanic[*DTypeError](t, "tensor: Not: element type i32, want bool", func() { Not(Zeros(Int32, 2)) })
	wantPanic[*DTypeError](t, "tensor: Less: element type bool", func() { Less(a, b) })
	wantPanic[*DTypeError](t, "tensor: Equal: element type f32, want bool", func() { Equal(a, Zeros(Float32, 2)) })
}

func TestAnyAndAllOverEverySetOfAxes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, shape := range []Shape{{}, {3}, {2, 3}, {2, 2, 2}, {0}, {0, 3}, {3, 0}, {2, 17000}, {17000, 2}} {
		for range 1 + 4/(1+shape.Size()/100) {
			x := coins(r, shape...)
			for set := range 1 << len(shape) {
				var axes []int
				reduced := filled(len(shape), set == 0)
				for k := range shape {
					if set>>k&1 != 0 {
						axes, reduced[k] = append(axes, k), true
					}
				}
				what := fmt.Sprintf(" of %v over %v", shape, axes)
				any := Any(x, true, axes...)
				wantClose(t, "Any"+what, any, any.Shape(), reduceNaive(x, reduced, 0, math.Max), 0)
				all := All(x, true, axes...)
				wantClose(t, "All"+what, all, any.Shape(), reduceNaive(x, reduced, 1, math.Min), 0)
				if Any(x, false, axes...).DType() != Bool {
					t.Error("Any is not Bool")
				}
			}
		}
	}
}

func TestComparisonsOfNaNInfinitiesAndIntegers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	forFloats(t, func(t *testing.T, dt DType) {
		x := FromSlice([]float64{nan, inf, -inf, 0, math.Copysign(0, -1)}, 5).To(dt)
		wantClose(t, "IsNaN", IsNaN(x), Shape{5}, []float64{1, 0, 0, 0, 0}, 0)
		wantClose(t, "IsInf", IsInf(x), Shape{5}, []float64{0, 1, 1, 0, 0}, 0)
		wantClose(t, "IsFinite", IsFinite(x), Shape{5}, []float64{0, 0, 0, 1, 1}, 0)
		wantClose(t, "Equal to itself", Equal(x, x), Shape{5}, []float64{0, 1, 1, 1, 1}, 0)
		wantClose(t, "NotEqual to itself", NotEqual(x, x), Shape{5}, []float64{1, 0, 0, 0, 0}, 0)
		wantClose(t, "EqualScalar 0", EqualScalar(x, 0), Shape{5}, []float64{0, 0, 0, 1, 1}, 0)
		wantClose(t, "LessScalar 0", LessScalar(x, 0), Shape{5}, []float64{0, 0, 1, 0, 0}, 0)
		wantClose(t, "GreaterScalar 0", GreaterScalar(x, 0), Shape{5}, []float64{0, 1, 0, 0, 0}, 0)
	})
	for _, dt := range []DType{Int32, Int64} {
		a, b := FromSlice([]int64{-2, 0, 3}, 3, 1).To(dt), FromSlice([]int64{0, 3}, 2).To(dt)
		wantClose(t, "Less", Less(a, b), Shape{3, 2}, []float64{1, 1, 0, 1, 0, 0}, 0)
		wantClose(t, "LessEqual", LessEqual(a, b), Shape{3, 2}, []float64{1, 1, 1, 1, 0, 1}, 0)
		wantClose(t, "Greater", Greater(a, b), Shape{3, 2}, []float64{0, 0, 0, 0, 1, 0}, 0)
		wantClose(t, "GreaterEqual", GreaterEqual(a, b), Shape{3, 2}, []float64{0, 0, 1, 0, 1, 1}, 0)
		wantClose(t, "Equal", Equal(a, b), Shape{3, 2}, []float64{0, 0, 1, 0, 0, 1}, 0)
		wantClose(t, "NotEqual", NotEqual(a, b), Shape{3, 2}, []float64{1, 1, 0, 1, 1, 0}, 0)
	}
}

func TestIntegersAreComparedWithTheNumberItself(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	check := func(x *Tensor, c float64, less, equal, greater []float64) {
		t.Helper()
		what := fmt.Sprint(x.DType(), " and ", c)
		wantClose(t, what+": Less", LessScalar(x, c), x.Shape(), less, 0)
		wantClose(t, what+": Equal", EqualScalar(x, c), x.Shape(), equal, 0)
		wantClose(t, what+": Greater", GreaterScalar(x, c), x.Shape(), greater, 0)
		wantClose(t, what+": LessEqual", LessEqualScalar(x, c), x.Shape(), either(less, equal), 0)
		wantClose(t, what+": GreaterEqual", GreaterEqualScalar(x, c), x.Shape(), either(greater, equal), 0)
		wantClose(t, what+": NotEqual", NotEqualScalar(x, c), x.Shape(), []float64{1 - equal[0], 1 - equal[1], 1 - equal[2]}, 0)
	}
	none, all := []float64{0, 0, 0}, []float64{1, 1, 1}
	for _, dt := range []DType{Int32, Int64} {
		x := FromSlice([]int64{-2, 0, 2}, 3).To(dt)
		check(x, 2, []float64{1, 1, 0}, []float64{0, 0, 1}, none)
		check(x, 2.5, all, none, none)
		check(x, 1.5, []float64{1, 1, 0}, none, []float64{0, 0, 1})
		check(x, -0.5, []float64{1, 0, 0}, none, []float64{0, 1, 1})
		check(x, math.Copysign(0, -1), []float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1})
		check(x, nan, none, none, none)
		check(x, inf, all, none, none)
		check(x, -inf, none, none, all)
		check(x, 1e300, all, none, none)
		check(x, -1e300, none, none, all)
	}
	check(FromSlice([]int32{math.MinInt32, 2, math.MaxInt32}, 3), 1<<31, all, none, none)
	check(FromSlice([]int32{math.MinInt32, 2, math.MaxInt32}, 3), 1<<32, all, none, none)
	check(FromSlice([]int32{math.MinInt32, 2, math.MaxInt32}, 3), math.MaxInt32, []float64{1, 1, 0}, []float64{0, 0, 1}, none)
	check(FromSlice([]int32{math.MinInt32, 2, math.MaxInt32}, 3), math.MaxInt32+0.5, all, none, none)
	check(FromSlice([]int32{math.MinInt32, 2, math.MaxInt32}, 3), math.MinInt32, none, []float64{1, 0, 0}, []float64{0, 1, 1})
	check(FromSlice([]int32{math.MinInt32, 2, math.MaxInt32}, 3), math.MinInt32-0.5, none, none, all)
	check(FromSlice([]int64{math.MinInt64, 0, math.MaxInt64}, 3), 1<<63, all, none, none)
	check(FromSlice([]int64{math.MinInt64, 0, math.MaxInt64}, 3), -1<<63, none, []float64{1, 0, 0}, []float64{0, 1, 1})
	check(FromSlice([]int64{math.MinInt64, 0, math.MaxInt64}, 3), math.Nextafter(-1<<63, -inf), none, none, all)
	truth := FromSlice([]bool{false, true}, 2)
	for c, want := range map[float64][]float64{0: {1, 0}, 1: {0, 1}, 2: {0, 0}, 0.5: {0, 0}, -1: {0, 0}, inf: {0, 0}} {
		wantClose(t, fmt.Sprint("booleans and ", c), EqualScalar(truth, c), Shape{2}, want, 0)
		wantClose(t, fmt.Sprint("booleans but ", c), NotEqualScalar(truth, c), Shape{2}, []float64{1 - want[0], 1 - want[1]}, 0)
	}
	wantClose(t, "booleans but NaN", NotEqualScalar(truth, nan), Shape{2}, []float64{1, 1}, 0)
	wantPanic[*DTypeError](t, "tensor: LessScalar: element type bool, want f32 or f64 or i32 or i64", func() { LessScalar(truth, 1) })
	wantPanic[*DTypeError](t, "tensor: LessEqualScalar: element type bool, want f32 or f64 or i32 or i64", func() { LessEqualScalar(truth, 1) })
	wantPanic[*DTypeError](t, "tensor: GreaterScalar: element type bool, want f32 or f64 or i32 or i64", func() { GreaterScalar(truth, 1) })
	wantPanic[*DTypeError](t, "tensor: GreaterEqualScalar: element type bool, want f32 or f64 or i32 or i64", func() { GreaterEqualScalar(truth, 1) })
}

// either returns 1 where a or b is.
func either(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = max(a[i], b[i])
	}
	return out
}

// scalarComparisons are the comparisons with a number, each with what it says of an element
// that is less, equal, greater, or in no order with the number.
var scalarComparisons = map[string]struct {
	op                              func(x *Tensor, c float64) *Tensor
	less, equal, greater, unordered bool
}{
	"EqualScalar":        {EqualScalar, false, true, false, false},
	"NotEqualScalar":     {NotEqualScalar, true, false, true, true},
	"LessScalar":         {LessScalar, true, false, false, false},
	"LessEqualScalar":    {LessEqualScalar, true, true, false, false},
	"GreaterScalar":      {GreaterScalar, false, false, true, false},
	"GreaterEqualScalar": {GreaterEqualScalar, false, true, true, false},
}

// Integers are ordered by numbers of any size, floats in their own type, as in PyTorch.
func TestComparisonsWithANumberFollowTheOrderOfNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	numbers := []float64{
		0, math.Copysign(0, -1), 0.1, 0.5, -0.5, 1, 2.5, -3, 1e-310, 1e300, -1e300, 1 << 24, 1<<24 + 1, math.MaxInt32, math.MaxInt32 + 0.5, math.MinInt32,
		math.MinInt32 - 0.5, 1 << 53, 1<<53 - 1, 1 << 62, 1 << 63, -1 << 63, math.Nextafter(1<<63, 0), math.Nextafter(-1<<63, -inf), inf, -inf, nan,
	}
	r := rand.New(rand.NewPCG(6, 6))
	for _, dt := range []DType{Float32, Float64, Int32, Int64} {
		x := Zeros(dt, 3, 61, 5)
		for i := range x.Size() { // near the numbers
			v := numbers[r.IntN(len(numbers))]
			switch {
			case dt == Float32:
				Data[float32](x)[i] = math.Nextafter32(float32(v), float32(v)+float32(r.IntN(3)-1))
			case dt == Float64:
				Data[float64](x)[i] = math.Nextafter(v, v+float64(r.IntN(3)-1))
			case v != v:
			case dt == Int32:
				Data[int32](x)[i] = int32(max(min(v, math.MaxInt32-1), math.MinInt32+1)) + int32(r.IntN(3)-1)
			default:
				Data[int64](x)[i] = int64(max(min(v, math.Nextafter(1<<63, 0)), -1<<63)) + []int64{1023, 0, 1}[r.IntN(3)]
			}
		}
		for _, c := range numbers {
			for name, k := range scalarComparisons {
				want := make([]float64, x.Size())
				for i := range want {
					var order int
					ordered := c == c
					switch dt {
					case Float32:
						v, c := Data[float32](x)[i], float32(c)
						order, ordered = cmp.Compare(v, c), ordered && v == v
					case Float64:
						v := Data[float64](x)[i]
						order, ordered = cmp.Compare(v, c), ordered && v == v
					case Int32:
						order = compareExactly(int64(Data[int32](x)[i]), c)
					case Int64:
						order = compareExactly(Data[int64](x)[i], c)
					}
					answer := k.unordered
					if ordered {
						answer = []bool{k.less, k.equal, k.greater}[order+1]
					}
					want[i] = oneIf(answer)
				}
				got := k.op(x, c)
				if got.DType() != Bool {
					t.Errorf("%s gives %v", name, got.DType())
				}
				wantClose(t, fmt.Sprint(name, " of ", dt, " and ", c), got, x.Shape(), want, 0)
			}
		}
		for name, k := range scalarComparisons {
			wantClose(t, name+" of nothing", k.op(Zeros(dt, 0, 3), nan), Shape{0, 3}, nil, 0)
			wantClose(t, name+" of a scalar", k.op(Ones(dt), 1), Shape{}, []float64{oneIf(k.equal)}, 0)
		}
	}
}

// compareExactly orders a whole number and c without rounding; NaN is in no order, for which it returns 0.
func compareExactly(v int64, c float64) int {
	if c != c {
		return 0
	}
	return new(big.Float).SetInt64(v).Cmp(big.NewFloat(c))
}

func TestWhereChoosesAndBroadcastsAllThree(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, dt := range []DType{Float32, Float64, Int32, Int64, Bool} {
		for _, c := range []struct{ cond, a, b, want Shape }{
			{Shape{}, Shape{}, Shape{}, Shape{}},
			{Shape{4, 5}, Shape{4, 5}, Shape{4, 5}, Shape{4, 5}},
			{Shape{4, 1}, Shape{5}, Shape{}, Shape{4, 5}},
			{Shape{}, Shape{3, 1, 2}, Shape{4, 1}, Shape{3, 4, 2}},
			{Shape{2, 1, 1}, Shape{1, 3, 1}, Shape{1, 1, 4}, Shape{2, 3, 4}},
			{Shape{0, 3}, Shape{3}, Shape{}, Shape{0, 3}},
			{Shape{30000, 2}, Shape{2}, Shape{30000, 1}, Shape{30000, 2}},
		} {
			cond, a, b := coins(r, c.cond...), tied(r, Float64, c.a...).To(dt), tied(r, Float64, c.b...).To(dt)
			var want []float64
			for _, idx := range indices(c.want) {
				if element(cond, idx) != 0 {
					want = append(want, element(a, idx))
				} else {
					want = append(want, element(b, idx))
				}
			}
			got := Where(cond, a, b)
			if got.DType() != dt {
				t.Fatalf("Where of %v is %v", dt, got.DType())
			}
			wantClose(t, fmt.Sprint("Where ", c), got, c.want, want, 0)
		}
	}
	nan := Full(Float32, math.NaN(), 2)
	wantClose(t, "Where beside NaN", Where(FromSlice([]bool{true, false}, 2), Ones(Float32, 2), nan), Shape{2}, []float64{1, math.NaN()}, 0)
	wantPanic[*DTypeError](t, "tensor: Where: element type f32, want bool", func() { Where(nan, nan, nan) })
	wantPanic[*DTypeError](t, "tensor: Where: element type f64, want f32", func() { Where(Zeros(Bool), nan, Zeros(Float64)) })
	wantPanic[*ShapeError](t, "tensor: Where: shapes do not broadcast: [3] x [2]", func() { Where(Zeros(Bool, 3), nan, nan) })
}

func TestMaskedFillAndSelect(t *testing.T) {
	mask := FromSlice([]bool{true, false, true}, 3)
	for _, dt := range []DType{Float32, Float64, Int32, Int64} {
		x := counting(dt, 2, 3)
		wantClose(t, "MaskedFill", MaskedFill(x, mask, -1), Shape{2, 3}, []float64{-1, 1, -1, -1, 4, -1}, 0)
		wantClose(t, "MaskedSelect", MaskedSelect(x, mask), Shape{4}, []float64{0, 2, 3, 5}, 0)
		wantClose(t, "MaskedSelect of a row", MaskedSelect(counting(dt, 3), mask.Unsqueeze(1)), Shape{6}, []float64{0, 1, 2, 0, 1, 2}, 0)
		wantClose(t, "MaskedSelect of nothing", MaskedSelect(Zeros(dt, 0, 3), mask), Shape{0}, nil, 0)
	}
	wantClose(t, "MaskedSelect of booleans", MaskedSelect(mask, mask), Shape{2}, []float64{1, 1}, 0)
	wantPanic[*ShapeError](t, "tensor: MaskedFill: the mask does not broadcast to the tensor: [3] x [2 3]", func() { MaskedFill(Zeros(Float32, 3), Zeros(Bool, 2, 3), 0) })
}

// patterns returns elements of 4 or 8 bytes with bits of every kind: as floats NaNs that
// signal, NaNs with payloads, infinities, denormal numbers, zeros and ones of both signs.
func patterns(dt DType, shape ...int) *Tensor {
	x := Zeros(dt, shape...)
	if dt.Size() == 4 {
		kinds := []uint32{
			0x7f800001, 0xffb3b4c0, 0xffa47280, 0x7fc12345, 0xffffffff, 0x7fffffff, 0x7f800000, 0xff800000,
			1, 0x80000001, 0x007fffff, 0, 0x80000000, 0x3f800000, 0xbf800000, 42, 0xff800123,
		}
		for i := range x.Size() {
			words[uint32](x)[i] = kinds[i%len(kinds)]
		}
		return x
	}
	kinds := []uint64{
		0x7ff0000000000001, 0xfff4000012345678, 0x7ff8123456789abc, 1<<64 - 1, 1<<63 - 1, 0x7ff0000000000000, 0xfff0000000000000,
		1, 1<<63 + 1, 0x000fffffffffffff, 0, 1 << 63, 0x3ff0000000000000, 0xbff0000000000000, 42, 0xfff0000000000123, 0x7f8000017f800001,
	}
	for i := range x.Size() {
		words[uint64](x)[i] = kinds[i%len(kinds)]
	}
	return x
}

// bitsOf returns the bits of the elements of a contiguous tensor.
func bitsOf(x *Tensor) []uint64 {
	out := make([]uint64, x.Size())
	for i := range out {
		if x.DType().Size() == 4 {
			out[i] = uint64(words[uint32](x)[i])
		} else {
			out[i] = words[uint64](x)[i]
		}
	}
	return out
}

// What is chosen is moved, not calculated with: integers and NaNs keep every bit.
func TestChoosingMovesEveryBit(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, dt := range []DType{Float32, Float64, Int32, Int64} {
		for _, n := range []int{1, 2, 3, 7, 8, 9, 16, 64, 256, 264, 600, 1100} {
			for _, rows := range []int{1, 2, 5, 40, 300} {
				cond, full, column, row := coins(r, rows, n), patterns(dt, rows, n), patterns(dt, rows, 1), patterns(dt, n)
				mask, x, c, w, one := Data[bool](cond), bitsOf(full), bitsOf(column), bitsOf(row), bitsOf(Ones(dt, 1))[0]
				check := func(what string, got *Tensor, a, b func(i int) uint64) {
					t.Helper()
					for i, g := range bitsOf(got) {
						want := b(i)
						if mask[i] {
							want = a(i)
						}
						if g != want {
							t.Fatalf("%s of %v [%d %d]: element %d is %#x, want %#x", what, dt, rows, n, i, g, want)
						}
					}
				}
				ofFull, ofColumn := func(i int) uint64 { return x[i] }, func(i int) uint64 { return c[i/n] }
				ofRow, ofOne := func(i int) uint64 { return w[i%n] }, func(int) uint64 { return one }
				check("Where", Where(cond, full, full), ofFull, ofFull)
				check("Where, a column first", Where(cond, column, full), ofColumn, ofFull)
				check("Where, a column last", Where(cond, full, column), ofFull, ofColumn)
				check("Where of a row and a column", Where(cond, row, column), ofRow, ofColumn)
				check("Where of a column and a number", Where(cond, column, Ones(dt)), ofColumn, ofOne)
				check("MaskedFill", MaskedFill(full, cond, 1), ofOne, ofFull)
			}
		}
	}
}

func TestOperationsThatMoveElementsKeepEveryBit(t *testing.T) {
	odd, mask := []int32{38, 0, 1, 1, 17}, coins(rand.New(rand.NewPCG(5, 5)), 39, 33)
	for name, move := range map[string]func(x *Tensor) *Tensor{
		"Transpose":     func(x *Tensor) *Tensor { return x.Transpose() },
		"Narrow":        func(x *Tensor) *Tensor { return x.Narrow(1, 3, 30) },
		"column spread": func(x *Tensor) *Tensor { return x.Narrow(1, 2, 3).Expand(39, 600) },
		"row spread":    func(x *Tensor) *Tensor { return x.Narrow(0, 2, 3).Expand(600, 33) },
		"Concat":        func(x *Tensor) *Tensor { return Concat(1, x, x.Narrow(1, 5, 9)) },
		"Stack":         func(x *Tensor) *Tensor { return Stack(1, x, x) },
		"Repeat":        func(x *Tensor) *Tensor { return Repeat(x, 2, 3) },
		"Flip":          func(x *Tensor) *Tensor { return Flip(x, 1) },
		"Roll":          func(x *Tensor) *Tensor { return Roll(x, 7, 0) },
		"IndexSelect":   func(x *Tensor) *Tensor { return IndexSelect(x, odd) },
		"Gather":        func(x *Tensor) *Tensor { return Gather(x, 0, FromSlice(odd, 5, 1).Expand(5, 33)) },
		"MaskedSelect":  func(x *Tensor) *Tensor { return MaskedSelect(x, mask) },
	} {
		from := Data[int64](move(Arange(Int64, 0, 39*33, 1).Reshape(39, 33)).Contiguous())
		for _, dt := range []DType{Float32, Float64, Int32, Int64} {
			x := patterns(dt, 39, 33)
			before := bitsOf(x)
			for i, g := range bitsOf(move(x).Contiguous()) {
				if g != before[from[i]] {
					t.Errorf("%s of %v: element %d is %#x, want %#x", name, dt, i, g, before[from[i]])
					break
				}
			}
		}
	}
}

func TestNonZeroListsIndicesInOrder(t *testing.T) {
	x := FromSlice([]float64{0, 1, math.NaN(), 0, -2, math.Copysign(0, -1)}, 2, 3)
	got := NonZero(x)
	if got.DType() != Int64 {
		t.Errorf("NonZero has type %v", got.DType())
	}
	wantClose(t, "NonZero", got, Shape{3, 2}, []float64{0, 1, 0, 2, 1, 1}, 0)
	wantClose(t, "NonZero of a scalar", NonZero(Ones(Int32)), Shape{1, 0}, nil, 0)
	wantClose(t, "NonZero of nothing", NonZero(Zeros(Bool, 0, 3)), Shape{0, 2}, nil, 0)
	r := rand.New(rand.NewPCG(3, 3))
	m := coins(r, 7, 9001) // several grains
	list, at := NonZero(m), 0
	for i, v := range Data[bool](m) {
		if v {
			if list.At(at, 0) != float64(i/9001) || list.At(at, 1) != float64(i%9001) {
				t.Fatalf("row %d of NonZero is %v %v, want %d %d", at, list.At(at, 0), list.At(at, 1), i/9001, i%9001)
			}
			at++
		}
	}
	if at != list.Rows() {
		t.Errorf("NonZero lists %d, want %d", list.Rows(), at)
	}
	wantClose(t, "MaskedSelect of many", MaskedSelect(counting(Int64, 7, 9001), m), Shape{at}, Add(Scale(list.Narrow(1, 0, 1).To(Float64), 9001), list.Narrow(1, 1, 2).To(Float64)).Float64s(), 0)
}

func TestAllCloseHasTheTolerancesOfPyTorch(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	f := func(x ...float64) *Tensor { return FromSlice(x, len(x)) }
	for name, c := range map[string]struct {
		a, b       *Tensor
		rtol, atol float64
		want       bool
	}{
		"equal":              {f(1, -2), f(1, -2), 0, 0, true},
		"within rtol":        {f(100.9), f(100), 0.01, 0, true},
		"rtol is of b":       {f(100), f(98.999), 0.01, 0, false},
		"within both":        {f(-101.4), f(-100), 0.01, 0.5, true},
		"beyond both":        {f(-101.6), f(-100), 0.01, 0.5, false},
		"one of many":        {f(1, 2, 3), f(1, 2.1, 3), 0, 0.01, false},
		"infinities":         {f(inf, -inf), f(inf, -inf), 0, 0, true},
		"another infinity":   {f(inf), f(-inf), 1, 1, false},
		"a number, infinite": {f(1), f(inf), 1, 1, false},
		"infinite, a number": {f(inf), f(1), 1, 1, false},
		"NaN":                {f(nan), f(nan), 1, 1, false},
		"infinite tolerance": {f(1), f(5), 0, inf, true},
		"broadcast":          {Ones(Float64, 2, 3), f(1, 1.001, 1), 0, 0.01, true},
		"empty":              {f(), f(), 0, 0, true},
		"float32":            {f(1e38).To(Float32), f(3e38).To(Float32), 1, 0, true},
		"integers":           {f(5).To(Int64), f(6).To(Int64), 0, 1, true},
		"large integers":     {FromSlice([]int64{math.MaxInt64}, 1), FromSlice([]int64{math.MaxInt64}, 1), 0, 0, true},
		"large neighbours":   {FromSlice([]int64{math.MaxInt64}, 1), FromSlice([]int64{math.MaxInt64 - 2}, 1), 0, 1, false},
		"within atol":        {FromSlice([]int64{math.MaxInt64}, 1), FromSlice([]int64{math.MaxInt64 - 2}, 1), 0, 2, true},
		"ends of the range":  {FromSlice([]int64{math.MaxInt64}, 1), FromSlice([]int64{math.MinInt64}, 1), 0, 10, false},
		"booleans":           {f(1, 0).To(Bool), f(1, 1).To(Bool), 1, 1, false},
		"strided":            {FromSlice([]float64{1, 2, 3, 4}, 2, 2).Transpose(), FromSlice([]float64{1, 3, 2, 4}, 2, 2), 0, 0, true},
	} {
		if got := AllClose(c.a, c.b, c.rtol, c.atol); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	wantPanic[*ValueError](t, "tensor: AllClose: the tolerances are -1 and 0", func() { AllClose(f(), f(), -1, 0) })
	wantPanic[*DTypeError](t, "tensor: AllClose: element type f32", func() { AllClose(f(), f().To(Float32), 0, 0) })
	wantPanic[*ShapeError](t, "tensor: AllClose: ", func() { AllClose(f(1, 2), f(1, 2, 3), 0, 0) })
}
