// Dropout with a mask that is computed, never stored.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// Dropout sets each element to 0 with probability p and multiplies the others by
// 1/(1-p), so that the expectation stays (Srivastava et al. 2014). p is in
// [0, 1].
//
// Element i of the mask is a hash of (seed, i): the same seed gives the same
// mask, on any number of threads, and the backward pass computes it again. Of a
// sparse constant the stored values are dropped.
func Dropout(x *Var, p float64, seed uint64) *Var {
	x.check("Dropout")
	if !(p >= 0 && p <= 1) {
		misuse("Dropout", fmt.Sprintf("probability %v is outside [0, 1]", p), x.Shape())
	}
	if p == 0 {
		return x
	}
	if x.sparse != nil {
		return &Var{sparse: x.sparse.WithValues(dropout(x.sparse.Values(), p, seed)), region: x.region}
	}
	return record(opDropout, dropout(x.value, p, seed), attrs{scalar: p, seed: seed}, x)
}

// the same linear map
func gradDropout(c *context, g *Var, _ int) *Var { return Dropout(g, c.scalar, c.seed) }

func dropout(x *tensor.Tensor, p float64, seed uint64) *tensor.Tensor {
	if dt := x.DType(); dt != tensor.Float32 && dt != tensor.Float64 {
		misuse("Dropout", fmt.Sprintf("takes floating-point values, not %v", dt), x.Shape())
	}
	return tensor.Dropout(x, seed, rng.Threshold(p), 1/(1-p))
}
