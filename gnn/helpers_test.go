package gnn_test

// What the tests share: data, training, and the parameters as numbers.

import (
	"errors"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// model is what the models of this package have in common.
type model interface {
	Forward(g *graph.Graph, x *autograd.Var) *autograd.Var
}

// messy has an isolated vertex (5), vertices without in- or out-edges,
// self-loops and duplicate edges.
func messy(t testing.TB) *graph.Graph {
	return mustGraph(t, 6,
		[]int32{3, 0, 2, 1, 0, 2, 2, 0, 1, 3, 0, 2},
		[]int32{0, 1, 0, 4, 1, 2, 1, 0, 0, 4, 2, 2})
}

func mustGraph(t testing.TB, n int, src, dst []int32) *graph.Graph {
	t.Helper()
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// random is a graph with edges drawn with replacement.
func random(t testing.TB, n, edges int) *graph.Graph {
	t.Helper()
	src, dst := make([]int32, edges), make([]int32, edges)
	for e := range edges {
		src[e], dst[e] = int32(rng.Hash(1, uint64(e))%uint64(n)), int32(rng.Hash(2, uint64(e))%uint64(n))
	}
	return mustGraph(t, n, src, dst)
}

func randn(dt tensor.DType, seed uint64, shape ...int) *tensor.Tensor {
	x := make([]float64, tensor.Shape(shape).Size())
	for i := range x {
		x[i] = rng.Normal(seed, uint64(i))
	}
	return tensor.FromSlice(x, shape...).To(dt)
}

// blocks is a stochastic block model of three classes.
func blocks(t testing.TB) *data.Dataset {
	t.Helper()
	d, err := data.SBM(data.SBMConfig{Sizes: []int{110, 100, 90}, PIn: 0.15, POut: 0.01, Features: 12, Noise: 1.5, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func newAdam(m any) optim.Optimizer {
	return optim.NewAdam([]optim.Group{{Params: nn.Parameters(m), WeightDecay: 5e-4}}, optim.AdamConfig{LR: 0.01})
}

// train makes steps of training and returns the last loss.
func train(m model, opt optim.Optimizer, d *data.Dataset, g *graph.Graph, x *autograd.Var, steps int) (loss float64) {
	nn.SetTraining(m, true)
	for range steps {
		opt.ZeroGrad()
		l := nn.CrossEntropy(m.Forward(g, x), d.Labels, d.Train)
		l.Backward()
		opt.Step()
		loss = l.Tensor().Item()
	}
	return loss
}

func accuracy(m model, d *data.Dataset, g *graph.Graph, x *autograd.Var, rows []int32) float64 {
	nn.SetTraining(m, false)
	return nn.Accuracy(m.Forward(g, x), d.Labels, rows)
}

var near, sameBits = numtest.Near, numtest.SameBits

// isMisuse tells whether an error is marked as wrong use of the API and contains a
// text.
func isMisuse(err error, text string) bool {
	_, ok := errors.AsType[interface {
		error
		Misuse()
	}](err)
	return ok && strings.Contains(err.Error(), text)
}
