// Largest and smallest elements over axes.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// Max and Min treat ties as PyTorch's do. Over one axis, the first winner gets the
// gradient, as of torch.max(dim); over several or all, winners share it evenly, as
// of torch.amax. NaN wins. An empty maximum is -Inf, an empty minimum +Inf.

// Max returns the largest element over axes: -Inf of none.
func (v *Var) Max(axes ...int) *Var { return extreme("Max", opMax, v, false, axes) }

// MaxKeep is [Var.Max] with the reduced axes kept.
func (v *Var) MaxKeep(axes ...int) *Var { return extreme("MaxKeep", opMax, v, true, axes) }

// Min returns the smallest element over axes: +Inf of none.
func (v *Var) Min(axes ...int) *Var { return extreme("Min", opMin, v, false, axes) }

// MinKeep is [Var.Min] with the reduced axes kept.
func (v *Var) MinKeep(axes ...int) *Var { return extreme("MinKeep", opMin, v, true, axes) }

func extreme(op string, row opcode, v *Var, keep bool, axes []int) *Var {
	x := v.dense(op)
	reduced := reducedAxes(op, x.Shape(), axes)
	if len(axes) == 1 && reduced.count(x.Shape()) > 0 && Recording(v) {
		y := winners(op, row, v, axes[0])
		if keep {
			return y
		}
		return y.Squeeze(axes[0])
	}
	f := tensor.Max
	if row == opMin {
		f = tensor.Min
	}
	return record(row, f(x, keep, axes...), attrs{axes: reduced}, v)
}

// winners returns the extreme elements along one axis, which stays with length 1.
// They were picked by index, and so is the gradient spread.
func winners(op string, row opcode, v *Var, axis int) *Var {
	along := tensor.MaxAlong
	if row == opMin {
		along = tensor.MinAlong
	}
	values, indices := along(v.dense(op), axis, true)
	return record(opGather, values, attrs{axis: checkAxis(op, axis, values.Shape())}, v, Constant(indices))
}

// 1/k for each of the k elements that are extreme. That is flat almost everywhere,
// so a constant is its derivative too.
func gradExtreme(c *context, g *Var, _ int) *Var {
	x, axes := c.in[0].read(), c.axes.list()
	y := c.out.value.Reshape(c.axes.kept(x.Shape())...)
	wins := asNumbers(tensor.Equal(x, y), x.DType())
	share := tensor.Div(wins, tensor.Sum(wins, true, axes...))
	wins.Free()
	return c.spread(g).Mul(c.constant(share))
}

// Argmax returns the index of the first largest element along an axis, as an Int64
// constant without that axis. A NaN counts as the largest. The axis must not be
// empty.
func (v *Var) Argmax(axis int) *Var {
	return unrecorded(tensor.Argmax(v.dense("Argmax"), axis), v)
}

// Argmin returns the index of the first smallest element along an axis, as an
// Int64 constant without that axis. A NaN counts as the smallest. The axis must
// not be empty.
func (v *Var) Argmin(axis int) *Var {
	return unrecorded(tensor.Argmin(v.dense("Argmin"), axis), v)
}
