// Initial values of parameters, drawn element by element.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// An Initializer overwrites the values of w, with random ones from r if it is
// random.
//
// Fans are those of a weight [... in out], as [Linear] has: fan-in is the
// second-last dimension, fan-out the last. Initialisers that use them panic with
// *[Error] for fewer than two dimensions.
type Initializer func(w *autograd.Var, r *RNG)

// Factors by which an activation function wants the deviation of the weights
// before it larger, as torch.nn.init.calculate_gain has them; see [Scaled] and
// [KaimingConfig].
const (
	GainLinear = 1.0 // none, or a sigmoid
	GainTanh   = 5.0 / 3
	GainReLU   = math.Sqrt2
	GainSELU   = 0.75
)

// GainLeakyReLU returns the gain of a leaky ReLU, sqrt(2/(1+slope²)).
func GainLeakyReLU(slope float64) float64 { return math.Sqrt(2 / (1 + slope*slope)) }

// Scaled returns the initialiser that multiplies what init gives by gain:
//
//	nn.Scaled(nn.GainTanh, nn.GlorotUniform)
func Scaled(gain float64, init Initializer) Initializer {
	wantThere("Scaled", "the initialiser", init != nil)
	return func(w *autograd.Var, r *RNG) {
		init(w, r)
		update(w, func(_ uint64, x float64) float64 { return gain * x })
	}
}

// GlorotUniform draws from U(-b, b), b = sqrt(6/(fanIn+fanOut)) (Glorot and
// Bengio 2010), as torch.nn.init.xavier_uniform_.
func GlorotUniform(w *autograd.Var, r *RNG) {
	in, out := fans("GlorotUniform", w)
	uniform(w, r, math.Sqrt(6/float64(in+out)))
}

// GlorotNormal draws from N(0, 2/(fanIn+fanOut)), as
// torch.nn.init.xavier_normal_.
func GlorotNormal(w *autograd.Var, r *RNG) {
	in, out := fans("GlorotNormal", w)
	normal(w, r, math.Sqrt(2/float64(in+out)))
}

// KaimingUniform draws from U(-b, b), b = sqrt(6/fanIn), for layers followed by
// ReLU (He et al. 2015).
func KaimingUniform(w *autograd.Var, r *RNG) {
	in, _ := fans("KaimingUniform", w)
	uniform(w, r, math.Sqrt(6/float64(in)))
}

// KaimingNormal draws from N(0, 2/fanIn), for layers followed by ReLU.
func KaimingNormal(w *autograd.Var, r *RNG) {
	in, _ := fans("KaimingNormal", w)
	normal(w, r, math.Sqrt(2/float64(in)))
}

// KaimingConfig are the settings of [Kaiming].
type KaimingConfig struct {
	Gain   float64 // of the activation function; GainReLU by default
	FanOut bool    // divide by fan-out, which keeps the variance of gradients, instead of fan-in
	Normal bool    // draw from a normal instead of a uniform distribution
}

// Kaiming returns the initialiser that draws with the standard deviation
// gain/sqrt(fan) (He et al. 2015), as torch.nn.init.kaiming_uniform_ and
// kaiming_normal_ do.
func Kaiming(c KaimingConfig) Initializer {
	gain := c.Gain
	if gain == 0 {
		gain = GainReLU
	}
	return func(w *autograd.Var, r *RNG) {
		fan, out := fans("Kaiming", w)
		if c.FanOut {
			fan = out
		}
		std := gain / math.Sqrt(float64(fan))
		if c.Normal {
			normal(w, r, std)
		} else {
			uniform(w, r, math.Sqrt(3)*std)
		}
	}
}

// Uniform returns the initialiser that draws from U(-bound, bound).
func Uniform(bound float64) Initializer {
	return func(w *autograd.Var, r *RNG) { uniform(w, r, bound) }
}

