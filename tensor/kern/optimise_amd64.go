//go:build amd64 && !noasm

// The optimisers' updates: from slices to the assembly.

package kern

func useOptimisers(s *Set[float32]) {
	s.Adam = func(p, g, m, v []float32, a AdamArgs) {
		if n := len(p); n > 0 {
			g, m, v = g[:n], m[:n], v[:n]
			c := scalarsOf[float32](a)
			adamAVX2(&p[0], &g[0], &m[0], &v[0], n, &c)
		}
	}
	s.AMSGrad = func(p, g, m, v, top []float32, a AdamArgs) {
		if n := len(p); n > 0 {
			g, m, v, top = g[:n], m[:n], v[:n], top[:n]
			c := scalarsOf[float32](a)
			amsGradAVX2(&p[0], &g[0], &m[0], &v[0], &top[0], n, &c)
		}
	}
	s.SGD = func(p, g, v []float32, a SGDArgs) {
		n := len(p)
		if n == 0 {
			return
		}
		g = g[:n]
		lr, decay, momentum, share := float32(a.LR), float32(a.WeightDecay), float32(a.Momentum), float32(a.Share)
		if momentum == 0 {
			sgdAVX2(&p[0], &g[0], n, lr, decay)
			return
		}
		v = v[:n]
		if a.Nesterov {
			sgdNesterovAVX2(&p[0], &g[0], &v[0], n, lr, decay, momentum, share)
		} else {
			sgdMomentumAVX2(&p[0], &g[0], &v[0], n, lr, decay, momentum, share)
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
