package system

// Calls as values, for whoever passes them on, enumerates or times them.

import (
	"errors"
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

// ErrUnsupported is what a system returns that lacks a call or a flag.
var ErrUnsupported = errors.New("not supported by the system")

// Kind is one of the five calls.
type Kind uint8

// The calls.
const (
	SpMMv Kind = iota
	SpMMve
	SpMMe
	SDDMMvv
	SDDMMve
	NumKinds
)

var kindNames = [NumKinds]string{"SpMMv", "SpMMve", "SpMMe", "SDDMMvv", "SDDMMve"}

func (k Kind) String() string { return name(kindNames[:], uint8(k)) }

// A form says which operands and flags a call has.
type form struct {
	x, y, w  bool // operands besides out
	edgesOut bool
	ops      []Op
	reduces  []Reduce
}

var (
	noOp     = []Op{0}
	noReduce = []Reduce{0}
	allOps   = []Op{OpMul, OpAdd, OpSub, OpDiv}
	all      = []Reduce{Sum, Max, Min}

	forms = [NumKinds]form{
		SpMMv:   {x: true, ops: noOp, reduces: all},
		SpMMve:  {x: true, w: true, ops: allOps, reduces: all},
		SpMMe:   {w: true, ops: noOp, reduces: all},
		SDDMMvv: {x: true, y: true, edgesOut: true, ops: append([]Op{OpDot}, allOps...), reduces: noReduce},
		SDDMMve: {x: true, w: true, edgesOut: true, ops: append([]Op{OpCopy}, allOps...), reduces: noReduce},
	}
)

// Flags returns all flags that the call may have.
func (k Kind) Flags() []Flags {
	var flags []Flags
	for _, op := range forms[k].ops {
		for _, reduce := range forms[k].reduces {
			for norm := range numNorms {
				for _, transpose := range []bool{false, true} {
					f := Flags{op, reduce, norm, transpose}
					if norm == NormNone || k.normalises(f) {
						flags = append(flags, f)
					}
				}
			}
		}
	}
	return flags
}

// normalises tells whether a normalisation makes sense beside the other flags.
func (k Kind) normalises(f Flags) bool {
	return f.Reduce == Sum && (k == SpMMv || k == SpMMve && (f.Op == OpMul || f.Op == OpDiv))
}

// A Call is a call with its operands. Those that the call does not have are nil: Y is
// SDDMMvv's alone.
type Call struct {
	Kind         Kind
	X, Y, W, Out *tensor.Tensor
	Flags        Flags
}

// On makes the call.
func (c Call) On(g Graph) error {
	switch c.Kind {
	case SpMMv:
		return g.SpMMv(c.X, c.Out, c.Flags)
	case SpMMve:
		return g.SpMMve(c.X, c.W, c.Out, c.Flags)
	case SpMMe:
		return g.SpMMe(c.W, c.Out, c.Flags)
	case SDDMMvv:
		return g.SDDMMvv(c.X, c.Y, c.Out, c.Flags)
	case SDDMMve:
		return g.SDDMMve(c.X, c.W, c.Out, c.Flags)
	}
	panic(fmt.Sprintf("BUG: system: call %d", c.Kind))
}

// Shape returns the shape of the output over a graph of so many vertices and edges,
// heads and width of X, or of W where there is no X.
func (c Call) Shape(vertices, edges int) tensor.Shape {
	of := c.X
	if of == nil {
		of = c.W
	}
	rows, heads, width := vertices, of.Shape()[1], of.Shape()[2]
	if forms[c.Kind].edgesOut {
		rows = edges
	}
	if c.Flags.Op == OpDot {
		width = 1
	}
	return tensor.Shape{rows, heads, width}
}

// Check returns an error that names what does not fit a graph of so many vertices and
// edges: an operand that is missing or too much, a flag the call does not have, a
// shape, a type.
func (c Call) Check(vertices, edges int) error {
	if c.Kind >= NumKinds {
		return fmt.Errorf("system: call %d", c.Kind)
	}
	if err := c.check(vertices, edges); err != nil {
		return fmt.Errorf("system: %v(%v): %w", c.Kind, c.Flags, err)
	}
	return nil
}

func (c Call) check(vertices, edges int) error {
	form := forms[c.Kind]
	if !c.Kind.allows(c.Flags) {
		return errors.New("the call does not have these flags")
	}
	want := []struct {
		name string
		t    *tensor.Tensor
		has  bool
		rows int
	}{
		{"x", c.X, form.x, vertices},
		{"y", c.Y, form.y, vertices},
		{"w", c.W, form.w && c.Flags.Op != OpCopy, edges},
	}
	for _, o := range want {
		switch {
		case o.has != (o.t != nil):
			return fmt.Errorf("operand %s: present %t, want %t", o.name, o.t != nil, o.has)
		case o.has:
			if err := fits(o.name, o.t, o.rows); err != nil {
				return err
			}
		}
	}
	if c.Out == nil {
		return errors.New("no out")
	}
	if err := fits("out", c.Out, c.Shape(vertices, edges)[0]); err != nil {
		return err
	}
	if got, want := c.Out.Shape(), c.Shape(vertices, edges); !got.Equal(want) {
		return fmt.Errorf("out has shape %v, want %v", got, want)
	}
	if c.Y != nil && !c.Y.Shape().Equal(c.X.Shape()) {
		return fmt.Errorf("y has shape %v, x %v", c.Y.Shape(), c.X.Shape())
	}
	if c.X != nil && c.W != nil {
		x, w := c.X.Shape(), c.W.Shape()
		if w[1] != x[1] || w[2] != x[2] && w[2] != 1 {
			return fmt.Errorf("w has shape %v beside x %v: want its heads, and its width or 1", w, x)
		}
	}
	return nil
}

func (k Kind) allows(f Flags) bool {
	for _, allowed := range k.Flags() {
		if f == allowed {
			return true
		}
	}
	return false
}

// fits checks one operand.
func fits(name string, t *tensor.Tensor, rows int) error {
	s := t.Shape()
	switch {
	case len(s) != 3 || s[0] != rows:
		return fmt.Errorf("%s has shape %v, want [%d heads width]", name, s, rows)
	case t.DType() != tensor.Float32:
		return fmt.Errorf("%s is %v, want %v", name, t.DType(), tensor.Float32)
	case !t.IsContiguous():
		return fmt.Errorf("%s is not contiguous", name)
	}
	return nil
}
