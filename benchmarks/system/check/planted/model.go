package planted

// Plain models, for the detector to look at.

import (
	"errors"
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// A modelFault is what a model does otherwise. The zero fault is none.
type modelFault struct {
	without string // a parameter that is left out, such as "bias"
	ignores string // one that is not used
	detach  string // one that gets no gradient

	scale     func(in, out []int, u, v int) float64 // coefficient of u→v instead of S
	turned    bool                                  // edges are the other way around
	backScale func(in, out []int, u, v int) float64 // the backward pass's
	backSame  bool                                  // the backward pass is not transposed

	dropout    func(x *autograd.Var, p float64, layer int, train bool, seed uint64) *autograd.Var
	activation func(x *autograd.Var) *autograd.Var
	fails      bool
}

// Model builds models that have the fault.
func Model(f modelFault) check.Builder {
	return func(s check.Spec) (check.Net, error) {
		if f.fails && s.Vertices > 100 {
			return nil, errors.New("out of memory")
		}
		m := &model{spec: s, fault: f, params: make(map[string]*autograd.Var)}
		m.in, m.out = make([]int, s.Vertices), make([]int, s.Vertices)
		for e := range s.Src {
			m.out[s.Src[e]]++
			m.in[s.Dst[e]]++
		}
		m.addParameters()
		return m, nil
	}
}

// RightModel builds models without a mistake.
func RightModel() check.Builder { return Model(modelFault{}) }

type model struct {
	spec    check.Spec
	fault   modelFault
	params  map[string]*autograd.Var
	in, out []int
}

func (m *model) addParameters() {
	in := m.spec.Widths[0]
	for l := range m.spec.Layers() {
		out := m.spec.Widths[l+1]
		add := func(name string, shape ...int) {
			if name != m.fault.without {
				m.params[fmt.Sprintf("%d.%s", l, name)] = autograd.Parameter(tensor.Zeros(tensor.Float32, shape...))
			}
		}
		last := l == m.spec.Layers()-1
		switch m.spec.Arch {
		case check.GCN:
			add("weight", in, out)
			add("bias", out)
			in = out
		case check.GIN:
			add("eps", 1)
			add("w1", in, out)
			add("b1", out)
			add("w2", out, out)
			add("b2", out)
			in = out
		case check.GAT:
			heads := m.heads(l)
			add("weight", in, heads*out)
			add("al", heads, out)
			add("ar", heads, out)
			in = heads * out
			if last {
				in = out
			}
			add("bias", in)
		}
	}
}

func (m *model) heads(layer int) int {
	if layer == m.spec.Layers()-1 {
		return m.spec.OutHeads
	}
	return m.spec.Heads
}

// param returns that of a layer, nil if it is left out.
func (m *model) param(layer int, name string) *autograd.Var {
	v := m.params[fmt.Sprintf("%d.%s", layer, name)]
	switch {
	case name == m.fault.ignores:
		return nil
	case v != nil && name == m.fault.detach:
		return v.Detach()
	}
	return v
}

func (m *model) Parameters() map[string]*tensor.Tensor {
	values := make(map[string]*tensor.Tensor)
	for name, v := range m.params {
		values[name] = v.Tensor()
	}
	return values
}

func (m *model) SetParameter(name string, value *tensor.Tensor) { m.params[name].SetTensor(value) }

func (m *model) Forward(train bool, seed uint64) (*tensor.Tensor, error) {
	return m.logits(train, seed).Tensor(), nil
}

func (m *model) Gradients(cotangent *tensor.Tensor, train bool, seed uint64) (map[string]*tensor.Tensor, error) {
	grads := make(map[string]*tensor.Tensor)
	for _, v := range m.params {
		v.ZeroGrad()
	}
	m.logits(train, seed).BackwardWith(cotangent)
	for name, v := range m.params {
		grads[name] = v.Gradient()
	}
	return grads, nil
}

// logits are the layers with activation and dropout between them.
func (m *model) logits(train bool, seed uint64) *autograd.Var {
	x := autograd.Constant(m.spec.Features)
	for l := range m.spec.Layers() {
		switch m.spec.Arch {
		case check.GCN:
			x = m.gcn(l, x)
		case check.GIN:
			x = m.gin(l, x)
		case check.GAT:
			x = m.gat(l, x)
		}
		if l == m.spec.Layers()-1 {
			break
		}
		switch {
		case m.fault.activation != nil:
			x = m.fault.activation(x)
		case m.spec.Arch == check.GAT:
			x = x.ELU(1)
		default:
			x = x.ReLU()
		}
		drop := dropped
		if m.fault.dropout != nil {
			drop = m.fault.dropout
		}
		x = drop(x, m.spec.Dropout, l, train, seed)
	}
	return x
}

// dropped is dropout as it should be.
func dropped(x *autograd.Var, p float64, layer int, train bool, seed uint64) *autograd.Var {
	if !train {
		return x
	}
	return autograd.Dropout(x, p, rng.Fold(seed, uint64(layer)))
}

func notDropped(x *autograd.Var, _ float64, _ int, _ bool, _ uint64) *autograd.Var { return x }

func alwaysDropped(x *autograd.Var, p float64, layer int, _ bool, seed uint64) *autograd.Var {
	return dropped(x, p, layer, true, seed)
}

func keptForDropped(x *autograd.Var, p float64, layer int, train bool, seed uint64) *autograd.Var {
	return dropped(x, 1-p, layer, train, seed)
}

func notScaled(x *autograd.Var, p float64, layer int, train bool, seed uint64) *autograd.Var {
	if !train {
		return x
	}
	return dropped(x, p, layer, true, seed).Scale(1 - p)
}

func oneSeed(x *autograd.Var, p float64, layer int, train bool, _ uint64) *autograd.Var {
	return dropped(x, p, layer, train, 1)
}

// forwardOnly gives the gradient of what was not dropped, too.
func forwardOnly(x *autograd.Var, p float64, layer int, train bool, seed uint64) *autograd.Var {
	y := dropped(x.Detach(), p, layer, train, seed).Tensor()
	return autograd.Custom("dropout", []*autograd.Var{x}, []*tensor.Tensor{y}, func(g []*tensor.Tensor) []*tensor.Tensor {
		return g
	})[0]
}

// The coefficients of S, and others.

func bothEnds(in, out []int, u, v int) float64 {
	return 1 / math.Sqrt(float64(max(in[v], 1)*max(out[u], 1)))
}

func wrongEnds(in, out []int, u, v int) float64 { return bothEnds(in, out, v, u) }

func inEnds(in, _ []int, u, v int) float64 { return bothEnds(in, in, u, v) }

func meanEnd(in, _ []int, _, v int) float64 { return 1 / float64(max(in[v], 1)) }

func noScale(_, _ []int, _, _ int) float64 { return 1 }
