package gnn_test

// Decoders and losses of link prediction: golden vectors, formulas in plain loops,
// gradients, misuse, and that they learn.

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/internal/golden"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

const (
	linkDim  = 5
	linkRels = 3
)

// A decoder and its formula for one link; rel is nil without relations.
type decoderCase struct {
	gnn.LinkDecoder
	relations bool
	naive     func(u, rel, v []float64) float64
	rel       *autograd.Var
}

func decoderCases(dt tensor.DType) map[string]decoderCase {
	r, with := nn.NewRNG(4), gnn.WithDType(dt)
	dm := gnn.NewDistMult(linkRels, linkDim, r, with)
	l1, l2 := gnn.NewTransE(linkRels, linkDim, gnn.TransEL1, r, with), gnn.NewTransE(linkRels, linkDim, gnn.TransEL2, r, with)
	transE := func(p float64) func(u, rel, v []float64) float64 {
		return func(u, rel, v []float64) (sum float64) {
			for k := range u {
				sum += math.Pow(math.Abs(u[k]+rel[k]-v[k]), p)
			}
			return -math.Pow(sum, 1/p)
		}
	}
	return map[string]decoderCase{
		"dot":       {gnn.Dot{}, false, func(u, _, v []float64) float64 { return inner(u, v) }, nil},
		"distmult":  {dm, true, func(u, rel, v []float64) float64 { return inner(times3(u, rel), v) }, dm.Rel},
		"transe l1": {l1, true, transE(1), l1.Rel},
		"transe l2": {l2, true, transE(2), l2.Rel},
	}
}

func times3(x, y []float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = x[i] * y[i]
	}
	return out
}

// randomLinks are links among n vertices, with loops and duplicates.
func randomLinks(seed uint64, links, n int, relations bool) gnn.Links {
	var l gnn.Links
	for i := range links {
		l.Src = append(l.Src, int32(rng.Hash(seed, uint64(3*i))%uint64(n)))
		l.Dst = append(l.Dst, int32(rng.Hash(seed, uint64(3*i+1))%uint64(n)))
		if relations {
			l.Rel = append(l.Rel, int32(rng.Hash(seed, uint64(3*i+2))%linkRels))
		}
	}
	return l
}

func TestDecodersEqualTheirFormulas(t *testing.T) {
	for name, c := range decoderCases(tensor.Float64) {
		for _, n := range []int{1, 7, 60} {
			h := autograd.Constant(randn(tensor.Float64, 1, n, linkDim))
			rows, rels := rowsOf(h), rowsOf(c.rel)
			for _, count := range []int{0, 1, 12} {
				l := randomLinks(6, count, n, c.relations)
				var want, tails, heads []float64
				for i, u := range l.Src {
					var rel []float64
					if c.relations {
						rel = rels[l.Rel[i]]
					}
					want = append(want, c.naive(rows[u], rel, rows[l.Dst[i]]))
					for v := range rows {
						tails = append(tails, c.naive(rows[u], rel, rows[v]))
						heads = append(heads, c.naive(rows[v], rel, rows[l.Dst[i]]))
					}
				}
				// The Euclidean norm of a link to itself is sqrt(1e-12).
				near(t, name+" score", c.Score(h, l).Tensor().Float64s(), want, 2e-6)
				near(t, name+" tails", c.ScoreTails(h, l).Tensor().Float64s(), tails, 2e-6)
				near(t, name+" heads", c.ScoreHeads(h, l).Tensor().Float64s(), heads, 2e-6)
				if s := c.ScoreTails(h, l).Shape(); !s.Equal(tensor.Shape{count, n}) {
					t.Errorf("%s: scores of shape %v", name, s)
				}
			}
		}
	}
}

// Away from 0 nothing but rounding is between the ways to compute a score.
func TestScoresOfLinksAreAmongThoseOfAllEnds(t *testing.T) {
	for name, c := range decoderCases(tensor.Float64) {
		h := autograd.Constant(randn(tensor.Float64, 1, 9, linkDim))
		l := randomLinks(2, 20, 9, c.relations)
		score := c.Score(h, l).Tensor().Float64s()
		tails, heads := rowsOf(c.ScoreTails(h, l)), rowsOf(c.ScoreHeads(h, l))
		for i, x := range score {
			near(t, name, []float64{tails[i][l.Dst[i]], heads[i][l.Src[i]]}, []float64{x, x}, 1e-12)
		}
	}
}

