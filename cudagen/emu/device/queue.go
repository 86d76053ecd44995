package device

// Work of our own in the mock's streams: a launch of a kernel whose body runs it.

import (
	"errors"
	"unsafe"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
)

// op is queued work.
type op struct {
	run  func() error
	keep bool // it was captured: it may run again
}

const carrier = "op"

// endMark is what the mock notes when a body fails.
const endMark = "0x0 is no device memory"

// register gives the mock the body of the kernel that carries work.
func (d *Driver) register() {
	d.Register(carrier, mock.Kernel{Params: []int{8, 8}, Run: func(l *mock.Launch) {
		id := mock.Arg[uint64](l, 0)
		d.mu.Lock()
		o := d.ops[id]
		if !o.keep {
			delete(d.ops, id)
		}
		d.mu.Unlock()
		if err := o.run(); err != nil {
			d.end(l, 1, err)
		}
	}})
}

// end breaks the context: the mock does so for a launch that asks for memory that
// is not there. The launch's parameter null is a null pointer.
func (d *Driver) end(l *mock.Launch, null int, err error) {
	d.mu.Lock()
	if d.broken == nil {
		d.broken = err
	}
	d.faults = append(d.faults, err.Error())
	d.mu.Unlock()
	mock.Slice[byte](l, null, 1)
}

// enqueue puts work into a stream; the legacy stream runs it at once.
func (d *Driver) enqueue(call string, s driver.Stream, run func() error) error {
	capturing, err := d.Driver.StreamIsCapturing(s)
	if err != nil {
		return d.as(call, err)
	}
	d.mu.Lock()
	f := d.carrier
	d.nextOp++
	args := &[2]uint64{d.nextOp, 0}
	d.ops[args[0]] = op{run: run, keep: capturing}
	d.mu.Unlock()
	one := driver.Dim3{X: 1, Y: 1, Z: 1}
	err = d.Driver.LaunchKernel(f, one, one, 0, s, []unsafe.Pointer{unsafe.Pointer(&args[0]), unsafe.Pointer(&args[1])})
	if err != nil {
		d.mu.Lock()
		delete(d.ops, args[0])
		d.mu.Unlock()
	}
	return d.as(call, err)
}

// CtxSetCurrent also loads the kernel that carries work, once in a context's life.
func (d *Driver) CtxSetCurrent(h driver.Context) error {
	if err := d.Driver.CtxSetCurrent(h); err != nil {
		return err
	}
	d.mu.Lock()
	loaded := d.carrierModule != 0
	d.mu.Unlock()
	if h == 0 || loaded {
		return nil
	}
	m, err := d.Driver.ModuleLoadData(mock.Cubin(d.options.SM, carrier))
	if err != nil {
		return d.as("cuCtxSetCurrent", err)
	}
	f, err := d.Driver.ModuleGetFunction(m, carrier)
	if err != nil {
		return errors.Join(d.as("cuCtxSetCurrent", err), d.Driver.ModuleUnload(m))
	}
	d.mu.Lock()
	d.context, d.carrierModule, d.carrier = h, m, f
	d.mu.Unlock()
	return nil
}

// unloadCarrier undoes it, on a thread without a context.
func (d *Driver) unloadCarrier() error {
	d.mu.Lock()
	context, m := d.context, d.carrierModule
	d.mu.Unlock()
	if m == 0 {
		return nil
	}
	if err := d.Driver.CtxSetCurrent(context); err != nil {
		return err
	}
	err := d.Driver.ModuleUnload(m)
	if d.isBroken() {
		err = nil // unloaded all the same
	}
	if err == nil {
		d.mu.Lock()
		d.carrierModule = 0
		d.mu.Unlock()
	}
	return errors.Join(err, d.Driver.CtxSetCurrent(0))
}

// isBroken reports whether the context is. Then what frees something reports it,
// and has freed.
func (d *Driver) isBroken() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.broken != nil
}
