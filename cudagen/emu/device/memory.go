package device

// Memory, copies and fills. For each block of device memory the mock has a shadow
// of one byte, which is allocated and freed with it: its rules and its list of
// leaks are the mock's.

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu"
)

type block struct {
	bytes  uint64
	shadow driver.Ptr
}

// alloc makes a block; shadow makes its shadow.
func (d *Driver) alloc(call string, n uint64, shadow func() (driver.Ptr, error)) (driver.Ptr, error) {
	s, err := shadow()
	if err != nil {
		return 0, d.because(err)
	}
	d.mu.Lock()
	full := n > d.options.Memory-d.used
	d.mu.Unlock()
	result := driver.OutOfMemory
	if !full && n > 0 {
		p, err := d.machine.Alloc(n)
		if err == nil {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.used += n
			d.blocks[driver.Ptr(p)] = &block{bytes: n, shadow: s}
			return driver.Ptr(p), nil
		}
	} else if n == 0 {
		result = driver.InvalidValue
	}
	if err := d.Driver.MemFree(s); err != nil {
		return 0, d.because(err)
	}
	return 0, failure(call, result)
}

// block returns the block that starts at an address.
func (d *Driver) block(p driver.Ptr) *block {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.blocks[p]
}

// forget gives a block's memory back.
func (d *Driver) forget(p driver.Ptr) error {
	d.mu.Lock()
	b := d.blocks[p]
	if b != nil {
		d.used -= b.bytes
		delete(d.blocks, p)
	}
	d.mu.Unlock()
	if b == nil {
		return nil // freed with the context
	}
	return d.machine.Free(emu.Memory(p))
}

// at returns n bytes of device memory, nil and a fault if they are not there.
func (d *Driver) at(call string, p driver.Ptr, n uint64) []byte {
	if n == 0 {
		return []byte{}
	}
	out := d.machine.Bytes(emu.Memory(p), n)
	if out == nil {
		d.fault("%s: %d bytes at %#x are not in device memory", call, n, p)
	}
	return out
}

