//go:build arm64 && !noasm

// Segments with NEON: from slices to the assembly, which takes a block of columns of all
// rows at a time. The row kernels are segments of one row.

package kern

import (
	"math"
	"unsafe"
)

func useSegments(s *Set[float32]) {
	s.GatherSum = func(acc, x []float32, stride int, ids []int32) {
		if len(acc) > 0 && len(ids) > 0 {
			var bounds [2]int32
			p := segmentOf(&bounds, ids, stride, len(acc))
			p.each(sumPlain, acc, x, len(acc))
		}
	}
	s.GatherMax = func(acc, x []float32, stride int, ids []int32) {
		if len(acc) > 0 && len(ids) > 0 {
			var bounds [2]int32
			p := segmentOf(&bounds, ids, stride, len(acc))
			p.each(sumLargest, acc, x, len(acc))
		}
	}
	s.GatherScaleSum = func(acc, x []float32, stride int, ids []int32, w []float32, wstride int) {
		if len(acc) > 0 && len(ids) > 0 {
			_ = w[(len(ids)-1)*wstride]
			var bounds [2]int32
			p := segmentOf(&bounds, ids, stride, len(acc))
			p.w, p.wStep = &w[0], 4*wstride
			p.each(sumByEdge, acc, x, len(acc))
		}
	}
	s.GatherFactorSum = func(acc, x []float32, stride int, ids []int32, c []float32) {
		if len(acc) > 0 && len(ids) > 0 {
			var bounds [2]int32
			p := segmentOf(&bounds, ids, stride, len(acc))
			p.w = &c[0]
			p.each(sumByVertex, acc, x, len(acc))
		}
	}
	s.GatherScaleSumHeads = func(acc, x []float32, stride int, ids []int32, w []float32, wstride, group int) {
		if len(acc) > 0 && len(ids) > 0 {
			_ = w[(len(ids)-1)*wstride+(len(acc)-1)/group]
			var bounds [2]int32
			p := segmentOf(&bounds, ids, stride, len(acc))
			p.wStep = 4 * wstride
			p.heads(acc, x, w, len(acc), group)
		}
	}
	s.SegmentGatherSum = func(acc, x []float32, width int, ids, bounds []int32, group int, ends Ends[float32], _ Next[float32]) {
		checkSegments(bounds, len(ids), width, len(acc), width/group, math.MaxInt, ends)
		if !haveEdges(width, bounds) {
			segmentGatherSum(s, acc, x, width, ids, bounds, group, ends)
			return
		}
		p := segmentsOf(ids, bounds, width, width, ends)
		by := p.ends(ends, group == width)
		p.each(sumPlain, acc, x, width)
		by.end(rowsOfSegments(acc, width, bounds), group, s.MulGroups)
	}
	s.SegmentScaleSum = func(acc, x []float32, width int, ids, bounds []int32, w []float32, group int, ends Ends[float32], _ Next[float32]) {
		heads := width / group
		checkSegments(bounds, len(ids), width, len(acc), heads, len(w), ends)
		if !haveEdges(width, bounds) {
			segmentScaleSum(s, acc, x, width, ids, bounds, w, group, ends)
			return
		}
		p := segmentsOf(ids, bounds, width, width, ends)
		p.wStep = 4 * heads
		by := p.ends(ends, heads == 1)
		p.heads(acc, x, w[int(bounds[0])*heads:], width, group)
		by.end(rowsOfSegments(acc, width, bounds), group, s.MulGroups)
	}
	s.SegmentFactorSum = func(acc, x []float32, width int, ids, bounds []int32, c []float32, ends Ends[float32]) {
		checkSegments(bounds, len(ids), width, len(acc), 1, math.MaxInt, ends)
		if !haveEdges(width, bounds) {
			segmentFactorSum(s, acc, x, width, ids, bounds, c, ends)
			return
		}
		p := segmentsOf(ids, bounds, width, width, ends)
		p.ends(ends, true)
		p.w = &c[0]
		p.each(sumByVertex, acc, x, width)
	}
	scaleSums := s.SegmentScaleSums
	s.SegmentScaleSums = func(acc, acc2, x []float32, width int, ids, bounds []int32, w, w2 []float32, group int, ends Ends[float32], next Next[float32]) {
		if group != width || !haveEdges(width, bounds) {
			scaleSums(acc, acc2, x, width, ids, bounds, w, w2, group, ends, next)
			return
		}
		checkSegments(bounds, len(ids), width, min(len(acc), len(acc2)), 1, min(len(w), len(w2)), ends)
		p := segmentsOf(ids, bounds, width, width, ends)
		p.ends(ends, true)
		p.w, p.w2, p.wStep = &w[bounds[0]], &w2[bounds[0]], 4
		p.eachTwice(acc, acc2, x, width)
	}
}

// haveEdges tells whether there is anything to read for segments.
func haveEdges(width int, bounds []int32) bool {
	rows := len(bounds) - 1
	return rows > 0 && width > 0 && bounds[0] != bounds[rows]
}

