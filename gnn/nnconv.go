package gnn

// The edge-conditioned convolution of message-passing neural networks.

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// NNConv is the layer of "Neural Message Passing for Quantum Chemistry" (Gilmer,
// Schoenholz, Riley, Vinyals, Dahl, ICML 2017), section 5's edge network, and of "Dynamic
// Edge-Conditioned Filters in Convolutional Neural Networks on Graphs" (Simonovsky,
// Komodakis, CVPR 2017), equation 1, in the form of PyG's NNConv, or ECConv:
//
//	h'_v = h_v W + reduce_u h_u Θ_uv + b,  Θ_uv = NN(f_uv) as a matrix [in out]
//
// for dense x [N in] and edge features f [E edge]: NN maps [E edge] to [E in*out], W is [in
// out]; result [N out]. Without neighbours a reduction gives 0. On a block x is [NumSrc in],
// the result [NumDst out]. With [DstFeatures] W is [dst out].
//
// The matrices of all edges would be in times as large as the result's messages. If NN ends
// in an *nn.Linear that is given r_uv [hidden], they are never made: as h_u Θ_uv is
// Σ_k r_uv[k] (h_u Θ_k) for parts Θ_k of the linear layer's weight, the products h_u Θ_k are
// made for every source, [NumSrc hidden out], if that is at most a quarter of the
// matrices' size; otherwise a few edges' matrices at a time are made in the kernels. What is held
// for each edge depends on NN:
//
//	*nn.Linear                           nothing
//	*nn.MLP of ReLU alone                nothing
//	another *nn.MLP                      r and what the network keeps for its gradient
//	nn.Sequential that ends in a Linear  the same
//	any other nn.Layer                   the matrices, [E in*out]
type NNConv struct {
	NN   nn.Layer
	Lin  *nn.Linear    // W, without bias; nil without a root weight
	Bias *autograd.Var // [out], nil without bias

	in, edge, out, dst int          // dst is that of DstFeatures
	whole              bool         // the program has all layers of NN
	layers             []*nn.Linear // what the program was made for: the last of NN, or all
	byVertex, byEdge   nnConvPrograms
}

// nnConvPrograms are those that multiply the features of every source first, or those that
// multiply by the matrices of edges.
type nnConvPrograms struct {
	one  *vc.Program // of vertices of one kind
	pair *vc.Program // for features of both ends
}

// NNConvConfig has what NNConv has beside its sizes and network. The zero value sums the
// messages and adds the vertex's own features times W.
type NNConvConfig struct {
	Reduce Reduce
	NoRoot bool // leave out h_v W
}

// NewNNConv returns a layer around a network from edge to in*out features, such as an
// *nn.MLP. W is initialised as a weight of nn.Linear; NoBias is of b, not of the network.
// The kind of the network and the sizes of what the program has of it, its last linear layer
// or all those of an *nn.MLP of ReLU, are looked at here. What is exchanged later must be alike,
// or Forward panics.
func NewNNConv(in, edge, out int, network nn.Layer, cfg NNConvConfig, r *nn.RNG, opts ...Option) *NNConv {
	wantPositive("NNConv", in, edge, out)
	wantReduce("NNConv", cfg.Reduce)
	c := configurePair(opts)
	l := &NNConv{NN: network, Bias: c.bias(out), in: in, edge: edge, out: out, dst: c.dst}
	if !cfg.NoRoot {
		l.Lin = c.linear(r, c.dstWidth(in), out, false)
	}
	hidden, layers := networkParts(network)
	l.whole, l.layers = hidden == nil, slices.Clone(layers)
	if n := len(l.layers); n > 0 {
		l.wantNetwork(l.layers[0], l.layers[n-1], c)
	}
	programs := func(name string, message func(e vc.Edge) vc.Value) nnConvPrograms {
		conv := func(own string) func(vc.Vertex) vc.Value {
			return func(v vc.Vertex) vc.Value {
				h := reduces[cfg.Reduce](message(v.InEdges()))
				if l.Lin != nil {
					h = h.Add(linear(v.Feature(own), "lin", l.Lin))
				}
				return addBias(h, l.Bias)
			}
		}
		return nnConvPrograms{one: vc.Compile(name, conv("x")), pair: vc.Compile(name+" pair", conv("own"))}
	}
	l.byVertex, l.byEdge = programs("nnconv by vertex", l.vertexMessage), programs("nnconv", l.edgeMessage)
	return l
}

