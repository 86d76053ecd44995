// Memory that is shared with code outside Go: where a tensor's elements are, and
// tensors over memory that such code owns. Package dlpack puts both into C's form.

package tensor

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"unsafe"
)

// Raw is where the elements of a tensor are, for code that reads and writes them by
// their addresses.
type Raw struct {
	Pointer unsafe.Pointer // the first element, nil if there is none or it is on a device
	Address uint64         // the first element in the memory of Device; 0 on the CPU
	Device  *Device
	DType   DType
	Shape   Shape // not to be changed
	Strides []int // in elements; nil: contiguous, row-major
}

// Addressed is [Storage] whose memory other code can reach by an address. The address
// holds until the storage is freed.
type Addressed interface {
	Storage
	Address() (uint64, error)
}

// Raw returns where the elements are. They stay there as long as t, a view of it or,
// on the CPU, Pointer is reachable, and t is not freed. On a device Raw waits for all
// that was handed over; it is an error if the device has failed, or its memory has no
// addresses. Indices whose address was told are looked at each time that they are used.
func (t *Tensor) Raw() (Raw, error) {
	wantTensor("Raw", t)
	t.giveOut()
	r := Raw{Pointer: t.ptr, Device: t.Device(), DType: t.dtype, Shape: t.shape, Strides: t.Strides()}
	if t.size == 0 {
		r.Pointer = nil
	}
	if t.far == nil || t.size == 0 {
		return r, nil
	}
	memory, ok := t.far.memory.(Addressed)
	if !ok {
		return Raw{}, fmt.Errorf("tensor: Raw: the memory of %v has no addresses", t.far.device)
	}
	if err := t.far.device.Synchronize(); err != nil {
		return Raw{}, err
	}
	base, err := memory.Address()
	if err != nil {
		return Raw{}, fmt.Errorf("tensor: Raw: %v: %w", t.far.device, err)
	}
	r.Address = base + uint64(t.far.offset*t.dtype.Size())
	t.far.below.Store(-1)
	return r, nil
}

// FromRaw returns a tensor over memory of the CPU that other code owns, without a copy,
// and whether it shares that memory. Elements along which an axis runs backwards are
// copied instead, and the tensor is Go's alone; elements that lie on each other, but for
// an axis that is broadcast, are an error, like lengths, strides and addresses that
// cannot be.
//
// release, unless nil, is called exactly once if there is no error: when neither the
// tensor nor a view of it is reachable any more, by another goroutine, or before FromRaw
// returns if it copied.
//
// Go's collector does not follow addresses of foreign memory: an operation, a slice of
// [Data] or a Dense does not keep it. The caller holds on to the tensor as long as they
// are in use, with runtime.KeepAlive after the last use if nothing else does it.
func FromRaw(r Raw, release func()) (t *Tensor, shared bool, err error) {
	if err := r.check(); err != nil {
		return nil, false, fmt.Errorf("tensor: FromRaw: %w", err)
	}
	r.Strides = r.strides()
	once := r.once()
	if err := once.checkBools(); err != nil {
		return nil, false, fmt.Errorf("tensor: FromRaw: %w", err)
	}
	if slices.ContainsFunc(r.Strides, func(s int) bool { return s < 0 }) {
		t = once.copied().Expand(r.Shape...)
		if release != nil {
			release()
		}
		return t, false, nil
	}
	root := newTensor(r.DType, r.Shape)
	root.ptr = r.Pointer
	if root.size > 0 {
		root = root.strided(r.Shape, r.Strides, 0)
		root.root = nil // it is the owner: the cleanup is at it
	}
	root.readers.Store(givenOut)
	if release != nil {
		runtime.AddCleanup(root, func(release func()) { release() }, release)
	}
	return root, true, nil
}

// check returns an error unless the elements lie in a range of addresses, each in a
// place of its own.
func (r Raw) check() error {
	if r.Device != nil {
		return fmt.Errorf("the memory is on %v, want the CPU", r.Device)
	}
	if r.DType > Bool {
		return fmt.Errorf("element type %v", r.DType)
	}
	if r.Strides != nil && len(r.Strides) != len(r.Shape) {
		return fmt.Errorf("%d strides for %d axes", len(r.Strides), len(r.Shape))
	}
	empty := false
	for k, d := range r.Shape {
		if d < 0 {
			return fmt.Errorf("axis %d has length %d", k, d)
		}
		empty = empty || d == 0
	}
	n := uint(1) // elements, of which tensors have as many of one type as of another
	for _, d := range r.Shape {
		hi, lo := bits.Mul(n, uint(max(d, 1)))
		if hi != 0 || lo > maxElements {
			return fmt.Errorf("shape %v has more elements than memory can have", r.Shape)
		}
		n = lo
	}
	if empty {
		return nil
	}
	if r.Pointer == nil {
		return fmt.Errorf("no memory for shape %v", r.Shape)
	}
	if uintptr(r.Pointer)%uintptr(r.DType.Size()) != 0 {
		return fmt.Errorf("address %#x is not aligned for %v", uintptr(r.Pointer), r.DType)
	}
	return r.checkExtent()
}

