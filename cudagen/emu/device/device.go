package device

// The machine, and the errors of a context that a kernel has broken.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
	"github.com/asterias-ml/asterias/cudagen/emu"
)

// Options describes the machine; zero fields mean the defaults.
type Options struct {
	Memory uint64 // bytes of device memory: 4 GiB
	SM     int    // compute capability: 90
	// Order other than 0 makes queued work run at random moments; with 0 it runs only
	// when something waits for it.
	Order uint64
	// Schedule is the seed of the order of threads and blocks, as in
	// [emu.Program.SetSeed].
	Schedule uint64
	Emulator emu.Options // the alignment is 256 bytes, as CUDA's
}

// Machine is an emulated machine with one GPU.
type Machine struct {
	driver *Driver
}

// New starts a machine. Without a C++ compiler the error is an
// [*emu.NoCompilerError].
func New(ctx context.Context, o Options) (*Machine, error) {
	if o.Memory == 0 {
		o.Memory = 4 << 30
	}
	if o.SM == 0 {
		o.SM = 90
	}
	o.Emulator.Align = 256
	m, err := emu.NewMachine(ctx, o.Emulator)
	if err != nil {
		return nil, err
	}
	d := &Driver{
		Driver:    mock.New(mock.Options{Memory: o.Memory, SM: o.SM, Seed: o.Order}),
		options:   o,
		machine:   m,
		blocks:    make(map[driver.Ptr]*block),
		pinned:    make(map[uintptr]uint64),
		modules:   make(map[driver.Module]*module),
		functions: make(map[driver.Function]driver.Module),
		ops:       make(map[uint64]op),
	}
	d.register()
	return &Machine{driver: d}, nil
}

// System returns the machine's libraries.
func (m *Machine) System() *driver.System {
	return &driver.System{Driver: m.driver, Compiler: m.driver.compiler(), BLAS: m.driver.blas()}
}

// Driver returns the driver, to count calls, make them fail, and ask for faults
// and leaks.
func (m *Machine) Driver() *Driver { return m.driver }

// Close ends the machine. Devices opened on it must be closed before.
func (m *Machine) Close() error { return m.driver.machine.Close() }

// Driver implements [driver.Driver]. What is not here is the mock's.
type Driver struct {
	*mock.Driver
	options Options
	machine *emu.Machine

	// mu guards what follows. Bodies of queued work take it while the mock holds its
	// own lock: the mock must not be called while mu is held.
	mu        sync.Mutex
	refs      int // of the primary context
	context   driver.Context
	carrier   driver.Function // of carrierModule, which is loaded as long as the context lives
	used      uint64
	blocks    map[driver.Ptr]*block // by address
	pinned    map[uintptr]uint64    // bytes of the host by address
	modules   map[driver.Module]*module
	functions map[driver.Function]driver.Module
	loaded    int // modules ever

	carrierModule driver.Module
	ops           map[uint64]op
	nextOp        uint64
	faults        []string
	broken        error // what ended the context
}

var _ driver.Driver = (*Driver)(nil)

// Faults returns what was done that a program must not do: the mock's list and what
// kernels did.
func (d *Driver) Faults() []string {
	out := slices.DeleteFunc(d.Driver.Faults(), func(text string) bool { return strings.Contains(text, endMark) })
	d.mu.Lock()
	defer d.mu.Unlock()
	return append(out, d.faults...)
}

func (d *Driver) fault(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = append(d.faults, fmt.Sprintf(format, args...))
}

// BrokenError is an error of a context in which a kernel, a product or a copy has
// failed.
type BrokenError struct {
	Call  error // the driver's error
	Cause error // what failed, e.g. a [*emu.Fault]
}

// Error returns e.g. "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (700): emu:
// kernel gat: …".
func (e *BrokenError) Error() string { return fmt.Sprintf("%v: %v", e.Call, e.Cause) }

// Unwrap returns both.
func (e *BrokenError) Unwrap() []error { return []error{e.Call, e.Cause} }

// because adds to an error what broke the context.
func (d *Driver) because(err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	e, ok := errors.AsType[*driver.Error](err)
	if !ok || d.broken == nil || e.Library == driver.LibraryCUDA && e.Code != int(driver.IllegalAddress) {
		return err
	}
	return &BrokenError{Call: err, Cause: d.broken}
}

// as is because for a call that was made under another name.
func (d *Driver) as(call string, err error) error {
	if e, ok := errors.AsType[*driver.Error](err); ok {
		renamed := *e
		renamed.Call = call
		err = &renamed
	}
	return d.because(err)
}

