// Reference loops of the maximum's arguments: which row was the largest in each
// column, and what belongs to the rows that were.

package kern

func gatherArgMax[T Float](best []T, arg []int32, x []T, stride int, rows, ids []int32) {
	arg, ids = arg[:len(best)], ids[:len(rows)]
	for e, row := range rows {
		id := ids[e]
		for k, v := range x[int(row)*stride:][:len(best)] {
			nan, was := v != v, best[k] != best[k]
			tie := v == best[k] || nan && was
			if v > best[k] || nan && !was || tie && uint32(id) < uint32(arg[k]) {
				best[k], arg[k] = v, id
			}
		}
	}
}

func findWinners(found, arg []int32, width int, rows, ids []int32) int {
	found, ids = found[:len(rows)], ids[:len(rows)]
	n := 0
	for e, row := range rows {
		found[n] = int32(e)
		for _, a := range arg[int(row)*width:][:width] {
			if a == ids[e] {
				n++
				break
			}
		}
	}
	return n
}

func markWinners(masks []uint64, arg []int32, width int, rows, ids []int32) {
	words := (width + 63) / 64
	masks, ids = masks[:len(rows)*words], ids[:len(rows)]
	clear(masks)
	for e, row := range rows {
		for k, a := range arg[int(row)*width:][:width] {
			if a == ids[e] {
				masks[e*words+k/64] |= 1 << (k % 64)
			}
		}
	}
}

func gatherWinners[T Float](dst, y []T, arg []int32, width int, yRows, rows, ids []int32) {
	yRows, ids = yRows[:len(rows)], ids[:len(rows)]
	for e, row := range rows {
		id, from, to := ids[e], y[int(yRows[e])*width:][:width], dst[e*width:][:width]
		for k, a := range arg[int(row)*width:][:width] {
			if a == id {
				to[k] = from[k]
			} else {
				to[k] = 0
			}
		}
	}
}
