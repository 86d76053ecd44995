// A step as a CUDA graph.

package dense

import (
	"errors"
	"fmt"
	"sync"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

// A Graph is work on a device that was recorded and can be launched again, in one call.
// It reads and writes the memory that it was recorded with, which it keeps alive, with the
// function that was recorded, until [Graph.Close].
type Graph struct {
	b        *Backend
	captured *driver.Captured
	tick     *driver.Buffer // how often it was launched

	// What the recorded work uses and the capture has not made: others may forget it. The
	// device's goroutine has kept during the capture.
	f    func()
	kept map[any]struct{}

	before []func() // called before every replay

	mu     sync.Mutex // handing over a replay, closing
	closed bool
}

// A capture is one that goes on: the device runs what it is handed through a channel.
type capture struct {
	began  chan struct{} // closed when the device takes work
	work   chan func(c *driver.Ctx) error
	broken bool          // f has panicked: set before work is closed
	end    chan struct{} // closed when the device takes no more
	before []func()      // of the graph; the backend's lock guards it
}

// An ending is how the device's part of a capture ended.
type ending struct {
	err   error
	panic any
}

// explains tells whether f's panic came of a failure that the device's part has ended with.
func (e ending) explains(panicked any) bool {
	_, ok := panicked.(*tensor.DeviceFailure)
	return ok && !errors.Is(e.err, errBroken)
}

// errBroken is what became of a capture that a panic has broken off, and nothing before.
var errBroken = errors.New("cuda: the capture was broken off by a panic")

func (k *capture) hand(f func(c *driver.Ctx) error) error {
	select {
	case k.work <- f:
		return nil
	case <-k.end:
		return errors.New("cuda: the capture has ended early")
	}
}

// Capture records what f does on a device instead of doing it; [Graph.Replay] does it, as
// often as it is called. f must have run before, so that all kernels are compiled, and
// must not look at results: no Item, no copy to the CPU. What it copies to the device, such
// as labels, is the same at every replay. Other goroutines must leave the device alone meanwhile.
//
// Tensors that f makes and that are alive afterwards, such as gradients, are rewritten by
// every replay. What f reads and writes stays alive until [Graph.Close]; until then nothing
// may free any of it by [tensor.Tensor.Free]. Random masks differ from replay to replay:
// their seeds take the number of the replay in. What is a number in f is the same at every
// replay: an optimiser that counts its steps belongs outside of f. Indices that are written to
// a tensor that f reads are looked at before the next replay.
//
// The error is the first failure of the device. Any panic of f but one that came of it reaches
// the caller.
func Capture(d *tensor.Device, f func()) (*Graph, error) {
	b, ok := d.Backend().(interface{ Dense() *Backend })
	if !ok {
		return nil, fmt.Errorf("dense: Capture: %v is no CUDA device", d)
	}
	return b.Dense().record(f)
}

func (b *Backend) record(f func()) (g *Graph, err error) {
	if err := b.Synchronize(); err != nil {
		return nil, err
	}
	k := &capture{began: make(chan struct{}), work: make(chan func(c *driver.Ctx) error), end: make(chan struct{})}
	g = &Graph{b: b, f: f, kept: make(map[any]struct{})}
	ended := b.start(g, k)
	select {
	case <-k.began:
	case e := <-ended: // it did not begin
		b.failed.Store(false)
		if e.panic != nil {
			panic(e.panic)
		}
		return nil, e.err
	}
	b.mu.Lock()
	b.capture = k
	b.mu.Unlock()
	returned := false
	defer func() {
		b.mu.Lock()
		b.capture = nil
		b.mu.Unlock()
		k.broken = !returned
		close(k.work)
		e := <-ended
		b.failed.Store(false)
		if e.panic != nil { // if f has panicked, too, that came of it
			panic(e.panic)
		}
		if v := recover(); v != nil && !e.explains(v) {
			panic(v)
		}
		if g.before, err = k.before, e.err; err != nil {
			g = nil
		}
	}()
	f()
	returned = true
	return g, nil
}

// start starts the device's part of a capture. The device runs none of it if what was handed
// over before has failed: that is then how it ended.
func (b *Backend) start(g *Graph, k *capture) <-chan ending {
	ended := make(chan ending, 1)
	go func() {
		var e ending
		defer func() {
			e.panic = recover()
			ended <- e
		}()
		e.err = b.device.Do(func(c *driver.Ctx) error { return b.recordOn(c, g, k) })
	}()
	return ended
}

// recordOn runs a capture on the device's goroutine.
func (b *Backend) recordOn(c *driver.Ctx, g *Graph, k *capture) error {
	defer close(k.end)
	count := work{
		key:    "count",
		text:   func() string { return "AST_KERNEL(k)(u64 *tick) {\n  if (thread_index() == 0) *tick += 1;\n}\n" },
		blocks: 1,
	}
	t, err := c.Alloc(8, "launches of a graph")
	if err == nil {
		defer func() {
			if g.captured == nil {
				c.Free(t)
				g.f, g.kept = nil, nil // memory that f has made refers to g
			}
		}()
		err = c.Fill(t, 0, 8, 0)
	}
	if err == nil {
		_, err = c.BLAS(0) // its first call must not be captured
	}
	if err == nil {
		_, err = b.function(c, count) // nor compiling
	}
	if err != nil {
		return err
	}
	g.tick, b.recorded, count.args = t, g, []argument{t}
	defer func() { b.recorded = nil }()
	g.captured, err = c.Capture(func() error {
		close(k.began)
		failure := b.run(c, count)
		for f := range k.work {
			if failure == nil {
				failure = f(c)
			}
		}
		if failure == nil && k.broken {
			failure = errBroken
		}
		return failure
	})
	return err
}

// Keep keeps what is pointed to, such as a buffer, alive as long as the graph of the capture
// that goes on, if one does. It is called on the device's goroutine.
func (b *Backend) Keep(p any) {
	if b.recorded != nil {
		b.recorded.kept[p] = struct{}{}
	}
}

// Replay hands the work over to the device. It panics with a *driver.MisuseError if the
// graph is closed, and with a *tensor.IndexError if indices that were written to a tensor since
// are out of range.
func (g *Graph) Replay() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		panic(&driver.MisuseError{Op: "Replay", Text: "the graph is closed"})
	}
	if err := g.prepare(); err != nil {
		return err
	}
	return g.b.do(func(c *driver.Ctx) error { return c.Replay(g.captured) })
}

// prepare does what must be done before a replay, and returns the device's failure at it.
func (g *Graph) prepare() (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *tensor.DeviceFailure:
			err = v
		default:
			panic(v)
		}
	}()
	for _, f := range g.before {
		f()
	}
	return nil
}

// Close waits for the device and forgets the work, and what the graph has kept alive. After
// an error, which may be that of something earlier, the graph is still there. Another Close
// of a closed graph does nothing.
func (g *Graph) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	err := g.b.wait("Close", func(c *driver.Ctx) error {
		if err := c.DestroyGraph(g.captured); err != nil {
			return err
		}
		c.Free(g.tick)
		return nil
	})
	if err == nil {
		g.closed, g.f, g.kept, g.before = true, nil, nil, nil
	}
	return err
}
