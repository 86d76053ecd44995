// What the tape costs: operations on tensors so small that nothing else counts.

package main

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/tensor"
)

const (
	tapeNanoseconds = 1000
	tapeAllocs      = 4
)

// tapeSection records single operations, and a chain of a number of them
// forward and backward. PyTorch's times are for information.
func tapeSection(b *bench, ops int) error {
	vector := []*tensor.Tensor{harness.Numbers(1, 4), harness.Numbers(2, 4)}
	square := []*tensor.Tensor{harness.Numbers(1, 4, 4), harness.Numbers(2, 4, 4)}
	for _, c := range []tapeCase{
		{"add of two [4]", "add", 1, vector, tapeOp((*autograd.Var).Add)},
		{"matmul of two [4 4]", "matmul", 1, square, tapeOp((*autograd.Var).MatMul)},
		{fmt.Sprintf("an add of a chain of %d [4], forward", ops), "forward", ops, vector, tapeForward(ops)},
		{fmt.Sprintf("an add of a chain of %d [4], backward", ops), "backward", ops, vector, tapeBackward(ops)},
	} {
		if err := b.tapeRow(c); err != nil {
			return err
		}
	}
	return nil
}

type tapeCase struct {
	name   string
	torch  string // in torch.py
	ops    int    // a repetition has
	inputs []*tensor.Tensor
	ours   func(xs []*autograd.Var) tapeWork
}

// tapeWork is one repetition.
type tapeWork struct {
	prepare  func()           // is not measured; may be nil
	measured func() []float32 // gives the values that it computed
}

func (w tapeWork) ready() {
	if w.prepare != nil {
		w.prepare()
	}
}

// tapeOp is one operation on two variables.
func tapeOp(op func(x, y *autograd.Var) *autograd.Var) func(xs []*autograd.Var) tapeWork {
	return func(xs []*autograd.Var) tapeWork {
		return tapeWork{measured: func() []float32 { return tensor.Data[float32](op(xs[0], xs[1]).Tensor()) }}
	}
}

func addChain(xs []*autograd.Var, ops int) *autograd.Var {
	v := xs[0]
	for range ops {
		v = v.Add(xs[1])
	}
	return v
}

func tapeForward(ops int) func(xs []*autograd.Var) tapeWork {
	return func(xs []*autograd.Var) tapeWork {
		return tapeWork{measured: func() []float32 { return tensor.Data[float32](addChain(xs, ops).Tensor()) }}
	}
}

func tapeBackward(ops int) func(xs []*autograd.Var) tapeWork {
	return func(xs []*autograd.Var) tapeWork {
		var v *autograd.Var
		ones := tensor.Full(tensor.Float32, 1, xs[0].Shape()...)
		return tapeWork{
			prepare: func() {
				xs[0].ZeroGrad()
				xs[1].ZeroGrad()
				v = addChain(xs, ops)
			},
			measured: func() []float32 {
				v.BackwardWith(ones)
				return tensor.Data[float32](xs[1].Gradient())
			},
		}
	}
}

// entry times the measured part only.
func (c tapeCase) entry() (harness.Contender, error) {
	w := c.ours(vars(autograd.Variable, c.inputs))
	timed := harness.InProcess(func() { w.measured() }, func() []float32 {
		w.ready()
		return slices.Clone(w.measured())
	})
	if w.prepare != nil {
		timed.Run = harness.RepeatTimed(w.prepare, func() error { w.measured(); return nil })
	}
	return timed, nil
}

// tapeRow compares with PyTorch, and bounds our own time and allocations.
func (b *bench) tapeRow(c tapeCase) error {
	if !b.wanted(c.name) {
		return nil
	}
	m := match{name: c.name, units: c.ops, tolerance: 1e-5, ours: c.entry,
		rivals: b.torchRivals(0, "tape", map[string]any{"name": c.torch, "ops": c.ops}, c.inputs...)}
	if err := b.compare(m); err != nil {
		return err
	}
	s, err := b.alone(m)
	if err != nil {
		return err
	}
	b.bound(c.name, "ns an operation", s*1e9, tapeNanoseconds)
	b.bound(c.name, "allocations an operation", c.allocs(), tapeAllocs)
	return nil
}

// allocs returns the allocations of an operation in the measured part.
func (c tapeCase) allocs() float64 {
	w := c.ours(vars(autograd.Variable, c.inputs))
	const reps = 100
	var total uint64
	for i := range reps + 1 {
		w.ready()
		before := mallocs()
		w.measured()
		if i > 0 { // the first warms up
			total += mallocs() - before
		}
	}
	return float64(total) / reps / float64(c.ops)
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
