//go:build arm64 && !noasm

// Row kernels with NEON: from slices to the assembly, which copies and scales whole vectors.

package kern

func useRows(s *Set[float32]) {
	s.GatherDot = func(out []float32, ostride int, row, x []float32, stride int, ids []int32) {
		if len(row) == 0 {
			gatherDot(out, ostride, row, x, stride, ids)
			return
		}
		gatherDotsOf(out, ostride, row, x, stride, ids, len(row))
	}
	s.GatherDotHeads = gatherDotsOf
	s.Dot = func(a, b []float32) (sum float32) { // as GatherDot sums
		if n := len(a); n > 0 {
			b = b[:n]
			gatherDotsNEON(&sum, 0, &a[0], 1, n, &b[0], 0, &theFirst[0], 1, 0)
		}
		return sum
	}
	s.GatherRows = func(dst, x []float32, width int, ids []int32) { gatherColumnsNEON(dst, x, width, width, ids) }
	s.GatherColumns = gatherColumnsNEON
	s.ScatterRows = func(dst, x []float32, width int, ids []int32, _ bool) {
		if len(ids) == 0 || width <= 0 || width%4 != 0 {
			scatterRows(dst, x, width, ids)
			return
		}
		checkScatterRows(len(x), width, len(ids))
		scatterRowsNEON(&dst[0], &x[0], width, &ids[0], len(ids))
	}
	s.MulGroups = func(dst, x, y []float32, group int) {
		n := len(y) * group
		if n == 0 || group%4 != 0 {
			mulGroups(dst, x, y, group)
			return
		}
		dst, x = dst[:n], x[:n]
		mulGroupsNEON(&dst[0], &x[0], &y[0], len(y), group)
	}
	s.SetGroups = filled(setGroupsNEON)
}

var theFirst = [...]int32{0}

// gatherDotsOf is GatherDotHeads, and GatherDot where all columns are one group. The columns are a multiple of it.
func gatherDotsOf(out []float32, ostride int, row, x []float32, stride int, ids []int32, group int) {
	if len(row) == 0 || len(ids) == 0 {
		return
	}
	groups := len(row) / group
	_ = out[(len(ids)-1)*ostride+groups-1]
	gatherDotsNEON(&out[0], ostride, &row[0], groups, group, &x[0], stride, &ids[0], len(ids), min(max(cap(ids)-aheadNEON, 0), len(ids)))
}

func gatherColumnsNEON(dst, x []float32, width, stride int, ids []int32) {
	n := len(ids) * width
	if n == 0 || width%4 != 0 || width < 16 { // of few columns the loops in Go are as short
		gatherColumns(dst, x, width, stride, ids)
		return
	}
	dst = dst[:n]
	gatherRowsNEON(&dst[0], &x[0], width, stride, &ids[0], len(ids))
}

//go:noescape
func gatherDotsNEON(out *float32, ostride int, row *float32, groups, group int, x *float32, stride int, ids *int32, n, ahead int)

//go:noescape
func gatherRowsNEON(dst, x *float32, width, stride int, ids *int32, n int)

//go:noescape
func scatterRowsNEON(dst, x *float32, width int, ids *int32, n int)

//go:noescape
func mulGroupsNEON(dst, x, y *float32, groups, group int)

//go:noescape
func setGroupsNEON(dst, y *float32, groups, group int)
