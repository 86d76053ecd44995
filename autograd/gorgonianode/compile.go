// Compiling an expression graph, and its symbolic gradient, to a program.

package gorgonianode

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// compiler gives the nodes of a graph their slots.
type compiler struct {
	*program
	graph *gorgonia.ExprGraph
	slot  map[*gorgonia.Node]int
	used  map[*gorgonia.Node]bool // by the result
}

// compile builds the graph for the inputs' shapes and types and its gradient for
// those that want one.
func compile(build func(in gorgonia.Nodes) (*gorgonia.Node, error), inputs []*autograd.Var, wants []bool) (*program, error) {
	c := &compiler{
		program: &program{cotangent: -1, grads: make([]int, len(inputs))},
		graph:   gorgonia.NewGraph(),
		slot:    make(map[*gorgonia.Node]int),
		used:    make(map[*gorgonia.Node]bool),
	}
	in := make(gorgonia.Nodes, len(inputs))
	for i, x := range inputs {
		c.in = append(c.in, signature{x.DType(), x.Shape().Clone()})
		in[i] = c.newInput(fmt.Sprintf("gorgonianode input %d", i), c.in[i])
		c.grads[i] = -1
	}
	y, err := guarded(func() (*gorgonia.Node, error) { return build(slices.Clone(in)) })
	if err != nil {
		return nil, err
	}
	if y == nil || y.Graph() != c.graph {
		return nil, errors.New("the result is not a node of the inputs' graph")
	}
	dt, err := fromDtype(y.Dtype())
	if err != nil {
		return nil, fmt.Errorf("the result: %w", err)
	}
	c.out = signature{dt, tensor.Shape(y.Shape())}
	c.steps = c.visit(nil, y)
	c.result = c.slot[y]
	if err := c.differentiate(y, in, wants); err != nil {
		return nil, err
	}
	return c.program, nil
}

// guarded returns a panic of f as an error: Gorgonia panics at much of what does not
// fit, and gorgonia.Must, which its users write in graphs, at all of it.
func guarded[T any](f func() (T, error)) (result T, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case error:
			err = fmt.Errorf("panic: %w", v)
		default:
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return f()
}

// newInput adds an input to the graph and gives it a slot.
func (c *compiler) newInput(name string, s signature) *gorgonia.Node {
	n := gorgonia.NewTensor(c.graph, toDtype(s.dtype), len(s.shape), gorgonia.WithName(name), gorgonia.WithShape(s.shape...))
	c.newSlot(n)
	return n
}

func (c *compiler) newSlot(n *gorgonia.Node) int {
	s := c.slots
	c.slots++
	c.slot[n] = s
	return s
}

// visit appends the steps that n needs and that are not there yet.
func (c *compiler) visit(steps []step, n *gorgonia.Node) []step {
	c.used[n] = true
	if _, ok := c.slot[n]; ok {
		return steps
	}
	children := c.children(n)
	for _, child := range children {
		steps = c.visit(steps, child)
	}
	s := c.newSlot(n)
	if n.Op() == nil {
		c.constants = append(c.constants, constant{n, s})
		return steps
	}
	from := make([]int, len(children))
	for i, child := range children {
		from[i] = c.slot[child]
	}
	return append(steps, step{n.Op(), from, s})
}

// children returns the operands of a node, in order.
func (c *compiler) children(n *gorgonia.Node) gorgonia.Nodes {
	var children gorgonia.Nodes
	for it := c.graph.From(n.ID()); it.Next(); {
		children = append(children, it.Node().(*gorgonia.Node))
	}
	return children
}

// differentiate appends the gradients of the inputs that want one to the program.
func (c *compiler) differentiate(y *gorgonia.Node, in gorgonia.Nodes, wants []bool) error {
	paths := paths{compiler: c, smooth: make(map[*gorgonia.Node]bool)}
	paths.follow(y)
	var wrt gorgonia.Nodes
	var which []int
	for i, wanted := range wants {
		switch {
		case !wanted || !c.used[in[i]]:
			continue
		case paths.rough != nil:
			return fmt.Errorf("input %d requires a gradient, but %v has no symbolic gradient", i, paths.rough)
		case !paths.smooth[in[i]]:
			return fmt.Errorf("input %d requires a gradient, but %v has none for it", i, paths.flat)
		}
		wrt, which = append(wrt, in[i]), append(which, i)
	}
	if len(wrt) == 0 {
		return nil
	}
	g := c.newInput("gorgonianode cotangent", c.out)
	c.cotangent = c.slot[g]
	grads, err := guarded(func() (gorgonia.Nodes, error) {
		return gorgonia.Backpropagate(gorgonia.Nodes{y}, gorgonia.Nodes{g}, wrt)
	})
	if err != nil {
		return fmt.Errorf("no gradient: %w", err)
	}
	for k, i := range which {
		c.back = c.visit(c.back, grads[k])
		c.grads[i] = c.slot[grads[k]]
	}
	return nil
}

// paths is what gradients flow through on their way from the result.
type paths struct {
	*compiler
	smooth map[*gorgonia.Node]bool // nodes that a gradient reaches
	rough  gorgonia.Op             // an operation on the way without a gradient; Backpropagate would panic
	flat   []gorgonia.Op           // operations on the way that have none for some operand
}

func (p *paths) follow(n *gorgonia.Node) {
	if p.smooth[n] {
		return
	}
	p.smooth[n] = true
	children := p.children(n)
	if len(children) == 0 {
		return
	}
	op, ok := n.Op().(gorgonia.SDOp)
	if !ok {
		p.rough = n.Op()
		return
	}
	flows := op.DiffWRT(len(children))
	if slices.Contains(flows, false) || len(flows) < len(children) {
		p.flat = append(p.flat, op)
	}
	for i, child := range children {
		if i < len(flows) && flows[i] {
			p.follow(child)
		}
	}
}
