// Adagrad.

package optim

import (
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// AdagradConfig are the settings of [Adagrad]. A zero Eps means its default.
type AdagradConfig struct {
	LR      float64 // learning rate of groups without one; 0 means that every group has its own
	LRDecay float64 // the learning rate of step t is lr / (1 + (t-1)·LRDecay)
	Initial float64 // what the sums of squared gradients start from
	Eps     float64 // 1e-10 by default
}

// Adagrad is the method of Duchi, Hazan and Singer (2011) as in
// torch.optim.Adagrad. At step t:
//
//	g ← g + weightDecay·w
//	v ← v + g²
//	w ← w - lr/(1 + (t-1)·lrDecay) · g / (sqrt(v) + eps)
type Adagrad struct{ base }

var _ Optimizer = (*Adagrad)(nil)

// NewAdagrad returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewAdagrad(groups []Group, c AdagradConfig) *Adagrad {
	const op = "NewAdagrad"
	c.Eps = orDefault(c.Eps, 1e-10)
	checkNonNegative(op, "LRDecay", c.LRDecay)
	checkNonNegative(op, "Initial", c.Initial)
	checkNonNegative(op, "Eps", c.Eps)
	return &Adagrad{newBase(op, groups, c.LR, adagradRule{c})}
}

type adagradRule struct{ AdagradConfig }

func (adagradRule) name() string { return "adagrad" }

func (adagradRule) buffers() []string { return []string{"sum"} }

func (r adagradRule) update32(w, g []float32, s *state[float32], h hyper) { adagrad(r, w, g, s, h) }
func (r adagradRule) update64(w, g []float64, s *state[float64], h hyper) { adagrad(r, w, g, s, h) }

func (r adagradRule) numbers(s *progress, h hyper) (string, []float64) {
	return "adagrad", []float64{r.rate(s, h), h.weightDecay, r.Eps}
}

// rate is the learning rate of a step.
func (r adagradRule) rate(s *progress, h hyper) float64 {
	return h.lr / (1 + float64(s.steps-1)*r.LRDecay)
}

// start is what the buffer of a parameter on a device begins with.
func (r adagradRule) start() float64 { return r.Initial }

func adagrad[T tensor.Float](r adagradRule, w, g []T, s *state[T], h hyper) {
	if v := s.bufs[0]; s.steps == 1 && r.Initial != 0 {
		for i := range v {
			v[i] = T(r.Initial)
		}
	}
	each(w, g, s, kern.AdagradArgs{LR: r.rate(&s.progress, h), WeightDecay: h.weightDecay, Eps: r.Eps}, adagradLoop[T])
}

func adagradLoop[T tensor.Float](a kern.AdagradArgs, w, g []T, bufs buffers[T]) {
	kern.For[T]().Adagrad(w, g, bufs[0], a)
}
