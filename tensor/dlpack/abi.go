package dlpack

// The structs of dlpack.h, and what their codes mean.

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/asterias-ml/asterias/tensor"
)

// Tensor is DLTensor: where elements are. Addresses are those of C.
type Tensor struct {
	Data       uintptr // of the first element, less ByteOffset
	Device     Device
	Dims       int32
	DType      DataType
	Shape      *int64 // Dims lengths
	Strides    *int64 // in elements; nil: contiguous, row-major
	ByteOffset uint64
}

// Device is DLDevice.
type Device struct {
	Type DeviceType
	ID   int32
}

// DeviceType is DLDeviceType.
type DeviceType int32

// The device types that this package knows.
const (
	CPU      DeviceType = 1
	CUDA     DeviceType = 2
	CUDAHost DeviceType = 3 // page-locked memory of the CPU
)

// DataType is DLDataType.
type DataType struct {
	Code  TypeCode
	Bits  uint8
	Lanes uint16
}

// TypeCode is DLDataTypeCode.
type TypeCode uint8

// The type codes that this package knows.
const (
	Int   TypeCode = 0
	UInt  TypeCode = 1
	Float TypeCode = 2
	Bool  TypeCode = 6
)

// Managed is DLManagedTensor: a tensor that is handed over. Its new owner calls the
// deleter with its address when it needs the memory no more.
type Managed struct {
	Tensor  Tensor
	Context uintptr
	Deleter uintptr // void (*)(DLManagedTensor *), or 0
}

// ManagedVersioned is DLManagedTensorVersioned, the form since DLPack 1.0.
type ManagedVersioned struct {
	Major, Minor uint32
	Context      uintptr
	Deleter      uintptr // void (*)(DLManagedTensorVersioned *), or 0
	Flags        Flags
	Tensor       Tensor
}

// The version whose structs these are.
const (
	Major = 1
	Minor = 0
)

// Flags say more about a ManagedVersioned.
type Flags uint64

// The flags.
const (
	ReadOnly Flags = 1 << iota
	IsCopied
)

// dtypes are the element types of package tensor.
var dtypes = map[tensor.DType]DataType{
	tensor.Float32: {Float, 32, 1},
	tensor.Float64: {Float, 64, 1},
	tensor.Int32:   {Int, 32, 1},
	tensor.Int64:   {Int, 64, 1},
	tensor.Bool:    {Bool, 8, 1},
}

// String returns the type as C would name it: "float32", "uint8", "float32x4".
func (d DataType) String() string {
	name := map[TypeCode]string{Int: "int", UInt: "uint", Float: "float", Bool: "bool"}[d.Code]
	switch {
	case name == "":
		name = fmt.Sprintf("type %d of %d bits", d.Code, d.Bits)
	case d.Code != Bool || d.Bits != 8:
		name = fmt.Sprintf("%s%d", name, d.Bits)
	}
	if d.Lanes != 1 {
		name = fmt.Sprintf("%sx%d", name, d.Lanes)
	}
	return name
}

// maxDims is the most axes that an imported tensor may have: NumPy's limit.
const maxDims = 64

// raw returns what the struct says.
func (t *Tensor) raw() (tensor.Raw, error) {
	r := tensor.Raw{}
	if t.Device.Type != CPU && t.Device.Type != CUDAHost {
		return r, fmt.Errorf("device %d:%d, want memory of the CPU", t.Device.Type, t.Device.ID)
	}
	known := false
	for dt, d := range dtypes {
		if d == t.DType {
			r.DType, known = dt, true
		}
	}
	if !known {
		return r, fmt.Errorf("element type %v, want float32, float64, int32, int64 or bool", t.DType)
	}
	var err error
	if t.Dims < 0 || t.Dims > maxDims {
		return r, fmt.Errorf("%d axes, want 0 to %d", t.Dims, maxDims)
	}
	if r.Shape, err = ints(t.Shape, t.Dims); err != nil {
		return r, fmt.Errorf("shape: %w", err)
	}
	if r.Shape == nil && t.Dims > 0 {
		return r, errors.New("no shape")
	}
	if r.Strides, err = ints(t.Strides, t.Dims); err != nil {
		return r, fmt.Errorf("strides: %w", err)
	}
	if t.Data != 0 {
		if t.ByteOffset > math.MaxInt || t.Data+uintptr(t.ByteOffset) < t.Data {
			return r, fmt.Errorf("byte offset %d reaches beyond memory", t.ByteOffset)
		}
		data := *(*unsafe.Pointer)(unsafe.Pointer(&t.Data)) // an address of C's
		r.Pointer = unsafe.Add(data, int(t.ByteOffset))
	}
	return r, nil
}

// ints returns the numbers of a C array, nil if there is none.
func ints(array *int64, n int32) ([]int, error) {
	if array == nil {
		return nil, nil
	}
	list := make([]int, n)
	for i, v := range unsafe.Slice(array, n) {
		if int64(int(v)) != v {
			return nil, fmt.Errorf("%d is no number of this system", v)
		}
		list[i] = int(v)
	}
	return list, nil
}
