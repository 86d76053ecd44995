// Reductions over axes: sums, means, products.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

// Every reduction takes the axes to reduce, a negative one counted from the last;
// without axes it reduces over all. The reduced axes vanish, so that a reduction
// over all is a scalar; the form whose name ends in Keep leaves them with length 1,
// so that the result broadcasts to the operand.

// Sum adds up over axes. Of booleans and integers it gives Int64, as do Prod and CumSum.
// An empty sum is 0.
func (v *Var) Sum(axes ...int) *Var { return v.sum("Sum", false, axes) }

// SumKeep is [Var.Sum] with the reduced axes kept.
func (v *Var) SumKeep(axes ...int) *Var { return v.sum("SumKeep", true, axes) }

func (v *Var) sum(op string, keep bool, axes []int) *Var {
	x := v.dense(op)
	reduced := reducedAxes(op, x.Shape(), axes)
	return record(opSum, tensor.Sum(x, keep, axes...), attrs{axes: reduced}, v)
}

func gradSum(c *context, g *Var, _ int) *Var { return c.spread(g).BroadcastTo(c.in[0].Shape()...) }

// Mean averages over axes. An empty mean is NaN.
func (v *Var) Mean(axes ...int) *Var { return v.mean("Mean", false, axes) }

// MeanKeep is [Var.Mean] with the reduced axes kept.
func (v *Var) MeanKeep(axes ...int) *Var { return v.mean("MeanKeep", true, axes) }

func (v *Var) mean(op string, keep bool, axes []int) *Var {
	wantFloat(op, v.dense(op))
	s := v.sum(op, keep, axes)
	return s.Scale(1 / float64(reducedAxes(op, v.Shape(), axes).count(v.Shape())))
}

// Prod multiplies over axes. An empty product is 1. The gradient is exact where
// elements are 0.
//
// Elements are multiplied by halves, x[i]·x[i+n/2]: no quotient y/x is needed for
// the gradient, which fails at 0.
func (v *Var) Prod(axes ...int) *Var { return v.prod("Prod", false, axes) }

// ProdKeep is [Var.Prod] with the reduced axes kept.
func (v *Var) ProdKeep(axes ...int) *Var { return v.prod("ProdKeep", true, axes) }

func (v *Var) prod(op string, keep bool, axes []int) *Var {
	x := v.dense(op)
	reduced := reducedAxes(op, x.Shape(), axes)
	if !x.DType().IsFloat() {
		return unrecorded(tensor.Prod(x, keep, axes...), v)
	}
	y := v
	for axis := range x.Shape() {
		if reduced.has(axis) {
			y = y.prodAlong(axis)
		}
	}
	if keep {
		return y
	}
	return y.Reshape(reduced.dropped(x.Shape())...)
}

// prodAlong multiplies along one axis, which stays with length 1.
func (v *Var) prodAlong(axis int) *Var {
	y, rest := v, (*Var)(nil)
	n := v.Shape()[axis]
	if n == 0 {
		return Concat(axis, v, Constant(tensor.FullOn(v.Device(), v.DType(), 1, axisSet(1<<axis).kept(v.Shape())...)))
	}
	for ; n > 1; n /= 2 {
		if n%2 == 1 {
			last := y.Slice(axis, n-1, n)
			if rest != nil {
				last = last.Mul(rest)
			}
			rest = last
		}
		y = y.Slice(axis, 0, n/2).Mul(y.Slice(axis, n/2, n/2*2))
	}
	if rest != nil {
		y = y.Mul(rest)
	}
	return y
}

// An axisSet is axes of a shape: bit k stands for axis k.
type axisSet uint64

// maxAxes is how many axes a set can hold.
const maxAxes = 64

func (s axisSet) has(axis int) bool { return s>>axis&1 == 1 }

// kept returns the shape with the axes of the set set to 1.
func (s axisSet) kept(shape tensor.Shape) tensor.Shape {
	shape = shape.Clone()
	for k := range shape {
		if s.has(k) {
			shape[k] = 1
		}
	}
	return shape
}

// dropped returns the shape without the axes of the set.
func (s axisSet) dropped(shape tensor.Shape) tensor.Shape {
	short := tensor.Shape{}
	for k, n := range shape {
		if !s.has(k) {
			short = append(short, n)
		}
	}
	return short
}

// count returns how many elements are reduced to one.
func (s axisSet) count(shape tensor.Shape) int {
	count := 1
	for k, n := range shape {
		if s.has(k) {
			count *= n
		}
	}
	return count
}

// list returns the axes in order, to be given to an operation. An empty set has
// no list: none given means all.
func (s axisSet) list() []int {
	var axes []int
	for k := range maxAxes {
		if s.has(k) {
			axes = append(axes, k)
		}
	}
	return axes
}

// reducedAxes returns the axes that a reduction over axes reduces.
func reducedAxes(op string, shape tensor.Shape, axes []int) axisSet {
	if len(shape) > maxAxes {
		misuse(op, fmt.Sprintf("more than %d axes", maxAxes), shape)
	}
	if len(axes) == 0 {
		return 1<<len(shape) - 1
	}
	var s axisSet
	for _, axis := range axes {
		a := checkAxis(op, axis, shape)
		if s.has(a) {
			misuse(op, fmt.Sprintf("axis %d appears twice", axis), shape)
		}
		s |= 1 << a
	}
	return s
}

// spread returns what belongs to the result of a reduction with the reduced axes
// as 1, so that it broadcasts to the operand.
func (c *context) spread(g *Var) *Var {
	shape := c.axes.kept(c.in[0].Shape())
	if g.Shape().Equal(shape) {
		return g
	}
	return g.Reshape(shape...)
}

// wantFloat panics unless x holds floating-point numbers.
func wantFloat(op string, x *tensor.Tensor) {
	if !x.DType().IsFloat() {
		panic(&tensor.DTypeError{Op: op, Got: x.DType(), Want: []tensor.DType{tensor.Float32, tensor.Float64}})
	}
}
