package vcentric

// The values of a vertex function and the ops on them.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Value is what a vertex function computes with: a vector or tensor per vertex
// or per edge, or one shared by all. Element-wise ops broadcast over the row
// shape by NumPy's rules; where operands live on different ends of an edge, the
// result is a value of the edge.
type Value struct {
	t     *tracer
	v     *ir.Value
	later func(*tracer) *ir.Value // a value that no tracer has seen yet: params and numbers
}

// Param is a tensor shared by all vertices and edges, bound with ParamValue.
func Param(name string) Value {
	pos := callerLine()
	return Value{later: func(t *tracer) *ir.Value { return t.at(pos).param(name) }}
}

// Number is a constant.
func Number(x float64) Value {
	return Value{later: func(t *tracer) *ir.Value { return t.b.Const(x) }}
}

// in gives the value's IR in a tracer.
func (x Value) in(t *tracer) *ir.Value {
	switch {
	case x.later != nil:
		return x.later(t)
	case x.t == nil:
		panic(&ir.Error{Op: "value", Detail: "the zero Value was used as an operand", Pos: callerLine()})
	case x.t != t:
		panic(&ir.Error{Op: "value", Detail: "a value of another program, or of another run of this one, was used as an operand", Pos: callerLine()})
	}
	return x.v
}

// apply builds an op over values, now if one of them is being traced, else when
// the result meets one that is.
func apply(build func(t *tracer, args []*ir.Value) *ir.Value, xs ...Value) Value {
	pos := callerLine()
	trace := func(t *tracer) *ir.Value {
		args := make([]*ir.Value, len(xs))
		for i, x := range xs {
			args[i] = x.in(t)
		}
		return build(t.at(pos), args)
	}
	for _, x := range xs {
		if x.t != nil {
			return Value{t: x.t, v: trace(x.t)}
		}
	}
	return Value{later: trace}
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

// Abs is |x|, with gradient 0 at 0.
func (x Value) Abs() Value { return op(ir.OpAbs, ir.Attr{}, x) }

// Square is x * x.
func (x Value) Square() Value { return op(ir.OpSquare, ir.Attr{}, x) }

// Recip is 1/x.
func (x Value) Recip() Value { return op(ir.OpRecip, ir.Attr{}, x) }

// Pow is x to the power p.
func (x Value) Pow(p float64) Value { return op(ir.OpPow, ir.Attr{Num: p}, x) }

// Clamp is x bounded to [lo, hi]; the gradient passes on the bounds themselves.
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

// Eq is 1 where x equals y, else 0.
func (x Value) Eq(y Value) Value { return op(ir.OpEq, ir.Attr{}, x, y) }

// Select is a where the condition is not 0, else b.
func Select(cond, a, b Value) Value { return op(ir.OpSelect, ir.Attr{}, cond, a, b) }

// Dropout zeroes elements with probability p and scales the others by 1/(1-p)
// in runs with Training, and does nothing in others. The mask is a hash of the
// run's seed, the place in the program, the vertex or edge, and the column: it
// is recomputed in the backward pass, never stored.
func (x Value) Dropout(p float64) Value {
	return apply(func(t *tracer, args []*ir.Value) *ir.Value { return t.dropout(args[0], p) }, x)
}

// MatMul multiplies the last dimension of the row by a matrix: [..., F]·[F, O].
// The matrix is a param. A product of vertex values is computed once a vertex,
// and one of a sum or concatenation of both ends is split into such products; a
// product of any other edge value needs its operand and its result in memory,
// with a row per edge.
func (x Value) MatMul(w Value) Value { return op(ir.OpMatMul, ir.Attr{}, x, w) }

// Dot is the inner product over the last dimension, which goes away.
func (x Value) Dot(y Value) Value { return x.Mul(y).SumLast() }

// SumLast sums over the last dimension, which goes away.
func (x Value) SumLast() Value { return apply(sumLast, x) }

// SumTo sums over the dimensions that broadcasting from the given row shape to
// x's would stretch: SumTo(1, 8) of a [4 8] row sums over the first.
func (x Value) SumTo(dims ...int) Value {
	s := append(ir.Shape{}, dims...)
	return apply(func(t *tracer, args []*ir.Value) *ir.Value { return t.b.Op(ir.OpReduceTo, ir.Attr{Shape: s}, args[0]) }, x)
}

// MeanLast averages over the last dimension, which goes away.
func (x Value) MeanLast() Value {
	return apply(func(t *tracer, args []*ir.Value) *ir.Value {
		sum := sumLast(t, args)
		s := args[0].Shape
		return t.b.Mul(sum, t.b.Const(1/float64(s[len(s)-1])))
	}, x)
}

func sumLast(t *tracer, args []*ir.Value) *ir.Value {
	x := args[0]
	if len(x.Shape) == 0 {
		panic(&ir.Error{Op: "sumlast", Detail: "a scalar has no last dimension", Pos: t.pos})
	}
	rest := x.Shape[:len(x.Shape)-1]
	keep := append(append(ir.Shape{}, rest...), 1)
	return t.b.Reshape(t.b.ReduceTo(x, keep), rest)
}

// Reshape gives the row another shape with as many elements, in order.
func (x Value) Reshape(dims ...int) Value {
	s := append(ir.Shape{}, dims...)
	return apply(func(t *tracer, args []*ir.Value) *ir.Value { return t.b.Op(ir.OpReshape, ir.Attr{Shape: s}, args[0]) }, x)
}

// Slice is the columns [lo, hi) of the last dimension.
func (x Value) Slice(lo, hi int) Value { return op(ir.OpSlice, ir.Attr{Lo: lo, Hi: hi}, x) }

// Concat joins values along the last dimension.
func Concat(xs ...Value) Value { return op(ir.OpConcat, ir.Attr{}, xs...) }

// Sum adds x over the in-edges of each vertex: 0 over none.
func Sum(x Value) Value { return op(ir.OpSum, ir.Attr{Dir: ir.In}, x) }

// Mean averages x over the in-edges of each vertex: 0 over none.
func Mean(x Value) Value {
	return apply(func(t *tracer, args []*ir.Value) *ir.Value {
		b := t.b
		count := b.MaxOf(b.Degree(ir.In, ir.Dst), b.Const(1))
		return b.Mul(b.Sum(ir.In, args[0]), b.Recip(count))
	}, x)
}

// Max is the element-wise maximum of x over the in-edges of each vertex: 0 over
// none. Its gradient goes to the first edge, in id order, that attains it.
func Max(x Value) Value { return op(ir.OpMax, ir.Attr{Dir: ir.In}, x) }

// Min is the element-wise minimum, with the conventions of Max.
func Min(x Value) Value { return Max(x.Neg()).Neg() }

// Softmax normalises x over the in-edges of each vertex, element by element:
// e^x / Σ e^x, computed in a form that does not overflow.
func Softmax(x Value) Value {
	return apply(func(t *tracer, args []*ir.Value) *ir.Value {
		x := args[0]
		if x.Res.Within(ir.Dst) { // the same score on all edges of a vertex
			x = t.b.Op(ir.OpAtEdge, ir.Attr{}, x)
		}
		return t.b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, x)
	}, x)
}

// AtEdges makes a value of the edges out of what their ends or all share, so
// that a program can return it per edge.
func AtEdges(x Value) Value { return op(ir.OpAtEdge, ir.Attr{}, x) }

// String prints the value as a line of IR.
func (x Value) String() string {
	if x.v == nil {
		return "a value not yet traced"
	}
	return fmt.Sprint(x.v)
}
