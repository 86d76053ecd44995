package optim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/tensor"
)

// everyOptimizer makes each algorithm in each of its forms.
func everyOptimizer() map[string]func(groups []Group) Optimizer {
	return map[string]func(groups []Group) Optimizer{
		"sgd":              func(g []Group) Optimizer { return NewSGD(g, SGDConfig{LR: 0.1}) },
		"sgd momentum":     func(g []Group) Optimizer { return NewSGD(g, SGDConfig{LR: 0.1, Momentum: 0.9, Dampening: 0.1}) },
		"sgd nesterov":     func(g []Group) Optimizer { return NewSGD(g, SGDConfig{LR: 0.1, Momentum: 0.9, Nesterov: true}) },
		"adam":             func(g []Group) Optimizer { return NewAdam(g, AdamConfig{LR: 0.1}) },
		"adam amsgrad":     func(g []Group) Optimizer { return NewAdam(g, AdamConfig{LR: 0.1, AMSGrad: true}) },
		"adamw":            func(g []Group) Optimizer { return NewAdamW(g, AdamConfig{LR: 0.1}) },
		"rmsprop":          func(g []Group) Optimizer { return NewRMSprop(g, RMSpropConfig{LR: 0.1}) },
		"rmsprop centered": func(g []Group) Optimizer { return NewRMSprop(g, RMSpropConfig{LR: 0.1, Centered: true}) },
		"rmsprop momentum": func(g []Group) Optimizer { return NewRMSprop(g, RMSpropConfig{LR: 0.1, Momentum: 0.9}) },
		"rmsprop all":      func(g []Group) Optimizer { return NewRMSprop(g, RMSpropConfig{LR: 0.1, Momentum: 0.9, Centered: true}) },
		"adagrad":          func(g []Group) Optimizer { return NewAdagrad(g, AdagradConfig{LR: 0.1, Initial: 0.3, LRDecay: 0.1}) },
		"adadelta":         func(g []Group) Optimizer { return NewAdadelta(g, AdadeltaConfig{LR: 1}) },
		"nadam":            func(g []Group) Optimizer { return NewNAdam(g, NAdamConfig{LR: 0.1}) },
		"nadam decoupled":  func(g []Group) Optimizer { return NewNAdam(g, NAdamConfig{LR: 0.1, Decoupled: true}) },
		"lion":             func(g []Group) Optimizer { return NewLion(g, LionConfig{LR: 0.01}) },
	}
}

// parametersOn returns parameters of some sizes, more than one launch takes.
func parametersOn(d *tensor.Device, dt tensor.DType) []*autograd.Var {
	var ps []*autograd.Var
	for i := range 18 {
		ps = append(ps, autograd.Parameter(tensor.Randn(dt, uint64(i), []int{1, 7, 256, 257, 600, 0}[i%6]).ToDevice(d)))
	}
	return ps
}

// groupsOf makes two groups with settings of their own.
func groupsOf(ps []*autograd.Var) []Group {
	return []Group{{Params: ps[:11], WeightDecay: 0.01}, {Params: ps[11:], LR: 0.02}}
}

// giveGradients gives all parameters but one a gradient that follows from their values.
func giveGradients(ps []*autograd.Var, step int) {
	for i, p := range ps {
		p.ZeroGrad()
		if i != step {
			p.Square().Scale(0.5).Add(p.Sin()).Sum().Backward()
		}
	}
}

func near(t *testing.T, name string, got, want []*autograd.Var, tolerance float64) {
	t.Helper()
	for i := range want {
		a, b := got[i].Tensor().Float64s(), want[i].Tensor().Float64s()
		for k := range b {
			if !(math.Abs(a[k]-b[k]) <= tolerance*max(1, math.Abs(b[k]))) {
				t.Fatalf("%s: parameter %d, element %d: %v, on the CPU %v", name, i, k, a[k], b[k])
			}
		}
	}
}

func TestEveryOptimizerOnADeviceIsThatOfTheCPU(t *testing.T) {
	d := densetest.Device(t)
	for name, make := range everyOptimizer() {
		for dt, tolerance := range map[tensor.DType]float64{tensor.Float32: 1e-5, tensor.Float64: 1e-12} {
			if testing.Short() && dt == tensor.Float64 {
				continue
			}
			here, there := parametersOn(nil, dt), parametersOn(d, dt)
			a, b := make(groupsOf(here)), make(groupsOf(there))
			for step := range 4 {
				giveGradients(here, step)
				giveGradients(there, step)
				a.Step()
				b.Step()
			}
			near(t, fmt.Sprint(name, " ", dt), there, here, tolerance)
		}
	}
}

