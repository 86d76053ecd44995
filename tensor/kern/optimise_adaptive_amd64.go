//go:build amd64 && !noasm

// The updates of the optimisers besides Adam and SGD: from slices to the assembly.

package kern

func useAdaptiveOptimisers(s *Set[float32]) {
	s.RMSprop = func(p, g, v, mean, last []float32, a RMSpropArgs) {
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
			rmspropBothAVX2(&p[0], &g[0], &v[0], &mean[0], &last[0], n, &c)
		case a.Centered:
			rmspropCenteredAVX2(&p[0], &g[0], &v[0], &mean[0], n, &c)
		case a.Momentum > 0:
			rmspropMomentumAVX2(&p[0], &g[0], &v[0], &last[0], n, &c)
		default:
			rmspropAVX2(&p[0], &g[0], &v[0], n, &c)
		}
	}
	s.Adagrad = func(p, g, v []float32, a AdagradArgs) {
		if n := len(p); n > 0 {
			g, v = g[:n], v[:n]
			c := adagradScalarsOf[float32](a)
			adagradAVX2(&p[0], &g[0], &v[0], n, &c)
		}
	}
	s.Adadelta = func(p, g, v, u []float32, a AdadeltaArgs) {
		if n := len(p); n > 0 {
			g, v, u = g[:n], v[:n], u[:n]
			c := adadeltaScalarsOf[float32](a)
			adadeltaAVX2(&p[0], &g[0], &v[0], &u[0], n, &c)
		}
	}
	s.NAdam = func(p, g, m, v []float32, a NAdamArgs) {
		if n := len(p); n > 0 {
			g, m, v = g[:n], m[:n], v[:n]
			c := nadamScalarsOf[float32](a)
			nadamAVX2(&p[0], &g[0], &m[0], &v[0], n, &c)
		}
	}
	s.Lion = func(p, g, m []float32, a LionArgs) {
		if n := len(p); n > 0 {
			g, m = g[:n], m[:n]
			c := lionScalarsOf[float32](a)
			lionAVX2(&p[0], &g[0], &m[0], n, &c)
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
