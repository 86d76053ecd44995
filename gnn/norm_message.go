package gnn

// The normalisation of messages of DeeperGCN.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// MessageNorm is the layer of "DeeperGCN: All You Need to Train Deeper GCNs" (Li, Xiong,
// Thabet, Ghanem, 2020), without its sum: it gives what a vertex has aggregated the length
// of what the vertex has:
//
//	m'_v = s ‖h_v‖ m_v / ‖m_v‖
//
// for h [N F] and m [N M], result [N M]; a length of m below 1e-12 counts as that.
type MessageNorm struct {
	Scale *autograd.Var // [1], s; a constant unless it is learned
}

// MessageNormConfig has the settings of MessageNorm. The zero value is PyG's layer.
type MessageNormConfig struct {
	LearnScale bool // s is a parameter
}

// NewMessageNorm returns the layer with s 1. It has no biases.
func NewMessageNorm(cfg MessageNormConfig, opts ...Option) *MessageNorm {
	one := tensor.Ones(configure(opts).dtype, 1)
	if cfg.LearnScale {
		return &MessageNorm{Scale: autograd.Parameter(one)}
	}
	return &MessageNorm{Scale: autograd.Constant(one)}
}

// Forward normalises messages m [N M] of vertices that have h [N F]. It panics with
// *[Error] for what does not fit.
func (l *MessageNorm) Forward(h, m *autograd.Var) *autograd.Var {
	const op = "MessageNorm"
	if l == nil || l.Scale == nil {
		panic(notMade(op))
	}
	wantShape(op, "Scale", l.Scale, 1)
	wantVertices(op, "h", h)
	wantVertices(op, "m", m)
	wantType(op, "h", h, l.Scale)
	wantType(op, "m", m, l.Scale)
	if n, k := h.Shape()[0], m.Shape()[0]; n != k {
		misuse(op, "h has %d rows, m %d", n, k)
	}
	return nn.NormalizeRows(m).Mul(h.NormKeep(2, 1).Mul(l.Scale))
}

// wantVertices panics unless x is a dense matrix.
func wantVertices(op, name string, x *autograd.Var) {
	if x == nil {
		misuse(op, "%s is nil", name)
	}
	wantDense(op, name, x)
	if s := x.Shape(); len(s) != 2 {
		misuse(op, "%s has shape %v; want a row for each vertex, [N F]", name, s)
	}
}
