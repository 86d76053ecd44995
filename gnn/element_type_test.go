package gnn_test

// What layers say of float64 values beside float32 weights, and HeteroConv of what its
// layers say.

import (
	"errors"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestLayersNameTheValuesThatHaveAnotherElementType(t *testing.T) {
	g, r := messy(t), nn.NewRNG(1)
	typed, err := graph.New(6, g.Src(), g.Dst(), graph.WithVertexTypes(make([]int32, 6), 1), graph.WithEdgeTypes(make([]int32, 12), 1))
	if err != nil {
		t.Fatal(err)
	}
	v := func(dt tensor.DType, shape ...int) *autograd.Var {
		return autograd.Constant(tensor.Zeros(dt, shape...))
	}
	x, f, w := v(tensor.Float32, 6, 4), v(tensor.Float32, 12, 3), v(tensor.Float32, 12)
	x64, f64, w64 := v(tensor.Float64, 6, 4), v(tensor.Float64, 12, 3), v(tensor.Float64, 12)

	mlp := nn.NewLinear(4, 2, r)
	gin, gine, wide := gnn.NewGINConv(mlp, gnn.GINConfig{}), gnn.NewGINEConv(4, 3, mlp, gnn.GINConfig{}, r), gnn.NewGINEConv(4, 0, mlp, gnn.GINConfig{}, r)
	edge, pna := gnn.NewEdgeConv([]int{4, 2}, r), gnn.NewPNAConv(4, 3, 2, 1, r)
	nnconv, agnn := gnn.NewNNConv(4, 3, 2, nn.NewLinear(3, 8, r), gnn.NNConvConfig{}, r), gnn.NewAGNNConv(1, gnn.AGNNConfig{})
	rootless := gnn.NewNNConv(4, 3, 2, nn.NewLinear(3, 8, r), gnn.NNConvConfig{NoRoot: true}, r, gnn.NoBias())
	neighbors, alone := gnn.NewSAGEConv(4, 2, gnn.SAGEConfig{}, r, gnn.NoRoot()), gnn.NewGraphConv(4, 2, gnn.ReduceSum, r, gnn.NoRoot())
	opaque := gnn.NewNNConv(4, 3, 2, nn.NewSequential(nn.Func(func(f *autograd.Var) *autograd.Var {
		return autograd.Constant(tensor.Zeros(tensor.Float64, 12, 8))
	})), gnn.NNConvConfig{}, r)
	dir := gnn.NewDirGNNConv(4, 2, 0.5, func() gnn.PairConv { return gnn.NewGATConv(4, 2, 1, gnn.GATConfig{}, r) }, gnn.DirGNNConfig{}, r)
	free, bases := gnn.NewRGCNConv(4, 2, 1, gnn.RGCNConfig{}, r), gnn.NewRGCNConv(4, 2, 1, gnn.RGCNConfig{Bases: 1}, r)
	blocks := gnn.NewRGCNConv(4, 2, 1, gnn.RGCNConfig{Blocks: 2}, r)
	rgat, hgt := gnn.NewRGATConv(4, 2, 1, 1, gnn.RGATConfig{}, r), gnn.NewHGTConv(4, 2, 1, 1, gnn.HGTConfig{}, r)
	transformer := gnn.NewTransformerConv(4, 2, 1, gnn.TransformerConfig{Edge: 3}, r)
	cgat, ggnn := gnn.NewCGATConv(4, 3, 2, 1, gnn.GATConfig{}, r), gnn.NewGGNNConv(4, 4, 0, 1, r)
	gcn, both := gnn.NewGCNConv(4, 2, r), gnn.NewGCNConvNorm(4, 2, gnn.BothDegrees, r)
	gcn2, sgc, appnp := gnn.NewGCN2Conv(4, 0.1, 0.5, r), gnn.NewSGConv(4, 2, 2, r), gnn.NewAPPNP(gnn.APPNPConfig{}, r)
	cheb, tag := gnn.NewChebConv(4, 2, 2, gnn.ChebConfig{}, r), gnn.NewTAGConv(4, 2, 2, gnn.TAGConfig{}, r)
	light := gnn.NewLightGCN(6, 4, 2, gnn.LightGCNConfig{}, r)
	for _, c := range []struct {
		layer, what string
		forward     func()
	}{
		{"GINConv", "x", func() { gin.Forward(g, x64) }},
		{"GINEConv", "x", func() { gine.Forward(g, x64, f) }},
		{"GINEConv", "f", func() { gine.Forward(g, x, f64) }},
		{"GINEConv", "f", func() { gine.ForwardPair(g, x, x, f64) }},
		{"GINEConv", "f", func() { wide.Forward(g, x, v(tensor.Float64, 12, 4)) }},
		{"EdgeConv", "x", func() { edge.Forward(g, x64) }},
		{"PNAConv", "x", func() { pna.Forward(g, x64, f) }},
		{"PNAConv", "f", func() { pna.Forward(g, x, f64) }},
		{"NNConv", "x", func() { nnconv.Forward(g, x64, f) }},
		{"NNConv", "x", func() { rootless.Forward(g, x64, f64) }},
		{"SAGEConv", "x", func() { neighbors.Forward(g, x64) }},
		{"SAGEConv", "xSrc", func() { neighbors.ForwardPair(g, x64, nil) }},
		{"GraphConv", "x", func() { alone.Forward(g, x64) }},
		{"GraphConv", "xSrc", func() { alone.ForwardPair(g, x64, x) }},
		{"GraphConv", "w", func() { alone.ForwardWeighted(g, x, w64) }},
		{"NNConv", "f", func() { nnconv.Forward(g, x, f64) }},
		{"NNConv", "xSrc", func() { nnconv.ForwardPair(g, x64, x, f) }},
		{"NNConv", "what the network gives", func() { opaque.Forward(g, x, f) }},
		{"AGNNConv", "x", func() { agnn.Forward(g, x64) }},
		{"DirGNNConv", "x", func() { dir.Forward(g, x64) }},
		{"RGCNConv", "x", func() { free.Forward(typed, x64) }},
		{"RGCNConv", "x", func() { bases.Forward(typed, x64) }},
		{"RGCNConv", "x", func() { blocks.Forward(typed, x64) }},
		{"RGATConv", "x", func() { rgat.Forward(typed, x64) }},
		{"HGTConv", "x", func() { hgt.Forward(typed, x64) }},
		{"TransformerConv", "x", func() { transformer.Forward(g, x64, f) }},
		{"TransformerConv", "f", func() { transformer.Forward(g, x, f64) }},
		{"TransformerConv", "f", func() { transformer.ForwardPair(g, x, x, f64) }},
		{"CGATConv", "f", func() { cgat.Forward(g, x, f64) }},
		{"GGNNConv", "x", func() { ggnn.Forward(g, x64) }},
		{"GCNConv", "w", func() { gcn.ForwardWeighted(g, x, w64) }},
		{"GCNConv", "w", func() { both.ForwardWeighted(g, x, w64) }},
		{"GCN2Conv", "w", func() { gcn2.ForwardWeighted(g, x, x, w64) }},
		{"SGConv", "w", func() { sgc.ForwardWeighted(g, x, w64) }},
		{"ChebConv", "x", func() { cheb.Forward(g, x64) }},
		{"ChebConv", "w", func() { cheb.ForwardWeighted(g, x, w64) }},
		{"TAGConv", "x", func() { tag.Forward(g, x64) }},
		{"TAGConv", "w", func() { tag.ForwardWeighted(g, x, w64) }},
		{"LightGCN", "w", func() { light.ForwardWeighted(g, w64) }},
	} {
		want := "gnn: " + c.layer + ": " + c.what + " holds f64, the layer's weights f32: convert " + c.what + " (tensor.Tensor.To), or make the layer WithDType"
		wantMisuses(t, map[string]func(){want: c.forward})
	}
	wantMisuses(t, map[string]func(){
		"gnn: APPNP: w holds f64, x f32: convert one of them (tensor.Tensor.To)": func() { appnp.ForwardWeighted(g, x, w64) },
		"gnn: APPNP: w holds f32, x f64: convert one of them (tensor.Tensor.To)": func() { appnp.ForwardWeighted(g, x64, w) },
	})
}

// pairFunc is a layer of the caller's own.
type pairFunc func(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var

func (f pairFunc) ForwardPair(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var {
	return f(g, xSrc, xDst)
}

func is[E error](err error) bool {
	_, ok := err.(E)
	return ok
}

func TestHeteroConvNamesTheRelationOfEveryMisuse(t *testing.T) {
	h, r := library(t), nn.NewRNG(1)
	xs := libraryFeatures(h, tensor.Float32)
	xs64 := libraryFeatures(h, tensor.Float64)
	paper, author := libraryWidths["paper"], libraryWidths["author"]
	f64 := map[graph.EdgeType]*autograd.Var{cites: autograd.Constant(tensor.Zeros(tensor.Float64, h.NumEdges(cites)))}
	unbound := vc.Compile("own", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("x")) })
	run := func(rel graph.EdgeType, conv gnn.PairConv, xs map[string]*autograd.Var, f map[graph.EdgeType]*autograd.Var) func() {
		l := gnn.NewHeteroConv(h, map[graph.EdgeType]gnn.PairConv{rel: conv}, gnn.HeteroConfig{})
		return func() { l.Forward(h, xs, f) }
	}
	for _, c := range []struct {
		name, want string
		is         func(err error) bool // what the layer panicked with
		f          func()
	}{
		{"features", "(paper, cites, paper): EdgeConv: x holds f64, the layer's weights f32", is[*gnn.Error],
			run(cites, gnn.SourcePair(gnn.NewEdgeConv([]int{paper, 2}, r)), xs64, nil)},
		{"weights of edges", "(paper, cites, paper): GCNConv: w holds f64, the layer's weights f32", is[*gnn.Error],
			run(cites, gnn.SourcePair(gnn.NewGCNConv(paper, 2, r)), xs, f64)},
		{"the MLP of a layer", "(author, writes, paper): nn: ", is[*nn.Error],
			run(writes, gnn.NewGINConv(&nn.Linear{}, gnn.GINConfig{}), map[string]*autograd.Var{"author": xs["author"], "paper": autograd.Constant(tensor.Zeros(tensor.Float32, 6, author))}, nil)},
		{"a program of the caller's", "(author, writes, paper): vcentric: own: ", is[*vc.BindError],
			run(writes, pairFunc(func(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var {
				return unbound.Run(g, vc.SrcFeature("x", xDst))
			}), xs, nil)},
		{"an operation of the caller's", "(author, writes, paper): tensor: Reshape: ", is[*tensor.ShapeError],
			run(writes, pairFunc(func(_ *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var { return xDst.Reshape(5, 7, 11) }), xs, nil)},
	} {
		err := autograd.Try(c.f)
		var typed *gnn.Error
		if !errors.As(err, &typed) || typed.Layer != "HeteroConv" || !isMisuse(err, "gnn: HeteroConv: "+c.want) {
			t.Errorf("%s: error %T %v, want %q", c.name, err, err, c.want)
		}
		if cause := errors.Unwrap(err); !c.is(cause) {
			t.Errorf("%s: the error unwraps to %T %v", c.name, cause, cause)
		}
	}

	// What is no misuse stays what it is.
	for _, boom := range []any{"boom", errors.New("boom")} {
		func() {
			defer func() {
				if v := recover(); v != boom {
					t.Errorf("recovered %v, want %v", v, boom)
				}
			}()
			run(writes, pairFunc(func(*graph.Graph, *autograd.Var, *autograd.Var) *autograd.Var { panic(boom) }), xs, nil)()
		}()
	}
}
