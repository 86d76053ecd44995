package app

// Classification of the vertices of one graph.

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// Run is a model ready to be trained from one seed.
type Run struct {
	Model     any                                 // whose modes are switched between training and evaluation
	Optimizer optim.Optimizer                     // over its parameters
	Forward   func(x *autograd.Var) *autograd.Var // the logits of all vertices from their features

	// Patience ends the training after so many epochs without a lower validation
	// loss; 0 goes on to the last epoch.
	Patience int

	// Epoch trains for one epoch, on a device, and returns the loss; nil makes one
	// step on all training vertices.
	Epoch func(ctx context.Context, epoch int, on *tensor.Device) (loss float64, err error)
}

// Setup makes a run from a dataset and a seed.
type Setup func(d *data.Dataset, r *nn.RNG) (Run, error)

// Main runs an example of vertex classification and exits. epochs is the default
// of -epochs.
func Main(model string, epochs int, setup Setup) { vertices(model, epochs, setup).Main() }

func vertices(model string, epochs int, setup Setup) Example {
	return Example{
		Model: model, Datasets: data.Names(), Dataset: "karate", Epochs: epochs,
		Once: func(ctx context.Context, t *Trial) ([]float64, error) {
			d, err := loadVertices(ctx, t)
			if err != nil {
				return nil, err
			}
			t.Describe("%s: %d vertices, %d edges, %d features, %d classes; %d train, %d val, %d test",
				d.Name, d.Graph.NumVertices(), d.Graph.NumEdges(), d.Features.Cols(), d.NumClasses, len(d.Train), len(d.Val), len(d.Test))
			r, err := setup(d, nn.NewRNG(t.Seed))
			if err != nil {
				return nil, err
			}
			best, err := t.train(ctx, d, r, newProgress(t.Stderr, fmt.Sprintf("%s seed %d", model, t.Seed), t.Epochs))
			return []float64{best.testAcc}, err
		},
	}
}

// HasPublicSplit tells whether a set comes with a split into training, validation
// and test vertices. The others get one from every seed.
func HasPublicSplit(dataset string) bool {
	switch dataset {
	case "karate", "cora", "citeseer", "pubmed":
		return true
	}
	return false
}

// loadVertices returns the set of a trial. Features are divided by their sum, as Kipf
// and Welling do, but for the Amazon sets, where they are as they are. A set without a
// public split is used as in "Pitfalls of Graph Neural Network Evaluation" (Shchur et
// al. 2018): its largest component, of whose classes 20 vertices each are drawn for
// training and 30 for validation.
func loadVertices(ctx context.Context, t *Trial) (*data.Dataset, error) {
	d, err := data.Load(ctx, t.Dataset, t.Data)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(t.Dataset, "amazon") {
		d = d.RowNormalize()
	}
	if !HasPublicSplit(t.Dataset) {
		d = d.LargestComponent()
		d.Train, d.Val, d.Test = data.RandomSplit(d.Labels, d.NumClasses, 20, 30, t.Seed)
	}
	return d, d.Validate()
}

// train trains and returns what was measured at the epoch of the lowest validation
// loss, as the papers choose their models (after the last epoch if there are no
// validation vertices).
func (t *Trial) train(ctx context.Context, d *data.Dataset, r Run, line *progress) (result, error) {
	defer line.done()
	nn.To(r.Model, t.Device)
	x := autograd.Input(d.Features).ToDevice(t.Device)
	if r.Epoch == nil {
		r.Epoch = func(context.Context, int, *tensor.Device) (float64, error) {
			r.Optimizer.ZeroGrad()
			loss := nn.CrossEntropy(r.Forward(x), d.Labels, d.Train)
			loss.Backward()
			r.Optimizer.Step()
			return loss.Item(), nil
		}
	}
	best, bestEpoch := evaluate(d, r, x), 0
	for epoch := 1; epoch <= t.Epochs; epoch++ {
		if err := ctx.Err(); err != nil {
			return best, err
		}
		start := time.Now()
		nn.SetTraining(r.Model, true)
		loss, err := r.Epoch(ctx, epoch, t.Device)
		if err != nil {
			return best, err
		}
		t.Timed(start)
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return best, fmt.Errorf("the loss is %v after %d epochs", loss, epoch)
		}
		now := evaluate(d, r, x)
		if len(d.Val) == 0 || now.valLoss < best.valLoss {
			best, bestEpoch = now, epoch
		}
		if line.due(epoch) {
			line.print(epoch, loss, now)
		}
		if r.Patience > 0 && epoch-bestEpoch >= r.Patience {
			break
		}
	}
	return best, nil
}

// result is what one evaluation saw.
type result struct {
	valLoss                   float64
	trainAcc, valAcc, testAcc float64
}

func evaluate(d *data.Dataset, r Run, x *autograd.Var) result {
	nn.SetTraining(r.Model, false)
	logits := r.Forward(autograd.NoGrad(x))
	e := result{
		trainAcc: nn.Accuracy(logits, d.Labels, d.Train),
		testAcc:  nn.Accuracy(logits, d.Labels, d.Test),
	}
	if len(d.Val) > 0 {
		e.valLoss = nn.CrossEntropy(logits, d.Labels, d.Val).Item()
		e.valAcc = nn.Accuracy(logits, d.Labels, d.Val)
	}
	return e
}
