package gnn_test

// Deep Graph Infomax: formula, gradients, corruption, misuse, and that it learns.

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func TestInfomaxLossEqualsItsFormula(t *testing.T) {
	const hidden = 3
	m := gnn.NewDeepGraphInfomax(hidden, same{}, gnn.InfomaxConfig{}, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	for _, w := range m.Weight.Tensor().Float64s() {
		if math.Abs(w) > 1/math.Sqrt(hidden) {
			t.Errorf("weight %v beyond 1/sqrt(%d)", w, hidden)
		}
	}
	xs := []*autograd.Var{autograd.Variable(randn(tensor.Float64, 1, 5, hidden)), autograd.Variable(randn(tensor.Float64, 2, 4, hidden)), autograd.Variable(randn(tensor.Float64, 3, hidden)), m.Weight}
	discriminator := func(row []float64) float64 {
		s, sum := xs[2].Tensor().Float64s(), 0.0
		for i, w := range rowsOf(m.Weight) {
			sum += row[i] * inner(w, s)
		}
		return sigmoid(sum)
	}
	want := 0.0
	var probabilities []float64
	for _, row := range rowsOf(xs[0]) {
		probabilities = append(probabilities, discriminator(row))
		want -= math.Log(discriminator(row)) / 5
	}
	for _, row := range rowsOf(xs[1]) {
		want -= math.Log(1-discriminator(row)) / 4
	}
	near(t, "loss", []float64{m.Loss(xs[0], xs[1], xs[2]).Item()}, []float64{want}, 1e-13)
	near(t, "probabilities", m.Discriminate(xs[0], xs[2]).Tensor().Float64s(), probabilities, 1e-13)
	if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return m.Loss(xs[0], xs[1], xs[2]) }, xs); err != nil {
		t.Error(err)
	}
}

func TestInfomaxTakesFunctionsOfOnesOwn(t *testing.T) {
	r := nn.NewRNG(1)
	g, other := messy(t), mustGraph(t, 6, []int32{0}, []int32{1})
	x := autograd.Variable(randn(tensor.Float32, 1, 6, 4))
	conv := gnn.NewGCNConv(4, 3, r)
	m := gnn.NewDeepGraphInfomax(3, conv, gnn.InfomaxConfig{
		Corrupt: func(of *graph.Graph, x *autograd.Var) (*graph.Graph, *autograd.Var) {
			if of != g {
				t.Error("another graph is corrupted")
			}
			return other, x.Neg()
		},
		Summary: func(h *autograd.Var) *autograd.Var { return h.Max(0) },
	}, r)
	positive, negative, summary := m.Forward(g, x)
	near(t, "rows", positive.Tensor().Float64s(), conv.Forward(g, x).Tensor().Float64s(), 0)
	near(t, "corrupted rows", negative.Tensor().Float64s(), conv.Forward(other, x.Neg()).Tensor().Float64s(), 0)
	near(t, "summary", summary.Tensor().Float64s(), positive.Max(0).Tensor().Float64s(), 0)
	var names []string
	for _, p := range nn.NamedParameters(m) {
		names = append(names, p.Name)
	}
	if want := []string{"weight", "encoder.weight", "encoder.bias"}; !slices.Equal(names, want) {
		t.Errorf("parameters %v, want %v", names, want)
	}
}

// TestInfomaxShufflesRows looks at the default corruption of features dense and sparse, whose
// rows are numbered by their first column.
func TestInfomaxShufflesRows(t *testing.T) {
	const n = 50
	g := mustGraph(t, n, nil, nil)
	dense := tensor.Zeros(tensor.Float32, n, 2)
	values, indptr := []float32{}, []int32{0}
	indices := []int32{}
	for v := range n {
		tensor.Data[float32](dense)[2*v], tensor.Data[float32](dense)[2*v+1] = float32(v), float32(v%3)
		for k, x := range []float32{float32(v), float32(v % 3)} {
			if x != 0 {
				values, indices = append(values, x), append(indices, int32(k))
			}
		}
		indptr = append(indptr, int32(len(values)))
	}
	s, err := tensor.NewSparse(n, 2, indptr, indices, tensor.FromSlice(values, len(values)))
	if err != nil {
		t.Fatal(err)
	}
	orders := map[string][]float64{}
	for name, x := range map[string]*autograd.Var{"dense": autograd.Constant(dense), "sparse": autograd.SparseConstant(s)} {
		linear := nn.NewLinear(2, 2, nn.NewRNG(1), nn.NoBias())
		linear.Weight.SetTensor(tensor.FromSlice([]float32{1, 0, 0, 1}, 2, 2))
		m := gnn.NewDeepGraphInfomax(2, linearEncoder{linear}, gnn.InfomaxConfig{}, nn.NewRNG(5))
		pass := func() (order []float64) {
			positive, negative, summary := m.Forward(g, x)
			near(t, "rows", positive.Tensor().Float64s(), dense.Float64s(), 0)
			near(t, "summary", summary.Tensor().Float64s(), []float64{1, sigmoid(49.0 / 50)}, 1e-6)
			for _, row := range rowsOf(negative) {
				order = append(order, row[0])
				if row[1] != math.Mod(row[0], 3) {
					t.Fatalf("%s: row %v is none of x", name, row)
				}
			}
			if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, rowsOf(autograd.Constant(dense).Transpose())[0]) {
				t.Fatalf("%s: rows %v are not all", name, sorted)
			}
			return order
		}
		first := pass()
		if slices.IsSorted(first) {
			t.Errorf("%s: the rows stay", name)
		}
		if slices.Equal(first, pass()) {
			t.Errorf("%s: two passes have one order", name)
		}
		nn.Eval(m)
		if fixed := pass(); !slices.Equal(fixed, pass()) || slices.IsSorted(fixed) {
			t.Errorf("%s: evaluating, the order is another in the second pass, or is that of x", name)
		}
		orders[name] = first
	}
	if !slices.Equal(orders["dense"], orders["sparse"]) {
		t.Error("sparse features are in another order than dense ones")
	}
}

