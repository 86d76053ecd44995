// The backward pass: accumulation, freeing, depth, misuse.

package autograd

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// vec returns a Float64 Variable.
func vec(x ...float64) *Var { return Variable(tensor.FromSlice(x, len(x))) }

// wantGrad compares a gradient exactly.
func wantGrad(t *testing.T, v *Var, want ...float64) {
	t.Helper()
	if v.Gradient() == nil {
		t.Fatalf("no gradient, want %v", want)
	}
	if got := v.Gradient().Float64s(); !slices.Equal(got, want) {
		t.Errorf("gradient %v, want %v", got, want)
	}
}

// wantMisuse runs f and looks for a typed error with the text.
func wantMisuse(t *testing.T, text string, f func()) {
	t.Helper()
	err := Try(f)
	if err == nil {
		t.Errorf("no error, want %q", text)
	} else if !strings.Contains(err.Error(), text) {
		t.Errorf("error %q, want %q", err, text)
	}
}

func TestBackwardAddsTheGradientsOfAllUses(t *testing.T) {
	x := vec(2, 3)
	y := x.Mul(x).Add(x).Sub(x.Scale(4)) // x^2 - 3x
	y.Sum().Backward()
	wantGrad(t, x, 1, 3)
}

func TestBackwardAddsToAGradientThatWasSet(t *testing.T) {
	x, g := vec(1, 2), tensor.FromSlice([]float64{10, 20}, 2)
	x.Scale(5).Sum().Backward()
	x.SetGradient(g)
	x.Scale(2).Sum().Backward()
	wantGrad(t, x, 12, 22)
	if got := g.Float64s(); !slices.Equal(got, []float64{10, 20}) {
		t.Errorf("what was set has become %v", got)
	}
	x.SetGradient(x.Gradient()) // a copy of itself
	wantGrad(t, x, 12, 22)
}

func TestBackwardAccumulatesUntilZeroGrad(t *testing.T) {
	x := vec(1, 2)
	for range 3 {
		x.Scale(2).Sum().Backward()
	}
	wantGrad(t, x, 6, 6)
	x.ZeroGrad()
	if x.Gradient() != nil {
		t.Error("a gradient remains after ZeroGrad")
	}
	x.Sum().Backward()
	wantGrad(t, x, 1, 1)
}

// Add hands one tensor to both inputs, Reshape shares memory: neither may let
// one leaf's gradient change another's.
func TestLeafGradientsShareNoMemory(t *testing.T) {
	a, b, c := vec(1, 2), vec(3, 4), vec(5, 6)
	cotangent := tensor.FromSlice([]float64{1, 10}, 2)
	a.Add(b).Add(c.Reshape(2)).BackwardWith(cotangent)
	a.Scale(2).BackwardWith(cotangent) // accumulates in place
	wantGrad(t, a, 3, 30)
	wantGrad(t, b, 1, 10)
	wantGrad(t, c, 1, 10)
	if got := cotangent.Float64s(); got[0] != 1 || got[1] != 10 {
		t.Errorf("the cotangent changed to %v", got)
	}
}

func TestInnerGradientsShareNoMemory(t *testing.T) {
	x := vec(1)
	a, b := x.Scale(1), x.Scale(10)
	s := a.Add(b)                        // its gradient is lent to a and b
	s.Add(a.Scale(100)).Sum().Backward() // a gets more, b must not
	wantGrad(t, x, 1+100+10)
}

func TestGradientsFlowOnlyToLeavesThatRequireThem(t *testing.T) {
	x, w := vec(1, 2), vec(3, 4)
	c := Constant(tensor.FromSlice([]float64{5, 6}, 2))
	w.SetRequiresGrad(false)
	x.Mul(w).Mul(c).Add(x.Detach()).Sum().Backward()
	wantGrad(t, x, 15, 24)
	if w.Gradient() != nil || c.Gradient() != nil {
		t.Error("a frozen leaf or a constant received a gradient")
	}
}

func TestConstantsRecordNothing(t *testing.T) {
	c := Constant(tensor.FromSlice([]float64{1, 2}, 2))
	y := c.Exp().Add(c).Sum()
	if y.RequiresGrad() || !y.IsLeaf() {
		t.Error("an operation on constants was recorded")
	}
}

func TestSecondBackwardOverAFreedGraphIsMisuse(t *testing.T) {
	x := vec(1, 2)
	y := x.Exp()
	z := y.Sum()
	z.Backward()
	wantMisuse(t, "already freed", func() { z.Backward() })
	wantMisuse(t, "already freed by an earlier backward pass (at Exp)", func() { y.Scale(2).Sum().Backward() })
}

