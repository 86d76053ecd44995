// Products of a large depth and a small result, such as a weight's gradient: the
// depth is split among the goroutines.

package cpu

import "github.com/asterias-ml/asterias/tensor/kern"

// splitting is a product computed as partial ones of consecutive parts of the
// depth, which are added up in their order.
type splitting[T kern.Float] struct {
	product[T]
	each    int // depth of a part
	partial []T // the partial products
}

func (p *product[T]) split() {
	m, n, k := p.c.Rows, p.c.Cols, p.depth
	s := splitting[T]{product: *p, each: roundUp(ceilDiv(k, p.cut.splits), p.cut.depth)}
	parts := ceilDiv(k, s.each)
	var class int
	s.partial, class = scratch[T](parts * m * n)
	defer release(s.partial, class)
	if Threads() == 1 {
		s.multiplyParts(0, parts)
		s.addParts(0, m)
		return
	}
	u := s // as with tilings, only goroutines need it on the heap
	ParallelFor(parts, 1, u.multiplyParts)
	ParallelFor(m, max(1, finishGrain/n), u.addParts)
}

// multiplyParts computes partial products lo to hi, each one depth block after
// the other.
func (s *splitting[T]) multiplyParts(lo, hi int) {
	m, n, depth := s.c.Rows, s.c.Cols, s.cut.depth
	var packed []T
	if s.cut.packB {
		var class int
		packed, class = scratch[T](roundUp(n, s.kernel.Cols) * depth)
		defer release(packed, class)
	}
	var a []T
	if s.cut.packA {
		var class int
		a, class = scratch[T](packedSize(m, depth))
		defer release(a, class)
	}
	for part := lo; part < hi; part++ {
		p0 := part * s.each
		p := product[T]{kernel: s.kernel, depth: min(s.each, s.depth-p0), cut: s.cut, a: s.a, b: s.b}
		p.c = RowMajor(s.partial[part*m*n:(part+1)*m*n], m, n)
		p.a.Data, p.b.Data = s.a.from(0, p0), s.b.from(p0, 0)
		for x := (block{i1: m, j1: n}); x.p0 < p.depth; x.p0 = x.p1 {
			x.p1 = min(x.p0+depth, p.depth)
			if packed != nil {
				p.packB(packed, x)
			}
			p.multiply(x, packed, a)
		}
	}
}

// next returns the memory that a panel of a block should bring to the second-level
// cache: what the block below reads of A, or for the second panel, of B, if it lies in one
// piece. A block is used once, and in an order that the hardware does not foresee.
func (p *product[T]) next(x block, panel int) []T {
	if x.p1 >= p.depth {
		return nil
	}
	switch {
	case panel == 0 && p.a.RowStride == 1 && p.a.ColStride == p.a.Rows:
		return p.a.from(0, x.p1)
	case panel == 1 && p.b.ColStride == 1 && p.b.RowStride == p.b.Cols:
		return p.b.from(x.p1, 0)
	}
	return nil
}

// addParts adds the partial products of rows lo to hi and applies the epilogue.
func (s *splitting[T]) addParts(lo, hi int) {
	m, n := s.c.Rows, s.c.Cols
	set := kern.For[T]()
	for i := lo; i < hi; i++ {
		sum := s.partial[i*n : (i+1)*n]
		for at := m*n + i*n; at < len(s.partial); at += m * n {
			set.Add(sum, sum, s.partial[at:at+n])
		}
		row := s.c.from(i, 0)[:n]
		if s.mode&kern.GemmAccumulate != 0 {
			set.Add(row, sum, row)
		} else {
			copy(row, sum)
		}
		finishRow(set, row, s.bias, s.mode&kern.GemmReLU != 0)
	}
}

// finishRow adds the bias, nil for none, to a row of C and applies the ReLU.
func finishRow[T kern.Float](set *kern.Set[T], row, bias []T, relu bool) {
	if bias != nil {
		set.Add(row, row, bias)
	}
	if relu {
		set.ReLU(row, row)
	}
}

// finishGrain is how many elements a goroutine finishes at a time.
const finishGrain = 1 << 15
