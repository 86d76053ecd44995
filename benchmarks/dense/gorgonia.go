// Stock Gorgonia: its standard engine, tape machine and solver.

package main

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/tensor"
)

// gorgoniaBLAS names the BLAS under Gorgonia's standard engine.
func gorgoniaBLAS() string { return fmt.Sprintf("%T", gt.WhichBLAS()) }

// standard returns a copy of t on Gorgonia's standard engine, in the given shape.
func standard(t *tensor.Tensor, shape ...int) *gt.Dense {
	return gt.New(gt.WithShape(shape...), gt.WithBacking(slices.Clone(tensor.Data[float32](t))), gt.WithEngine(gt.StdEng{}))
}

// gorgonia is the perceptron as a Gorgonia user writes it. Only Gorgonia's
// one-hot targets differ: rows outside the training set are zero in them.
func (t *mlpTask) gorgonia() (harness.Contender, error) {
	g := gorgonia.NewGraph()
	matrix := func(name string, v *gt.Dense) *gorgonia.Node {
		return gorgonia.NewMatrix(g, gorgonia.Float32, gorgonia.WithName(name), gorgonia.WithShape(v.Shape()...), gorgonia.WithValue(v))
	}
	targets := tensor.Zeros(tensor.Float32, t.rows, t.classes)
	oneHot := tensor.Data[float32](targets)
	for _, v := range t.train {
		oneHot[int(v)*t.classes+int(t.labels[v])] = -1 / float32(len(t.train))
	}
	x, y := matrix("x", standard(t.x, t.rows, t.in)), matrix("y", standard(targets, t.rows, t.classes))
	w1, b1 := matrix("w1", standard(t.w1, t.in, t.hidden)), matrix("b1", standard(t.b1, 1, t.hidden))
	w2, b2 := matrix("w2", standard(t.w2, t.hidden, t.classes)), matrix("b2", standard(t.b2, 1, t.classes))

	loss, err := gorgoniaLoss(x, y, w1, b1, w2, b2)
	if err != nil {
		return harness.Contender{}, err
	}
	params := gorgonia.Nodes{w1, b1, w2, b2}
	if _, err := gorgonia.Grad(loss, params...); err != nil {
		return harness.Contender{}, err
	}
	vm := gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(params...))
	solver := gorgonia.NewAdamSolver(gorgonia.WithLearnRate(mlpRate))
	step := func() error {
		if err := vm.RunAll(); err != nil {
			return err
		}
		if err := solver.Step(gorgonia.NodesToValueGrads(params)); err != nil {
			return err
		}
		vm.Reset()
		return nil
	}
	return harness.Contender{
		Run: harness.RepeatTimed(func() {}, step),
		Output: func() (losses []float32, err error) {
			for range mlpSteps {
				if err := step(); err != nil {
					return nil, err
				}
				losses = append(losses, loss.Value().Data().(float32))
			}
			return losses, nil
		},
	}, nil
}

// gorgoniaLoss is -Σ y log softmax(relu(x·w1 + b1)·w2 + b2), the sign and the
// mean's factor being in y.
func gorgoniaLoss(x, y, w1, b1, w2, b2 *gorgonia.Node) (*gorgonia.Node, error) {
	var err error
	layer := func(x, w, b *gorgonia.Node) *gorgonia.Node {
		if err != nil {
			return nil
		}
		var xw, out *gorgonia.Node
		if xw, err = gorgonia.Mul(x, w); err != nil {
			return nil
		}
		out, err = gorgonia.BroadcastAdd(xw, b, nil, []byte{0})
		return out
	}
	unary := func(f func(*gorgonia.Node) (*gorgonia.Node, error), x *gorgonia.Node) *gorgonia.Node {
		if err != nil {
			return nil
		}
		var out *gorgonia.Node
		out, err = f(x)
		return out
	}
	hidden := unary(gorgonia.Rectify, layer(x, w1, b1))
	logProbs := unary(func(n *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.LogSoftMax(n) }, layer(hidden, w2, b2))
	masked := unary(func(n *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.HadamardProd(n, y) }, logProbs)
	loss := unary(func(n *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Sum(n) }, masked)
	return loss, err
}

// valueGrad is a parameter for Gorgonia's solvers.
type valueGrad struct{ value, grad *gt.Dense }

func (v valueGrad) Value() gorgonia.Value         { return v.value }
func (v valueGrad) Grad() (gorgonia.Value, error) { return v.grad, nil }
