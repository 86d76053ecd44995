// Randomness that changes from one training pass to the next.

package nn

import "github.com/asterias-ml/asterias/internal/rng"

// Stochastic is a [Mode] with seeds for random operations, for layers that draw
// anew in every training pass. A layer embeds it:
//
//	func (d *Dropout) Forward(x *autograd.Var) *autograd.Var {
//		if !d.Training() {
//			return x
//		}
//		return autograd.Dropout(x, d.P, d.NextSeed())
//	}
//
// A layer with a vertex-centric program that has dropouts binds the seed, while
// training, with vcentric.Training(d.NextSeed()): without it they do nothing.
//
// A seed is a function of the layer's own and of how many were taken, so a run
// can be repeated exactly. A Stochastic must not be used by several goroutines
// at once.
type Stochastic struct {
	Mode
	seed, step uint64
}

// NewStochastic takes the layer's own seed from r.
func NewStochastic(r *RNG) Stochastic { return Stochastic{seed: r.Seed()} }

// NextSeed returns a new seed. Call it once for each training pass.
func (s *Stochastic) NextSeed() uint64 {
	s.step++
	return rng.Fold(s.seed, s.step)
}
