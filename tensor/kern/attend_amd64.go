//go:build amd64 && !noasm

// Attention with AVX2 and AVX-512, one score an edge: from slices to the assembly, which finds the
// numbers of vertices, then those of a tile's rows, and sums up a block of columns after another.

package kern

import "slices"

// useAttention replaces the kernels of attention with one score an edge, of rows that are whole
// vectors of 256 bits, where exponentials may be products; wide is with AVX-512.
func useAttention(s *Set[float32], wide bool) {
	from := 0
	if wide {
		from = 4 // the instructions one by one are faster there than with AVX2
	}
	atOnce := func(heads, width int) bool { return heads == 1 && width > 0 && width%vector256 == 0 }
	s.AttendPowers, s.AttendFactors = attendPowers256, attendFactors256
	attends, plainly, backPlainly := s.Attends, s.SegmentAttend, s.SegmentAttendBack
	s.Attends = func(heads, width int, masked bool) Attends {
		if !atOnce(heads, width) {
			return attends(heads, width, masked)
		}
		return Attends{AtOnce: true, From: from, Apart: true}
	}
	s.SegmentAttend = func(a AttendForward[float32]) {
		if !a.Apart || !atOnce(a.Heads, a.Width) || a.withoutEdges() {
			plainly(a)
			return
		}
		a.check()
		attendForwardWalk(&a, wide)
	}
	s.SegmentAttendBack = func(a AttendBackward[float32]) {
		if !a.Apart || !atOnce(a.Heads, a.Width) || a.withoutEdges() {
			backPlainly(a)
			return
		}
		a.check()
		attendBackWalk(&a, wide)
	}
}

func (a *Attention[T]) withoutEdges() bool {
	rows := len(a.Bounds) - 1
	return rows < 1 || a.Bounds[0] == a.Bounds[rows]
}

// attendWay is forward, for rows alone (of one head), for what is told of them, or also for what
// backward wants, or backward.
type attendWay uint8

const (
	attendingAlone attendWay = iota
	attendingOnce
	attendingTwice
	attendingBack
)

// attendForwardWalk is the forward pass: rows alone, or with what is told of them, or with the
// second sums, too.
func attendForwardWalk(a *AttendForward[float32], wide bool) {
	p, totals := attendWalkOf(&a.Attention, a.Powers)
	attendForwardRowsAVX2(&p)
	way := attendingOnce
	switch {
	case a.Acc2 != nil:
		way = attendingTwice
	case a.Most == nil && a.Masks == nil:
		way = attendingAlone
	}
	if p.blocks(&a.Attention, a.Acc2, way, wide); a.Most == nil {
		return
	}
	attendTotalsAVX2(&p)
	n := len(a.Bounds) - 1
	copy(a.Most[:n], totals[0])
	copy(a.Sums[:n], totals[1])
	if a.Acc2 != nil {
		copy(a.Sums2[:n], totals[2])
	}
}

// attendBackWalk is the backward pass.
func attendBackWalk(a *AttendBackward[float32], wide bool) {
	p, totals := attendWalkOf(&a.Attention, a.Factors)
	attendBackRowsAVX2(&p)
	clear(totals[0])
	p.blocks(&a.Attention, a.Rows, attendingBack, wide)
	copy(a.Sums[:len(a.Bounds)-1], totals[0])
}

const vector256 = 8 // lanes

// powering and factoring are numbers of vertices as the assembly reads and writes them.
type powering struct {
	powers, scores *float32
	n              int
	slope, centre  float32
}

type factoring struct {
	factors                *float32
	scores, most, by, less *float32
	n                      int
	slope, centre          float32

	largest, smallest [vector256]float32 // the largest exponent, at least 0; the smallest of by, at most 1
}

// attendPowers256 finds powers of whole vectors, then of what is left, copied.
func attendPowers256(powers, scores []float32, perVertex int, slope, centre float32) {
	checkPowers(perVertex, len(powers), len(scores))
	p := powering{slope: slope, centre: centre}
	whole := len(scores) &^ (vector256 - 1)
	if whole > 0 {
		p.powers, p.scores, p.n = &powers[0], &scores[0], whole
		p.find(perVertex)
	}
	if whole < len(scores) {
		var last [vector256]float32
		copy(last[:], scores[whole:])
		p.powers, p.scores, p.n = &powers[perVertex*whole], &last[0], vector256
		p.find(perVertex)
	}
}

func (p *powering) find(perVertex int) {
	if perVertex == quad {
		attendQuadsAVX2(p)
	} else {
		attendPairsAVX2(p)
	}
}

