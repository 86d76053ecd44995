//go:build amd64 && !noasm

// Row kernels with heads, of both types: which assembly serves which size of groups.

package kern

import "math/bits"

// scaleHeads and dotHeads are assembly of groups of columns with a weight, or a dot product,
// each.
type (
	scaleHeads[T Float] func(acc *T, width int, x *T, stride int, ids *int32, n, ahead int, w *T, wstride int)
	dotHeads[T Float]   func(out *T, ostride int, row *T, width int, x *T, stride int, ids *int32, n, ahead int)
)

// heads is the assembly of a type, for groups of 1, 2, 4, 8 and 16 columns, or nil.
type heads[T Float] struct {
	scale   [5]scaleHeads[T]
	dots    [5]dotHeads[T]
	columns [5]int // which the rows of dots must have a multiple of
	// any has groups of whole vectors
	any func(out *T, ostride int, row *T, groups, group int, x *T, stride int, ids *int32, n, ahead int)
	// scaleOne and dot have one group
	scaleOne scaleHeads[T]
	dot      dotHeads[T]
}

func useHeads(s *Set[float32]) {
	headsBy(s, heads[float32]{
		scale:   [5]scaleHeads[float32]{gatherScaleEachAVX2, gatherScaleQuartersAVX2, gatherScaleHalvesAVX2, gatherScaleVectorsAVX2, gatherScaleTwoVectorsAVX2},
		dots:    [5]dotHeads[float32]{nil, gatherDotPairsAVX2, gatherDotFoursAVX2, gatherDotVectorsAVX2, gatherDotTwoVectorsAVX2},
		columns: [5]int{1, 16, 16, 32, 64}, any: gatherDotAnyVectorsAVX2,
		scaleOne: gatherScaleSumAVX2, dot: gatherDotAVX2,
	})
}

func useHeads64(s *Set[float64]) {
	headsBy(s, heads[float64]{
		scale:   [5]scaleHeads[float64]{gatherScaleEach64AVX2, gatherScaleHalves64AVX2, gatherScaleVectors64AVX2, gatherScaleTwoVectors64AVX2},
		dots:    [5]dotHeads[float64]{nil, gatherDotPairs64AVX2, gatherDotVectors64AVX2, gatherDotTwoVectors64AVX2},
		columns: [5]int{1, 8, 16, 32, 1}, any: gatherDotAnyVectors64AVX2,
		scaleOne: gatherScaleSum64AVX2, dot: gatherDot64AVX2,
	})
}

func headsBy[T Float](s *Set[T], h heads[T]) {
	s.GatherScaleSumHeads = func(acc, x []T, stride int, ids []int32, w []T, wstride, group int) {
		if len(acc) > 0 && len(ids) > 0 {
			h.scaleSum(acc, x, stride, ids, w, wstride, group)
		}
	}
	s.GatherDotHeads = func(out []T, ostride int, row, x []T, stride int, ids []int32, group int) {
		if len(row) > 0 && len(ids) > 0 {
			h.dotsOf(out, ostride, row, x, stride, ids, group)
		}
	}
}

// sized returns the place of a size of groups in the tables, or that it has none.
func sized(group int) (place int, ok bool) {
	return bits.TrailingZeros(uint(group)), group <= 16 && group&(group-1) == 0
}

// scaleSum takes groups of the sizes that have assembly in blocks of columns. What they
// leave, and groups of other sizes, go one by one: large ones fill a block alone.
func (h *heads[T]) scaleSum(acc, x []T, stride int, ids []int32, w []T, wstride, group int) {
	_ = w[(len(ids)-1)*wstride+(len(acc)-1)/group]
	blocks := 0
	if place, ok := sized(group); ok && h.scale[place] != nil {
		if blocks = len(acc) - len(acc)%max(group, vectorOf[T]()); blocks > 0 {
			h.scale[place](&acc[0], blocks, &x[0], stride, &ids[0], len(ids), ahead(ids), &w[0], wstride)
		}
	}
	for at := blocks; at < len(acc); at += group {
		h.scaleOne(&acc[at], min(group, len(acc)-at), &x[at], stride, &ids[0], len(ids), ahead(ids), &w[at/group], wstride)
	}
}

// dotsOf takes groups of the sizes that have assembly and fill blocks of columns block by
// block, of other multiples of a vector in a loop each, others one by one.
func (h *heads[T]) dotsOf(out []T, ostride int, row, x []T, stride int, ids []int32, group int) {
	width, groups := len(row), len(row)/group
	_ = out[(len(ids)-1)*ostride+groups-1]
	place, ok := sized(group)
	switch {
	case ok && h.dots[place] != nil && width%h.columns[place] == 0:
		h.dots[place](&out[0], ostride, &row[0], width, &x[0], stride, &ids[0], len(ids), ahead(ids))
	case group%vectorOf[T]() == 0:
		h.any(&out[0], ostride, &row[0], groups, group, &x[0], stride, &ids[0], len(ids), ahead(ids))
	default:
		for g := range groups {
			at := g * group
			h.dot(&out[g], ostride, &row[at], group, &x[at], stride, &ids[0], len(ids), ahead(ids))
		}
	}
}

//go:noescape
func gatherScaleEachAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherScaleEach64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)

//go:noescape
func gatherScaleQuartersAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherScaleHalvesAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherScaleHalves64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)

//go:noescape
func gatherScaleVectorsAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherScaleVectors64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)

//go:noescape
func gatherScaleTwoVectorsAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherScaleTwoVectors64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)

//go:noescape
func gatherDotPairsAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotPairs64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotFoursAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotVectorsAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotVectors64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotTwoVectorsAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotTwoVectors64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotAnyVectorsAVX2(out *float32, ostride int, row *float32, groups int, group int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotAnyVectors64AVX2(out *float64, ostride int, row *float64, groups int, group int, x *float64, stride int, ids *int32, n, ahead int)
