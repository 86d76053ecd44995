// How losses are reduced to one number, and losses of classes over a subset of the
// rows.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// Reduction is what becomes of the losses of elements or rows. Every loss takes
// one as its last argument:
//
//	nn.MSE(pred, target, nn.ReduceSum)
type Reduction uint8

// The reductions.
const (
	ReduceMean Reduction = iota // their mean, the default; NaN of none
	ReduceSum                   // their sum
	ReduceNone                  // the losses themselves
)

// reduce reduces the losses of elements or rows.
func reduce(op string, losses *autograd.Var, reduction []Reduction) *autograd.Var {
	switch reductionOf(op, reduction) {
	case ReduceSum:
		return losses.Sum()
	case ReduceNone:
		return losses
	default:
		return losses.Mean()
	}
}

// reductionOf returns the one of a list, or the mean; more than one is misuse.
func reductionOf(op string, reduction []Reduction) (r Reduction) {
	switch len(reduction) {
	case 0:
	case 1:
		r = reduction[0]
	default:
		misuse(op, fmt.Sprintf("%d reductions", len(reduction)))
	}
	if r > ReduceNone {
		misuse(op, fmt.Sprintf("there is no reduction %d", r))
	}
	return r
}

// factor returns what the sum of n losses is multiplied by.
func (r Reduction) factor(n int) float64 {
	if r == ReduceSum {
		return 1
	}
	return 1 / float64(n)
}

// A ClassOption changes what [CrossEntropy] and [NLL] compute: a [Reduction],
// [ClassWeights] or [LabelSmoothing].
type ClassOption interface{ applyTo(*classConfig) }

type classConfig struct {
	weights   []float64 // nil: all 1
	smoothing float64
	reduction Reduction
}

func (r Reduction) applyTo(c *classConfig) { c.reduction = r }

type classOption func(c *classConfig)

func (o classOption) applyTo(c *classConfig) { o(c) }

// ClassWeights multiplies the loss of every row by the weight of its class; the
// mean is then a weighted one, as in PyTorch. There is one weight a class. The
// slice must not change before the backward pass.
func ClassWeights(w []float64) ClassOption {
	return classOption(func(c *classConfig) { c.weights = w })
}

// LabelSmoothing moves the part eps, in [0, 1], of each row's target from its
// class to all classes evenly (Szegedy et al. 2016).
func LabelSmoothing(eps float64) ClassOption {
	return classOption(func(c *classConfig) { c.smoothing = eps })
}

// CrossEntropy returns the mean over the vertices r in rows (nil: all) of
//
//	-ln softmax(logits[r])[labels[r]]
//
// for logits [N C] and labels [N], as torch.nn.CrossEntropyLoss. [Rows] turns a
// mask into rows; labels of other rows are not looked at, so rows do what PyTorch's
// ignore_index does: leave out vertices without a label. A label of a row that is none of
// the C classes panics with *autograd.Error. The mean over no rows is NaN. Neither slice
// may change before the backward pass. Those of a tensor of labels are its
// [tensor.Tensor.Int32s]; of one [batch length] and logits [batch length C], it is
//
//	nn.CrossEntropy(logits.Reshape(-1, classes), labels.Int32s(), nil)
func CrossEntropy(logits *autograd.Var, labels, rows []int32, opts ...ClassOption) *autograd.Var {
	c := newClassConfig("CrossEntropy", opts)
	if c.reduction == ReduceMean {
		return autograd.CrossEntropy(logits, labels, rows, c.options()...)
	}
	return c.losses("CrossEntropy", logits, (*autograd.Var).LogSoftmax, labels, rows)
}

// NLL is [CrossEntropy] of the logarithms of probabilities, such as LogSoftmax
// gives, as torch.nn.NLLLoss.
func NLL(logProbs *autograd.Var, labels, rows []int32, opts ...ClassOption) *autograd.Var {
	c := newClassConfig("NLL", opts)
	if c.reduction == ReduceMean {
		return autograd.NLL(logProbs, labels, rows, c.options()...)
	}
	return c.losses("NLL", logProbs, func(x *autograd.Var) *autograd.Var { return x }, labels, rows)
}

