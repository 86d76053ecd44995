// The driver: options, calls, injected failures, threads and contexts.

package mock

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/asterias-ml/asterias/cudagen/driver"
)

// Options describes the machine; zero fields mean the defaults.
type Options struct {
	Devices int    // 1
	Memory  uint64 // bytes of each device: 1 GiB
	SM      int    // compute capability: 90
	// Seed other than 0 makes queued work run at random moments; with 0 it runs
	// only when something waits for it.
	Seed    uint64
	NoPools bool // as a driver before CUDA 11.2
}

// Driver implements [driver.Driver]. Its methods may be called from several
// goroutines.
type Driver struct {
	mu       sync.Mutex
	opt      Options
	rng      *rand.Rand
	calls    []string
	fails    func(n int, call string) int
	faults   []string
	lost     []string // not freed when its context went
	kernels  map[string]Kernel
	inited   bool
	next     uintptr // the last handle given out
	contexts []*context
	current  map[uint64]*context // by goroutine
	hosts    []*hostBlock
}

var _ driver.Driver = (*Driver)(nil)

// context is a device's primary context with all that lives in it.
type context struct {
	d       *Driver
	device  driver.DeviceID
	handle  driver.Context
	refs    int
	sticky  driver.Result // of asynchronous work: every later call reports it
	clock   int64         // microseconds of work done
	used    uint64        // bytes of device memory
	nextPtr driver.Ptr

	blocks    []*block // in order of address, freed ones included
	legacy    *stream
	streams   map[driver.Stream]*stream
	events    map[driver.Event]*event
	modules   map[driver.Module]*module
	functions map[driver.Function]*function
	graphs    map[driver.Graph]*graph
	execs     map[driver.GraphExec]*graph
	blas      map[driver.BLASHandle]*blasState
}

// New returns a machine.
func New(o Options) *Driver {
	if o.Devices == 0 {
		o.Devices = 1
	}
	if o.Memory == 0 {
		o.Memory = 1 << 30
	}
	if o.SM == 0 {
		o.SM = 90
	}
	d := &Driver{opt: o, kernels: make(map[string]Kernel), current: make(map[uint64]*context)}
	if o.Seed != 0 {
		d.rng = rand.New(rand.NewPCG(o.Seed, 1))
	}
	for i := range o.Devices {
		c := &context{d: d, device: driver.DeviceID(i), handle: driver.Context(d.handle())}
		c.reset()
		d.contexts = append(d.contexts, c)
	}
	return d
}

// reset empties a context.
func (c *context) reset() {
	c.sticky, c.used, c.clock = 0, 0, 0
	c.nextPtr = driver.Ptr(0x7_0000_0000 + 0x100_0000_0000*uint64(c.device))
	c.blocks = nil
	c.legacy = &stream{}
	c.streams = make(map[driver.Stream]*stream)
	c.events = make(map[driver.Event]*event)
	c.modules = make(map[driver.Module]*module)
	c.functions = make(map[driver.Function]*function)
	c.graphs = make(map[driver.Graph]*graph)
	c.execs = make(map[driver.GraphExec]*graph)
	c.blas = make(map[driver.BLASHandle]*blasState)
}

// handle returns a value that no object had before.
func (d *Driver) handle() uintptr {
	d.next += 0x10
	return 0xA000 + d.next
}

// Calls returns the calls so far, as "cuMemFree(0x700000000)".
func (d *Driver) Calls() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.calls)
}

// Count returns how many calls of a function there were.
func (d *Driver) Count(function string) int {
	n := 0
	for _, c := range d.Calls() {
		if name, _, _ := strings.Cut(c, "("); name == function {
			n++
		}
	}
	return n
}

// FailAt makes the n-th call from now on fail once with a code; 0 is the next one.
func (d *Driver) FailAt(n int, code driver.Result) {
	d.mu.Lock()
	at := len(d.calls) + n
	d.mu.Unlock()
	d.FailIf(func(n int, _ string) int {
		if n == at {
			return int(code)
		}
		return 0
	})
}

