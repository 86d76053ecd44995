//go:build amd64 && !noasm

// The maximum's arguments: from slices to the assembly, which has columns in eights.

package kern

func useWinners(s *Set[float32]) {
	s.GatherArgMax, s.FindWinners, s.GatherWinners = gatherArgMaxAVX, findWinnersAVX, gatherWinnersAVX
	s.MarkWinners = markWinnersAVX
}

func gatherArgMaxAVX(best []float32, arg []int32, x []float32, stride int, rows, ids []int32) {
	arg, ids = arg[:len(best)], ids[:len(rows)]
	if len(rows) == 0 {
		return
	}
	n := len(best) &^ 7
	switch {
	case len(best) == 0:
	case n == 0:
		gatherFewArgMax(best, arg, x, stride, rows, ids)
	default:
		gatherArgMaxAVX2(&best[0], &arg[0], n, &x[0], stride, &rows[0], &ids[0], len(rows))
		if n < len(best) { // the last 8, some of them again: an edge does not win over itself
			n = len(best) - 8
			gatherArgMaxAVX2(&best[n], &arg[n], 8, &x[n], stride, &rows[0], &ids[0], len(rows))
		}
	}
}

// gatherFewArgMax is for fewer than 8 columns: what stands behind them in x takes part as
// other columns, which nobody reads.
func gatherFewArgMax(best []float32, arg []int32, x []float32, stride int, rows, ids []int32) {
	var b [8]float32
	var a [8]int32
	copy(b[:], best)
	copy(a[:], arg)
	for lo := 0; lo < len(rows); {
		hi := lo
		for hi < len(rows) && int(rows[hi])*stride+len(b) <= len(x) {
			hi++
		}
		if hi > lo {
			gatherArgMaxAVX2(&b[0], &a[0], len(b), &x[0], stride, &rows[lo], &ids[lo], hi-lo)
		}
		if hi < len(rows) { // too near the end of x
			gatherArgMax(b[:len(best)], a[:], x, stride, rows[hi:hi+1], ids[hi:hi+1])
			hi++
		}
		lo = hi
	}
	copy(best, b[:])
	copy(arg, a[:])
}

func findWinnersAVX(found, arg []int32, width int, rows, ids []int32) int {
	if width < 8 || len(rows) == 0 {
		return findWinners(found, arg, width, rows, ids)
	}
	found, ids = found[:len(rows)], ids[:len(rows)]
	return findWinnersAVX2(&found[0], &arg[0], width, &rows[0], &ids[0], len(rows), ahead(rows))
}

func markWinnersAVX(masks []uint64, arg []int32, width int, rows, ids []int32) {
	if width%8 != 0 || width == 0 || len(rows) == 0 {
		markWinners(masks, arg, width, rows, ids)
		return
	}
	words := (width + 63) / 64
	masks, ids = masks[:len(rows)*words], ids[:len(rows)]
	if width%64 != 0 {
		clear(masks)
	}
	markWinnersAVX2(&masks[0], words, &arg[0], width, &rows[0], &ids[0], len(rows))
}

func gatherWinnersAVX(dst, y []float32, arg []int32, width int, yRows, rows, ids []int32) {
	if width < 8 || len(rows) == 0 {
		gatherWinners(dst, y, arg, width, yRows, rows, ids)
		return
	}
	yRows, ids, dst = yRows[:len(rows)], ids[:len(rows)], dst[:len(rows)*width]
	gatherWinnersAVX2(&dst[0], &y[0], &arg[0], width, &yRows[0], &rows[0], &ids[0], len(rows))
}

//go:noescape
func gatherArgMaxAVX2(best *float32, arg *int32, width int, x *float32, stride int, rows, ids *int32, n int)

//go:noescape
func findWinnersAVX2(found, arg *int32, width int, rows, ids *int32, n, ahead int) int

//go:noescape
func markWinnersAVX2(masks *uint64, words int, arg *int32, width int, rows, ids *int32, n int)

//go:noescape
func gatherWinnersAVX2(dst, y *float32, arg *int32, width int, yRows, rows, ids *int32, n int)
