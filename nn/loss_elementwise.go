// Losses that compare predictions with targets element by element.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
)

// BCEWithLogits returns the mean binary cross-entropy of logits and targets in
// [0, 1], of one shape; see autograd.BCEWithLogits.
func BCEWithLogits(logits, target *autograd.Var) *autograd.Var {
	return autograd.BCEWithLogits(logits, target)
}

// MSE returns the mean of (pred - target)² over all elements; see autograd.MSE.
func MSE(pred, target *autograd.Var) *autograd.Var { return autograd.MSE(pred, target) }

// L1 returns the mean of |pred - target| over all elements, of one shape. Where
// they are equal the gradient is 0.
func L1(pred, target *autograd.Var) *autograd.Var {
	wantAlike("L1", pred, target)
	return pred.Sub(target).Abs().Mean()
}

// Huber returns the mean over all elements of the loss of Huber (1964), as
// torch.nn.HuberLoss: for d = pred - target, of one shape,
//
//	d²/2                  where |d| <= delta
//	delta·(|d| - delta/2) elsewhere
//
// It panics with *[Error] unless delta > 0.
func Huber(pred, target *autograd.Var, delta float64) *autograd.Var {
	const op = "Huber"
	if !(delta > 0) || math.IsInf(delta, 1) {
		misuse(op, fmt.Sprintf("delta is %v, want a finite number > 0", delta))
	}
	wantAlike(op, pred, target)
	// With d clamped to [-delta, delta] as c, both cases are c·(d - c/2).
	d := pred.Sub(target)
	c := d.Clamp(-delta, delta)
	return c.Mul(d.Sub(c.Scale(0.5))).Mean()
}

// wantAlike panics unless two operands are dense and of one shape and type.
func wantAlike(op string, a, b *autograd.Var) {
	sa, sb := a.Shape(), b.Shape()
	switch {
	case a.Sparse() != nil || b.Sparse() != nil:
		misuse(op, "takes dense operands only")
	case !sa.Equal(sb):
		misuse(op, fmt.Sprintf("shapes differ: %v and %v", sa, sb))
	case a.DType() != b.DType():
		misuse(op, fmt.Sprintf("types differ: %v and %v", a.DType(), b.DType()))
	}
}
