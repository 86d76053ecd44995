// Our contenders.

package main

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	_ "github.com/asterias-ml/asterias/vcentric/cc" // for ASTERIAS_CPU=cc
)

// ours is the task through the public API. A result is freed when it has been
// read, as PyTorch's reference counts do.
func (t *task) ours() harness.Contender {
	bindings, wanted := t.bindings()
	p := vc.Compile(t.name, t.f)
	run := func() *autograd.Var { return p.Run(t.graph, bindings...) }
	if t.pass == forward {
		return harness.InProcess(func() { run().Tensor().Free() }, func() []float32 {
			return slices.Clone(tensor.Data[float32](run().Tensor()))
		})
	}
	zero := func() {
		for _, x := range wanted {
			x.ZeroGrad()
		}
	}
	step := func() {
		zero()
		out := run()
		out.BackwardWith(t.cotangent)
		out.Tensor().Free()
	}
	c := harness.InProcess(step, func() (gradients []float32) {
		step()
		for _, x := range wanted {
			gradients = append(gradients, tensor.Data[float32](x.Gradient())...)
		}
		return gradients
	})
	if t.pass == backward {
		var out *autograd.Var
		c.Run = harness.RepeatTimed(func() { zero(); out = run() }, func() error {
			out.BackwardWith(t.cotangent)
			out.Tensor().Free()
			return nil
		})
	}
	return c
}

// outputSizes are the lengths of the tensors that are a contender's output one
// after another.
func (t *task) outputSizes() []int {
	if t.pass == forward {
		return []int{t.graph.NumVertices() * t.width}
	}
	var sizes []int
	for _, name := range t.wanted {
		for _, in := range t.data {
			if in.name == name {
				sizes = append(sizes, in.t.Size())
			}
		}
	}
	return sizes
}
