// The caching allocator. Blocks that are freed are kept and given out again: to
// work of the same stream at once, since that runs after all that used the block
// before; blocks that other streams used wait for events there.
//
// Sizes are rounded up to classes, so that blocks fit again: eight classes
// between powers of two, multiples of 2 MiB for large ones, for which a block up
// to an eighth larger is taken too. Blocks are never split: no fragments.

package driver

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// A block is one allocation of the driver's.
type block struct {
	base   Ptr    // as the driver knows it
	size   uint64 // of the class
	stream Stream // in which it is reused

	// Since it was given out last:
	ptr      Ptr
	bytes    uint64 // that were asked for
	label    string
	uses     []Stream    // other streams that use it
	live     atomic.Bool // given out
	internal bool        // of the run time itself
	pool     *graphPool  // reserved for a captured graph, nil if free to all
}

func (b *block) use(s Stream) {
	if !slices.Contains(b.uses, s) {
		b.uses = append(b.uses, s)
	}
}

// A waiting block was freed while other streams used it.
type waiting struct {
	block  *block
	events []Event
}

// Stats counts memory.
type Stats struct {
	Live        uint64 // bytes of buffers that are alive, as asked for
	Peak        uint64 // the most that Live was
	Reserved    uint64 // bytes taken from the driver
	PeakReserve uint64 // the most that Reserved was
	Cached      uint64 // bytes of Reserved that no buffer has
	Buffers     int    // alive
	Allocations uint64 // buffers made
	Reused      uint64 // of them, from the cache
	DriverCalls uint64 // allocations of the driver's
	Trims       uint64 // how often the cache was emptied for lack of memory
}

// memory is a device's allocator. Only the device's goroutine changes it; mu is for
// those that read the statistics.
type memory struct {
	c     *Ctx
	pools bool // the driver's stream-ordered allocator

	mu      sync.Mutex
	stats   Stats
	blocks  map[*block]struct{} // all: given out, cached, waiting, reserved
	cached  []*block            // by stream, then size
	waiting []waiting
	events  []Event    // to use again for waiting blocks
	capture *graphPool // of the capture that goes on, nil if none
}

func newMemory(c *Ctx, pools bool) *memory {
	return &memory{c: c, pools: pools, blocks: make(map[*block]struct{})}
}

const (
	smallest  = 512
	largeFrom = 16 << 20
	largeStep = 2 << 20
)

// class returns the size of the blocks from which a request is served.
func class(n uint64) uint64 {
	step := uint64(largeStep)
	if n <= largeFrom {
		step = max(smallest, uint64(1)<<bits.Len64(n-1)/16)
	}
	return (n + step - 1) / step * step
}

// fits returns the largest block that serves a class.
func fits(size uint64) uint64 {
	if size > largeFrom {
		return size + size/8
	}
	return size
}

func compareBlocks(a, b *block) int {
	return cmp.Or(cmp.Compare(a.stream, b.stream), cmp.Compare(a.size, b.size), cmp.Compare(a.base, b.base))
}

