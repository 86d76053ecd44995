// Normalisation of columns.

package tensor

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// BatchNorm returns the columns of a matrix shifted and scaled to mean 0 and variance 1,
// then multiplied by weight and added to bias, each nil or one number a column:
// (x - mean)·rstd·weight + bias with rstd = 1/√(variance + eps) and the variance divided
// by the number of rows (Ioffe and Szegedy 2015). mean, variance and rstd have one number
// a column. A column of equal numbers becomes 0, before the bias, if eps > 0. Without rows
// all are NaN, and where a column has NaN or an infinity.
func BatchNorm(x, weight, bias *Tensor, eps float64) (y, mean, variance, rstd *Tensor) {
	const op = "BatchNorm"
	n := matrixColumns(op, x)
	wantRow(op, x, weight, n)
	wantRow(op, x, bias, n)
	if x.far != nil {
		return farBatchNorm(x, weight, bias, eps)
	}
	mean, variance, rstd = empty(x.dtype, Shape{n}), empty(x.dtype, Shape{n}), empty(x.dtype, Shape{n})
	y = empty(x.dtype, x.shape)
	if x.dtype == Float32 {
		normColumns[float32](y, x, weight, bias, mean, variance, rstd, eps)
	} else {
		normColumns[float64](y, x, weight, bias, mean, variance, rstd, eps)
	}
	return y, mean, variance, rstd
}

// matrixColumns returns how many columns x has, which must be a matrix of floats.
func matrixColumns(op string, x *Tensor) int {
	wantFloat(op, x)
	if x.Rank() != 2 {
		panic(&ShapeError{Op: op, Detail: "takes a matrix", Shapes: []Shape{x.shape}})
	}
	return x.shape[1]
}

func normColumns[T Float](y, x, weight, bias, mean, variance, rstd *Tensor, eps float64) {
	k, n := kern.For[T](), x.shape[1]
	dst, src, r := elems[T](y), elems[T](x), elems[T](rstd)
	columnMoments(elems[T](mean), elems[T](variance), src)
	for i, v := range elems[T](variance) {
		r[i] = T(1 / math.Sqrt(float64(v)+eps))
	}
	scale, shift := append([]T(nil), r...), make([]T, n)
	if weight != nil {
		k.Mul(scale, scale, elems[T](weight))
	}
	if bias != nil {
		copy(shift, elems[T](bias))
	}
	m := elems[T](mean)
	forRowBlocks(len(dst), n, func(lo, hi int) { k.ScaleColumns(dst[lo:hi], src[lo:hi], m, scale, shift) })
}

// columnMoments writes the means of the columns of x and their variances. Blocks of rows
// are done by themselves and put together in float64 (Chan, Golub and LeVeque 1983):
// memory is read once.
func columnMoments[T Float](mean, variance, x []T) {
	n := len(mean)
	if n == 0 {
		return
	}
	rows := len(x) / n
	band, bands := rowBands(rows, n)
	block, parts := blockRows(n), make([]moments, bands)
	cpu.ParallelFor(bands, 1, func(first, last int) {
		one, room := newMoments(n), make([]T, 3*n)
		for p := first; p < last; p++ {
			parts[p] = newMoments(n)
			end := min((p+1)*band, rows)
			for lo := p * band; lo < end; lo += block {
				blockMoments(&one, room, x[lo*n:min(lo+block, end)*n])
				parts[p].add(one)
			}
		}
	})
	total := newMoments(n)
	for _, p := range parts {
		total.add(p)
	}
	for i := range mean {
		mean[i], variance[i] = T(math.NaN()), T(math.NaN())
		if d := total.deviations[i]; rows > 0 && d == d {
			mean[i], variance[i] = T(total.mean[i]), T(d/float64(rows))
		}
	}
}

// moments are of so many rows the mean of each column and the sum of its squared
// distances from it.
type moments struct {
	rows             int
	mean, deviations []float64
}

func newMoments(n int) moments {
	return moments{mean: make([]float64, n), deviations: make([]float64, n)}
}

// add takes other rows in.
func (m *moments) add(o moments) {
	share := float64(o.rows) / float64(m.rows+o.rows)
	weight := float64(m.rows) * share
	for i, mean := range o.mean {
		d := mean - m.mean[i]
		m.mean[i] += d * share
		m.deviations[i] += o.deviations[i] + d*weight*d // d*d may overflow where weight is 0
	}
	m.rows += o.rows
}

// blockMoments sets m to the moments of the rows of x, taken about the first of them, so
// that equal numbers have a variance of 0. Where that row is far from the others, digits
// cancel, and they are taken once more, about the means.
func blockMoments[T Float](m *moments, room, x []T) {
	n := len(m.mean)
	shift, sums := room[:n], room[n:]
	copy(shift, x)
	if momentsAbout(m, sums, x, shift) {
		return
	}
	for i, mean := range m.mean {
		shift[i] = T(mean)
	}
	momentsAbout(m, sums, x, shift)
}

