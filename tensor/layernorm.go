// Normalisation of rows.

package tensor

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// LayerNorm returns the rows of the last axis shifted and scaled to mean 0 and
// variance 1, then multiplied by weight and added to bias, each nil or as long as a row:
// (x - mean)·rstd·weight + bias with rstd = 1/√(variance + eps) and the variance
// divided by the length (Ba et al. 2016). mean and rstd, one of each a row, have
// x's shape without its last axis. A row of equal numbers becomes 0, before the bias, if
// eps > 0. All are NaN where a row has NaN, an infinity or no element.
func LayerNorm(x, weight, bias *Tensor, eps float64) (y, mean, rstd *Tensor) {
	const op = "LayerNorm"
	wantFloat(op, x)
	n := lastAxis(op, x)
	wantRow(op, x, weight, n)
	wantRow(op, x, bias, n)
	rows := x.shape[:x.Rank()-1]
	y, mean, rstd = emptyBeside(x, op, x.dtype, x.shape), emptyBeside(x, op, x.dtype, rows), emptyBeside(x, op, x.dtype, rows)
	if n == 0 {
		mean.Fill(math.NaN())
		rstd.Fill(math.NaN())
		return y, mean, rstd
	}
	if x.far != nil {
		farRows(op, eps, []*Tensor{y, mean, rstd}, x)
		return farAffine(y, weight, bias), mean, rstd
	}
	if x.dtype == Float32 {
		normRows[float32](y, x, weight, bias, mean, rstd, n, eps)
	} else {
		normRows[float64](y, x, weight, bias, mean, rstd, n, eps)
	}
	return y, mean, rstd
}

// wantRow panics unless row is nil or has n elements of x's type.
func wantRow(op string, x, row *Tensor, n int) {
	if row == nil {
		return
	}
	if wantSame(op, x, row); !row.shape.Equal(Shape{n}) {
		panic(&ShapeError{Op: op, Detail: "not as long as a row", Shapes: []Shape{x.shape, row.shape}})
	}
	if anyFar(x, row) {
		sameDevice(op, x, row)
	}
}

// farAffine returns y·weight + bias on a device, without y if that is another.
func farAffine(y, weight, bias *Tensor) *Tensor {
	if weight != nil {
		old := y
		y = Mul(y, weight)
		old.Free()
	}
	if bias != nil {
		old := y
		y = Add(y, bias)
		old.Free()
	}
	return y
}

func normRows[T Float](y, x, weight, bias, mean, rstd *Tensor, n int, eps float64) {
	k, dst, src, m, r := kern.For[T](), elems[T](y), elems[T](x), elems[T](mean), elems[T](rstd)
	w, b := layRow[T](weight), layRow[T](bias)
	forRowTiles(len(dst), n, func(lo, hi int) {
		to := dst[lo:hi]
		k.NormRows(to, src[lo:hi], m[lo/n:hi/n], r[lo/n:hi/n], n, T(eps))
		scaleShift(k, to, w, b)
	})
}

// tileRows is how many rows of n elements a tile has: as many as stay in the L1 cache
// with what is computed of them.
func tileRows(n int) int { return max(1, chainTile/max(1, n)) }

// forRowTiles runs f over ranges of elements of an array of rows of n, a tile at a time
// and in parallel.
func forRowTiles(size, n int, f func(lo, hi int)) {
	step := tileRows(n) * n
	forRowBlocks(size, n, func(lo, hi int) {
		for ; lo < hi; lo += step {
			f(lo, min(lo+step, hi))
		}
	})
}

// layRow returns a row as often as a tile has rows; nil for none.
func layRow[T Float](row *Tensor) []T {
	if row == nil {
		return nil
	}
	from := elems[T](row)
	laid := make([]T, tileRows(len(from))*len(from))
	repeat(laid, copy(laid, from))
	return laid
}

// scaleShift multiplies a tile by weights and adds biases; nil are none.
func scaleShift[T Float](k *kern.Set[T], tile, weight, bias []T) {
	n := len(tile)
	switch {
	case weight != nil && bias != nil:
		k.FMA3(tile, tile, weight[:n], bias[:n])
	case weight != nil:
		k.Mul(tile, tile, weight[:n])
	case bias != nil:
		k.Add(tile, tile, bias[:n])
	}
}

