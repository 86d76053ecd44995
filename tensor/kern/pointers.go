//go:build (amd64 || arm64) && !noasm

// From slices to the pointers that assembly takes: the wrappers check the lengths, and
// call f unless there is nothing to do.

package kern

import "unsafe"

// aligned tells whether a number is the first of a line of the cache.
func aligned[T Float](p *T) bool { return uintptr(unsafe.Pointer(p))%64 == 0 }

func binary[T Float](f func(dst, a, b *T, n int)) func(dst, a, b []T) {
	return func(dst, a, b []T) {
		if n := len(dst); n > 0 {
			a, b = a[:n], b[:n]
			f(&dst[0], &a[0], &b[0], n)
		}
	}
}

func unary[T Float](f func(dst, x *T, n int)) func(dst, x []T) {
	return func(dst, x []T) {
		if n := len(dst); n > 0 {
			x = x[:n]
			f(&dst[0], &x[0], n)
		}
	}
}

func scaled[T Float](f func(dst, x *T, n int, c T)) func(dst, x []T, c T) {
	return func(dst, x []T, c T) {
		if n := len(dst); n > 0 {
			x = x[:n]
			f(&dst[0], &x[0], n, c)
		}
	}
}

func binaryScaled[T Float](f func(dst, a, b *T, n int, c T)) func(dst, a, b []T, c T) {
	return func(dst, a, b []T, c T) {
		if n := len(dst); n > 0 {
			a, b = a[:n], b[:n]
			f(&dst[0], &a[0], &b[0], n, c)
		}
	}
}

// axpyBy has y as the destination and the first operand.
func axpyBy[T Float](f func(dst, a, b *T, n int, c T)) func(y, x []T, a T) {
	axpy := binaryScaled(f)
	return func(y, x []T, a T) { axpy(y, y, x, a) }
}

// gateLeaky takes f unless the slope is 0, where 0·Inf would be NaN.
func gateLeaky[T Float](s *Set[T], f func(dst, g, x *T, n int, slope T)) func(dst, g, x []T, slope T) {
	leaky := binaryScaled(f)
	return func(dst, g, x []T, slope T) {
		if slope == 0 {
			s.GateReLU(dst, g, x)
		} else {
			leaky(dst, g, x, slope)
		}
	}
}

// grouped takes groups of whole vectors the one way, others the other.
func grouped[T Float](whole func(dst, x, y *T, groups, group int), other func(dst, x, y []T, group int)) func(dst, x, y []T, group int) {
	return func(dst, x, y []T, group int) {
		if n := len(y) * group; n == 0 || group%8 != 0 {
			other(dst, x, y, group)
		} else {
			dst, x = dst[:n], x[:n]
			whole(&dst[0], &x[0], &y[0], len(y), group)
		}
	}
}

// filled is grouped for groups of nothing but their number.
func filled[T Float](whole func(dst, y *T, groups, group int)) func(dst, y []T, group int) {
	return func(dst, y []T, group int) {
		if n := len(y) * group; n == 0 || group%8 != 0 {
			setGroups(dst, y, group)
		} else {
			dst = dst[:n]
			whole(&dst[0], &y[0], len(y), group)
		}
	}
}

func ternary[T Float](f func(dst, a, b, c *T, n int)) func(dst, a, b, c []T) {
	return func(dst, a, b, c []T) {
		if n := len(dst); n > 0 {
			a, b, c = a[:n], b[:n], c[:n]
			f(&dst[0], &a[0], &b[0], &c[0], n)
		}
	}
}

func bounded[T Float](f func(dst, x *T, n int, lo, hi T)) func(dst, x []T, lo, hi T) {
	return func(dst, x []T, lo, hi T) {
		if n := len(dst); n > 0 {
			x = x[:n]
			f(&dst[0], &x[0], n, lo, hi)
		}
	}
}

func binaryBounded[T Float](f func(dst, a, b *T, n int, lo, hi T)) func(dst, a, b []T, lo, hi T) {
	return func(dst, a, b []T, lo, hi T) {
		if n := len(dst); n > 0 {
			a, b = a[:n], b[:n]
			f(&dst[0], &a[0], &b[0], n, lo, hi)
		}
	}
}

func stepped[T Float](f func(dst, x *T, n int, bound, above, below T)) func(dst, x []T, bound, above, below T) {
	return func(dst, x []T, bound, above, below T) {
		if n := len(dst); n > 0 {
			x = x[:n]
			f(&dst[0], &x[0], n, bound, above, below)
		}
	}
}

// reduction gives empty of nothing.
func reduction[T Float](f func(x *T, n int) T, empty T) func(x []T) T {
	return func(x []T) T {
		if len(x) == 0 {
			return empty
		}
		return f(&x[0], len(x))
	}
}

func mapRows[T Float](f func(dst, x *T, rows, n int)) func(dst, x []T, n int) {
	return func(dst, x []T, n int) {
		x = x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			f(&dst[0], &x[0], rows, n)
		}
	}
}

func mapRows2[T Float](f func(dst, a, b *T, rows, n int)) func(dst, a, b []T, n int) {
	return func(dst, a, b []T, n int) {
		a, b = a[:len(dst)], b[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			f(&dst[0], &a[0], &b[0], rows, n)
		}
	}
}

func normRowsBy[T Float](f func(dst, x, mean, rstd *T, rows, n int, count, eps T)) func(dst, x, mean, rstd []T, n int, eps T) {
	return func(dst, x, mean, rstd []T, n int, eps T) {
		x = x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			mean, rstd = mean[:rows], rstd[:rows]
			f(&dst[0], &x[0], &mean[0], &rstd[0], rows, n, T(n), eps)
		}
	}
}

func normGradRowsBy[T Float](f func(dst, grad, x, mean, rstd *T, rows, n int, count T)) func(dst, g, x, mean, rstd []T, n int) {
	return func(dst, g, x, mean, rstd []T, n int) {
		g, x = g[:len(dst)], x[:len(dst)]
		if rows := rowsOf(len(dst), n); rows > 0 {
			mean, rstd = mean[:rows], rstd[:rows]
			f(&dst[0], &g[0], &x[0], &mean[0], &rstd[0], rows, n, T(n))
		}
	}
}

// comparison leaves what is beyond whole eights to the reference loop, as selection does.
func comparison[T Float](f func(dst *bool, a, b *T, n int), rest func(dst []bool, a, b []T)) func(dst []bool, a, b []T) {
	return func(dst []bool, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		n := len(dst) &^ 7
		if n > 0 {
			f(&dst[0], &a[0], &b[0], n)
		}
		rest(dst[n:], a[n:], b[n:])
	}
}

func selection[T Float](f func(dst *T, mask *bool, a, b *T, n int)) func(dst []T, mask []bool, a, b []T) {
	return func(dst []T, mask []bool, a, b []T) {
		mask, a, b = mask[:len(dst)], a[:len(dst)], b[:len(dst)]
		n := len(dst) &^ 7
		if n > 0 {
			f(&dst[0], &mask[0], &a[0], &b[0], n)
		}
		selectWhere(dst[n:], mask[n:], a[n:], b[n:])
	}
}
