package gnn_test

// The layers over types of vertices and edges, in their variants, as a table, and
// each once more in plain loops.

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// The numbers of types of the graphs; the last but one of each has no edges, or no
// vertices.
const numEdgeTypes, numVertexTypes = 4, 3

// ofTypes gives types of edges and vertices to a graph.
func ofTypes(t testing.TB, g *graph.Graph, edgeTypes, vertexTypes int) *graph.Graph {
	t.Helper()
	types := func(seed uint64, n, of int) []int32 {
		out := make([]int32, n)
		for i := range out {
			if k := int32(rng.Hash(seed, uint64(i)) % uint64(of)); k != int32(of)-2 {
				out[i] = k
			}
		}
		return out
	}
	edges := graph.WithEdgeTypes(types(3, g.NumEdges(), edgeTypes), edgeTypes)
	vertices := types(4, g.NumSrc(), vertexTypes)
	var out *graph.Graph
	var err error
	if g.IsBipartite() {
		out, err = graph.NewBipartite(g.NumSrc(), g.NumDst(), g.Src(), g.Dst(), edges,
			graph.WithSrcTypes(vertices, vertexTypes), graph.WithDstTypes(vertices[:g.NumDst()], vertexTypes))
	} else {
		out, err = graph.New(g.NumVertices(), g.Src(), g.Dst(), edges, graph.WithVertexTypes(vertices, vertexTypes))
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// typedSettings are the degenerate graphs and blocks, with types.
func typedSettings(t testing.TB) []namedGraph {
	all := append(degenerate(t), someBlocks(t)...)
	for i := range all {
		all[i].Graph = ofTypes(t, all[i].Graph, numEdgeTypes, numVertexTypes)
	}
	return all
}

// typedLayer is a layer, from 6 features, over numEdgeTypes and numVertexTypes.
type typedLayer interface {
	Forward(g *graph.Graph, x *autograd.Var) *autograd.Var
	Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled
}

type typedCase struct {
	name  string
	layer typedLayer
	naive naive
	out   int
	state []string // the names of its parameters
	prev  bool     // it reads coefficients of the edges
}

// simpleHGN is a layer of Simple-HGN that gets its coefficients of the layer before
// from a list of numbers, if it gets any.
type simpleHGN struct {
	*gnn.SimpleHGNConv
	prev func(g *graph.Graph) *autograd.Var
}

func (l *simpleHGN) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.SimpleHGNConv.Forward(g, x, l.prev(g))
}

func (l *simpleHGN) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.SimpleHGNConv.Compiled(g, x, l.prev(g))
}

