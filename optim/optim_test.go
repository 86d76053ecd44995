// Optimisers against PyTorch's numbers, by hand-worked steps, and with Gorgonia.

package optim_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"
)

func param(x ...float64) *autograd.Var {
	return autograd.Parameter(tensor.FromSlice(x, len(x)))
}

// give sets the gradient of w.
func give(w *autograd.Var, g *tensor.Tensor) {
	w.ZeroGrad()
	w.Scale(1).BackwardWith(g)
}

// five steps of torch.optim on given gradients
func TestGoldenOptimizers(t *testing.T) {
	golden := shared.Golden(t, "optimizers")
	group := func(w *autograd.Var, decay float64) []optim.Group {
		return []optim.Group{{Params: []*autograd.Var{w}, WeightDecay: decay}}
	}
	makers := map[string]func(w *autograd.Var) optim.Optimizer{
		"adam": func(w *autograd.Var) optim.Optimizer {
			return optim.NewAdam(group(w, 5e-4), optim.AdamConfig{LR: 0.01})
		},
		"adamw": func(w *autograd.Var) optim.Optimizer {
			return optim.NewAdamW(group(w, 1e-2), optim.AdamConfig{LR: 0.01})
		},
		"sgdm": func(w *autograd.Var) optim.Optimizer {
			return optim.NewSGD(group(w, 5e-4), optim.SGDConfig{LR: 0.1, Momentum: 0.9})
		},
	}
	p0, grads := golden["p0"], golden["grads"]
	const n = 30
	for name, maker := range makers {
		for _, p := range []struct {
			dt  tensor.DType
			key string
			tol float64
		}{{tensor.Float64, name + "_f64", 1e-13}, {tensor.Float32, name + "_f32", 1e-6}} {
			for _, viaSolver := range []bool{false, true} {
				w := autograd.Parameter(tensor.FromSlice(slices.Clone(p0.F64), p0.Shape...).To(p.dt))
				opt := maker(w)
				for k := range 5 {
					give(w, tensor.FromSlice(grads.F64[k*n:(k+1)*n], p0.Shape...).To(p.dt))
					if viaSolver {
						if err := opt.Solver().Step([]gorgonia.ValueGrad{w}); err != nil {
							t.Fatal(err)
						}
						if slices.ContainsFunc(w.Gradient().Float64s(), func(x float64) bool { return x != 0 }) {
							t.Errorf("%s: Solver left a gradient", p.key)
						}
					} else {
						opt.Step()
					}
					for i, got := range w.Tensor().Float64s() {
						var want float64
						if p.dt == tensor.Float64 {
							want = golden[p.key].F64[k*n+i]
						} else {
							want = float64(golden[p.key].F32[k*n+i])
						}
						if !(math.Abs(got-want) <= p.tol*(1+math.Abs(want))) {
							t.Fatalf("%s (solver %v): step %d, element %d: %v, want %v", p.key, viaSolver, k, i, got, want)
						}
					}
				}
			}
		}
	}
}

func wantValues(t *testing.T, w *autograd.Var, want ...float64) {
	t.Helper()
	for i, x := range w.Tensor().Float64s() {
		if math.Abs(x-want[i]) > 1e-12 {
			t.Fatalf("values %v, want %v", w.Tensor().Float64s(), want)
		}
	}
}

func TestSGDPlainStep(t *testing.T) {
	w := param(1, 2)
	opt := optim.NewSGD([]optim.Group{{Params: []*autograd.Var{w}, WeightDecay: 0.5}}, optim.SGDConfig{LR: 0.1})
	give(w, tensor.FromSlice([]float64{10, 20}, 2))
	opt.Step()
	wantValues(t, w, 1-0.1*10.5, 2-0.1*21)
}

