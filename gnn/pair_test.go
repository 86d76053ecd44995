package gnn_test

// Layers on the features of both ends of edges: between two kinds of vertices.

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
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
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// pairCase is a layer from 5 features of sources.
type pairCase struct {
	name     string
	layer    any
	forward  func(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var
	compiled func(g *graph.Graph, xSrc, xDst, f *autograd.Var) *vc.Compiled
	one      func(g *graph.Graph, x, f *autograd.Var) *autograd.Var // of vertices of one kind
	naive    naivePair
	dst      int  // features of destinations
	apart    bool // DstFeatures was given
	rootless bool // does not read features of destinations
	sparse   bool
	out      int
	edge     int
	pyg      map[string]pygTensor // the layer's state in PyG 2.8.1, by the names here
}

// pygTensor is a tensor of PyG's: an m that is transposed is a torch.nn.Linear's weight.
type pygTensor struct {
	name       string
	transposed bool
}

// pairLayer is a layer without edge features.
type pairLayer interface {
	compiler
	ForwardPair(g *graph.Graph, xSrc, xDst *autograd.Var) *autograd.Var
	CompiledPair(g *graph.Graph, xSrc, xDst *autograd.Var) *vc.Compiled
}

// pairEdgeLayer is a layer that may have them.
type pairEdgeLayer interface {
	edgeLayer
	ForwardPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *autograd.Var
	CompiledPair(g *graph.Graph, xSrc, xDst, f *autograd.Var) *vc.Compiled
}

func pairOf(name string, l pairLayer, dst, out int, n naivePair) pairCase {
	return pairCase{
		name: name, layer: l, naive: n, dst: dst, out: out,
		forward:  func(g *graph.Graph, xSrc, xDst, _ *autograd.Var) *autograd.Var { return l.ForwardPair(g, xSrc, xDst) },
		compiled: func(g *graph.Graph, xSrc, xDst, _ *autograd.Var) *vc.Compiled { return l.CompiledPair(g, xSrc, xDst) },
		one:      func(g *graph.Graph, x, _ *autograd.Var) *autograd.Var { return l.Forward(g, x) },
	}
}

func edgedPairOf(name string, l pairEdgeLayer, dst, out, edge int, n naivePair) pairCase {
	return pairCase{name: name, layer: l, forward: l.ForwardPair, compiled: l.CompiledPair, one: l.Forward, naive: n, dst: dst, out: out, edge: edge}
}

func (c pairCase) of(layer any) pairCase {
	c.layer = layer
	return c
}

// pairCases are the layers that take features of both ends, with parameters of dt.
func pairCases(dt tensor.DType) (cases []pairCase) {
	r := nn.NewRNG(1)
	const heads, dim = 3, 2
	linear := func(name string) pygTensor { return pygTensor{name + ".weight", true} }
	for _, dst := range []int{5, 7} {
		opts := []gnn.Option{gnn.WithDType(dt)}
		suffix, apart := "", dst != 5
		if apart {
			suffix, opts = " to 7", append(opts, gnn.DstFeatures(dst))
		}
		add := func(c pairCase, pyg map[string]pygTensor) {
			c.name, c.apart, c.sparse, c.pyg = c.name+suffix, apart, true, pyg
			cases = append(cases, c)
		}

		sagePyG := map[string]pygTensor{"weight_self": linear("lin_r"), "weight_neigh": linear("lin_l"), "bias": {name: "lin_l.bias"}}
		mean := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{}, r, opts...)
		add(pairOf("sage", mean, dst, 6, naiveSAGE(mean, false, false)), sagePyG)
		unit := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{Normalize: true}, r, opts...)
		add(pairOf("sage normalised", unit, dst, 6, naiveSAGE(unit, false, true)), sagePyG)
		pool := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool}, r, opts...)
		poolPyG := maps.Clone(sagePyG) // SAGEConv(aggr="max", project=True)
		poolPyG["weight_pool"], poolPyG["bias_pool"] = linear("lin"), pygTensor{name: "lin.bias"}
		add(pairOf("sage of max pooling", pool, dst, 6, naiveSAGE(pool, true, false)), poolPyG)

		graphPyG := map[string]pygTensor{"weight_self": linear("lin_root"), "weight_neigh": linear("lin_rel"), "bias": {name: "lin_rel.bias"}}
		for reduce, how := range reductions {
			l := gnn.NewGraphConv(5, 6, gnn.Reduce(reduce), r, opts...)
			add(pairOf("graphconv, "+how, l, dst, 6, naiveGraphConv(l, how)), graphPyG)
			cases[len(cases)-1].sparse = multiplied(how)
		}

		rootless := append([]gnn.Option{gnn.NoRoot()}, opts...)
		addRootless := func(c pairCase, pyg map[string]pygTensor) { // of root_weight=False
			c.name, c.rootless = c.name+" without root", true
			pyg = maps.Clone(pyg)
			delete(pyg, "weight_self")
			add(c, pyg)
		}
		neighbors := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{}, r, rootless...)
		addRootless(pairOf("sage", neighbors, dst, 6, naiveSAGE(neighbors, false, false)), sagePyG)
		poolOnly := gnn.NewSAGEConv(5, 6, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool, Normalize: true}, r, rootless...)
		addRootless(pairOf("sage of max pooling", poolOnly, dst, 6, naiveSAGE(poolOnly, true, true)), poolPyG)
		for reduce, how := range reductions {
			l := gnn.NewGraphConv(5, 6, gnn.Reduce(reduce), r, rootless...)
			addRootless(pairOf("graphconv, "+how, l, dst, 6, naiveGraphConv(l, how)), graphPyG)
			cases[len(cases)-1].sparse = multiplied(how)
		}

		gat := gnn.NewGATConv(5, dim, heads, gnn.GATConfig{}, r, opts...)
		gatPyG := map[string]pygTensor{"weight": linear("lin"), "attn_src": {name: "att_src"}, "attn_dst": {name: "att_dst"}, "bias": {name: "bias"}}
		if apart {
			gatPyG["weight"], gatPyG["weight_dst"] = linear("lin_src"), linear("lin_dst")
		}
		add(pairOf("gat", gat, dst, 6, naiveGAT(gat, heads, dim, false)), gatPyG)
		averaged := gnn.NewGATConv(5, dim, heads, gnn.GATConfig{Mean: true}, r, opts...)
		add(pairOf("gat of averaged heads", averaged, dst, dim, naiveGAT(averaged, heads, dim, true)), gatPyG)

		gatEdges := gnn.NewGATConv(5, dim, heads, gnn.GATConfig{Edge: 4}, r, opts...)
		gatEdgesPyG := maps.Clone(gatPyG)
		gatEdgesPyG["weight_edge"], gatEdgesPyG["attn_edge"] = linear("lin_edge"), pygTensor{name: "att_edge"}
		add(edgedPairOf("gat of edge features", edgesGiven{gatEdges}, dst, 6, 4, naiveGAT(gatEdges, heads, dim, false)).of(gatEdges), gatEdgesPyG)

		gatv2PyG := map[string]pygTensor{"weight_src": linear("lin_l"), "weight_dst": linear("lin_r"), "attn": {name: "att"}} // of bias=False
		gatv2 := gnn.NewGATv2Conv(5, dim, heads, gnn.GATConfig{}, r, append(opts, gnn.NoBias())...)
		add(pairOf("gatv2", gatv2, dst, 6, naiveGATv2(gatv2, heads, dim, false)), gatv2PyG)
		biased := gnn.NewGATv2Conv(5, dim, heads, gnn.GATConfig{ProjectBias: true}, r, opts...)
		biasedPyG := maps.Clone(gatv2PyG)
		biasedPyG["bias_src"], biasedPyG["bias_dst"], biasedPyG["bias"] = pygTensor{name: "lin_l.bias"}, pygTensor{name: "lin_r.bias"}, pygTensor{name: "bias"}
		add(pairOf("gatv2 of biased products", biased, dst, 6, naiveGATv2(biased, heads, dim, false)), biasedPyG)

		gatv2Edges := gnn.NewGATv2Conv(5, dim, heads, gnn.GATConfig{Edge: 4}, r, append(opts, gnn.NoBias())...)
		gatv2EdgesPyG := maps.Clone(gatv2PyG)
		gatv2EdgesPyG["weight_edge"] = linear("lin_edge")
		add(edgedPairOf("gatv2 of edge features", edgesGiven{gatv2Edges}, dst, 6, 4, naiveGATv2(gatv2Edges, heads, dim, false)).of(gatv2Edges), gatv2EdgesPyG)

		for _, edge := range []int{0, 4} {
			pyg := map[string]pygTensor{}
			for _, part := range []string{"query", "key", "value", "skip"} {
				pyg[part+".weight"], pyg[part+".bias"] = linear("lin_"+part), pygTensor{name: "lin_" + part + ".bias"}
			}
			name, gate := "transformer", edge > 0
			if edge > 0 {
				name = "transformer with edge features, gated"
				pyg["edge.weight"], pyg["beta.weight"] = linear("lin_edge"), linear("lin_beta")
			}
			l := gnn.NewTransformerConv(5, dim, heads, gnn.TransformerConfig{Edge: edge, Gate: gate, Mean: gate}, r, opts...)
			add(edgedPairOf(name, l, dst, headsOut(heads, dim, gate), edge, naiveTransformer(l, heads, dim, gate)), pyg)
		}
	}
	mlp := func() *nn.MLP { return nn.NewMLP([]int{5, 7, 6}, nn.MLPConfig{DType: dt}, r) }
	ginPyG := map[string]pygTensor{"eps": {name: "eps"}} // of nn = Sequential(Linear, ReLU, Linear)
	for ours, theirs := range map[string]string{"mlp.layers.0": "nn.0", "mlp.layers.1": "nn.2"} {
		ginPyG[ours+".weight"], ginPyG[ours+".bias"] = linear(theirs), pygTensor{name: theirs + ".bias"}
	}
	gin := gnn.NewGINConv(mlp(), gnn.GINConfig{Eps: 0.25}, gnn.WithDType(dt))
	c := pairOf("gin", gin, 5, 6, naiveGIN(gin.Eps, nil, gin.MLP.(*nn.MLP), false))
	c.pyg = ginPyG
	gine := gnn.NewGINEConv(5, 3, mlp(), gnn.GINConfig{}, r, gnn.WithDType(dt))
	d := edgedPairOf("gine", gine, 5, 6, 3, naiveGIN(gine.Eps, gine.Edge, gine.MLP.(*nn.MLP), true))
	d.pyg = maps.Clone(ginPyG)
	d.pyg["edge.weight"], d.pyg["edge.bias"] = linear("lin"), pygTensor{name: "lin.bias"}
	cases = append(cases, c, d)
	for _, dst := range []int{5, 7} {
		for reduce, how := range reductions[:3] {
			opts, name := []gnn.Option{gnn.WithDType(dt)}, "nnconv, "+how
			if dst != 5 {
				opts, name = append(opts, gnn.DstFeatures(dst)), name+" to 7"
			}
			network := nn.NewMLP([]int{3, 2, 30}, nn.MLPConfig{DType: dt}, r)
			l := gnn.NewNNConv(5, 3, 6, network, gnn.NNConvConfig{Reduce: gnn.Reduce(reduce)}, r, opts...)
			c := edgedPairOf(name, l, dst, 6, 3, naiveNNConv(l, how, func(f []float64) []float64 { return naiveMLP(f, network.Layers) }))
			c.apart = dst != 5
			c.pyg = map[string]pygTensor{"lin.weight": linear("lin"), "bias": {name: "bias"}}
			for ours, theirs := range map[string]string{"nn.layers.0": "nn.0", "nn.layers.1": "nn.2"} {
				c.pyg[ours+".weight"], c.pyg[ours+".bias"] = linear(theirs), pygTensor{name: theirs + ".bias"}
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// relations are graphs between two kinds of vertices, and of one.
func relations(t testing.TB) []namedGraph {
	edges := func(seed uint64, numSrc, numDst, n int) (src, dst []int32) {
		for e := range n {
			src, dst = append(src, int32(rng.Hash(seed, uint64(e))%uint64(numSrc))), append(dst, int32(rng.Hash(seed+1, uint64(e))%uint64(numDst)))
		}
		return src, dst
	}
	bipartite := func(numSrc, numDst, n int) *graph.Graph {
		src, dst := edges(5, numSrc, numDst, n)
		g, err := graph.NewBipartite(numSrc, numDst, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	writes := graph.EdgeType{Src: "author", Name: "writes", Dst: "paper"}
	cites := graph.EdgeType{Src: "paper", Name: "cites", Dst: "paper"}
	src, dst := edges(7, 9, 6, 20)
	from, to := edges(9, 6, 6, 11)
	h, err := new(graph.HeteroBuilder).Vertices("author", 9).Vertices("paper", 6).Edges(writes, src, dst).Edges(cites, from, to).Build()
	if err != nil {
		t.Fatal(err)
	}
	return []namedGraph{
		{"nothing", bipartite(0, 0, 0)},
		{"no sources", bipartite(0, 3, 0)},
		{"no destinations", bipartite(3, 0, 0)},
		{"no edges", bipartite(2, 4, 0)},
		{"more destinations", bipartite(4, 11, 25)},
		{"more sources", bipartite(13, 5, 30)},
		{"hub", bipartite(40, 1, 60)},
		{"relation", h.Relation(writes)},
		{"relation of a type to itself", h.Relation(cites)},
		{"messy", messy(t)},
	}
}

func (c pairCase) inputs(g *graph.Graph, dt tensor.DType) (xSrc, xDst, f *autograd.Var) {
	xSrc, xDst = autograd.Variable(randn(dt, 1, g.NumSrc(), 5)), autograd.Variable(randn(dt, 3, g.NumDst(), c.dst))
	if c.edge > 0 {
		f = autograd.Variable(randn(dt, 2, g.NumEdges(), c.edge))
	}
	return xSrc, xDst, f
}

func TestPairLayersEqualTheirFormulas(t *testing.T) {
	for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-12, tensor.Float32: 1e-5} {
		for _, c := range pairCases(dt) {
			stir(c.layer)
			nn.Eval(c.layer)
			for _, g := range relations(t) {
				xSrc, xDst, f := c.inputs(g.Graph, dt)
				y := c.forward(g.Graph, xSrc, xDst, f)
				if want := (tensor.Shape{g.NumDst(), c.out}); !y.Shape().Equal(want) {
					t.Errorf("%s, %s: the result has shape %v, want %v", c.name, g.name, y.Shape(), want)
					continue
				}
				want := make(matrix, g.NumDst())
				for v := range want {
					want[v] = c.naive(g.Graph, rowsOf(xSrc), rowsOf(xDst), rowsOf(f), v)
				}
				near(t, fmt.Sprintf("%s, %s, %v", c.name, g.name, dt), y.Tensor().Float64s(), want.flat(), tol)
			}
		}
	}
}

func TestGradientsOfPairLayersEqualCentralDifferences(t *testing.T) {
	for i, c := range pairCases(tensor.Float64) {
		stir(c.layer)
		nn.Eval(c.layer)
		for j, g := range relations(t) {
			if testing.Short() && (i+j)%13 != 0 {
				continue
			}
			xSrc, xDst, f := c.inputs(g.Graph, tensor.Float64)
			xs := append([]*autograd.Var{xSrc, xDst}, nn.Parameters(c.layer)...)
			if f != nil {
				xs = append(xs, f)
			}
			err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return c.forward(g.Graph, xSrc, xDst, f) }, xs)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, g.name, err)
			}
		}
	}
}

