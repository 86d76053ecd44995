package workflow

// Parameters by name, and where they start.

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// Params are the parameters of a model. Names end in the number of the layer, from
// 1, and in GIN in a or b, the first or second product of a layer.
type Params []nn.Named

// A spec is a parameter before it has values.
type spec struct {
	name  string
	shape tensor.Shape
	bound float64 // drawn from U(-bound, bound)
}

// glorot is the bound of Glorot and Bengio (2010).
func glorot(in, out int) float64 { return math.Sqrt(6 / float64(in+out)) }

// sizes are those of a model's layers.
type sizes struct {
	widths []int // of the features, of every hidden layer, of its heads in GAT, and of the classes
	inner  []int // of GIN: between the two products of each layer
}

func (c Config) sizes(features, classes int) sizes {
	s := sizes{widths: []int{features}}
	for range c.Layers - 1 {
		s.widths = append(s.widths, c.Hidden)
	}
	s.widths = append(s.widths, classes)
	for range c.Layers {
		s.inner = append(s.inner, c.Hidden)
	}
	return s
}

// specs lists the parameters of a model.
func (c Config) specs(s sizes) (list []spec) {
	add := func(name string, bound float64, shape ...int) { list = append(list, spec{name, shape, bound}) }
	in := s.widths[0]
	for i, out := range s.widths[1:] {
		l := i + 1
		named := func(format string) string { return fmt.Sprintf(format, l) }
		switch c.Model {
		case GCN:
			add(named("w%d"), glorot(in, out), in, out)
			add(named("b%d"), 0, out)
			in = out
		case GIN:
			add(named("eps%d"), 0, 1)
			inner := s.inner[i]
			add(named("w%da"), glorot(in, inner), in, inner)
			add(named("b%da"), 0, inner)
			add(named("w%db"), glorot(inner, out), inner, out)
			add(named("b%db"), 0, out)
			in = out
		case GAT:
			heads := c.heads(l)
			add(named("w%d"), glorot(in, out), in, heads*out)
			add(named("al%d"), glorot(out, 1), heads, out)
			add(named("ar%d"), glorot(out, 1), heads, out)
			in = heads * out
			if l == c.Layers {
				in = out
			}
			add(named("b%d"), 0, in)
		}
	}
	return list
}

// heads are those of layer l.
func (c Config) heads(l int) int {
	if l == c.Layers {
		return c.OutHeads
	}
	return c.Heads
}

// newParams returns the parameters of a model as the config's seed has them: weights
// Glorot-uniform, biases and ε zero.
func newParams(c Config, s sizes) (params Params) {
	for i, s := range c.specs(s) {
		values := make([]float32, s.shape.Size())
		stream := rng.Fold(c.Seed, uint64(i))
		for j := range values {
			values[j] = float32(s.bound * (2*rng.Uniform(stream, uint64(j)) - 1))
		}
		params = append(params, nn.Named{Name: s.name, Var: autograd.Parameter(tensor.FromSlice(values, s.shape...))})
	}
	return params
}

// Get returns the parameter of a name.
func (p Params) Get(name string) *autograd.Var {
	for _, n := range p {
		if n.Name == name {
			return n.Var
		}
	}
	panic("BUG: workflow: no parameter " + name)
}

// of is Get for a layer: of("w%d", 1).
func (p Params) of(format string, l int) *autograd.Var { return p.Get(fmt.Sprintf(format, l)) }

// Vars returns the parameters without names.
func (p Params) Vars() []*autograd.Var {
	vars := make([]*autograd.Var, len(p))
	for i, n := range p {
		vars[i] = n.Var
	}
	return vars
}

// Bytes is the memory of the values.
func (p Params) Bytes() (bytes int64) {
	for _, n := range p {
		bytes += n.Var.Tensor().Bytes()
	}
	return bytes
}
