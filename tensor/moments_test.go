// Tests of sums of integers, variances and norms where rounding or range bites.

package tensor

import (
	"fmt"
	"math"
	"testing"
)

func TestSumOfIntegersAndBooleansCountsInInt64(t *testing.T) {
	for _, dt := range []DType{Bool, Int32, Int64} {
		x := Ones(dt, 3, 40000)
		if got := Sum(x, false); got.DType() != Int64 || got.Item() != 120000 {
			t.Errorf("Sum of ones of %v is %v", dt, got)
		}
		wantClose(t, "Sum of rows", Sum(x, true, 1), Shape{3, 1}, []float64{40000, 40000, 40000}, 0)
		wantClose(t, "Sum of columns", Sum(x.Narrow(1, 0, 2), false, 0), Shape{2}, []float64{3, 3}, 0)
		wantClose(t, "Sum of nothing", Sum(Zeros(dt, 0, 2), false, 0), Shape{2}, []float64{0, 0}, 0)
	}
	big := FromSlice([]int32{math.MaxInt32, math.MaxInt32}, 2)
	if got := Sum(big, false).Item(); got != 2*math.MaxInt32 {
		t.Errorf("Sum of two largest int32 is %v", got)
	}
}

func TestExtremaOfIntegers(t *testing.T) {
	for _, dt := range []DType{Int32, Int64} {
		x := FromSlice([]int64{3, -7, 5, -1, -2, -3}, 2, 3).To(dt)
		wantClose(t, "Max", Max(x, false), Shape{}, []float64{5}, 0)
		wantClose(t, "Max of columns", Max(x, false, 0), Shape{3}, []float64{3, -2, 5}, 0)
		wantClose(t, "Min of rows", Min(x, true, 1), Shape{2, 1}, []float64{-7, -3}, 0)
		wantClose(t, "Max of no rows", Max(Zeros(dt, 0, 3), false, 1), Shape{0}, nil, 0)
		wantPanic[*ShapeError](t, "tensor: Max: no integer is the extremum of none: [0 3]", func() { Max(Zeros(dt, 0, 3), false, 0) })
		if got := Max(x, false).DType(); got != dt {
			t.Errorf("Max of %v has type %v", dt, got)
		}
	}
}

func TestVarKeepsItsDigitsFarFromZero(t *testing.T) {
	// The textbook formula mean(x²) - mean(x)² loses all of them here.
	for _, c := range []struct {
		dt     DType
		offset float64
	}{{Float32, 1 << 20}, {Float64, 1e9}} {
		for _, shape := range []Shape{{4, 5000}, {5000, 4}} {
			x := Zeros(Float64, shape...)
			for i := range Data[float64](x) {
				Data[float64](x)[i] = c.offset + float64((i/shape[1]+i)%2) // variance 1/4 in rows and columns
			}
			for axis := range shape {
				for i, v := range Var(x.To(c.dt), 0, false, axis).Float64s() {
					if math.Abs(v-0.25) > 0.01 {
						t.Errorf("%v %v over %d: element %d is %v, want 0.25", c.dt, shape, axis, i, v)
					}
				}
			}
		}
	}
}

// TestStdNeedsNoSquaresInReach: the expected numbers are PyTorch's.
func TestStdNeedsNoSquaresInReach(t *testing.T) {
	for _, c := range []struct {
		x    []float32
		want float64
	}{
		{[]float32{1e-25, 3e-25}, 1.4142136e-25},
		{[]float32{1e-20, 1.001e-20}, 7.0714e-24},
		{[]float32{1e20, -1e20, 3e20}, 2e20},
		{[]float32{1e30, -1e30, 1}, 1e30},
		{[]float32{1e38, 1e38, 1e38}, 0},
		{[]float32{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 0},
		{[]float32{float32(math.Inf(1)), 1}, math.NaN()},
	} {
		got := Std(FromSlice(c.x, len(c.x)), 1, false).Item()
		if math.Abs(got-c.want) > 1e-4*math.Abs(c.want) || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("Std of %v is %v, want %v", c.x, got, c.want)
		}
	}
}

func TestVarOfTooFewIsADivisionByZeroAndOfInfinityNaN(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		nan, inf := math.NaN(), math.Inf(1)
		for _, correction := range []float64{2, 3} {
			pairs := FromSlice([]float64{1, 2, 5, 5}, 2, 2).To(dt)
			wantClose(t, "Var of two", Var(pairs, correction, false, 1), Shape{2}, []float64{inf, nan}, 0)
			wantClose(t, "Std of two", Std(pairs, correction, false, 1), Shape{2}, []float64{inf, nan}, 0)
		}
		wantClose(t, "Var of one", Var(Ones(dt, 3, 1), 1, false, 1), Shape{3}, []float64{nan, nan, nan}, 0)
		wantClose(t, "Var of none", Var(Ones(dt, 2, 0), 0, false, 1), Shape{2}, []float64{nan, nan}, 0)
		wantClose(t, "Var with Inf", Var(FromSlice([]float64{1, math.Inf(1)}, 2).To(dt), 0, false), Shape{}, []float64{nan}, 0)
	})
}

