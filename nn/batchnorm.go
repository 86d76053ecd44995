// Batch normalisation.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// BatchNorm1d normalises each column over the rows of the batch (Ioffe and
// Szegedy 2015), as torch.nn.BatchNorm1d:
//
//	y = (x - mean) / sqrt(variance + eps) · weight + bias,  x [N features]
//
// While training, mean and biased variance are those of the batch, and the
// running estimates move towards them:
//
//	running ← (1 - momentum)·running + momentum·batch
//
// with the unbiased variance. When evaluating, the running estimates take the
// place of the batch's; without them (RunningMean nil) the batch's serve always.
//
// The estimates are constants, not parameters. A training pass gives them new
// tensors: a backward pass still to come, or a tensor taken before, does not
// change. Two goroutines must not train one layer at once.
type BatchNorm1d struct {
	Mode
	Weight            *autograd.Var // [features]; nil: no factor
	Bias              *autograd.Var // [features]; nil: no summand
	RunningMean       *autograd.Var // [features]; nil: no running estimates
	RunningVar        *autograd.Var // [features]
	NumBatchesTracked *autograd.Var // int64 scalar: training passes so far
	Eps               float64
	Momentum          float64
}

// BatchNormConfig has what [BatchNorm1d] has beside its size. The zero value is
// PyTorch's.
type BatchNormConfig struct {
	Eps            float64 // 1e-5 by default
	Momentum       float64 // weight of the new batch in (0, 1]; 0.1 by default
	NoAffine       bool    // neither weight nor bias
	NoRunningStats bool    // no running estimates
	DType          tensor.DType
}

// NewBatchNorm1d returns a layer for the given number of columns, with weight 1,
// bias 0, running mean 0 and running variance 1. It panics with *[Error] for
// settings out of range.
func NewBatchNorm1d(features int, cfg BatchNormConfig) *BatchNorm1d {
	const op = "NewBatchNorm1d"
	b := &BatchNorm1d{Eps: checkNorm(op, features, cfg.Eps), Momentum: cfg.Momentum}
	if b.Momentum == 0 {
		b.Momentum = 0.1
	}
	if !(b.Momentum > 0 && b.Momentum <= 1) {
		misuse(op, fmt.Sprintf("Momentum %v is outside (0, 1]", b.Momentum))
	}
	if !cfg.NoAffine {
		b.Weight = autograd.Parameter(tensor.Full(cfg.DType, 1, features))
		b.Bias = autograd.Parameter(tensor.Zeros(cfg.DType, features))
	}
	if !cfg.NoRunningStats {
		b.RunningMean = autograd.Constant(tensor.Zeros(cfg.DType, features))
		b.RunningVar = autograd.Constant(tensor.Full(cfg.DType, 1, features))
		b.NumBatchesTracked = autograd.Constant(tensor.Zeros(tensor.Int64))
	}
	return b
}

// Forward returns the normalised x. A training batch of one row panics with
// *[Error], because it has no unbiased variance; an empty one changes no
// estimate.
func (b *BatchNorm1d) Forward(x *autograd.Var) *autograd.Var {
	b.check(x)
	tracked := b.RunningMean != nil
	if !b.Training() && tracked {
		mean := b.RunningMean
		if mean.Device().Capturing() { // track may write it before a Scope computes the difference
			mean = autograd.Constant(mean.Tensor().Clone())
		}
		return b.normalize(x.Sub(mean), b.RunningVar)
	}
	rows := x.Shape()[0]
	if b.Training() && rows == 1 {
		misuse("BatchNorm1d", fmt.Sprintf("a training batch needs more than one row, got %v", x.Shape()))
	}
	y, mean, variance := autograd.BatchNorm(x, b.Weight, b.Bias, b.Eps)
	if b.Training() && tracked && rows > 0 {
		b.track(mean, variance, rows)
	}
	return y
}

// normalize returns d / sqrt(variance + eps) · weight + bias.
func (b *BatchNorm1d) normalize(d, variance *autograd.Var) *autograd.Var {
	scale := variance.AddScalar(b.Eps).Rsqrt()
	if b.Weight != nil {
		scale = scale.Mul(b.Weight)
	}
	if d = d.Mul(scale); b.Bias != nil {
		d = d.Add(b.Bias)
	}
	return d
}

// track moves the running estimates towards those of a batch of n > 1 rows. They are new
// tensors, since a backward pass may still need the old ones, except within a captured step:
// a replay goes on from where the last one has left them.
func (b *BatchNorm1d) track(mean, variance *tensor.Tensor, n int) {
	set := func(v *autograd.Var, t *tensor.Tensor) {
		if v.Device().Capturing() {
			v.Tensor().CopyFrom(t)
		} else {
			v.SetTensor(t)
		}
	}
	move := func(running *autograd.Var, batch *tensor.Tensor, factor float64) {
		old := tensor.Scale(running.Tensor(), 1-b.Momentum)
		set(running, tensor.Add(old, tensor.Scale(batch.Reshape(-1), b.Momentum*factor)))
	}
	move(b.RunningMean, mean, 1)
	move(b.RunningVar, variance, float64(n)/float64(n-1))
	if t := b.NumBatchesTracked; t != nil {
		one := tensor.FullOn(t.Device(), tensor.Int64, 1, 1)
		set(t, tensor.Sum(tensor.Concat(0, t.Tensor().Reshape(1), one), false))
	}
}

// check panics unless x fits the layer, before anything changes.
func (b *BatchNorm1d) check(x *autograd.Var) {
	const op = "BatchNorm1d"
	if b == nil {
		misuse(op, "the layer is nil; make it with NewBatchNorm1d")
	}
	if (b.RunningMean == nil) != (b.RunningVar == nil) {
		misuse(op, "the layer has one of RunningMean and RunningVar, not both")
	}
	s := x.Shape()
	if len(s) != 2 {
		misuse(op, fmt.Sprintf("takes a matrix, got %v", s))
	}
	for _, p := range []*autograd.Var{b.Weight, b.Bias, b.RunningMean, b.RunningVar} {
		if p == nil {
			continue
		}
		if !p.Shape().Equal(tensor.Shape{s[1]}) {
			misuse(op, fmt.Sprintf("input of shape %v, layer for %v features", s, p.Shape()))
		}
		if p.DType() != x.DType() {
			misuse(op, fmt.Sprintf("input is %v, the layer %v", x.DType(), p.DType()))
		}
	}
}
