package cpu

// What weights of attention are products of: where kern.Attends tells Apart, kernels that compute
// attention at once want numbers of each vertex at the other ends that are found before they come
// to their rows, and that scores are near each other.

import (
	"sync/atomic"
	"unsafe"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// factoring is what these numbers are made of.
type factoring[T kern.Float] struct {
	slope     T
	among     int   // the buffer of the numbers that have a centre
	of        []int // backward, the buffers of the vertices' numbers, and of what belongs to these
	perVertex int   // how many numbers
}

// attentionFactors are those of a run.
type attentionFactors[T kern.Float] struct {
	apart     bool // there are some
	centre    T
	copies[T] // of vertices
}

// separable tells whether exponentials of scores with such a rectifier, and such a step, are products.
func (o *attentionOperands[T]) separable() bool {
	return o.slope >= 0 && o.slope <= 1 && o.bound == 0 && o.above == 1
}

// factorsOf finds the factors that the kernel's attention wants on a graph, if there are any.
func (k *kernel[T]) factorsOf(r *run[T], csr *graph.CSR) (f attentionFactors[T]) {
	if !k.attendsOn(csr) || k.attention.factors == nil {
		return f
	}
	of := k.attention.factors
	f.centre, f.apart = r.prog.set.AttendCentre(r.mem.Floats[of.among])
	if !f.apart {
		return f
	}
	f.copies = newCopies[T](kern.AttendNumbers(of.perVertex, csr.NumCols()))
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
	rows = rows[kern.AttendNumbers(f.perVertex, lo):]
	if f.of == nil {
		r.prog.set.AttendPowers(rows, r.mem.Floats[f.among][lo:hi], f.perVertex, f.slope, centre)
		return true
	}
	of := func(n int) []T { return r.mem.Floats[f.of[n]][lo:hi] }
	return r.prog.set.AttendFactors(rows, of(0), of(1), of(2), of(3), f.slope, centre)
}

// factorSpace is how many bytes factors take on a graph.
func (k *kernel[T]) factorSpace(csr *graph.CSR) int64 {
	if !k.attendsOn(csr) || k.attention.factors == nil {
		return 0
	}
	var element T
	return int64(kern.AttendNumbers(k.attention.factors.perVertex, csr.NumCols())) * int64(unsafe.Sizeof(element))
}
