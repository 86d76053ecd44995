//go:build amd64 && !noasm

// Segments with AVX-512: from slices to the assembly, which takes a block of columns of
// all rows of a tile at a time.

package kern

import (
	"math"
	"math/bits"
	"unsafe"
)

// useSegments512 replaces the kernels of segments where one walk over the picked rows
// serves all their columns and purposes.
func useSegments512(s *Set[float32]) {
	s.SegmentGatherSum = segmentGatherSum512
	s.SegmentScaleSum = segmentScaleSum512
	s.SegmentFactorSum = segmentFactorSum512
	s.SegmentScaleSums = segmentScaleSums512
	s.DotEach = dotEach512
	dotScaleSum := s.SegmentDotScaleSum
	s.SegmentDotScaleSum = func(dots, acc, own, x []float32, width int, ids, bounds []int32, w []float32, group int, ends Ends[float32], next Next[float32]) {
		if group < width && bits.OnesCount(uint(group)) != 1 {
			dotScaleSum(dots, acc, own, x, width, ids, bounds, w, group, ends, next)
			return
		}
		segmentDotScaleSum512(dots, acc, own, x, width, ids, bounds, w, group, ends, next)
	}
}

// picked is what the kernels of segments have in common, as the assembly reads it.
// A block has 64, 32 or 16 columns, or fewer, or 128 if it is full.
type picked struct {
	x        *float32 // at the block's columns
	stride   int      // bytes a row of x, acc and own
	ids      *int32
	bounds   *int32
	rows     int      // left
	ahead    int      // the edges behind which an id is there to prefetch its row
	aheadIDs *int32   // of a full block: the ids so far ahead
	first    bool     // rows of a full block are prefetched to the first cache
	far      bool     // rows of another block are prefetched farAhead edges before they are used
	w        *float32 // at the weights of the block's columns
	leaves   int      // 1 if rows have one edge on average, or fewer
	wstride  int      // bytes from an edge's weights to the next edge's, and a row's of by
	more     int      // 1 if the sums go on
	past     int      // 1 if they are written past the caches
	by       *float32 // at the first row, if not nil
	byAt     int      // bytes from there to the row: no pointer, which would end behind by
	columns  uint64   // mask, of a block that is not full
	weights  uint64   // mask of the weights, at most 16
	single   int      // 1 if they are one
	order    [64]int32
	fold     int          // how often neighbouring products are added up: 2^fold columns make a dot product; all if whole
	dots     uint64       // mask of the dot products
	rest     [4][4]uint16 // of a block of 16 columns and so many edges: the masks of each one's columns, and of the edges

	// What is prefetched for others, of the first block only.
	next       *float32
	nextIDs    *int32 // of the rows; the edge's entry
	nextStride int    // bytes a row
	nextLine   int    // bytes from the first cache line to the last of a row
	soon       int    // the edges behind which there is none
}

// fullBlock is the columns of a block that fills the registers of the kernels for 64, and
// twice as many those for 128.
const fullBlock = 64

// aheadBytes is how much of the second cache the full blocks that are read ahead may take,
// firstBytes how much of the first one. Measured at 64 columns, sums by the second cache take
// 0.85 of the time with 64 rows ahead, not 32, where the table is larger than the third one;
// by the first one 0.88 to 0.95 with 32 rows, not 64; 16 are as good.
const (
	aheadBytes = 16 << 10
	firstBytes = 8 << 10

	// Of a stream the hardware fetches the next rows by itself, and does so better if what is
	// prefetched is near: 0.8 to 0.95 of the time with 64 and 128 columns of 200 thousand rows on Zen 4.
	streamAhead = 8 // rows
)

// toFirst says that rows of 64 columns and more are prefetched to the first cache, not the
// second. Processors differ: sums on Zen 4 are 1.2 to 1.4 times as fast by the second one,
// for where the table does not fit the caches, rows that are under way take places of the
// first one's that loads want; on Granite Rapids they are 1.1 to 1.4 times as fast by the
// first one, for which fewer rows ahead are enough.
var toFirst = fromIntel()

func fromIntel() bool {
	vendor, _ := processor()
	return vendor == "GenuineIntel"
}

