// Memory of devices and pinned memory of the host, copies and fills.

package mock

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/asterias-ml/asterias/cudagen/driver"
)

// block is one allocation of device memory. Its addresses are used once: a
// freed block stays in the list, without data.
type block struct {
	base driver.Ptr
	size uint64
	data []byte
	pool bool // came from the stream-ordered allocator
}

// hostBlock is pinned memory of the host.
type hostBlock struct{ data []byte }

// words returns zeroed memory aligned for any type.
func words(n uint64) []byte {
	w := make([]uint64, max((n+7)/8, 1))
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), n)
}

// fill sets all bytes, fast under the race detector too.
func fill(x []byte, v byte) {
	if len(x) > 0 {
		x[0] = v
	}
	for n := 1; n < len(x); n *= 2 {
		copy(x[n:], x[:n])
	}
}

func (c *context) alloc(n uint64, pool bool) (driver.Ptr, driver.Result) {
	if n == 0 {
		return 0, driver.InvalidValue
	}
	if n > c.d.opt.Memory-c.used {
		return 0, driver.OutOfMemory
	}
	b := &block{base: c.nextPtr, size: n, data: words(n), pool: pool}
	fill(b.data, 0xCB) // never zero: reading what was not written shows
	c.nextPtr += driver.Ptr((n+255)/256*256 + 4096)
	c.used += n
	c.blocks = append(c.blocks, b)
	return b.base, 0
}

