package gnn

// Link prediction: what its decoders share.

import (
	"github.com/asterias-ml/asterias/autograd"
)

// Links are pairs of vertices, link i going from Src[i] to Dst[i], or the triples
// (head, relation, tail) of a knowledge graph if they have relations. Those of a
// data.LinkBatch are
//
//	gnn.Links{Src: batch.Src, Dst: batch.Dst, Rel: batch.Types}
type Links struct {
	Src, Dst []int32
	Rel      []int32 // nil for decoders without relations
}

// Len returns the number of links.
func (l Links) Len() int { return len(l.Src) }

// slice returns the links from, ..., to-1.
func (l Links) slice(from, to int) Links {
	s := Links{Src: l.Src[from:to], Dst: l.Dst[from:to]}
	if l.Rel != nil {
		s.Rel = l.Rel[from:to]
	}
	return s
}

// A LinkDecoder scores links by what a model computed for the vertices, h [N d]: the
// larger, the likelier. What it returns is made anew. Slices of links must not change
// before a backward pass.
//
// A decoder of one's own is a struct with these methods. The bilinear h_u W h_v, for example,
// for a parameter W [d d]:
//
//	func (b *Bilinear) Score(h *autograd.Var, l gnn.Links) *autograd.Var {
//		return h.IndexSelect(l.Src).MatMul(b.W).VecDot(h.IndexSelect(l.Dst))
//	}
//	func (b *Bilinear) ScoreTails(h *autograd.Var, l gnn.Links) *autograd.Var {
//		return h.IndexSelect(l.Src).MatMul(b.W).MatMul(h.Transpose())
//	}
//	func (b *Bilinear) ScoreHeads(h *autograd.Var, l gnn.Links) *autograd.Var {
//		return h.IndexSelect(l.Dst).MatMul(b.W.Transpose()).MatMul(h.Transpose())
//	}
type LinkDecoder interface {
	// Score returns the score of every link, [links].
	Score(h *autograd.Var, l Links) *autograd.Var
	// ScoreTails returns, for the source and the relation of every link, the scores
	// of all vertices in the place of its destination, [links N]. Dst is not read.
	ScoreTails(h *autograd.Var, l Links) *autograd.Var
	// ScoreHeads is ScoreTails for the places of the sources. Src is not read.
	ScoreHeads(h *autograd.Var, l Links) *autograd.Var
}

var (
	_ LinkDecoder = Dot{}
	_ LinkDecoder = (*DistMult)(nil)
	_ LinkDecoder = (*TransE)(nil)
)

// wantMatrix panics unless h is a dense [N d], or [N any] if d is 0.
func wantMatrix(op string, h *autograd.Var, d int) {
	if h == nil {
		misuse(op, "h is nil")
	}
	wantDense(op, "h", h)
	switch s := h.Shape(); {
	case len(s) != 2:
		misuse(op, "h has shape %v; want a row for each vertex", s)
	case d != 0 && s[1] != d:
		misuse(op, "h has %d features, the decoder takes %d", s[1], d)
	}
}

// wantAlikeLists panics unless two lists of links are equally long.
func wantAlikeLists(op, a string, x []int32, b string, y []int32) {
	if len(x) != len(y) {
		misuse(op, "links of %d %s and %d %s", len(x), a, len(y), b)
	}
}

// wantLinkRelations panics unless there is a relation for each of the links with the given
// ends.
func wantLinkRelations(op, what string, end, rel []int32) {
	if rel == nil && len(end) > 0 {
		misuse(op, "the links have no relations, the decoder takes one for each")
	}
	wantAlikeLists(op, what, end, "relations", rel)
}

// rowsOf are the rows of x that links name as their sources, destinations or relations.
func rowsOf(op, what string, x *autograd.Var, ids []int32) *autograd.Var {
	n := x.Shape()[0]
	for i, id := range ids {
		if uint(id) >= uint(n) {
			misuse(op, "link %d: %s %d out of range [0, %d)", i, what, id, n)
		}
	}
	return x.IndexSelect(ids)
}
