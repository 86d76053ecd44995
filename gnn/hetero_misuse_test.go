package gnn_test

// Misuse of the layers over types of vertices and edges.

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// wantMisuses runs what is wrong and looks for the error that its key names.
func wantMisuses(t *testing.T, wrong map[string]func()) {
	t.Helper()
	for want, f := range wrong {
		var typed *gnn.Error
		if err := autograd.Try(f); !errors.As(err, &typed) || err.Error() != want {
			t.Errorf("the error is %T %v, want %s", err, err, want)
		}
	}
}

func TestConstructorsOfTypedLayersRejectWhatMakesNoSense(t *testing.T) {
	r := nn.NewRNG(1)
	wantMisuses(t, map[string]func(){
		"gnn: RGCNConv: size 0; want sizes above 0":                                   func() { gnn.NewRGCNConv(0, 1, 1, gnn.RGCNConfig{}, r) },
		"gnn: RGCNConv: size -2; want sizes above 0":                                  func() { gnn.NewRGCNConv(1, 1, -2, gnn.RGCNConfig{}, r) },
		"gnn: RGCNConv: size -1; want 0 or more":                                      func() { gnn.NewRGCNConv(2, 2, 2, gnn.RGCNConfig{Bases: -1}, r) },
		"gnn: RGCNConv: 2 bases and 2 blocks; want one of the two":                    func() { gnn.NewRGCNConv(2, 2, 2, gnn.RGCNConfig{Bases: 2, Blocks: 2}, r) },
		"gnn: RGCNConv: weights [6 4] are not made of 3 equal blocks":                 func() { gnn.NewRGCNConv(6, 4, 2, gnn.RGCNConfig{Blocks: 3}, r) },
		"gnn: RGCNEmbedding: size 0; want sizes above 0":                              func() { gnn.NewRGCNEmbedding(0, 1, 1, gnn.RGCNConfig{}, r) },
		"gnn: RGCNEmbedding: 2 blocks: one-hot features have none":                    func() { gnn.NewRGCNEmbedding(4, 2, 1, gnn.RGCNConfig{Blocks: 2}, r) },
		"gnn: RGATConv: size -3; want sizes above 0":                                  func() { gnn.NewRGATConv(1, 1, -3, 1, gnn.RGATConfig{}, r) },
		"gnn: RGATConv: size -3; want 0 or more":                                      func() { gnn.NewRGATConv(1, 1, 1, 1, gnn.RGATConfig{Bases: -3}, r) },
		"gnn: RGATConv: attention dropout NaN is outside [0, 1]":                      func() { gnn.NewRGATConv(1, 1, 1, 1, gnn.RGATConfig{AttnDropout: math.NaN()}, r) },
		"gnn: HGTConv: size 0; want sizes above 0":                                    func() { gnn.NewHGTConv(4, 2, 0, 1, gnn.HGTConfig{}, r) },
		"gnn: HGTConv: 5 features are not made of 2 equal heads":                      func() { gnn.NewHGTConv(5, 2, 1, 1, gnn.HGTConfig{}, r) },
		"gnn: HGTConv: dropout 1.5 is outside [0, 1]":                                 func() { gnn.NewHGTConv(4, 2, 1, 1, gnn.HGTConfig{Dropout: 1.5}, r) },
		"gnn: SimpleHGNConv: size 0; want sizes above 0":                              func() { gnn.NewSimpleHGNConv(4, 2, 1, 1, 0, gnn.SimpleHGNConfig{}, r) },
		"gnn: SimpleHGNConv: beta 2 is outside [0, 1]":                                func() { gnn.NewSimpleHGNConv(4, 2, 1, 1, 1, gnn.SimpleHGNConfig{Beta: 2}, r) },
		"gnn: SimpleHGNConv: attention dropout -1 is outside [0, 1]":                  func() { gnn.NewSimpleHGNConv(4, 2, 1, 1, 1, gnn.SimpleHGNConfig{AttnDropout: -1}, r) },
		"gnn: RGCNConv: the layer has no program; make it with NewRGCNConv":           func() { (&gnn.RGCNConv{}).Forward(messy(t), nil) },
		"gnn: RGCNEmbedding: the layer has no program; make it with NewRGCNEmbedding": func() { (*gnn.RGCNEmbedding)(nil).Forward(messy(t), nil) },
		"gnn: RGATConv: the layer has no program; make it with NewRGATConv":           func() { (&gnn.RGATConv{}).Forward(messy(t), nil) },
		"gnn: HGTConv: the layer has no program; make it with NewHGTConv":             func() { (*gnn.HGTConv)(nil).Compiled(messy(t), nil) },
		"gnn: SimpleHGNConv: the layer has no program; make it with NewSimpleHGNConv": func() { (&gnn.SimpleHGNConv{}).Forward(messy(t), nil, nil) },
		"gnn: HeteroLinear: the layer has no program; make it with NewHeteroLinear":   func() { (*gnn.HeteroLinear)(nil).Forward(nil, nil) },
	})
}

