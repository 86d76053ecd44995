// The schedule that is a function.

package optim

// LambdaLR multiplies the learning rates by a function of the step, as
// torch.optim.lr_scheduler.LambdaLR does:
//
//	lr(t) = lr · factor(t)
//
// What is here under no name of its own is one, such as the linear decay to nothing at
// step n, factor(t) = max(0, 1 - t/n), or the warm-up of Vaswani et al. 2017.
type LambdaLR struct{ schedule }

// NewLambdaLR returns the schedule of the optimiser's groups, which all follow factor, a
// function of the step alone: [Scheduler.Seek] calls it for any step, in any order. It
// panics with *[Error] if factor is nil and for an optimiser without groups, and then and
// at any later step if factor is negative, infinite or NaN there.
func NewLambdaLR(opt Optimizer, factor func(step int) float64) *LambdaLR {
	const op = "NewLambdaLR"
	if factor == nil {
		misuse(op, "the function is nil")
	}
	return &LambdaLR{newSchedule(op, "lambda_lr", opt, func(base float64, step int) float64 {
		f := factor(step)
		if !(f >= 0 && f-f == 0) {
			misuse("LambdaLR", "the factor of step %d is %v, want 0 <= factor < Inf", step, f)
		}
		return base * f
	})}
}
