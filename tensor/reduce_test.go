// Tests of reductions, their adjoint and softmax.

package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// reduceNaive folds x over the marked axes by definition.
func reduceNaive(x *Tensor, reduced []bool, empty float64, fold func(a, b float64) float64) []float64 {
	kept := x.Shape().Clone()
	for k, r := range reduced {
		if r {
			kept[k] = 1
		}
	}
	out := make([]float64, kept.Size())
	for i := range out {
		out[i] = empty
	}
	for _, idx := range indices(x.Shape()) {
		at := 0
		for k, i := range idx {
			if reduced[k] {
				i = 0
			}
			at = at*kept[k] + i
		}
		out[at] = fold(out[at], x.At(idx...))
	}
	return out
}

// checkMoments holds variances, norms and logarithms of sums against definitions.
func checkMoments(t *testing.T, what string, x *Tensor, kept, short Shape, reduced []bool, axes []int, sum []float64, count float64) {
	t.Helper()
	tol := 20 * tolerance(x.DType())
	mean := Zeros(Float64, kept...)
	for i, s := range sum {
		Data[float64](mean)[i] = s / count
	}
	plus := func(a, b float64) float64 { return a + b }
	of := func(f func(v float64) float64) []float64 {
		y := Zeros(Float64, x.Shape()...)
		for i, v := range x.Float64s() {
			Data[float64](y)[i] = f(v)
		}
		return reduceNaive(y, reduced, 0, plus)
	}
	each := func(list []float64, f func(v float64) float64) []float64 {
		list = append([]float64(nil), list...)
		for i, v := range list {
			list[i] = f(v)
		}
		return list
	}
	squares := reduceNaive(Square(Sub(x.To(Float64), mean)), reduced, 0, plus)
	for _, correction := range []float64{0, 1} {
		want := each(squares, func(v float64) float64 { return v / max(count-correction, 0) })
		wantClose(t, "Var of "+what, Var(x, correction, false, axes...), short, want, tol)
		wantClose(t, "Std of "+what, Std(x, correction, true, axes...), kept, each(want, math.Sqrt), tol)
	}
	wantClose(t, "LogSumExp of "+what, LogSumExp(x, false, axes...), short, each(of(math.Exp), math.Log), tol)
	wantClose(t, "Norm 1 of "+what, Norm(x, 1, true, axes...), kept, of(math.Abs), tol)
	wantClose(t, "Norm 2 of "+what, Norm(x, 2, false, axes...), short, each(of(func(v float64) float64 { return v * v }), math.Sqrt), tol)
	wantClose(t, "Norm 3 of "+what, Norm(x, 3, false, axes...), short, each(of(func(v float64) float64 { return math.Abs(v * v * v) }), math.Cbrt), tol)
	wantClose(t, "Norm 0 of "+what, Norm(x, 0, false, axes...), short, of(func(v float64) float64 { return oneIf(v != 0) }), 0)
	wantClose(t, "Norm Inf of "+what, Norm(x, math.Inf(1), false, axes...), short, reduceNaive(Abs(x), reduced, 0, math.Max), 0)
	if count > 0 {
		wantClose(t, "Norm -Inf of "+what, Norm(x, math.Inf(-1), false, axes...), short, reduceNaive(Abs(x), reduced, math.Inf(1), math.Min), 0)
	}
}

func TestReductionsOverEverySetOfAxes(t *testing.T) {
	plus := func(a, b float64) float64 { return a + b }
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, shape := range []Shape{{}, {1}, {6}, {4, 5}, {1, 5}, {5, 1}, {2, 3, 4}, {2, 3, 4, 5}, {2, 1, 2, 2, 1, 2, 2}, {0}, {0, 3}, {3, 0}, {2, 0, 3}} {
			x := random(r, dt, shape...)
			for set := range 1 << len(shape) {
				var axes []int
				reduced := make([]bool, len(shape))
				kept, short := shape.Clone(), Shape{}
				for k := range shape {
					if all := set == 0; all || set>>k&1 != 0 {
						reduced[k], kept[k] = true, 1
						if !all {
							axes = append(axes, k-k%2*len(shape)) // odd ones counted from the end
						}
					} else {
						short = append(short, shape[k])
					}
				}
				what := fmt.Sprintf("%v over %v", shape, axes)
				sum := reduceNaive(x, reduced, 0, plus)
				wantClose(t, "Sum of "+what, Sum(x, false, axes...), short, sum, 8*tolerance(dt))
				wantClose(t, "Sum keeping dims of "+what, Sum(x, true, axes...), kept, sum, 8*tolerance(dt))
				wantClose(t, "Max of "+what, Max(x, false, axes...), short, reduceNaive(x, reduced, math.Inf(-1), math.Max), 0)
				wantClose(t, "Min of "+what, Min(x, true, axes...), kept, reduceNaive(x, reduced, math.Inf(1), math.Min), 0)
				wantClose(t, "Prod of "+what, Prod(x, false, axes...), short, reduceNaive(x, reduced, 1, func(a, b float64) float64 { return a * b }), 8*tolerance(dt))
				count := 1.0
				for k, n := range shape {
					if reduced[k] {
						count *= float64(n)
					}
				}
				checkMoments(t, what, x, kept, short, reduced, axes, sum, count)
				for i := range sum {
					sum[i] /= count
				}
				wantClose(t, "Mean of "+what, Mean(x, true, axes...), kept, sum, 8*tolerance(dt))
			}
		}
	})
}

