// Families of operations on devices: element-wise programs, copies, reductions, rows,
// products.

package tensor

import (
	"math"
	"slices"
)

// farMap returns a program of operands, broadcast to a shape. Operands on the CPU, which are
// scalars, become numbers of the program; an Int64 that a float64 may not hold is copied
// to the device.
func farMap(op string, shape Shape, steps []ProgramStep, xs ...*Tensor) *Tensor {
	d := deviceOf(op, xs...)
	dt := xs[0].dtype
	if n := len(steps); n > 0 {
		dt = steps[n-1].Type
	}
	out := emptyOn(d, op, dt, shape)
	farMapInto(op, out, steps, xs...)
	return out
}

// farMapInto is farMap to a tensor that there is. Its own elements may be operands.
func farMapInto(op string, out *Tensor, steps []ProgramStep, xs ...*Tensor) {
	d := out.far.device
	if out.size == 0 {
		return
	}
	views := make([]View, 0, len(xs))
	numbers := make([]int, len(xs)) // the value that each operand is
	var scalars []ProgramStep
	for i, x := range xs {
		if x.far == nil && x.dtype == Int64 && math.Abs(x.at(0)) >= 1<<53 {
			x = x.ToDevice(d)
			defer x.Free()
		}
		if x.far == nil {
			numbers[i] = len(scalars)
			scalars = append(scalars, ProgramStep{Op: "Const", Type: x.dtype, C: x.at(0)})
			continue
		}
		numbers[i] = ^len(views)
		if !x.shape.Equal(out.shape) {
			x = x.Expand(out.shape...)
		}
		views = append(views, x.faraway())
	}
	p := &Program{Steps: steps}
	if len(scalars) > 0 {
		p.Steps = scalars
		for _, s := range steps {
			for k, a := range s.Args {
				if a < 0 {
					s.Args[k] = numbers[^a]
				} else {
					s.Args[k] = a + len(scalars)
				}
			}
			p.Steps = append(p.Steps, s)
		}
	}
	d.must(op, d.backend.Map(out.faraway(), p, views...))
	out.far.written()
}

// farUnary is a program of one step on one operand.
func farUnary(op string, x *Tensor, s ProgramStep) *Tensor {
	s.Args[0] = ^0
	return farMap(op, x.shape, []ProgramStep{s}, x)
}

// farBinary is a program of one step on two operands, broadcast.
func farBinary(op string, a, b *Tensor, s ProgramStep) *Tensor {
	s.Args = [3]int{^0, ^1}
	return farMap(op, Broadcast(op, a.shape, b.shape), []ProgramStep{s}, a, b)
}

// farInPlace writes a program of one operand over it.
func farInPlace(op string, x *Tensor, s ProgramStep) {
	s.Args[0] = ^0
	farMapInto(op, x, []ProgramStep{s}, x)
}

// farCopy copies elements where one side at least is on a device.
func farCopy(dst, src *Tensor) {
	const op = "CopyFrom"
	switch {
	case dst.far == nil:
		copyElements(dst, src.download())
	case src.far == nil && dst.strides == nil:
		dst.upload(src)
	case src.far == nil || src.far.device != dst.far.device:
		near := src.ToDevice(dst.far.device)
		farCopy(dst, near)
		near.Free()
	default:
		farMapInto(op, dst, nil, src)
	}
}

// farReduce reduces over the marked axes. Reduced axes vanish, or stay with length 1.
func farReduce(op, fold string, x *Tensor, keepDims bool, reduced []bool, dt DType) *Tensor {
	shape := Shape{}
	for k, r := range reduced {
		switch {
		case !r:
			shape = append(shape, x.shape[k])
		case keepDims:
			shape = append(shape, 1)
		}
	}
	d := x.far.device
	out := emptyOn(d, op, dt, shape)
	if out.size > 0 {
		d.must(op, d.backend.Reduce(fold, out.faraway(), x.faraway(), slices.Clone(reduced)))
	}
	return out
}

// farRows runs an operation along the last axis. Results and operands are made
// contiguous.
func farRows(op string, eps float64, dst []*Tensor, xs ...*Tensor) {
	d := sameDevice(op, xs...)
	if dst[0].size == 0 {
		return
	}
	out, in := make([]View, len(dst)), make([]View, len(xs))
	for i, t := range dst {
		out[i] = t.faraway()
	}
	for i, x := range xs {
		near := x.Contiguous()
		defer release(near, x)
		in[i] = near.faraway()
	}
	d.must(op, d.backend.Rows(op, eps, out, in))
}

// farMultiply writes the product of matrices to c, or adds it.
func farMultiply(op string, c, a, b *Tensor, add bool) {
	d := sameDevice(op, c, a, b)
	if c.size == 0 {
		return
	}
	batch := c.shape[:c.Rank()-2]
	spread := func(t *Tensor) *Tensor {
		k := t.Rank()
		rows, cols, down, right := t.shape[k-2], t.shape[k-1], t.along(k-2), t.along(k-1)
		byRows := (cols == 1 || right == 1) && (rows == 1 || down >= cols)
		byColumns := (rows == 1 || down == 1) && (cols == 1 || right >= rows)
		if !byRows && !byColumns {
			t = t.Clone()
		}
		if t.shape[:k-2].Equal(batch) {
			return t
		}
		return t.Expand(append(batch.Clone(), t.shape[k-2:]...)...)
	}
	x, y := spread(a), spread(b)
	d.must(op, d.backend.MatMul(c.faraway(), x.faraway(), y.faraway(), add))
}

// Update makes an optimiser's step on a device, in one launch for many parameters: each
// list is a parameter, its gradient and what the rule remembers of it, of one type and
// contiguous. Package optim calls it.
func Update(rule string, numbers []float64, tensors [][]*Tensor) {
	const op = "Update"
	if len(tensors) == 0 {
		return
	}
	for _, list := range tensors {
		wantTensors(op, list...)
	}
	d := sameDevice(op, tensors[0]...)
	views := make([][]View, len(tensors))
	for i, list := range tensors {
		if sameDevice(op, list...) != d || d == nil {
			panic(differentDevices(op, []*Tensor{tensors[0][0], list[0]}))
		}
		for _, t := range list {
			wantSame(op, list[0], t)
			wantContiguous(op, t)
			views[i] = append(views[i], t.faraway())
			t.far.written()
		}
	}
	d.must(op, d.backend.Update(rule, numbers, views))
}