// A table of farTable bytes shares the caches with too much else to stay in them: its rows
// are prefetched earlier, to the second cache. Measured with a third cache of 32 MiB and
// 16 columns: 1.1 to 1.2 times as fast at 12 MB, 0.9 at 2 MB.
const (
	farTable = 10 << 20
	farAhead = 64 // FARAHEAD in the assembly
)

// whole says that all columns of the block belong to the same dot product, to which
// they are added.
const whole = 7

// blockOf returns how many columns from column at on make the next block.
func blockOf(width, at, group int) int {
	const weights = 16 // in a vector
	switch n := width - at; {
	case group == width && n >= fullBlock:
		return min(n/fullBlock, 2) * fullBlock
	case group < 4 || n <= 16: // 16 columns have 16 weights at most
		return min(n, weights)
	case n <= 32:
		return n
	default:
		return min(n, 64)
	}
}

// block makes p the block of so many columns from column at on. A plain sum has no w.
func (p *picked) block(x, w, by []float32, at, columns, group, rows int) {
	if p.rows = rows; at > 0 {
		p.soon = 0
	}
	first := at / group
	last := (at + columns - 1) / group
	p.x = &x[at]
	if w != nil {
		p.w = &w[first]
	}
	if by != nil {
		p.by, p.byAt = &by[first], 0
	}
	p.columns = 1<<columns - 1
	for n := range p.rest {
		for i := range n {
			p.rest[n][i] = uint16(p.columns)
		}
		p.rest[n][3] = 1<<n - 1
	}
	p.weights, p.single = 1<<(last-first+1)-1, 0
	if first == last {
		p.single = 1
		return
	}
	head, end := int32(0), (first+1)*group-at // of the head
	for k := range columns {
		if k == end {
			head, end = head+1, end+group
		}
		p.order[k] = head
	}
}

// full tells whether the block of so many columns fills the registers, of rows with one
// weight an edge or none: there are kernels for this. It sets how far rows are read ahead.
func (p *picked) full(columns, width, group int, ids, bounds []int32) bool {
	if group != width || columns < fullBlock {
		p.readAhead(aheadIDs, ids, bounds)
		return false
	}
	const least, most = 16, 64
	bytes := aheadBytes
	if p.first = toFirst; p.first {
		bytes = firstBytes
	}
	n := min(max(bytes/(4*columns), least), most)
	if isStream(ids, bounds) {
		n = streamAhead
	}
	p.readAhead(n, ids, bounds)
	if p.ahead > 0 {
		p.aheadIDs = &ids[:cap(ids)][n]
	}
	p.soon = min(p.soon, p.ahead)
	return true
}

// isStream tells whether the edges are a single row's, as a hub's are, and read rows of the table
// one after another: a vertex that all others have an edge to.
func isStream(ids, bounds []int32) bool {
	if len(bounds) != 2 {
		return false
	}
	first, last := bounds[0], bounds[1]-1
	return ids[last]-ids[first] == last-first
}

// readAhead lets rows be read so many edges ahead.
func (p *picked) readAhead(edges int, ids, bounds []int32) {
	p.ahead = min(max(cap(ids)-edges, 0), int(bounds[len(bounds)-1]))
}

// readFarAhead does so for sums of up to 32 columns, if their table is large; of up to 16
// where the first cache is the better one, which loses nothing to the second only there. A row
// alone is a hub, whose edges lie so close in the table that the hardware foresees them.
func (p *picked) readFarAhead(x []float32, columns int, ids, bounds []int32) {
	widest := 32
	if toFirst {
		widest = 16
	}
	if p.far = columns <= widest && 4*len(x) >= farTable && len(bounds) > 2; p.far {
		p.readAhead(farAhead, ids, bounds)
	}
}

// goPast has the sums of a block at acc and acc2 written past the caches, if they are
// whole lines, which a cache would read before they are written over, and fill the
// registers, for such a write has no mask.
func (p *picked) goPast(ends Ends[float32], columns int, acc, acc2 *float32) {
	const line = 64
	p.past = 0
	at := uintptr(unsafe.Pointer(acc)) | uintptr(unsafe.Pointer(acc2)) | uintptr(p.stride) | uintptr(4*columns)
	if ends.Past && !ends.More && at%line == 0 && bits.OnesCount(uint(columns)) == 1 {
		p.past = 1
	}
}

