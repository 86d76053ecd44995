//go:build amd64 && !noasm

// Attention with AVX-512: from slices to the assembly.

package kern

import "unsafe"

// useAttention512 replaces the kernels of attention, of rows that fill the registers.
func useAttention512(s *Set[float32]) {
	atOnce := func(heads, width int, masked bool) bool {
		if heads == 1 {
			return width == 16 || width == 32 || width == 64 || width == 128
		}
		n := blockOfHeads(heads, width)
		return n > 0 && (n == heads || !masked) // masks of a part of the heads do not lie side by side
	}
	s.Attends = Attends{AtOnce: atOnce, From: 4}
	plainly, backPlainly := s.SegmentAttend, s.SegmentAttendBack
	s.SegmentAttend = func(a AttendForward[float32]) {
		if !atOnce(a.Heads, a.Width, a.Masks != nil) || a.withoutEdges() {
			plainly(a)
			return
		}
		a.check()
		p := attendingOf(&a.Attention, &a.Scores[0])
		p.most, p.least = &a.Most[0], a.Least
		way := attendingOnce
		if a.Acc2 != nil {
			p.second(&a)
			way = attendingTwice
		}
		p.run(&a.Attention, way)
	}
	s.SegmentAttendBack = func(a AttendBackward[float32]) {
		if !atOnce(a.Heads, a.Width, a.Masks != nil) || a.withoutEdges() {
			backPlainly(a)
			return
		}
		a.check()
		p := attendingOf(&a.Attention, &a.Quads[0])
		p.ownRows = &a.Rows[0]
		p.toRows = uintptr(unsafe.Pointer(p.ownRows)) - uintptr(unsafe.Pointer(p.acc))
		p.run(&a.Attention, attendingBack)
	}
}

func (a *Attention[T]) withoutEdges() bool {
	rows := len(a.Bounds) - 1
	return rows < 1 || a.Bounds[0] == a.Bounds[rows]
}

// attending is an Attention as the assembly reads it.
type attending struct {
	x        *float32
	ids      *int32
	aheadIDs *int32 // the ids so many edges ahead
	halfIDs  *int32 // those half as many edges ahead
	soonIDs  *int32 // those twice as many edges ahead, if there are
	bounds   *int32
	picked   *float32 // numbers of vertices
	own      *float32
	most     *float32
	sums     *float32
	sums2    *float32
	acc      *float32
	acc2     *float32
	scratch  *float32
	masks    *float32 // nil for none
	toAcc2   uintptr  // bytes from acc
	toRows   uintptr

	// Of several heads: bytes between the rows of x and of acc, between vertices and rows
	// with their numbers, and between parts of a vertex' and twice that.
	xBytes, accBytes, pickBytes, rowBytes, partBytes, twoParts int

	ownRows *float32 // kept for toRows
	rows    int      // left
	ahead   int      // the edges beside which something is picked ahead
	filled  int      // the edges for which it must be picked before
	past    int      // 1 if sums are written past the caches
	first   bool     // rows are prefetched to the first cache

	slope, least, bound, above, below float32
}

func attendingOf(a *Attention[float32], picked *float32) attending {
	rows := len(a.Bounds) - 1
	first, last := int(a.Bounds[0]), int(a.Bounds[rows])
	p := attending{
		x: &a.X[0], ids: &a.IDs[0], bounds: &a.Bounds[0], picked: picked, own: &a.Own[0], sums: &a.Sums[0], sums2: &a.Sums[0],
		acc: &a.Acc[0], scratch: &a.Scratch[0], rows: rows, first: toFirst,
		slope: a.Slope, bound: a.Bound, above: a.Above, below: a.Below,
	}
	n := min(attendAhead, attendAhead*fullBlock/a.Width) // the assembly of each width has it, too
	if a.Heads > 1 {
		// Numbers of vertices take cache lines, too.
		n = min(attendAhead, attendAhead/2*fullBlock/(a.Width/a.Heads*blockOfHeads(a.Heads, a.Width)))
	}
	if a.Masks != nil {
		p.masks = &a.Masks[0]
	}
	p.aheadIDs, p.halfIDs = p.ids, p.ids
	if p.ahead = min(max(cap(a.IDs)-n, 0), last); p.ahead > 0 {
		p.aheadIDs, p.halfIDs = &a.IDs[:cap(a.IDs)][n], &a.IDs[:cap(a.IDs)][n/2]
	}
	if p.soonIDs = p.aheadIDs; cap(a.IDs) >= last+2*n {
		p.soonIDs = &a.IDs[:cap(a.IDs)][2*n]
	}
	p.filled = min(first+n, last)
	if a.Past && aligned(p.acc) {
		p.past = 1
	}
	return p
}

// second sets what backward wants.
func (p *attending) second(a *AttendForward[float32]) {
	p.sums2, p.acc2 = &a.Sums2[0], &a.Acc2[0]
	p.toAcc2 = uintptr(unsafe.Pointer(p.acc2)) - uintptr(unsafe.Pointer(p.acc))
	if !aligned(p.acc2) {
		p.past = 0
	}
}

//go:noescape
func segmentAttend16AVX512(a *attending)

//go:noescape
func segmentAttendTwice16AVX512(a *attending)

//go:noescape
func segmentAttendBack16AVX512(a *attending)

//go:noescape
func segmentAttend32AVX512(a *attending)

//go:noescape
func segmentAttendTwice32AVX512(a *attending)

//go:noescape
func segmentAttendBack32AVX512(a *attending)

//go:noescape
func segmentAttend64AVX512(a *attending)

//go:noescape
func segmentAttend128AVX512(a *attending)

//go:noescape
func segmentAttendTwice64AVX512(a *attending)

//go:noescape
func segmentAttendTwice128AVX512(a *attending)

//go:noescape
func segmentAttendBack64AVX512(a *attending)

//go:noescape
func segmentAttendBack128AVX512(a *attending)
