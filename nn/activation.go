// Activation functions and reshapings as layers, for Sequential and MLP. In a
// Forward method, call the function of autograd.Var.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// Func is a layer without parameters, such as
//
//	nn.Func((*autograd.Var).ReLU)
type Func func(x *autograd.Var) *autograd.Var

// Forward returns f(x).
func (f Func) Forward(x *autograd.Var) *autograd.Var {
	wantThere("Func", "the function", f != nil)
	return f(x)
}

// Identity returns the layer that does nothing.
func Identity() Func { return func(x *autograd.Var) *autograd.Var { return x } }

// Flatten returns the layer that keeps the first axis and makes one of the
// others: [N a b ...] -> [N a·b·...].
func Flatten() Func {
	return func(x *autograd.Var) *autograd.Var {
		wantVars("Flatten", x)
		s := x.Shape()
		if len(s) == 0 {
			misuse("Flatten", "a scalar has no first axis")
		}
		return x.Reshape(s[0], s[1:].Size())
	}
}

// ReLU returns the layer max(x, 0).
func ReLU() Func { return (*autograd.Var).ReLU }

// ReLU6 returns the layer min(max(x, 0), 6).
func ReLU6() Func { return Hardtanh(0, 6) }

// Hardtanh returns the layer min(max(x, lo), hi).
func Hardtanh(lo, hi float64) Func {
	return func(x *autograd.Var) *autograd.Var { return x.Hardtanh(lo, hi) }
}

// LeakyReLU returns the layer x where x > 0, slope·x elsewhere.
func LeakyReLU(slope float64) Func {
	return func(x *autograd.Var) *autograd.Var { return x.LeakyReLU(slope) }
}

// ELU returns the layer x where x > 0, alpha(e^x - 1) elsewhere.
func ELU(alpha float64) Func {
	return func(x *autograd.Var) *autograd.Var { return x.ELU(alpha) }
}

// SELU returns the layer λ·x where x > 0, λ·α(e^x - 1) elsewhere, with the λ and α
// of Klambauer et al. (2017), which keep mean 0 and variance 1.
func SELU() Func { return (*autograd.Var).SELU }

// GELU returns the layer x·P(Z <= x) for a standard normal Z (erf form).
func GELU() Func { return (*autograd.Var).GELU }

// SiLU returns the layer x·σ(x).
func SiLU() Func { return (*autograd.Var).SiLU }

// Mish returns the layer x·tanh(ln(1 + e^x)) (Misra 2019).
func Mish() Func { return (*autograd.Var).Mish }

// Hardswish returns the layer x·min(max(x+3, 0), 6)/6 (Howard et al. 2019).
func Hardswish() Func { return (*autograd.Var).Hardswish }

// GLU returns the layer a·σ(b) for the halves a and b of the last axis (Dauphin et
// al. 2017).
func GLU() Func { return func(x *autograd.Var) *autograd.Var { return x.GLU(-1) } }

// Sigmoid returns the layer σ(x) = 1/(1 + e^-x).
func Sigmoid() Func { return (*autograd.Var).Sigmoid }

// LogSigmoid returns the layer ln σ(x), without overflow.
func LogSigmoid() Func { return (*autograd.Var).LogSigmoid }

// Tanh returns the layer tanh x.
func Tanh() Func { return (*autograd.Var).Tanh }

// Softplus returns the layer ln(1 + e^x).
func Softplus() Func { return (*autograd.Var).Softplus }

// Softsign returns the layer x/(1 + |x|).
func Softsign() Func { return (*autograd.Var).Softsign }

// Softmax returns the layer e^x / Σ e^x over the last axis.
func Softmax() Func { return (*autograd.Var).Softmax }

// LogSoftmax returns the layer ln softmax x over the last axis.
func LogSoftmax() Func { return (*autograd.Var).LogSoftmax }

// PReLU is the layer x where x > 0, a·x elsewhere, with learned slopes a (He et
// al. 2015), as torch.nn.PReLU.
type PReLU struct {
	Weight *autograd.Var // [1] or [features]: the slopes
}

// PReLUConfig has what [PReLU] has beside its size. The zero value is PyTorch's.
type PReLUConfig struct {
	Init  Initializer // Constant(0.25) by default
	DType tensor.DType
}

// NewPReLU returns a layer with the given number of slopes: 1 for all elements, or
// one for each column.
func NewPReLU(slopes int, cfg PReLUConfig, r *RNG) *PReLU {
	if slopes < 1 {
		misuse("NewPReLU", fmt.Sprintf("%d slopes", slopes))
	}
	init := cfg.Init
	if init == nil {
		init = Constant(0.25)
	}
	p := &PReLU{Weight: autograd.Parameter(tensor.Zeros(cfg.DType, slopes))}
	init(p.Weight, r)
	return p
}

// Forward returns the function of x [... features] or, with one slope, of any
// shape.
func (p *PReLU) Forward(x *autograd.Var) *autograd.Var {
	const op = "PReLU"
	if p == nil || p.Weight == nil {
		misuse(op, "the layer has no weight; make it with NewPReLU")
	}
	wantVars(op, x)
	s, n := x.Shape(), p.Weight.Shape().Size()
	if n != 1 && (len(s) == 0 || s[len(s)-1] != n) {
		misuse(op, fmt.Sprintf("input of shape %v, %d slopes", s, n))
	}
	slopes := p.Weight
	if len(s) == 0 {
		slopes = slopes.Reshape()
	}
	return x.PReLU(slopes)
}
