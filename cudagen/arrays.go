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

// A cut is how the edges of hubs are cut into chunks: see render.NewHubs.
type cut struct{ hub, chunk int }

// An arrayKey is an array of a graph. Only those of hubs depend on how these are cut; the
// cut of all others is zero, so that programs share them: they are most of the memory.
type arrayKey struct {
	render.Array
	cut
}

func keyOf(a render.Array, c cut) arrayKey {
	switch a.Name {
	case render.HubFirst, render.ChunkHub, render.ChunkBegin:
		return arrayKey{a, c}
	}
	return arrayKey{Array: a}
}

// hubs are those of a graph's directions, cut in one way, and what there is of them.
type hubs struct {
	tables [2]*render.HubTable
	extent *render.Extent
}

// arrays are what kernels have seen of a graph so far. They go when the graph goes.
type arrays struct {
	mu   sync.Mutex // of what follows
	hubs map[cut]*hubs
	host map[arrayKey][]int32

	device map[arrayKey]*driver.Buffer // the device's goroutine has them
}

// arraysOf returns the arrays of a graph.
func (b *Backend) arraysOf(g *graph.Graph) *arrays {
	key := weak.Make(g)
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.graphs[key]
	if a == nil {
		a = &arrays{hubs: make(map[cut]*hubs), host: make(map[arrayKey][]int32), device: make(map[arrayKey]*driver.Buffer)}
		b.graphs[key] = a
		runtime.AddCleanup(g, b.forget, key)
	}
	return a
}

// forget drops the arrays of a graph that is gone; the device's memory follows when
// the collector finds the buffers.
func (b *Backend) forget(key weak.Pointer[graph.Graph]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.graphs, key)
}

// sizes returns the extent of the graph, and finds its hubs if they are new.
func (a *arrays) sizes(g *graph.Graph, c cut) *render.Extent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.hubsOf(g, c).extent
}

// hubsOf is called with the lock held.
func (a *arrays) hubsOf(g *graph.Graph, c cut) *hubs {
	h := a.hubs[c]
	if h == nil {
		tables := [2]*render.HubTable{render.NewHubs(g.In(), c.hub, c.chunk), render.NewHubs(g.Out(), c.hub, c.chunk)}
		h = &hubs{tables, render.NewExtent(g, tables)}
		a.hubs[c] = h
	}
	return h
}

// prepare computes the arrays that a program reads, which may take a while, outside
// of the device's goroutine.
func (a *arrays) prepare(g *graph.Graph, names []render.Array, c cut) map[arrayKey][]int32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	read := make(map[arrayKey][]int32)
	for _, n := range names {
		key := keyOf(n, c)
		x, ok := a.host[key]
		if !ok {
			x = render.HostArray(n, g, a.hubsOf(g, c).tables)
			a.host[key] = x
		}
		read[key] = x
	}
	return read
}

// upload copies to the device what is not there yet, on its goroutine.
func (a *arrays) upload(c *driver.Ctx, host map[arrayKey][]int32) error {
	for key, x := range host {
		if a.device[key] != nil {
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
		a.device[key] = buffer
	}
	return nil
}
