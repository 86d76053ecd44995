// Our optimisers behind Gorgonia's interface.

package optim

import (
	"errors"
	"fmt"
	"reflect"

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

// Step updates model and, as Gorgonia's solvers do, sets its gradients to zero.
// A value without gradient or learning rate is an error, as are values that are
// not contiguous tensors or scalars of float32 or float64, values with another number
// of elements than at the step before, and a ValueGrad that cannot be compared; values
// before it are updated by then.
func (s *Solver) Step(model []gorgonia.ValueGrad) error {
	settings := map[*autograd.Var]hyper{}
	for _, g := range s.base.groups {
		for _, p := range g.Params {
			settings[p] = g.hyper()
		}
	}
	for i, vg := range model {
		p, ours := vg.(*autograd.Var)
		h, grouped := settings[p]
		if !grouped {
			h = hyper{lr: s.base.lr}
		}
		var err error
		switch {
		case vg == nil || ours && p == nil:
			err = errors.New("it is nil")
		case !reflect.ValueOf(vg).Comparable():
			err = fmt.Errorf("type %T cannot be compared, so its state would not be found again; pass a pointer", vg)
		case !grouped && h.lr == 0:
			err = errors.New("it is in no group, and the config has no learning rate")
		case ours:
			err = s.stepVar(p, h)
		default:
			err = s.stepForeign(vg, h)
		}
		if err != nil {
			return fmt.Errorf("optim: Solver: value %d: %w", i, err)
		}
	}
	return nil
}

func (s *Solver) stepVar(p *autograd.Var, h hyper) error {
	stepped := false
	p.Update(func(w, g *tensor.Tensor) {
		s.base.update(p, w, g, h)
		g.Zero()
		stepped = true
	})
	if !stepped {
		_, err := p.Grad() // says that there is none
		return err
	}
	return nil
}

func (s *Solver) stepForeign(vg gorgonia.ValueGrad, h hyper) error {
	grad, err := vg.Grad()
	if err != nil {
		return err
	}
	switch value := vg.Value().(type) {
	case *gt.Dense:
		return s.stepDense(vg, value, grad, h)
	case *gorgonia.F32:
		g, ok := grad.(*gorgonia.F32)
		if !ok {
			return fmt.Errorf("value is a float32 scalar, gradient %T", grad)
		}
		w, d := []float32{float32(*value)}, []float32{float32(*g)}
		err = stepSlice(s.base.s32, s.base.update32, vg, w, d, h)
		*value, *g = gorgonia.F32(w[0]), gorgonia.F32(d[0])
	case *gorgonia.F64:
		g, ok := grad.(*gorgonia.F64)
		if !ok {
			return fmt.Errorf("value is a float64 scalar, gradient %T", grad)
		}
		w, d := []float64{float64(*value)}, []float64{float64(*g)}
		err = stepSlice(s.base.s64, s.base.update64, vg, w, d, h)
		*value, *g = gorgonia.F64(w[0]), gorgonia.F64(d[0])
	default:
		return fmt.Errorf("cannot update a value of type %T", value)
	}
	return err
}

// stepSlice updates a value that is not ours, which may have become another one, and
// clears its gradient.
func stepSlice[T tensor.Float](states map[gorgonia.ValueGrad]*state[T], update func(key gorgonia.ValueGrad, w, g []T, h hyper), vg gorgonia.ValueGrad, w, g []T, h hyper) error {
	if s := states[vg]; s != nil && s.bufs[0] != nil && len(s.bufs[0]) != len(w) {
		return fmt.Errorf("it has %d elements, at the step before it had %d", len(w), len(s.bufs[0]))
	}
	update(vg, w, g, h)
	clear(g)
	return nil
}

func (s *Solver) stepDense(vg gorgonia.ValueGrad, value *gt.Dense, grad gorgonia.Value, h hyper) error {
	g, ok := grad.(*gt.Dense)
	switch {
	case !ok:
		return fmt.Errorf("value is a tensor, gradient %T", grad)
	case !value.Shape().Eq(g.Shape()) || value.Dtype() != g.Dtype():
		return fmt.Errorf("value is %v %v, gradient %v %v", value.Dtype(), value.Shape(), g.Dtype(), g.Shape())
	case value.MemSize() == 0: // Gorgonia takes it for one that is masked
		return nil
	case value.RequiresIterator() || g.RequiresIterator():
		return fmt.Errorf("value %v or its gradient is not contiguous", value.Shape())
	case value.DataOrder().IsColMajor() != g.DataOrder().IsColMajor():
		return fmt.Errorf("value %v and its gradient are laid out differently", value.Shape())
	}
	switch value.Dtype() {
	case gt.Float32:
		return stepSlice(s.base.s32, s.base.update32, vg, value.Float32s(), g.Float32s(), h)
	case gt.Float64:
		return stepSlice(s.base.s64, s.base.update64, vg, value.Float64s(), g.Float64s(), h)
	}
	return fmt.Errorf("cannot update values of type %v", value.Dtype())
}
