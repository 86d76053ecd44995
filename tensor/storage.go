// A tensor's memory: where it comes from, who shares it, typed access to it.

package tensor

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

// Tensor is an array of one element type. Its shape and element type never
// change; its elements may, so concurrent writers need a lock of their own.
//
// A tensor made by an operation owns its memory; a view ([Tensor.Transpose],
// [Tensor.Expand], [Tensor.Narrow], [Tensor.Reshape] of a contiguous tensor)
// shares that of the tensor it was taken from.
type Tensor struct {
	ptr     unsafe.Pointer // the first element; keeps the memory alive
	root    *Tensor        // the tensor whose memory this one views; nil: its own
	shape   Shape
	strides []int // in elements; nil: contiguous, row-major
	size    int
	class   int32 // of the pool's buffer that Free returns; 0: not the pool's
	dtype   DType
	dense   atomic.Pointer[gt.Dense] // made when first asked for
	room    [2][usualAxes]int        // what shape and strides point to, up to so many axes
	far     *far                     // where the elements are if not in Go's memory; nil: ptr
	readers atomic.Pointer[readers]  // of the memory, if it is t's own; nil: none
}

// Memory is the counts of the pool that the memory of large tensors comes from.
type Memory = cpu.MemoryStats

// MemoryStats returns how many bytes tensors use now and at most, and how often
// memory was made and reused. Tensors up to 4 KiB are not counted.
func MemoryStats() Memory { return cpu.Memory() }

// ResetPeakMemory sets the peak to the present use.
func ResetPeakMemory() { cpu.ResetPeak() }

// TrimMemory collects garbage and gives the memory that waits for reuse back to
// Go.
func TrimMemory() { cpu.TrimPool() }

// newTensor returns a tensor without memory. The shape is copied; it is panicked at here
// if operands without elements, or views of few, make a result of too many.
func newTensor(dt DType, shape Shape) *Tensor {
	t := new(Tensor)
	t.init(dt, shape)
	return t
}

func (t *Tensor) init(dt DType, shape Shape) {
	shape.check("the result")
	t.dtype, t.size = dt, shape.Size()
	t.setShape(shape)
}

// tiny is a tensor and the memory of its few elements, which are one object: it takes three quarters
// of the time to make.
type tiny struct {
	Tensor
	elements [8]uint64
}

var none = Shape{0} // that of a tensor without memory

// setShape copies a shape.
func (t *Tensor) setShape(shape Shape) { t.shape = append(t.room[0][:0], shape...) }

// setStrides copies strides, nil for contiguous.
func (t *Tensor) setStrides(strides []int) {
	if strides != nil {
		t.strides = append(t.room[1][:0], strides...)
	}
}

// empty returns a tensor whose elements hold anything: the caller writes all of
// them. The shape is copied.
func empty(dt DType, shape Shape) *Tensor {
	if n := shape.Size(); 0 < n && n <= int(unsafe.Sizeof(tiny{}.elements))/dt.Size() {
		t := new(tiny)
		t.init(dt, shape)
		t.ptr = unsafe.Pointer(&t.elements)
		return &t.Tensor
	}
	t := newTensor(dt, shape)
	bytes := t.size * dt.Size()
	if bytes > maxBytes {
		shape.tooMany("the result")
	}
	p, class := cpu.Alloc(bytes)
	t.ptr, t.class = p, int32(class)
	return t
}

// zeros returns a tensor of zeros. The shape is copied.
func zeros(dt DType, shape Shape) *Tensor {
	t := empty(dt, shape)
	if t.class != 0 { // small memory is new, and zero
		t.Zero()
	}
	return t
}

// view returns a tensor over t's memory, its first element offset elements after
// t's. Shape and strides are copied; strides are nil if the view is contiguous.
func (t *Tensor) view(shape Shape, strides []int, offset int) *Tensor {
	v := newTensor(t.dtype, shape)
	v.root = t.owner()
	v.setStrides(strides)
	switch {
	case t.far != nil:
		v.far = &far{device: t.far.device, memory: t.far.memory, offset: t.far.offset + offset, below: t.far.below}
	case v.size > 0:
		v.ptr = unsafe.Add(t.ptr, offset*t.dtype.Size())
	}
	return v
}

// owner returns the tensor whose memory t uses.
func (t *Tensor) owner() *Tensor {
	if t.root != nil {
		return t.root
	}
	return t
}

