package pass

// Saved edges: numbers of edges that forward saves for backward, where vertices have few
// edges for the columns of their rows.
//
// Backward recomputes what an edge has, since it costs arithmetic while memory is waited
// for. Where dot products of rows are kept for each edge (dots.keeps), rows have a few
// edges each, and no walk over rows hides what scores, exponentials and their softmax
// cost: three walks over numbers of edges compute them again, of four numbers that are
// picked from both ends. There a weight that forward has anyway is as many bytes as one
// of these.

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// SaveEdgeValue saves values of edges for backward. Left out, backward recomputes them.
const SaveEdgeValue = "save-edge-value"

// savedColumns is how many columns a row has, at least, for each number of a value that is
// saved: others are rows themselves.
const savedColumns = 8

// savedEdges are the values of edges that forward saves if backward reads them: narrow
// ones that are made of the numbers of vertices.
func (o Options) savedEdges(p *ir.Program, log Log) map[*ir.Value]bool {
	d := newDots(o, p)
	columns := 0
	for _, v := range p.Values {
		if v.Op == ir.OpSum && !v.Attr.Typed && d.late.of(v) && d.keeps(v) {
			columns = max(columns, dotColumns(v))
		}
	}
	if columns == 0 || slices.Contains(o.Off, SaveEdgeValue) {
		return nil
	}
	edges := make(map[*ir.Value]bool)
	for _, v := range p.Values {
		if !d.late.of(v) {
			continue
		}
		for _, a := range v.Args {
			for a.Op == ir.OpReshape {
				a = a.Args[0]
			}
			if edges[a] || a.Res != ir.Edge || a.Type == ir.I32 || d.late.of(a) || savedColumns*a.Width() > columns || !ofVertices(a) {
				continue
			}
			edges[a] = true
			log[SaveEdgeValue]++
		}
	}
	return edges
}

// ofVertices tells whether an edge value is computed, of values of vertices: one that only
// reads them is as well read again.
func ofVertices(v *ir.Value) (found bool) {
	if v.Op == ir.OpAt || v.Op.Info().Class == ir.Alias {
		return false
	}
	onEdges(v, func(x *ir.Value) {
		found = found || slices.ContainsFunc(x.Args, func(a *ir.Value) bool { return a.Res.IsVertex() })
	})
	return found
}