// FailIf makes those calls fail for which f returns a code other than 0. It is
// asked before each call with the call's number, from 0, and its name. A call
// that fails so has done nothing. nil ends it.
func (d *Driver) FailIf(f func(n int, call string) int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fails = f
}

// Faults returns what was done that a program must not do.
func (d *Driver) Faults() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.faults)
}

func (d *Driver) fault(format string, args ...any) {
	d.faults = append(d.faults, fmt.Sprintf(format, args...))
}

// failure makes an error of a code.
func failure(call string, r driver.Result) error {
	if r == 0 {
		return nil
	}
	return &driver.Error{Library: driver.LibraryCUDA, Call: call, Code: int(r), Name: r.Name()}
}

// enter records a call and returns the failure that was asked for it. The caller
// holds the lock.
func (d *Driver) enter(call string, args ...any) driver.Result {
	n := len(d.calls)
	d.calls = append(d.calls, call+"("+describe(args)+")")
	if d.fails != nil {
		return driver.Result(d.fails(n, call))
	}
	return 0
}

func describe(args []any) string {
	out := make([]string, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			out[i] = a
		case driver.Ptr, driver.Stream, driver.Event, driver.Module, driver.Function, driver.Graph, driver.GraphExec, driver.Context, driver.BLASHandle:
			out[i] = fmt.Sprintf("%#x", a)
		default:
			out[i] = fmt.Sprint(a)
		}
	}
	return strings.Join(out, ", ")
}

// free runs a call that needs no context.
func (d *Driver) free(call string, f func() driver.Result, args ...any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.enter(call, args...)
	if r == 0 && !d.inited && call != "cuInit" && call != "cuDriverGetVersion" {
		r = driver.NotInitialized
	}
	if r == 0 {
		r = f()
	}
	return failure(call, r)
}

// do runs a call in the context of the calling goroutine.
func (d *Driver) do(call string, f func(c *context) driver.Result, args ...any) error {
	return d.inContext(call, false, f, args...)
}

// destroy is do for calls that end something: they do so in a broken context too,
// and report that it is broken.
func (d *Driver) destroy(call string, f func(c *context) driver.Result, args ...any) error {
	return d.inContext(call, true, f, args...)
}

func (d *Driver) inContext(call string, destroys bool, f func(c *context) driver.Result, args ...any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.enter(call, args...); r != 0 {
		return failure(call, r)
	}
	c := d.current[goroutine()]
	if c == nil {
		d.fault("%s: the calling thread has no context", call)
		return failure(call, driver.InvalidContext)
	}
	d.progress(c)
	if c.sticky != 0 && !destroys {
		return failure(call, c.sticky)
	}
	r := f(c)
	if r == 0 {
		r = c.sticky
	}
	return failure(call, r)
}

// progress runs some queued work if a seed asks for that.
func (d *Driver) progress(c *context) {
	if d.rng == nil || len(c.streams) == 0 {
		return
	}
	handles := make([]driver.Stream, 0, len(c.streams))
	for h := range c.streams {
		handles = append(handles, h)
	}
	slices.Sort(handles)
	s := c.streams[handles[d.rng.IntN(len(handles))]]
	for n := d.rng.IntN(4); n > 0 && len(s.queue) > 0; n-- {
		c.step(s)
	}
}

// goroutine returns the number of the calling goroutine.
func goroutine() uint64 {
	var buf [64]byte
	text := string(buf[:runtime.Stack(buf[:], false)])
	fields := strings.Fields(text) // "goroutine 7 [running]:"
	n, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		panic("BUG: mock: " + text)
	}
	return n
}

func (d *Driver) Init() error {
	return d.free("cuInit", func() driver.Result { d.inited = true; return 0 })
}

func (d *Driver) Version() (v int, err error) {
	err = d.free("cuDriverGetVersion", func() driver.Result { v = 12040; return 0 })
	return v, err
}

func (d *Driver) DeviceCount() (n int, err error) {
	err = d.free("cuDeviceGetCount", func() driver.Result { n = d.opt.Devices; return 0 })
	return n, err
}

