// What a linear layer computes.

package tensor

// Linear returns x·w + b, and ReLU of it if relu: [... k] x [k n] + [n] -> [... n].
// b may be nil.
func Linear(x, w, b *Tensor, relu bool) *Tensor {
	const op = "Linear"
	wantSame(op, x, w)
	if x.Rank() < 2 || w.Rank() != 2 || x.shape[x.Rank()-1] != w.shape[0] {
		panic(&ShapeError{Op: op, Detail: "input and weight do not fit", Shapes: []Shape{x.shape, w.shape}})
	}
	y := MatMul(x, w)
	if b != nil {
		AddInto(y, b.Expand(y.shape...))
	}
	if relu {
		y = ReLU(y)
	}
	return y
}