func TestRetainGraphAllowsASecondBackward(t *testing.T) {
	x := vec(1, 2)
	z := x.Square().Sum()
	z.Backward(RetainGraph())
	z.Backward()
	wantGrad(t, x, 4, 8)
	wantMisuse(t, "already freed", func() { z.Backward() })
}

// The result stays usable, what only the backward pass needed is released.
func TestBackwardReleasesIntermediates(t *testing.T) {
	x := vec(make([]float64, 1000)...)
	collected := make(chan bool, 1)
	y := x.Exp()
	runtime.AddCleanup(y, func(c chan bool) { c <- true }, collected)
	z := y.Square().Sum()
	y = nil
	z.Backward()
	wantCollected(t, collected, "an intermediate Var")
	runtime.KeepAlive(z)
}

// What a function captures, such as the buffers of a vertex-centric run, lives no longer than
// the graph.
func TestBackwardReleasesTheFunctionsOfOperations(t *testing.T) {
	large := func() *Var { return Variable(tensor.Ones(tensor.Float64, 300, 300)) }
	like := func(x *Var) []*tensor.Tensor { return []*tensor.Tensor{tensor.FullLike(x.Tensor(), 1)} }
	for name, op := range map[string]func(x *Var, captured *Var) *Var{
		"Custom": func(x *Var, captured *Var) *Var {
			return Custom("op", []*Var{x}, like(x), func(gs []*tensor.Tensor) []*tensor.Tensor { captured.check("op"); return gs })[0]
		},
		"CustomVars": func(x *Var, captured *Var) *Var {
			return CustomVars("op", []*Var{x}, like(x), func(gs []*Var) []*Var { captured.check("op"); return gs })[0]
		},
		"CustomSaving, again": func(x *Var, captured *Var) *Var {
			backward := func(gs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{gs[0].Clone()} }
			return CustomSaving("op", []*Var{x}, like(x), nil, backward, func(gs []*Var, _ []bool) []*Var { captured.check("op"); return gs })[0]
		},
		"CustomFused": func(x *Var, captured *Var) *Var {
			f := func(xs ...*Var) []*Var { captured.check("op"); return xs }
			return CustomFused("op", f, []*Var{x}, like(x), nil, func(gs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{gs[0].Clone()} })[0]
		},
		"Checkpoint": func(x *Var, captured *Var) *Var {
			return Checkpoint(func(xs ...*Var) *Var { captured.check("op"); return xs[0].Exp() }, x)
		},
		"Blockwise": func(x *Var, captured *Var) *Var {
			return Blockwise(func(xs ...*Var) *Var { captured.check("op"); return xs[0].Exp() }, x)
		},
	} {
		t.Run(name, func(t *testing.T) {
			captured, collected := vec(1), make(chan bool, 1)
			runtime.AddCleanup(captured, func(c chan bool) { c <- true }, collected)
			y := op(large(), captured)
			captured = nil
			y.Sum().Backward()
			wantCollected(t, collected, "what the function captured")
			runtime.KeepAlive(y)
		})
	}
}

// wantCollected waits until a cleanup that sends to collected has run.
func wantCollected(t *testing.T, collected chan bool, what string) {
	t.Helper()
	for range 100 {
		runtime.GC()
		select {
		case <-collected:
			return
		case <-time.After(time.Millisecond):
		}
	}
	t.Errorf("%s is still reachable from the result after Backward", what)
}

func TestBackwardOfALongChainNeedsNoStack(t *testing.T) {
	x := vec(1)
	y := x
	for range 200_000 {
		y = y.AddScalar(1)
	}
	y.Backward()
	wantGrad(t, x, 1)
}

// A diamond ladder has 2^n paths but n nodes.
func TestBackwardVisitsEachNodeOnce(t *testing.T) {
	x := vec(1)
	y := x
	for range 60 {
		y = y.Add(y).Scale(0.5)
	}
	y.Backward()
	wantGrad(t, x, 1)
}

func TestBackwardOnALeafGivesTheCotangent(t *testing.T) {
	x := vec(3)
	x.Backward()
	wantGrad(t, x, 1)
}

func TestBackwardRejectsMisuse(t *testing.T) {
	x := vec(1, 2)
	wantMisuse(t, "autograd: Backward: needs a result of one element; give a cotangent to BackwardWith: [2]", func() { x.Exp().Backward() })
	wantMisuse(t, "does not require a gradient", func() { Constant(tensor.Zeros(tensor.Float64)).Backward() })
	wantMisuse(t, "another shape than the result: [3] x [2]", func() { x.Exp().BackwardWith(tensor.Zeros(tensor.Float64, 3)) })
	wantMisuse(t, "the cotangent is f32, the result f64", func() { x.Exp().BackwardWith(tensor.Zeros(tensor.Float32, 2)) })
}

