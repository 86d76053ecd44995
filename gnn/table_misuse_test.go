package gnn_test

// Misuse of the layers of the table: every fault is an error that names the layer.

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestLayersOfTheTableRejectWhatDoesNotFit(t *testing.T) {
	plainGraph := messy(t) // 6 vertices, 12 edges
	block := someBlocks(t)[5].Graph
	noBlock, err := graph.NewBipartite(5, 6, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	for _, c := range layerCases(tensor.Float32) {
		g := c.on(plainGraph)
		var f *autograd.Var
		if c.edge > 0 {
			f = v(12, c.edge)
		}
		type fault struct {
			g    *graph.Graph
			x, f *autograd.Var
			want string
		}
		faults := map[string]fault{
			"nil graph": {nil, v(6, 5), f, "the graph is nil"},
			"nil x":     {g, nil, f, "x is nil"},
			"rows":      {g, v(7, 5), f, "x has 7 rows, the graph 6 vertices"},
			"rank":      {g, v(6), f, "x has shape [6], the layer takes"},
			"no block":  {noBlock, v(5, 5), f, "bipartite"},
		}
		if !c.anyWidth {
			faults["columns"] = fault{g, v(6, 4), f, "x has 4 features, the layer takes 5"}
		}
		if c.homogeneous {
			faults["block"] = fault{block, v(15, 5), f, "the graph is bipartite, the layer takes a homogeneous one"}
		} else {
			faults["rows of a block"] = fault{block, v(6, 5), f, "x has 6 rows, the graph 15 vertices"}
		}
		if c.types > 0 {
			faults["types"] = fault{plainGraph, v(6, 5), f, "the graph has 0 edge types, the layer 3; one made for 0 has one weight for all edges"}
		}
		if c.edge > 0 {
			faults["nil f"] = fault{g, v(6, 5), nil, "f is nil"}
			faults["rows of f"] = fault{g, v(6, 5), v(11, c.edge), "f has 11 rows, the graph 12 edges"}
			faults["columns of f"] = fault{g, v(6, 5), v(12, 9), "f has 9 features, the layer takes "}
		} else if c.edges {
			faults["f"] = fault{g, v(6, 5), v(12, 2), "edge features of shape [12 2]; the layer was made for none"}
		}
		for what, bad := range faults {
			forward := autograd.Try(func() { c.forward(bad.g, bad.x, bad.f) })
			compiled := autograd.Try(func() { c.compiled(bad.g, bad.x, bad.f) })
			var typed *gnn.Error
			if !errors.As(forward, &typed) || compiled == nil || forward.Error() != compiled.Error() {
				t.Errorf("%s, %s: errors are %v and %v; want one *gnn.Error", c.name, what, forward, compiled)
				continue
			}
			if !strings.Contains(forward.Error(), bad.want) {
				t.Errorf("%s, %s: the error is %q, want %q", c.name, what, forward, bad.want)
			}
		}
		if len(nn.Parameters(c.layer)) > 0 {
			err := autograd.Try(func() {
				x := autograd.Constant(tensor.Zeros(tensor.Float64, 6, 5))
				c.forward(g, x, f)
			})
			if !isMisuse(err, "f64") {
				t.Errorf("%s: float64 features for float32 weights give %v", c.name, err)
			}
		}
	}
}

func TestZeroLayersAreMisuse(t *testing.T) {
	g := messy(t)
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 6, 5))
	for want, f := range map[string]func(){
		"GATv2Conv":        func() { (&gnn.GATv2Conv{}).Forward(g, x) },
		"SAGEConv":         func() { (*gnn.SAGEConv)(nil).Forward(g, x) },
		"GraphConv":        func() { (*gnn.GraphConv)(nil).Forward(g, x) },
		"GINConv":          func() { (&gnn.GINConv{}).Forward(g, x) },
		"GINEConv":         func() { (&gnn.GINEConv{}).Forward(g, x, x) },
		"APPNP":            func() { (&gnn.APPNP{}).Forward(g, x) },
		"SGConv":           func() { (*gnn.SGConv)(nil).Compiled(g, x) },
		"ChebConv":         func() { (&gnn.ChebConv{}).Forward(g, x) },
		"TAGConv":          func() { (*gnn.TAGConv)(nil).Compiled(g, x) },
		"LightGCN":         func() { (&gnn.LightGCN{}).Forward(g) },
		"GCN2Conv":         func() { (&gnn.GCN2Conv{}).Forward(g, x, x) },
		"CommNetConv":      func() { (&gnn.CommNetConv{}).Forward(g, x) },
		"MPGCNConv":        func() { (&gnn.MPGCNConv{}).Forward(g, x) },
		"GGCNConv":         func() { (&gnn.GGCNConv{}).Forward(g, x) },
		"GGNNConv":         func() { (*gnn.GGNNConv)(nil).Forward(g, x) },
		"CGATConv":         func() { (&gnn.CGATConv{}).Forward(g, x, nil) },
		"EdgeConv":         func() { (&gnn.EdgeConv{}).Forward(g, x) },
		"PNAConv":          func() { (&gnn.PNAConv{}).Forward(g, x, nil) },
		"NNConv":           func() { (&gnn.NNConv{}).Forward(g, x, nil) },
		"AGNNConv":         func() { (&gnn.AGNNConv{}).Forward(g, x) },
		"DirGNNConv":       func() { (&gnn.DirGNNConv{}).Forward(g, x) },
		"TransformerConv":  func() { (&gnn.TransformerConv{}).Forward(g, x, nil) },
		"GraphNorm":        func() { (&gnn.GraphNorm{}).Forward(nil, x) },
		"PairNorm":         func() { (*gnn.PairNorm)(nil).Forward(nil, x) },
		"InstanceNorm":     func() { (&gnn.InstanceNorm{}).Forward(nil, x) },
		"GraphLayerNorm":   func() { (&gnn.GraphLayerNorm{}).Forward(nil, x) },
		"MessageNorm":      func() { (&gnn.MessageNorm{}).Forward(x, x) },
		"DiffGroupNorm":    func() { (&gnn.DiffGroupNorm{}).Forward(x) },
		"LabelPropagation": func() { (&gnn.LabelPropagation{}).Forward(g, x, nil) },
		"CorrectAndSmooth": func() { (*gnn.CorrectAndSmooth)(nil).Forward(g, x, x, nil) },
	} {
		text := "gnn: " + want + ": the layer has no program; make it with New" + want
		var typed *gnn.Error
		if err := autograd.Try(f); !errors.As(err, &typed) || err.Error() != text {
			t.Errorf("the error is %T %v, want %s", err, err, text)
		}
	}
}

