// The kernels of attention: the softmax of scores, and the sums of rows that it weighs,
// forward and backward.

package kern

import (
	"fmt"
	"math"
)

// Attends is how attention of some shape is computed.
type Attends struct {
	// AtOnce tells whether it is one walk.
	AtOnce bool
	// From is how many edges rows have on average from which on that is faster than scores,
	// softmax and sums one after another, which take rows of one edge side by side.
	From int
	// Apart tells whether it is one walk only if the Attention is Apart.
	Apart bool
}

// Attention is what [Set.SegmentAttend] and [Set.SegmentAttendBack] have in common: edges
// [Bounds[r], Bounds[r+1]) belong to row r, edge e reads the vertex IDs[e]. Rows are Heads
// times as many neighbouring columns, and all that is said of numbers of a vertex, a row and
// an edge is said of each head's. With x the vertex' number plus Own[r], the score of an edge
// is x, times Slope if it is below 0, and its step Above if x > Bound, else Below.
type Attention[T Float] struct {
	X            []T // the picked rows
	Width, Heads int
	IDs, Bounds  []int32
	Own          []T // Heads numbers for each row
	Slope        T

	Bound, Above, Below T

	// If not nil, what each edge's weights of rows are multiplied with besides (dropout), Heads
	// numbers for each edge and, at the end, room for a vector more.
	Masks []T

	// Apart tells that exponentials may be products, of a number of the vertex and of one of the
	// row: Slope is from 0 to 1, Bound is 0, Above is 1, Least at most 1, and the vertices' Scores, or
	// backward the rows' Own, have a Centre (AttendCentre).
	Apart  bool
	Centre T

	Acc  []T  // the weighted sums of rows
	Sums []T  // Heads numbers for each row
	Past bool // Acc is not read soon: it may be written past the caches

	Scratch []T // AttendScratch elements
}

// AttendForward is the operands of [Set.SegmentAttend].
type AttendForward[T Float] struct {
	Attention[T]
	Scores []T // of vertices
	Powers []T // if Apart, in their place: AttendPowers, 4 of a vertex, or 2 where Most and Masks are nil
	Most   []T // if Apart, nil where neither these nor Sums are wanted
	Least  T   // what a sum counts as if it is less, to divide by

	// If not nil, what backward wants of the same rows, weighed by the steps besides.
	Acc2, Sums2 []T
}

// AttendBackward is the operands of [Set.SegmentAttendBack].
type AttendBackward[T Float] struct {
	Attention[T]
	// Quads is four times Heads numbers of each vertex: its parts of scores, the largest
	// scores of its edges, the factors 1/Σ of its softmax, and what its gradients have in
	// common times the factors.
	Quads   []T
	Factors []T // if Apart, four numbers of each vertex in their place: AttendFactors
	Rows    []T // the row's own
}

// AttendScratch is how many elements of scratch attention wants for so many edges of so many rows.
func AttendScratch(heads, edges, rows int) int {
	if heads > 1 {
		return 2 * 16 * 8 // two weights of 16 edges at up to 8 heads
	}
	return 2*edges + 2*quad*(rows+16) // two weights of each edge, and numbers of rows
}

// AttendNumbers is how many elements the powers or factors of so many vertices take, of which each
// has perVertex.
func AttendNumbers(perVertex, vertices int) int { return perVertex * ((vertices + 15) &^ 15) }

// AttendCentre is the middle of the numbers that vertices add to scores. There is none where
// these are so far from each other, or undefined, that products of exponentials are none of sums.
func (s *Set[T]) AttendCentre(numbers []T) (centre T, ok bool) {
	lo, hi := s.MinOf(numbers), s.MaxOf(numbers)
	return lo + (hi-lo)/2, hi-lo >= 0 && hi-lo <= farthest
}

// farthest is how far numbers may be from each other, or exponents from 0, for exponentials whose
// products are normal numbers: e^40 from the middle, times a few others.
const farthest = 80

func checkFactors(factors, vertices int, numbers ...int) {
	for _, n := range numbers {
		if n < vertices {
			panic(fmt.Sprintf("BUG: kern: factors of %d vertices: %v numbers", vertices, numbers))
		}
	}
	checkPowers(quad, factors, vertices)
}

func checkPowers(perVertex, powers, vertices int) {
	if perVertex != 2 && perVertex != quad || powers < AttendNumbers(perVertex, vertices) {
		panic(fmt.Sprintf("BUG: kern: %d numbers of %d vertices, %d each", powers, vertices, perVertex))
	}
}

// AttendMasks is how many elements masks want for so many edges.
func AttendMasks(heads, edges int) int { return heads*edges + 16 }

const (
	quad        = 4  // numbers
	attendAhead = 64 // how many edges before they are used rows of heads are prefetched, at most
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
	if a.Heads < 1 || a.Width%a.Heads != 0 || len(a.Own) < n*a.Heads ||
		len(a.Scratch) < AttendScratch(a.Heads, edges, n) || a.Masks != nil && len(a.Masks) < AttendMasks(a.Heads, len(a.IDs)) ||
		a.Width > 0 && len(picked) < len(a.X)/a.Width*a.Heads*perVertex {
		panic(fmt.Sprintf("BUG: kern: attention of %d rows of %d, %d edges, %d heads: %d numbers of rows, %d of scratch, %d masks, %d picked of %d rows",
			n, a.Width, edges, a.Heads, len(a.Own), len(a.Scratch), len(a.Masks), len(picked), len(a.X)/max(a.Width, 1)))
	}
}

