package gnn

// The TransE decoder.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// TransE is the decoder of "Translating Embeddings for Modeling Multi-relational
// Data" (Bordes et al., NeurIPS 2013): a relation is a translation,
//
//	score(u, r, v) = -‖h_u + r - h_v‖
//
// for h [N d], with the sum of magnitudes (L1) or the Euclidean norm (L2). The
// Euclidean norm is sqrt(‖·‖² + 1e-12), whose gradient is finite at 0. ScoreTails
// and ScoreHeads compute it from products of matrices: where h is far larger than
// the difference, its lower digits are lost.
type TransE struct {
	Rel *autograd.Var // [relations d]

	norm TransENorm
}

// TransENorm is how long a difference is.
type TransENorm uint8

// The norms.
const (
	TransEL1 TransENorm = iota
	TransEL2
)

// NewTransE returns a decoder whose relations are drawn from U(-6/√d, 6/√d) and
// scaled to length 1, as in the paper. The paper also scales h to length 1 before
// every step.
func NewTransE(relations, dim int, norm TransENorm, r *nn.RNG, opts ...Option) *TransE {
	wantPositive("TransE", relations, dim)
	if norm > TransEL2 {
		misuse("TransE", "norm %d; want TransEL1 or TransEL2", norm)
	}
	rel := configure(opts).zeros(relations, dim)
	nn.Uniform(6/math.Sqrt(float64(dim)))(rel, r)
	fixed := rel.Detach()
	rel.Tensor().CopyFrom(fixed.Div(fixed.NormKeep(2, 1)).Tensor())
	return &TransE{Rel: rel, norm: norm}
}

// Score implements [LinkDecoder].
func (d *TransE) Score(h *autograd.Var, l Links) *autograd.Var {
	d.check(h, "sources", l.Src, l.Rel)
	wantAlikeLists("TransE", "sources", l.Src, "destinations", l.Dst)
	diff := h.IndexSelect(l.Src).Add(d.Rel.IndexSelect(l.Rel)).Sub(h.IndexSelect(l.Dst))
	if d.norm == TransEL1 {
		return diff.Abs().Sum(1).Neg()
	}
	return euclidean(diff.Square().Sum(1)).Neg()
}

// ScoreTails implements [LinkDecoder].
func (d *TransE) ScoreTails(h *autograd.Var, l Links) *autograd.Var {
	d.check(h, "sources", l.Src, l.Rel)
	return d.nearness(h, h.IndexSelect(l.Src).Add(d.Rel.IndexSelect(l.Rel)))
}

// ScoreHeads implements [LinkDecoder].
func (d *TransE) ScoreHeads(h *autograd.Var, l Links) *autograd.Var {
	d.check(h, "destinations", l.Dst, l.Rel)
	return d.nearness(h, h.IndexSelect(l.Dst).Sub(d.Rel.IndexSelect(l.Rel)))
}

func (d *TransE) check(h *autograd.Var, what string, end, rel []int32) {
	const op = "TransE"
	if d == nil || d.Rel == nil {
		misuse(op, "the decoder has no relations; make it with NewTransE")
	}
	wantMatrix(op, h, d.Rel.Shape()[1])
	wantAlikeLists(op, what, end, "relations", rel)
}

// nearness is how near all of h is to where each query points: [queries N].
func (d *TransE) nearness(h, queries *autograd.Var) *autograd.Var {
	if d.norm == TransEL1 {
		return nearnessL1(h, queries)
	}
	// ‖q - h‖² = ‖q‖² + ‖h‖² - 2 q·h, which rounding may make negative.
	lengths := queries.Square().SumKeep(1).Add(h.Square().Sum(1))
	return euclidean(lengths.Sub(queries.MatMul(h.Transpose()).Scale(2)).ReLU()).Neg()
}

// nearnessL1 goes through all of h for each query: a sum of magnitudes is no product.
func nearnessL1(h, queries *autograd.Var) *autograd.Var {
	n := queries.Shape()[0]
	if n == 0 {
		return autograd.Constant(tensor.ZerosOn(h.Device(), h.DType(), 0, h.Shape()[0]))
	}
	rows := make([]*autograd.Var, n)
	for i := range rows {
		query := queries.Slice(0, i, i+1).Squeeze(0)
		rows[i] = autograd.Blockwise(func(xs ...*autograd.Var) *autograd.Var {
			return xs[0].Sub(xs[1]).Abs().Sum(1).Neg()
		}, h, query)
	}
	return autograd.Stack(0, rows...)
}

func euclidean(squares *autograd.Var) *autograd.Var { return squares.AddScalar(1e-12).Sqrt() }
