package emu

// A machine's memory: blocks between guard pages, and what is poison in them.

import (
	"bytes"
	"fmt"
	"slices"
	"unsafe"
)

// Memory is an address of a machine's memory.
type Memory uint64

// block is a piece of memory.
type block struct {
	start, n   uint64 // offset in the arena, and bytes
	first, end uint64 // its pages, without the guards
	freed      bool
}

// Alloc returns memory of n bytes, full of poison: a NaN as float32 and as
// float64, and no valid index.
func (m *Machine) Alloc(n uint64) (Memory, error) { return m.alloc(n, true) }

// AllocZeros returns memory full of zeros. What nobody touches of it costs nothing.
func (m *Machine) AllocZeros(n uint64) (Memory, error) { return m.alloc(n, false) }

func (m *Machine) alloc(n uint64, poisoned bool) (Memory, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, ErrClosed
	}
	b := m.newBlock(n)
	if b == nil {
		return 0, fmt.Errorf("emu: no addresses left for %d bytes, of %d", n, m.arena.size)
	}
	b.n, b.start = n, b.first
	if !m.opt.LeftAligned {
		b.start = (b.end - n) &^ uint64(m.opt.Align-1)
	}
	m.fresh = append(m.fresh, b)
	m.poison(b.first, b.start)
	if poisoned {
		m.poison(b.start, b.start+n)
	}
	m.poison(b.start+n, b.end)
	return Memory(uint64(m.arena.base) + b.start), nil
}

// newBlock returns a block with pages for n bytes, nil if there is none. When all
// addresses were given out, those of a freed block of this size are used again.
func (m *Machine) newBlock(n uint64) *block {
	if offset, ok := m.arena.take(max(n, 1)); ok {
		b := &block{first: offset, end: m.arena.next - m.arena.page}
		m.blocks = append(m.blocks, b)
		return b
	}
	for _, b := range m.blocks {
		if size := b.end - b.first; b.freed && size >= n && size-n < m.arena.page {
			b.freed = false
			return b
		}
	}
	return nil
}

// pattern is poison for any address that is a multiple of 4, and starts there.
var pattern = bytes.Repeat([]byte{0xF7, 0x7F, 0xF7, 0x7F}, 1024)

// poison fills a range of the arena.
func (m *Machine) poison(from, to uint64) {
	for from < to {
		from += uint64(copy(m.arena.data[from:to], pattern[from%4:]))
	}
}

// damaged returns where a range is no poison any more.
func (m *Machine) damaged(from, to uint64) (at uint64, found bool) {
	for from < to {
		n := min(to-from, 1024)
		if want := pattern[from%4:][:n]; !bytes.Equal(m.arena.data[from:from+n], want) {
			for i := range want {
				if m.arena.data[from+uint64(i)] != want[i] {
					return from + uint64(i), true
				}
			}
		}
		from += n
	}
	return 0, false
}

// find returns the block whose pages an address is in, or is next to.
func (m *Machine) find(p Memory) *block {
	offset := uint64(p) - uint64(m.arena.base)
	i, ok := slices.BinarySearchFunc(m.blocks, offset, func(b *block, offset uint64) int {
		switch {
		case offset < b.first-m.arena.page:
			return 1
		case offset >= b.end+m.arena.page:
			return -1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return m.blocks[i]
}

// at returns the block that has n bytes at an address, nil if there is none.
func (m *Machine) at(p Memory, n uint64) *block {
	b := m.find(p)
	offset := uint64(p) - uint64(m.arena.base)
	if b == nil || b.freed || offset < b.start || offset+n > b.start+b.n {
		return nil
	}
	return b
}

// Bytes returns the n bytes at an address, nil if they are not there. They are the
// memory itself, until it is freed.
func (m *Machine) Bytes(p Memory, n uint64) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || m.at(p, n) == nil {
		return nil
	}
	offset := uint64(p) - uint64(m.arena.base)
	return m.arena.data[offset : offset+n : offset+n]
}

// Free gives memory back. Its addresses are not given out again as long as there are
// others: a kernel that uses them fails.
func (m *Machine) Free(p Memory) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	b := m.at(p, 0)
	if b == nil || uint64(p) != uint64(m.arena.base)+b.start {
		return fmt.Errorf("emu: free of %#x: no memory starts there, or it was freed", uint64(p))
	}
	b.freed = true
	if i := slices.Index(m.fresh, b); i >= 0 {
		m.fresh = slices.Delete(m.fresh, i, i+1)
	} else if m.process != nil {
		if err := m.protect(b, noAccess); err != nil {
			return err
		}
	}
	return m.arena.forget(b.first, b.end-b.first)
}

// protect says what kernels may do with a block.
func (m *Machine) protect(b *block, how int) error {
	err := m.process.tell(requestHead{Kind: requestProtect, A: uint64(m.arena.base) + b.first, B: b.end - b.first, C: uint64(how)})
	if err != nil {
		m.end()
	}
	return err
}

// words returns n elements at an address of this process.
func words[T any](data []byte, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), n)
}
