package cpu

// What weights of attention are products of: where kern.Set.AttendsApart, a kernel that
// computes attention at once wants exponentials of the vertices at the other ends, four
// numbers side by side, found before it comes to its rows.

import (
	"sync/atomic"
	"unsafe"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// factoring is what the factors of vertices are made of.
type factoring[T kern.Float] struct {
	slope T
	among int    // the buffer of the numbers that have a centre: the vertices' that scores are sums of, or the rows'
	of    [4]int // the buffers of the vertices' own: their numbers, and backward what belongs to these
	back  bool
}

// vertexFactors are the factors of a run; of none, rows is nil.
type vertexFactors[T kern.Float] struct {
	copies[T]
	centre T
}

// separable tells whether scores with such a rectifier, and a step at a bound, are products.
func separable[T kern.Float](slope, bound T) bool { return slope >= 0 && slope <= 1 && bound == 0 }

// factorsOf finds the factors that the kernel's attention wants on a graph, if there are any.
func (k *kernel[T]) factorsOf(r *run[T], csr *graph.CSR) (f vertexFactors[T]) {
	if !k.attendsOn(csr) || k.attention.factors == nil {
		return f
	}
	of := k.attention.factors
	centre, ok := r.prog.set.AttendCentre(r.mem.Floats[of.among])
	if !ok {
		return f
	}
	f.copies, f.centre = newCopies[T](kern.AttendFactorsLen(csr.NumCols())), centre
	const perChunk = 4096
	n := csr.NumCols()
	if n <= perChunk {
		ok = of.find(r, f.rows, 0, n, centre)
	} else {
		ok = of.findTogether(r, f.rows, n, perChunk, centre)
	}
	if !ok {
		f.giveBack()
		return vertexFactors[T]{}
	}
	return f
}

// findTogether finds those of n vertices, chunk by chunk.
func (f *factoring[T]) findTogether(r *run[T], rows []T, n, perChunk int, centre T) bool {
	var none atomic.Bool
	r.parallel(ceil(n, perChunk), func(_ *worker[T], chunk int) {
		if !f.find(r, rows, chunk*perChunk, min((chunk+1)*perChunk, n), centre) {
			none.Store(true)
		}
	})
	return !none.Load()
}

// find finds those of vertices lo to hi; false if there are none.
func (f *factoring[T]) find(r *run[T], rows []T, lo, hi int, centre T) bool {
	rows = rows[kern.AttendFactorsLen(lo):]
	of := func(n int) []T { return r.mem.Floats[f.of[n]][lo:hi] }
	if f.back {
		return r.prog.set.AttendBackFactors(rows, of(0), of(1), of(2), of(3), f.slope, centre)
	}
	r.prog.set.AttendFactors(rows, of(0), f.slope, centre)
	return true
}

// factorSpace is how many bytes factors take on a graph.
func (k *kernel[T]) factorSpace(csr *graph.CSR) int64 {
	if !k.attendsOn(csr) || k.attention.factors == nil {
		return 0
	}
	var element T
	return int64(kern.AttendFactorsLen(csr.NumCols())) * int64(unsafe.Sizeof(element))
}
