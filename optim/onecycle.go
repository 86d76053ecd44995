// The one-cycle schedule.

package optim

// OneCycleLRConfig are the settings of [OneCycleLR]. A zero Rise, Div or FinalDiv
// means its default.
type OneCycleLRConfig struct {
	Steps    int     // of the whole cycle
	Rise     float64 // share of the steps in which the rates rise, in [0, 1]; 0.3 by default
	Div      float64 // the cycle starts at the peak divided by Div; 25 by default
	FinalDiv float64 // and ends at its start divided by FinalDiv; 1e4 by default
	Linear   bool    // along straight lines instead of cosines
}

// OneCycleLR raises the learning rates once and lowers them to almost nothing
// (Smith and Topin 2018, "Super-Convergence"), as
// torch.optim.lr_scheduler.OneCycleLR does with two phases and without cycling
// the momentum. The learning rate of a group is its peak (PyTorch's max_lr):
//
//	u = rise·steps - 1, start = peak/div, end = start/finalDiv
//	lr(t) = anneal(start, peak, t/u)                    for t ≤ u
//	lr(t) = anneal(peak, end, (t-u)/(steps-1-u))        for t < steps
//	lr(t) = end                                         after
//	anneal(a, b, x) = b + (a-b)/2 · (1 + cos(π·x)), or linear a + (b-a)·x
//
// A rise of less than a step (u ≤ 0) is none: the cycle starts at its peak.
type OneCycleLR struct{ schedule }

// NewOneCycleLR returns the schedule of the optimiser's groups. It panics with
// *[Error] for settings out of range and for an optimiser without groups.
func NewOneCycleLR(opt Optimizer, c OneCycleLRConfig) *OneCycleLR {
	const op = "NewOneCycleLR"
	c.Rise, c.Div, c.FinalDiv = orDefault(c.Rise, 0.3), orDefault(c.Div, 25), orDefault(c.FinalDiv, 1e4)
	checkPositive(op, "Steps", c.Steps)
	checkShare(op, "Rise", c.Rise)
	checkNonNegative(op, "Div", c.Div)
	checkNonNegative(op, "FinalDiv", c.FinalDiv)
	anneal := cosine
	if c.Linear {
		anneal = func(a, b, x float64) float64 { return a + (b-a)*x }
	}
	last := float64(c.Steps - 1)
	up := max(c.Rise*float64(c.Steps)-1, 0)
	return &OneCycleLR{newSchedule(op, "one_cycle_lr", opt, func(peak float64, step int) float64 {
		start, t := peak/c.Div, float64(step)
		end := start / c.FinalDiv
		switch {
		case up == 0 && step == 0:
			return peak
		case up > 0 && t <= up:
			return anneal(start, peak, t/up)
		case t < last:
			return anneal(peak, end, (t-up)/(last-up))
		}
		return end
	})}
}