func typedCases(dt tensor.DType) []typedCase {
	r := nn.NewRNG(1)
	opts := []gnn.Option{gnn.WithDType(dt)}
	bare := append([]gnn.Option{gnn.NoBias()}, opts...)
	const in, heads, dim = 6, 2, 3
	var cases []typedCase
	for name, c := range map[string]struct {
		cfg   gnn.RGCNConfig
		state []string
	}{
		"rgcn":              {gnn.RGCNConfig{}, []string{"weight", "self", "bias"}},
		"rgcn of bases":     {gnn.RGCNConfig{Bases: 3}, []string{"coef", "bases", "self", "bias"}},
		"rgcn of blocks":    {gnn.RGCNConfig{Blocks: 2}, []string{"blocks", "self", "bias"}},
		"rgcn without self": {gnn.RGCNConfig{NoSelf: true}, []string{"weight", "bias"}},
	} {
		l := gnn.NewRGCNConv(in, 4, numEdgeTypes, c.cfg, r, opts...)
		cases = append(cases, typedCase{name: name, layer: l, naive: naiveRGCN(l, c.cfg), out: 4, state: c.state})
	}
	for name, c := range map[string]struct {
		cfg   gnn.RGATConfig
		state []string
	}{
		"rgat":                    {gnn.RGATConfig{}, []string{"weight", "query", "key", "bias"}},
		"rgat of bases, averaged": {gnn.RGATConfig{Bases: 2, Mean: true}, []string{"coef", "bases", "query", "key", "bias"}},
		"rgat within relations":   {gnn.RGATConfig{WithinRelations: true}, []string{"weight", "query", "key", "bias"}},
		"rgat with dropout":       {gnn.RGATConfig{AttnDropout: 0.5}, []string{"weight", "query", "key", "bias"}},
	} {
		l := gnn.NewRGATConv(in, dim, heads, numEdgeTypes, c.cfg, r, opts...)
		cases = append(cases, typedCase{name: name, layer: l, naive: naiveRGAT(l, heads, dim, c.cfg), out: headsOut(heads, dim, c.cfg.Mean), state: c.state})
	}
	weights := []string{"key", "query", "value", "out"}
	biases := []string{"key_bias", "query_bias", "value_bias", "out_bias"}
	relations := []string{"att", "msg", "prior", "skip"}
	hgt := gnn.NewHGTConv(in, heads, numVertexTypes, numEdgeTypes, gnn.HGTConfig{}, r, bare...)
	biased := gnn.NewHGTConv(in, heads, numVertexTypes, numEdgeTypes, gnn.HGTConfig{Norm: true, Dropout: 0.3}, r, opts...)
	cases = append(cases,
		typedCase{name: "hgt", layer: hgt, naive: naiveHGT(hgt, heads), out: in, state: joinedNames(weights, relations)},
		typedCase{name: "hgt with norm, dropout, biases", layer: biased, naive: naiveHGT(biased, heads), out: in,
			state: joinedNames(weights, biases, relations, []string{"scale", "shift"})})
	some := func(g *graph.Graph) *autograd.Var { return autograd.Constant(randn(dt, 77, g.NumEdges(), heads)) }
	none := func(*graph.Graph) *autograd.Var { return nil }
	attn := []string{"weight", "attn_src", "attn_dst", "attn_edge", "embedding", "edge_weight"}
	for name, c := range map[string]struct {
		cfg   gnn.SimpleHGNConfig
		mixes bool
		state []string
	}{
		"simple hgn":                          {gnn.SimpleHGNConfig{}, false, joinedNames(attn, []string{"bias"})},
		"simple hgn with residuals":           {gnn.SimpleHGNConfig{Residual: true, Beta: 0.3}, true, joinedNames(attn, []string{"residual", "bias"})},
		"simple hgn, averaged and normalised": {gnn.SimpleHGNConfig{Mean: true, Normalize: true, Residual: true}, false, joinedNames(attn, []string{"residual", "bias"})},
		"simple hgn with dropout":             {gnn.SimpleHGNConfig{AttnDropout: 0.5}, true, joinedNames(attn, []string{"bias"})},
	} {
		prev := none
		if c.mixes {
			prev = some
		}
		l := gnn.NewSimpleHGNConv(in, dim, heads, numEdgeTypes, 3, c.cfg, r, opts...)
		cases = append(cases, typedCase{
			name: name, layer: &simpleHGN{l, prev}, naive: naiveSimpleHGN(l, heads, dim, c.cfg, prev),
			out: headsOut(heads, dim, c.cfg.Mean), state: c.state, prev: c.mixes,
		})
	}
	for _, c := range cases {
		stir(c.layer)
	}
	slices.SortFunc(cases, func(a, b typedCase) int { return strings.Compare(a.name, b.name) })
	return cases
}

func joinedNames(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// ofType is the part of w [types ...] for a type, as the rows of a matrix.
func ofType(w *autograd.Var, k int) *autograd.Var {
	s := w.Shape()
	return autograd.Constant(w.Detach().Slice(0, k, k+1).Reshape(s[1:]...).Tensor())
}

// combined is Σ_k coef_rk bases_k.
func combined(coef, bases *autograd.Var, r int) *autograd.Var {
	s := bases.Shape()
	sum := tensor.Zeros(tensor.Float64, s[1:]...)
	out := tensor.Data[float64](sum)
	for k, c := range rowsOf(coef)[r] {
		for i, b := range rowsOf(bases)[k] {
			out[i] += c * b
		}
	}
	return autograd.Constant(sum)
}

// naiveProduct is x·W_r for the weights of an R-GCN layer.
func naiveProduct(l *gnn.RGCNConv, cfg gnn.RGCNConfig, x []float64, r int) []float64 {
	switch {
	case cfg.Bases > 0:
		return times(x, combined(l.Coef, l.Bases, r))
	case cfg.Blocks > 0:
		var out []float64
		for k := range cfg.Blocks {
			n := len(x) / cfg.Blocks
			out = append(out, times(x[k*n:][:n], ofType(ofType(l.Blocks, r), k))...)
		}
		return out
	}
	return times(x, ofType(l.Weight, r))
}

func naiveRGCN(l *gnn.RGCNConv, cfg gnn.RGCNConfig) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		out := make([]float64, l.Bias.Shape()[0])
		arcs := inArcs(g, v)
		for _, a := range arcs {
			r, count := g.EdgeTypes()[a.id], 0
			for _, b := range arcs {
				if g.EdgeTypes()[b.id] == r {
					count++
				}
			}
			out = plus(out, scaled(naiveProduct(l, cfg, x[a.u], int(r)), 1/float64(count)))
		}
		if l.Self != nil {
			out = plus(out, times(x[v], l.Self))
		}
		return plus(out, vector(l.Bias))
	}
}

