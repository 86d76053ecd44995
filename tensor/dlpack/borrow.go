package dlpack

// Tensors lent for a call, and what a lent tensor is made of.

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"github.com/asterias-ml/asterias/tensor"
)

// Borrow calls f with the structs of tensors, nil for those that are nil, and returns
// its error. They are lent for the call: memory neither moves nor is reused until f
// returns, and whoever f calls keeps no address, frees nothing and calls no deleter. It
// may write to the elements, those of a broadcast view excepted, as f's caller allows.
//
// What is to be done on a GPU with a tensor there is done before f is called. It is an
// error if a GPU does not tell addresses; f is not called then. It panics with *[Error] if
// f is nil.
func Borrow(f func(lent []*Tensor) error, tensors ...*tensor.Tensor) error {
	if f == nil {
		panic(&Error{Op: "Borrow", Detail: "the function is nil"})
	}
	loans := make([]loan, len(tensors))
	lent := make([]*Tensor, len(tensors))
	var pins runtime.Pinner
	defer pins.Unpin()
	for i, t := range tensors {
		if t == nil {
			continue
		}
		if err := loans[i].describe(t); err != nil {
			return fmt.Errorf("dlpack: Borrow: tensor %d: %w", i, err)
		}
		loans[i].pin(&pins)
		lent[i] = &loans[i].dl
	}
	err := f(lent)
	runtime.KeepAlive(tensors)
	return err
}

// A loan is a struct and what it points to.
type loan struct {
	dl   Tensor
	dims []int64        // shape and strides
	data unsafe.Pointer // nil on a device
}

// describe fills a loan of t in. Elements on a GPU are ready then.
func (l *loan) describe(t *tensor.Tensor) error {
	raw, err := t.Raw()
	if err != nil {
		return err
	}
	device, err := deviceOf(raw.Device)
	if err != nil {
		return err
	}
	rank := len(raw.Shape)
	l.dims = make([]int64, 2*rank)
	for k := range rank {
		l.dims[k], l.dims[rank+k] = int64(raw.Shape[k]), int64(raw.Strides[k])
	}
	l.data = raw.Pointer
	l.dl = Tensor{Data: uintptr(raw.Pointer), Device: device, Dims: int32(rank), DType: dtypes[raw.DType]}
	if raw.Device != nil {
		l.dl.Data = uintptr(raw.Address)
	}
	if rank > 0 {
		l.dl.Shape, l.dl.Strides = &l.dims[0], &l.dims[rank]
	}
	return nil
}

// pin keeps all that C sees where it is.
func (l *loan) pin(pins *runtime.Pinner) {
	pins.Pin(&l.dl)
	if len(l.dims) > 0 {
		pins.Pin(&l.dims[0])
	}
	if l.data != nil {
		pins.Pin(l.data) // nothing happens to memory that is not Go's
	}
}

// deviceOf returns the code of a device.
func deviceOf(d *tensor.Device) (Device, error) {
	switch index := d.Index(); {
	case d == nil:
		return Device{Type: CPU}, nil
	case d.Kind() == "cuda" && index >= 0 && index <= math.MaxInt32:
		return Device{Type: CUDA, ID: int32(index)}, nil
	}
	return Device{}, fmt.Errorf("DLPack has no code for device %v", d)
}
