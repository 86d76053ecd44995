package emu

// Faults in words: which memory, which lines.

import (
	"fmt"
)

// fault makes an error of what the process reports.
func (m *Machine) fault(mod *Module, k *kernel, l Launch, a answer) *Fault {
	f := &Fault{
		Kind: Kind(a.Kind), Kernel: k.name, Line: int(a.Line), Seed: l.Seed, Text: a.text,
		Block: dim3(a.Block), Thread: dim3(a.Thread),
	}
	if a.Place != 0 {
		f.Line = m.tools.line(mod.Image, a.Place)
	}
	switch {
	case f.Kind == Time:
		f.Text = fmt.Sprintf("still running after %v", m.opt.Limit)
	case f.Kind == Address && a.Address != 0:
		f.Text = m.describe(k, l, Memory(a.Address), a.Write != 0, a.text != "")
	case f.Kind == Race && a.OtherPlace != 0:
		f.Text = m.describeRace(mod, k, l, a)
	}
	return f
}

// describeRace says which two accesses are in no order.
func (m *Machine) describeRace(mod *Module, k *kernel, l Launch, a answer) string {
	verb := "reads"
	if a.Write != 0 {
		verb = "writes"
	}
	what := "shared memory"
	if b := m.at(Memory(a.Address), 0); b != nil {
		what = fmt.Sprintf("byte %d of %s", a.Address-uint64(m.arena.base)-b.start, m.name(k, l, b))
	}
	who := fmt.Sprintf("thread %s", dim3(a.OtherThread))
	if a.OtherBlock != a.Block {
		who += fmt.Sprintf(" of block %s", dim3(a.OtherBlock))
	}
	if line := m.tools.line(mod.Image, a.OtherPlace); line != 0 {
		who += fmt.Sprintf(" in line %d", line)
	}
	return fmt.Sprintf("race: %s %s, which %s %s; nothing orders them", verb, what, who, a.text)
}

// name says which memory a block is.
func (m *Machine) name(k *kernel, l Launch, b *block) string {
	for i, p := range k.params {
		if p.pointer && m.at(Memory(l.Args[i]), 0) == b {
			return fmt.Sprintf("argument %d (%d bytes)", i, b.n)
		}
	}
	return fmt.Sprintf("a buffer of %d bytes", b.n)
}

// describe says what an address is that must not be accessed, or not so.
func (m *Machine) describe(k *kernel, l Launch, p Memory, write, misaligned bool) string {
	verb := "reads"
	if write {
		verb = "writes"
	}
	b := m.find(p)
	if b == nil {
		if misaligned {
			return fmt.Sprintf("accesses %#x, misaligned", uint64(p))
		}
		return fmt.Sprintf("%s at %#x, which is in no buffer", verb, uint64(p))
	}
	name := m.name(k, l, b)
	offset := uint64(p) - uint64(m.arena.base)
	switch {
	case b.freed:
		return fmt.Sprintf("%s %s that was freed", verb, name)
	case offset < b.start:
		return fmt.Sprintf("%s %d bytes before the start of %s", verb, b.start-offset, name)
	case offset >= b.start+b.n:
		return fmt.Sprintf("%s %d bytes behind the end of %s", verb, offset-b.start-b.n, name)
	case misaligned:
		return fmt.Sprintf("accesses byte %d of %s, misaligned", offset-b.start, name)
	case write:
		return fmt.Sprintf("writes to byte %d of %s, which is read-only", offset-b.start, name)
	}
	return fmt.Sprintf("reads byte %d of %s, which it must not", offset-b.start, name)
}
