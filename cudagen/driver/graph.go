// Captured work: a CUDA graph and the memory it needs.

package driver

import "errors"

// Captured is work that was recorded and can be launched again and again with the
// same addresses.
type Captured struct {
	exec GraphExec
	pool *graphPool
}

// graphPool is the memory of a captured graph. What was allocated during the
// capture stays reserved as long as the graph lives: every launch writes to it.
type graphPool struct {
	cached []*block      // for reuse within the capture, sorted
	held   []*block      // not for reuse before the graph is gone
	host   []*HostBuffer // what every launch uploads
}

// Capture records the work that f puts into the device's stream, instead of
// running it. Within f buffers may be allocated and freed (by [Ctx.Free]); copies
// to Go's memory, waiting and other captures are not possible. What is copied from Go's
// memory is kept, and copied again by every launch. Other
// streams take part if they wait for an event of the device's stream, and if it
// waits for them before f ends.
//
// Buffers that f has allocated and not freed are the graph's results. Buffers from
// outside that the work uses must stay alive as long as the graph.
func (c *Ctx) Capture(f func() error) (*Captured, error) {
	if c.memory.capture != nil {
		misuse("Capture", "within a capture")
	}
	// Relaxed, since f may allocate. This goroutine is the only one that touches
	// the context.
	if err := c.driver.StreamBeginCapture(c.stream, CaptureRelaxed); err != nil {
		return nil, err
	}
	k := &Captured{pool: &graphPool{}}
	c.memory.capture = k.pool
	returned := false
	defer func() {
		if !returned { // f has panicked
			g, err := c.endCapture()
			if g != 0 {
				err = errors.Join(err, c.release(g))
			}
			c.keepErr(err)
			c.memory.drop(k.pool)
		}
	}()
	err := f()
	returned = true
	g, endErr := c.endCapture()
	if err = errors.Join(err, endErr); err != nil {
		if g != 0 {
			err = errors.Join(err, c.release(g))
		}
		c.memory.drop(k.pool)
		return nil, err
	}
	err = c.memory.withRoom(func() (err error) { k.exec, err = c.driver.GraphInstantiate(g); return err })
	err = errors.Join(err, c.release(g))
	if k.exec != 0 {
		c.own(k.exec, func() error { return c.driver.GraphExecDestroy(k.exec) })
	}
	if err != nil {
		if k.exec != 0 {
			err = errors.Join(err, c.release(k.exec))
		}
		c.memory.drop(k.pool)
		return nil, err
	}
	return k, nil
}

// endCapture ends the capture, whatever came of it.
func (c *Ctx) endCapture() (Graph, error) {
	c.memory.capture = nil
	g, err := c.driver.StreamEndCapture(c.stream)
	if err != nil {
		// If the call did not get through, the stream captures still.
		if capturing, askErr := c.driver.StreamIsCapturing(c.stream); askErr == nil && capturing {
			if g, again := c.driver.StreamEndCapture(c.stream); again == nil {
				err = errors.Join(err, c.driver.GraphDestroy(g))
			}
		}
		return 0, err
	}
	c.own(g, func() error { return c.driver.GraphDestroy(g) })
	return g, nil
}

// Replay launches captured work in the device's stream.
func (c *Ctx) Replay(k *Captured) error {
	if k.exec == 0 {
		misuse("Replay", "the graph is destroyed")
	}
	return c.driver.GraphLaunch(k.exec, c.stream)
}

// DestroyGraph waits for the device's stream and ends captured work. Its memory is
// free for others then, except for buffers that are alive.
func (c *Ctx) DestroyGraph(k *Captured) error {
	if k.exec == 0 {
		misuse("DestroyGraph", "the graph is destroyed already")
	}
	if err := c.Synchronize(); err != nil {
		return err
	}
	if err := c.release(k.exec); err != nil {
		return err
	}
	k.exec = 0
	c.memory.drop(k.pool)
	return nil
}

// drop gives a graph's memory to all. No launch of the graph may run any more.
func (m *memory) drop(p *graphPool) {
	m.mu.Lock()
	for b := range m.blocks {
		if b.pool == p {
			b.pool = nil
		}
	}
	m.mu.Unlock()
	for _, b := range append(p.cached, p.held...) {
		m.cache(b, false)
	}
	for _, h := range p.host {
		m.c.keepErr(m.c.FreeHost(h))
	}
	p.cached, p.held, p.host = nil, nil, nil
}

// Capturing tells whether work is being recorded.
func (c *Ctx) Capturing() bool { return c.memory.capture != nil }
