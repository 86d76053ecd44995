package gnn_test

// PyTorch Geometric's values (testdata/pyg.py): its checkpoints are loaded, and results,
// gradients and running estimates are the same.

import (
	"bufio"
	"bytes"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// pygCase has the tensors of a case by their names.
type pygCase map[string]*tensor.Tensor

func (c pygCase) ints(name string) (out []int32) {
	for _, x := range c[name].Float64s() {
		out = append(out, int32(x))
	}
	return out
}

// of is a variable for each tensor whose name is the prefix and a number.
func (c pygCase) of(prefix string) (out []*autograd.Var) {
	for {
		t := c[prefix+strconv.Itoa(len(out))]
		if t == nil {
			return out
		}
		out = append(out, autograd.Variable(t))
	}
}

// batch is that of graphs without edges.
func (c pygCase) batch(t *testing.T) (*graph.Graph, *graph.BatchInfo) {
	t.Helper()
	var gs []*graph.Graph
	for _, n := range c.ints("sizes") {
		gs = append(gs, mustGraph(t, int(n), nil, nil))
	}
	g, info, err := graph.Batch(gs...)
	if err != nil {
		t.Fatal(err)
	}
	return g, info
}

// pygCases are the cases of a file, by kind.
func pygCases(t *testing.T) map[string][]pygCase {
	t.Helper()
	f, err := os.Open("testdata/pyg.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	kinds := map[string][]pygCase{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		kind, name, shape := words[0], words[2], tensor.Shape{}
		if words[3] != "-" {
			for n := range strings.SplitSeq(words[3], "x") {
				shape = append(shape, atoi(t, n))
			}
		}
		x := make([]float64, 0, len(words)-4)
		for _, word := range words[4:] {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, v)
		}
		if i := atoi(t, words[1]); i == len(kinds[kind]) {
			kinds[kind] = append(kinds[kind], pygCase{})
		}
		cases := kinds[kind]
		cases[len(cases)-1][name] = tensor.FromSlice(x, shape...)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return kinds
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// pygLayer is the layer of a kind, nil if it is a function, and its forward pass.
func pygLayer(t *testing.T, kind string, features int, s []float64) (any, func(b *graph.BatchInfo, xs []*autograd.Var) *autograd.Var) {
	t.Helper()
	type norm interface {
		Forward(b *graph.BatchInfo, x *autograd.Var) *autograd.Var
	}
	of := func(l norm) (any, func(b *graph.BatchInfo, xs []*autograd.Var) *autograd.Var) {
		return l, func(b *graph.BatchInfo, xs []*autograd.Var) *autograd.Var { return l.Forward(b, xs[0]) }
	}
	r, with := nn.NewRNG(1), gnn.WithDType(tensor.Float64)
	switch kind {
	case "graph_norm":
		return of(gnn.NewGraphNorm(features, gnn.GraphNormConfig{Eps: s[0]}, with))
	case "pair_norm":
		return of(gnn.NewPairNorm(gnn.PairNormConfig{Eps: s[0], Scale: s[1], ScaleIndividually: s[2] > 0}))
	case "instance_norm":
		return of(gnn.NewInstanceNorm(features, gnn.InstanceNormConfig{Eps: s[0], Momentum: s[1], Affine: s[2] > 0, TrackRunningStats: s[3] > 0}, with))
	case "graph_layer_norm":
		return of(gnn.NewGraphLayerNorm(features, gnn.GraphLayerNormConfig{Eps: s[0], NoAffine: s[2] == 0}, with))
	case "graph_size_norm":
		return nil, func(b *graph.BatchInfo, xs []*autograd.Var) *autograd.Var { return gnn.GraphSizeNorm(b, xs[0]) }
	case "mean_subtraction_norm":
		return nil, func(b *graph.BatchInfo, xs []*autograd.Var) *autograd.Var { return gnn.MeanSubtractionNorm(b, xs[0]) }
	case "diff_group_norm":
		l := gnn.NewDiffGroupNorm(features, 3, gnn.DiffGroupNormConfig{
			Lambda: s[1], Norm: nn.BatchNormConfig{Eps: s[0], Momentum: 0.3, NoAffine: s[2] == 0},
		}, r, with)
		return l, func(_ *graph.BatchInfo, xs []*autograd.Var) *autograd.Var { return l.Forward(xs[0]) }
	case "message_norm":
		l := gnn.NewMessageNorm(gnn.MessageNormConfig{LearnScale: s[2] > 0}, with)
		return l, func(_ *graph.BatchInfo, xs []*autograd.Var) *autograd.Var { return l.Forward(xs[0], xs[1]) }
	case "jumping":
		cfg := gnn.JKConfig{Mode: gnn.JKMode(s[0])}
		if cfg.Mode == gnn.JKLSTM {
			cfg.Channels, cfg.Layers = features, int(s[1])
		}
		l := gnn.NewJumpingKnowledge(cfg, r, with)
		return l, func(_ *graph.BatchInfo, xs []*autograd.Var) *autograd.Var { return l.Forward(xs...) }
	}
	t.Fatalf("no layer of kind %s", kind)
	return nil, nil
}

// load gives a layer the state dict of PyG's.
func (c pygCase) load(t *testing.T, layer any, opts ...nn.StateOption) {
	t.Helper()
	state := map[string]*tensor.Tensor{}
	for name, x := range c {
		if name, ok := strings.CutPrefix(name, "before."); ok {
			if strings.HasSuffix(name, "num_batches_tracked") {
				x = x.To(tensor.Int64)
			}
			state[name] = x
		}
	}
	if layer == nil {
		if len(state) > 0 {
			t.Fatalf("a function has the state %v", slices.Sorted(maps.Keys(state)))
		}
		return
	}
	var file bytes.Buffer
	if err := nn.SaveTensors(&file, state, nil); err != nil {
		t.Fatal(err)
	}
	if err := nn.Load(&file, layer, append(opts, nn.PyTorchLayout())...); err != nil {
		t.Fatal(err)
	}
}

func TestNormalisationsAndJumpingKnowledgeEqualPyG(t *testing.T) {
	kinds := pygCases(t)
	for _, others := range []string{"dense", "labels", "cheb", "tag", "lightgcn", "node2vec", "gae", "vgae", "infomax", "nnconv", "agnn", "dirgnn", "dirsage", "rootless_sage", "rootless_graphconv"} {
		delete(kinds, others)
	}
	if len(kinds) != 9 {
		t.Errorf("values of %d kinds, want 9", len(kinds))
	}
	for kind, cases := range kinds {
		for i, c := range cases {
			t.Run(kind+" "+strconv.Itoa(i), func(t *testing.T) {
				_, batch := c.batch(t)
				xs := c.of("x")
				layer, forward := pygLayer(t, kind, xs[0].Shape()[1], c["settings"].Float64s())
				c.load(t, layer)
				y := forward(batch, xs)
				near(t, "y", y.Tensor().Float64s(), c["y"].Float64s(), 1e-11)
				y.Mul(autograd.Constant(c["cotangent"])).Sum().Backward()
				compared := 0
				gradient := func(name string, p *autograd.Var) {
					if want := c["gradient."+name]; want != nil {
						compared++
						near(t, "gradient of "+name, oriented(name, p.Gradient()).Float64s(), want.Float64s(), 1e-10)
					}
				}
				for k, x := range xs {
					gradient("x"+strconv.Itoa(k), x)
				}
				if layer != nil {
					for _, p := range nn.NamedParameters(layer) {
						gradient(p.Name, p.Var)
					}
					for _, b := range nn.NamedBuffers(layer) {
						if want := c["after."+b.Name]; want != nil {
							near(t, b.Name, b.Var.Tensor().Float64s(), want.Float64s(), 1e-12)
						}
					}
					nn.Eval(layer)
				}
				for name := range c {
					if strings.HasPrefix(name, "gradient.") {
						compared--
					}
				}
				if compared != 0 {
					t.Errorf("%d gradients more than PyG's", compared)
				}
				near(t, "evaluated", forward(batch, xs).Tensor().Float64s(), c["evaluated"].Float64s(), 1e-11)
			})
		}
	}
}

// oriented is a gradient as PyTorch has it, whose weights of linear layers are transposed.
func oriented(name string, x *tensor.Tensor) *tensor.Tensor {
	if strings.HasPrefix(name, "lin.") || name == "att.weight" {
		return x.Transpose()
	}
	return x
}

func TestDenseBatchesEqualPyG(t *testing.T) {
	cases := pygCases(t)["dense"]
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		vertices, batch := c.batch(t)
		limit, fill := int(c["settings"].Float64s()[0]), c["settings"].Float64s()[1]
		x := autograd.Variable(c["x0"])
		y, mask := gnn.ToDenseBatch(batch, x, gnn.DenseConfig{Max: limit, Fill: fill})
		wantTensor(t, "dense batch", y.Tensor(), c["y"])
		wantTensor(t, "mask", mask.To(tensor.Float64), c["mask"])
		y.Mul(autograd.Constant(c["cotangent"])).Sum().Backward()
		wantTensor(t, "gradient", x.Gradient(), c["gradient.x0"])

		src, dst := c.ints("src"), c.ints("dst")
		g := mustGraph(t, vertices.NumVertices(), src, dst)
		info := &graph.BatchInfo{VertexOffsets: batch.VertexOffsets, GraphOf: batch.GraphOf, EdgeOffsets: make([]int32, batch.NumGraphs()+1)}
		for _, u := range src {
			for i := batch.GraphOf[u]; int(i) < batch.NumGraphs(); i++ {
				info.EdgeOffsets[i+1]++
			}
		}
		w := autograd.Variable(c["w"])
		a := gnn.ToDenseAdj(g, info, w, limit)
		wantTensor(t, "adjacency", a.Tensor(), c["adjacency"])
		a.Mul(autograd.Constant(c["adjacency_cotangent"])).Sum().Backward()
		wantTensor(t, "gradient of the weights", w.Gradient(), c["gradient.w"])
		wantTensor(t, "counts", gnn.ToDenseAdj(g, info, nil, limit).Tensor().To(tensor.Float64), c["counts"])
	}
}

func wantTensor(t *testing.T, what string, got, want *tensor.Tensor) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) {
		t.Errorf("%s has shape %v, want %v", what, got.Shape(), want.Shape())
		return
	}
	near(t, what, got.Float64s(), want.Float64s(), 1e-12)
}
