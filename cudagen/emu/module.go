package emu

// Loaded texts.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Module is a loaded text.
type Module struct {
	Image   *Image
	machine *Machine
	process *process // that has it loaded
	handle  uint64
	kernels []*kernel
}

type kernel struct {
	name   string
	params []param
}

type param struct {
	size         int
	pointer      bool
	pointeeConst bool
}

// Build compiles a text without loading it; the second time it finds it in a cache.
// The error of a text that does not compile is a [*CompileError].
func (m *Machine) Build(ctx context.Context, text string) (*Image, error) {
	return m.tools.build(ctx, text, m.opt.Races)
}

// Load compiles a text, or finds it compiled, and loads it.
func (m *Machine) Load(ctx context.Context, text string) (*Module, error) {
	image, err := m.Build(ctx, text)
	if err != nil {
		return nil, err
	}
	return m.LoadImage(image)
}

// LoadImage loads a compiled text.
func (m *Machine) LoadImage(image *Image) (*Module, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.ready(); err != nil {
		return nil, err
	}
	mod := &Module{Image: image, machine: m}
	return mod, mod.load()
}

// load makes the running process load the module.
func (mod *Module) load() error {
	m := mod.machine
	a, err := m.process.ask(requestHead{Kind: requestLoad}, []byte(mod.Image.Path))
	if err != nil {
		m.end()
		return err
	}
	if a.Status != answerOK {
		return fmt.Errorf("emu: loading kernels: %s", a.text)
	}
	first, rest, _ := strings.Cut(a.text, "\n")
	if mod.handle, err = strconv.ParseUint(first, 10, 64); err != nil {
		panic("BUG: emu: " + err.Error())
	}
	mod.process = m.process
	mod.kernels = mod.kernels[:0]
	for line := range strings.Lines(rest) {
		fields := strings.Fields(line)
		k := &kernel{name: fields[0]}
		for _, f := range fields[1:] {
			var size, flags int
			if _, err := fmt.Sscanf(f, "%d:%d", &size, &flags); err != nil {
				panic("BUG: emu: " + err.Error())
			}
			k.params = append(k.params, param{size: size, pointer: flags&1 != 0, pointeeConst: flags&2 != 0})
		}
		mod.kernels = append(mod.kernels, k)
	}
	return nil
}

// Unload forgets a module.
func (m *Machine) Unload(mod *Module) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	if mod.process == nil || mod.process != m.process {
		return nil
	}
	mod.process = nil
	err := m.process.must(requestHead{Kind: requestUnload, A: mod.handle})
	if err != nil {
		m.end()
	}
	return err
}

// Params returns the sizes of a kernel's parameters in bytes, false if there is no
// kernel of that name.
func (mod *Module) Params(name string) (sizes []int, ok bool) {
	i := mod.index(name)
	if i < 0 {
		return nil, false
	}
	sizes = make([]int, len(mod.kernels[i].params))
	for j, p := range mod.kernels[i].params {
		sizes[j] = p.size
	}
	return sizes, true
}

func (mod *Module) index(name string) int {
	return slices.IndexFunc(mod.kernels, func(k *kernel) bool { return k.name == name })
}
