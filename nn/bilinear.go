// The bilinear layer.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// Bilinear is the layer
//
//	y[n, o] = Σ_ij x1[n, i] W[o, i, j] x2[n, j] + b[o]
//
// for x1 [... in1] and x2 [... in2], as torch.nn.Bilinear, whose layout the
// weight has.
type Bilinear struct {
	Weight *autograd.Var // [out in1 in2]
	Bias   *autograd.Var // [out]; nil without bias
}

// BilinearConfig has what [Bilinear] has beside its sizes.
type BilinearConfig struct {
	NoBias bool
	DType  tensor.DType
}

// NewBilinear returns a layer of in1 and in2 to out features. Its values are
// drawn from U(-1/sqrt(in1), 1/sqrt(in1)), as in PyTorch.
func NewBilinear(in1, in2, out int, cfg BilinearConfig, r *RNG) *Bilinear {
	if in1 < 0 || in2 < 0 || out < 0 {
		misuse("NewBilinear", fmt.Sprintf("negative size: %d and %d to %d", in1, in2, out))
	}
	init := Uniform(1 / math.Sqrt(float64(max(in1, 1))))
	b := &Bilinear{Weight: autograd.Parameter(tensor.Zeros(cfg.DType, out, in1, in2))}
	init(b.Weight, r)
	if !cfg.NoBias {
		b.Bias = autograd.Parameter(tensor.Zeros(cfg.DType, out))
		init(b.Bias, r)
	}
	return b
}

// Forward returns y [... out]; the axes before the last of x1 and x2 agree.
func (b *Bilinear) Forward(x1, x2 *autograd.Var) *autograd.Var {
	const op = "Bilinear"
	if b == nil || b.Weight == nil {
		misuse(op, "the layer has no weight; make it with NewBilinear")
	}
	wantVars(op, x1, x2)
	w, s1, s2 := b.Weight.Shape(), x1.Shape(), x2.Shape()
	if len(w) != 3 {
		misuse(op, fmt.Sprintf("the weight has shape %v, want [out in1 in2]", w))
	}
	k := len(s1) - 1
	if k < 0 || len(s2) != len(s1) || !s1[:k].Equal(s2[:k]) || s1[k] != w[1] || s2[k] != w[2] {
		misuse(op, fmt.Sprintf("inputs of shapes %v and %v, want [... %d] and [... %d]", s1, s2, w[1], w[2]))
	}
	wantType(op, b.Weight, x1, x2)
	// One product for all outputs: x1 [N in1] W [in1 out·in2] gives [N out in2],
	// whose rows' dot products with x2 are the outputs.
	n, out := s1[:k].Size(), w[0]
	weight := b.Weight.Transpose(1, 0, 2).Reshape(w[1], out*w[2])
	rows := x1.Reshape(n, w[1]).MatMul(weight).Reshape(n, out, w[2])
	y := rows.MatMul(x2.Reshape(n, w[2], 1)).Reshape(append(s1[:k].Clone(), out)...)
	if b.Bias != nil {
		y = y.Add(b.Bias)
	}
	return y
}
