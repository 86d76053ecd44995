// The source of all randomness of a model.

package nn

import (
	"errors"
	"fmt"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// An RNG hands out independent random streams in a fixed order, so that one seed
// fixes a whole model. It must not be used by several goroutines at once.
type RNG struct {
	seed, next uint64
}

// NewRNG returns the source named by a seed.
func NewRNG(seed uint64) *RNG { return &RNG{seed: seed} }

// Stream returns the next stream: a math/rand/v2 Source independent of all
// others.
func (r *RNG) Stream() *rng.Stream { return rng.NewStream(r.Seed()) }

// Seed returns the seed of the next stream, for randomness that is a function of
// a counter, such as a dropout mask.
func (r *RNG) Seed() uint64 {
	r.there()
	r.next++
	return rng.Fold(r.seed, r.next)
}

// there panics if r, which constructors of layers are given, is nil.
func (r *RNG) there() {
	if r == nil {
		misuse("RNG", "is nil; make one with NewRNG")
	}
}

// State returns the seed and how many streams were taken, as one named tensor for
// [SaveTraining], of a program that takes streams while it trains.
func (r *RNG) State() map[string]*tensor.Tensor {
	r.there()
	return map[string]*tensor.Tensor{"rng": counter(r.seed, r.next)}
}

// LoadState takes over a [RNG.State], or changes nothing and says what does not
// fit.
func (r *RNG) LoadState(state map[string]*tensor.Tensor) error {
	r.there()
	t, ok := state["rng"]
	if !ok || len(state) != 1 {
		return errors.New("nn: RNG: LoadState: want one tensor named rng")
	}
	seed, next, err := counted(t)
	if err != nil {
		return fmt.Errorf("nn: RNG: LoadState: %w", err)
	}
	r.seed, r.next = seed, next
	return nil
}

// counter returns a seed and a count as a tensor that a file can hold.
func counter(seed, count uint64) *tensor.Tensor {
	return tensor.FromSlice([]int64{int64(seed), int64(count)}, 2)
}

// counted is the inverse of counter.
func counted(t *tensor.Tensor) (seed, count uint64, err error) {
	if t.DType() != tensor.Int64 || !t.Shape().Equal(tensor.Shape{2}) {
		return 0, 0, fmt.Errorf("%v %v, want i64 [2]", t.DType(), t.Shape())
	}
	x := tensor.Data[int64](t.Contiguous())
	return uint64(x[0]), uint64(x[1]), nil
}
