// Which implementation multiplies: our kernels or a registered library.

package cpu

import (
	"math"
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// GemmFunc computes C = op(A)·op(B) + beta·C on a number of threads, where op
// transposes if asked. C is m×n, op(A) m×k and op(B) k×n, m, n and k at least 1;
// all are row-major with lda, ldb and ldc elements from a stored row to the next.
type GemmFunc[T kern.Float] func(threads int, transA, transB bool, m, n, k int, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)

// RegisterBLAS makes [MatMul] hand products to a library: all that it can express
// and that are not too small for the way there to pay. name is what [BLAS]
// returns from then on. Packages that wrap a library call it when they are
// initialised; the last one wins. A library decides by itself whether its results
// depend on the number of threads.
func RegisterBLAS(name string, sgemm GemmFunc[float32], dgemm GemmFunc[float64]) {
	state32.library.Store(&library[float32]{name, sgemm})
	state64.library.Store(&library[float64]{name, dgemm})
}

// BLAS names what multiplies matrices: "asterias avx512", "asterias avx2",
// "asterias neon", "asterias go", or the name of the registered library.
func BLAS() string {
	if l := state32.library.Load(); l != nil {
		return l.name
	}
	return "asterias " + state32.kernel.Load().Name
}

// state is the choice for one element type.
type state[T kern.Float] struct {
	kernel  atomic.Pointer[kern.GemmKernel[T]]
	library atomic.Pointer[library[T]]
}

var state32, state64 = newState[float32](), newState[float64]()

func newState[T kern.Float]() *state[T] {
	s := new(state[T])
	s.kernel.Store(kern.GemmKernels[T]()[0])
	return s
}

func stateOf[T kern.Float]() *state[T] {
	var s any = state32
	if _, ok := any(T(0)).(float64); ok {
		s = state64
	}
	return s.(*state[T])
}

// library is a registered BLAS.
type library[T kern.Float] struct {
	name string
	gemm GemmFunc[T]
}

// multiply does a product if the library can and reports whether it did.
func (l *library[T]) multiply(c, a, b Matrix[T], e Epilogue[T]) bool {
	m, n, k := c.Rows, c.Cols, a.Cols
	lda, transA, okA := stored(&a)
	ldb, transB, okB := stored(&b)
	ldc := max(c.RowStride, n)
	if !okA || !okB || m*n*k <= tinyWork || max(m, n, k, lda, ldb, ldc) > math.MaxInt32 {
		return false
	}
	var beta T
	if e.Accumulate {
		beta = 1
	}
	l.gemm(Threads(), transA, transB, m, n, k, a.Data, lda, b.Data, ldb, beta, c.Data, ldc)
	finish(&c, &e)
	return true
}

// stored says how a matrix lies in memory, as BLAS has it: row-major, perhaps
// transposed, with a leading dimension.
func stored[T kern.Float](a *Matrix[T]) (lead int, transposed, ok bool) {
	switch {
	case (a.ColStride == 1 || a.Cols == 1) && (a.RowStride >= a.Cols || a.Rows == 1):
		return max(a.RowStride, a.Cols), false, true
	case (a.RowStride == 1 || a.Rows == 1) && (a.ColStride >= a.Rows || a.Cols == 1):
		return max(a.ColStride, a.Rows), true, true
	}
	return 0, false, false
}

// finish adds the bias and applies the ReLU of an epilogue, row by row.
func finish[T kern.Float](c *Matrix[T], e *Epilogue[T]) {
	if e.Bias == nil && !e.ReLU {
		return
	}
	set := kern.For[T]()
	ParallelFor(c.Rows, max(1, finishGrain/c.Cols), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			finishRow(set, c.from(i, 0)[:c.Cols], e.Bias, e.ReLU)
		}
	})
}
