//go:build amd64 && !noasm

// Segments with AVX2: from slices to the assembly, which takes a block of columns of all
// rows of a tile at a time.

package kern

import (
	"math"
	"unsafe"
)

// useSegments256 replaces the kernels of segments with one weight an edge, or none, whose
// rows are whole vectors.
func useSegments256(s *Set[float32]) {
	gatherSum, scaleSum, factorSum, scaleSums := s.SegmentGatherSum, s.SegmentScaleSum, s.SegmentFactorSum, s.SegmentScaleSums
	s.SegmentGatherSum = func(acc, x []float32, width int, ids, bounds []int32, group int, ends Ends[float32], next Next[float32]) {
		groups := group
		if ends.By == nil {
			groups = width // for nothing
		}
		if !sums256(width, groups, bounds) {
			gatherSum(acc, x, width, ids, bounds, group, ends, next)
			return
		}
		checkSegments(bounds, len(ids), width, len(acc), 1, math.MaxInt, ends)
		p := summingOf(width, ids, bounds, ends)
		p.each(&oneSum, acc, nil, x, width, ends, sumPlain)
	}
	s.SegmentScaleSum = func(acc, x []float32, width int, ids, bounds []int32, w []float32, group int, ends Ends[float32], next Next[float32]) {
		if !sums256(width, group, bounds) {
			scaleSum(acc, x, width, ids, bounds, w, group, ends, next)
			return
		}
		checkSegments(bounds, len(ids), width, len(acc), 1, len(w), ends)
		p := summingOf(width, ids, bounds, ends)
		p.w = &w[0]
		p.each(&oneSum, acc, nil, x, width, ends, sumByEdge)
	}
	s.SegmentFactorSum = func(acc, x []float32, width int, ids, bounds []int32, c []float32, ends Ends[float32]) {
		if !sums256(width, width, bounds) {
			factorSum(acc, x, width, ids, bounds, c, ends)
			return
		}
		checkSegments(bounds, len(ids), width, len(acc), 1, math.MaxInt, ends)
		p := summingOf(width, ids, bounds, ends)
		p.w = &c[0]
		p.each(&oneSum, acc, nil, x, width, ends, sumByVertex)
	}
	s.SegmentScaleSums = func(acc, acc2, x []float32, width int, ids, bounds []int32, w, w2 []float32, group int, ends Ends[float32], next Next[float32]) {
		if !sums256(width, group, bounds) {
			scaleSums(acc, acc2, x, width, ids, bounds, w, w2, group, ends, next)
			return
		}
		checkSegments(bounds, len(ids), width, min(len(acc), len(acc2)), 1, min(len(w), len(w2)), ends)
		p := summingOf(width, ids, bounds, ends)
		p.w, p.w2 = &w[0], &w2[0]
		p.each(&twoSums, acc, acc2, x, width, ends, sumTwice)
	}
}

// sums256 tells whether rows with so many columns and weights for groups of them are
// for the kernels of AVX2: any edges, and whole vectors.
func sums256(width, group int, bounds []int32) bool {
	rows := len(bounds) - 1
	return rows > 0 && group == width && width > 0 && width%8 == 0 && bounds[0] != bounds[rows]
}

// summing is sums of rows as the assembly reads them.
type summing struct {
	x          *float32 // at the block's columns
	stride     int      // bytes a row of x and acc
	ids        *int32
	bounds     *int32
	acc        *float32 // at the block's columns
	w, w2      *float32 // the weights of edges, or of vertices
	firstBytes int      // bytes of weights that would lie before w
	by         *float32 // what each row is multiplied with at last, or nil
	dots       *float32 // numbers of rows
	toSecond   uintptr  // bytes from acc to the second rows
	rows       int      // left
	ahead      int      // the edges behind which an id is there to prefetch its row
	more       int      // 1 if the sums go on
	past       int      // 1 if they are written past the caches
}

const ahead256 = 32 // AHEAD256 in the assembly

func summingOf(width int, ids, bounds []int32, ends Ends[float32]) summing {
	p := summing{stride: 4 * width, ids: &ids[0], bounds: &bounds[0], rows: len(bounds) - 1}
	p.ahead = min(max(cap(ids)-ahead256, 0), int(bounds[p.rows]))
	if ends.By != nil {
		p.by = &ends.By[0]
	}
	if ends.More {
		p.more = 1
	}
	return p
}

