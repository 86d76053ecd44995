package gnn_test

// Dense batches: there and back, attention over them, misuse. PyG's values are in
// pyg_test.go.

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestDenseBatchesComeBack(t *testing.T) {
	for _, sizes := range batchSizes {
		for _, limit := range []int{0, 1, 3, 200} {
			for _, row := range [][]int{{}, {1}, {2, 3}, {0}} {
				g, batch := batched(t, sizes...)
				n := g.NumVertices()
				x := autograd.Variable(randn(tensor.Float64, 1, append([]int{n}, row...)...))
				y, mask := gnn.ToDenseBatch(batch, x, gnn.DenseConfig{Max: limit, Fill: math.NaN()})
				room := limit
				if limit == 0 {
					room = slices.Max(append([]int{0}, sizes...))
				}
				if s := y.Shape(); !s.Equal(append([]int{len(sizes), room}, row...)) || !mask.Shape().Equal(s[:2]) {
					t.Fatalf("%v to %d: %v, mask %v", sizes, limit, s, mask.Shape())
				}
				back := gnn.FromDenseBatch(batch, y)
				wide := tensor.Shape(row).Size()
				want, gradient := slices.Clone(x.Tensor().Float64s()), make([]float64, n*wide)
				for v, i := range batch.GraphOf {
					kept := v-int(batch.VertexOffsets[i]) < room
					for k := v * wide; k < (v+1)*wide; k++ {
						if kept {
							gradient[k] = 1
						} else {
							want[k] = 0
						}
					}
				}
				near(t, "back", back.Tensor().Float64s(), want, 0)
				back.Sum().Backward()
				near(t, "gradient", x.Gradient().Float64s(), gradient, 0)
			}
		}
	}
}

