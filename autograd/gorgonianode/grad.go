// Gradients of a node of Apply: symbolic for the tape machine, dual values for
// the lisp machine.

package gorgonianode

import (
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"slices"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// DiffWRT tells which inputs have a gradient.
func (op *op) DiffWRT(int) []bool { return slices.Clone(op.wants) }

// SymDiff makes a node for each input's gradient. They read the inputs and the
// output besides the output's gradient: not for their values, which the record
// has, but so that no other operation overwrites these before.
func (op *op) SymDiff(inputs gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	op.passes++
	p := &pass{op: op, id: nextID.Add(1)}
	types := append(slices.Clone(op.types), output.Type(), grad.Type())
	children := append(slices.Clone(inputs), output, grad)
	nodes := make(gorgonia.Nodes, len(inputs))
	for i, wants := range op.wants {
		if !wants {
			continue
		}
		var err error
		if nodes[i], err = gorgonia.ApplyOp(&gradOp{pass: p, input: i, types: types}, children...); err != nil {
			return nil, fmt.Errorf("gorgonianode: gradient of %s: %w", op.name, err)
		}
	}
	return nodes, nil
}

// DoDiff adds the gradients of the inputs to those that their dual values hold.
func (op *op) DoDiff(_ gorgonia.ExecutionContext, inputs gorgonia.Nodes, output *gorgonia.Node) error {
	_, err := tried(func() (any, error) { return nil, op.doDiff(inputs, output) })
	if err != nil {
		return fmt.Errorf("gorgonianode: gradient of %s: %w", op.name, err)
	}
	return nil
}

func (op *op) doDiff(inputs gorgonia.Nodes, output *gorgonia.Node) error {
	cotangent, err := output.Grad()
	if err != nil {
		return err
	}
	if r := op.last; r != nil && r.out == output.Value() && r.y == nil {
		if err := op.again(inputs); err != nil {
			return err
		}
	}
	grads, err := op.backward(output.Value(), cotangent, false)
	if err != nil {
		return err
	}
	for i, g := range grads {
		if g == nil {
			continue
		}
		sum, err := inputs[i].Grad()
		if err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
		if err := addInPlace(sum, g); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
	}
	return nil
}

// again runs the function once more, to replace a record that gradients made by
// gorgonia.Grad have used up: the lisp machine runs these too, as part of the graph,
// before it differentiates. Parameters that the function captures get gradients from
// both passes. A function that is not the same the second time, such as one with
// dropout, has no gradient then.
func (op *op) again(inputs gorgonia.Nodes) error {
	spent := op.last
	values := make([]gorgonia.Value, len(inputs))
	for i, n := range inputs {
		values[i] = n.Value()
	}
	if _, err := op.do(values); err != nil {
		return err
	}
	same, err := sameBits(op.last.out, spent.out)
	if same {
		op.last.out = spent.out
	} else {
		op.last = spent
	}
	return err
}

// addInPlace adds a gradient to the one that a dual value holds.
func addInPlace(sum gorgonia.Value, g *tensor.Tensor) error {
	switch sum := sum.(type) {
	case *gorgonia.F64:
		*sum += gorgonia.F64(g.Item())
		return nil
	case *gorgonia.F32:
		*sum += gorgonia.F32(g.Item())
		return nil
	case *gt.Dense:
		if g.Size() == 0 { // which Gorgonia cannot add
			return nil
		}
		_, err := gt.Add(sum, g.Reshape(sum.Shape()...).Dense(), gt.UseUnsafe())
		return err
	}
	return fmt.Errorf("a gradient of type %T cannot be added to", sum)
}

// backward runs the tape's backward pass over the run that gave out, and returns
// a gradient for each input that wants one. retain keeps the record for another
// pass.
func (op *op) backward(out, cotangent gorgonia.Value, retain bool) ([]*tensor.Tensor, error) {
	r := op.last
	if r == nil || r.out != out {
		return nil, errors.New("the forward value is not that of the latest run; machines of one graph must run one after another")
	}
	if r.y == nil {
		return nil, errors.New("the gradient of this run was already taken")
	}
	g, err := toTensor(cotangent)
	if err != nil {
		return nil, err
	}
	if g.Size() == 1 { // Gorgonia takes [], [1] and [1 1] for one another
		g = g.Reshape(op.out.shape...)
	}
	earlier := make([]*tensor.Tensor, len(op.params)) // their gradients that are not from this pass
	for k, p := range op.params {
		if op.wants[op.arguments()+k] {
			p.Update(func(_, g *tensor.Tensor) { earlier[k] = g.Clone() })
			p.ZeroGrad()
		}
	}
	if r.y.RequiresGrad() {
		var opts []autograd.BackwardOption
		if retain {
			opts = append(opts, autograd.RetainGraph())
		}
		err = autograd.Try(func() { r.y.BackwardWith(g, opts...) })
	}
	grads := make([]*tensor.Tensor, len(op.in))
	for i, want := range op.in {
		if !op.wants[i] {
			continue
		}
		if n := op.arguments(); i < n {
			grads[i] = takeGradient(r.xs[i], nil)
		} else {
			grads[i] = takeGradient(op.params[i-n], earlier[i-n])
		}
		if grads[i] == nil {
			grads[i] = tensor.Zeros(want.dtype, want.shape...)
		}
	}
	if err != nil {
		return nil, err
	}
	if !retain {
		r.xs, r.y = nil, nil
	}
	return grads, nil
}

// takeGradient takes the gradient from a leaf, nil if it has none, and leaves it the
// earlier one, if there is one.
func takeGradient(leaf *autograd.Var, earlier *tensor.Tensor) *tensor.Tensor {
	g := leaf.Gradient()
	leaf.ZeroGrad()
	if earlier != nil {
		leaf.SetGradient(earlier)
		earlier.Free()
	}
	return g
}

// pass is one symbolic backward pass through an op. Its gradient operations run
// one after another in each step; the first runs the tape's backward pass for
// all of them.
type pass struct {
	op    *op
	id    uint64
	run   *run // whose gradients are held
	grads []*tensor.Tensor
}

// gradient hands out the gradient of input i.
func (p *pass) gradient(i int, out, cotangent gorgonia.Value) (gorgonia.Value, error) {
	if p.run == nil || p.run != p.op.last || p.run.out != out {
		grads, err := p.op.backward(out, cotangent, p.op.passes > 1)
		if err != nil {
			return nil, err
		}
		p.run, p.grads = p.op.last, grads
	}
	g := p.grads[i]
	if g == nil {
		return nil, errors.New("the gradient of this run was already taken")
	}
	p.grads[i] = nil // Gorgonia's from here on: it may write to it
	return toValue(g)
}

// gradOp is the gradient of an op with respect to one input, a function of the
// op's inputs, its output and the output's gradient.
type gradOp struct {
	*pass
	input int
	types []hm.Type // of the operands
}

// Without SymDiff, gorgonia.Grad would refuse to differentiate anything else in a graph
// that has such a node.
var _ gorgonia.SDOp = (*gradOp)(nil)

// DiffWRT tells that the gradient depends on what the operation takes gradients of, on the
// output and on its gradient: of none of them, gorgonia.Grad would leave this path out of
// a sum with others, without a word.
func (op *gradOp) DiffWRT(int) []bool { return append(slices.Clone(op.op.wants), true, true) }

// SymDiff is an error: there are no second derivatives.
func (op *gradOp) SymDiff(gorgonia.Nodes, *gorgonia.Node, *gorgonia.Node) (gorgonia.Nodes, error) {
	return nil, fmt.Errorf("gorgonianode: the %v, has no gradient: there are no second derivatives", op)
}

func (op *gradOp) Arity() int { return len(op.types) }

func (op *gradOp) Type() hm.Type {
	return hm.NewFnType(append(slices.Clone(op.types), op.types[op.input])...)
}

func (op *gradOp) InferShape(...gorgonia.DimSizer) (gt.Shape, error) {
	return op.op.in[op.input].gorgoniaShape(), nil
}

func (op *gradOp) Do(values ...gorgonia.Value) (gorgonia.Value, error) {
	if len(values) != op.Arity() {
		return nil, fmt.Errorf("gorgonianode: %v: %d operands, want %d", op, len(values), op.Arity())
	}
	n := len(op.op.in)
	v, err := tried(func() (gorgonia.Value, error) { return op.gradient(op.input, values[n], values[n+1]) })
	if err != nil {
		return nil, fmt.Errorf("gorgonianode: %v: %w", op, err)
	}
	return v, nil
}

func (op *gradOp) ReturnsPtr() bool     { return true }
func (op *gradOp) CallsExtern() bool    { return false }
func (op *gradOp) OverwritesInput() int { return -1 }

func (op *gradOp) WriteHash(h hash.Hash) {
	fmt.Fprintf(h, "asterias gradient %s %d %d", op.op.name, op.id, op.input)
}

func (op *gradOp) Hashcode() uint32 {
	h := fnv.New32a()
	op.WriteHash(h)
	return h.Sum32()
}

func (op *gradOp) String() string {
	return fmt.Sprintf("gradient of %s, input %d", op.op.name, op.input)
}
