// Every optimiser as a gorgonia.Solver of a Gorgonia net.

package optim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"
)

func valueGrads(ps ...*autograd.Var) []gorgonia.ValueGrad {
	var vgs []gorgonia.ValueGrad
	for _, p := range ps {
		vgs = append(vgs, p)
	}
	return vgs
}

// net is Gorgonia's: tanh(x W1) W2, fitted to (x0 x1) on the corners of a square.
func net() (vm gorgonia.VM, model []gorgonia.ValueGrad, loss *gorgonia.Node) {
	g := gorgonia.NewGraph()
	x := gorgonia.NewMatrix(g, gt.Float64, gorgonia.WithShape(4, 3), gorgonia.WithName("x"),
		gorgonia.WithValue(gt.New(gt.WithShape(4, 3), gt.WithBacking([]float64{-1, -1, 1, -1, 1, 1, 1, -1, 1, 1, 1, 1}))))
	y := gorgonia.NewMatrix(g, gt.Float64, gorgonia.WithShape(4, 1), gorgonia.WithName("y"),
		gorgonia.WithValue(gt.New(gt.WithShape(4, 1), gt.WithBacking([]float64{1, -1, -1, 1}))))
	weight := func(name string, rows, cols, seed int) *gorgonia.Node {
		return gorgonia.NewMatrix(g, gt.Float64, gorgonia.WithName(name),
			gorgonia.WithValue(gt.New(gt.WithShape(rows, cols), gt.WithBacking(wave(seed, rows*cols+1)[1:]))))
	}
	w1, w2 := weight("w1", 3, 8, 3), weight("w2", 8, 1, 4)
	hidden := gorgonia.Must(gorgonia.Tanh(gorgonia.Must(gorgonia.Mul(x, w1))))
	out := gorgonia.Must(gorgonia.Mul(hidden, w2))
	loss = gorgonia.Must(gorgonia.Mean(gorgonia.Must(gorgonia.Square(gorgonia.Must(gorgonia.Sub(out, y))))))
	if _, err := gorgonia.Grad(loss, w1, w2); err != nil {
		panic(err)
	}
	return gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(w1, w2)), []gorgonia.ValueGrad{w1, w2}, loss
}

func TestEveryOptimizerTrainsAGorgoniaNet(t *testing.T) {
	solvers := map[string]optim.Optimizer{
		"SGD":      optim.NewSGD(nil, optim.SGDConfig{LR: 0.05, Momentum: 0.9, Nesterov: true}),
		"Adam":     optim.NewAdam(nil, optim.AdamConfig{LR: 0.05}),
		"AMSGrad":  optim.NewAdam(nil, optim.AdamConfig{LR: 0.05, AMSGrad: true}),
		"AdamW":    optim.NewAdamW(nil, optim.AdamConfig{LR: 0.05}),
		"NAdam":    optim.NewNAdam(nil, optim.NAdamConfig{LR: 0.05}),
		"RMSprop":  optim.NewRMSprop(nil, optim.RMSpropConfig{LR: 0.01}),
		"Adagrad":  optim.NewAdagrad(nil, optim.AdagradConfig{LR: 0.1}),
		"Adadelta": optim.NewAdadelta(nil, optim.AdadeltaConfig{LR: 5}),
		"Lion":     optim.NewLion(nil, optim.LionConfig{LR: 0.01}),
	}
	for name, opt := range solvers {
		vm, model, loss := net()
		solver := opt.Solver()
		var first, last float64
		for k := range 300 {
			if err := vm.RunAll(); err != nil {
				t.Fatal(err)
			}
			if last = loss.Value().Data().(float64); k == 0 {
				first = last
			}
			if err := solver.Step(model); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			vm.Reset()
		}
		if !(last < 0.05*first) || math.IsNaN(first) {
			t.Errorf("%s: loss %v after training, %v before", name, last, first)
		}
		if err := vm.Close(); err != nil {
			t.Error(err)
		}
	}
}

func vector[T float32 | float64](n int) *gt.Dense {
	x := make([]T, n)
	for i := range x {
		x[i] = T(i + 1)
	}
	return gt.New(gt.WithShape(n), gt.WithBacking(x))
}

func TestSolverRefusesAValueOfAnotherLengthThanBefore(t *testing.T) {
	for _, of := range []func(n int) gorgonia.Value{
		func(n int) gorgonia.Value { return vector[float32](n) },
		func(n int) gorgonia.Value { return vector[float64](n) },
		func(n int) gorgonia.Value {
			if n == 1 {
				return gorgonia.NewF64(1)
			}
			return vector[float64](n)
		},
	} {
		for _, n := range []int{1, 3, 5} {
			solver := optim.NewAdam(nil, optim.AdamConfig{LR: 0.1}).Solver()
			fixed, changing := &fakeValueGrad{of(4), of(4)}, &fakeValueGrad{of(4), of(4)}
			model := []gorgonia.ValueGrad{fixed, changing}
			if err := solver.Step(model); err != nil {
				t.Fatal(err)
			}
			changing.value, changing.grad = of(n), of(n)
			before := fmt.Sprint(changing.value, changing.grad)
			err := solver.Step(model)
			if want := fmt.Sprintf("value 1: it has %d elements, at the step before it had 4", n); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %q", err, want)
			}
			if after := fmt.Sprint(changing.value, changing.grad); after != before {
				t.Errorf("the refused value and gradient became %s, were %s", after, before)
			}
		}
	}
}

