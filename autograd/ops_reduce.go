// Sums and means over axes, made of SumTo, Reshape and Scale.

package autograd

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

// Sum adds up over the given axes and drops them; without axes, over all: the
// result is a scalar. A negative axis counts from the last. To keep the summed
// dimensions as 1, use SumTo.
func (v *Var) Sum(axes ...int) *Var {
	kept, dropped := reducedShapes("Sum", v.dense("Sum").Shape(), axes)
	return v.SumTo(kept...).Reshape(dropped...)
}

// Mean averages over the given axes and drops them; without axes, over all: the
// result is a scalar. A mean over no elements is NaN.
func (v *Var) Mean(axes ...int) *Var {
	shape := v.dense("Mean").Shape()
	kept, dropped := reducedShapes("Mean", shape, axes)
	n := 1
	for i, k := range kept {
		if k != shape[i] {
			n *= shape[i]
		}
	}
	return v.SumTo(kept...).Scale(1 / float64(n)).Reshape(dropped...)
}

// reducedShapes returns the shape with the axes set to 1, and without them.
func reducedShapes(op string, shape tensor.Shape, axes []int) (kept, dropped tensor.Shape) {
	reduced := make([]bool, len(shape))
	for _, axis := range axes {
		a := checkAxis(op, axis, shape)
		if reduced[a] {
			misuse(op, fmt.Sprintf("axis %d appears twice", axis), shape)
		}
		reduced[a] = true
	}
	kept, dropped = shape.Clone(), tensor.Shape{}
	for i := range shape {
		switch {
		case reduced[i] || len(axes) == 0:
			kept[i] = 1
		default:
			dropped = append(dropped, shape[i])
		}
	}
	return kept, dropped
}
