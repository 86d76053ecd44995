// Var: a tensor in the eager reverse-mode graph, and its leaves.

package autograd

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor"
	"gorgonia.org/gorgonia"
)

// A Var is a tensor together with the operation that made it. It is either a
// leaf, made by [Constant], [Variable], [Parameter], [SparseConstant] or
// [Input], or the result of an operation. A result requires a gradient, and
// remembers its operation, exactly when one of the operation's inputs requires
// one.
//
// *Var is a gorgonia.ValueGrad: Gorgonia's solvers train it, but for values without
// elements, and AdamSolver for scalars: they panic in Gorgonia.
type Var struct {
	value   *tensor.Tensor // nil exactly when sparse is set, or pending
	sparse  *tensor.Sparse
	pending atomic.Pointer[pending] // what value will be: see Scope
	grad    *tensor.Tensor          // leaves only; owned by this Var

	node   *node // the operation this is a result of; nil for leaves
	output int   // which result of node
	hooks  []*hook
	region *region // nil almost always

	// Of temporaries of a backward pass: whose memory this one uses, itself or
	// another, and how many gradients under way use it. nil: not the pass's.
	root    *Var
	holders int64

	lender  *Var   // the leaf that is trained and in whose memory the value lies; see trained
	changed Moment // leaves only: when the value was last changed; see MarkChanged
	stale   *node  // the operation whose operand this stands for, if that was changed since

	requires  bool
	parameter bool
	retains   bool        // RetainGrad was called
	gradShown atomic.Bool // Gradient or Grad has handed grad out; several goroutines may read one
}

// heldForever is more holders than a pass can count: the user may have the tensor.
const heldForever = 1 << 40

var _ gorgonia.ValueGrad = (*Var)(nil)

// Constant returns a leaf that needs no gradient. It shares t's memory.
func Constant(t *tensor.Tensor) *Var { return leaf("Constant", t) }

// Variable returns a leaf whose gradient Backward computes. It shares t's
// memory. t must be Float32 or Float64.
func Variable(t *tensor.Tensor) *Var {
	return variable("Variable", t)
}

// Parameter is a [Variable] that belongs to a model: package nn lists it, an
// optimiser updates it.
func Parameter(t *tensor.Tensor) *Var {
	v := variable("Parameter", t)
	v.parameter = true
	return v
}

func leaf(op string, t *tensor.Tensor) *Var {
	if t == nil {
		misuse(op, "the tensor is nil")
	}
	return &Var{value: t}
}

// variable is a leaf that is written in place, so it cannot be a strided view.
func variable(op string, t *tensor.Tensor) *Var {
	v := leaf(op, t)
	if !t.IsContiguous() {
		misuse(op, "the tensor is a strided view; use Contiguous", t.Shape())
	}
	v.setRequiresGrad(op, true)
	return v
}

// SparseConstant returns a sparse matrix as a leaf without gradient. MatMul (as
// the left operand) and Dropout take it; every other operation rejects it.
func SparseConstant(s *tensor.Sparse) *Var {
	if s == nil {
		misuse("SparseConstant", "the matrix is nil; Input takes sparse and dense ones")
	}
	return &Var{sparse: s}
}

// Matrix is a matrix that is stored sparse or dense, such as data.Features.
type Matrix interface {
	Sparse() *tensor.Sparse // nil if it is stored dense
	Dense() *tensor.Tensor
}

// Input returns a feature matrix as a leaf without gradient: a [SparseConstant]
// if it is stored sparse, else a [Constant].
func Input(m Matrix) *Var {
	if m == nil {
		misuse("Input", "the matrix is nil")
	}
	if s := m.Sparse(); s != nil {
		return SparseConstant(s)
	}
	t := m.Dense()
	if t == nil {
		misuse("Input", "there is no matrix, neither sparse nor dense")
	}
	return Constant(t)
}

// Tensor returns the value, nil for a sparse constant. It is the live storage:
// writing to it after the value was used in an operation whose backward pass is
// still to come gives wrong gradients, unless [Var.MarkChanged] says so.
func (v *Var) Tensor() *tensor.Tensor {
	v.there("Tensor")
	if v.root != nil {
		v.root.holders += heldForever
	}
	v.enterScope("Tensor")
	v.settle()
	if v.inScope() {
		v.region.scope.give(v.value)
	}
	return v.value
}

// Operand is [Var.Tensor] for operations that record themselves, as with [CustomSaving]. They
// read the tensor, and keep it for their backward function at most: so unlike one that
// Tensor gave out it is given back with its [Scope], or when a backward pass has no more use
// for it.
func (v *Var) Operand() *tensor.Tensor {
	v.there("Operand")
	v.enterScope("Operand")
	v.settle()
	return v.value
}

