// Kernels: modules, arguments, launches, timing.

package driver

import (
	"fmt"
	"math"
	"runtime"
	"time"
	"unsafe"
)

// Load loads machine code for this device's architecture. [Ctx.Destroy] unloads it, when
// work that uses it has ended, or [Device.Unload].
func (c *Ctx) Load(cubin []byte) (Module, error) {
	var m Module
	err := c.memory.withRoom(func() (err error) { m, err = c.driver.ModuleLoadData(cubin); return err })
	if err != nil {
		return 0, err
	}
	c.own(m, func() error { return c.driver.ModuleUnload(m) })
	return m, nil
}

// Unload unloads a module after all functions that were handed to the device before, and
// their work. It may be called from any goroutine, and never blocks: also by the collector,
// when nobody can reach the module's functions any more.
func (d *Device) Unload(m Module) { d.pushBack(item{unload: m}) }

// unload waits for the device and unloads a module. If that fails it is tried again when
// the device is closed.
func (c *Ctx) unload(m Module) error {
	if err := c.driver.CtxSynchronize(); err != nil {
		return err
	}
	return c.Destroy(m)
}

// Function returns a module's kernel of a name.
func (c *Ctx) Function(m Module, name string) (Function, error) {
	return c.driver.ModuleGetFunction(m, name)
}

// Args are the arguments of a launch in the kernel's order. An Args can be used
// again after Reset; it must not be copied.
type Args struct {
	values   []uint64
	pointers []unsafe.Pointer
	buffers  []*Buffer // alive until the launch
}

// Reset forgets the arguments.
func (a *Args) Reset() *Args {
	clear(a.buffers)
	a.values, a.buffers = a.values[:0], a.buffers[:0]
	return a
}

func (a *Args) add(v uint64) *Args {
	a.values = append(a.values, v)
	return a
}

// Buffer adds a buffer's address and keeps the buffer alive.
func (a *Args) Buffer(b *Buffer) *Args {
	a.buffers = append(a.buffers, b)
	return a.add(uint64(b.Ptr()))
}

// Ptr adds an address. Whose buffer it is must stay alive until the launch.
func (a *Args) Ptr(p Ptr) *Args { return a.add(uint64(p)) }

// Int32 adds an int.
func (a *Args) Int32(v int32) *Args { return a.add(uint64(uint32(v))) }

// Int64 adds a long long.
func (a *Args) Int64(v int64) *Args { return a.add(uint64(v)) }

// Uint32 adds an unsigned int.
func (a *Args) Uint32(v uint32) *Args { return a.add(uint64(v)) }

// Uint64 adds an unsigned long long.
func (a *Args) Uint64(v uint64) *Args { return a.add(v) }

// Float32 adds a float.
func (a *Args) Float32(v float32) *Args { return a.add(uint64(math.Float32bits(v))) }

// Float64 adds a double.
func (a *Args) Float64(v float64) *Args { return a.add(math.Float64bits(v)) }

// Launch says how a kernel runs.
type Launch struct {
	Grid, Block Dim3
	Shared      uint32 // bytes of dynamic shared memory a block
	Stream      Stream // 0: the device's stream
}

// defaultShared is the dynamic shared memory that a kernel has without asking.
const defaultShared = 48 << 10

// Launch starts a kernel. A grid without blocks starts nothing. The arguments are
// read before it returns.
func (c *Ctx) Launch(f Function, l Launch, args *Args) error {
	grid, block := l.Grid.filled(), l.Block.filled()
	if l.Grid == (Dim3{}) {
		return nil
	}
	if l.Stream == 0 {
		l.Stream = c.stream
	}
	if l.Shared > defaultShared && c.shared[f] < l.Shared {
		if err := c.driver.FuncSetAttribute(f, FuncDynamicSharedBytes, int(l.Shared)); err != nil {
			return err
		}
		c.shared[f] = l.Shared
	}
	for _, b := range args.buffers {
		c.mine("Launch", b)
	}
	// The driver reads the values through an array of addresses: both must not
	// move, and are on the heap.
	var pin runtime.Pinner
	defer pin.Unpin()
	a := args
	a.pointers = a.pointers[:0]
	for i := range a.values {
		a.pointers = append(a.pointers, unsafe.Pointer(&a.values[i]))
	}
	if len(a.values) > 0 {
		pin.Pin(&a.values[0])
		pin.Pin(&a.pointers[0])
	}
	err := c.driver.LaunchKernel(f, grid, block, l.Shared, l.Stream, a.pointers)
	runtime.KeepAlive(args)
	return err
}

// filled makes zero components 1.
func (d Dim3) filled() Dim3 { return Dim3{max(d.X, 1), max(d.Y, 1), max(d.Z, 1)} }

// Time runs f and returns how long its work in the device's stream took on the
// device. It waits for the device.
func (c *Ctx) Time(f func() error) (d time.Duration, err error) {
	start, err := c.NewEvent(true)
	if err != nil {
		return 0, err
	}
	defer func() { c.keepErr(c.release(start)) }()
	end, err := c.NewEvent(true)
	if err != nil {
		return 0, err
	}
	defer func() { c.keepErr(c.release(end)) }()
	if err := c.driver.EventRecord(start, c.stream); err != nil {
		return 0, err
	}
	if err := f(); err != nil {
		return 0, err
	}
	if err := c.driver.EventRecord(end, c.stream); err != nil {
		return 0, err
	}
	if err := c.driver.EventSynchronize(end); err != nil {
		return 0, err
	}
	ms, err := c.driver.EventElapsedTime(start, end)
	if err != nil {
		return 0, fmt.Errorf("timing: %w", err)
	}
	return time.Duration(float64(ms) * float64(time.Millisecond)), nil
}