// wrap makes a tensor over data without a copy; the shape is copied.
func wrap[T Element](data []T, shape Shape) *Tensor {
	t := newTensor(DTypeOf[T](), shape)
	t.ptr = unsafe.Pointer(unsafe.SliceData(data))
	t.readers.Store(givenOut)
	return t
}

// elems returns the elements of t in row-major order: the live ones if t is
// contiguous, else a copy. T is t's element type.
func elems[T Element](t *Tensor) []T {
	if DTypeOf[T]() != t.dtype {
		panic(fmt.Sprintf("BUG: tensor: %v elements of a tensor of %v", DTypeOf[T](), t.dtype))
	}
	if t.far != nil {
		panic(fmt.Sprintf("BUG: tensor: elements of a tensor on %v", t.far.device))
	}
	if t.strides != nil {
		t = t.Contiguous()
	}
	return unsafe.Slice((*T)(t.ptr), t.size)
}

// extent returns the memory that t's elements lie in, from the first to the
// last, for walking by strides.
func extent[T Element](t *Tensor) []T {
	if t.strides == nil {
		return elems[T](t)
	}
	return unsafe.Slice((*T)(t.ptr), t.span())
}

// span returns how many elements the memory holds that t's lie in.
func (t *Tensor) span() int {
	if t.strides == nil || t.size == 0 {
		return t.size
	}
	last := 0
	for k, s := range t.strides {
		last += (t.shape[k] - 1) * s
	}
	return last + 1
}

// Data returns the live elements in row-major order. It panics with a
// *DTypeError if T is not the tensor's element type, with a *ShapeError if the tensor
// is not contiguous (see [Tensor.Contiguous]), and with a *DeviceError if it is not on
// the CPU (see [Tensor.ToDevice]).
func Data[T Element](t *Tensor) []T {
	d := dataOf[T]("Data", t)
	t.giveOut()
	return d
}

// Borrow is [Data] for a caller who forgets the slice before it returns, so that t changes
// by operations only, as before; see [Tensor.WillRead].
func Borrow[T Element](t *Tensor) []T {
	d := dataOf[T]("Borrow", t)
	t.changes()
	return d
}

func dataOf[T Element](op string, t *Tensor) []T {
	wantHere(op, t)
	if dt := DTypeOf[T](); dt != t.dtype {
		panic(&DTypeError{Op: op, Got: t.dtype, Want: []DType{dt}})
	}
	if t.strides != nil {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("a view with strides %v has no row-major slice; use Contiguous", t.strides), Shapes: []Shape{t.shape}})
	}
	return unsafe.Slice((*T)(t.ptr), t.size)
}

// Freed reports whether Free was called.
func (t *Tensor) Freed() bool {
	if t == nil {
		panic(&NilError{"Freed"})
	}
	return t.dtype == freed
}

// SharesMemory reports whether one of two tensors is a view of the other, both are
// views of a third, or one was made over elements of the other (by [FromSlice] of
// [Data], say, or by [FromDense]). What was freed shares none.
func SharesMemory(a, b *Tensor) bool {
	if a == nil || b == nil {
		panic(&NilError{"SharesMemory"})
	}
	a, b = a.owner(), b.owner()
	return a == b || a.ptr != nil && b.ptr != nil && a.begin() < b.end() && b.begin() < a.end()
}

// begin and end are the addresses that the elements of t, which owns them, lie between.
func (t *Tensor) begin() uintptr { return uintptr(t.ptr) }
func (t *Tensor) end() uintptr   { return uintptr(t.ptr) + uintptr(t.span()*t.dtype.Size()) }

// Free returns the memory of a tensor to the pool, for the next operation to
// use. It is never needed: memory also returns by itself when nothing refers to
// it any more, but only with the next garbage collection. The caller vouches
// that it holds the last reference: no view, no Dense, no slice of Data is left.
// Operations on t, but for Free, panic with *[FreedError] from then on. A view has no memory of
// its own to free.
func (t *Tensor) Free() {
	if t == nil {
		panic(&NilError{"Free"})
	}
	if t.root != nil || t.dtype == freed {
		return
	}
	if t.far != nil {
		t.far.memory.Free()
	}
	t.changes()
	p, class := t.ptr, int(t.class)
	t.ptr, t.class, t.far = nil, 0, nil
	t.shape, t.strides, t.size, t.dtype = none, nil, 0, freed // the old shape stays what it is for those who have it
	t.dense.Store(nil)
	cpu.Free(p, class)
}
