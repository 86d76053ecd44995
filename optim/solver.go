// Our optimisers behind Gorgonia's interface.

package optim

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	"gorgonia.org/gorgonia"
	gt "gorgonia.org/tensor"
)

// Solver is an optimiser as a gorgonia.Solver. It shares the optimiser's state.
//
// A parameter of one of the optimiser's groups is updated with that group's
// settings; any other, such as a node of a Gorgonia graph, with the config's
// learning rate, which must then be there, and without weight decay. State is
// kept per ValueGrad, so pass the same ones at every step, pointers as a rule.
type Solver struct{ base *base }

var _ gorgonia.Solver = (*Solver)(nil)

// Step updates model and, as Gorgonia's solvers do, sets its gradients to zero. Parameters
// that require no gradient are left alone, with the gradients that they may have.
// A value without gradient or learning rate is an error, as are values that are
// not contiguous tensors or scalars of float32 or float64, values with another number
// of elements than at the step before, and a ValueGrad that cannot be compared; nothing
// is updated then.
func (s *Solver) Step(model []gorgonia.ValueGrad) error {
	settings := map[*autograd.Var]hyper{}
	for _, g := range s.base.groups {
		for _, p := range g.Params {
			settings[p] = g.hyper()
		}
	}
	updates := make([]func(), 0, len(model))
	for i, vg := range model {
		p, ours := vg.(*autograd.Var)
		h, grouped := settings[p]
		if !grouped {
			h = hyper{lr: s.base.lr}
		}
		var update func()
		var err error
		switch {
		case vg == nil || ours && p == nil:
			err = errors.New("it is nil")
		case !reflect.ValueOf(vg).Comparable():
			err = fmt.Errorf("type %T cannot be compared, so its state would not be found again; pass a pointer", vg)
		case ours && !p.RequiresGrad():
			continue
		case !grouped && h.lr == 0:
			err = errors.New("it is in no group, and the config has no learning rate")
		case ours:
			update, err = s.updateOfVar(p, h)
		default:
			update, err = s.updateOfForeign(vg, h)
		}
		if err != nil {
			return fmt.Errorf("optim: Solver: value %d: %w", i, err)
		}
		updates = append(updates, update)
	}
	for _, update := range updates {
		update()
	}
	return nil
}

// updateOfVar returns the update of a parameter of ours, once it is known to work; so do the
// others.
func (s *Solver) updateOfVar(p *autograd.Var, h hyper) (func(), error) {
	there := false
	p.Update(func(_, _ *tensor.Tensor) { there = true })
	if !there {
		_, err := p.Grad() // says that there is none
		return nil, err
	}
	return func() {
		p.Update(func(w, g *tensor.Tensor) {
			s.base.update(p, w, g, h)
			g.Zero()
		})
	}, nil
}

func (s *Solver) updateOfForeign(vg gorgonia.ValueGrad, h hyper) (func(), error) {
	grad, err := vg.Grad()
	if err != nil {
		return nil, err
	}
	switch value := vg.Value().(type) {
	case *gt.Dense:
		return s.updateOfDense(vg, value, grad, h)
	case *gorgonia.F32:
		g, ok := grad.(*gorgonia.F32)
		if !ok {
			return nil, fmt.Errorf("value is a float32 scalar, gradient %T", grad)
		}
		return func() {
			w, d := []float32{float32(*value)}, []float32{float32(*g)}
			s.base.update32(vg, w, d, h)
			*value, *g = gorgonia.F32(w[0]), 0
		}, wantLength(s.base.s32, vg, 1)
	case *gorgonia.F64:
		g, ok := grad.(*gorgonia.F64)
		if !ok {
			return nil, fmt.Errorf("value is a float64 scalar, gradient %T", grad)
		}
		return func() {
			w, d := []float64{float64(*value)}, []float64{float64(*g)}
			s.base.update64(vg, w, d, h)
			*value, *g = gorgonia.F64(w[0]), 0
		}, wantLength(s.base.s64, vg, 1)
	default:
		return nil, fmt.Errorf("cannot update a value of type %T", value)
	}
}

// wantLength is an error if a value that is not ours, which may have become another one,
// has not as many elements as what is remembered of it.
func wantLength[T tensor.Float](states map[gorgonia.ValueGrad]*state[T], vg gorgonia.ValueGrad, n int) error {
	if s := states[vg]; s != nil && s.bufs[0] != nil && len(s.bufs[0]) != n {
		return fmt.Errorf("it has %d elements, at the step before it had %d", n, len(s.bufs[0]))
	}
	return nil
}

func (s *Solver) updateOfDense(vg gorgonia.ValueGrad, value *gt.Dense, grad gorgonia.Value, h hyper) (func(), error) {
	g, ok := grad.(*gt.Dense)
	switch {
	case !ok:
		return nil, fmt.Errorf("value is a tensor, gradient %T", grad)
	case !value.Shape().Eq(g.Shape()) || value.Dtype() != g.Dtype():
		return nil, fmt.Errorf("value is %v %v, gradient %v %v", value.Dtype(), value.Shape(), g.Dtype(), g.Shape())
	case value.MemSize() == 0: // Gorgonia takes it for one that is masked
		return func() {}, nil
	case value.RequiresIterator() || g.RequiresIterator():
		return nil, fmt.Errorf("value %v or its gradient is not contiguous", value.Shape())
	case value.DataOrder().IsColMajor() != g.DataOrder().IsColMajor() || stridesDiffer(value, g):
		return nil, fmt.Errorf("value %v and its gradient are laid out differently", value.Shape())
	}
	switch value.Dtype() {
	case gt.Float32:
		w, g := value.Float32s(), g.Float32s()
		return func() { s.base.update32(vg, w, g, h); clear(g) }, wantLength(s.base.s32, vg, len(w))
	case gt.Float64:
		w, g := value.Float64s(), g.Float64s()
		return func() { s.base.update64(vg, w, g, h); clear(g) }, wantLength(s.base.s64, vg, len(w))
	}
	return nil, fmt.Errorf("cannot update values of type %v", value.Dtype())
}

// stridesDiffer tells clones of views of transposed tensors, which say that they are
// contiguous and row-major, from tensors that are.
func stridesDiffer(a, b *gt.Dense) bool {
	if !slices.Equal(a.Shape(), b.Shape()) { // vectors: Gorgonia takes [n] for [n 1] and [1 n]
		return false
	}
	for k, n := range a.Shape() {
		if n != 1 && a.Strides()[k] != b.Strides()[k] {
			return true
		}
	}
	return false
}
