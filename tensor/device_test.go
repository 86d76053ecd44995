// Operations on a device, which computes what the CPU does.

package tensor_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	. "github.com/asterias-ml/asterias/tensor"
)

// A put moves an operand to where a case runs.
type put func(x *Tensor) *Tensor

// compareOn runs a case on the CPU and on a device and compares all results: relative to
// the largest finite element, not at all for the exact ones.
func compareOn(t *testing.T, d *Device, name string, tolerance float64, f func(on put) []*Tensor) {
	t.Helper()
	want := f(func(x *Tensor) *Tensor { return x })
	got := f(func(x *Tensor) *Tensor { return x.ToDevice(d) })
	for i, w := range want {
		g := got[i]
		if g.Device() != d {
			t.Errorf("%s: result %d is on %v", name, i, g.Device())
			continue
		}
		if g.DType() != w.DType() || !g.Shape().Equal(w.Shape()) {
			t.Errorf("%s: result %d is %v %v, on the CPU %v %v", name, i, g.DType(), g.Shape(), w.DType(), w.Shape())
			continue
		}
		a, b := g.Float64s(), w.Float64s()
		scale, least := 0.0, 0.0
		if tolerance > 0 {
			least = 1e-37 // the kernels of the CPU may make subnormal numbers 0
		}
		for _, v := range b {
			if v-v == 0 {
				scale = max(scale, math.Abs(v))
			}
		}
		for k := range b {
			if a[k] != b[k] && !(a[k] != a[k] && b[k] != b[k]) && !(math.Abs(a[k]-b[k]) <= tolerance*scale+least) {
				t.Errorf("%s: result %d, element %d is %v, on the CPU %v", name, i, k, a[k], b[k])
				break
			}
		}
	}
}

// specials are 257 numbers with all that is special in front.
func specials(dt DType) *Tensor {
	x := Randn(Float64, 1, 257)
	copy(Data[float64](x), []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 0.5, -0.5, 2.5, -2.5, 1e-30, 30, -30, 90, -90})
	return x.To(dt)
}

func one(x *Tensor) []*Tensor { return []*Tensor{x} }

// unaries are the functions of one float tensor.
var unaries = map[string]func(x *Tensor) *Tensor{
	"Neg": Neg, "Abs": Abs, "Sign": Sign, "Step": Step, "Square": Square, "Recip": Recip, "Sqrt": Sqrt, "Rsqrt": Rsqrt,
	"Floor": Floor, "Ceil": Ceil, "Round": Round, "Trunc": Trunc, "IsNaN": IsNaN, "IsInf": IsInf, "IsFinite": IsFinite,
	"Exp": Exp, "Expm1": Expm1, "Log": Log, "Log1p": Log1p, "Log2": Log2, "Log10": Log10, "Sin": Sin, "Cos": Cos, "Tan": Tan,
	"Asin": Asin, "Acos": Acos, "Atan": Atan, "Sinh": Sinh, "Cosh": Cosh, "Tanh": Tanh, "Asinh": Asinh, "Acosh": Acosh, "Atanh": Atanh,
	"Erf": Erf, "Erfc": Erfc, "ReLU": ReLU, "GELU": GELU, "Sigmoid": Sigmoid, "SiLU": SiLU, "Softplus": Softplus,
	"LeakyReLU": func(x *Tensor) *Tensor { return LeakyReLU(x, 0.1) },
	"ELU":       func(x *Tensor) *Tensor { return ELU(x, 0.7) },
	"Pow":       func(x *Tensor) *Tensor { return Pow(x, 1.7) },
	"Pow 0.5":   func(x *Tensor) *Tensor { return Pow(x, 0.5) },
	"Pow -0.5":  func(x *Tensor) *Tensor { return Pow(x, -0.5) },
	"Pow 3":     func(x *Tensor) *Tensor { return Pow(x, 3) },
	"Pow -1":    func(x *Tensor) *Tensor { return Pow(x, -1) },
	"Pow 1":     func(x *Tensor) *Tensor { return Pow(x, 1) },
	"Clamp":     func(x *Tensor) *Tensor { return Clamp(x, -0.7, 1.1) },
	"Scale":     func(x *Tensor) *Tensor { return Scale(x, 1.3) },
	"AddScalar": func(x *Tensor) *Tensor { return AddScalar(x, 1.3) },
	"Dropout":   func(x *Tensor) *Tensor { return Dropout(x, 9, 1<<31, 2) },
	"To bool":   func(x *Tensor) *Tensor { return x.To(Bool) },
	"RandLike":  func(x *Tensor) *Tensor { return RandLike(x, 7) },
	"ZerosLike": ZerosLike,
	"FullLike":  func(x *Tensor) *Tensor { return FullLike(x, 2.5) },
	"Clone":     (*Tensor).Clone,
}

