//go:build amd64 && !noasm

// Segments of both types with AVX2: from slices to the assembly, which takes a block of
// columns of all rows of a tile at a time.

package kern

import (
	"math"
	"unsafe"
)

// useSegments256 replaces the kernels of segments with one weight an edge, or none, whose
// rows are whole vectors.
func useSegments256[T Float](s *Set[T]) {
	gatherSum, scaleSum, factorSum, scaleSums := s.SegmentGatherSum, s.SegmentScaleSum, s.SegmentFactorSum, s.SegmentScaleSums
	dotScaleSum := s.SegmentDotScaleSum
	s.SegmentGatherSum = func(acc, x []T, width int, ids, bounds []int32, group int, ends Ends[T], next Next[T]) {
		groups := group
		if ends.By == nil {
			groups = width // for nothing
		}
		if !sums256[T](width, groups, bounds) {
			gatherSum(acc, x, width, ids, bounds, group, ends, next)
			return
		}
		checkSegments(bounds, len(ids), width, len(acc), 1, math.MaxInt, ends)
		p := summingOf(width, ids, bounds, ends)
		sumBlocks(&p, &oneSum, 0, acc, nil, x, width, ends, sumPlain)
	}
	s.SegmentScaleSum = func(acc, x []T, width int, ids, bounds []int32, w []T, group int, ends Ends[T], next Next[T]) {
		if !sums256[T](width, group, bounds) {
			scaleSum(acc, x, width, ids, bounds, w, group, ends, next)
			return
		}
		checkSegments(bounds, len(ids), width, len(acc), 1, len(w), ends)
		p := summingOf(width, ids, bounds, ends)
		p.w = word(&w[0])
		sumBlocks(&p, &oneSum, 0, acc, nil, x, width, ends, sumByEdge)
	}
	s.SegmentFactorSum = func(acc, x []T, width int, ids, bounds []int32, c []T, ends Ends[T]) {
		if !sums256[T](width, width, bounds) {
			factorSum(acc, x, width, ids, bounds, c, ends)
			return
		}
		checkSegments(bounds, len(ids), width, len(acc), 1, math.MaxInt, ends)
		p := summingOf(width, ids, bounds, ends)
		p.w = word(&c[0])
		sumBlocks(&p, &oneSum, 0, acc, nil, x, width, ends, sumByVertex)
	}
	s.SegmentScaleSums = func(acc, acc2, x []T, width int, ids, bounds []int32, w, w2 []T, group int, ends Ends[T], next Next[T]) {
		if !sums256[T](width, group, bounds) {
			scaleSums(acc, acc2, x, width, ids, bounds, w, w2, group, ends, next)
			return
		}
		checkSegments(bounds, len(ids), width, min(len(acc), len(acc2)), 1, min(len(w), len(w2)), ends)
		p := summingOf(width, ids, bounds, ends)
		p.w, p.w2 = word(&w[0]), word(&w2[0])
		sumBlocks(&p, &twoSums, 0, acc, acc2, x, width, ends, sumTwice)
	}
	s.SegmentDotScaleSum = func(dots, acc, own, x []T, width int, ids, bounds []int32, w []T, group int, ends Ends[T], next Next[T]) {
		if !sums256[T](width, group, bounds) {
			dotScaleSum(dots, acc, own, x, width, ids, bounds, w, group, ends, next)
			return
		}
		checkSegments(bounds, len(ids), width, min(len(acc), len(own)), 1, min(len(w), len(dots)), ends)
		p := summingOf(width, ids, bounds, ends)
		p.w, p.dots = word(&w[0]), word(&dots[0])
		clear(dots[bounds[0]:bounds[p.rows]]) // to which each block adds its part
		sumBlocks(&p, &oneSum, 0, acc, own, x, width, ends, sumWithDots)
	}
}

// sums256 tells whether rows with so many columns and weights for groups of them are
// for the kernels of AVX2: any edges, and whole vectors. Rows of float64 of wide bytes or more
// take 0.8 of the time one after another, not block by block; those of float32, which would
// too, keep the order in which their blocks add.
func sums256[T Float](width, group int, bounds []int32) bool {
	const wide = 2048
	if wordsOf[T]() == 2 && bytesOf[T](width) >= wide {
		return false
	}
	rows := len(bounds) - 1
	return rows > 0 && group == width && width > 0 && width%vectorOf[T]() == 0 && bounds[0] != bounds[rows]
}