func TestNilModelsAreMisuse(t *testing.T) {
	g := messy(t)
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 6, 5))
	for want, fs := range map[string][]func(){
		"GCN": {
			func() { (*gnn.GCN)(nil).Forward(g, x) },
			func() { (*gnn.GCN)(nil).ForwardWeighted(g, x, nil) },
			func() { (*gnn.GCN)(nil).ForwardBlocks(nil, x) },
		},
		"GAT": {
			func() { (*gnn.GAT)(nil).Forward(g, x) },
			func() { (*gnn.GAT)(nil).ForwardBlocks(nil, x) },
		},
		"GIN":      {func() { (*gnn.GIN)(nil).Forward(g, x, &graph.BatchInfo{}) }},
		"RGCN":     {func() { (*gnn.RGCN)(nil).Forward(g) }},
		"APPNPNet": {func() { (*gnn.APPNPNet)(nil).Forward(g, x) }},
		"GCNII":    {func() { (*gnn.GCNII)(nil).Forward(g, x) }},
		"LightGCN": {
			func() { (*gnn.LightGCN)(nil).Forward(g) },
			func() { (*gnn.LightGCN)(nil).CompiledWeighted(g, nil) },
			func() { (*gnn.LightGCN)(nil).Scores(g, nil, gnn.Links{}) },
			func() { (*gnn.LightGCN)(nil).Recommend(g, nil, nil, 1, gnn.RecommendConfig{}) },
			func() { (*gnn.LightGCN)(nil).Loss(x, x, nil, 0) },
		},
		"SAGE": {
			func() { (*gnn.SAGE)(nil).Forward(g, x) },
			func() { (*gnn.SAGE)(nil).ForwardBlocks(nil, x) },
		},
		"HGT": {
			func() { (*gnn.HGT)(nil).Forward(nil, nil) },
			func() { (*gnn.HGT)(nil).ForwardOn(g, nil, nil) },
		},
		"SimpleHGN": {
			func() { (*gnn.SimpleHGN)(nil).Forward(nil, nil) },
			func() { (*gnn.SimpleHGN)(nil).ForwardOn(g, nil, nil) },
		},
	} {
		text := "gnn: " + want + ": the model is nil; make it with New" + want
		for _, f := range fs {
			var typed *gnn.Error
			if err := autograd.Try(f); !errors.As(err, &typed) || err.Error() != text {
				t.Errorf("the error is %T %v, want %s", err, err, text)
			}
		}
	}
}

// Of models and readouts that begin with a linear layer, it is not that layer which tells;
// nor is it the program of a normalisation.
func TestModelsReadoutsAndNormalisationsNameWhatDoesNotFit(t *testing.T) {
	g, r := messy(t), nn.NewRNG(1)
	batched, info, err := graph.Batch(g, g)
	if err != nil {
		t.Fatal(err)
	}
	gin := gnn.NewGIN(4, 5, 2, 1, gnn.GINConfig{}, 0, r)
	appnp, gcnii := gnn.NewAPPNPNet(4, 5, 2, gnn.APPNPConfig{}, 0, r), gnn.NewGCNII(4, 5, 2, 1, gnn.GCNIIConfig{}, 0, r)
	set, gated, attention := gnn.NewSet2Set(4, 2, r), gnn.NewGatedReadout(4, 2, r), gnn.NewAttentionReadout(4, r)
	norm, ln := gnn.NewGraphNorm(4, gnn.GraphNormConfig{}), gnn.NewGraphLayerNorm(4, gnn.GraphLayerNormConfig{})
	inst := gnn.NewInstanceNorm(4, gnn.InstanceNormConfig{Affine: true, TrackRunningStats: true})
	for _, c := range []struct {
		name, x string
		rows    int
		forward func(x *autograd.Var)
	}{
		{"GIN", "x", 12, func(x *autograd.Var) { gin.Forward(batched, x, info) }},
		{"APPNPNet", "x", 6, func(x *autograd.Var) { appnp.Forward(g, x) }},
		{"GCNII", "x", 6, func(x *autograd.Var) { gcnii.Forward(g, x) }},
		{"Set2Set", "x", 12, func(x *autograd.Var) { set.Forward(info, x) }},
		{"GatedReadout", "h", 12, func(x *autograd.Var) { gated.Forward(info, x) }},
		{"AttentionReadout", "h", 12, func(x *autograd.Var) { attention.Forward(info, x) }},
		{"GraphNorm", "x", 12, func(x *autograd.Var) { norm.Forward(info, x) }},
		{"GraphLayerNorm", "x", 12, func(x *autograd.Var) { ln.Forward(info, x) }},
		{"InstanceNorm", "x", 12, func(x *autograd.Var) { inst.Forward(info, x) }},
	} {
		of := fmt.Sprintf("gnn: %s: %s ", c.name, c.x)
		convert := fmt.Sprintf(", the layer's weights f32: convert %s (tensor.Tensor.To), or make the layer WithDType", c.x)
		given := func(dt tensor.DType, shape ...int) func() {
			return func() { c.forward(autograd.Constant(tensor.Zeros(dt, shape...))) }
		}
		wantMisuses(t, map[string]func(){
			of + "is nil":                            func() { c.forward(nil) },
			of + "has 3 features, the layer takes 4": given(tensor.Float32, c.rows, 3),
			of + fmt.Sprintf("has 5 rows, the graph %d vertices", c.rows):         given(tensor.Float32, 5, 4),
			of + fmt.Sprintf("has shape [%d], the layer takes [%[1]d 4]", c.rows): given(tensor.Float32, c.rows),
			of + "holds f64" + convert:                                            given(tensor.Float64, c.rows, 4),
			of + "holds i32" + convert:                                            given(tensor.Int32, c.rows, 4),
		})
	}
}

