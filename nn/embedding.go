// The embedding layer: learned rows looked up by number.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// Embedding is a table of learned rows, such as features of vertices that have
// none, or of relation types, as torch.nn.Embedding. A model whose logits share the table,
// tied weights, computes them as h.MatMul(e.Weight.Transpose()).
type Embedding struct {
	Weight *autograd.Var // [num dim]

	// Padding is the number of the row that stands for nothing, in sequences shorter than
	// others: looking it up gives it no gradient. nil: none.
	Padding *int
}

// EmbeddingConfig has what [Embedding] has beside its sizes. The zero value is
// PyTorch's.
type EmbeddingConfig struct {
	Init  Initializer // Normal(1) by default
	DType tensor.DType

	// Padding is the number of a row, in [0, num), that begins as zeros whatever Init gives and
	// gets no gradient from look-ups, as PyTorch's padding_idx: new(0) is the first; nil: none.
	// Else it is like others: a checkpoint's replaces it, weight decay shrinks it, and what
	// uses the table otherwise, such as logits of tied weights, gives it gradients.
	Padding *int
}

// NewEmbedding returns a table of num rows of dim values, drawn from r. It panics with *[Error]
// for a negative size and for a padding row that is not there.
func NewEmbedding(num, dim int, cfg EmbeddingConfig, r *RNG) *Embedding {
	const op = "NewEmbedding"
	if num < 0 || dim < 0 {
		misuse(op, fmt.Sprintf("negative size: %d rows of %d", num, dim))
	}
	init := cfg.Init
	if init == nil {
		init = Normal(1)
	}
	e := &Embedding{Weight: autograd.Parameter(tensor.Zeros(cfg.DType, num, dim))}
	if cfg.Padding != nil {
		e.Padding = new(*cfg.Padding)
		if p := *e.Padding; p < 0 || p >= num {
			misuse(op, fmt.Sprintf("padding row %d is outside [0, %d)", p, num))
		}
	}
	init(e.Weight, r)
	if e.Padding != nil {
		e.Weight.Tensor().Narrow(0, *e.Padding, *e.Padding+1).Zero()
	}
	return e
}

// Forward returns the rows of the given numbers, [len(ids) dim]; they may
// repeat. A number outside [0, num) panics with *[tensor.IndexError]. The slice
// must not change before the backward pass.
func (e *Embedding) Forward(ids []int32) *autograd.Var {
	return e.ForwardIndices(autograd.Constant(tensor.FromSlice(ids, len(ids))))
}

// ForwardIndices is Forward for a tensor of numbers, int32 or int64 and of any shape: of
// ids [batch length], such as sentences of words, the result is [batch length dim]. That of
// autograd.NoGrad(ids) is not recorded. Another type panics with *[tensor.DTypeError]. Contiguous
// int32 numbers are not copied, nor those on the table's device, which stay there: they must not
// change before the backward pass.
func (e *Embedding) ForwardIndices(ids *autograd.Var) *autograd.Var {
	const op = "Embedding"
	if e == nil || e.Weight == nil {
		misuse(op, "the layer has no weight; make it with NewEmbedding")
	}
	wantVars(op, ids)
	return autograd.Embedding(e.Weight, ids, e.Padding)
}
