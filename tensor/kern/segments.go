// The kernels of segments, composed of the row kernels of a set: all rows of a tile
// with their edges in one call.

package kern

import (
	"fmt"
	"math"
)

// Next is what a caller will pick by the ids behind those of a call, as many as these
// are: rows of Width columns, Stride apart. A kernel may prefetch them, while the memory
// is busy anyway. With no X there is nothing.
type Next[T Float] struct {
	X             []T
	Width, Stride int
}

// Ends says how the sum of a row begins and how it ends.
type Ends[T Float] struct {
	More bool // it goes on from what acc has; else it begins with 0
	By   []T  // if not nil, what each group of each row is multiplied with at last
	Past bool // it is not read soon: it may be written past the caches
}

// begin begins the sums of all rows.
func (e Ends[T]) begin(acc []T) {
	if !e.More {
		clear(acc)
	}
}

// end ends them.
func (e Ends[T]) end(acc []T, group int, mulGroups func(dst, x, y []T, group int)) {
	if e.By != nil && len(acc) > 0 {
		mulGroups(acc, acc, e.By[:len(acc)/group], group)
	}
}

// useComposed sets the kernels that are made of others of the set: of a set that has all
// others.
func useComposed[T Float](s *Set[T]) {
	s.GatherParts = func(dst [][]T, x []T, width, stride int, ids []int32) { gatherParts(s, dst, x, width, stride, ids) }
	s.Axpby = func(dst, x, y []T, a, b T, _ bool) { axpby(s, dst, x, y, a, b) }
	s.DotEach = func(dst, a, b []T, n int) { dotEach(s, dst, a, b, n) }
	s.SegmentSum = func(acc, x []T, width int, bounds []int32) { segmentSum(s, acc, x, width, bounds) }
	s.SegmentMax = func(acc, x []T, width int, bounds []int32, more bool) { segmentMax(s, acc, x, width, bounds, more) }
	s.SegmentAddReLU = func(dst, x, own []T, width int, ids, bounds []int32) {
		segmentAddReLU(s, dst, x, own, width, ids, bounds)
	}
	s.AddsReLU = func(int) bool { return false }
	s.SegmentAdd = func(dst, x, own []T, bounds []int32) { withOwn(s, dst, x, own, bounds, s.Add) }
	s.SegmentSub = func(dst, x, own []T, bounds []int32) { withOwn(s, dst, x, own, bounds, s.Sub) }
	s.SegmentMul = func(dst, x, own []T, bounds []int32) { withOwn(s, dst, x, own, bounds, s.Mul) }
	s.SegmentScoreMax = func(dst, pre, acc, x, own []T, slope T, bounds []int32, more bool) {
		segmentScoreMax(s, dst, pre, acc, x, own, slope, bounds, more)
	}
	s.SegmentExpSum = func(dst, acc, x, own []T, bounds []int32) { segmentExpSum(s, dst, acc, x, own, bounds) }
	s.SegmentStepSum = func(dst, acc, y, x []T, bound, above, below T, bounds []int32) {
		segmentStepSum(s, dst, acc, y, x, bound, above, below, bounds)
	}
	s.SegmentSoftmax = func(dst, pre, most, sums, x, own []T, slope T, bounds []int32) {
		segmentSoftmax(s, dst, pre, most, sums, x, own, slope, bounds)
	}
	s.SegmentGatherSum = func(acc, x []T, width int, ids, bounds []int32, group int, ends Ends[T], _ Next[T]) {
		checkSegments(bounds, len(ids), width, len(acc), width/group, math.MaxInt, ends)
		segmentGatherSum(s, acc, x, width, ids, bounds, group, ends)
	}
	s.SegmentScaleSum = func(acc, x []T, width int, ids, bounds []int32, w []T, group int, ends Ends[T], _ Next[T]) {
		checkSegments(bounds, len(ids), width, len(acc), width/group, len(w), ends)
		segmentScaleSum(s, acc, x, width, ids, bounds, w, group, ends)
	}
	s.SegmentFactorSum = func(acc, x []T, width int, ids, bounds []int32, c []T, ends Ends[T]) {
		checkSegments(bounds, len(ids), width, len(acc), 1, math.MaxInt, ends)
		segmentFactorSum(s, acc, x, width, ids, bounds, c, ends)
	}
	s.SegmentScaleSums = func(acc, acc2, x []T, width int, ids, bounds []int32, w, w2 []T, group int, ends Ends[T], _ Next[T]) {
		checkSegments(bounds, len(ids), width, min(len(acc), len(acc2)), width/group, min(len(w), len(w2)), ends)
		segmentScaleSums(s, acc, acc2, x, width, ids, bounds, w, w2, group, ends)
	}
	s.SegmentDotScaleSum = func(dots, acc, own, x []T, width int, ids, bounds []int32, w []T, group int, ends Ends[T], _ Next[T]) {
		checkSegments(bounds, len(ids), width, min(len(acc), len(own)), width/group, min(len(w), len(dots)), ends)
		segmentDotScaleSum(s, dots, acc, own, x, width, ids, bounds, w, group, ends)
	}
	s.Attends = func(int, int, bool) Attends { return Attends{} }
	s.AttendPowers, s.AttendFactors = attendPowers[T], attendFactors[T]
	s.SegmentAttend = func(a AttendForward[T]) { attend(s, a) }
	s.SegmentAttendBack = func(a AttendBackward[T]) { attendBack(s, a) }
}

