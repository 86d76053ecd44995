// Small models trained end to end.

package nn_test

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

type mlp struct {
	nn.Mode
	Hidden, Out *nn.Linear
	Drop        *nn.Dropout
}

func (m *mlp) Forward(x *autograd.Var) *autograd.Var {
	return m.Out.Forward(m.Drop.Forward(m.Hidden.Forward(x).Tanh()))
}

// spirals returns n points on each of two interleaved spirals, and their arm.
func spirals(n int) (*autograd.Var, []int32) {
	x, labels := make([]float32, 0, 4*n), make([]int32, 0, 2*n)
	for i := range n {
		for arm := range 2 {
			r := 0.2 + 0.8*float64(i)/float64(n)
			angle := 5*r + math.Pi*float64(arm)
			x = append(x, float32(r*math.Cos(angle)), float32(r*math.Sin(angle)))
			labels = append(labels, int32(arm))
		}
	}
	return autograd.Constant(tensor.FromSlice(x, 2*n, 2)), labels
}

// train returns the loss of every step and the final accuracy.
func train(threads, steps int) (losses []float64, accuracy float64) {
	defer tensor.SetThreads(0)
	tensor.SetThreads(threads)
	x, labels := spirals(300)
	r := nn.NewRNG(42)
	m := &mlp{Hidden: nn.NewLinear(2, 64, r), Out: nn.NewLinear(64, 2, r), Drop: nn.NewDropout(0.1, r)}
	opt := optim.NewAdam([]optim.Group{
		{Params: nn.Parameters(m.Hidden), WeightDecay: 1e-5},
		{Params: nn.Parameters(m.Out)},
	}, optim.AdamConfig{LR: 0.02})
	for range steps {
		opt.ZeroGrad()
		loss := nn.CrossEntropy(m.Forward(x), labels, nil)
		loss.Backward()
		opt.Step()
		losses = append(losses, loss.Tensor().Item())
	}
	nn.SetTraining(m, false)
	return losses, nn.Accuracy(m.Forward(x), labels, nil)
}

func TestMLPLearnsSpiralsWithTheSameBitsForAnyNumberOfThreads(t *testing.T) {
	steps := 300
	losses, accuracy := train(1, steps)
	if first, last := losses[0], losses[steps-1]; !(last < 0.15*first) || accuracy < 0.98 {
		t.Errorf("loss %v -> %v, accuracy %v", first, last, accuracy)
	}
	if again, _ := train(2, steps); !slices.Equal(losses, again) {
		t.Error("two threads give other losses than one")
	}
}

func TestSequentialLearnsXOR(t *testing.T) {
	r := nn.NewRNG(7)
	m := nn.NewSequential(nn.NewLinear(2, 8, r), nn.Tanh(), nn.NewLinear(8, 1, r))
	x := autograd.Constant(tensor.FromSlice([]float32{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2))
	y := autograd.Constant(tensor.FromSlice([]float32{0, 1, 1, 0}, 4, 1))
	opt := optim.NewSGD(optim.Params(nn.Parameters(m)), optim.SGDConfig{LR: 0.5, Momentum: 0.9, Nesterov: true})
	var last float64
	for range 300 {
		opt.ZeroGrad()
		loss := nn.BCEWithLogits(m.Forward(x), y)
		loss.Backward()
		opt.Step()
		last = loss.Tensor().Item()
	}
	if !(last < 0.01) {
		t.Errorf("loss %v after training, want below 0.01", last)
	}
}
