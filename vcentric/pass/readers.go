package pass

// Who reads the rows of values. What is computed once a vertex, or once a type, is computed
// also where nothing reads it, and counts for nothing there.

import "github.com/asterias-ml/asterias/vcentric/ir"

// readers are those through which rows of a value reach the outputs: edges of the vertex, or
// of a type's vertices; the vertex itself, or any of a type; or whatever takes all rows.
type readers uint8

const (
	inEdges readers = 1 << iota
	outEdges
	theVertex
	whole
)

func along(d ir.Dir) readers {
	if d == ir.Out {
		return outEdges
	}
	return inEdges
}

// rows are those of a residency that have such readers.
type rows struct {
	read readers
	res  ir.Residency
}

// unread tells whether there may be others, which nobody reads.
func (r rows) unread() bool {
	switch {
	case r.read == 0 || r.read&whole != 0:
		return false
	case r.res.IsVertex():
		return r.read&theVertex == 0
	}
	return r.res.IsType()
}

// seenBy is the rows of x that are these, for an operand x of a view.
func (r rows) seenBy(x *ir.Value) rows {
	switch {
	case x.Res == ir.Param:
	case r.res.IsVertex():
		r.res = ir.Over(x.Res).Rows()
	default:
		r.res = x.Res
	}
	return r
}

// readersOf finds the readers of each value of a program.
func readersOf(p *ir.Program) map[*ir.Value]readers {
	of := make(map[*ir.Value]readers)
	for _, o := range p.Outputs {
		of[o.Value] = whole
	}
	for i := len(p.Values) - 1; i >= 0; i-- {
		v := p.Values[i]
		for _, a := range v.Args {
			of[a] |= through(v, a, of[v])
		}
	}
	return of
}

// through are the readers of v's operand a that come of v, which has readers.
func through(v, a *ir.Value, read readers) readers {
	switch level := v.Level(); {
	case read == 0:
		return 0
	case level == ir.Edge:
		return along(ir.Over(a.Res))
	case level == ir.Param: // a table of all types
		return whole
	case v.Res != level && level.IsVertex(): // a sum over all rows
		return theVertex
	case v.Res != level:
		return whole
	case level.IsVertex() && a.Res.IsType() && read&whole != 0:
		return theVertex
	}
	return read
}

// count appends how many read each of the rows: 0 where nobody does.
func (r rows) count(b *ir.Builder) *ir.Value {
	vertices := ir.Over(r.res).Rows()
	var n *ir.Value
	switch {
	case r.res == ir.EdgeType: // edges are in-edges, and out-edges
		return b.Op(ir.OpUnstack, ir.Attr{Res: r.res}, b.Total(b.TypeDegree(ir.In), ir.Dst))
	case r.read&theVertex != 0:
		n = b.Const(1)
	case r.read == inEdges|outEdges:
		n = b.Add(b.Degree(ir.In, vertices), b.Degree(ir.Out, vertices))
	case r.read == outEdges:
		n = b.Degree(ir.Out, vertices)
	default:
		n = b.Degree(ir.In, vertices)
	}
	if r.res.IsType() {
		return b.TotalTo(n, vertices, r.res)
	}
	return n
}
