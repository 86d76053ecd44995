//go:build (amd64 || arm64) && !noasm

// From slices to the pointers that assembly takes: the wrappers check the lengths, and
// call f unless there is nothing to do.

package kern

func binary(f func(dst, a, b *float32, n int)) func(dst, a, b []float32) {
	return func(dst, a, b []float32) {
		if n := len(dst); n > 0 {
			a, b = a[:n], b[:n]
			f(&dst[0], &a[0], &b[0], n)
		}
	}
}

func unary(f func(dst, x *float32, n int)) func(dst, x []float32) {
	return func(dst, x []float32) {
		if n := len(dst); n > 0 {
			x = x[:n]
			f(&dst[0], &x[0], n)
		}
	}
}

func scaled(f func(dst, x *float32, n int, c float32)) func(dst, x []float32, c float32) {
	return func(dst, x []float32, c float32) {
		if n := len(dst); n > 0 {
			x = x[:n]
			f(&dst[0], &x[0], n, c)
		}
	}
}

func binaryScaled(f func(dst, a, b *float32, n int, c float32)) func(dst, a, b []float32, c float32) {
	return func(dst, a, b []float32, c float32) {
		if n := len(dst); n > 0 {
			a, b = a[:n], b[:n]
			f(&dst[0], &a[0], &b[0], n, c)
		}
	}
}

// gateLeaky takes f unless the slope is 0, where 0·Inf would be NaN.
func gateLeaky(s *Set[float32], f func(dst, g, x *float32, n int, slope float32)) func(dst, g, x []float32, slope float32) {
	leaky := binaryScaled(f)
	return func(dst, g, x []float32, slope float32) {
		if slope == 0 {
			s.GateReLU(dst, g, x)
		} else {
			leaky(dst, g, x, slope)
		}
	}
}

// grouped takes groups of whole vectors the one way, others the other.
func grouped(whole func(dst, x, y *float32, groups, group int), other func(dst, x, y []float32, group int)) func(dst, x, y []float32, group int) {
	return func(dst, x, y []float32, group int) {
		if n := len(y) * group; n == 0 || group%8 != 0 {
			other(dst, x, y, group)
		} else {
			dst, x = dst[:n], x[:n]
			whole(&dst[0], &x[0], &y[0], len(y), group)
		}
	}
}

func ternary(f func(dst, a, b, c *float32, n int)) func(dst, a, b, c []float32) {
	return func(dst, a, b, c []float32) {
		if n := len(dst); n > 0 {
			a, b, c = a[:n], b[:n], c[:n]
			f(&dst[0], &a[0], &b[0], &c[0], n)
		}
	}
}

func bounded(f func(dst, x *float32, n int, lo, hi float32)) func(dst, x []float32, lo, hi float32) {
	return func(dst, x []float32, lo, hi float32) {
		if n := len(dst); n > 0 {
			x = x[:n]
			f(&dst[0], &x[0], n, lo, hi)
		}
	}
}

func binaryBounded(f func(dst, a, b *float32, n int, lo, hi float32)) func(dst, a, b []float32, lo, hi float32) {
	return func(dst, a, b []float32, lo, hi float32) {
		if n := len(dst); n > 0 {
			a, b = a[:n], b[:n]
			f(&dst[0], &a[0], &b[0], n, lo, hi)
		}
	}
}

func stepped(f func(dst, x *float32, n int, bound, above, below float32)) func(dst, x []float32, bound, above, below float32) {
	return func(dst, x []float32, bound, above, below float32) {
		if n := len(dst); n > 0 {
			x = x[:n]
			f(&dst[0], &x[0], n, bound, above, below)
		}
	}
}

// reduction gives empty of nothing.
func reduction(f func(x *float32, n int) float32, empty float32) func(x []float32) float32 {
	return func(x []float32) float32 {
		if len(x) == 0 {
			return empty
		}
		return f(&x[0], len(x))
	}
}

func mapRows(f func(dst, x *float32, rows, n int)) func(dst, x []float32, n int) {
	return func(dst, x []float32, n int) {
		x = x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			f(&dst[0], &x[0], rows, n)
		}
	}
}

func mapRows2(f func(dst, a, b *float32, rows, n int)) func(dst, a, b []float32, n int) {
	return func(dst, a, b []float32, n int) {
		a, b = a[:len(dst)], b[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			f(&dst[0], &a[0], &b[0], rows, n)
		}
	}
}

func normRowsBy(f func(dst, x, mean, rstd *float32, rows, n int, count, eps float32)) func(dst, x, mean, rstd []float32, n int, eps float32) {
	return func(dst, x, mean, rstd []float32, n int, eps float32) {
		x = x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			mean, rstd = mean[:rows], rstd[:rows]
			f(&dst[0], &x[0], &mean[0], &rstd[0], rows, n, float32(n), eps)
		}
	}
}

func normGradRowsBy(f func(dst, grad, x, mean, rstd *float32, rows, n int, count float32)) func(dst, g, x, mean, rstd []float32, n int) {
	return func(dst, g, x, mean, rstd []float32, n int) {
		g, x = g[:len(dst)], x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			mean, rstd = mean[:rows], rstd[:rows]
			f(&dst[0], &g[0], &x[0], &mean[0], &rstd[0], rows, n, float32(n))
		}
	}
}

// comparison leaves what is beyond whole eights to the reference loop, as selection does.
func comparison(f func(dst *bool, a, b *float32, n int), rest func(dst []bool, a, b []float32)) func(dst []bool, a, b []float32) {
	return func(dst []bool, a, b []float32) {
		a, b = a[:len(dst)], b[:len(dst)]
		n := len(dst) &^ 7
		if n > 0 {
			f(&dst[0], &a[0], &b[0], n)
		}
		rest(dst[n:], a[n:], b[n:])
	}
}

func selection(f func(dst *float32, mask *bool, a, b *float32, n int)) func(dst []float32, mask []bool, a, b []float32) {
	return func(dst []float32, mask []bool, a, b []float32) {
		mask, a, b = mask[:len(dst)], a[:len(dst)], b[:len(dst)]
		n := len(dst) &^ 7
		if n > 0 {
			f(&dst[0], &mask[0], &a[0], &b[0], n)
		}
		selectWhere(dst[n:], mask[n:], a[n:], b[n:])
	}
}
