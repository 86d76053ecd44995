// Features of some vertices.

package data

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// Rows returns the features of the given vertices, in their order, stored as f is:
// [len(rows) features]. A vertex out of range panics with a *tensor.IndexError, sparse
// rows of more than 2^31-1 entries together with *[Error].
func (f Features) Rows(rows []int32) Features {
	switch {
	case f.sparse != nil:
		return SparseFeatures(sparseRows(f.sparse, rows))
	case f.dense != nil:
		return DenseFeatures(tensor.IndexSelect(f.dense, rows))
	}
	return f
}

func sparseRows(s *tensor.Sparse, rows []int32) *tensor.Sparse {
	n, cols := s.Dims()
	indptr := make([]int32, len(rows)+1)
	total := int64(0)
	for i, r := range rows {
		if uint(r) >= uint(n) {
			panic(&tensor.IndexError{Op: "Rows", At: i, Index: int(r), Limit: n})
		}
		if total += int64(s.Indptr()[r+1] - s.Indptr()[r]); total > math.MaxInt32 {
			misuse("Rows", "the first %d of %d rows have %d entries, at most %d fit", i+1, len(rows), total, math.MaxInt32)
		}
		indptr[i+1] = int32(total)
	}
	entries := make([]int32, 0, indptr[len(rows)])
	for _, r := range rows {
		for e := s.Indptr()[r]; e < s.Indptr()[r+1]; e++ {
			entries = append(entries, e)
		}
	}
	out, err := tensor.NewSparse(len(rows), cols, indptr, valuesAt(s.Indices(), entries), tensor.IndexSelect(s.Values(), entries))
	if err != nil {
		panic("BUG: data: rows of a sparse matrix are none: " + err.Error())
	}
	return out
}
