//go:build amd64 && !noasm

// The optimisers' updates: from slices to the assembly.

package kern

func useOptimisers(s *Set[float32]) {
	s.Adam, s.AMSGrad = adamBy(adamAVX2), amsGradBy(amsGradAVX2)
	s.SGD = sgdBy(sgdAVX2, sgdMomentumAVX2, sgdNesterovAVX2)
}

func useOptimisers64(s *Set[float64]) {
	s.Adam, s.AMSGrad = adamBy(adam64AVX2), amsGradBy(amsGrad64AVX2)
	s.SGD = sgdBy(sgd64AVX2, sgdMomentum64AVX2, sgdNesterov64AVX2)
}

func adamBy[T Float](f func(p, grad, m, v *T, n int, s *adamScalars[T])) func(p, g, m, v []T, a AdamArgs) {
	return func(p, g, m, v []T, a AdamArgs) {
		if n := len(p); n > 0 {
			g, m, v = g[:n], m[:n], v[:n]
			c := scalarsOf[T](a)
			f(&p[0], &g[0], &m[0], &v[0], n, &c)
		}
	}
}

func amsGradBy[T Float](f func(p, grad, m, v, top *T, n int, s *adamScalars[T])) func(p, g, m, v, top []T, a AdamArgs) {
	return func(p, g, m, v, top []T, a AdamArgs) {
		if n := len(p); n > 0 {
			g, m, v, top = g[:n], m[:n], v[:n], top[:n]
			c := scalarsOf[T](a)
			f(&p[0], &g[0], &m[0], &v[0], &top[0], n, &c)
		}
	}
}

func sgdBy[T Float](plain func(p, grad *T, n int, lr, decay T), heavy, nesterov func(p, grad, v *T, n int, lr, decay, momentum, share T)) func(p, g, v []T, a SGDArgs) {
	return func(p, g, v []T, a SGDArgs) {
		n := len(p)
		if n == 0 {
			return
		}
		g = g[:n]
		lr, decay, momentum, share := T(a.LR), T(a.WeightDecay), T(a.Momentum), T(a.Share)
		if momentum == 0 {
			plain(&p[0], &g[0], n, lr, decay)
			return
		}
		v = v[:n]
		if a.Nesterov {
			nesterov(&p[0], &g[0], &v[0], n, lr, decay, momentum, share)
		} else {
			heavy(&p[0], &g[0], &v[0], n, lr, decay, momentum, share)
		}
	}
}

//go:noescape
func adamAVX2(p, grad, m, v *float32, n int, s *adamScalars[float32])

//go:noescape
func amsGradAVX2(p, grad, m, v, top *float32, n int, s *adamScalars[float32])

//go:noescape
func sgdAVX2(p, grad *float32, n int, lr, decay float32)

//go:noescape
func sgdMomentumAVX2(p, grad, v *float32, n int, lr, decay, momentum, share float32)

//go:noescape
func sgdNesterovAVX2(p, grad, v *float32, n int, lr, decay, momentum, share float32)

//go:noescape
func adam64AVX2(p, grad, m, v *float64, n int, s *adamScalars[float64])

//go:noescape
func amsGrad64AVX2(p, grad, m, v, top *float64, n int, s *adamScalars[float64])

//go:noescape
func sgd64AVX2(p, grad *float64, n int, lr, decay float64)

//go:noescape
func sgdMomentum64AVX2(p, grad, v *float64, n int, lr, decay, momentum, share float64)

//go:noescape
func sgdNesterov64AVX2(p, grad, v *float64, n int, lr, decay, momentum, share float64)