func TestGradientsAreTheSameBitsForAnyNumberOfThreads(t *testing.T) {
	defer tensor.SetThreads(0)
	run := func(threads int) []float64 {
		tensor.SetThreads(threads)
		x := Variable(randomTensor(1, nonzero, 3000, 33).To(tensor.Float32))
		w := Variable(randomTensor(2, nonzero, 33, 17).To(tensor.Float32))
		b := Variable(randomTensor(3, nonzero, 17).To(tensor.Float32))
		h := Dropout(x.MatMul(w).Add(b).ELU(1), 0.5, 3).LogSoftmax()
		h.Mul(h.LeakyReLU(0.2)).Mean().Backward()
		out := append(x.Gradient().Float64s(), w.Gradient().Float64s()...)
		return append(out, b.Gradient().Float64s()...)
	}
	want := run(1)
	for _, threads := range []int{2, 3, 8} {
		if got := run(threads); !slices.Equal(got, want) {
			t.Errorf("%d threads give other bits than one", threads)
		}
	}
}

func TestChoicesReductionsAndScattersAreTheSameBitsForAnyNumberOfThreads(t *testing.T) {
	defer tensor.SetThreads(0)
	rows := make([]int64, 3000*33)
	for i := range rows {
		rows[i] = int64(i * 7919 % 3000)
	}
	index := ids(tensor.Shape{3000, 33}, rows...)
	run := func(threads int) (out []float64) {
		tensor.SetThreads(threads)
		x := Variable(randomTensor(1, nonzero, 3000, 33).To(tensor.Float32))
		row := Variable(randomTensor(2, nonzero, 33).To(tensor.Float32))
		h := Where(x.Greater(row), x, x.Mul(row).Sin()).Sub(x.MeanKeep(0)).Mul(x.StdKeep(1, 1))
		h = h.ScatterAdd(0, index, x).Add(h.Gather(0, index)).Add(x.CumSum(0).Tanh()).Add(x.Flip(0))
		y := h.LogSumExp(0).Sum().Add(h.Norm(2)).Add(h.Max()).Add(h.Max(1).Sum()).Add(h.Prod(1).Sum().Tanh())
		y = y.Add(Linear(h, Concat(0, row.Unsqueeze(0), row.Unsqueeze(0)).Transpose(), nil, true).SoftmaxAlong(0).Square().Sum())
		Checkpoint(func(xs ...*Var) *Var { return xs[0].Add(LayerNorm(xs[1], nil, nil, 1e-5).Square().Mean()) }, y, h).Backward()
		out = append(x.Gradient().Float64s(), row.Gradient().Float64s()...)
		return append(out, y.Tensor().Item())
	}
	want := run(1)
	for _, threads := range []int{2, 3} {
		if got := run(threads); !slices.Equal(got, want) {
			t.Errorf("%d threads give other bits than one", threads)
		}
	}
	if slices.ContainsFunc(want, math.IsNaN) {
		t.Error("a NaN hides differences")
	}
}

