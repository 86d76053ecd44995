package rng

import (
	"math"
	"testing"
)

func TestUniformHasTheMomentsOfAUniformVariable(t *testing.T) {
	const n = 1 << 18
	var sum, sq float64
	for i := range uint64(n) {
		u := Uniform(7, i)
		if u < 0 || u >= 1 {
			t.Fatalf("Uniform(7, %d) = %v, outside [0, 1)", i, u)
		}
		sum += u
		sq += u * u
	}
	mean, variance := sum/n, sq/n-(sum/n)*(sum/n)
	if math.Abs(mean-0.5) > 3e-3 || math.Abs(variance-1.0/12) > 2e-3 {
		t.Errorf("mean %v, variance %v; want 0.5 and %v", mean, variance, 1.0/12)
	}
}

func TestNormalHasTheMomentsOfAStandardNormal(t *testing.T) {
	const n = 1 << 18
	var m1, m2, m4 float64
	for i := range uint64(n) {
		x := Normal(3, i)
		m1 += x / n
		m2 += x * x / n
		m4 += x * x * x * x / n
	}
	if math.Abs(m1) > 1e-2 || math.Abs(m2-1) > 2e-2 || math.Abs(m4-3) > 0.1 {
		t.Errorf("moments 1, 2, 4: %v %v %v; want 0 1 3", m1, m2, m4)
	}
}

func TestKeepDropsTheAskedFraction(t *testing.T) {
	const n = 1 << 18
	for _, p := range []float64{0, 0.1, 0.5, 0.6, 1} {
		th, kept := Threshold(p), 0
		for i := range uint64(n) {
			if Keep(11, i, th) {
				kept++
			}
		}
		if got := 1 - float64(kept)/n; math.Abs(got-p) > 5e-3 {
			t.Errorf("p=%v: dropped fraction %v", p, got)
		}
	}
}