// exact are the functions whose bits are the CPU's.
const exact = " Neg Abs Sign Step Square Recip Sqrt Floor Ceil Round Trunc IsNaN IsInf IsFinite ReLU LeakyReLU Clamp Scale AddScalar Dropout RandLike ZerosLike FullLike Clone "

func TestFunctionsOfOneTensorOnADevice(t *testing.T) {
	d := densetest.Device(t)
	for name, f := range unaries {
		tolerance := 1e-6
		if strings.Contains(exact, " "+name+" ") {
			tolerance = 0
		}
		x := specials(Float32)
		compareOn(t, d, name, tolerance, func(on put) []*Tensor { // results differ in size: compared one by one
			var parts []*Tensor
			y := f(on(x))
			for i := range 16 {
				parts = append(parts, y.Narrow(0, i, i+1).Clone())
			}
			return append(parts, y.Narrow(0, 16, 257).Clone())
		})
	}
}

// Which of two zeros a result is, and that a bound that is NaN is none.
func TestBoundsOnADeviceAreThoseOfTheCPU(t *testing.T) {
	d := densetest.Device(t)
	nan, minus := math.NaN(), math.Copysign(0, -1)
	for _, dt := range []DType{Float32, Float64} {
		x := specials(dt)
		for _, b := range [][2]float64{
			{nan, 1}, {-1, nan}, {nan, nan}, {0, 1}, {minus, 1}, {-1, 0}, {-1, minus}, {0, minus}, {minus, 0}, {2, -2}, {math.Inf(-1), math.Inf(1)},
		} {
			got, want := Clamp(x.ToDevice(d), b[0], b[1]).Float64s(), Clamp(x, b[0], b[1]).Float64s()
			for i, v := range x.Float64s() {
				if !(got[i] == want[i] && math.Signbit(got[i]) == math.Signbit(want[i]) || got[i] != got[i] && want[i] != want[i]) {
					t.Errorf("%v %v clamped to %v is %v, on the CPU %v", dt, v, b, got[i], want[i])
				}
			}
			g := Ones(dt, x.Size())
			got, want = ClampGrad(g.ToDevice(d), x.ToDevice(d), b[0], b[1]).Float64s(), ClampGrad(g, x, b[0], b[1]).Float64s()
			for i, v := range x.Float64s() {
				inside := 1.0
				if v < b[0] || v > b[1] || v != v {
					inside = 0
				}
				if got[i] != inside || want[i] != inside {
					t.Errorf("%v gradient at %v of bounds %v: %v, on the CPU %v, want %v", dt, v, b, got[i], want[i], inside)
				}
			}
		}
	}
}

