// Apply: a differentiable function of tensors as a Gorgonia node.

package gorgonianode

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// A Func is a differentiable function of tensors: operations of packages
// autograd, nn and gnn, compiled vertex-centric programs, or several of them. It
// may capture what it likes, such as a graph, features or a module.
type Func func(xs ...*autograd.Var) *autograd.Var

// An Option changes how [Apply] makes a node.
type Option func(*config)

type config struct {
	outputKnown bool
	out         signature
	constant    []int
	params      []*autograd.Var
	weights     gorgonia.Nodes
	setTraining func(training bool)
}

// WithOutput declares the element type and shape of the result, no lengths
// meaning a scalar. Without it Apply runs the function once, on zeros, to see
// them. Declare them if that run is expensive, or if it has effects that should
// not happen while a graph is built, such as updating the running statistics of
// a batch normalisation.
func WithOutput(dt tensor.DType, shape ...int) Option {
	return func(c *config) {
		c.outputKnown, c.out = true, signature{dt, tensor.Shape(shape).Clone()}
	}
}

// WithoutGradient says which inputs need no gradient, by position. Gorgonia
// computes the gradient of every input of a node on the way to what is asked
// for; leaving out features, say, spares the work. Inputs that are not floats
// never have one.
func WithoutGradient(inputs ...int) Option {
	return func(c *config) { c.constant = append(c.constant, inputs...) }
}

// WithParameters ties parameters that the function uses to nodes made by
// [Parameters]. The nodes become further inputs of the operation: gorgonia.Grad
// may ask for their gradients, and what a Gorgonia solver does to a node's value
// is what the function sees next. The node's value is the parameter's: a tensor
// that SetTensor gives the parameter is replaced by it at the next run, so give the
// node one with gorgonia.Let, or write to the parameter in place. A parameter's
// gradient from a backward pass through this node goes to its own node alone; other
// gradients that the parameter has, such as from nodes whose functions capture it,
// stay in it.
func WithParameters(params []*autograd.Var, nodes gorgonia.Nodes) Option {
	return func(c *config) { c.params, c.weights = params, nodes }
}

// WithTraining calls set when a machine is made for the graph: with false under
// gorgonia.EvalMode, else with true. Use it to switch modules with nn.SetTraining.
func WithTraining(set func(training bool)) Option {
	return func(c *config) { c.setTraining = set }
}

// Apply adds f(inputs...) to the inputs' expression graph and returns its node:
//
//	h, err := gorgonianode.Apply("gcn", func(xs ...*autograd.Var) *autograd.Var {
//		return gcn.Run(g, vc.VertexFeature("h", xs[0].MatMul(xs[1]))).ReLU()
//	}, gorgonia.Nodes{x, w})
//
// The node works in the tape machine, with gorgonia.Grad and BindDualValues, and
// in the lisp machine. f runs once each time a machine executes the node and is
// recorded on the tape; one backward pass over that record gives the gradients of
// all inputs. Inputs that f ignores get zeros. Second derivatives are not
// available: gorgonia.Grad says so, and the lisp machine takes gradients that
// gorgonia.Grad made in its graph for constants. name appears in messages and in drawings of the graph.
//
// f must return a tensor of the same shape and element type each time. It reads
// the inputs' memory and must not keep its arguments. The node's value is
// Gorgonia's own, a copy. A node keeps the record of its latest run: run the
// machines of one graph, or of clones of it, one after another.
//
// Parameters that f captures get their gradients from the same backward pass,
// accumulated as always, so that package optim or a Gorgonia solver (each is a
// gorgonia.ValueGrad) trains them. In the tape machine that pass only exists if
// gorgonia.Grad asks for the gradient of something that the node depends on. If
// f has only parameters to train, name one of the inputs there as well, or make
// the parameters nodes by [WithParameters].
//
// What does not fit is an error, here or when the machine runs.
func Apply(name string, f Func, inputs gorgonia.Nodes, opts ...Option) (*gorgonia.Node, error) {
	var c config
	for i, o := range opts {
		if o == nil {
			return nil, fmt.Errorf("gorgonianode: %s: option %d is nil", name, i)
		}
		o(&c)
	}
	op, err := tried(func() (*op, error) { return newOp(name, f, inputs, &c) })
	if err != nil {
		return nil, fmt.Errorf("gorgonianode: %s: %w", name, err)
	}
	return gorgonia.ApplyOp(op, slices.Concat(inputs, c.weights)...)
}

