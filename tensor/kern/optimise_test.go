// Tests of the optimisers' updates.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// updates are all ways to update, over slices p, g and three of state.
func updates[T Float](s *Set[T], step int) map[string]func(p, g, m, v, top []T) {
	plain := AdamArgs{
		LR: 0.01, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8,
		BiasCorrection1: 1 - math.Pow(0.9, float64(step)), BiasCorrection2: 1 - math.Pow(0.999, float64(step)),
	}
	decayed, decoupled := plain, plain
	decayed.WeightDecay, decoupled.WeightDecay, decoupled.Decoupled = 0.1, 0.1, true
	momentum := SGDArgs{LR: 0.1, WeightDecay: 0.01, Momentum: 0.9, Share: 0.7}
	nesterov := momentum
	nesterov.Share, nesterov.Nesterov = 1, true
	rms := RMSpropArgs{LR: 0.01, WeightDecay: 0.1, Alpha: 0.9, Eps: 1e-8}
	rmsCentered, rmsMomentum, rmsBoth := rms, rms, rms
	rmsCentered.Centered, rmsBoth.Centered = true, true
	rmsMomentum.Momentum, rmsBoth.Momentum = 0.8, 0.8
	nesterovAdam := NAdamArgs{
		StepG: 0.003, StepM: 0.02, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, Shrink: 0.99, L2: 0.1,
		BiasCorrection2: 1 - math.Pow(0.999, float64(step)),
	}
	return map[string]func(p, g, m, v, top []T){
		"RMSprop":           func(p, g, m, v, top []T) { s.RMSprop(p, g, v, nil, nil, rms) },
		"RMSprop, centred":  func(p, g, m, v, top []T) { s.RMSprop(p, g, v, m, nil, rmsCentered) },
		"RMSprop, momentum": func(p, g, m, v, top []T) { s.RMSprop(p, g, v, nil, m, rmsMomentum) },
		"RMSprop, both":     func(p, g, m, v, top []T) { s.RMSprop(p, g, v, m, top, rmsBoth) },
		"Adagrad":           func(p, g, m, v, top []T) { s.Adagrad(p, g, v, AdagradArgs{LR: 0.1, WeightDecay: 0.1, Eps: 1e-10}) },
		"Adadelta": func(p, g, m, v, top []T) {
			s.Adadelta(p, g, v, top, AdadeltaArgs{LR: 1, WeightDecay: 0.1, Rho: 0.9, Eps: 1e-6})
		},
		"NAdam": func(p, g, m, v, top []T) { s.NAdam(p, g, m, v, nesterovAdam) },
		"Lion": func(p, g, m, v, top []T) {
			s.Lion(p, g, m, LionArgs{LR: 0.01, WeightDecay: 0.1, Beta1: 0.9, Beta2: 0.99})
		},
		"Adam":         func(p, g, m, v, top []T) { s.Adam(p, g, m, v, plain) },
		"Adam with L2": func(p, g, m, v, top []T) { s.Adam(p, g, m, v, decayed) },
		"AdamW":        func(p, g, m, v, top []T) { s.Adam(p, g, m, v, decoupled) },
		"AMSGrad":      func(p, g, m, v, top []T) { s.AMSGrad(p, g, m, v, top, decayed) },
		"SGD":          func(p, g, m, v, top []T) { s.SGD(p, g, nil, SGDArgs{LR: 0.1, WeightDecay: 0.01}) },
		"momentum":     func(p, g, m, v, top []T) { s.SGD(p, g, m, momentum) },
		"Nesterov":     func(p, g, m, v, top []T) { s.SGD(p, g, m, nesterov) },
	}
}

// TestOptimisersHaveTheBitsOfTheirReferences holds a resumed run to an uninterrupted
// one wherever its chunks begin, and a build without assembly to one with it.
func TestOptimisersHaveTheBitsOfTheirReferences(t *testing.T) {
	forSets(t, testOptimiserBits[float32], testOptimiserBits[float64])
}