func TestReductionsOfManyElements(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		for _, shape := range []Shape{{70000}, {2, 40000}, {40000, 3}, {5000, 17}, {3, 20000, 2}, {3, 20000}, {65, 20000}, {1000000, 1}} {
			x := Full(dt, 0.5, shape...)
			if got, want := Sum(x, false).Item(), 0.5*float64(shape.Size()); got != want {
				t.Errorf("Sum of halves in %v is %v, want %v", shape, got, want)
			}
			for axis := range shape {
				s := Sum(x, false, axis)
				want := 0.5 * float64(shape[axis])
				for i, v := range s.Float64s() {
					if v != want {
						t.Fatalf("Sum of halves in %v over axis %d: element %d is %v, want %v", shape, axis, i, v, want)
					}
				}
			}
		}
	})
}

func TestSumToIsTheAdjointOfBroadcasting(t *testing.T) {
	// <broadcast(y), x> = <y, SumTo(x)>.
	r := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct{ big, small Shape }{
		{Shape{4, 5}, Shape{4, 5}}, {Shape{4, 5}, Shape{5}}, {Shape{4, 5}, Shape{1, 5}}, {Shape{4, 5}, Shape{4, 1}},
		{Shape{4, 5}, Shape{}}, {Shape{4, 5}, Shape{1}}, {Shape{4, 5}, Shape{1, 1}}, {Shape{3, 2, 4}, Shape{2, 1}},
		{Shape{3, 2, 4}, Shape{3, 1, 4}}, {Shape{1, 5}, Shape{5}}, {Shape{1, 1}, Shape{}}, {Shape{0, 5}, Shape{5}}, {Shape{5, 0}, Shape{5, 1}},
	} {
		x, y := random(r, Float64, c.big...), random(r, Float64, c.small...)
		s := SumTo(x, c.small)
		if !s.Shape().Equal(c.small) {
			t.Errorf("SumTo(%v, %v) has shape %v", c.big, c.small, s.Shape())
			continue
		}
		left, right := Sum(Mul(x, y), false).Item(), Sum(Mul(s, y), false).Item()
		if math.Abs(left-right) > 1e-12 {
			t.Errorf("SumTo(%v, %v): %v on the large side, %v on the small one", c.big, c.small, left, right)
		}
	}
}

func TestSoftmaxRowsSumToOneAndSurviveLargeScores(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(4, 4))
		for _, n := range []int{1, 2, 7, 8, 9, 65} {
			for _, scale := range []float64{1, 1e4} {
				x := Scale(random(r, dt, 5, n), scale)
				p, l := Softmax(x), LogSoftmax(x)
				for i := range 5 {
					m, sum := math.Inf(-1), 0.0
					for k := range n {
						m = max(m, x.At(i, k))
					}
					for k := range n {
						sum += math.Exp(x.At(i, k) - m)
					}
					for k := range n {
						logP := x.At(i, k) - m - math.Log(sum)
						if got := p.At(i, k); math.Abs(got-math.Exp(logP)) > 4*tolerance(dt) {
							t.Fatalf("Softmax [%d %d] of %d is %v, want %v", i, k, n, got, math.Exp(logP))
						}
						if got := l.At(i, k); math.Abs(got-logP) > 4*tolerance(dt)*max(1, math.Abs(logP)) {
							t.Fatalf("LogSoftmax [%d %d] of %d is %v, want %v", i, k, n, got, logP)
						}
					}
				}
			}
		}
		// A constant far from 0 must not cost digits of the logarithm.
		wantClose(t, "LogSoftmax of equals", LogSoftmax(Full(dt, 3e6, 1, 2)), Shape{1, 2}, []float64{-math.Ln2, -math.Ln2}, tolerance(dt))
		if got := Softmax(FromSlice([]float64{0, math.NaN()}, 2).To(dt)); !math.IsNaN(got.At(0)) || !math.IsNaN(got.At(1)) {
			t.Errorf("Softmax hides a NaN: %v", got)
		}
		inf := Softmax(FromSlice([]float64{0, math.Inf(-1), 0}, 3).To(dt))
		wantClose(t, "Softmax with -Inf", inf, Shape{3}, []float64{0.5, 0, 0.5}, tolerance(dt))
		for _, shape := range []Shape{{0}, {0, 4}, {4, 0}} {
			if got := Softmax(Zeros(dt, shape...)).Shape(); !got.Equal(shape) {
				t.Errorf("Softmax of %v has shape %v", shape, got)
			}
		}
	})
}
