package vcentric

// The values of a vertex function and the ops on them.

import "github.com/asterias-ml/asterias/vcentric/ir"

// Value is what a vertex function computes with: a vector or tensor per vertex
// or per edge, one for each type of vertex or edge, or one shared by all.
// Element-wise ops broadcast over the row shape by NumPy's rules; where operands
// live on different ends of an edge, the result is a value of the edge. Scores of
// heads [H] meet features [H, F] as Reshape(H, 1): shapes are aligned at their last
// dimensions.
type Value struct {
	t     *tracer
	v     *ir.Value
	edges edges  // whose values they are
	later *later // a value that no tracer has seen yet: params and numbers
}

// later builds a value when it meets one that is being traced, once in each tracer: a
// dropout that is used twice has one mask.
type later struct{ build func(*tracer) *ir.Value }

// Param is a tensor shared by all vertices and edges, bound with ParamValue.
func Param(name string) Value {
	pos := callerLine()
	return Value{later: &later{func(t *tracer) *ir.Value { return t.at(pos).param(name) }}}
}

// Number is a constant. In a float32 program one beyond the range of float32, such as a mask of
// -1e300, is what it becomes there: ±Inf, or 0.
func Number(x float64) Value {
	return Value{later: &later{func(t *tracer) *ir.Value { return t.b.Const(x) }}}
}

// in gives the value's IR in a tracer.
func (x Value) in(t *tracer) *ir.Value {
	switch {
	case x.later != nil:
		if t.built[x.later] == nil {
			t.built[x.later] = x.later.build(t)
		}
		return t.built[x.later]
	case x.t != t:
		panic(&ir.Error{Op: "value", Detail: "a value of another program, or of another run of this one, was used as an operand", Pos: callerLine()})
	}
	return x.v
}

// apply builds an op over values, now if one of them is being traced, else when
// the result meets one that is.
func apply(build func(t *tracer, args []*ir.Value) *ir.Value, xs ...Value) Value {
	pos := callerLine()
	trace := func(t *tracer) (*ir.Value, edges) {
		args, e := t.operands(xs)
		v := build(t.at(pos), args)
		if e == noEdges && v.Res == ir.Edge { // made an edge value of what the centre or all share
			e = inEdges
		}
		return v, e
	}
	for _, x := range xs { // here, whose line is known, also if the op is built later
		if x.t == nil && x.later == nil {
			panic(&ir.Error{Op: "value", Detail: "the zero Value was used as an operand", Pos: pos})
		}
	}
	for _, x := range xs {
		if x.t != nil {
			v, e := trace(x.t)
			return Value{t: x.t, v: v, edges: e}
		}
	}
	return Value{later: &later{func(t *tracer) *ir.Value { v, _ := trace(t); return v }}}
}

// operands gives the IR of operands that meet in one op, all on the edges that one
// of them belongs to: on out-edges the centre is the source.
func (t *tracer) operands(xs []Value) ([]*ir.Value, edges) {
	args, e := make([]*ir.Value, len(xs)), noEdges
	for i, x := range xs {
		args[i] = x.in(t)
		own := x.edges
		if own == noEdges && args[i].Res == ir.Edge {
			own = inEdges
		}
		switch {
		case own == noEdges || own == e:
		case e == noEdges:
			e = own
		default:
			panic(&ir.Error{Op: "value", Detail: "a value of the in-edges met one of the out-edges: aggregate either first", Pos: callerLine()})
		}
	}
	if e == outEdges {
		for i, x := range xs {
			if x.edges == noEdges {
				args[i] = t.asSource(args[i])
			}
		}
	}
	return args, e
}

// asSource is a value of the centre seen as the source of its out-edges. An aggregate over
// them is the source's to begin with.
func (t *tracer) asSource(v *ir.Value) *ir.Value {
	switch {
	case v.Res != ir.Dst && v.Res != ir.DstType:
		return v
	case v.Op == ir.OpView:
		return v.Args[0]
	case v.Res == ir.DstType:
		return t.b.View(v, ir.SrcType)
	}
	return t.b.View(v, ir.Src)
}

// reduce builds an aggregate over the edges that x belongs to; what belongs to
// the centre alone is aggregated over its in-edges. The result is the centre's.
func reduce(x Value, build func(t *tracer, d ir.Dir, x *ir.Value) *ir.Value) Value {
	v := apply(func(t *tracer, args []*ir.Value) *ir.Value {
		d := x.edges.dir()
		out := build(t, d, args[0])
		if d == ir.Out {
			out = t.b.View(out, ir.Dst)
		}
		return out
	}, x)
	v.edges = noEdges
	return v
}

func op(o ir.Op, attr ir.Attr, xs ...Value) Value {
	return apply(func(t *tracer, args []*ir.Value) *ir.Value { return t.b.Op(o, attr, args...) }, xs...)
}

// Shape is the row shape of a value of a vertex or an edge. Params and numbers
// on their own have no shape before they meet one.
func (x Value) Shape() []int {
	if x.t == nil {
		panic(&ir.Error{Op: "shape", Detail: "a param has no shape before it meets a vertex or edge value", Pos: callerLine()})
	}
	return append([]int{}, x.v.Shape...)
}

// Arithmetic, element-wise with broadcasting.

// Add is x + y.
func (x Value) Add(y Value) Value { return op(ir.OpAdd, ir.Attr{}, x, y) }

// Sub is x - y.
func (x Value) Sub(y Value) Value { return op(ir.OpSub, ir.Attr{}, x, y) }

// Mul is x * y.
func (x Value) Mul(y Value) Value { return op(ir.OpMul, ir.Attr{}, x, y) }

// Div is x / y.
func (x Value) Div(y Value) Value { return op(ir.OpDiv, ir.Attr{}, x, y) }

