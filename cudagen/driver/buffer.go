// Buffers: device memory as the rest of the program holds it.

package driver

import (
	"runtime"
	"sync/atomic"
)

// Buffer is device memory. When nobody can reach a buffer any more its memory is
// reused; [Buffer.Free] does not wait for the collector, which knows nothing of
// how full the device is.
type Buffer struct {
	block   *block // nil for a buffer of no bytes
	device  *Device
	bytes   uint64
	freed   atomic.Bool
	cleanup runtime.Cleanup
}

// Alloc returns a buffer of some bytes, aligned for every type, with any content.
// It can be used in the device's stream at once, in others after they waited for
// an event there; see [Ctx.UsedIn]. The label names it in reports. An error is an
// [*OutOfMemoryError] if memory is what is missing.
func (c *Ctx) Alloc(bytes int, label string) (*Buffer, error) {
	return c.AllocIn(c.stream, bytes, label)
}

// AllocIn is Alloc for a buffer that is used and freed in another stream.
func (c *Ctx) AllocIn(s Stream, bytes int, label string) (*Buffer, error) {
	if bytes < 0 {
		misuse("Alloc", "%d bytes for %q", bytes, label)
	}
	b := &Buffer{device: c.device, bytes: uint64(bytes)}
	if bytes == 0 {
		return b, nil
	}
	block, err := c.memory.alloc(s, uint64(bytes), label)
	if err != nil {
		return nil, err
	}
	b.block = block
	b.cleanup = runtime.AddCleanup(b, c.device.pushGarbage, block)
	return b, nil
}

// Ptr returns the address, 0 for a buffer of no bytes. It panics if the memory was
// freed. The address does not keep the buffer alive: [Args.Buffer] does until the
// launch.
func (b *Buffer) Ptr() Ptr {
	if b.block == nil {
		return 0
	}
	if !b.block.live.Load() {
		misuse("Ptr", "buffer %q is used after its free", b.block.label)
	}
	return b.block.ptr
}

// Bytes returns the size.
func (b *Buffer) Bytes() int { return int(b.bytes) }

// Label returns the label given to Alloc, empty for a buffer of no bytes.
func (b *Buffer) Label() string {
	if b.block == nil {
		return ""
	}
	return b.block.label
}

// Free gives the memory back after all functions that were handed to the device
// before. It may be called from any goroutine; a second call panics.
func (b *Buffer) Free() {
	b.end()
	if b.block != nil {
		b.device.pushBack(item{free: b.block})
	}
}

// mine panics for a buffer of another device, whose addresses mean nothing here.
func (c *Ctx) mine(op string, b *Buffer) {
	if b.device != c.device {
		misuse(op, "buffer %q is on cuda:%d, this is cuda:%d", b.Label(), b.device.info.Ordinal, c.device.info.Ordinal)
	}
}

// Free gives a buffer's memory back at once: what is allocated next may have it.
func (c *Ctx) Free(b *Buffer) {
	c.mine("Free", b)
	b.end()
	if b.block != nil {
		c.freeBlocks([]*block{b.block})
	}
}

// end marks the buffer as freed and forgets its cleanup.
func (b *Buffer) end() {
	if b.freed.Swap(true) {
		misuse("Free", "buffer %q is freed twice", b.Label())
	}
	if b.block != nil {
		b.cleanup.Stop()
	}
}

// UsedIn says that work in another stream than the buffer's own uses it. When it
// is freed, its memory waits until that stream has come as far as it is then.
func (c *Ctx) UsedIn(s Stream, b *Buffer) {
	if b.block == nil || b.block.stream == s {
		return
	}
	b.block.use(s)
}

// freeBlocks returns blocks to the memory, on the device's goroutine.
func (c *Ctx) freeBlocks(blocks []*block) {
	for _, b := range blocks {
		if b.live.Load() {
			c.keepErr(c.memory.free(b))
		}
	}
}