// chiSquare is Pearson's statistic of counts that should all be equal, as
// standard deviations above its mean under that hypothesis.
func chiSquare(counts []int) float64 {
	total := 0
	for _, c := range counts {
		total += c
	}
	want, x := float64(total)/float64(len(counts)), 0.0
	for _, c := range counts {
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	dof := float64(len(counts) - 1)
	return (x - dof) / math.Sqrt(2*dof)
}

// bitsCases are index sequences that programs use: rows one after the other,
// columns of a matrix, indices beyond 2^32 and across it.
var bitsCases = []struct {
	name         string
	first, every uint64
}{
	{"consecutive", 0, 1}, {"every 8th", 5, 8}, {"every 64th", 0, 64}, {"every 65536th", 1, 1 << 16},
	{"across 2^32", 1<<32 - 1<<15, 1}, {"beyond 2^40", 1 << 40, 1}, {"only the high half", 7, 1 << 32},
}

func TestBitsAreUniformInEveryByte(t *testing.T) {
	for _, c := range bitsCases {
		for _, seed := range []uint64{0, 1, 1 << 32, Fold(1, 2, 3)} {
			var counts [4][256]int
			for i := range uint64(1 << 16) {
				b := Bits(seed, c.first+i*c.every)
				for k := range counts {
					counts[k][byte(b>>(8*k))]++
				}
			}
			for k := range counts {
				if z := chiSquare(counts[k][:]); math.Abs(z) > 5 {
					t.Errorf("%s, seed %#x: byte %d is %.1f standard deviations from uniform", c.name, seed, k, z)
				}
			}
		}
	}
}

// TestSuccessiveBitsAreIndependent is the serial test (Knuth, TAOCP 2, 3.3.2):
// pairs of the top 4 bits at lags that a mask's rows and columns have.
func TestSuccessiveBitsAreIndependent(t *testing.T) {
	for _, c := range bitsCases {
		for _, lag := range []uint64{1, 2, 8, 64, 1433} {
			counts := make([]int, 256)
			for i := range uint64(1 << 16) {
				a, b := Bits(9, c.first+i*c.every), Bits(9, c.first+(i+lag)*c.every)
				counts[a>>28<<4|b>>28]++
			}
			if z := chiSquare(counts); math.Abs(z) > 5 {
				t.Errorf("%s, lag %d: pairs are %.1f standard deviations from uniform", c.name, lag, z)
			}
		}
	}
}

// TestEveryInputBitChangesHalfOfTheBits is the avalanche criterion over the bits
// of the seed and of the index.
func TestEveryInputBitChangesHalfOfTheBits(t *testing.T) {
	const n = 1 << 12
	for bit := range 64 {
		var bySeed, byIndex [32]int
		for i := range uint64(n) {
			seed, index := Hash(1, i), Hash(2, i)
			b := Bits(seed, index)
			s, x := b^Bits(seed^1<<bit, index), b^Bits(seed, index^1<<bit)
			for k := range 32 {
				bySeed[k] += int(s >> k & 1)
				byIndex[k] += int(x >> k & 1)
			}
		}
		for k := range 32 {
			const tolerance = 5 * 32 // standard deviations of n fair coins
			if d := bySeed[k] - n/2; d > tolerance || -d > tolerance {
				t.Errorf("bit %d of the seed flips bit %d in %d of %d draws", bit, k, bySeed[k], n)
			}
			if d := byIndex[k] - n/2; d > tolerance || -d > tolerance {
				t.Errorf("bit %d of the index flips bit %d in %d of %d draws", bit, k, byIndex[k], n)
			}
		}
	}
}

// TestMasksOfDifferentSeedsAreUncorrelated compares masks at the same and at
// shifted indices: of neighbouring seeds, and of sites and steps folded in.
func TestMasksOfDifferentSeedsAreUncorrelated(t *testing.T) {
	const n = 1 << 16
	pairs := [][2]uint64{{0, 1}, {1, 2}, {1, 1 << 32}, {5, 5 | 1<<63},
		{Fold(1, 1, 0), Fold(1, 1, 1)}, {Fold(1, 1, 0), Fold(1, 2, 0)}, {Fold(1, 2), Fold(2, 1)}}
	for _, p := range pairs {
		for _, shift := range []uint64{0, 1, 8, 1 << 32} {
			agree := 0
			for i := range uint64(n) {
				if Bits(p[0], i)>>31 == Bits(p[1], i+shift)>>31 {
					agree++
				}
			}
			if z := float64(2*agree-n) / math.Sqrt(n); math.Abs(z) > 5 {
				t.Errorf("seeds %#x and %#x, shift %d: masks agree in %d of %d places", p[0], p[1], shift, agree, n)
			}
		}
	}
}

// TestSeedsDoNotPermuteEachOther looks for one seed's draws among another's.
func TestSeedsDoNotPermuteEachOther(t *testing.T) {
	const n = 1 << 12
	drawn := make(map[uint32]bool, n)
	for i := range uint64(n) {
		drawn[Bits(6, i)] = true
	}
	for _, seed := range []uint64{7, 6 ^ 1<<12, 6 ^ 1<<40} {
		common := 0
		for i := range uint64(n) {
			if drawn[Bits(seed, i)] {
				common++
			}
		}
		if common > 5 { // expected: n*n/2^32, which is 0.004
			t.Errorf("seeds 6 and %d have %d of %d draws in common", seed, common, n)
		}
	}
}

func TestStreamsOfDifferentKeysAreUncorrelated(t *testing.T) {
	const n = 1 << 16
	a, b := Fold(1, 0, 1), Fold(1, 1, 0)
	var dot float64
	for i := range uint64(n) {
		dot += (Uniform(a, i) - 0.5) * (Uniform(b, i) - 0.5)
	}
	if c := dot / n * 12; math.Abs(c) > 0.02 {
		t.Errorf("correlation %v between streams (0,1) and (1,0)", c)
	}
}

func TestStreamIsReproducible(t *testing.T) {
	a, b := NewStream(5, 1, 2), NewStream(5, 1, 2)
	for i := range 100 {
		if x, y := a.Uint64(), b.Uint64(); x != y {
			t.Fatalf("draw %d differs: %x %x", i, x, y)
		}
	}
}