// pick sets what is the same for all blocks, and tells whether there are any edges.
func (p *picked) pick(width int, ids, bounds []int32, group int, ends Ends[float32], next Next[float32]) bool {
	rows := len(bounds) - 1
	if rows < 1 || width == 0 {
		return false
	}
	first, last := int(bounds[0]), int(bounds[rows])
	if first == last {
		return false
	}
	p.stride, p.wstride = 4*width, 4*(width/group)
	p.ids, p.bounds, p.rows = &ids[0], &bounds[0], rows
	if ends.More {
		p.more = 1
	}
	if last-first <= rows {
		p.leaves = 1
	}
	p.prefetch(ids, first, last, next)
	return true
}

// prefetch sets what is prefetched for others beside edges [first, last): the rows of
// as many edges behind them.
func (p *picked) prefetch(ids []int32, first, last int, next Next[float32]) {
	const line = 16
	if len(next.X) == 0 {
		return
	}
	ahead := last - first
	p.soon = min(cap(ids)-ahead, last)
	if p.soon <= first {
		p.soon = 0
		return
	}
	p.next, p.nextIDs = &next.X[0], &ids[:cap(ids)][ahead]
	p.nextStride = 4 * next.Stride
	p.nextLine = 4 * max(min(next.Width, 2*line)-line, 0)
}

// withoutEdges ends the sums of rows none of which has an edge.
func withoutEdges(acc []float32, width int, bounds []int32, group int, ends Ends[float32]) {
	acc = rowsOfSegments(acc, width, bounds)
	ends.begin(acc)
	if !ends.More && leavesZeros(ends.By[:min(len(ends.By), len(acc)/max(group, 1))]) {
		return
	}
	ends.end(acc, group, mulGroups)
}

// leavesZeros tells whether 0 times each number is 0, not -0 nor NaN.
func leavesZeros(by []float32) bool {
	for _, x := range by {
		if !(x > 0 && x <= math.MaxFloat32) {
			return false
		}
	}
	return true
}

func segmentGatherSum512(acc, x []float32, width int, ids, bounds []int32, group int, ends Ends[float32], next Next[float32]) {
	checkSegments(bounds, len(ids), width, len(acc), width/group, math.MaxInt, ends)
	if ends.By == nil {
		group = width
	}
	var p picked
	if !p.pick(width, ids, bounds, group, ends, next) {
		withoutEdges(acc, width, bounds, group, ends)
		return
	}
	for at := 0; at < width; {
		n := blockOf(width, at, group)
		p.block(x, nil, ends.By, at, n, group, len(bounds)-1)
		p.goPast(ends, n, &acc[at], &acc[at])
		full := p.full(n, width, group, ids, bounds)
		p.readFarAhead(x, n, ids, bounds)
		switch {
		case p.linesInCache(x, width, group):
			segmentGatherSumLinesAVX512(&p, &acc[at])
		case full && n > fullBlock:
			segmentGatherSumFull128AVX512(&p, &acc[at])
		case full:
			segmentGatherSumFull64AVX512(&p, &acc[at])
		case n > 32:
			segmentGatherSum64AVX512(&p, &acc[at])
		case p.far && n > 16:
			segmentGatherSumFar32AVX512(&p, &acc[at])
		case p.far:
			segmentGatherSumFar16AVX512(&p, &acc[at])
		case n > 16:
			segmentGatherSum32AVX512(&p, &acc[at])
		default:
			segmentGatherSum16AVX512(&p, &acc[at])
		}
		at += n
	}
}

