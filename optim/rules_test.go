// Every optimiser against its recurrence, one weight at a time in float64, and
// the properties that all of them share.

package optim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
	"gorgonia.org/gorgonia"
)

const (
	refLR    = 0.02
	refDecay = 0.05
)

// algorithms are all optimisers. reference returns the recurrence of one weight:
// from its t-th gradient to its next value.
var algorithms = []struct {
	name      string
	make      func(groups []optim.Group) optim.Optimizer
	reference func() func(t, w, g float64) float64
}{
	{"SGD", func(gs []optim.Group) optim.Optimizer {
		return optim.NewSGD(gs, optim.SGDConfig{Momentum: 0.8})
	}, func() func(t, w, g float64) float64 {
		var v float64
		return func(t, w, g float64) float64 {
			v = 0.8*v + g + refDecay*w
			return w - refLR*v
		}
	}},
	{"Adam", func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdam(gs, optim.AdamConfig{})
	}, func() func(t, w, g float64) float64 { return adamReference(false, false) }},
	{"AdamW", func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdamW(gs, optim.AdamConfig{})
	}, func() func(t, w, g float64) float64 { return adamReference(true, false) }},
	{"Adam AMSGrad", func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdam(gs, optim.AdamConfig{AMSGrad: true, Beta2: 0.6})
	}, func() func(t, w, g float64) float64 { return adamReference(false, true) }},
	{"AdamW AMSGrad", func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdamW(gs, optim.AdamConfig{AMSGrad: true, Beta2: 0.6})
	}, func() func(t, w, g float64) float64 { return adamReference(true, true) }},
	{"RMSprop", func(gs []optim.Group) optim.Optimizer {
		return optim.NewRMSprop(gs, optim.RMSpropConfig{})
	}, func() func(t, w, g float64) float64 { return rmspropReference(0.99, 0, false) }},
	{"RMSprop momentum", func(gs []optim.Group) optim.Optimizer {
		return optim.NewRMSprop(gs, optim.RMSpropConfig{Alpha: 0.9, Momentum: 0.7})
	}, func() func(t, w, g float64) float64 { return rmspropReference(0.9, 0.7, false) }},
	{"RMSprop centered", func(gs []optim.Group) optim.Optimizer {
		return optim.NewRMSprop(gs, optim.RMSpropConfig{Centered: true})
	}, func() func(t, w, g float64) float64 { return rmspropReference(0.99, 0, true) }},
	{"RMSprop centered momentum", func(gs []optim.Group) optim.Optimizer {
		return optim.NewRMSprop(gs, optim.RMSpropConfig{Alpha: 0.9, Momentum: 0.7, Centered: true})
	}, func() func(t, w, g float64) float64 { return rmspropReference(0.9, 0.7, true) }},
	{"Adagrad", func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdagrad(gs, optim.AdagradConfig{})
	}, func() func(t, w, g float64) float64 { return adagradReference(0, 0) }},
	{"Adagrad decay initial", func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdagrad(gs, optim.AdagradConfig{LRDecay: 0.3, Initial: 0.2})
	}, func() func(t, w, g float64) float64 { return adagradReference(0.3, 0.2) }},
	{"Adadelta", func(gs []optim.Group) optim.Optimizer {
		return optim.NewAdadelta(gs, optim.AdadeltaConfig{})
	}, func() func(t, w, g float64) float64 {
		var squares, deltas float64
		return func(t, w, g float64) float64 {
			g += refDecay * w
			squares = 0.9*squares + 0.1*g*g
			delta := g * math.Sqrt((deltas+1e-6)/(squares+1e-6))
			deltas = 0.9*deltas + 0.1*delta*delta
			return w - refLR*delta
		}
	}},
	{"NAdam", func(gs []optim.Group) optim.Optimizer {
		return optim.NewNAdam(gs, optim.NAdamConfig{})
	}, func() func(t, w, g float64) float64 { return nadamReference(4e-3, false) }},
	{"NAdam decoupled", func(gs []optim.Group) optim.Optimizer {
		return optim.NewNAdam(gs, optim.NAdamConfig{Decoupled: true, MomentumDecay: 3})
	}, func() func(t, w, g float64) float64 { return nadamReference(3, true) }},
	{"Lion", func(gs []optim.Group) optim.Optimizer {
		return optim.NewLion(gs, optim.LionConfig{})
	}, func() func(t, w, g float64) float64 {
		var m float64
		return func(t, w, g float64) float64 {
			c := 0.9*m + 0.1*g
			m = 0.99*m + 0.01*g
			w -= refLR * refDecay * w
			if c == 0 {
				return w
			}
			return w - math.Copysign(refLR, c)
		}
	}},
}

