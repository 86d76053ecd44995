// Command message trains a graph attention network (Veličković et al., ICLR 2018)
// whose layer is written as message passing: what an edge sends, how a node reduces
// its mailbox, how it updates itself, as in DGL and Graphiler (Xie et al., MLSys
// 2022). It compiles to the plan of gnn.GATConv: no message is stored. The settings
// are those of examples/gat.
package main

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/gnn/message"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

const dropout = 0.6 // of features and of attention coefficients

// gat is attention with heads side by side: z [heads dim], al and ar [heads dim].
var gat = message.Compile("gat", message.Layer{
	Message: func(e message.Edges) message.Fields {
		score := func(z vc.Value, a string) vc.Value { return z.Dot(vc.Param(a)).Reshape(z.Shape()[0], 1) }
		return message.Fields{
			"z": e.Src("z"),
			"s": score(e.Src("z"), "al").Add(score(e.Dst("z"), "ar")).LeakyReLU(0.2),
		}
	},
	Reduce: func(n message.Nodes) message.Fields {
		alpha := vc.Softmax(n.Mailbox("s")).Dropout(dropout)
		return message.Fields{"h": vc.Sum(alpha.Mul(n.Mailbox("z")))}
	},
	Update: func(n message.Nodes) vc.Value {
		h := n.Data("h")
		return h.Reshape(h.Shape()[0] * h.Shape()[1]).Add(vc.Param("b"))
	},
})

// layer is the parameters of one gat.
type layer struct {
	nn.Stochastic // of the dropout
	Linear        *nn.Linear
	Left, Right   *autograd.Var // al and ar
	Bias          *autograd.Var
	Drop          *nn.Dropout
}

func newLayer(in, dim, heads int, r *nn.RNG) *layer {
	parameter := func(init nn.Initializer, shape ...int) *autograd.Var {
		p := autograd.Parameter(tensor.Zeros(tensor.Float32, shape...))
		init(p, r)
		return p
	}
	return &layer{
		Stochastic: nn.NewStochastic(r),
		Linear:     nn.NewLinear(in, heads*dim, r, nn.NoBias(), nn.WithInit(nn.GlorotUniform, nil)),
		Left:       parameter(nn.GlorotUniform, heads, dim),
		Right:      parameter(nn.GlorotUniform, heads, dim),
		Bias:       autograd.Parameter(tensor.Zeros(tensor.Float32, heads*dim)),
		Drop:       nn.NewDropout(dropout, r),
	}
}

func (l *layer) forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	heads := l.Left.Shape()
	z := l.Linear.Forward(l.Drop.Forward(x)).Reshape(g.NumVertices(), heads[0], heads[1])
	bindings := []vc.Binding{
		vc.VertexFeature("z", z), vc.ParamValue("al", l.Left), vc.ParamValue("ar", l.Right), vc.ParamValue("b", l.Bias),
	}
	if l.Training() {
		bindings = append(bindings, vc.Training(l.NextSeed())) // without it nothing is dropped
	}
	return gat.Run(g, bindings...)
}

func main() {
	app.Main("message", 300, func(d *data.Dataset, r *nn.RNG) (app.Run, error) {
		g, _ := d.Graph.RemoveSelfLoops()
		g, _ = g.AddSelfLoops() // a vertex attends to itself, once
		model := &struct{ First, Second *layer }{
			newLayer(d.Features.Cols(), 8, 8, r),
			newLayer(8*8, d.NumClasses, 1, r),
		}
		return app.Run{
			Model: model,
			Optimizer: optim.NewAdam([]optim.Group{
				{Params: nn.Parameters(model), WeightDecay: 5e-4},
			}, optim.AdamConfig{LR: 0.005}),
			Forward: func(x *autograd.Var) *autograd.Var {
				return model.Second.forward(g, model.First.forward(g, x).ELU(1))
			},
		}, nil
	})
}
