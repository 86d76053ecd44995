// One training step of a two-layer perceptron, against PyTorch and stock
// Gorgonia.

package main

import (
	"math/rand/v2"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// A netSize is the sizes of the perceptron in → hidden → classes, trained on
// the first train of rows.
type netSize struct{ rows, in, hidden, classes, train int }

// coraNet is what a dense network on Cora, in its usual split, would be.
var coraNet = netSize{rows: 2708, in: 1433, hidden: 16, classes: 7, train: 140}

const (
	mlpRate        = 0.01
	mlpSteps       = 3 // whose losses must agree before the time counts
	mlpTorchTarget = 1.0
	// A fifth of Gorgonia's time.
	mlpGorgoniaTarget = 5
)

// An mlpTask is the same features, labels and first weights for every system.
// Weights are [in out].
type mlpTask struct {
	netSize
	x              *tensor.Tensor // [rows in]
	labels, train  []int32
	w1, b1, w2, b2 *tensor.Tensor
}

// newMLPTask draws features of which the given share is not zero: gonum skips
// zeros, which bag-of-words features such as Cora's mostly are.
func newMLPTask(s netSize, share float64) *mlpTask {
	t := &mlpTask{netSize: s, x: harness.Numbers(1, s.rows, s.in)}
	r := rand.New(rand.NewPCG(2, 2))
	if x := tensor.Data[float32](t.x); share < 1 {
		for i := range x {
			if r.Float64() >= share {
				x[i] = 0
			}
		}
	}
	for v := range s.rows {
		t.labels = append(t.labels, int32(r.IntN(s.classes)))
		if v < s.train {
			t.train = append(t.train, int32(v))
		}
	}
	m := t.model()
	t.w1, t.b1 = m.Hidden.Weight.Tensor(), m.Hidden.Bias.Tensor()
	t.w2, t.b2 = m.Out.Weight.Tensor(), m.Out.Bias.Tensor()
	return t
}

type mlp struct{ Hidden, Out *nn.Linear }

func (m *mlp) Forward(x *autograd.Var) *autograd.Var {
	return m.Out.Forward(m.Hidden.Forward(x).ReLU())
}

// model returns a new model, every time with the same weights.
func (t *mlpTask) model() *mlp {
	r := nn.NewRNG(3)
	return &mlp{nn.NewLinear(t.in, t.hidden, r), nn.NewLinear(t.hidden, t.classes, r)}
}

// step returns our training step on a new model; it gives the loss.
func (t *mlpTask) step() func() *autograd.Var {
	m := t.model()
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: mlpRate})
	x := autograd.Constant(t.x)
	return func() *autograd.Var {
		opt.ZeroGrad()
		loss := nn.CrossEntropy(m.Forward(x), t.labels, t.train)
		loss.Backward()
		opt.Step()
		return loss
	}
}

func (t *mlpTask) ours() (harness.Contender, error) {
	step := t.step()
	return harness.InProcess(func() { step() }, func() (losses []float32) {
		for range mlpSteps {
			losses = append(losses, float32(step().Item()))
		}
		return losses
	}), nil
}

// floats returns class or row numbers as PyTorch's side takes them.
func floats(ids []int32) *tensor.Tensor {
	data := make([]float32, len(ids))
	for i, v := range ids {
		data[i] = float32(v)
	}
	return tensor.FromSlice(data, len(data))
}

// cases: dense features, and features as sparse as Cora's but stored dense.
var mlpCases = []struct {
	name  string
	share float64
}{
	{"step, dense features", 1},
	{"step, 1.3 % of features not 0", 0.013},
}

func mlpSection(b *bench, s netSize) error {
	for _, c := range mlpCases {
		if !b.wanted(c.name) {
			continue
		}
		t := newMLPTask(s, c.share)
		args := map[string]any{"lr": mlpRate, "steps": mlpSteps}
		rivals := b.torchRivals(mlpTorchTarget, "mlp", args, t.x, t.w1, t.b1, t.w2, t.b2, floats(t.labels), floats(t.train))
		rivals = append(rivals, rival{peer: peerGorgonia, target: mlpGorgoniaTarget, enter: t.gorgonia})
		if err := b.compare(match{name: c.name, tolerance: 1e-4, ours: t.ours, rivals: rivals}); err != nil {
			return err
		}
	}
	return nil
}
