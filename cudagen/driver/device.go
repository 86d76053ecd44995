// A device: one goroutine, locked to its thread, that owns a GPU's context, and
// the queue of functions that other goroutines hand it.

package driver

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// DeviceOptions changes how a device is run; the zero value is the usual way.
type DeviceOptions struct {
	// Debug surrounds every buffer with bytes that are checked when it is freed,
	// fills new buffers with NaN, and makes Close return a [*LeakError] where
	// buffers are alive. It waits for the device at every free.
	Debug bool
	// Pools takes memory from the driver's stream-ordered allocator, if it has one.
	Pools bool
}

// Device is an open GPU. Its methods may be called from any goroutine, but [Device.Do],
// [Device.Settle] and [Device.Wait] not from a function that the device runs: that would
// wait for itself.
type Device struct {
	info   Info
	memory *memory // bookkeeping that other goroutines read

	mu      sync.Mutex
	wake    sync.Cond // something to do, or room in the queue
	queue   []item
	jobs    int      // functions in queue
	garbage []*block // of buffers that nobody can reach any more
	state   state
	err     error         // why it is closed, nil for Close
	ended   chan struct{} // closed when the executor has ended
}

type state int

const (
	running state = iota
	closing       // runs what is queued, takes no more
	closed
)

// queueLimit bounds the functions that wait: [Device.Go] blocks beyond it, so that
// a host that is faster than its GPU does not fill the memory.
const queueLimit = 1024

// An item is a function to run, something to give back or an answer to give, in the order
// they came.
type item struct {
	run    func(*Ctx) error // nil: nothing but a reply, which tells of no failure
	reply  chan<- outcome   // nil: the failure is kept for the next Do or Wait
	free   *block
	unload Module
}

// back tells whether the item gives something back. Such items are not counted.
func (it item) back() bool { return it.free != nil || it.unload != 0 }

// An outcome is how a function ended.
type outcome struct {
	err   error
	panic any // its panic, nil if none
}

func (o outcome) failed() bool { return o.err != nil || o.panic != nil }

// Open starts a device. The error says why it cannot be used; without a driver
// it names the places that were searched.
func (s *System) Open(ordinal int, o DeviceOptions) (*Device, error) {
	if s.Driver == nil {
		return nil, s.noDriver()
	}
	d := &Device{ended: make(chan struct{})}
	d.wake.L = &d.mu
	c := &Ctx{driver: s.Driver, blas: s.BLAS, blasErr: s.BLASErr, device: d, debug: o.Debug}
	started := make(chan error, 1)
	go d.execute(c, func() error { return c.start(ordinal, o) }, started)
	if err := <-started; err != nil {
		<-d.ended
		return nil, fmt.Errorf("cuda:%d: %w", ordinal, err)
	}
	return d, nil
}

func (s *System) noDriver() error {
	if s.DriverErr != nil {
		return s.DriverErr
	}
	return errors.New("cuda: no driver")
}

// Info describes the GPU.
func (d *Device) Info() Info { return d.info }

// Do runs f on the device's goroutine after all that was handed over before, and
// returns its error. Work that f starts on the GPU may go on. A panic of f reaches
// the caller. If a function handed to [Device.Go] has failed since the last Do or
// Wait, f is not run and that failure is returned.
func (d *Device) Do(f func(*Ctx) error) error {
	reply := make(chan outcome, 1)
	if err := d.push(item{run: f, reply: reply}); err != nil {
		return err
	}
	o := <-reply
	if o.panic != nil {
		panic(o.panic)
	}
	return o.err
}

// Go hands f over and does not wait for it, unless very many functions wait
// already. If f fails, functions handed to Go after it are not run, and the next
// Do or Wait returns its error or panics with its panic. Go must not be called
// from a function that the device runs.
func (d *Device) Go(f func(*Ctx) error) error { return d.push(item{run: f}) }

// Settle waits until what was handed over before has run, or will not any more. A
// failure is kept for the next Do or Wait. Work that was started on the GPU may go on.
func (d *Device) Settle() {
	reply := make(chan outcome, 1)
	if d.push(item{reply: reply}) == nil {
		<-reply
	}
}

// Wait waits for all that was handed over and for the GPU, and returns the first
// failure.
func (d *Device) Wait() error {
	return d.Do(func(c *Ctx) error { return c.driver.CtxSynchronize() })
}