func TestFunctionsOfTwoTensorsOnADevice(t *testing.T) {
	d := densetest.Device(t)
	x := specials(Float32)
	y := Flip(x)
	for name, f := range map[string]func(a, b *Tensor) *Tensor{
		"Add": Add, "Sub": Sub, "Mul": Mul, "Div": Div, "Maximum": Maximum, "Minimum": Minimum,
		"Equal": Equal, "NotEqual": NotEqual, "Less": Less, "LessEqual": LessEqual, "Greater": Greater, "GreaterEqual": GreaterEqual,
		"Atan2": Atan2, "Hypot": Hypot, "FloorDiv": FloorDiv, "Remainder": Remainder, "GateReLU": GateReLU,
		"GateLeakyReLU":          func(a, b *Tensor) *Tensor { return GateLeakyReLU(a, b, 0.2) },
		"GateLeakyReLU, slope 0": func(a, b *Tensor) *Tensor { return GateLeakyReLU(a, b, 0) },
		"PowT":                   func(a, b *Tensor) *Tensor { return PowT(Abs(a), Clamp(b, -3, 3)) },
	} {
		tolerance := 0.0
		if name == "Atan2" || name == "Hypot" || name == "PowT" {
			tolerance = 1e-6
		}
		compareOn(t, d, name, tolerance, func(on put) []*Tensor { return one(f(on(x), on(y))) })
		if name == "Add" || name == "Less" { // the loops, once
			for _, n := range []int{1, 2, 3, 4, 5, 7, 31, 33, 255, 256, 257} {
				a, b := Randn(Float32, 3, 3, n), Randn(Float32, 4, n, 3)
				compareOn(t, d, fmt.Sprint(name, n), 0, func(on put) []*Tensor {
					p, q := on(a), on(b)
					row, column, scalar := p.Narrow(0, 1, 2), q.Transpose().Narrow(1, 0, 1), FromSlice([]float32{0.3})
					return []*Tensor{
						f(p, q.Transpose()), f(p, row), f(row, p), f(p, column), f(row, column), f(p, scalar.Reshape()), f(scalar.Reshape(), p),
						f(p.Narrow(1, n/2, n), p.Narrow(1, n/2, n)), f(p.Narrow(0, 0, 0), row),
					}
				})
			}
		}
	}
	for name, f := range map[string]func(x *Tensor, c float64) *Tensor{
		"EqualScalar": EqualScalar, "NotEqualScalar": NotEqualScalar, "LessScalar": LessScalar,
		"LessEqualScalar": LessEqualScalar, "GreaterScalar": GreaterScalar, "GreaterEqualScalar": GreaterEqualScalar,
	} {
		compareOn(t, d, name, 0, func(on put) []*Tensor { return []*Tensor{f(on(x), 1), f(on(x), math.Inf(1)), f(on(x), math.NaN())} })
	}
	masks := Greater(x, y)
	compareOn(t, d, "logic", 0, func(on put) []*Tensor {
		a, b := on(masks), on(IsFinite(x))
		return []*Tensor{And(a, b), Or(a, b), Xor(a, b), Not(a), Any(a, false), All(a, false), Any(a.Reshape(257, 1), true, 1), Sum(a, false), a.To(Float32)}
	})
	compareOn(t, d, "choice", 0, func(on put) []*Tensor {
		m, a := on(masks), on(x)
		return []*Tensor{Where(m, a, on(y)), MaskedFill(a, m, 7), Where(m, Full(Float32, 1), a), MaskedSelect(a, m), NonZero(a.Narrow(0, 0, 252).Reshape(4, 7, 9)), NonZero(m)}
	})
	compareOn(t, d, "integers", 0, func(on put) []*Tensor {
		a, b := on(Arange(Int64, 0, 60, 1).Reshape(5, 12)), on(Arange(Int64, 60, 0, -1).Reshape(5, 12))
		c := a.To(Int32)
		return []*Tensor{Less(a, b), Equal(c, b.To(Int32)), Max(c, false), Min(a, false, 0), Sum(c, true, 1), Argmax(b), a.To(Float64), CumSum(c, 1), CumProd(c.Narrow(1, 1, 3), 0), EqualScalar(a, 7), EqualScalar(c, 6.5), GreaterScalar(c, 6.5), LessScalar(a, 1<<63), GreaterScalar(a, math.Inf(1)),
			NotEqualScalar(a, 7), NotEqualScalar(c, 6.5), LessEqualScalar(c, 6.5), GreaterEqualScalar(a, 7), LessEqualScalar(a, 1<<63), GreaterEqualScalar(c, math.Inf(-1))}
	})
}

// Integers that no float64 is: none of their digits is lost on the way to the device.
func TestAnInt64ScalarOfTheCPUKeepsItsDigits(t *testing.T) {
	d := densetest.Device(t)
	const big = int64(1)<<53 + 1
	for _, v := range []int64{big, -big, math.MaxInt64, math.MinInt64 + 1} {
		values := []int64{v, v - 1, v + 1} // the largest is followed by the least
		s := FromSlice([]int64{v}).Reshape()
		compareOn(t, d, fmt.Sprint(v), 0, func(on put) []*Tensor {
			a := on(FromSlice(values, 3))
			chosen := Where(Greater(a, a), a, s)
			return []*Tensor{Equal(a, s), Less(s, a), Greater(a, s), Equal(chosen, on(FromSlice([]int64{v, v, v}, 3)))}
		})
	}
}

func TestReductionsOnADevice(t *testing.T) {
	d := densetest.Device(t)
	for _, s := range []Shape{{1}, {7}, {257}, {3, 5}, {33, 65}, {2, 3, 4, 5}, {20000}, {3, 300, 2}, {0}, {3, 0}, {0, 3}} {
		x := Randn(Float32, 5, s...)
		compareOn(t, d, fmt.Sprint("all of ", s), 1e-5, func(on put) []*Tensor {
			a := on(x)
			return []*Tensor{Sum(a, false), Prod(a, true), Max(a, false), Min(a, false), Mean(a, false), Norm(a, 1, false), Norm(a, 2, false), LogSumExp(a, false)}
		})
		for k := range s {
			compareOn(t, d, fmt.Sprint("axis ", k, " of ", s), 1e-5, func(on put) []*Tensor {
				a := on(x)
				list := []*Tensor{Sum(a, false, k), Max(a, true, k), Var(a, 0, false, k), Std(a, 1, true, k), CumSum(a, k), LogSumExp(a, true, k), SumTo(a, a.Narrow(k, 0, min(1, s[k])).Shape())}
				if s[k] > 0 {
					v, i := MaxAlong(a, k, false)
					list = append(list, v, i, Argmin(a, k))
				}
				return list
			})
		}
		if len(s) > 1 {
			compareOn(t, d, fmt.Sprint("transposed ", s), 1e-5, func(on put) []*Tensor {
				a := on(x).Transpose()
				return []*Tensor{Sum(a, false, 0), Sum(a, false, -1), Min(a, false), Softmax(a)}
			})
		}
	}
	odd := specials(Float32).Narrow(0, 0, 256).Reshape(16, 16)
	compareOn(t, d, "special", 1e-5, func(on put) []*Tensor {
		a := on(odd)
		i, v := MaxAlong(a, 1, false)
		return []*Tensor{Max(a, false), Min(a, false, 0), Sum(a, false, 1), i, v, Argmin(a, 0), Norm(a, math.Inf(1), false, 1), Norm(a, 0, false, 1)}
	})
	if AllFinite(odd.ToDevice(d)) || !AllFinite(odd.Narrow(0, 2, 16).ToDevice(d)) {
		t.Error("AllFinite")
	}
	all, plain := odd.ToDevice(d), odd.Narrow(0, 2, 16).ToDevice(d)
	if AllClose(all, all, 1, 1) || !AllClose(plain, plain, 0, 0) || AllClose(plain, AddScalar(plain, 1), 0, 0.5) || !AllClose(plain, AddScalar(plain, 1), 0, 1.5) {
		t.Error("AllClose")
	}
}

