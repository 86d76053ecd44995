// Chains of element-wise operations and reductions, against PyTorch's eager
// mode: the result alone, and the result with the gradients of all inputs.

package main

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/tensor"
)

const elementwiseTarget = 1.0

// A chain is a function of some equally shaped inputs. torch.py has each under
// its name, spelt with the same operations in the same order.
type chain struct {
	name   string
	inputs int
	f      func(xs []*autograd.Var) *autograd.Var
	freed  bool // the caller frees the result when it has been read, as PyTorch's reference counts do
	sliced bool // the caller has slices of the inputs and may write to them, so nothing waits that reads them
}

// reluFreed is the first chain with every result freed by hand when it has been read.
var reluFreed = chain{name: "relu(a·b+c)·0.5", inputs: 3, freed: true, sliced: true, f: func(xs []*autograd.Var) *autograd.Var {
	product := tensor.Mul(xs[0].Tensor(), xs[1].Tensor())
	sum := tensor.Add(product, xs[2].Tensor())
	product.Free()
	positive := tensor.ReLU(sum)
	sum.Free()
	defer positive.Free()
	return autograd.Constant(tensor.Scale(positive, 0.5))
}}

// inBlocks returns the chain computed a cache-sized block at a time: what ours
// offers for chains on large tensors. The peers compute the same as before.
func (c chain) inBlocks() chain {
	f := c.f
	c.freed = true
	c.f = func(xs []*autograd.Var) *autograd.Var {
		return autograd.Blockwise(func(xs ...*autograd.Var) *autograd.Var { return f(xs) }, xs...)
	}
	return c
}

// ofSlices returns the chain on inputs that the caller has slices of.
func (c chain) ofSlices() chain {
	c.sliced = true
	return c
}

// inScope returns the chain computed in an autograd.Scope.
func (c chain) inScope() chain {
	f := c.f
	c.freed = true
	c.f = func(xs []*autograd.Var) *autograd.Var {
		return autograd.Scope(func(xs ...*autograd.Var) *autograd.Var { return f(xs) }, xs...)
	}
	return c
}

var (
	flatChains = []chain{
		{name: "relu(a·b+c)·0.5", inputs: 3, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Mul(xs[1]).Add(xs[2]).ReLU().Scale(0.5) }},
		{name: "sigmoid(x)·tanh(y)", inputs: 2, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Sigmoid().Mul(xs[1].Tanh()) }},
		{name: "log(sqrt(exp(x)+1))", inputs: 1, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Exp().AddScalar(1).Sqrt().Log() }},
		{name: "gelu(x)", inputs: 1, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].GELU() }},
	}
	narrowChains = []chain{
		{name: "(x-mean)/std", inputs: 1, f: standardise},
		{name: "softmax(x)", inputs: 1, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Softmax() }},
		{name: "sum over axis 0", inputs: 1, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Sum(0) }},
	}
	squareChains = []chain{
		{name: "softmax(x)", inputs: 1, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Softmax() }},
		{name: "sum over axis 0", inputs: 1, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Sum(0) }},
		{name: "sum over axis 1", inputs: 1, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Sum(1) }},
		{name: "mean over axis 0", inputs: 1, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Mean(0) }},
		{name: "mean over axis 1", inputs: 1, f: func(xs []*autograd.Var) *autograd.Var { return xs[0].Mean(1) }},
	}
)

// standardise gives every column mean 0 and variance 1.
func standardise(xs []*autograd.Var) *autograd.Var {
	d := xs[0].Sub(xs[0].Mean(0))
	return d.Mul(d.Mul(d).Mean(0).AddScalar(1e-5).Rsqrt())
}

// narrow is the width of features after a GNN's first layer.
const narrow = 16