func TestOtherNilArgumentsAreMisuse(t *testing.T) {
	for want, f := range map[string]func(){
		"gnn: Option: option 0 of a layer is nil":                                   func() { gnn.NewGCNConv(1, 1, nn.NewRNG(1), nil) },
		"gnn: PNADelta: graph 1 is nil":                                             func() { gnn.PNADelta(messy(t), nil) },
		"gnn: EvaluateLinks: the decoder is nil":                                    func() { gnn.EvaluateLinks(nil, nil, gnn.Links{}, gnn.LinkEval{}) },
		"gnn: HeteroLinear: the layer has no program; make it with NewHeteroLinear": func() { (*gnn.HeteroLinear)(nil).At(0) },
	} {
		var typed *gnn.Error
		if err := autograd.Try(f); !errors.As(err, &typed) || err.Error() != want {
			t.Errorf("the error is %T %v, want %s", err, err, want)
		}
	}
}

func TestGCN2ConvRejectsAnotherFirstRepresentation(t *testing.T) {
	g := messy(t)
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	l := gnn.NewGCN2Conv(5, 0.1, 0.5, nn.NewRNG(1))
	for want, x0 := range map[string]*autograd.Var{
		"gnn: GCN2Conv: x0 is nil":                               nil,
		"gnn: GCN2Conv: x0 has 5 rows, the graph 6 vertices":     v(5, 5),
		"gnn: GCN2Conv: x0 has 4 features, the layer takes 5":    v(6, 4),
		"gnn: GCN2Conv: x0 has shape [6], the layer takes [6 5]": v(6),
	} {
		var typed *gnn.Error
		if err := autograd.Try(func() { l.Forward(g, v(6, 5), x0) }); !errors.As(err, &typed) || err.Error() != want {
			t.Errorf("the error is %T %v, want %s", err, err, want)
		}
	}
}

