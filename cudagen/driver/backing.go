// Where the allocator's blocks come from and go to: the driver. What happens when
// the device is full.

package driver

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/internal/cleanup"
)

// fromDriver makes a block.
func (m *memory) fromDriver(s Stream, size, bytes uint64, label string) (*block, error) {
	var p Ptr
	err := m.withRoom(func() (err error) { p, err = m.take(s, size); return err })
	if errors.Is(err, OutOfMemory) {
		return nil, m.outOfMemory(bytes, label, err)
	}
	if err != nil {
		return nil, err
	}
	b := &block{base: p, size: size, stream: s, pool: m.capture}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blocks[b] = struct{}{}
	m.stats.DriverCalls++
	m.stats.Reserved += size
	m.stats.PeakReserve = max(m.stats.PeakReserve, m.stats.Reserved)
	return b, nil
}

// withRoom runs a call that needs memory. If the device is full, buffers that
// nobody can reach and the cache are freed, and the call is made once more. Within
// a capture nothing can be freed.
func (m *memory) withRoom(call func() error) error {
	err := call()
	if !full(err) || m.capture != nil {
		return err
	}
	if trimErr := m.reclaim(); trimErr != nil {
		return errors.Join(err, trimErr)
	}
	return call()
}

// full reports whether a call failed for lack of memory. cuBLAS also says that it
// cannot be initialised.
func full(err error) bool {
	const notInitialized, allocFailed = 1, 3
	var e *Error
	if errors.As(err, &e) && e.Library == LibraryCUBLAS {
		return e.Code == notInitialized || e.Code == allocFailed
	}
	return errors.Is(err, OutOfMemory)
}

func (m *memory) take(s Stream, size uint64) (Ptr, error) {
	if m.pools && m.capture == nil {
		return m.c.driver.MemAllocAsync(size, s)
	}
	return m.c.driver.MemAlloc(size)
}

// cleanupTimeout is how long it is waited for the cleanups of buffers that a collection found.
const cleanupTimeout = 100 * time.Millisecond

// reclaim frees all that nobody needs.
func (m *memory) reclaim() error {
	m.mu.Lock()
	m.stats.Trims++
	m.mu.Unlock()
	runtime.GC()
	cleanup.Await(cleanup.Cleanups, cleanupTimeout)
	m.c.freeBlocks(m.c.device.takeGarbage())
	return m.trim()
}

// Trim returns the cache to the driver. It waits for the device.
func (c *Ctx) Trim() error {
	if c.memory.capture != nil {
		misuse("Trim", "within a capture")
	}
	return c.memory.trim()
}

func (m *memory) trim() error {
	if err := m.c.driver.CtxSynchronize(); err != nil {
		return err
	}
	m.collect()
	for len(m.cached) > 0 {
		b := m.cached[len(m.cached)-1]
		if err := m.give(b); err != nil {
			return err
		}
		m.mu.Lock()
		m.cached = m.cached[:len(m.cached)-1]
		m.stats.Cached -= b.size
		m.mu.Unlock()
	}
	if m.pools {
		return m.c.driver.PoolTrimTo(m.c.id, 0)
	}
	return nil
}

// give returns a block to the driver. All work must be done: for memory of a pool
// the driver does not wait.
func (m *memory) give(b *block) error {
	if err := m.c.driver.MemFree(b.base); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.blocks, b)
	m.stats.Reserved -= b.size
	return nil
}

// forget waits for the device and empties the cache, before a stream is destroyed.
func (m *memory) forget(s Stream) error {
	for b := range m.blocks {
		if b.live.Load() && b.stream == s {
			misuse("Destroy", "the stream has buffer %q", b.label)
		}
	}
	for b := range m.blocks {
		b.uses = slices.DeleteFunc(b.uses, func(u Stream) bool { return u == s })
	}
	return m.trim()
}

// close returns all blocks, those of live buffers too, and what the driver's pool keeps of
// them, which outlives the context. What fails can be tried again.
func (m *memory) close() error {
	var err error
	for b := range m.blocks {
		b.live.Store(false)
		err = errors.Join(err, m.give(b))
	}
	if m.pools {
		err = errors.Join(err, m.c.driver.PoolTrimTo(m.c.id, 0))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cached, m.waiting, m.events = nil, nil, nil
	m.stats.Live, m.stats.Cached, m.stats.Buffers = 0, 0, 0
	return err
}

// OutOfMemoryError is an allocation for which there is no room.
type OutOfMemoryError struct {
	Device      int
	Label       string
	Bytes       uint64
	Free, Total uint64 // of the device, as the driver sees it; 0 if it does not say
	Stats       Stats
	Largest     []LiveBuffer // at most 10
	Err         error        // the driver's
}

func (m *memory) outOfMemory(bytes uint64, label string, err error) error {
	e := &OutOfMemoryError{Device: m.c.device.info.Ordinal, Label: label, Bytes: bytes, Err: err}
	if free, total, err := m.c.driver.MemGetInfo(); err == nil {
		e.Free, e.Total = free, total
	}
	m.mu.Lock()
	e.Stats = m.stats
	m.mu.Unlock()
	e.Largest = m.alive(true)
	e.Largest = e.Largest[:min(len(e.Largest), 10)]
	return e
}

// Error says what was asked for, what there is and who has it.
func (e *OutOfMemoryError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cuda:%d: out of memory: %s for %q; %s of %s are free, %d buffers have %s, %s are cached",
		e.Device, size(e.Bytes), e.Label, size(e.Free), size(e.Total), e.Stats.Buffers, size(e.Stats.Live), size(e.Stats.Cached))
	writeBuffers(&b, "the largest", e.Largest)
	return b.String()
}

// Unwrap returns the driver's error.
func (e *OutOfMemoryError) Unwrap() error { return e.Err }

// LeakError lists the buffers that were alive when their device was closed.
type LeakError struct{ Buffers []LiveBuffer }

// Error lists the largest.
func (e *LeakError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cuda: %d buffers were not freed before Close", len(e.Buffers))
	writeBuffers(&b, "the largest", e.Buffers[:min(len(e.Buffers), 10)])
	return b.String()
}

// writeBuffers lists buffers, those of the same label and size as one.
func writeBuffers(b *strings.Builder, title string, list []LiveBuffer) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "; %s:", title)
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(x LiveBuffer) bool { return x != list[0] })
		if n < 0 {
			n = len(list)
		}
		fmt.Fprintf(b, "\n  %9s  %s", size(list[0].Bytes), list[0].Label)
		if n > 1 {
			fmt.Fprintf(b, " (%d times)", n)
		}
		list = list[n:]
	}
}
