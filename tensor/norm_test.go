// Normalisation against loops over float64, at sizes that are cut into tiles and bands.

package tensor

import (
	"fmt"
	"math"
	"testing"
)

var normShapes = [][2]int{{1, 3}, {2, 1}, {7, 5}, {33, 16}, {1000, 64}, {3000, 7}, {70000, 3}, {9, 2049}, {40, 5000}}

// loopNorm is the normalisation of groups of n numbers, number i of group r being at(r, i).
func loopNorm(x []float64, groups, n int, at func(r, i int) int, eps float64) (y, rstd []float64) {
	y, rstd = make([]float64, len(x)), make([]float64, groups)
	for r := range groups {
		mean, squares := 0.0, 0.0
		for i := range n {
			mean += x[at(r, i)] / float64(n)
		}
		for i := range n {
			d := x[at(r, i)] - mean
			squares += d * d / float64(n)
		}
		rstd[r] = 1 / math.Sqrt(squares+eps)
		for i := range n {
			y[at(r, i)] = (x[at(r, i)] - mean) * rstd[r]
		}
	}
	return y, rstd
}

// loopNormGrad is the gradient of loopNorm, given that of the result.
func loopNormGrad(g, y, rstd []float64, groups, n int, at func(r, i int) int) []float64 {
	dx := make([]float64, len(g))
	for r := range groups {
		mean, product := 0.0, 0.0
		for i := range n {
			mean += g[at(r, i)] / float64(n)
			product += g[at(r, i)] * y[at(r, i)] / float64(n)
		}
		for i := range n {
			dx[at(r, i)] = rstd[r] * (g[at(r, i)] - mean - y[at(r, i)]*product)
		}
	}
	return dx
}

func TestNormalisationEqualsLoops(t *testing.T) {
	const eps = 1e-3
	for _, s := range normShapes {
		rows, cols := s[0], s[1]
		for _, dt := range []DType{Float32, Float64} {
			x := AddScalar(Scale(Randn(Float64, 1, rows, cols), 2), 30).To(dt) // far from 0
			g, w, b := Randn(dt, 2, rows, cols), Randn(dt, 3, cols), Randn(dt, 4, cols)
			tol := map[DType]float64{Float32: 2e-4, Float64: 1e-11}[dt]
			for _, byRow := range []bool{true, false} {
				groups, n, at := rows, cols, func(r, i int) int { return r*cols + i }
				if !byRow {
					groups, n, at = cols, rows, func(r, i int) int { return i*cols + r }
				}
				y, rstd := loopNorm(x.Float64s(), groups, n, at, eps)
				ws, bs, gs := w.Float64s(), b.Float64s(), g.Float64s()
				scaled, result, dw := make([]float64, len(y)), make([]float64, len(y)), make([]float64, cols)
				for i := range y {
					scaled[i], result[i] = gs[i]*ws[i%cols], y[i]*ws[i%cols]+bs[i%cols]
					dw[i%cols] += gs[i] * y[i]
				}
				want := [][]float64{result, loopNormGrad(scaled, y, rstd, groups, n, at), dw, Sum(g.To(Float64), false, 0).Float64s()}
				var z, mean, r *Tensor
				grad := BatchNormGrad
				if byRow {
					z, mean, r = LayerNorm(x, w, b, eps)
					grad = LayerNormGrad
				} else {
					z, mean, _, r = BatchNorm(x, w, b, eps)
				}
				dx, gw, gb := grad(g, x, mean, r, w)
				for i, got := range []*Tensor{z, dx, gw, gb} {
					what := fmt.Sprintf("%v %v, by rows %v, result %d", s, dt, byRow, i)
					wantClose(t, what, got, got.Shape(), want[i], tol*math.Sqrt(float64(rows)))
				}
			}
		}
	}
}

func TestNormalisationIsTheSameOnAnyNumberOfThreads(t *testing.T) {
	x, g, w := Randn(Float32, 1, 20000, 24), Randn(Float32, 2, 20000, 24), Randn(Float32, 3, 24)
	results := func(threads int) (all []float64) {
		withThreads(t, threads)
		_, mean, rstd := LayerNorm(x, w, nil, 1e-5)
		a, b, c := LayerNormGrad(g, x, mean, rstd, w)
		y, mean, variance, rstd := BatchNorm(x, w, nil, 1e-5)
		d, e, f := BatchNormGrad(g, x, mean, rstd, w)
		for _, r := range []*Tensor{a, b, c, y, mean, variance, d, e, f} {
			all = append(all, r.Float64s()...)
		}
		return all
	}
	want := results(1)
	for i, got := range results(3) {
		if got != want[i] {
			t.Fatalf("number %d is %v on 3 threads, %v on one", i, got, want[i])
		}
	}
}

