package gnn

// The two-layer models of the papers of GCN and GAT, for vertex classification, on
// whole graphs and on blocks.

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
	return m.on(g, g, x, w)
}

// ForwardBlocks returns the logits of the last block's destinations, one block for
// each layer: x [NumSrc in] is of the sources of the first, and the destinations of
// each are the sources of the next.
//
// Each layer norms by the degrees in its block, as DGL does: in-degrees of destinations,
// out-degrees of sources. These are the whole graph's, and the logits those of Forward,
// if it is symmetric and the blocks have all edges of all their vertices; degrees of
// sources whose edges lead out of a block, or were not drawn, are smaller.
func (m *GCN) ForwardBlocks(blocks []*graph.Graph, x *autograd.Var) *autograd.Var {
	wantModel("GCN", m)
	wantBlocks("GCN", blocks, 2)
	return m.on(blocks[0], blocks[1], x, nil)
}

func (m *GCN) on(first, second *graph.Graph, x, w *autograd.Var) *autograd.Var {
	wantX("GCN", x)
	h := m.Conv1.ForwardWeighted(first, m.InputDrop.Forward(x), w).ReLU()
	return m.Conv2.ForwardWeighted(second, m.HiddenDrop.Forward(h), w)
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
	return m.ForwardBlocks([]*graph.Graph{g, g}, x)
}

// ForwardBlocks returns the logits of the last block's destinations, one block for
// each layer: x [NumSrc in] is of the sources of the first, and the destinations of
// each are the sources of the next. A vertex whose loop was not drawn does not attend
// to itself.
func (m *GAT) ForwardBlocks(blocks []*graph.Graph, x *autograd.Var) *autograd.Var {
	wantModel("GAT", m)
	wantBlocks("GAT", blocks, 2)
	wantX("GAT", x)
	h := m.Conv1.Forward(blocks[0], m.InputDrop.Forward(x)).ELU(1)
	return m.Conv2.Forward(blocks[1], m.HiddenDrop.Forward(h))
}
