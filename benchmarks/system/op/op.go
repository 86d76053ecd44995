package op

// The calls as operations.

import (
	"errors"
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

// Ops makes the calls of one graph. Like the graph, it serves one goroutine at a time.
type Ops struct {
	g               system.Graph
	device          *tensor.Device
	vertices, edges int
	in, out         degrees
}

// New returns the operations of a system's graph that was made of these edges. What
// they compute is allocated on the device, which is the system's. The slices are read
// during the call only.
func New(g system.Graph, d *tensor.Device, vertices int, src, dst []int32) *Ops {
	return &Ops{
		g: g, device: d, vertices: vertices, edges: len(src),
		in: count(d, vertices, dst), out: count(d, vertices, src),
	}
}

// Graph returns the system's graph.
func (o *Ops) Graph() system.Graph { return o.g }

// Vertices and Edges return the graph's counts.
func (o *Ops) Vertices() int { return o.vertices }
func (o *Ops) Edges() int    { return o.edges }

// Error is the panic of an operation whose call is misuse, or failed, now or in the
// backward pass.
type Error struct {
	Call   system.Kind
	Flags  system.Flags
	Shapes []tensor.Shape // of the operands
	Err    error
}

// Error returns e.g. "op: SpMMv(mul, sum) of [3 1 8]: not supported by the system".
func (e *Error) Error() string {
	return fmt.Sprintf("op: %v(%v) of %v: %v", e.Call, e.Flags, e.Shapes, e.Err)
}

// Unwrap returns what the call returned.
func (e *Error) Unwrap() error { return e.Err }

// Misuse marks the error for [autograd.Try].
func (*Error) Misuse() {}

// SpMMv is the call of [system.Graph].
func (o *Ops) SpMMv(x *autograd.Var, f system.Flags) *autograd.Var {
	c := system.Call{Kind: system.SpMMv, X: operand(x), Flags: f}
	return o.record(c, []*autograd.Var{x}, o.gradSpMMv(c))
}

// SpMMve is the call of [system.Graph].
func (o *Ops) SpMMve(x, w *autograd.Var, f system.Flags) *autograd.Var {
	c := system.Call{Kind: system.SpMMve, X: operand(x), W: operand(w), Flags: f}
	return o.record(c, []*autograd.Var{x, w}, o.gradSpMMve(c))
}

// SpMMe is the call of [system.Graph].
func (o *Ops) SpMMe(w *autograd.Var, f system.Flags) *autograd.Var {
	c := system.Call{Kind: system.SpMMe, W: operand(w), Flags: f}
	return o.record(c, []*autograd.Var{w}, o.gradSpMMe(c))
}

// SDDMMvv is the call of [system.Graph].
func (o *Ops) SDDMMvv(x, y *autograd.Var, f system.Flags) *autograd.Var {
	c := system.Call{Kind: system.SDDMMvv, X: operand(x), Y: operand(y), Flags: f}
	return o.record(c, []*autograd.Var{x, y}, o.gradSDDMMvv(c))
}

// SDDMMve is the call of [system.Graph]; w is nil with OpCopy.
func (o *Ops) SDDMMve(x, w *autograd.Var, f system.Flags) *autograd.Var {
	c := system.Call{Kind: system.SDDMMve, X: operand(x), Flags: f}
	operands := []*autograd.Var{x}
	if w != nil {
		c.W, operands = operand(w), append(operands, w)
	}
	return o.record(c, operands, o.gradSDDMMve(c))
}

// operand is what a call gets of a Var, nil of one that has no tensor.
func operand(v *autograd.Var) *tensor.Tensor {
	if v == nil || v.Sparse() != nil {
		return nil
	}
	return v.Tensor().Contiguous()
}

// A gradient computes that of one operand from that of the result, which it may
// return itself.
type gradient func(g *tensor.Tensor) *tensor.Tensor

// record makes the call and puts it on the tape. There is a gradient for each operand.
func (o *Ops) record(c system.Call, operands []*autograd.Var, gradients []gradient) *autograd.Var {
	for _, v := range operands {
		switch {
		case operand(v) == nil:
			fail(c, errors.New("an operand is nil or sparse"))
		case len(v.Shape()) != 3 || v.Device() != o.device:
			fail(c, fmt.Errorf("an operand has shape %v on %v, want [rows heads width] on %v", v.Shape(), v.Device(), o.device))
		}
	}
	if c.Flags.Reduce != system.Sum && autograd.Recording(operands...) {
		fail(c, fmt.Errorf("%v has no gradient: detach the operands", c.Flags.Reduce))
	}
	out := o.empty(c)
	c.Out = out
	if err := c.Check(o.vertices, o.edges); err != nil {
		fail(c, err)
	}
	o.make(c)
	tape := autograd.CustomFresh
	if c.Kind == system.SDDMMve {
		tape = autograd.Custom // the gradient of a sum is that of its result
	}
	backward := func(grads []*tensor.Tensor) []*tensor.Tensor {
		g := grads[0].Contiguous()
		result := make([]*tensor.Tensor, len(operands))
		for i, v := range operands {
			if v.RequiresGrad() {
				result[i] = gradients[i](g)
			}
		}
		return result
	}
	return tape(c.Kind.String(), operands, []*tensor.Tensor{out}, backward)[0]
}

// empty allocates the result of a call.
func (o *Ops) empty(c system.Call) *tensor.Tensor {
	return tensor.EmptyOn(o.device, tensor.Float32, c.Shape(o.vertices, o.edges)...)
}

// make makes the call.
func (o *Ops) make(c system.Call) {
	if err := c.On(o.g); err != nil {
		fail(c, err)
	}
}

// call makes a call of gradients.
func (o *Ops) call(c system.Call) *tensor.Tensor {
	c.Out = o.empty(c)
	o.make(c)
	return c.Out
}

// fail panics with an *Error of the call.
func fail(c system.Call, err error) {
	e := &Error{Call: c.Kind, Flags: c.Flags, Err: err}
	for _, t := range []*tensor.Tensor{c.X, c.Y, c.W} {
		if t != nil {
			e.Shapes = append(e.Shapes, t.Shape())
		}
	}
	panic(e)
}
