// Package rng is the counter-based randomness of Asterias: a number is a pure
// function of the keys that name it, so the same seed gives the same bits on
// any number of threads and a dropout mask can be recomputed in the backward
// pass instead of being stored.
package rng

import "math"

// Hash mixes a seed and an index into 64 well-distributed bits. It is the
// finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
// number generators", OOPSLA 2014) applied to a Weyl sequence started at the
// seed.
func Hash(seed, index uint64) uint64 {
	z := seed + (index+1)*0x9E3779B97F4A7C15
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return z ^ (z >> 31)
}

// Fold derives the seed of an independent stream from a seed and the keys that
// name the stream, such as a step and a layer.
func Fold(seed uint64, keys ...uint64) uint64 {
	for _, k := range keys {
		seed = Hash(seed^0xD1B54A32D192ED03, k)
	}
	return seed
}

// Uniform returns a float64 in [0, 1) with 53 random bits.
func Uniform(seed, index uint64) float64 {
	return float64(Hash(seed, index)>>11) * 0x1p-53
}

// Normal returns a standard normal deviate (Box and Muller 1958).
func Normal(seed, index uint64) float64 {
	u := 1 - Uniform(seed, 2*index) // (0, 1]: the logarithm stays finite
	return math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*Uniform(seed, 2*index+1))
}

// Bits returns 32 well-distributed bits, of which vector units compute several
// at once: two rounds of a 32-bit finaliser over the low half of the index. The
// keys that go in before each round are a hash of the seed and the high half, so
// that two seeds do not draw the same bits in another order.
func Bits(seed, index uint64) uint32 { return Draw(Keys(seed, index), uint32(index)) }

// Keys are what Bits takes from a seed and the high half of an index: the keys of
// all indices that share that half.
func Keys(seed, index uint64) [2]uint32 {
	key := Hash(seed, index>>32)
	return [2]uint32{uint32(key), uint32(key >> 32)}
}

// Draw returns the bits of the index with the given low half, for its keys.
func Draw(keys [2]uint32, low uint32) uint32 { return mix32(mix32(low^keys[0]) ^ keys[1]) }

// mix32 is lowbias32, the finaliser with the least bias of its length (Wellons:
// "Prospecting for hash functions", 2018).
func mix32(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

// Threshold turns a drop probability in [0, 1] into the bound that Keep
// compares 32-bit draws with.
func Threshold(p float64) uint64 { return uint64(p * (1 << 32)) }

// Keep tells whether the element survives dropout: it is dropped with
// probability threshold / 2^32. The dropout kernels of tensor/kern draw the same.
func Keep(seed, index, threshold uint64) bool {
	return uint64(Bits(seed, index)) >= threshold
}

// Stream is a sequential generator over one counter-based stream; it
// implements math/rand/v2.Source.
type Stream struct {
	seed, next uint64
}

// NewStream returns the stream named by the seed and the keys.
func NewStream(seed uint64, keys ...uint64) *Stream {
	return &Stream{seed: Fold(seed, keys...)}
}

// Uint64 returns the next 64 bits of the stream.
func (s *Stream) Uint64() uint64 {
	s.next++
	return Hash(s.seed, s.next)
}