// Integers of a device wrap around and round down as those of the CPU, to the bit.
func TestArithmeticOfIntegersOnADevice(t *testing.T) {
	d := densetest.Device(t)
	extremes := []int64{math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxInt32, -1, 1, 0, 7, -7, 1 << 40, -1 << 31, 46341}
	n := len(extremes)
	for _, dt := range []DType{Int32, Int64} {
		row := FromSlice(extremes, n).To(dt)
		a := row.Reshape(n, 1).Expand(n, n).Contiguous()
		b := MaskedFill(row, EqualScalar(row, 0), 3)
		for name, f := range map[string]func(a, b *Tensor) *Tensor{
			"Add": Add, "Sub": Sub, "Mul": Mul, "Maximum": Maximum, "Minimum": Minimum, "FloorDiv": FloorDiv, "Remainder": Remainder,
			"strided":   func(a, b *Tensor) *Tensor { return Mul(a.Transpose(), a.Narrow(0, 3, 4)) },
			"of a CPU":  func(a, _ *Tensor) *Tensor { return FloorDiv(a, FromSlice([]int64{-7}).Reshape().To(dt)) },
			"Neg":       func(a, _ *Tensor) *Tensor { return Neg(a) },
			"Abs":       func(a, _ *Tensor) *Tensor { return Abs(a) },
			"Sign":      func(a, _ *Tensor) *Tensor { return Sign(a) },
			"Square":    func(a, _ *Tensor) *Tensor { return Square(a) },
			"Scale":     func(a, _ *Tensor) *Tensor { return Scale(a, -3) },
			"AddScalar": func(a, _ *Tensor) *Tensor { return AddScalar(a, math.MinInt32) },
			"Clamp":     func(a, _ *Tensor) *Tensor { return Clamp(a, -7, 1<<30) },
			"no bound":  func(a, _ *Tensor) *Tensor { return Clamp(a, math.Inf(-1), math.Inf(1)) },
			"Where":     func(a, b *Tensor) *Tensor { return Where(Greater(a, b), a, b) },
			"Sum":       func(a, _ *Tensor) *Tensor { return Sum(a, false, 0) },
			"Prod":      func(a, _ *Tensor) *Tensor { return Prod(a, true, 1) },
			"Max":       func(a, _ *Tensor) *Tensor { return Max(a, false) },
			"CumSum":    func(a, _ *Tensor) *Tensor { return CumSum(a, 1) },
			"AddInto": func(a, b *Tensor) *Tensor {
				c := a.Clone()
				AddInto(c, a)
				return c
			},
		} {
			got, want := f(a.ToDevice(d), b.ToDevice(d)), f(a, b)
			if got.Device() != d || got.DType() != want.DType() || !got.Shape().Equal(want.Shape()) {
				t.Errorf("%s of %v: %v%v on %v, want %v%v", name, dt, got.DType(), got.Shape(), got.Device(), want.DType(), want.Shape())
			} else if got = got.ToDevice(CPU); All(Equal(got, want), false).Item() == 0 { // not as float64s, which have fewer digits
				t.Errorf("%s of %v: %v, on the CPU %v", name, dt, got, want)
			}
		}
		func() {
			defer func() {
				if err, ok := recover().(*ValueError); !ok || !strings.Contains(err.Error(), "tensor: Remainder: an integer is divided by 0: ") {
					t.Errorf("recovered %v", err)
				}
			}()
			Remainder(a.ToDevice(d), row.ToDevice(d))
		}()
	}
}