// Item returns the value of a Var that has exactly one element, such as a loss, as PyTorch's
// item does. It panics with *[Error] if v has more elements or none, or is sparse.
func (v *Var) Item() float64 {
	const op = "Item"
	v.check(op)
	switch {
	case v.sparse != nil:
		misuse(op, "v is sparse", v.Shape())
	case v.value.Size() != 1:
		misuse(op, "want one element, such as Sum and Mean make of many", v.Shape())
	}
	return v.value.Item()
}

// Sparse returns the sparse matrix, nil unless v is a sparse constant.
func (v *Var) Sparse() *tensor.Sparse {
	v.there("Sparse")
	return v.sparse
}

// Gradient returns the gradient accumulated by the backward passes since the
// last ZeroGrad, in v's shape and dtype; nil before any, and for results of
// operations unless RetainGrad asked for them. Backward passes leave
// what it returned as it was: the next one makes a new tensor of the sum, where it
// otherwise adds in place.
func (v *Var) Gradient() *tensor.Tensor {
	v.there("Gradient")
	if !v.gradShown.Load() {
		v.gradShown.Store(true)
	}
	return v.grad
}

// Update calls f with the value of a leaf, which f may change, and its gradient,
// unless there is none. f must keep neither: the gradient's memory is used again
// after ZeroGrad, unless [Var.Gradient] or Grad handed it out. This is how
// optimisers read it.
func (v *Var) Update(f func(value, gradient *tensor.Tensor)) {
	v.there("Update")
	if v.grad != nil {
		f(v.value, v.grad)
	}
}

// ZeroGrad forgets the gradient.
func (v *Var) ZeroGrad() {
	v.there("ZeroGrad")
	if v.grad != nil && !v.gradShown.Load() {
		v.grad.Free()
	}
	v.grad = nil
	v.gradShown.Store(false)
}

// SetGradient replaces the gradient of a leaf by a copy of g, for example by one
// read from a checkpoint that was written between two backward passes, to which the
// next one adds. Shape, dtype and device must be those of the value.
func (v *Var) SetGradient(g *tensor.Tensor) {
	const op = "SetGradient"
	v.check(op)
	switch {
	case g == nil:
		misuse(op, "the gradient is nil; ZeroGrad forgets one", v.Shape())
	case v.node != nil:
		misuse(op, "v is a result of "+v.node.name()+"; only leaves can be changed", v.Shape())
	case v.sparse != nil:
		misuse(op, "v is sparse", v.Shape())
	case v.DType() != tensor.Float32 && v.DType() != tensor.Float64:
		misuse(op, fmt.Sprintf("%v values have no gradient", v.DType()), v.Shape())
	case !g.Shape().Equal(v.Shape()):
		misuse(op, "shapes differ", v.Shape(), g.Shape())
	case g.DType() != v.DType():
		misuse(op, fmt.Sprintf("dtype is %v, want %v", g.DType(), v.DType()), v.Shape())
	case g.Device() != v.Device():
		misuse(op, fmt.Sprintf("the gradient is on %v, the value on %v", g.Device(), v.Device()), v.Shape())
	}
	g = g.Clone() // before the old one is freed, which g may be
	v.ZeroGrad()
	v.grad = g
}

// RequiresGrad tells whether gradients flow to v.
func (v *Var) RequiresGrad() bool {
	v.there("RequiresGrad")
	return v.requires
}

// IsLeaf tells whether v is no result of a recorded operation, so that Backward leaves
// its gradient in it if it requires one.
func (v *Var) IsLeaf() bool {
	v.there("IsLeaf")
	return v.node == nil
}

// SetRequiresGrad turns the gradient of a leaf on or off, for example to freeze
// a parameter. Do it before the forward pass: operations already recorded are
// not recorded again.
func (v *Var) SetRequiresGrad(on bool) { v.setRequiresGrad("SetRequiresGrad", on) }

func (v *Var) setRequiresGrad(op string, on bool) {
	v.check(op)
	if v.node != nil {
		misuse(op, "v is a result of "+v.node.name()+"; only leaves can be changed (use Detach)", v.Shape())
	}
	if on && v.sparse != nil {
		misuse(op, "a sparse matrix has no gradient", v.Shape())
	}
	if dt := v.DType(); on && dt != tensor.Float32 && dt != tensor.Float64 {
		misuse(op, fmt.Sprintf("%v values have no gradient", dt), v.Shape())
	}
	v.requires = on
}

// isTrained reports whether the value lies in memory that an optimiser may write to: that
// of a leaf with a gradient, or of a parameter, which may have had one.
func (v *Var) isTrained() bool { return v.trained() != nil }

