package gnn_test

// The layers for homogeneous graphs, in their variants, as a table: what the tests
// of all of them go through.

import (
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// layerCase is a layer from 5 features.
type layerCase struct {
	name     string
	layer    any // the module
	forward  func(g *graph.Graph, x, f *autograd.Var) *autograd.Var
	compiled func(g *graph.Graph, x, f *autograd.Var) *vc.Compiled
	naive    naive
	state    []string // the names of its parameters and buffers
	out      int      // features of the result
	edge     int      // columns of the edge features it takes
	edges    bool     // its calls have an argument for edge features

	types       int  // edge types of the graph it takes
	homogeneous bool // takes no blocks
	sparse      bool // takes sparse features
	anyWidth    bool // takes any number of features
	degrees     bool // reads degrees of sources: a block is not the whole graph
}

// on is the graph with the edge types that the layer wants.
func (c layerCase) on(g *graph.Graph) *graph.Graph {
	if c.types == 0 {
		return g
	}
	types := make([]int32, g.NumEdges())
	for e := range types {
		types[e] = int32(typeOfEdge(e, c.types))
	}
	g, err := graph.New(g.NumVertices(), g.Src(), g.Dst(), graph.WithEdgeTypes(types, c.types))
	if err != nil {
		panic(err)
	}
	return g
}

func typeOfEdge(e, types int) int { return (e * e) % types }

// plain is a case of a layer that takes no edge features.
func plain(name string, l compiler, out int, n naive, state ...string) layerCase {
	return layerCase{
		name: name, layer: l, naive: n, state: state, out: out,
		forward:  func(g *graph.Graph, x, _ *autograd.Var) *autograd.Var { return l.Forward(g, x) },
		compiled: func(g *graph.Graph, x, _ *autograd.Var) *vc.Compiled { return l.Compiled(g, x) },
	}
}

// edgeLayer is a layer that may take edge features.
type edgeLayer interface {
	Forward(g *graph.Graph, x, f *autograd.Var) *autograd.Var
	Compiled(g *graph.Graph, x, f *autograd.Var) *vc.Compiled
}

func edged(name string, l edgeLayer, out, edge int, n naive, state ...string) layerCase {
	return layerCase{name: name, layer: l, forward: l.Forward, compiled: l.Compiled, naive: n, state: state, out: out, edge: edge, edges: true}
}

// edgesGiven is a layer with methods of their own for edge features.
type edgesGiven struct {
	layer interface {
		ForwardEdges(g *graph.Graph, x, f *autograd.Var) *autograd.Var
		CompiledEdges(g *graph.Graph, x, f *autograd.Var) *vc.Compiled
		ForwardPairEdges(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var
		CompiledPairEdges(g *graph.Graph, xSrc, xDst, f *autograd.Var) *vc.Compiled
	}
}

func (l edgesGiven) Forward(g *graph.Graph, x, f *autograd.Var) *autograd.Var {
	return l.layer.ForwardEdges(g, x, f)
}

func (l edgesGiven) Compiled(g *graph.Graph, x, f *autograd.Var) *vc.Compiled {
	return l.layer.CompiledEdges(g, x, f)
}

func (l edgesGiven) ForwardPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var {
	return l.layer.ForwardPairEdges(g, xSrc, xDst, f)
}

func (l edgesGiven) CompiledPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *vc.Compiled {
	return l.layer.CompiledPairEdges(g, xSrc, xDst, f)
}

func (c layerCase) with(change func(c *layerCase)) layerCase {
	change(&c)
	return c
}

func takesSparse(c *layerCase) { c.sparse = true }

// layerCases are the layers with parameters of dt.
func layerCases(dt tensor.DType) []layerCase {
	r := nn.NewRNG(1)
	opts := []gnn.Option{gnn.WithDType(dt)}
	bare := append([]gnn.Option{gnn.NoBias()}, opts...)
	const heads, dim = 3, 2
	var cases []layerCase
	add := func(c layerCase) { cases = append(cases, c) }

	gcn := gnn.NewGCNConv(5, 6, r, opts...)
	add(plain("gcn", gcn, 6, naiveGCN(gcn), "weight", "bias").with(func(c *layerCase) { c.sparse, c.degrees = true, true }))

	gat := gnn.NewGATConv(5, dim, heads, gnn.GATConfig{}, r, opts...)
	add(plain("gat", gat, 6, naiveGAT(gat, heads, dim, false).one(), "weight", "attn_src", "attn_dst", "bias").with(takesSparse))

	for _, mean := range []bool{false, true} {
		name, out := "gatv2", 6
		if mean {
			name, out = "gatv2 of averaged heads", 2
		}
		l := gnn.NewGATv2Conv(5, dim, heads, gnn.GATConfig{Mean: mean}, r, opts...)
		add(plain(name, l, out, naiveGATv2(l, heads, dim, mean).one(), "weight_src", "weight_dst", "attn", "bias").with(takesSparse))
	}

	biased := gnn.NewGATv2Conv(5, dim, heads, gnn.GATConfig{ProjectBias: true}, r, opts...)
	add(plain("gatv2 of biased products", biased, 6, naiveGATv2(biased, heads, dim, false).one(),
		"weight_src", "weight_dst", "bias_src", "bias_dst", "attn", "bias").with(takesSparse))

	of := func(l any) func(c *layerCase) { return func(c *layerCase) { c.layer, c.sparse = l, true } }
	gatEdges := gnn.NewGATConv(5, dim, heads, gnn.GATConfig{Edge: 4}, r, opts...)
	add(edged("gat of edge features", edgesGiven{gatEdges}, 6, 4, naiveGAT(gatEdges, heads, dim, false).one(),
		"weight", "attn_src", "attn_dst", "bias", "weight_edge", "attn_edge").with(of(gatEdges)))
	gatv2Edges := gnn.NewGATv2Conv(5, dim, heads, gnn.GATConfig{Edge: 4, Mean: true}, r, opts...)
	add(edged("gatv2 of edge features", edgesGiven{gatv2Edges}, dim, 4, naiveGATv2(gatv2Edges, heads, dim, true).one(),
		"weight_src", "weight_dst", "attn", "bias", "weight_edge").with(of(gatv2Edges)))

	mean := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{}, r, opts...)
	add(plain("sage", mean, 6, naiveSAGE(mean, false, false).one(), "weight_self", "weight_neigh", "bias").with(takesSparse))
	wide := gnn.NewSAGEConv(5, 2, gnn.SAGEConfig{}, r, bare...)
	add(plain("sage without bias", wide, 2, naiveSAGE(wide, false, false).one(), "weight_self", "weight_neigh").with(takesSparse))
	unit := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{Normalize: true}, r, opts...)
	add(plain("sage normalised", unit, 6, naiveSAGE(unit, false, true).one(), "weight_self", "weight_neigh", "bias").with(takesSparse))
	pool := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool, Pool: 4}, r, opts...)
	add(plain("sage of max pooling", pool, 6, naiveSAGE(pool, true, false).one(),
		"weight_self", "weight_neigh", "weight_pool", "bias_pool", "bias").with(takesSparse))

	rootless := append([]gnn.Option{gnn.NoRoot()}, opts...)
	neighbors := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{Normalize: true}, r, rootless...)
	add(plain("sage without root", neighbors, 6, naiveSAGE(neighbors, false, true).one(), "weight_neigh", "bias").with(takesSparse))
	poolOnly := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool, Pool: 4}, r, rootless...)
	add(plain("sage of max pooling without root", poolOnly, 6, naiveSAGE(poolOnly, true, false).one(),
		"weight_neigh", "weight_pool", "bias_pool", "bias").with(takesSparse))
	for reduce, how := range reductions {
		l := gnn.NewGraphConv(5, 6, gnn.Reduce(reduce), r, rootless...)
		add(plain("graphconv without root, "+how, l, 6, naiveGraphConv(l, how).one(), "weight_neigh", "bias").
			with(func(c *layerCase) { c.sparse = multiplied(how) }))
	}

	for reduce, how := range reductions {
		l := gnn.NewGraphConv(5, 6, gnn.Reduce(reduce), r, opts...)
		add(plain("graphconv, "+how, l, 6, naiveGraphConv(l, how).one(), "weight_self", "weight_neigh", "bias").
			with(func(c *layerCase) { c.sparse = multiplied(how) }))
	}

	mlp := func() *nn.MLP { return nn.NewMLP([]int{5, 7, 6}, nn.MLPConfig{DType: dt}, r) }
	mlpState := []string{"mlp.layers.0.weight", "mlp.layers.0.bias", "mlp.layers.1.weight", "mlp.layers.1.bias", "eps"}
	gin := gnn.NewGINConv(mlp(), gnn.GINConfig{Eps: 0.25}, opts...)
	add(plain("gin", gin, 6, naiveGIN(gin.Eps, nil, gin.MLP.(*nn.MLP), false).one(), mlpState...).with(func(c *layerCase) { c.anyWidth = true }))
	fixed := gnn.NewGINConv(mlp(), gnn.GINConfig{FixEps: true}, opts...)
	add(plain("gin of fixed eps", fixed, 6, naiveGIN(fixed.Eps, nil, fixed.MLP.(*nn.MLP), false).one(), mlpState...).with(func(c *layerCase) { c.anyWidth = true }))
	gine := gnn.NewGINEConv(5, 3, mlp(), gnn.GINConfig{}, r, opts...)
	add(edged("gine", gine, 6, 3, naiveGIN(gine.Eps, gine.Edge, gine.MLP.(*nn.MLP), true).one(), append(mlpState, "edge.weight", "edge.bias")...))
	same := gnn.NewGINEConv(5, 0, mlp(), gnn.GINConfig{}, r, opts...)
	add(edged("gine of equal widths", same, 6, 5, naiveGIN(same.Eps, nil, same.MLP.(*nn.MLP), true).one(), mlpState...))

	add(plain("appnp", gnn.NewAPPNP(gnn.APPNPConfig{Steps: 3, Alpha: 0.2}, r), 5, naiveAPPNP(3, 0.2)).
		with(func(c *layerCase) { c.homogeneous, c.anyWidth = true, true }))
	add(plain("appnp with dropout", gnn.NewAPPNP(gnn.APPNPConfig{Steps: 2, Dropout: 0.5}, r), 5, naiveAPPNP(2, 0.1)).
		with(func(c *layerCase) { c.homogeneous, c.anyWidth = true, true }))
	sgc := gnn.NewSGConv(5, 6, 2, r, opts...)
	add(plain("sgc", sgc, 6, naiveSGC(sgc, 2), "weight", "bias").with(func(c *layerCase) { c.homogeneous, c.sparse = true, true }))
	for _, k := range []int{2, 3, 4} {
		for laplacian, name := range laplacians {
			lambda := []float64{2 + float64(k%3), 2 + float64(k%2), 80}[laplacian] // that of a star of 40 vertices is 39
			l := gnn.NewChebConv(5, 6, k, gnn.ChebConfig{Laplacian: gnn.Laplacian(laplacian), LambdaMax: lambda}, r, opts...)
			add(plain(fmt.Sprintf("cheb, %s, %d filters", name, k), l, 6, naiveCheb(l, name, lambda), numbered("lins", k, "bias")...).
				with(func(c *layerCase) { c.homogeneous, c.sparse = true, true }))
		}
		tag := gnn.NewTAGConv(5, 6, k-1, gnn.TAGConfig{NoNorm: k == 3}, r, opts...)
		add(plain(fmt.Sprintf("tag of %d hops", k-1), tag, 6, naiveTAG(tag, k != 3), numbered("lins", k, "bias")...).
			with(func(c *layerCase) { c.homogeneous, c.sparse = true, true }))
	}
	gcn2 := gnn.NewGCN2Conv(5, 0.1, 0.4, r, opts...)
	add(layerCase{
		name: "gcn2", layer: gcn2, naive: naiveGCN2(gcn2, 0.1, 0.4), state: []string{"weight"}, out: 5, degrees: true,
		forward:  func(g *graph.Graph, x, _ *autograd.Var) *autograd.Var { return gcn2.Forward(g, x, x) },
		compiled: func(g *graph.Graph, x, _ *autograd.Var) *vc.Compiled { return gcn2.Compiled(g, x, x) },
	})

	commnet := gnn.NewCommNetConv(5, 6, r, opts...)
	add(plain("commnet", commnet, 6, naiveCommNet(commnet), "weight_self", "weight_neigh").with(takesSparse))
	mpgcn := gnn.NewMPGCNConv(5, 4, 6, r, opts...)
	add(plain("mpgcn", mpgcn, 6, naiveMPGCN(mpgcn), "weight_pool", "bias_pool", "weight").with(takesSparse))
	ggcn := gnn.NewGGCNConv(5, 6, r, opts...)
	add(plain("ggcn", ggcn, 6, naiveGGCN(ggcn), "weight_src", "weight_dst", "weight"))
	gru := []string{"weight", "gru.weight_ih", "gru.weight_hh", "gru.bias_ih", "gru.bias_hh"}
	ggnn := gnn.NewGGNNConv(5, 6, 0, 2, r, opts...)
	add(plain("ggnn", ggnn, 6, naiveGGNN(ggnn, 6, 2, func(*graph.Graph, int) int { return 0 }), gru...).
		with(func(c *layerCase) { c.homogeneous = true }))
	typed := gnn.NewGGNNConv(5, 5, 3, 2, r, bare...)
	add(plain("ggnn of three types", typed, 5, naiveGGNN(typed, 5, 2, func(_ *graph.Graph, e int) int { return typeOfEdge(e, 3) }), gru[:3]...).
		with(func(c *layerCase) { c.homogeneous, c.types = true, 3 }))

	for _, edge := range []int{0, 4} {
		suffix := ""
		if edge > 0 {
			suffix = " with edge features"
		}
		cgat := gnn.NewCGATConv(5, edge, dim, heads, gnn.GATConfig{Mean: edge == 0}, r, opts...)
		add(edged("cgat"+suffix, cgat, headsOut(heads, dim, edge == 0), edge, naiveCGAT(cgat, heads, dim, edge == 0), "weight", "attn", "weight_value", "bias"))
		pna := gnn.NewPNAConv(5, edge, 6, 1.5, r, opts...)
		add(edged("pna"+suffix, pna, 6, edge, naivePNA(pna, 1.5), "message.weight", "message.bias", "update.weight", "update.bias"))
		for _, gate := range []bool{false, true} {
			name := "transformer" + suffix
			if gate {
				name += ", gated"
			}
			t := gnn.NewTransformerConv(5, dim, heads, gnn.TransformerConfig{Edge: edge, Gate: gate, Mean: gate}, r, opts...)
			state := []string{"query.weight", "query.bias", "key.weight", "key.bias", "value.weight", "value.bias"}
			if edge > 0 {
				state = append(state, "edge.weight")
			}
			state = append(state, "skip.weight", "skip.bias")
			if gate {
				state = append(state, "beta.weight")
			}
			add(edged(name, t, headsOut(heads, dim, gate), edge, naiveTransformer(t, heads, dim, gate).one(), state...).with(takesSparse))
		}
	}

	for _, n := range edgeNetworks(dt, r) {
		for reduce, how := range reductions {
			l := gnn.NewNNConv(5, 3, 6, n.network, gnn.NNConvConfig{Reduce: gnn.Reduce(reduce), NoRoot: how == "min"}, r, opts...)
			state := append(slices.Clone(n.state), "lin.weight", "bias")
			if how == "min" {
				state = append(slices.Clone(n.state), "bias")
			}
			add(edged("nnconv of "+n.name+", "+how, l, 6, 3, naiveNNConv(l, how, n.naive).one(), state...))
			if !n.everyReduction {
				break
			}
		}
	}

	agnn := gnn.NewAGNNConv(1, gnn.AGNNConfig{}, opts...)
	add(plain("agnn", agnn, 5, naiveAGNN(agnn, true), "beta").with(func(c *layerCase) { c.anyWidth = true }))
	away := gnn.NewAGNNConv(-1.5, gnn.AGNNConfig{FixBeta: true, NoLoops: true}, opts...)
	add(plain("agnn of fixed beta without loops", away, 5, naiveAGNN(away, false), "beta").with(func(c *layerCase) { c.anyWidth = true }))

	barePool := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool}, r, bare...)
	add(plain("sage of max pooling without biases", barePool, 6, naiveSAGE(barePool, true, false).one(),
		"weight_self", "weight_neigh", "weight_pool").with(takesSparse))

	edgeconv := gnn.NewEdgeConv([]int{5, 7, 6}, r, opts...)
	add(plain("edgeconv", edgeconv, 6, naiveEdgeConv(edgeconv, 6), "layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias"))
	shallow := gnn.NewEdgeConv([]int{5, 6}, r, bare...)
	add(plain("edgeconv of one layer", shallow, 6, naiveEdgeConv(shallow, 6), "layers.0.weight"))
	return cases
}

