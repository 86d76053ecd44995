// Adam and AdamW.

package optim

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// AdamConfig are the settings of [Adam] and [AdamW]. A zero Beta1, Beta2 or Eps
// means its default.
type AdamConfig struct {
	LR    float64 // learning rate of groups without one; 0 means that every group has its own
	Beta1 float64 // decay of the mean of gradients; 0.9 by default
	Beta2 float64 // decay of the mean of squared gradients; 0.999 by default
	Eps   float64 // 1e-8 by default

	// AMSGrad divides by the largest v so far instead of the present one, which
	// keeps a weight's steps from growing when its gradients fade (Reddi, Kale and Kumar 2018).
	AMSGrad bool
}

// Adam is the method of Kingma and Ba (2015) as in torch.optim.Adam. At step t:
//
//	g ← g + weightDecay·w
//	m ← β1·m + (1-β1)·g
//	v ← β2·v + (1-β2)·g²
//	w ← w - lr·m/(1-β1^t) / (sqrt(v/(1-β2^t)) + eps)
//
// With AMSGrad the last line has max over s ≤ t of v_s, uncorrected, in place of
// v, as PyTorch has it.
type Adam struct{ base }

// AdamW is Adam with decoupled weight decay (Loshchilov and Hutter 2019) as in
// torch.optim.AdamW: instead of adding to the gradient, the decay shrinks the
// weights first, w ← w - lr·weightDecay·w. A decay of PyTorch's 0.01 is not the default:
// groups have the WeightDecay that they say, those of [Params] none.
//
//	optim.NewAdamW([]optim.Group{{Params: nn.Parameters(model), WeightDecay: 0.01}}, optim.AdamConfig{LR: 1e-3})
type AdamW struct{ base }

var (
	_ Optimizer = (*Adam)(nil)
	_ Optimizer = (*AdamW)(nil)
)

// NewAdam returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewAdam(groups []Group, c AdamConfig) *Adam {
	return &Adam{newBase("NewAdam", groups, c.LR, newAdamRule("NewAdam", "adam", c, false))}
}

// NewAdamW returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewAdamW(groups []Group, c AdamConfig) *AdamW {
	return &AdamW{newBase("NewAdamW", groups, c.LR, newAdamRule("NewAdamW", "adamw", c, true))}
}

type adamRule struct {
	kind               string // adam or adamw
	beta1, beta2, eps  float64
	decoupled, amsgrad bool
}

func newAdamRule(op, kind string, c AdamConfig, decoupled bool) adamRule {
	r := adamRule{kind, orDefault(c.Beta1, 0.9), orDefault(c.Beta2, 0.999), orDefault(c.Eps, 1e-8), decoupled, c.AMSGrad}
	checkFraction(op, "Beta1", r.beta1)
	checkFraction(op, "Beta2", r.beta2)
	checkNonNegative(op, "Eps", r.eps)
	return r
}

func (r adamRule) name() string { return r.kind }

func (r adamRule) buffers() []string {
	if r.amsgrad {
		return []string{"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}
	}
	return []string{"exp_avg", "exp_avg_sq"}
}

func (r adamRule) update32(w, g []float32, s *state[float32], h hyper) { adam(r, w, g, s, h) }
func (r adamRule) update64(w, g []float64, s *state[float64], h hyper) { adam(r, w, g, s, h) }

func (r adamRule) numbers(s *progress, h hyper) (string, []float64) {
	a := r.args(s, h)
	shrink, l2 := 1.0, a.WeightDecay
	if r.decoupled {
		shrink, l2 = 1-a.LR*a.WeightDecay, 0
	}
	name := "adam"
	if r.amsgrad {
		name = "amsgrad"
	}
	return name, []float64{
		shrink, l2, a.Beta1, 1 - a.Beta1, a.Beta2, 1 - a.Beta2,
		math.Sqrt(a.BiasCorrection2), a.Eps, a.LR / a.BiasCorrection1,
	}
}

func (r adamRule) args(s *progress, h hyper) kern.AdamArgs {
	t := float64(s.steps)
	return kern.AdamArgs{
		LR: h.lr, Beta1: r.beta1, Beta2: r.beta2, Eps: r.eps, WeightDecay: h.weightDecay, Decoupled: r.decoupled,
		BiasCorrection1: 1 - math.Pow(r.beta1, t), BiasCorrection2: 1 - math.Pow(r.beta2, t),
	}
}

// adam computes the scalars in float64; the kernels keep PyTorch's order of
// operations.
func adam[T tensor.Float](r adamRule, w, g []T, s *state[T], h hyper) {
	a := r.args(&s.progress, h)
	if r.amsgrad {
		each(w, g, s, a, adamTop[T])
	} else {
		each(w, g, s, a, adamPlain[T])
	}
}

func adamPlain[T tensor.Float](a kern.AdamArgs, w, g []T, bufs buffers[T]) {
	kern.For[T]().Adam(w, g, bufs[0], bufs[1], a)
}

func adamTop[T tensor.Float](a kern.AdamArgs, w, g []T, bufs buffers[T]) {
	kern.For[T]().AMSGrad(w, g, bufs[0], bufs[1], bufs[2], a)
}
