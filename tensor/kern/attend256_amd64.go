//go:build amd64 && !noasm

// Attention with AVX2: from slices to the assembly, which picks the numbers of vertices for all
// edges of a tile, finds what its rows multiply with, and sums up a block of columns after another.

package kern

import (
	"math/bits"
	"slices"
	"unsafe"
)

// useAttention256 replaces the kernels of attention with one score an edge, of rows that are
// whole vectors, where exponentials may be products.
func useAttention256(s *Set[float32]) {
	s.AttendsApart = true
	s.AttendsAtOnce = func(heads, width int, _ bool) bool { return heads == 1 && width > 0 && width%vector256 == 0 }
	s.AttendFactors = func(factors, scores, most, by, less []float32, slope, centre float32) bool {
		checkFactors(len(factors), len(scores), len(most), len(by), len(less))
		f := factoring{slope: slope, centre: centre}
		for i := range vector256 {
			f.smallest[i] = 1
		}
		f.inVectors(factors, scores, most, by, less)
		return slices.Max(f.largest[:]) <= farthest && slices.Min(f.smallest[:]) > 0
	}
	plainly, backPlainly := s.SegmentAttend, s.SegmentAttendBack
	s.SegmentAttend = func(a AttendForward[float32]) {
		switch {
		case !s.AttendsAtOnce(a.Heads, a.Width, a.Masks != nil) || a.withoutEdges():
			plainly(a)
		case a.Apart && a.Acc2 != nil && a.Width > inOrder256:
			a.check()
			attendApart(&a)
		default:
			a.check()
			attendWalk(&a)
		}
	}
	s.SegmentAttendBack = func(a AttendBackward[float32]) {
		if !a.Apart || !s.AttendsAtOnce(a.Heads, a.Width, a.Masks != nil) || a.withoutEdges() {
			backPlainly(a)
			return
		}
		a.check()
		attendBackApart(&a)
	}
}

// attendApart is the forward pass with both sums of lists.
func attendApart(a *AttendForward[float32]) {
	p, r := apartOf(&a.Attention, a.Scores)
	p.least = a.Least
	attendPickAVX2(&p)
	attendApartAVX2(p.copied())
	attendRowsAVX2(p.copied())
	n := len(a.Bounds) - 1
	copy(a.Most[:n], r.most)
	copy(a.Sums[:n], r.above)
	copy(a.Sums2[:n], r.below)
	p.blocks(&a.Attention, a.Acc2, attendingTwice)
}

// attendBackApart is the backward pass, by lists or in the order of edges.
func attendBackApart(a *AttendBackward[float32]) {
	p, r := apartOf(&a.Attention, a.Factors)
	attendBackPickAVX2(&p)
	lists := a.Width > inOrder256
	if lists {
		attendBackApartAVX2(p.copied())
	} else {
		attendBackSumsAVX2(p.copied())
	}
	attendBackRowsAVX2(p.copied())
	copy(a.Sums[:len(a.Bounds)-1], r.above)
	p.dots = &a.Sums[0]
	if lists {
		p.blocks(&a.Attention, a.Rows, attendingBack)
		return
	}
	attendBackWeightsAVX2(p.copied())
	sumBlocks(&p.summing, &twoSums, 0, a.Acc, a.Rows, a.X, a.Width, Ends[float32]{Past: a.Past}, sumAndDot)
}

const (
	vector256  = 8  // lanes
	inOrder256 = 32 // columns of which all registers hold two sums: edges need no lists
)

// compacting has for each mask of eight lanes the lanes that are in it, first to last.
var compacting = func() (orders [256][8]byte) {
	for mask := range orders {
		n := 0
		for m := uint(mask); m != 0; m &= m - 1 {
			orders[mask][n] = byte(bits.TrailingZeros(m))
			n++
		}
	}
	return orders
}()

// factoring is numbers of vertices as the assembly reads them.
type factoring struct {
	factors                *float32
	scores, most, by, less *float32
	n                      int
	slope, centre          float32

	largest, smallest [vector256]float32 // the largest exponent, at least 0; the smallest of by, at most 1
}

// inVectors finds the factors of whole vectors, then of what is left, copied.
func (p *factoring) inVectors(factors, scores, most, by, less []float32) {
	whole := len(scores) &^ (vector256 - 1)
	if whole > 0 {
		p.factors, p.n = &factors[0], whole
		p.scores, p.most, p.by, p.less = &scores[0], &most[0], &by[0], &less[0]
		attendFactorsAVX2(p)
	}
	if whole == len(scores) {
		return
	}
	last := [4][vector256]float32{2: p.smallest} // the smallest so far is no smaller one
	for i, x := range [...][]float32{scores, most, by, less} {
		copy(last[i][:], x[whole:])
	}
	p.factors, p.n = &factors[quad*whole], vector256
	p.scores, p.most, p.by, p.less = &last[0][0], &last[1][0], &last[2][0], &last[3][0]
	attendFactorsAVX2(p)
}

// apart is an Attention as the assembly reads it: sums of rows, and lists as long as there are
// edges, and some more: four of numbers of vertices, and the edges above 0 and those below.
type apart struct {
	summing
	list  int      // bytes of one
	edges int      // of all rows
	masks *float32 // nil for none

	picked    *float32 // numbers of vertices
	pickIDs   *int32   // of the first edge on
	pickAhead int      // the edges behind which an id is there to prefetch what its vertex has
	pickTo    *float32 // the lists of what is picked

	orders                 *[256][8]byte // compacting
	above, below           *int32        // ids of the lists; two lists further, their weights
	ends                   *int32        // of rows in both lists
	aboveAhead, belowAhead int           // the edges behind which there are AHEAD256 more
	aboveNext, belowNext   *int32        // ids of rows to prefetch beside those that are left
	nextX                  *float32      // at these rows' columns

	own        *float32 // of rows
	numbers    *float32 // what is summed up of them
	toNext     int      // bytes to the next number of a row
	rowFactors *float32 // what they multiply their sums with

	slope, centre, least, more, less float32
}