// networkParts takes a network apart: layers with ReLU between them that follow hidden, nil
// if nothing goes before them. Without layers hidden is the whole network.
func networkParts(network nn.Layer) (hidden func(f *autograd.Var) *autograd.Var, layers []*nn.Linear) {
	made := func(ls ...*nn.Linear) bool { // or they panic with an error of their own when applied
		return len(ls) > 0 && !slices.ContainsFunc(ls, func(l *nn.Linear) bool { return l == nil || l.Weight == nil })
	}
	switch n := network.(type) {
	case nil:
		misuse("NNConv", "the network is nil")
	case *nn.Linear:
		if made(n) {
			return nil, []*nn.Linear{n}
		}
	case *nn.MLP:
		switch {
		case n == nil || !made(n.Layers...):
		case len(n.Norms) == 0 && n.Activation == nil && n.Drop == nil:
			return nil, n.Layers
		default:
			return n.Hidden, n.Layers[len(n.Layers)-1:]
		}
	case nn.Sequential:
		if len(n) == 0 {
			break
		}
		if last, ok := n[len(n)-1].(*nn.Linear); ok && made(last) {
			return n[:len(n)-1].Forward, []*nn.Linear{last}
		}
	}
	return network.Forward, nil
}

// wantNetwork panics unless what the program has of the network fits the layer.
func (l *NNConv) wantNetwork(first, last *nn.Linear, c config) {
	switch takes := first.Weight.Shape()[0]; {
	case l.whole && takes != l.edge:
		misuse("NNConv", "the network takes %d features of an edge, want %d", takes, l.edge)
	case width(last.Weight) != l.in*l.out:
		misuse("NNConv", "the network gives %d numbers an edge, want %d: matrices [%d %d]", width(last.Weight), l.in*l.out, l.in, l.out)
	case last.Weight.DType() != c.dtype:
		misuse("NNConv", "the network's weights hold %v, the layer's %v: make the layer WithDType, or the network", last.Weight.DType(), c.dtype)
	}
}

// vertexMessage is Σ_k r_uv[k] (h_u Θ_k) and the part of the last layer's bias.
func (l *NNConv) vertexMessage(e vc.Edge) vc.Value {
	r, last := l.beforeLast(e), len(l.layers)-1
	k := l.layers[last].Weight.Shape()[0]
	x, name := e.Src("x"), l.layerName(last)
	products := x.Reshape(1, l.in).MatMul(vc.Param(name+".weight").Reshape(k, l.in, l.out))
	m := r.MatMul(products)
	if l.layers[last].Bias == nil {
		return m
	}
	return m.Add(x.MatMul(vc.Param(name+".bias").Reshape(l.in, l.out)))
}

// edgeMessage is h_u Θ_uv.
func (l *NNConv) edgeMessage(e vc.Edge) vc.Value {
	theta := l.beforeLast(e)
	if last := len(l.layers) - 1; last >= 0 {
		theta = linear(theta, l.layerName(last), l.layers[last])
	}
	return e.Src("x").MatMul(theta.Reshape(l.in, l.out))
}

// beforeLast is r_uv, or all of Θ_uv if the network is not taken apart.
func (l *NNConv) beforeLast(e vc.Edge) vc.Value {
	r := e.Feature("f")
	for i := range len(l.layers) - 1 {
		r = linear(r, l.layerName(i), l.layers[i]).ReLU()
	}
	return r
}

func (l *NNConv) layerName(i int) string { return fmt.Sprint("nn", i) }

// Forward applies the layer to dense x [N in] and edge features f [E edge] on a
// homogeneous graph of N vertices or a block. It panics with *[Error] for any other.
func (l *NNConv) Forward(g *graph.Graph, x, f *autograd.Var) *autograd.Var {
	programs, bindings := l.on(g, x, f)
	return programs.one.Run(g, bindings...)
}