// A frozen parameter is left alone, as by Step, with the gradient that it may have had.
func TestSolverLeavesFrozenParametersAlone(t *testing.T) {
	with, without, trained := param(1, 2), param(3), param(4)
	for _, p := range []*autograd.Var{with, trained} {
		p.SetGradient(tensor.Ones(p.DType(), p.Shape()...))
	}
	for _, p := range []*autograd.Var{with, without} {
		p.SetRequiresGrad(false)
	}
	for name, opt := range map[string]optim.Optimizer{
		"in groups": optim.NewAdamW(optim.Params([]*autograd.Var{with, without, trained}), optim.AdamConfig{LR: 0.5}),
		"in none":   optim.NewSGD(nil, optim.SGDConfig{LR: 0.5}),
	} {
		before := trained.Tensor().Item()
		trained.SetGradient(tensor.Ones(trained.DType(), trained.Shape()...))
		if err := opt.Solver().Step(valueGrads(with, without, trained)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.Equal(with.Tensor().Float64s(), []float64{1, 2}) || without.Tensor().Item() != 3 {
			t.Errorf("%s: frozen parameters have become %v and %v", name, with.Tensor().Float64s(), without.Tensor().Float64s())
		}
		if !slices.Equal(with.Gradient().Float64s(), []float64{1, 1}) {
			t.Errorf("%s: the gradient has become %v", name, with.Gradient().Float64s())
		}
		if trained.Tensor().Item() == before {
			t.Errorf("%s: the parameter after them is not trained", name)
		}
	}
}

func TestSolverUpdatesNothingIfAValueIsRefused(t *testing.T) {
	ours, dense, scalar := param(1), &fakeValueGrad{vector[float64](2), vector[float64](2)}, &fakeValueGrad{gorgonia.NewF32(1), gorgonia.NewF32(1)}
	ours.SetGradient(tensor.Ones(ours.DType(), 1))
	numbers := func() string {
		return fmt.Sprint(ours.Tensor().Item(), ours.Gradient().Item(), dense.value.Data(), dense.grad.Data(), scalar.value.Data(), scalar.grad.Data())
	}
	want := numbers()
	for name, bad := range map[string]gorgonia.ValueGrad{
		"without a gradient": param(1), "nil": nil, "of a scalar gradient": &fakeValueGrad{vector[float64](3), gorgonia.NewF64(1)},
	} {
		for _, opt := range []optim.Optimizer{optim.NewSGD(nil, optim.SGDConfig{LR: 0.5}), optim.NewAdam(nil, optim.AdamConfig{LR: 0.5})} {
			if err := opt.Solver().Step([]gorgonia.ValueGrad{ours, dense, scalar, bad}); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		if got := numbers(); got != want {
			t.Errorf("%s: values and gradients are %s, were %s", name, got, want)
		}
	}
}

// incomparable cannot be the key of a map.
type incomparable struct {
	fakeValueGrad
	_ []int
}

func TestSolverRefusesValuesThatCannotBeCompared(t *testing.T) {
	solver := optim.NewSGD(nil, optim.SGDConfig{LR: 0.1}).Solver()
	vg := incomparable{fakeValueGrad: fakeValueGrad{vector[float64](2), vector[float64](2)}}
	if err := solver.Step([]gorgonia.ValueGrad{vg}); err == nil || !strings.Contains(err.Error(), "value 0: type optim_test.incomparable") {
		t.Errorf("by value: %v", err)
	}
	if err := solver.Step([]gorgonia.ValueGrad{&vg}); err != nil {
		t.Errorf("by pointer: %v", err)
	}
}

func TestSolverLeavesValuesWithoutElementsAlone(t *testing.T) {
	solver := optim.NewAdam(nil, optim.AdamConfig{LR: 0.1}).Solver()
	for _, dt := range []gt.Dtype{gt.Float32, gt.Float64} {
		empty := func() *gt.Dense { return gt.New(gt.WithShape(0, 3), gt.Of(dt)) }
		next := &fakeValueGrad{vector[float64](2), vector[float64](2)}
		if err := solver.Step([]gorgonia.ValueGrad{&fakeValueGrad{empty(), empty()}, next}); err != nil {
			t.Error(err)
		}
		if slices.Equal(next.value.Data().([]float64), []float64{1, 2}) {
			t.Error("the value after it is not updated")
		}
	}
}
