package pass

// Dots spares the backward pass a gather. It runs after the gradient is taken,
// beside reuse.
//
// What a softmax's scores send back to the centre is a sum over its edges of
// w_e (g·h_e - t), with the weights w and the neighbours' rows h of the forward pass
// and only g and t new. The sum of w_e h_e can be formed in the forward pass, where
// the rows are in the cache already; then g and t meet it row by row, and the loop
// over the edges that would have gathered h again is gone.
//
// The price is a row of columns for each vertex, written by the forward pass and read by
// the backward pass. Where vertices have few edges, and the loops of the other side
// compute the same numbers anyway, it is cheaper to keep these (plan.KeepEdgeValue). With
// still fewer edges for their columns even t, which is the sum of w_e (g·h_e), is cheaper as
// the sum of kept products than as a product of g with the row that the forward pass has.

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// dots is the rule and what it goes by.
type dots struct {
	sizes  Sizes
	shared bool // see sharesDots
	late   lateness
	finite finiteness
}

// newDots is what a program, nil for any, goes by.
func newDots(o Options, p *ir.Program) dots {
	shared := p != nil && !slices.Contains(o.Off, keepEdgeValue) && sharesDots(CSE(p))
	return dots{sizes: o.Sizes, shared: shared, late: make(lateness), finite: make(finiteness)}
}

// A new row for each vertex costs about what keeping a number for each edge does where it has
// columnsAnEdge columns for each of the vertex' edges less columnsARow. Measured on one head of
// attention, training, on graphs whose vertices count as having so many edges (Sizes: the next
// power of two), keeping takes of the time: with 2 edges 0.80 at 128 columns, 0.88 at 64, 1.0 at
// 32, 0.90 at 16; with 4 edges 1.0 at 64 columns, 0.91 at 32, 1.0 at 16; with 8 edges and 64
// columns 1.1; with 16 edges and 128 columns 1.03.
const (
	columnsAnEdge = 24
	columnsARow   = 32
)

// keptColumnsAnEdge is from how many columns on reading a row again costs more than the two
// more walks over numbers of edges that do without. In the same way: with 2 edges a vertex
// these take 0.78 to 0.92 of the time at 128 columns, 0.87 to 1.04 at 64, 1.0 to 1.1 at 16;
// with 4 edges 0.86, 1.25, 1.9 times; with 14 edges 1.0 at 128.
const keptColumnsAnEdge = 24

// keeps tells whether the dot products of wide rows that v sums are better kept for each
// edge: where the loops of the other side compute them anyway (plan.KeepEdgeValue), and
// vertices have few edges.
func (d dots) keeps(v *ir.Value) bool {
	if !d.shared || d.sizes == (Sizes{}) {
		return false
	}
	edges := d.sizes.Edges / d.sizes.rows(v.Attr.Dir.Rows())
	return float64(dotColumns(v)) > keptColumnsAnEdge*edges*float64(v.Width())
}

// dotColumns is the columns of the widest rows whose dot products v sums.
func dotColumns(v *ir.Value) (columns int) {
	onEdges(v.Args[0], func(x *ir.Value) {
		if isDot(x) {
			columns = max(columns, x.Args[0].Width())
		}
	})
	return columns
}

// sharesDots tells whether the program has edge values made of dot products that depend on
// a cotangent, and sums them over the edges of both sides.
func sharesDots(p *ir.Program) bool {
	sums, late := make(map[*ir.Value]ir.Dir), make(lateness)
	for _, v := range p.Values {
		if v.Op != ir.OpSum || v.Attr.Typed {
			continue
		}
		a := v.Args[0]
		if d, ok := sums[a]; !ok || d == v.Attr.Dir {
			sums[a] = v.Attr.Dir
			continue
		}
		found := false
		onEdges(a, func(x *ir.Value) { found = found || isDot(x) && late.of(x) })
		if found {
			return true
		}
	}
	return false
}

// isDot tells whether v sums products of an edge's two rows.
func isDot(v *ir.Value) bool {
	return v.Op == ir.OpReduceTo && v.Args[0].Op == ir.OpMul && v.Args[0].Res == ir.Edge
}