// Sources and destinations of a relation are the vertices of one homogeneous graph, in
// which edges lead from the ones to the others.
func TestPairLayersEqualTheHomogeneousLayerOnBothKindsTogether(t *testing.T) {
	for _, c := range pairCases(tensor.Float64) {
		if c.apart {
			continue
		}
		stir(c.layer)
		nn.Eval(c.layer)
		for _, g := range relations(t) {
			if g.NumDst() == 0 {
				continue
			}
			dst := slices.Clone(g.Dst())
			for e := range dst {
				dst[e] += int32(g.NumSrc())
			}
			whole := mustGraph(t, g.NumSrc()+g.NumDst(), g.Src(), dst)
			xSrc, xDst, f := c.inputs(g.Graph, tensor.Float64)
			leaves := append([]*autograd.Var{xSrc}, nn.Parameters(c.layer)...)
			if !c.rootless {
				leaves = append(leaves, xDst)
			}
			if f != nil {
				leaves = append(leaves, f)
			}
			results := func(out *autograd.Var) []float64 {
				for _, v := range leaves {
					v.ZeroGrad()
				}
				out.BackwardWith(randn(tensor.Float64, 5, g.NumDst(), c.out))
				all := out.Tensor().Float64s()
				for _, v := range leaves {
					all = append(all, v.Gradient().Float64s()...)
				}
				return all
			}
			want := results(c.one(whole, autograd.Concat(0, xSrc, xDst), f).Slice(0, g.NumSrc(), g.NumSrc()+g.NumDst()))
			near(t, c.name+", "+g.name, results(c.forward(g.Graph, xSrc, xDst, f)), want, 1e-12)
		}
	}
}

