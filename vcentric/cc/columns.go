package cc

// Computing values in vectors of columns.

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// compute writes the text of v, which has not been computed in this part.
func (s *columns) compute(v *ir.Value) value {
	switch v.Op {
	case ir.OpDropout:
		return s.dropped(v)
	case ir.OpDegree:
		return s.degree(v)
	case ir.OpExpand:
		x := s.stretched(v.Args[0], v.Shape)
		s.have[v] = x
		return x
	case ir.OpReduceTo:
		return s.reduceTo(v)
	case ir.OpMaxLast, ir.OpFirstMax:
		return s.maxLast(v)
	case ir.OpConcat, ir.OpSlice, ir.OpPad, ir.OpPermute:
		return s.moved(v)
	case ir.OpWinner:
		return s.winner(v)
	case ir.OpPick:
		x := s.part(v.Args[0])
		s.have[v] = x
		return x
	}
	args := make([]value, len(v.Args))
	uniform := true
	for i, a := range v.Args {
		args[i] = s.stretched(a, v.Shape)
		uniform = uniform && args[i].uniform
	}
	n := s.vectors(v.Width())
	if uniform {
		n = 1
	}
	form, compares := comparisons[v.Op]
	var exprs, masks []string
	for j := range n {
		regs := make([]string, len(args))
		for i, x := range args {
			regs[i] = x.reg(j)
		}
		if compares {
			m := s.name("m")
			s.text.line("const VI %s = "+form+";", m, regs[0], regs[1])
			masks = append(masks, m)
			exprs = append(exprs, fmt.Sprintf("BOOL(%s)", m))
			continue
		}
		mask := ""
		if len(args[0].masks) > 0 {
			mask = args[0].masks[min(j, len(args[0].masks)-1)]
		}
		exprs = append(exprs, expression(v, mask, regs...))
	}
	x := s.set(v, uniform, exprs...)
	x.masks = masks
	s.have[v] = x
	return x
}

// stretched is v's row as broadcasting stretches it to a shape.
func (s *columns) stretched(v *ir.Value, to ir.Shape) value {
	x := s.value(v)
	if x.uniform || v.Shape.Size() == to.Size() {
		return x
	}
	key := stretch{x.regs[0], v.Shape.String() + to.String()}
	y, ok := x.in.cast[key]
	if !ok {
		index := ir.BroadcastIndex(v.Shape, to)
		y = x.in.picked(len(index), func(k int) (value, int) { return x, index[k] })
		x.in.cast[key] = y
	}
	return y
}

// picked gathers a row from elements of others; a value without vectors stands for
// zero. Its text goes to s.
func (s *columns) picked(width int, from func(k int) (value, int)) value {
	out := value{in: s, uniform: width == 1}
	for j := range s.vectors(width) {
		var regs []string // the different ones that lanes come from
		var which, lane []int
		for l := range s.lanes {
			reg, at, k := "", l, j*s.lanes+l
			if out.uniform {
				k = 0
			}
			if k < width {
				x, c := from(k)
				switch {
				case len(x.regs) == 0:
					reg = "ZERO"
				case x.uniform:
					reg = x.regs[0]
				default:
					reg, at = x.regs[c/s.lanes], c%s.lanes
				}
			} else if len(regs) > 0 { // nobody looks
				reg = regs[which[len(which)-1]]
			}
			i := indexOf(regs, reg)
			if i < 0 {
				i = len(regs)
				regs = append(regs, reg)
			}
			which, lane = append(which, i), append(lane, at)
		}
		out.regs = append(out.regs, s.assembled(regs, which, lane))
	}
	return out
}

func indexOf(list []string, x string) int {
	for i, y := range list {
		if x == y {
			return i
		}
	}
	return -1
}

