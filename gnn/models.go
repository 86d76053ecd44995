package gnn

// The two-layer models of the papers of GCN and GAT, for vertex classification.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// GCN is Kipf and Welling's model (ICLR 2017, equation 9): dropout, GCNConv,
// ReLU, dropout, GCNConv.
type GCN struct {
	Conv1, Conv2 *GCNConv
	InputDrop    *nn.Dropout
	HiddenDrop   *nn.Dropout
}

// NewGCN returns the model from in features to classes; no bias, as in the
// paper's code.
func NewGCN(in, hidden, classes int, dropout float64, r *nn.RNG) *GCN {
	return &GCN{
		Conv1:      NewGCNConv(in, hidden, r, NoBias()),
		Conv2:      NewGCNConv(hidden, classes, r, NoBias()),
		InputDrop:  nn.NewDropout(dropout, r),
		HiddenDrop: nn.NewDropout(dropout, r),
	}
}

// Forward returns the logits [N classes] of x [N in].
func (m *GCN) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return m.ForwardWeighted(g, x, nil)
}

// ForwardWeighted is Forward with weights of the edges, w [E]; see
// [GCNConv.ForwardWeighted].
func (m *GCN) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	wantModel("GCN", m)
	h := m.Conv1.ForwardWeighted(g, m.InputDrop.Forward(x), w).ReLU()
	return m.Conv2.ForwardWeighted(g, m.HiddenDrop.Forward(h), w)
}

// GAT is Veličković et al.'s model (ICLR 2018, section 3.3): dropout, GATConv
// with concatenated heads, ELU, dropout, GATConv with averaged heads; the same
// dropout on the attention coefficients.
type GAT struct {
	Conv1, Conv2 *GATConv
	InputDrop    *nn.Dropout
	HiddenDrop   *nn.Dropout
}

// NewGAT returns the model from in features to classes with heads of dim
// features in the first layer and outHeads in the second.
func NewGAT(in, dim, heads, classes, outHeads int, dropout float64, r *nn.RNG) *GAT {
	return &GAT{
		Conv1:      NewGATConv(in, dim, heads, GATConfig{AttnDropout: dropout}, r),
		Conv2:      NewGATConv(heads*dim, classes, outHeads, GATConfig{AttnDropout: dropout, Mean: true}, r),
		InputDrop:  nn.NewDropout(dropout, r),
		HiddenDrop: nn.NewDropout(dropout, r),
	}
}

// Forward returns the logits [N classes] of x [N in]. The graph should have a
// loop on every vertex.
func (m *GAT) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	wantModel("GAT", m)
	h := m.Conv1.Forward(g, m.InputDrop.Forward(x)).ELU(1)
	return m.Conv2.Forward(g, m.HiddenDrop.Forward(h))
}
