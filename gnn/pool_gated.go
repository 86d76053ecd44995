package gnn

// The gated readout of Li et al.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GatedReadout is the graph-level output of "Gated Graph Sequence Neural Networks"
// (Li et al., ICLR 2016), equation 7, a soft attention that decides which vertices
// matter:
//
//	out_i = tanh( Σ_{v in graph i} σ(gate(h_v)) ⊙ tanh(value(h_v)) )
//
// for h [N in], giving [graphs out]; gate and value are linear layers. The paper's h
// is the result of the propagation beside the vertex's own features: give it
// autograd.Concat(1, h, x). It is 0 for a graph without vertices.
type GatedReadout struct {
	Gate, Value *nn.Linear // [in out]
}

// NewGatedReadout returns a readout from in features of a vertex to out of a graph.
func NewGatedReadout(in, out int, r *nn.RNG, opts ...Option) *GatedReadout {
	wantPositive("GatedReadout", in, out)
	c := configure(opts)
	return &GatedReadout{Gate: c.linear(r, in, out, true), Value: c.linear(r, in, out, true)}
}

// Forward reads out the graphs of a batch whose vertices have h [N in], which may
// be a sparse constant.
func (l *GatedReadout) Forward(batch *graph.BatchInfo, h *autograd.Var) *autograd.Var {
	const op = "GatedReadout"
	if l == nil || l.Gate == nil || l.Value == nil {
		panic(notMade(op))
	}
	g := segmentsOf(op, batch)
	wantRows(op, "h", h, g.NumSrc(), "vertices", l.Gate.Weight.Shape()[0])
	wantWidth(op, "Value.Weight", l.Value.Weight, width(l.Gate.Weight))
	wantType(op, "h", h, l.Gate.Weight)
	return gatedReadout.Run(g, vc.SrcFeature("gate", l.Gate.Forward(h)), vc.SrcFeature("value", l.Value.Forward(h)))
}

var gatedReadout = vc.Compile("gated readout", func(graph vc.Vertex) vc.Value {
	v := graph.InNeighbors()
	return vc.Sum(v.Feature("gate").Sigmoid().Mul(v.Feature("value").Tanh())).Tanh()
})