func TestConstructorsOfTheTableRejectWhatMakesNoSense(t *testing.T) {
	r := nn.NewRNG(1)
	mlp := nn.NewMLP([]int{5, 6}, nn.MLPConfig{}, r)
	nan, inf := math.NaN(), math.Inf(1)
	for want, f := range map[string]func(){
		"Option: option 1 of a layer is nil":             func() { gnn.NewGCNConv(2, 2, r, gnn.NoBias(), nil) },
		"SAGEConv: size 0":                               func() { gnn.NewSAGEConv(0, 2, gnn.SAGEConfig{}, r) },
		"SAGEConv: size -1":                              func() { gnn.NewSAGEConv(2, 2, gnn.SAGEConfig{Pool: -1}, r) },
		"SAGEConv: Pool 4 is of SAGEMaxPool only":        func() { gnn.NewSAGEConv(2, 2, gnn.SAGEConfig{Pool: 4}, r) },
		"SAGEConv: aggregator 2; want SAGEMean or":       func() { gnn.NewSAGEConv(2, 2, gnn.SAGEConfig{Aggregator: 2}, r) },
		"GraphConv: size 0":                              func() { gnn.NewGraphConv(2, 0, gnn.ReduceSum, r) },
		"GraphConv: reduction 4; want ReduceSum,":        func() { gnn.NewGraphConv(2, 2, 4, r) },
		"GATv2Conv: size 0":                              func() { gnn.NewGATv2Conv(2, 2, 0, gnn.GATConfig{}, r) },
		"GATv2Conv: attention dropout 2":                 func() { gnn.NewGATv2Conv(2, 2, 1, gnn.GATConfig{AttnDropout: 2}, r) },
		"GATConv: size -1":                               func() { gnn.NewGATConv(2, 2, 1, gnn.GATConfig{Edge: -1}, r) },
		"GATv2Conv: size -3":                             func() { gnn.NewGATv2Conv(2, 2, 1, gnn.GATConfig{Edge: -3}, r) },
		"CGATConv: the columns of edge features":         func() { gnn.NewCGATConv(2, 0, 2, 1, gnn.GATConfig{Edge: 3}, r) },
		"GATConv: ProjectBias is of GATv2Conv only":      func() { gnn.NewGATConv(2, 2, 1, gnn.GATConfig{ProjectBias: true}, r) },
		"CGATConv: ProjectBias is of GATv2Conv only":     func() { gnn.NewCGATConv(2, 0, 2, 1, gnn.GATConfig{ProjectBias: true}, r) },
		"DstFeatures: size 0":                            func() { gnn.DstFeatures(0) },
		"DstFeatures: the layer has no width of its own": func() { gnn.NewGCNConv(2, 2, r, gnn.DstFeatures(3)) },
		"NoRoot: the layer takes no such option; NNConv": func() { gnn.NewGCNConv(2, 2, r, gnn.NoRoot()) },
		"NoRoot: the layer takes no such option":         func() { gnn.NewGATConv(2, 2, 1, gnn.GATConfig{}, r, gnn.NoRoot()) },
		"GINConv: the MLP is nil":                        func() { gnn.NewGINConv(nil, gnn.GINConfig{}) },
		"GINEConv: the MLP is nil":                       func() { gnn.NewGINEConv(5, 2, nil, gnn.GINConfig{}, r) },
		"GINEConv: size 0":                               func() { gnn.NewGINEConv(0, 2, mlp, gnn.GINConfig{}, r) },
		"GINEConv: size -2":                              func() { gnn.NewGINEConv(5, -2, mlp, gnn.GINConfig{}, r) },
		"APPNP: size -1":                                 func() { gnn.NewAPPNP(gnn.APPNPConfig{Steps: -1}, r) },
		"APPNP: alpha NaN is outside [0, 1]":             func() { gnn.NewAPPNP(gnn.APPNPConfig{Alpha: math.NaN()}, r) },
		"APPNP: dropout 1.5 is outside [0, 1]":           func() { gnn.NewAPPNP(gnn.APPNPConfig{Dropout: 1.5}, r) },
		"SGConv: size 0":                                 func() { gnn.NewSGConv(3, 2, 0, r) },
		"ChebConv: size 0":                               func() { gnn.NewChebConv(3, 2, 0, gnn.ChebConfig{}, r) },
		"ChebConv: Laplacian 3; want SymLaplacian,":      func() { gnn.NewChebConv(3, 2, 1, gnn.ChebConfig{Laplacian: 3}, r) },
		"ChebConv: LambdaMax is -1":                      func() { gnn.NewChebConv(3, 2, 1, gnn.ChebConfig{LambdaMax: -1}, r) },
		"ChebConv: LambdaMax is NaN":                     func() { gnn.NewChebConv(3, 2, 1, gnn.ChebConfig{LambdaMax: nan}, r) },
		"ChebConv: LambdaMax is +Inf":                    func() { gnn.NewChebConv(3, 2, 1, gnn.ChebConfig{LambdaMax: inf}, r) },
		"TAGConv: size 0":                                func() { gnn.NewTAGConv(3, 0, 1, gnn.TAGConfig{}, r) },
		"TAGConv: size -1; want 0 or more":               func() { gnn.NewTAGConv(3, 2, -1, gnn.TAGConfig{}, r) },
		"LightGCN: size 0":                               func() { gnn.NewLightGCN(0, 2, 1, gnn.LightGCNConfig{}, r) },
		"LightGCN: size -1; want 0 or more":              func() { gnn.NewLightGCN(2, 2, -1, gnn.LightGCNConfig{}, r) },
		"LightGCN: 2 numbers of Alpha for 2 layers; want 3": func() {
			gnn.NewLightGCN(2, 2, 2, gnn.LightGCNConfig{Alpha: []float64{1, 1}}, r)
		},
		"LightGCN: Alpha is NaN":                         func() { gnn.NewLightGCN(2, 2, 0, gnn.LightGCNConfig{Alpha: []float64{nan}}, r) },
		"GCN2Conv: alpha -1":                             func() { gnn.NewGCN2Conv(3, -1, 0.5, r) },
		"GCN2Conv: beta 2":                               func() { gnn.NewGCN2Conv(3, 0.5, 2, r) },
		"GCN2Conv: size 0":                               func() { gnn.NewGCN2Conv(0, 0.5, 0.5, r) },
		"CommNetConv: size 0":                            func() { gnn.NewCommNetConv(0, 1, r) },
		"MPGCNConv: size 0":                              func() { gnn.NewMPGCNConv(1, 0, 1, r) },
		"GGCNConv: size 0":                               func() { gnn.NewGGCNConv(1, 0, r) },
		"GGNNConv: 5 features; want at most the 4":       func() { gnn.NewGGNNConv(5, 4, 0, 1, r) },
		"GGNNConv: size -1":                              func() { gnn.NewGGNNConv(2, 4, -1, 1, r) },
		"GGNNConv: size 0":                               func() { gnn.NewGGNNConv(2, 4, 0, 0, r) },
		"CGATConv: size -1":                              func() { gnn.NewCGATConv(2, -1, 2, 2, gnn.GATConfig{}, r) },
		"CGATConv: size 0":                               func() { gnn.NewCGATConv(2, 1, 0, 2, gnn.GATConfig{}, r) },
		"EdgeConv: sizes [5]: want at least those of":    func() { gnn.NewEdgeConv([]int{5}, r) },
		"EdgeConv: size 0":                               func() { gnn.NewEdgeConv([]int{5, 0, 1}, r) },
		"PNAConv: delta 0; want a finite number above 0": func() { gnn.NewPNAConv(2, 0, 2, 0, r) },
		"PNAConv: delta +Inf":                            func() { gnn.NewPNAConv(2, 0, 2, math.Inf(1), r) },
		"NNConv: size 0":                                 func() { gnn.NewNNConv(2, 0, 3, mlp, gnn.NNConvConfig{}, r) },
		"NNConv: reduction 4; want ReduceSum,":           func() { gnn.NewNNConv(2, 5, 3, mlp, gnn.NNConvConfig{Reduce: 4}, r) },
		"NNConv: the network is nil":                     func() { gnn.NewNNConv(2, 5, 3, nil, gnn.NNConvConfig{}, r) },
		"NNConv: the network takes 5 features of an edge, want 4": func() {
			gnn.NewNNConv(2, 4, 3, mlp, gnn.NNConvConfig{}, r)
		},
		"NNConv: the network gives 6 numbers an edge, want 8: matrices [2 4]": func() {
			gnn.NewNNConv(2, 5, 4, nn.NewSequential(nn.Tanh(), mlp.Layers[0]), gnn.NNConvConfig{}, r)
		},
		"NNConv: the network's weights hold f32, the layer's f64: make the layer WithDType": func() {
			gnn.NewNNConv(2, 5, 3, mlp.Layers[0], gnn.NNConvConfig{}, r, gnn.WithDType(tensor.Float64))
		},
		"AGNNConv: beta is NaN; want a finite number":        func() { gnn.NewAGNNConv(nan, gnn.AGNNConfig{}) },
		"DirGNNConv: size -2":                                func() { gnn.NewDirGNNConv(2, -2, 0.5, nil, gnn.DirGNNConfig{}, r) },
		"DirGNNConv: alpha 1.5 is outside [0, 1]":            func() { gnn.NewDirGNNConv(2, 2, 1.5, nil, gnn.DirGNNConfig{}, r) },
		"DirGNNConv: the function is nil":                    func() { gnn.NewDirGNNConv(2, 2, 0.5, nil, gnn.DirGNNConfig{}, r) },
		"DirGNNConv: a layer that the function makes is nil": func() { gnn.NewDirGNNConv(2, 2, 0.5, func() gnn.PairConv { return nil }, gnn.DirGNNConfig{}, r) },
		"DirGNNConv: a layer that the function makes": func() {
			gnn.NewDirGNNConv(2, 2, 0.5, func() gnn.PairConv { return gnn.SourcePair(nil) }, gnn.DirGNNConfig{}, r)
		},
		"PNAConv: size 0":                       func() { gnn.NewPNAConv(0, 0, 2, 1, r) },
		"PNADelta: 1 graphs without an edge":    func() { gnn.PNADelta(mustGraph(t, 3, nil, nil)) },
		"TransformerConv: size -1":              func() { gnn.NewTransformerConv(2, 2, 2, gnn.TransformerConfig{Edge: -1}, r) },
		"TransformerConv: attention dropout -1": func() { gnn.NewTransformerConv(2, 2, 2, gnn.TransformerConfig{AttnDropout: -1}, r) },
		"SAGE: sizes [3]: want at least":        func() { gnn.NewSAGE([]int{3}, gnn.SAGEConfig{}, 0.5, r) },
		"GCN: 3 blocks for 2 layers":            func() { gnn.NewGCN(3, 2, 2, 0.5, r).ForwardBlocks(make([]*graph.Graph, 3), nil) },
		"GAT: 0 blocks for 2 layers":            func() { gnn.NewGAT(3, 2, 2, 2, 1, 0.5, r).ForwardBlocks(nil, nil) },
		"SAGE: 1 blocks for 2 layers": func() {
			gnn.NewSAGE([]int{3, 2, 2}, gnn.SAGEConfig{}, 0.5, r).ForwardBlocks(make([]*graph.Graph, 1), nil)
		},
		"GIN: batch is nil or empty: it says which graph": func() { gnn.NewGIN(3, 2, 2, 1, gnn.GINConfig{}, 0, r).Forward(messy(t), nil, &graph.BatchInfo{}) },
		"GIN: the batch does not fit itself": func() {
			broken := &graph.BatchInfo{VertexOffsets: []int32{0, 6}, EdgeOffsets: []int32{0, 12}, GraphOf: []int32{0, 0, 0, 0, 0, 1}}
			gnn.NewGIN(3, 2, 2, 1, gnn.GINConfig{}, 0, r).Forward(messy(t), nil, broken)
		},
		"GATConv: slope is NaN; want a finite number":  func() { gnn.NewGATConv(2, 2, 1, gnn.GATConfig{Slope: nan}, r) },
		"GATv2Conv: slope is +Inf":                     func() { gnn.NewGATv2Conv(2, 2, 1, gnn.GATConfig{Slope: inf}, r) },
		"CGATConv: slope is NaN":                       func() { gnn.NewCGATConv(2, 1, 2, 2, gnn.GATConfig{Slope: nan}, r) },
		"RGATConv: slope is -Inf":                      func() { gnn.NewRGATConv(2, 2, 1, 1, gnn.RGATConfig{Slope: -inf}, r) },
		"SimpleHGNConv: slope is NaN":                  func() { gnn.NewSimpleHGNConv(2, 2, 1, 1, 1, gnn.SimpleHGNConfig{Slope: nan}, r) },
		"GINConv: epsilon is NaN":                      func() { gnn.NewGINConv(mlp, gnn.GINConfig{Eps: nan}) },
		"GINEConv: epsilon is +Inf":                    func() { gnn.NewGINEConv(5, 2, mlp, gnn.GINConfig{Eps: inf}, r) },
		"GCN2Beta: lambda 0.5 of layer 0":              func() { gnn.GCN2Beta(0.5, 0) },
		"GCN2Beta: lambda -1 of layer 1":               func() { gnn.GCN2Beta(-1, 1) },
		"GCN2Beta: lambda is NaN":                      func() { gnn.GCN2Beta(nan, 1) },
		"GCNII: Lambda is 2; the share of the weights": func() { gnn.NewGCNII(3, 2, 2, 1, gnn.GCNIIConfig{Lambda: 2}, 0, r) },
		"GCNII: Lambda is -0.5":                        func() { gnn.NewGCNII(3, 2, 2, 1, gnn.GCNIIConfig{Lambda: -0.5}, 0, r) },
		"GCNII: Alpha 2 is outside [0, 1]":             func() { gnn.NewGCNII(3, 2, 2, 1, gnn.GCNIIConfig{Alpha: 2}, 0, r) },
		"WithDType: parameters of type DType(9)":       func() { gnn.NewGCNConv(2, 2, r, gnn.WithDType(9)) },
		"WithDType: parameters of type i32":            func() { gnn.NewGCNConv(2, 2, r, gnn.WithDType(tensor.Int32)) },
		"GIN: size 0":                                  func() { gnn.NewGIN(3, 2, 2, 0, gnn.GINConfig{}, 0, r) },
		"APPNPNet: size 0":                             func() { gnn.NewAPPNPNet(3, 0, 2, gnn.APPNPConfig{}, 0, r) },
		"GCNII: size 0":                                func() { gnn.NewGCNII(3, 2, 2, 0, gnn.GCNIIConfig{}, 0, r) },
	} {
		var typed *gnn.Error
		if err := autograd.Try(f); !errors.As(err, &typed) || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %T %v, want %s", err, err, want)
		}
	}
}

