// The source of all randomness of a model.

package nn

import "github.com/asterias-ml/asterias/internal/rng"

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
	if r == nil { // what constructors of layers are given
		misuse("RNG", "is nil; make one with NewRNG")
	}
	r.next++
	return rng.Fold(r.seed, r.next)
}
