// Losses of classes: one scalar from scores and labels. Package nn has these and others.

package autograd

import (
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
// not looked at. A mean over no rows is NaN, with gradient 0. The slices must
// not change before the backward pass.
func CrossEntropy(logits *Var, labels, rows []int32, opts ...CrossEntropyOption) *Var {
	x := logits.dense("CrossEntropy")
	t := newClassTargets("CrossEntropy", x, labels, rows, opts)
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
	return c.spreadRows(g, c.constant(c.targets.matrix(g.DType(), g.Device())).Neg())
}

// spreadRows turns the per-row derivative d of a mean loss into the gradient of
// all rows of its input.
func (c *context) spreadRows(g, d *Var) *Var {
	if n := c.targets.total; n != 0 { // weights may be negative
		g = g.Scale(1 / n)
	}
	d = d.Mul(g)
	if c.rows == nil {
		return d
	}
	return d.ScatterAddRows(c.in[0].Shape()[0], c.rows)
}