// apartRows are the numbers of rows, some more than there are rows.
type apartRows struct{ most, above, below []float32 }

const picked256 = 64 // PICKED256 in the assembly

func apartOf(a *Attention[float32], picked []float32) (p apart, r apartRows) {
	rows := len(a.Bounds) - 1
	first, last := int(a.Bounds[0]), int(a.Bounds[rows])
	list, padded := last-first+vector256, (rows+vector256-1)&^(vector256-1)
	rest := a.Scratch
	take := func(n int) []float32 {
		x := rest[:n:n]
		rest = rest[n:]
		return x
	}
	ids := func(x []float32) *int32 { return (*int32)(unsafe.Pointer(&x[0])) }
	p = apart{
		summing: summingOf(a.Width, a.IDs, a.Bounds, Ends[float32]{}),
		picked:  &picked[0], list: bytesOf[float32](list), edges: last - first,
		pickIDs: &a.IDs[first], pickAhead: min(cap(a.IDs)-picked256, last) - first, pickTo: &take(4 * list)[0],
		orders: &compacting, above: ids(take(list)), below: ids(take(list)),
		slope: a.Slope, centre: a.Centre, more: a.Above, less: a.Below,
	}
	p.firstBytes = bytesOf[float32](first)
	p.w, p.w2 = &take(list)[0], &take(list)[0]
	p.ends = ids(take(2 * rows))
	r = apartRows{take(padded), take(padded), take(padded)}
	p.numbers, p.toNext = &r.most[0], bytesOf[float32](padded)
	own := take(padded)
	clear(own[rows:])
	copy(own, a.Own[:rows])
	p.own = &own[0]
	p.rowFactors = &take(quad * padded)[0]
	if a.Masks != nil {
		p.masks = &a.Masks[0]
	}
	return p, r
}

// copied is p for the assembly, which counts in it.
func (p *apart) copied() *apart {
	c := *p
	return &c
}

// blocks sums up a block of columns after another.
func (p *apart) blocks(a *Attention[float32], second []float32, way attendWay) {
	rows := len(a.Bounds) - 1
	ends := unsafe.Slice(p.ends, 2*rows)
	above, below := int(ends[2*rows-2]), int(ends[2*rows-1])
	p.aboveAhead, p.belowAhead = max(above-ahead256, 0), max(below-ahead256, 0)
	sums := sumByEdge
	if way == attendingTwice {
		sums = sumTwice
	}
	for at := 0; at < a.Width; {
		vectors := vectorsAt[float32](&oneSum, a.Width-at)
		b := *p
		b.summing = blockAt(&p.summing, at, vectors, a.Acc, second, a.X, Ends[float32]{Past: a.Past}, sums)
		at += vectors * vector256
		b.aboveNext, b.belowNext, b.nextX = p.above, p.below, &a.X[0]
		if last := int(a.Bounds[rows]); at < a.Width {
			b.nextX = &a.X[at]
		} else if cap(a.IDs) >= last+2*ahead256 {
			ids := a.IDs[:cap(a.IDs)]
			b.aboveNext, b.belowNext = &ids[last], &ids[last+ahead256]
		}
		b.lists(way, vectors)
	}
}

// lists sums up a block of so many vectors.
func (p *apart) lists(way attendWay, vectors int) {
	switch way {
	case attendingTwice:
		switch vectors {
		case 1:
			attendListsTwiceOneAVX2(p)
		case 2:
			attendListsTwiceTwoAVX2(p)
		case 4:
			attendListsTwiceFourAVX2(p)
		case 8:
			attendListsTwiceEightAVX2(p)
		}
	case attendingBack:
		switch vectors {
		case 1:
			attendListsBackOneAVX2(p)
		case 2:
			attendListsBackTwoAVX2(p)
		case 4:
			attendListsBackFourAVX2(p)
		case 8:
			attendListsBackEightAVX2(p)
		}
	}
}

//go:noescape
func attendFactorsAVX2(a *factoring)

//go:noescape
func attendPickAVX2(a *apart)

//go:noescape
func attendBackPickAVX2(a *apart)

//go:noescape
func attendBackSumsAVX2(a *apart)

//go:noescape
func attendBackWeightsAVX2(a *apart)

//go:noescape
func attendApartAVX2(a *apart)

//go:noescape
func attendBackApartAVX2(a *apart)

//go:noescape
func attendRowsAVX2(a *apart)

//go:noescape
func attendBackRowsAVX2(a *apart)

//go:noescape
func attendListsTwiceOneAVX2(a *apart)

//go:noescape
func attendListsTwiceTwoAVX2(a *apart)

//go:noescape
func attendListsTwiceFourAVX2(a *apart)

//go:noescape
func attendListsTwiceEightAVX2(a *apart)

//go:noescape
func attendListsBackOneAVX2(a *apart)

//go:noescape
func attendListsBackTwoAVX2(a *apart)

//go:noescape
func attendListsBackFourAVX2(a *apart)

//go:noescape
func attendListsBackEightAVX2(a *apart)
