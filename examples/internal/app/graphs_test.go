package app

// Cross-validation on graphs that are rings or paths.

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// ringsAndPaths returns n graphs of 3 to 5 vertices, which are alike but for their
// degrees.
func ringsAndPaths(t *testing.T, n int) *data.GraphDataset {
	t.Helper()
	d := &data.GraphDataset{Name: "rings", NumClasses: 2}
	vertices := 0
	for i := range n {
		size, label := 3+i/2%3, i%2
		var src, dst []int32
		for k := range size - label {
			u, v := int32(k), int32((k+1)%size)
			src, dst = append(src, u, v), append(dst, v, u)
		}
		g, err := graph.New(size, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		d.Graphs, d.Labels = append(d.Graphs, g), append(d.Labels, int32(label))
		vertices += size
	}
	d.Features = data.DenseFeatures(tensor.Full(tensor.Float32, 1, vertices, 1))
	return d
}

func smallGIN(d *data.GraphDataset, r *nn.RNG) GraphRun {
	model := gnn.NewGIN(d.Features.Cols(), 8, d.NumClasses, 1, gnn.GINConfig{}, 0, r)
	return GraphRun{
		Model:     model,
		Optimizer: optim.NewAdam(optim.Params(nn.Parameters(model)), optim.AdamConfig{LR: 0.02}),
		BatchSize: 16,
		Forward:   func(b *data.GraphBatch, x *autograd.Var) *autograd.Var { return model.Forward(b.Graph, x, b.Info) },
	}
}

func TestCrossValidationTellsRingsFromPaths(t *testing.T) {
	d := ringsAndPaths(t, 40)
	folds := data.KFold(d.Labels, 4, 1)
	validate := func(seed uint64) []float64 {
		trial := &Trial{Epochs: 4, Seed: seed, Stderr: io.Discard}
		accs, err := trial.crossValidate(context.Background(), d, folds, smallGIN)
		if err != nil {
			t.Fatal(err)
		}
		if len(accs) != 4 || len(trial.ms) != 4*4 {
			t.Errorf("%d accuracies and %d epochs of 4 folds", len(accs), len(trial.ms))
		}
		return accs
	}
	accs := validate(1)
	if mean, _ := meanStd(accs); mean < 0.9 {
		t.Errorf("the accuracies are %v", accs)
	}
	if again := validate(1); !slices.Equal(accs, again) {
		t.Errorf("the same seed gives %v and %v", accs, again)
	}
}

// The best of the epochs is measured.
func TestGraphsAreNotMeasuredAfterNoEpochs(t *testing.T) {
	err := graphs("gin", 1, smallGIN).run(context.Background(), []string{"-epochs", "0"}, io.Discard, io.Discard)
	if err == nil || err.Error() != "-epochs is 0; want at least 1" {
		t.Errorf("error %v", err)
	}
}

// An epoch of graphs is no pass over the training data.
func TestHelpSaysWhatEpochsCount(t *testing.T) {
	for _, c := range []struct {
		example Example
		want    string
	}{
		{graphs("gin", 1, smallGIN), "epochs of 50 random batches (default 1)"},
		{vertices("gcn", 1, smallGCN), "passes over the training data, at most (default 1)"},
	} {
		var help bytes.Buffer
		err := c.example.run(context.Background(), []string{"-h"}, io.Discard, &help)
		if !errors.Is(err, flag.ErrHelp) || !strings.Contains(help.String(), "-epochs int\n    \t"+c.want+"\n") {
			t.Errorf("%s: error %v, help lacks %q:\n%s", c.example.Model, err, c.want, &help)
		}
	}
}

func TestTheEpochOfTheHighestMeanIsReported(t *testing.T) {
	for _, c := range []struct {
		curves [][]float64
		want   []float64
	}{
		{[][]float64{{0.5}}, []float64{0.5}},
		{[][]float64{{1, 0.25, 0.5}, {0, 1, 0.25}}, []float64{0.25, 1}}, // not the highest of each
		{[][]float64{{0.5, 1}, {0.5, 0}}, []float64{0.5, 0.5}},          // the first of two
		{[][]float64{{0, 0}}, []float64{0}},
	} {
		if got := bestEpoch(c.curves); !slices.Equal(got, c.want) {
			t.Errorf("of %v: %v, want %v", c.curves, got, c.want)
		}
	}
}

func TestAttributesAreLeftOutWhereThereAreLabels(t *testing.T) {
	features := data.DenseFeatures(tensor.FromSlice([]float32{7, 1, 0, 8, 0, 1}, 2, 3))
	withTypes, err := graph.New(2, nil, nil, graph.WithVertexTypes([]int32{0, 1}, 2))
	if err != nil {
		t.Fatal(err)
	}
	without, err := graph.New(2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		g    *graph.Graph
		want []float64
	}{{withTypes, []float64{1, 0, 0, 1}}, {without, []float64{7, 1, 0, 8, 0, 1}}} {
		d := labelsAlone(&data.GraphDataset{Graphs: []*graph.Graph{c.g}, Features: features})
		if got := d.Features.Dense().Float64s(); !slices.Equal(got, c.want) {
			t.Errorf("%v: features %v, want %v", c.g, got, c.want)
		}
	}
}

func TestABatchHasDifferentGraphs(t *testing.T) {
	graphs := []int32{3, 5, 8, 9}
	for _, c := range []struct{ n, want int }{{0, 0}, {3, 3}, {4, 4}, {9, 4}} {
		got := slices.Sorted(slices.Values(sample(graphs, c.n, rand.New(rand.NewPCG(1, 2)))))
		if len(slices.Compact(got)) != c.want || slices.ContainsFunc(got, func(i int32) bool { return !slices.Contains(graphs, i) }) {
			t.Errorf("%d of %v: %v", c.n, graphs, got)
		}
	}
}