// checkExtent checks strides and addresses of elements, of which there is one at least.
func (r Raw) checkExtent() error {
	lowest, highest := 0, 0 // offsets of elements
	type axis struct{ step, reach int }
	var axes []axis
	for k, s := range r.strides() {
		reach, ok := product(s, r.Shape[k]-1)
		if !ok {
			return errors.New("strides reach beyond memory")
		}
		if reach == 0 {
			continue // one element, or the same one again and again
		}
		axes = append(axes, axis{abs(s), abs(reach)})
		if lowest += min(reach, 0); lowest > 0 {
			return errors.New("strides reach beyond memory")
		}
		if highest += max(reach, 0); highest < 0 {
			return errors.New("strides reach beyond memory")
		}
	}
	slices.SortFunc(axes, func(a, b axis) int { return a.step - b.step })
	within := 0
	for _, a := range axes {
		if a.step <= within {
			return fmt.Errorf("elements of shape %v lie on each other or interleave with strides %v", r.Shape, r.Strides)
		}
		within += a.reach
	}
	width := r.DType.Size()
	below, okBelow := product(lowest, -width)
	above, okAbove := product(highest, width)
	last := uintptr(r.Pointer) + uintptr(above) + uintptr(width-1)
	if !okBelow || !okAbove || uintptr(below) >= uintptr(r.Pointer) || last < uintptr(r.Pointer) {
		return errors.New("strides reach beyond memory")
	}
	return nil
}

// strides returns the strides, those of the shape if there are none, and 0 for axes of
// one element or none, for which other code may say anything.
func (r Raw) strides() []int {
	strides := slices.Clone(r.Strides)
	if strides == nil {
		strides = newTensor(r.DType, r.Shape).Strides()
	}
	for k, d := range r.Shape {
		if d <= 1 {
			strides[k] = 0
		}
	}
	return strides
}

// once returns the elements without the axes along which they are broadcast.
func (r Raw) once() Raw {
	r.Shape = r.Shape.Clone()
	for k, s := range r.Strides {
		if s == 0 {
			r.Shape[k] = min(r.Shape[k], 1)
		}
	}
	return r
}

// checkBools returns an error if a byte of a boolean is not one of Go's two.
func (r Raw) checkBools() error {
	var err error
	if r.DType == Bool {
		r.walk(func(_ int, p unsafe.Pointer) {
			if b := *(*byte)(p); b > 1 && err == nil {
				err = fmt.Errorf("a boolean is %d, want 0 or 1", b)
			}
		})
	}
	return err
}

// copied returns a contiguous copy of the elements.
func (r Raw) copied() *Tensor {
	t := empty(r.DType, r.Shape)
	width := r.DType.Size()
	r.walk(func(i int, p unsafe.Pointer) {
		copy(unsafe.Slice((*byte)(unsafe.Add(t.ptr, i*width)), width), unsafe.Slice((*byte)(p), width))
	})
	return t
}

// walk calls f for the elements in row-major order.
func (r Raw) walk(f func(i int, p unsafe.Pointer)) {
	width := r.DType.Size()
	index := make([]int, len(r.Shape))
	p := r.Pointer
	for i := range r.Shape.Size() {
		f(i, p)
		for k := len(index) - 1; k >= 0; k-- {
			if index[k]++; index[k] < r.Shape[k] {
				p = unsafe.Add(p, r.Strides[k]*width)
				break
			}
			p = unsafe.Add(p, -r.Strides[k]*width*(index[k]-1))
			index[k] = 0
		}
	}
}

// product returns a·b, and whether it is an int.
func product(a, b int) (int, bool) {
	hi, lo := bits.Mul(uint(abs(a)), uint(abs(b)))
	if hi != 0 || lo > math.MaxInt {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int(lo), true
	}
	return int(lo), true
}

func abs(a int) int { return max(a, -a) }
