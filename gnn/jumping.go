package gnn

// What all layers of a model have computed, as one: jumping knowledge.

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
)

// JKMode says how [JumpingKnowledge] makes one of the layers' results.
type JKMode uint8

const (
	// JKCat concatenates them.
	JKCat JKMode = iota
	// JKMax takes the maximum of each feature.
	JKMax
	// JKLSTM averages them by weights that an LSTM gives each vertex.
	JKLSTM
)

// JumpingKnowledge is the last layer of "Representation Learning on Graphs with Jumping
// Knowledge Networks" (Xu, Li, Tian, Sonobe, Kawarabayashi, Jegelka, ICML 2018), which
// lets each vertex choose among what the layers 1 to L of a model have computed for it:
//
//	h_v = h¹_v ‖ ... ‖ hᴸ_v                              (JKCat)
//	h_v = max(h¹_v, ..., hᴸ_v)                           (JKMax)
//	h_v = Σ_l α_l hˡ_v,  α = softmax over l of att(a_l)   (JKLSTM)
//
// where a_l = [f_l ‖ b_l] are the states of an LSTM that reads h¹_v, ..., hᴸ_v in both
// directions, and att is a linear layer to one number. Of equal maxima the first layer's
// gets the gradient.
//
// Names in checkpoints are PyG's.
type JumpingKnowledge struct {
	LSTM *nn.LSTM   // of JKLSTM, one bidirectional layer
	Att  *nn.Linear // [2·hidden 1], of JKLSTM

	mode JKMode
}

// JKConfig has the settings of JumpingKnowledge. The zero value concatenates.
type JKConfig struct {
	Mode JKMode
	// Of JKLSTM only: features of each layer's result, and how many layers there are. The
	// hidden states have half of all of these features, Channels·Layers/2 rounded down.
	Channels, Layers int
}

// NewJumpingKnowledge returns the layer, of JKLSTM with the initial values of
// torch.nn.LSTM and torch.nn.Linear.
func NewJumpingKnowledge(cfg JKConfig, r *nn.RNG, opts ...Option) *JumpingKnowledge {
	const op = "JumpingKnowledge"
	c := configure(opts)
	switch cfg.Mode {
	case JKCat, JKMax:
		if cfg.Channels != 0 || cfg.Layers != 0 {
			misuse(op, "Channels %d and Layers %d are of JKLSTM only", cfg.Channels, cfg.Layers)
		}
		return &JumpingKnowledge{mode: cfg.Mode}
	case JKLSTM:
	default:
		misuse(op, "mode %d; want JKCat, JKMax or JKLSTM", cfg.Mode)
	}
	wantPositive(op, cfg.Channels, cfg.Layers)
	hidden := cfg.Channels * cfg.Layers / 2
	if hidden == 0 {
		misuse(op, "one layer of one channel leaves the LSTM no state")
	}
	return &JumpingKnowledge{
		mode: JKLSTM,
		LSTM: nn.NewLSTM(cfg.Channels, hidden, nn.RecurrentConfig{Bidirectional: true, NoBias: c.noBias, DType: c.dtype}, r),
		Att:  c.linear(r, 2*hidden, 1, true),
	}
}

// Forward makes one of the layers' results xs, each [N F]: [N F], of JKCat [N ΣF], whose
// results may differ in width. There is at least one; of JKLSTM there may be another
// number than it was made for, as in PyG. It panics with *[Error] for what does not fit.
func (l *JumpingKnowledge) Forward(xs ...*autograd.Var) *autograd.Var {
	const op = "JumpingKnowledge"
	if l == nil || l.mode == JKLSTM && (l.LSTM == nil || l.Att == nil) {
		panic(notMade(op))
	}
	if len(xs) == 0 {
		misuse(op, "no results of layers are given")
	}
	for i, x := range xs {
		l.want(op, i, x, xs[0])
	}
	switch l.mode {
	case JKCat:
		return autograd.Concat(1, xs...)
	case JKMax:
		return autograd.Stack(0, xs...).Max(0)
	}
	layers := autograd.Stack(0, xs...)
	states, _, _ := l.LSTM.Forward(layers, nil, nil)
	return layers.Mul(l.Att.Forward(states).SoftmaxAlong(0)).Sum(0)
}

// want panics unless x, the result of layer i, fits the first one and the layer.
func (l *JumpingKnowledge) want(op string, i int, x, first *autograd.Var) {
	name := fmt.Sprintf("result %d", i)
	wantVertices(op, name, x)
	switch s, t := x.Shape(), first.Shape(); {
	case s[0] != t[0]:
		misuse(op, "%s has %d rows, the first one %d", name, s[0], t[0])
	case s[1] != t[1] && l.mode != JKCat:
		misuse(op, "%s has %d features, the first one %d", name, s[1], t[1])
	case x.DType() != first.DType():
		misuse(op, "%s holds %v, the first one %v", name, x.DType(), first.DType())
	case l.mode == JKLSTM:
		weight := l.LSTM.Weights["weight_ih_l0"]
		if weight == nil {
			panic(notMade(op))
		}
		wantRows(op, name, x, s[0], "vertices", weight.Shape()[1])
		wantType(op, name, x, weight)
	}
}
