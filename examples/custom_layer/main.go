// Command custom_layer shows how a layer that the library does not have is written:
// as what one vertex does, in a module with parameters of its own. It is the layer of
// "Beyond Low-frequency Information in Graph Convolutional Networks" (Bo, Wang, Shi,
// Shen, AAAI 2021), whose coefficients may be negative: a vertex may move away from a
// neighbour. Two layers, 32 hidden features, ε = 0.3 and Adam with learning rate 0.01
// are from the authors' code; dropout 0.6 and weight decay 1e-3 are what was best on
// Cora's validation vertices.
package main

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/examples/internal/app"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// FAConv is, for h and the first representation x [N F],
//
//	h'_v = ε x_v + Σ_u α_uv h_u,  α_uv = tanh(a·h_u + b·h_v) / sqrt(d_u d_v)
//
// with dropout of the coefficients in training.
type FAConv struct {
	nn.Stochastic               // of the dropout: it hands out seeds and knows whether the model trains
	Src, Dst      *autograd.Var // a and b, [F]: package nn finds what is exported

	program *vc.Program
}

// NewFAConv returns a layer; eps is ε, dropout the probability to drop a coefficient.
func NewFAConv(features int, eps, dropout float64, r *nn.RNG) *FAConv {
	parameter := func() *autograd.Var {
		p := autograd.Parameter(tensor.Zeros(tensor.Float32, features))
		nn.Uniform(1/math.Sqrt(float64(features)))(p, r)
		return p
	}
	l := &FAConv{Stochastic: nn.NewStochastic(r), Src: parameter(), Dst: parameter()}
	l.program = vc.Compile("fagcn", func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		norm := func(x vc.Vertex) vc.Value { return x.InDegree().Maximum(vc.Number(1)).Rsqrt() }
		score := u.Feature("h").Dot(vc.Param("a")).Add(v.Feature("h").Dot(vc.Param("b")))
		alpha := score.Tanh().Mul(norm(u)).Mul(norm(v)).Dropout(dropout)
		return vc.Sum(alpha.Mul(u.Feature("h"))).Add(v.Feature("x").Scale(eps))
	})
	return l
}

// Forward applies the layer to h and x [N F]. The program is compiled when it first
// meets them; its gradients follow from the formula.
func (l *FAConv) Forward(g *graph.Graph, h, x *autograd.Var) *autograd.Var {
	bindings := []vc.Binding{
		vc.VertexFeature("h", h), vc.VertexFeature("x", x),
		vc.ParamValue("a", l.Src), vc.ParamValue("b", l.Dst),
	}
	if l.Training() {
		bindings = append(bindings, vc.Training(l.NextSeed()))
	}
	return l.program.Run(g, bindings...)
}

// Net is the paper's model. Its parts, and their parameters, are found by package nn.
type Net struct {
	In, Out *nn.Linear
	Convs   []*FAConv
	Drop    *nn.Dropout
}

// Forward returns the logits [N classes] of x [N in].
func (m *Net) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	x = m.Drop.Forward(m.In.ForwardReLU(m.Drop.Forward(x)))
	h := x
	for _, conv := range m.Convs {
		h = conv.Forward(g, h, x)
	}
	return m.Out.Forward(h)
}

func main() {
	app.Main("fagcn", 500, func(d *data.Dataset, r *nn.RNG) (app.Run, error) {
		const hidden, eps, dropout = 32, 0.3, 0.6
		glorot := nn.WithInit(nn.GlorotUniform, nn.Uniform(0))
		model := &Net{
			In:    nn.NewLinear(d.Features.Cols(), hidden, r, glorot),
			Out:   nn.NewLinear(hidden, d.NumClasses, r, glorot),
			Convs: []*FAConv{NewFAConv(hidden, eps, dropout, r), NewFAConv(hidden, eps, dropout, r)},
			Drop:  nn.NewDropout(dropout, r),
		}
		return app.Run{
			Model: model,
			Optimizer: optim.NewAdam([]optim.Group{
				{Params: nn.Parameters(model), WeightDecay: 1e-3},
			}, optim.AdamConfig{LR: 0.01}),
			Forward:  func(x *autograd.Var) *autograd.Var { return model.Forward(d.Graph, x) },
			Patience: 200,
		}, nil
	})
}
