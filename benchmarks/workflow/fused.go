package workflow

// Layers as vertex-centric programs, fused: what our users run.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// Fused returns the form whose layers are those of package gnn and of its kind: the
// sparse part of a layer is one program, differentiated and compiled as a whole.
func Fused() Form { return fusedForm{} }

type fusedForm struct{}

func (fusedForm) Name() string { return "asterias" }

func (fusedForm) open(t *Task) (layers, error) {
	return &fused{graph: t.Graph, gats: map[gatKey]*gnn.GATConv{}}, nil
}

// fused holds a layer for each shape: parameters are put in when it runs.
type fused struct {
	graph *graph.Graph
	conv  *gnn.GCNConv
	gats  map[gatKey]*gnn.GATConv
}

type gatKey struct {
	in, dim, heads int
	mean           bool
}

func (f *fused) gcn(x, w, b *autograd.Var) *autograd.Var {
	if f.conv == nil {
		f.conv = gnn.NewGCNConvNorm(1, 1, gnn.BothDegrees, nn.NewRNG(0))
	}
	f.conv.Weight, f.conv.Bias = w, b
	return f.conv.Forward(f.graph, x)
}

// ginProgram is a layer up to its second product.
var ginProgram = vc.Compile("gin", func(v vc.Vertex) vc.Value {
	sum := vc.Sum(v.InNeighbors().Feature("z"))
	return v.Feature("z").Mul(vc.Param("eps").AddScalar(1)).Add(sum).Add(vc.Param("b")).ReLU()
})

func (f *fused) gin(x, eps, w, b *autograd.Var) *autograd.Var {
	return ginProgram.Run(f.graph, vc.VertexFeature("z", x.MatMul(w)), vc.ParamValue("eps", eps), vc.ParamValue("b", b))
}

func (f *fused) gat(x, w, al, ar, b *autograd.Var, mean bool) *autograd.Var {
	heads, dim := al.Shape()[0], al.Shape()[1]
	key := gatKey{x.Shape()[1], dim, heads, mean}
	conv := f.gats[key]
	if conv == nil {
		conv = gnn.NewGATConv(key.in, dim, heads, gnn.GATConfig{Mean: mean}, nn.NewRNG(0))
		f.gats[key] = conv
	}
	conv.Weight, conv.AttnSrc, conv.AttnDst, conv.Bias = w, al, ar, b
	return conv.Forward(f.graph, x)
}

func (f *fused) close() error { return nil }