// gradients 1, 1, 1 at momentum 0.5: v = 1, 1.5, 1.75
func TestSGDMomentumNesterovDampening(t *testing.T) {
	one := tensor.FromSlice([]float64{1}, 1)
	for _, c := range []struct {
		config optim.SGDConfig
		want   []float64
	}{
		{optim.SGDConfig{LR: 1, Momentum: 0.5}, []float64{-1, -2.5, -4.25}},
		{optim.SGDConfig{LR: 1, Momentum: 0.5, Nesterov: true}, []float64{-1.5, -3.25, -5.125}},
		{optim.SGDConfig{LR: 1, Momentum: 0.5, Dampening: 0.5}, []float64{-1, -2, -3}}, // first undamped: 1, then 0.5+0.5
	} {
		w := param(0)
		opt := optim.NewSGD(optim.Params([]*autograd.Var{w}), c.config)
		for _, want := range c.want {
			give(w, one)
			opt.Step()
			wantValues(t, w, want)
		}
	}
}

func TestGroupsHaveTheirOwnSettings(t *testing.T) {
	a, b, idle := param(1), param(1), param(1)
	opt := optim.NewSGD([]optim.Group{
		{Params: []*autograd.Var{a}, LR: 0.5},
		{Params: []*autograd.Var{b, idle}, WeightDecay: 2},
	}, optim.SGDConfig{LR: 0.1})
	one := tensor.FromSlice([]float64{1}, 1)
	give(a, one)
	give(b, one)
	opt.Step()
	wantValues(t, a, 0.5)
	wantValues(t, b, 1-0.1*3)
	wantValues(t, idle, 1) // no gradient: not even decayed

	opt.Groups()[0].LR = 1 // a schedule
	opt.Step()
	wantValues(t, a, -0.5)
	opt.ZeroGrad()
	if a.Gradient() != nil || b.Gradient() != nil {
		t.Error("ZeroGrad left a gradient")
	}
}

// A parameter that joins late starts its own bias correction.
func TestAdamCountsStepsPerParameter(t *testing.T) {
	a, b := param(0), param(0)
	opt := optim.NewAdam(optim.Params([]*autograd.Var{a, b}), optim.AdamConfig{LR: 0.1})
	one := tensor.FromSlice([]float64{1}, 1)
	for range 3 {
		give(a, one)
		opt.Step()
	}
	give(b, one)
	opt.Step()
	if got := b.Tensor().Item(); math.Abs(got+0.1) > 1e-8 {
		t.Errorf("first step moved by %v, want -0.1", got)
	}
}

func TestASettingTooSmallToCountIsZero(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		w := autograd.Parameter(tensor.Ones(dt, 1))
		opt := optim.NewAdam(optim.Params([]*autograd.Var{w}), optim.AdamConfig{LR: 0.1, Beta1: 1e-300, Beta2: 0.5, Eps: 1e-300})
		want, v := 1.0, 0.0
		for step, g := range []float64{2, 0, -1} {
			give(w, tensor.Full(dt, g, 1))
			opt.Step()
			v = 0.5*v + 0.5*g*g
			want -= 0.1 * g / math.Sqrt(v/(1-math.Pow(0.5, float64(step+1))))
			if got := w.Tensor().Item(); !(math.Abs(got-want) <= 1e-6) {
				t.Errorf("%v: %v after step %d, want %v", dt, got, step, want)
			}
		}
	}
}

func TestStepsAreTheSameBitsForAnyNumberOfThreads(t *testing.T) {
	defer tensor.SetThreads(0)
	run := func(threads int) []float64 {
		tensor.SetThreads(threads)
		w := autograd.Parameter(tensor.Full(tensor.Float32, 0.3, 100_003))
		g := tensor.Zeros(tensor.Float32, 100_003)
		for i := range tensor.Data[float32](g) {
			tensor.Data[float32](g)[i] = float32(math.Sin(float64(i)))
		}
		opt := optim.NewAdam(optim.Params([]*autograd.Var{w}), optim.AdamConfig{LR: 0.1})
		for range 3 {
			give(w, g)
			opt.Step()
		}
		return w.Tensor().Float64s()
	}
	if !slices.Equal(run(1), run(2)) {
		t.Error("two threads give other bits than one")
	}
}

