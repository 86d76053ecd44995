package dlpack

// Tensors taken over from C code.

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/asterias-ml/asterias/tensor"
)

// An Imported tensor came from C code. Its memory is C's unless it was copied.
//
// The deleter is called exactly once: by [Imported.Release], or else, some time after a
// garbage collection, when neither the Imported, its tensor nor a view of that is
// reachable any more. Go does not see who uses memory that is not its own: an operation
// in progress, a slice of tensor.Data and a Dense do not keep it. So a program keeps the
// Imported until it is done, which the usual
//
//	x, err := dlpack.Import(m)
//	...
//	defer x.Release()
//
// does.
type Imported struct {
	Tensor  *tensor.Tensor // nil after Release
	Copied  bool           // the tensor is Go's; the deleter has been called
	release func()
}

// Import takes a struct over from C code. Its memory is shared. Copied is what has an
// axis that runs backwards.
//
// A struct that makes no sense, or that says what tensors cannot be (another element
// type, a device, elements that lie on each other or are not aligned), is an error; it
// stays the caller's then, who calls the deleter. Whether its addresses are memory, only
// its producer knows.
func Import(m *Managed) (*Imported, error) {
	if m == nil {
		return nil, errors.New("dlpack: Import: nil")
	}
	x, err := take(&m.Tensor, m.Deleter, unsafe.Pointer(m))
	if err != nil {
		return nil, fmt.Errorf("dlpack: Import: %w", err)
	}
	return x, nil
}

// ImportVersioned is [Import] of the form of DLPack 1. Copied is also what must not be
// written to; an axis that is broadcast stays so.
func ImportVersioned(m *ManagedVersioned) (*Imported, error) {
	const op = "dlpack: ImportVersioned"
	if m == nil {
		return nil, errors.New(op + ": nil")
	}
	if m.Major != Major {
		return nil, fmt.Errorf("%s: version %d.%d, want %d", op, m.Major, m.Minor, Major)
	}
	x, err := take(&m.Tensor, m.Deleter, unsafe.Pointer(m))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if m.Flags&ReadOnly != 0 && !x.Copied {
		t := cloned(x.Tensor)
		x.Release()
		x = &Imported{Tensor: t, Copied: true, release: func() {}}
	}
	return x, nil
}

// cloned returns a copy that is broadcast where t is: written out, that may be longer than
// memory.
func cloned(t *tensor.Tensor) *tensor.Tensor {
	once := t
	for k, stride := range t.Strides() {
		if stride == 0 && t.Dim(k) > 1 {
			once = once.Narrow(k, 0, 1)
		}
	}
	if once == t {
		return t.Clone()
	}
	return once.Clone().Expand(t.Shape()...)
}

func take(t *Tensor, deleter uintptr, managed unsafe.Pointer) (*Imported, error) {
	if err := loadable(); err != nil {
		return nil, err
	}
	raw, err := t.raw()
	if err != nil {
		return nil, err
	}
	release := sync.OnceFunc(func() { callDeleter(deleter, managed) })
	own, shared, err := tensor.FromRaw(raw, release)
	if err != nil {
		return nil, err
	}
	return &Imported{Tensor: own, Copied: !shared, release: release}, nil
}

// Release calls the deleter now, unless it has been called. The caller vouches that the
// tensor, its views and their elements are not used any more.
func (x *Imported) Release() {
	x.release()
	runtime.KeepAlive(x.Tensor)
	x.Tensor = nil
}