// UniformIn returns the initialiser that draws from U(lo, hi).
func UniformIn(lo, hi float64) Initializer {
	return func(w *autograd.Var, r *RNG) {
		seed := r.Seed()
		set(w, func(i uint64) float64 { return lo + (hi-lo)*rng.Uniform(seed, i) })
	}
}

// Normal returns the initialiser that draws from N(0, std^2).
func Normal(std float64) Initializer {
	return func(w *autograd.Var, r *RNG) { normal(w, r, std) }
}

// NormalAround returns the initialiser that draws from N(mean, std^2).
func NormalAround(mean, std float64) Initializer {
	return func(w *autograd.Var, r *RNG) {
		seed := r.Seed()
		set(w, func(i uint64) float64 { return mean + std*rng.Normal(seed, i) })
	}
}

// TruncNormal returns the initialiser that draws from N(mean, std^2) under the
// condition that the value is in [lo, hi], as torch.nn.init.trunc_normal_ does. An
// interval more than 8 deviations away gives its nearer end. It panics with
// *[Error] unless lo < hi and std > 0.
func TruncNormal(mean, std, lo, hi float64) Initializer {
	if !(lo < hi) || !(std > 0) {
		misuse("TruncNormal", fmt.Sprintf("deviation %v between %v and %v", std, lo, hi))
	}
	// The inverse of the distribution function, on the part of it that is left.
	phi := func(x float64) float64 { return math.Erf((x - mean) / std / math.Sqrt2) }
	from, to := phi(lo), phi(hi)
	if from == to {
		return Constant(min(max(mean, lo), hi))
	}
	return func(w *autograd.Var, r *RNG) {
		seed := r.Seed()
		set(w, func(i uint64) float64 {
			x := mean + std*math.Sqrt2*math.Erfinv(from+(to-from)*rng.Uniform(seed, i))
			return min(max(x, lo), hi) // rounding may pass an end
		})
	}
}

// Constant returns the initialiser that sets every value to c.
func Constant(c float64) Initializer {
	return func(w *autograd.Var, _ *RNG) { set(w, func(uint64) float64 { return c }) }
}

// Zeros sets every value to 0.
func Zeros(w *autograd.Var, r *RNG) { Constant(0)(w, r) }

// Ones sets every value to 1.
func Ones(w *autograd.Var, r *RNG) { Constant(1)(w, r) }

func uniform(w *autograd.Var, r *RNG, bound float64) {
	seed := r.Seed()
	set(w, func(i uint64) float64 { return bound * (2*rng.Uniform(seed, i) - 1) })
}

func normal(w *autograd.Var, r *RNG, std float64) {
	seed := r.Seed()
	set(w, func(i uint64) float64 { return std * rng.Normal(seed, i) })
}

// set gives element i the value f(i).
func set(w *autograd.Var, f func(i uint64) float64) {
	update(w, func(i uint64, _ float64) float64 { return f(i) })
}

// update gives element i, which is x, the value f(i, x).
func update(w *autograd.Var, f func(i uint64, x float64) float64) {
	wantThere("Initializer", "the parameter", w != nil)
	t := w.Tensor()
	near := t.ToDevice(tensor.CPU) // itself, unless it is on a device
	switch t.DType() {
	case tensor.Float32:
		updateTyped(tensor.Data[float32](near), f)
	default:
		updateTyped(tensor.Data[float64](near), f)
	}
	if near != t {
		t.CopyFrom(near)
	}
}

func updateTyped[T tensor.Float](data []T, f func(i uint64, x float64) float64) {
	for i, x := range data {
		data[i] = T(f(uint64(i), float64(x)))
	}
}

// fans returns the numbers of inputs and outputs that a weight joins.
func fans(op string, w *autograd.Var) (in, out int) {
	s := w.Shape()
	if len(s) < 2 {
		misuse(op, fmt.Sprintf("a weight of shape %v has no fan-in and fan-out", s))
	}
	return s[len(s)-2], s[len(s)-1]
}
