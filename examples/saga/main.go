// Command saga trains a graph convolutional network (Kipf and Welling, ICLR 2017)
// whose layer is written as the stages of SAGA-NN (Ma et al., USENIX ATC 2019): what
// an edge does with its ends, how a vertex accumulates that, what the vertex does with
// it. It compiles to the plan of gnn.GCNConv. The settings are those of examples/gcn
// on the citation networks.
package main

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/gnn/saga"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// gcn is h'_v = Σ_{u in N(v) and v itself} (d_u d_v)^(-1/2) h_u W.
var gcn = saga.Compile("gcn", saga.Layer{
	ApplyEdge:   func(src, dst vc.Vertex, e vc.Edge) vc.Value { return normed(src) },
	Accumulator: saga.Sum,
	ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value { return acc.Add(normed(v)).Mul(norm(v)) },
})

// norm is d_v^(-1/2), the loop of v counted.
func norm(v vc.Vertex) vc.Value { return v.InDegree().AddScalar(1).Rsqrt() }

func normed(v vc.Vertex) vc.Value {
	return v.Feature("h").MatMul(vc.Param("W")).Mul(norm(v))
}

// net is the model of two layers.
type net struct {
	W1, W2    *autograd.Var
	InputDrop *nn.Dropout
	Drop      *nn.Dropout
}

func newNet(in, hidden, classes int, dropout float64, r *nn.RNG) *net {
	weight := func(in, out int) *autograd.Var { return autograd.Parameter(nn.GlorotUniform(r, in, out)) }
	return &net{weight(in, hidden), weight(hidden, classes), nn.NewDropout(dropout, r), nn.NewDropout(dropout, r)}
}

func (m *net) forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	layer := func(h, w *autograd.Var) *autograd.Var {
		return gcn.Run(g, vc.VertexFeature("h", h), vc.ParamValue("W", w))
	}
	h := layer(m.InputDrop.Forward(x), m.W1).ReLU()
	return layer(m.Drop.Forward(h), m.W2)
}

func main() {
	app.Main("saga", 200, func(d *data.Dataset, r *nn.RNG) (app.Run, error) {
		model := newNet(d.Features.Cols(), 16, d.NumClasses, 0.5, r)
		return app.Run{
			Model: model,
			Optimizer: optim.NewAdam([]optim.Group{
				{Params: []*autograd.Var{model.W1}, WeightDecay: 5e-4},
				{Params: []*autograd.Var{model.W2}},
			}, optim.AdamConfig{LR: 0.01}),
			Forward: func(x *autograd.Var) *autograd.Var { return model.forward(d.Graph, x) },
		}, nil
	})
}
