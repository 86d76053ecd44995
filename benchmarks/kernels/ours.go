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
	if t.pass == forward {
		bindings, _ := t.bindings()
		p := vc.Compile(t.name, t.f)
		run := func() *autograd.Var { return p.Run(t.graph, bindings...) }
		return harness.InProcess(func() { run().Tensor().Free() }, func() []float32 {
			return slices.Clone(tensor.Data[float32](run().Tensor()))
		})
	}
	s := t.step()
	c := harness.InProcess(s.run, func() (gradients []float32) {
		s.run()
		for _, x := range s.wanted {
			gradients = append(gradients, tensor.Data[float32](x.Gradient())...)
		}
		return gradients
	})
	if t.pass == backward {
		c.Run = harness.RepeatTimed(s.forward, func() error { s.backward(); return nil })
	}
	return c
}

// A trainingStep is a step of training by ours, in two halves.
type trainingStep struct {
	task     *task
	program  *vc.Program
	bindings []vc.Binding
	wanted   []*autograd.Var // whose gradients a step computes
	out      *autograd.Var   // of the forward half
}

func (t *task) step() *trainingStep {
	bindings, wanted := t.bindings()
	return &trainingStep{task: t, program: vc.Compile(t.name, t.f), bindings: bindings, wanted: wanted}
}

func (s *trainingStep) forward() {
	for _, x := range s.wanted {
		x.ZeroGrad()
	}
	s.out = s.program.Run(s.task.graph, s.bindings...)
}

func (s *trainingStep) backward() {
	if s.task.pass == penalty {
		squares := autograd.Constant(tensor.Full(tensor.Float32, 0))
		for _, d := range autograd.GradWith(s.out, autograd.Constant(s.task.cotangent), s.wanted, autograd.CreateGraph()) {
			squares = squares.Add(d.Square().Sum())
		}
		squares.Backward()
		s.out = nil
		return
	}
	s.out.BackwardWith(s.task.cotangent)
	s.out.Tensor().Free()
	s.out = nil
}

func (s *trainingStep) run() {
	s.forward()
	s.backward()
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
