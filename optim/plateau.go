// The schedule that follows a metric.

package optim

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// PlateauConfig are the settings of [ReduceLROnPlateau]. A zero Factor or Eps
// means its default; the other defaults of PyTorch are Patience 10 and Threshold
// 1e-4.
type PlateauConfig struct {
	Factor    float64 // what a reduction multiplies by, in (0, 1); 0.1 by default
	Patience  int     // how many steps in a row without improvement are put up with
	Cooldown  int     // steps after a reduction in which none is counted
	Threshold float64 // an improvement is more than this share of the best metric's magnitude
	Absolute  bool    // Threshold is a difference instead of a share
	Maximize  bool    // the metric is to rise, as an accuracy, instead of to fall
	Min       float64 // smallest learning rate
	Eps       float64 // a reduction by no more than this is not made; 1e-8 by default
}

// ReduceLROnPlateau multiplies the learning rates by Factor when a metric has not
// improved for more than Patience steps, as
// torch.optim.lr_scheduler.ReduceLROnPlateau does:
//
//	schedule := optim.NewReduceLROnPlateau(opt, optim.PlateauConfig{Patience: 10, Threshold: 1e-4})
//	for range epochs {
//		train()
//		schedule.Step(validationLoss())
//	}
//
// A metric of NaN is no improvement. Unlike PyTorch's, a share of a negative
// metric is taken of its magnitude, so that only better values count as better.
type ReduceLROnPlateau struct {
	opt    Optimizer
	config PlateauConfig
	best   float64
	bad    int // steps in a row without improvement
	cool   int // steps of the cooldown that are left
}

// NewReduceLROnPlateau returns the schedule of the optimiser's groups. It panics
// with *[Error] for settings out of range and for an optimiser without groups.
func NewReduceLROnPlateau(opt Optimizer, c PlateauConfig) *ReduceLROnPlateau {
	const op = "NewReduceLROnPlateau"
	c.Factor, c.Eps = orDefault(c.Factor, 0.1), orDefault(c.Eps, 1e-8)
	checkFraction(op, "Factor", c.Factor)
	if c.Patience < 0 || c.Cooldown < 0 {
		misuse(op, "Patience is %d and Cooldown %d, want neither negative", c.Patience, c.Cooldown)
	}
	checkNonNegative(op, "Threshold", c.Threshold)
	checkNonNegative(op, "Min", c.Min)
	checkNonNegative(op, "Eps", c.Eps)
	wantGroups(op, opt) // there are some
	p := &ReduceLROnPlateau{opt: opt, config: c}
	p.Reset()
	return p
}

// Reset forgets the metrics. The learning rates stay.
func (p *ReduceLROnPlateau) Reset() {
	p.best, p.bad, p.cool = math.Inf(1), 0, 0
	if p.config.Maximize {
		p.best = math.Inf(-1)
	}
}

// Step takes the metric of another step and reduces the learning rates if it is
// time.
func (p *ReduceLROnPlateau) Step(metric float64) {
	if p.improves(metric) {
		p.best, p.bad = metric, 0
	} else {
		p.bad++
	}
	if p.cool > 0 {
		p.cool--
		p.bad = 0
	}
	if p.bad <= p.config.Patience {
		return
	}
	p.cool, p.bad = p.config.Cooldown, 0
	groups := p.opt.Groups()
	for i := range groups {
		lr := max(groups[i].LR*p.config.Factor, p.config.Min)
		if groups[i].LR-lr > p.config.Eps {
			groups[i].LR = lr
		}
	}
}

func (p *ReduceLROnPlateau) improves(metric float64) bool {
	gain := p.best - metric
	if p.config.Maximize {
		gain = -gain
	}
	margin := p.config.Threshold
	if !p.config.Absolute && !math.IsInf(p.best, 0) { // any number beats infinity
		margin *= math.Abs(p.best)
	}
	return gain > margin
}

// State returns the metrics seen, as the scalars plateau.best (f64), plateau.bad
// and plateau.cooldown (i64), for nn.SaveTraining. The learning rates are part of
// the optimiser's state.
func (p *ReduceLROnPlateau) State() map[string]*tensor.Tensor {
	return map[string]*tensor.Tensor{
		"plateau.best": scalar(p.best), "plateau.bad": scalar(int64(p.bad)), "plateau.cooldown": scalar(int64(p.cool)),
	}
}

// LoadState takes over a State of this kind of schedule, or changes nothing and
// says what does not fit.
func (p *ReduceLROnPlateau) LoadState(state map[string]*tensor.Tensor) error {
	l := newLoader("plateau", state)
	best, bad, cool := l.number("best"), l.count("bad", 0), l.count("cooldown", 0)
	if math.IsNaN(best) {
		l.bad("best", "is NaN")
	}
	if err := l.err(); err != nil {
		return err
	}
	p.best, p.bad, p.cool = best, bad, cool
	return nil
}
