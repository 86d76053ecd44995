// Batch normalisation.

package nn

import (
	"fmt"
	"reflect"

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

	pass int // of UpdateBatchNorm, counted from 1; 0 outside of it
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
	momentum := b.Momentum
	if b.pass > 0 {
		momentum = 1 / float64(b.pass)
	}
	move := func(running *autograd.Var, batch *tensor.Tensor, factor float64) {
		moved := tensor.Scale(batch.Reshape(-1), momentum*factor)
		if b.pass != 1 { // else the old ones do not count, be they NaN
			moved = tensor.Add(tensor.Scale(running.Tensor(), 1-momentum), moved)
		}
		set(running, moved)
	}
	move(b.RunningMean, mean, 1)
	move(b.RunningVar, variance, float64(n)/float64(n-1))
	if t := b.NumBatchesTracked; t != nil {
		one := tensor.FullOn(t.Device(), tensor.Int64, 1, 1)
		if b.pass == 1 {
			set(t, one.Reshape())
		} else {
			set(t, tensor.Sum(tensor.Concat(0, t.Tensor().Reshape(1), one), false))
		}
	}
	if b.pass > 0 {
		b.pass++
	}
}

var batchNormType = reflect.TypeFor[BatchNorm1d]()

// UpdateBatchNorm makes the running estimates of every [BatchNorm1d] of a module anew, as
// torch.optim.swa_utils.update_bn does: they become the means over the batches that pass in
// forward, all batches counting the same. It is for weights that no training pass has had,
// such as those of an optim.Average:
//
//	back := average.Swap()
//	nn.UpdateBatchNorm(model, func() {
//		for x := range batches {
//			model.Forward(autograd.NoGrad(x))
//		}
//	})
//
// The module is in training mode while forward runs, dropout included, and then in the modes
// it had. A layer that no batch reaches keeps its estimates.
func UpdateBatchNorm(m any, forward func()) {
	const op = "UpdateBatchNorm"
	wantThere(op, "the function", forward != nil)
	before := momentOf(op, m)
	var layers []*BatchNorm1d
	w := walker{op: op, onStruct: func(_ string, v reflect.Value) {
		if v.Type() == batchNormType && v.CanAddr() && v.CanInterface() {
			layers = append(layers, v.Addr().Interface().(*BatchNorm1d))
		}
	}}
	w.run(m)
	defer func() {
		for _, b := range layers {
			b.pass = 0
		}
		before.restoreModes()
	}()
	for _, b := range layers {
		b.pass = 1
	}
	Train(m)
	forward()
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
	wantVars(op, x)
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
		wantType(op, p, x)
	}
}
