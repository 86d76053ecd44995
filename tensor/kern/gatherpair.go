// Reference loops of element-wise kernels whose operands are rows picked by ids.

package kern

func gatherAdd[T Float](dst, x, y []T, width int, xs, ys []int32) {
	gatherPairs(dst, x, y, width, xs, ys, add[T])
}

func gatherSub[T Float](dst, x, y []T, width int, xs, ys []int32) {
	gatherPairs(dst, x, y, width, xs, ys, sub[T])
}

func gatherRSub[T Float](dst, x, y []T, width int, xs, ys []int32) {
	gatherPairs(dst, y, x, width, ys[:len(xs)], xs, sub[T])
}

func gatherMul[T Float](dst, x, y []T, width int, xs, ys []int32) {
	gatherPairs(dst, x, y, width, xs, ys, mul[T])
}

func gatherPairs[T Float](dst, x, y []T, width int, xs, ys []int32, f func(dst, a, b []T)) {
	ys = ys[:len(xs)]
	for e, row := range xs {
		f(dst[e*width:][:width], x[int(row)*width:], y[int(ys[e])*width:])
	}
}
