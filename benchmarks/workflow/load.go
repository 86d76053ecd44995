package workflow

// Tasks: Cora and its like, generated graphs, and one of next to nothing.

import (
	"context"
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// Load reads a dataset of package data, such as "cora", from a folder; rows of
// features are normalised to a sum of 1.
func Load(dir, name string) (*Task, error) {
	d, err := data.Load(context.Background(), name, data.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	return &Task{
		Name: name, Graph: d.Graph, X: autograd.Input(d.RowNormalize().Features), Labels: d.Labels, Classes: d.NumClasses,
		Train: d.Train, Val: d.Val, Test: d.Test,
	}, nil
}

// Random returns an R-MAT graph with dense features from U(-1/2, 1/2). Labels are
// drawn too, so there is nothing to learn: it is a task to be timed.
func Random(vertices, edges, features, classes int, seed uint64) (*Task, error) {
	g, err := data.RMAT(data.RMATConfig{Vertices: vertices, Edges: edges, Seed: seed})
	if err != nil {
		return nil, err
	}
	return random(fmt.Sprintf("rmat-%d-%d", vertices, edges), g, features, classes, seed), nil
}

// random puts features and labels on a graph. Of ten vertices one is to train on,
// one to validate and one to test.
func random(name string, g *graph.Graph, features, classes int, seed uint64) *Task {
	n := g.NumVertices()
	x := make([]float32, n*features)
	for i := range x {
		x[i] = float32(rng.Uniform(rng.Fold(seed, 1), uint64(i)) - 0.5)
	}
	t := &Task{Name: name, Graph: g, X: autograd.Constant(tensor.FromSlice(x, n, features)), Classes: classes, Labels: make([]int32, n)}
	parts := []*[]int32{&t.Train, &t.Val, &t.Test}
	for v := range int32(n) {
		t.Labels[v] = int32(rng.Uniform(rng.Fold(seed, 2), uint64(v)) * float64(classes))
		if part := int(v) % 10; part < len(parts) {
			*parts[part] = append(*parts[part], v)
		}
	}
	return t
}

// Shrunk returns two vertices with an edge each way, one feature, one class: the
// operations of a step on it are those of any other, with nothing to compute. What
// the step takes is the framework's.
func Shrunk() *Task {
	g, err := graph.New(2, []int32{0, 1}, []int32{1, 0})
	if err != nil {
		panic("BUG: workflow: " + err.Error())
	}
	return random("shrunk", g, 1, 1, 1)
}

// ShrunkConfig is a config with widths of 1, for [Shrunk].
func ShrunkConfig(c Config) Config {
	c.Hidden = 1
	return c
}
