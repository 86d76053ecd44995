package main

// A training.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/backends"
	mlx "github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/gomlx/pkg/ml/train/losses"
	"github.com/gomlx/gomlx/pkg/ml/train/optimizers"

	"github.com/asterias-ml/asterias/benchmarks/peers/serve"
)

type trainer struct {
	task        *serve.Task
	ctx         *context.Context
	step, infer *context.Exec
	inputs      []any // see inputs
}

// numTargets is how many of the inputs only the loss needs.
const numTargets = 2

func newTrainer(backend backends.Backend, t *serve.Task, dropout float64, seed uint64) (serve.Trainer, error) {
	if t.Model != "gcn" && t.Model != "gin" && t.Model != "gat" {
		return nil, fmt.Errorf("no model %q", t.Model)
	}
	tr := &trainer{task: t, ctx: context.New(), inputs: inputs(t)}
	if err := tr.ctx.SetRNGStateFromSeed(int64(seed)); err != nil {
		return nil, err
	}
	for _, p := range t.Parameters {
		tr.ctx.VariableWithValue(p.Name, tensors.FromFlatDataAndDimensions(slices.Clone(p.Values), p.Shape...))
	}
	var err error
	tr.step, err = context.NewExec(backend, tr.ctx, func(ctx *context.Context, in []*mlx.Node) *mlx.Node {
		return trainStep(ctx, t, dropout, in)
	})
	if err != nil {
		return nil, err
	}
	tr.infer, err = context.NewExec(backend, tr.ctx, func(ctx *context.Context, in []*mlx.Node) *mlx.Node {
		return newModel(ctx, t, 0, in).logits()
	})
	return tr, err
}

// inputs are the rows to train on and their labels; sources, destinations and weights
// of the edges, in order of destinations; and the features.
func inputs(t *serve.Task) []any {
	order := make([]int, t.Edges)
	for e := range order {
		order[e] = e
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.Dst[a], t.Dst[b]) })
	norm := t.GCNWeights()
	src, dst, weights := make([]int32, t.Edges), make([]int32, t.Edges), make([]float32, t.Edges)
	for i, e := range order {
		src[i], dst[i], weights[i] = t.Src[e], t.Dst[e], norm[e]
	}
	labels := make([]int32, len(t.Train))
	for i, v := range t.Train {
		labels[i] = t.Labels[v]
	}
	all := []any{column(t.Train), column(labels), column(src), column(dst), column(weights)}
	if rows, columns, values, sparse := t.SparseFeatures(); sparse {
		return append(all, column(rows), column(columns), column(values))
	}
	return append(all, tensors.FromFlatDataAndDimensions(t.X, t.Vertices, t.Features))
}

func column[T int32 | float32](values []T) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(values, len(values), 1)
}

// newModel has the inputs without targets.
func newModel(ctx *context.Context, t *serve.Task, dropout float64, in []*mlx.Node) *model {
	return &model{task: t, ctx: ctx, dropout: dropout, src: in[0], dst: in[1], weights: in[2], features: in[3:]}
}

// trainStep is a step of Adam. The decay is part of the gradients; GoMLX's own is
// AdamW's.
func trainStep(ctx *context.Context, t *serve.Task, dropout float64, in []*mlx.Node) *mlx.Node {
	g := in[0].Graph()
	ctx.SetTraining(g, true)
	logits := newModel(ctx, t, dropout, in[numTargets:]).logits()
	rows, labels := in[0], in[1]
	loss := mlx.ReduceAllMean(losses.SparseCategoricalCrossEntropyLogits([]*mlx.Node{labels}, []*mlx.Node{mlx.Gather(logits, rows)}))
	penalty := mlx.ScalarZero(g, loss.DType())
	for v := range ctx.IterVariables() {
		if v.Trainable && v.InUseByGraph(g) {
			penalty = mlx.Add(penalty, mlx.L2NormSquare(v.ValueGraph(g)))
		}
	}
	total := mlx.Add(loss, mlx.MulScalar(penalty, t.WeightDecay/2))
	optimizers.Adam().LearningRate(t.LR).Epsilon(1e-8).Done().UpdateGraph(ctx, g, total)
	return loss
}

// Step makes a training step.
func (tr *trainer) Step() (float64, error) {
	out, err := tr.step.Exec(tr.inputs...)
	if err != nil {
		return 0, err
	}
	defer out[0].FinalizeAll()
	return float64(tensors.ToScalar[float32](out[0])), nil
}

// Logits runs the model without dropout.
func (tr *trainer) Logits() ([]float32, error) {
	out, err := tr.infer.Exec(tr.inputs[numTargets:]...)
	if err != nil {
		return nil, err
	}
	defer out[0].FinalizeAll()
	return tensors.CopyFlatData[float32](out[0])
}

func (tr *trainer) Close() error {
	tr.step.Finalize()
	tr.infer.Finalize()
	tr.ctx.Finalize()
	return nil
}
