// Running sums and products along an axis.

package tensor

import "github.com/asterias-ml/asterias/tensor/cpu"

// CumSum returns the running sums along an axis: out[j] = x[0] + ... + x[j]. Floats
// are added up in float64 and rounded once each; integers, and booleans as 0 and 1,
// give Int64, as of [Sum].
func CumSum(x *Tensor, axis int) *Tensor {
	wantTensors("CumSum", x)
	axis = x.shape.axis("CumSum", axis)
	switch x.dtype {
	case Float32:
		return scan("Sum", x, axis, false, sumRun[float32, float64], sumRow[float32, float64], 0)
	case Float64:
		return scan("Sum", x, axis, false, sumRun[float64, float64], sumRow[float64, float64], 0)
	}
	return scan("Sum", x.To(Int64), axis, false, sumRun[int64, int64], sumRow[int64, int64], 0)
}

// CumSumGrad returns the gradient of CumSum of floats, g being that of the result: the
// running sums from the other end, g[j] + ... + g[n-1].
func CumSumGrad(g *Tensor, axis int) *Tensor {
	const op = "CumSumGrad"
	wantFloat(op, g)
	axis = g.shape.axis(op, axis)
	switch {
	case g.far != nil:
		return Flip(CumSum(Flip(g, axis), axis), axis)
	case g.dtype == Float32:
		return scan("SumGrad", g, axis, true, sumBack[float32, float64], sumRow[float32, float64], 0)
	}
	return scan("SumGrad", g, axis, true, sumBack[float64, float64], sumRow[float64, float64], 0)
}

// CumProd returns the running products along an axis, as CumSum the sums.
func CumProd(x *Tensor, axis int) *Tensor {
	wantTensors("CumProd", x)
	axis = x.shape.axis("CumProd", axis)
	switch x.dtype {
	case Float32:
		return scan("Prod", x, axis, false, prodRun[float32, float64], prodRow[float32, float64], 1)
	case Float64:
		return scan("Prod", x, axis, false, prodRun[float64, float64], prodRow[float64, float64], 1)
	}
	return scan("Prod", x.To(Int64), axis, false, prodRun[int64, int64], prodRow[int64, int64], 1)
}

// scan runs along an axis: by run where the elements are neighbours, else by row for
// many columns at a time, whose results so far are in acc; from the last row if backwards.
func scan[T, A Number](fold string, x *Tensor, axis int, backwards bool, run func(dst, x []T, n int), row func(dst, x []T, acc []A), start A) *Tensor {
	out := emptyBeside(x, "Cum"+fold, x.dtype, x.shape)
	if out.size == 0 {
		return out
	}
	if x.far != nil {
		near, d := x.Contiguous(), x.far.device
		d.must("Cum"+fold, d.backend.Scan(fold, out.faraway(), near.faraway(), axis))
		release(near, x)
		return out
	}
	dst, src := elems[T](out), elems[T](x)
	outer, n, inner := x.shape[:axis].Size(), x.shape[axis], x.shape[axis+1:].Size()
	if inner == 1 {
		cpu.ParallelFor(outer, max(1, elementGrain/n), func(lo, hi int) {
			run(dst[lo*n:hi*n], src[lo*n:hi*n], n)
		})
		return out
	}
	forColumns(outer, n, inner, func(o, lo, hi int) {
		acc := make([]A, hi-lo)
		fill(acc, start)
		for j := range n {
			if backwards {
				j = n - 1 - j
			}
			at := (o*n + j) * inner
			row(dst[at+lo:at+hi], src[at+lo:at+hi], acc)
		}
	})
	return out
}

func sumRun[T, A Number](dst, x []T, n int)  { sumAlong[T, A](dst, x, n, 0, n, 1) }
func sumBack[T, A Number](dst, x []T, n int) { sumAlong[T, A](dst, x, n, n-1, -1, -1) }

// sumAlong writes the running sums of rows of n, from their first element to the end by steps: of
// four rows in turns, since each addition waits for the one before in its row.
func sumAlong[T, A Number](dst, x []T, n, first, end, step int) {
	for ; len(x) >= 4*n; dst, x = dst[4*n:], x[4*n:] {
		var a, b, c, d A
		xa, xb, xc, xd := x[:n], x[n:2*n], x[2*n:3*n], x[3*n:4*n]
		ya, yb, yc, yd := dst[:n], dst[n:2*n], dst[2*n:3*n], dst[3*n:4*n]
		for i := first; i != end; i += step {
			a, b, c, d = a+A(xa[i]), b+A(xb[i]), c+A(xc[i]), d+A(xd[i])
			ya[i], yb[i], yc[i], yd[i] = T(a), T(b), T(c), T(d)
		}
	}
	for ; len(x) > 0; dst, x = dst[n:], x[n:] {
		var a A
		for i := first; i != end; i += step {
			a += A(x[i])
			dst[i] = T(a)
		}
	}
}

func sumRow[T, A Number](dst, x []T, acc []A) {
	for i, v := range x {
		acc[i] += A(v)
		dst[i] = T(acc[i])
	}
}

func prodRun[T, A Number](dst, x []T, n int) {
	for ; len(x) > 0; dst, x = dst[n:], x[n:] {
		a := A(1)
		for i, v := range x[:n] {
			a *= A(v)
			dst[i] = T(a)
		}
	}
}

func prodRow[T, A Number](dst, x []T, acc []A) {
	for i, v := range x {
		acc[i] *= A(v)
		dst[i] = T(acc[i])
	}
}
