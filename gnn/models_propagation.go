package gnn

// Models that propagate far: APPNP's and GCNII.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// APPNPNet is the model of Gasteiger et al. (ICLR 2019): a perceptron of one hidden
// layer without biases, as in the paper's code, whose predictions APPNP propagates.
type APPNPNet struct {
	Hidden, Out *nn.Linear
	Propagation *APPNP
	InputDrop   *nn.Dropout
	HiddenDrop  *nn.Dropout
}

// NewAPPNPNet returns the model from in features to classes. The dropout is that of
// the features; the propagation's is cfg's.
func NewAPPNPNet(in, hidden, classes int, cfg APPNPConfig, dropout float64, r *nn.RNG) *APPNPNet {
	wantPositive("APPNPNet", in, hidden, classes)
	return &APPNPNet{
		Hidden:      nn.NewLinear(in, hidden, r, nn.NoBias()),
		Out:         nn.NewLinear(hidden, classes, r, nn.NoBias()),
		Propagation: NewAPPNP(cfg, r),
		InputDrop:   nn.NewDropout(dropout, r),
		HiddenDrop:  nn.NewDropout(dropout, r),
	}
}

// Forward returns the logits [N classes] of x [N in], which may be a sparse constant.
func (m *APPNPNet) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return m.ForwardWeighted(g, x, nil)
}

// ForwardWeighted is Forward with weights of the edges, w [E]; see
// [GCNConv.ForwardWeighted].
func (m *APPNPNet) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	wantModel("APPNPNet", m)
	wantInput("APPNPNet", g, x, m.Hidden.Weight)
	h := m.Hidden.ForwardReLU(m.InputDrop.Forward(x))
	return m.Propagation.ForwardWeighted(g, m.Out.Forward(m.HiddenDrop.Forward(h)), w)
}

// GCNII is the model of Chen et al. (ICML 2020): a linear layer and ReLU, many times
// dropout, GCN2Conv and ReLU, and a linear layer after dropout.
type GCNII struct {
	Input  *nn.Linear
	Convs  []*GCN2Conv
	Output *nn.Linear
	Drop   *nn.Dropout
}

// GCNIIConfig has the settings of GCNII beside its sizes. The zero value is the
// paper's for the citation networks.
type GCNIIConfig struct {
	Alpha  float64 // share of the first representation in every layer; 0 means 0.1
	Lambda float64 // of GCN2Beta; 0 means 0.5
}

// NewGCNII returns the model from in features to classes through so many layers of
// hidden features.
func NewGCNII(in, hidden, classes, layers int, cfg GCNIIConfig, dropout float64, r *nn.RNG) *GCNII {
	wantPositive("GCNII", in, hidden, classes, layers)
	if cfg.Alpha == 0 {
		cfg.Alpha = 0.1
	}
	if cfg.Lambda == 0 {
		cfg.Lambda = 0.5
	}
	wantProbability("GCNII", "Alpha", cfg.Alpha)
	if !(cfg.Lambda >= 0 && math.Log(cfg.Lambda+1) <= 1) { // also false for NaN
		misuse("GCNII", "Lambda is %v; the share of the weights ln(Lambda+1) is to be in [0, 1]", cfg.Lambda)
	}
	m := &GCNII{
		Input:  nn.NewLinear(in, hidden, r),
		Output: nn.NewLinear(hidden, classes, r),
		Drop:   nn.NewDropout(dropout, r),
	}
	for l := range layers {
		m.Convs = append(m.Convs, NewGCN2Conv(hidden, cfg.Alpha, GCN2Beta(cfg.Lambda, l+1), r))
	}
	return m
}

// Forward returns the logits [N classes] of x [N in], which may be a sparse constant.
func (m *GCNII) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return m.ForwardWeighted(g, x, nil)
}

// ForwardWeighted is Forward with weights of the edges, w [E]; see
// [GCNConv.ForwardWeighted].
func (m *GCNII) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	wantModel("GCNII", m)
	wantInput("GCNII", g, x, m.Input.Weight)
	h0 := m.Input.ForwardReLU(m.Drop.Forward(x))
	h := h0
	for _, conv := range m.Convs {
		h = conv.ForwardWeighted(g, m.Drop.Forward(h), h0, w).ReLU()
	}
	return m.Output.Forward(m.Drop.Forward(h))
}
