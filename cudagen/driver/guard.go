// Guard bytes around buffers, for debugging.

package driver

import (
	"bytes"
	"fmt"
	"unsafe"
)

const (
	guardBytes = 256 // before and after; keeps the alignment
	guardValue = 0xA5
	freshValue = 0xFF // as float32 or float64: NaN
)

// GuardError is a buffer whose surroundings were written to.
type GuardError struct {
	Label  string
	Bytes  uint64
	Offset int64 // of the first wrong byte, from the buffer's start
}

// Error says which buffer and where.
func (e *GuardError) Error() string {
	return fmt.Sprintf("cuda: a kernel wrote outside of buffer %q of %d bytes, at offset %d", e.Label, e.Bytes, e.Offset)
}

// setGuards fills a block that is about to be given out.
func (m *memory) setGuards(b *block) error {
	d := m.c.driver
	if err := d.MemsetD8Async(b.base, guardValue, guardBytes, b.stream); err != nil {
		return err
	}
	if err := d.MemsetD8Async(b.ptr, freshValue, b.bytes, b.stream); err != nil {
		return err
	}
	return d.MemsetD8Async(b.ptr+Ptr(b.bytes), guardValue, guardBytes, b.stream)
}

// checkGuards reads what surrounds a buffer after all work on it.
func (m *memory) checkGuards(b *block) error {
	d := m.c.driver
	if err := d.CtxSynchronize(); err != nil {
		return err
	}
	got := make([]byte, guardBytes)
	want := bytes.Repeat([]byte{guardValue}, guardBytes)
	for _, start := range []Ptr{b.base, b.ptr + Ptr(b.bytes)} {
		if err := d.MemcpyDtoH(unsafe.Pointer(&got[0]), start, guardBytes); err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			i := 0
			for got[i] == guardValue {
				i++
			}
			return &GuardError{Label: b.label, Bytes: b.bytes, Offset: int64(start) + int64(i) - int64(b.ptr)}
		}
	}
	return nil
}
