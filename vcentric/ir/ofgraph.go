package ir

// Values of the graph alone.

import "strings"

// mostOfGraph is how many ops and operands OfGraph reads. Each is read as often as it is used:
// x = x·x, n times, has 2^n of them.
const mostOfGraph = 64

// OfGraph tells whether v, of vertices, comes of their degrees alone by a few element-wise ops, such
// as 1/sqrt(d): it is the same in every run on a graph. The text says how, in the same words
// wherever a program of the same number type has that value.
func (v *Value) OfGraph() (text string, ok bool) {
	t := ofGraph{left: mostOfGraph}
	if !v.Res.IsVertex() || !t.add(v) {
		return "", false
	}
	return t.text.String(), true
}

// ofGraph is the text so far, and how many ops and operands it may have more.
type ofGraph struct {
	text strings.Builder
	left int
}

func (t *ofGraph) add(v *Value) bool {
	switch t.left--; {
	case t.left < 0:
		return false
	case v.Op == OpConst, v.Op == OpDegree && !v.Attr.Typed:
	case v.Op.Info().Class == Elementwise && v.Op != OpDropout && v.Op != OpAt && v.Res != Edge:
	default:
		return false
	}
	t.text.WriteByte('(')
	t.text.WriteString(v.Op.String())
	t.text.WriteString(v.AttrString())
	for _, a := range v.Args {
		t.text.WriteByte(' ')
		if !t.add(a) {
			return false
		}
	}
	t.text.WriteByte(')')
	return true
}
