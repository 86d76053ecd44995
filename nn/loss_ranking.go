// Losses that compare two predictions with each other.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// MarginRanking returns the mean over all elements of
//
//	max(0, -y·(a - b) + margin)
//
// as torch.nn.MarginRankingLoss: y is 1 where a should be the larger, -1 where b
// should. All three have one shape. Where the maximum's operands are equal the
// gradient is that of the second, in all losses here.
func MarginRanking(a, b, y *autograd.Var, margin float64, reduction ...Reduction) *autograd.Var {
	const op = "MarginRanking"
	wantAlike(op, a, b)
	wantAlike(op, a, y)
	return reduce(op, hinge(b.Sub(a).Mul(y).AddScalar(margin)), reduction)
}

// CosineEmbedding returns the mean over the rows i of
//
//	1 - cos(a[i], b[i])              where y[i] = 1
//	max(0, cos(a[i], b[i]) - margin) where y[i] = -1
//
// for a, b [N D] and y [N], as torch.nn.CosineEmbeddingLoss, where
//
//	cos(a, b) = a·b / sqrt((‖a‖² + 1e-12)(‖b‖² + 1e-12))
//
// is 0, with a finite gradient, for rows of zeros. Any other y panics with
// *[Error]; no gradient flows to y.
func CosineEmbedding(a, b, y *autograd.Var, margin float64, reduction ...Reduction) *autograd.Var {
	const op, eps = "CosineEmbedding", 1e-12
	wantAlike(op, a, b)
	if s := a.Shape(); len(s) != 2 {
		misuse(op, fmt.Sprintf("takes matrices, got %v", s))
	}
	same, other := signs(op, a, y)
	length := func(u *autograd.Var) *autograd.Var { return u.VecDot(u).AddScalar(eps).Sqrt() }
	cos := a.VecDot(b).Div(length(a).Mul(length(b)))
	near := cos.Neg().AddScalar(1).Mul(same)
	far := hinge(cos.AddScalar(-margin)).Mul(other)
	return reduce(op, near.Add(far), reduction)
}

// TripletMargin returns the mean over the rows i of
//
//	max(0, d(anchor[i], positive[i]) - d(anchor[i], negative[i]) + margin)
//
// for matrices [N D], as torch.nn.TripletMarginLoss, with the distance
// d(a, b) = ‖a - b + 1e-6‖ (Balntas et al. 2016).
func TripletMargin(anchor, positive, negative *autograd.Var, margin float64, reduction ...Reduction) *autograd.Var {
	const op, eps = "TripletMargin", 1e-6
	wantAlike(op, anchor, positive)
	wantAlike(op, anchor, negative)
	if s := anchor.Shape(); len(s) != 2 {
		misuse(op, fmt.Sprintf("takes matrices, got %v", s))
	}
	distance := func(b *autograd.Var) *autograd.Var {
		d := anchor.Sub(b).AddScalar(eps)
		return d.VecDot(d).Sqrt()
	}
	return reduce(op, hinge(distance(positive).Sub(distance(negative)).AddScalar(margin)), reduction)
}

// hinge is max(0, x) as PyTorch's losses have it, clamp_min(0): unlike ReLU it passes
// the gradient at 0.
func hinge(x *autograd.Var) *autograd.Var { return x.Clamp(0, math.Inf(1)) }

// signs returns constants that are 1 where y is 1 and where y is -1, 0
// elsewhere. y must be [N] for a of [N D], of one type, and hold nothing else.
func signs(op string, a, y *autograd.Var) (positive, negative *autograd.Var) {
	if want := a.Shape()[:1]; !y.Shape().Equal(want) {
		misuse(op, fmt.Sprintf("y has shape %v, want %v", y.Shape(), want))
	}
	if y.DType() != a.DType() {
		misuse(op, fmt.Sprintf("types differ: %v and %v", a.DType(), y.DType()))
	}
	for i, v := range y.Tensor().Float64s() {
		if v != 1 && v != -1 {
			misuse(op, fmt.Sprintf("y[%d] is %v, want 1 or -1", i, v))
		}
	}
	return autograd.Constant(tensor.Step(y.Tensor())), autograd.Constant(tensor.Step(tensor.Neg(y.Tensor())))
}
