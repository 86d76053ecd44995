package gnn_test

// Embeddings by random walks: formula, gradients, misuse, and that they learn.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func TestNode2VecLossEqualsItsFormula(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		m := gnn.NewNode2Vec(5, 3, nn.NewRNG(2), gnn.WithDType(dt))
		if got := m.Embedding.Weight.DType(); got != dt {
			t.Fatalf("embeddings of %v, want %v", got, dt)
		}
		h := rowsOf(m.Embedding.Weight)
		mean := func(w gnn.Walks, sign float64) (sum float64) {
			pairs := 0.0
			for i := 0; i < len(w.Vertices); i += w.Length {
				for _, v := range w.Vertices[i+1 : i+w.Length] {
					sum -= math.Log(sigmoid(sign * inner(h[w.Vertices[i]], h[v])))
					pairs++
				}
			}
			return sum / pairs
		}
		positive := gnn.Walks{Vertices: []int32{0, 1, 2, 4, 4, 1}, Length: 3}
		negative := gnn.Walks{Vertices: []int32{3, 2, 0, 0, 1, 3, 2, 4, 4}, Length: 3}
		want := mean(positive, 1) + mean(negative, -1)
		tol := 1e-13
		if dt == tensor.Float32 {
			tol = 1e-6
		}
		near(t, "loss", []float64{m.Loss(positive, negative).Item()}, []float64{want}, tol)
	}
}

func TestNode2VecGradients(t *testing.T) {
	m := gnn.NewNode2Vec(5, 3, nn.NewRNG(2), gnn.WithDType(tensor.Float64))
	err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var {
		return m.Loss(gnn.Walks{Vertices: []int32{0, 1, 2, 4, 4, 1}, Length: 3}, gnn.Walks{Vertices: []int32{3, 2, 0, 1}, Length: 2})
	}, []*autograd.Var{m.Embedding.Weight})
	if err != nil {
		t.Error(err)
	}
}

// Where σ rounds to 0 or 1, PyG's loss is a constant.
func TestNode2VecLearnsFromPairsThatAreQuiteWrong(t *testing.T) {
	m := gnn.NewNode2Vec(2, 1, nn.NewRNG(1))
	m.Embedding.Weight.SetTensor(tensor.FromSlice([]float32{-10, 20}, 2, 1))
	wrong := gnn.Walks{Vertices: []int32{0, 1}, Length: 2}
	right := gnn.Walks{Vertices: []int32{0, 0}, Length: 2}
	for name, c := range map[string]struct {
		positive, negative gnn.Walks
		loss               float64
		gradient           []float64
	}{
		"true pair": {wrong, wrong, 200, []float64{-20, 10}},
		"any false": {right, right, 100, []float64{-20, 0}},
	} {
		m.Embedding.Weight.ZeroGrad()
		loss := m.Loss(c.positive, c.negative)
		loss.Backward()
		near(t, name, []float64{loss.Item()}, []float64{c.loss}, 1e-6)
		near(t, name+": gradient", m.Embedding.Weight.Gradient().Float64s(), c.gradient, 1e-6)
	}
}

func TestNode2VecGivesItsEmbeddings(t *testing.T) {
	m := gnn.NewNode2Vec(4, 2, nn.NewRNG(1))
	if m.Forward(nil) != m.Embedding.Weight {
		t.Error("all embeddings are not the parameter")
	}
	h := rowsOf(m.Embedding.Weight)
	near(t, "embeddings", m.Forward([]int32{3, 0, 3}).Tensor().Float64s(), append(append(append([]float64{}, h[3]...), h[0]...), h[3]...), 0)
	if s := m.Forward([]int32{}).Shape(); !s.Equal(tensor.Shape{0, 2}) {
		t.Errorf("embeddings of no vertices have shape %v", s)
	}
	if ps := nn.NamedParameters(m); len(ps) != 1 || ps[0].Name != "embedding.weight" {
		t.Errorf("parameters %v, want embedding.weight", ps)
	}
}