// Go's integers wrap around where they are too large.
func TestSumsAndProductsOfLargeIntegersOnADevice(t *testing.T) {
	d := densetest.Device(t)
	for _, n := range []int{5, 300} {
		x := make([]int64, 2*n)
		for i := range x {
			x[i] = math.MaxInt64 - int64(i)
		}
		a := FromSlice(x, n, 2)
		for name, f := range map[string]func(x *Tensor) *Tensor{
			"Sum":     func(x *Tensor) *Tensor { return Sum(x, false) },
			"CumSum":  func(x *Tensor) *Tensor { return CumSum(x, 0) },
			"CumProd": func(x *Tensor) *Tensor { return CumProd(x, 0) },
		} {
			if got, want := Data[int64](f(a.ToDevice(d)).ToDevice(nil)), Data[int64](f(a)); !slices.Equal(got, want) {
				t.Errorf("%s of %d rows: %v, on the CPU %v", name, n, got, want)
			}
		}
	}
}

func TestRowsOnADevice(t *testing.T) {
	d := densetest.Device(t)
	for _, n := range []int{1, 2, 7, 16, 17, 33, 257, 1025} {
		x, g := Scale(Randn(Float32, 1, 5, n), 3), Randn(Float32, 2, 5, n)
		compareOn(t, d, fmt.Sprint("rows of ", n), 3e-6, func(on put) []*Tensor {
			a, h := on(x), on(g)
			y, l := Softmax(a), LogSoftmax(a)
			list := []*Tensor{y, l, SoftmaxGrad(h, y), LogSoftmaxGrad(h, l)}
			if n > 2 { // of two elements the gradient is 0 but for rounding
				w, b := on(g.Narrow(0, 0, 1).Reshape(n)), on(x.Narrow(0, 1, 2).Reshape(n))
				z, mean, rstd := LayerNorm(a, nil, nil, 1e-5)
				affine, _, _ := LayerNorm(a, w, b, 1e-5)
				dx, _, _ := LayerNormGrad(h, a, mean, rstd, nil)
				list = append(list, z, mean, rstd, affine, dx)
				dx, dw, db := LayerNormGrad(h, a, mean, rstd, w)
				list = append(list, dx, dw, db)
				z, mean, variance, rstd := BatchNorm(a, w, b, 1e-5)
				list = append(list, z, mean, variance, rstd)
				dx, dw, db = BatchNormGrad(h, a, mean, rstd, w)
				list = append(list, dx, dw, db)
			}
			return list
		})
		if z, _, _ := LayerNorm(Full(Float32, 3.3, 2, n).ToDevice(d), nil, nil, 1e-12); !slices.Equal(z.Float64s(), make([]float64, 2*n)) {
			t.Errorf("rows of %d equal numbers become %v", n, z)
		}
		compareOn(t, d, fmt.Sprint("sorting ", n), 0, func(on put) []*Tensor {
			a := on(Round(x)) // with equal ones
			v, i := Sort(a, false)
			w, j := Sort(a, true)
			p, q := TopK(a, (n+1)/2, true)
			return []*Tensor{v, i, w, j, p, q, ArgSort(a, true)}
		})
	}
	long := Round(Scale(Randn(Float32, 8, 2, 2500), 50))
	Data[float32](long)[17], Data[float32](long)[18] = float32(math.NaN()), float32(math.NaN())
	compareOn(t, d, "sorting long rows", 0, func(on put) []*Tensor {
		v, i := Sort(on(long), false)
		w, j := TopK(on(long), 20, true)
		return []*Tensor{v, i, w, j}
	})
	compareOn(t, d, "long scans", 1e-6, func(on put) []*Tensor {
		return []*Tensor{CumSum(on(long.Narrow(1, 20, 2500)), 1), CumSum(on(Randn(Float64, 1, 3, 300, 2)), 1), CumProd(on(Rand(Float32, 1, 70, 3)), 0)}
	})
}

