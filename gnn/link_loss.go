package gnn

// Losses of link prediction, which compare the scores of true links with those of
// false ones. Over all tails as classes the loss is
//
//	nn.CrossEntropy(decoder.ScoreTails(h, links), links.Dst, nil)
//
// A mean over no links is NaN with gradient 0, as PyTorch's and that of package nn. Package
// nn/train takes NaN for a training that diverged: a loop leaves out batches without links.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
)

// SplitScores parts the scores of n true links and k false ones for each, in the
// order of data.LinkBatch: all true ones, then the false ones, those of each true
// one together. From [n(1+k)] it gives [n] and [n k].
func SplitScores(scores *autograd.Var, n int) (positive, negative *autograd.Var) {
	const op = "SplitScores"
	if scores == nil {
		misuse(op, "the scores are nil")
	}
	s := scores.Shape()
	if len(s) != 1 || n < 0 || n > s[0] || n == 0 && s[0] > 0 || n > 0 && s[0]%n != 0 {
		misuse(op, "scores of shape %v are not those of %d true links and as many false ones for each", s, n)
	}
	k := 0
	if n > 0 {
		k = s[0]/n - 1
	}
	return scores.Slice(0, 0, n), scores.Slice(0, n, s[0]).Reshape(n, k)
}

// LinkBCE returns the binary cross-entropy of the scores as logits, the mean over
// true and false links alike:
//
//	-( Σ ln σ(positive) + Σ ln(1 - σ(negative)) ) / number of both
//
// for scores of any shapes. It is the loss of R-GCN and of graph auto-encoders. Of no
// scores at all it is NaN, with gradient 0: a training loop leaves out such batches.
func LinkBCE(positive, negative *autograd.Var) *autograd.Var {
	const op = "LinkBCE"
	wantScores(op, positive, negative)
	n := positive.Shape().Size() + negative.Shape().Size()
	return positive.Neg().Softplus().Sum().Add(negative.Softplus().Sum()).Scale(1 / float64(n))
}

// bothMeans is, of scores of any shapes as logits, -mean ln σ(positive) - mean ln(1 - σ(negative)):
// the loss of models that learn from a graph without labels.
func bothMeans(op string, positive, negative *autograd.Var) *autograd.Var {
	wantScores(op, positive, negative)
	if p, n := positive.Shape().Size(), negative.Shape().Size(); p == 0 || n == 0 {
		misuse(op, "%d positive and %d negative scores; the mean of none is no loss", p, n)
	}
	return positive.Neg().Softplus().Mean().Add(negative.Softplus().Mean())
}

// LinkMargin returns the mean over all pairs of a true link and a false one made
// from it of
//
//	max(0, margin - positive + negative)
//
// for scores [n] and [n k] (Bordes et al. 2013, the loss of TransE); one false link for each
// true one, [n], is negative.Unsqueeze(1). Where the maximum's
// operands are equal the gradient is that of the second, as in [nn.MarginRanking].
// The mean over no pairs is NaN, with gradient 0. A margin that is no finite number is
// misuse.
func LinkMargin(positive, negative *autograd.Var, margin float64) *autograd.Var {
	wantFinite("LinkMargin", "the margin", margin)
	return pairs("LinkMargin", positive, negative).AddScalar(margin).Clamp(0, math.Inf(1)).Mean()
}

// LinkBPR returns the mean over all pairs of a true link and a false one made from
// it of
//
//	-ln σ(positive - negative)
//
// for scores [n] and [n k]: Bayesian personalised ranking (Rendle et al. 2009). One false
// link for each true one, [n], is negative.Unsqueeze(1). The mean over no pairs is NaN, with
// gradient 0: a training loop leaves out batches without links.
func LinkBPR(positive, negative *autograd.Var) *autograd.Var {
	return pairs("LinkBPR", positive, negative).Softplus().Mean()
}

// pairs is negative - positive, [n k].
func pairs(op string, positive, negative *autograd.Var) *autograd.Var {
	wantScores(op, positive, negative)
	p, n := positive.Shape(), negative.Shape()
	if len(p) == 1 && n.Equal(p) {
		misuse(op, "scores of shapes %v and %v; want [n] of true links and [n k] of false ones, so [n 1] with one for each true link: negative.Unsqueeze(1)", p, n)
	}
	if len(p) != 1 || len(n) != 2 || n[0] != p[0] {
		misuse(op, "scores of shapes %v and %v; want [n] of true links and [n k] of false ones", p, n)
	}
	return negative.Sub(positive.Unsqueeze(1))
}

func wantScores(op string, scores ...*autograd.Var) {
	for _, s := range scores {
		if s == nil {
			misuse(op, "scores are nil")
		}
		wantDense(op, "scores", s)
	}
}