// Random expressions with shared parts.
func TestRandomGraphsMatchCentralDifferences(t *testing.T) {
	for seed := range uint64(30) {
		f := func(xs ...*Var) *Var {
			r := rng.NewStream(seed, 1)
			vs := slices.Clone(xs)
			pick := func() *Var { return vs[r.Uint64()%uint64(len(vs))] }
			for range 15 {
				var y *Var
				switch r.Uint64() % 9 {
				case 0:
					y = pick().Add(pick())
				case 1:
					y = pick().Mul(pick()).Tanh()
				case 2:
					y = pick().MatMul(pick().Transpose()).Scale(0.3)
				case 3:
					y = pick().Softmax()
				case 4:
					y = Concat(0, pick(), pick()).IndexSelect([]int32{5, 0, 0})
				case 5:
					y = pick().Sub(pick().Sum(0).Reshape(1, -1))
				case 6:
					y = pick().Slice(1, 1, 2).BroadcastTo(3, 3)
				case 7:
					y = pick().Sigmoid().Reshape(9).Reshape(3, 3)
				case 8:
					y = pick().Mul(Constant(randomTensor(seed, nonzero, 3)))
				}
				vs = append(vs, y.Tanh())
			}
			return vs[len(vs)-1].Add(vs[len(vs)-2]).Mul(vs[len(vs)-3])
		}
		xs := []*Var{Variable(randomTensor(seed, nonzero, 3, 3)), Variable(randomTensor(seed+100, nonzero, 3, 3))}
		if err := Gradcheck(f, xs); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// Gradcheck

func TestGradcheckFindsAWrongGradient(t *testing.T) {
	square := func(factor float64) func(xs ...*Var) *Var {
		return func(xs ...*Var) *Var {
			x := xs[0].Tensor()
			return Custom("square", xs, []*tensor.Tensor{tensor.Square(x)}, func(gs []*tensor.Tensor) []*tensor.Tensor {
				return []*tensor.Tensor{tensor.Scale(tensor.Mul(gs[0], x), factor)}
			})[0]
		}
	}
	if err := Gradcheck(square(2), []*Var{vec(1, -2)}); err != nil {
		t.Error(err)
	}
	err := Gradcheck(square(2.001), []*Var{vec(1, -2)})
	if err == nil || !strings.Contains(err.Error(), "input 0, element 0: gradient") {
		t.Errorf("error %v, want one naming input 0, element 0", err)
	}
}

func TestGradcheckLeavesValuesAndGradientsAlone(t *testing.T) {
	x := vec(0.1, 0.7)
	x.Sum().Backward()
	if err := Gradcheck(func(xs ...*Var) *Var { return xs[0].Exp() }, []*Var{x}); err != nil {
		t.Error(err)
	}
	wantGrad(t, x, 1, 1)
	if got := x.Tensor().Float64s(); got[0] != 0.1 || got[1] != 0.7 {
		t.Errorf("values changed to %v", got)
	}
}

func TestGradientsHandedOutBeforeGradcheckStayWhatTheyAre(t *testing.T) {
	x := Parameter(tensor.FromSlice([]float64{1, 2}, 2))
	x.Square().Sum().Backward()
	g := x.Gradient()
	// x is used twice, so that the check's own pass adds to a gradient.
	if err := Gradcheck(func(xs ...*Var) *Var { return xs[0].Mul(xs[0].Sin()) }, []*Var{x}); err != nil {
		t.Fatal(err)
	}
	x.Square().Sum().Backward()
	if got := g.Float64s(); !slices.Equal(got, []float64{2, 4}) {
		t.Errorf("the gradient handed out is %v after another pass, want [2 4]", got)
	}
	if got := x.Gradient().Float64s(); !slices.Equal(got, []float64{4, 8}) {
		t.Errorf("the gradient is %v, want [4 8]", got)
	}
}

func TestGradcheckRejectsWhatItCannotCheck(t *testing.T) {
	id := func(xs ...*Var) *Var { return xs[0].Scale(1) }
	x32 := Variable(tensor.Zeros(tensor.Float32, 2))
	if err := Gradcheck(id, []*Var{x32}); err == nil || !strings.Contains(err.Error(), "not a Float64 leaf") {
		t.Errorf("float32: %v", err)
	}
	if err := Gradcheck(id, []*Var{vec(1).Exp()}); err == nil || !strings.Contains(err.Error(), "not a Float64 leaf") {
		t.Errorf("inner result: %v", err)
	}
	constants := []*Var{Constant(tensor.Ones(tensor.Float64, 1)), Constant(tensor.Ones(tensor.Float64, 1))}
	if err := Gradcheck(id, constants); err == nil || err.Error() != "autograd: Gradcheck: none of the 2 inputs requires a gradient: use Parameter or Variable" {
		t.Errorf("constants: %v", err)
	}
	calls := 0.0
	noisy := func(xs ...*Var) *Var { calls++; return xs[0].Scale(calls) }
	if err := Gradcheck(noisy, []*Var{vec(1)}); err == nil || !strings.Contains(err.Error(), "not deterministic") {
		t.Errorf("noisy: %v", err)
	}
}

// Try

type markedError struct{}

func (markedError) Error() string { return "marked" }
func (markedError) Misuse()       {}

func TestTryReturnsMisuseAndPassesOtherPanics(t *testing.T) {
	if err := Try(func() {}); err != nil {
		t.Errorf("no panic: %v", err)
	}
	for _, want := range []error{
		&Error{Op: "x"}, &tensor.ShapeError{Op: "x"}, &tensor.DTypeError{Op: "x"}, &tensor.IndexError{Op: "x"}, markedError{},
		fmt.Errorf("layer 3: %w", &Error{Op: "x"}),
	} {
		if err := Try(func() { panic(want) }); err != want {
			t.Errorf("Try = %v, want %v", err, want)
		}
	}
	for _, other := range []any{"BUG: x", errors.New("plain"), 42} {
		func() {
			defer func() {
				if got := recover(); got != other {
					t.Errorf("panic %v became %v", other, got)
				}
			}()
			_ = Try(func() { panic(other) })
			t.Errorf("panic %v was swallowed", other)
		}()
	}
}

func TestFreeingAnOperandBeforeTheBackwardPassIsMisuse(t *testing.T) {
	x := Variable(tensor.Zeros(tensor.Float64, 3, 4))
	for op, f := range map[string]func(y *Var) *Var{
		"Dropout": func(y *Var) *Var { return Dropout(y, 0.5, 1) },
		"CumSum":  func(y *Var) *Var { return y.CumSum(0) },
		"Scale":   func(y *Var) *Var { return y.Scale(2) },
	} {
		y := x.Exp()
		z := f(y).Sum()
		y.Tensor().Free()
		wantMisuse(t, op+": operand 0 has been freed", func() { z.Backward() })
	}
	scale, shift := Constant(tensor.Ones(tensor.Float64, 3, 4)), Constant(tensor.Ones(tensor.Float64, 3, 4))
	scaled, shifted := x.Mul(scale).Sum(), x.Add(shift).Sum()
	scale.Tensor().Free()
	shift.Tensor().Free()
	wantMisuse(t, "Mul: operand 1 has been freed", func() { scaled.Backward() })
	shifted.Backward() // which reads no operand
	wantMisuse(t, "operand has been freed", func() { x.Add(shift) })
}

// The cotangent is only read, even where it is a gradient that the pass adds to.
func TestCotangentMayBeAGradientOfTheGraph(t *testing.T) {
	x := vec(1, 2, 3)
	x.BackwardWith(tensor.FromSlice([]float64{1, 10, 100}, 3))
	cotangent := x.Gradient()
	x.Add(x.Flip(0)).BackwardWith(cotangent)
	wantGrad(t, x, 1+1+100, 10+10+10, 100+100+1)
	if got := cotangent.Float64s(); !slices.Equal(got, []float64{1, 10, 100}) {
		t.Errorf("the cotangent has become %v", got)
	}

	x.ZeroGrad()
	y := Checkpoint(func(xs ...*Var) *Var { return xs[0].Scale(3).Add(x) }, x)
	y.RetainGrad()
	y.BackwardWith(tensor.FromSlice([]float64{1, 10, 100}, 3), RetainGraph())
	x.ZeroGrad()
	y.BackwardWith(y.Gradient())
	wantGrad(t, x, 4, 40, 400)
	wantGrad(t, y, 2, 20, 200)
}

// What Gradient returned is as good as any other tensor: graphs read it, in the rules of the
// pass that adds to the gradient, and in passes to come.
func TestBackwardLeavesGradientsThatWereShownAlone(t *testing.T) {
	for _, c := range []struct {
		name string
		show func(w *Var) *tensor.Tensor
	}{
		{"Gradient", func(w *Var) *tensor.Tensor { return w.Gradient() }},
		{"Grad", func(w *Var) *tensor.Tensor {
			g, err := w.Grad()
			if err != nil {
				t.Fatal(err)
			}
			shown, err := tensor.FromDense(g.(*gt.Dense))
			if err != nil {
				t.Fatal(err)
			}
			return shown
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, v := vec(1, 2), vec(3, 4)
			w.Scale(5).Sum().Backward()
			g := Constant(c.show(w))
			before := w.Square().Mul(g).Sum() // of another loss
			v.Mul(g).Sum().Add(w.Mul(g).Sum()).Backward()
			wantGrad(t, v, 5, 5)
			wantGrad(t, w, 10, 10)
			if got := g.Tensor().Float64s(); !slices.Equal(got, []float64{5, 5}) {
				t.Errorf("the gradient that was shown has become %v", got)
			}
			before.Backward()
			wantGrad(t, w, 10+2*1*5, 10+2*2*5)
		})
	}
	w := vec(1, 2)
	y := w.Scale(3)
	y.RetainGrad()
	y.Sum().Backward(RetainGraph())
	g := y.Gradient()
	y.Sum().Backward()
	wantGrad(t, y, 2, 2)
	if got := g.Float64s(); !slices.Equal(got, []float64{1, 1}) {
		t.Errorf("the retained gradient that was shown has become %v", got)
	}
}

func TestBackwardAddsInPlaceToAGradientThatWasNotShown(t *testing.T) {
	w := vec(1, 2)
	w.Scale(5).Sum().Backward()
	w.Gradient()
	w.Sum().Backward()
	made := w.grad
	w.Sum().Backward()
	if w.grad != made {
		t.Error("a gradient that nobody has is copied to be added to")
	}
	wantGrad(t, w, 7, 7)
}
