// Reference loops of the reductions of every row of a matrix.

package kern

func sumEach[T Float](dst, x []T, n int) { each(dst, x, n, sum[T]) }

func maxEach[T Float](dst, x []T, n int) { each(dst, x, n, maxOf[T]) }

func minEach[T Float](dst, x []T, n int) { each(dst, x, n, minOf[T]) }

func each[T Float](dst, x []T, n int, f func(x []T) T) {
	rows := rowsOf(len(x), n)
	dst = dst[:rows]
	for r := range dst {
		dst[r] = f(x[r*n : (r+1)*n])
	}
}

func dotEach[T Float](s *Set[T], dst, a, b []T, n int) {
	rows := rowsOf(len(a), n)
	dst, b = dst[:rows], b[:len(a)]
	if n < 4 {
		dotFew(dst, a, b, n)
		return
	}
	for r := range dst {
		dst[r] = s.Dot(a[r*n:(r+1)*n], b[r*n:])
	}
}

// dotFew is for so few numbers a row that a call for each costs more than the products.
func dotFew[T Float](dst, a, b []T, n int) {
	for r := range dst {
		x, y := a[r*n:(r+1)*n], b[r*n:(r+1)*n]
		sum := x[0] * y[0]
		for k := 1; k < len(x); k++ {
			sum += x[k] * y[k]
		}
		dst[r] = sum
	}
}
