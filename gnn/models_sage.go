package gnn

// The model of GraphSAGE, for whole graphs and for blocks.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// SAGE is Hamilton et al.'s model (NIPS 2017, algorithm 1; the paper has two
// layers): dropout before every SAGEConv, ReLU between them.
type SAGE struct {
	Convs []*SAGEConv
	Drop  *nn.Dropout
}

// NewSAGE returns the model through the given sizes: those of x, of the hidden
// layers, and the classes. The settings are those of every layer.
func NewSAGE(sizes []int, cfg SAGEConfig, dropout float64, r *nn.RNG) *SAGE {
	if len(sizes) < 2 {
		misuse("SAGE", "sizes %v: want at least those of input and output", sizes)
	}
	m := &SAGE{Drop: nn.NewDropout(dropout, r)}
	for i, out := range sizes[1:] {
		m.Convs = append(m.Convs, NewSAGEConv(sizes[i], out, cfg, r))
	}
	return m
}

// Forward returns the logits [N classes] of x [N in], which may be a sparse constant.
func (m *SAGE) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	wantModel("SAGE", m)
	blocks := make([]*graph.Graph, len(m.Convs))
	for i := range blocks {
		blocks[i] = g
	}
	return m.ForwardBlocks(blocks, x)
}

// ForwardBlocks returns the logits of the last block's destinations, one block for
// each layer: x [NumSrc in] is of the sources of the first, and the destinations of
// each are the sources of the next.
func (m *SAGE) ForwardBlocks(blocks []*graph.Graph, x *autograd.Var) *autograd.Var {
	wantModel("SAGE", m)
	wantBlocks("SAGE", blocks, len(m.Convs))
	wantX("SAGE", x)
	for i, conv := range m.Convs {
		if i > 0 {
			x = x.ReLU()
		}
		x = conv.Forward(blocks[i], m.Drop.Forward(x))
	}
	return x
}
