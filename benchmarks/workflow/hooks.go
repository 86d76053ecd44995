package workflow

// A model as the pitfall detector sees it.

import (
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system/check"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// Builder makes the models of a form, on a device, for [check.Model].
func Builder(f Form, d *tensor.Device) check.Builder {
	return func(s check.Spec) (check.Net, error) {
		g, err := graph.New(s.Vertices, s.Src, s.Dst)
		if err != nil {
			return nil, err
		}
		last := s.Layers()
		c := Config{
			Model: Kind(strings.ToLower(string(s.Arch))), Layers: last, Hidden: 1,
			Heads: max(s.Heads, 1), OutHeads: max(s.OutHeads, 1), Dropout: s.Dropout, Seed: 1,
		}
		t := &Task{Name: "check", Graph: g, X: autograd.Constant(s.Features.ToDevice(d)), Classes: s.Widths[last]}
		m, err := newModel(c, sizes{widths: s.Widths, inner: s.Widths[1:]}, t, f)
		if err != nil {
			return nil, err
		}
		return &net{m, t.X}, nil
	}
}

// net is a model over its features. Its methods panic as autograd's do if the system
// fails.
type net struct {
	model *Model
	x     *autograd.Var
}

// checked is what the detector calls a parameter, such as 0.weight for w1.
func (n *net) checked(name string) string {
	digits := strings.Trim(name, "abcdefghijklmnopqrstuvwxyz")
	var layer int
	fmt.Sscan(digits, &layer) // a name of specs always has one
	before, after, _ := strings.Cut(name, digits)
	switch {
	case n.model.Config.Model == GIN && before != "eps":
		number := map[string]string{"a": "1", "b": "2"}[after]
		return fmt.Sprintf("%d.%s%s", layer-1, before, number)
	case before == "w":
		before = "weight"
	case before == "b":
		before = "bias"
	}
	return fmt.Sprintf("%d.%s", layer-1, before)
}

func (n *net) Parameters() map[string]*tensor.Tensor {
	values := map[string]*tensor.Tensor{}
	for _, p := range n.model.Params {
		values[n.checked(p.Name)] = p.Var.Tensor()
	}
	return values
}

func (n *net) SetParameter(name string, value *tensor.Tensor) {
	for _, p := range n.model.Params {
		if n.checked(p.Name) == name {
			p.Var.SetTensor(value.Clone().ToDevice(p.Var.Device()))
		}
	}
}

// logits runs the model; the seed counts in training.
func (n *net) logits(train bool, seed uint64) *autograd.Var {
	if !train {
		return n.model.Forward(n.x, nil)
	}
	return n.model.Forward(n.x, &seed)
}

func (n *net) Forward(train bool, seed uint64) (out *tensor.Tensor, err error) {
	err = autograd.Try(func() { out = n.logits(train, seed).Tensor() })
	return out, err
}

func (n *net) Gradients(cotangent *tensor.Tensor, train bool, seed uint64) (grads map[string]*tensor.Tensor, err error) {
	grads = map[string]*tensor.Tensor{}
	err = autograd.Try(func() {
		n.model.zeroGrad()
		n.logits(train, seed).BackwardWith(cotangent.ToDevice(n.x.Device()))
		for _, p := range n.model.Params {
			grads[n.checked(p.Name)] = p.Var.Gradient()
		}
	})
	return grads, err
}
