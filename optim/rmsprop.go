// RMSprop.

package optim

import (
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// RMSpropConfig are the settings of [RMSprop]. A zero Alpha or Eps means its
// default.
type RMSpropConfig struct {
	LR       float64 // learning rate of groups without one; 0 means that every group has its own
	Alpha    float64 // decay of the mean of squared gradients; 0.99 by default
	Eps      float64 // 1e-8 by default
	Momentum float64 // in [0, 1)
	Centered bool    // divide by the standard deviation instead of the root mean square
}

// RMSprop is the method of Hinton's lecture 6e (2012) as in torch.optim.RMSprop,
// centred as in Graves (2013), equations 38 to 45:
//
//	g ← g + weightDecay·w
//	v ← α·v + (1-α)·g²
//	a ← α·a + (1-α)·g                      (centred only, else a = 0)
//	b ← momentum·b + g / (sqrt(v-a²) + eps)
//	w ← w - lr·b
//
// Where rounding makes v-a² negative, it counts as 0; PyTorch's weight becomes
// NaN.
type RMSprop struct{ base }

var _ Optimizer = (*RMSprop)(nil)

// NewRMSprop returns the optimiser of the groups. It panics with *[Error] for
// settings out of range, a group without a learning rate, its own or the
// config's, or a parameter given twice.
func NewRMSprop(groups []Group, c RMSpropConfig) *RMSprop {
	const op = "NewRMSprop"
	c.Alpha, c.Eps = orDefault(c.Alpha, 0.99), orDefault(c.Eps, 1e-8)
	checkFraction(op, "Alpha", c.Alpha)
	checkNonNegative(op, "Eps", c.Eps)
	checkFraction(op, "momentum", c.Momentum)
	return &RMSprop{newBase(op, groups, c.LR, rmspropRule{c})}
}

type rmspropRule struct{ RMSpropConfig }

func (rmspropRule) name() string { return "rmsprop" }

func (r rmspropRule) buffers() []string {
	names := []string{"square_avg"}
	if r.Centered {
		names = append(names, "grad_avg")
	}
	if r.Momentum > 0 {
		names = append(names, "momentum_buffer")
	}
	return names
}

func (r rmspropRule) update32(w, g []float32, s *state[float32], h hyper) { rmsprop(r, w, g, s, h) }
func (r rmspropRule) update64(w, g []float64, s *state[float64], h hyper) { rmsprop(r, w, g, s, h) }

func (r rmspropRule) numbers(_ *progress, h hyper) (string, []float64) {
	name, numbers := "rmsprop", []float64{h.lr, h.weightDecay, r.Alpha, 1 - r.Alpha, r.Eps}
	if r.Centered {
		name += "_centered"
	}
	if r.Momentum > 0 {
		return name + "_momentum", append(numbers, r.Momentum)
	}
	return name, numbers
}

func rmsprop[T tensor.Float](r rmspropRule, w, g []T, s *state[T], h hyper) {
	each(w, g, s, kern.RMSpropArgs{
		LR: h.lr, WeightDecay: h.weightDecay, Alpha: r.Alpha, Eps: r.Eps, Momentum: r.Momentum, Centered: r.Centered,
	}, rmspropLoop[T])
}

// rmspropLoop finds the buffers that there are: the mean comes before the momentum.
func rmspropLoop[T tensor.Float](a kern.RMSpropArgs, w, g []T, bufs buffers[T]) {
	mean, last := bufs[1], bufs[2]
	if !a.Centered {
		mean, last = nil, bufs[1]
	}
	kern.For[T]().RMSprop(w, g, bufs[0], mean, last, a)
}
