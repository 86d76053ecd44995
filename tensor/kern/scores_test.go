// Tests of the kernels of scores.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
)

// scoreBounds are the bounds of rows of the lengths at which the assembly branches, in
// random order, from the first edge on; many rows with one edge each begin, go between, and end.
func scoreBounds(r *rand.Rand, first int) []int32 {
	lengths := []int{0, 0, 1, 1, 2, 15, 16, 17, 1000}
	for n := 31; n <= 70; n++ {
		lengths = append(lengths, n)
	}
	r.Shuffle(len(lengths), func(i, j int) { lengths[i], lengths[j] = lengths[j], lengths[i] })
	leaves := func(n int) []int { return slices.Repeat([]int{1}, n) }
	lengths = slices.Concat(leaves(18), lengths[:20], leaves(40), slices.Repeat([]int{0, 1}, 20), lengths[20:], leaves(16))
	bounds := []int32{int32(first)}
	for _, n := range lengths {
		bounds = append(bounds, bounds[len(bounds)-1]+int32(n))
	}
	return bounds
}

// scoreCase is rows of edges and what a kernel reads of them.
type scoreCase[T Float] struct {
	what       string
	bounds     []int32
	rowOf      []int // of each edge from the first on
	x, own     *guarded[T]
	first, end int
}

