// A training loop with clipped gradients and a schedule.

package optim_test

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func ExampleScheduler() {
	w := autograd.Parameter(tensor.FromSlice([]float64{30, -40}, 2))
	params := []*autograd.Var{w}
	opt := optim.NewSGD(optim.Params(params), optim.SGDConfig{LR: 1})
	schedule := optim.NewStepLR(opt, optim.StepLRConfig{StepSize: 2})
	for range 4 {
		opt.ZeroGrad()
		w.Square().Sum().Backward() // gradient 2w
		norm := optim.ClipGradNorm(params, 5)
		opt.Step()
		x := w.Tensor().Float64s()
		fmt.Printf("lr %.1f, gradient norm %.0f, w = [%.1f %.1f]\n", opt.Groups()[0].LR, norm, x[0], x[1])
		schedule.Step()
	}
	// Output:
	// lr 1.0, gradient norm 100, w = [27.0 -36.0]
	// lr 1.0, gradient norm 90, w = [24.0 -32.0]
	// lr 0.1, gradient norm 80, w = [23.7 -31.6]
	// lr 0.1, gradient norm 79, w = [23.4 -31.2]
}

// The weight of a noisy loss goes to and fro about its best value, 3; its average does less.
func ExampleAverage() {
	w := autograd.Parameter(tensor.FromSlice([]float64{0}, 1))
	params := []*autograd.Var{w}
	opt := optim.NewSGD(optim.Params(params), optim.SGDConfig{LR: 0.4})
	average := optim.NewAverage(params, optim.AverageConfig{Decay: 0.9})
	for step := range 100 {
		noise := []float64{2, -1, 1, -2}[step%4]
		opt.ZeroGrad()
		w.AddScalar(-3 - noise).Square().Sum().Backward()
		opt.Step()
		average.Update()
	}
	fmt.Printf("trained %.2f\n", w.Item())
	back := average.Swap()
	fmt.Printf("average %.2f\n", w.Item())
	back()
	fmt.Printf("trained %.2f\n", w.Item())
	// Output:
	// trained 1.54
	// average 2.91
	// trained 1.54
}
