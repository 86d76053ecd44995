package render

// Values whose elements each need several of a row of their operand: sums and
// maxima over columns, and products with matrices.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// crossing is how numbers of a sum over columns come together.
type crossing struct {
	alone  bool       // a lane has or computes all its terms itself
	terms  [][]*elems // alone: term by term, of the operand
	parts  []*elems   // else, if there are any: the operand's numbers that lanes add up, and
	across int        // the lanes beside each other that they are added across
}

const maxAlone = 4 // terms that every lane had better compute itself than exchange

// needCrossing asks for what a sum or maximum over columns needs.
func (k *kernel) needCrossing(s scope, v *ir.Value, e *elems) {
	x := v.Args[0]
	if v.Op != ir.OpReduceTo {
		k.needRow(s, x)
		return
	}
	c := k.crossingOf(v, e)
	k.crossings[number{scope: s, value: v, elems: e}] = c
	switch {
	case c.alone:
		for _, t := range c.terms {
			for _, from := range t {
				k.need(s, x, from)
			}
		}
	case c.parts != nil:
		for _, p := range c.parts {
			k.need(s, x, p)
		}
		if c.across > warp {
			k.needWarps()
		}
	default:
		k.needRow(s, x)
	}
}

// needWarps makes room for a number of each warp of a group.
func (k *kernel) needWarps() {
	if k.warpsAt < 0 {
		k.warpsAt = k.stage
		k.stage += k.lanes / warp
	}
}

// crossingOf chooses how elements of a ReduceTo come together; everything goes
// through shared memory if nothing is left.
func (k *kernel) crossingOf(v *ir.Value, e *elems) *crossing {
	x := v.Args[0]
	into := ir.BroadcastIndex(v.Shape, x.Shape)
	terms := make([][]int, v.Width())
	for i, to := range into {
		terms[to] = append(terms[to], i)
	}
	n := 0
	if len(terms) > 0 {
		n = len(terms[0])
	}
	if k.lanes > 1 && n > 1 {
		if parts, across := k.partsOf(x, e, into, n); parts != nil {
			return &crossing{parts: parts, across: across}
		}
	}
	if n > maxAlone && (k.lanes > 1 || n > maxHeld) {
		return &crossing{}
	}
	c := &crossing{alone: true}
	for j := range n {
		c.terms = append(c.terms, []*elems{k.elems.mapped(e, func(i int) int { return terms[i][j] })})
	}
	return c
}

// partsOf finds the numbers of x that lanes must add up so that sums across blocks
// of lanes are the elements e; nil if the columns do not lie for it.
func (k *kernel) partsOf(x *ir.Value, e *elems, into []int, terms int) ([]*elems, int) {
	row := k.elems.row(x.Width())
	for across := 1; across <= k.lanes; across *= 2 {
		if across > warp && across != k.lanes {
			continue
		}
		if parts := k.partsAcross(row, e, into, terms, across); parts != nil {
			return parts, across
		}
	}
	return nil, 0
}

func (k *kernel) partsAcross(row []*elems, e *elems, into []int, terms, across int) []*elems {
	for l, to := range e.of { // all lanes of a block want the same sum, or nothing
		if first := e.of[l/across*across]; to >= 0 && to != first {
			return nil
		}
	}
	var parts []*elems
	have := make([]int, k.lanes/across)
	for _, p := range row {
		fits := true
		count := make([]int, len(have))
		for l, i := range p.of {
			want := e.of[l/across*across]
			switch {
			case i < 0 || want < 0:
			case into[i] == want:
				count[l/across]++
			default:
				fits = false
			}
		}
		if !fits || !slices.ContainsFunc(count, func(c int) bool { return c > 0 }) {
			continue
		}
		parts = append(parts, p)
		for b, c := range count {
			have[b] += c
		}
	}
	for b, n := range have {
		if e.of[b*across] >= 0 && n != terms {
			return nil
		}
	}
	return parts
}

