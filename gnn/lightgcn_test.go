package gnn_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

func TestLightGCNEqualsPyG(t *testing.T) {
	cases := pygCases(t)["lightgcn"]
	if len(cases) < 4 {
		t.Errorf("%d cases, want 4", len(cases))
	}
	for i, c := range cases {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			s := c["settings"].Float64s()
			g := mustGraph(t, int(c["n"].Float64s()[0]), c.ints("src"), c.ints("dst"))
			m := gnn.NewLightGCN(g.NumVertices(), 3, int(s[0]), gnn.LightGCNConfig{NoNorm: s[1] == 0}, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
			if i%2 == 0 { // PyG's default, which the file has too
				near(t, "alpha", vector(m.Alpha), c["before.alpha"].Float64s(), 1e-12)
			}
			c.load(t, m)
			w := c.variable("w")
			links := gnn.Links{Src: c.ints("links_src"), Dst: c.ints("links_dst")}
			wantTensor(t, "embedding", m.ForwardWeighted(g, w).Tensor(), c["embedding"])
			wantTensor(t, "probability", m.PredictLink(g, w, links).Tensor(), c["probability"])
			scores := m.Scores(g, w, links)
			wantTensor(t, "scores", scores.Tensor(), c["y"])
			scores.BackwardWith(c["cotangent"])
			c.wantGradients(t, map[string]*autograd.Var{"embedding.weight": m.Embedding.Weight, "w": w})

			wantRecommended := func(name string, got [][]int32) {
				t.Helper()
				if want := c.ints(name); !slices.Equal(slices.Concat(got...), want) {
					t.Errorf("%s: %v, want %v", name, got, want)
				}
			}
			wantRecommended("recommended", m.Recommend(g, w, c.ints("asked"), 3, gnn.RecommendConfig{Among: c.ints("among")}))
			all := make([]int32, g.NumVertices())
			for v := range all {
				all[v] = int32(v)
			}
			wantRecommended("recommended_all", m.Recommend(g, w, all, 2, gnn.RecommendConfig{Batch: 2}))

			for name, loss := range map[string]func(p, n *autograd.Var) *autograd.Var{
				"loss":      func(p, n *autograd.Var) *autograd.Var { return m.Loss(p, n, c.ints("used"), 0.1) },
				"loss_all":  func(p, n *autograd.Var) *autograd.Var { return m.Loss(p, n, nil, 0.01) },
				"loss_bare": func(p, n *autograd.Var) *autograd.Var { return m.Loss(p, n, nil, 0) },
			} {
				nn.ZeroGrad(m)
				positive, negative := gnn.SplitScores(m.Scores(g, w, links), 4)
				l := loss(positive, negative)
				wantTensor(t, name, l.Tensor(), c[name])
				l.Backward()
				wantTensor(t, "gradient of "+name, m.Embedding.Weight.Gradient(), c[name+"_gradient"])
			}
		})
	}
}

func lightGCNs(dt tensor.DType, vertices int) map[string]*gnn.LightGCN {
	r, opt := nn.NewRNG(1), gnn.WithDType(dt)
	return map[string]*gnn.LightGCN{
		"three layers":   gnn.NewLightGCN(vertices, 5, 3, gnn.LightGCNConfig{}, r, opt),
		"without a norm": gnn.NewLightGCN(vertices, 5, 2, gnn.LightGCNConfig{NoNorm: true, Alpha: []float64{0.5, -1, 2}}, r, opt),
		"no layer":       gnn.NewLightGCN(vertices, 5, 0, gnn.LightGCNConfig{}, r, opt),
	}
}

func TestLightGCNEqualsItsFormula(t *testing.T) {
	for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-12, tensor.Float32: 1e-5} {
		for _, g := range degenerate(t) {
			if g.NumVertices() == 0 {
				continue
			}
			for name, m := range lightGCNs(dt, g.NumVertices()) {
				w := weights(g.Graph, dt, false)
				for how, w := range map[string]*autograd.Var{"plain": nil, "weighted": w} {
					p, z := symmetric(g.Graph, vector(w), name != "without a norm"), rowsOf(m.Embedding.Weight)
					want := make(matrix, g.NumVertices())
					for k, a := range vector(m.Alpha) {
						if k > 0 {
							z = product(p, z)
						}
						for v := range want {
							want[v] = plus(scaled(z[v], a), want[v])
						}
					}
					near(t, fmt.Sprint(name, ", ", how, ", ", g.name, ", ", dt), m.ForwardWeighted(g.Graph, w).Tensor().Float64s(), want.flat(), tol)
				}
			}
		}
	}
}

