// The staircase schedule with steps of its own.

package optim

import (
	"math"
	"slices"
)

// MultiStepLRConfig are the settings of [MultiStepLR]. A zero Gamma means its default.
type MultiStepLRConfig struct {
	Milestones []int   // steps at which the rates drop, ascending; one that is there twice drops twice
	Gamma      float64 // what a drop multiplies by; 0.1 by default
}

// MultiStepLR lowers the learning rates at the milestones, as
// torch.optim.lr_scheduler.MultiStepLR does:
//
//	lr(t) = lr · gamma^(number of milestones ≤ t)
type MultiStepLR struct{ schedule }

// NewMultiStepLR returns the schedule of the optimiser's groups. It panics with
// *[Error] for settings out of range and for an optimiser without groups.
func NewMultiStepLR(opt Optimizer, c MultiStepLRConfig) *MultiStepLR {
	const op = "NewMultiStepLR"
	gamma := orDefault(c.Gamma, 0.1)
	milestones := slices.Clone(c.Milestones)
	if !slices.IsSorted(milestones) {
		misuse(op, "Milestones are %v, want them ascending", milestones)
	}
	if len(milestones) > 0 && milestones[0] < 0 {
		misuse(op, "Milestones are %v, want none under 0", milestones)
	}
	checkNonNegative(op, "Gamma", gamma)
	return &MultiStepLR{newSchedule(op, "multi_step_lr", opt, func(base float64, step int) float64 {
		passed, _ := slices.BinarySearch(milestones, step+1)
		return base * math.Pow(gamma, float64(passed))
	})}
}