func adamReference(decoupled, amsgrad bool) func(t, w, g float64) float64 {
	beta2 := 0.999
	if amsgrad { // forgets fast, so that the largest v is often not the last
		beta2 = 0.6
	}
	var m, v, top float64
	return func(t, w, g float64) float64 {
		if decoupled {
			w -= refLR * refDecay * w
		} else {
			g += refDecay * w
		}
		m = 0.9*m + 0.1*g
		v = beta2*v + (1-beta2)*g*g
		top = math.Max(top, v)
		scale := v
		if amsgrad {
			scale = top
		}
		return w - refLR*(m/(1-math.Pow(0.9, t)))/(math.Sqrt(scale/(1-math.Pow(beta2, t)))+1e-8)
	}
}

func rmspropReference(alpha, momentum float64, centered bool) func(t, w, g float64) float64 {
	var v, a, b float64
	return func(t, w, g float64) float64 {
		g += refDecay * w
		v += (1 - alpha) * (g*g - v)
		if centered {
			a += (1 - alpha) * (g - a)
		}
		b = momentum*b + g/(math.Sqrt(v-a*a)+1e-8)
		return w - refLR*b
	}
}

func adagradReference(lrDecay, initial float64) func(t, w, g float64) float64 {
	v := initial
	return func(t, w, g float64) float64 {
		g += refDecay * w
		v += g * g
		return w - refLR/(1+(t-1)*lrDecay)*g/(math.Sqrt(v)+1e-10)
	}
}

func nadamReference(psi float64, decoupled bool) func(t, w, g float64) float64 {
	var m, v float64
	mu := func(t float64) float64 { return 0.9 * (1 - 0.5*math.Pow(0.96, t*psi)) }
	return func(t, w, g float64) float64 {
		if decoupled {
			w -= refLR * refDecay * w
		} else {
			g += refDecay * w
		}
		m = 0.9*m + 0.1*g
		v = 0.999*v + 0.001*g*g
		product := 1.0
		for s := 1.0; s <= t; s++ {
			product *= mu(s)
		}
		mHat := mu(t+1)*m/(1-product*mu(t+1)) + (1-mu(t))*g/(1-product)
		return w - refLR*mHat/(math.Sqrt(v/(1-math.Pow(0.999, t)))+1e-8)
	}
}

// referenceGroup is one group with the settings of the references.
func referenceGroup(params ...*autograd.Var) []optim.Group {
	return []optim.Group{{Params: params, LR: refLR, WeightDecay: refDecay}}
}

// wave is a gradient of some sizes and both signs, with a zero. Sizes shrink with
// the step, then grow.
func wave(step, n int) []float64 {
	g := make([]float64, n)
	for i := range g {
		g[i] = math.Sin(1.3*float64(i)+0.9*float64(step)) * math.Pow(4, math.Abs(float64(step)-4)-2)
	}
	g[0] = 0
	return g
}

