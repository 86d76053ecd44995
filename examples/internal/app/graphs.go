package app

// Classification of graphs, with cross-validation.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/optim"
)

// GraphRun is a model of graphs ready to be trained on one fold.
type GraphRun struct {
	Model     any
	Optimizer optim.Optimizer
	Schedules []train.Schedule
	BatchSize int

	// Forward returns the logits [graphs classes] of a batch whose vertices have x.
	Forward func(b *data.GraphBatch, x *autograd.Var) *autograd.Var
}

// GraphSetup makes a run from a dataset and a seed.
type GraphSetup func(d *data.GraphDataset, r *nn.RNG) GraphRun

// steps is how many steps an epoch has, as in the code of the GIN paper.
const steps = 50

// GraphMain runs an example of graph classification and exits. epochs is the
// default of -epochs.
//
// It is measured by the protocol of "How Powerful are Graph Neural Networks?" (Xu
// et al., ICLR 2019): a model is trained on nine of ten folds for each choice, an
// epoch being 50 batches drawn from them; the accuracies on the tenth are averaged
// over the folds, epoch by epoch, and the epoch where the mean is highest is
// reported, with mean and deviation over the folds. The folds thus choose the epoch
// and measure the accuracy: the result is a little better than on unseen graphs.
func GraphMain(model string, epochs int, setup GraphSetup) { graphs(model, epochs, setup).Main() }

func graphs(model string, epochs int, setup GraphSetup) Example {
	return Example{
		Model: model, Datasets: data.NamesOf(data.GraphTask), Dataset: "mutag", Epochs: epochs, MinEpochs: 1,
		Counts: fmt.Sprintf("epochs of %d random batches", steps),
		Once: func(ctx context.Context, t *Trial) ([]float64, error) {
			d, err := data.LoadGraphs(ctx, t.Dataset, t.Data)
			if err != nil {
				return nil, err
			}
			if d.Features.IsZero() {
				d = d.WithDegreeFeatures(100)
			}
			d = labelsAlone(d)
			folds, whose := d.Folds, "published"
			if folds == nil {
				folds, whose = data.KFold(d.Labels, 10, t.Seed), "drawn"
			}
			t.Describe("%s: %d graphs, %d features, %d classes; %d %s folds",
				d.Name, len(d.Graphs), d.Features.Cols(), d.NumClasses, 1+slices.Max(folds), whose)
			return t.crossValidate(ctx, d, folds, setup)
		},
	}
}

// labelsAlone leaves out the attributes of vertices that have labels too, as the
// paper does. Labels are the last columns, and the vertices' types.
func labelsAlone(d *data.GraphDataset) *data.GraphDataset {
	labels, cols := d.Graphs[0].NumVertexTypes(), d.Features.Cols()
	if labels == 0 || labels >= cols {
		return d
	}
	out := *d
	out.Features = data.DenseFeatures(d.Features.Dense().Narrow(1, cols-labels, cols).Contiguous())
	return &out
}

// crossValidate returns the accuracies on the folds at the epoch where their mean is
// highest.
func (t *Trial) crossValidate(ctx context.Context, d *data.GraphDataset, folds []int32, setup GraphSetup) ([]float64, error) {
	var curves [][]float64 // by fold, then by epoch
	for fold := range 1 + slices.Max(folds) {
		seed := t.Seed + uint64(fold)<<32
		curve, err := t.trainFold(ctx, d, folds, int(fold), seed, setup(d, nn.NewRNG(seed)))
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", fold, err)
		}
		curves = append(curves, curve)
	}
	return bestEpoch(curves), nil
}

// bestEpoch returns what the curves have at the first epoch where their mean is
// highest.
func bestEpoch(curves [][]float64) (best []float64) {
	bestMean := -1.0
	for epoch := range curves[0] {
		at := make([]float64, len(curves))
		for i, curve := range curves {
			at[i] = curve[epoch]
		}
		if mean, _ := meanStd(at); mean > bestMean {
			best, bestMean = at, mean
		}
	}
	return best
}

// trainFold trains on all folds but one and returns the accuracy on that one after
// each epoch.
func (t *Trial) trainFold(ctx context.Context, d *data.GraphDataset, folds []int32, fold int, seed uint64, r GraphRun) ([]float64, error) {
	training, testing := data.Fold(folds, fold)
	test := d.Batch(testing)
	fmt.Fprintf(t.Stderr, "seed %d, fold %d:\n", t.Seed, fold)
	nn.To(r.Model, t.Device)
	forward := func(b *data.GraphBatch) *autograd.Var {
		return r.Forward(b, autograd.Constant(b.Features).ToDevice(t.Device))
	}
	result, err := train.Run(ctx, train.Config{
		Model: r.Model, Optimizer: r.Optimizer, Schedules: r.Schedules, Epochs: t.Epochs, Seed: seed,
		Train: func(e *train.Epoch) error {
			start := time.Now()
			for i := range e.Steps(steps) {
				b := d.Batch(sample(training, r.BatchSize, rand.New(rand.NewPCG(e.Seed, uint64(i)))))
				if err := e.Step(nn.CrossEntropy(forward(b), b.Labels, nil)); err != nil {
					return err
				}
			}
			t.Timed(start)
			return nil
		},
		Evaluate: func(*train.Epoch) (train.Metrics, error) {
			logits := forward(test).Detach()
			return train.Metrics{"accuracy": nn.Accuracy(logits, test.Labels, nil)}, nil
		},
		Output: t.Stderr, PrintEvery: max(1, t.Epochs),
	})
	if err != nil {
		return nil, err
	}
	_, curve := result.History.Series("accuracy")
	return curve, nil
}

// sample draws n different graphs, or all if there are fewer.
func sample(graphs []int32, n int, r *rand.Rand) []int32 {
	drawn := make([]int32, 0, n)
	for _, i := range r.Perm(len(graphs))[:min(n, len(graphs))] {
		drawn = append(drawn, graphs[i])
	}
	return drawn
}
