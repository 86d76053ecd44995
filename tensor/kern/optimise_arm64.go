//go:build arm64 && !noasm

// The optimisers' updates: from slices to the assembly.

package kern

func useOptimisers(s *Set[float32]) {
	s.Adam = func(p, g, m, v []float32, a AdamArgs) {
		if n := len(p); n > 0 {
			g, m, v = g[:n], m[:n], v[:n]
			c := scalarsOf[float32](a)
			adamNEON(&p[0], &g[0], &m[0], &v[0], n, &c)
		}
	}
	s.AMSGrad = func(p, g, m, v, top []float32, a AdamArgs) {
		if n := len(p); n > 0 {
			g, m, v, top = g[:n], m[:n], v[:n], top[:n]
			c := scalarsOf[float32](a)
			amsGradNEON(&p[0], &g[0], &m[0], &v[0], &top[0], n, &c)
		}
	}
	s.SGD = func(p, g, v []float32, a SGDArgs) {
		n := len(p)
		if n == 0 {
			return
		}
		g = g[:n]
		c := sgdScalars{float32(a.LR), float32(a.WeightDecay), float32(a.Momentum), float32(a.Share)}
		if c.momentum == 0 {
			sgdNEON(&p[0], &g[0], n, &c)
			return
		}
		v = v[:n]
		if a.Nesterov {
			sgdNesterovNEON(&p[0], &g[0], &v[0], n, &c)
		} else {
			sgdMomentumNEON(&p[0], &g[0], &v[0], n, &c)
		}
	}
	s.RMSprop = rmspropOfNEON
	s.Adagrad = func(p, g, v []float32, a AdagradArgs) {
		if n := len(p); n > 0 {
			g, v = g[:n], v[:n]
			c := adagradScalarsOf[float32](a)
			adagradNEON(&p[0], &g[0], &v[0], n, &c)
		}
	}
	s.Adadelta = func(p, g, v, u []float32, a AdadeltaArgs) {
		if n := len(p); n > 0 {
			g, v, u = g[:n], v[:n], u[:n]
			c := adadeltaScalarsOf[float32](a)
			adadeltaNEON(&p[0], &g[0], &v[0], &u[0], n, &c)
		}
	}
	s.NAdam = func(p, g, m, v []float32, a NAdamArgs) {
		if n := len(p); n > 0 {
			g, m, v = g[:n], m[:n], v[:n]
			c := nadamScalarsOf[float32](a)
			nadamNEON(&p[0], &g[0], &m[0], &v[0], n, &c)
		}
	}
	s.Lion = func(p, g, m []float32, a LionArgs) {
		if n := len(p); n > 0 {
			g, m = g[:n], m[:n]
			c := lionScalarsOf[float32](a)
			lionNEON(&p[0], &g[0], &m[0], n, &c)
		}
	}
}

// sgdScalars are in the order the assembly reads.
type sgdScalars struct{ lr, decay, momentum, share float32 }

func rmspropOfNEON(p, g, v, mean, last []float32, a RMSpropArgs) {
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
	c := rmspropScalarsOf[float32](a)
	switch {
	case a.Centered && a.Momentum > 0:
		rmspropBothNEON(&p[0], &g[0], &v[0], &mean[0], &last[0], n, &c)
	case a.Centered:
		rmspropCenteredNEON(&p[0], &g[0], &v[0], &mean[0], n, &c)
	case a.Momentum > 0:
		rmspropMomentumNEON(&p[0], &g[0], &v[0], &last[0], n, &c)
	default:
		rmspropNEON(&p[0], &g[0], &v[0], n, &c)
	}
}

//go:noescape
func adamNEON(p, grad, s1, s2 *float32, n int, c *adamScalars[float32])

//go:noescape
func amsGradNEON(p, grad, s1, s2, s3 *float32, n int, c *adamScalars[float32])

//go:noescape
func sgdNEON(p, grad *float32, n int, c *sgdScalars)

//go:noescape
func sgdMomentumNEON(p, grad, s1 *float32, n int, c *sgdScalars)

//go:noescape
func sgdNesterovNEON(p, grad, s1 *float32, n int, c *sgdScalars)

//go:noescape
func rmspropNEON(p, grad, s1 *float32, n int, c *rmspropScalars[float32])

//go:noescape
func rmspropCenteredNEON(p, grad, s1, s2 *float32, n int, c *rmspropScalars[float32])

//go:noescape
func rmspropMomentumNEON(p, grad, s1, s2 *float32, n int, c *rmspropScalars[float32])

//go:noescape
func rmspropBothNEON(p, grad, s1, s2, s3 *float32, n int, c *rmspropScalars[float32])

//go:noescape
func adagradNEON(p, grad, s1 *float32, n int, c *adagradScalars[float32])

//go:noescape
func adadeltaNEON(p, grad, s1, s2 *float32, n int, c *adadeltaScalars[float32])

//go:noescape
func nadamNEON(p, grad, s1, s2 *float32, n int, c *nadamScalars[float32])

//go:noescape
func lionNEON(p, grad, s1 *float32, n int, c *lionScalars[float32])