// segmentSums is sums of rows as the assembly reads them.
type segmentSums struct {
	x      *float32 // at the block's columns
	stride int      // bytes a row of x
	ids    *int32
	bounds *int32
	rows   int
	acc    *float32 // at the block's columns
	step   int      // bytes a row of acc
	w, w2  *float32 // the weights of edges, at the first; or of vertices
	wStep  int      // bytes from an edge's weights to the next one's
	by     *float32 // what each row is multiplied with at last, or nil
	second uintptr  // bytes from acc to the second sums
	ahead  int      // the edges behind which an id is there to prefetch its row
	more   int      // 1 if the sums go on
}

const aheadNEON = 32 // AHEADNEON in the assembly

// segmentsOf are sums of rows of x, stride elements apart, to rows of so many columns.
func segmentsOf(ids, bounds []int32, stride, columns int, ends Ends[float32]) segmentSums {
	p := segmentSums{stride: 4 * stride, step: 4 * columns, ids: &ids[0], bounds: &bounds[0], rows: len(bounds) - 1}
	p.ahead = max(cap(ids)-aheadNEON, 0)
	if ends.More {
		p.more = 1
	}
	return p
}

// segmentOf is one row's sum, which goes on; bounds is room for its bounds.
func segmentOf(bounds *[2]int32, ids []int32, stride, columns int) segmentSums {
	bounds[1] = int32(len(ids))
	return segmentsOf(ids, bounds[:], stride, columns, Ends[float32]{More: true})
}

// ends lets the assembly multiply rows at last, if a row has one factor, and returns what is
// left to do.
func (p *segmentSums) ends(ends Ends[float32], one bool) Ends[float32] {
	if ends.By != nil && one {
		p.by = &ends.By[0]
		ends.By = nil
	}
	return ends
}

// sumWay is what is summed up, or that the largest is taken.
type sumWay uint8

const (
	sumPlain sumWay = iota
	sumByEdge
	sumByVertex
	sumByRows
	sumLargest
)

// heads sums up by weights of edges, one for each group of columns. Four groups of 4, 8 or 16
// columns are a block; others go one by one.
func (p segmentSums) heads(acc, x, w []float32, width, group int) {
	if group == 1 {
		p.w = &w[0]
		p.each(sumByRows, acc, x, width)
		return
	}
	at := 0
	if group == 4 || group == 8 || group == 16 {
		const heads = 4
		for ; at+heads*group <= width; at += heads * group {
			p.x, p.acc, p.w = &x[at], &acc[at], &w[at/group]
			switch group {
			case 4:
				segmentHeads4NEON(&p)
			case 8:
				segmentHeads8NEON(&p)
			case 16:
				segmentHeads16NEON(&p)
			}
		}
	}
	for ; at < width; at += group {
		p.w = &w[at/group]
		p.each(sumByEdge, acc[at:], x[at:], min(group, width-at))
	}
}

// blockOf is how many columns the next block takes, of so many.
func blockOf(most, columns int) int {
	for most > columns {
		most /= 2
	}
	return most
}

// each sums up a block of columns after another.
func (p segmentSums) each(way sumWay, acc, x []float32, width int) {
	w := p.w
	for at, n := 0, 0; at < width; at += n {
		n = blockOf(64, width-at)
		p.x, p.acc = &x[at], &acc[at]
		switch way {
		case sumPlain:
			p.plain(n)
		case sumByEdge:
			p.byEdge(n)
		case sumByVertex:
			p.byVertex(n)
		case sumByRows:
			p.w = (*float32)(unsafe.Add(unsafe.Pointer(w), 4*at))
			p.byRows(n)
		case sumLargest:
			p.largest(n)
		}
	}
}

func (p segmentSums) eachTwice(acc, acc2, x []float32, width int) {
	for at, n := 0, 0; at < width; at += n {
		n = blockOf(32, width-at)
		p.x, p.acc = &x[at], &acc[at]
		p.second = uintptr(unsafe.Pointer(&acc2[at])) - uintptr(unsafe.Pointer(p.acc))
		p.twice(n)
	}
}

func (p segmentSums) plain(columns int) {
	switch columns {
	case 64:
		segmentSum64NEON(&p)
	case 32:
		segmentSum32NEON(&p)
	case 16:
		segmentSum16NEON(&p)
	case 8:
		segmentSum8NEON(&p)
	case 4:
		segmentSum4NEON(&p)
	case 2:
		segmentSum2NEON(&p)
	case 1:
		segmentSum1NEON(&p)
	}
}

func (p segmentSums) byEdge(columns int) {
	switch columns {
	case 64:
		segmentScaleSum64NEON(&p)
	case 32:
		segmentScaleSum32NEON(&p)
	case 16:
		segmentScaleSum16NEON(&p)
	case 8:
		segmentScaleSum8NEON(&p)
	case 4:
		segmentScaleSum4NEON(&p)
	case 2:
		segmentScaleSum2NEON(&p)
	case 1:
		segmentScaleSum1NEON(&p)
	}
}

