// Logic on masks, and whether any or all of their elements are true.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// Operands and results are Bool, as comparisons make them, and have no gradient. And, Or
// and Xor broadcast. A number as a mask is x.NotEqualScalar(0).

// And returns where both v and w are true.
func (v *Var) And(w *Var) *Var { return logic("And", tensor.And, v, w) }

// Or returns where v or w or both are true.
func (v *Var) Or(w *Var) *Var { return logic("Or", tensor.Or, v, w) }

// Xor returns where one of v and w is true.
func (v *Var) Xor(w *Var) *Var { return logic("Xor", tensor.Xor, v, w) }

// Not returns where v is false.
func (v *Var) Not() *Var { return unrecorded(tensor.Not(wantMask("Not", v)), v) }

func logic(op string, f func(a, b *tensor.Tensor) *tensor.Tensor, v, w *Var) *Var {
	a, b := wantMask(op, v), wantMask(op, w)
	return unrecorded(f(a, b), v, w)
}

// Any returns whether any element over axes is true: false of none.
func (v *Var) Any(axes ...int) *Var { return judged("Any", tensor.Any, v, false, axes) }

// AnyKeep is [Var.Any] with the reduced axes kept.
func (v *Var) AnyKeep(axes ...int) *Var { return judged("AnyKeep", tensor.Any, v, true, axes) }

// All returns whether all elements over axes are true: true of none.
func (v *Var) All(axes ...int) *Var { return judged("All", tensor.All, v, false, axes) }

// AllKeep is [Var.All] with the reduced axes kept.
func (v *Var) AllKeep(axes ...int) *Var { return judged("AllKeep", tensor.All, v, true, axes) }

func judged(op string, f func(x *tensor.Tensor, keepDims bool, axes ...int) *tensor.Tensor, v *Var, keep bool, axes []int) *Var {
	m := wantMask(op, v)
	reducedAxes(op, m.Shape(), axes) // panics in the name of op
	return unrecorded(f(m, keep, axes...), v)
}