func TestDenseBatchGradientsEqualCentralDifferences(t *testing.T) {
	g, batch := batched(t, 3, 0, 1, 4)
	x := autograd.Variable(randn(tensor.Float64, 1, g.NumVertices(), 2))
	w := autograd.Variable(randn(tensor.Float64, 2, g.NumEdges(), 2))
	y := autograd.Variable(randn(tensor.Float64, 3, 4, 3, 2))
	for what, f := range map[string]func(xs ...*autograd.Var) *autograd.Var{
		"there": func(xs ...*autograd.Var) *autograd.Var {
			d, _ := gnn.ToDenseBatch(batch, xs[0], gnn.DenseConfig{Max: 3, Fill: 7})
			return d
		},
		"back":      func(xs ...*autograd.Var) *autograd.Var { return gnn.FromDenseBatch(batch, xs[2]) },
		"adjacency": func(xs ...*autograd.Var) *autograd.Var { return gnn.ToDenseAdj(g, batch, xs[1], 3) },
	} {
		if err := autograd.Gradcheck(f, []*autograd.Var{x, w, y}); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestDenseBatchesOfIntegers(t *testing.T) {
	_, batch := batched(t, 2, 0, 1)
	ids := autograd.Constant(tensor.FromSlice([]int64{5, 6, 7}, 3))
	y, _ := gnn.ToDenseBatch(batch, ids, gnn.DenseConfig{Fill: -1})
	if got := tensor.Data[int64](y.Tensor()); !slices.Equal(got, []int64{5, 6, -1, -1, 7, -1}) {
		t.Errorf("dense ids %v", got)
	}
}

// The product of the dense adjacency matrix and dense features is the sum over
// out-neighbours, graph by graph.
func TestDenseAdjacencyMultipliesAsTheGraphDoes(t *testing.T) {
	for _, sizes := range batchSizes {
		g, batch := batched(t, sizes...)
		x := autograd.Constant(randn(tensor.Float32, 1, g.NumVertices(), 2))
		d, _ := gnn.ToDenseBatch(batch, x, gnn.DenseConfig{})
		product := gnn.ToDenseAdj(g, batch, nil, 0).MatMul(d)
		reversed, _ := g.Reverse()
		near(t, "product", gnn.FromDenseBatch(batch, product).Tensor().Float64s(),
			gnn.SpMM(reversed, x, gnn.ReduceSum).Tensor().Float64s(), 1e-5)
	}
}

func TestAttentionOverADenseBatchIsThatOfEachGraphByItself(t *testing.T) {
	const width = 6
	att := nn.NewMultiheadAttention(width, 2, nn.AttentionConfig{DType: tensor.Float64}, nn.NewRNG(1))
	for _, sizes := range batchSizes {
		g, batch := batched(t, sizes...)
		x := autograd.Variable(randn(tensor.Float64, 1, g.NumVertices(), width))
		cotangent := autograd.Constant(randn(tensor.Float64, 2, g.NumVertices(), width))
		run := func(attend func() *autograd.Var) (out []float64, gradients [][]float64) {
			all := append([]*autograd.Var{x}, nn.Parameters(att)...)
			for _, p := range all {
				p.SetGradient(tensor.ZerosLike(p.Tensor()))
			}
			y := attend()
			y.Mul(cotangent).Sum().Backward()
			for _, p := range all {
				gradients = append(gradients, p.Gradient().Float64s())
			}
			return y.Tensor().Float64s(), gradients
		}
		out, gradients := run(func() *autograd.Var {
			d, mask := gnn.ToDenseBatch(batch, x, gnn.DenseConfig{Fill: 3})
			return gnn.FromDenseBatch(batch, att.Forward(d, d, d, gnn.PaddingMask(mask)))
		})
		want, wantGradients := run(func() *autograd.Var {
			parts := []*autograd.Var{x.Slice(0, 0, 0)}
			for i := range sizes {
				if from, to := int(batch.VertexOffsets[i]), int(batch.VertexOffsets[i+1]); from < to {
					part := x.Slice(0, from, to)
					parts = append(parts, att.Forward(part, part, part, nn.AttentionMask{}))
				}
			}
			return autograd.Concat(0, parts...)
		})
		near(t, "attention", out, want, 1e-12)
		for i := range gradients {
			near(t, "gradient", gradients[i], wantGradients[i], 1e-11)
		}
	}
}

func TestPaddingMaskHidesNothingOfAGraphWithoutVertices(t *testing.T) {
	mask := tensor.FromSlice([]bool{true, true, false, false, true, false}, 3, 2)
	hidden := tensor.Data[bool](gnn.PaddingMask(mask).Keys)
	if !slices.Equal(hidden, []bool{false, false, false, false, false, true}) {
		t.Errorf("hidden: %v", hidden)
	}
	if there := tensor.Data[bool](mask); !there[0] || there[2] {
		t.Error("the mask was written to")
	}
}

func TestPaddingMaskOnADeviceStaysThere(t *testing.T) {
	d := densetest.Device(t)
	mask := tensor.FromSlice([]bool{true, true, false, false, true, false}, 3, 2)
	want, got := gnn.PaddingMask(mask).Keys, gnn.PaddingMask(mask.ToDevice(d)).Keys
	if got.Device() != d || !slices.Equal(got.Float64s(), want.Float64s()) {
		t.Errorf("%v on %v, want %v", got, got.Device(), want)
	}
	var captured *tensor.Tensor
	there := mask.ToDevice(d)
	replay := densetest.Captured(t, d, func() { captured = gnn.PaddingMask(there).Keys })
	there.Fill(1)
	if replay(); slices.Contains(captured.Float64s(), 1) {
		t.Errorf("a replay hides %v of graphs that are full", captured)
	}
}

func TestDenseBatchesRejectWhatDoesNotFit(t *testing.T) {
	g, batch := batched(t, 3, 2) // of 6 and 4 edges
	other := mustGraph(t, 4, nil, nil)
	bipartite, err := graph.NewBipartite(5, 5, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	broken := &graph.BatchInfo{VertexOffsets: []int32{0, 3, 5}, EdgeOffsets: []int32{0, 6, 10}, GraphOf: []int32{0, 0, 0, 1, 2}}
	for want, f := range map[string]func(){
		"gnn: ToDenseBatch: batch is nil or empty":                       func() { gnn.ToDenseBatch(nil, v(5, 4), gnn.DenseConfig{}) },
		"gnn: ToDenseBatch: the batch does not fit itself: vertex 4":     func() { gnn.ToDenseBatch(broken, v(5, 4), gnn.DenseConfig{}) },
		"gnn: ToDenseBatch: x is nil":                                    func() { gnn.ToDenseBatch(batch, nil, gnn.DenseConfig{}) },
		"gnn: ToDenseBatch: x has shape [4 4]; want a row for each of":   func() { gnn.ToDenseBatch(batch, v(4, 4), gnn.DenseConfig{}) },
		"gnn: ToDenseBatch: size -1; want 0 or more":                     func() { gnn.ToDenseBatch(batch, v(5, 4), gnn.DenseConfig{Max: -1}) },
		"gnn: ToDenseBatch: 4.295e+09 places, [2 2147483648]; want":      func() { gnn.ToDenseBatch(batch, v(5, 4), gnn.DenseConfig{Max: 1 << 31}) },
		"gnn: FromDenseBatch: batch is nil or empty":                     func() { gnn.FromDenseBatch(&graph.BatchInfo{}, v(2, 3, 4)) },
		"gnn: FromDenseBatch: y is nil":                                  func() { gnn.FromDenseBatch(batch, nil) },
		"gnn: FromDenseBatch: y has shape [3 3 4]; want [2 max ...]":     func() { gnn.FromDenseBatch(batch, v(3, 3, 4)) },
		"gnn: FromDenseBatch: y has shape [2]; want [2 max ...]":         func() { gnn.FromDenseBatch(batch, v(2)) },
		"gnn: PaddingMask: the mask is nil":                              func() { gnn.PaddingMask(nil) },
		"gnn: PaddingMask: the mask is f32 [2 3]; want bool":             func() { gnn.PaddingMask(tensor.Zeros(tensor.Float32, 2, 3)) },
		"gnn: PaddingMask: the mask is bool [6]; want bool [graphs max]": func() { gnn.PaddingMask(tensor.Zeros(tensor.Bool, 6)) },
		"gnn: ToDenseAdj: the graph is nil":                              func() { gnn.ToDenseAdj(nil, batch, nil, 0) },
		"gnn: ToDenseAdj: the graph is bipartite":                        func() { gnn.ToDenseAdj(bipartite, batch, nil, 0) },
		"gnn: ToDenseAdj: the batch of 2 graphs does not divide a graph": func() { gnn.ToDenseAdj(other, batch, nil, 0) },
		"gnn: ToDenseAdj: batch is nil":                                  func() { gnn.ToDenseAdj(g, nil, nil, 0) },
		"gnn: ToDenseAdj: w has shape [9]; want a row for each of":       func() { gnn.ToDenseAdj(g, batch, v(9), 0) },
		"gnn: ToDenseAdj: size -2; want 0 or more":                       func() { gnn.ToDenseAdj(g, batch, nil, -2) },
		"gnn: ToDenseAdj: 8e+10 places, [2 200000 200000]; want":         func() { gnn.ToDenseAdj(g, batch, nil, 200000) },
	} {
		if err := autograd.Try(f); !isMisuse(err, want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
