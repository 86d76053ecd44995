// Parts, freezing, counting, modes and checkpoints of modules.

package nn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func TestApplyVisitsEveryPartOnce(t *testing.T) {
	shared := linear()
	type inside struct {
		nn.Mode
		Deep []nn.Layer
	}
	m := &struct {
		inside
		*nn.Linear `nn:"head"`
		Shared     *nn.Linear
		Again      *nn.Linear
		Value      nn.Linear
		Nothing    *nn.Linear
		Net        nn.Sequential
	}{
		inside: inside{Deep: []nn.Layer{nn.NewDropout(0.5, nn.NewRNG(1)), nn.ReLU(), shared}}, Linear: linear(), Shared: shared, Again: shared,
		Value: *linear(), Net: nn.NewSequential(linear()),
	}
	var got []string
	nn.Apply(m, func(name string, part any) { got = append(got, fmt.Sprintf("%s %T", name, part)) })
	want := []string{"deep.0 *nn.Dropout", "deep.2 *nn.Linear", "head *nn.Linear", "value *nn.Linear", "net.0 *nn.Linear"}
	if !strings.HasPrefix(got[0], " *struct") || !slices.Equal(got[1:], want) {
		t.Errorf("parts %q, want %q", got, want)
	}
	nn.Apply(m, func(_ string, part any) {
		if l, ok := part.(*nn.Linear); ok {
			nn.Ones(l.Weight, nil)
		}
	})
	if m.Value.Weight.Tensor().At(1, 1) != 1 || m.Linear.Weight.Tensor().At(0, 0) != 1 {
		t.Error("a change of a part did not reach the module")
	}
}

func TestFrozenParametersAreNotTrained(t *testing.T) {
	m := &struct{ Body, Head *nn.Linear }{linear(), linear()}
	x := autograd.Constant(tensor.Full(tensor.Float32, 1, 3, 2))
	step := func(opt optim.Optimizer) {
		m.Head.Forward(m.Body.Forward(x)).Square().Mean().Backward()
		opt.Step()
		opt.ZeroGrad()
	}
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.1})
	m.Head.Forward(m.Body.Forward(x)).Sum().Backward() // gradients from before
	body, head := m.Body.Weight.Tensor().Clone(), m.Head.Weight.Tensor().Clone()
	nn.Freeze(m.Body)
	step(opt)
	if !slices.Equal(m.Body.Weight.Tensor().Float64s(), body.Float64s()) || m.Body.Bias.Gradient() != nil {
		t.Error("a frozen layer was trained")
	}
	if slices.Equal(m.Head.Weight.Tensor().Float64s(), head.Float64s()) {
		t.Error("the other layer was not trained")
	}
	nn.Unfreeze(m)
	step(opt)
	if slices.Equal(m.Body.Weight.Tensor().Float64s(), body.Float64s()) {
		t.Error("the layer is still frozen")
	}
}

func TestBuffersAndNumbersAreCounted(t *testing.T) {
	m := &struct {
		Lin  *nn.Linear
		Norm *nn.BatchNorm1d
		Tied *autograd.Var
	}{Lin: nn.NewLinear(3, 4, nn.NewRNG(1)), Norm: nn.NewBatchNorm1d(4, nn.BatchNormConfig{})}
	m.Tied = m.Lin.Weight
	nn.Freeze(m.Lin)
	if n := nn.NumParameters(m); n != 3*4+4+4+4 {
		t.Errorf("%d parameters, want 24", n)
	}
	var got []string
	for _, b := range nn.NamedBuffers(m) {
		got = append(got, b.Name)
	}
	if want := []string{"norm.running_mean", "norm.running_var", "norm.num_batches_tracked"}; !slices.Equal(got, want) {
		t.Errorf("buffers %v, want %v", got, want)
	}
}

func TestTrainAndEvalSwitchEveryPart(t *testing.T) {
	m := nn.NewSequential(nn.NewDropout(0.5, nn.NewRNG(1)))
	drop := m[0].(*nn.Dropout)
	if nn.Eval(m); drop.Training() {
		t.Error("training after Eval")
	}
	if nn.Train(m); !drop.Training() {
		t.Error("evaluating after Train")
	}
}

// A block with all that makes a second forward pass differ from the first.
type block2 struct {
	In   *nn.Linear
	Norm *nn.BatchNorm1d
	Drop *nn.Dropout
	Attn *nn.MultiheadAttention
	Out  *nn.Linear
}

func newBlock2() *block2 {
	r := nn.NewRNG(3)
	return &block2{
		nn.NewLinear(4, 8, r), nn.NewBatchNorm1d(8, nn.BatchNormConfig{}), nn.NewDropout(0.4, r),
		nn.NewMultiheadAttention(8, 2, nn.AttentionConfig{Dropout: 0.3}, r), nn.NewLinear(8, 3, r),
	}
}

func (b *block2) Forward(x *autograd.Var) *autograd.Var {
	h := b.Drop.Forward(b.Norm.Forward(b.In.Forward(x)).ReLU())
	h = b.Drop.Forward(b.Attn.Forward(h, h, h, nn.AttentionMask{}))
	return b.Out.Forward(h)
}

