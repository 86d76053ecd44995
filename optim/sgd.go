// Stochastic gradient descent.

package optim

import (
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

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

func (sgdRule) name() string { return "sgd" }

func (r sgdRule) buffers() []string {
	if r.Momentum == 0 {
		return nil
	}
	return []string{"momentum_buffer"}
}

func (r sgdRule) update32(w, g []float32, s *state[float32], h hyper) { sgd(r, w, g, s, h) }
func (r sgdRule) update64(w, g []float64, s *state[float64], h hyper) { sgd(r, w, g, s, h) }

func (r sgdRule) numbers(s *progress, h hyper) (string, []float64) {
	switch {
	case r.Momentum == 0:
		return "sgd", []float64{h.lr, h.weightDecay}
	case r.Nesterov:
		return "sgd_nesterov", []float64{h.lr, h.weightDecay, r.Momentum, r.share(s)}
	}
	return "sgd_momentum", []float64{h.lr, h.weightDecay, r.Momentum, r.share(s)}
}

// share is the gradient's in the momentum: the first gradient is not dampened.
func (r sgdRule) share(s *progress) float64 {
	if s.steps == 1 {
		return 1
	}
	return 1 - r.Dampening
}

func sgd[T tensor.Float](r sgdRule, w, g []T, s *state[T], h hyper) {
	a := kern.SGDArgs{LR: h.lr, WeightDecay: h.weightDecay, Momentum: r.Momentum, Share: r.share(&s.progress), Nesterov: r.Nesterov}
	each(w, g, s, a, sgdLoop[T])
}

func sgdLoop[T tensor.Float](a kern.SGDArgs, w, g []T, bufs buffers[T]) {
	kern.For[T]().SGD(w, g, bufs[0], a)
}
