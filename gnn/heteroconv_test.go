package gnn_test

// HeteroConv, against its layers one by one.

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

var (
	writes    = graph.EdgeType{Src: "author", Name: "writes", Dst: "paper"}
	writtenBy = graph.EdgeType{Src: "paper", Name: "written by", Dst: "author"}
	cites     = graph.EdgeType{Src: "paper", Name: "cites", Dst: "paper"}
	about     = graph.EdgeType{Src: "topic", Name: "about", Dst: "paper"}
	retracts  = graph.EdgeType{Src: "author", Name: "retracts", Dst: "paper"} // has no edges
	joins     = graph.EdgeType{Src: "author", Name: "joins", Dst: "club"}     // has no destinations
)

var libraryWidths = map[string]int{"author": 5, "paper": 4, "topic": 3, "club": 2}

// library is a heterogeneous graph. No relation leads to topics.
func library(t testing.TB) *graph.Hetero {
	t.Helper()
	vertices := map[string]int{"author": 7, "paper": 6, "topic": 2}
	var b graph.HeteroBuilder
	for _, name := range []string{"author", "paper", "topic", "club"} {
		b.Vertices(name, vertices[name])
	}
	for i, r := range []struct {
		graph.EdgeType
		edges int
	}{{writes, 11}, {writtenBy, 8}, {cites, 9}, {about, 4}, {retracts, 0}, {joins, 0}} {
		var src, dst []int32
		for e := range r.edges {
			src = append(src, int32(rng.Hash(uint64(2*i), uint64(e))%uint64(vertices[r.Src])))
			dst = append(dst, int32(rng.Hash(uint64(2*i+1), uint64(e))%uint64(vertices[r.Dst])))
		}
		b.Edges(r.EdgeType, src, dst)
	}
	h, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func libraryFeatures(h *graph.Hetero, dt tensor.DType) map[string]*autograd.Var {
	xs := map[string]*autograd.Var{}
	for i, name := range h.VertexTypes() {
		xs[name] = autograd.Variable(randn(dt, uint64(i)+1, h.NumVertices(name), libraryWidths[name]))
	}
	return xs
}

// relationCase is what a layer of a relation is made of.
type relationCase struct {
	conv gnn.PairConv
	one  func(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var
}

func pairRelation(l gnn.PairConv) relationCase {
	return relationCase{l, func(g *graph.Graph, xSrc, xDst, _ *autograd.Var) *autograd.Var { return l.ForwardPair(g, xSrc, xDst) }}
}

// heteroConvCase has layers to 6 features and values of edges.
type heteroConvCase struct {
	name   string
	layers map[graph.EdgeType]relationCase
	values map[graph.EdgeType][]int // shapes, after the edges
}

func (c heteroConvCase) conv(h *graph.Hetero, cfg gnn.HeteroConfig) *gnn.HeteroConv {
	convs := map[graph.EdgeType]gnn.PairConv{}
	for t, l := range c.layers {
		convs[t] = l.conv
	}
	return gnn.NewHeteroConv(h, convs, cfg)
}

func (c heteroConvCase) edgeValues(h *graph.Hetero, dt tensor.DType) map[graph.EdgeType]*autograd.Var {
	if c.values == nil {
		return nil
	}
	f := map[graph.EdgeType]*autograd.Var{}
	for t, shape := range c.values {
		f[t] = autograd.Variable(randn(dt, uint64(len(t.Name)), append([]int{h.NumEdges(t)}, shape...)...))
	}
	return f
}

// heteroConvCases have every layer with ForwardPair.
func heteroConvCases(h *graph.Hetero, dt tensor.DType) (cases []heteroConvCase) {
	r, opt := nn.NewRNG(1), gnn.WithDType(dt)
	all := func(name string, make func(in int, opts ...gnn.Option) gnn.PairConv) heteroConvCase {
		c := heteroConvCase{name: name, layers: map[graph.EdgeType]relationCase{}}
		for t, conv := range gnn.EachRelation(h, func(t graph.EdgeType) gnn.PairConv {
			if t.Src == t.Dst {
				return make(libraryWidths[t.Src], opt)
			}
			return make(libraryWidths[t.Src], opt, gnn.DstFeatures(libraryWidths[t.Dst]))
		}) {
			c.layers[t] = pairRelation(conv)
		}
		return c
	}
	cases = append(cases,
		all("sage", func(in int, opts ...gnn.Option) gnn.PairConv {
			return gnn.NewSAGEConv(in, 6, gnn.SAGEConfig{}, r, opts...)
		}),
		all("graphconv", func(in int, opts ...gnn.Option) gnn.PairConv {
			return gnn.NewGraphConv(in, 6, gnn.ReduceSum, r, opts...)
		}),
		all("gat", func(in int, opts ...gnn.Option) gnn.PairConv {
			return gnn.NewGATConv(in, 2, 3, gnn.GATConfig{}, r, opts...)
		}),
		all("gatv2", func(in int, opts ...gnn.Option) gnn.PairConv {
			return gnn.NewGATv2Conv(in, 2, 3, gnn.GATConfig{}, r, opts...)
		}),
	)
	mlp := func(in int) *nn.MLP { return nn.NewMLP([]int{in, 6}, nn.MLPConfig{DType: dt}, r) }
	transformer := gnn.NewTransformerConv(5, 2, 3, gnn.TransformerConfig{Edge: 3}, r, opt, gnn.DstFeatures(4))
	plain := gnn.NewTransformerConv(3, 2, 3, gnn.TransformerConfig{}, r, opt, gnn.DstFeatures(4))
	gine := gnn.NewGINEConv(4, 2, mlp(4), gnn.GINConfig{}, r, opt)
	gcn, both := gnn.NewGCNConv(4, 6, r, opt), gnn.NewGCNConvNorm(5, 6, gnn.BothDegrees, r, opt)
	weighted := gnn.NewGraphConv(5, 6, gnn.ReduceMean, r, opt, gnn.DstFeatures(4))
	gin := gnn.NewGINConv(mlp(4), gnn.GINConfig{}, opt)
	nnconv := gnn.NewNNConv(5, 3, 6, nn.NewLinear(3, 30, r, nn.WithDType(dt)), gnn.NNConvConfig{}, r, opt, gnn.DstFeatures(4))
	edged := func(l gnn.EdgePairConv) relationCase { return relationCase{gnn.EdgePair(l), l.ForwardPair} }
	gatEdges := gnn.NewGATConv(5, 2, 3, gnn.GATConfig{Edge: 3}, r, opt, gnn.DstFeatures(4))
	gatv2Edges := gnn.NewGATv2Conv(4, 2, 3, gnn.GATConfig{Edge: 2}, r, opt)
	alone := gnn.NewGraphConv(5, 6, gnn.ReduceSum, r, opt, gnn.NoRoot())
	neighbors := gnn.NewSAGEConv(4, 6, gnn.SAGEConfig{}, r, opt, gnn.NoRoot())
	dir := gnn.NewDirGNNConv(4, 6, 0.3, func() gnn.PairConv { return gnn.NewGATConv(4, 2, 3, gnn.GATConfig{Edge: 2}, r, opt) }, gnn.DirGNNConfig{}, r, opt)
	return append(cases,
		heteroConvCase{"features of edges of attention", map[graph.EdgeType]relationCase{
			writes: {gatEdges, gatEdges.ForwardPairEdges}, cites: {gatv2Edges, gatv2Edges.ForwardPairEdges},
		}, map[graph.EdgeType][]int{writes: {3}, cites: {2}}},
		heteroConvCase{"features of edges", map[graph.EdgeType]relationCase{
			writes: edged(transformer), about: edged(plain), cites: edged(gine),
		}, map[graph.EdgeType][]int{writes: {3}, cites: {2}}},
		heteroConvCase{"matrices of edges", map[graph.EdgeType]relationCase{writes: edged(nnconv)}, map[graph.EdgeType][]int{writes: {3}}},
		heteroConvCase{"weights of edges", map[graph.EdgeType]relationCase{
			writes: {gnn.SourcePair(both), func(g *graph.Graph, x, _, w *autograd.Var) *autograd.Var { return both.ForwardWeighted(g, x, w) }},
			cites:  {gnn.SourcePair(gcn), func(g *graph.Graph, x, _, w *autograd.Var) *autograd.Var { return gcn.ForwardWeighted(g, x, w) }},
		}, map[graph.EdgeType][]int{writes: {}, cites: {}}},
		heteroConvCase{"weights of some", map[graph.EdgeType]relationCase{
			writes: {weighted, weighted.ForwardPairWeighted},
			cites:  {gnn.SourcePair(gcn), func(g *graph.Graph, x, _, _ *autograd.Var) *autograd.Var { return gcn.Forward(g, x) }},
		}, map[graph.EdgeType][]int{writes: {}}},
		heteroConvCase{"without root", map[graph.EdgeType]relationCase{
			writes: {alone, alone.ForwardPairWeighted}, cites: pairRelation(neighbors),
		}, map[graph.EdgeType][]int{writes: {}}},
		heteroConvCase{"values of both directions", map[graph.EdgeType]relationCase{
			cites: {gnn.SourcePair(dir), func(g *graph.Graph, x, _, f *autograd.Var) *autograd.Var { return dir.ForwardEdges(g, x, f) }},
		}, map[graph.EdgeType][]int{cites: {2}}},
		heteroConvCase{"one relation", map[graph.EdgeType]relationCase{cites: pairRelation(gin)}, nil},
	)
}

var heteroConfigs = map[string]gnn.HeteroConfig{
	"sum": {}, "mean": {Reduce: gnn.ReduceMean}, "max": {Reduce: gnn.ReduceMax}, "min": {Reduce: gnn.ReduceMin}, "concat": {Concat: true},
}

func eachHeteroConv(t *testing.T, dt tensor.DType, each func(name string, c heteroConvCase, how string, l *gnn.HeteroConv, h *graph.Hetero, xs map[string]*autograd.Var, f map[graph.EdgeType]*autograd.Var)) {
	h := library(t)
	for _, c := range heteroConvCases(h, dt) {
		for how, cfg := range heteroConfigs {
			l := c.conv(h, cfg)
			stir(l)
			each(c.name+", "+how, c, how, l, h, libraryFeatures(h, dt), c.edgeValues(h, dt))
		}
	}
}

func TestHeteroConvPutsTogetherWhatItsLayersGive(t *testing.T) {
	for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-13, tensor.Float32: 1e-5} {
		eachHeteroConv(t, dt, func(name string, c heteroConvCase, how string, l *gnn.HeteroConv, h *graph.Hetero, xs map[string]*autograd.Var, f map[graph.EdgeType]*autograd.Var) {
			got := l.Forward(h, xs, f)
			for _, vertexType := range h.VertexTypes() {
				want := make(matrix, h.NumVertices(vertexType))
				relations := 0
				for _, r := range h.EdgeTypes() {
					if layer, ok := c.layers[r]; ok && r.Dst == vertexType {
						rows := rowsOf(layer.one(h.Relation(r), xs[r.Src], xs[r.Dst], f[r]))
						for v := range want {
							if relations > 0 && how != "concat" {
								want[v] = reduced(strings.Replace(how, "mean", "sum", 1), 6, matrix{want[v], rows[v]})
							} else {
								want[v] = append(want[v], rows[v]...)
							}
						}
						relations++
					}
				}
				y := got[vertexType]
				if (y != nil) != (relations > 0) {
					t.Errorf("%s: %d relations lead to %q; the result is %v", name, relations, vertexType, y)
				}
				if y == nil {
					continue
				}
				width := 6
				if how == "concat" {
					width *= relations
				}
				if how == "mean" {
					for v := range want {
						want[v] = scaled(want[v], 1/float64(relations))
					}
				}
				if !y.Shape().Equal(tensor.Shape{len(want), width}) {
					t.Errorf("%s: the result of %q has shape %v", name, vertexType, y.Shape())
				}
				near(t, name+", "+vertexType, y.Tensor().Float64s(), want.flat(), tol)
			}
		})
	}
}

func TestHeteroConvGradientsEqualCentralDifferences(t *testing.T) {
	i := 0
	eachHeteroConv(t, tensor.Float64, func(name string, c heteroConvCase, _ string, l *gnn.HeteroConv, h *graph.Hetero, xs map[string]*autograd.Var, f map[graph.EdgeType]*autograd.Var) {
		if i++; testing.Short() && i%7 != 0 {
			return
		}
		leaves := append(nn.Parameters(l), xs["author"], xs["paper"], xs["topic"])
		for _, v := range f {
			leaves = append(leaves, v)
		}
		err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var {
			ys := l.Forward(h, xs, f)
			var all []*autograd.Var
			for _, vertexType := range slices.Sorted(maps.Keys(ys)) {
				all = append(all, ys[vertexType].Reshape(-1))
			}
			return autograd.Concat(0, all...)
		}, leaves)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

func TestMaximaOfEqualResultsAreOfTheFirstRelation(t *testing.T) {
	h := library(t)
	convs := gnn.EachRelation(h, func(t graph.EdgeType) gnn.PairConv {
		if t != writes && t != retracts {
			return nil
		}
		return gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{}, nn.NewRNG(1), gnn.DstFeatures(4))
	})
	first, second := convs[writes].(*gnn.SAGEConv), convs[retracts].(*gnn.SAGEConv)
	stir(first)
	first.WeightNeigh.SetTensor(tensor.Zeros(tensor.Float32, 5, 6)) // so that edges do not tell them apart
	second.WeightSelf.SetTensor(first.WeightSelf.Tensor())
	second.WeightNeigh.SetTensor(first.WeightNeigh.Tensor())
	second.Bias.SetTensor(first.Bias.Tensor())
	for _, reduce := range []gnn.Reduce{gnn.ReduceMax, gnn.ReduceMin} {
		l := gnn.NewHeteroConv(h, convs, gnn.HeteroConfig{Reduce: reduce})
		nn.ZeroGrad(l)
		l.Forward(h, libraryFeatures(h, tensor.Float32), nil)["paper"].Sum().Backward()
		near(t, "gradient of the first bias", first.Bias.Gradient().Float64s(), slices.Repeat([]float64{6}, 6), 0)
		near(t, "gradient of the second bias", second.Bias.Gradient().Float64s(), make([]float64, 6), 0)
	}
}

func TestHeteroConvNamesParametersAsPyGDoes(t *testing.T) {
	h, err := new(graph.HeteroBuilder).Vertices("v1.5", 2).Vertices("b", 2).
		Edges(graph.EdgeType{Src: "v1.5", Name: "to", Dst: "b"}, nil, nil).
		Edges(graph.EdgeType{Src: "b", Name: "has part", Dst: "b"}, nil, nil).
		Edges(graph.EdgeType{Src: "b", Name: "is", Dst: "b"}, nil, nil).Build()
	if err != nil {
		t.Fatal(err)
	}
	r := nn.NewRNG(1)
	model := &struct{ First *gnn.HeteroConv }{gnn.NewHeteroConv(h, map[graph.EdgeType]gnn.PairConv{
		h.EdgeTypes()[0]: gnn.NewGraphConv(3, 4, gnn.ReduceSum, r, gnn.DstFeatures(2), gnn.NoBias()),
		h.EdgeTypes()[1]: gnn.EdgePair(gnn.NewTransformerConv(2, 1, 4, gnn.TransformerConfig{AttnDropout: 0.5}, r, gnn.NoBias())),
		h.EdgeTypes()[2]: gnn.SourcePair(gnn.NewGCNConv(2, 4, r)),
	}, gnn.HeteroConfig{})}
	want := []string{
		"first.convs.<b___has part___b>.query.weight", "first.convs.<b___has part___b>.key.weight",
		"first.convs.<b___has part___b>.value.weight", "first.convs.<b___has part___b>.skip.weight",
		"first.convs.<b___is___b>.weight", "first.convs.<b___is___b>.bias",
		"first.convs.<v1#5___to___b>.weight_self", "first.convs.<v1#5___to___b>.weight_neigh",
	}
	var names []string
	for _, s := range nn.State(model) {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("names\n%q, want\n%q", names, want)
	}
	parts := map[string]bool{}
	nn.Apply(model, func(name string, part any) { parts[fmt.Sprintf("%s %T", name, part)] = true })
	if !parts["first.convs.<b___has part___b> *gnn.TransformerConv"] || !parts["first.convs.<b___is___b> *gnn.GCNConv"] {
		t.Errorf("the parts are %v", slices.Sorted(maps.Keys(parts)))
	}

	// The mode and randomness of layers are found, too.
	xs := map[string]*autograd.Var{"v1.5": autograd.Constant(randn(tensor.Float32, 1, 2, 3)), "b": autograd.Constant(randn(tensor.Float32, 2, 2, 2))}
	nn.Eval(model)
	if model.First.Convs["<b___has part___b>"].(*gnn.TransformerConv).Training() {
		t.Error("evaluation does not reach the layers")
	}
	var file bytes.Buffer
	if err := nn.Save(&file, model); err != nil {
		t.Fatal(err)
	}
	y := model.First.Forward(h, xs, nil)["b"].Tensor().Float64s()
	stir(model)
	if err := nn.Load(&file, model); err != nil {
		t.Fatal(err)
	}
	if !sameBits(model.First.Forward(h, xs, nil)["b"].Tensor().Float64s(), y) {
		t.Error("a saved and loaded layer computes something else")
	}
}

// libraryModel has two layers for blocks; the first reads 3 features of the edges of writes.
func libraryModel(h *graph.Hetero) (first, second *gnn.HeteroConv) {
	r, opt := nn.NewRNG(1), gnn.WithDType(tensor.Float64)
	first = gnn.NewHeteroConv(h, map[graph.EdgeType]gnn.PairConv{
		writes:    gnn.EdgePair(gnn.NewTransformerConv(5, 2, 3, gnn.TransformerConfig{Edge: 3}, r, opt, gnn.DstFeatures(4))),
		cites:     gnn.NewGATConv(4, 2, 3, gnn.GATConfig{}, r, opt),
		about:     gnn.NewGraphConv(3, 6, gnn.ReduceSum, r, opt, gnn.DstFeatures(4)),
		writtenBy: gnn.NewSAGEConv(4, 6, gnn.SAGEConfig{}, r, opt, gnn.DstFeatures(5)),
	}, gnn.HeteroConfig{Reduce: gnn.ReduceMean})
	second = gnn.NewHeteroConv(h, map[graph.EdgeType]gnn.PairConv{
		cites:     gnn.NewSAGEConv(6, 3, gnn.SAGEConfig{}, r, opt),
		writes:    gnn.NewSAGEConv(6, 3, gnn.SAGEConfig{}, r, opt, gnn.DstFeatures(6)),
		writtenBy: gnn.NewGATv2Conv(6, 3, 1, gnn.GATConfig{}, r, opt, gnn.DstFeatures(6)),
	}, gnn.HeteroConfig{})
	stir(first)
	stir(second)
	return first, second
}

// Blocks with all neighbours give what the whole graph does.
func TestHeteroConvOnBlocksEqualsTheWholeGraph(t *testing.T) {
	h := library(t)
	view := h.Homogeneous()
	first, second := libraryModel(h)
	xs := libraryFeatures(h, tensor.Float64)
	f := autograd.Variable(randn(tensor.Float64, 9, h.NumEdges(writes), 3))
	whole := second.Forward(h, first.Forward(h, xs, map[graph.EdgeType]*autograd.Var{writes: f}), nil)
	on := second.ForwardOn(view.Graph, first.ForwardOn(view.Graph, xs, map[graph.EdgeType]*autograd.Var{writes: f}), nil)
	for vertexType, y := range whole {
		if !sameBits(on[vertexType].Tensor().Float64s(), y.Tensor().Float64s()) {
			t.Errorf("the homogeneous view gives other results of %q", vertexType)
		}
	}

	seeds := []int32{8, 2, 0, 11, 12} // papers and authors in turns
	loader, err := data.NewNeighborLoader(view.Graph, seeds, data.NeighborConfig{
		Loading: data.Loading{BatchSize: 3}, Fanout: data.Fanout{Hops: []int{-1, -1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for batch, err := range loader.Epoch(context.Background(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		rows := map[string][]int32{}
		for _, v := range batch.Vertices {
			name := h.VertexTypes()[view.Graph.VertexTypes()[v]]
			rows[name] = append(rows[name], view.LocalVertex[v])
		}
		sampled := map[string]*autograd.Var{}
		for _, name := range h.VertexTypes() {
			sampled[name] = xs[name].IndexSelect(rows[name])
		}
		var edges []int32
		for e, id := range batch.Edges[0] {
			if batch.Blocks[0].EdgeTypes()[e] == 0 {
				edges = append(edges, view.LocalEdge[id])
			}
		}
		y := first.ForwardOn(batch.Blocks[0], sampled, map[graph.EdgeType]*autograd.Var{writes: f.IndexSelect(edges)})
		y = second.ForwardOn(batch.Blocks[1], y, nil)
		at := map[string]int{}
		for _, v := range batch.Seeds {
			name := h.VertexTypes()[view.Graph.VertexTypes()[v]]
			near(t, fmt.Sprintf("%s %d", name, view.LocalVertex[v]), rowsOf(y[name])[at[name]], rowsOf(whole[name])[view.LocalVertex[v]], 1e-13)
			at[name]++
			seen++
		}
		for name, n := range at {
			if y[name].Shape()[0] != n {
				t.Errorf("%d rows for %d seeds of type %q", y[name].Shape()[0], n, name)
			}
		}
	}
	if seen != len(seeds) {
		t.Errorf("%d of %d seeds", seen, len(seeds))
	}
}

// Of links of a relation, too, with the ends and the edges where a batch says they are.
func TestHeteroConvOnBlocksOfLinksEqualsTheWholeGraph(t *testing.T) {
	h := library(t)
	first, second := libraryModel(h)
	xs := libraryFeatures(h, tensor.Float64)
	f := autograd.Variable(randn(tensor.Float64, 9, h.NumEdges(writes), 3))
	whole := second.Forward(h, first.Forward(h, xs, map[graph.EdgeType]*autograd.Var{writes: f}), nil)
	for _, relation := range []graph.EdgeType{writes, writtenBy, cites} {
		links := data.LinksOf(h.Relation(relation))
		loader, err := data.NewHeteroLinkLoader(h, relation, links, data.HeteroLinkConfig{
			Loading: data.Loading{BatchSize: 4, Shuffle: true}, HeteroFanout: data.HeteroFanout{Hops: []int{-1, -1}},
			Negatives: 2, Corrupt: data.CorruptBoth,
		})
		if err != nil {
			t.Fatal(err)
		}
		scores := func(y map[string]*autograd.Var, src, dst []int32) []float64 {
			return y[relation.Src].IndexSelect(src).VecDot(y[relation.Dst].IndexSelect(dst)).Tensor().Float64s()
		}
		for b, err := range loader.Epoch(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			sampled := map[string]*autograd.Var{}
			for _, name := range h.VertexTypes() {
				sampled[name] = xs[name].IndexSelect(b.Vertices[name])
			}
			y := first.ForwardOn(b.Blocks[0], sampled, map[graph.EdgeType]*autograd.Var{writes: f.IndexSelect(b.Edges[0][writes])})
			y = second.ForwardOn(b.Blocks[1], y, nil)
			ends := func(name string, rows []int32) (ids []int32) {
				for _, row := range rows {
					ids = append(ids, b.Seeds[name][row])
				}
				return ids
			}
			near(t, fmt.Sprint(relation, b.Index), scores(y, b.Src, b.Dst), scores(whole, ends(relation.Src, b.Src), ends(relation.Dst, b.Dst)), 1e-12)
			for i, link := range b.Links {
				u, v := links.Src[link:link+1], links.Dst[link:link+1]
				near(t, fmt.Sprint(relation, " true ", link), scores(y, b.Src[i:i+1], b.Dst[i:i+1]), scores(whole, u, v), 1e-12)
			}
		}
	}
}

func TestHeteroConvTakesAnyGraphWithItsRelations(t *testing.T) {
	h := library(t)
	l := gnn.NewHeteroConv(h, map[graph.EdgeType]gnn.PairConv{
		cites: gnn.NewSAGEConv(4, 2, gnn.SAGEConfig{}, nn.NewRNG(1)),
	}, gnn.HeteroConfig{})
	other, err := new(graph.HeteroBuilder).Vertices("paper", 2).Edges(cites, []int32{0}, []int32{1}).Build()
	if err != nil {
		t.Fatal(err)
	}
	xs := map[string]*autograd.Var{"paper": autograd.Constant(randn(tensor.Float32, 1, 2, 4))}
	if y := l.Forward(other, xs, nil); len(y) != 1 || !y["paper"].Shape().Equal(tensor.Shape{2, 2}) {
		t.Errorf("the results are %v", y)
	}
}

func TestEachRelationMakesLayersInTheOrderOfEdgeTypes(t *testing.T) {
	h := library(t)
	var order []graph.EdgeType
	convs := gnn.EachRelation(h, func(r graph.EdgeType) gnn.PairConv {
		order = append(order, r)
		if r.Dst == "club" {
			return nil
		}
		return gnn.NewGraphConv(libraryWidths[r.Src], 2, gnn.ReduceSum, nn.NewRNG(1))
	})
	if !slices.Equal(order, h.EdgeTypes()) {
		t.Errorf("the order is %v", order)
	}
	if _, ok := convs[joins]; ok || len(convs) != len(order)-1 {
		t.Errorf("the layers are %v", convs)
	}
}

func TestHeteroConvRejectsWhatDoesNotFit(t *testing.T) {
	h, r := library(t), nn.NewRNG(1)
	sage := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{}, r, gnn.DstFeatures(4))
	wide := gnn.NewSAGEConv(4, 8, gnn.SAGEConfig{}, r)
	type convs = map[graph.EdgeType]gnn.PairConv
	type features = map[string]*autograd.Var
	type values = map[graph.EdgeType]*autograd.Var
	l := gnn.NewHeteroConv(h, convs{writes: sage}, gnn.HeteroConfig{})
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	xs := features{"author": v(7, 5), "paper": v(6, 4)}
	other, err := new(graph.HeteroBuilder).Vertices("author", 7).Vertices("paper", 6).Build()
	if err != nil {
		t.Fatal(err)
	}
	same, err := new(graph.HeteroBuilder).Vertices("a", 1).Vertices("a___b", 1).Vertices("c", 1).
		Edges(graph.EdgeType{Src: "a", Name: "b___b", Dst: "c"}, nil, nil).
		Edges(graph.EdgeType{Src: "a___b", Name: "b", Dst: "c"}, nil, nil).
		Edges(graph.EdgeType{Src: "c", Name: "\xff", Dst: "c"}, nil, nil).Build()
	if err != nil {
		t.Fatal(err)
	}
	one := same.EdgeTypes()
	block, err := graph.NewBipartite(3, 2, []int32{2}, []int32{0}, graph.WithEdgeTypes([]int32{0}, 6),
		graph.WithSrcTypes([]int32{1, 0, 0}, 4), graph.WithDstTypes([]int32{1, 0}, 4))
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := graph.NewBipartite(3, 2, []int32{0}, []int32{0}, graph.WithEdgeTypes([]int32{0}, 6),
		graph.WithSrcTypes([]int32{1, 0, 0}, 4), graph.WithDstTypes([]int32{1, 0}, 4))
	if err != nil {
		t.Fatal(err)
	}
	csr, err := tensor.NewSparse(1, 4, []int32{0, 1}, []int32{2}, tensor.Zeros(tensor.Float32, 1))
	if err != nil {
		t.Fatal(err)
	}
	all := "[(author, writes, paper) (paper, written by, author) (paper, cites, paper) (topic, about, paper) (author, retracts, paper) (author, joins, club)]"
	wantMisuses(t, map[string]func(){
		"gnn: EachRelation: the graph is nil":                                              func() { gnn.EachRelation(nil, func(graph.EdgeType) gnn.PairConv { return nil }) },
		"gnn: EachRelation: the function is nil":                                           func() { gnn.EachRelation(h, nil) },
		"gnn: HeteroConv: the graph is nil":                                                func() { gnn.NewHeteroConv(nil, convs{writes: sage}, gnn.HeteroConfig{}) },
		"gnn: HeteroConv: no layers; the graph has the relations " + all:                   func() { gnn.NewHeteroConv(h, nil, gnn.HeteroConfig{}) },
		"gnn: HeteroConv: the layer of (author, writes, paper) is nil":                     func() { gnn.NewHeteroConv(h, convs{writes: nil}, gnn.HeteroConfig{}) },
		"gnn: HeteroConv: the layer of (paper, cites, paper) is nil":                       func() { gnn.NewHeteroConv(h, convs{cites: gnn.EdgePair(nil)}, gnn.HeteroConfig{}) },
		"gnn: HeteroConv: reduction 9; want ReduceSum, ReduceMean, ReduceMax or ReduceMin": func() { gnn.NewHeteroConv(h, convs{writes: sage}, gnn.HeteroConfig{Reduce: 9}) },
		"gnn: HeteroConv: both Concat and a reduction; want one of the two": func() {
			gnn.NewHeteroConv(h, convs{writes: sage}, gnn.HeteroConfig{Concat: true, Reduce: gnn.ReduceMax})
		},
		"gnn: HeteroConv: a layer for (author, writes, book); the graph has " + all: func() {
			gnn.NewHeteroConv(h, convs{{Src: "author", Name: "writes", Dst: "book"}: sage}, gnn.HeteroConfig{})
		},
		`gnn: HeteroConv: two relations have the name "<a___b___b___c>" in states`:                             func() { gnn.NewHeteroConv(same, convs{one[0]: sage, one[1]: sage}, gnn.HeteroConfig{}) },
		`gnn: HeteroConv: the relation "(c, \xff, c)" is not valid UTF-8, as names of parameters are`:          func() { gnn.NewHeteroConv(same, convs{one[2]: sage}, gnn.HeteroConfig{}) },
		"gnn: HeteroConv: the layer has no program; make it with NewHeteroConv":                                func() { (*gnn.HeteroConv)(nil).Forward(h, xs, nil) },
		"gnn: HeteroConv: the graph has no relation (author, writes, paper), which has a layer; it has []":     func() { l.Forward(other, xs, nil) },
		"gnn: HeteroConv: features of book; the graph has [author paper topic club]":                           func() { l.Forward(h, features{"book": v(1, 1)}, nil) },
		`gnn: HeteroConv: (author, writes, paper): no features of type "author"; there are those of ["paper"]`: func() { l.Forward(h, features{"paper": v(6, 4)}, nil) },
		`gnn: HeteroConv: (author, writes, paper): no features of type "paper"; there are those of ["author"]`: func() { l.Forward(h, features{"author": v(7, 5)}, nil) },
		"gnn: HeteroConv: (author, writes, paper): SAGEConv: xSrc has 3 features, the layer takes 5":           func() { l.Forward(h, features{"author": v(7, 3), "paper": v(6, 4)}, nil) },
		"gnn: HeteroConv: (author, writes, paper): SAGEConv: xDst has 5 rows, the graph 6 destinations":        func() { l.Forward(h, features{"author": v(7, 5), "paper": v(5, 4)}, nil) },
		"gnn: HeteroConv: (author, writes, paper): SAGEConv: values of edges of shape [11 2]; the layer takes none": func() {
			l.Forward(h, xs, values{writes: v(11, 2)})
		},
		"gnn: HeteroConv: values of edges of (paper, cites, paper), which has no layer": func() { l.Forward(h, xs, values{cites: v(9)}) },
		"gnn: HeteroConv: values of edges of (a, b, c); the layer was made for " + all:  func() { l.Forward(h, xs, values{{Src: "a", Name: "b", Dst: "c"}: v(9)}) },
		`gnn: HeteroConv: (paper, cites, paper): the result has shape [6 8], that of another relation into "paper" [6 6]`: func() {
			gnn.NewHeteroConv(h, convs{writes: sage, cites: wide}, gnn.HeteroConfig{}).Forward(h, xs, nil)
		},
		"gnn: HeteroConv: (paper, written by, author): GCNConv: the graph is the relation (paper, written by, author) and no block: its destinations are not its first sources; " +
			"layers with ForwardPair take the features of both, typed layers run on Hetero.Homogeneous": func() {
			gnn.NewHeteroConv(h, convs{writtenBy: gnn.SourcePair(gnn.NewGCNConv(4, 6, r))}, gnn.HeteroConfig{}).Forward(h, xs, nil)
		},
		"gnn: HeteroConv: (paper, cites, paper): SAGEConv: values of edges of shape [9]; the layer takes none": func() {
			gnn.NewHeteroConv(h, convs{cites: gnn.SourcePair(wide)}, gnn.HeteroConfig{}).Forward(h, xs, values{cites: v(9)})
		},
		"gnn: HeteroConv: (author, writes, paper): TransformerConv: f is nil; the layer takes 3 features of each edge": func() {
			edged := gnn.EdgePair(gnn.NewTransformerConv(5, 2, 3, gnn.TransformerConfig{Edge: 3}, r, gnn.DstFeatures(4)))
			gnn.NewHeteroConv(h, convs{writes: edged}, gnn.HeteroConfig{}).Forward(h, xs, nil)
		},
		"gnn: HeteroConv: graph: RelationsOf: the graph needs types of vertices and of edges":      func() { l.ForwardOn(messy(t), xs, nil) },
		`gnn: HeteroConv: x of type "paper" has 6 rows, the graph 1 sources of the type`:           func() { l.ForwardOn(block, xs, nil) },
		"gnn: HeteroConv: (author, writes, paper): SAGEConv: xSrc has 7 rows, the graph 2 sources": func() { l.ForwardOn(block, features{"author": v(7, 5), "paper": v(1, 4)}, nil) },
		`gnn: HeteroConv: x of type "paper" is sparse; the layer takes it dense`:                   func() { l.ForwardOn(block, features{"paper": autograd.SparseConstant(csr)}, nil) },
		`gnn: HeteroConv: features of book; the layer was made for [author paper topic club]`:      func() { l.ForwardOn(block, features{"book": v(1, 1)}, nil) },
		`gnn: HeteroConv: graph: RelationsOf: edge 0 of type (author, writes, paper) leads from a vertex of type "paper" to one of type "paper"`: func() {
			l.ForwardOn(wrong, features{"author": v(2, 5), "paper": v(1, 4)}, nil)
		},
	})
	if y := l.ForwardOn(block, features{"author": v(2, 5), "paper": v(1, 4)}, nil); !y["paper"].Shape().Equal(tensor.Shape{1, 6}) {
		t.Errorf("the result on a block has shape %v", y["paper"].Shape())
	}
	concat := gnn.NewHeteroConv(h, convs{writes: sage, cites: wide}, gnn.HeteroConfig{Concat: true})
	if y := concat.Forward(h, xs, nil); !y["paper"].Shape().Equal(tensor.Shape{6, 14}) {
		t.Errorf("results of different widths make one of shape %v", y["paper"].Shape())
	}
}
