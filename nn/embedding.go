// The embedding layer: learned rows looked up by number.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// Embedding is a table of learned rows, such as features of vertices that have
// none, or of relation types. A model whose logits share the table, tied weights,
// computes them as h.MatMul(e.Weight.Transpose()).
type Embedding struct {
	Weight *autograd.Var // [num dim]
}

// EmbeddingConfig has what [Embedding] has beside its sizes. The zero value is
// PyTorch's.
type EmbeddingConfig struct {
	Init  Initializer // Normal(1) by default
	DType tensor.DType
}

// NewEmbedding returns a table of num rows of dim values, drawn from r.
func NewEmbedding(num, dim int, cfg EmbeddingConfig, r *RNG) *Embedding {
	if num < 0 || dim < 0 {
		misuse("NewEmbedding", fmt.Sprintf("negative size: %d rows of %d", num, dim))
	}
	init := cfg.Init
	if init == nil {
		init = Normal(1)
	}
	e := &Embedding{Weight: autograd.Parameter(tensor.Zeros(cfg.DType, num, dim))}
	init(e.Weight, r)
	return e
}

// Forward returns the rows of the given numbers, [len(ids) dim]; they may
// repeat. Of N sequences of T numbers, one after the other, Reshape(N, T, dim) of that has
// the sequences. A number outside [0, num) panics with *[tensor.IndexError]. The slice
// must not change before the backward pass.
func (e *Embedding) Forward(ids []int32) *autograd.Var {
	if e == nil || e.Weight == nil {
		misuse("Embedding", "the layer has no weight; make it with NewEmbedding")
	}
	num := e.Weight.Shape()[0]
	for i, id := range ids {
		if id < 0 || int(id) >= num {
			panic(&tensor.IndexError{Op: "Embedding", At: i, Index: int(id), Limit: num})
		}
	}
	return e.Weight.IndexSelect(ids)
}
