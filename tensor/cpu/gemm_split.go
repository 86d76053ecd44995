// Products of a large depth and a small result, such as a weight's gradient: the
// depth is split among the goroutines.

package cpu

import "github.com/asterias-ml/asterias/tensor/kern"

// split computes a partial product for each of a number of parts of the depth, that
// follows from the dimensions alone, and adds them up in order.
func (p *product[T]) split() {
	m, n, k := p.c.Rows, p.c.Cols, p.depth
	partial, class := scratch[T](p.cut.splits * m * n)
	defer release(partial, class)
	each := roundUp(ceilDiv(k, p.cut.splits), p.cut.depth)
	parts := ceilDiv(k, each)
	parallel(parts, 1, func(lo, hi int) {
		b, bClass := scratch[T](roundUp(n, p.kernel.Cols) * p.cut.depth)
		defer release(b, bClass)
		for s := lo; s < hi; s++ {
			part := product[T]{kernel: p.kernel, c: RowMajor(partial[s*m*n:(s+1)*m*n], m, n), depth: min(each, k-s*each), cut: p.cut}
			part.a, part.b = p.a, p.b
			part.a.Data, part.b.Data = p.a.from(0, s*each), p.b.from(s*each, 0)
			part.a.Cols, part.b.Rows = part.depth, part.depth
			part.serial(b)
		}
	})
	p.merge(partial[:parts*m*n])
}

// serial computes the product on this goroutine, one depth block after the other.
func (p *product[T]) serial(packed []T) {
	m, n, k := p.c.Rows, p.c.Cols, p.depth
	for p0 := 0; p0 < k; p0 += p.cut.depth {
		x := block{0, m, 0, n, p0, min(p0+p.cut.depth, k)}
		p.packB(packed, x)
		p.multiply(x, packed, nil)
	}
}

// merge adds the partial products in order and applies the epilogue.
func (p *product[T]) merge(partial []T) {
	m, n := p.c.Rows, p.c.Cols
	set := kern.For[T]()
	parallel(m, max(1, finishGrain/n), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := partial[i*n : (i+1)*n]
			for at := m*n + i*n; at < len(partial); at += m * n {
				set.Add(sum, sum, partial[at:at+n])
			}
			row := p.c.from(i, 0)[:n]
			if p.mode&kern.GemmAccumulate != 0 {
				set.Add(row, sum, row)
			} else {
				copy(row, sum)
			}
			if p.bias != nil {
				set.Add(row, row, p.bias)
			}
			if p.mode&kern.GemmReLU != 0 {
				set.ReLU(row, row)
			}
		}
	})
}