// Vertices so near to each other that products of their features have no digits of the
// distance.
func TestTransEScoresOfNearVerticesAreThoseOfScore(t *testing.T) {
	const half, dim = 40, 32
	first := randn(tensor.Float32, 3, half, dim)
	x := tensor.Concat(0, first, tensor.Add(first, tensor.Scale(tensor.Roll(first, 7, 0), 1e-4)))
	var l gnn.Links
	for i := range int32(half) {
		l.Src, l.Rel, l.Dst = append(l.Src, i), append(l.Rel, i%2), append(l.Dst, half+i)
	}
	for _, norm := range []gnn.TransENorm{gnn.TransEL1, gnn.TransEL2} {
		d := gnn.NewTransE(2, dim, norm, nn.NewRNG(1))
		d.Rel.Tensor().Narrow(0, 0, 1).Fill(0) // relation 0 leads nowhere, 1 away
		for name, h := range map[string]*autograd.Var{"cut in blocks": autograd.Constant(tensor.Concat(0, x, randn(tensor.Float32, 4, 1000, dim))), "whole": autograd.Constant(x)} {
			score := d.Score(h, l).Tensor().Float64s()
			if score[0] > -1e-4 || score[0] < -1e-2 {
				t.Fatalf("norm %d: the first distance is %v, not small", norm, -score[0])
			}
			tails, heads := rowsOf(d.ScoreTails(h, l)), rowsOf(d.ScoreHeads(h, l))
			for i, want := range score {
				for way, got := range map[string]float64{"tails": tails[i][l.Dst[i]], "heads": heads[i][l.Src[i]]} {
					if math.Abs(got-want) > 4e-6*math.Abs(want) { // far ones come from products
						t.Errorf("norm %d, %s, %s: link %d scores %v, want %v", norm, name, way, i, got, want)
					}
				}
			}
		}
	}
}

func TestTransEGradientsOfNearVerticesAreThoseOfScore(t *testing.T) {
	const n, dim = 600, 32
	x := randn(tensor.Float32, 5, 1, dim).Float64s()
	near, all := make([]float64, 0, n*dim), gnn.Links{}
	for i := range n {
		for k := range dim {
			near = append(near, x[k]+1e-4*rng.Normal(6, uint64(i*dim+k)))
		}
		all.Src, all.Rel, all.Dst = append(all.Src, 0), append(all.Rel, 0), append(all.Dst, int32(i))
	}
	for _, norm := range []gnn.TransENorm{gnn.TransEL1, gnn.TransEL2} {
		d := gnn.NewTransE(1, dim, norm, nn.NewRNG(1))
		d.Rel.Tensor().Fill(0)
		gradients := func(score func(h *autograd.Var) *autograd.Var) (h, rel []float64) {
			v := autograd.Variable(tensor.FromSlice(near, n, dim).To(tensor.Float32))
			d.Rel.ZeroGrad()
			score(v).Sum().Backward()
			return v.Gradient().Float64s(), d.Rel.Gradient().Float64s()
		}
		wantH, wantRel := gradients(func(h *autograd.Var) *autograd.Var { return d.Score(h, all) })
		gotH, gotRel := gradients(func(h *autograd.Var) *autograd.Var {
			return d.ScoreTails(h, gnn.Links{Src: []int32{0}, Rel: []int32{0}})
		})
		near32(t, "gradient of h", gotH, wantH)
		near32(t, "gradient of the relation", gotRel, wantRel)
	}
}