func scoreCases[T Float](r *rand.Rand) []scoreCase[T] {
	var out []scoreCase[T]
	for _, first := range []int{0, 1, 7} {
		for _, special := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
			bounds := scoreBounds(r, first)
			for _, bounds := range [][]int32{bounds, bounds[:1], bounds[:2], bounds[:16], {int32(first), int32(first)}, {int32(first), int32(first) + 1}} {
				rows, end := len(bounds)-1, int(bounds[len(bounds)-1])
				c := scoreCase[T]{
					what: fmt.Sprintf("first=%d rows=%d special=%v", first, rows, special), bounds: bounds,
					x: newGuarded[T](end, first), own: newGuarded[T](rows, first), first: first, end: end,
				}
				fillRandom(r, c.x.s, false)
				fillRandom(r, c.own.s, false)
				for i := range c.x.s {
					if special != 0 && r.IntN(40) == 0 {
						c.x.s[i] = T(special)
					}
				}
				if special != 0 && rows > 3 {
					c.own.s[3] = T(special)
				}
				for row := range rows {
					for range bounds[row+1] - bounds[row] {
						c.rowOf = append(c.rowOf, row)
					}
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// edges returns room for a number of each edge, and what it should hold: nothing before
// the first.
func (c *scoreCase[T]) edges(f func(x, own T) T) (dst *guarded[T], want []T) {
	dst = newGuarded[T](c.end, 3)
	want = append(want, dst.s[:c.first]...)
	for i, row := range c.rowOf {
		want = append(want, f(c.x.s[c.first+i], c.own.s[row]))
	}
	return dst, want
}

func TestEdgesAreCombinedWithTheNumberOfTheirRow(t *testing.T) {
	forSets(t, testWithOwn[float32], testWithOwn[float64])
}

func testWithOwn[T Float](t *testing.T, set *Set[T]) {
	for _, op := range []struct {
		name string
		run  func(dst, x, own []T, bounds []int32)
		want func(x, own T) T
	}{
		{"SegmentAdd", set.SegmentAdd, func(x, own T) T { return x + own }},
		{"SegmentSub", set.SegmentSub, func(x, own T) T { return x - own }},
		{"SegmentMul", set.SegmentMul, func(x, own T) T { return x * own }},
	} {
		for _, c := range scoreCases[T](rand.New(rand.NewPCG(101, 102))) {
			dst, want := c.edges(op.want)
			op.run(dst.s, c.x.s, c.own.s, c.bounds)
			compare(t, op.name+" "+c.what, dst, want)
		}
	}
}

func TestScoresAndTheirMaxima(t *testing.T) {
	forSets(t, testScoreMax[float32], testScoreMax[float64])
}

func testScoreMax[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(103, 104))
	for _, c := range scoreCases[T](r) {
		for _, slope := range []T{0.25, 1} {
			for _, more := range []bool{false, true} {
				what := fmt.Sprintf("%s slope=%v more=%v", c.what, slope, more)
				pre, wantPre := c.edges(func(x, own T) T { return x + own })
				dst, want := c.edges(scoreOf(slope))
				acc := newGuarded[T](len(c.own.s), 5)
				fillRandom(r, acc.s, false)
				if len(acc.s) > 8 {
					acc.s[8] = T(math.NaN()) // stays, if there is more
					acc.s[9] = 1e6
				}
				start := append([]T(nil), acc.s...)
				wantMax := c.maxima(want, start, more)
				set.SegmentScoreMax(dst.s, pre.s, acc.s, c.x.s, c.own.s, slope, c.bounds, more)
				compare(t, "sums "+what, pre, wantPre)
				compare(t, "scores "+what, dst, want)
				compare(t, "maxima "+what, acc, wantMax)
				copy(acc.s, start)
				dst, _ = c.edges(scoreOf(slope))
				set.SegmentScoreMax(dst.s, nil, acc.s, c.x.s, c.own.s, slope, c.bounds, more)
				compare(t, "scores alone "+what, dst, want)
				compare(t, "their maxima "+what, acc, wantMax)
			}
		}
	}
}

func scoreOf[T Float](slope T) func(x, own T) T {
	return func(x, own T) T {
		if v := x + own; v < 0 {
			return slope * v
		}
		return x + own
	}
}

// maxima are those of rows that start with a number each, which stays where a row has no
// edges and counts if there is more.
func (c *scoreCase[T]) maxima(scores, start []T, more bool) []T {
	out := append([]T(nil), start...)
	for row := range out {
		edges := append([]T(nil), scores[c.bounds[row]:c.bounds[row+1]]...)
		if len(edges) == 0 {
			continue
		}
		if more {
			edges = append(edges, start[row])
		}
		out[row] = maxOf(edges)
	}
	return out
}

// TestSoftmaxesOfEdges checks bit by bit that they are those of the kernels that take a
// loop each.
func TestSoftmaxesOfEdges(t *testing.T) {
	forSets(t, testSegmentSoftmax[float32], testSegmentSoftmax[float64])
}

func testSegmentSoftmax[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(109, 110))
	for _, c := range scoreCases[T](r) {
		for _, slope := range []T{0.25, 1} {
			what := fmt.Sprintf("%s slope=%v", c.what, slope)
			rows := len(c.own.s)
			pre, wantPre := c.edges(func(x, own T) T { return x + own })
			dst, want := c.edges(scoreOf(slope))
			most, sums := newGuarded[T](rows, 5), newGuarded[T](rows, 6)
			fillRandom(r, most.s, false)
			fillRandom(r, sums.s, false)
			wantMost, wantSums := c.maxima(want, make([]T, rows), false), make([]T, rows)
			for i, row := range c.rowOf {
				want[c.first+i] -= wantMost[row]
			}
			set.Exp(want[c.first:], want[c.first:])
			set.SegmentSum(wantSums, want, 1, c.bounds)
			set.SegmentSoftmax(dst.s, pre.s, most.s, sums.s, c.x.s, c.own.s, slope, c.bounds)
			compare(t, "terms "+what, pre, wantPre)
			compare(t, "exponentials "+what, dst, want)
			compare(t, "maxima "+what, most, wantMost)
			compare(t, "sums "+what, sums, wantSums)
			dst, _ = c.edges(scoreOf(slope))
			set.SegmentSoftmax(dst.s, nil, most.s, sums.s, c.x.s, c.own.s, slope, c.bounds)
			compare(t, "exponentials alone "+what, dst, want)
		}
	}
}

// TestExponentialsAndTheirSums checks bit by bit that they are those of Exp and
// SegmentSum, and so in their order.
func TestExponentialsAndTheirSums(t *testing.T) {
	forSets(t, testExpSum[float32], testExpSum[float64])
}

func testExpSum[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(105, 106))
	for _, c := range scoreCases[T](r) {
		dst, want := c.edges(func(x, own T) T { return x - own })
		set.Exp(want[c.first:], want[c.first:])
		acc := newGuarded[T](len(c.own.s), 5)
		fillRandom(r, acc.s, false)
		sums := append([]T(nil), acc.s...)
		set.SegmentSum(sums, want, 1, c.bounds)
		set.SegmentExpSum(dst.s, acc.s, c.x.s, c.own.s, c.bounds)
		compare(t, "exponentials "+c.what, dst, want)
		compare(t, "sums "+c.what, acc, sums)
	}
}

// TestSlopesAndTheirSums checks bit by bit that they are those of Step, Mul and
// SegmentSum.
func TestSlopesAndTheirSums(t *testing.T) {
	forSets(t, testStepSum[float32], testStepSum[float64])
}

func testStepSum[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(107, 108))
	for _, c := range scoreCases[T](r) {
		y := newGuarded[T](c.end, 2)
		fillRandom(r, y.s, false)
		e := c.first
		dst, want := c.edges(func(x, _ T) T {
			step := T(-0.25)
			if x > 0.5 {
				step = 3
			}
			e++
			return y.s[e-1] * step
		})
		acc := newGuarded[T](len(c.own.s), 5)
		fillRandom(r, acc.s, false)
		sums := append([]T(nil), acc.s...)
		set.SegmentSum(sums, want, 1, c.bounds)
		set.SegmentStepSum(dst.s, acc.s, y.s, c.x.s, 0.5, 3, -0.25, c.bounds)
		compare(t, "products "+c.what, dst, want)
		compare(t, "sums "+c.what, acc, sums)
	}
}

