// Randomness that changes from one training pass to the next.

package nn

import (
	"reflect"

	"github.com/asterias-ml/asterias/internal/rng"
)

// Stochastic is a [Mode] with seeds for random operations, for layers that draw
// anew in every training pass. A layer embeds it:
//
//	func (d *Dropout) Forward(x *autograd.Var) *autograd.Var {
//		if !d.Training() {
//			return x
//		}
//		return autograd.Dropout(x, d.P, d.NextSeed())
//	}
//
// A layer with a vertex-centric program that has dropouts binds the seed, while
// training, with vcentric.Training(d.NextSeed()): without it they do nothing.
//
// A seed is a function of the layer's own and of how many were taken, so a run
// can be repeated exactly: [Checkpoint] does so with a forward pass, and
// [SaveTraining] keeps where each layer is. A Stochastic must not be used by
// several goroutines at once.
type Stochastic struct {
	Mode
	seed, step uint64
}

// NewStochastic takes the layer's own seed from r.
func NewStochastic(r *RNG) Stochastic { return Stochastic{seed: r.Seed()} }

// NextSeed returns a new seed. Call it once for each training pass.
func (s *Stochastic) NextSeed() uint64 {
	s.step++
	return rng.Fold(s.seed, s.step)
}

var stochasticType = reflect.TypeFor[Stochastic]()

// namedStream is a Stochastic of a module and the path to the layer it is of.
type namedStream struct {
	name   string
	stream *Stochastic
}

// streamsOf lists what is Stochastic in a module, found as by NamedParameters.
func streamsOf(op string, m any) []namedStream {
	var list []namedStream
	w := walker{op: op, onStruct: func(name string, v reflect.Value) {
		if v.Type() == stochasticType && v.CanAddr() && v.CanInterface() {
			list = append(list, namedStream{name, v.Addr().Interface().(*Stochastic)})
		}
	}}
	w.run(m)
	return list
}
