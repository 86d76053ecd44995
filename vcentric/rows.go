package vcentric

// Ops on whole rows: products, reductions over the last dimension, layout.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// MatMul multiplies the last dimension of the row by a matrix: [..., F]·[F, O].
// A matrix for each head, [H, F, O], multiplies the rows of [..., H, F]
// separately; one row for all heads, [..., 1, F], and one matrix for all,
// [1, F, O], broadcast: the result is [..., H, O].
//
// The matrix is a param, or belongs to a vertex type or edge type, as W_r of
// R-GCN does; one of a vertex or an edge itself is multiplied out. A product of
// vertex values is computed once a vertex, and one of a sum or concatenation of
// both ends is split into such products; of other edge values a tile of edges at
// a time is multiplied, and none of it is kept in memory.
func (x Value) MatMul(w Value) Value { return apply(matMul, x, w) }

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

// MaxLast is the maximum over the last dimension, which goes away. Its gradient
// goes to the first element that attains it.
func (x Value) MaxLast() Value { return apply(maxLast, x) }

// MinLast is the minimum over the last dimension, with the conventions of MaxLast.
func (x Value) MinLast() Value { return x.Neg().MaxLast().Neg() }

// SoftmaxLast normalises x over the last dimension, which stays: e^x / Σ e^x,
// computed in a form that does not overflow, as the weights of FeaStNet's and
// of a mixture's experts are. See [Softmax] for the one over edges.
func (x Value) SoftmaxLast() Value { return apply(softmaxLast, x) }

// matMul broadcasts heads. One row times the matrices of all heads is its product with
// one wide matrix of them, which reads it once; matrices of vertices and edges themselves,
// which are multiplied out, stay as they are.
func matMul(t *tracer, args []*ir.Value) *ir.Value {
	b, x, w := t.b, args[0], args[1]
	n := len(x.Shape)
	if n < 2 || len(w.Shape) != 3 || x.Shape[n-1] != w.Shape[1] || x.Shape[n-2] == w.Shape[0] {
		return b.MatMul(x, w)
	}
	heads, in, out := w.Shape[0], w.Shape[1], w.Shape[2]
	rows := func(dims ...int) ir.Shape { return append(append(ir.Shape{}, x.Shape[:n-2]...), dims...) }
	switch {
	case heads == 1:
		return b.MatMul(x, b.Reshape(w, ir.Shape{in, out}))
	case x.Shape[n-2] != 1: // the error
		return b.MatMul(x, w)
	case w.Res != ir.Param && !w.Res.IsType():
		return b.MatMul(b.Expand(x, rows(heads, in)), w)
	}
	wide := b.Reshape(b.Op(ir.OpPermute, ir.Attr{Shape: ir.Shape{1, 0, 2}}, w), ir.Shape{in, heads * out})
	return b.Reshape(b.MatMul(x, wide), rows(heads, out))
}

func sumLast(t *tracer, args []*ir.Value) *ir.Value {
	x := args[0]
	rest := withoutLast(t, "sumlast", x)
	keep := append(append(ir.Shape{}, rest...), 1)
	return t.b.Reshape(t.b.ReduceTo(x, keep), rest)
}

func maxLast(t *tracer, args []*ir.Value) *ir.Value {
	rest := withoutLast(t, "maxlast", args[0])
	return t.b.Reshape(t.b.Op(ir.OpMaxLast, ir.Attr{}, args[0]), rest)
}

func softmaxLast(t *tracer, args []*ir.Value) *ir.Value {
	b, x := t.b, args[0]
	one := append(append(ir.Shape{}, withoutLast(t, "softmaxlast", x)...), 1)
	e := b.Exp(b.Sub(x, b.Op(ir.OpMaxLast, ir.Attr{}, x)))
	return b.Div(e, b.ReduceTo(e, one))
}

func withoutLast(t *tracer, op string, x *ir.Value) ir.Shape {
	if len(x.Shape) == 0 {
		panic(&ir.Error{Op: op, Detail: "a scalar has no last dimension", Pos: t.pos})
	}
	return x.Shape[:len(x.Shape)-1]
}

// Reshape gives the row another shape with as many elements, in order. One dimension
// may be -1: it is inferred.
func (x Value) Reshape(dims ...int) Value {
	s := append(ir.Shape{}, dims...)
	return apply(func(t *tracer, args []*ir.Value) *ir.Value {
		return t.b.Op(ir.OpReshape, ir.Attr{Shape: inferred(s, args[0].Width())}, args[0])
	}, x)
}

// inferred is the shape with the one length in the place of -1 that makes it hold so many
// elements; without such a length the shape itself, for the checker to refuse.
func inferred(s ir.Shape, elements int) ir.Shape {
	at := slices.Index(s, -1)
	if at < 0 {
		return s
	}
	whole := slices.Clone(s)
	whole[at] = 1
	if n := whole.Size(); n > 0 && elements%n == 0 {
		whole[at] = elements / n
		return whole
	}
	return s
}

// Permute puts the dimensions of the row in another order: Permute(1, 0)
// transposes a matrix.
func (x Value) Permute(order ...int) Value {
	return op(ir.OpPermute, ir.Attr{Shape: append(ir.Shape{}, order...)}, x)
}

// Slice is the columns [lo, hi) of the last dimension.
func (x Value) Slice(lo, hi int) Value { return op(ir.OpSlice, ir.Attr{Lo: lo, Hi: hi}, x) }

// Concat joins values along the last dimension.
func Concat(xs ...Value) Value { return op(ir.OpConcat, ir.Attr{}, xs...) }

// AtEdges makes a value of the edges out of what their ends or all share, so
// that a program can return it per edge.
func AtEdges(x Value) Value { return op(ir.OpAt, ir.Attr{Res: ir.Edge}, x) }

// String prints the value as a line of IR.
func (x Value) String() string {
	if x.v == nil {
		return "a value not yet traced"
	}
	return fmt.Sprint(x.v)
}
