// The kernels of segments, composed of the row kernels of a set: all rows of a tile
// with their edges in one call.

package kern

import "fmt"

// Next is what a caller will pick by the ids behind those of a call, as many as these
// are: rows of Width columns, Stride apart. A kernel may prefetch them, while the memory
// is busy anyway. With no X there is nothing.
type Next[T Float] struct {
	X             []T
	Width, Stride int
}

// useComposed sets the kernels that are made of others of the set: of a set that has all
// others.
func useComposed[T Float](s *Set[T]) {
	s.GatherParts = func(dst [][]T, x []T, width, stride int, ids []int32) { gatherParts(s, dst, x, width, stride, ids) }
	s.DotEach = func(dst, a, b []T, n int) { dotEach(s, dst, a, b, n) }
	s.SegmentSum = func(acc, x []T, width int, bounds []int32) { segmentSum(s, acc, x, width, bounds) }
	s.SegmentMax = func(acc, x []T, width int, bounds []int32, more bool) { segmentMax(s, acc, x, width, bounds, more) }
	s.SegmentScaleSum = func(acc, x []T, width int, ids, bounds []int32, w []T, group int, _ Next[T]) {
		checkSegments(bounds, len(ids), width, len(acc), width/group, len(w))
		segmentScaleSum(s, acc, x, width, ids, bounds, w, group)
	}
	s.SegmentScaleSums = func(acc, acc2, x []T, width int, ids, bounds []int32, w, w2 []T, group int, _ Next[T]) {
		checkSegments(bounds, len(ids), width, min(len(acc), len(acc2)), width/group, min(len(w), len(w2)))
		segmentScaleSums(s, acc, acc2, x, width, ids, bounds, w, w2, group)
	}
	s.SegmentDotScaleSum = func(dots, acc, own, x []T, width int, ids, bounds []int32, w []T, group int, _ Next[T]) {
		checkSegments(bounds, len(ids), width, min(len(acc), len(own)), width/group, min(len(w), len(dots)))
		segmentDotScaleSum(s, dots, acc, own, x, width, ids, bounds, w, group)
	}
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

func segmentScaleSum[T Float](s *Set[T], acc, x []T, width int, ids, bounds []int32, w []T, group int) {
	heads := width / group
	for r := range len(bounds) - 1 {
		if lo, hi := int(bounds[r]), int(bounds[r+1]); lo < hi {
			pickScaleSum(s, acc[r*width:][:width], x, ids[lo:hi], w[lo*heads:], heads, group)
		}
	}
}

func segmentScaleSums[T Float](s *Set[T], acc, acc2, x []T, width int, ids, bounds []int32, w, w2 []T, group int) {
	heads := width / group
	eachBlock(bounds, idBlock, func(r, lo, hi int) {
		pickScaleSum(s, acc[r*width:][:width], x, ids[lo:hi], w[lo*heads:], heads, group)
		pickScaleSum(s, acc2[r*width:][:width], x, ids[lo:hi], w2[lo*heads:], heads, group)
	})
}

func segmentDotScaleSum[T Float](s *Set[T], dots, acc, own, x []T, width int, ids, bounds []int32, w []T, group int) {
	heads := width / group
	eachBlock(bounds, idBlock, func(r, lo, hi int) {
		row := own[r*width:][:width]
		if heads == 1 {
			s.GatherDot(dots[lo:], 1, row, x, width, ids[lo:hi])
		} else {
			s.GatherDotHeads(dots[lo*heads:], heads, row, x, width, ids[lo:hi], group)
		}
		pickScaleSum(s, acc[r*width:][:width], x, ids[lo:hi], w[lo*heads:], heads, group)
	})
}

func pickScaleSum[T Float](s *Set[T], acc, x []T, ids []int32, w []T, heads, group int) {
	if heads == 1 {
		s.GatherScaleSum(acc, x, len(acc), ids, w, 1)
	} else {
		s.GatherScaleSumHeads(acc, x, len(acc), ids, w, heads, group)
	}
}

// checkSegments panics unless bounds are those of edges that all have ids, in order, so
// many elements of rows hold all rows, and so many of edges all edges.
func checkSegments(bounds []int32, ids, width, rows, heads, edges int) {
	last := int32(0)
	for _, b := range bounds {
		if b < last {
			panic("BUG: kern: bounds of segments decrease")
		}
		last = b
	}
	if n := len(bounds) - 1; int(last) > ids || n*width > rows || int(last)*heads > edges {
		panic(fmt.Sprintf("BUG: kern: segments of %d rows and %d edges: %d ids, %d elements for %d columns of rows, %d for %d of edges",
			n, last, ids, rows, width, edges, heads))
	}
}