func TestFrozenParametersAreLeftAlone(t *testing.T) {
	w, v := autograd.Parameter(tensor.Ones(tensor.Float32, 3)), autograd.Parameter(tensor.Ones(tensor.Float32, 3))
	opt := optim.NewSGD([]optim.Group{{Params: []*autograd.Var{w, v}, WeightDecay: 0.1}}, optim.SGDConfig{LR: 1})
	give(w, tensor.Ones(tensor.Float32, 3))
	give(v, tensor.Ones(tensor.Float32, 3))
	w.SetRequiresGrad(false) // with a gradient that is still there
	opt.Step()
	if w.Tensor().At(0) != 1 || v.Tensor().At(0) == 1 {
		t.Errorf("the frozen parameter is %v, the other %v", w.Tensor().At(0), v.Tensor().At(0))
	}
}

func TestEmptyParametersAreLegal(t *testing.T) {
	w := autograd.Parameter(tensor.Zeros(tensor.Float32, 0, 4))
	for _, opt := range []optim.Optimizer{
		optim.NewAdam(optim.Params([]*autograd.Var{w}), optim.AdamConfig{LR: 1}),
		optim.NewSGD(optim.Params([]*autograd.Var{w}), optim.SGDConfig{LR: 1, Momentum: 0.9}),
		optim.NewSGD(nil, optim.SGDConfig{LR: 1}),
	} {
		give(w, tensor.Zeros(tensor.Float32, 0, 4))
		opt.Step()
		give(w, tensor.Zeros(tensor.Float32, 0, 4))
		if err := opt.Solver().Step([]gorgonia.ValueGrad{w}); err != nil {
			t.Error(err)
		}
	}
}

