package render

// Which elements of a row the threads of a group have, and C for it.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// elems is one number that each lane of a group has: the element of the row that
// it is, or -1 where a lane has none. Equal ones are the same pointer.
type elems struct{ of []int }

// elemsTable keeps one elems of each kind.
type elemsTable struct {
	lanes int
	all   map[string]*elems
	rows  map[rowForm][]*elems
	typ   ir.DType
}

// rowForm is what the elements of whole rows depend on.
type rowForm struct{ width, vector int }

func newElemsTable(lanes int, t ir.DType) *elemsTable {
	return &elemsTable{lanes: lanes, all: make(map[string]*elems), rows: make(map[rowForm][]*elems), typ: t}
}

// intern returns the elems with the elements.
func (t *elemsTable) intern(of []int) *elems {
	var key strings.Builder
	for _, k := range of {
		key.WriteString(strconv.Itoa(k))
		key.WriteByte(' ')
	}
	e := t.all[key.String()]
	if e == nil {
		e = &elems{of}
		t.all[key.String()] = e
	}
	return e
}

// row spreads a row over the lanes, each element once: vectors go to the lanes in
// turn.
func (t *elemsTable) row(width int) []*elems {
	v := vectorOf(width, t.typ)
	form := rowForm{width, v}
	if all, ok := t.rows[form]; ok {
		return all
	}
	var all []*elems
	for first := 0; first < width; first += v * t.lanes {
		for j := range v {
			of := make([]int, t.lanes)
			for l := range of {
				if of[l] = first + l*v + j; of[l] >= width {
					of[l] = -1
				}
			}
			all = append(all, t.intern(of))
		}
	}
	t.rows[form] = all
	return all
}

// mapped is where f puts the elements.
func (t *elemsTable) mapped(e *elems, f func(k int) int) *elems {
	of := make([]int, t.lanes)
	for l, k := range e.of {
		of[l] = -1
		if k >= 0 {
			of[l] = f(k)
		}
	}
	return t.intern(of)
}

// vector finds the aligned vector of v numbers that every lane's element lies in:
// the elems of all its numbers, and which of them e is. ok is false if lanes differ
// in that.
func (t *elemsTable) vector(e *elems, v int) (all []*elems, which int, ok bool) {
	which = -1
	for _, k := range e.of {
		switch {
		case k < 0:
		case which < 0:
			which = k % v
		case k%v != which:
			return nil, 0, false
		}
	}
	if which < 0 {
		return nil, 0, false
	}
	for j := range v {
		all = append(all, t.mapped(e, func(k int) int { return k - which + j }))
	}
	return all, which, true
}

// present tells for each lane whether it has an element.
func (e *elems) present() []bool {
	p := make([]bool, len(e.of))
	for l, k := range e.of {
		p[l] = k >= 0
	}
	return p
}

// index is C for the element of a lane, in range for lanes without one; or it is
// empty if only a table says it.
func (e *elems) index() string {
	begin := 0 // of the lanes with elements, which must be side by side
	for begin < len(e.of) && e.of[begin] < 0 {
		begin++
	}
	end := begin
	for end < len(e.of) && e.of[end] >= 0 {
		end++
	}
	n := end - begin
	if n == 0 || slices.ContainsFunc(e.of[end:], func(k int) bool { return k >= 0 }) {
		return ""
	}
	of := e.of[begin:end]
	lane := "lane"
	switch {
	case begin == 0 && end < len(e.of):
		lane = fmt.Sprintf("(lane < %d ? lane : %d)", n, n-1)
	case begin > 0 && end == len(e.of):
		lane = fmt.Sprintf("(lane < %[1]d ? 0 : lane - %[1]d)", begin)
	case begin > 0:
		lane = fmt.Sprintf("(lane < %[1]d ? 0 : lane < %[2]d ? lane - %[1]d : %[3]d)", begin, end, n-1)
	}
	period := n // after which the step changes
	for l := 2; l < n; l++ {
		if of[l]-of[l-1] != of[1]-of[0] {
			period = l
			break
		}
	}
	step, jump := 0, 0
	if n > 1 {
		step = of[1] - of[0]
	}
	if period < n {
		jump = of[period] - of[0]
	}
	for l, k := range of {
		if k != of[0]+l/period*jump+l%period*step {
			return ""
		}
	}
	if period == n {
		return linear(lane, step, of[0])
	}
	return joinSum(linear(fmt.Sprintf("%s / %d", lane, period), jump, of[0]), linear(fmt.Sprintf("%s %% %d", lane, period), step, 0))
}

func joinSum(a, b string) string {
	switch {
	case b == "0":
		return a
	case a == "0":
		return b
	}
	return a + " + " + b
}

// linear is C for x*times + plus.
func linear(x string, times, plus int) string {
	switch {
	case times == 0:
		return strconv.Itoa(plus)
	case times != 1:
		x = fmt.Sprintf("%s * %d", x, times)
	}
	if plus == 0 {
		return x
	}
	return fmt.Sprintf("%s + %d", x, plus)
}

// table lists the elements, with one in range for lanes without one.
func (e *elems) table() string {
	var b strings.Builder
	for l, k := range e.of {
		if l > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(max(k, 0)))
	}
	return b.String()
}

// condition is C for a set of lanes; empty for all of them.
func condition(in []bool) string {
	n := 0 // of the lanes that begin it
	for n < len(in) && in[n] {
		n++
	}
	after := n
	for after < len(in) && !in[after] {
		after++
	}
	switch {
	case n == len(in):
		return ""
	case n == 0 && after == len(in):
		return "false"
	case after == len(in):
		return fmt.Sprintf("lane < %d", n)
	case len(in) <= warp:
		mask := uint32(0)
		for l, i := range in {
			if i {
				mask |= 1 << l
			}
		}
		return fmt.Sprintf("0x%xu >> lane & 1u", mask)
	}
	var words []string
	for at := 0; at < len(in); at += warp {
		words = append(words, "("+condition32(in[at:at+warp], at/warp)+")")
	}
	return strings.Join(words, " || ")
}

// condition32 is condition for the lanes of warp w of a group.
func condition32(in []bool, w int) string {
	mask := uint32(0)
	for l, i := range in {
		if i {
			mask |= 1 << l
		}
	}
	return fmt.Sprintf("lane / 32 == %d && 0x%xu >> lane %% 32 & 1u", w, mask)
}

// broadcast is where broadcasting to a shape reads a row of another shape.
func broadcast(from, to ir.Shape) func(k int) int {
	if from.Equal(to) {
		return func(k int) int { return k }
	}
	idx := ir.BroadcastIndex(from, to)
	return func(k int) int { return idx[k] }
}