// elementwiseSection runs every chain on about n numbers: as a vector, as a
// narrow matrix, as a square one.
func elementwiseSection(b *bench, n int) error {
	side := 1
	for side*side < n {
		side++
	}
	if err := b.compareChain(reluFreed, fmt.Sprintf("%s [%d] freed by hand", reluFreed.name, n), tensor.Shape{n}, false); err != nil {
		return err
	}
	plain := flatChains[0]
	if err := b.compareChain(plain.ofSlices(), fmt.Sprintf("%s [%d] of slices", plain.name, n), tensor.Shape{n}, false); err != nil {
		return err
	}
	for _, group := range []struct {
		chains []chain
		shape  tensor.Shape
	}{
		{flatChains, tensor.Shape{n}},
		{narrowChains, tensor.Shape{n / narrow, narrow}},
		{squareChains, tensor.Shape{side, side}},
	} {
		for _, c := range group.chains {
			for _, grad := range []bool{false, true} {
				if err := b.compareChain(c, fmt.Sprintf("%s %v", c.name, group.shape), group.shape, grad); err != nil {
					return err
				}
				if !grad {
					if err := b.compareChain(c.inScope(), fmt.Sprintf("%s %v in a scope", c.name, group.shape), group.shape, false); err != nil {
						return err
					}
				}
				if len(group.shape) > 1 {
					continue
				}
				if err := b.compareChain(c.inBlocks(), fmt.Sprintf("%s %v in blocks", c.name, group.shape), group.shape, grad); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *bench) compareChain(c chain, name string, shape tensor.Shape, grad bool) error {
	shapes := make([]tensor.Shape, c.inputs)
	for i := range shapes {
		shapes[i] = shape
	}
	return b.compareOn(c, name, shapes, tensor.Float32, elementwiseTarget, grad)
}

// compareOn compares a chain on inputs of given shapes and type, or its gradients.
func (b *bench) compareOn(c chain, name string, shapes []tensor.Shape, dt tensor.DType, target float64, grad bool) error {
	if grad {
		name += " and gradient"
	}
	if !b.wanted(name) {
		return nil
	}
	var data []*tensor.Tensor
	for i, shape := range shapes {
		data = append(data, harness.Numbers(uint64(i+1), shape...))
	}
	inputs := inType(dt, data)
	ours := c.forward(inputs)
	if grad {
		constants := vars(autograd.Constant, inputs)
		cotangent := harness.Numbers(100, c.f(constants).Shape()...)
		ours = c.backward(inputs, cotangent.To(dt))
		data = append(data, cotangent)
	}
	args := map[string]any{"name": c.name, "grad": grad, "double": dt == tensor.Float64}
	return b.compare(match{name: name, tolerance: 1e-4, ours: ours, rivals: b.torchRivals(target, "chain", args, data...)})
}

func inType(dt tensor.DType, data []*tensor.Tensor) (out []*tensor.Tensor) {
	for _, t := range data {
		out = append(out, t.To(dt))
	}
	return out
}

// single returns the elements as the peers send theirs.
func single(t *tensor.Tensor) []float32 {
	return slices.Clone(tensor.Data[float32](t.To(tensor.Float32).Contiguous()))
}

func vars(leaf func(*tensor.Tensor) *autograd.Var, data []*tensor.Tensor) (xs []*autograd.Var) {
	for _, t := range data {
		xs = append(xs, leaf(t))
	}
	return xs
}

// forward computes the result only.
func (c chain) forward(data []*tensor.Tensor) entry {
	return func() (harness.Contender, error) {
		if !c.sliced {
			data = slices.Clone(data)
			for i, t := range data {
				data[i] = t.Clone()
			}
		}
		xs := vars(autograd.Constant, data)
		step := func() {
			if y := c.f(xs).Tensor(); c.freed { // Tensor computes what was put off
				y.Free()
			}
		}
		return harness.InProcess(step, func() []float32 { return single(c.f(xs).Tensor()) }), nil
	}
}

// backward computes the result and the gradients of all inputs, which are its
// output.
func (c chain) backward(data []*tensor.Tensor, cotangent *tensor.Tensor) entry {
	return func() (harness.Contender, error) {
		xs := vars(autograd.Variable, data)
		step := func() {
			for _, x := range xs {
				x.ZeroGrad()
			}
			y := c.f(xs)
			if y.BackwardWith(cotangent); c.freed {
				y.Tensor().Free()
			}
		}
		return harness.InProcess(step, func() (gradients []float32) {
			step()
			for _, x := range xs {
				gradients = append(gradients, single(x.Gradient())...)
			}
			return gradients
		}), nil
	}
}