// find returns the block that an address is in, nil if none.
func (c *context) find(p driver.Ptr) *block {
	i, ok := slices.BinarySearchFunc(c.blocks, p, func(b *block, p driver.Ptr) int {
		switch {
		case p < b.base:
			return 1
		case uint64(p-b.base) >= b.size:
			return -1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return c.blocks[i]
}

// release frees the block that starts at an address.
func (c *context) release(call string, p driver.Ptr) driver.Result {
	b := c.find(p)
	switch {
	case b == nil || b.base != p:
		c.d.fault("%s(%#x): no memory starts there", call, p)
		return driver.InvalidValue
	case b.data == nil:
		c.d.fault("%s(%#x): freed twice", call, p)
		return driver.InvalidValue
	}
	c.used -= b.size
	b.data = nil
	return 0
}

// at returns n bytes of device memory, nil and a fault if they are not there.
func (c *context) at(what string, p driver.Ptr, n uint64) []byte {
	if n == 0 {
		return []byte{}
	}
	b := c.find(p)
	switch {
	case b == nil:
		c.d.fault("%s: %#x is no device memory", what, p)
		return nil
	case b.data == nil:
		c.d.fault("%s: %#x is used after its free", what, p)
		return nil
	case n > b.size-uint64(p-b.base):
		c.d.fault("%s: %d bytes at %#x exceed a block of %d", what, n, p, b.size)
		return nil
	}
	return b.data[p-b.base:][:n]
}

func (d *Driver) MemGetInfo() (free, total uint64, err error) {
	err = d.do("cuMemGetInfo", func(c *context) driver.Result {
		free, total = d.opt.Memory-c.used, d.opt.Memory
		return 0
	})
	return free, total, err
}

func (d *Driver) MemAlloc(n uint64) (p driver.Ptr, err error) {
	err = d.do("cuMemAlloc", func(c *context) (r driver.Result) {
		if r := c.unsafeInCapture("cuMemAlloc", false); r != 0 {
			return r
		}
		p, r = c.alloc(n, false)
		return r
	}, n)
	return p, err
}

// MemFree waits for all work, as the driver does; not so for memory of a pool.
func (d *Driver) MemFree(p driver.Ptr) error {
	return d.destroy("cuMemFree", func(c *context) driver.Result {
		if r := c.unsafeInCapture("cuMemFree", false); r != 0 {
			return r
		}
		if b := c.find(p); b == nil || !b.pool {
			c.runAll()
		}
		return c.release("cuMemFree", p)
	}, p)
}

func (d *Driver) HasPools() bool { return !d.opt.NoPools }

func (d *Driver) MemAllocAsync(n uint64, s driver.Stream) (p driver.Ptr, err error) {
	err = d.do("cuMemAllocAsync", func(c *context) (r driver.Result) {
		if d.opt.NoPools {
			return driver.NotSupported
		}
		q, r := c.stream("cuMemAllocAsync", s)
		if r != 0 {
			return r
		}
		if q.capture != nil {
			d.fault("cuMemAllocAsync: allocation nodes of a capture are not mocked")
			return driver.NotSupported
		}
		p, r = c.alloc(n, true)
		return r
	}, n, s)
	return p, err
}

func (d *Driver) MemFreeAsync(p driver.Ptr, s driver.Stream) error {
	return d.destroy("cuMemFreeAsync", func(c *context) driver.Result {
		if d.opt.NoPools {
			return driver.NotSupported
		}
		if b := c.find(p); b == nil || b.base != p || !b.pool || b.data == nil {
			d.fault("cuMemFreeAsync(%#x): not alive, or not from a pool", p)
			return driver.InvalidValue
		}
		q, r := c.stream("cuMemFreeAsync", s)
		if r != 0 {
			return r
		}
		c.enqueue(q, &op{name: "free", run: func() driver.Result { return c.release("cuMemFreeAsync", p) }})
		return 0
	}, p, s)
}

func (d *Driver) PoolSetReleaseThreshold(id driver.DeviceID, n uint64) error {
	return d.poolCall("cuMemPoolSetAttribute", id, n)
}

func (d *Driver) PoolTrimTo(id driver.DeviceID, n uint64) error {
	return d.poolCall("cuMemPoolTrimTo", id, n)
}

// poolCall is a call on a pool: the mock's pool keeps nothing.
func (d *Driver) poolCall(call string, id driver.DeviceID, n uint64) error {
	return d.free(call, func() driver.Result {
		if d.opt.NoPools {
			return driver.NotSupported
		}
		return d.known(id)
	}, id, n)
}

func (d *Driver) MemHostAlloc(n uint64) (p unsafe.Pointer, err error) {
	err = d.do("cuMemHostAlloc", func(c *context) driver.Result {
		if n == 0 {
			return driver.InvalidValue
		}
		h := &hostBlock{data: words(n)}
		d.hosts = append(d.hosts, h)
		p = unsafe.Pointer(&h.data[0])
		return 0
	}, n)
	return p, err
}

func (d *Driver) MemFreeHost(p unsafe.Pointer) error {
	return d.destroy("cuMemFreeHost", func(c *context) driver.Result {
		c.runAll()
		for i, h := range d.hosts {
			if unsafe.Pointer(&h.data[0]) == p {
				d.hosts = slices.Delete(d.hosts, i, i+1)
				return 0
			}
		}
		d.fault("cuMemFreeHost: no pinned memory starts there, or it was freed")
		return driver.InvalidValue
	})
}

// pinned reports whether n bytes of the host are pinned.
func (d *Driver) pinned(p unsafe.Pointer, n uint64) bool {
	for _, h := range d.hosts {
		start := uintptr(unsafe.Pointer(&h.data[0]))
		if a := uintptr(p); a >= start && a+uintptr(n) <= start+uintptr(len(h.data)) {
			return true
		}
	}
	return false
}

func hostBytes(p unsafe.Pointer, n uint64) []byte { return unsafe.Slice((*byte)(p), n) }

// The copies that wait do so for the legacy stream only: work in streams that do
// not block is not ordered with them.

func (d *Driver) MemcpyHtoD(dst driver.Ptr, src unsafe.Pointer, n uint64) error {
	return d.copyNow("cuMemcpyHtoD", func(c *context) driver.Result {
		return c.move("cuMemcpyHtoD", c.at("cuMemcpyHtoD", dst, n), hostBytes(src, n))
	}, dst, n)
}

func (d *Driver) MemcpyDtoH(dst unsafe.Pointer, src driver.Ptr, n uint64) error {
	return d.copyNow("cuMemcpyDtoH", func(c *context) driver.Result {
		return c.move("cuMemcpyDtoH", hostBytes(dst, n), c.at("cuMemcpyDtoH", src, n))
	}, src, n)
}

func (d *Driver) MemcpyDtoD(dst, src driver.Ptr, n uint64) error {
	return d.copyNow("cuMemcpyDtoD", func(c *context) driver.Result {
		return c.move("cuMemcpyDtoD", c.at("cuMemcpyDtoD", dst, n), c.at("cuMemcpyDtoD", src, n))
	}, dst, src, n)
}

func (d *Driver) copyNow(call string, f func(c *context) driver.Result, args ...any) error {
	return d.do(call, func(c *context) driver.Result {
		if r := c.unsafeInCapture(call, false); r != 0 {
			return r
		}
		c.runBlocking()
		return f(c)
	}, args...)
}

// move copies between two checked ranges.
func (c *context) move(call string, dst, src []byte) driver.Result {
	if dst == nil || src == nil {
		return driver.InvalidValue
	}
	copy(dst, src)
	return 0
}

func (d *Driver) MemcpyHtoDAsync(dst driver.Ptr, src unsafe.Pointer, n uint64, s driver.Stream) error {
	const call = "cuMemcpyHtoDAsync"
	return d.work(call, s, func(c *context, q *stream) (*op, driver.Result) {
		if c.at(call, dst, n) == nil {
			return nil, driver.InvalidValue
		}
		from := hostBytes(src, n)
		if !d.pinned(src, n) {
			if q.capture != nil {
				d.fault("%s: memory that is not pinned in a capture", call)
				return nil, driver.CaptureUnsupported
			}
			from = slices.Clone(from) // the driver copies it before it returns
		}
		return &op{run: func() driver.Result { return async(c.move(call, c.at(call, dst, n), from)) }}, 0
	}, dst, n)
}

func (d *Driver) MemcpyDtoHAsync(dst unsafe.Pointer, src driver.Ptr, n uint64, s driver.Stream) error {
	const call = "cuMemcpyDtoHAsync"
	return d.work(call, s, func(c *context, q *stream) (*op, driver.Result) {
		if c.at(call, src, n) == nil {
			return nil, driver.InvalidValue
		}
		pinned := d.pinned(dst, n)
		if !pinned && q.capture != nil {
			d.fault("%s: memory that is not pinned in a capture", call)
			return nil, driver.CaptureUnsupported
		}
		if !pinned {
			c.run(q)
			return nil, c.move(call, hostBytes(dst, n), c.at(call, src, n))
		}
		return &op{run: func() driver.Result { return async(c.move(call, hostBytes(dst, n), c.at(call, src, n))) }}, 0
	}, src, n)
}

func (d *Driver) MemcpyDtoDAsync(dst, src driver.Ptr, n uint64, s driver.Stream) error {
	const call = "cuMemcpyDtoDAsync"
	return d.work(call, s, func(c *context, q *stream) (*op, driver.Result) {
		if c.at(call, dst, n) == nil || c.at(call, src, n) == nil {
			return nil, driver.InvalidValue
		}
		return &op{run: func() driver.Result { return async(c.move(call, c.at(call, dst, n), c.at(call, src, n))) }}, 0
	}, dst, src, n)
}

func (d *Driver) MemsetD8Async(dst driver.Ptr, value byte, n uint64, s driver.Stream) error {
	const call = "cuMemsetD8Async"
	return d.work(call, s, func(c *context, q *stream) (*op, driver.Result) {
		if c.at(call, dst, n) == nil {
			return nil, driver.InvalidValue
		}
		return &op{run: func() driver.Result {
			to := c.at(call, dst, n)
			fill(to, value)
			return async(okIf(to != nil))
		}}, 0
	}, dst, value, n)
}

func (d *Driver) MemsetD32Async(dst driver.Ptr, value uint32, n uint64, s driver.Stream) error {
	const call = "cuMemsetD32Async"
	return d.work(call, s, func(c *context, q *stream) (*op, driver.Result) {
		if dst%4 != 0 {
			d.fault("%s: %#x is not a multiple of 4", call, dst)
			return nil, driver.InvalidValue
		}
		if c.at(call, dst, 4*n) == nil {
			return nil, driver.InvalidValue
		}
		return &op{run: func() driver.Result {
			to := c.at(call, dst, 4*n)
			for i := 0; i+4 <= len(to); i += 4 {
				binary.NativeEndian.PutUint32(to[i:], value)
			}
			return async(okIf(to != nil))
		}}, 0
	}, dst, value, n)
}

func okIf(ok bool) driver.Result {
	if ok {
		return 0
	}
	return driver.InvalidValue
}

// async turns the result of a copy into what a device reports later.
func async(r driver.Result) driver.Result {
	if r != 0 {
		return driver.IllegalAddress
	}
	return 0
}