// cross is the text of a number of a sum or maximum over columns.
func (f *fn) cross(n number) string {
	v := n.value
	switch v.Op {
	case ir.OpMatMul, ir.OpMatMulT:
		return f.matmul(n)
	case ir.OpReduceTo:
		return f.reduceTo(n)
	}
	x := v.Args[0]
	from := f.rowPointer(n.scope, x)
	cols := x.Shape[len(x.Shape)-1]
	t := f.text(n.scope)
	if v.Op == ir.OpMaxLast {
		base := f.index(f.elems.mapped(n.elems, func(i int) int { return i * cols }))
		name := f.declare(n, fmt.Sprintf("%s[%s]", from, base))
		t.line("for (int j = 1; j < %d; j++) %s = op_maxof(%s[%s + j], %s);", cols, name, from, base, name)
		return name
	}
	base := f.index(f.elems.mapped(n.elems, func(i int) int { return i / cols * cols }))
	at := f.index(f.elems.mapped(n.elems, func(i int) int { return i % cols }))
	best, first := f.temporary("best"), f.temporary("first")
	t.line("T %s = %s[%s];", best, from, base)
	t.line("int %s = 0;", first)
	t.line("for (int j = 1; j < %d; j++) ast_argmax(&%s, &%s, %s[%s + j], j);", cols, best, first, from, base)
	return f.declare(n, fmt.Sprintf("%s == %s ? (T)1 : (T)0", first, at))
}

func (f *fn) reduceTo(n number) string {
	v := n.value
	x, c := v.Args[0], f.crossings[n]
	t := f.text(n.scope)
	switch {
	case c.alone && len(c.terms) == 0:
		return f.declare(n, "0")
	case c.alone:
		var sum []string
		for _, terms := range c.terms {
			sum = append(sum, f.get(n.scope, x, terms[0]))
		}
		return f.declare(n, strings.Join(sum, " + "))
	case c.parts != nil:
		var sum []string
		for _, p := range c.parts {
			term := f.get(n.scope, x, p)
			if in := condition(p.present()); in != "" {
				term = fmt.Sprintf("(%s ? %s : (T)0)", in, term)
			}
			sum = append(sum, term)
		}
		name := f.declare(n, strings.Join(sum, " + "))
		for by := 1; by < min(c.across, warp); by *= 2 {
			t.line("%s += __shfl_xor_sync(%s, %s, %d);", name, f.mask(), name, by)
		}
		if c.across > warp {
			f.acrossWarps(t, name)
		}
		return name
	}
	from := f.rowPointer(n.scope, x)
	into := ir.BroadcastIndex(v.Shape, x.Shape)
	first := make([]int, v.Width()) // term of each element
	for i := len(into) - 1; i >= 0; i-- {
		first[into[i]] = i
	}
	var offsets []int // of the terms of an element from its first
	for i, to := range into {
		if to == 0 {
			offsets = append(offsets, i-first[0])
		}
	}
	base := f.index(f.elems.mapped(n.elems, func(i int) int { return first[i] }))
	name := f.declare(n, "0")
	f.eachOffset(t, offsets, func(t *code, at string) { t.line("%s += %s[%s];", name, from, joinSum(base, at)) })
	return name
}

// eachOffset writes a line for each offset, in loops where they are regular.
func (f *fn) eachOffset(t *code, offsets []int, line func(t *code, at string)) {
	step, inner := 1, len(offsets) // the first inner ones are step apart, and repeat
	if len(offsets) > 1 {
		step = offsets[1]
		for inner = 2; inner < len(offsets) && offsets[inner] == inner*step; inner++ {
		}
	}
	outer, jump := len(offsets)/max(inner, 1), 0
	if outer > 1 {
		jump = offsets[inner]
	}
	for i, o := range offsets {
		if o != i/inner*jump+i%inner*step { // three or more loops would do; unrolled they are as good
			for _, o := range offsets {
				line(t, fmt.Sprint(o))
			}
			return
		}
	}
	if outer > 1 {
		t.line("for (int i = 0; i < %d; i++)", outer)
		t.depth++
		defer func() { t.depth-- }()
	}
	t.line("for (int j = 0; j < %d; j++)", inner)
	t.depth++
	at := linear("j", step, 0)
	if outer > 1 {
		at = joinSum(linear("i", jump, 0), at)
	}
	line(t, at)
	t.depth--
}

// acrossWarps adds a number that the lanes of each warp have alike across the warps
// of a block.
func (f *fn) acrossWarps(t *code, name string) {
	warps := stageName(f.warpsAt)
	t.line("%s", f.sync())
	t.line("if (lane %% 32 == 0) %s[lane / 32] = %s;", warps, name)
	t.line("%s", f.sync())
	t.line("%s = %s[0];", name, warps)
	t.line("for (int w = 1; w < %d; w++) %s += %s[w];", f.lanes/warp, name, warps)
}
