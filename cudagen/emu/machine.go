package emu

// A machine: memory, compiled texts and the process that runs them. After a fault
// the process is gone; the next launch starts another, with the same memory.

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Options changes a machine; zero fields mean the defaults.
type Options struct {
	// Races looks for accesses to the same memory that nothing orders, and for shared
	// memory that is read before it is written. It is several times slower.
	Races bool
	// LeftAligned puts memory flush with the guard page before it, not with the one
	// behind it: what is read before a buffer shows at once.
	LeftAligned bool
	Align       int           // of memory, a power of two: 16 bytes
	Limit       time.Duration // of a launch, in processor time: 20 s
	Addresses   uint64        // bytes of all memory there ever was: 256 GiB
	Cache       string        // directory of compiled texts: asterias/emu in [os.UserCacheDir]
}

// Machine is an emulated GPU without a driver. Its methods may be called from
// several goroutines; launches run one after the other.
type Machine struct {
	opt   Options
	tools *toolchain

	mu      sync.Mutex
	arena   *arena
	blocks  []*block // in order of address, freed ones included
	fresh   []*block // that the process may not access yet
	process *process // nil: not running
	closed  bool
}

// NewMachine starts a machine.
func NewMachine(ctx context.Context, o Options) (*Machine, error) {
	if o.Align == 0 {
		o.Align = 16
	}
	if o.Align < 1 || o.Align > 4096 || o.Align&(o.Align-1) != 0 {
		misuse("NewMachine", "an alignment of %d bytes", o.Align)
	}
	if o.Limit == 0 {
		o.Limit = 20 * time.Second
	}
	if o.Addresses == 0 {
		o.Addresses = 256 << 30
	}
	tools, err := prepare(ctx, o.Cache)
	if err != nil {
		return nil, err
	}
	m := &Machine{opt: o, tools: tools}
	for {
		if err := m.start(o.Addresses); err == nil {
			return m, nil
		} else if o.Addresses /= 2; o.Addresses < leastAddresses {
			return nil, err
		}
	}
}

// leastAddresses is what a machine must have.
const leastAddresses = 4 << 30

// start makes the arena and the process. What is remembered of races takes 80 times
// the arena's addresses, which not every system has.
func (m *Machine) start(addresses uint64) (err error) {
	if m.arena, err = newArena(addresses); err != nil {
		return err
	}
	if m.process, err = startProcess(m.tools.runner, m.arena, m.opt.Races); err != nil {
		return errors.Join(err, m.arena.close())
	}
	return nil
}

// Close ends the machine; its memory is gone.
func (m *Machine) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	m.end()
	return m.arena.close()
}

// end ends the process, if it has not ended by itself.
func (m *Machine) end() {
	if m.process != nil {
		_ = m.process.stop() // killed: that is its only error
		m.process = nil
	}
}

// ready starts the process if it is gone.
func (m *Machine) ready() (err error) {
	if m.closed {
		return ErrClosed
	}
	if m.process == nil {
		m.process, err = startProcess(m.tools.runner, m.arena, m.opt.Races)
		m.fresh = slices.DeleteFunc(slices.Clone(m.blocks), func(b *block) bool { return b.freed })
	}
	return err
}