// SoftCrossEntropy returns the mean over the rows of
//
//	-Σ_c target[r, c] ln softmax(logits[r])[c]
//
// for logits and targets, which are probabilities, [N C]: as
// torch.nn.CrossEntropyLoss of probabilities, and for a teacher's predictions.
func SoftCrossEntropy(logits, target *autograd.Var, reduction ...Reduction) *autograd.Var {
	const op = "SoftCrossEntropy"
	wantAlike(op, logits, target)
	if s := logits.Shape(); len(s) != 2 {
		misuse(op, fmt.Sprintf("takes matrices, got %v", s))
	}
	return reduce(op, logits.LogSoftmax().VecDot(target).Neg(), reduction)
}

func newClassConfig(op string, opts []ClassOption) *classConfig {
	c := &classConfig{}
	for i, o := range opts {
		wantOption(op, i, o != nil)
		o.applyTo(c)
	}
	return c
}

// options returns the settings as autograd takes them.
func (c *classConfig) options() []autograd.CrossEntropyOption {
	var opts []autograd.CrossEntropyOption
	if c.weights != nil {
		opts = append(opts, autograd.ClassWeights(c.weights))
	}
	if c.smoothing != 0 {
		opts = append(opts, autograd.LabelSmoothing(c.smoothing))
	}
	return opts
}

// losses returns the losses of the rows looked at, or their sum; logarithm makes
// log-probabilities of x.
func (c *classConfig) losses(op string, x *autograd.Var, logarithm func(x *autograd.Var) *autograd.Var, labels, rows []int32) *autograd.Var {
	labels = c.check(op, x, labels, rows)
	if rows != nil {
		x = x.IndexSelect(rows)
	}
	logProbs := logarithm(x)
	n, classes := len(labels), x.Shape()[1]
	weights := make([]float64, n)
	for i, l := range labels {
		weights[i] = -(1 - c.smoothing)
		if c.weights != nil {
			weights[i] *= c.weights[l]
		}
	}
	weigh := func(x *autograd.Var, w []float64) *autograd.Var {
		return x.Mul(autograd.Constant(tensor.FromSlice(w, len(w)).To(x.DType()).ToDevice(x.Device())))
	}
	own := logProbs.Gather(1, autograd.Constant(tensor.Indices(x.Device(), labels, classes).Reshape(n, 1))).Reshape(n)
	losses := weigh(own, weights)
	if c.smoothing > 0 {
		w := make([]float64, classes)
		for k := range w {
			w[k] = -c.smoothing / float64(classes)
			if c.weights != nil {
				w[k] *= c.weights[k]
			}
		}
		losses = losses.Add(weigh(logProbs, w).Sum(1))
	}
	return reduce(op, losses, []Reduction{c.reduction})
}

// check returns the labels of the rows looked at.
func (c *classConfig) check(op string, x *autograd.Var, labels, rows []int32) []int32 {
	s := x.Shape()
	switch {
	case x.Sparse() != nil || len(s) != 2:
		misuse(op, fmt.Sprintf("takes a dense matrix, got %v", x))
	case len(labels) != s[0]:
		misuse(op, fmt.Sprintf("%d labels for %d rows", len(labels), s[0]))
	case c.weights != nil && len(c.weights) != s[1]:
		misuse(op, fmt.Sprintf("%d class weights for %d classes", len(c.weights), s[1]))
	case !(c.smoothing >= 0 && c.smoothing <= 1):
		misuse(op, fmt.Sprintf("label smoothing %v is outside [0, 1]", c.smoothing))
	}
	if rows == nil {
		rows = make([]int32, s[0])
		for r := range rows {
			rows[r] = int32(r)
		}
	}
	picked := make([]int32, len(rows))
	for i, r := range rows {
		if r < 0 || int(r) >= s[0] {
			misuse(op, fmt.Sprintf("row %d is outside [0, %d)", r, s[0]))
		}
		if l := labels[r]; l < 0 || int(l) >= s[1] {
			misuse(op, fmt.Sprintf("label %d of row %d is outside [0, %d)", l, r, s[1]))
		}
		picked[i] = labels[r]
	}
	return picked
}

// Rows returns the numbers of the rows that a mask selects, ascending, never
// nil: an empty mask selects nothing, not everything. It is up to the caller that the
// mask has an entry for every row: what is missing is not selected.
func Rows(mask []bool) []int32 {
	rows := []int32{}
	for r, on := range mask {
		if on {
			rows = append(rows, int32(r))
		}
	}
	return rows
}
