// Devices: where the memory of tensors is, and who computes on it.

package tensor

import (
	"fmt"
	"strings"
	"sync"
)

// Device is where a tensor lives. Results of operations live where their operands
// do; [Tensor.ToDevice] copies. Devices are compared by identity; nil is the CPU.
type Device struct {
	kind    string
	index   int
	backend Backend
}

// CPU is the device of tensors in Go's memory.
var CPU *Device

// The kinds of devices that were registered and the devices that are open.
var devices = struct {
	mu      sync.Mutex
	openers map[string]func(index int) (Backend, error)
	open    map[deviceKey]*Device
}{openers: map[string]func(int) (Backend, error){}, open: map[deviceKey]*Device{}}

type deviceKey struct {
	kind  string
	index int
}

// RegisterBackend says how to open devices of a kind, such as "cuda". A package that
// brings a kind calls it once, when it is initialised.
func RegisterBackend(kind string, open func(index int) (Backend, error)) {
	devices.mu.Lock()
	defer devices.mu.Unlock()
	if devices.openers[kind] != nil {
		panic(fmt.Sprintf("BUG: tensor: devices of kind %q are registered twice", kind))
	}
	devices.openers[kind] = open
}

// CUDA returns an NVIDIA GPU by its number, the same at every call. The error says in
// one line why there is none, or that package cudagen is not imported:
//
//	import _ "github.com/asterias-ml/asterias/cudagen"
func CUDA(index int) (*Device, error) {
	d, err := openDevice("cuda", index)
	if err != nil {
		return nil, fmt.Errorf("tensor: CUDA(%d): %w", index, err)
	}
	return d, nil
}

func openDevice(kind string, index int) (*Device, error) {
	devices.mu.Lock()
	defer devices.mu.Unlock()
	key := deviceKey{kind, index}
	if d := devices.open[key]; d != nil {
		return d, nil
	}
	open := devices.openers[kind]
	if open == nil {
		return nil, fmt.Errorf("no package for %s devices is linked: import _ %q", kind, "github.com/asterias-ml/asterias/cudagen")
	}
	b, err := open(index)
	if err != nil {
		return nil, err
	}
	d := NewDevice(kind, index, b)
	devices.open[key] = d
	return d, nil
}

// NewDevice returns a device that computes with a backend, beside those that
// [CUDA] opens.
func NewDevice(kind string, index int, b Backend) *Device {
	return &Device{kind: kind, index: index, backend: b}
}

// Kind returns what kind of device it is, such as "cuda"; "cpu" for nil.
func (d *Device) Kind() string {
	if d == nil {
		return "cpu"
	}
	return d.kind
}

// Index returns the number of the device among those of its kind.
func (d *Device) Index() int {
	if d == nil {
		return 0
	}
	return d.index
}

// String returns "cpu", or the kind and number, such as "cuda:0".
func (d *Device) String() string {
	if d == nil {
		return "cpu"
	}
	return fmt.Sprintf("%s:%d", d.kind, d.index)
}

// Backend returns what computes on the device, nil for the CPU.
func (d *Device) Backend() Backend {
	if d == nil {
		return nil
	}
	return d.backend
}

// Capturing reports whether the device records what it is handed, to do it again and again.
// What is to go on from one time to the next must then be written in place.
func (d *Device) Capturing() bool {
	c, ok := d.Backend().(Capturer)
	return ok && c.Capturing()
}

// MemoryStats returns how many bytes the tensors of the device use, and how often
// memory was made and reused.
func (d *Device) MemoryStats() Memory {
	if d == nil {
		return MemoryStats()
	}
	return d.backend.MemoryStats()
}

// Synchronize waits until all operations on the device are done. It returns the
// first failure that nobody has seen.
func (d *Device) Synchronize() error {
	if d == nil {
		return nil
	}
	if err := d.backend.Synchronize(); err != nil {
		return fmt.Errorf("tensor: %v: %w", d, err)
	}
	return nil
}

// Close frees all that the device has. Its tensors are unusable then; [CUDA] opens
// it anew.
func (d *Device) Close() error {
	if d == nil {
		return nil
	}
	devices.mu.Lock()
	if key := (deviceKey{d.kind, d.index}); devices.open[key] == d {
		delete(devices.open, key)
	}
	devices.mu.Unlock()
	if err := d.backend.Close(); err != nil {
		return fmt.Errorf("tensor: %v: %w", d, err)
	}
	return nil
}

// Device returns where the tensor lives.
func (t *Tensor) Device() *Device {
	wantTensor("Device", t)
	return t.far.on()
}

// ToDevice returns the tensor on a device: t itself if it is there, else a
// contiguous copy.
func (t *Tensor) ToDevice(d *Device) *Tensor {
	wantTensor("ToDevice", t)
	if t.Device() == d {
		return t
	}
	if d == nil {
		return t.download()
	}
	if t.far != nil {
		t = t.download()
	}
	out := emptyOn(d, "ToDevice", t.dtype, t.shape)
	out.upload(t)
	return out
}

// DeviceError is the panic of an operation whose operands are on several devices,
// or on one that it does not work on.
type DeviceError struct {
	Op      string    // the operation, e.g. "MatMul"
	Detail  string    // what does not fit
	Devices []*Device // of the operands
}

// Error returns e.g. "tensor: Add: operands are on different devices: cuda:0 x cpu".
func (e *DeviceError) Error() string {
	names := make([]string, len(e.Devices))
	for i, d := range e.Devices {
		names[i] = d.String()
	}
	return fmt.Sprintf("tensor: %s: %s: %s", e.Op, e.Detail, strings.Join(names, " x "))
}

// Misuse marks the error as the caller's fault, not the data's.
func (*DeviceError) Misuse() {}

// DeviceFailure is the panic of an operation that a device did not do: it is out of
// memory, closed, or an operation before failed. Operations are queued, so that what
// failed may be an earlier one than Op.
type DeviceFailure struct {
	Op     string
	Device *Device
	Err    error // the backend's
}

// Error returns the operation, the device and what it says.
func (e *DeviceFailure) Error() string {
	return fmt.Sprintf("tensor: %s: %v: %v", e.Op, e.Device, e.Err)
}

// Unwrap returns the backend's error.
func (e *DeviceFailure) Unwrap() error { return e.Err }

// Misuse marks the error as one that autograd.Try returns: the program asked the
// device for more than it has.
func (*DeviceFailure) Misuse() {}
