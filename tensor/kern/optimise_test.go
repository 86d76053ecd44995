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
	return map[string]func(p, g, m, v, top []T){
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
