package emu

// The interface for tests of kernels: a compiled program with a machine of its own.

import (
	"context"
	"fmt"
	"math"
	"unsafe"
)

// Program is compiled texts on a machine of their own. It is for one goroutine.
type Program struct {
	machine *Machine
	modules []*Module
	byName  map[string]*Module
	seed    uint64
}

// Compile compiles texts and starts a machine that runs their kernels. Each text is
// compiled on its own; many kernels in one text compile faster than many texts. A
// text that was compiled before is found in a cache. The error of a text that does
// not compile is a [*CompileError]; one of a machine without compiler is a
// [*NoCompilerError]. Launches look for races: [Options.Races] is on.
func Compile(ctx context.Context, sources ...string) (*Program, error) {
	return Options{Races: true}.Compile(ctx, sources...)
}

// Compile is [Compile] for a machine with these options.
func (o Options) Compile(ctx context.Context, sources ...string) (*Program, error) {
	m, err := NewMachine(ctx, o)
	if err != nil {
		return nil, err
	}
	p := &Program{machine: m, byName: make(map[string]*Module)}
	images, err := m.tools.buildAll(ctx, sources, o.Races)
	if err != nil {
		m.Close()
		return nil, err
	}
	for _, image := range images {
		mod, err := m.LoadImage(image)
		if err != nil {
			m.Close()
			return nil, err
		}
		p.modules = append(p.modules, mod)
		for _, name := range image.Kernels {
			if p.byName[name] != nil {
				m.Close()
				return nil, fmt.Errorf("emu: two texts have a kernel %q", name)
			}
			p.byName[name] = mod
		}
	}
	return p, nil
}

// Close ends the program's process and frees its buffers.
func (p *Program) Close() error { return p.machine.Close() }

// Kernels returns the names of all kernels in the order of the texts.
func (p *Program) Kernels() []string {
	var out []string
	for _, m := range p.modules {
		out = append(out, m.Image.Kernels...)
	}
	return out
}

// SetSeed chooses the order in which threads and blocks run from now on. 0 is
// ascending, 1 descending. Of the others, which take blocks and lanes at random, even
// ones stay with a warp as long as it can run and odd ones change warps at every
// step.
func (p *Program) SetSeed(seed uint64) { p.seed = seed }

// Buffer is memory of a program.
type Buffer struct {
	p    *Program
	addr Memory
	data []byte
}

// Buffer returns a buffer of some bytes, full of poison: NaNs as float32 and as
// float64, and no valid indexes.
func (p *Program) Buffer(bytes int) *Buffer { return p.buffer(bytes, p.machine.Alloc) }

// ZeroBuffer returns a buffer full of zeros. What is not touched of it costs no
// memory: it may be larger than the machine's.
func (p *Program) ZeroBuffer(bytes int) *Buffer { return p.buffer(bytes, p.machine.AllocZeros) }

func (p *Program) buffer(bytes int, alloc func(uint64) (Memory, error)) *Buffer {
	if bytes < 0 {
		misuse("Buffer", "%d bytes", bytes)
	}
	addr, err := alloc(uint64(bytes))
	if err != nil {
		misuse("Buffer", "%v", err)
	}
	return &Buffer{p: p, addr: addr, data: p.machine.Bytes(addr, uint64(bytes))}
}

// Bytes returns the buffer's memory itself.
func (b *Buffer) Bytes() []byte { return b.data }

// Upload copies bytes to the buffer's start.
func (b *Buffer) Upload(data []byte) {
	if len(data) > len(b.data) {
		misuse("Upload", "%d bytes into a buffer of %d", len(data), len(b.data))
	}
	copy(b.data, data)
}

// Download copies from the buffer's start.
func (b *Buffer) Download(data []byte) {
	if len(data) > len(b.data) {
		misuse("Download", "%d bytes from a buffer of %d", len(data), len(b.data))
	}
	copy(data, b.data)
}

// Free gives the buffer back. A kernel that uses it later fails.
func (b *Buffer) Free() {
	if err := b.p.machine.Free(b.addr); err != nil {
		misuse("Free", "%v", err)
	}
	b.data = nil
}

// From returns a buffer with a copy of values.
func From[T any](p *Program, values []T) *Buffer {
	var v T
	b := p.Buffer(len(values) * int(unsafe.Sizeof(v)))
	copy(words[T](b.data, len(values)), values)
	return b
}

// Read returns a copy of a buffer's values.
func Read[T any](b *Buffer) []T {
	var v T
	n := len(b.data) / int(unsafe.Sizeof(v))
	out := make([]T, n)
	copy(out, words[T](b.data, n))
	return out
}

// Arg is an argument of a launch.
type Arg struct {
	bits     uint64
	size     int
	buffer   *Buffer
	readOnly bool
}

// Ptr passes a buffer's address; nil is the null pointer. If the kernel takes a
// pointer to const, it must not write to the buffer, unless it also gets it
// otherwise.
func Ptr(b *Buffer) Arg { return PtrAt(b, 0) }

// PtrAt passes the address of a byte of a buffer.
func PtrAt(b *Buffer, offset int) Arg {
	if b == nil {
		return Arg{size: 8}
	}
	return Arg{bits: uint64(b.addr) + uint64(offset), size: 8, buffer: b}
}

// ReadOnly is [Ptr] for a buffer that the kernel must not write to, whatever the
// type of its parameter.
func ReadOnly(b *Buffer) Arg {
	a := Ptr(b)
	a.readOnly = b != nil
	return a
}

// Int32 passes an int.
func Int32(v int32) Arg { return Arg{bits: uint64(uint32(v)), size: 4} }

// Uint32 passes an unsigned int.
func Uint32(v uint32) Arg { return Arg{bits: uint64(v), size: 4} }

// Int64 passes a long long.
func Int64(v int64) Arg { return Arg{bits: uint64(v), size: 8} }

// Uint64 passes an unsigned long long.
func Uint64(v uint64) Arg { return Arg{bits: v, size: 8} }

// Float32 passes a float.
func Float32(v float32) Arg { return Arg{bits: uint64(math.Float32bits(v)), size: 4} }

// Float64 passes a double.
func Float64(v float64) Arg { return Arg{bits: math.Float64bits(v), size: 8} }

// Launch runs a kernel and waits for it. What the kernel does wrong is a [*Fault].
// Arguments that do not fit the kernel's parameters panic.
func (p *Program) Launch(kernel string, grid, block Dim3, args ...Arg) error {
	mod := p.byName[kernel]
	if mod == nil {
		return fmt.Errorf("emu: no kernel %q among %v", kernel, p.Kernels())
	}
	l := Launch{Kernel: kernel, Grid: grid, Block: block, Seed: p.seed}
	sizes, _ := mod.Params(kernel)
	if len(sizes) != len(args) {
		misuse("Launch", "kernel %s has %d parameters, %d were given", kernel, len(sizes), len(args))
	}
	for i, a := range args {
		if a.size != sizes[i] {
			misuse("Launch", "kernel %s: parameter %d has %d bytes, the argument %d", kernel, i, sizes[i], a.size)
		}
		if a.buffer != nil && a.buffer.p != p {
			misuse("Launch", "kernel %s: argument %d is a buffer of another program", kernel, i)
		}
		l.Args = append(l.Args, a.bits)
		if a.readOnly {
			l.ReadOnly = append(l.ReadOnly, a.buffer.addr)
		}
	}
	return p.machine.Run(mod, l)
}