// sumWay is what is summed up.
type sumWay uint8

const (
	sumPlain sumWay = iota
	sumByEdge
	sumByVertex
	sumTwice
	sumAndDot
)

// The columns that one call takes, the most first.
var (
	oneSum  = [...]int{64, 32, 16, 8}
	twoSums = [...]int{32, 32, 16, 8}
)

// each sums up a block of columns after another; second is the second sums, or the rows that
// these are multiplied with.
func (p *summing) each(blocks *[4]int, acc, second, x []float32, width int, ends Ends[float32], way sumWay) {
	for at := 0; at < width; {
		k := 0
		for blocks[k] > width-at {
			k++
		}
		n := blocks[k]
		b := *p
		b.x, b.acc = &x[at], &acc[at]
		where := uintptr(unsafe.Pointer(b.acc)) | uintptr(b.stride) | uintptr(4*n)
		if second != nil {
			to := uintptr(unsafe.Pointer(&second[at]))
			b.toSecond = to - uintptr(unsafe.Pointer(b.acc))
			if way == sumTwice {
				where |= to
			}
		}
		if ends.Past && !ends.More && where%64 == 0 {
			b.past = 1
		}
		b.sum(way, n)
		at += n
	}
}

func (p *summing) sum(way sumWay, columns int) {
	switch way {
	case sumPlain:
		switch columns {
		case 8:
			segmentGatherSum8AVX2(p)
		case 16:
			segmentGatherSum16AVX2(p)
		case 32:
			segmentGatherSum32AVX2(p)
		case 64:
			segmentGatherSum64AVX2(p)
		}
	case sumByEdge:
		switch columns {
		case 8:
			segmentScaleSum8AVX2(p)
		case 16:
			segmentScaleSum16AVX2(p)
		case 32:
			segmentScaleSum32AVX2(p)
		case 64:
			segmentScaleSum64AVX2(p)
		}
	case sumByVertex:
		switch columns {
		case 8:
			segmentFactorSum8AVX2(p)
		case 16:
			segmentFactorSum16AVX2(p)
		case 32:
			segmentFactorSum32AVX2(p)
		case 64:
			segmentFactorSum64AVX2(p)
		}
	case sumTwice:
		switch columns {
		case 8:
			segmentScaleSums8AVX2(p)
		case 16:
			segmentScaleSums16AVX2(p)
		case 32:
			segmentScaleSums32AVX2(p)
		}
	case sumAndDot:
		switch columns {
		case 8:
			segmentSumAndDot8AVX2(p)
		case 16:
			segmentSumAndDot16AVX2(p)
		case 32:
			segmentSumAndDot32AVX2(p)
		}
	}
}

//go:noescape
func segmentGatherSum8AVX2(p *summing)

//go:noescape
func segmentGatherSum16AVX2(p *summing)

//go:noescape
func segmentGatherSum32AVX2(p *summing)

//go:noescape
func segmentGatherSum64AVX2(p *summing)

//go:noescape
func segmentScaleSum8AVX2(p *summing)

//go:noescape
func segmentScaleSum16AVX2(p *summing)

//go:noescape
func segmentScaleSum32AVX2(p *summing)

//go:noescape
func segmentScaleSum64AVX2(p *summing)

//go:noescape
func segmentFactorSum8AVX2(p *summing)

//go:noescape
func segmentFactorSum16AVX2(p *summing)

//go:noescape
func segmentFactorSum32AVX2(p *summing)

//go:noescape
func segmentFactorSum64AVX2(p *summing)

//go:noescape
func segmentScaleSums8AVX2(p *summing)

//go:noescape
func segmentScaleSums16AVX2(p *summing)

//go:noescape
func segmentScaleSums32AVX2(p *summing)

//go:noescape
func segmentSumAndDot8AVX2(p *summing)

//go:noescape
func segmentSumAndDot16AVX2(p *summing)

//go:noescape
func segmentSumAndDot32AVX2(p *summing)
