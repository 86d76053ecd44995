package workflow

// The training step and loop, the same for every form.

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
)

// A Trainer trains a model on a task with Adam; weight decay is that of all
// parameters. Panics of a system that fails come out of its methods as errors.
type Trainer struct {
	Model *Model
	Task  *Task

	optimizer *optim.Adam
	steps     uint64
}

// NewTrainer returns the trainer of a fresh model. The task's features are where the
// model's parameters are.
func NewTrainer(m *Model, t *Task) *Trainer {
	groups := []optim.Group{{Params: m.Params.Vars(), WeightDecay: m.Config.WeightDecay}}
	return &Trainer{Model: m, Task: t, optimizer: optim.NewAdam(groups, optim.AdamConfig{LR: m.Config.LR})}
}

// Step makes a training step on all training vertices: forward, loss, backward, Adam.
// It returns the loss before the step, still where the model computes.
func (tr *Trainer) Step() *autograd.Var {
	tr.steps++
	seed := rng.Fold(tr.Model.Config.Seed, tr.steps)
	tr.optimizer.ZeroGrad()
	loss := tr.backward(&seed)
	tr.optimizer.Step()
	return loss
}

// backward computes loss and gradients; intermediate results end with it.
func (tr *Trainer) backward(seed *uint64) *autograd.Var {
	return autograd.Scope(func(xs ...*autograd.Var) *autograd.Var {
		loss := nn.CrossEntropy(tr.Model.Forward(xs[0], seed), tr.Task.Labels, tr.Task.Train)
		loss.Backward()
		return loss
	}, tr.Task.X)
}

// Losses makes steps and returns the loss before each.
func (tr *Trainer) Losses(steps int) (losses []float64, err error) {
	err = autograd.Try(func() {
		for range steps {
			losses = append(losses, tr.Step().Item())
		}
	})
	return losses, err
}

// Accuracies are what a training gave.
type Accuracies struct {
	Val  float64 `json:"val"`
	Test float64 `json:"test"`
	Loss float64 `json:"loss"` // of validation
}

// Train makes steps and returns the accuracies after the one with the lowest
// validation loss.
func (tr *Trainer) Train(epochs int) (best Accuracies, err error) {
	best.Loss = math.Inf(1)
	err = autograd.Try(func() {
		x := autograd.NoGrad(tr.Task.X)
		for range epochs {
			tr.Step()
			logits := tr.Model.Forward(x, nil)
			loss := nn.CrossEntropy(logits, tr.Task.Labels, tr.Task.Val).Item()
			if loss < best.Loss {
				best = Accuracies{
					Val:  nn.Accuracy(logits, tr.Task.Labels, tr.Task.Val),
					Test: nn.Accuracy(logits, tr.Task.Labels, tr.Task.Test),
					Loss: loss,
				}
			}
		}
	})
	if err == nil && math.IsInf(best.Loss, 1) {
		err = fmt.Errorf("workflow: %v on %s: no validation loss in %d epochs is finite", tr.Model.Config, tr.Task.Name, epochs)
	}
	return best, err
}
