package gnn

// The normalisation of Zhou et al.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
)

// DiffGroupNorm is the layer of "Towards Deeper Graph Neural Networks with Differentiable
// Group Normalization" (Zhou, Huang, Li, Zha, Chen, Hu, NeurIPS 2020): the vertices are
// parted into groups, softly, and each group is normalised by itself:
//
//	s  = softmax(x U)
//	x' = x + λ Σ_g BatchNorm(s_g ⊙ x)
//
// for x [N in] and U [in groups], result [N in], where s_g [N] is the share of each vertex
// in group g.
type DiffGroupNorm struct {
	Lin  *nn.Linear      // [in groups], U
	Norm *nn.BatchNorm1d // of groups·in columns, those of the first group first

	in, groups int
	lambda     float64
}

// DiffGroupNormConfig has what DiffGroupNorm has beside its sizes. The zero value is
// PyG's layer.
type DiffGroupNormConfig struct {
	Lambda float64            // λ; 0 means 0.01
	Norm   nn.BatchNormConfig // but for its DType, which is the layer's
}

// NewDiffGroupNorm returns a layer of in features. NoBias is of the normalisation.
func NewDiffGroupNorm(in, groups int, cfg DiffGroupNormConfig, r *nn.RNG, opts ...Option) *DiffGroupNorm {
	const op = "DiffGroupNorm"
	wantPositive(op, in, groups)
	wantFinite(op, "Lambda", cfg.Lambda)
	if cfg.Lambda == 0 {
		cfg.Lambda = 0.01
	}
	c := configure(opts)
	cfg.Norm.DType = c.dtype
	l := &DiffGroupNorm{
		Lin: c.linear(r, in, groups, false), Norm: nn.NewBatchNorm1d(groups*in, cfg.Norm),
		in: in, groups: groups, lambda: cfg.Lambda,
	}
	if c.noBias {
		l.Norm.Bias = nil
	}
	return l
}

// Forward normalises x [N in] of the vertices of a graph, or of a batch of graphs, which
// are not told apart. It panics with *[Error] for what does not fit, and while training
// for a single vertex.
func (l *DiffGroupNorm) Forward(x *autograd.Var) *autograd.Var {
	const op = "DiffGroupNorm"
	if l == nil || l.Lin == nil || l.Norm == nil {
		panic(notMade(op))
	}
	wantVertices(op, "x", x)
	n := x.Shape()[0]
	wantRows(op, "x", x, n, "vertices", l.in)
	wantType(op, "x", x, l.Lin.Weight)
	wantShape(op, "Lin.Weight", l.Lin.Weight, l.in, l.groups)
	if n == 1 && l.Norm.Training() {
		misuse(op, "x has one row; a training batch needs more")
	}
	shares := l.Lin.Forward(x).Softmax().Unsqueeze(2)
	parts := l.Norm.Forward(shares.Mul(x.Unsqueeze(1)).Reshape(n, l.groups*l.in))
	return x.Add(parts.Reshape(n, l.groups, l.in).Sum(1).Scale(l.lambda))
}
