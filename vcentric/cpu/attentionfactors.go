package cpu

// What weights of attention are products of: where kern.Set.AttendsApart, a kernel that
// computes attention at once is faster with numbers that are near each other, and backward
// wants four numbers of each vertex at the other ends, found before it comes to its rows.

import (
	"sync/atomic"
	"unsafe"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// factoring is what factors are made of.
type factoring[T kern.Float] struct {
	slope T
	among int   // the buffer of the numbers that have a centre
	of    []int // backward, the buffers of the vertices' numbers, and of what belongs to these
}

// attentionFactors are those of a run.
type attentionFactors[T kern.Float] struct {
	apart     bool // there are some
	centre    T
	copies[T] // of vertices, backward
}

// separable tells whether scores with such a rectifier, and a step at a bound, are products.
func separable[T kern.Float](slope, bound T) bool { return slope >= 0 && slope <= 1 && bound == 0 }

// factorsOf finds the factors that the kernel's attention wants on a graph, if there are any.
func (k *kernel[T]) factorsOf(r *run[T], csr *graph.CSR) (f attentionFactors[T]) {
	if !k.attendsOn(csr) || k.attention.factors == nil {
		return f
	}
	of := k.attention.factors
	f.centre, f.apart = r.prog.set.AttendCentre(r.mem.Floats[of.among])
	if !f.apart || of.of == nil {
		return f
	}
	f.copies = newCopies[T](kern.AttendFactorsLen(csr.NumCols()))
	const perChunk = 4096
	if n := csr.NumCols(); n <= perChunk {
		f.apart = of.find(r, f.rows, 0, n, f.centre)
	} else {
		f.apart = of.findTogether(r, f.rows, n, perChunk, f.centre)
	}
	if !f.apart {
		f.giveBack()
		return attentionFactors[T]{}
	}
	return f
}

// findTogether finds the factors of n vertices, chunk by chunk.
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
	of := func(n int) []T { return r.mem.Floats[f.of[n]][lo:hi] }
	return r.prog.set.AttendFactors(rows[kern.AttendFactorsLen(lo):], of(0), of(1), of(2), of(3), f.slope, centre)
}

// factorSpace is how many bytes factors take on a graph.
func (k *kernel[T]) factorSpace(csr *graph.CSR) int64 {
	if !k.attendsOn(csr) || k.attention.factors == nil || k.attention.factors.of == nil {
		return 0
	}
	var element T
	return int64(kern.AttendFactorsLen(csr.NumCols())) * int64(unsafe.Sizeof(element))
}
