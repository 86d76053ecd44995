// Activation functions made of others.

package autograd

// LogSigmoid returns ln Sigmoid(v) = -Softplus(-v) without overflow.
func (v *Var) LogSigmoid() *Var {
	v.dense("LogSigmoid")
	return v.Neg().Softplus().Neg()
}

// Softsign returns v/(1 + |v|).
func (v *Var) Softsign() *Var {
	v.dense("Softsign")
	return v.Div(v.Abs().AddScalar(1))
}

// Mish returns v·tanh(Softplus(v)) (Misra 2019).
func (v *Var) Mish() *Var {
	v.dense("Mish")
	return v.Mul(v.Softplus().Tanh())
}

// The constants of SELU: with them, activations tend to mean 0 and variance 1.
const (
	seluAlpha = 1.6732632423543772848170429916717
	seluScale = 1.0507009873554804934193349852946
)

// SELU returns λ·ELU(v) with the α and λ that make networks normalise themselves
// (Klambauer et al. 2017).
func (v *Var) SELU() *Var {
	v.dense("SELU")
	return v.ELU(seluAlpha).Scale(seluScale)
}

// Hardswish returns v·Hardtanh(v + 3, 0, 6)/6 (Howard et al. 2019).
func (v *Var) Hardswish() *Var {
	v.dense("Hardswish")
	return v.Mul(v.AddScalar(3).Hardtanh(0, 6)).Scale(1.0 / 6)
}

// GLU returns a·Sigmoid(b) for the halves a and b of v along an axis, whose length
// is even (Dauphin et al. 2017).
func (v *Var) GLU(axis int) *Var {
	const op = "GLU"
	shape := v.dense(op).Shape()
	axis = checkAxis(op, axis, shape)
	n := shape[axis]
	if n%2 != 0 {
		misuse(op, "the axis has no halves", shape)
	}
	return v.Slice(axis, 0, n/2).Mul(v.Slice(axis, n/2, n).Sigmoid())
}
