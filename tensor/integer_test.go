// Tests of arithmetic on integers against that of unbounded ones, cut to their bits.

package tensor

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// wrapped returns what the low bits of a number are as an integer of type T.
func wrapped[T integer](v *big.Int) T {
	low := new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64)) // two's complement, also of negative ones
	return T(int64(low.Uint64()))
}

// A wholeOp is an operation on two integers and its meaning; b is not 0 if it divides.
type wholeOp struct {
	name string
	op   func(a, b *Tensor) *Tensor
	want func(a, b *big.Int) *big.Int
	kind wholeKind
}

type wholeKind int

const (
	ofTwo wholeKind = iota
	dividing
	ofOne // a, whatever b is
)

func floored(a, b *big.Int) (q, r *big.Int) {
	q, r = new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign()*b.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b)
	}
	return q, r
}

var wholeOps = []wholeOp{
	{"Add", Add, func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }, ofTwo},
	{"Sub", Sub, func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }, ofTwo},
	{"Mul", Mul, func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }, ofTwo},
	{"FloorDiv", FloorDiv, func(a, b *big.Int) *big.Int { q, _ := floored(a, b); return q }, dividing},
	{"Remainder", Remainder, func(a, b *big.Int) *big.Int { _, r := floored(a, b); return r }, dividing},
	{"Maximum", Maximum, func(a, b *big.Int) *big.Int {
		if a.Cmp(b) > 0 {
			return a
		}
		return b
	}, ofTwo},
	{"Minimum", Minimum, func(a, b *big.Int) *big.Int {
		if a.Cmp(b) < 0 {
			return a
		}
		return b
	}, ofTwo},
	{"Neg", func(a, _ *Tensor) *Tensor { return Neg(a) }, func(a, _ *big.Int) *big.Int { return new(big.Int).Neg(a) }, ofOne},
	{"Abs", func(a, _ *Tensor) *Tensor { return Abs(a) }, func(a, _ *big.Int) *big.Int { return new(big.Int).Abs(a) }, ofOne},
	{"Sign", func(a, _ *Tensor) *Tensor { return Sign(a) }, func(a, _ *big.Int) *big.Int { return big.NewInt(int64(a.Sign())) }, ofOne},
	{"Square", func(a, _ *Tensor) *Tensor { return Square(a) }, func(a, _ *big.Int) *big.Int { return new(big.Int).Mul(a, a) }, ofOne},
	{"Scale", func(a, _ *Tensor) *Tensor { return Scale(a, -3) }, func(a, _ *big.Int) *big.Int { return new(big.Int).Mul(a, big.NewInt(-3)) }, ofOne},
	{"AddScalar", func(a, _ *Tensor) *Tensor { return AddScalar(a, 7) }, func(a, _ *big.Int) *big.Int { return new(big.Int).Add(a, big.NewInt(7)) }, ofOne},
	{"Clamp", func(a, _ *Tensor) *Tensor { return Clamp(a, -4, 5) }, func(a, _ *big.Int) *big.Int {
		return big.NewInt(min(max(a.Int64(), -4), 5))
	}, ofOne},
}

// forIntegers runs a test for both types.
func forIntegers(t *testing.T, i32, i64 func(t *testing.T)) {
	t.Run("i32", i32)
	t.Run("i64", i64)
}

// drawWhole draws integers: small ones, extreme ones, any.
func drawWhole[T integer](r *rand.Rand) T {
	least := T(-1) << (8*DTypeOf[T]().Size() - 1)
	switch r.IntN(6) {
	case 0:
		return []T{least, least + 1, -least - 1, -1, 0, 1}[r.IntN(6)]
	case 1, 2:
		return T(r.Uint64())
	}
	return T(r.IntN(21) - 10)
}

