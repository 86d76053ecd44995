// The cosine schedule with linear warm-up.

package optim

import "math"

// CosineLRConfig are the settings of [CosineLR].
type CosineLRConfig struct {
	Steps  int     // of the whole schedule
	WarmUp int     // steps of these in which the rates rise, less than Steps
	Start  float64 // share of its learning rate at which a group begins to rise, in [0, 1]
	Min    float64 // learning rate at the end
}

// CosineLR raises the learning rates linearly, then lowers them along half a
// cosine (Loshchilov and Hutter 2017, SGDR, equation 5, one period), and stays at
// the end:
//
//	lr(t) = lr · (start + (1-start)·t/warmUp)                                for t < warmUp
//	lr(t) = min + (lr-min)/2 · (1 + cos(π·(t-warmUp)/(steps-warmUp)))        for t ≤ steps
//	lr(t) = min                                                              after
//
// It is the LinearLR of torch.optim.lr_scheduler with start_factor start and
// total_iters warmUp, followed in a SequentialLR by CosineAnnealingLR with T_max
// steps-warmUp and eta_min min, except that PyTorch's rises again after T_max.
// With a start of 0 the first step does not move the parameters.
type CosineLR struct{ schedule }

// NewCosineLR returns the schedule of the optimiser's groups. It panics with
// *[Error] for settings out of range and for an optimiser without groups.
func NewCosineLR(opt Optimizer, c CosineLRConfig) *CosineLR {
	const op = "NewCosineLR"
	checkPositive(op, "Steps", c.Steps)
	if c.WarmUp < 0 || c.WarmUp >= c.Steps {
		misuse(op, "WarmUp is %d, want 0 <= WarmUp < Steps = %d", c.WarmUp, c.Steps)
	}
	checkShare(op, "Start", c.Start)
	checkNonNegative(op, "Min", c.Min)
	return &CosineLR{newSchedule(op, "cosine_lr", opt, func(base float64, step int) float64 {
		switch {
		case step < c.WarmUp:
			return base * (c.Start + (1-c.Start)*float64(step)/float64(c.WarmUp))
		case step < c.Steps:
			return cosine(base, c.Min, float64(step-c.WarmUp)/float64(c.Steps-c.WarmUp))
		}
		return c.Min
	})}
}

// cosine goes from a at x = 0 to b at x = 1 along half a cosine.
func cosine(a, b, x float64) float64 { return b + (a-b)/2*(1+math.Cos(math.Pi*x)) }
