package gnn_test

// Graph auto-encoders: formulas, gradients, randomness, misuse, and that they learn.

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

// variational is the paper's encoder.
type variational struct {
	Conv, Mu, LogStd *gnn.GCNConv
	Drop             *nn.Dropout
}

func newVariational(in, hidden, out int, r *nn.RNG) *variational {
	return &variational{gnn.NewGCNConv(in, hidden, r), gnn.NewGCNConv(hidden, out, r), gnn.NewGCNConv(hidden, out, r), nn.NewDropout(0.1, r)}
}

func (e *variational) Forward(g *graph.Graph, x *autograd.Var) (mu, logstd *autograd.Var) {
	h := e.Drop.Forward(e.Conv.Forward(g, x).ReLU())
	return e.Mu.Forward(g, h), e.LogStd.Forward(g, h)
}

// pieces are some links of 5 vertices, with relations if so asked.
func pieces(relations bool) (positive, negative gnn.Links) {
	positive = gnn.Links{Src: []int32{0, 1, 4, 0}, Dst: []int32{1, 2, 0, 0}}
	negative = gnn.Links{Src: []int32{3, 2}, Dst: []int32{1, 4}}
	if relations {
		positive.Rel, negative.Rel = []int32{0, 1, 2, 1}, []int32{2, 0}
	}
	return positive, negative
}

func TestReconLossEqualsItsFormula(t *testing.T) {
	for name, c := range decoderCases(tensor.Float64) {
		m := gnn.NewGAE(same{}, c.LinkDecoder)
		z := autograd.Variable(randn(tensor.Float64, 3, 5, linkDim))
		positive, negative := pieces(c.relations)
		rows := rowsOf(z)
		probability := func(l gnn.Links, i int) float64 {
			var rel []float64
			if c.relations {
				rel = rowsOf(c.rel)[l.Rel[i]]
			}
			return sigmoid(c.naive(rows[l.Src[i]], rel, rows[l.Dst[i]]))
		}
		want := 0.0
		var decoded []float64
		for i := range positive.Src {
			decoded = append(decoded, probability(positive, i))
			want -= math.Log(decoded[i]) / 4
		}
		for i := range negative.Src {
			want -= math.Log(1-probability(negative, i)) / 2
		}
		near(t, name, []float64{m.ReconLoss(z, positive, negative).Item()}, []float64{want}, 1e-12)
		near(t, name+", decoded", m.Decode(z, positive).Tensor().Float64s(), decoded, 1e-12)
		if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return m.ReconLoss(xs[0], positive, negative) }, []*autograd.Var{z}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReconLossTellsOfLinksThatAreQuiteWrong(t *testing.T) {
	z := autograd.Variable(tensor.FromSlice([]float32{-10, 20}, 2, 1))
	m := gnn.NewGAE(same{}, nil)
	loss := m.ReconLoss(z, gnn.Links{Src: []int32{0}, Dst: []int32{1}}, gnn.Links{Src: []int32{1}, Dst: []int32{1}})
	loss.Backward()
	near(t, "loss", []float64{loss.Item()}, []float64{600}, 1e-6)
	near(t, "gradient", z.Gradient().Float64s(), []float64{-20, 50}, 1e-6)
}

func TestLinksAreTestedByRank(t *testing.T) {
	z := autograd.Variable(tensor.FromSlice([]float64{1, 2, 3, -1}, 4, 1))
	m := gnn.NewGAE(same{}, nil)
	// Scores of true links 6, 2, -3, of false ones 3, -2.
	positive := gnn.Links{Src: []int32{1, 0, 2}, Dst: []int32{2, 1, 3}}
	negative := gnn.Links{Src: []int32{0, 1}, Dst: []int32{2, 3}}
	auc, ap := m.Test(z, positive, negative)
	near(t, "AUC and AP", []float64{auc, ap}, []float64{3.0 / 6, (1 + 2.0/3 + 3.0/5) / 3}, 1e-15)
}

func TestKLLossEqualsItsFormula(t *testing.T) {
	mu, logstd := autograd.Variable(randn(tensor.Float64, 1, 4, 3)), autograd.Variable(randn(tensor.Float64, 2, 4, 3))
	want := 0.0
	for v, row := range rowsOf(mu) {
		for k, x := range row {
			// The integral over the density of ln density/standard density, by a sum.
			std := math.Exp(rowsOf(logstd)[v][k])
			const h = 1e-3
			for u := -12.0; u < 12; u += h {
				y := x + std*u
				want += h * math.Exp(-u*u/2) / math.Sqrt(2*math.Pi) * (-u*u/2 - math.Log(std) + y*y/2) / 4
			}
		}
	}
	m := gnn.NewVGAE(normal{}, nil, nn.NewRNG(1))
	near(t, "divergence", []float64{m.KLLoss(mu, logstd).Item()}, []float64{want}, 1e-9)
	if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return m.KLLoss(xs[0], xs[1]) }, []*autograd.Var{mu, logstd}); err != nil {
		t.Error(err)
	}
	zero := autograd.Constant(tensor.Zeros(tensor.Float32, 4, 3))
	near(t, "divergence of the standard normal distribution", []float64{m.KLLoss(zero, zero).Item()}, []float64{0}, 0)
}

