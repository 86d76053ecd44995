package plan

// Values that a graph keeps.

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// A graph of KeepEdges edges or more that is walked often keeps, on the CPU, what its kernels compute
// of degrees alone (ir.Value.OfGraph): of vertices, and, where a row has KeepEdgesPerRow edges on
// average, what edges scale rows of their other end with also in the order of the edges. Measured
// with 20 and 33 edges a row, sums of 16 and 32 columns take 0.85 to 0.93 of the time so, of 64 and
// 128 0.91 to 1.0; with 14 edges 0.85 to 0.96; with 2 1.02 to 1.17.
const (
	KeepEdges       = 1 << 17
	KeepEdgesPerRow = 8
)

// Kept is a value that the edges of a kernel's rows scale rows of their other end with.
type Kept struct {
	Value *ir.Value
	Rows  ir.Residency
}

// KeptAtEdges lists the values that a graph keeps in the order of edges, each once for either
// direction.
func (p *Plan) KeptAtEdges() []Kept {
	var out []Kept
	seen := make(map[string]bool)
	for _, s := range p.Steps {
		k, ok := s.(*Kernel)
		if !ok {
			continue
		}
		for _, lp := range k.Loops {
			for _, v := range lp.Reduce {
				c := p.scaling(k, v)
				if c == nil {
					continue
				}
				text, ok := c.OfGraph()
				if key := fmt.Sprint(k.Rows, text); ok && !seen[key] {
					seen[key] = true
					out = append(out, Kept{c, k.Rows})
				}
			}
		}
	}
	return out
}

// scaling is the number of the other end that a sum's edges scale rows of it with, nil for none.
func (p *Plan) scaling(k *Kernel, sum *ir.Value) *ir.Value {
	if sum.Op != ir.OpSum || sum.Attr.Typed || sum.Args[0].Op != ir.OpMul {
		return nil
	}
	atOtherEnd := func(v *ir.Value) *ir.Value {
		for v.Op.Info().Class == ir.Alias || v.Op == ir.OpAt || v.Op == ir.OpReshape {
			v = v.Args[0]
		}
		if v.Res.IsVertex() && v.Res != k.Rows && p.BufferOf(v) != nil {
			return v
		}
		return nil
	}
	m := sum.Args[0]
	for i, a := range m.Args {
		if x, c := atOtherEnd(m.Args[1-i]), atOtherEnd(a); x != nil && c != nil && c.Width() == 1 && m.Width() > 1 {
			return c
		}
	}
	return nil
}

// reportKept prints what a graph of the given sizes keeps in the order of edges.
func (p *Plan) reportKept(b *strings.Builder, s Sizes) {
	for _, k := range p.KeptAtEdges() {
		if s.NumEdges >= KeepEdges && s.NumEdges >= KeepEdgesPerRow*s.Rows(k.Rows) {
			fmt.Fprintf(b, "%-8s %-16s %-7v %v%-12v %v-edges %24d B  of the graph alone: kept with it, if it is walked often, in the order of its edges\n",
				"kept", fmt.Sprintf("%%%d", k.Value.ID), ir.Edge, k.Value.Type, k.Value.Shape, ir.Over(k.Rows), int64(s.NumEdges)*int64(k.Value.Type.Size()))
		}
	}
}
