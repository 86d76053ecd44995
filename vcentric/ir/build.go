package ir

// Building programs: every value passes through Builder.Op, which infers and
// checks its shape and residency.

import "fmt"

// Builder appends values to a program.
type Builder struct {
	prog *Program
	pos  string
}

// NewBuilder starts an empty program.
func NewBuilder(name string, typ DType, bipartite bool) *Builder {
	return &Builder{prog: &Program{Name: name, Type: typ, Bipartite: bipartite}}
}

// BuilderLike starts an empty program of the same type for the same graphs as p.
func BuilderLike(p *Program) *Builder {
	return &Builder{prog: &Program{Name: p.Name, Type: p.Type, Bipartite: p.Bipartite, Types: p.Types}}
}

// SetTypes says how many types the graph's vertices and edges have.
func (b *Builder) SetTypes(t Types) { b.prog.Types = t }

// At sets the source position that the values built from now on carry.
func (b *Builder) At(pos string) { b.pos = pos }

// Program returns the program built so far.
func (b *Builder) Program() *Program { return b.prog }

// Output names v as a result.
func (b *Builder) Output(name string, v *Value) {
	b.prog.Outputs = append(b.prog.Outputs, Output{Name: name, Value: v})
}

// Input appends an input of the given residency and row shape.
func (b *Builder) Input(name string, res Residency, shape Shape) *Value {
	return b.append(&Value{Op: OpInput, Attr: Attr{Name: name}, Res: res, Shape: shape})
}

// InputOf appends an input that has the type of v too: ids stay ids.
func (b *Builder) InputOf(name string, v *Value) *Value {
	return b.append(&Value{Op: OpInput, Attr: Attr{Name: name}, Res: v.Res, Shape: v.Shape, Type: v.Type})
}

// Op appends a value; it panics with *Error when the operands do not fit.
func (b *Builder) Op(op Op, attr Attr, args ...*Value) *Value {
	info := op.Info()
	switch {
	case info.Arity < 0 && len(args) == 0:
		panic(&Error{Op: info.Name, Detail: "0 operands, want at least 1", Pos: b.pos})
	case info.Arity >= 0 && len(args) != info.Arity:
		panic(&Error{Op: info.Name, Detail: fmt.Sprintf("%d operands, want %d", len(args), info.Arity), Pos: b.pos})
	}
	return b.append(&Value{Op: op, Attr: attr, Args: args})
}

func (b *Builder) append(v *Value) *Value {
	if v.Type != I32 {
		v.Type = b.prog.Type
	}
	v.ID, v.Pos = len(b.prog.Values), b.pos
	if err := infer(b.prog, v); err != nil {
		panic(&Error{Op: v.Op.String(), Detail: err.Error(), Pos: b.pos})
	}
	b.prog.Values = append(b.prog.Values, v)
	return v
}

// infer fills in v's residency, type and shape and checks what depends on the
// program as a whole. Its numbers come to be in the range of the program's type.
func infer(p *Program, v *Value) error {
	v.Attr.Num, v.Attr.Num2 = p.Type.InRange(v.Attr.Num), p.Type.InRange(v.Attr.Num2)
	if p.Bipartite {
		if v.Op == OpView {
			return fmt.Errorf("sources and destinations of a bipartite graph are different vertices")
		}
		if v.Op == OpDegree && v.Attr.Res != v.Attr.Dir.Rows() {
			return fmt.Errorf("a %v vertex of a bipartite graph has no %v-edges", v.Attr.Res, v.Attr.Dir)
		}
	}
	for i, a := range v.Args {
		if a.Type == I32 && v.Op != OpView && (v.Op != OpWinner || i > 0) {
			return fmt.Errorf("operand %d is an id, not a number", i)
		}
	}
	if v.Op == OpInput {
		for _, w := range p.Values {
			if w.Op == OpInput && w.Attr.Name == v.Attr.Name && p.Binding(w) == p.Binding(v) && (w.Type != v.Type || !w.Shape.Equal(v.Shape)) {
				return fmt.Errorf("%s has rows %v%v and rows %v%v", p.Binding(v), w.Type, w.Shape, v.Type, v.Shape)
			}
		}
	}
	if err := v.Op.Info().Infer(p, v); err != nil {
		return err
	}
	return checkSize(v.Shape)
}

// Short forms for the ops that rules and passes build.

// Const appends a number.
func (b *Builder) Const(x float64) *Value { return b.Op(OpConst, Attr{Num: x}) }

// Neg appends -x.
func (b *Builder) Neg(x *Value) *Value { return b.Op(OpNeg, Attr{}, x) }

