// Parameters on devices: their state is there too, and a step updates many in one launch.

package optim

import (
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	"gorgonia.org/gorgonia"
)

// farState is what a rule remembers of one parameter on a device.
type farState struct {
	progress
	bufs []*tensor.Tensor
}

// A starter is a rule whose buffers do not begin with 0.
type starter interface{ start() float64 }

// A farStep gathers parameters that are updated with the same numbers.
type farStep struct{ launches []*farLaunch }

type farLaunch struct {
	device  *tensor.Device
	dtype   tensor.DType
	rule    string
	numbers []float64
	tensors [][]*tensor.Tensor
}

// add takes a parameter in, whose step it counts.
func (f *farStep) add(b *base, p *autograd.Var, w, g *tensor.Tensor, h hyper) {
	p.MarkChanged()
	s := b.farStateOf(p, w)
	s.steps++
	rule, numbers := b.rule.numbers(&s.progress, h)
	f.put(w, rule, numbers, append([]*tensor.Tensor{w, g.Contiguous()}, s.bufs...)...)
}

// put takes the tensors of one update in.
func (f *farStep) put(w *tensor.Tensor, rule string, numbers []float64, tensors ...*tensor.Tensor) {
	i := slices.IndexFunc(f.launches, func(l *farLaunch) bool {
		return l.device == w.Device() && l.dtype == w.DType() && l.rule == rule && slices.Equal(l.numbers, numbers)
	})
	if i < 0 {
		i = len(f.launches)
		f.launches = append(f.launches, &farLaunch{device: w.Device(), dtype: w.DType(), rule: rule, numbers: numbers})
	}
	l := f.launches[i]
	l.tensors = append(l.tensors, tensors)
}

// run launches what was gathered.
func (f *farStep) run() {
	for _, l := range f.launches {
		tensor.Update(l.rule, l.numbers, l.tensors)
	}
}

// farStateOf returns the state of a parameter, on its device. State that was made
// before the parameter was moved there moves along.
func (b *base) farStateOf(p *autograd.Var, w *tensor.Tensor) *farState {
	s := b.far[p]
	if s == nil {
		s = b.movedState(p)
	}
	if s == nil {
		s = &farState{progress: progress{momenta: 1}}
		first := 0.0
		if r, ok := b.rule.(starter); ok {
			first = r.start()
		}
		for range b.buffers {
			s.bufs = append(s.bufs, tensor.FullLike(w, first))
		}
	}
	for k, t := range s.bufs {
		s.bufs[k] = t.ToDevice(w.Device())
	}
	b.far[p] = s
	return s
}

// movedState takes the state of a parameter over that was on the CPU, nil if there is
// none.
func (b *base) movedState(p *autograd.Var) *farState {
	var s *farState
	if near := b.s32[p]; near != nil {
		s = farStateFrom(near, p.Shape(), len(b.buffers))
	} else if near := b.s64[p]; near != nil {
		s = farStateFrom(near, p.Shape(), len(b.buffers))
	}
	delete(b.s32, gorgonia.ValueGrad(p))
	delete(b.s64, gorgonia.ValueGrad(p))
	return s
}

func farStateFrom[T tensor.Float](near *state[T], shape tensor.Shape, buffers int) *farState {
	s := &farState{progress: near.progress}
	for k := range buffers {
		s.bufs = append(s.bufs, tensor.FromSlice(near.bufs[k], shape...))
	}
	return s
}

// moveBack takes the state of a parameter over that was on a device, if there is some.
func moveBack[T tensor.Float](b *base, states map[gorgonia.ValueGrad]*state[T], key gorgonia.ValueGrad) {
	far := b.far[key]
	if far == nil {
		return
	}
	delete(b.far, key)
	s := &state[T]{progress: far.progress}
	for k, t := range far.bufs {
		s.bufs[k] = tensor.Data[T](t.ToDevice(tensor.CPU))
	}
	states[key] = s
}

// putFarState and takeFarState are putState and takeState of a parameter on a device.
func putFarState(b *base, s *farState, i int, put func(t *tensor.Tensor, format string, args ...any)) {
	putProgress(b, s.progress, i, put)
	for k, name := range b.buffers {
		put(s.bufs[k], "params.%d.%s", i, name)
	}
}

func takeFarState(b *base, l *loader, states map[gorgonia.ValueGrad]*farState, p *autograd.Var, i int) {
	prefix := fmt.Sprintf("params.%d.", i)
	if !l.hasAny(prefix) { // not updated so far
		return
	}
	s := &farState{progress: takeProgress(b, l, prefix)}
	for _, name := range b.buffers {
		if t := l.take(prefix+name, p.DType(), p.Shape()); t != nil {
			s.bufs = append(s.bufs, copyTo(p.Device(), t))
		}
	}
	states[p] = s
}

// copyTo returns a copy on a device.
func copyTo(d *tensor.Device, t *tensor.Tensor) *tensor.Tensor {
	if t.Device() == d {
		return t.Clone()
	}
	return t.ToDevice(d)
}

// farSquares returns the sum of the squares of a gradient on a device, in float64.
func farSquares(g *tensor.Tensor) *tensor.Tensor {
	wide := g.To(tensor.Float64)
	squares := tensor.Square(wide)
	if wide != g {
		wide.Free()
	}
	defer squares.Free()
	return tensor.Sum(squares, false)
}

// scaleFar multiplies gradients on a device by what [ClipGradNorm] does, of a norm that is there.
func scaleFar(op string, params []*autograd.Var, maxNorm float64, norm *tensor.Tensor) {
	above := tensor.AddScalar(norm, 1e-6)
	ratio := tensor.Div(tensor.Full(tensor.Float64, maxNorm), above)
	c := tensor.Minimum(ratio, tensor.Full(tensor.Float64, 1)) // NaN if it is
	factors := map[tensor.DType]*tensor.Tensor{tensor.Float64: c}
	eachGradient(op, params, func(g *tensor.Tensor) {
		if factors[g.DType()] == nil {
			factors[g.DType()] = c.To(g.DType())
		}
		replaceFar(g, tensor.Mul(g, factors[g.DType()]))
	})
	for _, t := range factors {
		t.Free()
	}
	above.Free()
	ratio.Free()
}

// replaceFar overwrites a gradient on a device.
func replaceFar(g, with *tensor.Tensor) {
	g.CopyFrom(with)
	with.Free()
}