// LayerNormGrad returns the gradients of the first result of LayerNorm, g being its own:
// with respect to x
//
//	rstd·(d - mean(d) - x̂·mean(d·x̂)),  d = g·weight,  x̂ = (x - mean)·rstd
//
// the means over the last axis, and, where weight is not nil, with respect to weight and
// bias: the sums over the rows of g·x̂ and of g.
func LayerNormGrad(g, x, mean, rstd, weight *Tensor) (dx, dweight, dbias *Tensor) {
	const op = "LayerNormGrad"
	wantTensors(op, mean, rstd)
	wantAlike(op, g, x)
	n := lastAxis(op, x)
	wantRow(op, x, weight, n)
	for _, row := range []*Tensor{mean, rstd} {
		wantType(op, row, x.dtype)
		if !row.shape.Equal(x.shape[:x.Rank()-1]) {
			panic(&ShapeError{Op: op, Detail: "not one mean and one deviation a row", Shapes: []Shape{x.shape, mean.shape, rstd.shape}})
		}
	}
	if anyFar(g, x, mean, rstd) {
		return farLayerNormGrad(op, g, x, mean, rstd, weight)
	}
	dx = empty(x.dtype, x.shape)
	if weight != nil {
		dweight, dbias = empty(x.dtype, weight.shape), empty(x.dtype, weight.shape)
	}
	if x.dtype == Float32 {
		normGradRows[float32](dx, dweight, dbias, g, x, mean, rstd, weight, n)
	} else {
		normGradRows[float64](dx, dweight, dbias, g, x, mean, rstd, weight, n)
	}
	return dx, dweight, dbias
}

// farLayerNormGrad is LayerNormGrad on a device.
func farLayerNormGrad(op string, g, x, mean, rstd, weight *Tensor) (dx, dweight, dbias *Tensor) {
	dx = emptyBeside(x, op, x.dtype, x.shape)
	if weight == nil {
		farRows(op, 0, []*Tensor{dx}, g, x, mean, rstd)
		return dx, nil, nil
	}
	d := Mul(g, weight)
	defer d.Free()
	farRows(op, 0, []*Tensor{dx}, d, x, mean, rstd)
	centred := Sub(x, mean.Unsqueeze(-1))
	defer centred.Free()
	product := Mul(g, centred)
	defer product.Free()
	scaled := Mul(product, rstd.Unsqueeze(-1))
	defer scaled.Free()
	return dx, SumTo(scaled, weight.shape), SumTo(g, weight.shape)
}

func normGradRows[T Float](dx, dweight, dbias, g, x, mean, rstd, weight *Tensor, n int) {
	k := kern.For[T]()
	dst, from, src, m, r := elems[T](dx), elems[T](g), elems[T](x), elems[T](mean), elems[T](rstd)
	if weight == nil {
		forRowBlocks(len(dst), n, func(lo, hi int) {
			k.NormGradRows(dst[lo:hi], from[lo:hi], src[lo:hi], m[lo/n:hi/n], r[lo/n:hi/n], n)
		})
		return
	}
	w := layRow[T](weight)
	sumBands(x.dtype, len(r), n, []*Tensor{dweight, dbias}, func(d []T, lo, hi int, sums [][]T) {
		own, their := from[lo*n:hi*n], src[lo*n:hi*n]
		k.SumRowsInto(sums[1], own, n)
		k.Mul(d, own, w[:len(d)])
		k.NormGradRows(dst[lo*n:hi*n], d, their, m[lo:hi], r[lo:hi], n)
		for i := range hi - lo { // the normalised rows once more: cheaper than to read them
			row := d[i*n : (i+1)*n]
			k.AddScalar(row, their[i*n:(i+1)*n], -m[lo+i])
			k.MulScalar(row, row, r[lo+i])
		}
		k.Mul(d, d, own)
		k.SumRowsInto(sums[0], d, n)
	})
}
