// Dropout with a mask that is computed, never stored.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/cpu"
)

// Dropout sets each element to 0 with probability p and multiplies the others by
// 1/(1-p), so that the expectation stays (Srivastava et al. 2014). p is in
// [0, 1].
//
// Element i of the mask is a hash of (seed, i): the same seed gives the same
// mask, on any number of threads, and the backward pass computes it again. Of a
// sparse constant the stored values are dropped.
func Dropout(x *Var, p float64, seed uint64) *Var {
	if !(p >= 0 && p <= 1) {
		misuse("Dropout", fmt.Sprintf("probability %v is outside [0, 1]", p), x.Shape())
	}
	if p == 0 {
		return x
	}
	if x.sparse != nil {
		return SparseConstant(x.sparse.WithValues(dropout(x.sparse.Values(), p, seed)))
	}
	return record(opDropout, dropout(x.value, p, seed), attrs{scalar: p, seed: seed}, x)
}

// the same linear map
func gradDropout(c *context, g *Var, _ int) *Var { return Dropout(g, c.scalar, c.seed) }

func dropout(x *tensor.Tensor, p float64, seed uint64) *tensor.Tensor {
	y := tensor.Zeros(x.DType(), x.Shape()...)
	switch x.DType() {
	case tensor.Float32:
		dropoutTyped[float32](y, x, p, seed)
	case tensor.Float64:
		dropoutTyped[float64](y, x, p, seed)
	default:
		misuse("Dropout", fmt.Sprintf("takes floating-point values, not %v", x.DType()), x.Shape())
	}
	return y
}

func dropoutTyped[T tensor.Float](y, x *tensor.Tensor, p float64, seed uint64) {
	dst, src := tensor.Data[T](y), tensor.Data[T](x)
	threshold, scale := rng.Threshold(p), T(1/(1-p))
	cpu.ParallelFor(len(dst), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if rng.Keep(seed, uint64(i), threshold) {
				dst[i] = src[i] * scale
			}
		}
	})
}
