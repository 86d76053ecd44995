//go:build linux && !android && (amd64 || arm64)

package plugin

// A library in this process: nothing is copied, nothing is guarded.

import (
	"runtime"
	"unsafe"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

type direct struct {
	lib   *library
	stats *Stats
}

func openDirect(path string, stats *Stats) (runner, error) {
	lib, err := load(path)
	if err != nil {
		return nil, err
	}
	return &direct{lib, stats}, nil
}

func (d *direct) name() string { return d.lib.name }

func (d *direct) create(g *Graph) error {
	runtime.LockOSThread() // an error's text may be the thread's
	defer runtime.UnlockOSThread()
	src, dst := address(g.src), address(g.dst)
	handle, err := d.lib.newGraph(g.vertices, len(g.src), src, dst)
	runtime.KeepAlive(g)
	if err != nil {
		return err
	}
	g.handle = uint64(handle)
	return nil
}

func (d *direct) call(g *Graph, c system.Call) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var set [numSlots]bool
	for slot, t := range [numSlots]*tensor.Tensor{slotX: c.X, slotY: c.Y, slotW: c.W, slotOut: c.Out} {
		if t != nil {
			set[slot] = true
			d.lib.args.tensors[slot].set(address(tensor.Data[float32](t)), shapeOf(t))
		}
	}
	took, err := d.lib.call(c.Kind, uintptr(g.handle), c.Flags, set)
	runtime.KeepAlive(&c)
	if err != nil {
		return err
	}
	d.stats.Calls++
	d.stats.Time += took
	return nil
}

func (d *direct) memory(g *Graph) system.Memory { return d.lib.memoryOf(uintptr(g.handle)) }

func (d *direct) destroy(g *Graph) error {
	d.lib.free(uintptr(g.handle))
	return nil
}

// close leaves the library loaded: its threads may still run.
func (d *direct) close() error { return nil }

// address is where a slice is, which the caller keeps alive.
func address[T any](s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }

func shapeOf(t *tensor.Tensor) [3]int64 {
	s := t.Shape()
	return [3]int64{int64(s[0]), int64(s[1]), int64(s[2])}
}
