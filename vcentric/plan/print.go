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
		fmt.Fprintf(&b, "  buffer %d %s %q %v %v%v%s: %s\n", buf.Index, buf.Role, buf.Name, buf.Res, buf.Type, buf.Shape, buf.life(), buf.Reason)
	}
	for _, v := range p.Program.Values {
		if v.Op.Info().Class == ir.Alias || Row(v) != v {
			fmt.Fprintf(&b, "  alias %v\n", v)
		}
	}
	for _, d := range p.Decisions {
		fmt.Fprintf(&b, "  %v\n", d)
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

// life prints the slot and lifetime of a buffer; nothing for inputs.
func (b *Buffer) life() string {
	if b.Role == Input {
		return ""
	}
	return fmt.Sprintf(" slot %d steps %s", b.Slot, b.steps())
}

// steps prints the steps that touch a buffer, as 3-5 or, if the buffer outlives
// them, 3-.
func (b *Buffer) steps() string {
	if b.Role == Temp {
		return fmt.Sprintf("%d-%d", b.First, b.Last)
	}
	return fmt.Sprintf("%d-", b.First)
}

func (k *Kernel) print(b *strings.Builder) {
	fmt.Fprintf(b, "kernel over %v rows\n", k.Rows)
	printValues(b, "pre", "    ", k.Pre)
	for _, lp := range k.Loops {
		fmt.Fprintf(b, "    for each %v-edge\n", ir.Over(k.Rows))
		printValues(b, "edge", "      ", lp.Edge)
		printValues(b, "reduce", "      ", lp.Reduce)
		printSums(b, "      ", lp.Totals)
		printStores(b, "      ", lp.Stores)
		printValues(b, "post", "    ", lp.Post)
	}
	printSums(b, "    ", k.Totals)
	printStores(b, "    ", k.Stores)
}

func printValues(b *strings.Builder, what, indent string, vs []*ir.Value) {
	for _, v := range vs {
		fmt.Fprintf(b, "%s%s %v\n", indent, what, v)
	}
}

func printSums(b *strings.Builder, indent string, sums []Sum) {
	for _, s := range sums {
		fmt.Fprintf(b, "%stotal %v -> %d\n", indent, s.Value, s.Out.Index)
	}
}

func printStores(b *strings.Builder, indent string, stores []Store) {
	for _, s := range stores {
		fmt.Fprintf(b, "%sstore %%%d -> %d\n", indent, s.Value.ID, s.Buffer.Index)
	}
}
