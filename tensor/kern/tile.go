//go:build (amd64 || arm64) && !noasm

// One row against all rows of a matrix, by the assembly's addInto and sumRows.

package kern

// tile is how many elements short rows are repeated to, or summed in at a time, so
// that they do not pay for a call or a masked rest each.
const tile = 512

func addRowTiled[T Float](dst, x, row []T, relu bool) {
	n := len(row)
	rows := rowsOf(len(dst), n)
	x = x[:len(dst)]
	if rows > 1 && n <= tile/2 {
		var repeated [tile]T
		k := 0
		for range min(tile/n, rows) {
			k += copy(repeated[k:], row)
		}
		row = repeated[:k]
	}
	for len(dst) > 0 {
		k := min(len(row), len(dst))
		addInto(&dst[0], &x[0], &row[0], k, relu)
		dst, x = dst[k:], x[k:]
	}
}

// sumRowsTiled takes 8 short rows as one, whose parts are added to acc at the end:
// the order of a sum depends on the shape alone.
func sumRowsTiled[T Float](acc, x []T, n int) {
	const group = 8
	rows := rowsOf(len(x), n)
	if rows == 0 {
		return
	}
	acc = acc[:n]
	if rows >= 2*group && n*group <= tile {
		var wide [tile]T
		groups := rows / group
		sumRows(&wide[0], &x[0], groups, n*group)
		sumRows(&acc[0], &wide[0], group, n)
		x = x[groups*group*n:]
		rows -= groups * group
	}
	if rows > 0 {
		sumRows(&acc[0], &x[0], rows, n)
	}
}
