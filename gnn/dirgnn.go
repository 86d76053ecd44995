package gnn

// A layer of its own for each direction of the edges.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// DirGNNConv is the layer of "Edge Directionality Improves Learning on Heterophilic Graphs"
// (Rossi, Charpentier, Di Giovanni, Frasca, Günnemann, Bronstein, LoG 2023), equation 5,
// in the form of PyG's DirGNNConv: two layers, one that is given the edges as they are and
// one that is given them turned round, mixed,
//
//	h'_v = α conv_out(h over v's out-edges)_v + (1-α) conv_in(h over v's in-edges)_v + h_v W + b
//
// for x [N in] on directed graphs: W [in out], b [out], result [N out].
//
// The vertex itself is what h_v W is for, so PyG turns the loops and root weights of the two
// layers off. Here they are made without: GCNConv of [BothDegrees], which is the paper's
// Dir-GCN, GATConv, NNConv with NoRoot in its config, SAGEConv and GraphConv with [NoRoot].
type DirGNNConv struct {
	ConvIn, ConvOut any        // the layers. They are there for package nn
	Lin             *nn.Linear // W and b; nil without a root weight

	alpha   float64
	in, out PairConv
	widths  [2]int // of x and the result
}

// DirGNNConfig has what DirGNNConv has beside its layers. The zero value adds h_v W + b.
type DirGNNConfig struct {
	NoRoot bool // leave out h_v W + b
}

// NewDirGNNConv returns a layer around two others from in to out features that conv makes,
// first that of in-edges. alpha is the share of the out-edges; PyG's is 0.5. W and b are
// initialised as those of nn.Linear; NoBias is of b.
//
//	gnn.NewDirGNNConv(in, out, 0.5, func() gnn.PairConv {
//		return gnn.SourcePair(gnn.NewGCNConvNorm(in, out, gnn.BothDegrees, r))
//	}, gnn.DirGNNConfig{}, r)
func NewDirGNNConv(in, out int, alpha float64, conv func() PairConv, cfg DirGNNConfig, r *nn.RNG, opts ...Option) *DirGNNConv {
	const name = "DirGNNConv"
	wantPositive(name, in, out)
	wantProbability(name, "alpha", alpha)
	if conv == nil {
		misuse(name, "the function is nil")
	}
	c := configure(opts)
	l := &DirGNNConv{alpha: alpha, in: conv(), out: conv(), widths: [2]int{in, out}}
	if l.in == nil || l.out == nil || layerOf(l.in) == nil || layerOf(l.out) == nil {
		misuse(name, "a layer that the function makes is nil")
	}
	l.ConvIn, l.ConvOut = layerOf(l.in), layerOf(l.out)
	if !cfg.NoRoot {
		l.Lin = c.linear(r, in, out, true)
	}
	return l
}

// Forward applies the layer to x [N in], sparse if the layers take it so, on a homogeneous
// graph of N vertices. It panics with *[Error] for any other, and for what the layers
// panic with as misuse, which errors.As finds.
func (l *DirGNNConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.ForwardEdges(g, x, nil)
}

// ForwardEdges is Forward with values of the edges, in order of edge ids: features [E edge]
// or weights [E], as the layers take them. Both directions of an edge have the same.
func (l *DirGNNConv) ForwardEdges(g *graph.Graph, x, f *autograd.Var) *autograd.Var {
	const name = "DirGNNConv"
	if l == nil || l.in == nil {
		panic(notMade(name))
	}
	wantHomogeneous(name, g)
	wantFeatures(name, g, x, l.widths[0])
	if l.Lin != nil {
		wantType(name, "x", x, l.Lin.Weight)
		wantWidth(name, "Lin.Weight", l.Lin.Weight, l.widths[1])
	}
	along := func(direction string, conv PairConv, g *graph.Graph) *autograd.Var {
		y := forwardWithin(name, direction, conv, g, x, x, f)
		wantShape(name, "the result of "+direction, y, g.NumVertices(), l.widths[1])
		return y
	}
	y := along("in-edges", l.in, g).Scale(1 - l.alpha).Add(along("out-edges", l.out, turnedRound(g)).Scale(l.alpha))
	if l.Lin != nil {
		y = y.Add(l.Lin.Forward(x))
	}
	return y
}

type turnedRoundKey struct{}

// turnedRound is g with its edges turned round, of the same ids, which is kept with g: making
// it takes a number an edge.
func turnedRound(g *graph.Graph) *graph.Graph {
	return g.Keep(turnedRoundKey{}, func() any {
		reversed, _ := g.Reverse()
		return reversed
	}).(*graph.Graph)
}
