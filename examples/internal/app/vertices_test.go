package app

// How vertex classification loads, splits and stops.

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func blocks(t *testing.T) *data.Dataset {
	t.Helper()
	d, err := data.SBM(data.SBMConfig{Sizes: []int{80, 80}, PIn: 0.06, POut: 0.01, Features: 8, Noise: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSetsWithoutAPublicSplitGetOneFromEverySeed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "npz"), 0o755); err != nil {
		t.Fatal(err)
	}
	all := blocks(t)
	if err := all.WriteNPZ(filepath.Join(dir, "npz", "cora_ml.npz")); err != nil {
		t.Fatal(err)
	}
	load := func(seed uint64) *data.Dataset {
		d, err := loadVertices(context.Background(), &Trial{Dataset: "cora-ml", Data: data.Options{Dir: dir, Seed: seed}, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first, second := load(1), load(2)
	if len(first.Train) != 40 || len(first.Val) != 60 || len(first.Train)+len(first.Val)+len(first.Test) != first.Graph.NumVertices() {
		t.Errorf("%d train, %d validation, %d test of %d vertices", len(first.Train), len(first.Val), len(first.Test), first.Graph.NumVertices())
	}
	if slices.Equal(first.Train, second.Train) || !slices.Equal(first.Train, load(1).Train) {
		t.Errorf("the training vertices of seeds 1 and 2 are %v and %v", first.Train, second.Train)
	}
	if want := len(data.LargestComponent(all.Graph)); first.Graph.NumVertices() != want {
		t.Errorf("%d vertices, want the %d of the largest component", first.Graph.NumVertices(), want)
	}
}

func TestTrainingEndsAfterThePatience(t *testing.T) {
	d := blocks(t)
	model := gnn.NewGCN(d.Features.Cols(), 4, d.NumClasses, 0, nn.NewRNG(1))
	for _, c := range []struct {
		lr             float64
		patience, want int
	}{
		{1e-30, 0, 20}, // weights that never change
		{1e-30, 7, 7},
		{0.001, 7, 20}, // a loss that falls all the time
	} {
		trial := &Trial{Epochs: 20}
		run := Run{
			Model:     model,
			Optimizer: optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: c.lr}),
			Forward:   func(x *autograd.Var) *autograd.Var { return model.Forward(d.Graph, x) },
			Patience:  c.patience,
		}
		if _, err := trial.train(context.Background(), d, run, newProgress(io.Discard, "", 20)); err != nil {
			t.Fatal(err)
		}
		if got := len(trial.ms); got != c.want {
			t.Errorf("learning rate %v, patience %d: %d epochs, want %d", c.lr, c.patience, got, c.want)
		}
	}
}

func TestAnEpochOfTheExampleTakesThePlaceOfTheStep(t *testing.T) {
	d := blocks(t)
	model := gnn.NewGCN(d.Features.Cols(), 4, d.NumClasses, 0, nn.NewRNG(1))
	before := slices.Clone(model.Conv1.Weight.Tensor().Float64s())
	broken := errors.New("broken")
	var epochs []int
	run := Run{
		Model:   model,
		Forward: func(x *autograd.Var) *autograd.Var { return model.Forward(d.Graph, x) },
		Epoch: func(_ context.Context, epoch int, _ *tensor.Device) (float64, error) {
			if epochs = append(epochs, epoch); epoch == 3 {
				return 0, broken
			}
			return 1, nil
		},
	}
	trial := &Trial{Epochs: 20}
	if _, err := trial.train(context.Background(), d, run, newProgress(io.Discard, "", 20)); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	if !slices.Equal(epochs, []int{1, 2, 3}) {
		t.Errorf("the epochs are %v", epochs)
	}
	if !slices.Equal(model.Conv1.Weight.Tensor().Float64s(), before) {
		t.Error("the weights have changed")
	}
}