// failure makes an error of a code.
func failure(call string, r driver.Result) error {
	return &driver.Error{Library: driver.LibraryCUDA, Call: call, Code: int(r), Name: r.Name()}
}

// PrimaryCtxRetain counts the references to the context.
func (d *Driver) PrimaryCtxRetain(id driver.DeviceID) (driver.Context, error) {
	c, err := d.Driver.PrimaryCtxRetain(id)
	if err == nil {
		d.mu.Lock()
		d.refs++
		d.mu.Unlock()
	}
	return c, err
}

// PrimaryCtxRelease ends the context with its last reference.
func (d *Driver) PrimaryCtxRelease(id driver.DeviceID) error {
	d.mu.Lock()
	refs := d.refs
	d.mu.Unlock()
	if refs == 1 {
		if err := d.unloadCarrier(); err != nil {
			return err
		}
	}
	if err := d.Driver.PrimaryCtxRelease(id); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refs--; d.refs > 0 {
		return nil
	}
	var errs []error
	for p := range d.blocks {
		errs = append(errs, d.machine.Free(emu.Memory(p)))
	}
	for _, m := range d.modules {
		errs = append(errs, d.machine.Unload(m.loaded))
	}
	clear(d.blocks)
	clear(d.modules)
	clear(d.functions)
	clear(d.ops)
	d.used, d.broken = 0, nil
	return errors.Join(errs...)
}

// Calls that may report what broke the context.

func (d *Driver) CtxSynchronize() error { return d.because(d.Driver.CtxSynchronize()) }

func (d *Driver) StreamSynchronize(s driver.Stream) error {
	return d.because(d.Driver.StreamSynchronize(s))
}

func (d *Driver) StreamQuery(s driver.Stream) (bool, error) {
	done, err := d.Driver.StreamQuery(s)
	return done, d.because(err)
}

func (d *Driver) StreamCreate(f driver.StreamFlags) (driver.Stream, error) {
	s, err := d.Driver.StreamCreate(f)
	return s, d.because(err)
}

func (d *Driver) StreamDestroy(s driver.Stream) error { return d.because(d.Driver.StreamDestroy(s)) }

func (d *Driver) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	return d.because(d.Driver.StreamWaitEvent(s, e))
}

func (d *Driver) EventCreate(f driver.EventFlags) (driver.Event, error) {
	e, err := d.Driver.EventCreate(f)
	return e, d.because(err)
}

func (d *Driver) EventDestroy(e driver.Event) error { return d.because(d.Driver.EventDestroy(e)) }

func (d *Driver) EventRecord(e driver.Event, s driver.Stream) error {
	return d.because(d.Driver.EventRecord(e, s))
}

func (d *Driver) EventQuery(e driver.Event) (bool, error) {
	done, err := d.Driver.EventQuery(e)
	return done, d.because(err)
}

func (d *Driver) EventSynchronize(e driver.Event) error {
	return d.because(d.Driver.EventSynchronize(e))
}

func (d *Driver) EventElapsedTime(start, end driver.Event) (float32, error) {
	ms, err := d.Driver.EventElapsedTime(start, end)
	return ms, d.because(err)
}

func (d *Driver) StreamBeginCapture(s driver.Stream, m driver.CaptureMode) error {
	return d.because(d.Driver.StreamBeginCapture(s, m))
}

func (d *Driver) StreamEndCapture(s driver.Stream) (driver.Graph, error) {
	g, err := d.Driver.StreamEndCapture(s)
	return g, d.because(err)
}

func (d *Driver) GraphInstantiate(g driver.Graph) (driver.GraphExec, error) {
	x, err := d.Driver.GraphInstantiate(g)
	return x, d.because(err)
}

func (d *Driver) GraphLaunch(x driver.GraphExec, s driver.Stream) error {
	return d.because(d.Driver.GraphLaunch(x, s))
}

func (d *Driver) GraphDestroy(g driver.Graph) error { return d.because(d.Driver.GraphDestroy(g)) }

func (d *Driver) GraphExecDestroy(x driver.GraphExec) error {
	return d.because(d.Driver.GraphExecDestroy(x))
}

// DeviceName names the emulator.
func (d *Driver) DeviceName(id driver.DeviceID) (string, error) {
	_, err := d.Driver.DeviceName(id)
	return "Emulated GPU", err
}