func TestVGAEDrawsInTrainingOnly(t *testing.T) {
	const n, d = 4000, 5
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		e := normal{autograd.Variable(randn(dt, 1, n, d)), autograd.Variable(randn(dt, 2, n, d))}
		e.LogStd.Tensor().Narrow(0, 0, 1).CopyFrom(tensor.FromSlice([]float64{11, 10, 9, 50, -50}, 1, d).To(dt))
		m := gnn.NewVGAE(e, nil, nn.NewRNG(7))
		z, mu, logstd := m.Forward(nil, nil)
		again, _, _ := m.Forward(nil, nil)
		if mu != e.Mu || z.DType() != dt {
			t.Errorf("mu is not the encoder's, or z is %v", z.DType())
		}
		near(t, "bounded logarithms", logstd.Tensor().Float64s()[:d], []float64{10, 10, 9, 10, -50}, 0)
		if sameBits(z.Tensor().Float64s(), again.Tensor().Float64s()) {
			t.Error("two passes draw the same")
		}
		if other, _, _ := gnn.NewVGAE(e, nil, nn.NewRNG(7)).Forward(nil, nil); !sameBits(z.Tensor().Float64s(), other.Tensor().Float64s()) {
			t.Error("one seed draws differently")
		}
		noise := z.Sub(mu).Div(logstd.Exp()).Tensor().Float64s()[d:]
		var m1, m2, m4 float64
		for _, x := range noise {
			k := float64(len(noise))
			m1, m2, m4 = m1+x/k, m2+x*x/k, m4+x*x*x*x/k
		}
		// Five deviations of the means of 20,000 numbers.
		if math.Abs(m1) > 0.036 || math.Abs(m2-1) > 0.05 || math.Abs(m4-3) > 0.35 {
			t.Errorf("%v: moments of the noise 1, 2, 4: %v %v %v; want 0 1 3", dt, m1, m2, m4)
		}
		z.Sum().Backward()
		near(t, "gradient of mu", e.Mu.Gradient().Float64s(), slices.Repeat([]float64{1}, n*d), 0)
		want := z.Sub(mu).Tensor().Float64s()
		want[0], want[3] = 0, 0 // beyond the bound
		near(t, "gradient of logstd", e.LogStd.Gradient().Float64s(), want, 1e-6)

		nn.Eval(m)
		if z, mu, _ := m.Forward(nil, nil); z != mu {
			t.Error("z is not mu in evaluation mode")
		}
	}
}

