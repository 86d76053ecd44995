// Stochastic gradient descent.

package optim

import "github.com/asterias-ml/asterias/tensor"

// SGDConfig are the settings of [SGD].
type SGDConfig struct {
	LR        float64 // learning rate of groups without one; 0 means that every group has its own
	Momentum  float64 // in [0, 1)
	Dampening float64 // of the gradient's share in the momentum
	Nesterov  bool    // needs momentum and no dampening
}

// SGD is stochastic gradient descent with momentum as in torch.optim.SGD
// (Sutskever et al. 2013):
//
//	g ← g + weightDecay·w
//	v ← g at the first step, else momentum·v + (1-dampening)·g
//	w ← w - lr·v, or with Nesterov w - lr·(g + momentum·v)
type SGD struct{ base }

var _ Optimizer = (*SGD)(nil)

// NewSGD returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewSGD(groups []Group, c SGDConfig) *SGD {
	const op = "NewSGD"
	checkFraction(op, "momentum", c.Momentum)
	checkNonNegative(op, "dampening", c.Dampening)
	if c.Nesterov && (c.Momentum == 0 || c.Dampening != 0) {
		misuse(op, "Nesterov needs momentum and no dampening")
	}
	return &SGD{newBase(op, groups, c.LR, sgdRule{c})}
}

type sgdRule struct{ SGDConfig }

func (r sgdRule) buffers() int {
	if r.Momentum == 0 {
		return 0
	}
	return 1
}

func (r sgdRule) update32(w, g []float32, s *state[float32], h hyper) { sgd(r, w, g, s, h) }
func (r sgdRule) update64(w, g []float64, s *state[float64], h hyper) { sgd(r, w, g, s, h) }

func sgd[T tensor.Float](r sgdRule, w, g []T, s *state[T], h hyper) {
	lr, decay, momentum, share := T(h.lr), T(h.weightDecay), T(r.Momentum), T(1-r.Dampening)
	if r.Momentum == 0 {
		parallel(len(w), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				w[i] -= lr * (g[i] + decay*w[i])
			}
		})
		return
	}
	v := s.bufs[0]
	if s.steps == 1 { // the first gradient is not dampened
		share = 1
	}
	parallel(len(w), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			d := g[i] + decay*w[i]
			v[i] = momentum*v[i] + share*d
			if r.Nesterov {
				w[i] -= lr * (d + momentum*v[i])
			} else {
				w[i] -= lr * v[i]
			}
		}
	})
}