// State goes from a device to the CPU and back, by files and by moving parameters.
// What a Scope puts off is computed from the weights of then.
func TestStepsInAScopeLeaveWhatWasComputedBefore(t *testing.T) {
	for _, d := range []*tensor.Device{nil, densetest.Device(t)} {
		x := autograd.Constant(tensor.Ones(tensor.Float32, 1024, 64).ToDevice(d))
		for name, make := range everyOptimizer() {
			p := autograd.Parameter(tensor.Ones(tensor.Float32, 64).ToDevice(d))
			opt := make(Params([]*autograd.Var{p}))
			before := autograd.Scope(func(xs ...*autograd.Var) *autograd.Var {
				y := autograd.NoGrad(xs[0]).Mul(p)
				xs[0].Mul(p).Sum().Backward()
				opt.Step()
				return y.Mean()
			}, x)
			if got := before.Tensor().Item(); got != 1 || p.Tensor().At(0) == 1 {
				t.Errorf("%s on %v: %v before the step, want 1; the weight is %v", name, d, got, p.Tensor().At(0))
			}
		}
	}
}

func TestStateMovesBetweenDevices(t *testing.T) {
	d := densetest.Device(t)
	for _, name := range []string{"adam", "nadam", "adagrad"} {
		make := everyOptimizer()[name]
		here, there, moved := parametersOn(nil, tensor.Float32), parametersOn(d, tensor.Float32), parametersOn(nil, tensor.Float32)
		a, b, c := make(groupsOf(here)), make(groupsOf(there)), make(groupsOf(moved))
		step := func(o Optimizer, ps []*autograd.Var, k int) {
			giveGradients(ps, k)
			o.Step()
		}
		for k := range 2 {
			step(a, here, k)
			step(c, moved, k)
		}
		for i, p := range there {
			p.Tensor().CopyFrom(here[i].Tensor())
		}
		if err := b.LoadState(a.State()); err != nil { // to the device
			t.Fatal(name, err)
		}
		for _, p := range moved {
			p.MoveTo(d)
		}
		for k := range 2 {
			step(a, here, k+2)
			step(b, there, k+2)
			step(c, moved, k+2)
		}
		near(t, name+" loaded", there, here, 1e-5)
		near(t, name+" moved", moved, here, 1e-5)
		for i, p := range moved {
			p.MoveTo(nil)
			p.Tensor().CopyFrom(there[i].Tensor())
		}
		if err := a.LoadState(b.State()); err != nil { // and from it
			t.Fatal(name, err)
		}
		step(a, here, 5)
		step(b, there, 5)
		step(c, moved, 5)
		near(t, name+" loaded back", here, there, 1e-4)
		near(t, name+" moved back", moved, there, 1e-4)
	}
}

func TestClippingOnADeviceIsThatOfTheCPU(t *testing.T) {
	d := densetest.Device(t)
	here, there := parametersOn(nil, tensor.Float32), parametersOn(d, tensor.Float32)
	giveGradients(here, 0)
	giveGradients(there, 0)
	a, b := ClipGradNorm(here, 0.5), ClipGradNorm(there, 0.5)
	if math.Abs(a-b) > 1e-6*a {
		t.Errorf("norm %v, on the CPU %v", b, a)
	}
	ClipGradValue(here, 0.01)
	ClipGradValue(there, 0.01)
	for i, p := range here {
		if p.Gradient() == nil {
			continue
		}
		want, got := p.Gradient().Float64s(), there[i].Gradient().Float64s()
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-7 {
				t.Fatalf("gradient %d, element %d: %v, on the CPU %v", i, k, got[k], want[k])
			}
		}
	}
}

// clipped gives the parameters gradients, clips them and returns the norm with the gradients.
func clipped(ps []*autograd.Var, clip func() float64) []float64 {
	giveGradients(ps, 0)
	all := []float64{clip()}
	for _, p := range ps {
		if g := p.Gradient(); g != nil {
			all = append(all, g.Float64s()...)
		}
	}
	return all
}

func TestClippingOnADeviceWithoutWaitingIsThatWhichWaits(t *testing.T) {
	d := densetest.Device(t)
	for _, on := range []*tensor.Device{nil, d} {
		for _, maxNorm := range []float64{0, 1e-3, 0.5, 1e6, math.Inf(1)} {
			for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
				ps, other := parametersOn(on, dt), parametersOn(on, tensor.Float64)
				ps = append(ps, other[2], ps[3], other[7]) // of both types, one twice
				want := clipped(ps, func() float64 { return ClipGradNorm(ps, maxNorm) })
				got := clipped(ps, func() float64 {
					norm := ClipGradNormTensor(ps, maxNorm)
					if norm.Device() != on || norm.DType() != tensor.Float64 || norm.Rank() != 0 {
						t.Errorf("the norm is %v on %v", norm, norm.Device())
					}
					return norm.Item()
				})
				if !slices.Equal(got, want) {
					t.Errorf("%v %v on %v: norm %v, want %v, or gradients differ", maxNorm, dt, on, got[0], want[0])
				}
			}
		}
	}
}