func TestIndexingOnADevice(t *testing.T) {
	d := densetest.Device(t)
	x := Randn(Float32, 1, 9, 4, 3)
	rows := []int32{8, 0, 3, 3, 3, 1}
	ids := FromSlice([]int64{1, 0, 3, 2, 1, 1}, 6)
	index := FromSlice([]int32{0, 8, 3, 3, 7, 7, 7, 1}, 2, 4, 1)
	src := Randn(Float32, 2, 2, 4, 1)
	compareOn(t, d, "index", 0, func(on put) []*Tensor {
		a, i, k, s := on(x), on(ids), on(index), on(src)
		return []*Tensor{
			IndexSelect(a, rows), IndexSelectAxis(a, 1, []int32{3, 0, 0}), TakeRows(a, i.Reshape(2, 3)), IndexSelect(a.Transpose(), rows[1:6]),
			Gather(a, 0, k), Scatter(a, 0, k, s), ScatterAdd(a, 0, k, s), OneHot(i, 4, Float32), OneHot(i, 5, Bool),
			ScatterAddRows(IndexSelect(a, rows), rows, 9), ScatterAddAxis(a, 1, []int32{2, 0, 2, 0}, 3),
			IndexSelect(a.To(Bool), rows), IndexSelect(a.To(Int64), nil), Gather(a, 1, k.Narrow(0, 0, 0)),
		}
	})
	numbers := make([]int64, 5000) // more than a block sorts
	for i := range numbers {
		numbers[i] = int64(i*i%97) * int64(i%3)
	}
	many, g := FromSlice(numbers, 50, 100), Randn(Float32, 3, 50, 100, 3)
	compareOn(t, d, "gradients of rows", 0, func(on put) (all []*Tensor) {
		a, i, h, many := on(x.Narrow(0, 0, 6)), on(ids), on(g), on(many)
		for _, p := range []*int{nil, new(1), new(2), new(0)} {
			all = append(all, TakeRowsGrad(a, i, 4, p), TakeRowsGrad(a, i.To(Int32), 7, p), TakeRowsGrad(a.Narrow(0, 0, 0), i.Narrow(0, 0, 0), 2, p),
				TakeRowsGrad(h, many, 200, p), TakeRowsGrad(h.Transpose(1, 0, 2), many.To(Int32).Transpose(), 193, p), TakeRowsGrad(h.To(Float64), many, 193, p),
				TakeRowsGrad(h.Narrow(2, 0, 0), many, 200, p), TakeRowsGrad(h.Narrow(2, 0, 1).Reshape(50, 100), many, 200, p), TakeRowsGrad(Ones(Float32, 2).ToDevice(h.Device()), i.Narrow(0, 0, 1).Reshape(), 4, p))
		}
		return append(all, TakeRowsGrad(a.Narrow(0, 0, 0), i.Narrow(0, 0, 0), 0, nil))
	})
	compareOn(t, d, "shapes", 0, func(on put) []*Tensor {
		a := on(x)
		return []*Tensor{
			a.Transpose(2, 0, 1).Contiguous(), a.Narrow(1, 1, 3).Clone(), a.Narrow(0, 2, 3).Expand(5, 4, 3).Clone(), Concat(1, a, a.Narrow(1, 0, 2)), Stack(1, a, a),
			Repeat(a, 2, 1, 2), Flip(a), Flip(a, 1), Roll(a, 2, 0), Pad(a, 1.5, []int{1, 0, 2}, []int{0, 3, 0}), Unnarrow(a, 1, 2, 9),
			DiagEmbed(a, -1), Tril(a, 0), Triu(a, 1), Tril(a, math.MaxInt), Triu(a, math.MinInt), a.Diagonal(1).Clone(), a.Reshape(-1, 6), a.Transpose().Reshape(12, 9), Split(a, 0, 4, 5)[1].Clone(),
		}
	})
	compareOn(t, d, "in place", 0, func(on put) []*Tensor {
		a := on(x).Clone()
		a.Narrow(1, 1, 2).Fill(7)
		a.Diagonal(0).Zero()
		a.Narrow(0, 3, 5).CopyFrom(x.Narrow(0, 0, 2)) // from the CPU
		AddInto(a, on(x))
		ScatterAddRowsInto(a, on(IndexSelect(x, rows)), rows)
		AddInto(a.Transpose(2, 1, 0).Narrow(0, 1, 3), on(x.Transpose(2, 1, 0).Narrow(0, 0, 2)))
		return one(a)
	})
}

// A view of no elements may begin where the memory has ended.
func TestViewsWithoutElementsMoveToAndFromADevice(t *testing.T) {
	d := densetest.Device(t)
	compareOn(t, d, "empty views", 0, func(on put) []*Tensor {
		a, b := on(Zeros(Float32, 2, 6)), on(Zeros(Float32, 0, 3))
		end := b.Narrow(1, 2, 3)
		end.CopyFrom(Zeros(Float32, 0, 1)) // from the CPU
		return []*Tensor{a.Narrow(0, 1, 2).Narrow(1, 6, 6).Narrow(0, 1, 1), b.Narrow(1, 1, 3), end, AddScalar(a, 1)}
	})
}