// nearestAlike is the share of vertices whose nearest other one by the cosine has their label.
func nearestAlike(h *autograd.Var, labels []int32) float64 {
	rows, alike := rowsOf(h), 0.0
	for v, x := range rows {
		best, nearest := math.Inf(-1), -1
		for u, y := range rows {
			if cos := inner(x, y) / math.Sqrt(inner(x, x)*inner(y, y)); u != v && cos > best {
				best, nearest = cos, u
			}
		}
		if labels[v] == labels[nearest] {
			alike++
		}
	}
	return alike / float64(len(rows))
}

// threeBlocks is a stochastic block model of three classes whose features say little.
func threeBlocks(t testing.TB) *data.Dataset {
	t.Helper()
	d, err := data.SBM(data.SBMConfig{Sizes: []int{60, 60, 60}, PIn: 0.25, POut: 0.01, Features: 24, Noise: 3, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestNode2VecPutsVerticesOfABlockTogether(t *testing.T) {
	d := threeBlocks(t)
	vertices := make([]int32, d.Graph.NumVertices())
	for v := range vertices {
		vertices[v] = int32(v)
	}
	for _, walking := range []data.Walking{{Length: 10}, {Length: 10, P: 2, Q: 0.5}} {
		loader, err := data.NewWalkLoader(d.Graph, vertices, data.WalkConfig{
			Loading: data.Loading{BatchSize: 64, Shuffle: true, Seed: 1}, Walking: walking, Context: 5, WalksPerVertex: 4,
		})
		if err != nil {
			t.Fatal(err)
		}
		m := gnn.NewNode2Vec(len(vertices), 16, nn.NewRNG(3))
		opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.05})
		before := nearestAlike(m.Forward(nil), d.Labels)
		for epoch := range 20 {
			for b, err := range loader.Epoch(t.Context(), epoch) {
				if err != nil {
					t.Fatal(err)
				}
				opt.ZeroGrad()
				m.Loss(gnn.Walks(b.Positive), gnn.Walks(b.Negative)).Backward()
				opt.Step()
			}
		}
		if after := nearestAlike(m.Forward(nil), d.Labels); before > 0.5 || after < 0.95 {
			t.Errorf("%+v: the nearest vertex is of the block for %v of the vertices before training and %v after", walking, before, after)
		}
	}
}

func TestNode2VecRejectsWhatDoesNotFit(t *testing.T) {
	r := nn.NewRNG(1)
	m := gnn.NewNode2Vec(4, 2, r)
	good := gnn.Walks{Vertices: []int32{0, 1}, Length: 2}
	wantMisuses(t, map[string]func(){
		"gnn: Node2Vec: size 0; want sizes above 0":                                               func() { gnn.NewNode2Vec(0, 2, r) },
		"gnn: Node2Vec: size -1; want sizes above 0":                                              func() { gnn.NewNode2Vec(4, -1, r) },
		"gnn: Node2Vec: the model has no embeddings; make it with NewNode2Vec":                    func() { (*gnn.Node2Vec)(nil).Forward(nil) },
		"gnn: Node2Vec: entry 1: vertex 4 out of range [0, 4)":                                    func() { m.Forward([]int32{0, 4}) },
		"gnn: Node2Vec: entry 0: vertex -1 out of range [0, 4)":                                   func() { m.Loss(good, gnn.Walks{Vertices: []int32{-1, 0}, Length: 2}) },
		"gnn: Node2Vec: 3 vertices of positive walks of length 2; want whole walks of at least 2": func() { m.Loss(gnn.Walks{Vertices: []int32{0, 1, 2}, Length: 2}, good) },
		"gnn: Node2Vec: 2 vertices of negative walks of length 1; want whole walks of at least 2": func() { m.Loss(good, gnn.Walks{Vertices: []int32{0, 1}, Length: 1}) },
		"gnn: Node2Vec: 0 vertices of negative walks of length 0; want whole walks of at least 2": func() { m.Loss(good, gnn.Walks{}) },
		"gnn: Node2Vec: 1 positive and 0 negative scores; the mean of none is no loss":            func() { m.Loss(good, gnn.Walks{Length: 2}) },
	})
	if err := autograd.Try(func() { (&gnn.Node2Vec{}).Loss(good, good) }); !isMisuse(err, "gnn: Node2Vec: the model has no embeddings") {
		t.Errorf("a zero model: %v", err)
	}
}
