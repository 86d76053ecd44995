// The staircase schedule.

package optim

import "math"

// StepLRConfig are the settings of [StepLR]. A zero Gamma means its default.
type StepLRConfig struct {
	StepSize int     // steps between two drops
	Gamma    float64 // what a drop multiplies by; 0.1 by default
}

// StepLR lowers the learning rates every StepSize steps, as
// torch.optim.lr_scheduler.StepLR does:
//
//	lr(t) = lr · gamma^⌊t/stepSize⌋
type StepLR struct{ schedule }

// NewStepLR returns the schedule of the optimiser's groups. It panics with
// *[Error] for settings out of range and for an optimiser without groups.
func NewStepLR(opt Optimizer, c StepLRConfig) *StepLR {
	const op = "NewStepLR"
	gamma := orDefault(c.Gamma, 0.1)
	checkPositive(op, "StepSize", c.StepSize)
	checkNonNegative(op, "Gamma", gamma)
	return &StepLR{newSchedule(op, "step_lr", opt, func(base float64, step int) float64 {
		return base * math.Pow(gamma, float64(step/c.StepSize))
	})}
}