// momentsAbout sets m to the moments of the rows of x by their distances from shift, and
// reports whether few digits cancelled.
func momentsAbout[T Float](m *moments, sums, x, shift []T) bool {
	n, few := len(shift), true
	rest, squares := sums[:n], sums[n:]
	clear(sums)
	kern.For[T]().ColumnMoments(rest, squares, x, shift)
	m.rows = len(x) / n
	for i := range m.mean {
		e, square := float64(rest[i])/float64(m.rows), float64(squares[i])
		m.mean[i] = float64(shift[i]) + e
		m.deviations[i] = max(0, square-e*float64(rest[i])) // NaN stays
		few = few && !(m.deviations[i] < square/16)
	}
	return few
}

// farBatchNorm is BatchNorm on a device.
func farBatchNorm(x, weight, bias *Tensor, eps float64) (y, mean, variance, rstd *Tensor) {
	rounded := Mean(x, false, 0)
	d := Sub(x, rounded)
	mean = Add(rounded, Mean(d, false, 0))
	d.Free()
	variance = Var(x, 0, false, 0)
	rstd = Rsqrt(AddScalar(variance, eps))
	d = Sub(x, mean)
	defer d.Free()
	return farAffine(Mul(d, rstd), weight, bias), mean, variance, rstd
}

// BatchNormGrad returns the gradients of the first result of BatchNorm, g being its own:
// with respect to x
//
//	weight·rstd·(g - mean(g) - x̂·mean(g·x̂)),  x̂ = (x - mean)·rstd
//
// the means over the rows, and with respect to weight and bias: the sums over the rows of
// g·x̂ and of g. A nil weight is 1.
func BatchNormGrad(g, x, mean, rstd, weight *Tensor) (dx, dweight, dbias *Tensor) {
	const op = "BatchNormGrad"
	wantAlike(op, g, x)
	n := matrixColumns(op, x)
	wantTensors(op, mean, rstd)
	for _, row := range []*Tensor{mean, rstd, weight} {
		wantRow(op, x, row, n)
	}
	if x.far != nil {
		return farBatchNormGrad(g, x, mean, rstd, weight)
	}
	dx, dweight, dbias = empty(x.dtype, x.shape), empty(x.dtype, mean.shape), empty(x.dtype, mean.shape)
	if x.dtype == Float32 {
		normGradColumns[float32](dx, dweight, dbias, g, x, mean, rstd, weight)
	} else {
		normGradColumns[float64](dx, dweight, dbias, g, x, mean, rstd, weight)
	}
	return dx, dweight, dbias
}

func normGradColumns[T Float](dx, dweight, dbias, g, x, mean, rstd, weight *Tensor) {
	k, n := kern.For[T](), x.shape[1]
	dst, from, src := elems[T](dx), elems[T](g), elems[T](x)
	centre := elems[T](mean)
	sumBands(x.dtype, x.shape[0], n, []*Tensor{dweight, dbias}, func(_ []T, lo, hi int, sums [][]T) {
		k.ColumnDots(sums[1], sums[0], from[lo*n:hi*n], src[lo*n:hi*n], centre)
	})
	if len(dst) == 0 { // the sums are 0
		return
	}
	k.Mul(elems[T](dweight), elems[T](dweight), elems[T](rstd))
	// As a·(g + (x - mean)·b + c), a, b and c being the same for all rows.
	a, b, c := append([]T(nil), elems[T](rstd)...), make([]T, n), make([]T, n)
	if weight != nil {
		k.Mul(a, a, elems[T](weight))
	}
	share := -1 / T(x.shape[0])
	k.Mul(b, elems[T](dweight), elems[T](rstd))
	k.MulScalar(b, b, share)
	k.MulScalar(c, elems[T](dbias), share)
	forRowBlocks(len(dst), n, func(lo, hi int) { k.GradColumns(dst[lo:hi], from[lo:hi], src[lo:hi], centre, a, b, c) })
}

// farBatchNormGrad is BatchNormGrad on a device.
func farBatchNormGrad(g, x, mean, rstd, weight *Tensor) (dx, dweight, dbias *Tensor) {
	share := 1 / float64(x.shape[0])
	centred := Sub(x, mean)
	normal := Mul(centred, rstd)
	centred.Free()
	defer normal.Free()
	product := Mul(g, normal)
	dweight, dbias = Sum(product, false, 0), Sum(g, false, 0)
	product.Free()
	d, part := Sub(g, Scale(dbias, share)), Mul(normal, Scale(dweight, share))
	rest := Sub(d, part)
	d.Free()
	part.Free()
	defer rest.Free()
	if weight != nil {
		rstd = Mul(rstd, weight)
	}
	return Mul(rest, rstd), dweight, dbias
}