// ForwardPair applies the layer to dense features of the vertices that edges come from
// and lead to, xSrc [NumSrc in] and xDst [NumDst dst], and edge features f [E edge]:
// [NumDst out]. Without [DstFeatures] dst is in. The graph may be any, such as a relation
// between two kinds of vertices. It panics with *[Error] for what does not fit.
func (l *NNConv) ForwardPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var {
	programs, bindings := l.onPair(g, xSrc, xDst, f)
	return programs.pair.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g, x and f, those of a network that is
// not in the program apart.
func (l *NNConv) Compiled(g *graph.Graph, x, f *autograd.Var) *vc.Compiled {
	programs, bindings := l.on(g, x, f)
	return programs.one.Compiled(g, bindings...)
}

// CompiledPair returns the plans that ForwardPair runs for g, xSrc, xDst and f, as
// Compiled does.
func (l *NNConv) CompiledPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *vc.Compiled {
	programs, bindings := l.onPair(g, xSrc, xDst, f)
	return programs.pair.Compiled(g, bindings...)
}

func (l *NNConv) on(g *graph.Graph, x, f *autograd.Var) (nnConvPrograms, []vc.Binding) {
	if l == nil || l.byEdge.one == nil {
		panic(notMade("NNConv"))
	}
	wantOneKind("NNConv", l.dst)
	wantFeatures("NNConv", g, x, l.in)
	l.wantLike("x", x)
	programs, bindings := l.edges(g, x, f)
	return programs, append(bindings, vertexFeature(g, "x", x)...)
}

func (l *NNConv) onPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) (nnConvPrograms, []vc.Binding) {
	if l == nil || l.byEdge.one == nil {
		panic(notMade("NNConv"))
	}
	wantPair("NNConv", g, xSrc, l.in, xDst, config{dst: l.dst}.dstWidth(l.in))
	l.wantLike("xSrc", xSrc)
	l.wantLike("xDst", xDst)
	programs, bindings := l.edges(g, xSrc, f)
	return programs, append(bindings, ends(g, xSrc, xDst)...)
}

// wantLike panics unless x is dense and has the element type of the layer's parameters.
func (l *NNConv) wantLike(name string, x *autograd.Var) {
	if l.Lin != nil {
		wantType("NNConv", name, x, l.Lin.Weight)
	}
	if l.Bias != nil {
		wantType("NNConv", name, x, l.Bias)
	}
	if _, layers := networkParts(l.NN); len(layers) > 0 {
		wantType("NNConv", name, x, layers[len(layers)-1].Weight)
	}
	wantDense("NNConv", name, x)
}

// network is what NN has now, if the program is for that.
func (l *NNConv) network() (before func(f *autograd.Var) *autograd.Var, layers []*nn.Linear) {
	before, layers = networkParts(l.NN)
	alike := func(a, b *nn.Linear) bool {
		return a.Weight.Shape().Equal(b.Weight.Shape()) && (a.Bias == nil) == (b.Bias == nil)
	}
	if l.whole != (before == nil) || !slices.EqualFunc(layers, l.layers, alike) {
		misuse("NNConv", "the network is of another kind than the one that the layer was made with, or has linear layers of other sizes")
	}
	return before, layers
}

// edges are the programs for g, and what they bind but the features of vertices.
func (l *NNConv) edges(g *graph.Graph, x, f *autograd.Var) (nnConvPrograms, []vc.Binding) {
	wantEdgeFeatures("NNConv", g, f, l.edge, x)
	before, layers := l.network()
	bindings := slices.Concat(linearParams("NNConv", "lin", l.Lin), shaped("NNConv", "Bias", "b", l.Bias, l.out))
	if l.Lin != nil {
		wantWidth("NNConv", "Lin.Weight", l.Lin.Weight, l.out)
	}
	programs, hidden := l.byEdge, l.in*l.out
	if n := len(layers); n > 0 {
		last := layers[n-1].Weight
		wantWidth("NNConv", "the network's last Weight", last, l.in*l.out)
		hidden = last.Shape()[0]
		if 4*hidden*g.NumSrc() <= l.in*g.NumEdges() {
			programs = l.byVertex
		}
	}
	for i, layer := range layers {
		bindings = append(bindings, linearParams("NNConv", l.layerName(i), layer)...)
	}
	if before != nil {
		f = before(f)
		wantShape("NNConv", "what the network gives", f, g.NumEdges(), hidden)
		wantType("NNConv", "what the network gives", f, x)
	}
	return programs, append(bindings, vc.EdgeFeature("f", f))
}
