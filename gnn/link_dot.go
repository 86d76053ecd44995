package gnn

// The inner product as a decoder.

import "github.com/asterias-ml/asterias/autograd"

// Dot is the decoder of "Variational Graph Auto-Encoders" (Kipf, Welling 2016),
// without parameters and without relations:
//
//	score(u, v) = h_u · h_v
type Dot struct{}

// Score implements [LinkDecoder].
func (Dot) Score(h *autograd.Var, l Links) *autograd.Var {
	const op = "Dot"
	wantMatrix(op, h, 0)
	wantAlikeLists(op, "sources", l.Src, "destinations", l.Dst)
	wantNoRelations(op, l)
	return h.IndexSelect(l.Src).Mul(h.IndexSelect(l.Dst)).Sum(1)
}

// ScoreTails implements [LinkDecoder].
func (Dot) ScoreTails(h *autograd.Var, l Links) *autograd.Var { return dotAll(h, l, l.Src) }

// ScoreHeads implements [LinkDecoder].
func (Dot) ScoreHeads(h *autograd.Var, l Links) *autograd.Var { return dotAll(h, l, l.Dst) }

func dotAll(h *autograd.Var, l Links, ends []int32) *autograd.Var {
	wantMatrix("Dot", h, 0)
	wantNoRelations("Dot", l)
	return h.IndexSelect(ends).MatMul(h.Transpose())
}

func wantNoRelations(op string, l Links) {
	if l.Rel != nil {
		misuse(op, "the links have relations, the decoder takes none")
	}
}