func TestPairLayersHaveNoEdgeTensorInTheirPlans(t *testing.T) {
	for _, c := range pairCases(tensor.Float32) {
		for _, g := range relations(t)[4:] {
			xSrc, xDst, f := c.inputs(g.Graph, tensor.Float32)
			for _, training := range []bool{true, false} {
				nn.SetTraining(c.layer, training)
				compiled := c.compiled(g.Graph, xSrc, xDst, f)
				for what, p := range map[string]*plan.Plan{"forward": compiled.Forward, "backward": compiled.Backward} {
					for _, b := range p.Buffers {
						asked := b.Role == plan.Input || b.Role == plan.Output && b.Name == "grad edge f"
						if b.Res == ir.Edge && !asked {
							t.Errorf("%s, %s, training %v: %s holds the edge tensor %q", c.name, g.name, training, what, b.Name)
						}
					}
				}
			}
		}
	}
}

func TestSparseFeaturesOfEitherEndGiveWhatDenseOnesDo(t *testing.T) {
	sparse := func(n, cols int) *tensor.Sparse {
		indptr, indices := make([]int32, n+1), []int32{}
		for v := range n {
			for k := v % 3; k < cols; k += 2 + v%2 {
				indices = append(indices, int32(k))
			}
			indptr[v+1] = int32(len(indices))
		}
		s, err := tensor.NewSparse(n, cols, indptr, indices, randn(tensor.Float64, 1, len(indices)))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range pairCases(tensor.Float64) {
		stir(c.layer)
		nn.Eval(c.layer)
		for _, g := range relations(t)[4:] {
			xSrc, xDst := sparse(g.NumSrc(), 5), sparse(g.NumDst(), c.dst)
			_, _, f := c.inputs(g.Graph, tensor.Float64)
			results := func(from, to *autograd.Var) []float64 {
				nn.ZeroGrad(c.layer)
				out := c.forward(g.Graph, from, to, f)
				out.BackwardWith(randn(tensor.Float64, 5, g.NumDst(), c.out))
				all := out.Tensor().Float64s()
				for _, p := range nn.Parameters(c.layer) {
					all = append(all, p.Gradient().Float64s()...)
				}
				return all
			}
			from, to := autograd.Constant(xSrc.ToDense()), autograd.Constant(xDst.ToDense())
			for what, ends := range map[string][2]*autograd.Var{
				"xSrc": {autograd.SparseConstant(xSrc), to}, "xDst": {from, autograd.SparseConstant(xDst)},
				"xSrc and xDst": {autograd.SparseConstant(xSrc), autograd.SparseConstant(xDst)},
			} {
				if !c.sparse && !(c.rootless && what == "xDst") {
					err := autograd.Try(func() { c.forward(g.Graph, ends[0], ends[1], f) })
					if !isMisuse(err, what[:4]+" is sparse; the layer takes it dense") {
						t.Errorf("%s, %s: sparse %s gives %v", c.name, g.name, what, err)
					}
					continue
				}
				near(t, c.name+", "+g.name+", "+what, results(ends[0], ends[1]), results(from, to), 1e-12)
			}
		}
	}
}

func TestPairLayersDropAttentionInTraining(t *testing.T) {
	r, cfg := nn.NewRNG(1), gnn.GATConfig{AttnDropout: 0.5}
	g := relations(t)[5].Graph
	for name, l := range map[string]pairLayer{
		"gat": gnn.NewGATConv(5, 2, 3, cfg, r, gnn.DstFeatures(7)), "gatv2": gnn.NewGATv2Conv(5, 2, 3, cfg, r, gnn.DstFeatures(7)),
	} {
		xSrc, xDst := autograd.Constant(randn(tensor.Float32, 1, 13, 5)), autograd.Constant(randn(tensor.Float32, 2, 5, 7))
		run := func() []float64 { return l.ForwardPair(g, xSrc, xDst).Tensor().Float64s() }
		if sameBits(run(), run()) {
			t.Errorf("%s: two training passes have one mask", name)
		}
		nn.Eval(l)
		if !sameBits(run(), run()) {
			t.Errorf("%s: dropout is not off in evaluation", name)
		}
	}
}

// A checkpoint of PyG's layer made with the tuple of widths has the tensors of ours, by
// other names: attention vectors with an axis in front, weights of Linear transposed.
func TestPairLayersLoadCheckpointsOfPyGByName(t *testing.T) {
	for i, c := range pairCases(tensor.Float32) {
		stir(c.layer)
		names := nn.FileNames(func(name string) (string, bool) { return c.pyg[name].name, c.pyg[name].transposed })
		file := map[string]*tensor.Tensor{}
		for _, s := range nn.State(c.layer) {
			theirs, ok := c.pyg[s.Name]
			x := s.Var.Tensor()
			switch {
			case !ok:
				t.Errorf("%s: PyG has no %s", c.name, s.Name)
			case theirs.transposed:
				x = x.Transpose()
			case strings.HasPrefix(theirs.name, "att"):
				x = x.Reshape(append([]int{1}, x.Shape()...)...)
			}
			file[theirs.name] = x.Contiguous()
		}
		if len(file) != len(c.pyg) {
			t.Errorf("%s: %d tensors, PyG has %d", c.name, len(file), len(c.pyg))
		}
		var b bytes.Buffer
		if err := nn.SaveTensors(&b, file, nil); err != nil {
			t.Fatal(err)
		}
		other := pairCases(tensor.Float32)[i]
		if err := nn.Load(&b, other.layer, nn.PyTorchLayout(), names); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for j, s := range nn.State(other.layer) {
			if !sameBits(s.Var.Tensor().Float64s(), nn.State(c.layer)[j].Var.Tensor().Float64s()) {
				t.Errorf("%s: %s differs", c.name, s.Name)
			}
		}
	}
}

func TestPairLayersRejectWhatDoesNotFit(t *testing.T) {
	g := relations(t)[7].Graph // 9 authors, 6 papers, 20 edges
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	for _, c := range pairCases(tensor.Float32) {
		var f *autograd.Var
		if c.edge > 0 {
			f = v(20, c.edge)
		}
		type fault struct {
			g             *graph.Graph
			xSrc, xDst, f *autograd.Var
			want          string
		}
		faults := map[string]fault{
			"nil graph":    {nil, v(9, 5), v(6, c.dst), f, "the graph is nil"},
			"nil xSrc":     {g, nil, v(6, c.dst), f, "xSrc is nil"},
			"nil xDst":     {g, v(9, 5), nil, f, "xDst is nil"},
			"rows of xSrc": {g, v(6, 5), v(6, c.dst), f, "xSrc has 6 rows, the graph 9 sources"},
			"rows of xDst": {g, v(9, 5), v(9, c.dst), f, "xDst has 9 rows, the graph 6 destinations"},
			"rank":         {g, v(9), v(6, c.dst), f, "xSrc has shape [9], the layer takes"},
			"type of xSrc": {g, autograd.Constant(tensor.Zeros(tensor.Float64, 9, 5)), v(6, c.dst), f, "xSrc holds f64, the layer's weights f32: convert xSrc"},
			"type of xDst": {g, v(9, 5), autograd.Constant(tensor.Zeros(tensor.Float64, 6, c.dst)), f, "xDst holds f64, the layer's weights f32: convert xDst"},
		}
		if c.name == "gin" { // takes any width
			faults["widths"] = fault{g, v(9, 5), v(6, 4), f, "xSrc has 5 features, xDst 4; the layer adds them"}
		} else {
			faults["columns of xSrc"] = fault{g, v(9, 4), v(6, c.dst), f, "xSrc has 4 features, the layer takes 5"}
			faults["columns of xDst"] = fault{g, v(9, 5), v(6, 8), f, fmt.Sprintf("xDst has 8 features, the layer takes %d", c.dst)}
		}
		if c.rootless { // nothing is said of what is not read but of its rows
			delete(faults, "nil xDst")
			delete(faults, "type of xDst")
			delete(faults, "columns of xDst")
		}
		if c.edge > 0 {
			faults["nil f"] = fault{g, v(9, 5), v(6, c.dst), nil, "f is nil"}
			faults["rows of f"] = fault{g, v(9, 5), v(6, c.dst), v(19, c.edge), "f has 19 rows, the graph 20 edges"}
		}
		for what, bad := range faults {
			forward := autograd.Try(func() { c.forward(bad.g, bad.xSrc, bad.xDst, bad.f) })
			compiled := autograd.Try(func() { c.compiled(bad.g, bad.xSrc, bad.xDst, bad.f) })
			var typed *gnn.Error
			if !errors.As(forward, &typed) || compiled == nil || forward.Error() != compiled.Error() || !strings.Contains(forward.Error(), bad.want) {
				t.Errorf("%s, %s: errors are %v and %v; want one with %q", c.name, what, forward, compiled, bad.want)
			}
		}
		one := autograd.Try(func() { c.one(messy(t), v(6, 5), v(12, c.edge)) })
		if want := "the layer was made for destinations of 7 features (DstFeatures), which ForwardPair takes"; c.apart != isMisuse(one, want) {
			t.Errorf("%s: features of one kind of vertices give %v", c.name, one)
		}
	}
	x := v(6, 5)
	for want, f := range map[string]func(){
		"SAGEConv":        func() { (*gnn.SAGEConv)(nil).ForwardPair(g, x, x) },
		"GraphConv":       func() { (&gnn.GraphConv{}).ForwardPair(g, x, x) },
		"GATConv":         func() { (&gnn.GATConv{}).ForwardPair(g, x, x) },
		"GATv2Conv":       func() { (&gnn.GATv2Conv{}).ForwardPair(g, x, x) },
		"GINConv":         func() { (*gnn.GINConv)(nil).ForwardPair(g, x, x) },
		"GINEConv":        func() { (&gnn.GINEConv{}).ForwardPair(g, x, x, x) },
		"NNConv":          func() { (*gnn.NNConv)(nil).ForwardPair(g, x, x, x) },
		"TransformerConv": func() { (&gnn.TransformerConv{}).CompiledPair(g, x, x, nil) },
	} {
		if err := autograd.Try(f); !isMisuse(err, "gnn: "+want+": the layer has no program; make it with New"+want) {
			t.Errorf("the error is %v, want one of %s", err, want)
		}
	}
}
