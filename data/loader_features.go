// Features of some vertices.

package data

import (
	"github.com/asterias-ml/asterias/tensor"
)

// Rows returns the features of the given vertices, in their order, stored as f is:
// [len(rows) features]. A vertex out of range panics with a *tensor.IndexError, sparse
// rows of more than 2^31-1 entries together with a *tensor.ValueError.
func (f Features) Rows(rows []int32) Features {
	switch {
	case f.sparse != nil:
		return SparseFeatures(f.sparse.IndexSelect(rows))
	case f.dense != nil:
		return DenseFeatures(tensor.IndexSelect(f.dense, rows))
	}
	return f
}
