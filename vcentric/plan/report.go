package plan

// The report of a plan's memory.

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Report lists every buffer with its bytes on a graph of the given sizes, its
// slot, the steps that touch it, and why it exists; then the bytes of all
// buffers and of what a run allocates. What the graph would keep in the order of its edges is listed
// too, but not counted: it is allocated once, not by a run. A vertex tensor of a homogeneous graph
// that is read from both sides is one tensor, and counts once.
func (p *Plan) Report(s Sizes) string {
	var b strings.Builder
	var total int64
	seen := make(map[string]bool)
	for _, buf := range p.Buffers {
		n, reason := buf.Bytes(s), buf.Reason
		slot, steps := "-", "-"
		if buf.Role != Input {
			slot, steps = fmt.Sprint(buf.Slot), buf.steps()
		} else if !p.Program.Bipartite && twoSided(buf.Res) {
			key := fmt.Sprint(buf.Name, buf.Res.IsType())
			if seen[key] {
				n, reason = 0, "the same tensor, read from the other side"
			}
			seen[key] = true
		}
		total += n
		fmt.Fprintf(&b, "%-8s %-16s %-7v %v%-12v slot %-3s steps %-6s %12d B  %s\n",
			buf.Role, buf.Name, buf.Res, buf.Type, buf.Shape, slot, steps, n, reason)
	}
	p.reportKept(&b, s)
	fmt.Fprintf(&b, "%d buffers, %d B\n%d slots, %d B allocated\n", len(p.Buffers), total, len(p.Slots), p.Peak(s))
	return b.String()
}

// twoSided tells whether a homogeneous graph has the same rows on its other side.
func twoSided(r ir.Residency) bool {
	return r.IsVertex() || r == ir.SrcType || r == ir.DstType
}
