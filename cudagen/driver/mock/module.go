// Modules and kernels. A "cubin" of the mock is a text that names the
// architecture and the kernels; what a kernel does is a Go function.

package mock

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/asterias-ml/asterias/cudagen/driver"
)

// Kernel is what the mock runs for a kernel of a name.
type Kernel struct {
	Params []int // each parameter's bytes
	Run    func(l *Launch)
}

// Register gives the kernels of a name a body. A launch of one without fails.
func (d *Driver) Register(name string, k Kernel) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kernels[name] = k
}

// Launch is one run of a kernel.
type Launch struct {
	Grid, Block driver.Dim3
	Shared      uint32
	name        string
	c           *context
	params      [][]byte
	failed      bool
}

// Arg returns parameter i of a launch, which has T's size.
func Arg[T any](l *Launch, i int) T {
	var v T
	if n := int(unsafe.Sizeof(v)); len(l.params[i]) != n {
		panic(fmt.Sprintf("mock: kernel %s: parameter %d has %d bytes, read as %d", l.name, i, len(l.params[i]), n))
	}
	return *(*T)(unsafe.Pointer(&l.params[i][0]))
}

// Slice returns the n elements of device memory that pointer parameter i points
// to. If they are not there the launch fails and the slice is other memory.
func Slice[T any](l *Launch, i, n int) []T {
	var v T
	p, size := Arg[driver.Ptr](l, i), uint64(unsafe.Sizeof(v))
	what := fmt.Sprintf("kernel %s, parameter %d", l.name, i)
	bytes := l.c.at(what, p, uint64(n)*size)
	if uint64(p)%size != 0 {
		l.c.d.fault("%s: %#x is not aligned", what, p)
		bytes = nil
	}
	if bytes == nil {
		l.failed = true
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(bytes))), n)
}

type module struct {
	kernels []string
}

type function struct {
	name    string
	module  driver.Module
	dynamic int // shared bytes that a launch may ask for
}

const magic = "mock cubin\n"

// Cubin returns machine code of the mock with kernels of some names.
func Cubin(sm int, kernels ...string) []byte {
	return fmt.Appendf(nil, "%ssm_%d\n%s\n", magic, sm, strings.Join(kernels, "\n"))
}

func (d *Driver) ModuleLoadData(image []byte) (m driver.Module, err error) {
	const call = "cuModuleLoadData"
	err = d.do(call, func(c *context) driver.Result {
		if r := c.unsafeInCapture(call, false); r != 0 {
			return r
		}
		text, ok := strings.CutPrefix(string(image), magic)
		if !ok {
			return driver.InvalidImage
		}
		lines := strings.Fields(text)
		if len(lines) == 0 || lines[0] != fmt.Sprintf("sm_%d", d.opt.SM) {
			return driver.NoBinaryForGPU
		}
		m = driver.Module(d.handle())
		c.modules[m] = &module{kernels: lines[1:]}
		return 0
	}, len(image))
	return m, err
}

func (d *Driver) ModuleUnload(m driver.Module) error {
	return d.destroy("cuModuleUnload", func(c *context) driver.Result {
		if c.modules[m] == nil {
			d.fault("cuModuleUnload: %#x is no module", m)
			return driver.InvalidHandle
		}
		delete(c.modules, m)
		return 0
	}, m)
}

func (d *Driver) ModuleGetFunction(m driver.Module, name string) (f driver.Function, err error) {
	err = d.do("cuModuleGetFunction", func(c *context) driver.Result {
		mod := c.modules[m]
		if mod == nil {
			d.fault("cuModuleGetFunction: %#x is no module", m)
			return driver.InvalidHandle
		}
		if !slices.Contains(mod.kernels, name) {
			return driver.NotFound
		}
		f = driver.Function(d.handle())
		c.functions[f] = &function{name: name, module: m, dynamic: 48 << 10}
		return 0
	}, m, name)
	return f, err
}

