// Activation functions as layers, for Sequential. In a Forward method, call the
// function of autograd.Var.

package nn

import "github.com/asterias-ml/asterias/autograd"

// Func is a layer without parameters, such as
//
//	nn.Func((*autograd.Var).ReLU)
type Func func(x *autograd.Var) *autograd.Var

// Forward returns f(x).
func (f Func) Forward(x *autograd.Var) *autograd.Var { return f(x) }

// ReLU returns the layer max(x, 0).
func ReLU() Func { return (*autograd.Var).ReLU }

// LeakyReLU returns the layer x where x > 0, slope·x elsewhere.
func LeakyReLU(slope float64) Func {
	return func(x *autograd.Var) *autograd.Var { return x.LeakyReLU(slope) }
}

// ELU returns the layer x where x > 0, alpha(e^x - 1) elsewhere.
func ELU(alpha float64) Func {
	return func(x *autograd.Var) *autograd.Var { return x.ELU(alpha) }
}

// GELU returns the layer x·P(Z <= x) for a standard normal Z (erf form).
func GELU() Func { return (*autograd.Var).GELU }

// SiLU returns the layer x·σ(x).
func SiLU() Func { return (*autograd.Var).SiLU }

// Sigmoid returns the layer σ(x) = 1/(1 + e^-x).
func Sigmoid() Func { return (*autograd.Var).Sigmoid }

// Tanh returns the layer tanh x.
func Tanh() Func { return (*autograd.Var).Tanh }

// Softplus returns the layer ln(1 + e^x).
func Softplus() Func { return (*autograd.Var).Softplus }