// Maximum is the larger of x and y; where they are equal, each gets half of the gradient.
func (x Value) Maximum(y Value) Value { return op(ir.OpMaxOf, ir.Attr{}, x, y) }

// Minimum is the smaller of x and y; where they are equal, each gets half of the gradient.
func (x Value) Minimum(y Value) Value { return op(ir.OpMinOf, ir.Attr{}, x, y) }

// AddScalar is x + c.
func (x Value) AddScalar(c float64) Value { return x.Add(Number(c)) }

// Scale is x * c.
func (x Value) Scale(c float64) Value { return x.Mul(Number(c)) }

// Neg is -x.
func (x Value) Neg() Value { return op(ir.OpNeg, ir.Attr{}, x) }

// Exp is e^x.
func (x Value) Exp() Value { return op(ir.OpExp, ir.Attr{}, x) }

// Log is the natural logarithm of x.
func (x Value) Log() Value { return op(ir.OpLog, ir.Attr{}, x) }

// Sqrt is the square root of x.
func (x Value) Sqrt() Value { return op(ir.OpSqrt, ir.Attr{}, x) }

// Rsqrt is 1 over the square root of x.
func (x Value) Rsqrt() Value { return op(ir.OpRsqrt, ir.Attr{}, x) }

// Sin is the sine of x, in radians.
func (x Value) Sin() Value { return op(ir.OpSin, ir.Attr{}, x) }

// Cos is the cosine of x, in radians.
func (x Value) Cos() Value { return op(ir.OpCos, ir.Attr{}, x) }

// Abs is |x|, with gradient 0 at 0.
func (x Value) Abs() Value { return op(ir.OpAbs, ir.Attr{}, x) }

// Square is x * x.
func (x Value) Square() Value { return op(ir.OpSquare, ir.Attr{}, x) }

// Recip is 1/x.
func (x Value) Recip() Value { return op(ir.OpRecip, ir.Attr{}, x) }

// Pow is x to the power p.
func (x Value) Pow(p float64) Value { return op(ir.OpPow, ir.Attr{Num: p}, x) }

// PowValue is x to the power p. Where x is 0 and p at least 0, p gets no gradient; where p
// is 0, x gets none.
func (x Value) PowValue(p Value) Value { return op(ir.OpPowOf, ir.Attr{}, x, p) }

// Clamp is x bounded to [lo, hi]; the gradient passes on the bounds themselves. A bound that
// is NaN is none.
func (x Value) Clamp(lo, hi float64) Value { return op(ir.OpClamp, ir.Attr{Num: lo, Num2: hi}, x) }

// Activations.

// ReLU is max(x, 0), with gradient 0 at 0.
func (x Value) ReLU() Value { return op(ir.OpRelu, ir.Attr{}, x) }

// LeakyReLU is x where it is positive, else slope * x.
func (x Value) LeakyReLU(slope float64) Value { return op(ir.OpLeakyRelu, ir.Attr{Num: slope}, x) }

// ELU is x where it is positive, else alpha * (e^x - 1).
func (x Value) ELU(alpha float64) Value { return op(ir.OpElu, ir.Attr{Num: alpha}, x) }

// GELU is x * (1 + erf(x/sqrt 2))/2, the exact form.
func (x Value) GELU() Value { return op(ir.OpGelu, ir.Attr{}, x) }

// SiLU is x * sigmoid(x).
func (x Value) SiLU() Value { return op(ir.OpSilu, ir.Attr{}, x) }

// Sigmoid is 1/(1 + e^-x).
func (x Value) Sigmoid() Value { return op(ir.OpSigmoid, ir.Attr{}, x) }

// Tanh is the hyperbolic tangent of x.
func (x Value) Tanh() Value { return op(ir.OpTanh, ir.Attr{}, x) }

// Softplus is ln(1 + e^x).
func (x Value) Softplus() Value { return op(ir.OpSoftplus, ir.Attr{}, x) }

// Comparisons give 1 or 0 and carry no gradient.

// Gt is 1 where x > y, else 0.
func (x Value) Gt(y Value) Value { return op(ir.OpGt, ir.Attr{}, x, y) }

// Ge is 1 where x >= y, else 0.
func (x Value) Ge(y Value) Value { return op(ir.OpGe, ir.Attr{}, x, y) }

// Lt is 1 where x < y, else 0.
func (x Value) Lt(y Value) Value { return y.Gt(x) }

// Le is 1 where x <= y, else 0.
func (x Value) Le(y Value) Value { return y.Ge(x) }

// Eq is 1 where x equals y, else 0.
func (x Value) Eq(y Value) Value { return op(ir.OpEq, ir.Attr{}, x, y) }

// Ne is 1 where x differs from y, else 0.
func (x Value) Ne(y Value) Value { return Number(1).Sub(x.Eq(y)) }

// Step is 1 where x > 0, else 0.
func (x Value) Step() Value { return x.Gt(Number(0)) }

// Select is a where the condition is not 0, else b.
func Select(cond, a, b Value) Value { return op(ir.OpSelect, ir.Attr{}, cond, a, b) }

// Dropout zeroes elements with probability p and scales the others by 1/(1-p)
// in runs with Training, and does nothing in others. The mask is a hash of the
// run's seed, the place in the program, the vertex or edge, and the column: it
// is recomputed in the backward pass, never stored.
//
// What a dropped NaN or infinity becomes, 0 or NaN, is not defined: the compiler
// moves masks over products where that saves work. (PyTorch gives NaN, as 0·NaN is.)
func (x Value) Dropout(p float64) Value {
	return apply(func(t *tracer, args []*ir.Value) *ir.Value { return t.dropout(args[0], p) }, x)
}
