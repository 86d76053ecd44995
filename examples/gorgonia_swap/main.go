// Command gorgonia_swap shows a Gorgonia user how a graph layer gets into a net
// that exists. It trains a multi-layer perceptron written in plain Gorgonia to
// classify the papers of Cora by their words, and then the same net with one
// layer swapped for a vertex-centric graph convolution, which also sees what a
// paper cites. Nodes, gorgonia.Grad, tape machine and solver stay what they are.
//
//	go run ./examples/gorgonia_swap
package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/autograd/gorgonianode"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/tensor/cpu"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// layer is how a net combines activations h [vertices in] with weights w [in out].
type layer func(h, w *gorgonia.Node) (*gorgonia.Node, error)

// dense is the layer of the perceptron: h·w.
func dense(h, w *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Mul(h, w) }

// convolve is the graph convolution of Kipf and Welling (ICLR 2017), as what one
// vertex does: it sums its neighbours and itself, weighed by their degrees. It is
// compiled to one kernel for the forward and one for the backward pass.
var convolve = vc.Compile("gcn", func(v vc.Vertex) vc.Value {
	norm := func(x vc.Vertex) vc.Value { return x.InDegree().AddScalar(1).Rsqrt() }
	message := func(x vc.Vertex) vc.Value { return x.Feature("h").Mul(norm(x)) }
	return vc.Sum(message(v.InNeighbors())).Add(message(v)).Mul(norm(v))
})

// swapped returns the layer to put in the place of a dense one. The function
// below runs on our tape; Apply makes it a Gorgonia node with gradients for h and
// w, which stay Gorgonia's. The graph is not an operand: the function captures it.
// opts can spare the gradient of h where it is the features.
func swapped(d *data.Dataset, opts ...gorgonianode.Option) layer {
	return func(h, w *gorgonia.Node) (*gorgonia.Node, error) {
		return gorgonianode.Apply("gcn", func(xs ...*autograd.Var) *autograd.Var {
			return convolve.Run(d.Graph, vc.VertexFeature("h", xs[0].MatMul(xs[1])))
		}, gorgonia.Nodes{h, w}, opts...)
	}
}

// net is a two-layer classifier in one expression graph.
type net struct {
	weights gorgonia.Nodes
	cost    gorgonia.Value // mean cross-entropy of the training vertices
	scores  gorgonia.Value // logarithms of the classes' probabilities [vertices classes]
	machine gorgonia.VM
}

// newNet builds softmax(second(relu(first(x, w1)), w2)) and its gradients.
func newNet(d *data.Dataset, hidden int, seed uint64, first, second layer) (*net, error) {
	g := gorgonia.NewGraph()
	features := d.Features.To(tensor.Float32).Dense()
	_, in := d.Features.Dims()
	r := rand.New(rand.NewPCG(seed, 0))
	matrix := func(name string, value *gt.Dense) *gorgonia.Node {
		return gorgonia.NewMatrix(g, gt.Float32, gorgonia.WithName(name), gorgonia.WithShape(value.Shape()...), gorgonia.WithValue(value))
	}
	x := matrix("x", features.Dense()) // a tensor of ours is a Gorgonia Dense: no copy
	target := matrix("target", targets(d))
	w1, w2 := matrix("w1", glorot(r, in, hidden)), matrix("w2", glorot(r, hidden, d.NumClasses))

	z1, err := first(x, w1)
	if err != nil {
		return nil, err
	}
	h, err := gorgonia.Rectify(z1)
	if err != nil {
		return nil, err
	}
	z2, err := second(h, w2)
	if err != nil {
		return nil, err
	}
	scores, err := gorgonia.LogSoftMax(z2, 1)
	if err != nil {
		return nil, err
	}
	picked, err := gorgonia.HadamardProd(scores, target)
	if err != nil {
		return nil, err
	}
	cost, err := gorgonia.Sum(picked)
	if err != nil {
		return nil, err
	}
	n := &net{weights: gorgonia.Nodes{w1, w2}}
	gorgonia.Read(cost, &n.cost)
	gorgonia.Read(scores, &n.scores)
	if _, err := gorgonia.Grad(cost, n.weights...); err != nil {
		return nil, err
	}
	// With our engine, Gorgonia's own operations run on our kernels too: the
	// products with the features are what a step of this net spends its time on.
	n.machine = gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(n.weights...), gorgonia.WithEngine(cpu.Engine{}))
	return n, nil
}

// targets is -1/|train| at the class of each training vertex, else 0: the cost is
// the sum of its product with the scores.
func targets(d *data.Dataset) *gt.Dense {
	t := make([]float32, d.Graph.NumVertices()*d.NumClasses)
	for _, v := range d.Train {
		t[int(v)*d.NumClasses+int(d.Labels[v])] = -1 / float32(len(d.Train))
	}
	return gt.New(gt.WithShape(d.Graph.NumVertices(), d.NumClasses), gt.WithBacking(t))
}

// glorot draws weights from Glorot and Bengio's uniform distribution.
func glorot(r *rand.Rand, in, out int) *gt.Dense {
	w := make([]float32, in*out)
	for i := range w {
		w[i] = float32((2*r.Float64() - 1) * math.Sqrt(6/float64(in+out)))
	}
	return gt.New(gt.WithShape(in, out), gt.WithBacking(w))
}

// result is what training a net came to.
type result struct {
	TestAcc float64 `json:"test_acc"` // at the best accuracy on the validation vertices
	Epoch   int     `json:"epoch"`    // when that was
	EpochMS float64 `json:"epoch_ms_median"`
}

// train runs the usual loop, with all vertices in each step.
func (n *net) train(ctx context.Context, d *data.Dataset, epochs int) (best result, err error) {
	defer n.machine.Close()
	solver := gorgonia.NewAdamSolver(gorgonia.WithLearnRate(0.01), gorgonia.WithL2Reg(5e-4))
	bestVal := -1.0
	var times []float64
	for epoch := 1; epoch <= epochs; epoch++ {
		if err := ctx.Err(); err != nil {
			return best, err
		}
		start := time.Now()
		if err := n.machine.RunAll(); err != nil {
			return best, err
		}
		if err := solver.Step(gorgonia.NodesToValueGrads(n.weights)); err != nil {
			return best, err
		}
		n.machine.Reset()
		times = append(times, time.Since(start).Seconds()*1e3)
		if cost := float64(n.cost.Data().(float32)); math.IsNaN(cost) || math.IsInf(cost, 0) {
			return best, fmt.Errorf("the cost is %v after %d epochs", cost, epoch)
		}
		if val := n.accuracy(d, d.Val); val > bestVal || len(d.Val) == 0 {
			bestVal = val
			best = result{TestAcc: n.accuracy(d, d.Test), Epoch: epoch}
		}
	}
	best.EpochMS = median(times)
	return best, nil
}

// accuracy is the fraction of the vertices whose highest score is at their class.
func (n *net) accuracy(d *data.Dataset, vertices []int32) float64 {
	scores, right := n.scores.Data().([]float32), 0
	for _, v := range vertices {
		row := scores[int(v)*d.NumClasses : (int(v)+1)*d.NumClasses]
		best := 0
		for c, s := range row {
			if s > row[best] {
				best = c
			}
		}
		if int32(best) == d.Labels[v] {
			right++
		}
	}
	return float64(right) / float64(max(1, len(vertices)))
}