func (d *Driver) DeviceGet(ordinal int) (id driver.DeviceID, err error) {
	err = d.free("cuDeviceGet", func() driver.Result {
		id = driver.DeviceID(ordinal)
		return d.known(id)
	}, ordinal)
	return id, err
}

// known checks a device's number.
func (d *Driver) known(id driver.DeviceID) driver.Result {
	if id < 0 || int(id) >= d.opt.Devices {
		return driver.InvalidDevice
	}
	return 0
}

func (d *Driver) DeviceName(id driver.DeviceID) (name string, err error) {
	err = d.free("cuDeviceGetName", func() driver.Result { name = "Mock GPU"; return d.known(id) }, id)
	return name, err
}

func (d *Driver) DeviceTotalMem(id driver.DeviceID) (n uint64, err error) {
	err = d.free("cuDeviceTotalMem", func() driver.Result { n = d.opt.Memory; return d.known(id) }, id)
	return n, err
}

func (d *Driver) DeviceAttribute(a driver.Attribute, id driver.DeviceID) (v int, err error) {
	err = d.free("cuDeviceGetAttribute", func() driver.Result {
		values := map[driver.Attribute]int{
			driver.MaxThreadsPerBlock: 1024, driver.MaxGridX: 1<<31 - 1, driver.MaxGridY: 65535,
			driver.SharedMemoryPerBlock: 48 << 10, driver.WarpSize: 32, driver.RegistersPerBlock: 65536,
			driver.MultiprocessorCount: 4, driver.MemoryClockKHz: 1_000_000, driver.MemoryBusBits: 256,
			driver.L2Bytes: 1 << 20, driver.ThreadsPerSM: 2048, driver.SharedMemoryPerSM: 100 << 10,
			driver.ComputeCapabilityMajor: d.opt.SM / 10, driver.ComputeCapabilityMinor: d.opt.SM % 10,
			driver.SharedMemoryOptIn: 96 << 10, driver.BlocksPerSM: 32, driver.MemoryPools: 1,
		}
		if d.opt.NoPools {
			values[driver.MemoryPools] = 0
		}
		var ok bool
		if v, ok = values[a]; !ok {
			return driver.InvalidValue
		}
		return d.known(id)
	}, a, id)
	return v, err
}

func (d *Driver) PrimaryCtxRetain(id driver.DeviceID) (h driver.Context, err error) {
	err = d.free("cuDevicePrimaryCtxRetain", func() driver.Result {
		if r := d.known(id); r != 0 {
			return r
		}
		d.contexts[id].refs++
		h = d.contexts[id].handle
		return 0
	}, id)
	return h, err
}

func (d *Driver) PrimaryCtxRelease(id driver.DeviceID) error {
	return d.free("cuDevicePrimaryCtxRelease", func() driver.Result {
		if r := d.known(id); r != 0 {
			return r
		}
		c := d.contexts[id]
		if c.refs == 0 {
			d.fault("cuDevicePrimaryCtxRelease(%d): the context is not retained", id)
			return driver.InvalidContext
		}
		if c.refs--; c.refs == 0 {
			if c.sticky == 0 {
				d.lost = append(d.lost, c.alive()...)
			}
			for g, current := range d.current {
				if current == c {
					d.fault("cuDevicePrimaryCtxRelease(%d): the context is current on a thread", id)
					delete(d.current, g)
				}
			}
			c.reset()
		}
		return 0
	}, id)
}

func (d *Driver) CtxSetCurrent(h driver.Context) error {
	return d.free("cuCtxSetCurrent", func() driver.Result {
		if h == 0 {
			delete(d.current, goroutine())
			return 0
		}
		for _, c := range d.contexts {
			if c.handle == h && c.refs > 0 {
				d.current[goroutine()] = c
				return 0
			}
		}
		d.fault("cuCtxSetCurrent(%#x): no such context", h)
		return driver.InvalidContext
	}, h)
}

func (d *Driver) CtxSynchronize() error {
	return d.do("cuCtxSynchronize", func(c *context) driver.Result {
		if r := c.unsafeInCapture("cuCtxSynchronize", true); r != 0 {
			return r
		}
		c.runAll()
		return 0
	})
}
