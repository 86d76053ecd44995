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
	sideless := make(map[*ir.Value]string) // what v computes, whichever side its rows are read from
	products := make(map[string]*ir.Value) // matrix products by that
	return DCE(transform(p, func(b *ir.Builder, v *ir.Value) *ir.Value {
		key := exactKey(v)
		if w := seen[key]; w != nil {
			return w
		}
		seen[key] = v
		if p.Bipartite || v.Res == ir.Edge {
			return nil
		}
		sideless[v] = sidelessKey(v, sideless)
		if c := v.Op; c != ir.OpMatMul && c != ir.OpMatMulT {
			return nil
		}
		if twin := products[sideless[v]]; twin != nil {
			return b.View(twin, v.Res)
		}
		products[sideless[v]] = v
		return nil
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
func sidelessKey(v *ir.Value, known map[*ir.Value]string) string {
	switch v.Op.Info().Class {
	case ir.Leaf, ir.Elementwise, ir.Layout, ir.Dense:
	case ir.Alias:
		return known[v.Args[0]]
	default:
		return fmt.Sprintf("%%%d", v.ID)
	}
	if v.Op == ir.OpOuter {
		return fmt.Sprintf("%%%d", v.ID)
	}
	c := *v
	if v.Res != ir.Param {
		c.Attr.Res = ir.Src
	}
	var s strings.Builder
	fmt.Fprintf(&s, "(%v%s", v.Op, c.AttrString())
	if v.Op == ir.OpInput {
		fmt.Fprintf(&s, " %v", v.Res == ir.Param)
	}
	for _, a := range v.Args {
		s.WriteString(" " + known[a])
	}
	return s.String() + ")"
}
