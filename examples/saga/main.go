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

// gcn is h'_v = Σ_{u in N(v) and v itself} (d_u d_v)^(-1/2) z_u. The products z = h W
// are made before, since the features of the first layer are sparse.
var gcn = saga.Compile("gcn", saga.Layer{
	ApplyEdge:   func(src, dst vc.Vertex, e vc.Edge) vc.Value { return src.Feature("z").Mul(norm(src)) },
	Accumulator: saga.Sum,
	ApplyVertex: func(v vc.Vertex, acc vc.Value) vc.Value {
		return acc.Add(v.Feature("z").Mul(norm(v))).Mul(norm(v))
	},
})

// norm is d_v^(-1/2), a loop at v counted.
func norm(v vc.Vertex) vc.Value { return v.InDegree().AddScalar(1).Rsqrt() }

// net is the model of two layers.
type net struct {
	First, Second         *nn.Linear
	InputDrop, HiddenDrop *nn.Dropout
}

func newNet(in, hidden, classes int, dropout float64, r *nn.RNG) *net {
	glorot := nn.WithInit(nn.GlorotUniform, nil)
	return &net{
		First:      nn.NewLinear(in, hidden, r, nn.NoBias(), glorot),
		Second:     nn.NewLinear(hidden, classes, r, nn.NoBias(), glorot),
		InputDrop:  nn.NewDropout(dropout, r),
		HiddenDrop: nn.NewDropout(dropout, r),
	}
}

func (m *net) forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	layer := func(linear *nn.Linear, h *autograd.Var) *autograd.Var {
		return gcn.Run(g, vc.VertexFeature("z", linear.Forward(h)))
	}
	h := layer(m.First, m.InputDrop.Forward(x)).ReLU()
	return layer(m.Second, m.HiddenDrop.Forward(h))
}

func main() {
	app.Main("saga", 200, func(d *data.Dataset, r *nn.RNG) (app.Run, error) {
		model := newNet(d.Features.Cols(), 16, d.NumClasses, 0.5, r)
		return app.Run{
			Model: model,
			Optimizer: optim.NewAdam([]optim.Group{
				{Params: nn.Parameters(model.First), WeightDecay: 5e-4},
				{Params: nn.Parameters(model.Second)},
			}, optim.AdamConfig{LR: 0.01}),
			Forward: func(x *autograd.Var) *autograd.Var { return model.forward(d.Graph, x) },
		}, nil
	})
}
