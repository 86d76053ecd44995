package workflow

// The model, for any form.

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
)

// A Form makes the layers of a model over one graph: with the calls of a system
// ([OverSystem]), or as vertex-centric programs ([Fused]).
type Form interface {
	// Name is that of the system.
	Name() string
	// open prepares the graph of a task, which has loops if the model wants them.
	open(t *Task) (layers, error)
}

// layers are the sparse parts of layers, from x [N in], dense or sparse, over one
// graph.
type layers interface {
	// gcn is S(x w) + b.
	gcn(x, w, b *autograd.Var) *autograd.Var
	// gin is ReLU((1+eps) x w + A(x w) + b).
	gin(x, eps, w, b *autograd.Var) *autograd.Var
	// gat is attention with heads of z = x w: their values concatenated, or averaged
	// with mean, plus b.
	gat(x, w, al, ar, b *autograd.Var, mean bool) *autograd.Var
	close() error
}

// A Model is a model over the graph of one task.
type Model struct {
	Config Config
	Params Params

	sparse layers
	layers []layer // without what follows each
}

// A layer is a function of its input.
type layer func(x *autograd.Var) *autograd.Var

// New returns the model of a config for a task, with parameters as its seed has
// them. [Model.Close] frees what the form holds for the graph.
func New(c Config, t *Task, f Form) (*Model, error) {
	return newModel(c, c.sizes(t.Features(), t.Classes), t.For(c), f)
}

// newModel returns a model of layers of sizes, over the graph as it is.
func newModel(c Config, s sizes, t *Task, f Form) (*Model, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	l, err := f.open(t)
	if err != nil {
		return nil, fmt.Errorf("workflow: %s on %s: %w", f.Name(), t.Name, err)
	}
	m := &Model{Config: c, Params: newParams(c, s), sparse: l}
	for _, p := range m.Params {
		p.Var.MoveTo(t.X.Device())
	}
	for l := range c.Layers {
		m.layers = append(m.layers, m.layer(l+1))
	}
	return m, nil
}

// Close frees what the form holds for the graph.
func (m *Model) Close() error { return m.sparse.close() }

// Forward returns the logits [N classes] of features. Dropout of layer l has the mask
// of (seed, l); nil is evaluation, which has none.
func (m *Model) Forward(x *autograd.Var, seed *uint64) *autograd.Var {
	for i, apply := range m.layers {
		x = apply(x)
		if i == len(m.layers)-1 {
			break
		}
		if m.Config.Model == GAT {
			x = x.ELU(1)
		} else {
			x = x.ReLU()
		}
		if seed != nil {
			x = autograd.Dropout(x, m.Config.Dropout, rng.Fold(*seed, uint64(i+1)))
		}
	}
	return x
}

// layer is layer l, from 1. Parameters are found once: their values may change.
func (m *Model) layer(l int) layer {
	p, s := m.Params, m.sparse
	at := func(format string) *autograd.Var { return p.of(format, l) }
	switch m.Config.Model {
	case GCN:
		w, b := at("w%d"), at("b%d")
		return func(x *autograd.Var) *autograd.Var { return s.gcn(x, w, b) }
	case GIN:
		eps, wa, ba, wb, bb := at("eps%d"), at("w%da"), at("b%da"), at("w%db"), at("b%db")
		return func(x *autograd.Var) *autograd.Var {
			return autograd.Linear(s.gin(x, eps, wa, ba), wb, bb, false)
		}
	}
	w, al, ar, bias := at("w%d"), at("al%d"), at("ar%d"), at("b%d")
	mean := l == m.Config.Layers
	return func(x *autograd.Var) *autograd.Var { return s.gat(x, w, al, ar, bias, mean) }
}

// zeroGrad forgets all gradients.
func (m *Model) zeroGrad() {
	for _, p := range m.Params {
		p.Var.ZeroGrad()
	}
}

// Accuracy is the share of rows whose largest logit is that of their label.
func (m *Model) Accuracy(t *Task, rows []int32) float64 {
	return nn.Accuracy(m.Forward(autograd.NoGrad(t.X), nil), t.Labels, rows)
}