// summing is sums of rows as the assembly of their type reads them.
type summing struct {
	x        *float32 // at the block's columns
	stride   int      // bytes a row of x and acc
	ids      *int32
	bounds   *int32
	acc      *float32 // at the block's columns
	w, w2    *float32 // the weights of edges, or of vertices
	by       *float32 // what each row is multiplied with at last, or nil
	dots     *float32 // numbers of rows, or of edges
	toSecond uintptr  // bytes from acc to the second rows
	rows     int      // left
	ahead    int      // the edges behind which an id is there to prefetch its row
	more     int      // 1 if the sums go on
	past     int      // 1 if they are written past the caches
}

const ahead256 = 32 // AHEAD256 in the assembly

func summingOf[T Float](width int, ids, bounds []int32, ends Ends[T]) summing {
	p := summing{stride: bytesOf[T](width), ids: &ids[0], bounds: &bounds[0], rows: len(bounds) - 1}
	p.ahead = min(max(cap(ids)-ahead256, 0), int(bounds[p.rows]))
	if ends.By != nil {
		p.by = word(&ends.By[0])
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
	sumWithDots
)

// mostVectors is those of columns of float32 that a call takes of one sum a row: of two blocks
// one after the other, rows would be read in halves with gaps between.
const mostVectors = 16

// The vectors of columns that one call takes, the most first.
var (
	oneSum  = [...]int{8, 4, 2, 1}
	twoSums = [...]int{4, 4, 2, 1}
)

// sumBlocks sums up a block of columns after another, from a column on; second is the second
// sums, or the rows that these are multiplied with.
func sumBlocks[T Float](p *summing, blocks *[4]int, from int, acc, second, x []T, width int, ends Ends[T], way sumWay) {
	for at := from; at < width; {
		vectors := vectorsAt[T](blocks[:], width-at)
		if way != sumTwice && wordsOf[T]() == 1 && width-at >= mostVectors*vectorOf[T]() {
			vectors = mostVectors
		}
		b := blockAt(p, at, vectors, acc, second, x, ends, way)
		if wordsOf[T]() == 1 {
			b.sum(way, vectors)
		} else {
			b.sum64(way, vectors)
		}
		at += vectors * vectorOf[T]()
	}
}

// vectorsAt is how many vectors a block takes where so many columns are left.
func vectorsAt[T Float](blocks []int, columns int) int {
	k := 0
	for blocks[k]*vectorOf[T]() > columns {
		k++
	}
	return blocks[k]
}

// blockAt is p for the block of so many vectors at a column.
func blockAt[T Float](p *summing, at, vectors int, acc, second, x []T, ends Ends[T], way sumWay) summing {
	b := *p
	b.x, b.acc = word(&x[at]), word(&acc[at])
	where := uintptr(unsafe.Pointer(b.acc)) | uintptr(b.stride) | uintptr(bytesOf[T](vectors*vectorOf[T]()))
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
	return b
}

func (p *summing) sum(way sumWay, vectors int) {
	switch way {
	case sumPlain:
		switch vectors {
		case 1:
			segmentGatherSumOneAVX2(p)
		case 2:
			segmentGatherSumTwoAVX2(p)
		case 4:
			segmentGatherSumFourAVX2(p)
		case 8:
			segmentGatherSumEightAVX2(p)
		case mostVectors:
			segmentGatherSumSixteenAVX2(p)
		}
	case sumByEdge:
		switch vectors {
		case 1:
			segmentScaleSumOneAVX2(p)
		case 2:
			segmentScaleSumTwoAVX2(p)
		case 4:
			segmentScaleSumFourAVX2(p)
		case 8:
			segmentScaleSumEightAVX2(p)
		case mostVectors:
			segmentScaleSumSixteenAVX2(p)
		}
	case sumByVertex:
		switch vectors {
		case 1:
			segmentFactorSumOneAVX2(p)
		case 2:
			segmentFactorSumTwoAVX2(p)
		case 4:
			segmentFactorSumFourAVX2(p)
		case 8:
			segmentFactorSumEightAVX2(p)
		case mostVectors:
			segmentFactorSumSixteenAVX2(p)
		}
	case sumTwice:
		switch vectors {
		case 1:
			segmentScaleSumsOneAVX2(p)
		case 2:
			segmentScaleSumsTwoAVX2(p)
		case 4:
			segmentScaleSumsFourAVX2(p)
		}
	case sumWithDots:
		switch vectors {
		case 1:
			segmentDotScaleSumOneAVX2(p)
		case 2:
			segmentDotScaleSumTwoAVX2(p)
		case 4:
			segmentDotScaleSumFourAVX2(p)
		case 8:
			segmentDotScaleSumEightAVX2(p)
		case mostVectors:
			segmentDotScaleSumSixteenAVX2(p)
		}
	}
}

func (p *summing) sum64(way sumWay, vectors int) {
	switch way {
	case sumPlain:
		switch vectors {
		case 1:
			segmentGatherSumOne64AVX2(p)
		case 2:
			segmentGatherSumTwo64AVX2(p)
		case 4:
			segmentGatherSumFour64AVX2(p)
		case 8:
			segmentGatherSumEight64AVX2(p)
		}
	case sumByEdge:
		switch vectors {
		case 1:
			segmentScaleSumOne64AVX2(p)
		case 2:
			segmentScaleSumTwo64AVX2(p)
		case 4:
			segmentScaleSumFour64AVX2(p)
		case 8:
			segmentScaleSumEight64AVX2(p)
		}
	case sumByVertex:
		switch vectors {
		case 1:
			segmentFactorSumOne64AVX2(p)
		case 2:
			segmentFactorSumTwo64AVX2(p)
		case 4:
			segmentFactorSumFour64AVX2(p)
		case 8:
			segmentFactorSumEight64AVX2(p)
		}
	case sumTwice:
		switch vectors {
		case 1:
			segmentScaleSumsOne64AVX2(p)
		case 2:
			segmentScaleSumsTwo64AVX2(p)
		case 4:
			segmentScaleSumsFour64AVX2(p)
		}
	case sumWithDots:
		switch vectors {
		case 1:
			segmentDotScaleSumOne64AVX2(p)
		case 2:
			segmentDotScaleSumTwo64AVX2(p)
		case 4:
			segmentDotScaleSumFour64AVX2(p)
		case 8:
			segmentDotScaleSumEight64AVX2(p)
		}
	}
}

//go:noescape
func segmentGatherSumOneAVX2(p *summing)

//go:noescape
func segmentGatherSumOne64AVX2(p *summing)

//go:noescape
func segmentGatherSumTwoAVX2(p *summing)

//go:noescape
func segmentGatherSumTwo64AVX2(p *summing)

//go:noescape
func segmentGatherSumFourAVX2(p *summing)

//go:noescape
func segmentGatherSumFour64AVX2(p *summing)

//go:noescape
func segmentGatherSumEightAVX2(p *summing)

//go:noescape
func segmentGatherSumEight64AVX2(p *summing)

//go:noescape
func segmentScaleSumOneAVX2(p *summing)

//go:noescape
func segmentScaleSumOne64AVX2(p *summing)

//go:noescape
func segmentScaleSumTwoAVX2(p *summing)

//go:noescape
func segmentScaleSumTwo64AVX2(p *summing)

//go:noescape
func segmentScaleSumFourAVX2(p *summing)

//go:noescape
func segmentScaleSumFour64AVX2(p *summing)

//go:noescape
func segmentScaleSumEightAVX2(p *summing)

//go:noescape
func segmentScaleSumEight64AVX2(p *summing)

//go:noescape
func segmentFactorSumOneAVX2(p *summing)

//go:noescape
func segmentFactorSumOne64AVX2(p *summing)

//go:noescape
func segmentFactorSumTwoAVX2(p *summing)

//go:noescape
func segmentFactorSumTwo64AVX2(p *summing)

//go:noescape
func segmentFactorSumFourAVX2(p *summing)

//go:noescape
func segmentFactorSumFour64AVX2(p *summing)

//go:noescape
func segmentFactorSumEightAVX2(p *summing)

//go:noescape
func segmentFactorSumEight64AVX2(p *summing)

//go:noescape
func segmentScaleSumsOneAVX2(p *summing)

//go:noescape
func segmentScaleSumsOne64AVX2(p *summing)

//go:noescape
func segmentScaleSumsTwoAVX2(p *summing)

//go:noescape
func segmentScaleSumsTwo64AVX2(p *summing)

//go:noescape
func segmentScaleSumsFourAVX2(p *summing)

//go:noescape
func segmentScaleSumsFour64AVX2(p *summing)

//go:noescape
func segmentGatherSumSixteenAVX2(p *summing)

//go:noescape
func segmentDotScaleSumOneAVX2(p *summing)

//go:noescape
func segmentDotScaleSumOne64AVX2(p *summing)

//go:noescape
func segmentDotScaleSumTwoAVX2(p *summing)

//go:noescape
func segmentDotScaleSumTwo64AVX2(p *summing)

//go:noescape
func segmentDotScaleSumFourAVX2(p *summing)

//go:noescape
func segmentDotScaleSumFour64AVX2(p *summing)

//go:noescape
func segmentDotScaleSumEightAVX2(p *summing)

//go:noescape
func segmentDotScaleSumEight64AVX2(p *summing)

//go:noescape
func segmentDotScaleSumSixteenAVX2(p *summing)

//go:noescape
func segmentScaleSumSixteenAVX2(p *summing)

//go:noescape
func segmentFactorSumSixteenAVX2(p *summing)
