package gnn

// The DistMult decoder.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
)

// DistMult is the decoder of "Embedding Entities and Relations for Learning and
// Inference in Knowledge Bases" (Yang et al., ICLR 2015), with which R-GCN predicts
// links: a diagonal bilinear form for each relation,
//
//	score(u, r, v) = Σ_k h_u[k] r[k] h_v[k]
//
// for h [N d]. A link and its reverse have the same score.
type DistMult struct {
	Rel *autograd.Var // [relations d]
}

// NewDistMult returns a decoder with Glorot-uniform relations, as R-GCN's code has
// them.
func NewDistMult(relations, dim int, r *nn.RNG, opts ...Option) *DistMult {
	wantPositive("DistMult", relations, dim)
	return &DistMult{Rel: configure(opts).glorot(r, relations, dim, relations, dim)}
}

// Score implements [LinkDecoder].
func (d *DistMult) Score(h *autograd.Var, l Links) *autograd.Var {
	wantAlikeLists("DistMult", "sources", l.Src, "destinations", l.Dst)
	return d.query(h, "source", l.Src, l.Rel).VecDot(rowsOf("DistMult", "destination", h, l.Dst))
}

// ScoreTails implements [LinkDecoder].
func (d *DistMult) ScoreTails(h *autograd.Var, l Links) *autograd.Var {
	return d.query(h, "source", l.Src, l.Rel).MatMul(h.Transpose())
}

// ScoreHeads implements [LinkDecoder].
func (d *DistMult) ScoreHeads(h *autograd.Var, l Links) *autograd.Var {
	return d.query(h, "destination", l.Dst, l.Rel).MatMul(h.Transpose())
}

// query is one end times the relation: [links d].
func (d *DistMult) query(h *autograd.Var, what string, end, rel []int32) *autograd.Var {
	const op = "DistMult"
	if d == nil || d.Rel == nil {
		misuse(op, "the decoder has no relations; make it with NewDistMult")
	}
	wantMatrix(op, h, d.Rel.Shape()[1])
	wantLinkRelations(op, what+"s", end, rel)
	return rowsOf(op, what, h, end).Mul(rowsOf(op, "relation", d.Rel, rel))
}
