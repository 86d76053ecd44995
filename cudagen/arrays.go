package cudagen

// The arrays of a graph in a device's memory.

import (
	"errors"
	"runtime"
	"sync"
	"weak"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/render"
	"github.com/asterias-ml/asterias/graph"
)

// A graphKey is a graph that may be gone, and how the edges of its hubs are cut.
type graphKey struct {
	graph      weak.Pointer[graph.Graph]
	chunk, hub int
}

// arrays are what kernels have seen of a graph so far. They go when the graph goes.
type arrays struct {
	chunk, hub int

	mu     sync.Mutex // of what follows
	hubs   [2]*render.HubTable
	extent *render.Extent
	host   map[render.Array][]int32

	device map[render.Array]*driver.Buffer // the device's goroutine has them
}

// arraysOf returns the arrays of a graph for programs with such hubs.
func (b *Backend) arraysOf(g *graph.Graph, chunk, hub int) *arrays {
	key := graphKey{weak.Make(g), chunk, hub}
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.graphs[key]
	if a == nil {
		a = &arrays{chunk: chunk, hub: hub, host: make(map[render.Array][]int32), device: make(map[render.Array]*driver.Buffer)}
		b.graphs[key] = a
		runtime.AddCleanup(g, b.forget, key)
	}
	return a
}

// forget drops the arrays of a graph that is gone; the device's memory follows when
// the collector finds the buffers.
func (b *Backend) forget(key graphKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.graphs, key)
}

// sizes returns the extent of the graph, and finds its hubs if they are new.
func (a *arrays) sizes(g *graph.Graph) *render.Extent {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.extent == nil {
		a.hubs = [2]*render.HubTable{render.NewHubs(g.In(), a.hub, a.chunk), render.NewHubs(g.Out(), a.hub, a.chunk)}
		a.extent = render.NewExtent(g, a.hubs)
	}
	return a.extent
}

// prepare computes the arrays that a program reads, which may take a while, outside
// of the device's goroutine. sizes has been called.
func (a *arrays) prepare(g *graph.Graph, names []render.Array) map[render.Array][]int32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	missing := make(map[render.Array][]int32)
	for _, n := range names {
		x, ok := a.host[n]
		if !ok {
			x = render.HostArray(n, g, a.hubs)
			a.host[n] = x
		}
		missing[n] = x
	}
	return missing
}

// upload copies to the device what is not there yet, on its goroutine.
func (a *arrays) upload(c *driver.Ctx, host map[render.Array][]int32) error {
	for n, x := range host {
		if a.device[n] != nil {
			continue
		}
		if c.Capturing() { // what a capture allocates is its graph's
			return errors.New("a graph that no program has met before is within a capture: run the step once first")
		}
		buffer, err := c.Alloc(max(4*len(x), 4), "graph")
		if err != nil {
			return err
		}
		if err := c.Upload(buffer, 0, driver.AsBytes(x)); err != nil {
			c.Free(buffer)
			return err
		}
		a.device[n] = buffer
	}
	return nil
}
