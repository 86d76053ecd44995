package emu

// Launches: what is checked before, watched meanwhile and looked at after.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// Dim3 is the size of a grid in blocks, or of a block in threads, or a place in
// one. For sizes zero components mean 1.
type Dim3 struct{ X, Y, Z uint32 }

// String returns e.g. "(1,0,0)".
func (d Dim3) String() string { return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z) }

func (d Dim3) filled() Dim3 { return Dim3{max(d.X, 1), max(d.Y, 1), max(d.Z, 1)} }

func (d Dim3) array() [3]uint32 { return [3]uint32{d.X, d.Y, d.Z} }

func (d Dim3) count() uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }

func dim3(d [3]uint32) Dim3 { return Dim3{d[0], d[1], d[2]} }

// Launch is one run of a kernel.
type Launch struct {
	Kernel      string
	Grid, Block Dim3
	Seed        uint64   // of the schedule, see [Program.SetSeed]
	Args        []uint64 // values as bits, pointers as addresses
	ReadOnly    []Memory // memory that the kernel must not write to
}

// Run runs a kernel and waits for it. What it does wrong is a [*Fault].
func (m *Machine) Run(mod *Module, l Launch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.ready(); err != nil {
		return err
	}
	if mod.process != m.process {
		if err := mod.load(); err != nil {
			return err
		}
	}
	index := mod.index(l.Kernel)
	if index < 0 {
		return fmt.Errorf("emu: no kernel %q among %v", l.Kernel, mod.Image.Kernels)
	}
	k := mod.kernels[index]
	l.check(k)
	for _, b := range m.fresh {
		if err := m.protect(b, writeable); err != nil {
			return err
		}
	}
	m.fresh = m.fresh[:0]
	guarded := m.guarded(k, l)
	for _, b := range guarded {
		if err := m.protect(b, readable); err != nil {
			return err
		}
	}
	var data bytes.Buffer
	head := launchHead{
		Module: mod.handle, Seed: l.Seed, Kernel: uint32(index), Milliseconds: uint32(max(m.opt.Limit.Milliseconds(), 1)),
		Grid: l.Grid.filled().array(), Block: l.Block.filled().array(),
	}
	for _, v := range []any{head, l.Args} {
		if err := binary.Write(&data, binary.NativeEndian, v); err != nil {
			panic("BUG: emu: " + err.Error())
		}
	}
	a, err := m.process.limited(requestHead{Kind: requestLaunch}, data.Bytes(), 20*m.opt.Limit+time.Minute)
	if err != nil {
		m.end()
		return fmt.Errorf("emu: kernel %s: %w", l.Kernel, err)
	}
	if a.Status == answerFault {
		m.end()
		return m.fault(mod, k, l, a)
	}
	for _, b := range guarded {
		if err := m.protect(b, writeable); err != nil {
			return err
		}
	}
	return m.checkSlack(k, l)
}

// check panics for launches that no kernel of this signature can have.
func (l Launch) check(k *kernel) {
	grid, block := l.Grid.filled(), l.Block.filled()
	switch {
	case len(l.Args) != len(k.params):
		misuse("Launch", "kernel %s has %d parameters, %d were given", k.name, len(k.params), len(l.Args))
	case block.count() > 1024 || block.Z > 64:
		misuse("Launch", "kernel %s: blocks of %v threads", k.name, block)
	case grid.Y > 65535 || grid.Z > 65535 || grid.count() > 1<<26:
		misuse("Launch", "kernel %s: a grid of %v blocks", k.name, grid)
	}
	for i, p := range k.params {
		if p.size > 8 {
			misuse("Launch", "kernel %s: parameter %d has %d bytes, more than 8", k.name, i, p.size)
		}
	}
}

// guarded returns the blocks that a launch must not write to: those that only
// pointers to const point into, and those that the caller says.
func (m *Machine) guarded(k *kernel, l Launch) []*block {
	var asked, read, written []*block
	for _, p := range l.ReadOnly {
		if b := m.at(p, 0); b != nil {
			asked = append(asked, b)
		}
	}
	for i, p := range k.params {
		b := m.at(Memory(l.Args[i]), 0)
		switch {
		case !p.pointer || b == nil:
		case p.pointeeConst:
			read = append(read, b)
		default:
			written = append(written, b)
		}
	}
	read = slices.DeleteFunc(read, func(b *block) bool { return slices.Contains(written, b) })
	return append(asked, read...)
}

// checkSlack looks whether a kernel wrote next to the memory it was given.
func (m *Machine) checkSlack(k *kernel, l Launch) error {
	for i, p := range k.params {
		b := m.at(Memory(l.Args[i]), 0)
		if !p.pointer || b == nil {
			continue
		}
		before, foundBefore := m.damaged(b.first, b.start)
		behind, foundBehind := m.damaged(b.start+b.n, b.end)
		text := ""
		switch {
		case foundBefore:
			text = fmt.Sprintf("a thread wrote %d bytes before the start of argument %d (%d bytes)", b.start-before, i, b.n)
		case foundBehind:
			text = fmt.Sprintf("a thread wrote %d bytes behind the end of argument %d (%d bytes)", behind-b.start-b.n, i, b.n)
		default:
			continue
		}
		m.poison(b.first, b.start)
		m.poison(b.start+b.n, b.end)
		return &Fault{Kind: Address, Kernel: k.name, Seed: l.Seed, Text: text, Unplaced: true}
	}
	return nil
}
