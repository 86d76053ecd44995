// Adam and AdamW.

package optim

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
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
// weights first, w ← w - lr·weightDecay·w.
type AdamW struct{ base }

var (
	_ Optimizer = (*Adam)(nil)
	_ Optimizer = (*AdamW)(nil)
)

// NewAdam returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewAdam(groups []Group, c AdamConfig) *Adam {
	return &Adam{newBase("NewAdam", groups, c.LR, newAdamRule("NewAdam", c, false))}
}

// NewAdamW returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewAdamW(groups []Group, c AdamConfig) *AdamW {
	return &AdamW{newBase("NewAdamW", groups, c.LR, newAdamRule("NewAdamW", c, true))}
}

type adamRule struct {
	beta1, beta2, eps  float64
	decoupled, amsgrad bool
}

func newAdamRule(op string, c AdamConfig, decoupled bool) adamRule {
	r := adamRule{orDefault(c.Beta1, 0.9), orDefault(c.Beta2, 0.999), orDefault(c.Eps, 1e-8), decoupled, c.AMSGrad}
	checkFraction(op, "Beta1", r.beta1)
	checkFraction(op, "Beta2", r.beta2)
	checkNonNegative(op, "Eps", r.eps)
	return r
}

func (r adamRule) buffers() int {
	if r.amsgrad {
		return 3
	}
	return 2
}

func (r adamRule) update32(w, g []float32, s *state[float32], h hyper) { adam(r, w, g, s, h) }
func (r adamRule) update64(w, g []float64, s *state[float64], h hyper) { adam(r, w, g, s, h) }

// adam keeps PyTorch's order of operations: the scalars are computed in float64,
// sqrt(v)/sqrt(1-β2^t) + eps is the denominator.
func adam[T tensor.Float](r adamRule, w, g []T, s *state[T], h hyper) {
	t := float64(s.steps)
	step := T(h.lr / (1 - math.Pow(r.beta1, t)))
	root := T(math.Sqrt(1 - math.Pow(r.beta2, t)))
	l2, shrink := T(h.weightDecay), T(1)
	if r.decoupled {
		l2, shrink = 0, T(1-h.lr*h.weightDecay)
	}
	b1, c1, b2, c2, eps := T(r.beta1), T(1-r.beta1), T(r.beta2), T(1-r.beta2), T(r.eps)
	m, v := s.bufs[0], s.bufs[1]
	if r.amsgrad {
		top := s.bufs[2]
		parallel(len(w), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				x := w[i] * shrink
				d := g[i] + l2*x
				m[i] = b1*m[i] + c1*d
				v[i] = b2*v[i] + c2*d*d
				top[i] = max(top[i], v[i])
				w[i] = x - step*m[i]/(T(math.Sqrt(float64(top[i])))/root+eps)
			}
		})
		return
	}
	parallel(len(w), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x := w[i] * shrink
			d := g[i] + l2*x
			m[i] = b1*m[i] + c1*d
			v[i] = b2*v[i] + c2*d*d
			w[i] = x - step*m[i]/(T(math.Sqrt(float64(v[i])))/root+eps)
		}
	})
}