// trained returns the leaf whose memory that is, nil if there is none.
func (v *Var) trained() *Var {
	if v.lender == nil && (v.parameter || v.requires && v.node == nil) {
		return v
	}
	return v.lender
}

// lends returns that leaf if out, a result of an operation on v, lies in its memory, too.
func (v *Var) lends(out *tensor.Tensor) *Var {
	if leaf := v.trained(); leaf != nil && v.value != nil && tensor.SharesMemory(v.value, out) {
		return leaf
	}
	return nil
}

// IsParameter tells whether v was made by [Parameter].
func (v *Var) IsParameter() bool {
	v.there("IsParameter")
	return v.parameter
}

// Shape returns the shape; a sparse constant's is [rows cols].
func (v *Var) Shape() tensor.Shape {
	if p := v.waiting(); p != nil {
		return p.shape
	}
	v.check("Shape")
	if v.sparse != nil {
		rows, cols := v.sparse.Dims()
		return tensor.Shape{rows, cols}
	}
	return v.value.Shape()
}

// DType returns the element type.
func (v *Var) DType() tensor.DType {
	if p := v.waiting(); p != nil {
		return p.dtype
	}
	v.check("DType")
	if v.sparse != nil {
		return v.sparse.Values().DType()
	}
	return v.value.DType()
}

// Device returns where the value is, nil for the CPU.
func (v *Var) Device() *tensor.Device {
	if p := v.waiting(); p != nil {
		return p.device
	}
	v.check("Device")
	if v.sparse != nil {
		return v.sparse.Device()
	}
	return v.value.Device()
}

// Detach returns v's value as a constant: same memory, no gradient. Operations on it are
// recorded again where another operand requires a gradient, also if v was computed under
// [NoGrad].
func (v *Var) Detach() *Var {
	v.check("Detach")
	return &Var{value: v.value, sparse: v.sparse, region: v.region.recording(), root: v.root, lender: v.trained()}
}

// SetTensor replaces the value of a dense leaf, for example by one read from a
// checkpoint, which it then shares. Shape, dtype and device must be those of the present
// value. As after writes to Tensor, a backward pass that wants the old value panics; see
// [Var.MarkChanged].
func (v *Var) SetTensor(t *tensor.Tensor) {
	v.check("SetTensor")
	switch {
	case t == nil:
		misuse("SetTensor", "the tensor is nil", v.Shape())
	case v.node != nil:
		misuse("SetTensor", "v is a result of "+v.node.name()+"; only leaves can be changed", v.Shape())
	case v.sparse != nil:
		misuse("SetTensor", "v is sparse", v.Shape())
	case !t.Shape().Equal(v.Shape()):
		misuse("SetTensor", "shapes differ", v.Shape(), t.Shape())
	case !t.IsContiguous():
		misuse("SetTensor", "the tensor is a strided view; use Contiguous", t.Shape())
	case t.DType() != v.DType():
		misuse("SetTensor", fmt.Sprintf("dtype is %v, want %v", t.DType(), v.DType()), v.Shape())
	case t.Device() != v.Device():
		misuse("SetTensor", fmt.Sprintf("the tensor is on %v, the value on %v", t.Device(), v.Device()), v.Shape())
	}
	v.value = t
	v.MarkChanged()
}

// MoveTo moves a leaf and its gradient to a device, in place: modules and optimisers
// that hold v find it there. A backward pass that wants the old value panics.
func (v *Var) MoveTo(d *tensor.Device) {
	const op = "MoveTo"
	v.check(op)
	if v.node != nil {
		misuse(op, "v is a result of "+v.node.name()+"; only leaves can be moved (use ToDevice)", v.Shape())
	}
	if v.sparse != nil {
		v.sparse = v.sparse.ToDevice(d)
		return
	}
	v.value = v.value.ToDevice(d)
	v.MarkChanged()
	if v.grad != nil {
		v.grad = v.grad.ToDevice(d)
	}
}

// ConvertTo converts a dense leaf of numbers and its gradient to Float32 or Float64, in
// place, as MoveTo moves it.
func (v *Var) ConvertTo(dt tensor.DType) {
	const op = "ConvertTo"
	v.check(op)
	float := func(dt tensor.DType) bool { return dt == tensor.Float32 || dt == tensor.Float64 }
	switch {
	case v.node != nil:
		misuse(op, "v is a result of "+v.node.name()+"; only leaves can be converted", v.Shape())
	case v.sparse != nil:
		misuse(op, "v is sparse", v.Shape())
	case !float(dt) || !float(v.DType()):
		misuse(op, fmt.Sprintf("from %v to %v; want f32 or f64", v.DType(), dt), v.Shape())
	case dt == v.DType():
		return
	}
	v.value = v.value.To(dt)
	v.MarkChanged()
	if v.grad != nil {
		v.grad = v.grad.To(dt)
	}
}

