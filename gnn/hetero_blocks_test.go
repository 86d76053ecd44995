package gnn_test

// Models for heterogeneous graphs on blocks around vertices of one type.

import (
	"fmt"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// onBatches are models for the university that run on batches, and give logits of students.
type onBatches struct {
	module any
	whole  func() *autograd.Var // of all students
	batch  func(b *data.HeteroBatch) *autograd.Var
}

func modelsOnBatches(h *graph.Hetero, xs map[string]*autograd.Var) map[string]onBatches {
	view := h.Homogeneous().Graph
	students := h.NumVertices("student") // which come first
	rows := func(xs map[string]*autograd.Var, vertices map[string][]int32) (of map[string]*autograd.Var, ids map[string][]int32) {
		of, ids = map[string]*autograd.Var{}, map[string][]int32{}
		for _, name := range h.VertexTypes() {
			if x := xs[name]; x != nil {
				of[name] = x.IndexSelect(vertices[name])
			} else {
				ids[name] = vertices[name]
			}
		}
		return of, ids
	}
	first := func(y *autograd.Var) *autograd.Var { return y.Slice(0, 0, students) }
	out := map[string]onBatches{}
	for name, cfg := range map[string]gnn.RGCNConfig{"rgcn": {}, "rgcn of bases": {Bases: 2}} {
		m := gnn.NewRGCN(view.NumVertices(), 8, 3, 5, cfg, 0.2, nn.NewRNG(1))
		out[name] = onBatches{m,
			func() *autograd.Var { return first(m.Forward(view)) },
			func(b *data.HeteroBatch) *autograd.Var { return m.ForwardBlocks(b.Blocks, b.ViewVertices) }}
	}
	hgt := gnn.NewHGT(h, universityWidths, 8, 2, 2, 3, gnn.HGTConfig{Dropout: 0.2, Norm: true}, nn.NewRNG(1))
	out["hgt"] = onBatches{hgt,
		func() *autograd.Var { return first(hgt.Forward(h, xs)) },
		func(b *data.HeteroBatch) *autograd.Var {
			of, ids := rows(xs, b.Vertices)
			return hgt.ForwardBlocks(b.Blocks, of, ids)
		}}
	r := nn.NewRNG(1)
	typed := &struct {
		Input *gnn.HeteroLinear
		Convs []*gnn.RGCNConv
	}{gnn.NewHeteroLinear(h, universityWidths, 8, r), []*gnn.RGCNConv{
		gnn.NewRGCNConv(8, 8, 5, gnn.RGCNConfig{}, r), gnn.NewRGCNConv(8, 3, 5, gnn.RGCNConfig{}, r),
	}}
	out["typed layers"] = onBatches{typed,
		func() *autograd.Var {
			return first(typed.Convs[1].Forward(view, typed.Convs[0].Forward(view, typed.Input.Forward(h, xs)).ReLU()))
		},
		func(b *data.HeteroBatch) *autograd.Var {
			of, ids := rows(xs, b.Vertices)
			x := typed.Input.ForwardOn(b.Blocks[0], of, ids)
			return typed.Convs[1].Forward(b.Blocks[1], typed.Convs[0].Forward(b.Blocks[0], x).ReLU())
		}}
	return out
}

func studentLoader(t *testing.T, h *graph.Hetero, seeds []int32, size int, hops ...int) *data.HeteroNeighborLoader {
	t.Helper()
	l, err := data.NewHeteroNeighborLoader(h, "student", seeds, data.HeteroNeighborConfig{
		Loading: data.Loading{BatchSize: size, Shuffle: true, Seed: 1}, HeteroFanout: data.HeteroFanout{Hops: hops},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Batches with all neighbours give the logits that the whole graph does, and the gradients.
func TestHeteroModelsOnBlocksEqualThemOnTheWholeGraph(t *testing.T) {
	h, features, _ := university(t)
	xs := map[string]*autograd.Var{}
	for name, x := range features {
		xs[name] = autograd.Variable(x.Tensor().To(tensor.Float64))
	}
	seeds := []int32{17, 4, 55, 89, 0, 30, 31}
	for name, m := range modelsOnBatches(h, xs) {
		nn.Eval(m.module)
		nn.ToDType(m.module, tensor.Float64)
		leaves := append([]*autograd.Var{xs["student"], xs["course"]}, nn.Parameters(m.module)...)
		gradients := func(logits *autograd.Var) (all []float64) {
			for _, v := range leaves {
				v.ZeroGrad()
			}
			logits.BackwardWith(randn(tensor.Float64, 2, logits.Shape()...))
			for _, v := range leaves {
				if g := v.Gradient(); g != nil {
					all = append(all, g.Float64s()...)
				} else {
					all = append(all, make([]float64, v.Tensor().Size())...)
				}
			}
			return all
		}
		n := 0
		for b, err := range studentLoader(t, h, seeds, 4, -1, -1).Epoch(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			got, want := m.batch(b), m.whole().IndexSelect(b.Seeds["student"])
			near(t, name, got.Tensor().Float64s(), want.Tensor().Float64s(), 1e-12)
			near(t, name+": gradients", gradients(got), gradients(want), 1e-12)
			n += len(b.Seeds["student"])
		}
		if n != len(seeds) {
			t.Errorf("%s: %d of %d seeds", name, n, len(seeds))
		}
	}
}

// HeteroConv, too, with features of edges where a batch says they are.
func TestHeteroConvOnBlocksOfATypeEqualsTheWholeGraph(t *testing.T) {
	h := library(t)
	first, second := libraryModel(h)
	xs := libraryFeatures(h, tensor.Float64)
	f := autograd.Variable(randn(tensor.Float64, 9, h.NumEdges(writes), 3))
	whole := second.Forward(h, first.Forward(h, xs, map[graph.EdgeType]*autograd.Var{writes: f}), nil)
	for name, want := range whole {
		var seeds []int32
		for v := range int32(h.NumVertices(name)) {
			seeds = append(seeds, v)
		}
		loader, err := data.NewHeteroNeighborLoader(h, name, seeds, data.HeteroNeighborConfig{
			Loading: data.Loading{BatchSize: 2, Shuffle: true}, HeteroFanout: data.HeteroFanout{Hops: []int{-1, -1}},
		})
		if err != nil {
			t.Fatal(err)
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
			near(t, fmt.Sprint(name, b.Index), y[name].Tensor().Float64s(), want.IndexSelect(b.Seeds[name]).Tensor().Float64s(), 1e-12)
		}
	}
}

func TestHeteroModelsLearnOnSampledBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("trains four models")
	}
	h, xs, labels := university(t)
	var rows, held []int32
	for s := range int32(len(labels)) {
		if s%3 == 0 {
			held = append(held, s)
		} else {
			rows = append(rows, s)
		}
	}
	loader := studentLoader(t, h, rows, 20, 4, 8)
	for name, m := range modelsOnBatches(h, xs) {
		opt := optim.NewAdam([]optim.Group{{Params: nn.Parameters(m.module), WeightDecay: 5e-4}}, optim.AdamConfig{LR: 0.02})
		nn.Train(m.module)
		for epoch := range 25 {
			for b, err := range loader.Epoch(t.Context(), epoch) {
				if err != nil {
					t.Fatal(err)
				}
				opt.ZeroGrad()
				nn.CrossEntropy(m.batch(b), b.Labels("student", labels), nil).Backward()
				opt.Step()
			}
		}
		nn.Eval(m.module)
		test := nn.Accuracy(m.whole(), labels, held)
		t.Logf("%s: accuracy %.2f on the students held out", name, test)
		if test < 0.75 {
			t.Errorf("%s: accuracy %.2f on the students held out", name, test)
		}
	}
}

func TestHeteroModelsRejectBlocksThatDoNotFit(t *testing.T) {
	h, xs, _ := university(t)
	r := nn.NewRNG(1)
	g := h.Homogeneous().Graph
	rgcn := gnn.NewRGCN(g.NumVertices(), 8, 3, 5, gnn.RGCNConfig{}, 0.2, r)
	hgt := gnn.NewHGT(h, universityWidths, 8, 2, 2, 3, gnn.HGTConfig{}, r)
	var none *gnn.RGCN
	var noHGT *gnn.HGT
	wantMisuses(t, map[string]func(){
		"gnn: RGCN: ids is nil; want the vertex that each source of the first block is": func() { rgcn.ForwardBlocks([]*graph.Graph{g, g}, nil) },
		"gnn: RGCN: 1 blocks for 2 layers":                                              func() { rgcn.ForwardBlocks([]*graph.Graph{g}, nil) },
		"gnn: RGCNEmbedding: 2 ids for 122 vertices of the graph":                       func() { rgcn.ForwardBlocks([]*graph.Graph{g, g}, []int32{1, 2}) },
		"gnn: RGCNEmbedding: the graph is nil":                                          func() { rgcn.ForwardBlocks([]*graph.Graph{nil, g}, []int32{}) },
		"gnn: RGCN: the model is nil; make it with NewRGCN":                             func() { none.ForwardBlocks(nil, nil) },
		"gnn: HGT: 0 blocks for 2 layers":                                               func() { hgt.ForwardBlocks(nil, xs, nil) },
		"gnn: HGT: the layer has no program; make it with NewHGT":                       func() { (&gnn.HGT{}).ForwardBlocks(nil, xs, nil) },
		"gnn: HGT: the model is nil; make it with NewHGT":                               func() { noHGT.ForwardBlocks(nil, xs, nil) },
		"gnn: HeteroLinear: the graph is nil":                                           func() { hgt.ForwardBlocks([]*graph.Graph{nil, g}, xs, nil) },
		`gnn: HeteroLinear: no ids of type "room", which has no features: want the row of the table for each of its 20 vertices`: func() { hgt.ForwardBlocks([]*graph.Graph{g, g}, xs, nil) },
	})
}
