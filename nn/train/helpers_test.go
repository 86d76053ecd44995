package train_test

// What the tests share: a small run with everything random in it.

import (
	"context"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

const steps = 3 // an epoch of a toy

type model struct {
	nn.Mode
	In, Out *nn.Linear
	Drop    *nn.Dropout
	Norm    *nn.BatchNorm1d
}

func (m *model) Forward(x *autograd.Var) *autograd.Var {
	return m.Out.Forward(m.Drop.Forward(m.Norm.Forward(m.In.Forward(x)).ReLU()))
}

// A loop is one way to write the function Train.
type loop func(y *toy, e *train.Epoch) error

var loops = map[string]loop{
	"one step": func(y *toy, e *train.Epoch) error { return y.step(e, 0) },
	"Steps": func(y *toy, e *train.Epoch) error {
		for i := range e.Steps(steps) {
			if err := y.step(e, i); err != nil {
				return err
			}
		}
		return nil
	},
	"Batches": func(y *toy, e *train.Epoch) error {
		for i := range train.Batches(e, y.batches(e.Context())) {
			if err := y.step(e, i); err != nil {
				return err
			}
		}
		return nil
	},
}

// toy is a run on random numbers.
type toy struct {
	train.Config
	model *model
	ctx   context.Context
	x     *tensor.Tensor
	at    func(what string, epoch, step int) // called before every step and evaluation
}

func newToy(seed uint64, dir string, f loop) *toy {
	r := nn.NewRNG(seed)
	m := &model{In: nn.NewLinear(4, 6, r), Norm: nn.NewBatchNorm1d(6, nn.BatchNormConfig{}), Drop: nn.NewDropout(0.4, r), Out: nn.NewLinear(6, 3, r)}
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.05})
	y := &toy{model: m, ctx: context.Background(), x: tensor.Randn(tensor.Float32, 7, 12, 4), at: func(string, int, int) {}}
	y.Config = train.Config{
		Model: m, Optimizer: opt, Epochs: 4,
		Train:         func(e *train.Epoch) error { return f(y, e) },
		Evaluate:      y.evaluate,
		AfterBackward: func() { optim.ClipGradNorm(nn.Parameters(m), 0.5) },
		Schedules:     []train.Schedule{train.EachStep(optim.NewCosineLR(opt, optim.CosineLRConfig{Steps: 12}))},
		Monitor:       "val_loss",
		Seed:          3,
		Dir:           dir,
		Output:        io.Discard,
	}
	return y
}

func (y *toy) run() (*train.Result, error) { return train.Run(y.ctx, y.Config) }

func (y *toy) batches(ctx context.Context) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range steps {
			if !yield(i, ctx.Err()) {
				return
			}
		}
	}
}

var labels = []int32{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}

// step trains on rows that follow from the epoch and the step.
func (y *toy) step(e *train.Epoch, i int) error {
	y.at("step", e.Number, i)
	return e.Step(nn.CrossEntropy(y.model.Forward(autograd.Constant(y.x)), labels, toyRows(e.Seed, i)))
}

func toyRows(seed uint64, i int) (rows []int32) {
	for _, r := range rand.New(rand.NewPCG(seed, uint64(i))).Perm(12)[:8] {
		rows = append(rows, int32(r))
	}
	return rows
}

func (y *toy) evaluate(e *train.Epoch) (train.Metrics, error) {
	y.at("evaluation", e.Number, 0)
	logits := y.model.Forward(autograd.NoGrad(autograd.Constant(y.x)))
	return train.Metrics{
		"val_loss": nn.CrossEntropy(logits, labels, nil).Tensor().Item(),
		"val_acc":  nn.Accuracy(logits, labels, nil),
	}, e.Context().Err()
}

// numbers are the model's parameters and buffers and the learning rate.
func (y *toy) numbers() []float64 {
	all := []float64{y.Optimizer.Groups()[0].LR}
	for _, s := range nn.State(y.model) {
		all = append(all, s.Var.Tensor().Float64s()...)
	}
	return all
}

func read(t *testing.T, elem ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// fileNames lists a folder.
func fileNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names
}
