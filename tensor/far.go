// Tensors in the memory of a device: how the operations of this package become those
// of a Backend.

package tensor

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// far is where the elements of a tensor are that is not in Go's memory.
type far struct {
	device *Device
	memory Storage
	offset int           // of the first element, in elements
	below  *atomic.Int64 // of all views: the elements are indices known to lie in [0, below); 0: not known
}

// emptyOn is empty on a device. op names the memory in reports.
func emptyOn(d *Device, op string, dt DType, shape Shape) *Tensor {
	if d == nil {
		return empty(dt, shape)
	}
	t := newTensor(dt, shape)
	memory, err := d.backend.Alloc(op, t.size*dt.Size())
	d.must(op, err)
	t.far = &far{device: d, memory: memory, below: new(atomic.Int64)}
	return t
}

// emptyBeside is empty on the device of x.
func emptyBeside(x *Tensor, op string, dt DType, shape Shape) *Tensor {
	return emptyOn(x.Device(), op, dt, shape)
}

// zerosBeside is zeros on the device of x.
func zerosBeside(x *Tensor, op string, dt DType, shape Shape) *Tensor {
	if x.far == nil {
		return zeros(dt, shape)
	}
	t := emptyBeside(x, op, dt, shape)
	t.Fill(0)
	return t
}

// must panics if a device has failed.
func (d *Device) must(op string, err error) {
	if err != nil {
		panic(&DeviceFailure{Op: op, Device: d, Err: err})
	}
}

// faraway returns the view of a tensor for a backend, which looks at it later: t may be
// freed by then.
func (t *Tensor) faraway() View {
	return View{Memory: t.far.memory, Offset: t.far.offset, DType: t.dtype, Shape: t.shape.Clone(), Strides: t.Strides()}
}

// upload copies the elements of a tensor in Go's memory to t, which is contiguous.
func (t *Tensor) upload(src *Tensor) {
	src = src.Contiguous()
	d := t.far.device
	t.far.below.Store(0)
	d.must("ToDevice", d.backend.Upload(t.far.memory, t.far.offset*t.dtype.Size(), bytesOf(src)))
}

// download returns the tensor in Go's memory.
func (t *Tensor) download() *Tensor {
	out := empty(t.dtype, t.shape)
	src, d := t.Contiguous(), t.far.device
	d.must("ToDevice", d.backend.Download(bytesOf(out), src.far.memory, src.far.offset*t.dtype.Size()))
	release(src, t)
	return out
}

// here returns a tensor whose elements Go can read: t itself if it is such a one.
func (t *Tensor) here() *Tensor {
	if t.far == nil {
		return t
	}
	return t.download()
}

// bytesOf returns the memory of a contiguous tensor of the CPU.
func bytesOf(t *Tensor) []byte {
	if t.size == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(t.ptr), t.size*t.dtype.Size())
}

// deviceOf returns the device of operands of which one at least is on a device.
// Scalars may be on the CPU.
func deviceOf(op string, xs ...*Tensor) *Device {
	var d *Device
	for _, x := range xs {
		if x != nil && x.far != nil {
			if d != nil && x.far.device != d {
				panic(differentDevices(op, xs))
			}
			d = x.far.device
		}
	}
	for _, x := range xs {
		if x != nil && x.far == nil && len(x.shape) > 0 {
			panic(differentDevices(op, xs))
		}
	}
	return d
}

// sameDevice is deviceOf for operations that take no scalars of the CPU.
func sameDevice(op string, xs ...*Tensor) *Device {
	d := deviceOf(op, xs...)
	for _, x := range xs {
		if x != nil && x.far == nil {
			panic(differentDevices(op, xs))
		}
	}
	return d
}

func differentDevices(op string, xs []*Tensor) error {
	e := &DeviceError{Op: op, Detail: "operands are on different devices"}
	for _, x := range xs {
		if x != nil {
			e.Devices = append(e.Devices, x.Device())
		}
	}
	return e
}

// anyFar reports whether an operand is on a device.
func anyFar(xs ...*Tensor) bool {
	for _, x := range xs {
		if x.far != nil {
			return true
		}
	}
	return false
}

// wantHere panics if Go cannot read the elements of t.
func wantHere(op string, t *Tensor) {
	if t.far != nil {
		panic(&DeviceError{Op: op, Detail: "the elements are not in Go's memory; copy them with ToDevice(tensor.CPU)", Devices: []*Device{t.far.device}})
	}
}

// farMap returns a program of operands, broadcast to a shape. Operands on the CPU, which are
// scalars, become numbers of the program.
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
	out.far.below.Store(0)
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

// Indices returns indices on a device that are known to lie in [0, limit), so that
// operations do not look at them again: [len(ids)]. One that does not panics with an
// *IndexError.
func Indices(d *Device, ids []int32, limit int) *Tensor {
	checkIndices("Indices", ids, limit)
	if d == nil {
		return wrap(slices.Clone(ids), Shape{len(ids)})
	}
	t := uploadIndices(d, ids)
	t.far.below.Store(int64(limit))
	return t
}

// Update makes an optimiser's step on a device, in one launch for many parameters: each
// list is a parameter, its gradient and what the rule remembers of it, of one type and
// contiguous. Package optim calls it.
func Update(rule string, numbers []float64, tensors [][]*Tensor) {
	const op = "Update"
	if len(tensors) == 0 {
		return
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
			t.far.below.Store(0)
		}
	}
	d.must(op, d.backend.Update(rule, numbers, views))
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
	if known := index.far.below.Load(); index.size == 0 || known > 0 && known <= int64(limit) {
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
	if index.root == nil {
		index.far.below.Store(int64(limit))
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