// onEdges visits the edge values that v is made of, v among them.
func onEdges(v *ir.Value, visit func(*ir.Value)) {
	seen := make(map[*ir.Value]bool)
	var walk func(x *ir.Value)
	walk = func(x *ir.Value) {
		if x.Res != ir.Edge || seen[x] {
			return
		}
		seen[x] = true
		visit(x)
		for _, a := range x.Args {
			walk(a)
		}
	}
	walk(v)
}

// pays tells whether new sums of so many columns beat keeping the summands of v. Summands
// that nothing else reads are not there to be kept; of graphs of unknown size little is
// known to be won.
func (d dots) pays(v *ir.Value, columns int, uses func(*ir.Value) int) bool {
	if columns == 0 || uses(v.Args[0]) == 1 || d.sizes == (Sizes{}) {
		return true
	}
	edges := d.sizes.Edges / d.sizes.rows(v.Attr.Dir.Rows())
	return float64(columns+columnsARow) < columnsAnEdge*edges*float64(v.Width())
}

// outOfSum: Σ_e w_e (g_r·h_e - t_r) = g_r·Σ_e w_e h_e - t_r Σ_e w_e for w and h
// that do not depend on a cotangent, where forward has a sum over h on the same
// edges. Without edges it is 0 whatever g and t are: the gradient of a norm is infinite
// where nothing has been summed.
func (d dots) outOfSum(b *ir.Builder, v *ir.Value, uses func(*ir.Value) int) *ir.Value {
	if v.Op != ir.OpSum || v.Attr.Typed || v.Args[0].Op != ir.OpMul || v.Args[0].Res != ir.Edge || d.keeps(v) || !d.late.of(v) {
		return nil
	}
	var out *ir.Value
	found, columns := false, 0
	for _, t := range d.termsOf(v.Args[0]) {
		x, more := d.dot(b, t, v)
		if x != nil {
			found, columns = true, columns+more
		} else if x = d.factored(b, t, v); x == nil {
			return nil // the edges have to be met after all
		}
		switch {
		case out == nil && t.negative:
			out = b.Neg(x)
		case out == nil:
			out = x
		case t.negative:
			out = b.Sub(out, x)
		default:
			out = b.Add(out, x)
		}
	}
	if !found || !d.pays(v, columns, uses) {
		return nil
	}
	return d.finite.factor(b, out, v.Attr.Dir)
}

// term is a product that is a summand.
type term struct {
	negative bool
	factors  []*ir.Value
}

// termsOf multiplies a product of the full row shape out over the first sum or
// difference among its factors that depends on a cotangent. One of the forward program's
// own is a weight as any other: multiplied out it would want two sums of columns where one
// does, and a difference of large numbers would lose its digits.
func (d dots) termsOf(x *ir.Value) []term {
	factors := flatten(x, x.Shape)
	for i, f := range factors {
		if f.Op != ir.OpAdd && f.Op != ir.OpSub || f.Res != ir.Edge || !d.late.of(f) {
			continue
		}
		rest := slices.Delete(slices.Clone(factors), i, i+1)
		part := func(a *ir.Value) []*ir.Value { return append(slices.Clone(rest), flatten(a, a.Shape)...) }
		return []term{{false, part(f.Args[0])}, {f.Op == ir.OpSub, part(f.Args[1])}}
	}
	return []term{{false, factors}}
}

// flatten lists the factors of a tree of products; one of too many is left whole.
func flatten(x *ir.Value, s ir.Shape) []*ir.Value {
	var factors []*ir.Value
	todo := []*ir.Value{x} // the last is next
	for len(todo) > 0 {
		y := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case y.Op == ir.OpMul && y.Res == ir.Edge && y.Shape.Equal(s):
			todo = append(todo, y.Args[1], y.Args[0])
		case len(factors) == maxFactors:
			return []*ir.Value{x}
		default:
			factors = append(factors, y)
		}
	}
	return factors
}

// product multiplies factors, 1 of none.
func product(b *ir.Builder, factors []*ir.Value) *ir.Value {
	out := b.Const(1)
	for i, f := range factors {
		if i == 0 {
			out = f
		} else {
			out = b.Mul(out, f)
		}
	}
	return out
}