func TestClippingOnADeviceOfOddGradientsIsThatOfTheCPU(t *testing.T) {
	d := densetest.Device(t)
	nan, inf := math.NaN(), math.Inf(1)
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	for _, maxNorm := range []float64{1, inf} {
		for _, odd := range [][]float64{{0, 0}, {1, inf}, {-inf, inf}, {1, nan}, {3e30, 4e30}, {3e-30, 4e-30}, {3e-6, 4e-6}, {}} {
			run := func(on *tensor.Device, clip func(ps []*autograd.Var) float64) []float64 {
				a, b := autograd.Parameter(tensor.Zeros(tensor.Float32, len(odd)).ToDevice(on)), autograd.Parameter(tensor.Zeros(tensor.Float64, 1).ToDevice(on))
				a.SetGradient(tensor.FromSlice(odd, len(odd)).To(tensor.Float32).ToDevice(on))
				b.SetGradient(tensor.Zeros(tensor.Float64, 1).ToDevice(on))
				norm := clip([]*autograd.Var{a, b})
				return slices.Concat([]float64{norm}, a.Gradient().Float64s(), b.Gradient().Float64s())
			}
			want := run(nil, func(ps []*autograd.Var) float64 { return ClipGradNorm(ps, maxNorm) })
			for _, on := range []*tensor.Device{nil, d} {
				got := run(on, func(ps []*autograd.Var) float64 { return ClipGradNormTensor(ps, maxNorm).Item() })
				if !slices.EqualFunc(got, want, same) {
					t.Errorf("%v clipped to %v on %v: %v, want %v", odd, maxNorm, on, got, want)
				}
			}
		}
	}
}

// Steps of which the passes and the clipping are captured are those that are not.
func TestCapturedClippingOnADeviceIsThatWhichIsNot(t *testing.T) {
	d := densetest.Device(t)
	const steps, maxNorm = 6, 0.8
	run := func(captured bool) (norms []float64, weights []*autograd.Var) {
		ps := parametersOn(d, tensor.Float32)
		opt := NewAdam(groupsOf(ps), AdamConfig{LR: 0.1})
		var norm *tensor.Tensor
		backward := func() {
			giveGradients(ps, 0)
			norm = ClipGradNormTensor(ps, maxNorm)
		}
		for i := range steps {
			if captured && i == 1 {
				backward = densetest.Captured(t, d, backward)
			}
			backward()
			opt.Step()
			norms = append(norms, norm.Item())
		}
		return norms, ps
	}
	norms, weights := run(false)
	got, gotWeights := run(true)
	if !slices.Equal(got, norms) || norms[0] <= maxNorm || norms[0] == norms[steps-1] {
		t.Errorf("norms %v, want %v, others at each step", got, norms)
	}
	near(t, "captured", gotWeights, weights, 0)
}

func TestMisuseOfClippingOnADevice(t *testing.T) {
	d := densetest.Device(t)
	here, there := parametersOn(nil, tensor.Float32)[1], parametersOn(d, tensor.Float32)[1]
	for _, p := range []*autograd.Var{here, there} {
		p.SetGradient(tensor.Ones(tensor.Float32, 7).ToDevice(p.Device()))
	}
	idle := parametersOn(d, tensor.Float32)[2]
	for want, ps := range map[string][]*autograd.Var{
		"optim: ClipGradNormTensor: gradients are on cpu and on cuda:0": {here, idle, there},
		"optim: ClipGradNormTensor: gradients are on cuda:0 and on cpu": {idle, there, there, here},
		"optim: ClipGradNormTensor: parameter 1 is nil":                 {there, nil},
	} {
		err := autograd.Try(func() { ClipGradNormTensor(ps, 0.1) })
		var misuse *Error
		if !errors.As(err, &misuse) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got := there.Gradient().Float64s(); got[0] != 1 {
		t.Errorf("gradients are %v after misuse", got)
	}
	if norm := ClipGradNormTensor([]*autograd.Var{here, idle}, 100); norm.Device() != nil || math.Abs(norm.Item()-math.Sqrt(7)) > 1e-12 {
		t.Errorf("norm %v; a parameter without a gradient takes no part", norm)
	}
}
