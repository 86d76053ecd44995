// The dense matrix product behind tensor.MatMul and the Gorgonia engine.

package cpu

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// C is computed in tiles of this many rows and columns, one goroutine a tile.
// A tile's columns are what the row kernel keeps in registers; gonum stays
// single-threaded up to two by two of its 64-blocks.
const (
	tileRows = 64
	tileCols = 64
	// The part of B a tile works on at a time, tileCols × tileDepth float32,
	// stays in the L1 cache.
	tileDepth = 128
)

// Gemm computes C = op(A)·op(B), where op transposes if asked. C is m×n, op(A)
// m×k and op(B) k×n; all are contiguous and row-major, so A is stored k×m if
// transA, and B n×k if transB. C is overwritten and must not overlap A or B.
// k = 0 gives zeros. Each element is summed in an order that depends on the
// dimensions only.
//
// float32 runs on the row kernels of package kern, which reach several times
// the speed of gonum; float64, the type of references, on gonum's Dgemm.
func Gemm[T kern.Float](c, a, b []T, m, n, k int, transA, transB bool) {
	c = c[:m*n]
	clear(c)
	if m == 0 || n == 0 || k == 0 {
		return
	}
	if c, ok := any(c).([]float64); ok {
		a, b := any(a).([]float64), any(b).([]float64)
		// gonum skips the products of zeros, so 0·NaN would be lost.
		if finite(a) && finite(b) {
			dgemm(c, a, b, m, n, k, transA, transB)
			return
		}
	}
	rowGemm(c, a, b, m, n, k, transA, transB)
}

// rowGemm takes a row of C as a weighted sum of the rows of B, which is the row
// kernel GatherScaleSum over all rows: its accumulators stay in registers.
func rowGemm[T kern.Float](c, a, b []T, m, n, k int, transA, transB bool) {
	if transB {
		t := make([]T, k*n)
		Transpose(t, b, n, k)
		b = t
	}
	ids := make([]int32, k)
	for i := range ids {
		ids[i] = int32(i)
	}
	rowStep, depthStep := k, 1 // A[i,l] is a[i*rowStep+l*depthStep]
	if transA {
		rowStep, depthStep = 1, m
	}
	set := kern.For[T]()
	forTiles(m, n, func(i0, i1, j0, j1 int) {
		for l0 := 0; l0 < k; l0 += tileDepth {
			l1 := min(l0+tileDepth, k)
			for i := i0; i < i1; i++ {
				set.GatherScaleSum(c[i*n+j0:i*n+j1], b[j0:], n, ids[l0:l1], a[i*rowStep+l0*depthStep:], depthStep)
			}
		}
	})
}

func dgemm(c, a, b []float64, m, n, k int, transA, transB bool) {
	tA, lda := blas.NoTrans, k
	if transA {
		tA, lda = blas.Trans, m
	}
	tB, ldb := blas.NoTrans, n
	if transB {
		tB, ldb = blas.Trans, k
	}
	forTiles(m, n, func(i0, i1, j0, j1 int) {
		aAt, bAt := i0*lda, j0
		if transA {
			aAt = i0
		}
		if transB {
			bAt = j0 * ldb
		}
		gonum.Implementation{}.Dgemm(tA, tB, i1-i0, j1-j0, k, 1, a[aAt:], lda, b[bAt:], ldb, 0, c[i0*n+j0:], n)
	})
}

// forTiles calls fn once for every tile of an m×n matrix, in parallel.
func forTiles(m, n int, fn func(i0, i1, j0, j1 int)) {
	across := (n + tileCols - 1) / tileCols
	down := (m + tileRows - 1) / tileRows
	ParallelFor(across*down, 1, func(lo, hi int) {
		for t := lo; t < hi; t++ {
			i, j := t/across*tileRows, t%across*tileCols
			fn(i, min(i+tileRows, m), j, min(j+tileCols, n))
		}
	})
}

// Transpose writes the transpose of the rows×cols matrix src to dst, which is
// cols×rows and must not overlap src.
func Transpose[E any](dst, src []E, rows, cols int) {
	const block = 16 // a block's cache lines fit the L1 cache on both sides
	dst, src = dst[:rows*cols], src[:rows*cols]
	ParallelFor((rows+block-1)/block, 16, func(lo, hi int) {
		for i0 := lo * block; i0 < min(hi*block, rows); i0 += block {
			i1 := min(i0+block, rows)
			for j0 := 0; j0 < cols; j0 += block {
				j1 := min(j0+block, cols)
				for i := i0; i < i1; i++ {
					for j := j0; j < j1; j++ {
						dst[j*rows+i] = src[i*cols+j]
					}
				}
			}
		}
	})
}

func finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v - v) { // ±Inf - ±Inf is NaN
			return false
		}
	}
	return true
}