func TestProductsOnADevice(t *testing.T) {
	d := densetest.Device(t)
	for dt, tolerance := range map[DType]float64{Float32: 1e-6, Float64: 1e-14} {
		for _, n := range []int{1, 3, 17, 64, 65} {
			a, b, bias := Randn(dt, 1, 2, 5, n), Randn(dt, 2, n, 4), Randn(dt, 3, 4)
			compareOn(t, d, fmt.Sprint("products of ", n, dt), tolerance, func(on put) []*Tensor {
				x, y := on(a), on(b)
				c := MatMul(x, y).Clone()
				MatMulAdd(c, x, y)
				wide := FullLike(on(Randn(dt, 1, 5, 9)), 1)
				MatMulAdd(wide.Narrow(1, 2, 6), x.Narrow(0, 1, 2).Squeeze(0), y)
				return []*Tensor{
					MatMul(x, y), MatMul(x, x.Transpose()), MatMul(y.Transpose(), x.Transpose()), MatMul(x.Narrow(0, 0, 1), x.Transpose()),
					MatMul(x.Narrow(2, n/2, n), y.Narrow(0, n/2, n)), MatMul(on(bias), y.Transpose()), MatMul(x, y.Narrow(1, 0, 1).Squeeze(1)), Dot(on(bias), on(bias)),
					MatMul(x.Narrow(2, 0, 0), y.Narrow(0, 0, 0)), c, wide, Linear(x, y, on(bias), true), Linear(x, y, nil, false), Linear(x, y, nil, true), Outer(on(bias), on(bias)),
				}
			})
		}
	}
	s, err := NewSparse(4, 3, []int32{0, 2, 2, 4, 5}, []int32{0, 2, 2, 2, 0}, FromSlice([]float32{2, -1, 0.5, 3, 1.5}, 5))
	if err != nil {
		t.Fatal(err)
	}
	compareOn(t, d, "sparse", 1e-6, func(on put) []*Tensor {
		m := s.WithValues(on(s.Values()))
		return []*Tensor{
			SparseMatMul(m, on(Randn(Float32, 1, 3, 33)), false), SparseMatMul(m, on(Randn(Float32, 1, 4, 2)), true), SparseMatMul(m, on(Randn(Float32, 1, 3, 0)), false),
			m.ToDense(), m.RowNormalize().Values(),
		}
	})
}

// A chain is one kernel on a device, of the same bits as its operations one by one.
func TestChainOnADeviceIsItsOperations(t *testing.T) {
	d := densetest.Device(t)
	x, row := Randn(Float32, 1, 30, 7).ToDevice(d), Randn(Float32, 2, 7).ToDevice(d)
	got := Chain([]*Tensor{x, row}, []ChainStep{
		{Op: ChainAdd, A: ^0, B: ^1}, {Op: ChainClamp, A: 0, C: -1, D: 0.5}, {Op: ChainSiLU, A: 1}, {Op: ChainMul, A: 2, B: 0}, {Op: ChainScale, A: 3, C: 1.7},
	})
	s := Add(x, row)
	want := Scale(Mul(SiLU(Clamp(s, -1, 0.5)), s), 1.7)
	if Any(NotEqual(got, want), false).Item() != 0 {
		t.Errorf("%v, one by one %v", got, want)
	}
}