// linearEncoder looks at no graph.
type linearEncoder struct{ *nn.Linear }

func (l linearEncoder) Forward(_ *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.Linear.Forward(x)
}

// activated is a layer with ReLU.
type activated struct{ Conv *gnn.GCNConv }

func (l activated) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.Conv.Forward(g, x).ReLU()
}

func TestInfomaxLearnsBlocks(t *testing.T) {
	d, err := data.SBM(data.SBMConfig{Sizes: []int{60, 60, 60}, PIn: 0.15, POut: 0.01, Features: 48, Noise: 5, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	x, r := autograd.Input(d.Features), nn.NewRNG(4)
	m := gnn.NewDeepGraphInfomax(32, activated{gnn.NewGCNConv(48, 32, r)}, gnn.InfomaxConfig{}, r)
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.01})
	var losses []float64
	before := nearestAlike(m.Encoder.Forward(d.Graph, x), d.Labels)
	for range 150 {
		opt.ZeroGrad()
		loss := m.Loss(m.Forward(d.Graph, x))
		losses = append(losses, loss.Item())
		loss.Backward()
		opt.Step()
	}
	after := nearestAlike(m.Encoder.Forward(d.Graph, x), d.Labels)
	if last := losses[len(losses)-1]; last > 0.3 || before > 0.87 || after < 0.92 {
		t.Errorf("loss from %v to %v; the nearest vertex is of the block for %v before and %v after", losses[0], last, before, after)
	}
}

func TestInfomaxRejectsWhatDoesNotFit(t *testing.T) {
	r := nn.NewRNG(1)
	g := messy(t)
	v := func(dt tensor.DType, shape ...int) *autograd.Var {
		return autograd.Constant(tensor.Zeros(dt, shape...))
	}
	m := gnn.NewDeepGraphInfomax(3, same{}, gnn.InfomaxConfig{}, r)
	h, s := v(tensor.Float32, 6, 3), v(tensor.Float32, 3)
	const made = "the model has no encoder or no weight; make it with NewDeepGraphInfomax"
	wantMisuses(t, map[string]func(){
		"gnn: DeepGraphInfomax: size 0; want sizes above 0":                       func() { gnn.NewDeepGraphInfomax(0, same{}, gnn.InfomaxConfig{}, r) },
		"gnn: DeepGraphInfomax: the encoder is nil":                               func() { gnn.NewDeepGraphInfomax(3, nil, gnn.InfomaxConfig{}, r) },
		"gnn: DeepGraphInfomax: " + made:                                          func() { (*gnn.DeepGraphInfomax)(nil).Forward(g, h) },
		"gnn: Discriminate: " + made:                                              func() { (&gnn.DeepGraphInfomax{}).Discriminate(h, s) },
		"gnn: DeepGraphInfomax: the graph is nil":                                 func() { m.Forward(nil, h) },
		"gnn: DeepGraphInfomax: x is nil":                                         func() { m.Forward(g, nil) },
		"gnn: DeepGraphInfomax: x has 5 rows, the graph 6 vertices":               func() { m.Forward(g, v(tensor.Float32, 5, 3)) },
		"gnn: DeepGraphInfomax: the encoder's result has shape [6 2], want [N 3]": func() { m.Forward(g, v(tensor.Float32, 6, 2)) },
		"gnn: Discriminate: h is nil":                                             func() { m.Discriminate(nil, s) },
		"gnn: Discriminate: h has shape [3], want [N 3]":                          func() { m.Discriminate(s, s) },
		"gnn: Discriminate: the summary is nil":                                   func() { m.Discriminate(h, nil) },
		"gnn: Discriminate: the summary has shape [6 3], want [3]":                func() { m.Discriminate(h, h) },
		"gnn: DeepGraphInfomax: h holds f64, the layer's weights f32: convert h (tensor.Tensor.To), or make the layer WithDType": func() {
			m.Loss(h, v(tensor.Float64, 6, 3), s)
		},
		"gnn: DeepGraphInfomax: 6 positive and 0 negative scores; the mean of none is no loss": func() { m.Loss(h, v(tensor.Float32, 0, 3), s) },
	})
	m.Weight = v(tensor.Float32, 3, 2)
	if err := autograd.Try(func() { m.Loss(h, h, s) }); !isMisuse(err, "gnn: DeepGraphInfomax: Weight has shape [3 2], want [hidden hidden]") {
		t.Errorf("a weight of another shape: %v", err)
	}
}
