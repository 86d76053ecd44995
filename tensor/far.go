// Tensors in the memory of a device: how the operations of this package become those
// of a Backend.

package tensor

import (
	"sync/atomic"
	"unsafe"
)

// far is where the elements of a tensor are that is not in Go's memory.
type far struct {
	device *Device
	memory Storage
	offset int           // of the first element, in elements
	below  *atomic.Int64 // of all views: the elements are indices known to lie in [0, below); 0: not known, -1: never, since replays or who has the address write them; -2n: in [0, n) at each replay, -2n-1: but none has come so far
}

// written says that nothing is known of the elements any more: never again if that is being
// recorded, for every replay writes them and tells nobody.
func (f *far) written() {
	if f.device.Capturing() {
		f.below.Store(-1)
	} else if known := f.below.Load(); known > 0 {
		f.below.Store(0)
	} else if known < -1 {
		f.below.Store(-1)
	}
}

// writtenBelow is written for indices that lie in [0, limit), limit > 0, and do so at every replay.
func (f *far) writtenBelow(limit int) {
	c, ok := f.device.backend.(Capturer)
	if !ok || !c.Capturing() {
		f.below.Store(int64(limit))
		return
	}
	below, replayed := f.below, -2*int64(limit)
	below.Store(replayed - 1)
	c.BeforeReplay(func() { below.CompareAndSwap(replayed-1, replayed) })
}

// bound returns a number that indices are known to lie below, 0 if none is known, for what is
// recorded now or for what is done at once.
func (f *far) bound() int64 {
	known := f.below.Load()
	switch {
	case known >= 0:
		return known
	case known%2 == 0 || f.device.Capturing():
		return -known / 2
	}
	return 0
}

// on returns the device, nil for elements in Go's memory.
func (f *far) on() *Device {
	if f == nil {
		return nil
	}
	return f.device
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
	t.far.written()
	return t
}

// emptyBeside is empty on the device of x.
func emptyBeside(x *Tensor, op string, dt DType, shape Shape) *Tensor {
	return emptyOn(x.far.on(), op, dt, shape)
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
	if t.size == 0 {
		return // as in download
	}
	src = src.Contiguous()
	d := t.far.device
	t.far.written()
	d.must("ToDevice", d.backend.Upload(t.far.memory, t.far.offset*t.dtype.Size(), bytesOf(src)))
}

// download returns the tensor in Go's memory.
func (t *Tensor) download() *Tensor {
	out := empty(t.dtype, t.shape)
	if t.size == 0 {
		return out // a view of no elements may begin past the end of the memory
	}
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
	wantTensor(op, t)
	if t.far != nil {
		panic(&DeviceError{Op: op, Detail: "the elements are not in Go's memory; copy them with ToDevice(tensor.CPU)", Devices: []*Device{t.far.device}})
	}
}
