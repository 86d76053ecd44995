package device

// The compiler, modules and launches.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
	"github.com/asterias-ml/asterias/cudagen/emu"
)

// compiler implements [driver.Compiler]. Its machine code is a line that names the
// architecture, and the text.
type compiler struct {
	*mock.Compiler
	machine *emu.Machine
}

var _ driver.Compiler = (*compiler)(nil)

func (d *Driver) compiler() *compiler { return &compiler{d.Driver.Compiler(), d.machine} }

const magic = "emulated kernels sm_"

// Compile compiles the text for this processor and returns it. Options and
// architecture do not matter to it; headers are refused.
func (c *compiler) Compile(s driver.Source) (cubin []byte, log string, err error) {
	// The mock's architectures and injected failures; an #error may well be in a
	// branch that is not compiled.
	asked := s
	asked.Text = ""
	if _, log, err := c.Compiler.Compile(asked); err != nil {
		return nil, log, err
	}
	failed := func(log string) error {
		return &driver.CompileError{Source: s, Log: log, Err: &driver.Error{
			Library: driver.LibraryNVRTC, Call: "nvrtcCompileProgram", Code: 6, Name: "NVRTC_ERROR_COMPILATION",
		}}
	}
	if len(s.Headers) > 0 {
		return nil, "", failed("the emulator compiles texts without headers")
	}
	if _, err := c.machine.Build(context.Background(), s.Text); err != nil {
		if e, ok := errors.AsType[*emu.CompileError](err); ok {
			return nil, e.Output, failed(e.Output)
		}
		return nil, "", err
	}
	return fmt.Appendf(nil, "%s%d\n%s", magic, s.SM, s.Text), "", nil
}

// module is a loaded text. The mock knows its kernels by names that are unique, as
// "gat#3": those of several modules may be the same.
type module struct {
	loaded *emu.Module
	suffix string
}

func (d *Driver) ModuleLoadData(image []byte) (driver.Module, error) {
	const call = "cuModuleLoadData"
	rest, ok := strings.CutPrefix(string(image), magic)
	sm, text, found := strings.Cut(rest, "\n")
	switch {
	case !ok || !found:
		return 0, failure(call, driver.InvalidImage)
	case sm != strconv.Itoa(d.options.SM):
		return 0, failure(call, driver.NoBinaryForGPU)
	}
	loaded, err := d.machine.Load(context.Background(), text)
	if err != nil {
		return 0, errors.Join(failure(call, driver.InvalidImage), err)
	}
	d.mu.Lock()
	d.loaded++
	m := &module{loaded: loaded, suffix: "#" + strconv.Itoa(d.loaded)}
	d.mu.Unlock()
	var names []string
	for _, name := range loaded.Image.Kernels {
		sizes, _ := loaded.Params(name)
		if slices.Max(append(sizes, 0)) > 8 {
			return 0, errors.Join(failure(call, driver.NotSupported), fmt.Errorf("kernel %s has a parameter of more than 8 bytes", name), d.machine.Unload(loaded))
		}
		d.Register(name+m.suffix, mock.Kernel{Params: append(slices.Clone(sizes), 8), Run: d.body(m, name, sizes)})
		names = append(names, name+m.suffix)
	}
	h, err := d.Driver.ModuleLoadData(mock.Cubin(d.options.SM, names...))
	if err != nil {
		return 0, errors.Join(d.because(err), d.machine.Unload(loaded))
	}
	d.mu.Lock()
	d.modules[h] = m
	d.mu.Unlock()
	return h, nil
}

func (d *Driver) ModuleUnload(h driver.Module) error {
	err := d.Driver.ModuleUnload(h)
	if err != nil && !d.isBroken() {
		return err
	}
	d.mu.Lock()
	m := d.modules[h]
	delete(d.modules, h)
	d.mu.Unlock()
	if m != nil {
		err = errors.Join(err, d.machine.Unload(m.loaded))
	}
	return d.because(err)
}

func (d *Driver) ModuleGetFunction(h driver.Module, name string) (driver.Function, error) {
	d.mu.Lock()
	m := d.modules[h]
	d.mu.Unlock()
	if m != nil {
		name += m.suffix
	}
	f, err := d.Driver.ModuleGetFunction(h, name)
	return f, d.because(err)
}

// body returns what the mock runs for a kernel. The parameter after the kernel's
// own is a null pointer.
func (d *Driver) body(m *module, name string, sizes []int) func(*mock.Launch) {
	return func(l *mock.Launch) {
		run := emu.Launch{Kernel: name, Grid: emu.Dim3(l.Grid), Block: emu.Dim3(l.Block), Seed: d.options.Schedule}
		for i, n := range sizes {
			run.Args = append(run.Args, bits(l, i, n))
		}
		if err := d.machine.Run(m.loaded, run); err != nil {
			d.end(l, len(sizes), err)
		}
	}
}

// bits returns a parameter of n bytes.
func bits(l *mock.Launch, i, n int) uint64 {
	switch n {
	case 1:
		return uint64(mock.Arg[uint8](l, i))
	case 2:
		return uint64(mock.Arg[uint16](l, i))
	case 4:
		return uint64(mock.Arg[uint32](l, i))
	case 8:
		return mock.Arg[uint64](l, i)
	}
	panic(fmt.Sprintf("BUG: device: a parameter of %d bytes", n))
}

// LaunchKernel queues a launch.
func (d *Driver) LaunchKernel(f driver.Function, grid, block driver.Dim3, shared uint32, s driver.Stream, params []unsafe.Pointer) error {
	const call = "cuLaunchKernel"
	if shared != 0 {
		d.fault("%s: %d bytes of dynamic shared memory, which the emulator does not have", call, shared)
		return failure(call, driver.NotSupported)
	}
	null := new(uint64)
	return d.because(d.Driver.LaunchKernel(f, grid, block, 0, s, append(slices.Clone(params), unsafe.Pointer(null))))
}
