//go:build amd64 && !noasm

// Row kernels with heads: which assembly serves which size of groups.

package kern

// gatherScaleSumHeadsAVX takes groups of 1, 2, 4, 8 and 16 columns in blocks of
// columns. What they leave, and groups of other sizes, go one by one: large ones
// fill a block alone.
func gatherScaleSumHeadsAVX(acc, x []float32, stride int, ids []int32, w []float32, wstride, group int) {
	if len(acc) == 0 || len(ids) == 0 {
		return
	}
	_ = w[(len(ids)-1)*wstride+(len(acc)-1)/group]
	var f func(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
	blocks := len(acc) - len(acc)%max(group, 8)
	switch group {
	case 1:
		f = gatherHeads1AVX2
	case 2:
		f = gatherHeads2AVX2
	case 4:
		f = gatherHeads4AVX2
	case 8:
		f = gatherHeads8AVX2
	case 16:
		f = gatherHeads16AVX2
	default:
		blocks = 0
	}
	if blocks > 0 {
		f(&acc[0], blocks, &x[0], stride, &ids[0], len(ids), ahead(ids), &w[0], wstride)
	}
	for at := blocks; at < len(acc); at += group {
		gatherScaleSumAVX2(&acc[at], min(group, len(acc)-at), &x[at], stride, &ids[0], len(ids), ahead(ids), &w[at/group], wstride)
	}
}

// gatherDotHeadsAVX takes groups of 2, 4, 8 and 16 columns that fill blocks of columns
// block by block, of other multiples of 8 in a loop each, others one by one.
func gatherDotHeadsAVX(out []float32, ostride int, row, x []float32, stride int, ids []int32, group int) {
	if len(row) == 0 || len(ids) == 0 {
		return
	}
	width, groups := len(row), len(row)/group
	_ = out[(len(ids)-1)*ostride+groups-1]
	var f func(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
	switch {
	case group == 2 && width%16 == 0:
		f = gatherDotHeads2AVX2
	case group == 4 && width%16 == 0:
		f = gatherDotHeads4AVX2
	case group == 8 && width%32 == 0:
		f = gatherDotHeads8AVX2
	case group == 16 && width%64 == 0:
		f = gatherDotHeads16AVX2
	}
	switch {
	case f != nil:
		f(&out[0], ostride, &row[0], width, &x[0], stride, &ids[0], len(ids), ahead(ids))
	case group%8 == 0:
		gatherDotHeadsAVX2(&out[0], ostride, &row[0], groups, group, &x[0], stride, &ids[0], len(ids), ahead(ids))
	default:
		for g := range groups {
			at := g * group
			gatherDotAVX2(&out[g], ostride, &row[at], group, &x[at], stride, &ids[0], len(ids), ahead(ids))
		}
	}
}

// ahead is the number of ids behind which there is one more after a distance that the
// assembly prefetches: within the slice or, behind its end, within its capacity.
func ahead(ids []int32) int { return min(max(cap(ids)-aheadIDs, 0), len(ids)) }

const aheadIDs = 32 // AHEAD in gather_amd64.h

//go:noescape
func gatherHeads16AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherHeads8AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherHeads4AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherHeads2AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherHeads1AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)

//go:noescape
func gatherDotHeads2AVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotHeads8AVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotHeads16AVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotHeads4AVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherDotHeadsAVX2(out *float32, ostride int, row *float32, groups int, group int, x *float32, stride int, ids *int32, n, ahead int)
