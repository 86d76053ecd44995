//go:build amd64 && !noasm

// Gradients of functions of one element: from slices to the assembly.

package kern

func useGradients(s *Set[float32]) {
	s.GateReLU = binary(gateReluAVX2)
	s.GateLeakyReLU = gateLeaky(s, gateLeakyReluAVX2)
	s.ELUGrad = binaryScaled(eluGradAVX2)
	s.SigmoidGrad, s.TanhGrad = binary(sigmoidGradAVX2), binary(tanhGradAVX2)
	s.AbsGrad, s.SqrtGrad = binary(absGradAVX2), binary(sqrtGradAVX2)
	s.ClampGrad = binaryBounded(clampGradAVX2)
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
