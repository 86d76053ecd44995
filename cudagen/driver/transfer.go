// Copies between Go's memory and a device's, through pinned memory: the driver
// would wait for the device if it were given Go's.

package driver

import (
	"unsafe"
)

// Number is what tensors are made of.
type Number interface {
	~float32 | ~float64 | ~int32 | ~int64 | ~uint8 | ~uint32
}

// AsBytes returns a slice's memory.
func AsBytes[T Number](x []T) []byte {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}

const (
	slotBytes = 4 << 20
	slots     = 2
)

// staging is pinned memory in which copies rest on their way.
type staging struct {
	slot [slots]slot
	next int
}

type slot struct {
	memory []byte
	event  Event
	busy   bool   // a copy may be under way
	marked bool   // whose end is the event
	to     []byte // where its bytes must go then, nil for an upload
}

// Upload copies into a buffer from an offset on, after the work that is in the
// device's stream. It returns when src may be changed; the copy itself may end
// later.
func (c *Ctx) Upload(dst *Buffer, offset int, src []byte) error {
	c.checkRange("Upload", dst, offset, len(src))
	if c.Capturing() {
		return c.uploadCaptured(dst, offset, src)
	}
	for len(src) > 0 {
		s, err := c.freeSlot()
		if err != nil {
			return err
		}
		n := copy(s.memory, src)
		s.busy, s.marked, s.to = true, false, nil
		if err := c.driver.MemcpyHtoDAsync(dst.Ptr()+Ptr(offset), unsafe.Pointer(&s.memory[0]), uint64(n), c.stream); err != nil {
			return err
		}
		if err := c.driver.EventRecord(s.event, c.stream); err != nil {
			return err
		}
		s.marked = true
		src, offset = src[n:], offset+n
	}
	return nil
}

// uploadCaptured records an upload: its bytes are kept in pinned memory of the graph.
func (c *Ctx) uploadCaptured(dst *Buffer, offset int, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	h, err := c.AllocHost(len(src))
	if err != nil {
		return err
	}
	pool := c.memory.capture
	pool.host = append(pool.host, h)
	copy(h.Bytes(), src)
	return c.driver.MemcpyHtoDAsync(dst.Ptr()+Ptr(offset), h.Pointer(), uint64(len(src)), c.stream)
}

// Download copies out of a buffer from an offset on, after the work that is in
// the device's stream, and waits for it.
func (c *Ctx) Download(dst []byte, src *Buffer, offset int) (err error) {
	c.checkRange("Download", src, offset, len(dst))
	defer func() {
		for i := range c.staging.slot {
			// The oldest copy first, so that the next is under way meanwhile.
			s := &c.staging.slot[(c.staging.next+i)%slots]
			if err != nil {
				s.to = nil // dst is the caller's again
			} else if s.to != nil {
				err = c.finish(s)
			}
		}
	}()
	for len(dst) > 0 {
		s, err := c.freeSlot()
		if err != nil {
			return err
		}
		n := min(len(dst), slotBytes)
		s.busy, s.marked, s.to = true, false, dst[:n]
		if err := c.driver.MemcpyDtoHAsync(unsafe.Pointer(&s.memory[0]), src.Ptr()+Ptr(offset), uint64(n), c.stream); err != nil {
			return err
		}
		if err := c.driver.EventRecord(s.event, c.stream); err != nil {
			return err
		}
		s.marked = true
		dst, offset = dst[n:], offset+n
	}
	return nil
}

// freeSlot returns pinned memory that no copy uses.
func (c *Ctx) freeSlot() (*slot, error) {
	s := &c.staging.slot[c.staging.next]
	c.staging.next = (c.staging.next + 1) % slots
	if s.memory == nil {
		h, err := c.AllocHost(slotBytes)
		if err != nil {
			return nil, err
		}
		s.memory = h.memory
	}
	if s.event == 0 {
		e, err := c.NewEvent(false)
		if err != nil {
			return nil, err
		}
		s.event = e
	}
	return s, c.finish(s)
}

// finish waits for a slot's copy and hands its bytes on.
func (c *Ctx) finish(s *slot) error {
	if !s.busy {
		return nil
	}
	wait := c.driver.CtxSynchronize
	if s.marked {
		wait = func() error { return c.driver.EventSynchronize(s.event) }
	}
	if err := wait(); err != nil {
		return err
	}
	copy(s.to, s.memory)
	s.busy, s.to = false, nil
	return nil
}

// checkRange panics unless a range lies in a buffer, and for a download within a capture,
// which cannot wait.
func (c *Ctx) checkRange(op string, b *Buffer, offset, n int) {
	c.mine(op, b)
	if offset < 0 || n < 0 || offset > b.Bytes() || n > b.Bytes()-offset {
		misuse(op, "%d bytes at offset %d of buffer %q, which has %d", n, offset, b.Label(), b.Bytes())
	}
	if c.memory.capture != nil && op == "Download" {
		misuse(op, "within a capture")
	}
}

// Copy copies n bytes from a buffer to another, in the device's stream. The
// ranges must not overlap.
func (c *Ctx) Copy(dst *Buffer, dstOffset int, src *Buffer, srcOffset, n int) error {
	c.checkRange("Copy", dst, dstOffset, n)
	c.checkRange("Copy", src, srcOffset, n)
	if dst == src && dstOffset < srcOffset+n && srcOffset < dstOffset+n && n > 0 {
		misuse("Copy", "%d bytes at offset %d of buffer %q to offset %d overlap", n, srcOffset, src.Label(), dstOffset)
	}
	if n == 0 {
		return nil
	}
	return c.driver.MemcpyDtoDAsync(dst.Ptr()+Ptr(dstOffset), src.Ptr()+Ptr(srcOffset), uint64(n), c.stream)
}

// Fill sets n bytes of a buffer to a value, in the device's stream.
func (c *Ctx) Fill(dst *Buffer, offset, n int, value byte) error {
	c.checkRange("Fill", dst, offset, n)
	if n == 0 {
		return nil
	}
	return c.driver.MemsetD8Async(dst.Ptr()+Ptr(offset), value, uint64(n), c.stream)
}

// HostBuffer is pinned memory of the host, for copies that run beside other work.
// It is no Go memory: after [Ctx.FreeHost] its bytes must not be touched.
type HostBuffer struct {
	memory []byte
	key    hostKey
}

type hostKey uintptr

// AllocHost returns pinned memory. It is freed by [Ctx.FreeHost] or when the
// device is closed.
func (c *Ctx) AllocHost(bytes int) (*HostBuffer, error) {
	if bytes <= 0 {
		misuse("AllocHost", "%d bytes", bytes)
	}
	p, err := c.driver.MemHostAlloc(uint64(bytes))
	if err != nil {
		return nil, err
	}
	h := &HostBuffer{memory: unsafe.Slice((*byte)(p), bytes), key: hostKey(p)}
	c.own(h.key, func() error { return c.driver.MemFreeHost(p) })
	return h, nil
}

// Bytes returns the memory.
func (h *HostBuffer) Bytes() []byte { return h.memory }

// Pointer returns the address, for the driver's copies.
func (h *HostBuffer) Pointer() unsafe.Pointer { return unsafe.Pointer(&h.memory[0]) }

// FreeHost frees pinned memory. Copies that use it must have ended.
func (c *Ctx) FreeHost(h *HostBuffer) error {
	if h.memory == nil {
		misuse("FreeHost", "the memory is freed twice")
	}
	err := c.release(h.key)
	if err == nil {
		h.memory = nil
	}
	return err
}