// push appends a function to the queue.
func (d *Device) push(it item) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.state == running && d.jobs >= queueLimit {
		d.wake.Wait()
	}
	if d.state != running {
		return d.closedError()
	}
	d.queue = append(d.queue, it)
	d.jobs++
	d.wake.Broadcast()
	return nil
}

func (d *Device) closedError() error {
	if d.err != nil {
		return d.err
	}
	return ErrClosed
}

// pushBack appends what is given back to the queue. It never blocks.
func (d *Device) pushBack(it item) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state == closed {
		return // Close has freed it
	}
	d.queue = append(d.queue, it)
	d.wake.Broadcast()
}

// pushGarbage hands over the block of a buffer that became unreachable. It is
// called by the collector's goroutine and only enqueues.
func (d *Device) pushGarbage(b *block) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.state == closed {
		return
	}
	d.garbage = append(d.garbage, b)
	d.wake.Broadcast()
}

// take waits for something to do: the next item, garbage, or the end.
func (d *Device) take() (it item, garbage []*block, end bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.queue) == 0 && len(d.garbage) == 0 && d.state == running {
		d.wake.Wait()
	}
	garbage, d.garbage = d.garbage, nil
	if len(d.queue) == 0 {
		return item{}, garbage, d.state != running && len(garbage) == 0
	}
	it = d.queue[0]
	d.queue[0] = item{}
	if d.queue = d.queue[1:]; len(d.queue) == 0 {
		d.queue = nil
	}
	if !it.back() {
		if d.jobs--; d.jobs == queueLimit-1 {
			d.wake.Broadcast()
		}
	}
	return it, garbage, false
}

// takeGarbage returns the blocks that may be freed before the function that runs now ends:
// not those in the queue, which were freed after it was handed over, for it may use them.
func (d *Device) takeGarbage() []*block {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := d.garbage
	d.garbage = nil
	return out
}

// execute is the executor's goroutine. It keeps its thread to itself until it
// ends, and the thread ends with it.
func (d *Device) execute(c *Ctx, start func() error, started chan<- error) {
	runtime.LockOSThread()
	var current *item
	clean := false
	defer func() {
		err := c.close()
		if !clean { // a function has called runtime.Goexit
			err = errors.Join(errors.New("cuda: the device's goroutine was ended by a function it ran"), err)
		}
		d.end(current, err)
	}()
	if err := start(); err != nil {
		clean = true
		started <- err
		return
	}
	started <- nil
	var pending outcome // of functions nobody waits for
	for {
		it, garbage, end := d.take()
		if end {
			break
		}
		c.freeBlocks(garbage)
		if it.free != nil {
			c.freeBlocks([]*block{it.free})
		}
		if it.unload != 0 {
			c.keepErr(c.unload(it.unload))
		}
		if err := c.takeErr(); err != nil && !pending.failed() {
			pending = outcome{err: err}
		}
		if it.run == nil {
			if it.reply != nil {
				it.reply <- outcome{}
			}
			continue
		}
		o := pending
		if !o.failed() {
			current = &it
			o = c.call(it.run)
			if err := c.takeErr(); err != nil && !o.failed() {
				o.err = err
			}
			current = nil
		}
		if it.reply != nil {
			it.reply <- o
			pending = outcome{}
		} else {
			pending = o
		}
	}
	c.keepErr(pending.err)
	if pending.panic != nil {
		c.keepErr(fmt.Errorf("cuda: panic in a function handed over: %v", pending.panic))
	}
	clean = true
}

// end marks the device as closed and answers those who still wait.
func (d *Device) end(current *item, err error) {
	d.mu.Lock()
	d.state, d.err = closed, err
	queue := d.queue
	d.queue, d.garbage = nil, nil
	d.wake.Broadcast()
	d.mu.Unlock()
	if current != nil {
		queue = append([]item{*current}, queue...)
	}
	for _, it := range queue {
		if it.reply != nil {
			it.reply <- outcome{err: d.closedError()}
		}
	}
	close(d.ended)
}

// Close runs what is queued, frees everything the device has and ends its
// goroutine. It returns failures that nobody has seen and those of freeing; with
// the option Debug also a [*LeakError]. A second Close returns nil. Buffers of a
// closed device hold nothing.
func (d *Device) Close() error {
	d.mu.Lock()
	first := d.state == running
	if first {
		d.state = closing
		d.wake.Broadcast()
	}
	d.mu.Unlock()
	<-d.ended
	if !first {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.err
	d.err = nil // later calls return ErrClosed
	return err
}