func TestMisuseOfDevices(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	other := densetest.Device(t)
	far, near, abroad := Ones(Float32, 2, 2).ToDevice(d), Ones(Float32, 2, 2), Ones(Float32, 2, 2).ToDevice(other)
	ids := FromSlice([]int32{0, 2}, 2).ToDevice(d)
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"Add":          {func() { Add(far, near) }, "Add: operands are on different devices: cuda:0 x cpu"},
		"two devices":  {func() { Mul(far, abroad) }, "Mul: operands are on different devices: cuda:0 x cuda:0"},
		"MatMul":       {func() { MatMul(near, far) }, "MatMul: operands are on different devices"},
		"Linear":       {func() { Linear(far, far, Ones(Float32, 2), true) }, "Linear: operands are on different devices"},
		"Concat":       {func() { Concat(0, near, far) }, "Concat: operands are on different devices"},
		"Where":        {func() { Where(near.To(Bool), far, far) }, "Where: operands are on different devices"},
		"AddInto":      {func() { AddInto(near, far) }, "AddInto: operands are on different devices"},
		"rows":         {func() { ScatterAddRowsInto(far, near, []int32{0, 0}) }, "ScatterAddRowsInto: operands are on different devices"},
		"Gather":       {func() { Gather(near, 0, ids.Reshape(1, 2)) }, "Gather: operands are on different devices"},
		"Softmax grad": {func() { SoftmaxGrad(far, near) }, "SoftmaxGrad: operands are on different devices"},
		"Data":         {func() { Data[float32](far) }, "Data: the elements are not in Go's memory; copy them with ToDevice(tensor.CPU): cuda:0"},
		"Dense":        {func() { far.Dense() }, "Dense: the elements are not in Go's memory"},
		"index":        {func() { TakeRows(far, ids) }, "TakeRows: index 1 is 2, out of range [0, 2)"},
		"rows' sums":   {func() { TakeRowsGrad(far, ids, 2, nil) }, "TakeRowsGrad: index 1 is 2, out of range [0, 2)"},
		"rows' places": {func() { TakeRowsGrad(near, ids, 3, nil) }, "TakeRowsGrad: operands are on different devices: cpu x cuda:0"},
		"At":           {func() { Ones(Float32, 1, 3).ToDevice(d).At(5, 0) }, "At: index 0 is 5, out of range [0, 1)"},
		"At below":     {func() { Ones(Float32, 1, 3).ToDevice(d).At(-1, 2) }, "At: index 0 is -1, out of range [0, 1)"},
		"At the last":  {func() { far.At(1, 2) }, "At: index 1 is 2, out of range [0, 2)"},
		"At of none":   {func() { far.Narrow(1, 1, 1).At(1, 0) }, "At: index 1 is 0, out of range [0, 0)"},
		"Fill int":     {func() { Sort(far.To(Bool), true) }, "Sort: element type bool"},
	} {
		err := caught(c.f)
		var misuse interface{ Misuse() }
		if err == nil || !errors.As(err, &misuse) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if got := Add(far, Full(Float32, 2)).At(1, 1); got != 3 { // scalars of the CPU may mix
		t.Errorf("1 + 2 = %v", got)
	}
	if got := far.String(); got != near.String() {
		t.Errorf("%s, on the CPU %s", got, near)
	}
	if far.ToDevice(d) != far || near.ToDevice(CPU) != near || far.ToDevice(nil).Device() != nil {
		t.Error("ToDevice")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	var failure *DeviceFailure
	if err := caught(func() { Exp(far) }); !errors.As(err, &failure) || !errors.Is(err, driver.ErrClosed) {
		t.Errorf("on a closed device: %v", err)
	}
	far.Free() // is nothing to worry about
}

// Indices are looked at once, and again after they were written to, through a view too.
func TestIndicesOnADeviceAreChecked(t *testing.T) {
	d := densetest.Device(t)
	x := Randn(Float32, 1, 3, 2).ToDevice(d)
	var bad *IndexError
	if err := caught(func() { Indices(d, []int32{0, 3}, 3) }); !errors.As(err, &bad) || bad.Index != 3 {
		t.Errorf("Indices: %v", err)
	}
	for _, ids := range []*Tensor{Indices(d, []int32{0, 2}, 3), FromSlice([]int64{0, 2}, 2).ToDevice(d)} {
		TakeRows(x, ids)
		if err := caught(func() { TakeRows(x.Narrow(0, 0, 2), ids) }); !errors.As(err, &bad) || bad.Index != 2 {
			t.Errorf("of fewer rows: %v", err)
		}
		TakeRows(x, ids.Reshape(2, 1))
		ids.Narrow(0, 1, 2).Fill(-1)
		if err := caught(func() { TakeRows(x, ids) }); !errors.As(err, &bad) || bad.Index != -1 || bad.At != 1 {
			t.Errorf("after a write: %v", err)
		}
	}
}

// Who has the address may write indices at any time.
func TestIndicesWhoseAddressIsKnownAreCheckedEachTime(t *testing.T) {
	d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	runtime.LockOSThread() // whose context is the device's, as that of other code's threads
	defer runtime.UnlockOSThread()
	context, err := m.Driver().PrimaryCtxRetain(0)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Driver().PrimaryCtxRelease(0)
	if err := m.Driver().CtxSetCurrent(context); err != nil {
		t.Fatal(err)
	}
	x := Randn(Float32, 1, 3, 2).ToDevice(d)
	for what, of := range map[string]func(ids *Tensor) *Tensor{
		"itself": func(ids *Tensor) *Tensor { return ids },
		"a view": func(ids *Tensor) *Tensor { return ids.Narrow(0, 0, 1) },
	} {
		ids := Indices(d, []int32{0, 2}, 3)
		raw, err := of(ids).Raw()
		if err != nil {
			t.Fatal(err)
		}
		for _, first := range []int32{3, 1, -1} {
			if err := m.Driver().MemcpyHtoD(driver.Ptr(raw.Address), unsafe.Pointer(&first), 4); err != nil {
				t.Fatal(err)
			}
			var bad *IndexError
			err := caught(func() { TakeRows(x, ids) })
			if wrong := first < 0 || first >= 3; wrong != errors.As(err, &bad) || wrong && bad.Index != int(first) {
				t.Errorf("address of %s: an index of %d of 3 rows: %v", what, first, err)
			}
		}
	}
}

func TestWithoutAGPUTheErrorSaysWhatToDo(t *testing.T) {
	if _, err := CUDA(0); err == nil || !strings.Contains(err.Error(), "cudagen") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// caught returns the error that f panics with.
func caught(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = v.(error)
		}
	}()
	f()
	return nil
}