func TestTypedLayersRejectWhatDoesNotFit(t *testing.T) {
	g := ofTypes(t, messy(t), numEdgeTypes, numVertexTypes) // 6 vertices
	block := ofTypes(t, someBlocks(t)[5].Graph, numEdgeTypes, numVertexTypes)
	noBlock, err := graph.NewBipartite(5, 6, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	csr, err := tensor.NewSparse(6, 6, make([]int32, 7), nil, tensor.Zeros(tensor.Float32, 0))
	if err != nil {
		t.Fatal(err)
	}
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	for _, c := range typedCases(tensor.Float32) {
		if c.prev { // which fails first without a graph
			continue
		}
		faults := map[string]struct {
			g    *graph.Graph
			x    *autograd.Var
			want string
		}{
			"nil graph":       {nil, v(6, 6), "the graph is nil"},
			"nil x":           {g, nil, "x is nil"},
			"rows":            {g, v(7, 6), "x has 7 rows, the graph 6 vertices"},
			"columns":         {g, v(6, 4), "x has 4 features, the layer takes 6"},
			"rank":            {g, v(6), "x has shape [6], the layer takes [6 6]"},
			"no block":        {noBlock, v(5, 6), "is no block"},
			"rows of a block": {block, v(6, 6), "x has 6 rows, the graph 15 vertices"},
			"no types":        {messy(t), v(6, 6), "the graph has 0 "},
			"edge types":      {ofTypes(t, messy(t), 5, numVertexTypes), v(6, 6), "the graph has 5 edge types, the layer takes 4"},
			"wrong type":      {g, autograd.Constant(tensor.Zeros(tensor.Float64, 6, 6)), "f64"},
		}
		if _, ok := c.layer.(*simpleHGN); !ok {
			faults["sparse"] = struct {
				g    *graph.Graph
				x    *autograd.Var
				want string
			}{g, autograd.SparseConstant(csr), "x is sparse; the layer takes it dense"}
		}
		for what, f := range faults {
			forward := autograd.Try(func() { c.layer.Forward(f.g, f.x) })
			compiled := autograd.Try(func() { c.layer.Compiled(f.g, f.x) })
			if !isMisuse(forward, f.want) || compiled == nil || compiled.Error() != forward.Error() {
				t.Errorf("%s, wrong %s: errors are %v and %v, want %q", c.name, what, forward, compiled, f.want)
			}
			if _, ok := errors.AsType[*gnn.Error](forward); !ok && what != "wrong type" {
				t.Errorf("%s, wrong %s: the error is %T", c.name, what, forward)
			}
		}
	}
	hgt := gnn.NewHGTConv(6, 2, numVertexTypes, numEdgeTypes, gnn.HGTConfig{}, nn.NewRNG(1))
	hgn := gnn.NewSimpleHGNConv(6, 3, 2, numEdgeTypes, 3, gnn.SimpleHGNConfig{}, nn.NewRNG(1))
	emb := gnn.NewRGCNEmbedding(6, 3, numEdgeTypes, gnn.RGCNConfig{}, nn.NewRNG(1))
	w := v(numEdgeTypes, 6, 2)
	wantMisuses(t, map[string]func(){
		"gnn: HGTConv: the graph has 2 vertex types, the layer takes 3":                                                             func() { hgt.Forward(ofTypes(t, messy(t), numEdgeTypes, 2), v(6, 6)) },
		"gnn: SimpleHGNConv: prev has 11 rows, the graph 12 edges":                                                                  func() { hgn.Forward(g, v(6, 6), v(11, 2)) },
		"gnn: SimpleHGNConv: prev has 3 features, the layer takes 2":                                                                func() { hgn.ForwardAttention(g, v(6, 6), v(12, 3)) },
		"gnn: RGCNEmbedding: the graph is nil":                                                                                      func() { emb.Forward(nil, nil) },
		"gnn: RGCNEmbedding: the graph has 15 vertices, the layer is for 6: give ids":                                               func() { emb.Forward(block, nil) },
		"gnn: RGCNEmbedding: 2 ids for 6 vertices of the graph":                                                                     func() { emb.Forward(g, []int32{1, 2}) },
		"gnn: RGCNEmbedding: the graph has 0 edge types, the layer takes 4; graph.WithEdgeTypes gives edges types":                  func() { emb.Compiled(messy(t), nil) },
		"gnn: TypedLinear: the weight is nil":                                                                                       func() { gnn.TypedLinear(g, v(6, 6), nil) },
		"gnn: TypedLinear: the weight has shape [6 2], want [types in out]":                                                         func() { gnn.TypedLinear(g, v(6, 6), v(6, 2)) },
		"gnn: TypedLinear: the graph has 3 vertex types, the layer takes 4":                                                         func() { gnn.TypedLinear(g, v(6, 6), w) },
		"gnn: EdgeTypedLinear: the graph has 0 edge types, the layer takes 4; graph.WithEdgeTypes gives edges types":                func() { gnn.EdgeTypedLinear(messy(t), v(6, 6), w) },
		"gnn: EdgeTypedLinear: x has 5 features, the layer takes 6":                                                                 func() { gnn.EdgeTypedLinear(g, v(6, 5), w) },
		"gnn: RGCNEmbedding: a bipartite graph of 5 sources and 6 destinations is no block: its destinations are its first sources": func() { emb.Forward(noBlock, nil) },
	})
	if err := autograd.Try(func() { emb.Forward(g, []int32{0, 1, 2, 3, 4, 6}) }); !errors.As(err, new(*tensor.IndexError)) || !strings.Contains(err.Error(), "6") {
		t.Errorf("an id out of range gives %T %v", err, err)
	}
}

// TypedLinear and EdgeTypedLinear on blocks, whose destinations are the first sources.
func TestTypedLinearsOnBlocks(t *testing.T) {
	for _, g := range typedSettings(t) {
		x := autograd.Constant(randn(tensor.Float64, 1, g.NumSrc(), 5))
		wv, we := autograd.Constant(randn(tensor.Float64, 2, numVertexTypes, 5, 3)), autograd.Constant(randn(tensor.Float64, 3, numEdgeTypes, 5, 3))
		rows := rowsOf(x)
		var vertices, edges []float64
		for v := range g.NumDst() {
			vertices = append(vertices, times(rows[v], ofType(wv, int(g.DstTypes()[v])))...)
		}
		for e, u := range g.Src() {
			edges = append(edges, times(rows[u], ofType(we, int(g.EdgeTypes()[e])))...)
		}
		near(t, "vertices of "+g.name, gnn.TypedLinear(g.Graph, x, wv).Tensor().Float64s(), vertices, 1e-13)
		near(t, "edges of "+g.name, gnn.EdgeTypedLinear(g.Graph, x, we).Tensor().Float64s(), edges, 1e-13)
	}
}

// Edges are computed from their sources alone: a relation may have more destinations.
func TestEdgeTypedLinearTakesAnyRelation(t *testing.T) {
	g, err := graph.NewBipartite(2, 3, []int32{0, 1, 1}, []int32{2, 0, 1}, graph.WithEdgeTypes([]int32{0, 1, 0}, 2))
	if err != nil {
		t.Fatal(err)
	}
	x, w := autograd.Constant(randn(tensor.Float64, 1, 2, 5)), autograd.Constant(randn(tensor.Float64, 2, 2, 5, 3))
	var want []float64
	for e, u := range g.Src() {
		want = append(want, times(rowsOf(x)[u], ofType(w, int(g.EdgeTypes()[e])))...)
	}
	near(t, "edges", gnn.EdgeTypedLinear(g, x, w).Tensor().Float64s(), want, 1e-13)
	wantMisuses(t, map[string]func(){
		"gnn: EdgeTypedLinear: the graph is nil":                  func() { gnn.EdgeTypedLinear(nil, x, w) },
		"gnn: EdgeTypedLinear: x has 3 rows, the graph 2 sources": func() { gnn.EdgeTypedLinear(g, autograd.Constant(randn(tensor.Float64, 1, 3, 5)), w) },
	})
}
