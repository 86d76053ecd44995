// What a linear layer computes.

package tensor

import "github.com/asterias-ml/asterias/tensor/cpu"

// Linear returns x·w + b, and ReLU of it if relu, in one pass over the result:
// [... k] x [k n] + [n] -> [... n]. b may be nil.
func Linear(x, w, b *Tensor, relu bool) *Tensor {
	const op = "Linear"
	wantSame(op, x, w)
	if x.Rank() < 2 || w.Rank() != 2 || x.shape[x.Rank()-1] != w.shape[0] {
		panic(&ShapeError{Op: op, Detail: "input and weight do not fit", Shapes: []Shape{x.shape, w.shape}})
	}
	if b != nil {
		wantSame(op, x, b)
		if b.Rank() != 1 || b.shape[0] != w.shape[1] {
			panic(&ShapeError{Op: op, Detail: "the bias is not one number a column of the weight", Shapes: []Shape{w.shape, b.shape}})
		}
	}
	y := emptyBeside(x, op, x.dtype, append(x.shape[:x.Rank()-1].Clone(), w.shape[1]))
	if anyFar(x, w) {
		farLinear(op, y, x, w, b, relu)
		return y
	}
	if x.dtype == Float32 {
		linear[float32](y, x, w, b, relu)
	} else {
		linear[float64](y, x, w, b, relu)
	}
	return y
}

// farLinear multiplies, then runs bias and ReLU as one program over the result.
func farLinear(op string, y, x, w, b *Tensor, relu bool) {
	sameDevice(op, x, w, b)
	n := x.shape[:x.Rank()-1].Size()
	farMultiply(op, y.Reshape(n, w.shape[1]), x.Reshape(n, w.shape[0]), w, false)
	xs, steps, last := []*Tensor{y}, []ProgramStep(nil), ^0
	if b != nil {
		xs = append(xs, b)
		steps, last = append(steps, ProgramStep{Op: "Add", Type: y.dtype, Args: [3]int{^0, ^1}}), 0
	}
	if relu {
		steps = append(steps, ProgramStep{Op: "ReLU", Type: y.dtype, Args: [3]int{last}})
	}
	if len(steps) > 0 {
		farMapInto(op, y, steps, xs...)
	}
}

func linear[T Float](y, x, w, b *Tensor, relu bool) {
	e := cpu.Epilogue[T]{ReLU: relu}
	if b != nil {
		e.Bias = elems[T](b)
	}
	multiplyTyped(y, x, w, e)
}