// idBlock is how many rows are picked for one purpose before they are picked for
// another: they stay in the L1 cache.
const idBlock = 32

// eachBlock calls f for the edges [lo, hi) of every row, at most so many at a time.
func eachBlock(bounds []int32, most int, f func(row, lo, hi int)) {
	for r := range len(bounds) - 1 {
		end := int(bounds[r+1])
		for lo := int(bounds[r]); lo < end; lo += most {
			f(r, lo, min(lo+most, end))
		}
	}
}

func segmentGatherSum[T Float](s *Set[T], acc, x []T, width int, ids, bounds []int32, group int, ends Ends[T]) {
	acc = rowsOfSegments(acc, width, bounds)
	ends.begin(acc)
	for r := range len(bounds) - 1 {
		if lo, hi := int(bounds[r]), int(bounds[r+1]); lo < hi && width > 0 {
			s.GatherSum(acc[r*width:][:width], x, width, ids[lo:hi])
		}
	}
	ends.end(acc, group, s.MulGroups)
}

func segmentScaleSum[T Float](s *Set[T], acc, x []T, width int, ids, bounds []int32, w []T, group int, ends Ends[T]) {
	heads := width / group
	acc = rowsOfSegments(acc, width, bounds)
	ends.begin(acc)
	for r := range len(bounds) - 1 {
		if lo, hi := int(bounds[r]), int(bounds[r+1]); lo < hi {
			pickScaleSum(s, acc[r*width:][:width], x, ids[lo:hi], w[lo*heads:], heads, group)
		}
	}
	ends.end(acc, group, s.MulGroups)
}

func segmentFactorSum[T Float](s *Set[T], acc, x []T, width int, ids, bounds []int32, c []T, ends Ends[T]) {
	acc = rowsOfSegments(acc, width, bounds)
	ends.begin(acc)
	for r := range len(bounds) - 1 {
		if lo, hi := int(bounds[r]), int(bounds[r+1]); lo < hi {
			s.GatherFactorSum(acc[r*width:][:width], x, width, ids[lo:hi], c)
		}
	}
	ends.end(acc, width, s.MulGroups)
}