func TestNormalisationOfNaNAndInfinityIsNaNInThatGroupOnly(t *testing.T) {
	for _, odd := range []float64{math.NaN(), math.Inf(1)} {
		x := Randn(Float32, 1, 50, 9)
		Data[float32](x)[3*9+4] = float32(odd)
		y, _, _ := LayerNorm(x, nil, nil, 1e-5)
		z, mean, variance, _ := BatchNorm(x, nil, nil, 1e-5)
		for i, v := range y.Float64s() {
			if math.IsNaN(v) != (i/9 == 3) {
				t.Errorf("LayerNorm with %v in row 3: row %d has %v", odd, i/9, v)
			}
		}
		for i, v := range z.Float64s() {
			if math.IsNaN(v) != (i%9 == 4) {
				t.Errorf("BatchNorm with %v in column 4: column %d has %v", odd, i%9, v)
			}
		}
		for what, moments := range map[string]*Tensor{"mean": mean, "variance": variance} {
			for i, v := range moments.Float64s() {
				if math.IsNaN(v) != (i == 4) {
					t.Errorf("BatchNorm with %v in column 4: the %s of column %d is %v", odd, what, i, v)
				}
			}
		}
	}
}

func TestMomentsOfColumnsFarFromTheirFirstNumber(t *testing.T) {
	const rows = 20000
	for _, cols := range []int{1, 3, 16} {
		for _, dt := range []DType{Float32, Float64} {
			x := Zeros(dt, rows, cols)
			x.Narrow(0, 0, 1).Fill(100003.7)
			first := x.Float64s()[0]
			means, variances := make([]float64, cols), make([]float64, cols)
			for i := range cols {
				means[i], variances[i] = first/rows, first*first/rows*(1-1.0/rows)
			}
			_, mean, variance, _ := BatchNorm(x, nil, nil, 0)
			what := fmt.Sprintf("%v, %d columns: ", dt, cols)
			wantClose(t, what+"mean", mean, Shape{cols}, means, 1e-4)
			wantClose(t, what+"variance", variance, Shape{cols}, variances, 1e-4)
		}
	}
}

func TestColumnsOfHugeEqualNumbersHaveNoVariance(t *testing.T) {
	y, mean, variance, _ := BatchNorm(Full(Float64, 1e200, 3000, 1), nil, nil, 1e-5)
	wantClose(t, "result", y, Shape{3000, 1}, make([]float64, 3000), 0)
	wantClose(t, "mean", mean, Shape{1}, []float64{1e200}, 0)
	wantClose(t, "variance", variance, Shape{1}, []float64{0}, 0)
}

func TestRowsOfNothingHaveNoMean(t *testing.T) {
	for range 2 {
		Full(Float32, 7, 3000).Free() // memory that may be taken again
	}
	_, mean, rstd := LayerNorm(Zeros(Float32, 3000, 0), nil, nil, 1e-5)
	for what, got := range map[string]*Tensor{"mean": mean, "rstd": rstd} {
		for i, v := range got.Float64s() {
			if !math.IsNaN(v) {
				t.Fatalf("the %s of row %d is %v", what, i, v)
			}
		}
	}
}

func TestNormalisationWantsAWeightForEveryColumn(t *testing.T) {
	x, short := Zeros(Float32, 2, 3), Zeros(Float32, 2)
	wantPanic[*ShapeError](t, "tensor: LayerNorm: not as long as a row: [2 3] x [2]", func() { LayerNorm(x, short, nil, 0) })
	wantPanic[*ShapeError](t, "tensor: BatchNorm: not as long as a row: [2 3] x [2]", func() { BatchNorm(x, nil, short, 0) })
	wantPanic[*ShapeError](t, "tensor: BatchNorm: takes a matrix: [2]", func() { BatchNorm(short, nil, nil, 0) })
	wantPanic[*ShapeError](t, "tensor: BatchNormGrad: not as long as a row", func() { BatchNormGrad(x, x, short, short, nil) })
	wantPanic[*DTypeError](t, "tensor: LayerNorm: ", func() { LayerNorm(x, Zeros(Float64, 3), nil, 0) })
}