// ToDevice returns v on a device: v itself if it is there, else a copy, through which
// the gradient flows back.
func (v *Var) ToDevice(d *tensor.Device) *Var {
	const op = "ToDevice"
	v.check(op)
	from := v.Device()
	switch {
	case from == d:
		return v
	case v.sparse != nil:
		return &Var{sparse: v.sparse.ToDevice(d), region: v.region}
	}
	y := []*tensor.Tensor{v.value.ToDevice(d)}
	return CustomSaving(op, []*Var{v}, y, nil,
		func(grads []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{grads[0].ToDevice(from)} },
		func(grads []*Var, _ []bool) []*Var { return []*Var{grads[0].ToDevice(from)} })[0]
}

// To returns v with elements of another type, by Go's conversions as [tensor.Tensor.To]: v
// itself if it has that type. Between Float32 and Float64 the gradient flows back, converted;
// integers and booleans, such as a mask that becomes a factor, have none.
func (v *Var) To(dt tensor.DType) *Var {
	const op = "To"
	x := v.dense(op)
	from := x.DType()
	if dt == from {
		return v
	}
	y := x.To(dt)
	if !from.IsFloat() || !dt.IsFloat() {
		return unrecorded(y, v)
	}
	return CustomSaving(op, []*Var{v}, []*tensor.Tensor{y}, nil,
		func(grads []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{grads[0].To(from)} },
		func(grads []*Var, _ []bool) []*Var { return []*Var{grads[0].To(from)} })[0]
}

// Value returns the value as Gorgonia sees it, sharing memory; nil for a sparse
// constant. A scalar that has a gradient is a tensor of one axis, as its gradient is:
// Gorgonia's Adam panics at tensors without axes.
func (v *Var) Value() gorgonia.Value {
	v.there("Value")
	if v.sparse != nil {
		return nil
	}
	if v.grad != nil {
		return withAxis(v.Tensor()).Dense()
	}
	return v.Tensor().Dense()
}

// withAxis returns a tensor of one axis at least, in the same memory.
func withAxis(t *tensor.Tensor) *tensor.Tensor {
	if t.Rank() == 0 {
		return t.Reshape(1)
	}
	return t
}

// Grad returns the gradient as Gorgonia sees it, sharing memory, a scalar's with one
// axis; an error if there is none.
func (v *Var) Grad() (gorgonia.Value, error) {
	v.there("Grad")
	if v.grad == nil {
		return nil, errors.New("autograd: Grad: no gradient; call Backward first")
	}
	if d := v.grad.Device(); d != nil {
		return nil, &tensor.DeviceError{Op: "Grad", Detail: "Gorgonia reads Go's memory only", Devices: []*tensor.Device{d}}
	}
	return withAxis(v.Gradient()).Dense(), nil
}

// String describes v without its values, for messages and debugging.
func (v *Var) String() string {
	v.there("String")
	kind := "constant"
	switch {
	case v.sparse != nil:
		kind = "sparse constant"
	case v.parameter:
		kind = "parameter"
	case v.node != nil:
		kind = v.node.name()
	case v.requires:
		kind = "variable"
	}
	return fmt.Sprintf("%s %v%v", kind, v.DType(), v.Shape())
}

// check panics if v, an operand of op, is nil or the zero Var, its tensor was freed, or its
// Scope has ended. It computes what was put off.
func (v *Var) check(op string) {
	if v == nil {
		misuse(op, nilOperand)
	}
	if v.region != nil { // which few have
		v.enterScope(op)
	}
	v.settle()
	if v.value == nil && v.sparse == nil {
		misuse(op, nilOperand)
	}
	if v.value != nil && v.stale == nil && v.value.Freed() { // read refuses what is stale
		panic(&tensor.FreedError{Op: op})
	}
}

// there panics if v, the receiver of op, is nil. It is inlined, and leaves the short
// methods short enough to be inlined themselves.
func (v *Var) there(op string) {
	if v == nil {
		panic(&Error{Op: op, Detail: nilOperand})
	}
}

const nilOperand = "an operand is nil"

// dense returns the value for operation op, which takes no sparse operand.
func (v *Var) dense(op string) *tensor.Tensor {
	v.check(op)
	if v.value == nil {
		misuse(op, "takes dense operands only; the left operand of MatMul and Dropout may be sparse", v.Shape())
	}
	return v.read()
}

// wantSameType panics unless two operands, dense or sparse, have one element
// type.
func wantSameType(op string, v, w *Var) {
	if v.DType() != w.DType() {
		misuse(op, fmt.Sprintf("operands of different types: %v %v x %v %v", v.DType(), v.Shape(), w.DType(), w.Shape()))
	}
}
