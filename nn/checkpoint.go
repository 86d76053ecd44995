// Activation checkpointing of modules.

package nn

import (
	"reflect"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// Checkpoint returns f(xs...) without keeping what f computes on the way; the
// backward pass calls f again (Chen et al. 2016; see autograd.Checkpoint, which
// says what f may use):
//
//	h = nn.Checkpoint(m.Block, func(xs ...*autograd.Var) *autograd.Var {
//		return m.Block.Forward(xs[0])
//	}, h)
//
// m is the module that f uses. The second call finds it as the first did: in the
// same mode, with the same masks to come from every [Stochastic] and the same
// buffers, such as running means; afterwards it is as before that call. So the
// gradients are bit for bit those without Checkpoint, and no estimate is moved
// twice. Gradients through gradients of autograd.CreateGraph are added up in another
// order than without, and differ by rounding.
func Checkpoint(m any, f func(xs ...*autograd.Var) *autograd.Var, xs ...*autograd.Var) *autograd.Var {
	wantThere("Checkpoint", "the function", f != nil)
	start := momentOf("Checkpoint", m)
	start.copyBuffers()
	again := false
	return autograd.Checkpoint(func(xs ...*autograd.Var) *autograd.Var {
		if again {
			now := momentOf("Checkpoint", m)
			start.restore()
			defer now.restore()
		}
		again = true
		return f(xs...)
	}, xs...)
}

// Remember returns a function that takes a module back to the moment of Remember in what
// decides, beside parameters and inputs, what it computes: modes, the masks to come from
// every [Stochastic], and buffers, such as running means, if they were given new tensors as
// the layers here do. A computation in between can so be made again:
//
//	back := nn.Remember(m)
//	nn.Train(m) // with dropout
//	y := m.Forward(x)
//	back()
func Remember(m any) (back func()) { return momentOf("Remember", m).restore }

// A moment is what decides, beside parameters and inputs, what a module computes.
type moment struct {
	modes   []saved[Mode]
	streams []saved[Stochastic]
	buffers []buffer
}

type saved[T any] struct {
	at    *T
	value T
}

type buffer struct {
	at    *autograd.Var
	value *tensor.Tensor // not a copy, but for copyBuffers: a module gives a buffer a new tensor
}

var modeType = reflect.TypeFor[Mode]()

func momentOf(op string, m any) moment {
	var now moment
	w := walker{op: op}
	w.onStruct = func(_ string, v reflect.Value) {
		if v.Type() == modeType && v.CanAddr() && v.CanInterface() {
			mode := v.Addr().Interface().(*Mode)
			now.modes = append(now.modes, saved[Mode]{mode, *mode})
		}
	}
	w.onVar = func(_ string, v *autograd.Var) {
		if isBuffer(v) {
			now.buffers = append(now.buffers, buffer{v, v.Tensor()})
		}
	}
	w.run(m)
	for _, s := range streamsOf(op, m) {
		now.streams = append(now.streams, saved[Stochastic]{s.stream, *s.stream})
	}
	return now
}

// copyBuffers copies the buffers that modules write in place: within a captured step.
func (t moment) copyBuffers() {
	for i, b := range t.buffers {
		if b.value.Device().Capturing() {
			t.buffers[i].value = b.value.Clone()
		}
	}
}

func (t moment) restore() {
	for _, s := range t.streams {
		*s.at = s.value
	}
	t.restoreModes()
	for _, b := range t.buffers {
		if b.at.Tensor() != b.value { // most are constants, of which some may be strided views
			b.at.SetTensor(b.value.ToDevice(b.at.Device()).Contiguous())
		}
	}
}

func (t moment) restoreModes() {
	for _, s := range t.modes {
		*s.at = s.value
	}
}
