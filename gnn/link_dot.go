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
	return rowsOf(op, "source", h, l.Src).VecDot(rowsOf(op, "destination", h, l.Dst))
}

// ScoreTails implements [LinkDecoder].
func (Dot) ScoreTails(h *autograd.Var, l Links) *autograd.Var { return dotAll(h, l, "source", l.Src) }

// ScoreHeads implements [LinkDecoder].
func (Dot) ScoreHeads(h *autograd.Var, l Links) *autograd.Var {
	return dotAll(h, l, "destination", l.Dst)
}

func dotAll(h *autograd.Var, l Links, what string, ends []int32) *autograd.Var {
	wantMatrix("Dot", h, 0)
	wantNoRelations("Dot", l)
	return rowsOf("Dot", what, h, ends).MatMul(h.Transpose())
}

func wantNoRelations(op string, l Links) {
	if l.Rel != nil {
		misuse(op, "the links have relations, the decoder takes none")
	}
}
