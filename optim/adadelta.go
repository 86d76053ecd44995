// Adadelta.

package optim

import (
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// AdadeltaConfig are the settings of [Adadelta]. A zero Rho or Eps means its
// default.
type AdadeltaConfig struct {
	LR  float64 // learning rate of groups without one, 1 in the paper; 0 means that every group has its own
	Rho float64 // decay of the means of squares; 0.9 by default
	Eps float64 // 1e-6 by default
}

// Adadelta is the method of Zeiler (2012), algorithm 1, as in
// torch.optim.Adadelta:
//
//	g ← g + weightDecay·w
//	v ← ρ·v + (1-ρ)·g²
//	δ = sqrt(u+eps) / sqrt(v+eps) · g
//	u ← ρ·u + (1-ρ)·δ²
//	w ← w - lr·δ
type Adadelta struct{ base }

var _ Optimizer = (*Adadelta)(nil)

// NewAdadelta returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewAdadelta(groups []Group, c AdadeltaConfig) *Adadelta {
	const op = "NewAdadelta"
	c.Rho, c.Eps = orDefault(c.Rho, 0.9), orDefault(c.Eps, 1e-6)
	checkFraction(op, "Rho", c.Rho)
	checkNonNegative(op, "Eps", c.Eps)
	return &Adadelta{newBase(op, groups, c.LR, adadeltaRule{c})}
}

type adadeltaRule struct{ AdadeltaConfig }

func (adadeltaRule) name() string { return "adadelta" }

func (adadeltaRule) buffers() []string { return []string{"square_avg", "acc_delta"} }

func (r adadeltaRule) update32(w, g []float32, s *state[float32], h hyper) { adadelta(r, w, g, s, h) }
func (r adadeltaRule) update64(w, g []float64, s *state[float64], h hyper) { adadelta(r, w, g, s, h) }

func (r adadeltaRule) numbers(_ *progress, h hyper) (string, []float64) {
	return "adadelta", []float64{h.lr, h.weightDecay, r.Rho, 1 - r.Rho, r.Eps}
}

func adadelta[T tensor.Float](r adadeltaRule, w, g []T, s *state[T], h hyper) {
	each(w, g, s, kern.AdadeltaArgs{LR: h.lr, WeightDecay: h.weightDecay, Rho: r.Rho, Eps: r.Eps}, adadeltaLoop[T])
}

func adadeltaLoop[T tensor.Float](a kern.AdadeltaArgs, w, g []T, bufs buffers[T]) {
	kern.For[T]().Adadelta(w, g, bufs[0], bufs[1], a)
}