// wantMisuse wants the panics whose texts contain the keys.
func wantMisuse(t *testing.T, cases map[string]func()) {
	t.Helper()
	for want, f := range cases {
		if err := autograd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestConstructorsRejectSenselessSettings(t *testing.T) {
	w := param(1)
	one := optim.Params([]*autograd.Var{w})
	wantMisuse(t, map[string]func(){
		"optim: NewSGD: learning rate is -1":                            func() { optim.NewSGD(one, optim.SGDConfig{LR: -1}) },
		"NewAdam: learning rate is NaN":                                 func() { optim.NewAdam(one, optim.AdamConfig{LR: math.NaN()}) },
		"NewSGD: group 0 has no learning rate":                          func() { optim.NewSGD(one, optim.SGDConfig{}) },
		"NewAdam: group 1 has no learning rate":                         func() { optim.NewAdam([]optim.Group{{LR: 1}, {Params: one[0].Params}}, optim.AdamConfig{}) },
		"NewAdamW: no learning rate":                                    func() { optim.NewAdamW(nil, optim.AdamConfig{}) },
		"NewSGD: momentum is 1, want":                                   func() { optim.NewSGD(one, optim.SGDConfig{Momentum: 1}) },
		"NewSGD: Nesterov needs momentum":                               func() { optim.NewSGD(one, optim.SGDConfig{Nesterov: true}) },
		"NewAdamW: Beta2 is 1":                                          func() { optim.NewAdamW(one, optim.AdamConfig{Beta2: 1}) },
		"NewAdam: Eps is -1":                                            func() { optim.NewAdam(one, optim.AdamConfig{Eps: -1}) },
		"NewAdam: weight decay of group 0 is -1":                        func() { optim.NewAdam([]optim.Group{{WeightDecay: -1}}, optim.AdamConfig{}) },
		"Params: no parameters":                                         func() { optim.Params(nil) },
		"NewSGD: parameter 0 of group 0 is a result of an operation":    func() { optim.NewSGD(optim.Params([]*autograd.Var{one[0].Params[0].Scale(2)}), optim.SGDConfig{LR: 1}) },
		"NewAdam: parameter 0 of group 1 appears twice":                 func() { optim.NewAdam(append(one[:1:1], one...), optim.AdamConfig{LR: 1}) },
		"NewAdam: parameter 0 of group 0 is not a dense floating-point": func() { optim.NewAdam(optim.Params([]*autograd.Var{nil}), optim.AdamConfig{}) },
	})
}

// A config without a learning rate is enough if every group has its own; what is
// in no group then has none.
func TestGroupsMayAllHaveLearningRatesOfTheirOwn(t *testing.T) {
	w, other := param(1), param(1)
	opt := optim.NewSGD([]optim.Group{{Params: []*autograd.Var{w}, LR: 0.5}}, optim.SGDConfig{})
	for _, v := range []*autograd.Var{w, other} {
		give(v, tensor.FromSlice([]float64{1}, 1))
	}
	err := opt.Solver().Step([]gorgonia.ValueGrad{w, other})
	if err == nil || !strings.Contains(err.Error(), "optim: Solver: value 1: it is in no group, and the config has no learning rate") {
		t.Errorf("error %v", err)
	}
	if a, b := w.Tensor().Item(), other.Tensor().Item(); a != 1 || b != 1 {
		t.Errorf("parameters %v and %v, want 1 and 1", a, b)
	}
	if err := opt.Solver().Step([]gorgonia.ValueGrad{w}); err != nil || w.Tensor().Item() != 0.5 {
		t.Errorf("parameter %v, want 0.5; %v", w.Tensor().Item(), err)
	}
}

// Gorgonia's solvers on our parameters: least squares of w on x = [[1 2] [3 4]].
func TestGorgoniaSolversTrainOurParameters(t *testing.T) {
	x := autograd.Constant(tensor.FromSlice([]float32{1, 2, 3, 4}, 2, 2))
	y := autograd.Constant(tensor.FromSlice([]float32{5, 11}, 2, 1)) // w = [1 2]
	for name, solver := range map[string]gorgonia.Solver{
		"Adam":     gorgonia.NewAdamSolver(gorgonia.WithLearnRate(0.1)),
		"Vanilla":  gorgonia.NewVanillaSolver(gorgonia.WithLearnRate(0.05)),
		"Momentum": gorgonia.NewMomentum(gorgonia.WithLearnRate(0.01)),
		"RMSProp":  gorgonia.NewRMSPropSolver(gorgonia.WithLearnRate(0.01)),
		"ours":     optim.NewAdam(nil, optim.AdamConfig{LR: 0.1}).Solver(),
	} {
		w := autograd.Parameter(tensor.Zeros(tensor.Float32, 2, 1))
		var first, last float64
		for k := range 400 {
			loss := x.MatMul(w).Sub(y).Square().Mean()
			loss.Backward() // solvers zero the gradient after each step
			if err := solver.Step([]gorgonia.ValueGrad{w}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			last = loss.Tensor().Item()
			if k == 0 {
				first = last
			}
		}
		if !(last < 0.01*first) {
			t.Errorf("%s: loss %v after training, %v before", name, last, first)
		}
	}
}

// Gorgonia has traps for scalars and tensors of one element.
func TestGorgoniaSolversTakeParametersOfOneElement(t *testing.T) {
	for _, shape := range [][]int{{}, {1}, {1, 1}} {
		w := autograd.Parameter(tensor.Full(tensor.Float64, 2, shape...))
		w.Square().Sum().Backward()
		if err := gorgonia.NewVanillaSolver(gorgonia.WithLearnRate(0.25)).Step([]gorgonia.ValueGrad{w}); err != nil {
			t.Errorf("shape %v: %v", shape, err)
		} else if got := w.Tensor().Item(); got != 1 {
			t.Errorf("shape %v: w = %v, want 1", shape, got)
		}
	}
}

// A scalar is trained as a tensor with an axis is.
func TestGorgoniaSolversTrainScalars(t *testing.T) {
	for name, newSolver := range map[string]func() gorgonia.Solver{
		"Adam":     func() gorgonia.Solver { return gorgonia.NewAdamSolver(gorgonia.WithLearnRate(0.1)) },
		"Momentum": func() gorgonia.Solver { return gorgonia.NewMomentum(gorgonia.WithLearnRate(0.1)) },
		"RMSProp":  func() gorgonia.Solver { return gorgonia.NewRMSPropSolver(gorgonia.WithLearnRate(0.1)) },
		"AdaGrad":  func() gorgonia.Solver { return gorgonia.NewAdaGradSolver(gorgonia.WithLearnRate(0.1)) },
	} {
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			train := func(shape ...int) float64 {
				solver := newSolver()
				w := autograd.Parameter(tensor.Full(dt, 2, shape...))
				for range 4 {
					w.Square().Sum().Backward()
					if err := solver.Step([]gorgonia.ValueGrad{w}); err != nil {
						t.Fatalf("%s, %v: %v", name, dt, err)
					}
				}
				return w.Tensor().Item()
			}
			if got, want := train(), train(1); got != want || got == 2 {
				t.Errorf("%s, %v: a scalar became %v, a tensor of one axis %v", name, dt, got, want)
			}
		}
	}
}

// Our optimiser on nodes of a Gorgonia graph: (w - 3)^2 + (s - 1)^2.
func TestOurSolverTrainsGorgoniaNodes(t *testing.T) {
	g := gorgonia.NewGraph()
	w := gorgonia.NewVector(g, gt.Float64, gorgonia.WithShape(2), gorgonia.WithName("w"), gorgonia.WithInit(gorgonia.Zeroes()))
	s := gorgonia.NewScalar(g, gt.Float64, gorgonia.WithName("s"), gorgonia.WithValue(4.0))
	three := gorgonia.NewConstant(gt.New(gt.WithBacking([]float64{3, 3})))
	one := gorgonia.NewConstant(1.0)
	loss := gorgonia.Must(gorgonia.Add(
		gorgonia.Must(gorgonia.Sum(gorgonia.Must(gorgonia.Square(gorgonia.Must(gorgonia.Sub(w, three)))))),
		gorgonia.Must(gorgonia.Square(gorgonia.Must(gorgonia.Sub(s, one))))))
	if _, err := gorgonia.Grad(loss, w, s); err != nil {
		t.Fatal(err)
	}
	vm := gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(w, s))
	defer vm.Close()
	solver := optim.NewSGD(nil, optim.SGDConfig{LR: 0.1}).Solver()
	for range 100 {
		if err := vm.RunAll(); err != nil {
			t.Fatal(err)
		}
		if err := solver.Step([]gorgonia.ValueGrad{w, s}); err != nil {
			t.Fatal(err)
		}
		vm.Reset()
	}
	for i, x := range w.Value().Data().([]float64) {
		if math.Abs(x-3) > 1e-6 {
			t.Errorf("w[%d] = %v, want 3", i, x)
		}
	}
	if x := s.Value().Data().(float64); math.Abs(x-1) > 1e-6 {
		t.Errorf("s = %v, want 1", x)
	}
}

func TestSolverReportsWhatItCannotUpdate(t *testing.T) {
	solver := optim.NewSGD(nil, optim.SGDConfig{LR: 0.1}).Solver()
	err := solver.Step([]gorgonia.ValueGrad{param(1)})
	if err == nil || !strings.Contains(err.Error(), "optim: Solver: value 0: autograd: Grad: no gradient") {
		t.Errorf("without gradient: %v", err)
	}
	for what, vg := range map[string]gorgonia.ValueGrad{"nil": nil, "a nil Var": (*autograd.Var)(nil)} {
		if err := solver.Step([]gorgonia.ValueGrad{vg}); err == nil || err.Error() != "optim: Solver: value 0: it is nil" {
			t.Errorf("%s: %v", what, err)
		}
	}
	for want, vg := range map[string]fakeValueGrad{
		"value is a tensor, gradient *gorgonia.F64":  {gt.New(gt.WithBacking([]float64{1})), gorgonia.NewF64(1)},
		"cannot update values of type int":           {gt.New(gt.WithBacking([]int{1})), gt.New(gt.WithBacking([]int{1}))},
		"value is float64 (2), gradient float64 (3)": {gt.New(gt.WithBacking([]float64{1, 2})), gt.New(gt.WithBacking([]float64{1, 2, 3}))},
		"value is a float32 scalar, gradient":        {gorgonia.NewF32(1), gorgonia.NewF64(1)},
	} {
		if err := solver.Step([]gorgonia.ValueGrad{vg}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// The clone of a view of a transposed tensor says that it is contiguous and row-major.
func TestSolverTellsValuesAndGradientsApartThatLieDifferently(t *testing.T) {
	rows := func() *gt.Dense {
		return gt.New(gt.WithShape(3, 2), gt.WithBacking([]float64{1, 2, 3, 4, 5, 6}))
	}
	columns := func() *gt.Dense {
		d := gt.New(gt.WithShape(2, 3), gt.WithBacking([]float64{1, 3, 5, 2, 4, 6}))
		if err := d.T(); err != nil {
			t.Fatal(err)
		}
		v, err := d.Slice(gt.S(0, 3)) // all of it
		if err != nil {
			t.Fatal(err)
		}
		return v.Clone().(*gt.Dense)
	}
	vector := func(shape ...int) *gt.Dense {
		return gt.New(gt.WithShape(shape...), gt.WithBacking([]float64{1, 2, 3}))
	}
	for name, c := range map[string]struct {
		value, grad *gt.Dense
		fits        bool
	}{
		"rows, columns":    {rows(), columns(), false},
		"columns, rows":    {columns(), rows(), false},
		"columns, columns": {columns(), columns(), true},
		"[3], [1 3]":       {vector(3), vector(1, 3), true},
	} {
		before := slices.Clone(c.value.Float64s())
		err := optim.NewSGD(nil, optim.SGDConfig{LR: 1}).Solver().Step([]gorgonia.ValueGrad{&fakeValueGrad{c.value, c.grad}})
		switch after := c.value.Float64s(); {
		case c.fits && (err != nil || !slices.Equal(after, make([]float64, len(after)))):
			t.Errorf("%s: %v, error %v", name, after, err)
		case !c.fits && (err == nil || !strings.Contains(err.Error(), "laid out differently") || !slices.Equal(after, before)):
			t.Errorf("%s: %v, error %v", name, after, err)
		}
	}
}

type fakeValueGrad struct{ value, grad gorgonia.Value }

func (f fakeValueGrad) Value() gorgonia.Value         { return f.value }
func (f fakeValueGrad) Grad() (gorgonia.Value, error) { return f.grad, nil }

func TestBackwardPanicsIfAStepHasWrittenWhatItReads(t *testing.T) {
	for name, step := range map[string]func(o optim.Optimizer, w *autograd.Var){
		"Step":   func(o optim.Optimizer, _ *autograd.Var) { o.Step() },
		"Solver": func(o optim.Optimizer, w *autograd.Var) { _ = o.Solver().Step([]gorgonia.ValueGrad{w}) },
	} {
		w, frozen := autograd.Parameter(tensor.Ones(tensor.Float32, 3)), autograd.Parameter(tensor.Ones(tensor.Float32, 3))
		o := optim.NewAdam(optim.Params([]*autograd.Var{w, frozen}), optim.AdamConfig{LR: 0.1})
		other, loss := frozen.Square().Sum(), w.Square().Sum()
		give(w, tensor.Ones(tensor.Float32, 3))
		step(o, w)
		wantMisuse(t, map[string]func(){"Square: backward: operand 0 was changed after the forward pass": func() { loss.Backward() }})
		if err := autograd.Try(func() { other.Backward() }); err != nil {
			t.Errorf("%s: of a parameter without a gradient, which is as it was: %v", name, err)
		}
	}
}
