// All layers, ours alone: which of them is slow for its work is seen beside the others.

package main

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

const (
	vertexTypes = 3
	edgeWidth   = 16 // features of an edge
)

// An onGraph is a layer that takes more than features, or two of them.
type onGraph struct {
	Conv    any // the module
	Edges   *autograd.Var
	forward func(l *onGraph, g *graph.Graph, x *autograd.Var) *autograd.Var
}

func (l *onGraph) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var { return l.forward(l, g, x) }

// moreLayers are those that families has not, from in to out features.
func moreLayers(p *problem) (all []family) {
	add := func(name string, jumps bool, make func(in, out int, r *nn.RNG) layer) {
		all = append(all, family{name: name, jumps: jumps, layer: func(in, out int, _ bool, _ float64, r *nn.RNG) layer {
			return make(in, out, r)
		}})
	}
	edges := func() *autograd.Var { return autograd.Constant(harness.Numbers(5, p.g.NumEdges(), edgeWidth)) }
	mlp := func(in, out int, r *nn.RNG) nn.Layer { return nn.NewMLP([]int{in, out, out}, nn.MLPConfig{}, r) }
	add("sage mean", false, func(in, out int, r *nn.RNG) layer { return gnn.NewSAGEConv(in, out, gnn.SAGEConfig{}, r) })
	add("sage max-pool", true, func(in, out int, r *nn.RNG) layer {
		return gnn.NewSAGEConv(in, out, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool}, r)
	})
	add("gin", true, func(in, out int, r *nn.RNG) layer { return gnn.NewGINConv(mlp(in, out, r), gnn.GINConfig{}) })
	add("gine", true, func(in, out int, r *nn.RNG) layer {
		return &onGraph{gnn.NewGINEConv(in, edgeWidth, mlp(in, out, r), gnn.GINConfig{}, r), edges(), func(l *onGraph, g *graph.Graph, x *autograd.Var) *autograd.Var {
			return l.Conv.(*gnn.GINEConv).Forward(g, x, l.Edges)
		}}
	})
	add("appnp", false, func(_, _ int, r *nn.RNG) layer { return gnn.NewAPPNP(gnn.APPNPConfig{}, r) })
	add("gatv2", false, func(in, out int, r *nn.RNG) layer {
		return gnn.NewGATv2Conv(in, out/heads, heads, gnn.GATConfig{}, r)
	})
	add("transformer", false, func(in, out int, r *nn.RNG) layer {
		return &onGraph{gnn.NewTransformerConv(in, out/heads, heads, gnn.TransformerConfig{Edge: edgeWidth}, r), edges(), func(l *onGraph, g *graph.Graph, x *autograd.Var) *autograd.Var {
			return l.Conv.(*gnn.TransformerConv).Forward(g, x, l.Edges)
		}}
	})
	add("c-gat", false, func(in, out int, r *nn.RNG) layer {
		return &onGraph{gnn.NewCGATConv(in, edgeWidth, out/heads, heads, gnn.GATConfig{}, r), edges(), func(l *onGraph, g *graph.Graph, x *autograd.Var) *autograd.Var {
			return l.Conv.(*gnn.CGATConv).Forward(g, x, l.Edges)
		}}
	})
	add("nnconv", false, func(in, out int, r *nn.RNG) layer {
		return &onGraph{gnn.NewNNConv(in, edgeWidth, out, nn.NewLinear(edgeWidth, in*out, r), gnn.NNConvConfig{}, r), edges(), func(l *onGraph, g *graph.Graph, x *autograd.Var) *autograd.Var {
			return l.Conv.(*gnn.NNConv).Forward(g, x, l.Edges)
		}}
	})
	add("agnn", false, func(_, _ int, _ *nn.RNG) layer { return gnn.NewAGNNConv(1, gnn.AGNNConfig{}) })
	add("dir-gcn", false, func(in, out int, r *nn.RNG) layer {
		return gnn.NewDirGNNConv(in, out, 0.5, func() gnn.PairConv {
			return gnn.SourcePair(gnn.NewGCNConvNorm(in, out, gnn.BothDegrees, r))
		}, gnn.DirGNNConfig{}, r)
	})
	add("g-gcn", false, func(in, out int, r *nn.RNG) layer { return gnn.NewGGCNConv(in, out, r) })
	add("gg-nn", false, func(in, out int, r *nn.RNG) layer { return gnn.NewGGNNConv(in, out, relations, 1, r) })
	add("commnet", false, func(in, out int, r *nn.RNG) layer { return gnn.NewCommNetConv(in, out, r) })
	add("mp-gcn", true, func(in, out int, r *nn.RNG) layer { return gnn.NewMPGCNConv(in, out, out, r) })
	add("pna", true, func(in, out int, r *nn.RNG) layer {
		return &onGraph{gnn.NewPNAConv(in, edgeWidth, out, gnn.PNADelta(p.g), r), edges(), func(l *onGraph, g *graph.Graph, x *autograd.Var) *autograd.Var {
			return l.Conv.(*gnn.PNAConv).Forward(g, x, l.Edges)
		}}
	})
	add("rgcn blocks", false, func(in, out int, r *nn.RNG) layer {
		return gnn.NewRGCNConv(in, out, relations, gnn.RGCNConfig{Blocks: bases}, r)
	})
	add("rgat", false, func(in, out int, r *nn.RNG) layer {
		return gnn.NewRGATConv(in, out/heads, heads, relations, gnn.RGATConfig{}, r)
	})
	add("simple-hgn", false, func(in, out int, r *nn.RNG) layer {
		return &onGraph{gnn.NewSimpleHGNConv(in, out/heads, heads, relations, edgeWidth, gnn.SimpleHGNConfig{}, r), nil, func(l *onGraph, g *graph.Graph, x *autograd.Var) *autograd.Var {
			return l.Conv.(*gnn.SimpleHGNConv).Forward(g, x, nil)
		}}
	})
	add("hgt", false, func(in, _ int, r *nn.RNG) layer {
		return gnn.NewHGTConv(in, heads, vertexTypes, relations, gnn.HGTConfig{}, r)
	})
	return all
}