func (a *AttendForward[T]) check() {
	n := max(len(a.Bounds)-1, 0) * a.Heads
	acc2, sums2 := a.Acc2, a.Sums2
	if acc2 == nil {
		acc2, sums2 = a.Acc, a.Sums
	}
	picked, perVertex := a.Scores, 1
	if a.Apart {
		picked, perVertex = a.Powers, quad
		if a.Most == nil && a.Masks == nil {
			perVertex = 2
		}
	}
	a.Attention.check(perVertex, picked, a.Acc, acc2)
	if !(a.Apart && a.Most == nil && a.Acc2 == nil) && min(len(a.Most), len(a.Sums), len(sums2)) < n {
		panic(fmt.Sprintf("BUG: kern: attention of %d numbers of rows: %d maxima, %d sums, %d second sums", n, len(a.Most), len(a.Sums), len(sums2)))
	}
}

func (a *AttendBackward[T]) check() {
	picked := a.Quads
	if a.Apart {
		picked = a.Factors
	}
	a.Attention.check(quad, picked, a.Acc, a.Rows)
	if n := max(len(a.Bounds)-1, 0) * a.Heads; len(a.Sums) < n {
		panic(fmt.Sprintf("BUG: kern: attention of %d numbers of rows, back: %d sums", n, len(a.Sums)))
	}
}

// score is the score of an edge by the number of its vertex and the row's own, and its step.
func (a *Attention[T]) score(number, own T) (score, step T) {
	x := number + own
	step = a.Below
	if x > a.Bound {
		step = a.Above
	}
	if x < 0 {
		x *= a.Slope
	}
	return x, step
}

// mask is what the weights of an edge are multiplied with.
func (a *Attention[T]) mask(e, head int) T {
	if a.Masks == nil {
		return 1
	}
	return a.Masks[e*a.Heads+head]
}

// attend is SegmentAttend, plainly.
func attend[T Float](s *Set[T], a AttendForward[T]) {
	a.check()
	columns := a.Width / a.Heads
	for r := range max(len(a.Bounds)-1, 0) {
		edges := a.IDs[a.Bounds[r]:a.Bounds[r+1]]
		for h := range a.Heads {
			at := r*a.Heads + h
			var most, sum, sum2 T
			for i, id := range edges {
				y, _ := a.score(a.Scores[int(id)*a.Heads+h], a.Own[at])
				if i == 0 || y > most || y != y {
					most = y
				}
			}
			acc := a.Acc[r*a.Width+h*columns:][:columns]
			var acc2 []T
			clear(acc)
			if a.Acc2 != nil {
				acc2 = a.Acc2[r*a.Width+h*columns:][:columns]
				clear(acc2)
			}
			for i, id := range edges {
				y, step := a.score(a.Scores[int(id)*a.Heads+h], a.Own[at])
				p := T(math.Exp(float64(y - most)))
				x, mask := a.X[int(id)*a.Width+h*columns:][:columns], a.mask(int(a.Bounds[r])+i, h)
				s.Axpy(acc, x, p*mask)
				sum += p
				if acc2 != nil {
					s.Axpy(acc2, x, p*step*mask)
					sum2 += p * step
				}
			}
			by := 1 / max(sum, a.Least)
			if a.Most != nil {
				a.Most[at], a.Sums[at] = most, sum
			}
			s.MulScalar(acc, acc, by)
			if acc2 != nil {
				a.Sums2[at] = sum2
				s.MulScalar(acc2, acc2, by)
			}
		}
	}
}

// attendBack is SegmentAttendBack, plainly.
func attendBack[T Float](s *Set[T], a AttendBackward[T]) {
	a.check()
	columns := a.Width / a.Heads
	for r := range max(len(a.Bounds)-1, 0) {
		for h := range a.Heads {
			at := r*a.Heads + h
			acc, own := a.Acc[r*a.Width+h*columns:][:columns], a.Rows[r*a.Width+h*columns:][:columns]
			clear(acc)
			var sum T
			for i, id := range a.IDs[a.Bounds[r]:a.Bounds[r+1]] {
				q := a.Quads[int(id)*quad*a.Heads+h:]
				y, step := a.score(q[0], a.Own[at])
				p := T(math.Exp(float64(y - q[a.Heads])))
				w := p * q[2*a.Heads] * a.mask(int(a.Bounds[r])+i, h)
				x := a.X[int(id)*a.Width+h*columns:][:columns]
				s.Axpy(acc, x, w)
				sum += (w*s.Dot(own, x) - p*q[3*a.Heads]) * step
			}
			a.Sums[at] = sum
		}
	}
}

// attendPowers is AttendPowers, plainly.
func attendPowers[T Float](powers, scores []T, perVertex int, slope, centre T) {
	checkPowers(perVertex, len(powers), len(scores))
	for v, s := range scores {
		copy(powers[perVertex*v:][:perVertex], []T{power(s - centre), power(slope * (s - centre)), s, 0})
	}
}

// attendFactors is AttendFactors, plainly.
func attendFactors[T Float](factors, scores, most, by, less []T, slope, centre T) (ok bool) {
	checkFactors(len(factors), len(scores), len(most), len(by), len(less))
	ok = true
	for v, s := range scores {
		x := s + centre
		above, below := x-most[v], slope*x-most[v]
		copy(factors[quad*v:], []T{power(above) * by[v], power(below) * by[v], s, less[v] / by[v]})
		ok = ok && !(above > farthest || below > farthest || by[v] <= 0)
	}
	return ok
}

func power[T Float](x T) T { return T(math.Exp(float64(x))) }