func TestTransEScoresOfAllVerticesHaveGradientsOfGradients(t *testing.T) {
	h := autograd.Variable(randn(tensor.Float64, 3, 5, 4))
	l := gnn.Links{Src: []int32{0, 3, 1}, Rel: []int32{1, 0, 1}, Dst: []int32{2, 2, 4}}
	for _, norm := range []gnn.TransENorm{gnn.TransEL1, gnn.TransEL2} {
		d := gnn.NewTransE(2, 4, norm, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
		xs := []*autograd.Var{h, d.Rel}
		for name, score := range map[string]func() *autograd.Var{
			"tails": func() *autograd.Var { return d.ScoreTails(h, l) },
			"heads": func() *autograd.Var { return d.ScoreHeads(h, l) },
		} {
			y := score()
			c := autograd.Variable(randn(tensor.Float64, 4, y.Shape()...))
			first := autograd.GradWith(y, c, xs)
			slopes := func(vs ...*autograd.Var) *autograd.Var {
				gs := autograd.GradWith(score(), vs[2], vs[:2], autograd.CreateGraph())
				return autograd.Concat(0, gs[0].Reshape(-1), gs[1].Reshape(-1))
			}
			want := append(first[0].Tensor().Float64s(), first[1].Tensor().Float64s()...)
			for i, got := range slopes(h, d.Rel, c).Tensor().Float64s() {
				if math.Abs(got-want[i]) > 1e-12 {
					t.Errorf("%s: gradient %d under CreateGraph is %v, want %v", name, i, got, want[i])
				}
			}
			if err := autograd.Gradcheck(slopes, []*autograd.Var{h, d.Rel, c}, autograd.GradcheckTolerance(1e-5, 1e-6)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestTransEKeepsNoDifferencesOfAllPairs(t *testing.T) {
	const n, dim, links = 300, 32, 64
	h := autograd.Variable(randn(tensor.Float32, 3, n, dim))
	for _, norm := range []gnn.TransENorm{gnn.TransEL1, gnn.TransEL2} {
		d := gnn.NewTransE(linkRels, dim, norm, nn.NewRNG(1))
		for way, score := range map[string]func(*autograd.Var, gnn.Links) *autograd.Var{"tails": d.ScoreTails, "heads": d.ScoreHeads} {
			loss := func() { score(h, randomLinks(5, links, n, true)).Sum().Backward() }
			loss() // gradients are there
			tensor.TrimMemory()
			tensor.ResetPeakMemory()
			before := tensor.MemoryStats().Live
			loss()
			if got, all := tensor.MemoryStats().Peak-before, int64(links*n*dim*4); got > all/2 {
				t.Errorf("norm %d, %s: %d bytes, the differences are %d", norm, way, got, all)
			}
		}
	}
}

func near32(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-4*max(1, math.Abs(want[i])) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestDecoderGradientsEqualCentralDifferences(t *testing.T) {
	for name, c := range decoderCases(tensor.Float64) {
		l := randomLinks(2, 6, 5, c.relations)
		xs := []*autograd.Var{autograd.Variable(randn(tensor.Float64, 8, 5, linkDim))}
		if c.relations {
			xs = append(xs, c.rel)
		}
		for way, score := range map[string]func(h *autograd.Var, l gnn.Links) *autograd.Var{"score": c.Score, "tails": c.ScoreTails, "heads": c.ScoreHeads} {
			if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return score(xs[0], l) }, xs); err != nil {
				t.Errorf("%s, %s: %v", name, way, err)
			}
		}
	}
}

// A translation that hits exactly has a finite gradient.
func TestDecodersTakeStridedViews(t *testing.T) {
	h := autograd.Variable(randn(tensor.Float64, 1, 7, linkDim))
	columns := autograd.Variable(h.Tensor().Transpose().Contiguous())
	for name, c := range decoderCases(tensor.Float64) {
		l := randomLinks(2, 4, 7, c.relations)
		for call, score := range map[string]func(h *autograd.Var, l gnn.Links) *autograd.Var{"Score": c.Score, "ScoreTails": c.ScoreTails, "ScoreHeads": c.ScoreHeads} {
			gradient := func(h *autograd.Var) *tensor.Tensor {
				return autograd.Grad(score(h, l).Square().Sum(), []*autograd.Var{h})[0].Tensor()
			}
			near(t, name+", "+call, gradient(columns.Transpose()).Float64s(), gradient(h).Float64s(), 1e-12)
		}
	}
}

func TestTransEGradientIsFiniteAtZero(t *testing.T) {
	for _, norm := range []gnn.TransENorm{gnn.TransEL1, gnn.TransEL2} {
		d := gnn.NewTransE(1, 2, norm, nn.NewRNG(1))
		d.Rel.Tensor().Fill(1)
		h := autograd.Variable(tensor.FromSlice([]float32{0, 0, 1, 1}, 2, 2))
		l := gnn.Links{Src: []int32{0}, Rel: []int32{0}, Dst: []int32{1}}
		d.Score(h, l).Sum().Add(d.ScoreTails(h, l).Sum()).Add(d.ScoreHeads(h, l).Sum()).Backward()
		for _, g := range append(h.Gradient().Float64s(), d.Rel.Gradient().Float64s()...) {
			if math.IsNaN(g) || math.IsInf(g, 0) {
				t.Errorf("norm %d: gradient %v", norm, g)
			}
		}
	}
}

func TestTransERelationsBeginWithLengthOne(t *testing.T) {
	for _, row := range rowsOf(gnn.NewTransE(20, 7, gnn.TransEL1, nn.NewRNG(1), gnn.WithDType(tensor.Float64)).Rel) {
		near(t, "length", []float64{inner(row, row)}, []float64{1}, 1e-12)
	}
}

func TestDistMultEqualsGolden(t *testing.T) {
	golden.Check(t, "distmult", func(c *golden.Case) *autograd.Var {
		file := shared.Golden(t, "distmult")
		d := gnn.NewDistMult(4, 12, nn.NewRNG(1), gnn.WithDType(c.DType))
		d.Rel = c.In["rel"]
		return d.Score(c.In["e"], gnn.Links{Src: c.Graph.Src(), Rel: file["etype"].Int32s(), Dst: c.Graph.Dst()})
	})
}

func TestLinkLossesEqualTheirFormulas(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {4, 3}, {2, 6}} {
		n, k := shape[0], shape[1]
		pos, neg := autograd.Variable(randn(tensor.Float64, 1, n)), autograd.Variable(randn(tensor.Float64, 2, n, k))
		var bce, margin, bpr float64
		for i, p := range rowsOf(pos) {
			bce -= math.Log(sigmoid(p[0]))
			for _, x := range rowsOf(neg)[i] {
				bce -= math.Log(1 - sigmoid(x))
				margin += max(0, 0.7-p[0]+x) / float64(n*k)
				bpr -= math.Log(sigmoid(p[0]-x)) / float64(n*k)
			}
		}
		want := []float64{bce / float64(n+n*k), margin, bpr}
		losses := []func(xs ...*autograd.Var) *autograd.Var{
			func(xs ...*autograd.Var) *autograd.Var { return gnn.LinkBCE(xs[0], xs[1]) },
			func(xs ...*autograd.Var) *autograd.Var { return gnn.LinkMargin(xs[0], xs[1], 0.7) },
			func(xs ...*autograd.Var) *autograd.Var { return gnn.LinkBPR(xs[0], xs[1]) },
		}
		for i, loss := range losses {
			near(t, "loss", []float64{loss(pos, neg).Tensor().Item()}, want[i:i+1], 1e-13)
			if err := autograd.Gradcheck(loss, []*autograd.Var{pos, neg}); err != nil {
				t.Errorf("loss %d: %v", i, err)
			}
		}
		// All scores in one list, as a loader's batch has its links.
		p, q := gnn.SplitScores(autograd.Concat(0, pos, neg.Reshape(n*k)), n)
		if !sameBits(p.Tensor().Float64s(), pos.Tensor().Float64s()) || !sameBits(q.Tensor().Float64s(), neg.Tensor().Float64s()) || !q.Shape().Equal(tensor.Shape{n, k}) {
			t.Errorf("split scores are %v and %v", p, q)
		}
	}
}

// As PyTorch's clamp_min(0), in which the losses with a margin end.
func TestLinkMarginPassesTheGradientAtTheHinge(t *testing.T) {
	pos, neg := autograd.Variable(tensor.FromSlice([]float64{1.5, 1.5}, 2)), autograd.Variable(tensor.FromSlice([]float64{1, 0.5}, 2, 1))
	gnn.LinkMargin(pos, neg, 0.5).Backward()
	near(t, "positive", pos.Gradient().Float64s(), []float64{-0.5, 0}, 0)
	near(t, "negative", neg.Gradient().Float64s(), []float64{0.5, 0}, 0)
}

func TestLossesOfHugeScoresAreFinite(t *testing.T) {
	pos := autograd.Constant(tensor.FromSlice([]float32{-1e4, 1e4}, 2))
	neg := autograd.Constant(tensor.FromSlice([]float32{1e4, -1e4}, 2, 1))
	for _, loss := range []*autograd.Var{gnn.LinkBCE(pos, neg), gnn.LinkBPR(pos, neg), gnn.LinkMargin(pos, neg, 1)} {
		if x := loss.Tensor().Item(); math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("loss %v", x)
		}
	}
}

// A recommender ranks items for users and users for items: the scores of both parts alone.
func TestEvaluateLinksAmongTheAllowedVertices(t *testing.T) {
	const users, items = 5, 7
	h := autograd.Constant(randn(tensor.Float32, 1, users+items, 3))
	var heads, tails []int32
	for v := range int32(users) {
		heads = append(heads, v)
	}
	for v := range int32(items) {
		tails = append(tails, users+v)
	}
	asked := gnn.Links{Src: []int32{0, 4, 2}, Dst: []int32{6, 11, 5}}
	train := gnn.Links{Src: []int32{0, 0, 4, 1}, Dst: []int32{7, 9, 5, 6}}
	known := gnn.NewKnownLinks(train, asked)
	got := gnn.EvaluateLinks(gnn.Dot{}, h, asked, gnn.LinkEval{Known: known, Heads: heads, Tails: tails, Batch: 2})

	want := gnn.NewRanking()
	byUser := h.Slice(0, 0, users).MatMul(h.Slice(0, users, users+items).Transpose())
	less := func(vs []int32, n int32) []int32 {
		out := slices.Clone(vs)
		for i := range out {
			out[i] -= n
		}
		return out
	}
	answers := less(asked.Dst, users)
	want.Add(gnn.Ranks(byUser.IndexSelect(asked.Src), answers, func(q int) []int32 { return less(known.Tails(asked.Src[q], 0), users) })...)
	want.Add(gnn.Ranks(byUser.Transpose().IndexSelect(answers), asked.Src, func(q int) []int32 { return known.Heads(0, asked.Dst[q]) })...)
	if got.MeanRank() != want.MeanRank() || math.Abs(got.MRR()-want.MRR()) > 1e-12 || got.Count() != want.Count() { // ranks are added in another order
		t.Errorf("%v, want %v", got.Metrics(), want.Metrics())
	}
	for want, cfg := range map[string]gnn.LinkEval{
		"gnn: EvaluateLinks: answer 1 is vertex 11, which is none of the allowed ones": {Tails: tails[:6]},
		"gnn: EvaluateLinks: Heads: entry 0: vertex -1 out of range [0, 12)":           {Heads: []int32{-1}},
		"gnn: EvaluateLinks: Tails: entry 1: vertex 12 out of range [0, 12)":           {Tails: []int32{0, 12}},
	} {
		if err := autograd.Try(func() { gnn.EvaluateLinks(gnn.Dot{}, h, asked, cfg) }); !isMisuse(err, want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A grid with the relations "to the right" and "down": translations fit it exactly,
// and a diagonal form cannot tell them from their reverses.
func TestTransELearnsAGridOfTranslations(t *testing.T) {
	const side = 5
	var l gnn.Links
	for v := range int32(side * side) {
		if v%side+1 < side {
			l.Src, l.Rel, l.Dst = append(l.Src, v), append(l.Rel, 0), append(l.Dst, v+1)
		}
		if v+side < side*side {
			l.Src, l.Rel, l.Dst = append(l.Src, v), append(l.Rel, 1), append(l.Dst, v+side)
		}
	}
	r := nn.NewRNG(1)
	m := &struct {
		H *nn.Embedding
		D *gnn.TransE
	}{nn.NewEmbedding(side*side, 8, nn.EmbeddingConfig{}, r), gnn.NewTransE(2, 8, gnn.TransEL2, r)}
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.05})
	cfg := gnn.LinkEval{Known: gnn.NewKnownLinks(l)}
	before := gnn.EvaluateLinks(m.D, m.H.Weight, l, cfg).MRR()
	for range 150 {
		opt.ZeroGrad()
		h := m.H.Weight
		nn.CrossEntropy(m.D.ScoreTails(h, l), l.Dst, nil).Add(nn.CrossEntropy(m.D.ScoreHeads(h, l), l.Src, nil)).Backward()
		opt.Step()
	}
	after := gnn.EvaluateLinks(m.D, m.H.Weight, l, cfg)
	if before > 0.5 || after.MRR() < 0.95 || after.Hits(3) < 0.99 {
		t.Errorf("MRR %.3f before, %.3f after, hits %v", before, after.MRR(), after.Metrics())
	}
}

func TestLinkPredictionRejectsWhatDoesNotFit(t *testing.T) {
	r := nn.NewRNG(1)
	h := autograd.Constant(tensor.Zeros(tensor.Float32, 4, linkDim))
	narrow := autograd.Constant(tensor.Zeros(tensor.Float32, 4, 2))
	flat := autograd.Constant(tensor.Zeros(tensor.Float32, 4))
	two, three := []int32{0, 1}, []int32{0, 1, 2}
	pairs := gnn.Links{Src: two, Dst: two}
	triples := gnn.Links{Src: two, Rel: two, Dst: two}
	dm, te := gnn.NewDistMult(2, linkDim, r), gnn.NewTransE(2, linkDim, gnn.TransEL1, r)
	scores := autograd.Constant(tensor.Zeros(tensor.Float32, 2, 4))
	for want, f := range map[string]func(){
		"gnn: Dot: h is nil":                                       func() { gnn.Dot{}.Score(nil, pairs) },
		"gnn: Dot: h has shape [4]":                                func() { gnn.Dot{}.ScoreTails(flat, pairs) },
		"gnn: Dot: the links have relations":                       func() { gnn.Dot{}.ScoreHeads(h, triples) },
		"gnn: Dot: links of 2 sources and 3 destinations":          func() { gnn.Dot{}.Score(h, gnn.Links{Src: two, Dst: three}) },
		"gnn: Dot: link 0: source 4 out of range [0, 4)":           func() { gnn.Dot{}.ScoreTails(h, gnn.Links{Src: []int32{4}}) },
		"gnn: Dot: link 1: destination -1 out of range [0, 4)":     func() { gnn.Dot{}.Score(h, gnn.Links{Src: two, Dst: []int32{0, -1}}) },
		"gnn: DistMult: link 1: source 9 out of range [0, 4)":      func() { dm.Score(h, gnn.Links{Src: []int32{0, 9}, Rel: two, Dst: two}) },
		"gnn: DistMult: link 0: relation 2 out of range [0, 2)":    func() { dm.ScoreHeads(h, gnn.Links{Rel: []int32{2}, Dst: []int32{0}}) },
		"gnn: TransE: link 0: destination 4 out of range [0, 4)":   func() { te.Score(h, gnn.Links{Src: []int32{0}, Rel: []int32{0}, Dst: []int32{4}}) },
		"gnn: TransE: link 0: relation -1 out of range [0, 2)":     func() { te.ScoreTails(h, gnn.Links{Src: []int32{0}, Rel: []int32{-1}}) },
		"gnn: TransE: the links have no relations, the decoder":    func() { te.Score(h, pairs) },
		"gnn: DistMult: size 0":                                    func() { gnn.NewDistMult(0, 3, r) },
		"gnn: DistMult: h has 2 features, the decoder takes 5":     func() { dm.Score(narrow, triples) },
		"gnn: DistMult: the links have no relations, the decoder":  func() { dm.ScoreTails(h, pairs) },
		"gnn: DistMult: the decoder has no relations":              func() { (&gnn.DistMult{}).Score(h, triples) },
		"gnn: TransE: size -1":                                     func() { gnn.NewTransE(3, -1, gnn.TransEL1, r) },
		"gnn: TransE: norm 7":                                      func() { gnn.NewTransE(3, 3, 7, r) },
		"gnn: TransE: the decoder has no relations":                func() { (*gnn.TransE)(nil).ScoreHeads(h, triples) },
		"gnn: TransE: links of 2 sources and 3 relations":          func() { te.ScoreTails(h, gnn.Links{Src: two, Rel: three}) },
		"gnn: LinkBCE: scores are nil":                             func() { gnn.LinkBCE(nil, flat) },
		"gnn: LinkMargin: scores of shapes [4] and [2 4]":          func() { gnn.LinkMargin(flat, scores, 1) },
		"gnn: LinkMargin: the margin is NaN; want a finite number": func() { gnn.LinkMargin(flat, scores, math.NaN()) },
		"gnn: LinkBPR: scores of shapes [4] and [4]; want [n] of true links and [n k] of false ones, so [n 1] with one for each true link: negative.Unsqueeze(1)": func() { gnn.LinkBPR(flat, flat) },
		"gnn: LinkMargin: scores of shapes [4] and [4]; want [n] of true links and [n k] of false ones, so [n 1] with":                                            func() { gnn.LinkMargin(flat, flat, 1) },
		"gnn: SplitScores: scores of shape [4] are not those of 3":                                                                                                func() { gnn.SplitScores(flat, 3) },
		"gnn: SplitScores: scores of shape [4] are not those of 0":                                                                                                func() { gnn.SplitScores(flat, 0) },
		"gnn: SplitScores: scores of shape [2 4]":                                                                                                                 func() { gnn.SplitScores(scores, 2) },
		"gnn: Ranks: scores of shape [2 4] and 3 answers":                                                                                                         func() { gnn.Ranks(scores, three, nil) },
		"gnn: Ranks: answer 1 is vertex 4, outside [0, 4)":                                                                                                        func() { gnn.Ranks(scores, []int32{0, 4}, nil) },
		"gnn: RankAmong: scores of shapes [4] and [2 4]":                                                                                                          func() { gnn.RankAmong(flat, scores) },
		"gnn: Ranking: size 0":                                                   func() { gnn.NewRanking(1, 0) },
		"gnn: Ranking: hits among the first 5 were not counted":                  func() { gnn.NewRanking().Hits(5) },
		"gnn: KnownLinks: links of 2 sources and 3 destinations":                 func() { gnn.NewKnownLinks(gnn.Links{Src: two, Dst: three}) },
		"gnn: KnownLinks: links of 2 sources and 3 relations":                    func() { gnn.NewKnownLinks(gnn.Links{Src: two, Dst: two, Rel: three}) },
		"gnn: KnownLinks: link 1 from 0 by 0 to -1 has a negative":               func() { gnn.NewKnownLinks(gnn.Links{Src: []int32{0, 0}, Dst: []int32{0, -1}}) },
		"gnn: KnownLinks: the links of list 2 have none, those before relations": func() { gnn.NewKnownLinks(gnn.Links{}, triples, pairs) },
		"gnn: KnownLinks: the links of list 1 have relations, those before none": func() { gnn.NewKnownLinks(pairs, triples, gnn.Links{}) },
		"gnn: EvaluateLinks: the links have relations, the known ones none":      func() { gnn.EvaluateLinks(dm, h, triples, gnn.LinkEval{Known: gnn.NewKnownLinks(pairs)}) },
		"gnn: EvaluateLinks: the links have none, the known ones relations": func() {
			gnn.EvaluateLinks(gnn.Dot{}, h, pairs, gnn.LinkEval{Known: gnn.NewKnownLinks(gnn.Links{}, triples)})
		},
		"gnn: EvaluateLinks: Batch is -1":                           func() { gnn.EvaluateLinks(dm, h, triples, gnn.LinkEval{Batch: -1}) },
		"gnn: EvaluateLinks: h is nil":                              func() { gnn.EvaluateLinks(dm, nil, triples, gnn.LinkEval{}) },
		"gnn: EvaluateLinks: links of 2 sources and 3 relations":    func() { gnn.EvaluateLinks(dm, h, gnn.Links{Src: two, Dst: two, Rel: three}, gnn.LinkEval{}) },
		"gnn: EvaluateLinks: links of 3 sources and 2 destinations": func() { gnn.EvaluateLinks(dm, h, gnn.Links{Src: three, Dst: two}, gnn.LinkEval{}) },
	} {
		if err := autograd.Try(f); !isMisuse(err, want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A batch may have no links: a step on it is one as any other.
func TestScoresOfNoLinksHaveGradients(t *testing.T) {
	for name, c := range decoderCases(tensor.Float64) {
		l := gnn.Links{Src: []int32{}, Dst: []int32{}}
		xs := []*autograd.Var{autograd.Variable(randn(tensor.Float64, 8, 5, linkDim))}
		if c.relations {
			l.Rel = []int32{}
			xs = append(xs, c.rel)
		}
		for way, score := range map[string]func(h *autograd.Var, l gnn.Links) *autograd.Var{"score": c.Score, "tails": c.ScoreTails, "heads": c.ScoreHeads} {
			for i, x := range xs { // each alone requires a gradient
				for k, other := range xs {
					other.SetRequiresGrad(k == i)
				}
				x.ZeroGrad()
				y := score(xs[0], l)
				if !y.RequiresGrad() {
					t.Errorf("%s, %s: the scores of no links do not depend on input %d", name, way, i)
					continue
				}
				y.Sum().Backward()
				near(t, name+", "+way, x.Gradient().Float64s(), make([]float64, x.Shape().Size()), 0)
			}
			for _, x := range xs {
				x.SetRequiresGrad(true)
			}
		}
	}
}

// As PyTorch's means of nothing. A step on such a loss changes no embedding.
func TestLossesOfNoLinksAreNaNWithGradientZero(t *testing.T) {
	const n = 4
	m := gnn.NewLightGCN(n, 3, 1, gnn.LightGCNConfig{}, nn.NewRNG(1), gnn.WithDType(tensor.Float64))
	x := m.Embedding.Weight
	g := mustGraph(t, n, []int32{0, 1, 2}, []int32{1, 2, 3})
	scores := func(links ...int32) *autograd.Var {
		return gnn.Dot{}.Score(m.Forward(g), gnn.Links{Src: links, Dst: links})
	}
	none, some := scores, func() *autograd.Var { return scores(0, 2) }
	for name, loss := range map[string]*autograd.Var{
		"LinkBCE of no links":                   gnn.LinkBCE(none(), none()),
		"LinkBPR of no links":                   gnn.LinkBPR(none(), none().Reshape(0, 2)),
		"LinkMargin of no links":                gnn.LinkMargin(none(), none().Reshape(0, 2), 1),
		"LinkBPR of no false links":             gnn.LinkBPR(some(), none().Reshape(2, 0)),
		"LinkMargin of no false links":          gnn.LinkMargin(some(), none().Reshape(2, 0), 1),
		"LightGCN of no links":                  m.Loss(none(), none().Reshape(0, 1), []int32{}, 0.1),
		"LightGCN of no links, all regularised": m.Loss(none(), none().Reshape(0, 1), nil, 0.1),
		"LightGCN of no links, unregularised":   m.Loss(none(), none().Reshape(0, 1), nil, 0),
	} {
		x.ZeroGrad()
		if y := loss.Item(); !math.IsNaN(y) {
			t.Errorf("%s: the loss is %v, want NaN", name, y)
		}
		if !loss.RequiresGrad() {
			t.Errorf("%s: the loss does not depend on the embeddings", name)
			continue
		}
		loss.Backward()
		if x.Gradient() == nil {
			t.Errorf("%s: no gradient", name)
			continue
		}
		near(t, name, x.Gradient().Float64s(), make([]float64, n*3), 0)
	}
	if y, want := gnn.LinkBCE(some(), none()).Item(), some().Neg().Softplus().Mean().Item(); math.Abs(y-want) > 1e-15 {
		t.Errorf("LinkBCE of true links alone is %v, want %v", y, want)
	}
}

// Lists of no links are neither with relations nor without.
func TestListsOfNoLinksGoWithAllOthers(t *testing.T) {
	h := autograd.Constant(tensor.Zeros(tensor.Float32, 4, linkDim))
	two, none := []int32{0, 1}, []int32{}
	dm := gnn.NewDistMult(2, linkDim, nn.NewRNG(1))
	pairs, triples := gnn.Links{Src: two, Dst: two}, gnn.Links{Src: two, Rel: two, Dst: two}
	for _, empty := range []gnn.Links{{}, {Src: none, Rel: none, Dst: none}} {
		nothing := gnn.NewKnownLinks(empty)
		gnn.EvaluateLinks(dm, h, triples, gnn.LinkEval{Known: nothing})
		gnn.EvaluateLinks(gnn.Dot{}, h, pairs, gnn.LinkEval{Known: nothing})
		gnn.EvaluateLinks(dm, h, triples, gnn.LinkEval{Known: gnn.NewKnownLinks(empty, triples, empty)})
		gnn.EvaluateLinks(gnn.Dot{}, h, pairs, gnn.LinkEval{Known: gnn.NewKnownLinks(empty, pairs, empty)})
	}
}

// misshapen is a decoder whose scores for tails or heads have another shape.
type misshapen struct {
	gnn.Dot
	tails, heads func(scores *autograd.Var) *autograd.Var
}

func (d misshapen) ScoreTails(h *autograd.Var, l gnn.Links) *autograd.Var {
	return d.tails(d.Dot.ScoreTails(h, l))
}

func (d misshapen) ScoreHeads(h *autograd.Var, l gnn.Links) *autograd.Var {
	return d.heads(d.Dot.ScoreHeads(h, l))
}

func TestEvaluateLinksWantsADecodersScoresOfAllVertices(t *testing.T) {
	h := autograd.Constant(randn(tensor.Float32, 1, 4, linkDim))
	links := gnn.Links{Src: []int32{0, 1, 0}, Dst: []int32{1, 0, 1}}
	same := func(s *autograd.Var) *autograd.Var { return s }
	few := func(s *autograd.Var) *autograd.Var { return s.Slice(1, 0, 3) }
	many := func(s *autograd.Var) *autograd.Var { return autograd.Concat(1, s, s) }
	for _, c := range []struct {
		name string
		d    misshapen
		want string
	}{
		{"fewer tails", misshapen{tails: few, heads: same}, "[3 3], want [3 4]"},
		{"more heads", misshapen{tails: same, heads: many}, "[3 8], want [3 4]"},
		{"a row less", misshapen{tails: func(s *autograd.Var) *autograd.Var { return s.Slice(0, 0, 2) }, heads: same}, "[2 4], want [3 4]"},
		{"of the links alone", misshapen{tails: func(s *autograd.Var) *autograd.Var { return s.Sum(1) }, heads: same}, "[3], want [3 4]"},
	} {
		want := "gnn: EvaluateLinks: the decoder's scores have shape " + c.want + ": for each link those of all vertices"
		if err := autograd.Try(func() { gnn.EvaluateLinks(c.d, h, links, gnn.LinkEval{}) }); !isMisuse(err, want) {
			t.Errorf("%s: error %v, want %q", c.name, err, want)
		}
	}
	gnn.EvaluateLinks(misshapen{tails: same, heads: same}, h, links, gnn.LinkEval{})
}

func TestTransEPanicsIfWhatItsGradientReadsWasChanged(t *testing.T) {
	for _, opts := range [][]autograd.BackwardOption{nil, {autograd.CreateGraph()}} {
		d := gnn.NewTransE(1, 4, gnn.TransEL2, nn.NewRNG(1))
		h := autograd.Variable(randn(tensor.Float32, 5, 3, 4))
		y := d.ScoreTails(h, gnn.Links{Src: []int32{0}, Rel: []int32{0}}).Sum()
		h.MarkChanged()
		err := autograd.Try(func() { autograd.Grad(y, []*autograd.Var{h}, opts...) })
		if err == nil || !strings.Contains(err.Error(), "TransE") || !strings.Contains(err.Error(), "changed") {
			t.Error(err)
		}
	}
}
