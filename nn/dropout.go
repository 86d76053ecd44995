// The dropout layer.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
)

// Dropout sets elements to 0 with probability P while training, and scales the
// others by 1/(1-P); see autograd.Dropout. When evaluating it is the identity.
//
// The mask is a function of the layer's seed and of how many training passes it
// made; see [Stochastic].
type Dropout struct {
	Stochastic
	P float64
}

// NewDropout returns a layer that drops with probability p in [0, 1].
func NewDropout(p float64, r *RNG) *Dropout {
	if !(p >= 0 && p <= 1) {
		misuse("NewDropout", fmt.Sprintf("probability %v is outside [0, 1]", p))
	}
	return &Dropout{Stochastic: NewStochastic(r), P: p}
}

// Forward returns x, thinned out while training.
func (d *Dropout) Forward(x *autograd.Var) *autograd.Var {
	if d == nil {
		misuse("Dropout", "the layer is nil; make it with NewDropout")
	}
	if !d.Training() {
		return x
	}
	return autograd.Dropout(x, d.P, d.NextSeed())
}