// assembled is a vector of lanes of others.
func (s *columns) assembled(regs []string, which, lane []int) string {
	inPlace := true
	for l, at := range lane {
		inPlace = inPlace && at == l
	}
	var expr string
	switch {
	case len(regs) == 1 && inPlace:
		return regs[0]
	case len(regs) == 1:
		expr = fmt.Sprintf("PICK(%s, %s)", regs[0], joined(s.lanes, func(l int) int { return lane[l] }))
	case len(regs) == 2:
		expr = fmt.Sprintf("PICK2(%s, %s, %s)", regs[0], regs[1], joined(s.lanes, func(l int) int { return which[l]*s.lanes + lane[l] }))
	default:
		parts := make([]string, s.lanes)
		for l := range parts {
			parts[l] = fmt.Sprintf("%s[%d]", regs[which[l]], lane[l])
		}
		expr = fmt.Sprintf("(V){%s}", strings.Join(parts, ", "))
	}
	name := s.name("p")
	s.text.line("const V %s = %s;", name, expr)
	return name
}

// moved is the ops that move elements within a row.
func (s *columns) moved(v *ir.Value) value {
	sources := movedFrom(v)
	args := make([]value, len(v.Args))
	for i, a := range v.Args {
		args[i] = s.value(a)
	}
	x := s.picked(v.Width(), func(k int) (value, int) {
		if sources[k].arg < 0 {
			return value{}, 0
		}
		return args[sources[k].arg], sources[k].at
	})
	s.have[v] = x
	return x
}

// source is the element of an operand that an element comes from; arg is -1 for
// zero.
type source struct{ arg, at int }

// movedFrom is where concat, slice, pad and permute take each element from.
func movedFrom(v *ir.Value) []source {
	out := make([]source, v.Width())
	if v.Op == ir.OpPermute {
		for k, at := range ir.PermuteIndex(v.Args[0].Shape, v.Attr.Shape) {
			out[k] = source{0, at}
		}
		return out
	}
	for k := range out {
		out[k].arg = -1
	}
	cols, to := v.Shape[len(v.Shape)-1], 0
	for i, a := range v.Args {
		w, from := a.Shape[len(a.Shape)-1], 0
		n := w
		switch v.Op {
		case ir.OpSlice:
			from, n = v.Attr.Lo, cols
		case ir.OpPad:
			to = v.Attr.Lo
		}
		for row := range a.Width() / w {
			for c := range n {
				out[row*cols+to+c] = source{i, row*w + from + c}
			}
		}
		to += n
	}
	return out
}

func (s *columns) dropped(v *ir.Value) value {
	x, width := s.value(v.Args[0]), v.Width()
	row := s.row(v.Res)
	var exprs []string
	for j := range s.vectors(width) {
		index := fmt.Sprintf("columns(%s)", plus(times("(uint32_t)"+row, width), j*s.lanes))
		if width == 1 {
			index = fmt.Sprintf("SPLATU(%s)", row)
		}
		exprs = append(exprs, s.dropout(v, x.reg(j), index))
	}
	return s.set(v, width == 1, exprs...)
}

func (s *columns) degree(v *ir.Value) value {
	s.out.Degrees[v.Attr.Dir] = true
	if v.Attr.Typed {
		return s.typedDegree(v)
	}
	list := fmt.Sprintf("a->%v_offsets", v.Attr.Dir)
	return s.set(v, true, fmt.Sprintf("SPLAT(%s[r + 1] - %s[r])", list, list))
}

// winner is y where the id is the edge's.
func (s *columns) winner(v *ir.Value) value {
	read := s.value
	if v.Attr.Typed {
		read = s.part
	}
	ids, y := read(v.Args[0]), read(v.Args[1])
	id := s.row(ir.Edge)
	var exprs []string
	for j := range s.vectors(v.Width()) {
		exprs = append(exprs, fmt.Sprintf("SEL(%s == SPLATI(%s), %s, ZERO)", ids.reg(j), id, y.reg(j)))
	}
	return s.set(v, v.Width() == 1, exprs...)
}

