// Backward and Grad: what starts a backward pass.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

// A BackwardOption changes a backward pass.
type BackwardOption func(*pass)

// RetainGraph keeps what the operations saved, so that another backward pass may
// run over the same graph. Without it the graph is freed as the pass goes.
func RetainGraph() BackwardOption { return func(p *pass) { p.retain = true } }

// CreateGraph makes [Grad] record the operations of the gradient rules, so that
// the gradients it returns can be differentiated in turn. It implies RetainGraph.
func CreateGraph() BackwardOption { return func(p *pass) { p.retain, p.create = true, true } }

// Backward adds d v / d leaf to the gradient of every leaf that v was computed
// from and that requires one. v must have exactly one element; for others see
// [Var.BackwardWith]. Passes over one graph must not run at the same time.
//
// It panics with *[Error] if v does not require a gradient or its graph was
// freed by an earlier pass.
func (v *Var) Backward(opts ...BackwardOption) {
	v.check("Backward")
	if v.sparse == nil && v.value.Size() != 1 {
		misuse("Backward", "needs a result of one element; give a cotangent to BackwardWith", v.Shape())
	}
	v.checkBackward("Backward")
	runBackward(v, tensor.FullLike(v.value, 1), opts)
}

// BackwardWith is Backward for results of any shape: it adds the vector-Jacobian
// product cotangent · dv/dleaf. The cotangent has v's shape and dtype; it is
// only read.
func (v *Var) BackwardWith(cotangent *tensor.Tensor, opts ...BackwardOption) {
	v.check("BackwardWith")
	v.checkBackward("Backward")
	if cotangent == nil {
		misuse("BackwardWith", "the cotangent is nil")
	}
	checkCotangent(v, cotangent)
	runBackward(v, cotangent, opts)
}

func runBackward(v *Var, cotangent *tensor.Tensor, opts []BackwardOption) {
	p := newPass("Backward", opts)
	if p.create {
		misuse("Backward", "gradients that can be differentiated are Vars: CreateGraph is an option of Grad")
	}
	p.cotangent = cotangent
	p.run(v, Constant(cotangent))
}

// Grad returns the gradients of y with respect to xs, one each, nil where y does
// not depend on it. It leaves every [Var.Gradient] alone. The xs may be leaves or
// results of operations. y must have exactly one element; for others see [GradWith].
// Unless CreateGraph is given, the gradients of different xs share no memory.
//
// With [CreateGraph], the gradients are results of operations themselves:
//
//	g := autograd.Grad(y, []*autograd.Var{x}, autograd.CreateGraph())[0]
//	g.Square().Sum().Backward() // through the first gradient
func Grad(y *Var, xs []*Var, opts ...BackwardOption) []*Var {
	y.check("Grad")
	if y.sparse == nil && y.value.Size() != 1 {
		misuse("Grad", "needs a result of one element; give a cotangent to GradWith", y.Shape())
	}
	y.checkBackward("Grad")
	return GradWith(y, Constant(tensor.FullLike(y.value, 1)), xs, opts...)
}

// GradWith is [Grad] for results of any shape: it returns the vector-Jacobian
// products of the cotangent, which has y's shape and dtype. With [CreateGraph]
// they can be differentiated with respect to the cotangent too.
func GradWith(y, cotangent *Var, xs []*Var, opts ...BackwardOption) []*Var {
	y.check("Grad")
	y.checkBackward("Grad")
	checkCotangent(y, cotangent.dense("Grad"))
	p := newPass("Grad", opts)
	p.targets = make(map[target]*Var, len(xs))
	for i, x := range xs {
		x.check("Grad")
		if !x.requires {
			misuse("Grad", fmt.Sprintf("input %d does not require a gradient", i), x.Shape())
		}
		p.targets[targetOf(x)] = nil
	}
	if !p.create {
		cotangent = cotangent.Detach()
	}
	p.run(y, cotangent)
	if !p.create {
		for t, g := range p.targets {
			p.targets[t] = g.release()
		}
	}
	grads := make([]*Var, len(xs))
	for i, x := range xs {
		grads[i] = p.targets[targetOf(x)]
	}
	return grads
}

// release returns a gradient as a constant whose memory is its own.
func (g *Var) release() *Var {
	switch {
	case g == nil:
		return nil
	case g.root == g && g.holders == 1 && g.value.IsContiguous():
		g.root = nil
		return Constant(g.value)
	}
	return Constant(g.value.Clone())
}

func checkCotangent(v *Var, cotangent *tensor.Tensor) {
	if !cotangent.Shape().Equal(v.Shape()) {
		misuse("Backward", "the cotangent has another shape than the result", cotangent.Shape(), v.Shape())
	}
	if cotangent.DType() != v.DType() {
		misuse("Backward", fmt.Sprintf("the cotangent is %v, the result %v", cotangent.DType(), v.DType()))
	}
	if cotangent.Device() != v.value.Device() {
		misuse("Backward", fmt.Sprintf("the cotangent is on %v, the result on %v", cotangent.Device(), v.value.Device()))
	}
}

func (v *Var) checkBackward(op string) {
	if dt := v.DType(); !dt.IsFloat() {
		misuse(op, fmt.Sprintf("the result is %v, which has no gradient", dt), v.Shape())
	}
	switch {
	case v.requires:
	case v.region != nil && v.region.noGrad:
		misuse(op, "the result does not require a gradient: it, or an operand on the way to it, was computed under NoGrad; Detach makes a constant of such an operand", v.Shape())
	default:
		misuse(op, "the result does not require a gradient: no input of it was a Variable or Parameter that is not frozen", v.Shape())
	}
}
