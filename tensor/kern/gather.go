// Reference loops of the row kernels.

package kern

func gatherSum[T Float](acc, x []T, stride int, ids []int32) {
	for _, id := range ids {
		row := x[int(id)*stride:][:len(acc)]
		for k := range acc {
			acc[k] += row[k]
		}
	}
}

func gatherScaleSum[T Float](acc, x []T, stride int, ids []int32, w []T, wstride int) {
	for e, id := range ids {
		axpy(acc, x[int(id)*stride:], w[e*wstride])
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