// randomWhole returns integers of a shape, often as a strided view.
func randomWhole[T integer](r *rand.Rand, shape Shape) *Tensor {
	from, perm := shape.Clone(), r.Perm(len(shape))
	for k, p := range perm {
		from[k] = shape[p]
	}
	cut := -1
	if len(shape) > 0 && r.IntN(2) == 0 {
		cut = r.IntN(len(shape))
		from[cut] += 2
	}
	data := make([]T, from.Size())
	for i := range data {
		data[i] = drawWhole[T](r)
	}
	x := FromSlice(data, from...)
	if cut >= 0 {
		x = x.Narrow(cut, 1, from[cut]-1)
	}
	back := make([]int, len(perm))
	for k, p := range perm {
		back[p] = k
	}
	if len(perm) > 0 {
		x = x.Transpose(back...)
	}
	return x
}

// wholeElement reads an integer at an index of the broadcast shape, with all its digits.
func wholeElement[T integer](x *Tensor, idx []int) T {
	for lead := len(idx) - x.Rank(); lead > 0; lead-- {
		idx = idx[1:]
	}
	at := 0
	for k, i := range idx {
		if x.Shape()[k] > 1 {
			at += i * x.Strides()[k]
		}
	}
	return extent[T](x)[at]
}

func checkWhole[T integer](t *testing.T, what string, c wholeOp, a, b *Tensor, shape Shape) {
	t.Helper()
	switch c.kind {
	case ofOne:
		b, shape = a, a.Shape()
	case dividing:
		b = Where(EqualScalar(b, 0), Full(b.DType(), 3), b)
	}
	got := c.op(a, b)
	if got.DType() != DTypeOf[T]() || !got.Shape().Equal(shape) {
		t.Fatalf("%s %s: %v%v, want %v%v", c.name, what, got.DType(), got.Shape(), DTypeOf[T](), shape)
	}
	for i, idx := range indices(got.Shape()) {
		x, y := big.NewInt(int64(wholeElement[T](a, idx))), big.NewInt(int64(wholeElement[T](b, idx)))
		if want := wrapped[T](c.want(x, y)); Data[T](got)[i] != want {
			t.Fatalf("%s %s: element %d of %v, %v is %v, want %v", c.name, what, i, x, y, Data[T](got)[i], want)
		}
	}
}

func testIntegers[T integer](t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for trial := range 300 {
		shape := Shape{}
		for range r.IntN(5) {
			shape = append(shape, r.IntN(5))
		}
		thin := func(keep Shape) Shape {
			s := shape.Clone()
			for k := range s {
				if r.IntN(4) == 0 && (keep == nil || keep[k] == shape[k]) {
					s[k] = 1
				}
			}
			return s
		}
		first := thin(nil)
		second := thin(first)
		x, y := randomWhole[T](r, first), randomWhole[T](r, second)
		for c := r.IntN(3); c > 0 && y.Rank() > 0 && y.Dim(0) == 1; c-- {
			y = y.Squeeze(0)
		}
		for _, c := range wholeOps {
			checkWhole[T](t, fmt.Sprint("trial ", trial), c, x, y, shape)
		}
	}
	// The ways of large operands: whole, rows, columns, scalars, views.
	for _, s := range [][2]Shape{
		{{17000}, {17000}}, {{17000}, {}}, {{}, {17000}}, {{270, 64}, {64}}, {{270, 64}, {270, 1}}, {{64}, {270, 64}}, {{270, 1}, {270, 64}}, {{2, 5, 1700}, {2, 1, 1700}},
	} {
		x, y := randomWhole[T](r, s[0]), randomWhole[T](r, s[1])
		for _, c := range wholeOps {
			if c.kind == ofOne && s[0].Size() < s[1].Size() {
				continue
			}
			checkWhole[T](t, fmt.Sprint(s), c, x, y, Broadcast("", s[0], s[1]))
			x, y = x.Contiguous(), y.Contiguous()
		}
	}
}

func TestArithmeticOfIntegersWrapsAround(t *testing.T) {
	forIntegers(t, testIntegers[int32], testIntegers[int64])
}

