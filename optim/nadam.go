// NAdam.

package optim

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// NAdamConfig are the settings of [NAdam]. A zero Beta1, Beta2, Eps or
// MomentumDecay means its default.
type NAdamConfig struct {
	LR            float64 // learning rate of groups without one; 0 means that every group has its own
	Beta1         float64 // decay of the mean of gradients; 0.9 by default
	Beta2         float64 // decay of the mean of squared gradients; 0.999 by default
	Eps           float64 // 1e-8 by default
	MomentumDecay float64 // ψ of [NAdam]; 4e-3 by default
	Decoupled     bool    // weight decay shrinks the weights, as in [AdamW], instead of adding to the gradient
}

// NAdam is Adam with Nesterov momentum (Dozat 2016) as in torch.optim.NAdam. At
// step t:
//
//	g ← g + weightDecay·w, or if decoupled w ← w - lr·weightDecay·w
//	μ_t = β1·(1 - 0.96^(t·ψ)/2)
//	m ← β1·m + (1-β1)·g
//	v ← β2·v + (1-β2)·g²
//	m̂ = μ_{t+1}·m/(1 - Π_{i≤t+1} μ_i) + (1-μ_t)·g/(1 - Π_{i≤t} μ_i)
//	w ← w - lr·m̂ / (sqrt(v/(1-β2^t)) + eps)
//
// The products of μ are kept in float64; PyTorch's are float32 unless its
// default dtype is another.
type NAdam struct{ base }

var _ Optimizer = (*NAdam)(nil)

// NewNAdam returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewNAdam(groups []Group, c NAdamConfig) *NAdam {
	const op = "NewNAdam"
	c.Beta1, c.Beta2 = orDefault(c.Beta1, 0.9), orDefault(c.Beta2, 0.999)
	c.Eps, c.MomentumDecay = orDefault(c.Eps, 1e-8), orDefault(c.MomentumDecay, 4e-3)
	checkFraction(op, "Beta1", c.Beta1)
	checkFraction(op, "Beta2", c.Beta2)
	checkNonNegative(op, "Eps", c.Eps)
	checkNonNegative(op, "MomentumDecay", c.MomentumDecay)
	b := newBase(op, groups, c.LR, nadamRule{c})
	b.product = "mu_product"
	return &NAdam{b}
}

type nadamRule struct{ NAdamConfig }

func (nadamRule) name() string { return "nadam" }

func (nadamRule) buffers() []string { return []string{"exp_avg", "exp_avg_sq"} }

func (r nadamRule) update32(w, g []float32, s *state[float32], h hyper) { nadam(r, w, g, s, h) }
func (r nadamRule) update64(w, g []float64, s *state[float64], h hyper) { nadam(r, w, g, s, h) }

// momentum is the coefficient μ of step t.
func (r nadamRule) momentum(t float64) float64 {
	return r.Beta1 * (1 - 0.5*math.Pow(0.96, t*r.MomentumDecay))
}

func (r nadamRule) numbers(s *progress, h hyper) (string, []float64) {
	a := r.args(s, h)
	return "nadam", []float64{
		a.Shrink, a.L2, a.Beta1, 1 - a.Beta1, a.Beta2, 1 - a.Beta2, a.BiasCorrection2, a.Eps, a.StepG, a.StepM,
	}
}

func nadam[T tensor.Float](r nadamRule, w, g []T, s *state[T], h hyper) {
	each(w, g, s, r.args(&s.progress, h), nadamLoop[T])
}

// args are the scalars of a step, which goes into the product of the momenta.
func (r nadamRule) args(s *progress, h hyper) kern.NAdamArgs {
	t := float64(s.steps)
	mu, next := r.momentum(t), r.momentum(t+1)
	s.momenta *= mu
	a := kern.NAdamArgs{
		StepG: h.lr * (1 - mu) / (1 - s.momenta), StepM: h.lr * next / (1 - s.momenta*next),
		Beta1: r.Beta1, Beta2: r.Beta2, BiasCorrection2: 1 - math.Pow(r.Beta2, t), Eps: r.Eps,
		L2: h.weightDecay, Shrink: 1,
	}
	if r.Decoupled {
		a.L2, a.Shrink = 0, 1-h.lr*h.weightDecay
	}
	return a
}

func nadamLoop[T tensor.Float](a kern.NAdamArgs, w, g []T, bufs buffers[T]) {
	kern.For[T]().NAdam(w, g, bufs[0], bufs[1], a)
}
