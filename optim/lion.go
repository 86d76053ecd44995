// Lion.

package optim

import (
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// LionConfig are the settings of [Lion]. A zero Beta1 or Beta2 means its default.
type LionConfig struct {
	LR    float64 // learning rate of groups without one, a third to a tenth of AdamW's; 0 means that every group has its own
	Beta1 float64 // the momentum's share in the direction; 0.9 by default
	Beta2 float64 // decay of the momentum; 0.99 by default
}

// Lion is the method of Chen et al. (2023), "Symbolic Discovery of Optimization
// Algorithms", algorithm 2, as in the authors' code for PyTorch (torch.optim has
// none). Weight decay is decoupled:
//
//	w ← w - lr·weightDecay·w - lr·sign(β1·m + (1-β1)·g)
//	m ← β2·m + (1-β2)·g
//
// The sign of 0 is 0, that of NaN is NaN.
type Lion struct{ base }

var _ Optimizer = (*Lion)(nil)

// NewLion returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewLion(groups []Group, c LionConfig) *Lion {
	const op = "NewLion"
	c.Beta1, c.Beta2 = orDefault(c.Beta1, 0.9), orDefault(c.Beta2, 0.99)
	checkFraction(op, "Beta1", c.Beta1)
	checkFraction(op, "Beta2", c.Beta2)
	return &Lion{newBase(op, groups, c.LR, lionRule{c})}
}

type lionRule struct{ LionConfig }

func (lionRule) name() string { return "lion" }

func (lionRule) buffers() []string { return []string{"exp_avg"} }

func (r lionRule) update32(w, g []float32, s *state[float32], h hyper) { lion(r, w, g, s, h) }
func (r lionRule) update64(w, g []float64, s *state[float64], h hyper) { lion(r, w, g, s, h) }

func (r lionRule) numbers(_ *progress, h hyper) (string, []float64) {
	return "lion", []float64{h.lr, 1 - h.lr*h.weightDecay, r.Beta1, 1 - r.Beta1, r.Beta2, 1 - r.Beta2}
}

func lion[T tensor.Float](r lionRule, w, g []T, s *state[T], h hyper) {
	each(w, g, s, kern.LionArgs{LR: h.lr, WeightDecay: h.weightDecay, Beta1: r.Beta1, Beta2: r.Beta2}, lionLoop[T])
}

func lionLoop[T tensor.Float](a kern.LionArgs, w, g []T, bufs buffers[T]) {
	kern.For[T]().Lion(w, g, bufs[0], a)
}
