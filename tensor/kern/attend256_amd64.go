//go:build amd64 && !noasm

// Attention with AVX2: from slices to the assembly, which finds the numbers of vertices, then
// those of a tile's rows, and sums up a block of columns after another.

package kern

import "slices"

// useAttention256 replaces the kernels of attention with one score an edge, of rows that are
// whole vectors, where exponentials may be products.
func useAttention256(s *Set[float32]) {
	atOnce := func(heads, width int, _ bool) bool { return heads == 1 && width > 0 && width%vector256 == 0 }
	s.Attends = Attends{AtOnce: atOnce, Apart: true}
	s.AttendPowers, s.AttendFactors = attendPowers256, attendFactors256
	plainly, backPlainly := s.SegmentAttend, s.SegmentAttendBack
	s.SegmentAttend = func(a AttendForward[float32]) {
		if !a.Apart || !atOnce(a.Heads, a.Width, a.Masks != nil) || a.withoutEdges() {
			plainly(a)
			return
		}
		a.check()
		attendForward256(&a)
	}
	s.SegmentAttendBack = func(a AttendBackward[float32]) {
		if !a.Apart || !atOnce(a.Heads, a.Width, a.Masks != nil) || a.withoutEdges() {
			backPlainly(a)
			return
		}
		a.check()
		attendBack256(&a)
	}
}

// attendForward256 is the forward pass: rows alone, or with what is told of them, or with the
// second sums, too.
func attendForward256(a *AttendForward[float32]) {
	p, totals := attention256Of(&a.Attention, a.Powers)
	attendForwardRowsAVX2(&p)
	way := attendingOnce
	switch {
	case a.Acc2 != nil:
		way = attendingTwice
	case a.Most == nil && a.Masks == nil:
		way = attendingAlone
	}
	if p.blocks(&a.Attention, a.Acc2, way); a.Most == nil {
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

// attendBack256 is the backward pass.
func attendBack256(a *AttendBackward[float32]) {
	p, totals := attention256Of(&a.Attention, a.Factors)
	attendBackRowsAVX2(&p)
	clear(totals[0])
	p.blocks(&a.Attention, a.Rows, attendingBack)
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

// attention256 is an Attention as the assembly reads it.
type attention256 struct {
	summing
	vertices *float32 // their numbers
	own      *float32 // those of rows, and some more
	ofRows   *float32 // four that are made of a row's
	totals   *float32 // of rows
	toNext   int      // bytes to the next number of a row
	weights  *float32 // two of each edge
	masks    *float32 // nil for none

	further, furtherBytes int // blocks of a row behind the first

	slope, centre, below float32
	first                [4]uint32 // all ones in the first block, whose edges have what is subtracted backward
}

// attention256Of is also what the assembly writes for rows: the largest number, or backward the
// sum, then two sums.
func attention256Of(a *Attention[float32], vertices []float32) (p attention256, totals [3][]float32) {
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
	p = attention256{
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

// blocks sums up a block of columns after another; wide ones are all blocks of so many vectors that
// there are, row by row.
func (p *attention256) blocks(a *Attention[float32], second []float32, way attendWay) {
	sums, blocks := sumByEdge, &oneSum
	if way == attendingTwice {
		sums, blocks = sumTwice, &twoSums
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
			vectors = wide256
		}
		b.block(way, vectors)
		p.first = [4]uint32{}
	}
}

const wide256 = 16 // of more than one block

// block sums up a block of so many vectors.
func (p *attention256) block(way attendWay, vectors int) {
	switch way {
	case attendingAlone:
		switch vectors {
		case 1:
			attendAloneOneAVX2(p)
		case 2:
			attendAloneTwoAVX2(p)
		case 4:
			attendAloneFourAVX2(p)
		case 8:
			attendAloneEightAVX2(p)
		case wide256:
			attendAloneWideAVX2(p)
		}
	case attendingOnce:
		switch vectors {
		case 1:
			attendOnceOneAVX2(p)
		case 2:
			attendOnceTwoAVX2(p)
		case 4:
			attendOnceFourAVX2(p)
		case 8:
			attendOnceEightAVX2(p)
		case wide256:
			attendOnceWideAVX2(p)
		}
	case attendingTwice:
		switch vectors {
		case 1:
			attendTwiceOneAVX2(p)
		case 2:
			attendTwiceTwoAVX2(p)
		case 4:
			attendTwiceFourAVX2(p)
		case wide256:
			attendTwiceWideAVX2(p)
		}
	case attendingBack:
		switch vectors {
		case 1:
			attendBackOneAVX2(p)
		case 2:
			attendBackTwoAVX2(p)
		case 4:
			attendBackFourAVX2(p)
		case 8:
			attendBackEightAVX2(p)
		case wide256:
			attendBackWideAVX2(p)
		}
	}
}

//go:noescape
func attendPairsAVX2(a *powering)

//go:noescape
func attendQuadsAVX2(a *powering)

//go:noescape
func attendFactorsAVX2(a *factoring)

//go:noescape
func attendForwardRowsAVX2(a *attention256)

//go:noescape
func attendBackRowsAVX2(a *attention256)

//go:noescape
func attendTotalsAVX2(a *attention256)

//go:noescape
func attendAloneOneAVX2(a *attention256)

//go:noescape
func attendAloneTwoAVX2(a *attention256)

//go:noescape
func attendAloneFourAVX2(a *attention256)

//go:noescape
func attendAloneEightAVX2(a *attention256)

//go:noescape
func attendAloneWideAVX2(a *attention256)

//go:noescape
func attendOnceOneAVX2(a *attention256)

//go:noescape
func attendOnceTwoAVX2(a *attention256)

//go:noescape
func attendOnceFourAVX2(a *attention256)

//go:noescape
func attendOnceEightAVX2(a *attention256)

//go:noescape
func attendOnceWideAVX2(a *attention256)

//go:noescape
func attendTwiceOneAVX2(a *attention256)

//go:noescape
func attendTwiceTwoAVX2(a *attention256)

//go:noescape
func attendTwiceFourAVX2(a *attention256)

//go:noescape
func attendTwiceWideAVX2(a *attention256)

//go:noescape
func attendBackOneAVX2(a *attention256)

//go:noescape
func attendBackTwoAVX2(a *attention256)

//go:noescape
func attendBackFourAVX2(a *attention256)

//go:noescape
func attendBackEightAVX2(a *attention256)

//go:noescape
func attendBackWideAVX2(a *attention256)