// MemGetInfo counts the memory of this machine, not of the shadows.
func (d *Driver) MemGetInfo() (free, total uint64, err error) {
	if _, _, err := d.Driver.MemGetInfo(); err != nil {
		return 0, 0, d.because(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.options.Memory - d.used, d.options.Memory, nil
}

func (d *Driver) MemAlloc(n uint64) (driver.Ptr, error) {
	return d.alloc("cuMemAlloc", n, func() (driver.Ptr, error) { return d.Driver.MemAlloc(1) })
}

func (d *Driver) MemAllocAsync(n uint64, s driver.Stream) (driver.Ptr, error) {
	return d.alloc("cuMemAllocAsync", n, func() (driver.Ptr, error) { return d.Driver.MemAllocAsync(1, s) })
}

func (d *Driver) MemFree(p driver.Ptr) error {
	b := d.block(p)
	if b == nil {
		return d.because(d.Driver.MemFree(p)) // fails, and notes why
	}
	if err := d.Driver.MemFree(b.shadow); err != nil && !d.isBroken() {
		return err
	}
	return d.forget(p)
}

func (d *Driver) MemFreeAsync(p driver.Ptr, s driver.Stream) error {
	b := d.block(p)
	if b == nil {
		return d.because(d.Driver.MemFreeAsync(p, s))
	}
	if err := d.Driver.MemFreeAsync(b.shadow, s); err != nil {
		if d.isBroken() {
			return d.forget(p)
		}
		return err
	}
	return d.enqueue("cuMemFreeAsync", s, func() error { return d.forget(p) })
}

func (d *Driver) MemHostAlloc(n uint64) (unsafe.Pointer, error) {
	p, err := d.Driver.MemHostAlloc(n)
	if err == nil {
		d.mu.Lock()
		d.pinned[uintptr(p)] = n
		d.mu.Unlock()
	}
	return p, d.because(err)
}

func (d *Driver) MemFreeHost(p unsafe.Pointer) error {
	err := d.Driver.MemFreeHost(p)
	if err == nil || d.isBroken() {
		d.mu.Lock()
		delete(d.pinned, uintptr(p))
		d.mu.Unlock()
	}
	return d.because(err)
}

// isPinned reports whether bytes of the host are pinned.
func (d *Driver) isPinned(p unsafe.Pointer, n uint64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := uintptr(p)
	for start, bytes := range d.pinned {
		if a >= start && a+uintptr(n) <= start+uintptr(bytes) {
			return true
		}
	}
	return false
}

func hostBytes(p unsafe.Pointer, n uint64) []byte { return unsafe.Slice((*byte)(p), n) }

// The copies that wait are work of the legacy stream, which is done at once.

func (d *Driver) MemcpyHtoD(dst driver.Ptr, src unsafe.Pointer, n uint64) error {
	return d.toDevice("cuMemcpyHtoD", dst, hostBytes(src, n), 0)
}

func (d *Driver) MemcpyDtoH(dst unsafe.Pointer, src driver.Ptr, n uint64) error {
	return d.toHost("cuMemcpyDtoH", hostBytes(dst, n), src, 0)
}

func (d *Driver) MemcpyDtoD(dst, src driver.Ptr, n uint64) error {
	return d.within("cuMemcpyDtoD", dst, src, n, 0)
}

func (d *Driver) MemcpyHtoDAsync(dst driver.Ptr, src unsafe.Pointer, n uint64, s driver.Stream) error {
	const call = "cuMemcpyHtoDAsync"
	from := hostBytes(src, n)
	if !d.isPinned(src, n) {
		if err := d.notCaptured(call, s); err != nil {
			return err
		}
		from = slices.Clone(from) // the driver copies it before it returns
	}
	return d.toDevice(call, dst, from, s)
}

func (d *Driver) MemcpyDtoHAsync(dst unsafe.Pointer, src driver.Ptr, n uint64, s driver.Stream) error {
	const call = "cuMemcpyDtoHAsync"
	to := hostBytes(dst, n)
	if d.isPinned(dst, n) {
		return d.toHost(call, to, src, s)
	}
	if err := d.notCaptured(call, s); err != nil {
		return err
	}
	if err := d.Driver.StreamSynchronize(s); err != nil {
		return d.as(call, err)
	}
	from := d.at(call, src, n)
	if from == nil {
		return failure(call, driver.InvalidValue)
	}
	copy(to, from)
	return nil
}

// notCaptured refuses memory that is not pinned in a capture.
func (d *Driver) notCaptured(call string, s driver.Stream) error {
	capturing, err := d.Driver.StreamIsCapturing(s)
	if err != nil {
		return d.as(call, err)
	}
	if capturing {
		d.fault("%s: memory that is not pinned in a capture", call)
		return failure(call, driver.CaptureUnsupported)
	}
	return nil
}

func (d *Driver) MemcpyDtoDAsync(dst, src driver.Ptr, n uint64, s driver.Stream) error {
	return d.within("cuMemcpyDtoDAsync", dst, src, n, s)
}

func (d *Driver) toDevice(call string, dst driver.Ptr, from []byte, s driver.Stream) error {
	return d.write(call, dst, uint64(len(from)), s, func(to []byte) error {
		copy(to, from)
		return nil
	})
}

func (d *Driver) within(call string, dst, src driver.Ptr, n uint64, s driver.Stream) error {
	if d.at(call, src, n) == nil {
		return failure(call, driver.InvalidValue)
	}
	return d.write(call, dst, n, s, func(to []byte) error {
		from := d.at(call, src, n)
		if from == nil {
			return failure(call, driver.IllegalAddress)
		}
		copy(to, from)
		return nil
	})
}

func (d *Driver) toHost(call string, to []byte, src driver.Ptr, s driver.Stream) error {
	return d.write(call, src, uint64(len(to)), s, func(from []byte) error {
		copy(to, from)
		return nil
	})
}

// write queues work on n bytes of device memory, which must be there now and then.
func (d *Driver) write(call string, p driver.Ptr, n uint64, s driver.Stream, run func(data []byte) error) error {
	if d.at(call, p, n) == nil {
		return failure(call, driver.InvalidValue)
	}
	return d.enqueue(call, s, func() error {
		data := d.at(call, p, n)
		if data == nil {
			return failure(call, driver.IllegalAddress)
		}
		return run(data)
	})
}

func (d *Driver) MemsetD8Async(dst driver.Ptr, value byte, n uint64, s driver.Stream) error {
	return d.write("cuMemsetD8Async", dst, n, s, func(to []byte) error {
		repeat(to, []byte{value})
		return nil
	})
}

func (d *Driver) MemsetD32Async(dst driver.Ptr, value uint32, n uint64, s driver.Stream) error {
	const call = "cuMemsetD32Async"
	if dst%4 != 0 {
		d.fault("%s: %#x is not a multiple of 4", call, dst)
		return failure(call, driver.InvalidValue)
	}
	return d.write(call, dst, 4*n, s, func(to []byte) error {
		repeat(to, binary.NativeEndian.AppendUint32(nil, value))
		return nil
	})
}

// repeat fills memory with a pattern.
func repeat(to, pattern []byte) {
	for n := copy(to, pattern); n > 0 && n < len(to); n *= 2 {
		copy(to[n:], to[:n])
	}
}