// The second weight gets a gradient at every other step only: at the rest it
// stays, and its own count of steps goes on from where it was.
func TestOptimizersFollowTheirRecurrences(t *testing.T) {
	const n, steps = 9, 8
	for _, a := range algorithms {
		for _, p := range []struct {
			dt  tensor.DType
			tol float64
		}{{tensor.Float64, 1e-12}, {tensor.Float32, 2e-6}} {
			start := wave(2, 2*n)
			always := autograd.Parameter(tensor.FromSlice(slices.Clone(start[:n]), n).To(p.dt))
			sometimes := autograd.Parameter(tensor.FromSlice(slices.Clone(start[n:]), n).To(p.dt))
			opt := a.make(referenceGroup(always, sometimes))
			want := slices.Clone(start)
			var next []func(t, w, g float64) float64
			for range want {
				next = append(next, a.reference())
			}
			for k := range steps {
				g := wave(k, 2*n)
				opt.ZeroGrad()
				give(always, tensor.FromSlice(g[:n], n).To(p.dt))
				for i := range n {
					want[i] = next[i](float64(k+1), want[i], g[i])
				}
				if k%2 == 0 {
					give(sometimes, tensor.FromSlice(g[n:], n).To(p.dt))
					for i := n; i < 2*n; i++ {
						want[i] = next[i](float64(k/2+1), want[i], g[i])
					}
				}
				opt.Step()
				got := append(always.Tensor().Float64s(), sometimes.Tensor().Float64s()...)
				for i := range want {
					if !(math.Abs(got[i]-want[i]) <= p.tol*(1+math.Abs(want[i]))) {
						t.Fatalf("%s %v: step %d, weight %d: %v, want %v", a.name, p.dt, k+1, i, got[i], want[i])
					}
				}
			}
		}
	}
}

// train makes steps with gradients that follow from the step and the size.
func train(opt optim.Optimizer, w *autograd.Var, steps int) []float64 {
	for k := range steps {
		give(w, tensor.FromSlice(wave(k, w.Tensor().Size()), w.Shape()...).To(w.DType()))
		opt.Step()
	}
	return w.Tensor().Float64s()
}

func TestResetForgetsTheState(t *testing.T) {
	for _, a := range algorithms {
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			w := autograd.Parameter(tensor.Full(dt, 0.5, 9))
			opt := a.make(referenceGroup(w))
			again := func() []float64 {
				w.SetTensor(tensor.Full(dt, 0.5, 9))
				return train(opt, w, 3)
			}
			first := train(opt, w, 3)
			if slices.Equal(again(), first) {
				t.Errorf("%s %v: three steps with state are the same as without", a.name, dt)
			}
			opt.Reset()
			if !slices.Equal(again(), first) {
				t.Errorf("%s %v: steps after Reset differ from the first", a.name, dt)
			}
			if g := opt.Groups()[0]; g.LR != refLR || g.WeightDecay != refDecay || w.Gradient() == nil {
				t.Errorf("%s: Reset changed settings or gradients", a.name)
			}
		}
	}
}

func TestAllOptimizersAreTheSameBitsForAnyNumberOfThreads(t *testing.T) {
	defer tensor.SetThreads(0)
	for _, a := range algorithms {
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			run := func(threads int) []float64 {
				tensor.SetThreads(threads)
				w := autograd.Parameter(tensor.Full(dt, 0.3, 33_003))
				return train(a.make(referenceGroup(w)), w, 3)
			}
			one := run(1)
			for _, threads := range []int{2, 5} {
				if !slices.Equal(one, run(threads)) {
					t.Errorf("%s %v: %d threads give other bits than one", a.name, dt, threads)
				}
			}
		}
	}
}

