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