func (p segmentSums) byVertex(columns int) {
	switch columns {
	case 64:
		segmentFactorSum64NEON(&p)
	case 32:
		segmentFactorSum32NEON(&p)
	case 16:
		segmentFactorSum16NEON(&p)
	case 8:
		segmentFactorSum8NEON(&p)
	case 4:
		segmentFactorSum4NEON(&p)
	case 2:
		segmentFactorSum2NEON(&p)
	case 1:
		segmentFactorSum1NEON(&p)
	}
}

func (p segmentSums) byRows(columns int) {
	switch columns {
	case 64:
		segmentRowsSum64NEON(&p)
	case 32:
		segmentRowsSum32NEON(&p)
	case 16:
		segmentRowsSum16NEON(&p)
	case 8:
		segmentRowsSum8NEON(&p)
	case 4:
		segmentRowsSum4NEON(&p)
	case 2:
		segmentRowsSum2NEON(&p)
	case 1:
		segmentRowsSum1NEON(&p)
	}
}

func (p segmentSums) largest(columns int) {
	switch columns {
	case 64:
		segmentMax64NEON(&p)
	case 32:
		segmentMax32NEON(&p)
	case 16:
		segmentMax16NEON(&p)
	case 8:
		segmentMax8NEON(&p)
	case 4:
		segmentMax4NEON(&p)
	case 2:
		segmentMax2NEON(&p)
	case 1:
		segmentMax1NEON(&p)
	}
}

func (p segmentSums) twice(columns int) {
	switch columns {
	case 32:
		segmentScaleSums32NEON(&p)
	case 16:
		segmentScaleSums16NEON(&p)
	case 8:
		segmentScaleSums8NEON(&p)
	case 4:
		segmentScaleSums4NEON(&p)
	case 2:
		segmentScaleSums2NEON(&p)
	case 1:
		segmentScaleSums1NEON(&p)
	}
}

//go:noescape
func segmentSum64NEON(p *segmentSums)

//go:noescape
func segmentSum32NEON(p *segmentSums)

//go:noescape
func segmentSum16NEON(p *segmentSums)

//go:noescape
func segmentSum8NEON(p *segmentSums)

//go:noescape
func segmentSum4NEON(p *segmentSums)

//go:noescape
func segmentSum2NEON(p *segmentSums)

//go:noescape
func segmentSum1NEON(p *segmentSums)

//go:noescape
func segmentScaleSum64NEON(p *segmentSums)

//go:noescape
func segmentScaleSum32NEON(p *segmentSums)

//go:noescape
func segmentScaleSum16NEON(p *segmentSums)

//go:noescape
func segmentScaleSum8NEON(p *segmentSums)

//go:noescape
func segmentScaleSum4NEON(p *segmentSums)

//go:noescape
func segmentScaleSum2NEON(p *segmentSums)

//go:noescape
func segmentScaleSum1NEON(p *segmentSums)

//go:noescape
func segmentFactorSum64NEON(p *segmentSums)

//go:noescape
func segmentFactorSum32NEON(p *segmentSums)

//go:noescape
func segmentFactorSum16NEON(p *segmentSums)

//go:noescape
func segmentFactorSum8NEON(p *segmentSums)

//go:noescape
func segmentFactorSum4NEON(p *segmentSums)

//go:noescape
func segmentFactorSum2NEON(p *segmentSums)

//go:noescape
func segmentFactorSum1NEON(p *segmentSums)

//go:noescape
func segmentRowsSum64NEON(p *segmentSums)

//go:noescape
func segmentRowsSum32NEON(p *segmentSums)

//go:noescape
func segmentRowsSum16NEON(p *segmentSums)

//go:noescape
func segmentRowsSum8NEON(p *segmentSums)

//go:noescape
func segmentRowsSum4NEON(p *segmentSums)

//go:noescape
func segmentRowsSum2NEON(p *segmentSums)

//go:noescape
func segmentRowsSum1NEON(p *segmentSums)

//go:noescape
func segmentMax64NEON(p *segmentSums)

//go:noescape
func segmentMax32NEON(p *segmentSums)

//go:noescape
func segmentMax16NEON(p *segmentSums)

//go:noescape
func segmentMax8NEON(p *segmentSums)

//go:noescape
func segmentMax4NEON(p *segmentSums)

//go:noescape
func segmentMax2NEON(p *segmentSums)

//go:noescape
func segmentMax1NEON(p *segmentSums)

//go:noescape
func segmentHeads4NEON(p *segmentSums)

//go:noescape
func segmentHeads8NEON(p *segmentSums)

//go:noescape
func segmentHeads16NEON(p *segmentSums)

//go:noescape
func segmentScaleSums32NEON(p *segmentSums)

//go:noescape
func segmentScaleSums16NEON(p *segmentSums)

//go:noescape
func segmentScaleSums8NEON(p *segmentSums)

//go:noescape
func segmentScaleSums4NEON(p *segmentSums)

//go:noescape
func segmentScaleSums2NEON(p *segmentSums)

//go:noescape
func segmentScaleSums1NEON(p *segmentSums)