// function returns a kernel whose module is loaded.
func (c *context) function(call string, f driver.Function) (*function, driver.Result) {
	k := c.functions[f]
	if k == nil || c.modules[k.module] == nil {
		c.d.fault("%s: %#x is no function of a loaded module", call, f)
		return nil, driver.InvalidHandle
	}
	return k, 0
}

func (d *Driver) FuncGetAttribute(a driver.FuncAttribute, f driver.Function) (v int, err error) {
	err = d.do("cuFuncGetAttribute", func(c *context) driver.Result {
		k, r := c.function("cuFuncGetAttribute", f)
		if r != 0 {
			return r
		}
		switch a {
		case driver.FuncMaxThreads:
			v = 1024
		case driver.FuncRegisters:
			v = 32
		case driver.FuncDynamicSharedBytes:
			v = k.dynamic
		}
		return 0
	}, a, f)
	return v, err
}

func (d *Driver) FuncSetAttribute(f driver.Function, a driver.FuncAttribute, value int) error {
	return d.do("cuFuncSetAttribute", func(c *context) driver.Result {
		k, r := c.function("cuFuncSetAttribute", f)
		switch {
		case r != 0:
			return r
		case a != driver.FuncDynamicSharedBytes || value < 0 || value > 96<<10:
			return driver.InvalidValue
		}
		k.dynamic = value
		return 0
	}, f, a, value)
}

func (d *Driver) OccupancyMaxActiveBlocks(f driver.Function, threads int, shared uint64) (n int, err error) {
	err = d.do("cuOccupancyMaxActiveBlocksPerMultiprocessor", func(c *context) driver.Result {
		if _, r := c.function("cuOccupancyMaxActiveBlocksPerMultiprocessor", f); r != 0 {
			return r
		}
		if threads < 1 || threads > 1024 {
			return driver.InvalidValue
		}
		n = min(2048/threads, 32, int((100<<10)/max(shared, 1)))
		return 0
	}, f, threads, shared)
	return n, err
}

func (d *Driver) LaunchKernel(f driver.Function, grid, block driver.Dim3, shared uint32, s driver.Stream, params []unsafe.Pointer) error {
	const call = "cuLaunchKernel"
	name := "?"
	d.mu.Lock()
	if c := d.current[goroutine()]; c != nil && c.functions[f] != nil {
		name = c.functions[f].name
	}
	d.mu.Unlock()
	return d.work(call, s, func(c *context, q *stream) (*op, driver.Result) {
		k, r := c.function(call, f)
		if r != 0 {
			return nil, r
		}
		threads := uint64(block.X) * uint64(block.Y) * uint64(block.Z)
		switch {
		case grid.X == 0 || grid.Y == 0 || grid.Z == 0 || threads == 0 || threads > 1024 || grid.Y > 65535 || grid.Z > 65535:
			d.fault("%s: %s: grid %v, block %v", call, k.name, grid, block)
			return nil, driver.InvalidValue
		case int(shared) > k.dynamic:
			d.fault("%s: %s: %d bytes of shared memory, %d were asked for", call, k.name, shared, k.dynamic)
			return nil, driver.InvalidValue
		}
		body, ok := d.kernels[k.name]
		if !ok {
			d.fault("%s: kernel %s has no body", call, k.name)
			return nil, driver.NotFound
		}
		if len(body.Params) != len(params) {
			d.fault("%s: kernel %s has %d parameters, %d were given", call, k.name, len(body.Params), len(params))
			return nil, driver.InvalidValue
		}
		l := &Launch{Grid: grid, Block: block, Shared: shared, name: k.name, c: c}
		for i, n := range body.Params {
			v := words(uint64(n))
			copy(v, hostBytes(params[i], uint64(n)))
			l.params = append(l.params, v)
		}
		return &op{run: func() driver.Result {
			if _, r := c.function(call, f); r != 0 {
				return driver.IllegalAddress
			}
			l.failed = false
			body.Run(l)
			if l.failed {
				return driver.IllegalAddress
			}
			return 0
		}}, 0
	}, name, grid, block)
}