func testOptimiserBits[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(71, 72))
	for name, update := range updates(set, 3) {
		reference := updates(Reference[T](), 3)[name]
		for _, n := range lengths {
			var got [5]*guarded[T]
			var want [5][]T
			for k := range got {
				got[k] = newGuarded[T](n, (n+k)%8)
				fillRandom(r, got[k].s, n%3 == 2)
				if k > 2 { // second moments
					for i, v := range got[k].s {
						got[k].s[i] = T(math.Abs(float64(v)))
					}
				}
				want[k] = append([]T(nil), got[k].s...)
			}
			update(got[0].s, got[1].s, got[2].s, got[3].s, got[4].s)
			reference(want[0], want[1], want[2], want[3], want[4])
			for k := range got {
				compare(t, fmt.Sprintf("%s n=%d slice %d", name, n, k), got[k], want[k])
			}
		}
	}
}

// TestOptimisersFollowTheirFormulas runs some steps against float64 transcriptions of
// the formulas in torch.optim's documentation.
func TestOptimisersFollowTheirFormulas(t *testing.T) {
	forSets(t, testOptimiserFormulas[float32], testOptimiserFormulas[float64])
}

func testOptimiserFormulas[T Float](t *testing.T, set *Set[T]) {
	const n, steps = 37, 12
	for name := range updates(set, 1) {
		r := rand.New(rand.NewPCG(73, 74))
		var s [5][]T // p, g and the state
		for k := range s {
			s[k] = make([]T, n)
		}
		fillRandom(r, s[0], false)
		var p, m, v, top [n]float64
		for i := range p {
			p[i] = float64(s[0][i])
		}
		for step := 1; step <= steps; step++ {
			fillRandom(r, s[1], false)
			updates(set, step)[name](s[0], s[1], s[2], s[3], s[4])
			for i := range p {
				g := float64(s[1][i])
				switch name {
				case "SGD":
					p[i] -= 0.1 * (g + 0.01*p[i])
				case "momentum":
					m[i] = 0.9*m[i] + 0.7*(g+0.01*p[i])
					p[i] -= 0.1 * m[i]
				case "Nesterov":
					g += 0.01 * p[i]
					m[i] = 0.9*m[i] + g
					p[i] -= 0.1 * (g + 0.9*m[i])
				case "RMSprop", "RMSprop, centred", "RMSprop, momentum", "RMSprop, both":
					g += 0.1 * p[i]
					v[i] = 0.9*v[i] + (1-0.9)*g*g
					variance := v[i]
					if name == "RMSprop, centred" || name == "RMSprop, both" {
						m[i] = 0.9*m[i] + (1-0.9)*g
						variance = max(0, variance-m[i]*m[i])
					}
					g /= math.Sqrt(variance) + 1e-8
					if name == "RMSprop, momentum" || name == "RMSprop, both" {
						top[i] = 0.8*top[i] + g
						g = top[i]
					}
					p[i] -= 0.01 * g
				case "Adagrad":
					g += 0.1 * p[i]
					v[i] += g * g
					p[i] -= 0.1 * g / (math.Sqrt(v[i]) + 1e-10)
				case "Adadelta":
					g += 0.1 * p[i]
					v[i] = 0.9*v[i] + (1-0.9)*g*g
					g *= math.Sqrt(top[i]+1e-6) / math.Sqrt(v[i]+1e-6)
					top[i] = 0.9*top[i] + (1-0.9)*g*g
					p[i] -= g
				case "NAdam":
					p[i] *= 0.99
					g += 0.1 * p[i]
					m[i] = 0.9*m[i] + (1-0.9)*g
					v[i] = 0.999*v[i] + (1-0.999)*g*g
					p[i] -= (0.003*g + 0.02*m[i]) / (math.Sqrt(v[i]/(1-math.Pow(0.999, float64(step)))) + 1e-8)
				case "Lion":
					direction := 0.9*m[i] + (1-0.9)*g
					p[i] = p[i]*(1-0.01*0.1) - 0.01*math.Copysign(1, direction)
					m[i] = 0.99*m[i] + (1-0.99)*g
				default:
					switch name {
					case "AdamW":
						p[i] -= 0.01 * 0.1 * p[i]
					case "Adam with L2", "AMSGrad":
						g += 0.1 * p[i]
					}
					m[i] = 0.9*m[i] + (1-0.9)*g
					v[i] = 0.999*v[i] + (1-0.999)*g*g
					top[i] = max(top[i], v[i])
					second := v[i]
					if name == "AMSGrad" {
						second = top[i]
					}
					c1, c2 := 1-math.Pow(0.9, float64(step)), 1-math.Pow(0.999, float64(step))
					p[i] -= 0.01 * (m[i] / c1) / (math.Sqrt(second/c2) + 1e-8)
				}
			}
		}
		for i := range p {
			if got := float64(s[0][i]); math.Abs(got-p[i]) > 40*epsilon[T]()*(1+math.Abs(p[i])) {
				t.Errorf("%s: parameter %d after %d steps is %v, want %v", name, i, steps, got, p[i])
			}
		}
	}
}

