//go:build amd64 && !noasm

// Segments with AVX-512: from slices to the assembly, which takes a block of columns of
// all rows of a tile at a time.

package kern

import "math/bits"

// useSegments512 replaces the kernels of segments where one walk over the picked rows
// serves all their columns and purposes.
func useSegments512(s *Set[float32]) {
	s.SegmentScaleSum = segmentScaleSum512
	s.SegmentScaleSums = segmentScaleSums512
	dotScaleSum := s.SegmentDotScaleSum
	s.SegmentDotScaleSum = func(dots, acc, own, x []float32, width int, ids, bounds []int32, w []float32, group int) {
		if group < width && bits.OnesCount(uint(group)) != 1 {
			dotScaleSum(dots, acc, own, x, width, ids, bounds, w, group)
			return
		}
		segmentDotScaleSum512(dots, acc, own, x, width, ids, bounds, w, group)
	}
}

// picked is what the kernels of segments have in common, as the assembly reads it.
// A block has 64, 32 or 16 columns, or fewer.
type picked struct {
	x       *float32 // at the block's columns
	stride  int      // bytes a row of x, acc and own
	ids     *int32
	bounds  *int32
	rows    int
	ahead   int      // the edges behind which an id is there to prefetch its row
	w       *float32 // at the weights of the block's columns
	wstride int      // bytes from an edge's weights to the next edge's
	columns uint64   // mask
	weights uint64   // mask of the weights, at most 16
	order   [64]int32
	fold    int    // how often neighbouring products are added up: 2^fold columns make a dot product; all if whole
	dots    uint64 // mask of the dot products
}

// whole says that all columns of the block belong to the same dot product, to which
// they are added.
const whole = 7

// blockOf returns how many columns from column at on make the next block.
func blockOf(width, at, group int) int {
	const weights = 16 // in a vector
	switch n := width - at; {
	case group < 4 || n <= 16: // 16 columns have 16 weights at most
		return min(n, weights)
	case n <= 32:
		return n
	default:
		return min(n, 64)
	}
}

// block makes p the block of so many columns from column at on.
func (p *picked) block(x, w []float32, at, columns, group int) {
	first := at / group
	last := (at + columns - 1) / group
	p.x, p.w = &x[at], &w[first]
	p.columns = 1<<columns - 1
	p.weights = 1<<(last-first+1) - 1
	if group >= columns && first == last {
		clear(p.order[:])
		return
	}
	for k := range columns {
		p.order[k] = int32((at+k)/group - first)
	}
}

// pick sets what is the same for all blocks, and tells whether there is anything to do.
func (p *picked) pick(acc, x []float32, width int, ids, bounds []int32, w []float32, group int) bool {
	rows := len(bounds) - 1
	if rows < 1 || width == 0 {
		return false
	}
	checkBounds(bounds, len(ids))
	first, last := int(bounds[0]), int(bounds[rows])
	if first == last {
		return false
	}
	heads := width / group
	_, _ = acc[rows*width-1], w[last*heads-1]
	p.stride, p.wstride = 4*width, 4*heads
	p.ids, p.bounds, p.rows = &ids[0], &bounds[0], rows
	p.ahead = min(max(cap(ids)-aheadIDs, 0), last)
	return true
}

func segmentScaleSum512(acc, x []float32, width int, ids, bounds []int32, w []float32, group int) {
	var p picked
	if !p.pick(acc, x, width, ids, bounds, w, group) {
		return
	}
	for at := 0; at < width; {
		n := blockOf(width, at, group)
		p.block(x, w, at, n, group)
		switch {
		case n > 32:
			segmentScaleSum64AVX512(&p, &acc[at])
		case n > 16:
			segmentScaleSum32AVX512(&p, &acc[at])
		default:
			segmentScaleSum16AVX512(&p, &acc[at])
		}
		at += n
	}
}

func segmentScaleSums512(acc, acc2, x []float32, width int, ids, bounds []int32, w, w2 []float32, group int) {
	var p picked
	if !p.pick(acc, x, width, ids, bounds, w, group) {
		return
	}
	last := int(bounds[p.rows])
	_, _ = acc2[p.rows*width-1], w2[last*(width/group)-1]
	for at := 0; at < width; {
		n := blockOf(width, at, group)
		p.block(x, w, at, n, group)
		switch {
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
func segmentDotScaleSum512(dots, acc, own, x []float32, width int, ids, bounds []int32, w []float32, group int) {
	var p picked
	if !p.pick(acc, x, width, ids, bounds, w, group) {
		return
	}
	heads := width / group
	first, last := int(bounds[0])*heads, int(bounds[p.rows])*heads
	_, _ = own[p.rows*width-1], dots[last-1]
	spanned := group > 64 || group == width
	if spanned {
		clear(dots[first:last])
	}
	for at := 0; at < width; {
		n := blockOf(width, at, group)
		p.block(x, w, at, n, group)
		if spanned {
			p.fold, p.dots = whole, 1
		} else {
			p.fold, p.dots = bits.TrailingZeros(uint(group)), 1<<(n/group)-1
		}
		switch {
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
func segmentScaleSum64AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSum32AVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSum16AVX512(p *picked, acc *float32)

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
