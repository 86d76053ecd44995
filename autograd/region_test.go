// NoGrad, Detach, Recording: what is recorded, and for whom.

package autograd

import (
	"slices"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestNoGradRecordsNothingWhateverTheOtherOperandsRequire(t *testing.T) {
	w, c := vec(1, 2), Constant(tensor.FromSlice([]float64{3, 4}, 2))
	m := zeros(3, 2)
	sparse := NoGrad(SparseConstant(exampleSparse()))
	for name, y := range map[string]*Var{
		"left operand":  NoGrad(c).Mul(w),
		"right operand": w.Mul(NoGrad(c)),
		"a parameter":   NoGrad(w).Exp(),
		"a chain":       NoGrad(c).Add(w).Exp().Sub(w).Sum(),
		"Concat":        Concat(0, w, NoGrad(c)),
		"Dropout":       Dropout(NoGrad(w), 0.5, 1),
		"no dropout":    Dropout(NoGrad(w), 0, 1).Mul(w),
		"sparse":        sparse.MatMul(m),
		"sparse chain":  sparse.MatMul(m).Add(w),
		"sparse drop":   Dropout(sparse, 0.5, 1).MatMul(m),
		"loss":          CrossEntropy(NoGrad(m), []int32{0, 1, 0}, nil),
		"Checkpoint":    Checkpoint(func(xs ...*Var) *Var { return xs[0].Mul(w) }, NoGrad(c)),
		"Custom": Custom("mine", []*Var{w, NoGrad(c)}, []*tensor.Tensor{tensor.Mul(w.Tensor(), c.Tensor())},
			func([]*tensor.Tensor) []*tensor.Tensor { t.Error("the backward function ran"); return nil })[0],
		"after Custom": Custom("mine", []*Var{NoGrad(c)}, []*tensor.Tensor{c.Tensor()}, nil)[0].Mul(w),
		"NoGrad twice": NoGrad(NoGrad(c)).Mul(NoGrad(w)),
	} {
		if y.RequiresGrad() || y.node != nil {
			t.Errorf("%s: recorded", name)
		}
	}
	if w.node != nil || !w.RequiresGrad() || !m.RequiresGrad() {
		t.Error("the operands changed")
	}
	w.Mul(c).Sum().Backward()
	wantGrad(t, w, 3, 4)
}

func TestNoGradComputesTheSameBits(t *testing.T) {
	f := func(x, w *Var) *Var { return x.MatMul(w).ELU(1).LogSoftmax() }
	x, w := Constant(randomTensor(1, nonzero, 5, 4)), Variable(randomTensor(2, nonzero, 4, 3))
	if got, want := f(NoGrad(x), w).Tensor().Float64s(), f(x, w).Tensor().Float64s(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestBackwardOfAnUnrecordedResultIsMisuse(t *testing.T) {
	wantMisuse(t, "autograd: Backward: the result does not require a gradient: no input of it was a Variable or Parameter that is not frozen: []",
		func() { Constant(vec(1).Tensor()).Sum().Backward() })
	wantMisuse(t, "autograd: Backward: the result does not require a gradient: no input of it was a Variable or Parameter that is not frozen: []",
		func() {
			w := Parameter(vec(1).Tensor())
			w.SetRequiresGrad(false)
			w.Sum().Backward()
		})
	wantMisuse(t, "autograd: Backward: the result does not require a gradient: it, or an operand on the way to it, was computed under NoGrad; Detach makes a constant of such an operand: []",
		func() { vec(2).Mul(NoGrad(vec(1))).Sum().Backward() })
}

func TestNoGradSharesMemoryAndLeavesItsOperandAlone(t *testing.T) {
	w := vec(1, 2)
	if NoGrad(w).Tensor() != w.Tensor() {
		t.Error("the value was copied")
	}
	y := w.Exp()
	NoGrad(y).Mul(w)
	y.Sum().Backward()
	if w.Gradient() == nil {
		t.Error("the recorded past of the operand was lost")
	}
	wantMisuse(t, "autograd: NoGrad: an operand is nil", func() { NoGrad(nil) })
}

func TestDetachCutsThePastOnly(t *testing.T) {
	x := vec(2, 3)
	y := x.Square()
	d := y.Detach()
	if d.RequiresGrad() || d.Tensor() != y.Tensor() {
		t.Error("Detach is not a constant over the same memory")
	}
	d.Mul(x).Sum().Backward() // y is a constant in y·x
	wantGrad(t, x, 4, 9)
}

func TestDetachMakesAConstantOfWhatWasComputedUnderNoGrad(t *testing.T) {
	x, teacher := vec(2, 3), vec(5, 7)
	target := NoGrad(vec(1, 2)).Mul(teacher).Detach()
	x.Sub(target).Square().Sum().Backward()
	wantGrad(t, x, 2*(2-5), 2*(3-14))
	if teacher.Gradient() != nil {
		t.Error("the teacher has a gradient")
	}
	if y := DetectAnomaly(NoGrad(teacher)).Detach().Mul(x); !y.RequiresGrad() || y.region == nil || !y.region.anomaly {
		t.Error("Detach leaves more than NoGrad, or less")
	}
}

// Checkpoint's first run of a function is not under the user's NoGrad.
func TestDetachInsideACheckpointRecordsNothingAtOnce(t *testing.T) {
	w, x, first := vec(2, 3), vec(5, 7), true
	Checkpoint(func(xs ...*Var) *Var {
		d := xs[0].Detach()
		if first && Recording(d, w) {
			t.Error("recorded at once")
		}
		first = false
		return d.Mul(xs[1])
	}, x, w).Sum().Backward()
	wantGrad(t, w, 5, 7)
	if g := x.Gradient(); g != nil && (g.At(0) != 0 || g.At(1) != 0) {
		t.Errorf("the detached operand has the gradient %v", g)
	}
}

func TestRecordingFollowsFromTheOperands(t *testing.T) {
	w, c := vec(1), Constant(tensor.Zeros(tensor.Float64, 1))
	for _, c := range []struct {
		operands []*Var
		want     bool
	}{
		{[]*Var{w}, true},
		{[]*Var{c, w}, true},
		{[]*Var{w.Exp(), c}, true},
		{[]*Var{c}, false},
		{nil, false},
		{[]*Var{w, NoGrad(c)}, false},
		{[]*Var{NoGrad(w)}, false},
		{[]*Var{DetectAnomaly(w)}, true},
		{[]*Var{DetectAnomaly(NoGrad(w)), w}, false},
		{[]*Var{w.Detach()}, false},
		{[]*Var{w, NoGrad(c).Detach()}, true},
	} {
		if got := Recording(c.operands...); got != c.want {
			t.Errorf("Recording(%v) = %v", c.operands, got)
		}
	}
	wantMisuse(t, "autograd: Recording: an operand is nil", func() { Recording(w, nil) })
}

// A gradient rule computes with operands that are not recorded: a custom
// operation may ask.
func TestNothingIsRecordedInsideABackwardPass(t *testing.T) {
	x := vec(1)
	y := x.Exp()
	y.RegisterHook(func(g *Var) *Var {
		if g.RequiresGrad() || g.Exp().RequiresGrad() {
			t.Error("a gradient is recorded")
		}
		return nil
	})
	y.Backward()
}

// trainStep is one step of a two-layer network on its own parameters.
func trainStep(x, w1, w2 *Var, labels []int32) *Var {
	loss := CrossEntropy(x.MatMul(w1).ReLU().MatMul(w2), labels, nil)
	loss.Backward()
	return loss
}

// Two goroutines train two models on one constant input, while others evaluate a
// third model's parameters without gradients and with.
func TestGoroutinesTrainAndEvaluateSideBySide(t *testing.T) {
	x := Constant(randomTensor(1, nonzero, 60, 40).To(tensor.Float32))
	labels := make([]int32, 60)
	for i := range labels {
		labels[i] = int32(i % 3)
	}
	weights := func(seed uint64) (w1, w2 *Var) {
		return Parameter(randomTensor(seed, nonzero, 40, 50).To(tensor.Float32)), Parameter(randomTensor(seed+1, nonzero, 50, 3).To(tensor.Float32))
	}
	train := func(seed uint64) []float64 {
		w1, w2 := weights(seed)
		for range 4 {
			w1.ZeroGrad()
			w2.ZeroGrad()
			trainStep(x, w1, w2, labels)
			for _, w := range []*Var{w1, w2} {
				tensor.AddInto(w.Tensor(), tensor.Scale(w.Gradient(), -0.1))
			}
		}
		return append(w1.Tensor().Float64s(), w2.Tensor().Float64s()...)
	}
	s1, s2 := weights(50) // read by all, written by none
	evaluate := func() []float64 { return NoGrad(x).MatMul(s1).ReLU().MatMul(s2).Tensor().Float64s() }
	grads := func() []float64 {
		ws := []*Var{s1, s2}
		g := Grad(CrossEntropy(x.MatMul(s1).ReLU().MatMul(s2), labels, nil), ws)
		return append(g[0].Tensor().Float64s(), g[1].Tensor().Float64s()...)
	}
	jobs := []func() []float64{
		func() []float64 { return train(10) }, func() []float64 { return train(20) },
		evaluate, evaluate, grads, grads,
	}
	var want [][]float64
	for _, job := range jobs {
		want = append(want, job())
	}
	var wg sync.WaitGroup
	for range 3 {
		for i, job := range jobs {
			wg.Go(func() {
				if got := job(); !slices.Equal(got, want[i]) {
					t.Errorf("job %d gives other bits beside the others than alone", i)
				}
			})
		}
	}
	wg.Wait()
}