func TestModesAndParametersOfAutoEncodersAreThoseOfTheirParts(t *testing.T) {
	r := nn.NewRNG(1)
	e := newVariational(3, 4, 2, r)
	vgae := gnn.NewVGAE(e, gnn.NewDistMult(2, 2, r), r)
	if nn.Eval(vgae); e.Drop.Training() || vgae.Training() {
		t.Error("the encoder trains while the model does not")
	}
	for _, c := range []struct {
		m    any
		want []string
	}{
		{vgae, []string{"encoder.conv.weight", "encoder.conv.bias", "encoder.mu.weight", "encoder.mu.bias", "encoder.log_std.weight", "encoder.log_std.bias", "decoder.rel"}},
		{gnn.NewGAE(gnn.NewGCNConv(3, 2, r), nil), []string{"encoder.weight", "encoder.bias"}},
	} {
		var names []string
		for _, p := range nn.NamedParameters(c.m) {
			names = append(names, p.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("parameters %v, want %v", names, c.want)
		}
	}
}

func TestAutoEncodersLearnLinksThatAreHidden(t *testing.T) {
	d := threeBlocks(t)
	split, err := data.RandomLinkSplit(d.Graph, data.LinkSplitConfig{Test: 0.1, Seed: 1, Undirected: true, Negatives: 1})
	if err != nil {
		t.Fatal(err)
	}
	g, x, r := split.Train.Graph, autograd.Input(d.Features), nn.NewRNG(1)
	positive := gnn.Links{Src: g.Src(), Dst: g.Dst()}
	var known, others gnn.Links
	for i, label := range split.Test.Labels {
		l := &others
		if label == 1 {
			l = &known
		}
		l.Src, l.Dst = append(l.Src, split.Test.Links.Src[i]), append(l.Dst, split.Test.Links.Dst[i])
	}
	gae, vgae := gnn.NewGAE(gnn.NewGCN(24, 16, 8, 0, r), nil), gnn.NewVGAE(newVariational(24, 16, 8, r), nil, r)
	for name, c := range map[string]struct {
		model  any
		latent func() *autograd.Var
		loss   func(negative gnn.Links) *autograd.Var
		links  *gnn.LinkReconstruction
	}{
		"GAE": {gae, func() *autograd.Var { return gae.Forward(g, x) }, func(negative gnn.Links) *autograd.Var {
			return gae.ReconLoss(gae.Forward(g, x), positive, negative)
		}, &gae.LinkReconstruction},
		"VGAE": {vgae, func() *autograd.Var { z, _, _ := vgae.Forward(g, x); return z }, func(negative gnn.Links) *autograd.Var {
			z, mu, logstd := vgae.Forward(g, x)
			return vgae.ReconLoss(z, positive, negative).Add(vgae.KLLoss(mu, logstd).Scale(1 / float64(g.NumVertices())))
		}, &vgae.LinkReconstruction},
	} {
		score := func() (auc, ap float64) {
			nn.Eval(c.model)
			defer nn.Train(c.model)
			return c.links.Test(c.latent(), known, others)
		}
		opt := optim.NewAdam(optim.Params(nn.Parameters(c.model)), optim.AdamConfig{LR: 0.02})
		before, _ := score()
		for epoch := range 60 {
			negative, err := data.NegativeLinks(g, g.NumEdges(), data.NegativeConfig{Seed: uint64(epoch)})
			if err != nil {
				t.Fatal(err)
			}
			opt.ZeroGrad()
			c.loss(gnn.Links{Src: negative.Src, Dst: negative.Dst}).Backward()
			opt.Step()
		}
		auc, ap := score()
		if auc < 0.8 || ap < 0.75 || auc < before+0.05 {
			t.Errorf("%s: AUC %v before training, %v after, average precision %v", name, before, auc, ap)
		}
	}
}

func TestAutoEncodersRejectWhatDoesNotFit(t *testing.T) {
	r := nn.NewRNG(1)
	gae, vgae := gnn.NewGAE(same{}, nil), gnn.NewVGAE(normal{}, nil, r)
	v := func(dt tensor.DType, shape ...int) *autograd.Var {
		return autograd.Constant(tensor.Zeros(dt, shape...))
	}
	z, links := v(tensor.Float32, 3, 2), gnn.Links{Src: []int32{0}, Dst: []int32{2}}
	wantMisuses(t, map[string]func(){
		"gnn: GAE: the encoder is nil":                                             func() { gnn.NewGAE(nil, nil) },
		"gnn: VGAE: the encoder is nil":                                            func() { gnn.NewVGAE(nil, nil, r) },
		"gnn: GAE: the model has no encoder; make it with NewGAE":                  func() { (*gnn.GAE)(nil).Forward(nil, z) },
		"gnn: VGAE: the model has no encoder; make it with NewVGAE":                func() { (&gnn.VGAE{}).Forward(nil, z) },
		"gnn: ReconLoss: the model has no decoder; make it with NewGAE or NewVGAE": func() { (&gnn.GAE{}).ReconLoss(z, links, links) },
		"gnn: Decode: the model has no decoder; make it with NewGAE or NewVGAE":    func() { (&gnn.VGAE{}).Decode(z, links) },
		"gnn: Test: the model has no decoder; make it with NewGAE or NewVGAE":      func() { (&gnn.GAE{}).Test(z, links, links) },
		"gnn: Dot: h is nil": func() { gae.Test(nil, links, links) },
		"gnn: Dot: link 0: destination 3 out of range [0, 3)":                           func() { gae.Decode(z, gnn.Links{Src: []int32{0}, Dst: []int32{3}}) },
		"gnn: ReconLoss: 1 positive and 0 negative scores; the mean of none is no loss": func() { gae.ReconLoss(z, links, gnn.Links{}) },
		"gnn: ReconLoss: 0 positive and 1 negative scores; the mean of none is no loss": func() { vgae.ReconLoss(z, gnn.Links{}, links) },
		"gnn: VGAE: mu or logstd is nil":                                                func() { vgae.Forward(nil, z) },
		"gnn: KLLoss: mu or logstd is nil":                                              func() { vgae.KLLoss(z, nil) },
		"gnn: KLLoss: mu is f32 [3 2], logstd f32 [2 3]; want both [N d] of one type":   func() { vgae.KLLoss(z, v(tensor.Float32, 2, 3)) },
		"gnn: KLLoss: mu is f32 [3 2], logstd f64 [3 2]; want both [N d] of one type":   func() { vgae.KLLoss(z, v(tensor.Float64, 3, 2)) },
		"gnn: VGAE: mu is f32 [6], logstd f32 [6]; want both [N d] of one type": func() {
			gnn.NewVGAE(normal{v(tensor.Float32, 6), v(tensor.Float32, 6)}, nil, r).Forward(nil, z)
		},
	})
}