func segmentScaleSums[T Float](s *Set[T], acc, acc2, x []T, width int, ids, bounds []int32, w, w2 []T, group int, ends Ends[T]) {
	heads := width / group
	acc, acc2 = rowsOfSegments(acc, width, bounds), rowsOfSegments(acc2, width, bounds)
	ends.begin(acc)
	ends.begin(acc2)
	eachBlock(bounds, idBlock, func(r, lo, hi int) {
		pickScaleSum(s, acc[r*width:][:width], x, ids[lo:hi], w[lo*heads:], heads, group)
		pickScaleSum(s, acc2[r*width:][:width], x, ids[lo:hi], w2[lo*heads:], heads, group)
	})
	ends.end(acc, group, s.MulGroups)
	ends.end(acc2, group, s.MulGroups)
}

func segmentDotScaleSum[T Float](s *Set[T], dots, acc, own, x []T, width int, ids, bounds []int32, w []T, group int, ends Ends[T]) {
	heads := width / group
	acc = rowsOfSegments(acc, width, bounds)
	ends.begin(acc)
	eachBlock(bounds, idBlock, func(r, lo, hi int) {
		row := own[r*width:][:width]
		if heads == 1 {
			s.GatherDot(dots[lo:], 1, row, x, width, ids[lo:hi])
		} else {
			s.GatherDotHeads(dots[lo*heads:], heads, row, x, width, ids[lo:hi], group)
		}
		pickScaleSum(s, acc[r*width:][:width], x, ids[lo:hi], w[lo*heads:], heads, group)
	})
	ends.end(acc, group, s.MulGroups)
}

func rowsOfSegments[T Float](acc []T, width int, bounds []int32) []T {
	return acc[:max(len(bounds)-1, 0)*width]
}

func pickScaleSum[T Float](s *Set[T], acc, x []T, ids []int32, w []T, heads, group int) {
	if heads == 1 {
		s.GatherScaleSum(acc, x, len(acc), ids, w, 1)
	} else {
		s.GatherScaleSumHeads(acc, x, len(acc), ids, w, heads, group)
	}
}

// Bounds makes dst the bounds of segments that lie at offsets, counted from the first:
// dst[i] = offsets[i] - offsets[0].
func Bounds(dst, offsets []int32) { rebase(dst[:len(offsets)], offsets) }

// Lengths makes dst the lengths of segments: dst[i] = bounds[i+1] - bounds[i].
func Lengths[T Float](dst []T, bounds []int32) {
	if dst, ok := any(dst).([]float32); ok {
		lengthsBetween(dst, bounds)
		return
	}
	lengthsGo(dst, bounds)
}

// The fastest there are, chosen at start-up.
var (
	rebase, decreases = fastestBounds()
	lengthsBetween    = fastestLengths()
)

func lengthsGo[T Float](dst []T, bounds []int32) {
	bounds = bounds[:len(dst)+1]
	for i := range dst {
		dst[i] = T(bounds[i+1] - bounds[i])
	}
}

func rebaseGo(dst, offsets []int32) {
	for i, o := range offsets {
		dst[i] = o - offsets[0]
	}
}

// decreasesGo tells whether a bound is less than the one before it.
func decreasesGo(bounds []int32) bool {
	for i := 1; i < len(bounds); i++ {
		if bounds[i] < bounds[i-1] {
			return true
		}
	}
	return false
}

// checkSegments panics unless bounds are those of edges that all have ids, in order, so
// many elements of rows hold all rows, so many of edges all edges, and ends all rows'.
func checkSegments[T Float](bounds []int32, ids, width, rows, heads, edges int, ends Ends[T]) {
	n, last := len(bounds)-1, int32(0)
	if n >= 0 {
		if last = bounds[n]; bounds[0] < 0 || decreases(bounds) {
			panic("BUG: kern: bounds of segments decrease")
		}
	}
	if int(last) > ids || n*width > rows || int(last)*heads > edges {
		panic(fmt.Sprintf("BUG: kern: segments of %d rows and %d edges: %d ids, %d elements for %d columns of rows, %d for %d of edges",
			n, last, ids, rows, width, edges, heads))
	}
	if ends.By != nil && n*heads > len(ends.By) {
		panic(fmt.Sprintf("BUG: kern: segments of %d rows end with %d factors for %d of a row", n, len(ends.By), heads))
	}
}
