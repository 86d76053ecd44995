// Values that are changed between a forward and a backward pass.

package autograd

import (
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

// For each operand of each row of the table: either the gradient does not need it and is what
// it would have been, or the pass panics and says which one it was.
func TestAChangedOperandIsNeitherReadNorLetBe(t *testing.T) {
	read, let := map[opcode]bool{}, map[opcode]bool{}
	for _, create := range []bool{false, true} {
		for _, c := range gradCases() {
			for i := range c.inputs() {
				xs := c.inputs()
				y := c.f(xs...)
				cotangent := Constant(randomTensor(9, nonzero, y.Shape()...))
				opts := []BackwardOption{RetainGraph()}
				if create {
					opts = append(opts, CreateGraph())
				}
				want := GradWith(y, cotangent, xs, opts...)
				xs[i].Tensor().Fill(0.123)
				xs[i].MarkChanged()
				var got []*Var
				err := Try(func() { got = GradWith(y, cotangent, xs, opts...) })
				if err != nil {
					read[c.op] = true
					if !strings.Contains(err.Error(), "was changed after the forward pass") {
						t.Fatalf("%v, operand %d, graph %t: %v", c, i, create, err)
					}
					continue
				}
				let[c.op] = true
				for k := range xs {
					if (got[k] == nil) != (want[k] == nil) || got[k] != nil && !slices.Equal(got[k].Tensor().Float64s(), want[k].Tensor().Float64s()) {
						t.Errorf("%v, operand %d was changed, graph %t: gradient %d is\n%v, was\n%v", c, i, create, k, got[k], want[k])
					}
				}
			}
		}
	}
	for _, op := range []opcode{opMul, opMatMul, opLinear, opLog, opGelu, opLayerNorm, opCrossEntropy} {
		if !read[op] {
			t.Errorf("%s reads no operand", table[op].name)
		}
	}
	for _, op := range []opcode{opAdd, opSub, opExp, opTanh, opSoftmax, opSum, opConcat, opLinear} {
		if !let[op] {
			t.Errorf("%s reads all operands", table[op].name)
		}
	}
}

func changedError(t *testing.T, f func(), names ...string) {
	t.Helper()
	err := Try(f)
	if err == nil {
		t.Error("nothing was said")
		return
	}
	for _, name := range append(names, "changed") {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("error does not say %q: %v", name, err)
		}
	}
}

func TestBackwardPanicsWhereItReadsWhatWasChanged(t *testing.T) {
	vector := func() *Var { return Parameter(tensor.FromSlice([]float64{1, 2, 3}, 3)) }
	other := tensor.FromSlice([]float64{4, 5, 6}, 3)
	changes := map[string]func(w *Var){
		"written":   func(w *Var) { w.Tensor().CopyFrom(other); w.MarkChanged() },
		"replaced":  func(w *Var) { w.SetTensor(other.Clone()) },
		"by a view": func(w *Var) { NoGrad(w).Reshape(3, 1).MarkChanged() },
	}
	uses := map[string]func(w *Var) *Var{
		"itself":       func(w *Var) *Var { return w.Square().Sum() },
		"a view":       func(w *Var) *Var { return w.Reshape(3, 1).Square().Sum() },
		"detached":     func(w *Var) *Var { return vector().Mul(w.Detach()).Sum() },
		"frozen":       func(w *Var) *Var { w.SetRequiresGrad(false); return vector().Mul(w).Sum() },
		"checkpointed": func(w *Var) *Var { return Checkpoint(func(xs ...*Var) *Var { return xs[0].Square() }, w).Sum() },
		"captured":     func(w *Var) *Var { return Checkpoint(func(xs ...*Var) *Var { return xs[0].Mul(w) }, vector()).Sum() },
		"in a scope":   func(w *Var) *Var { return Scope(func(xs ...*Var) *Var { return xs[0].Square().Sum() }, w) },
		"in blocks": func(w *Var) *Var {
			x := Variable(tensor.Full(tensor.Float64, 2, 1<<14, 3))
			return Blockwise(func(xs ...*Var) *Var { return xs[0].Mul(xs[1]) }, x, w).Sum()
		},
	}
	for change, f := range changes {
		for use, g := range uses {
			t.Run(change+" "+use, func(t *testing.T) {
				w := vector()
				y := g(w)
				f(w)
				changedError(t, func() { y.Backward() })
			})
		}
	}
}

func TestTheErrorNamesTheOperationAndTheOperand(t *testing.T) {
	w := Parameter(tensor.Full(tensor.Float64, 1, 2, 3))
	y := Variable(tensor.Full(tensor.Float64, 1, 4, 2)).MatMul(w).Tanh().Sum()
	w.MarkChanged()
	changedError(t, func() { y.Backward() }, "MatMul", "operand 1", "[2 3]")
}

// A step between the backward passes of two losses is right if the second reads nothing that
// the step writes.
func TestWhatIsChangedAfterItWasReadDoesNotMatter(t *testing.T) {
	bias := Parameter(tensor.FromSlice([]float64{1, 2}, 2))
	loss := func(x float64) *Var { return Variable(tensor.Full(tensor.Float64, x, 2)).Add(bias).Tanh().Sum() }
	first, second := loss(1), loss(2)
	first.Backward()
	bias.MarkChanged()
	second.Backward()
	w := Parameter(tensor.Full(tensor.Float64, 1, 2))
	w.MarkChanged() // before the forward pass
	w.Square().Sum().Backward()
}

func TestARunningEstimateMayChangeInsideOfACheckpoint(t *testing.T) {
	mean := Constant(tensor.Full(tensor.Float64, 0, 3))
	f := func(xs ...*Var) *Var {
		y := xs[0].Sub(mean)
		mean.Tensor().CopyFrom(tensor.Full(tensor.Float64, 1, 3))
		mean.MarkChanged()
		return y.Sub(mean).Square()
	}
	Checkpoint(f, Parameter(tensor.FromSlice([]float64{1, 2, 3}, 3))).Sum().Backward()
}

func TestOnlyLeavesCanBeMarkedChanged(t *testing.T) {
	y := Variable(tensor.Full(tensor.Float64, 1, 2)).Exp()
	if err := Try(y.MarkChanged); err == nil || !strings.Contains(err.Error(), "result of Exp") {
		t.Error(err)
	}
	if y.ChangedSince(0) {
		t.Error("a result has changed")
	}
}
