package gnn

// What layers with several heads share.

import (
	"github.com/asterias-ml/asterias/autograd"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// headsWidth is the width of the heads together: averaged or concatenated.
func headsWidth(heads, dim int, mean bool) int {
	if mean {
		return dim
	}
	return heads * dim
}

// joinHeads makes one row of a row per head, [heads dim]: averaged or concatenated.
func joinHeads(h vc.Value, mean bool) vc.Value {
	s := h.Shape()
	heads, dim := s[0], s[1]
	if mean {
		return h.SumTo(1, dim).Scale(1 / float64(heads)).Reshape(dim)
	}
	return h.Reshape(heads * dim)
}

// splitHeads is x [N heads*dim] as [N heads dim].
func splitHeads(x *autograd.Var, heads int) *autograd.Var {
	s := x.Shape()
	return x.Reshape(s[0], heads, s[1]/heads)
}
