//go:build amd64 && !noasm

// Gradients of functions of one element: from slices to the assembly.

package kern

func useGradients(s *Set[float32]) {
	s.GateReLU = binary(gateReluAVX2)
	gateLeakyReLU := binaryScaled(gateLeakyReluAVX2)
	s.GateLeakyReLU = func(dst, g, x []float32, slope float32) {
		if slope == 0 { // 0·Inf would be NaN
			s.GateReLU(dst, g, x)
		} else {
			gateLeakyReLU(dst, g, x, slope)
		}
	}
	s.ELUGrad = binaryScaled(eluGradAVX2)
	s.SigmoidGrad, s.TanhGrad = binary(sigmoidGradAVX2), binary(tanhGradAVX2)
	s.AbsGrad, s.SqrtGrad = binary(absGradAVX2), binary(sqrtGradAVX2)
	s.ClampGrad = func(dst, g, x []float32, lo, hi float32) {
		if n := len(dst); n > 0 {
			g, x = g[:n], x[:n]
			clampGradAVX2(&dst[0], &g[0], &x[0], n, lo, hi)
		}
	}
}

// binaryScaled checks the lengths and calls f with pointers.
func binaryScaled(f func(dst, a, b *float32, n int, c float32)) func(dst, a, b []float32, c float32) {
	return func(dst, a, b []float32, c float32) {
		if n := len(dst); n > 0 {
			a, b = a[:n], b[:n]
			f(&dst[0], &a[0], &b[0], n, c)
		}
	}
}

//go:noescape
func gateReluAVX2(dst, a, b *float32, n int)

//go:noescape
func gateLeakyReluAVX2(dst, a, b *float32, n int, c float32)

//go:noescape
func eluGradAVX2(dst, a, b *float32, n int, c float32)

//go:noescape
func tanhGradAVX2(dst, a, b *float32, n int)

//go:noescape
func sigmoidGradAVX2(dst, a, b *float32, n int)

//go:noescape
func absGradAVX2(dst, a, b *float32, n int)

//go:noescape
func sqrtGradAVX2(dst, a, b *float32, n int)

//go:noescape
func clampGradAVX2(dst, a, b *float32, n int, lo, hi float32)