// Exp appends e^x.
func (b *Builder) Exp(x *Value) *Value { return b.Op(OpExp, Attr{}, x) }

// Square appends x*x.
func (b *Builder) Square(x *Value) *Value { return b.Op(OpSquare, Attr{}, x) }

// Recip appends 1/x.
func (b *Builder) Recip(x *Value) *Value { return b.Op(OpRecip, Attr{}, x) }

// Add appends x + y.
func (b *Builder) Add(x, y *Value) *Value { return b.Op(OpAdd, Attr{}, x, y) }

// Sub appends x - y.
func (b *Builder) Sub(x, y *Value) *Value { return b.Op(OpSub, Attr{}, x, y) }

// Mul appends x * y.
func (b *Builder) Mul(x, y *Value) *Value { return b.Op(OpMul, Attr{}, x, y) }

// Div appends x / y.
func (b *Builder) Div(x, y *Value) *Value { return b.Op(OpDiv, Attr{}, x, y) }

// MaxOf appends max(x, y).
func (b *Builder) MaxOf(x, y *Value) *Value { return b.Op(OpMaxOf, Attr{}, x, y) }

// Gt appends x > y as 1 or 0.
func (b *Builder) Gt(x, y *Value) *Value { return b.Op(OpGt, Attr{}, x, y) }

// Select appends x where c is not 0, else y.
func (b *Builder) Select(c, x, y *Value) *Value { return b.Op(OpSelect, Attr{}, c, x, y) }

// Sum appends the sum of x over the edges of a direction.
func (b *Builder) Sum(d Dir, x *Value) *Value { return b.Op(OpSum, Attr{Dir: d}, x) }

// Max appends the maximum of x over the edges of a direction.
func (b *Builder) Max(d Dir, x *Value) *Value { return b.Op(OpMax, Attr{Dir: d}, x) }

// MatMul appends x·w.
func (b *Builder) MatMul(x, w *Value) *Value { return b.Op(OpMatMul, Attr{}, x, w) }

// View appends x's rows seen from the side r.
func (b *Builder) View(x *Value, r Residency) *Value { return b.Op(OpView, Attr{Res: r}, x) }

// Degree appends the number of edges of a direction of each vertex of r.
func (b *Builder) Degree(d Dir, r Residency) *Value {
	return b.Op(OpDegree, Attr{Dir: d, Res: r})
}

// TypeDegree appends the number of edges of each type of the vertices that have the
// edges of a direction.
func (b *Builder) TypeDegree(d Dir) *Value {
	return b.Op(OpDegree, Attr{Dir: d, Res: d.Rows(), Typed: true})
}

// Total sums x over the rows of a level.
func (b *Builder) Total(x *Value, level Residency) *Value { return b.TotalTo(x, level, Param) }

// TotalTo sums x over the rows of a level, into a param or for each type. Over the
// edges it sums each vertex's edges first, so that the edges are met once, in a
// kernel.
func (b *Builder) TotalTo(x *Value, level, to Residency) *Value {
	switch {
	case level == Edge && to == EdgeType:
		typed := b.Op(OpSum, Attr{Dir: In, Typed: true}, x)
		return b.Op(OpUnstack, Attr{Res: EdgeType}, b.Op(OpTotal, Attr{Res: Dst}, typed))
	case level == Edge && to == SrcType:
		x, level = b.Sum(Out, x), Src
	case level == Edge:
		x, level = b.Sum(In, x), Dst
	}
	return b.Op(OpTotal, Attr{Res: level, To: to}, x)
}

// Reshape, Expand and ReduceTo return x itself where it already has the shape.

// Reshape appends x in another row shape.
func (b *Builder) Reshape(x *Value, s Shape) *Value { return b.toShape(OpReshape, x, s) }

// Expand appends x broadcast to a row shape.
func (b *Builder) Expand(x *Value, s Shape) *Value { return b.toShape(OpExpand, x, s) }

// ReduceTo appends x summed to a row shape that broadcasts to its own.
func (b *Builder) ReduceTo(x *Value, s Shape) *Value { return b.toShape(OpReduceTo, x, s) }

func (b *Builder) toShape(op Op, x *Value, s Shape) *Value {
	if x.Shape.Equal(s) {
		return x
	}
	return b.Op(op, Attr{Shape: s}, x)
}

// Copy appends a copy of v over other operands: the same op and attributes,
// residency and shape inferred anew.
func (b *Builder) Copy(v *Value, args []*Value) *Value {
	b.pos = v.Pos
	c := &Value{Op: v.Op, Attr: v.Attr, Args: args}
	if v.Op == OpInput {
		c.Res, c.Shape, c.Type = v.Res, v.Shape, v.Type
	}
	return b.append(c)
}
