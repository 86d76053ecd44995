package dlpack

// Tensors handed over to C code.

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/asterias-ml/asterias/tensor"
)

// Export hands t over to C code: it returns a struct whose owner calls the deleter once,
// from any thread, when it needs the memory no more. Until then Go keeps memory and
// struct where they are, whatever becomes of t, which shares the elements and must not
// be freed. What is to be done with t on a GPU is done when Export returns.
//
// A struct that in the end nobody takes is given to [Discard].
func Export(t *tensor.Tensor) (*Managed, error) {
	e, deleter, err := newExport(t)
	if err != nil {
		return nil, fmt.Errorf("dlpack: Export: %w", err)
	}
	m := &Managed{Tensor: e.dl, Deleter: deleter}
	e.hand(unsafe.Pointer(m))
	return m, nil
}

// ExportVersioned is [Export] in the form of DLPack 1.
func ExportVersioned(t *tensor.Tensor) (*ManagedVersioned, error) {
	e, deleter, err := newExport(t)
	if err != nil {
		return nil, fmt.Errorf("dlpack: ExportVersioned: %w", err)
	}
	m := &ManagedVersioned{Major: Major, Minor: Minor, Tensor: e.dl, Deleter: deleter}
	e.hand(unsafe.Pointer(m))
	return m, nil
}

// Discard calls the deleter of a struct, and does nothing for nil.
func Discard(m *Managed) {
	if m != nil {
		callDeleter(m.Deleter, unsafe.Pointer(m))
	}
}

// DiscardVersioned is [Discard] for DLPack 1.
func DiscardVersioned(m *ManagedVersioned) {
	if m != nil {
		callDeleter(m.Deleter, unsafe.Pointer(m))
	}
}

// An export is a tensor that C code owns.
type export struct {
	loan
	pins    runtime.Pinner
	managed unsafe.Pointer // what C has
	tensor  *tensor.Tensor
}

// exports are the tensors that C code owns, by the address of their structs. They keep
// all that the structs point to.
var exports = struct {
	sync.Mutex
	owned map[uintptr]*export
}{owned: map[uintptr]*export{}}

func newExport(t *tensor.Tensor) (*export, uintptr, error) {
	deleter, err := exportDeleter()
	if err != nil {
		return nil, 0, err
	}
	e := &export{tensor: t}
	if err := e.describe(t); err != nil {
		return nil, 0, err
	}
	return e, deleter, nil
}

// hand gives the struct to C.
func (e *export) hand(managed unsafe.Pointer) {
	e.managed = managed
	e.pin(&e.pins)
	e.pins.Pin(managed)
	exports.Lock()
	defer exports.Unlock()
	exports.owned[uintptr(managed)] = e
}

// deleted is the deleter of both forms. C code that calls it twice finds nothing the
// second time.
func deleted(managed uintptr) uintptr {
	exports.Lock()
	e := exports.owned[managed]
	delete(exports.owned, managed)
	exports.Unlock()
	if e != nil {
		e.pins.Unpin()
	}
	return 0
}