// newOp checks what Apply was given.
func newOp(name string, f Func, inputs gorgonia.Nodes, c *config) (*op, error) {
	switch {
	case f == nil:
		return nil, errors.New("the function is nil")
	case len(inputs) == 0:
		return nil, errors.New("needs an input node; the graph is the inputs'")
	case len(c.params) != len(c.weights):
		return nil, fmt.Errorf("%d parameters and %d nodes for them", len(c.params), len(c.weights))
	}
	op := &op{id: nextID.Add(1), name: name, f: f, params: c.params, setTraining: c.setTraining}
	for i, n := range slices.Concat(inputs, c.weights) {
		if n == nil {
			return nil, fmt.Errorf("input %d is nil", i)
		}
		dt, err := fromDtype(n.Dtype())
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		op.in = append(op.in, signature{dt, tensor.Shape(n.Shape())})
		op.types = append(op.types, n.Type())
		op.wants = append(op.wants, dt.IsFloat())
	}
	for _, i := range c.constant {
		if i < 0 || i >= len(inputs) {
			return nil, fmt.Errorf("WithoutGradient(%d) of %d inputs", i, len(inputs))
		}
		op.wants[i] = false
	}
	for k, p := range c.params {
		if p == nil || !p.RequiresGrad() {
			return nil, fmt.Errorf("parameter %d needs no gradient", k)
		}
		if slices.Contains(c.params[:k], p) {
			return nil, fmt.Errorf("parameter %d is there twice", k)
		}
		if got := op.in[len(inputs)+k]; !got.is(p.Tensor()) {
			return nil, fmt.Errorf("parameter %d is %v%v, its node %v", k, p.DType(), p.Shape(), got)
		}
	}
	if c.outputKnown {
		op.out = c.out
		return op, op.out.check()
	}
	return op, op.inferOutput()
}

// inferOutput runs the function on zeros.
func (op *op) inferOutput() error {
	xs := make([]*autograd.Var, op.arguments())
	for i := range xs {
		xs[i] = op.variable(i, tensor.Zeros(op.in[i].dtype, op.in[i].shape...))
	}
	y, err := op.call(xs)
	if err != nil {
		return err
	}
	op.out = signature{y.DType(), y.Shape().Clone()}
	return nil
}

// nextID numbers the operations. Gorgonia takes two nodes for one if their
// operations hash alike, so each has a number of its own in its hash.
var nextID atomic.Uint64

// Parameters makes parameters inputs of a graph: nodes of their shapes that are
// bound to their memory, so that what changes one changes the other. (A scalar
// parameter is copied: it follows its node when the function runs.) Give the
// nodes to [Apply] by [WithParameters].
func Parameters(g *gorgonia.ExprGraph, params ...*autograd.Var) (gorgonia.Nodes, error) {
	if g == nil {
		return nil, errors.New("gorgonianode: Parameters: the graph is nil")
	}
	nodes := make(gorgonia.Nodes, len(params))
	for i, p := range params {
		if p == nil || p.Tensor() == nil {
			return nil, fmt.Errorf("gorgonianode: Parameters: parameter %d is not a dense tensor", i)
		}
		v, err := sharedValue(p)
		if err != nil {
			return nil, fmt.Errorf("gorgonianode: Parameters: parameter %d: %w", i, err)
		}
		nodes[i] = gorgonia.NewTensor(g, toDtype(p.DType()), len(p.Shape()),
			gorgonia.WithShape(p.Shape()...),
			gorgonia.WithName(fmt.Sprintf("parameter %d", nextID.Add(1))),
			gorgonia.WithValue(v))
	}
	return nodes, nil
}

// sharedValue returns a parameter's value in its own memory if it has axes.
func sharedValue(p *autograd.Var) (v gorgonia.Value, err error) {
	if tryErr := autograd.Try(func() { v, err = toValue(p.Tensor()) }); tryErr != nil {
		return nil, tryErr
	}
	return v, err
}

// A signature is what is fixed about a tensor when a graph is built.
type signature struct {
	dtype tensor.DType
	shape tensor.Shape
}

func (s signature) String() string { return fmt.Sprintf("%v%v", s.dtype, s.shape) }

// check says what no tensor can have.
func (s signature) check() error {
	switch s.dtype {
	case tensor.Float32, tensor.Float64, tensor.Int32, tensor.Int64, tensor.Bool:
	default:
		return fmt.Errorf("WithOutput: there is no element type %v", s.dtype)
	}
	for _, n := range s.shape {
		if n < 0 {
			return fmt.Errorf("WithOutput: shape %v has a negative length", s.shape)
		}
	}
	return nil
}

func (s signature) is(t *tensor.Tensor) bool {
	return t != nil && t.DType() == s.dtype && t.Shape().Equal(s.shape)
}

// gorgoniaShape returns a copy of the shape in Gorgonia's type.
func (s signature) gorgoniaShape() gt.Shape { return gt.Shape(s.shape.Clone()) }
