package ir

// Values of the graph alone.

import "strings"

// OfGraph tells whether v, of vertices, comes of their degrees alone by element-wise ops, such as
// 1/sqrt(d): it is the same in every run on a graph. The text says how, in the same words
// wherever a program of the same number type has that value.
func (v *Value) OfGraph() (text string, ok bool) {
	var b strings.Builder
	if !v.Res.IsVertex() || !v.ofGraph(&b) {
		return "", false
	}
	return b.String(), true
}

func (v *Value) ofGraph(b *strings.Builder) bool {
	switch {
	case v.Op == OpConst, v.Op == OpDegree && !v.Attr.Typed:
	case v.Op.Info().Class == Elementwise && v.Op != OpDropout && v.Op != OpAt && v.Res != Edge:
	default:
		return false
	}
	b.WriteByte('(')
	b.WriteString(v.Op.String())
	b.WriteString(v.AttrString())
	for _, a := range v.Args {
		b.WriteByte(' ')
		if !a.ofGraph(b) {
			return false
		}
	}
	b.WriteByte(')')
	return true
}