// dot is the sum v of the term if one of its factors is g·h, summed over the last
// dimension of a row, and how many columns of sums it adds to those that are there.
func (d dots) dot(b *ir.Builder, t term, v *ir.Value) (sum *ir.Value, columns int) {
	rows := v.Attr.Dir.Rows()
	for i, q := range t.factors {
		rest := slices.Delete(slices.Clone(t.factors), i, i+1)
		if slices.ContainsFunc(rest, d.late.of) || !q.Shape.Equal(v.Shape) {
			continue
		}
		inner := q
		if inner.Op == ir.OpDropout && inner.Attr.Res == ir.Edge {
			inner = inner.Args[0]
		}
		if inner.Op == ir.OpReshape {
			inner = inner.Args[0]
		}
		if inner.Op != ir.OpReduceTo || inner.Args[0].Op != ir.OpMul || inner.Args[0].Res != ir.Edge {
			continue
		}
		m := inner.Args[0]
		for j, g := range m.Args {
			h := m.Args[1-j]
			if !g.Res.Within(rows) || h.Res.Within(rows) || d.late.of(h) || !h.Shape.Equal(m.Shape) || !d.summedWith(b, h, v.Attr.Dir) {
				continue
			}
			w := weightOf(b, rest, q)
			w = b.Reshape(w, inner.Shape)
			if sum = sumOf(b, v.Attr.Dir, w, h); sum == nil {
				sum, columns = b.Sum(v.Attr.Dir, b.Mul(w, h)), h.Width()
			}
			return b.Reshape(b.ReduceTo(b.Mul(g, sum), inner.Shape), v.Shape), columns
		}
	}
	return nil, 0
}

// weightOf is the product of factors that a dot product q is weighed with. If q is dropped
// out, the mask, which is linear, moves over to the weight: to the factor that the program
// has with this mask already, as forward does a softmax, else to the product.
func weightOf(b *ir.Builder, factors []*ir.Value, q *ir.Value) *ir.Value {
	if q.Op != ir.OpDropout {
		return b.Expand(product(b, factors), q.Shape)
	}
	for i, f := range factors {
		if dropped := droppedAs(b, f, q); dropped != nil && f.Shape.Equal(q.Shape) {
			factors = slices.Clone(factors)
			factors[i] = dropped
			return b.Expand(product(b, factors), q.Shape)
		}
	}
	return b.Op(ir.OpDropout, q.Attr, b.Expand(product(b, factors), q.Shape))
}

// droppedAs is what the program has of x under the mask of q, a dropout; nil for nothing.
func droppedAs(b *ir.Builder, x, q *ir.Value) *ir.Value {
	return find(b, func(d *ir.Value) bool {
		return d.Op == ir.OpDropout && d.Attr.Site == q.Attr.Site && d.Args[0] == x
	})
}

// sumOf is the program's sum of w times h, if it has one.
func sumOf(b *ir.Builder, d ir.Dir, w, h *ir.Value) *ir.Value {
	return find(b, func(s *ir.Value) bool {
		return s.Op == ir.OpSum && s.Attr.Dir == d && !s.Attr.Typed && isProduct(s.Args[0], w, h)
	})
}

// factored is the sum v of the term if its factors that depend on a cotangent
// belong to the row.
func (d dots) factored(b *ir.Builder, t term, v *ir.Value) *ir.Value {
	var late, early []*ir.Value
	for _, f := range t.factors {
		switch {
		case !d.late.of(f):
			early = append(early, f)
		case f.Res.Within(v.Attr.Dir.Rows()):
			late = append(late, f)
		default:
			return nil
		}
	}
	sum := b.Sum(v.Attr.Dir, product(b, early))
	return b.Expand(b.Mul(sum, product(b, late)), v.Shape)
}

// summedWith tells whether the forward program sums something times h over the
// edges of the direction.
func (d dots) summedWith(b *ir.Builder, h *ir.Value, dir ir.Dir) bool {
	return nil != find(b, func(s *ir.Value) bool {
		return s.Op == ir.OpSum && s.Attr.Dir == dir && !s.Attr.Typed && s.Args[0].Op == ir.OpMul && slices.Contains(s.Args[0].Args, h) && !d.late.of(s)
	})
}
