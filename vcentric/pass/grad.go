package pass

// Grad appends reverse-mode gradients to a program. The rules are a column of
// the op table; this pass sums what each value's users send back, and brings a
// cotangent to the row shape and the residency of the operand it belongs to:
// from edges to sources by a sum over out-edges, to destinations by a sum over
// in-edges, to a type by a sum over its edges or vertices, to a param by a sum
// over all (Seastar section 5.2; DESIGN 3.3).

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Grad returns the program with, besides its outputs, the gradients of the
// scalar Σ out·cotangent with respect to the bindings that want names (as
// Program.Binding names them). A binding that no output depends on has none.
func Grad(p *ir.Program, want func(binding string) bool) *ir.Program {
	return gradientsOf(p, want, readersOf(p))
}

// gradientsOf is Grad of a program whose values have readers: where none are said, gradients
// have no guards.
func gradientsOf(p *ir.Program, want func(binding string) bool, read map[*ir.Value]readers) *ir.Program {
	g := &gradient{
		b:    ir.BuilderLike(p),
		prog: p,
		to:   make(map[*ir.Value]*ir.Value),
		sent: make(map[*ir.Value][]*ir.Value),
		read: read,
	}
	g.guards = newGuards(g.b)
	for _, v := range p.Values {
		g.to[v] = g.b.Copy(v, mapped(v.Args, g.to))
	}
	for _, o := range p.Outputs {
		g.b.Output(o.Name, g.to[o.Value])
	}
	needs := dependents(p, func(v *ir.Value) bool { return v.Op == ir.OpInput && want(p.Binding(v)) })
	for _, o := range p.Outputs {
		if v := o.Value; needs[v] {
			g.send(v, g.b.Input(ir.CotangentPrefix+o.Name, v.Res, v.Shape))
		}
	}
	for i := len(p.Values) - 1; i >= 0; i-- {
		if v := p.Values[i]; needs[v] && len(g.sent[v]) > 0 && v.Op != ir.OpInput {
			g.backward(v, needs)
		}
	}
	g.outputs(needs)
	last := DCE(g.b.Program())
	outersLast(last)
	return last
}

// outersLast moves the sums of outer products, and what is made of them, to the
// end: rules that choose which operand to sum see the sums that gradients of
// other values have made.
func outersLast(p *ir.Program) {
	late := dependents(p, func(v *ir.Value) bool { return v.Op == ir.OpOuter })
	slices.SortStableFunc(p.Values, func(x, y *ir.Value) int { return b2i(late[x]) - b2i(late[y]) })
	p.Renumber()
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

type gradient struct {
	b    *ir.Builder
	prog *ir.Program
	to   map[*ir.Value]*ir.Value   // of the old program, in the new one
	sent map[*ir.Value][]*ir.Value // cotangents sent back to a value of the old program
	read map[*ir.Value]readers     // of the old program

	guards *guards
}

// dependents marks what depends on the values that are roots.
func dependents(p *ir.Program, root func(*ir.Value) bool) map[*ir.Value]bool {
	m := make(map[*ir.Value]bool)
	for _, v := range p.Values {
		if root(v) || slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return m[a] }) {
			m[v] = true
		}
	}
	return m
}

func (g *gradient) send(v, c *ir.Value) { g.sent[v] = append(g.sent[v], c) }

// total is the whole cotangent of v.
func (g *gradient) total(v *ir.Value) *ir.Value {
	sum := g.sent[v][0]
	for _, c := range g.sent[v][1:] {
		sum = g.b.Add(sum, c)
	}
	return sum
}

func (g *gradient) backward(v *ir.Value, needs map[*ir.Value]bool) {
	rule := v.Op.Info().Grad
	if rule == nil {
		return // flat almost everywhere
	}
	g.b.At(v.Pos)
	n, total := g.to[v], g.total(v)
	of := g.rows(v)
	switch {
	case !of.unread():
	case v.Op.Info().Class == ir.Dense: // its weight's gradient sums over all rows: none may be NaN
		safe := *n
		safe.Args = []*ir.Value{g.guards.factor(n.Args[0], of), n.Args[1]}
		n, total = &safe, g.guarded(v, total)
	case v.Op == ir.OpView && of.read != g.read[v.Args[0]]: // others read the operand where nobody reads v
		total = g.guarded(v, total)
	case v.Op == ir.OpUnstack: // of what is shared by all
		total = g.guarded(v, total)
	case v.Level() == ir.Edge && of.read&along(v.Attr.Dir) == 0: // edges take it to where it counts
		total = g.guarded(v, total)
	}
	for i, c := range rule(g.b, n, total) {
		if a := v.Args[i]; c != nil && needs[a] {
			if c.Final {
				g.send(a, c.Value)
			} else {
				g.send(a, g.lower(v, c.Value, a))
			}
		}
	}
}

// guarded is the cotangent c met at v's rows, safe where nobody reads v.
func (g *gradient) guarded(v, c *ir.Value) *ir.Value {
	of := g.rows(v)
	if !of.unread() {
		return c
	}
	return g.guards.guard(c, of)
}

func (g *gradient) rows(v *ir.Value) rows { return rows{g.read[v], v.Res} }

// lower brings a cotangent met at the level of v to the shape and residency of
// v's operand a.
func (g *gradient) lower(v, c, a *ir.Value) *ir.Value {
	level := v.Level()
	if !c.Shape.Equal(a.Shape) {
		if s, err := ir.BroadcastShapes(c.Shape, a.Shape); err == nil && s.Equal(c.Shape) {
			c = g.b.ReduceTo(c, a.Shape)
		} else {
			c = g.b.Expand(c, a.Shape)
		}
	}
	switch {
	case level == a.Res && g.read[v] == g.read[a]: // a's own guard will do
		return c
	case level == a.Res: // others read a too: what v sends it back adds to theirs
		return g.guarded(v, c)
	case a.Res.IsVertex(): // from edges to one of their ends
		return g.b.Sum(ir.Over(a.Res), c)
	default:
		return g.b.TotalTo(g.guarded(v, c), level, a.Res)
	}
}

// outputs adds up what reached each binding. On a homogeneous graph a vertex
// tensor that is read from both sides has one gradient.
func (g *gradient) outputs(needs map[*ir.Value]bool) {
	sums := make(map[string]*ir.Value)
	var order []string
	for _, v := range g.prog.Inputs() {
		if !needs[v] || len(g.sent[v]) == 0 {
			continue
		}
		key, c := g.prog.Binding(v), g.guarded(v, g.total(v))
		if v.Res == ir.Edge && c.Res != ir.Edge || v.Res.IsVertex() && !c.Res.IsVertex() { // the same for many rows
			c = g.b.Op(ir.OpAt, ir.Attr{Res: v.Res}, c)
		}
		if sums[key] == nil {
			sums[key] = c
			order = append(order, key)
			continue
		}
		if sums[key].Res != c.Res {
			c = g.b.View(c, sums[key].Res)
		}
		sums[key] = g.b.Add(sums[key], c)
	}
	for _, key := range order {
		g.b.Output(ir.GradPrefix+key, sums[key])
	}
}
