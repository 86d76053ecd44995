// Initial values of parameters.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// An Initializer overwrites the values of w with random ones from r.
//
// Fans are those of a weight [... in out], as [Linear] has: fan-in is the
// second-last dimension, fan-out the last. Initialisers that use them panic with
// *[Error] for fewer than two dimensions.
type Initializer func(w *autograd.Var, r *RNG)

// GlorotUniform draws from U(-b, b), b = sqrt(6/(fanIn+fanOut)) (Glorot and
// Bengio 2010).
func GlorotUniform(w *autograd.Var, r *RNG) {
	in, out := fans("GlorotUniform", w)
	uniform(w, r, math.Sqrt(6/float64(in+out)))
}

// GlorotNormal draws from N(0, 2/(fanIn+fanOut)).
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

// Uniform returns the initialiser that draws from U(-bound, bound).
func Uniform(bound float64) Initializer {
	return func(w *autograd.Var, r *RNG) { uniform(w, r, bound) }
}

// Normal returns the initialiser that draws from N(0, std^2).
func Normal(std float64) Initializer {
	return func(w *autograd.Var, r *RNG) { normal(w, r, std) }
}

// Constant returns the initialiser that sets every value to c.
func Constant(c float64) Initializer {
	return func(w *autograd.Var, _ *RNG) { set(w, func(uint64) float64 { return c }) }
}

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
	t := w.Tensor()
	switch t.DType() {
	case tensor.Float32:
		setTyped(tensor.Data[float32](t), f)
	default:
		setTyped(tensor.Data[float64](t), f)
	}
}

func setTyped[T tensor.Float](data []T, f func(i uint64) float64) {
	for i := range data {
		data[i] = T(f(uint64(i)))
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