func TestLogSumExpNeitherOverflowsNorHidesInfinities(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		inf, nan := math.Inf(1), math.NaN()
		for _, c := range []struct {
			x    []float64
			want float64
		}{
			{[]float64{1e4, 1e4}, 1e4 + math.Ln2}, {[]float64{-1e4, -1e4}, -1e4 + math.Ln2}, {[]float64{1e4, -1e4}, 1e4},
			{[]float64{-inf, -inf}, -inf}, {[]float64{-inf, 3}, 3}, {[]float64{inf, 3}, inf}, {[]float64{inf, -inf}, inf},
			{[]float64{nan, 3}, nan}, {nil, -inf},
		} {
			x := FromSlice(c.x, len(c.x)).To(dt)
			wantClose(t, fmt.Sprint("LogSumExp of ", c.x), LogSumExp(x, false), Shape{}, []float64{c.want}, 2*tolerance(dt))
			wantClose(t, fmt.Sprint("LogSumExp of a column ", c.x), LogSumExp(x.Unsqueeze(1), true, 0), Shape{1, 1}, []float64{c.want}, 2*tolerance(dt))
		}
	})
}

// They are made of other reductions, of a view of others still.
func TestMomentsNameThemselvesInErrors(t *testing.T) {
	x := Zeros(Float32, 2, 3).Transpose()
	for name, f := range map[string]func(x *Tensor, axis int) *Tensor{
		"LogSumExp": func(x *Tensor, axis int) *Tensor { return LogSumExp(x, false, axis) },
		"Norm":      func(x *Tensor, axis int) *Tensor { return Norm(x, 3, false, axis) },
		"Std":       func(x *Tensor, axis int) *Tensor { return Std(x, 1, false, axis) },
		"Var":       func(x *Tensor, axis int) *Tensor { return Var(x, 1, false, axis) },
	} {
		wantPanic[*ShapeError](t, "tensor: "+name+": no axis 2: [3 2]", func() { f(x, 2) })
		wantPanic[*DTypeError](t, "tensor: "+name+": element type i32, want f32 or f64", func() { f(x.To(Int32), 0) })
	}
}

func TestNormsSeeNaNAndEmptiness(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		nan := FromSlice([]float64{1, math.NaN()}, 2).To(dt)
		for _, p := range []float64{math.Inf(-1), -1, 1, 2, 2.5, math.Inf(1)} {
			wantClose(t, fmt.Sprint("norm of NaN, p = ", p), Norm(nan, p, false), Shape{}, []float64{math.NaN()}, 0)
			want := 0.0
			if p < 0 {
				want = math.NaN()
			}
			wantClose(t, fmt.Sprint("norm of nothing, p = ", p), Norm(Zeros(dt, 0, 2), p, true, 0), Shape{1, 2}, []float64{want, want}, 0)
		}
		wantClose(t, "norm -1", Norm(FromSlice([]float64{1, -2}, 2).To(dt), -1, false), Shape{}, []float64{1 / 1.5}, tolerance(dt))
	})
}

func TestMeanOfNothingIsNaN(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		wantClose(t, "Mean", Mean(Zeros(dt, 0, 2), false, 0), Shape{2}, []float64{math.NaN(), math.NaN()}, 0)
		wantClose(t, "Mean of no rows", Mean(Zeros(dt, 0, 2), false, 1), Shape{0}, nil, 0)
	})
}

func TestLayerNormGradWantsAMeanAndADeviationOfEveryRow(t *testing.T) {
	x := Randn(Float32, 1, 2, 3)
	_, mean, rstd := LayerNorm(x, nil, nil, 1e-5)
	const want = "tensor: LayerNormGrad: not one mean and one deviation a row: [2 3] x "
	wantPanic[*ShapeError](t, want+"[2] x [1]", func() { LayerNormGrad(x, x, mean, rstd.Narrow(0, 0, 1), nil) })
	wantPanic[*ShapeError](t, want+"[2 3] x [2]", func() { LayerNormGrad(x, x, x, rstd, nil) })
	wantPanic[*DTypeError](t, "tensor: LayerNormGrad: ", func() { LayerNormGrad(x, x, mean.To(Float64), rstd, nil) })
}
