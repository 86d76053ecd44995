// Normalisation of features: layer normalisation, rows of length 1, angles of rows.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// LayerNorm normalises each row, that is the last axis, by itself (Ba, Kiros and
// Hinton 2016):
//
//	y = (x - mean) / sqrt(variance + eps) · weight + bias,  x [... features]
//
// with the biased variance, as in torch.nn.LayerNorm over the last dimension.
type LayerNorm struct {
	Weight *autograd.Var // [features]; nil: no factor
	Bias   *autograd.Var // [features]; nil: no summand
	Eps    float64
}

// LayerNormConfig has what [LayerNorm] has beside its size. The zero value is
// PyTorch's.
type LayerNormConfig struct {
	Eps      float64 // 1e-5 by default
	NoAffine bool    // neither weight nor bias
	NoBias   bool
	DType    tensor.DType
}

// NewLayerNorm returns a layer for rows of the given number of features, with
// weight 1 and bias 0. It panics with *[Error] if features or Eps is negative.
func NewLayerNorm(features int, cfg LayerNormConfig) *LayerNorm {
	const op = "NewLayerNorm"
	l := &LayerNorm{Eps: checkNorm(op, features, cfg.Eps)}
	if !cfg.NoAffine {
		l.Weight = autograd.Parameter(tensor.Full(cfg.DType, 1, features))
		if !cfg.NoBias {
			l.Bias = autograd.Parameter(tensor.Zeros(cfg.DType, features))
		}
	}
	return l
}

// Forward returns the normalised x, in x's shape.
func (l *LayerNorm) Forward(x *autograd.Var) *autograd.Var {
	const op = "LayerNorm"
	if l == nil {
		misuse(op, "the layer is nil; make it with NewLayerNorm")
	}
	kept := rowShape(op, x)
	for _, p := range []*autograd.Var{l.Weight, l.Bias} {
		if p != nil && !p.Shape().Equal(tensor.Shape{x.Shape()[len(kept)-1]}) {
			misuse(op, fmt.Sprintf("input of shape %v, layer for %v features", x.Shape(), p.Shape()))
		}
		wantType(op, p, x)
	}
	return autograd.LayerNorm(x, l.Weight, l.Bias, l.Eps)
}

// NormalizeRows divides each row of x, that is the last axis, by its Euclidean
// length, or by 1e-12 if it is shorter: x / max(‖x‖, 1e-12), as
// torch.nn.functional.normalize does. A row of zeros stays, with a finite
// gradient. Of float32 rows the squares, and so lengths of 2^64 and more,
// overflow: such rows become 0.
func NormalizeRows(x *autograd.Var) *autograd.Var {
	const eps = 1e-12
	kept := rowShape("NormalizeRows", x)
	// The bound is on the square: below it no gradient flows to the square root,
	// whose own would be infinite at 0.
	length := x.Square().SumTo(kept...).Clamp(eps*eps, math.Inf(1)).Sqrt()
	return x.Div(length)
}

// CosineSimilarity returns the cosines of the angles between the rows of a and b, that is
// their last axes, as torch.nn.functional.cosine_similarity over the last dimension:
//
//	a·b / (max(‖a‖, 1e-8) max(‖b‖, 1e-8))     a, b [... features], result [...]
//
// It is 0, with a finite gradient, for a row of zeros. The cosines of all pairs are a product
// of matrices: NormalizeRows(a).MatMul(NormalizeRows(b).Transpose()). It panics with *[Error]
// if a and b differ in shape or type, or are scalars.
func CosineSimilarity(a, b *autograd.Var) *autograd.Var {
	const op, eps = "CosineSimilarity", 1e-8
	wantAlike(op, a, b)
	rowShape(op, a)
	length := func(u *autograd.Var) *autograd.Var { return u.VecDot(u).Clamp(eps*eps, math.Inf(1)).Sqrt() }
	return a.VecDot(b).Div(length(a).Mul(length(b)))
}

// rowShape returns x's shape with a last axis of length 1.
func rowShape(op string, x *autograd.Var) tensor.Shape {
	wantVars(op, x)
	kept := x.Shape().Clone()
	if len(kept) == 0 {
		misuse(op, "a scalar has no rows")
	}
	kept[len(kept)-1] = 1
	return kept
}

// checkNorm checks the settings that normalisation layers share and returns eps
// or its default.
func checkNorm(op string, features int, eps float64) float64 {
	if features < 0 {
		misuse(op, fmt.Sprintf("%d features", features))
	}
	if !(eps >= 0) || math.IsInf(eps, 1) {
		misuse(op, fmt.Sprintf("Eps is %v, want a finite number >= 0", eps))
	}
	if eps == 0 {
		return 1e-5
	}
	return eps
}
