// Every row of the op table on operands and gradients of other layouts and types.

package autograd

import (
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

// strided returns a leaf and a view of it with x's values that is not contiguous,
// where the shape allows it.
func strided(x *tensor.Tensor) (leaf, view *Var) {
	switch x.Rank() {
	case 0:
		leaf = Variable(x.Clone())
		return leaf, leaf
	case 1:
		leaf = Variable(tensor.Concat(1, x.Unsqueeze(1), x.Unsqueeze(1)))
		return leaf, leaf.Slice(1, 1, 2).Squeeze(1)
	}
	leaf = Variable(x.Transpose().Clone())
	return leaf, leaf.Transpose()
}

func TestEveryOpTakesStridedOperandsAndGradients(t *testing.T) {
	seen := 0
	for _, c := range gradCases() {
		xs := c.inputs()
		leaves, views := make([]*Var, len(xs)), make([]*Var, len(xs))
		for i, x := range xs {
			leaves[i], views[i] = strided(x.Tensor())
			if !views[i].Tensor().IsContiguous() {
				seen++
			}
		}
		y := c.f(xs...)
		cotangent := randomTensor(9, nonzero, y.Shape()...)
		_, across := strided(cotangent)
		want := GradWith(y, Constant(cotangent), xs)
		z := c.f(views...)
		got := GradWith(z, across.Detach(), views)
		wantNear(t, c.String(), z.Tensor().Float64s(), y.Tensor().Float64s(), 1e-12)
		for i := range xs {
			if (got[i] == nil) != (want[i] == nil) {
				t.Errorf("%v: gradient of input %d: %v, want %v", c, i, got[i], want[i])
			} else if got[i] != nil {
				wantNear(t, c.String(), got[i].Tensor().Float64s(), want[i].Tensor().Float64s(), 1e-12)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d operands were not contiguous", seen)
	}
}

func TestEveryOpWorksInFloat32(t *testing.T) {
	for _, c := range gradCases() {
		if c.op == opSparseMatMul {
			continue // its matrix is Float64
		}
		xs := c.inputs()
		singles := make([]*Var, len(xs))
		for i, x := range xs {
			singles[i] = Variable(x.Tensor().To(tensor.Float32))
		}
		y, z := c.f(xs...), c.f(singles...)
		if z.DType() != tensor.Float32 {
			t.Errorf("%v: the result is %v", c, z.DType())
			continue
		}
		wantNear(t, c.String(), z.Tensor().Float64s(), y.Tensor().Float64s(), 2e-4)
		cotangent := randomTensor(9, nonzero, y.Shape()...)
		want, got := GradWith(y, Constant(cotangent), xs), GradWith(z, Constant(cotangent.To(tensor.Float32)), singles)
		for i := range xs {
			if want[i] != nil {
				wantNear(t, c.String(), got[i].Tensor().Float64s(), want[i].Tensor().Float64s(), 2e-4)
			}
		}
	}
}
