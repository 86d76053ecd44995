//go:build amd64 && !noasm

// The updates of the optimisers besides Adam and SGD: from slices to the assembly.

package kern

func useAdaptiveOptimisers(s *Set[float32]) {
	s.RMSprop = rmspropBy(rmspropAVX2, rmspropCenteredAVX2, rmspropMomentumAVX2, rmspropBothAVX2)
	s.Adagrad, s.Lion = update3(adagradAVX2, adagradScalarsOf[float32]), update3(lionAVX2, lionScalarsOf[float32])
	s.Adadelta, s.NAdam = update4(adadeltaAVX2, adadeltaScalarsOf[float32]), update4(nadamAVX2, nadamScalarsOf[float32])
}

func useAdaptiveOptimisers64(s *Set[float64]) {
	s.RMSprop = rmspropBy(rmsprop64AVX2, rmspropCentered64AVX2, rmspropMomentum64AVX2, rmspropBoth64AVX2)
	s.Adagrad, s.Lion = update3(adagrad64AVX2, adagradScalarsOf[float64]), update3(lion64AVX2, lionScalarsOf[float64])
	s.Adadelta, s.NAdam = update4(adadelta64AVX2, adadeltaScalarsOf[float64]), update4(nadam64AVX2, nadamScalarsOf[float64])
}

// update3 and update4 have one and two slices of state, the settings A and the scalars S.

func update3[T Float, A, S any](f func(p, grad, s1 *T, n int, c *S), scalars func(A) S) func(p, g, s1 []T, a A) {
	return func(p, g, s1 []T, a A) {
		if n := len(p); n > 0 {
			g, s1 = g[:n], s1[:n]
			c := scalars(a)
			f(&p[0], &g[0], &s1[0], n, &c)
		}
	}
}

func update4[T Float, A, S any](f func(p, grad, s1, s2 *T, n int, c *S), scalars func(A) S) func(p, g, s1, s2 []T, a A) {
	return func(p, g, s1, s2 []T, a A) {
		if n := len(p); n > 0 {
			g, s1, s2 = g[:n], s1[:n], s2[:n]
			c := scalars(a)
			f(&p[0], &g[0], &s1[0], &s2[0], n, &c)
		}
	}
}

func rmspropBy[T Float](plain func(p, grad, s1 *T, n int, c *rmspropScalars[T]), centered, momentum func(p, grad, s1, s2 *T, n int, c *rmspropScalars[T]),
	both func(p, grad, s1, s2, s3 *T, n int, c *rmspropScalars[T])) func(p, g, v, mean, last []T, a RMSpropArgs) {
	return func(p, g, v, mean, last []T, a RMSpropArgs) {
		n := len(p)
		if n == 0 {
			return
		}
		g, v = g[:n], v[:n]
		if a.Centered {
			mean = mean[:n]
		}
		if a.Momentum > 0 {
			last = last[:n]
		}
		c := rmspropScalarsOf[T](a)
		switch {
		case a.Centered && a.Momentum > 0:
			both(&p[0], &g[0], &v[0], &mean[0], &last[0], n, &c)
		case a.Centered:
			centered(&p[0], &g[0], &v[0], &mean[0], n, &c)
		case a.Momentum > 0:
			momentum(&p[0], &g[0], &v[0], &last[0], n, &c)
		default:
			plain(&p[0], &g[0], &v[0], n, &c)
		}
	}
}

//go:noescape
func rmspropAVX2(p, grad, s1 *float32, n int, c *rmspropScalars[float32])

//go:noescape
func rmspropCenteredAVX2(p, grad, s1, s2 *float32, n int, c *rmspropScalars[float32])

//go:noescape
func rmspropMomentumAVX2(p, grad, s1, s2 *float32, n int, c *rmspropScalars[float32])

//go:noescape
func rmspropBothAVX2(p, grad, s1, s2, s3 *float32, n int, c *rmspropScalars[float32])

//go:noescape
func adagradAVX2(p, grad, s1 *float32, n int, c *adagradScalars[float32])

//go:noescape
func adadeltaAVX2(p, grad, s1, s2 *float32, n int, c *adadeltaScalars[float32])

//go:noescape
func nadamAVX2(p, grad, s1, s2 *float32, n int, c *nadamScalars[float32])

//go:noescape
func lionAVX2(p, grad, s1 *float32, n int, c *lionScalars[float32])

//go:noescape
func rmsprop64AVX2(p, grad, s1 *float64, n int, c *rmspropScalars[float64])

//go:noescape
func rmspropCentered64AVX2(p, grad, s1, s2 *float64, n int, c *rmspropScalars[float64])

//go:noescape
func rmspropMomentum64AVX2(p, grad, s1, s2 *float64, n int, c *rmspropScalars[float64])

//go:noescape
func rmspropBoth64AVX2(p, grad, s1, s2, s3 *float64, n int, c *rmspropScalars[float64])

//go:noescape
func adagrad64AVX2(p, grad, s1 *float64, n int, c *adagradScalars[float64])

//go:noescape
func adadelta64AVX2(p, grad, s1, s2 *float64, n int, c *adadeltaScalars[float64])

//go:noescape
func nadam64AVX2(p, grad, s1, s2 *float64, n int, c *nadamScalars[float64])

//go:noescape
func lion64AVX2(p, grad, s1 *float64, n int, c *lionScalars[float64])
