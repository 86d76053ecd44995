//go:build amd64 && !noasm

// The maximum's arguments: from slices to the assembly, which has columns in eights.

package kern

func useWinners(s *Set[float32]) {
	s.GatherArgMax, s.FindWinners, s.GatherWinners = gatherArgMaxAVX, findWinnersAVX, gatherWinnersAVX
}

func gatherArgMaxAVX(best []float32, arg []int32, x []float32, stride int, rows, ids []int32) {
	arg, ids = arg[:len(best)], ids[:len(rows)]
	if len(rows) == 0 {
		return
	}
	n := len(best) &^ 7
	if n > 0 {
		gatherArgMaxAVX2(&best[0], &arg[0], n, &x[0], stride, &rows[0], &ids[0], len(rows))
	}
	if n < len(best) {
		gatherArgMax(best[n:], arg[n:], x[n:], stride, rows, ids)
	}
}

func findWinnersAVX(found, arg []int32, width int, rows, ids []int32) int {
	if width == 0 || width%8 != 0 || len(rows) == 0 {
		return findWinners(found, arg, width, rows, ids)
	}
	found, ids = found[:len(rows)], ids[:len(rows)]
	return findWinnersAVX2(&found[0], &arg[0], width, &rows[0], &ids[0], len(rows), ahead(rows))
}

func gatherWinnersAVX(dst, y []float32, arg []int32, width int, yRows, rows, ids []int32) {
	if width == 0 || width%8 != 0 || len(rows) == 0 {
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
func gatherWinnersAVX2(dst, y *float32, arg *int32, width int, yRows, rows, ids *int32, n int)