func TestScoreKernelsRefuseWhatIsTooShort(t *testing.T) {
	forSets(t, testShortScores[float32], testShortScores[float64])
}

func testShortScores[T Float](t *testing.T, set *Set[T]) {
	edges, fewer, rows, less := make([]T, 20), make([]T, 19), make([]T, 2), make([]T, 1)
	bounds := []int32{0, 3, 20}
	for name, f := range map[string]func(){
		"SegmentAdd dst":      func() { set.SegmentAdd(fewer, edges, rows, bounds) },
		"SegmentSub x":        func() { set.SegmentSub(edges, fewer, rows, bounds) },
		"SegmentMul own":      func() { set.SegmentMul(edges, edges, less, bounds) },
		"SegmentMul bounds":   func() { set.SegmentMul(edges, edges, rows, []int32{0, 30, 20}) },
		"SegmentScoreMax dst": func() { set.SegmentScoreMax(fewer, edges, rows, edges, rows, 1, bounds, false) },
		"SegmentScoreMax pre": func() { set.SegmentScoreMax(edges, fewer, rows, edges, rows, 1, bounds, false) },
		"SegmentScoreMax acc": func() { set.SegmentScoreMax(edges, edges, less, edges, rows, 1, bounds, false) },
		"SegmentExpSum x":     func() { set.SegmentExpSum(edges, rows, fewer, rows, bounds) },
		"SegmentSoftmax own":  func() { set.SegmentSoftmax(edges, nil, rows, rows, edges, less, 1, bounds) },
		"SegmentSoftmax sum":  func() { set.SegmentSoftmax(edges, nil, rows, less, edges, rows, 1, bounds) },
		"SegmentStepSum y":    func() { set.SegmentStepSum(edges, rows, fewer, edges, 0, 1, 0, bounds) },
		"SegmentExpSum acc":   func() { set.SegmentExpSum(edges, less, edges, rows, bounds) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestScoreKernelsDoNotAllocate(t *testing.T) {
	forSets(t, testScoreAllocations[float32], testScoreAllocations[float64])
}

func testScoreAllocations[T Float](t *testing.T, set *Set[T]) {
	edges, dst, rows, bounds := make([]T, 20), make([]T, 20), make([]T, 2), []int32{0, 3, 20}
	for name, f := range map[string]func(){
		"SegmentAdd":      func() { set.SegmentAdd(dst, edges, rows, bounds) },
		"SegmentScoreMax": func() { set.SegmentScoreMax(dst, dst, rows, edges, rows, 1, bounds, false) },
		"SegmentExpSum":   func() { set.SegmentExpSum(dst, rows, edges, rows, bounds) },
		"SegmentSoftmax":  func() { set.SegmentSoftmax(dst, nil, rows, rows, edges, rows, 1, bounds) },
		"SegmentStepSum":  func() { set.SegmentStepSum(dst, rows, edges, edges, 0, 1, 0, bounds) },
	} {
		if allocs := numtest.Allocations(5, f); allocs > 0 {
			t.Errorf("%s allocates %v times", name, allocs)
		}
	}
}
