package gnn

// The model of graph isomorphism networks, for the classification of graphs.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// GIN is Xu et al.'s model (ICLR 2019, section 4.2 and 7): layers of GINConv with
// perceptrons of one hidden layer, batch normalisation and ReLU in and after them.
// What the vertices of a graph have, summed, gives a prediction after every layer,
// and of the input; their sum is the result.
type GIN struct {
	Convs []*GINConv
	Norms []*nn.BatchNorm1d // after each layer
	Heads []*nn.Linear      // the predictions: of the input, and after each layer
	Drop  *nn.Dropout       // of each prediction
}

// NewGIN returns the model from in features to classes; the paper has layers 4,
// beside the input, and chose among hidden 16 and 32, dropout 0 and 0.5.
func NewGIN(in, hidden, classes, layers int, cfg GINConfig, dropout float64, r *nn.RNG) *GIN {
	wantPositive("GIN", in, hidden, classes, layers)
	norm := func(n int) nn.Layer { return nn.NewBatchNorm1d(n, nn.BatchNormConfig{}) }
	m := &GIN{Heads: []*nn.Linear{nn.NewLinear(in, classes, r)}, Drop: nn.NewDropout(dropout, r)}
	for range layers {
		mlp := nn.NewMLP([]int{in, hidden, hidden}, nn.MLPConfig{Norm: norm}, r)
		m.Convs = append(m.Convs, NewGINConv(mlp, cfg))
		m.Norms = append(m.Norms, nn.NewBatchNorm1d(hidden, nn.BatchNormConfig{}))
		m.Heads = append(m.Heads, nn.NewLinear(hidden, classes, r))
		in = hidden
	}
	return m
}

// Forward returns the logits [graphs classes] of the batched graphs in g (see
// graph.Batch), whose vertices have dense x [N in]. It panics with *[Error] for what does not fit.
func (m *GIN) Forward(g *graph.Graph, x *autograd.Var, batch *graph.BatchInfo) *autograd.Var {
	const op = "GIN"
	wantModel(op, m)
	wantBatch(op, batch)
	wantDense(op, "x", x)
	wantRows(op, "x", x, len(batch.GraphOf), "vertices", m.Heads[0].Weight.Shape()[0])
	wantType(op, "x", x, m.Heads[0].Weight)
	readout := func(h *autograd.Var, head *nn.Linear) *autograd.Var {
		sum := h.ScatterAddRows(batch.NumGraphs(), batch.GraphOf)
		return m.Drop.Forward(head.Forward(sum))
	}
	logits := readout(x, m.Heads[0])
	for i, conv := range m.Convs {
		x = m.Norms[i].Forward(conv.Forward(g, x)).ReLU()
		logits = logits.Add(readout(x, m.Heads[i+1]))
	}
	return logits
}
