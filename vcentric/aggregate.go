package vcentric

// Aggregation over the centre's edges. What is aggregated says which: a value of
// the out-edges is aggregated over them, everything else over the in-edges.

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Sum adds x over the edges of each vertex: 0 over none.
func Sum(x Value) Value {
	return reduce(x, func(t *tracer, d ir.Dir, x *ir.Value) *ir.Value { return t.b.Sum(d, x) })
}

// Mean averages x over the edges of each vertex: 0 over none.
func Mean(x Value) Value {
	return reduce(x, func(t *tracer, d ir.Dir, x *ir.Value) *ir.Value {
		return t.b.Mul(t.b.Sum(d, x), t.b.Recip(atLeastOne(t.b, t.b.Degree(d, d.Rows()))))
	})
}

func atLeastOne(b *ir.Builder, x *ir.Value) *ir.Value { return b.MaxOf(x, b.Const(1)) }

// Max is the element-wise maximum of x over the edges of each vertex: 0 over
// none. Its gradient goes to the first edge, in id order, that attains it.
func Max(x Value) Value {
	return reduce(x, func(t *tracer, d ir.Dir, x *ir.Value) *ir.Value { return t.b.Max(d, x) })
}

// Min is the element-wise minimum, with the conventions of Max.
func Min(x Value) Value {
	return reduce(x.Neg(), func(t *tracer, d ir.Dir, x *ir.Value) *ir.Value { return minOf(t.b, t.b.Max(d, x)) })
}

// minOf is the minimum of numbers whose negatives have a maximum: 0 less that, because its
// negative is -0 over nothing.
func minOf(b *ir.Builder, max *ir.Value) *ir.Value { return b.Sub(b.Const(0), max) }

// Count is the number of edges: the centre's in-degree or out-degree.
func Count(e Edge) Value {
	if e.edges == outEdges {
		return Vertex{t: e.tracer(), res: ir.Dst}.OutDegree()
	}
	return Vertex{t: e.tracer(), res: ir.Dst}.InDegree()
}

// Softmax normalises x over the edges of each vertex, element by element:
// e^x / Σ e^x, computed in a form that does not overflow.
func Softmax(x Value) Value { return softmax(x, false) }

// SoftmaxByType normalises x over the edges of each type of each vertex by
// themselves: the weights of a vertex's edges of one type add up to 1, as in the
// within-relation attention of RGAT (Busbridge et al. 2019). The graph must have
// edge types.
func SoftmaxByType(x Value) Value { return softmax(x, true) }

func softmax(x Value, typed bool) Value {
	return apply(func(t *tracer, args []*ir.Value) *ir.Value {
		v, d := args[0], x.edges.dir()
		if v.Res.Within(d.Rows()) { // the same score on all edges of a vertex
			v = t.b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, v)
		}
		return t.b.Op(ir.OpSoftmax, ir.Attr{Dir: d, Typed: typed}, v)
	}, x)
}

// Aggregator is one of the two reductions of ByType.
type Aggregator uint8

// The aggregators. Over nothing each of them gives 0.
const (
	BySum Aggregator = iota
	ByMean
	ByMax
	ByMin
)

// ByType aggregates x over the edges of each type by itself with inner, then
// those results over the types that the vertex has edges of with outer: sum
// within a type and then the maximum of the types is ByType(BySum, ByMax, x).
// Both happen in one kernel (Seastar section 6.3.5).
func ByType(inner, outer Aggregator, x Value) Value {
	for _, a := range []Aggregator{inner, outer} {
		if a > ByMin {
			panic(&ir.Error{Op: "bytype", Detail: fmt.Sprintf("aggregator %d is none of BySum, ByMean, ByMax, ByMin", a), Pos: callerLine()})
		}
	}
	return reduce(x, func(t *tracer, d ir.Dir, x *ir.Value) *ir.Value {
		b := t.b
		count := b.TypeDegree(d)
		return overTypes(b, outer, withinType(b, inner, d, x, count), count)
	})
}

// perType is a number for each type against rows [types ...].
func perType(b *ir.Builder, n *ir.Value, rows ir.Shape) *ir.Value {
	s := ir.Shape{n.Shape[0]}
	for range rows[1:] {
		s = append(s, 1)
	}
	return b.Reshape(n, s)
}

// withinType reduces the edges of each type: [types ...].
func withinType(b *ir.Builder, a Aggregator, d ir.Dir, x, count *ir.Value) *ir.Value {
	typed := ir.Attr{Dir: d, Typed: true}
	switch a {
	case ByMax:
		return b.Op(ir.OpMax, typed, x)
	case ByMin:
		return minOf(b, b.Op(ir.OpMax, typed, b.Neg(x)))
	}
	sum := b.Op(ir.OpSum, typed, x)
	if a == ByMean {
		sum = b.Mul(sum, b.Recip(perType(b, atLeastOne(b, count), sum.Shape)))
	}
	return sum
}

// overTypes reduces [types ...] over the types with edges.
func overTypes(b *ir.Builder, a Aggregator, x, count *ir.Value) *ir.Value {
	row := x.Shape[1:]
	present := b.Gt(count, b.Const(0))
	types := b.ReduceTo(present, ir.Shape{1}) // how many there are
	if a == ByMax || a == ByMin {
		if a == ByMin {
			x = b.Neg(x)
		}
		x = b.Select(perType(b, present, x.Shape), x, b.Const(math.Inf(-1)))
		order := ir.Shape{} // the types last
		for i := range row {
			order = append(order, i+1)
		}
		x = b.Op(ir.OpMaxLast, ir.Attr{}, b.Op(ir.OpPermute, ir.Attr{Shape: append(order, 0)}, x))
		x = b.Select(b.Reshape(types, ir.Shape{}), b.Reshape(x, row), b.Const(0))
		if a == ByMin {
			x = minOf(b, x)
		}
		return x
	}
	sum := b.Reshape(b.ReduceTo(x, append(ir.Shape{1}, row...)), row)
	if a == ByMean {
		sum = b.Mul(sum, b.Recip(b.Reshape(atLeastOne(b, types), ir.Shape{})))
	}
	return sum
}
