// The product of a sparse and a dense matrix.

package tensor

import (
	"sort"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// SparseMatMul returns a·b, or aᵀ·b if transA: [m k] x [k n] -> [m n]. Every
// row of the result is summed in the order of a's entries.
func SparseMatMul(a *Sparse, b *Tensor, transA bool) *Tensor {
	const op = "SparseMatMul"
	wantSparse(op, a)
	wantSame(op, a.values, b)
	rows, cols := a.Dims()
	transposed := ""
	if transA {
		rows, cols = cols, rows
		transposed = " (first transposed)"
	}
	if b.Rank() != 2 || b.shape[0] != cols {
		aRows, aCols := a.Dims()
		panic(&ShapeError{Op: op, Detail: "inner dimensions differ" + transposed, Shapes: []Shape{{aRows, aCols}, b.shape}})
	}
	if anyFar(a.values, b) {
		return farSparseMatMul(op, a, b, rows, transA)
	}
	out := zeros(b.dtype, Shape{rows, b.shape[1]})
	if out.dtype == Float32 {
		spmm(elems[float32](out), a.pattern, elems[float32](a.values), elems[float32](b), b.shape[1], transA)
	} else {
		spmm(elems[float64](out), a.pattern, elems[float64](a.values), elems[float64](b), b.shape[1], transA)
	}
	return out
}

// farSparseMatMul is SparseMatMul on a device, with rows in the result.
func farSparseMatMul(op string, a *Sparse, b *Tensor, rows int, transA bool) *Tensor {
	p := a.pattern.on(op, sameDevice(op, a.values, b), transA)
	out := emptyBeside(b, op, b.dtype, Shape{rows, b.shape[1]})
	farSegments(op, out, b, p.indptr, p.indices, a.values, p.order)
	return out
}

func spmm[T Float](c []T, p *pattern, values, b []T, n int, transA bool) {
	indptr, indices := p.indptr, p.indices
	if transA {
		t := p.transposed()
		permuted := make([]T, len(values))
		cpu.ParallelFor(len(values), elementGrain, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				permuted[i] = values[t.order[i]]
			}
		})
		indptr, indices, values = t.indptr, t.indices, permuted
	}
	k := kern.For[T]()
	parallelRows(indptr, n, func(i int) {
		if lo, hi := indptr[i], indptr[i+1]; lo < hi {
			k.GatherScaleSum(c[i*n:(i+1)*n], b, n, indices[lo:hi], values[lo:hi], 1)
		}
	})
}

// parallelRows calls fn for every row in parallel. offsets says how many
// entries of the given width each row sums, so that the work is cut into
// equal parts even if the rows are not.
func parallelRows(offsets []int32, width int, fn func(i int)) {
	rows := len(offsets) - 1
	// A row costs about as much as 8 entries even if it has none.
	cost := func(i int) int { return int(offsets[i]) + 8*i }
	grain := max(1, 4*elementGrain/max(width, 8))
	cpu.ParallelFor(cost(rows), grain, func(lo, hi int) {
		first := sort.Search(rows, func(i int) bool { return cost(i) >= lo })
		for i := first; i < rows && cost(i) < hi; i++ {
			fn(i)
		}
	})
}