func TestLightGCNGradientsEqualCentralDifferences(t *testing.T) {
	for _, g := range []*graph.Graph{messy(t), mustGraph(t, 3, nil, nil)} {
		for name, m := range lightGCNs(tensor.Float64, g.NumVertices()) {
			w := weights(g, tensor.Float64, false)
			for _, w := range []*autograd.Var{nil, w} {
				xs := nn.Parameters(m)
				if w != nil {
					xs = append(xs, w)
				}
				if err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return m.ForwardWeighted(g, w) }, xs); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

func TestLightGCNHasNoEdgeTensorInItsPlans(t *testing.T) {
	g := random(t, 30, 300)
	for name, m := range lightGCNs(tensor.Float32, 30) {
		compiled := m.Compiled(g)
		for _, b := range slices.Concat(compiled.Forward.Buffers, compiled.Backward.Buffers) {
			if b.Res == ir.Edge {
				t.Errorf("%s: a plan holds the edge tensor %q", name, b.Name)
			}
		}
		wantWeightsAsOnlyEdgeTensors(t, name, g, m.CompiledWeighted(g, weights(g, tensor.Float32, false)))
	}
}

// Alpha is a buffer: it is in the state, as PyG's is, and no parameter.
func TestStateOfLightGCNHasTheNamesOfPyG(t *testing.T) {
	m := gnn.NewLightGCN(4, 5, 2, gnn.LightGCNConfig{}, nn.NewRNG(1))
	var names, parameters []string
	for _, s := range nn.State(m) {
		names = append(names, s.Name)
	}
	for _, p := range nn.NamedParameters(m) {
		parameters = append(parameters, p.Name)
	}
	if want := []string{"alpha", "embedding.weight"}; !slices.Equal(names, want) || !slices.Equal(parameters, want[1:]) {
		t.Errorf("the state is %v, the parameters are %v, want %v and the second", names, parameters, want)
	}
}

// The caller's numbers stay his own.
func TestLightGCNKeepsItsAlpha(t *testing.T) {
	alpha := []float64{1, 0}
	m := gnn.NewLightGCN(3, 2, 1, gnn.LightGCNConfig{Alpha: alpha}, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	alpha[0] = 7
	near(t, "alpha", vector(m.Alpha), []float64{1, 0}, 0)
}

func TestLightGCNRejectsWhatDoesNotFit(t *testing.T) {
	g, block := messy(t), someBlocks(t)[4].Graph // of 6 vertices, both
	m := gnn.NewLightGCN(6, 4, 2, gnn.LightGCNConfig{}, nn.NewRNG(1))
	scores := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	without := gnn.NewLightGCN(6, 4, 2, gnn.LightGCNConfig{}, nn.NewRNG(1))
	without.Embedding = nil
	for _, f := range []func(){
		func() { without.Forward(g) },
		func() { without.Loss(scores(2), scores(2, 1), nil, 1) },
		func() { (&gnn.LightGCN{Embedding: &nn.Embedding{}}).Loss(scores(2), scores(2, 1), []int32{0}, 1) },
	} {
		wantMisuses(t, map[string]func(){"gnn: LightGCN: the model has no embeddings; make it with NewLightGCN": f})
	}
	wantMisuses(t, map[string]func(){
		"gnn: LightGCN: the graph is nil":                                                              func() { m.Forward(nil) },
		"gnn: LightGCN: the graph is bipartite, the layer takes a homogeneous one":                     func() { m.Forward(block) },
		"gnn: LightGCN: the graph has 3 vertices, the model is for 6":                                  func() { m.Forward(mustGraph(t, 3, nil, nil)) },
		"gnn: LightGCN: w has shape [4], the layer takes a weight for each of 12 edges, [12]":          func() { m.ForwardWeighted(g, scores(4)) },
		"gnn: Dot: link 0: source 6 out of range [0, 6)":                                               func() { m.Scores(g, nil, gnn.Links{Src: []int32{6}, Dst: []int32{0}}) },
		"gnn: LightGCN: lambda is NaN; want a finite number, 0 or more":                                func() { m.Loss(scores(2), scores(2, 1), nil, math.NaN()) },
		"gnn: LightGCN: lambda is -1; want a finite number, 0 or more":                                 func() { m.Loss(scores(2), scores(2, 1), nil, -1) },
		"gnn: LightGCN: lambda is +Inf; want a finite number, 0 or more":                               func() { m.Loss(scores(2), scores(2, 1), nil, math.Inf(1)) },
		"gnn: LinkBPR: scores of shapes [2] and [3 1]; want [n] of true links and [n k] of false ones": func() { m.Loss(scores(2), scores(3, 1), nil, 1) },
	})
}

// Best first; of equal scores the first vertex, NaN behind all.
func TestRecommendEqualsASort(t *testing.T) {
	const n = 40
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		x := make([]float64, n)
		for v := range x {
			x[v] = float64(rng.Hash(1, uint64(v))%9) - 4
		}
		x[5], x[20] = math.NaN(), math.NaN()
		h := autograd.Parameter(tensor.FromSlice(x, n, 1).To(dt))
		src := []int32{3, 17, 0, 3, 5}
		links := gnn.Links{Src: []int32{3, 3, 17, 3, 1}, Dst: []int32{0, 39, 8, 11, 2}}
		known, among := gnn.NewKnownLinks(links), []int32{39, 8, 0, 11, 12, 5, 20, 13, 14, 12}
		all := autograd.NoGrad(h).IndexSelect(src).MatMul(autograd.NoGrad(h).Transpose())
		for _, k := range []int{1, 3, 8, n, n + 5} {
			for name, cfg := range map[string]gnn.RecommendConfig{
				"all":             {},
				"batches":         {Batch: 3},
				"without known":   {Known: known},
				"among some":      {Among: among},
				"among, no known": {Among: among, Known: known, Batch: 1},
				"among none":      {Among: []int32{}},
			} {
				got := gnn.Recommend(gnn.Dot{}, h, src, k, cfg)
				for i, u := range src {
					var want []int32
					for v := int32(0); v < n; v++ {
						if (cfg.Among == nil || slices.Contains(cfg.Among, v)) && (cfg.Known == nil || !slices.Contains(known.Tails(u, 0), v)) {
							want = append(want, v)
						}
					}
					slices.SortStableFunc(want, func(a, b int32) int {
						x, y := all.Tensor().At(i, int(a)), all.Tensor().At(i, int(b))
						switch {
						case x > y || y != y && x == x:
							return -1
						case x < y || x != x && y == y:
							return 1
						}
						return 0
					})
					if want = want[:min(k, len(want))]; !slices.Equal(got[i], want) {
						t.Errorf("%s, %v, %d for vertex %d: %v, want %v", name, dt, k, u, got[i], want)
					}
				}
			}
		}
		if got := gnn.Recommend(gnn.Dot{}, h, nil, 2, gnn.RecommendConfig{}); len(got) != 0 {
			t.Errorf("for nobody: %v", got)
		}
	}
}

func TestRecommendRejectsWhatDoesNotFit(t *testing.T) {
	h := autograd.Constant(tensor.Ones(tensor.Float32, 4, 2))
	of := func(src []int32, k int, cfg gnn.RecommendConfig) func() {
		return func() { gnn.Recommend(gnn.Dot{}, h, src, k, cfg) }
	}
	typed := gnn.NewKnownLinks(gnn.Links{Src: []int32{0}, Dst: []int32{1}, Rel: []int32{0}})
	wantMisuses(t, map[string]func(){
		"gnn: Recommend: the decoder is nil":                            func() { gnn.Recommend(nil, h, nil, 1, gnn.RecommendConfig{}) },
		"gnn: Recommend: h is nil":                                      func() { gnn.Recommend(gnn.Dot{}, nil, nil, 1, gnn.RecommendConfig{}) },
		"gnn: Recommend: size 0; want sizes above 0":                    of([]int32{0}, 0, gnn.RecommendConfig{}),
		"gnn: Recommend: Batch is -1":                                   of([]int32{0}, 1, gnn.RecommendConfig{Batch: -1}),
		"gnn: Recommend: src: entry 1: vertex 4 out of range [0, 4)":    of([]int32{0, 4}, 1, gnn.RecommendConfig{}),
		"gnn: Recommend: Among: entry 0: vertex -1 out of range [0, 4)": of([]int32{0}, 1, gnn.RecommendConfig{Among: []int32{-1}}),
		"gnn: Recommend: the links have none, the known ones relations": of([]int32{0}, 1, gnn.RecommendConfig{Known: typed}),
	})
}