func segmentScaleSum512(acc, x []float32, width int, ids, bounds []int32, w []float32, group int, ends Ends[float32], next Next[float32]) {
	checkSegments(bounds, len(ids), width, len(acc), width/group, len(w), ends)
	var p picked
	if !p.pick(width, ids, bounds, group, ends, next) {
		withoutEdges(acc, width, bounds, group, ends)
		return
	}
	for at := 0; at < width; {
		n := blockOf(width, at, group)
		p.block(x, w, ends.By, at, n, group, len(bounds)-1)
		p.goPast(ends, n, &acc[at], &acc[at])
		full := p.full(n, width, group, ids, bounds)
		p.readFarAhead(x, n, ids, bounds)
		switch {
		case p.linesInCache(x, width, group):
			segmentScaleSumLinesAVX512(&p, &acc[at])
		case full && n > fullBlock:
			segmentScaleSumFull128AVX512(&p, &acc[at])
		case full:
			segmentScaleSumFull64AVX512(&p, &acc[at])
		case n > 32:
			segmentScaleSum64AVX512(&p, &acc[at])
		case p.far && n > 16 && p.single == 1:
			segmentScaleSumFarSingle32AVX512(&p, &acc[at])
		case p.far && n > 16:
			segmentScaleSumFar32AVX512(&p, &acc[at])
		case p.far:
			segmentScaleSumFar16AVX512(&p, &acc[at])
		case n > 16 && p.single == 1:
			segmentScaleSumSingle32AVX512(&p, &acc[at])
		case n > 16:
			segmentScaleSum32AVX512(&p, &acc[at])
		default:
			segmentScaleSum16AVX512(&p, &acc[at])
		}
		at += n
	}
}

func segmentFactorSum512(acc, x []float32, width int, ids, bounds []int32, c []float32, ends Ends[float32]) {
	checkSegments(bounds, len(ids), width, len(acc), 1, math.MaxInt, ends)
	var p picked
	if !p.pick(width, ids, bounds, width, ends, Next[float32]{}) {
		withoutEdges(acc, width, bounds, width, ends)
		return
	}
	for at := 0; at < width; {
		n := blockOf(width, at, width)
		p.block(x, c, ends.By, at, n, width, len(bounds)-1)
		p.goPast(ends, n, &acc[at], &acc[at])
		full := p.full(n, width, width, ids, bounds)
		p.readFarAhead(x, n, ids, bounds)
		switch {
		case p.linesInCache(x, width, width):
			segmentFactorSumLinesAVX512(&p, &acc[at])
		case full && n > fullBlock:
			segmentFactorSumFarFull128AVX512(&p, &acc[at])
		case full && 4*len(x) >= farTable:
			segmentFactorSumFarFull64AVX512(&p, &acc[at])
		case full:
			segmentFactorSumFull64AVX512(&p, &acc[at])
		case n > 32:
			segmentFactorSum64AVX512(&p, &acc[at])
		case p.far && n > 16:
			segmentFactorSumFar32AVX512(&p, &acc[at])
		case p.far:
			segmentFactorSumFar16AVX512(&p, &acc[at])
		case n > 16:
			segmentFactorSum32AVX512(&p, &acc[at])
		default:
			segmentFactorSum16AVX512(&p, &acc[at])
		}
		at += n
	}
}

func segmentScaleSums512(acc, acc2, x []float32, width int, ids, bounds []int32, w, w2 []float32, group int, ends Ends[float32], next Next[float32]) {
	checkSegments(bounds, len(ids), width, min(len(acc), len(acc2)), width/group, min(len(w), len(w2)), ends)
	var p picked
	if !p.pick(width, ids, bounds, group, ends, next) {
		withoutEdges(acc, width, bounds, group, ends)
		withoutEdges(acc2, width, bounds, group, ends)
		return
	}
	for at := 0; at < width; {
		n := blockOf(width, at, group)
		p.block(x, w, ends.By, at, n, group, len(bounds)-1)
		p.goPast(ends, n, &acc[at], &acc2[at])
		switch full := p.full(n, width, group, ids, bounds); {
		case full && n > fullBlock:
			segmentScaleSumsFull128AVX512(&p, &acc[at], &acc2[at], &w2[at/group])
		case full:
			segmentScaleSumsFull64AVX512(&p, &acc[at], &acc2[at], &w2[at/group])
		case n > 32:
			segmentScaleSums64AVX512(&p, &acc[at], &acc2[at], &w2[at/group])
		case n > 16:
			segmentScaleSums32AVX512(&p, &acc[at], &acc2[at], &w2[at/group])
		default:
			segmentScaleSums16AVX512(&p, &acc[at], &acc2[at], &w2[at/group])
		}
		at += n
	}
}