// alloc gives out a block for a stream.
func (m *memory) alloc(s Stream, bytes uint64, label string) (*block, error) {
	want := bytes
	if m.c.debug {
		want += 2 * guardBytes
	}
	size := class(want)
	b := m.reuse(s, size)
	if b == nil {
		var err error
		if b, err = m.fromDriver(s, size, bytes, label); err != nil {
			return nil, err
		}
	}
	b.bytes, b.label, b.ptr, b.internal = bytes, label, b.base, false
	if m.c.debug {
		b.ptr += guardBytes
		if err := m.setGuards(b); err != nil {
			return nil, errors.Join(err, m.put(b))
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	b.live.Store(true)
	m.stats.Allocations++
	m.stats.Buffers++
	m.stats.Live += bytes
	m.stats.Peak = max(m.stats.Peak, m.stats.Live)
	return b, nil
}

// reuse takes a block from the cache, nil if none fits. During a capture blocks
// that the graph has reserved come first, and others become reserved.
func (m *memory) reuse(s Stream, size uint64) *block {
	if m.capture == nil {
		m.collect()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.capture != nil {
		if b := takeFrom(&m.capture.cached, s, size); b != nil {
			m.stats.Reused++
			return b
		}
	}
	b := takeFrom(&m.cached, s, size)
	if b != nil {
		m.stats.Reused++
		m.stats.Cached -= b.size
		b.pool = m.capture
	}
	return b
}

// takeFrom removes the smallest block that fits from a sorted list.
func takeFrom(list *[]*block, s Stream, size uint64) *block {
	i, _ := slices.BinarySearchFunc(*list, &block{stream: s, size: size}, compareBlocks)
	if i == len(*list) || (*list)[i].stream != s || (*list)[i].size > fits(size) {
		return nil
	}
	b := (*list)[i]
	*list = slices.Delete(*list, i, i+1)
	return b
}

func insertInto(list *[]*block, b *block) {
	i, _ := slices.BinarySearchFunc(*list, b, compareBlocks)
	*list = slices.Insert(*list, i, b)
}

// free takes a block back. The error is that of guard bytes or of the driver; the
// block is taken back in any case.
func (m *memory) free(b *block) error {
	m.mu.Lock()
	b.live.Store(false)
	m.stats.Buffers--
	m.stats.Live -= b.bytes
	m.mu.Unlock()
	var err error
	if m.c.debug && m.capture == nil {
		err = m.checkGuards(b)
	}
	return errors.Join(err, m.put(b))
}

// put makes a block that nobody has available again: now, or when the streams
// that use it have come so far.
func (m *memory) put(b *block) error {
	uses := b.uses
	b.uses = nil
	if m.capture != nil && len(uses) > 0 {
		b.pool = m.capture // events of a capture say nothing: wait for the graph's end
	}
	if len(uses) == 0 || m.capture != nil {
		m.cache(b, len(uses) > 0)
		return nil
	}
	w := waiting{block: b}
	for _, s := range uses {
		e, err := m.event()
		if err == nil {
			w.events = append(w.events, e)
			err = m.c.driver.EventRecord(e, s)
		}
		if err != nil {
			// Without an event only the end of all work is a sign.
			if m.c.driver.CtxSynchronize() != nil {
				w.events = w.events[:0] // the device is lost; Close frees the block
				m.mu.Lock()
				m.waiting = append(m.waiting, w)
				m.mu.Unlock()
				return err
			}
			m.events = append(m.events, w.events...)
			m.cache(b, false)
			return err
		}
	}
	m.mu.Lock()
	m.waiting = append(m.waiting, w)
	m.mu.Unlock()
	return nil
}

// cache puts a block into the list it is reused from. A block that other streams
// used during the capture stays out of it: nothing orders them within the graph.
func (m *memory) cache(b *block, hold bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case b.pool != nil && hold:
		b.pool.held = append(b.pool.held, b)
	case b.pool != nil:
		insertInto(&b.pool.cached, b)
	default:
		m.stats.Cached += b.size
		insertInto(&m.cached, b)
	}
}

// event returns an event for a waiting block.
func (m *memory) event() (Event, error) {
	if n := len(m.events); n > 0 {
		e := m.events[n-1]
		m.events = m.events[:n-1]
		return e, nil
	}
	return m.c.NewEvent(false)
}

// collect moves waiting blocks whose events are reached into the cache.
func (m *memory) collect() {
	if len(m.waiting) == 0 {
		return
	}
	keep := m.waiting[:0:0]
	for _, w := range m.waiting {
		done := len(w.events) > 0
		for _, e := range w.events {
			reached, err := m.c.driver.EventQuery(e)
			done = done && reached && err == nil
		}
		if !done {
			keep = append(keep, w)
			continue
		}
		m.events = append(m.events, w.events...)
		m.cache(w.block, false)
	}
	m.mu.Lock()
	m.waiting = keep
	m.mu.Unlock()
}

// Stats returns the device's counts; those of a device that never started are 0.
func (d *Device) Stats() Stats {
	d.memory.mu.Lock()
	defer d.memory.mu.Unlock()
	return d.memory.stats
}

// ResetPeak makes the peaks start from what is in use now.
func (d *Device) ResetPeak() {
	m := d.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stats.Peak, m.stats.PeakReserve = m.stats.Live, m.stats.Reserved
}

// LiveBuffer is a buffer that is alive, in a report.
type LiveBuffer struct {
	Label string
	Bytes uint64
}

// LiveBuffers lists the buffers that are alive, largest first.
func (d *Device) LiveBuffers() []LiveBuffer { return d.memory.alive(true) }

// alive lists buffers, largest first; those of the run time itself if asked for.
func (m *memory) alive(internal bool) []LiveBuffer {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []LiveBuffer
	for b := range m.blocks {
		if b.live.Load() && (internal || !b.internal) {
			out = append(out, LiveBuffer{Label: b.label, Bytes: b.bytes})
		}
	}
	slices.SortFunc(out, func(a, b LiveBuffer) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Label, b.Label))
	})
	return out
}
