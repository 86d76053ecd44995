// Losses: one scalar from predictions and targets.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

// CrossEntropy returns the mean over the rows r in rows (nil: all rows) of
//
//	-LogSoftmax(logits)[r, labels[r]]
//
// for logits [N C] and labels [N], classes in [0, C); labels of other rows are
// not looked at. A mean over no rows is NaN, with gradient 0. The slices must
// not change before the backward pass.
func CrossEntropy(logits *Var, labels, rows []int32) *Var {
	x := logits.dense("CrossEntropy")
	labels = selectLabels("CrossEntropy", x, labels, rows)
	if rows != nil {
		x = tensor.IndexSelect(x, rows)
	}
	y := meanPicked(tensor.LogSoftmax(x), labels)
	return record(opCrossEntropy, y, attrs{rows: rows, labels: labels}, logits)
}

// (Softmax(x) - one-hot(label))/n for each row looked at, 0 for the others
func gradCrossEntropy(c *context, g *Var, _ int) *Var {
	x := c.in[0]
	if c.rows != nil {
		x = x.IndexSelect(c.rows)
	}
	d := x.Softmax().Sub(c.oneHot(x.DType(), x.Shape(), c.labels))
	return spreadRows(c, g, d)
}

// NLL returns the mean over the rows r in rows (nil: all rows) of
//
//	-logProbs[r, labels[r]]
//
// for logProbs [N C] and labels [N], as [CrossEntropy] does after LogSoftmax.
func NLL(logProbs *Var, labels, rows []int32) *Var {
	x := logProbs.dense("NLL")
	labels = selectLabels("NLL", x, labels, rows)
	if rows != nil {
		x = tensor.IndexSelect(x, rows)
	}
	return record(opNLL, meanPicked(x, labels), attrs{rows: rows, labels: labels}, logProbs)
}

func gradNLL(c *context, g *Var, _ int) *Var {
	shape := tensor.Shape{len(c.labels), c.in[0].Shape()[1]}
	d := c.oneHot(g.DType(), shape, c.labels).Neg()
	return spreadRows(c, g, d)
}

// MSE returns the mean of (pred - target)^2 over all elements.
func MSE(pred, target *Var) *Var {
	wantAlike("MSE", pred, target)
	return pred.Sub(target).Square().Mean()
}

// BCEWithLogits returns the mean over all elements of the binary cross-entropy
//
//	-t ln σ(x) - (1-t) ln(1 - σ(x)) = Softplus(x) - x t
//
// for logits x and targets t in [0, 1], without overflow.
func BCEWithLogits(logits, target *Var) *Var {
	wantAlike("BCEWithLogits", logits, target)
	return logits.Softplus().Sub(logits.Mul(target)).Mean()
}

// wantAlike panics unless predictions and targets have one shape and type.
func wantAlike(op string, pred, target *Var) {
	pred.dense(op)
	target.dense(op)
	if !pred.Shape().Equal(target.Shape()) {
		misuse(op, "shapes differ", pred.Shape(), target.Shape())
	}
	wantSameType(op, pred, target)
}

// selectLabels checks a loss's operands and returns the label of every row in
// rows.
func selectLabels(op string, x *tensor.Tensor, labels, rows []int32) []int32 {
	if x.Rank() != 2 {
		misuse(op, "takes a matrix", x.Shape())
	}
	n, classes := x.Shape()[0], x.Shape()[1]
	if len(labels) != n {
		misuse(op, fmt.Sprintf("%d labels for %d rows", len(labels), n), x.Shape())
	}
	check := func(r int) {
		if l := labels[r]; l < 0 || int(l) >= classes {
			misuse(op, fmt.Sprintf("label %d of row %d is outside [0, %d)", l, r, classes), x.Shape())
		}
	}
	if rows == nil {
		for r := range labels {
			check(r)
		}
		return labels
	}
	picked := make([]int32, len(rows))
	for i, r := range rows {
		if r < 0 || int(r) >= n {
			misuse(op, fmt.Sprintf("row %d is outside [0, %d)", r, n), x.Shape())
		}
		check(int(r))
		picked[i] = labels[r]
	}
	return picked
}

// meanPicked returns -1/n Σ_i x[i, labels[i]], added up in float64.
func meanPicked(x *tensor.Tensor, labels []int32) *tensor.Tensor {
	var total float64
	switch x.DType() {
	case tensor.Float32:
		total = sumPicked[float32](x, labels)
	default:
		total = sumPicked[float64](x, labels)
	}
	return tensor.Full(x.DType(), -total/float64(len(labels)))
}

func sumPicked[T tensor.Float](x *tensor.Tensor, labels []int32) float64 {
	data, classes, total := tensor.Data[T](x.Contiguous()), x.Shape()[1], 0.0
	for i, l := range labels {
		total += float64(data[i*classes+int(l)])
	}
	return total
}

// oneHot returns a matrix with a 1 at labels[i] in row i, 0 elsewhere.
func (c *context) oneHot(dt tensor.DType, shape tensor.Shape, labels []int32) *Var {
	y, classes := tensor.Zeros(dt, shape...), shape[1]
	switch y.DType() {
	case tensor.Float32:
		setPicked[float32](y, labels, classes)
	default:
		setPicked[float64](y, labels, classes)
	}
	return c.constant(y)
}

func setPicked[T tensor.Float](y *tensor.Tensor, labels []int32, classes int) {
	data := tensor.Data[T](y)
	for i, l := range labels {
		data[i*classes+int(l)] = 1
	}
}

// spreadRows turns the per-row derivative d of a mean loss into the gradient of
// all rows of its input.
func spreadRows(c *context, g, d *Var) *Var {
	if n := len(c.labels); n > 0 {
		g = g.Scale(1 / float64(n))
	}
	d = d.Mul(g)
	if c.rows == nil {
		return d
	}
	return d.ScatterAddRows(c.in[0].Shape()[0], c.rows)
}