// Many a wrong shape would be broadcast.
func TestParametersOfAWrongShapeAreMisuse(t *testing.T) {
	r := nn.NewRNG(1)
	g := messy(t)
	types := make([]int32, g.NumEdges())
	types[0] = 1
	typed, err := graph.New(g.NumVertices(), g.Src(), g.Dst(), graph.WithEdgeTypes(types, 2))
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := graph.New(g.NumVertices(), g.Src(), g.Dst(), graph.WithEdgeTypes(types, 2),
		graph.WithVertexTypes(make([]int32, g.NumVertices()), 3))
	if err != nil {
		t.Fatal(err)
	}
	of := func(shape ...int) *autograd.Var { return autograd.Parameter(tensor.Ones(tensor.Float32, shape...)) }
	rows := func(g *graph.Graph, n int) *autograd.Var { return of(g.NumVertices(), n) }
	gcn := func(bias ...int) func() {
		return func() {
			l := gnn.NewGCNConv(4, 3, r)
			l.Bias = of(bias...)
			l.Forward(g, rows(g, 4))
		}
	}
	wantMisuses(t, map[string]func(){
		"gnn: GCNConv: Bias has shape [4], want [3]":   gcn(4),
		"gnn: GCNConv: Bias has shape [1 1], want [3]": gcn(1, 1),
		"gnn: GCNConv: Bias has shape [1], want [3]":   gcn(1),
		"gnn: SGConv: Bias has shape [1], want [3]": func() {
			l := gnn.NewSGConv(4, 3, 2, r)
			l.Bias = of(1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: ChebConv: Bias has shape [1], want [3]": func() {
			l := gnn.NewChebConv(4, 3, 2, gnn.ChebConfig{}, r)
			l.Bias = of(1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: ChebConv: Lins[1].Weight has shape [4 1], want [4 3]": func() {
			l := gnn.NewChebConv(4, 3, 2, gnn.ChebConfig{}, r)
			l.Lins[1].Weight = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: TAGConv: Lins[2].Weight has shape [4 1], want [4 3]": func() {
			l := gnn.NewTAGConv(4, 3, 2, gnn.TAGConfig{}, r)
			l.Lins[2].Weight = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: LightGCN: Alpha has shape [1], want [3]": func() {
			m := gnn.NewLightGCN(6, 4, 2, gnn.LightGCNConfig{}, r)
			m.Alpha = of(1)
			m.Forward(g)
		},
		"gnn: GraphConv: Bias has shape [1], want [3]": func() {
			l := gnn.NewGraphConv(4, 3, gnn.ReduceSum, r)
			l.Bias = of(1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: NNConv: Bias has shape [1], want [3]": func() {
			l := gnn.NewNNConv(4, 2, 3, nn.NewLinear(2, 12, r), gnn.NNConvConfig{}, r)
			l.Bias = of(1)
			l.Forward(g, rows(g, 4), of(12, 2))
		},
		"gnn: NNConv: Lin.Weight has shape [4 1], want [4 3]": func() {
			l := gnn.NewNNConv(4, 2, 3, nn.NewLinear(2, 12, r), gnn.NNConvConfig{}, r)
			l.Lin.Weight = of(4, 1)
			l.Forward(g, rows(g, 4), of(12, 2))
		},
		"gnn: NNConv: the network's last Weight has shape [2 6], want [2 12]": func() {
			l := gnn.NewNNConv(4, 2, 3, nn.NewLinear(2, 12, r), gnn.NNConvConfig{}, r)
			l.NN.(*nn.Linear).Weight = of(2, 6)
			l.Forward(g, rows(g, 4), of(12, 2))
		},
		"gnn: NNConv: the bias of nn0 has shape [1], want [12]": func() {
			l := gnn.NewNNConv(4, 2, 3, nn.NewLinear(2, 12, r), gnn.NNConvConfig{}, r)
			l.NN.(*nn.Linear).Bias = of(1)
			l.Forward(g, rows(g, 4), of(12, 2))
		},
		"gnn: NNConv: what the network gives has shape [12 2], want [12 12]": func() {
			l := gnn.NewNNConv(4, 2, 3, nn.Tanh(), gnn.NNConvConfig{}, r)
			l.Forward(g, rows(g, 4), of(12, 2))
		},
		"gnn: AGNNConv: Beta has shape [2], want [1]": func() {
			l := gnn.NewAGNNConv(1, gnn.AGNNConfig{})
			l.Beta = of(2)
			l.Forward(g, rows(g, 4))
		},
		"gnn: DirGNNConv: Lin.Weight has shape [4 1], want [4 3]": func() {
			l := gnn.NewDirGNNConv(4, 3, 0.5, func() gnn.PairConv {
				return gnn.NewGATConv(4, 3, 1, gnn.GATConfig{}, r)
			}, gnn.DirGNNConfig{}, r)
			l.Lin.Weight = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: DirGNNConv: the result of in-edges has shape [6 2], want [6 3]": func() {
			gnn.NewDirGNNConv(4, 3, 0.5, func() gnn.PairConv {
				return gnn.NewGATConv(4, 2, 1, gnn.GATConfig{}, r)
			}, gnn.DirGNNConfig{}, r).Forward(g, rows(g, 4))
		},
		"gnn: SAGEConv: BiasPool has shape [1], want [4]": func() {
			l := gnn.NewSAGEConv(4, 3, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool}, r)
			l.BiasPool = of(1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: SAGEConv: Bias has shape [1], want [3]": func() {
			l := gnn.NewSAGEConv(4, 3, gnn.SAGEConfig{}, r)
			l.Bias = of(1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: GATConv: AttnSrc has shape [1 3], want [2 3]": func() {
			l := gnn.NewGATConv(4, 3, 2, gnn.GATConfig{}, r)
			l.AttnSrc = of(1, 3)
			l.Forward(g, rows(g, 4))
		},
		"gnn: GATConv: AttnDst has shape [2 1], want [2 3]": func() {
			l := gnn.NewGATConv(4, 3, 2, gnn.GATConfig{}, r)
			l.AttnDst = of(2, 1)
			l.ForwardPair(g, rows(g, 4), rows(g, 4))
		},
		"gnn: GATConv: f is nil; the layer takes 3 features of each edge": func() {
			gnn.NewGATConv(4, 3, 2, gnn.GATConfig{Edge: 3}, r).Forward(g, rows(g, 4))
		},
		"gnn: GATConv: WeightEdge has shape [3 1], want [3 6]": func() {
			l := gnn.NewGATConv(4, 3, 2, gnn.GATConfig{Edge: 3}, r)
			l.WeightEdge = of(3, 1)
			l.ForwardEdges(g, rows(g, 4), of(g.NumEdges(), 3))
		},
		"gnn: GATConv: AttnEdge has shape [2 1], want [2 3]": func() {
			l := gnn.NewGATConv(4, 3, 2, gnn.GATConfig{Edge: 3}, r)
			l.AttnEdge = of(2, 1)
			l.ForwardEdges(g, rows(g, 4), of(g.NumEdges(), 3))
		},
		"gnn: GATv2Conv: WeightEdge has shape [1 6], want [3 6]": func() {
			l := gnn.NewGATv2Conv(4, 3, 2, gnn.GATConfig{Edge: 3}, r)
			l.WeightEdge = of(1, 6)
			l.ForwardPairEdges(g, rows(g, 4), rows(g, 4), of(g.NumEdges(), 3))
		},
		"gnn: GATConv: Bias has shape [6], want [3]": func() {
			l := gnn.NewGATConv(4, 3, 2, gnn.GATConfig{Mean: true}, r)
			l.Bias = of(6)
			l.Forward(g, rows(g, 4))
		},
		"gnn: GATv2Conv: Attn has shape [1 3], want [2 3]": func() {
			l := gnn.NewGATv2Conv(4, 3, 2, gnn.GATConfig{}, r)
			l.Attn = of(1, 3)
			l.Forward(g, rows(g, 4))
		},
		"gnn: GATv2Conv: Bias has shape [1], want [6]": func() {
			l := gnn.NewGATv2Conv(4, 3, 2, gnn.GATConfig{}, r)
			l.Bias = of(1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: CGATConv: Attn has shape [1 3], want [2 3]": func() {
			l := gnn.NewCGATConv(4, 0, 3, 2, gnn.GATConfig{}, r)
			l.Attn = of(1, 3)
			l.Forward(g, rows(g, 4), nil)
		},
		"gnn: CGATConv: Bias has shape [1], want [6]": func() {
			l := gnn.NewCGATConv(4, 0, 3, 2, gnn.GATConfig{}, r)
			l.Bias = of(1)
			l.Forward(g, rows(g, 4), nil)
		},
		"gnn: EdgeConv: the bias of mlp1 has shape [1], want [3]": func() {
			l := gnn.NewEdgeConv([]int{4, 5, 3}, r)
			l.Layers[1].Bias = of(1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: SimpleHGNConv: AttnEdge has shape [1 3], want [2 3]": func() {
			l := gnn.NewSimpleHGNConv(4, 3, 2, typed.NumEdgeTypes(), 5, gnn.SimpleHGNConfig{}, r)
			l.AttnEdge = of(1, 3)
			l.Forward(typed, rows(typed, 4), nil)
		},
		"gnn: SimpleHGNConv: Bias has shape [1], want [6]": func() {
			l := gnn.NewSimpleHGNConv(4, 3, 2, typed.NumEdgeTypes(), 5, gnn.SimpleHGNConfig{}, r)
			l.Bias = of(1)
			l.Forward(typed, rows(typed, 4), nil)
		},
		"gnn: RGATConv: Bias has shape [1], want [6]": func() {
			l := gnn.NewRGATConv(4, 3, 2, typed.NumEdgeTypes(), gnn.RGATConfig{}, r)
			l.Bias = of(1)
			l.Forward(typed, rows(typed, 4))
		},
		"gnn: RGATConv: Query has shape [2 1 3], want [2 2 3]": func() {
			l := gnn.NewRGATConv(4, 3, 2, typed.NumEdgeTypes(), gnn.RGATConfig{}, r)
			l.Query = of(2, 1, 3)
			l.Forward(typed, rows(typed, 4))
		},
		"gnn: HGTConv: OutBias has shape [3 1], want [3 4]": func() {
			l := gnn.NewHGTConv(4, 2, 3, 2, gnn.HGTConfig{}, r)
			l.OutBias = of(3, 1)
			l.Forward(kinds, rows(kinds, 4))
		},
		"gnn: HGTConv: Prior has shape [2 1], want [2 2]": func() {
			l := gnn.NewHGTConv(4, 2, 3, 2, gnn.HGTConfig{}, r)
			l.Prior = of(2, 1)
			l.Forward(kinds, rows(kinds, 4))
		},
		"gnn: HGTConv: Shift has shape [3 1], want [3 4]": func() {
			l := gnn.NewHGTConv(4, 2, 3, 2, gnn.HGTConfig{Norm: true}, r)
			l.Shift = of(3, 1)
			l.Forward(kinds, rows(kinds, 4))
		},
		"gnn: RGCNConv: Self has shape [4 1], want [4 3]": func() {
			l := gnn.NewRGCNConv(4, 3, typed.NumEdgeTypes(), gnn.RGCNConfig{}, r)
			l.Self = of(4, 1)
			l.Forward(typed, rows(typed, 4))
		},
		"gnn: RGCNEmbedding: Bias has shape [1], want [3]": func() {
			l := gnn.NewRGCNEmbedding(typed.NumVertices(), 3, typed.NumEdgeTypes(), gnn.RGCNConfig{}, r)
			l.Bias = of(1)
			l.Forward(typed, nil)
		},
		"gnn: SAGEConv: WeightNeigh has shape [4 1], want [4 3]": func() {
			l := gnn.NewSAGEConv(4, 3, gnn.SAGEConfig{}, r)
			l.WeightNeigh = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: SAGEConv: WeightNeigh has shape [2 1], want [2 3]": func() {
			l := gnn.NewSAGEConv(4, 3, gnn.SAGEConfig{Aggregator: gnn.SAGEMaxPool, Pool: 2}, r)
			l.WeightNeigh = of(2, 1)
			l.ForwardPair(g, rows(g, 4), rows(g, 4))
		},
		"gnn: GraphConv: WeightNeigh has shape [4 1], want [4 3]": func() {
			l := gnn.NewGraphConv(4, 3, gnn.ReduceSum, r)
			l.WeightNeigh = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: SAGEConv: Bias has shape [3], want [1]": func() {
			l := gnn.NewSAGEConv(4, 3, gnn.SAGEConfig{}, r, gnn.NoRoot())
			l.WeightNeigh = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: GraphConv: Bias has shape [3], want [1]": func() {
			l := gnn.NewGraphConv(4, 3, gnn.ReduceSum, r, gnn.NoRoot())
			l.WeightNeigh = of(4, 1)
			l.ForwardPair(g, rows(g, 4), nil)
		},
		"gnn: CommNetConv: WeightNeigh has shape [4 1], want [4 3]": func() {
			l := gnn.NewCommNetConv(4, 3, r)
			l.WeightNeigh = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: GGCNConv: WeightDst has shape [4 1], want [4 4]": func() {
			l := gnn.NewGGCNConv(4, 3, r)
			l.WeightDst = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: GCN2Conv: Weight has shape [4 1], want [4 4]": func() {
			l := gnn.NewGCN2Conv(4, 0.1, 0.5, r)
			l.Weight = of(4, 1)
			l.Forward(g, rows(g, 4), rows(g, 4))
		},
		"gnn: GATConv: Weight has shape [4 1], want [4 3]": func() {
			l := gnn.NewGATConv(4, 3, 1, gnn.GATConfig{}, r)
			l.Weight = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: GATConv: WeightDst has shape [2 1], want [2 3]": func() {
			l := gnn.NewGATConv(4, 3, 1, gnn.GATConfig{}, r, gnn.DstFeatures(2))
			l.WeightDst = of(2, 1)
			l.ForwardPair(g, rows(g, 4), rows(g, 2))
		},
		"gnn: GATv2Conv: WeightDst has shape [4 1], want [4 3]": func() {
			l := gnn.NewGATv2Conv(4, 3, 1, gnn.GATConfig{}, r)
			l.WeightDst = of(4, 1)
			l.Forward(g, rows(g, 4))
		},
		"gnn: TransformerConv: Skip.Weight has shape [4 1], want [4 3]": func() {
			l := gnn.NewTransformerConv(4, 3, 2, gnn.TransformerConfig{Mean: true}, r, gnn.NoBias())
			l.Skip.Weight = of(4, 1)
			l.Forward(g, rows(g, 4), nil)
		},
		"gnn: GINEConv: Edge.Weight has shape [2 1], want [2 4]": func() {
			l := gnn.NewGINEConv(4, 2, nn.NewMLP([]int{4, 3}, nn.MLPConfig{}, r), gnn.GINConfig{}, r, gnn.NoBias())
			l.Edge.Weight = of(2, 1)
			l.Forward(g, rows(g, 4), of(g.NumEdges(), 2))
		},
		"gnn: GGNNConv: GRU.BiasIH has shape [1], want [9]": func() {
			l := gnn.NewGGNNConv(2, 3, 0, 1, r)
			l.GRU.BiasIH = of(1)
			l.Forward(g, rows(g, 2))
		},
		"gnn: GGNNConv: GRU.WeightHH has shape [1 3], want [9 3]": func() {
			l := gnn.NewGGNNConv(2, 3, 0, 1, r)
			l.GRU.WeightHH = of(1, 3)
			l.Forward(g, rows(g, 2))
		},
		"gnn: RGCNConv: Weight has shape [2 4 1], want [2 4 3]": func() {
			l := gnn.NewRGCNConv(4, 3, 2, gnn.RGCNConfig{}, r)
			l.Weight = of(2, 4, 1)
			l.Forward(typed, rows(typed, 4))
		},
		"gnn: RGCNConv: Blocks has shape [2 1 2 3], want [2 2 2 3]": func() {
			l := gnn.NewRGCNConv(4, 6, 2, gnn.RGCNConfig{Blocks: 2}, r)
			l.Blocks = of(2, 1, 2, 3)
			l.Forward(typed, rows(typed, 4))
		},
		"gnn: RGCNEmbedding: Self has shape [6 1], want [6 3]": func() {
			l := gnn.NewRGCNEmbedding(6, 3, 2, gnn.RGCNConfig{}, r)
			l.Self = of(6, 1)
			l.Forward(typed, nil)
		},
		"gnn: RGCNEmbedding: Weight has shape [6 2 1], want [6 2 3]": func() {
			l := gnn.NewRGCNEmbedding(6, 3, 2, gnn.RGCNConfig{}, r)
			l.Weight = of(6, 2, 1)
			l.Forward(typed, nil)
		},
		"gnn: HGTConv: Out has shape [3 4 1], want [3 4 4]": func() {
			l := gnn.NewHGTConv(4, 2, 3, 2, gnn.HGTConfig{}, r)
			l.Out = of(3, 4, 1)
			l.Forward(kinds, rows(kinds, 4))
		},
		"gnn: HGTConv: Msg has shape [2 1 2 2], want [2 2 2 2]": func() {
			l := gnn.NewHGTConv(4, 2, 3, 2, gnn.HGTConfig{}, r)
			l.Msg = of(2, 1, 2, 2)
			l.Forward(kinds, rows(kinds, 4))
		},
		"gnn: SimpleHGNConv: Residual has shape [4 1], want [4 6]": func() {
			l := gnn.NewSimpleHGNConv(4, 3, 2, 2, 2, gnn.SimpleHGNConfig{Residual: true}, r)
			l.Residual = of(4, 1)
			l.Forward(typed, rows(typed, 4), nil)
		},
		"gnn: GatedReadout: Value.Weight has shape [4 1], want [4 3]": func() {
			_, batch := batched(t, 2, 3)
			l := gnn.NewGatedReadout(4, 3, r, gnn.NoBias())
			l.Value.Weight = of(4, 1)
			l.Forward(batch, of(5, 4))
		},
	})
}
