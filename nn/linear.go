// The dense layer.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// Linear is the layer
//
//	y = x W + b,  x [... in], W [in out], b [out]
//
// for row vectors x, which may be a sparse constant [N in]. (PyTorch stores W
// transposed, [out in].)
type Linear struct {
	Weight *autograd.Var
	Bias   *autograd.Var // nil without bias
}

// A LinearOption changes how [NewLinear] makes a layer.
type LinearOption func(*linearConfig)

type linearConfig struct {
	noBias       bool
	dtype        tensor.DType
	weight, bias Initializer
}

// NoBias leaves out the bias.
func NoBias() LinearOption { return func(c *linearConfig) { c.noBias = true } }

// WithDType sets the type of the parameters; tensor.Float32 by default. It panics with
// *[Error] if that is no floating-point type.
func WithDType(dt tensor.DType) LinearOption {
	if !dt.IsFloat() {
		misuse("WithDType", fmt.Sprintf("parameters of type %v; want f32 or f64", dt))
	}
	return func(c *linearConfig) { c.dtype = dt }
}

// WithInit sets how weight and bias are initialised; by default both are drawn
// from U(-1/sqrt(in), 1/sqrt(in)), as in PyTorch. bias may be nil for a layer without.
func WithInit(weight, bias Initializer) LinearOption {
	wantThere("WithInit", "the weight's initialiser", weight != nil)
	return func(c *linearConfig) { c.weight, c.bias = weight, bias }
}

// NewLinear returns a layer from in to out features, drawing its initial values
// from r.
func NewLinear(in, out int, r *RNG, opts ...LinearOption) *Linear {
	if in < 0 || out < 0 {
		misuse("NewLinear", fmt.Sprintf("negative size: %d to %d", in, out))
	}
	standard := Uniform(1 / math.Sqrt(float64(max(in, 1))))
	c := linearConfig{dtype: tensor.Float32, weight: standard, bias: standard}
	for i, o := range opts {
		wantOption("NewLinear", i, o != nil)
		o(&c)
	}
	l := &Linear{Weight: autograd.Parameter(tensor.Zeros(c.dtype, in, out))}
	c.weight(l.Weight, r)
	if !c.noBias {
		wantThere("NewLinear", "the bias's initialiser", c.bias != nil)
		l.Bias = autograd.Parameter(tensor.Zeros(c.dtype, out))
		c.bias(l.Bias, r)
	}
	return l
}

// Forward returns x W + b.
func (l *Linear) Forward(x *autograd.Var) *autograd.Var { return l.forward(x, false) }

// ForwardReLU returns max(x W + b, 0) as one operation.
func (l *Linear) ForwardReLU(x *autograd.Var) *autograd.Var { return l.forward(x, true) }

func (l *Linear) forward(x *autograd.Var, relu bool) *autograd.Var {
	if l == nil || l.Weight == nil {
		misuse("Linear", "the layer has no weight; make it with NewLinear")
	}
	return autograd.Linear(x, l.Weight, l.Bias, relu)
}