// reduceTo sums the elements that broadcasting would make of one.
func (s *columns) reduceTo(v *ir.Value) value {
	x, from, to := s.value(v.Args[0]), v.Args[0].Width(), v.Width()
	if from == to {
		s.have[v] = x
		return x
	}
	index := ir.BroadcastIndex(v.Shape, v.Args[0].Shape)
	group := from / to
	inner := true // element k is part of sum k/group
	for k, i := range index {
		inner = inner && i == k/group
	}
	switch {
	case to == 1:
		return s.set(v, true, s.across(x, 0, from))
	case inner && group%s.lanes == 0:
		sums := make([]value, to)
		for h := range sums {
			name := s.name("p")
			s.text.line("const V %s = %s;", name, s.across(x, h*group, group))
			sums[h] = value{regs: []string{name}, uniform: true, in: s}
		}
		out := s.picked(to, func(k int) (value, int) { return sums[k], 0 })
		s.have[v] = out
		return out
	case inner && s.lanes%group == 0 && !x.uniform:
		sums := value{in: s}
		for j := range s.vectors(from) {
			name := s.name("p")
			s.text.line("const V %s = sum_across(%s, %d);", name, x.reg(j), group)
			sums.regs = append(sums.regs, name)
		}
		out := s.picked(to, func(k int) (value, int) { return sums, k * group })
		s.have[v] = out
		return out
	}
	t := s.spilled(x, from)
	sums := s.name("t")
	s.text.line("T %s[%d] = {0};", sums, s.vectors(to)*s.lanes)
	if inner {
		s.text.line("for (int k = 0; k < %d; k++) for (int j = 0; j < %d; j++) %s[k] += %s[k * %d + j];", to, group, sums, t, group)
	} else {
		s.text.line("static const uint16_t %s_of[] = {%s};", sums, joined(from, func(k int) int { return index[k] }))
		s.text.line("for (int k = 0; k < %d; k++) %s[%s_of[k]] += %s[k];", from, sums, sums, t)
	}
	return s.reloaded(v, sums)
}

// across is the sum of n columns of x from a column on that begins a vector, in
// all lanes.
func (s *columns) across(x value, from, n int) string {
	return fmt.Sprintf("sum_across(%s, LANES)", s.folded(x, from, n))
}

// folded adds the vectors of n columns of x, from a column on that begins a vector,
// to one.
func (s *columns) folded(x value, from, n int) string {
	var terms []string
	for j := range s.vectors(n) {
		reg := x.reg(from/s.lanes + j)
		if rest := n - j*s.lanes; rest < s.lanes {
			reg = fmt.Sprintf("SEL(first(%d), %s, ZERO)", rest, reg)
		}
		terms = append(terms, reg)
	}
	return balanced(terms)
}

// balanced adds terms up in pairs, so that no long chain of sums has to be waited for.
func balanced(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	half := len(terms) / 2
	return fmt.Sprintf("(%s + %s)", balanced(terms[:half]), balanced(terms[half:]))
}

// spilled writes a row to an array and returns its name.
func (s *columns) spilled(x value, width int) string {
	t := s.name("t")
	s.text.line("T %s[%d];", t, s.vectors(width)*s.lanes)
	for j := range s.vectors(width) {
		s.text.line("store(%s, %s);", plus(t, j*s.lanes), x.reg(j))
	}
	return t
}

// reloaded reads v from an array that has room for whole vectors.
func (s *columns) reloaded(v *ir.Value, array string) value {
	if v.Width() == 1 {
		return s.set(v, true, fmt.Sprintf("SPLAT(%s[0])", array))
	}
	var exprs []string
	for j := range s.vectors(v.Width()) {
		exprs = append(exprs, fmt.Sprintf("load(%s)", plus(array, j*s.lanes)))
	}
	return s.set(v, false, exprs...)
}

// maxLast is the maximum of the last dimension, or 1 at the first one.
func (s *columns) maxLast(v *ir.Value) value {
	x := v.Args[0]
	t := s.spilled(s.value(x), x.Width())
	cols := x.Shape[len(x.Shape)-1]
	out := s.name("t")
	s.text.line("T %s[%d] = {0};", out, s.vectors(v.Width())*s.lanes)
	s.text.open("for (int k = 0; k < %d; k++)", x.Width()/cols)
	s.text.line("const T *x = %s + k * %d;", t, cols)
	s.text.line("int best = 0;")
	s.text.line("for (int j = 1; j < %d; j++) if (x[j] > x[best] || (x[j] != x[j] && x[best] == x[best])) best = j;", cols)
	if v.Op == ir.OpMaxLast {
		s.text.line("%s[k] = x[best];", out)
	} else {
		s.text.line("%s[k * %d + best] = 1;", out, cols)
	}
	s.text.close()
	return s.reloaded(v, out)
}