func TestOptimisersPanicOnShortOperands(t *testing.T) {
	forSets(t, testShortUpdates[float32], testShortUpdates[float64])
}

func testShortUpdates[T Float](t *testing.T, set *Set[T]) {
	long := func() []T { return make([]T, 9) }
	short := make([]T, 8)
	centered, momentum := RMSpropArgs{Centered: true}, RMSpropArgs{Momentum: 0.5}
	for name, f := range map[string]func(){
		"RMSprop g":    func() { set.RMSprop(long(), short, long(), nil, nil, RMSpropArgs{}) },
		"RMSprop v":    func() { set.RMSprop(long(), long(), short, nil, nil, RMSpropArgs{}) },
		"RMSprop mean": func() { set.RMSprop(long(), long(), long(), short, nil, centered) },
		"RMSprop last": func() { set.RMSprop(long(), long(), long(), nil, short, momentum) },
		"Adagrad g":    func() { set.Adagrad(long(), short, long(), AdagradArgs{}) },
		"Adagrad v":    func() { set.Adagrad(long(), long(), short, AdagradArgs{}) },
		"Adadelta v":   func() { set.Adadelta(long(), long(), short, long(), AdadeltaArgs{}) },
		"Adadelta u":   func() { set.Adadelta(long(), long(), long(), short, AdadeltaArgs{}) },
		"NAdam m":      func() { set.NAdam(long(), long(), short, long(), NAdamArgs{}) },
		"NAdam v":      func() { set.NAdam(long(), long(), long(), short, NAdamArgs{}) },
		"Lion g":       func() { set.Lion(long(), short, long(), LionArgs{}) },
		"Lion m":       func() { set.Lion(long(), long(), short, LionArgs{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// What neither grows nor shrinks has no direction.
func TestLionLeavesWeightsAtRestAlone(t *testing.T) {
	forSets(t, testLionAtRest[float32], testLionAtRest[float64])
}

func testLionAtRest[T Float](t *testing.T, set *Set[T]) {
	const n = 13
	p, g, m := make([]T, n), make([]T, n), make([]T, n)
	for i := range p {
		p[i] = T(i)
	}
	g[2], g[3], g[12] = T(math.NaN()), -1e-30, 1e-30
	set.Lion(p, g, m, LionArgs{LR: 0.5, Beta1: 0.9, Beta2: 0.99})
	for i, v := range p {
		want := T(i)
		switch i {
		case 2:
			want = T(math.NaN())
		case 3:
			want += 0.5
		case 12:
			want -= 0.5
		}
		if !same(v, want) {
			t.Errorf("weight %d is %v, want %v", i, v, want)
		}
	}
}