// numbered are the names of so many weights in a list, and others.
func numbered(list string, n int, others ...string) (names []string) {
	for k := range n {
		names = append(names, fmt.Sprintf("%s.%d.weight", list, k))
	}
	return append(names, others...)
}

func headsOut(heads, dim int, mean bool) int {
	if mean {
		return dim
	}
	return heads * dim
}

// edgeNetwork is a network of NNConv from 3 features to matrices [5 6].
type edgeNetwork struct {
	name           string
	network        nn.Layer
	naive          func(f []float64) []float64
	state          []string
	everyReduction bool
}

func edgeNetworks(dt tensor.DType, r *nn.RNG) []edgeNetwork {
	named := func(prefix string, layers ...string) (state []string) {
		for _, l := range layers {
			state = append(state, "nn."+prefix+l+".weight", "nn."+prefix+l+".bias")
		}
		return state
	}
	withDType := nn.WithDType(dt)
	narrow := nn.NewMLP([]int{3, 2, 30}, nn.MLPConfig{DType: dt}, r)
	wide := nn.NewMLP([]int{3, 4, 40, 30}, nn.MLPConfig{DType: dt}, r)
	single := nn.NewLinear(3, 30, r, withDType, nn.NoBias())
	tanh := nn.NewMLP([]int{3, 2, 30}, nn.MLPConfig{Activation: nn.Tanh(), DType: dt}, r)
	row := nn.NewSequential(nn.NewLinear(3, 2, r, withDType), nn.ReLU(), nn.NewLinear(2, 30, r, withDType))
	opaque := nn.NewSequential(nn.NewLinear(3, 30, r, withDType), nn.Tanh())
	return []edgeNetwork{
		{"a narrow mlp", narrow, func(f []float64) []float64 { return naiveMLP(f, narrow.Layers) }, named("layers.", "0", "1"), true},
		{"a wide mlp", wide, func(f []float64) []float64 { return naiveMLP(f, wide.Layers) }, named("layers.", "0", "1", "2"), true},
		{"a linear layer", single, func(f []float64) []float64 { return affine(f, single) }, []string{"nn.weight"}, false},
		{"an mlp of tanh", tanh, func(f []float64) []float64 {
			return affine(mapped(affine(f, tanh.Layers[0]), math.Tanh), tanh.Layers[1])
		}, named("layers.", "0", "1"), false},
		{"layers in a row", row, func(f []float64) []float64 {
			return naiveMLP(f, []*nn.Linear{row[0].(*nn.Linear), row[2].(*nn.Linear)})
		}, named("", "0", "2"), false},
		{"layers that end in none", opaque, func(f []float64) []float64 {
			return mapped(affine(f, opaque[0].(*nn.Linear)), math.Tanh)
		}, named("", "0"), false},
	}
}
