package gnn

// The readout of Vinyals et al.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Set2Set is the readout of "Order Matters: Sequence to sequence for sets"
// (Vinyals, Bengio, Kudlur, ICLR 2016), equations 3 to 7: an LSTM asks the vertices
// of a graph several times. From q*_0 = 0, for t = 1, 2, ..., steps:
//
//	q_t = LSTM(q*_{t-1})
//	α_v = softmax over the graph's vertices of x_v·q_t
//	r_t = Σ_v α_v x_v
//	q*_t = [q_t ‖ r_t]
//
// for x [N d], giving q*_steps [graphs 2d].
type Set2Set struct {
	Cell *nn.LSTMCell // from 2d to d

	dim, steps int
}

// NewSet2Set returns a readout of dim features that asks so many times.
func NewSet2Set(dim, steps int, r *nn.RNG, opts ...Option) *Set2Set {
	wantPositive("Set2Set", dim, steps)
	c := configure(opts)
	cell := nn.NewLSTMCell(2*dim, dim, nn.CellConfig{NoBias: c.noBias, DType: c.dtype}, r)
	return &Set2Set{Cell: cell, dim: dim, steps: steps}
}

// Forward reads out the graphs of a batch whose vertices have x [N d].
func (l *Set2Set) Forward(batch *graph.BatchInfo, x *autograd.Var) *autograd.Var {
	const op = "Set2Set"
	if l == nil || l.Cell == nil {
		panic(notMade(op))
	}
	g := segmentsOf(op, batch)
	wantDense(op, "x", x)
	wantRows(op, "x", x, g.NumSrc(), "vertices", l.dim)
	wantType(op, "x", x, l.Cell.WeightIH)
	asked := autograd.Constant(tensor.ZerosOn(x.Device(), x.DType(), g.NumDst(), 2*l.dim))
	var query, cell *autograd.Var
	for range l.steps {
		query, cell = l.Cell.Forward(asked, query, cell)
		answer := set2set.Run(g, vc.SrcFeature("x", x), vc.DstFeature("q", query))
		asked = autograd.Concat(1, query, answer)
	}
	return asked
}

var set2set = vc.Compile("set2set", func(graph vc.Vertex) vc.Value {
	v := graph.InEdges()
	return vc.Sum(vc.Softmax(v.Src("x").Dot(v.Dst("q")).Reshape(1)).Mul(v.Src("x")))
})
