// Losses that compare predictions with targets element by element.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// A BCEOption changes what [BCEWithLogits] computes: a [Reduction] or [PosWeight].
type BCEOption interface{ applyToBCE(*bceConfig) }

type bceConfig struct {
	posWeight []float64 // nil: 1
	reduction Reduction
}

func (r Reduction) applyToBCE(c *bceConfig) { c.reduction = r }

type posWeight []float64

func (w posWeight) applyToBCE(c *bceConfig) { c.posWeight = w }

// PosWeight multiplies the losses of positive targets: one number for all, or one
// for each column.
func PosWeight(w ...float64) BCEOption { return posWeight(w) }

// BCEWithLogits returns the mean over all elements of the binary cross-entropy
//
//	-w t ln σ(x) - (1-t) ln(1 - σ(x))
//
// of logits x and targets t in [0, 1], of one shape, without overflow, as
// torch.nn.BCEWithLogitsLoss; w is 1 without [PosWeight].
func BCEWithLogits(logits, target *autograd.Var, opts ...BCEOption) *autograd.Var {
	const op = "BCEWithLogits"
	var c bceConfig
	for i, o := range opts {
		wantOption(op, i, o != nil)
		o.applyToBCE(&c)
	}
	wantAlike(op, logits, target)
	reduction := []Reduction{c.reduction}
	if c.posWeight == nil {
		return reduce(op, autograd.BCEWithLogits(logits, target), reduction)
	}
	cols := 1
	if s := logits.Shape(); len(s) > 0 {
		cols = s[len(s)-1]
	}
	if n := len(c.posWeight); n != 1 && n != cols {
		misuse(op, fmt.Sprintf("%d positive weights for %d columns", n, cols))
	}
	extra := make([]float64, len(c.posWeight))
	for i, w := range c.posWeight {
		extra[i] = w - 1
	}
	more := autograd.Constant(tensor.FromSlice(extra, len(extra)).To(logits.DType()).ToDevice(logits.Device()))
	if len(logits.Shape()) == 0 {
		more = more.Reshape()
	}
	// With m = 1 where x > 0 and 0 elsewhere, the loss is
	//
	//	x (m - t - (w-1) t (1-m)) + (1 + (w-1) t) Softplus(-|x|)
	//
	// No other form keeps the small losses of both confident true positives and
	// confident true negatives. The factor that makes x its -|x| is a constant, 1 at 0,
	// so that the gradient is σ(x) - t there too.
	m := logits.Detach().Sign().ReLU()
	tail := logits.Mul(m.Scale(-2).AddScalar(1)).Softplus()
	more = target.Mul(more)
	linear := logits.Mul(m.Sub(target).Sub(more.Mul(m.Neg().AddScalar(1))))
	return reduce(op, linear.Add(more.AddScalar(1).Mul(tail)), reduction)
}

// MSE returns the mean over all elements of (pred - target)², as torch.nn.MSELoss.
func MSE(pred, target *autograd.Var, reduction ...Reduction) *autograd.Var {
	const op = "MSE"
	wantAlike(op, pred, target)
	r := reductionOf(op, reduction)
	if r == ReduceNone {
		return pred.Sub(target).Square()
	}
	return autograd.SquaredError(pred, target, r.factor(pred.Shape().Size()))
}

// L1 returns the mean of |pred - target| over all elements, of one shape, as
// torch.nn.L1Loss. Where they are equal the gradient is 0.
func L1(pred, target *autograd.Var, reduction ...Reduction) *autograd.Var {
	const op = "L1"
	wantAlike(op, pred, target)
	return reduce(op, pred.Sub(target).Abs(), reduction)
}

// Huber returns the mean over all elements of the loss of Huber (1964), as
// torch.nn.HuberLoss: for d = pred - target, of one shape,
//
//	d²/2                  where |d| <= delta
//	delta·(|d| - delta/2) elsewhere
//
// It panics with *[Error] unless delta > 0.
func Huber(pred, target *autograd.Var, delta float64, reduction ...Reduction) *autograd.Var {
	return huber("Huber", "delta", pred, target, delta, 1, reduction)
}

// SmoothL1 returns the mean over all elements of [Huber]'s loss divided by beta,
// as torch.nn.SmoothL1Loss: its slope is that of L1, ±1, beyond beta. It panics
// with *[Error] unless beta > 0; use [L1] for 0.
func SmoothL1(pred, target *autograd.Var, beta float64, reduction ...Reduction) *autograd.Var {
	return huber("SmoothL1", "beta", pred, target, beta, 1/beta, reduction)
}

// huber is Huber's loss times scale.
func huber(op, setting string, pred, target *autograd.Var, delta, scale float64, reduction []Reduction) *autograd.Var {
	if !(delta > 0) || math.IsInf(delta, 1) {
		misuse(op, fmt.Sprintf("%s is %v, want a finite number > 0", setting, delta))
	}
	wantAlike(op, pred, target)
	r := reductionOf(op, reduction)
	if r != ReduceNone {
		return autograd.HuberError(pred, target, delta, scale*r.factor(pred.Shape().Size()))
	}
	// With d clamped to [-delta, delta] as c, both cases are c·(d - c/2).
	d := pred.Sub(target)
	c := d.Clamp(-delta, delta)
	loss := c.Mul(d.Sub(c.Scale(0.5)))
	if scale != 1 {
		loss = loss.Scale(scale)
	}
	return loss
}

// KLDiv returns the mean over all elements of
//
//	target·(ln target - logProbs)
//
// for the logarithms of probabilities and a target of probabilities, of one shape,
// as torch.nn.KLDivLoss; 0 where the target is 0. No gradient flows to the target.
// The divergence of Kullback and Leibler (1951) is the sum over a row's elements:
// use ReduceSum and divide by the number of rows for the mean over rows.
func KLDiv(logProbs, target *autograd.Var, reduction ...Reduction) *autograd.Var {
	const op = "KLDiv"
	wantAlike(op, logProbs, target)
	t := target.Tensor()
	entropy := tensor.MaskedFill(tensor.Mul(t, tensor.Log(t)), tensor.EqualScalar(t, 0), 0)
	constant := autograd.Constant(entropy)
	return reduce(op, constant.Sub(logProbs.Mul(target.Detach())), reduction)
}

// wantAlike panics unless two operands are dense and of one shape and type.
func wantAlike(op string, a, b *autograd.Var) {
	wantVars(op, a, b)
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
