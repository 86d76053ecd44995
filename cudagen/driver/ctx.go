// What a function may do that runs on a device, and what the device owns.

package driver

import (
	"cmp"
	"errors"
	"maps"
	"slices"
)

// Ctx is the device as its goroutine sees it. It is valid within the function it
// is handed to, on that function's goroutine.
type Ctx struct {
	driver  Driver
	blas    BLAS
	blasErr error
	device  *Device
	debug   bool

	id      DeviceID
	context Context
	stream  Stream
	memory  *memory
	staging staging
	shared  map[Function]uint32 // dynamic shared memory that was asked for
	blasOf  map[Stream]*StreamBLAS

	owned map[any]*resource // by handle
	seq   int
	err   error // of frees, which have nobody to tell
}

// A resource is something of the driver's that must be destroyed.
type resource struct {
	seq     int
	destroy func() error
}

// start makes the context. What it has made when it fails is for close to undo.
func (c *Ctx) start(ordinal int, o DeviceOptions) error {
	c.owned = make(map[any]*resource)
	c.shared = make(map[Function]uint32)
	c.blasOf = make(map[Stream]*StreamBLAS)
	if err := c.driver.Init(); err != nil {
		return err
	}
	info, id, err := describe(c.driver, ordinal)
	if err != nil {
		return err
	}
	c.id, c.device.info = id, info
	c.memory = newMemory(c, o.Pools && info.Pools)
	c.device.memory = c.memory
	context, err := c.driver.PrimaryCtxRetain(id)
	if err != nil {
		return err
	}
	c.context = context
	if err := c.driver.CtxSetCurrent(context); err != nil {
		return err
	}
	if c.memory.pools {
		// The driver's pool keeps what it has: Trim empties it.
		if err := c.driver.PoolSetReleaseThreshold(id, ^uint64(0)); err != nil {
			return err
		}
	}
	c.stream, err = c.NewStream()
	return err
}

// call runs a function and catches its panic.
func (c *Ctx) call(f func(*Ctx) error) (o outcome) {
	returned := false
	defer func() {
		if !returned {
			o.panic = recover() // nil if the goroutine is ending
		}
	}()
	o.err = f(c)
	returned = true
	return o
}

// keepErr notes a failure that no caller waits for, takeErr returns them.
func (c *Ctx) keepErr(err error) {
	if err != nil {
		c.err = errors.Join(c.err, err)
	}
}

func (c *Ctx) takeErr() error {
	err := c.err
	c.err = nil
	return err
}

// Driver returns the driver, for calls that create nothing.
func (c *Ctx) Driver() Driver { return c.driver }

// Info describes the GPU.
func (c *Ctx) Info() Info { return c.device.info }

// Stream returns the stream in which buffers are made and freed and in which work
// goes that has no reason to go elsewhere. The legacy default stream is not
// ordered with it.
func (c *Ctx) Stream() Stream { return c.stream }

// Synchronize waits for the device's stream.
func (c *Ctx) Synchronize() error { return c.driver.StreamSynchronize(c.stream) }

// NewStream makes a stream that runs beside the others.
func (c *Ctx) NewStream() (Stream, error) {
	s, err := c.driver.StreamCreate(StreamNonBlocking)
	if err != nil {
		return 0, err
	}
	c.own(s, func() error { return c.driver.StreamDestroy(s) })
	return s, nil
}

// NewEvent makes an event; those with timing are slower to record.
func (c *Ctx) NewEvent(timing bool) (Event, error) {
	flags := EventDisableTiming
	if timing {
		flags = EventTiming
	}
	e, err := c.driver.EventCreate(flags)
	if err != nil {
		return 0, err
	}
	c.own(e, func() error { return c.driver.EventDestroy(e) })
	return e, nil
}

// Destroy ends a [Stream] or an [Event] that this device has made, or unloads a
// [Module]. It panics for what it does not know, for the device's own stream, and
// for a stream in which buffers were allocated that are alive. For a stream it waits
// for the device.
func (c *Ctx) Destroy(handle any) error {
	switch h := handle.(type) {
	case Stream:
		if h == c.stream {
			misuse("Destroy", "the device's own stream")
		}
		if c.memory.capture != nil {
			misuse("Destroy", "a stream within a capture")
		}
		if b := c.blasOf[h]; b != nil {
			if err := b.close(); err != nil {
				return err
			}
		}
		if err := c.memory.forget(h); err != nil {
			return err
		}
	case Module:
		for f := range c.shared {
			delete(c.shared, f) // functions of other modules are set again
		}
	}
	return c.release(handle)
}

// own notes that a handle must be destroyed.
func (c *Ctx) own(handle any, destroy func() error) {
	c.seq++
	c.owned[handle] = &resource{seq: c.seq, destroy: destroy}
}

// release destroys what a handle stands for. If that fails it is tried again when
// the device is closed.
func (c *Ctx) release(handle any) error {
	r := c.owned[handle]
	if r == nil {
		misuse("Destroy", "%T %#x is not this device's, or was destroyed", handle, handle)
	}
	err := r.destroy()
	if err == nil {
		delete(c.owned, handle)
	}
	return err
}

// close frees everything, newest first, and lets the context go. What fails is
// tried once more.
func (c *Ctx) close() error {
	if c.context == 0 {
		return nil
	}
	var leaks error
	if c.debug {
		if alive := c.memory.alive(false); len(alive) > 0 {
			leaks = &LeakError{Buffers: alive}
		}
	}
	err := c.takeErr()
	passes := 2
	if c.stream != 0 {
		if syncErr := c.driver.CtxSynchronize(); syncErr != nil {
			err = errors.Join(err, syncErr)
			if c.driver.CtxSynchronize() != nil {
				passes = 1 // the device is lost: every call will fail
			}
		}
	}
	var failures error
	for range passes {
		failures = nil
		handles := slices.SortedFunc(maps.Keys(c.owned), func(a, b any) int { return cmp.Compare(c.owned[b].seq, c.owned[a].seq) })
		for _, h := range handles {
			failures = errors.Join(failures, c.release(h))
		}
		failures = errors.Join(failures, c.memory.close())
		if failures == nil {
			break
		}
	}
	failures = errors.Join(failures,
		twice(func() error { return c.driver.CtxSetCurrent(0) }),
		twice(func() error { return c.driver.PrimaryCtxRelease(c.id) }))
	c.context = 0
	return errors.Join(err, failures, leaks)
}

// twice tries something again if it fails.
func twice(f func() error) error {
	if f() == nil {
		return nil
	}
	return f()
}