func TestCheckpointedGradientsAreTheSameBits(t *testing.T) {
	// run makes steps of two blocks in a row, one way or the other, and returns the
	// losses, the gradients and the state at the end.
	run := func(checkpointed bool) (numbers []float64, state string) {
		first, second := newBlock2(), newBlock2()
		second.In = nn.NewLinear(3, 8, nn.NewRNG(9))
		m := []*block2{first, second}
		x := autograd.Variable(normal(1, 6, 4).Tensor().To(tensor.Float32))
		forward := func(b *block2, h *autograd.Var) *autograd.Var {
			if !checkpointed {
				return b.Forward(h)
			}
			return nn.Checkpoint(b, func(xs ...*autograd.Var) *autograd.Var { return b.Forward(xs[0]) }, h)
		}
		for range 3 {
			y := forward(second, forward(first, x))
			loss := y.Square().Mean()
			nn.Eval(m) // between forward and backward: must not matter
			loss.Backward()
			nn.Train(m)
			numbers = append(numbers, loss.Tensor().Item())
		}
		for _, p := range append(nn.Parameters(m), x) {
			numbers = append(numbers, p.Gradient().Float64s()...)
		}
		next := forward(first, x) // the masks that come afterwards
		return append(numbers, next.Tensor().Float64s()...), stateBits(m)
	}
	want, wantState := run(false)
	got, gotState := run(true)
	if !slices.Equal(got, want) {
		t.Errorf("with Checkpoint\n%v, want\n%v", got, want)
	}
	if gotState != wantState {
		t.Error("with Checkpoint the running estimates differ")
	}
}

func TestNestedCheckpointsAreTheSameBits(t *testing.T) {
	run := func(depth int) []float64 {
		b := newBlock2()
		x := autograd.Variable(normal(1, 6, 4).Tensor().To(tensor.Float32))
		f := func(xs ...*autograd.Var) *autograd.Var { return b.Forward(xs[0]) }
		for range depth {
			inner := f
			f = func(xs ...*autograd.Var) *autograd.Var { return nn.Checkpoint(b, inner, xs...) }
		}
		f(x).Square().Mean().Backward()
		return append(x.Gradient().Float64s(), b.Drop.Forward(x).Tensor().Float64s()...)
	}
	want := run(0)
	for _, depth := range []int{1, 2, 3} {
		if got := run(depth); !slices.Equal(got, want) {
			t.Errorf("%d deep: %v, want %v", depth, got, want)
		}
	}
}

func TestRememberTakesAModuleBackToWhatItWouldCompute(t *testing.T) {
	b := newBlock2()
	x := autograd.NoGrad(autograd.Constant(normal(1, 6, 4).Tensor().To(tensor.Float32)))
	back := nn.Remember(b)
	before := stateBits(b)
	want := b.Forward(x).Tensor().Float64s()
	nn.Eval(b)
	for range 2 {
		back()
		if stateBits(b) != before {
			t.Error("the buffers are not those of then")
		}
		if got := b.Forward(x).Tensor().Float64s(); !slices.Equal(got, want) {
			t.Errorf("%v, want the numbers of the first time, %v", got, want)
		}
		nn.Eval(b)
	}
	if err := autograd.Try(func() { nn.Remember(3) }); err == nil || !strings.Contains(err.Error(), "nn: Remember: a module is a non-nil pointer") {
		t.Errorf("of no module: %v", err)
	}
}

func TestCheckpointOfAModuleWithAStridedBuffer(t *testing.T) {
	x := autograd.Variable(tensor.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2))
	m := &struct{ Adjacency *autograd.Var }{autograd.Constant(x.Tensor().Transpose())}
	nn.Checkpoint(m, func(xs ...*autograd.Var) *autograd.Var { return m.Adjacency.MatMul(xs[0]) }, x).Sum().Backward()
	if got, want := x.Gradient().Float64s(), []float64{3, 3, 7, 7, 11, 11}; !slices.Equal(got, want) {
		t.Errorf("gradient %v, want %v", got, want)
	}
}

func TestCheckpointOfNoModuleIsMisuse(t *testing.T) {
	f := func(xs ...*autograd.Var) *autograd.Var { return xs[0] }
	err := autograd.Try(func() { nn.Checkpoint(3, f, constant([]float64{1}, 1)) })
	if err == nil || !strings.Contains(err.Error(), "nn: Checkpoint: a module is a non-nil pointer") {
		t.Errorf("error %v", err)
	}
}

func ExampleSummary() {
	r := nn.NewRNG(1)
	m := nn.NewSequential(nn.NewLinear(3, 4, r), nn.NewBatchNorm1d(4, nn.BatchNormConfig{}), nn.ReLU(), nn.NewLinear(4, 2, r))
	nn.Freeze(m[0])
	fmt.Print(nn.Summary(m))
	// Output:
	// 0.weight               f32 [3 4]  12  frozen
	// 0.bias                 f32 [4]    4   frozen
	// 1.weight               f32 [4]    4
	// 1.bias                 f32 [4]    4
	// 1.running_mean         f32 [4]    4  buffer
	// 1.running_var          f32 [4]    4  buffer
	// 1.num_batches_tracked  i64 []     1  buffer
	// 3.weight               f32 [4 2]  8
	// 3.bias                 f32 [2]    2
	// nn.Sequential: 34 parameters, 16 of them frozen
}