// attendFactors256 finds factors so, and tells whether they are any.
func attendFactors256(factors, scores, most, by, less []float32, slope, centre float32) bool {
	checkFactors(len(factors), len(scores), len(most), len(by), len(less))
	p := factoring{slope: slope, centre: centre}
	for i := range vector256 {
		p.smallest[i] = 1
	}
	whole := len(scores) &^ (vector256 - 1)
	if whole > 0 {
		p.factors, p.n = &factors[0], whole
		p.scores, p.most, p.by, p.less = &scores[0], &most[0], &by[0], &less[0]
		attendFactorsAVX2(&p)
	}
	if whole < len(scores) {
		last := [4][vector256]float32{2: p.smallest} // the smallest so far is no smaller one
		for i, x := range [...][]float32{scores, most, by, less} {
			copy(last[i][:], x[whole:])
		}
		p.factors, p.n = &factors[quad*whole], vector256
		p.scores, p.most, p.by, p.less = &last[0][0], &last[1][0], &last[2][0], &last[3][0]
		attendFactorsAVX2(&p)
	}
	return slices.Max(p.largest[:]) <= farthest && slices.Min(p.smallest[:]) > 0
}

// attendWalk is an Attention as the assembly reads it.
type attendWalk struct {
	summing
	vertices *float32 // their numbers
	own      *float32 // those of rows, and some more
	ofRows   *float32 // four that are made of a row's
	totals   *float32 // of rows
	toNext   int      // bytes to the next number of a row
	weights  *float32 // two of each edge
	masks    *float32 // nil for none

	further, furtherBytes int // blocks of a row behind the first

	toFirst              bool // rows are prefetched to the first cache (with AVX-512)
	slope, centre, below float32
	first                [4]uint32 // all ones in the first block, whose edges have what is subtracted backward
}

// attendWalkOf is also what the assembly writes for rows: the largest number, or backward the
// sum, then two sums.
func attendWalkOf(a *Attention[float32], vertices []float32) (p attendWalk, totals [3][]float32) {
	rows := len(a.Bounds) - 1
	padded := (rows + vector256 - 1) &^ (vector256 - 1)
	rest := a.Scratch
	take := func(n int) []float32 {
		x := rest[:n:n]
		rest = rest[n:]
		return x
	}
	own := take(padded)
	copy(own, a.Own[:rows])
	p = attendWalk{
		summing:  summingOf(a.Width, a.IDs, a.Bounds, Ends[float32]{}),
		vertices: &vertices[0], own: &own[0], ofRows: &take(quad * padded)[0],
		weights: &take(2 * int(a.Bounds[rows]-a.Bounds[0]))[0],
		slope:   a.Slope, centre: a.Centre, below: a.Below,
	}
	for i := range totals {
		totals[i] = take(padded)
	}
	p.totals, p.toNext = &totals[0][0], bytesOf[float32](padded)
	if a.Masks != nil {
		p.masks = &a.Masks[0]
	}
	return p, totals
}

// blocks sums up a block of columns after another; of the largest ones all that there are are summed
// up row by row.
func (p *attendWalk) blocks(a *Attention[float32], second []float32, way attendWay, wide bool) {
	sums, blocks := sumByEdge, oneSum[:]
	if way == attendingTwice {
		sums, blocks = sumTwice, twoSums[:]
	}
	if wide {
		blocks, p.toFirst = wideBlocks[:], toFirst
		p.ahead = min(max(cap(a.IDs)-ahead512, 0), int(a.Bounds[len(a.Bounds)-1]))
	}
	for i := range p.first {
		p.first[i] = ^uint32(0)
	}
	for at := 0; at < a.Width; {
		vectors := vectorsAt[float32](blocks, a.Width-at)
		b := *p
		b.summing = blockAt(&p.summing, at, vectors, a.Acc, second, a.X, Ends[float32]{Past: a.Past}, sums)
		n := (a.Width - at) / (vectors * vector256)
		at += n * vectors * vector256
		if n > 1 {
			b.further, b.furtherBytes = n-1, (n-1)*bytesOf[float32](vectors*vector256)
			vectors = blocksOfRows
		}
		if wide && vectors > 1 {
			b.block512(way, vectors)
		} else {
			b.block256(way, vectors)
		}
		p.first = [4]uint32{}
	}
}

// wideBlocks are those of AVX-512, in vectors of 256 bits; one such vector is a block for AVX2.
var wideBlocks = [...]int{16, 8, 4, 2, 1}

// blocksOfRows is, in the place of a block's vectors, several of the largest blocks.
const blocksOfRows = 32

const ahead512 = 64 // AHEAD512 in the assembly