// segmentDotScaleSum512 is for groups of 2^n columns, and for one of any size.
func segmentDotScaleSum512(dots, acc, own, x []float32, width int, ids, bounds []int32, w []float32, group int, ends Ends[float32], next Next[float32]) {
	checkSegments(bounds, len(ids), width, min(len(acc), len(own)), width/group, min(len(w), len(dots)), ends)
	var p picked
	if !p.pick(width, ids, bounds, group, ends, next) {
		withoutEdges(acc, width, bounds, group, ends)
		return
	}
	heads := width / group
	spanned := group > 64 || group == width
	if spanned {
		clear(dots[int(bounds[0])*heads : int(bounds[len(bounds)-1])*heads])
	}
	for at := 0; at < width; {
		n := blockOf(width, at, group)
		p.block(x, w, ends.By, at, n, group, len(bounds)-1)
		p.goPast(ends, n, &acc[at], &acc[at])
		if spanned {
			p.fold, p.dots = whole, 1
		} else {
			p.fold, p.dots = bits.TrailingZeros(uint(group)), 1<<(n/group)-1
		}
		full := p.full(n, width, group, ids, bounds)
		if full && isStream(ids, bounds) {
			p.ahead, p.soon = 0, 0 // the products give the hardware time to fetch alone
		}
		switch {
		case full && n > fullBlock:
			segmentDotScaleSumFull128AVX512(&p, &acc[at], &own[at], &dots[at/group])
		case full:
			segmentDotScaleSumFull64AVX512(&p, &acc[at], &own[at], &dots[at/group])
		case n > 32:
			segmentDotScaleSum64AVX512(&p, &acc[at], &own[at], &dots[at/group])
		case n > 16:
			segmentDotScaleSum32AVX512(&p, &acc[at], &own[at], &dots[at/group])
		default:
			segmentDotScaleSum16AVX512(&p, &acc[at], &own[at], &dots[at/group])
		}
		at += n
	}
}

//go:noescape
func segmentGatherSum64AVX512(p *picked, acc *float32)

//go:noescape
func segmentGatherSum32AVX512(p *picked, acc *float32)

//go:noescape
func segmentGatherSum16AVX512(p *picked, acc *float32)

//go:noescape
func segmentGatherSumFar32AVX512(p *picked, acc *float32)

//go:noescape
func segmentGatherSumFar16AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSum64AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSum32AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSum16AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSumSingle32AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSumFarSingle32AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSumFar32AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSumFar16AVX512(p *picked, acc *float32)

//go:noescape
func segmentFactorSum64AVX512(p *picked, acc *float32)

//go:noescape
func segmentFactorSum32AVX512(p *picked, acc *float32)

//go:noescape
func segmentFactorSum16AVX512(p *picked, acc *float32)

//go:noescape
func segmentFactorSumFar32AVX512(p *picked, acc *float32)

//go:noescape
func segmentFactorSumFar16AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSums64AVX512(p *picked, acc, acc2, w2 *float32)

//go:noescape
func segmentScaleSums32AVX512(p *picked, acc, acc2, w2 *float32)

//go:noescape
func segmentScaleSums16AVX512(p *picked, acc, acc2, w2 *float32)

//go:noescape
func segmentDotScaleSum64AVX512(p *picked, acc, own, dots *float32)

//go:noescape
func segmentDotScaleSum32AVX512(p *picked, acc, own, dots *float32)

//go:noescape
func segmentDotScaleSum16AVX512(p *picked, acc, own, dots *float32)

//go:noescape
func segmentGatherSumFull64AVX512(p *picked, acc *float32)

//go:noescape
func segmentGatherSumFull128AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSumFull64AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSumFull128AVX512(p *picked, acc *float32)

//go:noescape
func segmentFactorSumFull64AVX512(p *picked, acc *float32)

//go:noescape
func segmentFactorSumFarFull64AVX512(p *picked, acc *float32)

//go:noescape
func segmentFactorSumFarFull128AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSumsFull64AVX512(p *picked, acc, other, numbers *float32)

//go:noescape
func segmentScaleSumsFull128AVX512(p *picked, acc, other, numbers *float32)

//go:noescape
func segmentDotScaleSumFull64AVX512(p *picked, acc, other, numbers *float32)

//go:noescape
func segmentDotScaleSumFull128AVX512(p *picked, acc, other, numbers *float32)
