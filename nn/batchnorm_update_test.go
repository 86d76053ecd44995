// The estimates of batch normalisations, made anew.

package nn_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// named is a layer that embeds a batch normalisation.
type named struct {
	*nn.BatchNorm1d
	Name string
}

func TestUpdateBatchNormMakesMeansOverTheBatches(t *testing.T) {
	for _, d := range []*tensor.Device{nil, densetest.Device(t)} {
		direct, embedded, idle := nn.NewBatchNorm1d(2, nn.BatchNormConfig{}), nn.NewBatchNorm1d(2, nn.BatchNormConfig{Momentum: 0.5}), nn.NewBatchNorm1d(2, nn.BatchNormConfig{})
		drop := nn.NewDropout(0.5, nn.NewRNG(1))
		m := &struct {
			Direct *nn.BatchNorm1d
			Named  named
			Drop   *nn.Dropout
			Idle   *nn.BatchNorm1d
		}{direct, named{embedded, "x"}, drop, idle}
		nn.To(m, d)
		direct.RunningMean.SetTensor(tensor.FullOn(d, tensor.Float32, math.NaN(), 2)) // to be forgotten
		idle.RunningVar.SetTensor(tensor.FullOn(d, tensor.Float32, 5, 2))
		nn.Eval(m)
		nn.Train(drop)
		batches := [][]float32{{0, 10, 2, 14}, {4, 0, 4, 0, 1, 6}, {1, 1, 7, 1}} // of two columns
		modes := ""
		nn.UpdateBatchNorm(m, func() {
			for _, b := range batches {
				x := autograd.NoGrad(autograd.Constant(tensor.FromSlice(slices.Clone(b), len(b)/2, 2).ToDevice(d)))
				m.Named.Forward(x)
				direct.Forward(x)
				modes = fmt.Sprint(direct.Training(), embedded.Training(), drop.Training(), idle.Training())
			}
		})
		// Means 1, 3, 4 and 12, 2, 1; unbiased variances 2, 3, 18 and 8, 12, 0.
		for name, b := range map[string]*nn.BatchNorm1d{"direct": direct, "embedded": embedded} {
			numtest.Near(t, name+" mean", b.RunningMean.Tensor().Float64s(), []float64{8. / 3, 5}, 1e-6)
			numtest.Near(t, name+" variance", b.RunningVar.Tensor().Float64s(), []float64{23. / 3, 20. / 3}, 1e-6)
			if n := b.NumBatchesTracked.Tensor(); n.Item() != 3 || n.Rank() != 0 {
				t.Errorf("%s: %v batches", name, n)
			}
		}
		if got := idle.RunningVar.Tensor().Float64s(); got[0] != 5 || idle.NumBatchesTracked.Tensor().Item() != 0 {
			t.Errorf("a layer without batches has the estimates %v", got)
		}
		if after := fmt.Sprint(direct.Training(), embedded.Training(), drop.Training(), idle.Training()); modes != "true true true true" || after != "false false true false" {
			t.Errorf("modes %s, afterwards %s", modes, after)
		}
		nn.Train(m) // and training goes on with its momentum
		x := autograd.Constant(tensor.FromSlice([]float32{0, 0, 2, 2}, 2, 2).ToDevice(d))
		embedded.Forward(x)
		numtest.Near(t, "a mean that moves on", embedded.RunningMean.Tensor().Float64s(), []float64{(8./3 + 1) / 2, 3}, 1e-6)
	}
}

func TestUpdateBatchNormEndsWithAPanic(t *testing.T) {
	b := nn.NewBatchNorm1d(1, nn.BatchNormConfig{Momentum: 0.5})
	nn.Eval(b)
	x := autograd.Constant(tensor.FromSlice([]float32{2, 4}, 2, 1))
	err := autograd.Try(func() {
		nn.UpdateBatchNorm(b, func() {
			b.Forward(x)
			b.Forward(autograd.Constant(tensor.Zeros(tensor.Float32, 1, 1)))
		})
	})
	if err == nil || b.Training() {
		t.Errorf("error %v, in training mode: %v", err, b.Training())
	}
	b.SetTraining(true)
	b.Forward(autograd.Constant(tensor.FromSlice([]float32{0, 2}, 2, 1)))
	if got := b.RunningMean.Tensor().At(0); got != 2 { // half of 3 and of 1
		t.Errorf("the mean moves to %v, want 2", got)
	}
	for want, f := range map[string]func(){
		"nn: UpdateBatchNorm: the function is nil": func() { nn.UpdateBatchNorm(b, nil) },
		"nn: UpdateBatchNorm: a module is a non-":  func() { nn.UpdateBatchNorm(3, func() {}) },
	} {
		if err := autograd.Try(f); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("misuse %v, want %q", err, want)
		}
	}
}
