package harness

import (
	"math"
	"testing"
)

func TestMedianIsTheMiddle(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{[]float64{3}, 3},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 1, 3, 2}, 2.5},
		{[]float64{1, 1, 1e9}, 1},
	} {
		if got := Median(c.xs); got != c.want {
			t.Errorf("Median(%v) = %v, want %v", c.xs, got, c.want)
		}
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("median of none is %v, want NaN", got)
	}
}

func TestMedianLeavesItsArgumentAlone(t *testing.T) {
	xs := []float64{3, 1, 2}
	Median(xs)
	if xs[0] != 3 || xs[1] != 1 || xs[2] != 2 {
		t.Errorf("xs is now %v", xs)
	}
}

func TestMedianRatioPairsTheRounds(t *testing.T) {
	// A machine that slows down tenfold in the middle: each round's ratio is 2,
	// the ratio of the medians is not.
	ours, peer := []float64{1, 10, 10}, []float64{2, 20, 20}
	ours[1], peer[2] = 1, 2
	ours[2], peer[1] = 1, 20
	if got := MedianRatio(peer, ours); got != 2 {
		t.Errorf("median ratio of %v to %v is %v, want 2", peer, ours, got)
	}
}

func TestAgreeMeasuresAgainstTheLargest(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name      string
		got, want []float32
		same      bool
	}{
		{"equal", []float32{1, -2}, []float32{1, -2}, true},
		{"off by less than the largest allows", []float32{1.001, 100}, []float32{1, 100}, true},
		{"off by more", []float32{1.1, 100}, []float32{1, 100}, false},
		{"lengths differ", []float32{1}, []float32{1, 2}, false},
		{"ours is NaN", []float32{nan, 1}, []float32{0, 1}, false},
		{"the peer's is NaN", []float32{0, 1}, []float32{nan, 1}, false},
		{"both are NaN", []float32{nan}, []float32{nan}, false},
		{"infinite", []float32{float32(math.Inf(1))}, []float32{1}, false},
		{"all zero", []float32{0, 0}, []float32{0, 0}, true},
		{"zero wanted", []float32{1e-30}, []float32{0}, false},
	} {
		if err := Agree(c.got, c.want, 1e-4); (err == nil) != c.same {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestGeomeanOfRatiosIsIndifferentToTheirDirection(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{{[]float64{4}, 4}, {[]float64{2, 8}, 4}, {[]float64{0.5, 2}, 1}} {
		if got := Geomean(c.xs); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Geomean(%v) = %v, want %v", c.xs, got, c.want)
		}
	}
	if got := Geomean(nil); !math.IsNaN(got) {
		t.Errorf("Geomean of none is %v, want NaN", got)
	}
}
