// A step of Adam, against PyTorch's variants and Gorgonia's solver.

package main

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

const (
	adamRate        = 0.001
	adamSteps       = 3 // whose weights must agree before the time counts
	adamTorchTarget = 1.0
)

// An adamTask is parameters and their gradients, which stay the same in every
// step.
type adamTask struct{ weights, gradients []*tensor.Tensor }

// optimSection steps over n parameters, in one tensor and in many.
func optimSection(b *bench, n int) error {
	for _, tensors := range []int{1, 64} {
		name := fmt.Sprintf("Adam, %d parameters in %d tensors", n, tensors)
		if !b.wanted(name) {
			continue
		}
		var t adamTask
		for i := range tensors {
			t.weights = append(t.weights, harness.Numbers(uint64(2*i), n/tensors))
			t.gradients = append(t.gradients, harness.Numbers(uint64(2*i+1), n/tensors))
		}
		var rivals []rival
		for _, mode := range []string{"", "foreach", "fused"} {
			args := map[string]any{"lr": adamRate, "steps": adamSteps, "mode": mode}
			r := b.torchRivals(adamTorchTarget, "adam", args, slices.Concat(t.weights, t.gradients)...)[0]
			if mode != "" {
				r.label = r.peer + " " + mode
			}
			rivals = append(rivals, r)
		}
		rivals = append(rivals, rival{peer: peerGorgonia, enter: t.gorgonia})
		if err := b.compare(match{name: name, tolerance: 1e-5, ours: t.ours, rivals: rivals}); err != nil {
			return err
		}
	}
	return nil
}

func (t adamTask) ours() (harness.Contender, error) {
	var params []*autograd.Var
	for i, w := range t.weights {
		p := autograd.Parameter(w.Clone())
		p.BackwardWith(t.gradients[i]) // a leaf's gradient is the cotangent
		params = append(params, p)
	}
	opt := optim.NewAdam(optim.Params(params), optim.AdamConfig{LR: adamRate})
	return harness.InProcess(opt.Step, func() (weights []float32) {
		for range adamSteps {
			opt.Step()
		}
		for _, p := range params {
			weights = append(weights, tensor.Data[float32](p.Tensor())...)
		}
		return weights
	}), nil
}

// gorgonia fills the gradients in before every step, because Gorgonia's solver
// uses them up; that is not timed.
func (t adamTask) gorgonia() (harness.Contender, error) {
	var params []valueGrad
	var model []gorgonia.ValueGrad
	for i, w := range t.weights {
		p := valueGrad{standard(w, w.Size()), standard(t.gradients[i], w.Size())}
		params, model = append(params, p), append(model, p)
	}
	solver := gorgonia.NewAdamSolver(gorgonia.WithLearnRate(adamRate))
	refill := func() {
		for i, p := range params {
			copy(p.grad.Float32s(), tensor.Data[float32](t.gradients[i]))
		}
	}
	step := func() error { return solver.Step(model) }
	return harness.Contender{Run: harness.RepeatTimed(refill, step), Output: func() (weights []float32, err error) {
		for range adamSteps {
			refill()
			if err := step(); err != nil {
				return nil, err
			}
		}
		for _, p := range params {
			weights = append(weights, p.value.Float32s()...)
		}
		return weights, nil
	}}, nil
}
