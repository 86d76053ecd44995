// Normalisation of rows.

package tensor

import "github.com/asterias-ml/asterias/tensor/kern"

// LayerNorm returns the rows of the last axis shifted and scaled to mean 0 and
// variance 1: (x - mean)·rstd with rstd = 1/√(variance + eps) and the variance
// divided by the length (Ba et al. 2016). mean and rstd, one of each a row, have
// x's shape without its last axis. A row of equal numbers becomes 0 if eps > 0. All
// are NaN where a row has NaN or an infinity.
func LayerNorm(x *Tensor, eps float64) (y, mean, rstd *Tensor) {
	const op = "LayerNorm"
	wantFloat(op, x)
	n := lastAxis(op, x)
	rows := x.shape[:x.Rank()-1]
	y, mean, rstd = emptyBeside(x, op, x.dtype, x.shape), emptyBeside(x, op, x.dtype, rows), emptyBeside(x, op, x.dtype, rows)
	if x.far != nil {
		farRows(op, eps, []*Tensor{y, mean, rstd}, x)
		return y, mean, rstd
	}
	if x.dtype == Float32 {
		normRows[float32](y, x, mean, rstd, n, eps)
	} else {
		normRows[float64](y, x, mean, rstd, n, eps)
	}
	return y, mean, rstd
}

func normRows[T Float](y, x, mean, rstd *Tensor, n int, eps float64) {
	dst, src, m, r := elems[T](y), elems[T](x), elems[T](mean), elems[T](rstd)
	forRowBlocks(len(dst), n, func(lo, hi int) {
		kern.For[T]().NormRows(dst[lo:hi], src[lo:hi], m[lo/n:hi/n], r[lo/n:hi/n], n, T(eps))
	})
}

// LayerNormGrad returns the gradient of the first result of LayerNorm with respect
// to x: rstd·(g - mean(g) - y·mean(g·y)), the means over the last axis.
func LayerNormGrad(g, x, mean, rstd *Tensor) *Tensor {
	const op = "LayerNormGrad"
	wantTensors(op, mean, rstd)
	wantAlike(op, g, x)
	n := lastAxis(op, x)
	for _, row := range []*Tensor{mean, rstd} {
		wantType(op, row, x.dtype)
		if !row.shape.Equal(x.shape[:x.Rank()-1]) {
			panic(&ShapeError{Op: op, Detail: "not one mean and one deviation a row", Shapes: []Shape{x.shape, mean.shape, rstd.shape}})
		}
	}
	out := emptyBeside(x, op, x.dtype, x.shape)
	if anyFar(g, x, mean, rstd) {
		farRows(op, 0, []*Tensor{out}, g, x, mean, rstd)
		return out
	}
	if x.dtype == Float32 {
		normGradRows[float32](out, g, x, mean, rstd, n)
	} else {
		normGradRows[float64](out, g, x, mean, rstd, n)
	}
	return out
}

func normGradRows[T Float](out, g, x, mean, rstd *Tensor, n int) {
	dst, from, src, m, r := elems[T](out), elems[T](g), elems[T](x), elems[T](mean), elems[T](rstd)
	forRowBlocks(len(dst), n, func(lo, hi int) {
		kern.For[T]().NormGradRows(dst[lo:hi], from[lo:hi], src[lo:hi], m[lo/n:hi/n], r[lo/n:hi/n], n)
	})
}
