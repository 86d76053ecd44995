// What was not freed.

package mock

import (
	"fmt"
	"slices"
)

// Leaks returns what is still alive, or was when its context was destroyed: one
// line for each object. What lived in a context that a failed kernel broke is
// not counted, since nothing could free it.
func (d *Driver) Leaks() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := slices.Clone(d.lost)
	for _, c := range d.contexts {
		if c.refs > 0 {
			out = append(out, fmt.Sprintf("context of device %d: %d references", c.device, c.refs))
		}
		if c.sticky == 0 {
			out = append(out, c.alive()...)
		}
	}
	for _, h := range d.hosts {
		out = append(out, fmt.Sprintf("host memory: %d bytes", len(h.data)))
	}
	return out
}

// alive lists the objects of a context.
func (c *context) alive() []string {
	var out []string
	for _, b := range c.blocks {
		if b.data != nil {
			out = append(out, fmt.Sprintf("device memory %#x: %d bytes", b.base, len(b.data)))
		}
	}
	for kind, n := range map[string]int{
		"stream": len(c.streams), "event": len(c.events), "module": len(c.modules),
		"graph": len(c.graphs), "executable graph": len(c.execs), "cuBLAS handle": len(c.blas),
	} {
		if n > 0 {
			out = append(out, fmt.Sprintf("%s: %d", kind, n))
		}
	}
	slices.Sort(out)
	return out
}
