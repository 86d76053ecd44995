// Memory, copies, and how work is handed to the device.

package dense

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

// Backend computes on a device of package driver. Its methods may be called from any
// goroutine; work is done in the order it is handed over.
type Backend struct {
	device     *driver.Device
	compile    func(driver.Source) ([]byte, error)
	kernels    map[string]driver.Function // by key; the device's goroutine has them
	recorded   *Graph                     // by the capture that goes on; the device's goroutine has it
	failed     atomic.Bool                // what was handed over has failed and nobody was told
	allocated  atomic.Int64               // bytes, all that were ever asked for
	unfreed    atomic.Int64               // of them since the last collection, less what was freed
	collecting atomic.Bool

	mu      sync.Mutex
	capture *capture // that goes on
}

var _ tensor.Backend = (*Backend)(nil)

// New returns the backend of an open device. compile is [driver.CubinCache.Compile], or
// a compiler of another kind for tests. Closing the backend closes the device.
func New(d *driver.Device, compile func(driver.Source) ([]byte, error)) *Backend {
	return &Backend{device: d, compile: compile, kernels: make(map[string]driver.Function)}
}

// Open opens a GPU of a system for tensors. Kernels are kept in a folder on disk; the
// empty name is the user's cache.
func Open(s *driver.System, ordinal int, o driver.DeviceOptions, folder string) (*Backend, error) {
	if s.Driver != nil && s.Compiler == nil {
		if s.CompilerErr != nil {
			return nil, s.CompilerErr
		}
		return nil, fmt.Errorf("cuda:%d: no compiler", ordinal)
	}
	d, err := s.Open(ordinal, o)
	if err != nil {
		return nil, err
	}
	cache, err := driver.NewCubinCache(s.Compiler, folder)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cuda:%d: %w", ordinal, err), d.Close())
	}
	return New(d, cache.Compile), nil
}

// Dense returns the backend itself, also of what embeds it.
func (b *Backend) Dense() *Backend { return b }

// Device returns the device, for other work on it.
func (b *Backend) Device() *driver.Device { return b.device }

// do hands a function over. The error is that of one before; one within a capture is told
// of when the capture ends.
func (b *Backend) do(f func(c *driver.Ctx) error) error {
	if b.failed.Load() && !b.Capturing() {
		if err := b.Synchronize(); err != nil {
			return err
		}
	}
	return b.hand(func(c *driver.Ctx) error {
		err := f(c)
		if err != nil {
			b.failed.Store(true)
		}
		return err
	})
}

// hand gives a function to the device, or to the capture that goes on.
func (b *Backend) hand(f func(c *driver.Ctx) error) error {
	b.mu.Lock()
	k := b.capture
	b.mu.Unlock()
	if k != nil {
		return k.hand(f)
	}
	return b.device.Go(f)
}

// Capturing reports whether a capture goes on.
func (b *Backend) Capturing() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.capture != nil
}

// BeforeReplay has f called before every replay of the capture that goes on.
func (b *Backend) BeforeReplay(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.capture != nil {
		b.capture.before = append(b.capture.before, f)
	}
}

// wait runs a function after all others and returns its error or an earlier one.
func (b *Backend) wait(op string, f func(c *driver.Ctx) error) error {
	if b.Capturing() {
		return fmt.Errorf("%s: the program waits for the device, which is not possible within a capture", op)
	}
	err := b.device.Do(f)
	b.failed.Store(false)
	return err
}

// garbageLimit is how many bytes may be made and not freed before Go's collector is run:
// it does not know how much of the device the tensors hold that nobody refers to.
const garbageLimit = 2 << 30

// collect runs the collector beside the program.
func (b *Backend) collect() {
	if b.collecting.Swap(true) {
		return
	}
	b.unfreed.Store(0)
	go func() {
		runtime.GC()
		b.collecting.Store(false)
	}()
}

// memory is device memory of a tensor.
type memory struct {
	b      *Backend
	bytes  int64
	buffer *driver.Buffer // the device's goroutine has it and graph
	graph  *Graph         // in whose capture it was made, and which has its memory; nil: in none
}

// Alloc hands an allocation over.
func (b *Backend) Alloc(op string, bytes int) (tensor.Storage, error) {
	m := &memory{b: b, bytes: int64(bytes)}
	b.allocated.Add(m.bytes)
	if b.unfreed.Add(m.bytes) > garbageLimit {
		b.collect()
	}
	err := b.do(func(c *driver.Ctx) (err error) {
		m.graph = b.recorded
		m.buffer, err = c.Alloc(bytes, op)
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Free gives the memory back. Of a closed device there is nothing to give.
func (m *memory) Free() {
	m.b.unfreed.Add(-m.bytes)
	_ = m.b.hand(func(c *driver.Ctx) error {
		if m.buffer != nil {
			c.Free(m.buffer)
			m.buffer = nil
		}
		return nil
	})
}

// Address returns where the memory is on the device.
func (m *memory) Address() (address uint64, err error) {
	err = m.b.wait("Address", func(*driver.Ctx) error {
		buffer, err := m.get()
		if err == nil {
			address = uint64(buffer.Ptr())
		}
		return err
	})
	return address, err
}

// get returns the buffer, on the device's goroutine, for work that uses it: what is
// recorded keeps it alive.
func (m *memory) get() (*driver.Buffer, error) {
	if m.buffer == nil {
		return nil, fmt.Errorf("cuda: memory that was freed, or never made for lack of it, is used")
	}
	if m.graph == nil || m.graph != m.b.recorded {
		m.b.Keep(m.buffer)
	}
	return m.buffer, nil
}

// smallUpload is how many bytes are copied rather than waited for.
const smallUpload = 64 << 10

// Upload copies from Go's memory.
func (b *Backend) Upload(dst tensor.Storage, offset int, src []byte) error {
	m := dst.(*memory)
	upload := func(c *driver.Ctx) error {
		buffer, err := m.get()
		if err != nil {
			return err
		}
		return c.Upload(buffer, offset, src)
	}
	if len(src) > smallUpload && !b.Capturing() {
		return b.wait("Upload", upload)
	}
	src = append([]byte(nil), src...)
	return b.do(upload)
}

// Download copies to Go's memory, and waits.
func (b *Backend) Download(dst []byte, src tensor.Storage, offset int) error {
	m := src.(*memory)
	return b.wait("Download", func(c *driver.Ctx) error {
		buffer, err := m.get()
		if err != nil {
			return err
		}
		return c.Download(dst, buffer, offset)
	})
}

// Synchronize waits for all that was handed over.
func (b *Backend) Synchronize() error {
	return b.wait("Synchronize", func(c *driver.Ctx) error { return c.Synchronize() })
}

// Close closes the device.
func (b *Backend) Close() error { return b.device.Close() }

// MemoryStats counts the device's memory, after what was handed over; within a capture,
// where nothing can be waited for, at once. A failure of the device is left to those who
// can return it.
func (b *Backend) MemoryStats() tensor.Memory {
	if !b.Capturing() {
		b.device.Settle()
	}
	s := b.device.Stats()
	return tensor.Memory{
		Live: int64(s.Live), Peak: int64(s.Peak), Allocated: b.allocated.Load(), Pooled: int64(s.Cached),
		Fresh: int64(s.Allocations - s.Reused), Reused: int64(s.Reused), Collections: int64(s.Trims),
	}
}
