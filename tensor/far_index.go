// Operations by index on devices. Indices are looked at before they are used, once.

package tensor

import "slices"

// Indices returns indices on a device that are known to lie in [0, limit), so that
// operations do not look at them again: [len(ids)]. One that does not panics with an
// *IndexError.
func Indices(d *Device, ids []int32, limit int) *Tensor {
	checkIndices("Indices", ids, limit)
	if d == nil {
		return wrap(slices.Clone(ids), Shape{len(ids)})
	}
	t := uploadIndices(d, ids)
	t.far.writtenBelow(limit)
	return t
}

// uploadIndices returns indices as a tensor of a device.
func uploadIndices(d *Device, ids []int32) *Tensor {
	t := emptyOn(d, "indices", Int32, Shape{len(ids)})
	t.upload(wrap(ids, Shape{len(ids)}))
	return t
}

// checkFar is indicesOf for a tensor of a device: it looks at the elements unless they are
// known to be in range.
func checkFar(op string, index *Tensor, limit int) {
	known := index.far.below.Load()
	if index.size == 0 {
		return
	}
	if bound := index.far.bound(); bound > 0 && bound <= int64(limit) || known >= 0 && index.far.device.Capturing() {
		checkReplays(op, index, limit)
		return
	}
	dt := index.dtype
	bad := farMap(op, index.shape, []ProgramStep{
		{Op: "Const", Type: dt},
		{Op: "Const", Type: dt, C: float64(limit)},
		{Op: "Less", Type: Bool, Args: [3]int{^0, 0}},
		{Op: "GreaterEqual", Type: Bool, Args: [3]int{^0, 1}},
		{Op: "Or", Type: Bool, Args: [3]int{2, 3}},
	}, index)
	if Any(bad, false).Item() != 0 {
		indicesOf(op, index.download(), limit) // which panics
	}
	if known >= 0 && index.strides == nil && index.size == index.owner().size { // all there are
		index.far.below.CompareAndSwap(known, int64(limit))
	}
}

// checkReplays has indices looked at before what is being recorded is replayed, unless they are
// known to be in range then.
func checkReplays(op string, index *Tensor, limit int) {
	if c, ok := index.far.device.backend.(Capturer); ok && c.Capturing() {
		index = index.view(index.shape, index.strides, 0) // the tensor itself may be freed
		c.BeforeReplay(func() { checkFar(op, index, limit) })
	}
}

// farGather is gather on a device, for indices that are in range.
func farGather(op string, x *Tensor, axis int, ids *Tensor) *Tensor {
	d := sameDevice(op, x, ids)
	out := emptyOn(d, op, x.dtype, ids.shape)
	if out.size > 0 {
		d.must(op, d.backend.Gather(out.faraway(), x.faraway(), axis, ids.faraway()))
	}
	return out
}

// farSelect is indexSelect on a device: a gather by indices repeated along the other
// axes.
func farSelect(op string, x *Tensor, axis int, ids *Tensor) *Tensor {
	shape, ones := x.shape.Clone(), make(Shape, len(x.shape))
	for k := range ones {
		ones[k] = 1
	}
	shape[axis], ones[axis] = ids.size, ids.size
	return farGather(op, x, axis, ids.Reshape(ones...).Expand(shape...))
}

// farScatter is Scatter and ScatterAdd on a device.
func farScatter(op string, x *Tensor, axis int, index, src *Tensor, add bool) *Tensor {
	d := sameDevice(op, x, index, src)
	checkFar(op, index, x.shape[axis])
	out := x.Clone()
	if index.size > 0 {
		d.must(op, d.backend.Scatter(out.faraway(), axis, index.faraway(), src.corner(index.shape).faraway(), add))
	}
	return out
}

// farTakeRowsGrad is TakeRowsGrad on a device, for rows of g one for each index. It groups
// them by sorting the indices. Padding goes before row 0, where no segment begins.
func farTakeRowsGrad(op string, g, ids *Tensor, n int, padding *int) *Tensor {
	d := sameDevice(op, g, ids)
	checkFar(op, ids, n)
	shape := g.shape.Clone()
	shape[0] = n
	out := emptyOn(d, op, g.dtype, shape)
	if out.size == 0 {
		return out
	}
	near := ids.Contiguous()
	defer release(near, ids)
	flat := near.view(Shape{ids.size}, nil, 0)
	if padding != nil {
		kept := farMap(op, flat.shape, []ProgramStep{
			{Op: "Const", Type: ids.dtype, C: float64(*padding)},
			{Op: "Const", Type: ids.dtype, C: -1},
			{Op: "Equal", Type: Bool, Args: [3]int{^0, 0}},
			{Op: "Where", Type: ids.dtype, Args: [3]int{2, 1, ^0}},
		}, flat)
		defer kept.Free()
		flat = kept
	}
	sorted, places := sortLast(op, flat, flat.size, false)
	order, offsets := places.To(Int32), emptyOn(d, op, Int32, Shape{n + 1})
	for _, t := range []*Tensor{sorted, places, order, offsets} {
		defer t.Free()
	}
	d.must(op, d.backend.Offsets(offsets.faraway(), sorted.faraway()))
	farSegments(op, out, g, offsets, order, nil, nil)
	return out
}

// farSegments is a sum of rows by segment.
func farSegments(op string, out, x, offsets, order *Tensor, values, valueOrder *Tensor) {
	d := sameDevice(op, x, offsets, order, values, valueOrder)
	if out.size == 0 {
		return
	}
	near := x.Contiguous()
	defer release(near, x)
	d.must(op, d.backend.SegmentSum(out.faraway(), near.faraway(), offsets.faraway(), order.faraway(), optionalView(values), optionalView(valueOrder)))
}

func optionalView(t *Tensor) *View {
	if t == nil {
		return nil
	}
	v := t.Contiguous().faraway()
	return &v
}
