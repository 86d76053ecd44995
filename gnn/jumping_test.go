package gnn_test

// Jumping knowledge: gradients, widths, misuse. PyG's values are in pyg_test.go.

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestJumpingKnowledgeGradientsEqualCentralDifferences(t *testing.T) {
	for what, c := range map[string]struct {
		cfg    gnn.JKConfig
		opts   []gnn.Option
		layers int
	}{
		"cat":               {gnn.JKConfig{}, nil, 3},
		"max":               {gnn.JKConfig{Mode: gnn.JKMax}, nil, 3},
		"lstm":              {gnn.JKConfig{Mode: gnn.JKLSTM, Channels: 3, Layers: 3}, nil, 3},
		"lstm without bias": {gnn.JKConfig{Mode: gnn.JKLSTM, Channels: 3, Layers: 1}, []gnn.Option{gnn.NoBias()}, 1},
		"lstm of two more":  {gnn.JKConfig{Mode: gnn.JKLSTM, Channels: 3, Layers: 1}, nil, 3},
	} {
		l := gnn.NewJumpingKnowledge(c.cfg, nn.NewRNG(1), append(c.opts, gnn.WithDType(tensor.Float64))...)
		xs := nn.Parameters(l)
		for i := range c.layers {
			xs = append(xs, autograd.Variable(randn(tensor.Float64, uint64(i+1), 4, 3)))
		}
		first := len(xs) - c.layers
		if err := autograd.Gradcheck(func(xs ...*autograd.Var) *autograd.Var { return l.Forward(xs[first:]...) }, xs); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestJumpingKnowledgeHasThePartsOfItsMode(t *testing.T) {
	r := nn.NewRNG(1)
	v := func(shape ...int) *autograd.Var { return autograd.Constant(randn(tensor.Float32, 1, shape...)) }
	cat := gnn.NewJumpingKnowledge(gnn.JKConfig{}, nil)
	if s := cat.Forward(v(5, 2), v(5, 1), v(5, 4)).Shape(); !s.Equal(tensor.Shape{5, 7}) {
		t.Errorf("concatenated, [5 2], [5 1] and [5 4] are %v", s)
	}
	lstm := gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKLSTM, Channels: 5, Layers: 3}, r)
	var shapes []string
	for _, p := range nn.NamedParameters(lstm) {
		shapes = append(shapes, p.Name+" "+p.Var.Shape().String())
	}
	want := []string{
		"lstm.bias_hh_l0 [28]", "lstm.bias_hh_l0_reverse [28]", "lstm.bias_ih_l0 [28]", "lstm.bias_ih_l0_reverse [28]",
		"lstm.weight_hh_l0 [28 7]", "lstm.weight_hh_l0_reverse [28 7]", "lstm.weight_ih_l0 [28 5]", "lstm.weight_ih_l0_reverse [28 5]",
		"att.weight [14 1]", "att.bias [1]",
	}
	if !slices.Equal(shapes, want) {
		t.Errorf("parameters %v, want %v", shapes, want)
	}
	for _, l := range []*gnn.JumpingKnowledge{cat, gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKMax}, nil), lstm} {
		if s := l.Forward(v(0, 5), v(0, 5)).Shape(); s[0] != 0 {
			t.Errorf("of no vertices: %v", s)
		}
	}
	one := v(6, 5)
	near(t, "one result", lstm.Forward(one).Tensor().Float64s(), one.Tensor().Float64s(), 1e-7)
}

func TestJumpingKnowledgeRejectsWhatDoesNotFit(t *testing.T) {
	r := nn.NewRNG(1)
	v := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	double := autograd.Constant(tensor.Zeros(tensor.Float64, 5, 4))
	cat, most := gnn.NewJumpingKnowledge(gnn.JKConfig{}, r), gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKMax}, r)
	lstm := gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKLSTM, Channels: 4, Layers: 2}, r)
	wantMisuses(t, map[string]func(){
		"gnn: JumpingKnowledge: mode 3; want JKCat, JKMax or JKLSTM": func() { gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: 3}, r) },
		"gnn: JumpingKnowledge: Channels 0 and Layers 2 are of JKLSTM only": func() {
			gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKMax, Layers: 2}, r)
		},
		"gnn: JumpingKnowledge: size 0; want sizes above 0": func() {
			gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKLSTM, Channels: 4}, r)
		},
		"gnn: JumpingKnowledge: one layer of one channel leaves the LSTM no state": func() {
			gnn.NewJumpingKnowledge(gnn.JKConfig{Mode: gnn.JKLSTM, Channels: 1, Layers: 1}, r)
		},
		"gnn: JumpingKnowledge: the layer has no program; make it with NewJumpingKnowledge":                                                    func() { (*gnn.JumpingKnowledge)(nil).Forward(v(5, 4)) },
		"gnn: JumpingKnowledge: no results of layers are given":                                                                                func() { cat.Forward() },
		"gnn: JumpingKnowledge: result 1 is nil":                                                                                               func() { cat.Forward(v(5, 4), nil) },
		"gnn: JumpingKnowledge: result 0 is nil":                                                                                               func() { cat.Forward(nil, v(5, 4)) },
		"gnn: JumpingKnowledge: result 0 has shape [5]; want a row for each vertex, [N F]":                                                     func() { cat.Forward(v(5)) },
		"gnn: JumpingKnowledge: result 1 has 4 rows, the first one 5":                                                                          func() { cat.Forward(v(5, 4), v(4, 4)) },
		"gnn: JumpingKnowledge: result 2 has 3 features, the first one 4":                                                                      func() { most.Forward(v(5, 4), v(5, 4), v(5, 3)) },
		"gnn: JumpingKnowledge: result 1 holds f64, the first one f32":                                                                         func() { most.Forward(v(5, 4), double) },
		"gnn: JumpingKnowledge: result 0 has 3 features, the layer takes 4":                                                                    func() { lstm.Forward(v(5, 3), v(5, 3)) },
		"gnn: JumpingKnowledge: result 0 holds f64, the layer's weights f32: convert result 0 (tensor.Tensor.To), or make the layer WithDType": func() { lstm.Forward(double) },
	})
}
