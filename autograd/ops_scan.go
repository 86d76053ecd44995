// Running sums, and elements in another order.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// CumSum returns the sums of the elements up to and including each, along an axis; of
// integers and booleans Int64.
func (v *Var) CumSum(axis int) *Var {
	const op = "CumSum"
	x := v.dense(op)
	axis = checkAxis(op, axis, x.Shape())
	return record(opCumSum, tensor.CumSum(x, axis), attrs{axis: axis}, v)
}

// sums from each element to the last
func gradCumSum(c *context, g *Var, _ int) *Var {
	if c.fused() {
		return c.constant(tensor.CumSumGrad(g.value, c.axis))
	}
	return g.Flip(c.axis).CumSum(c.axis).Flip(c.axis)
}

// Flip returns the elements of the given axes, of all if there are none, in reverse order.
func (v *Var) Flip(axes ...int) *Var {
	const op = "Flip"
	x := v.dense(op)
	flipped := reducedAxes(op, x.Shape(), axes)
	return record(opFlip, tensor.Flip(x, axes...), attrs{axes: flipped}, v)
}

func gradFlip(c *context, g *Var, _ int) *Var { return g.Flip(c.axes.list()...) }

// Sort returns the elements of the last axis in ascending, or descending, order,
// and where they were, as an Int64 constant. Equal elements keep their order; NaN
// counts as the largest.
func (v *Var) Sort(descending bool) (values, indices *Var) {
	t, index := tensor.Sort(v.dense("Sort"), descending)
	return v.picked(t, index)
}

// TopK returns the k largest elements of the last axis, or the smallest, the best
// first, and where they were, as an Int64 constant.
func (v *Var) TopK(k int, largest bool) (values, indices *Var) {
	t, index := tensor.TopK(v.dense("TopK"), k, largest)
	return v.picked(t, index)
}

// picked returns elements that were gathered along the last axis, and their indices.
func (v *Var) picked(t, index *tensor.Tensor) (values, indices *Var) {
	indices = unrecorded(index, v)
	return record(opGather, t, attrs{axis: len(t.Shape()) - 1}, v, indices), indices
}
