package pass

// CSE gives equal computations one value. On a homogeneous graph a matrix
// product of the same vertex rows, read once as sources and once as
// destinations, is one computation too.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// CSE merges values with the same op, attributes and operands.
func CSE(p *ir.Program) *ir.Program {
	seen := make(map[string]*ir.Value, len(p.Values))
	sideless := make(map[string]*ir.Value) // the first that computes something, whichever side its rows are read from
	same := make(map[*ir.Value]*ir.Value)  // the first value that holds the same rows
	return DCE(transform(p, func(b *ir.Builder, v *ir.Value) *ir.Value {
		key := exactKey(v)
		if w := seen[key]; w != nil {
			return w
		}
		seen[key] = v
		if p.Bipartite || v.Res == ir.Edge || v.Res == ir.EdgeType {
			return nil
		}
		if v.Op == ir.OpView {
			same[v] = same[v.Args[0]]
			return nil
		}
		rows := sidelessKey(v, same)
		first := sideless[rows]
		if first == nil {
			first = v
			sideless[rows] = v
		}
		same[v] = first
		if first == v || v.Op != ir.OpMatMul && v.Op != ir.OpMatMulT {
			return nil
		}
		w := first
		if w.Res != v.Res {
			w = b.View(first, v.Res)
			same[w] = first
		}
		seen[key] = w
		return w
	}))
}

// exactKey is equal for values that compute the same.
func exactKey(v *ir.Value) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%v%s", v.Op, v.AttrString())
	if v.Op == ir.OpInput {
		fmt.Fprintf(&s, " %v", v.Res)
	}
	args := operandIDs(v)
	for _, id := range args {
		fmt.Fprintf(&s, " %%%d", id)
	}
	return s.String()
}

// operandIDs orders the operands of commutative ops.
func operandIDs(v *ir.Value) []int {
	ids := make([]int, len(v.Args))
	for i, a := range v.Args {
		ids[i] = a.ID
	}
	switch v.Op {
	case ir.OpAdd, ir.OpMul, ir.OpEq:
		slices.Sort(ids)
	}
	return ids
}

// sidelessKey is equal for vertex values that hold the same rows; aggregates
// and what comes from edges are equal only to themselves.
func sidelessKey(v *ir.Value, same map[*ir.Value]*ir.Value) string {
	switch c := v.Op.Info().Class; {
	case v.Op == ir.OpOuter, c != ir.Leaf && c != ir.Elementwise && c != ir.Layout && c != ir.Dense:
		return fmt.Sprintf("%%%d", v.ID)
	}
	c := *v
	switch {
	case v.Res.IsVertex():
		c.Attr.Res = ir.Src
	case v.Res.IsType():
		c.Attr.Res = ir.SrcType
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%v%s", v.Op, c.AttrString())
	if v.Op == ir.OpInput {
		fmt.Fprintf(&s, " %v %v", v.Res == ir.Param, v.Res.IsType())
	}
	for _, a := range v.Args {
		fmt.Fprintf(&s, " %%%d", same[a].ID)
	}
	return s.String()
}
