package render

// The text of values: registers, which are declared where they are first read.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// get is C for elements of v as a reader in a scope sees them.
func (f *fn) get(s scope, v *ir.Value, e *elems) string {
	v, s = f.place(v, s)
	if v.Op == ir.OpConst {
		return literal(v.Attr.Num)
	}
	n := number{scope: s, value: v, elems: e}
	if name, ok := f.names[n]; ok {
		return name
	}
	if restore := f.pending[n]; restore != nil {
		restore()
		return f.names[n]
	}
	switch {
	case !f.needed[n]:
		panic(fmt.Sprintf("BUG: render: elements of %v are read that nobody asked for", v))
	case !f.computed[v]:
		return f.load(n)
	}
	switch v.Op.Info().Class {
	case ir.Leaf:
		return f.degree(n)
	case ir.Elementwise:
		args := make([]string, len(v.Args))
		for i, a := range v.Args {
			args[i] = f.get(s, a, f.elems.mapped(e, broadcast(a.Shape, v.Shape)))
		}
		if v.Op == ir.OpDropout {
			return f.declare(n, f.dropout(n, args[0]))
		}
		if m, ok := f.weights[v]; ok {
			return f.declare(n, weight(f.get(s, m.Args[0], e), args[0]))
		}
		return f.declare(n, expression(v, args))
	case ir.EdgePick:
		x := f.part(s, v, v.Args[0], e)
		if v.Op == ir.OpPick {
			return f.declare(n, x)
		}
		return f.declare(n, fmt.Sprintf("%s == %s ? %s : (T)0", x, f.edgeID(), f.part(s, v, v.Args[1], e)))
	case ir.Aggregate:
		panic(fmt.Sprintf("BUG: render: %v is read before its loop", v))
	}
	if moves(v) {
		return f.move(n)
	}
	return f.cross(n)
}

// declare declares the register of a number.
func (f *fn) declare(n number, text string) string {
	of := "T"
	if n.value.Type == ir.I32 {
		of = "int"
	}
	f.registers++
	name := fmt.Sprintf("v%d_%d", n.value.ID, f.registers)
	f.names[n] = name
	f.text(n.scope).line("%s %s = %s;", of, name, text)
	return name
}

// temporary is a new name.
func (f *fn) temporary(prefix string) string {
	f.registers++
	return fmt.Sprintf("%s%d", prefix, f.registers)
}

// text is the code that values of a scope are written to.
func (f *fn) text(s scope) *code {
	switch {
	case s == rowScope:
		return &f.row
	case s < rowScope:
		return f.done
	}
	return &f.inLoop().body
}

// move is a number that is an element of an operand, which one may depend on the
// lane.
func (f *fn) move(n number) string {
	v, text := n.value, ""
	for i, a := range v.Args {
		from := f.moved(v, i, n.elems)
		if from == nil {
			continue
		}
		x := f.get(n.scope, a, from)
		in := make([]bool, f.lanes) // the lanes whose element is of this operand
		other := false
		for l, k := range n.elems.of {
			in[l] = from.of[l] >= 0
			other = other || !in[l] && k >= 0
		}
		if !other {
			text += x
			return f.named(n, text)
		}
		text += fmt.Sprintf("%s ? %s : ", condition(in), x)
	}
	return f.named(n, text+"(T)0") // of a padding
}

// named is declare, unless the text is a register already.
func (f *fn) named(n number, text string) string {
	if strings.ContainsAny(text, " ()") {
		return f.declare(n, text)
	}
	f.names[n] = text
	return text
}

// dropout is the text of a dropout of x.
func (f *fn) dropout(n number, x string) string {
	v := n.value
	threshold := rng.Threshold(v.Attr.Num)
	if threshold > math.MaxUint32 { // nothing survives
		return "0"
	}
	seed := f.siteSeed(v.Attr.Site)
	index := joinSum(linear("(u64)"+f.rowIndex(v.Attr.Res), v.Width(), 0), f.index(n.elems))
	if n.scope < rowScope {
		index = joinSum(index, f.partBegin(n.scope, v))
	}
	return fmt.Sprintf("ast_dropout(%s, %s, %s, %s, %du, %s)", x, seed, f.siteKeys(seed), index, threshold, literal(ir.DropoutScale(v.Attr.Num)))
}

// siteSeed is the seed of a dropout.
func (f *fn) siteSeed(site int) string {
	return f.onceNamed(fmt.Sprintf("seed%d", site), "const u64", fmt.Sprintf("ast_site(%s, %du)", f.seed(), site))
}

// siteKeys are the keys of the first 2^32 elements of a dropout.
func (f *fn) siteKeys(seed string) string {
	return f.onceNamed("keys_"+seed, "const u64", fmt.Sprintf("ast_hash(%s, 0)", seed))
}

// onceNamed declares a name once a thread.
func (f *fn) onceNamed(name, of, text string) string {
	if !f.known[name] {
		f.known[name] = true
		f.once.line("%s %s = %s;", of, name, text)
	}
	return name
}

// degree is a number of edges of the row's vertex.
func (f *fn) degree(n number) string {
	v := n.value
	csr := func(name ArrayName) string { return f.array(Array{Name: name, Dir: v.Attr.Dir}) }
	offsets := csr(Offsets)
	if !v.Attr.Typed {
		return f.declare(n, fmt.Sprintf("(T)(%[1]s[%[2]s + 1] - %[1]s[%[2]s])", offsets, f.r()))
	}
	typ := f.index(n.elems)
	if n.scope < rowScope {
		of := f.nests[n.scope]
		if of.isCount(v) {
			return f.declare(n, fmt.Sprintf("(T)(%s - %s)", f.doneAt, of.begun()))
		}
		typ = of.met()
	}
	return f.declare(n, fmt.Sprintf("(T)ast_count(%[1]s, %[2]s[%[3]s], %[2]s[%[3]s + 1], %[4]s)", csr(EdgeTypes), offsets, f.r(), typ))
}

// part is C for an operand of a pick or winner at an edge.
func (f *fn) part(s scope, v, a *ir.Value, e *elems) string {
	if !ofType(v) {
		return f.get(s, a, e)
	}
	x, at := f.place(a, s)
	switch {
	case x.Op == ir.OpConst:
		return literal(x.Attr.Num)
	case !f.computed[x]:
		return f.load(number{s, x, e, true})
	}
	w, text := v.Width(), ""
	types := f.plan.Program.Types.Edge
	for t := range types {
		part := f.get(at, x, f.elems.mapped(e, func(i int) int { return t*w + i }))
		if t == types-1 {
			text += part
		} else {
			text += fmt.Sprintf("%s == %d ? %s : ", f.edgeType(), t, part)
		}
	}
	return "(" + text + ")"
}

// literal is a number in C.
func literal(x float64) string {
	switch {
	case math.IsNaN(x):
		return "(AST_INF - AST_INF)"
	case math.IsInf(x, 1):
		return "AST_INF"
	case math.IsInf(x, -1):
		return "(-AST_INF)"
	case x == 0 && math.Signbit(x):
		return "((T)-0.0)" // -0 would be an integer, whose zero has no sign
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if math.Signbit(x) {
		return "((T)" + text + ")"
	}
	return "(T)" + text
}
