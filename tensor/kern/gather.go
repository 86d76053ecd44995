// Reference loops of the row kernels.

package kern

func gatherRows[T Float](dst, x []T, width int, ids []int32) {
	gatherColumns(dst, x, width, width, ids)
}

// gatherColumns has loops for narrow rows, of which a call of copy costs more than
// the numbers.
func gatherColumns[T Float](dst, x []T, width, stride int, ids []int32) {
	switch width {
	case 0:
	case 1:
		dst = dst[:len(ids)]
		for e, id := range ids {
			dst[e] = x[int(id)*stride]
		}
	case 4:
		for e, id := range ids {
			to, row := dst[e*4:][:4], x[int(id)*stride:][:4]
			to[0], to[1], to[2], to[3] = row[0], row[1], row[2], row[3]
		}
	case 8:
		for e, id := range ids {
			to, row := dst[e*8:][:8], x[int(id)*stride:][:8]
			to[0], to[1], to[2], to[3] = row[0], row[1], row[2], row[3]
			to[4], to[5], to[6], to[7] = row[4], row[5], row[6], row[7]
		}
	default:
		for e, id := range ids {
			copy(dst[e*width:(e+1)*width], x[int(id)*stride:])
		}
	}
}

func gatherSum[T Float](acc, x []T, stride int, ids []int32) {
	for _, id := range ids {
		row := x[int(id)*stride:][:len(acc)]
		for k := range acc {
			acc[k] += row[k]
		}
	}
}

func gatherMax[T Float](acc, x []T, stride int, ids []int32) {
	for _, id := range ids {
		maximum(acc, acc, x[int(id)*stride:])
	}
}

func gatherScaleSum[T Float](acc, x []T, stride int, ids []int32, w []T, wstride int) {
	for e, id := range ids {
		axpy(acc, x[int(id)*stride:], w[e*wstride])
	}
}

func gatherFactorSum[T Float](acc, x []T, stride int, ids []int32, c []T) {
	for _, id := range ids {
		axpy(acc, x[int(id)*stride:], c[id])
	}
}

func gatherDot[T Float](out []T, ostride int, row, x []T, stride int, ids []int32) {
	for e, id := range ids {
		out[e*ostride] = dot(row, x[int(id)*stride:])
	}
}

func gatherScaleSumHeads[T Float](acc, x []T, stride int, ids []int32, w []T, wstride, group int) {
	for e, id := range ids {
		row := x[int(id)*stride:]
		if group == 1 {
			mulAdd(acc, w[e*wstride:], row)
			continue
		}
		for at := 0; at < len(acc); at += group {
			axpy(acc[at:min(at+group, len(acc))], row[at:], w[e*wstride+at/group])
		}
	}
}

func gatherDotHeads[T Float](out []T, ostride int, row, x []T, stride int, ids []int32, group int) {
	for e, id := range ids {
		for at := 0; at < len(row); at += group {
			out[e*ostride+at/group] = dot(row[at:at+group], x[int(id)*stride+at:])
		}
	}
}