func TestSolverAndStepAreTheSameBits(t *testing.T) {
	for _, a := range algorithms {
		w, v := param(wave(3, 9)...), param(wave(3, 9)...)
		opt, solver := a.make(referenceGroup(w)), a.make(referenceGroup(v)).Solver()
		for k := range 4 {
			give(w, tensor.FromSlice(wave(k, 9), 9))
			give(v, tensor.FromSlice(wave(k, 9), 9))
			opt.Step()
			if err := solver.Step([]gorgonia.ValueGrad{v}); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(w.Tensor().Float64s(), v.Tensor().Float64s()) {
			t.Errorf("%s: Solver differs from Step", a.name)
		}
	}
}

func TestNaNGradientsReachTheirWeightsOnly(t *testing.T) {
	for _, a := range algorithms {
		w := param(1, 1, 1)
		opt := a.make(referenceGroup(w))
		give(w, tensor.FromSlice([]float64{1, math.NaN(), -1}, 3))
		opt.Step()
		got := w.Tensor().Float64s()
		if x := got[0] + got[2]; x != x || got[1] == got[1] {
			t.Errorf("%s: weights %v, want NaN in the middle only", a.name, got)
		}
	}
}

func TestEmptyParametersAreLegalForAllOptimizers(t *testing.T) {
	for _, a := range algorithms {
		w := autograd.Parameter(tensor.Zeros(tensor.Float32, 0, 4))
		opt := a.make(referenceGroup(w))
		for range 2 {
			give(w, tensor.Zeros(tensor.Float32, 0, 4))
			opt.Step()
		}
	}
}

// v - a² of equal gradients tends to 0 and is often negative by rounding.
func TestCenteredRMSpropSurvivesEqualGradients(t *testing.T) {
	w := autograd.Parameter(tensor.Zeros(tensor.Float32, 64))
	g := tensor.Zeros(tensor.Float32, 64)
	for i := range tensor.Data[float32](g) {
		tensor.Data[float32](g)[i] = 0.1 + 0.01*float32(i)
	}
	opt := optim.NewRMSprop(optim.Params([]*autograd.Var{w}), optim.RMSpropConfig{LR: 1e-9, Alpha: 0.5, Centered: true})
	for range 60 {
		give(w, g)
		opt.Step()
	}
	if !tensor.AllFinite(w.Tensor()) {
		t.Errorf("weights %v", w.Tensor())
	}
}

func TestAdaptiveConstructorsRejectSenselessSettings(t *testing.T) {
	one := optim.Params([]*autograd.Var{param(1)})
	wantMisuse(t, map[string]func(){
		"optim: NewRMSprop: Alpha is 1, want":        func() { optim.NewRMSprop(one, optim.RMSpropConfig{LR: 1, Alpha: 1}) },
		"NewRMSprop: Eps is -1":                      func() { optim.NewRMSprop(one, optim.RMSpropConfig{LR: 1, Eps: -1}) },
		"NewRMSprop: momentum is 2, want":            func() { optim.NewRMSprop(one, optim.RMSpropConfig{LR: 1, Momentum: 2}) },
		"NewRMSprop: group 0 has no learning rate":   func() { optim.NewRMSprop(one, optim.RMSpropConfig{}) },
		"NewAdagrad: LRDecay is -1":                  func() { optim.NewAdagrad(one, optim.AdagradConfig{LR: 1, LRDecay: -1}) },
		"NewAdagrad: Initial is -1":                  func() { optim.NewAdagrad(one, optim.AdagradConfig{LR: 1, Initial: -1}) },
		"NewAdagrad: Eps is NaN":                     func() { optim.NewAdagrad(one, optim.AdagradConfig{LR: 1, Eps: math.NaN()}) },
		"NewAdadelta: Rho is 1, want":                func() { optim.NewAdadelta(one, optim.AdadeltaConfig{LR: 1, Rho: 1}) },
		"NewAdadelta: Eps is +Inf":                   func() { optim.NewAdadelta(one, optim.AdadeltaConfig{LR: 1, Eps: math.Inf(1)}) },
		"NewNAdam: Beta1 is -1, want":                func() { optim.NewNAdam(one, optim.NAdamConfig{LR: 1, Beta1: -1}) },
		"NewNAdam: Beta2 is 1, want":                 func() { optim.NewNAdam(one, optim.NAdamConfig{LR: 1, Beta2: 1}) },
		"NewNAdam: Eps is -1":                        func() { optim.NewNAdam(one, optim.NAdamConfig{LR: 1, Eps: -1}) },
		"NewNAdam: MomentumDecay is -1":              func() { optim.NewNAdam(one, optim.NAdamConfig{LR: 1, MomentumDecay: -1}) },
		"NewLion: Beta1 is 1, want 0 <= Beta1 < 1":   func() { optim.NewLion(one, optim.LionConfig{LR: 1, Beta1: 1}) },
		"NewLion: Beta2 is NaN, want 0 <= Beta2 < 1": func() { optim.NewLion(one, optim.LionConfig{LR: 1, Beta2: math.NaN()}) },
	})
}
