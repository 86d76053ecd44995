// Products of a matrix and a vector whose elements are dot products of
// contiguous rows.

package cpu

import "github.com/asterias-ml/asterias/tensor/kern"

// dotting is a product of a matrix and a vector: c[i*cStep] = rows[i]·x.
type dotting[T kern.Float] struct {
	product[T]
	rows     []T
	stride   int // from a row to the next
	x        []T
	cStep    int
	biasStep int
}

// dots computes the product if it is of that kind, and reports whether it is.
func (p *product[T]) dots() bool {
	k := p.depth
	if p.c.Rows != 1 && p.c.Cols != 1 || (p.a.ColStride != 1 || p.b.RowStride != 1) && k > 1 {
		return false
	}
	d := dotting[T]{product: *p, cStep: 1, biasStep: 1}
	var count int
	switch {
	case p.c.Cols == 1:
		d.rows, d.stride, d.x, count = p.a.Data, p.a.RowStride, p.b.Data[:k], p.c.Rows
		d.cStep, d.biasStep = p.c.RowStride, 0
	default:
		d.rows, d.stride, d.x, count = p.b.Data, p.b.ColStride, p.a.Data[:k], p.c.Cols
	}
	grain := max(1, dotGrain/k)
	if Threads() == 1 || count <= grain {
		d.compute(0, count)
	} else {
		u := d // only goroutines need it on the heap
		ParallelFor(count, grain, u.compute)
	}
	return true
}

// compute computes elements lo to hi.
func (d *dotting[T]) compute(lo, hi int) {
	dot := kern.For[T]().Dot
	for i := lo; i < hi; i++ {
		sum := dot(d.rows[i*d.stride:][:len(d.x)], d.x)
		if d.mode&kern.GemmAccumulate != 0 {
			sum += d.c.Data[i*d.cStep]
		}
		if d.bias != nil {
			sum += d.bias[i*d.biasStep]
		}
		if d.mode&kern.GemmReLU != 0 && sum < 0 {
			sum = 0
		}
		d.c.Data[i*d.cStep] = sum
	}
}

// dotGrain is how many elements of the matrix a goroutine takes at a time.
const dotGrain = 1 << 16
