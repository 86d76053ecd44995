package gnn

// The readout by attention over the vertices of a graph.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// AttentionReadout averages the vertices of a graph by weights that sum to 1, the
// form of Li et al.'s readout (see [GatedReadout]) that DGL and PyG have as
// GlobalAttentionPooling and AttentionalAggregation:
//
//	α_v = softmax over the graph's vertices of gate(h_v)
//	out_i = Σ_{v in graph i} α_v h_v
//
// for h [N in], giving [graphs in]; gate is a linear layer to one number. It is 0
// for a graph without vertices.
type AttentionReadout struct {
	Gate *nn.Linear // [in 1]
}

// NewAttentionReadout returns a readout of in features.
func NewAttentionReadout(in int, r *nn.RNG, opts ...Option) *AttentionReadout {
	wantPositive("AttentionReadout", in)
	c := configure(opts)
	return &AttentionReadout{Gate: c.linear(r, in, 1, true)}
}

// Forward reads out the graphs of a batch whose vertices have h [N in].
func (l *AttentionReadout) Forward(batch *graph.BatchInfo, h *autograd.Var) *autograd.Var {
	const op = "AttentionReadout"
	if l == nil || l.Gate == nil {
		panic(notMade(op))
	}
	g := segmentsOf(op, batch)
	wantDense(op, "h", h)
	wantRows(op, "h", h, g.NumSrc(), "vertices", l.Gate.Weight.Shape()[0])
	wantType(op, "h", h, l.Gate.Weight)
	return attentionReadout.Run(g, vc.SrcFeature("s", l.Gate.Forward(h)), vc.SrcFeature("h", h))
}

var attentionReadout = vc.Compile("attention readout", func(graph vc.Vertex) vc.Value {
	v := graph.InEdges()
	return vc.Sum(vc.Softmax(v.Src("s")).Mul(v.Src("h")))
})