func naiveRGAT(l *gnn.RGATConv, heads, dim int, cfg gnn.RGATConfig) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		project := func(u int, a arc) []float64 {
			r := int(g.EdgeTypes()[a.id])
			if cfg.Bases > 0 {
				return times(x[u], combined(l.Coef, l.Bases, r))
			}
			return times(x[u], ofType(l.Weight, r))
		}
		score := func(a arc) []float64 {
			r := g.EdgeTypes()[a.id]
			return mapped(plus(perHead(project(a.u, a), rowsOf(l.Key)[r], heads), perHead(project(v, a), rowsOf(l.Query)[r], heads)), leaky)
		}
		value := func(a arc) []float64 { return project(a.u, a) }
		if !cfg.WithinRelations {
			return plus(attention(g, v, heads, dim, cfg.Mean, score, value), vector(l.Bias))
		}
		out := vector(l.Bias)
		for r := range int32(g.NumEdgeTypes()) {
			arcs := slices.DeleteFunc(inArcs(g, v), func(a arc) bool { return g.EdgeTypes()[a.id] != r })
			out = plus(out, attentionOver(arcs, heads, dim, cfg.Mean, score, value))
		}
		return out
	}
}

func naiveHGT(l *gnn.HGTConv, heads int) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		dim := l.Key.Shape()[1]
		d := dim / heads
		linear := func(y []float64, w, b *autograd.Var, k int32) []float64 {
			y = times(y, ofType(w, int(k)))
			if b != nil {
				y = plus(y, rowsOf(b)[k])
			}
			return y
		}
		byHead := func(y []float64, w *autograd.Var, r int32) (out []float64) {
			for h := range heads {
				out = append(out, times(y[h*d:][:d], ofType(ofType(w, int(r)), h))...)
			}
			return out
		}
		score := func(a arc) []float64 {
			r := g.EdgeTypes()[a.id]
			key := byHead(linear(x[a.u], l.Key, l.KeyBias, g.SrcTypes()[a.u]), l.Att, r)
			s := perHead(key, linear(x[v], l.Query, l.QueryBias, g.DstTypes()[v]), heads)
			for h := range s {
				s[h] *= rowsOf(l.Prior)[r][h] / math.Sqrt(float64(d))
			}
			return s
		}
		value := func(a arc) []float64 {
			return byHead(linear(x[a.u], l.Value, l.ValueBias, g.SrcTypes()[a.u]), l.Msg, g.EdgeTypes()[a.id])
		}
		t := mapped(attention(g, v, heads, d, false, score, value), func(x float64) float64 {
			return x * (1 + math.Erf(x/math.Sqrt2)) / 2
		})
		k := g.DstTypes()[v]
		gate := sigmoid(vector(l.Skip)[k])
		h := plus(scaled(linear(t, l.Out, l.OutBias, k), gate), scaled(x[v], 1-gate))
		if l.Scale == nil {
			return h
		}
		var mean, variance float64
		for _, y := range h {
			mean += y / float64(dim)
		}
		for _, y := range h {
			variance += (y - mean) * (y - mean) / float64(dim)
		}
		for i, y := range h {
			h[i] = (y-mean)/math.Sqrt(variance+1e-5)*rowsOf(l.Scale)[k][i] + rowsOf(l.Shift)[k][i]
		}
		return h
	}
}

func naiveSimpleHGN(l *gnn.SimpleHGNConv, heads, dim int, cfg gnn.SimpleHGNConfig, prev func(g *graph.Graph) *autograd.Var) naive {
	return func(g *graph.Graph, x, _ matrix, v int) []float64 {
		z := func(u int) []float64 { return times(x[u], l.Weight) }
		score := func(a arc) []float64 {
			r := times(rowsOf(l.Embedding)[g.EdgeTypes()[a.id]], l.EdgeWeight)
			s := plus(perHead(z(a.u), l.AttnSrc.Tensor().Float64s(), heads), perHead(z(v), l.AttnDst.Tensor().Float64s(), heads))
			return mapped(plus(s, perHead(r, l.AttnEdge.Tensor().Float64s(), heads)), leaky)
		}
		out := attention(g, v, heads, dim, cfg.Mean, score, func(a arc) []float64 { return z(a.u) })
		if coefficients := rowsOf(prev(g)); coefficients != nil {
			beta := cfg.Beta
			if beta == 0 {
				beta = 0.05
			}
			out = scaled(out, 1-beta)
			for _, a := range inArcs(g, v) {
				for h, c := range coefficients[a.id] {
					for k := range dim {
						out[h*dim+k] += beta * c * z(a.u)[h*dim+k]
					}
				}
			}
		}
		if l.Residual != nil {
			out = plus(out, times(x[v], l.Residual))
		}
		out = plus(out, vector(l.Bias))
		if cfg.Normalize {
			out = scaled(out, 1/math.Sqrt(inner(out, out)))
		}
		return out
	}
}
