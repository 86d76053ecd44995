// Gradcheck: gradients against central differences.

package autograd

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// A GradcheckOption changes how [Gradcheck] compares.
type GradcheckOption func(*gradcheckConfig)

type gradcheckConfig struct {
	step       float64
	rtol, atol float64
	seed       uint64
}

// GradcheckStep sets the distance h of the differences (f(x+h)-f(x-h))/2h;
// 1e-5 by default. Inputs must be farther than h from where f has a kink.
func GradcheckStep(h float64) GradcheckOption { return func(c *gradcheckConfig) { c.step = h } }

// GradcheckTolerance sets the accepted difference |analytic - numeric| to
// atol + rtol |numeric|; 1e-6 and 1e-7 by default.
func GradcheckTolerance(rtol, atol float64) GradcheckOption {
	return func(c *gradcheckConfig) { c.rtol, c.atol = rtol, atol }
}

// GradcheckSeed sets the seed of the random cotangent; 1 by default.
func GradcheckSeed(seed uint64) GradcheckOption { return func(c *gradcheckConfig) { c.seed = seed } }

// Gradcheck compares the gradients of f with central differences for every
// element of every x that requires a gradient; there must be one, and each must be
// a Float64 leaf. A result that is not a scalar is contracted with a random
// cotangent: with a constant one, gradients such as that of the sum of a softmax
// would vanish and check nothing.
//
// f is called with the xs themselves, changed in place by ±h for a moment, so it
// may also reach them by other ways, such as through a module. It must be
// deterministic. Values and gradients of the xs are as before on return.
//
// The error names the first element that differs.
func Gradcheck(f func(xs ...*Var) *Var, xs []*Var, opts ...GradcheckOption) error {
	wantThere("Gradcheck", "the function", f != nil)
	cfg := gradcheckConfig{step: 1e-5, rtol: 1e-6, atol: 1e-7, seed: 1}
	for i, o := range opts {
		wantOption("Gradcheck", i, o != nil)
		o(&cfg)
	}
	checks := false
	saved, shown := make([]*tensor.Tensor, len(xs)), make([]bool, len(xs))
	for i, x := range xs {
		x.check("Gradcheck")
		if x.requires && (x.node != nil || x.DType() != tensor.Float64) {
			return &Error{Op: "Gradcheck", Detail: fmt.Sprintf("input %d (%v) is not a Float64 leaf", i, x)}
		}
		checks = checks || x.requires
		saved[i], shown[i] = x.grad, x.gradShown.Load()
	}
	if !checks {
		return &Error{Op: "Gradcheck", Detail: fmt.Sprintf("none of the %d inputs requires a gradient: use Parameter or Variable", len(xs))}
	}
	defer func() {
		for i, x := range xs {
			x.grad = saved[i]
			x.gradShown.Store(shown[i])
		}
	}()

	y := f(xs...)
	if y.DType() != tensor.Float64 {
		return &Error{Op: "Gradcheck", Detail: fmt.Sprintf("the result is %v, want f64", y.DType()), Shapes: []tensor.Shape{y.Shape()}}
	}
	base := y.dense("Gradcheck").Float64s()
	for i, b := range f(xs...).dense("Gradcheck").Float64s() {
		if math.Float64bits(b) != math.Float64bits(base[i]) {
			return &Error{Op: "Gradcheck", Detail: fmt.Sprintf("f is not deterministic: element %d of two results is %v and %v", i, base[i], b)}
		}
	}
	weights := make([]float64, len(base))
	for i := range weights {
		weights[i] = rng.Normal(cfg.seed, uint64(i))
	}
	for _, x := range xs {
		x.grad = nil
	}
	if y.requires {
		y.BackwardWith(tensor.FromSlice(weights, y.Shape()...).ToDevice(y.Device()))
	}
	for i, x := range xs {
		if !x.requires {
			continue
		}
		if err := cfg.compare(f, xs, i, weights); err != nil {
			return err
		}
	}
	return nil
}

// compare checks the gradient of xs[i].
func (cfg *gradcheckConfig) compare(f func(xs ...*Var) *Var, xs []*Var, i int, weights []float64) error {
	x := xs[i]
	near := x.value.ToDevice(tensor.CPU) // itself, unless it is on a device
	data := tensor.Data[float64](near)
	analytic := make([]float64, len(data)) // zeros if no gradient arrived
	if x.grad != nil {
		analytic = x.grad.Float64s()
	}
	at := func(k int, value float64) []float64 {
		old := data[k]
		set := func(value float64) {
			if data[k] = value; near != x.value {
				x.value.CopyFrom(near)
			}
		}
		set(value)
		defer set(old)
		return f(xs...).dense("Gradcheck").Float64s()
	}
	for k, v := range data {
		hi, lo := v+cfg.step, v-cfg.step
		above, below := at(k, hi), at(k, lo)
		numeric := 0.0
		for j, w := range weights {
			numeric += w * (above[j] - below[j])
		}
		numeric /= hi - lo
		if diff := math.Abs(analytic[k] - numeric); !(diff <= cfg.atol+cfg.rtol*math.Abs(numeric)) {
			return &Error{
				Op:     "Gradcheck",
				Detail: fmt.Sprintf("input %d, element %d: gradient %v, central difference %v", i, k, analytic[k], numeric),
				Shapes: []tensor.Shape{x.Shape()},
			}
		}
	}
	return nil
}
