// Losses of classes and of probabilities, from scores. Package nn has these and others.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

// A CrossEntropyOption changes what [CrossEntropy] and [NLL] weigh.
type CrossEntropyOption func(*classTargets)

// ClassWeights multiplies the loss of every row by the weight of its class, and
// divides the sum by the sum of these weights instead of the number of rows.
// There is one weight a class. The slice must not change before the backward
// pass.
func ClassWeights(w []float64) CrossEntropyOption { return func(t *classTargets) { t.weights = w } }

// LabelSmoothing moves the part eps, in [0, 1], of each row's target from its
// class to all classes evenly (Szegedy et al. 2016).
func LabelSmoothing(eps float64) CrossEntropyOption {
	return func(t *classTargets) { t.smoothing = eps }
}

// CrossEntropy returns the mean over the rows r in rows (nil: all rows) of
//
//	-LogSoftmax(logits)[r, labels[r]]
//
// for logits [N C] and labels [N], classes in [0, C); labels of other rows are
// not looked at. A mean over no rows is NaN, with gradient 0, and so is one over
// rows whose weights add up to 0. The slices must not change before the backward
// pass.
func CrossEntropy(logits *Var, labels, rows []int32, opts ...CrossEntropyOption) *Var {
	x := logits.dense("CrossEntropy")
	t := newClassTargets("CrossEntropy", x, labels, rows, opts)
	if t.plain() && x.Device() == nil {
		y := tensor.Full(x.DType(), tensor.CrossEntropy(x, rows, t.labels)/t.total)
		return record(opCrossEntropy, y, attrs{rows: rows, targets: t}, logits)
	}
	if rows != nil {
		x = tensor.IndexSelect(x, rows)
	}
	logProbs := tensor.LogSoftmax(x)
	y := t.loss(logProbs)
	logProbs.Free()
	return record(opCrossEntropy, y, attrs{rows: rows, targets: t}, logits)
}

// For each row looked at, with its target distribution q (one-hot without
// smoothing and weights): (Σ_c q_c Softmax(x) - q) / total weight. The others get 0.
func gradCrossEntropy(c *context, g *Var, _ int) *Var {
	x := c.in[0]
	if c.targets.undefined() {
		return c.zeros(x)
	}
	if c.fused() && c.targets.plain() && x.Device() == nil {
		return c.constant(tensor.CrossEntropyGrad(x.read(), c.rows, c.targets.labels, g.value.Item()/max(1, c.targets.total)))
	}
	if c.rows != nil {
		x = x.IndexSelect(c.rows)
	}
	q := c.constant(c.targets.matrix(g.DType(), g.Device()))
	d := x.Softmax()
	if c.targets.plain() {
		d = d.Sub(q)
	} else {
		d = d.Mul(sumLast(q)).Sub(q)
	}
	return c.spreadRows(g, d)
}

// NLL returns the mean over the rows r in rows (nil: all rows) of
//
//	-logProbs[r, labels[r]]
//
// for logProbs [N C] and labels [N], as [CrossEntropy] does after LogSoftmax.
func NLL(logProbs *Var, labels, rows []int32, opts ...CrossEntropyOption) *Var {
	x := logProbs.dense("NLL")
	t := newClassTargets("NLL", x, labels, rows, opts)
	if rows != nil {
		x = tensor.IndexSelect(x, rows)
	}
	return record(opNLL, t.loss(x), attrs{rows: rows, targets: t}, logProbs)
}

func gradNLL(c *context, g *Var, _ int) *Var {
	if c.targets.undefined() {
		return c.zeros(c.in[0])
	}
	return c.spreadRows(g, c.constant(c.targets.matrix(g.DType(), g.Device())).Neg())
}

// BCEWithLogits returns the binary cross-entropy of each logit x and its target t, of one
// shape and type,
//
//	-t ln σ(x) - (1-t) ln(1 - σ(x)) = ReLU(x) (1-t) + ReLU(-x) t + Softplus(-|x|)
//
// in the form that keeps the small losses of confident true positives and of confident true
// negatives.
func BCEWithLogits(logits, target *Var) *Var {
	const op = "BCEWithLogits"
	x, t := logits.dense(op), target.dense(op)
	if !x.Shape().Equal(t.Shape()) || x.DType() != t.DType() {
		misuse(op, fmt.Sprintf("logits are %v, targets %v", x.DType(), t.DType()), x.Shape(), t.Shape())
	}
	const (
		ofX = ^0
		ofT = ^1
	)
	y := tensor.Chain([]*tensor.Tensor{x.Contiguous(), t.Contiguous()}, []tensor.ChainStep{
		{Op: tensor.ChainReLU, A: ofX},
		{Op: tensor.ChainNeg, A: ofT},
		{Op: tensor.ChainAddScalar, A: 1, C: 1},
		{Op: tensor.ChainMul, A: 0, B: 2},
		{Op: tensor.ChainNeg, A: ofX},
		{Op: tensor.ChainReLU, A: 4},
		{Op: tensor.ChainMul, A: 5, B: ofT},
		{Op: tensor.ChainAdd, A: 3, B: 6},
		{Op: tensor.ChainAbs, A: ofX},
		{Op: tensor.ChainNeg, A: 8},
		{Op: tensor.ChainSoftplus, A: 9},
		{Op: tensor.ChainAdd, A: 7, B: 10},
	})
	return record(opBCEWithLogits, y, attrs{}, logits, target)
}

// (σ(x) - t) g and -x g
func gradBCEWithLogits(c *context, g *Var, i int) *Var {
	x := c.in[0]
	if i == 1 {
		return x.Neg().Mul(g)
	}
	return x.Sigmoid().Sub(c.in[1]).Mul(g)
}

// spreadRows turns the per-row derivative d of a mean loss into the gradient of
// all rows of its input.
func (c *context) spreadRows(g, d *Var) *Var {
	d = d.Mul(g.Scale(1 / c.targets.total))
	if c.rows == nil {
		return d
	}
	return d.ScatterAddRows(c.in[0].Shape()[0], c.rows)
}

// zeros returns the gradient of an operand that the result does not depend on. It is not g times
// 0: what comes after a mean that is NaN may make g NaN, too.
func (c *context) zeros(x *Var) *Var { return c.constant(tensor.ZerosLike(x.value)) }