func testExtremes[T integer](t *testing.T) {
	least := T(-1) << (8*DTypeOf[T]().Size() - 1)
	most := -(least + 1)
	of := func(v ...T) *Tensor { return FromSlice(v, len(v)) }
	for _, c := range []struct {
		name      string
		got, want *Tensor
	}{
		{"Add", Add(of(most, least), of(1, -1)), of(least, most)},
		{"Sub", Sub(of(least, 0), of(1, least)), of(most, least)},
		{"Mul", Mul(of(most, least, least), of(2, 2, -1)), of(-2, 0, least)},
		{"Neg, Abs", Concat(0, Neg(of(least, most)), Abs(of(least, -3))), of(least, -most, least, 3)},
		{"FloorDiv", FloorDiv(of(7, -7, 7, -7, 6, least, least, most, 0), of(2, 2, -2, -2, -3, -1, 1, least, -5)), of(3, -4, -4, 3, -2, least, least, -1, 0)},
		{"Remainder", Remainder(of(7, -7, 7, -7, 6, least, least, most, 0), of(2, 2, -2, -2, -3, -1, most, least, -5)), of(1, 1, -1, -1, 0, 0, most-1, -1, 0)},
		{"Clamp", Clamp(of(least, -3, 0, 9, most), -2, 4), of(-2, -2, 0, 4, 4)},
		{"Clamp below", Clamp(of(least, -3, 0, 9, most), -2, math.Inf(1)), of(-2, -2, 0, 9, most)},
		{"Clamp above", Clamp(of(least, -3, 0, 9, most), math.Inf(-1), 4), of(least, -3, 0, 4, 4)},
		{"Clamp by none", Clamp(of(least, most), math.Inf(-1), math.Inf(1)), of(least, most)},
		{"Clamp by bounds in the wrong order", Clamp(of(least, 3, most), 5, 2), of(2, 2, 2)},
		{"AddScalar of the least", AddScalar(of(0, 1, -1), float64(least)), of(least, least+1, most)},
		{"Scale by 0", Scale(of(least, 1), math.Copysign(0, -1)), of(0, 0)},
		{"Where", Where(Greater(of(1, 2), of(2, 1)), of(most, most), of(least, least)), of(least, most)},
		{"Max, Min", Stack(0, Max(of(least, 3, most), false), Min(of(least, 3, most), false)), of(most, least)},
		{"MaskedFill", MaskedFill(of(1, 2), Equal(of(1, 2), of(2, 2)), -5), of(1, -5)},
	} {
		if c.got.DType() != c.want.DType() || !slices.Equal(Data[T](c.got), Data[T](c.want)) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	x := of(1, 2, 3, most)
	AddInto(x, of(1, 1, 1, 1))
	AddInto(x.Narrow(0, 0, 2), of(10, 20))
	if want := []T{12, 23, 4, least}; !slices.Equal(Data[T](x), want) {
		t.Errorf("AddInto: %v, want %v", x, want)
	}
	y := FromSlice([]T{1, 2, 3, 4, 5, 6}, 2, 3)
	AddInto(y.Transpose(), Full(DTypeOf[T](), 1, 3, 2))
	AddInto(y, y)
	if want := []T{4, 6, 8, 10, 12, 14}; !slices.Equal(Data[T](y), want) {
		t.Errorf("AddInto a view: %v, want %v", y, want)
	}
}

func TestIntegersAtTheEndsOfTheirRange(t *testing.T) {
	forIntegers(t, testExtremes[int32], testExtremes[int64])
}

func testFoldsOfIntegers[T integer](t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	shapes := []Shape{{}, {0}, {3, 0, 2}, {40000}, {3, 20000}, {20000, 3}}
	for range 60 {
		s := Shape{}
		for range 1 + r.IntN(4) {
			s = append(s, 1+r.IntN(5))
		}
		shapes = append(shapes, s)
	}
	for _, s := range shapes {
		x := randomWhole[T](r, s)
		var axes []int
		reduced := make([]bool, len(s))
		for k := range s {
			if reduced[k] = r.IntN(2) == 0; reduced[k] {
				axes = append(axes, k-len(s)*r.IntN(2))
			}
		}
		if len(axes) == 0 {
			for k := range reduced {
				reduced[k] = true
			}
		}
		kept := s.Clone()
		for k := range kept {
			if reduced[k] {
				kept[k] = 1
			}
		}
		fold := func(start int64, f func(a, b int64) int64) []int64 {
			out := make([]int64, kept.Size())
			for i := range out {
				out[i] = start
			}
			for _, idx := range indices(s) {
				at := 0
				for k, i := range idx {
					if reduced[k] {
						i = 0
					}
					at = at*kept[k] + i
				}
				out[at] = f(out[at], int64(wholeElement[T](x, idx)))
			}
			return out
		}
		check := func(name string, got *Tensor, dt DType, want []int64) {
			t.Helper()
			if !got.Shape().Equal(kept) || got.DType() != dt || !slices.Equal(Data[int64](got.To(Int64)), want) {
				t.Fatalf("%s of %v over %v: %v, want %v%v %v", name, s, axes, got, dt, kept, want[:min(8, len(want))])
			}
		}
		check("Sum", Sum(x, true, axes...), Int64, fold(0, func(a, b int64) int64 { return a + b }))
		check("Prod", Prod(x, true, axes...), Int64, fold(1, func(a, b int64) int64 { return a * b }))
		if s.Size() > 0 {
			check("Max", Max(x, true, axes...), x.DType(), fold(math.MinInt64, func(a, b int64) int64 { return max(a, b) }))
			check("Min", Min(x, true, axes...), x.DType(), fold(math.MaxInt64, func(a, b int64) int64 { return min(a, b) }))
		}
		check("SumTo", SumTo(x, kept), Int64, fold(0, func(a, b int64) int64 { return a + b }))
		for k := range s {
			sums, prods := CumSum(x, k), CumProd(x, k)
			for i, idx := range indices(s) {
				sum, prod := int64(0), int64(1)
				if s[k] > 100 && i%997 != 0 {
					continue
				}
				for end, j := idx[k], 0; j <= end; j++ {
					idx[k] = j
					v := int64(wholeElement[T](x, idx))
					sum, prod = sum+v, prod*v
				}
				if Data[int64](sums)[i] != sum || Data[int64](prods)[i] != prod {
					t.Fatalf("running sum and product %d of %v along %d: %d, %d, want %d, %d", i, s, k, Data[int64](sums)[i], Data[int64](prods)[i], sum, prod)
				}
			}
		}
	}
}

func TestSumsAndProductsOfIntegersAreInt64(t *testing.T) {
	forIntegers(t, testFoldsOfIntegers[int32], testFoldsOfIntegers[int64])
	truth := FromSlice([]bool{true, true, false, true}, 2, 2)
	wantClose(t, "Prod of booleans", Prod(truth, false, 1), Shape{2}, []float64{1, 0}, 0)
	if got := SumTo(truth, Shape{2, 2}).DType(); got != Int64 {
		t.Errorf("SumTo of booleans to their own shape is %v", got)
	}
}

func TestMisuseOfIntegers(t *testing.T) {
	for _, dt := range []DType{Int32, Int64} {
		x, y := Ones(dt, 2, 3), FromSlice([]int64{1, 0, 2}, 3).To(dt)
		end := map[DType]float64{Int32: 1 << 31, Int64: 1 << 63}[dt]
		for _, c := range []float64{0.5, -1.25, end, -2 * end, math.NaN(), math.Inf(1), math.Inf(-1), 1e300} {
			text := fmt.Sprintf("%v is no whole number that %v holds", c, dt)
			wantPanic[*ValueError](t, "tensor: AddScalar: "+text, func() { AddScalar(x, c) })
			wantPanic[*ValueError](t, "tensor: Scale: "+text, func() { Scale(x, c) })
			if !math.IsInf(c, -1) {
				wantPanic[*ValueError](t, "tensor: Clamp: "+text, func() { Clamp(x, c, 3) })
			}
			if !math.IsInf(c, 1) {
				wantPanic[*ValueError](t, "tensor: Clamp: "+text, func() { Clamp(x, -3, c) })
			}
		}
		text := fmt.Sprintf(": an integer is divided by 0: %v[2 3] by %v[3]", dt, dt)
		wantPanic[*ValueError](t, "tensor: FloorDiv"+text, func() { FloorDiv(x, y) })
		wantPanic[*ValueError](t, "tensor: Remainder"+text, func() { Remainder(x, y) })
		wantPanic[*ValueError](t, "tensor: FloorDiv: an integer", func() { FloorDiv(x, y.Narrow(0, 1, 2)) })
		wantPanic[*ShapeError](t, "tensor: FloorDiv: ", func() { FloorDiv(x, Zeros(dt, 2)) })
		// No integer is divided here.
		if got := FloorDiv(Zeros(dt, 0, 3), y); !got.Shape().Equal(Shape{0, 3}) {
			t.Errorf("FloorDiv of none: %v", got)
		}
		wantPanic[*DTypeError](t, "tensor: Div: element type "+dt.String()+", want f32 or f64; FloorDiv divides integers, To makes floats of them", func() { Div(x, x) })
		wantPanic[*DTypeError](t, "tensor: Div: element type "+dt.String()+", want f32", func() { Div(x.To(Float32), x) })
		for name, f := range map[string]func(a, b *Tensor) *Tensor{
			"Add": Add, "Sub": Sub, "Mul": Mul, "FloorDiv": FloorDiv, "Remainder": Remainder, "Maximum": Maximum, "Minimum": Minimum,
			"AddInto": func(a, b *Tensor) *Tensor { AddInto(a, b); return nil },
		} {
			wantPanic[*DTypeError](t, "tensor: "+name+": element type f64, want "+dt.String(), func() { f(x, Ones(Float64, 2, 3)) })
			wantPanic[*DTypeError](t, "tensor: "+name+": element type "+dt.String()+", want f32", func() { f(Ones(Float32, 2, 3), x) })
			wantPanic[*DTypeError](t, "tensor: "+name+": element type bool, want f32 or f64 or i32 or i64", func() { f(Ones(Bool, 2), Ones(Bool, 2)) })
		}
		wantPanic[*DTypeError](t, "tensor: Mean: element type "+dt.String(), func() { Mean(x, false) })
		wantPanic[*DTypeError](t, "tensor: Sqrt: element type "+dt.String(), func() { Sqrt(x) })
		wantPanic[*ShapeError](t, "tensor: Max: no integer is the extremum of none", func() { Max(Zeros(dt, 0), false) })
	}
	for name, f := range map[string]func(x *Tensor) *Tensor{
		"Neg": Neg, "Abs": Abs, "Sign": Sign, "Square": Square, "Scale": func(x *Tensor) *Tensor { return Scale(x, 1) },
		"AddScalar": func(x *Tensor) *Tensor { return AddScalar(x, 1) }, "Clamp": func(x *Tensor) *Tensor { return Clamp(x, 0, 1) },
	} {
		wantPanic[*DTypeError](t, "tensor: "+name+": element type bool, want f32 or f64 or i32 or i64", func() { f(Ones(Bool, 2)) })
	}
}

func TestFloorDivOfFloats(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	forFloats(t, func(t *testing.T, dt DType) {
		a := FromSlice([]float64{7, -7, 7, -7, 1, -1, 0, 1, -1, 5, -5, inf, nan, 6, -1e-30}, 15).To(dt)
		b := FromSlice([]float64{2, 2, -2, -2, 0.1, 0.1, 3, 0, 0, inf, inf, 2, 1, 3, 1}, 15).To(dt)
		// 1 over what is just above a tenth is 9, as in Python, though the quotient rounds to 10.
		wantClose(t, "FloorDiv", FloorDiv(a, b), Shape{15}, []float64{3, -4, -4, 3, 9, -10, 0, inf, -inf, 0, -1, nan, nan, 2, -1}, 0)
	})
	if q := FloorDiv(FromSlice([]float64{0}, 1), Full(Float64, -3)); !math.Signbit(q.At(0)) {
		t.Error("0 over a negative number has the sign +")
	}
}
