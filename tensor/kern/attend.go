// The kernels of attention: the softmax of scores, and the sums of rows that it weighs,
// forward and backward.

package kern

import (
	"fmt"
	"math"
)

// Attention is what [Set.SegmentAttend] and [Set.SegmentAttendBack] have in common: edges
// [Bounds[r], Bounds[r+1]) belong to row r, edge e reads the vertex IDs[e]. With x the
// vertex' number plus Own[r], the score of an edge is x, times Slope if it is below 0, and
// its step Above if x > Bound, else Below.
type Attention[T Float] struct {
	X           []T // the picked rows
	Width       int
	IDs, Bounds []int32
	Own         []T // a number for each row
	Slope       T

	Bound, Above, Below T

	Acc  []T  // the weighted sums of rows
	Sums []T  // a number for each row
	Past bool // Acc is not read soon: it may be written past the caches

	Scratch []T // AttendScratch elements
}

// AttendForward is the operands of [Set.SegmentAttend].
type AttendForward[T Float] struct {
	Attention[T]
	Scores []T // of vertices
	Most   []T
	Least  T // what a sum counts as if it is less, to divide by

	// If not nil, what backward wants of the same rows, weighed by the steps besides.
	Acc2, Sums2 []T
}

// AttendBackward is the operands of [Set.SegmentAttendBack].
type AttendBackward[T Float] struct {
	Attention[T]
	// Quads is four numbers of each vertex: its part of scores, the largest score of its
	// edges, the factor 1/Σ of its softmax, and what its gradients have in common times
	// the factor.
	Quads []T
	Rows  []T // the row's own
}

// AttendScratch is how many elements of scratch attention wants for so many edges.
func AttendScratch(edges int) int { return quad * (edges + attendAhead + 16) }

const (
	quad        = 4  // numbers
	attendAhead = 64 // how many edges before they are used scores are picked, at most
)

func (a *Attention[T]) check(perVertex int, picked []T, rows ...[]T) {
	shortest := math.MaxInt
	for _, r := range rows {
		shortest = min(shortest, len(r))
	}
	checkSegments(a.Bounds, len(a.IDs), a.Width, shortest, 1, math.MaxInt, Ends[T]{})
	n := max(len(a.Bounds)-1, 0)
	edges := 0
	if n > 0 {
		edges = int(a.Bounds[n] - a.Bounds[0])
	}
	if len(a.Own) < n || len(a.Sums) < n || len(a.Scratch) < AttendScratch(edges) || a.Width > 0 && len(picked) < len(a.X)/a.Width*perVertex {
		panic(fmt.Sprintf("BUG: kern: attention of %d rows, %d edges: %d numbers of rows, %d sums, %d of scratch, %d picked of %d rows",
			n, edges, len(a.Own), len(a.Sums), len(a.Scratch), len(picked), len(a.X)/a.Width))
	}
}

func (a *AttendForward[T]) check() {
	n := max(len(a.Bounds)-1, 0)
	acc2, sums2 := a.Acc2, a.Sums2
	if acc2 == nil {
		acc2, sums2 = a.Acc, a.Sums
	}
	if a.Attention.check(1, a.Scores, a.Acc, acc2); len(a.Most) < n || len(sums2) < n {
		panic(fmt.Sprintf("BUG: kern: attention of %d rows: %d maxima, %d second sums", n, len(a.Most), len(sums2)))
	}
}

func (a *AttendBackward[T]) check() { a.Attention.check(quad, a.Quads, a.Acc, a.Rows) }

// attend is SegmentAttend by other kernels.
func attend[T Float](s *Set[T], a AttendForward[T]) {
	a.check()
	rows := max(len(a.Bounds)-1, 0)
	if rows == 0 {
		return
	}
	first, last := a.Bounds[0], a.Bounds[rows]
	n := int(last - first)
	ids := a.IDs[first:last:last]
	bounds := make([]int32, rows+1)
	Bounds(bounds, a.Bounds)
	w, pre, numbers := a.Scratch[:n], a.Scratch[n:2*n], a.Scratch[2*n:3*n]
	s.GatherRows(numbers, a.Scores, 1, ids)
	s.SegmentSoftmax(w, pre, a.Most, a.Sums, numbers, a.Own, a.Slope, bounds)
	by := make([]T, rows)
	for r, sum := range a.Sums[:rows] {
		by[r] = 1 / max(sum, a.Least)
	}
	s.SegmentScaleSum(a.Acc, a.X, a.Width, ids, bounds, w, max(a.Width, 1), Ends[T]{By: by}, Next[T]{})
	if a.Acc2 != nil {
		clear(a.Sums2[:rows])
		w2 := numbers
		s.SegmentStepSum(w2, a.Sums2, w, pre, a.Bound, a.Above, a.Below, bounds)
		s.SegmentScaleSum(a.Acc2, a.X, a.Width, ids, bounds, w2, max(a.Width, 1), Ends[T]{By: by}, Next[T]{})
	}
}

// attendBack is SegmentAttendBack by other kernels.
func attendBack[T Float](s *Set[T], a AttendBackward[T]) {
	a.check()
	rows := max(len(a.Bounds)-1, 0)
	if rows == 0 {
		return
	}
	edges := len(a.IDs)
	w, less, steps, dots := make([]T, edges), make([]T, edges), make([]T, edges), make([]T, edges)
	for r := range rows {
		for e := a.Bounds[r]; e < a.Bounds[r+1]; e++ {
			q := a.Quads[quad*int(a.IDs[e]):][:quad]
			x := q[0] + a.Own[r]
			step := a.Below
			if x > a.Bound {
				step = a.Above
			}
			if x < 0 {
				x *= a.Slope
			}
			power := T(math.Exp(float64(x - q[1])))
			w[e], less[e], steps[e] = power*q[2], power*q[3], step
		}
	}
	s.SegmentDotScaleSum(dots, a.Acc, a.Rows, a.X, a.Width, a.IDs, a.Bounds, w, max(a.Width, 1), Ends[T]{}, Next[T]{})
	for r := range rows {
		a.Sums[r] = 0
		for e := a.Bounds[r]; e < a.Bounds[r+1]; e++ {
			a.Sums[r] += (w[e]*dots[e] - less[e]) * steps[e]
		}
	}
}
