package pass

// Inline takes cheap work back to the edges, where rows are read anyway. What reorder
// has put on the vertices costs a pass over them, which writes a table that the edges
// then read; scaling a row while it is gathered costs nothing.

import "github.com/asterias-ml/asterias/vcentric/ir"

var inlineRules = []Rule{{Name: "scale-at-edges", ApplyUses: scaleAtEdges}}

// wide is how many columns a number must scale to be fetched for each edge, and
// wideOfHeads how many if a row has a number for each head.
const wide, wideOfHeads = 16, 32

// scaleAtEdges: Σ_e (x·c) with rows x of the other end that are in memory and one
// number c for a row, or for each head of it, is a sum over edges of x scaled there.
//
// For N vertices, E edges and rows of F numbers the table of x·c is 2NF numbers moved,
// of which the edges read E rows; instead they read c, E numbers more, mostly from the
// cache. Measured with 2 threads and 64 or 128 columns, as a share of the time with a
// table: 0.6 on a star, 0.6 to 0.8 on 14 edges a vertex, 0.7 to 0.95 on 20 to 33; with 16
// columns 0.43, 0.9 to 1.1, 0.9 to 1.1, and 0.4 to 0.5 at times when what one thread has
// just written, as a table, reaches the other late. With 8 columns up to 1.2.
func scaleAtEdges(b *ir.Builder, v *ir.Value, uses func(*ir.Value) int) *ir.Value {
	if v.Op != ir.OpSum || v.Attr.Typed {
		return nil
	}
	m := v.Args[0]
	if m.Op != ir.OpMul || uses(m) != 1 || !m.Res.IsVertex() || m.Res == v.Res {
		return nil
	}
	for i, x := range m.Args {
		c := m.Args[1-i]
		if inMemory(x) && x.Res == m.Res && x.Shape.Equal(m.Shape) && sameInColumns(c) && isWide(x, c) {
			return b.Op(ir.OpSum, v.Attr, b.Mul(b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, x), c))
		}
	}
	return nil
}

// isWide tells whether rows x have columns enough for edges to scale them with c.
func isWide(x, c *ir.Value) bool {
	if c.Width() == 1 {
		return x.Width() >= wide
	}
	return x.Width() >= wideOfHeads*c.Width()
}

// inMemory tells whether all rows of x are in memory, whoever reads them: inputs and
// the results of matrix products.
func inMemory(x *ir.Value) bool {
	for x.Op.Info().Class == ir.Alias || x.Op == ir.OpReshape {
		x = x.Args[0]
	}
	return x.Op == ir.OpInput || x.Op.Info().Class == ir.Dense
}
