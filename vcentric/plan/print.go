package plan

// The text form of a plan, for goldens and reports.

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// String prints the steps and the buffers.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "plan %s\n", p.Program.Name)
	for _, buf := range p.Buffers {
		fmt.Fprintf(&b, "  buffer %d %s %q %v %v%v: %s\n", buf.Index, buf.Role, buf.Name, buf.Res, buf.Type, buf.Shape, buf.Reason)
	}
	for _, v := range p.Program.Values {
		if v.Op == ir.OpView || Row(v) != v {
			fmt.Fprintf(&b, "  alias %v\n", v)
		}
	}
	for i, s := range p.Steps {
		fmt.Fprintf(&b, "  step %d ", i)
		switch s := s.(type) {
		case *Kernel:
			s.print(&b)
		case *Product:
			fmt.Fprintf(&b, "%v level=%v buffers %d, %d -> %d\n", s.Value.Op, s.Level, s.A.Index, s.B.Index, s.Out.Index)
		case *Total:
			fmt.Fprintf(&b, "total level=%v buffer %d -> %d\n", s.Level, s.In.Index, s.Out.Index)
		}
	}
	return b.String()
}

func (k *Kernel) print(b *strings.Builder) {
	fmt.Fprintf(b, "kernel over %v rows\n", k.Rows)
	printValues(b, "pre", "    ", k.Pre)
	for _, lp := range k.Loops {
		fmt.Fprintf(b, "    for each %v-edge\n", ir.Over(k.Rows))
		printValues(b, "edge", "      ", lp.Edge)
		printValues(b, "reduce", "      ", lp.Reduce)
		printStores(b, "      ", lp.Stores)
		printValues(b, "post", "    ", lp.Post)
	}
	printStores(b, "    ", k.Stores)
}

func printValues(b *strings.Builder, what, indent string, vs []*ir.Value) {
	for _, v := range vs {
		fmt.Fprintf(b, "%s%s %v\n", indent, what, v)
	}
}

func printStores(b *strings.Builder, indent string, stores []Store) {
	for _, s := range stores {
		fmt.Fprintf(b, "%sstore %%%d -> %d\n", indent, s.Value.ID, s.Buffer.Index)
	}
}

// Report lists every buffer with its bytes on a graph of the given sizes, and
// why it exists. A vertex tensor of a homogeneous graph that is read from both
// sides is one tensor, and counts once.
func (p *Plan) Report(s Sizes) string {
	var b strings.Builder
	var total int64
	seen := make(map[string]bool)
	for _, buf := range p.Buffers {
		n, reason := buf.Bytes(s), buf.Reason
		if buf.Role == Input && !p.Program.Bipartite && (buf.Res == ir.Src || buf.Res == ir.Dst) {
			if seen[buf.Name] {
				n, reason = 0, "the same tensor, read from the other side"
			}
			seen[buf.Name] = true
		}
		total += n
		fmt.Fprintf(&b, "%-8s %-16s %-6v %v%-12v %12d B  %s\n", buf.Role, buf.Name, buf.Res, buf.Type, buf.Shape, n, reason)
	}
	fmt.Fprintf(&b, "%d buffers, %d B\n", len(p.Buffers), total)
	return b.String()
}
