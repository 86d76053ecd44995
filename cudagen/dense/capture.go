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
	// device's goroutine has buffers during the capture.
	f       func()
	buffers map[*driver.Buffer]struct{}

	mu     sync.Mutex // handing over a replay, closing
	closed bool
}

// A capture is one that goes on: the device runs what it is handed through a channel.
type capture struct {
	work   chan func(c *driver.Ctx) error
	broken bool          // f has panicked: set before work is closed
	end    chan struct{} // closed when the device takes no more
}

// errBroken is what became of a capture that a panic has broken off.
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
// replay: an optimiser that counts its steps belongs outside of f.
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
	k := &capture{work: make(chan func(c *driver.Ctx) error), end: make(chan struct{})}
	g = &Graph{b: b, f: f, buffers: make(map[*driver.Buffer]struct{})}
	result, ready := make(chan error, 1), make(chan error, 1)
	err = b.device.Go(func(c *driver.Ctx) error {
		failure := errBroken // by a panic that the next to wait sees
		defer func() {
			select {
			case ready <- failure:
			default:
			}
			result <- failure
		}()
		failure = b.recordOn(c, g, k, ready)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := <-ready; err != nil {
		<-result
		return nil, err
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
		if err = <-result; err != nil {
			g = nil
		}
		b.failed.Store(false)
	}()
	f()
	returned = true
	return g, nil
}

// recordOn runs a capture on the device's goroutine.
func (b *Backend) recordOn(c *driver.Ctx, g *Graph, k *capture, ready chan<- error) error {
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
				g.f, g.buffers = nil, nil // memory that f has made refers to g
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
		ready <- err
		return err
	}
	g.tick, b.recorded, count.args = t, g, []argument{t}
	defer func() { b.recorded = nil }()
	g.captured, err = c.Capture(func() error {
		ready <- nil
		failure := b.run(c, count)
		for f := range k.work {
			if failure == nil {
				failure = f(c)
			}
		}
		if k.broken {
			failure = errors.Join(failure, errBroken)
		}
		return failure
	})
	select {
	case ready <- err: // the capture did not begin
	default:
	}
	return err
}

// Keep keeps a buffer alive as long as the graph of the capture that goes on, if one does.
// It is called on the device's goroutine.
func (b *Backend) Keep(buffer *driver.Buffer) {
	if b.recorded != nil {
		b.recorded.buffers[buffer] = struct{}{}
	}
}

// Replay hands the work over to the device. It panics with a *driver.MisuseError if the
// graph is closed.
func (g *Graph) Replay() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		panic(&driver.MisuseError{Op: "Replay", Text: "the graph is closed"})
	}
	return g.b.do(func(c *driver.Ctx) error { return c.Replay(g.captured) })
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
		g.closed, g.f, g.buffers = true, nil, nil
	}
	return err
}
