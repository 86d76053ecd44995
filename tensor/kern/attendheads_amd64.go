//go:build amd64 && !noasm

// Attention of several heads with AVX-512: from slices to the assembly, rows in blocks of heads.

package kern

import "unsafe"

// useAttentionHeads512 replaces the kernels of attention with several scores an edge, of rows that
// fill the registers.
func useAttentionHeads512(s *Set[float32]) {
	atOnce := func(heads, width int, masked bool) bool {
		n := blockOfHeads(heads, width)
		return n > 0 && (n == heads || !masked) // masks of a part of the heads do not lie side by side
	}
	attends, plainly, backPlainly := s.Attends, s.SegmentAttend, s.SegmentAttendBack
	s.Attends = func(heads, width int, masked bool) Attends {
		if !atOnce(heads, width, masked) {
			return attends(heads, width, masked)
		}
		return Attends{AtOnce: true, From: 4}
	}
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

// attending is an Attention of several heads as the assembly reads it.
type attending struct {
	x        *float32
	ids      *int32
	aheadIDs *int32 // the ids so many edges ahead
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

	// Bytes between the rows of x and of acc, between vertices and rows
	// with their numbers, and between parts of a vertex' and twice that.
	xBytes, accBytes, pickBytes, rowBytes, partBytes, twoParts int

	ownRows *float32 // kept for toRows
	rows    int      // left
	ahead   int      // the edges beside which something is picked ahead
	past    int      // 1 if sums are written past the caches
	first   bool     // rows are prefetched to the first cache

	slope, least, bound, above, below float32
}

func attendingOf(a *Attention[float32], picked *float32) attending {
	rows := len(a.Bounds) - 1
	p := attending{
		x: &a.X[0], ids: &a.IDs[0], bounds: &a.Bounds[0], picked: picked, own: &a.Own[0], sums: &a.Sums[0], sums2: &a.Sums[0],
		acc: &a.Acc[0], scratch: &a.Scratch[0], rows: rows, first: toFirst,
		slope: a.Slope, bound: a.Bound, above: a.Above, below: a.Below,
	}
	// Numbers of vertices take cache lines, too.
	n := min(attendAhead, attendAhead/2*fullBlock/(a.Width/a.Heads*blockOfHeads(a.Heads, a.Width)))
	if a.Masks != nil {
		p.masks = &a.Masks[0]
	}
	p.aheadIDs = p.ids
	if p.ahead = min(max(cap(a.IDs)-n, 0), int(a.Bounds[rows])); p.ahead > 0 {
		p.aheadIDs = &a.IDs[:cap(a.IDs)][n]
	}
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

// blockOfHeads is how many heads are computed together, 128, 64, 32 or 16 columns; 0 if heads
// are no multiple of a number that can be.
func blockOfHeads(heads, width int) int {
	if heads < 2 || width%heads != 0 {
		return 0
	}
	head := width / heads
	for _, columns := range []int{2 * fullBlock, fullBlock, fullBlock / 2, fullBlock / 4} {
		for _, n := range []int{2, 4, 8} {
			if n*head == columns && heads%n == 0 {
				return n
			}
		}
	}
	return 0
}

// run computes attention, that of several heads a block after another.
func (p *attending) run(a *Attention[float32], way attendWay) {
	const size = int(unsafe.Sizeof(float32(0)))
	block, columns := blockOfHeads(a.Heads, a.Width), a.Width/a.Heads
	p.xBytes, p.accBytes = a.Width*size, a.Width*size
	p.rowBytes, p.partBytes, p.twoParts, p.pickBytes = a.Heads*size, a.Heads*size, 2*a.Heads*size, a.Heads*size
	if way == attendingBack {
		p.pickBytes *= quad
	}
	for h := 0; h < a.Heads; h += block {
		b := *p
		for _, x := range []**float32{&b.x, &b.acc} {
			*x = (*float32)(unsafe.Add(unsafe.Pointer(*x), h*columns*size))
		}
		for _, x := range []**float32{&b.picked, &b.own, &b.most, &b.sums, &b.sums2} {
			if *x != nil {
				*x = (*float32)(unsafe.Add(unsafe.Pointer(*x), h*size))
			}
		}
		switch way {
		case attendingOnce:
			b.once(block, columns)
		case attendingTwice:
			b.twice(block, columns)
		case attendingBack:
			b.back(block, columns)
		}
	}
}

func (p *attending) once(heads, columns int) {
	switch [2]int{heads, columns} {
	case [2]int{8, 4}:
		segmentAttend8of4AVX512(p)
	case [2]int{4, 8}:
		segmentAttend4of8AVX512(p)
	case [2]int{2, 16}:
		segmentAttend2of16AVX512(p)
	case [2]int{8, 2}:
		segmentAttend8of2AVX512(p)
	case [2]int{4, 4}:
		segmentAttend4of4AVX512(p)
	case [2]int{2, 8}:
		segmentAttend2of8AVX512(p)
	case [2]int{8, 8}:
		segmentAttend8of8AVX512(p)
	case [2]int{4, 16}:
		segmentAttend4of16AVX512(p)
	case [2]int{2, 32}:
		segmentAttend2of32AVX512(p)
	case [2]int{8, 16}:
		segmentAttend8of16AVX512(p)
	case [2]int{4, 32}:
		segmentAttend4of32AVX512(p)
	case [2]int{2, 64}:
		segmentAttend2of64AVX512(p)
	}
}

func (p *attending) twice(heads, columns int) {
	switch [2]int{heads, columns} {
	case [2]int{8, 4}:
		segmentAttendTwice8of4AVX512(p)
	case [2]int{4, 8}:
		segmentAttendTwice4of8AVX512(p)
	case [2]int{2, 16}:
		segmentAttendTwice2of16AVX512(p)
	case [2]int{8, 2}:
		segmentAttendTwice8of2AVX512(p)
	case [2]int{4, 4}:
		segmentAttendTwice4of4AVX512(p)
	case [2]int{2, 8}:
		segmentAttendTwice2of8AVX512(p)
	case [2]int{8, 8}:
		segmentAttendTwice8of8AVX512(p)
	case [2]int{4, 16}:
		segmentAttendTwice4of16AVX512(p)
	case [2]int{2, 32}:
		segmentAttendTwice2of32AVX512(p)
	case [2]int{8, 16}:
		segmentAttendTwice8of16AVX512(p)
	case [2]int{4, 32}:
		segmentAttendTwice4of32AVX512(p)
	case [2]int{2, 64}:
		segmentAttendTwice2of64AVX512(p)
	}
}

func (p *attending) back(heads, columns int) {
	switch [2]int{heads, columns} {
	case [2]int{8, 4}:
		segmentAttendBack8of4AVX512(p)
	case [2]int{4, 8}:
		segmentAttendBack4of8AVX512(p)
	case [2]int{2, 16}:
		segmentAttendBack2of16AVX512(p)
	case [2]int{8, 2}:
		segmentAttendBack8of2AVX512(p)
	case [2]int{4, 4}:
		segmentAttendBack4of4AVX512(p)
	case [2]int{2, 8}:
		segmentAttendBack2of8AVX512(p)
	case [2]int{8, 8}:
		segmentAttendBack8of8AVX512(p)
	case [2]int{4, 16}:
		segmentAttendBack4of16AVX512(p)
	case [2]int{2, 32}:
		segmentAttendBack2of32AVX512(p)
	case [2]int{8, 16}:
		segmentAttendBack8of16AVX512(p)
	case [2]int{4, 32}:
		segmentAttendBack4of32AVX512(p)
	case [2]int{2, 64}:
		segmentAttendBack2of64AVX512(p)
	}
}

//go:noescape
func segmentAttend8of4AVX512(a *attending)

//go:noescape
func segmentAttend4of8AVX512(a *attending)

//go:noescape
func segmentAttend2of16AVX512(a *attending)

//go:noescape
func segmentAttend8of2AVX512(a *attending)

//go:noescape
func segmentAttend4of4AVX512(a *attending)

//go:noescape
func segmentAttend2of8AVX512(a *attending)

//go:noescape
func segmentAttend8of8AVX512(a *attending)

//go:noescape
func segmentAttend4of16AVX512(a *attending)

//go:noescape
func segmentAttend2of32AVX512(a *attending)

//go:noescape
func segmentAttend8of16AVX512(a *attending)

//go:noescape
func segmentAttend4of32AVX512(a *attending)

//go:noescape
func segmentAttend2of64AVX512(a *attending)

//go:noescape
func segmentAttendTwice8of4AVX512(a *attending)

//go:noescape
func segmentAttendTwice4of8AVX512(a *attending)

//go:noescape
func segmentAttendTwice2of16AVX512(a *attending)

//go:noescape
func segmentAttendTwice8of2AVX512(a *attending)

//go:noescape
func segmentAttendTwice4of4AVX512(a *attending)

//go:noescape
func segmentAttendTwice2of8AVX512(a *attending)

//go:noescape
func segmentAttendTwice8of8AVX512(a *attending)

//go:noescape
func segmentAttendTwice4of16AVX512(a *attending)

//go:noescape
func segmentAttendTwice2of32AVX512(a *attending)

//go:noescape
func segmentAttendTwice8of16AVX512(a *attending)

//go:noescape
func segmentAttendTwice4of32AVX512(a *attending)

//go:noescape
func segmentAttendTwice2of64AVX512(a *attending)

//go:noescape
func segmentAttendBack8of4AVX512(a *attending)

//go:noescape
func segmentAttendBack4of8AVX512(a *attending)

//go:noescape
func segmentAttendBack2of16AVX512(a *attending)

//go:noescape
func segmentAttendBack8of2AVX512(a *attending)

//go:noescape
func segmentAttendBack4of4AVX512(a *attending)

//go:noescape
func segmentAttendBack2of8AVX512(a *attending)

//go:noescape
func segmentAttendBack8of8AVX512(a *attending)

//go:noescape
func segmentAttendBack4of16AVX512(a *attending)

//go:noescape
func segmentAttendBack2of32AVX512(a *attending)

//go:noescape
func segmentAttendBack8of16AVX512(a *attending)

//go:noescape
func segmentAttendBack4of32AVX512(a *attending)

//go:noescape
func segmentAttendBack2of64AVX512(a *attending)
