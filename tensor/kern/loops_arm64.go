//go:build arm64 && !noasm

// Element-wise kernels without functions, and bias: from slices to the assembly.

package kern

func useLoops(s *Set[float32]) {
	s.Add, s.Sub, s.Mul, s.Div = binary(addNEON), binary(subNEON), binary(mulNEON), binary(divNEON)
	s.Max, s.Min = binary(maxNEON), binary(minNEON)
	s.AddScalar, s.RSubScalar, s.MulScalar = scaled(addScalarNEON), scaled(rsubScalarNEON), scaled(mulScalarNEON)
	s.DivScalar, s.RDivScalar, s.Axpy = scaled(divScalarNEON), scaled(rdivScalarNEON), scaled(axpyNEON)
	s.FMA3 = ternary(fma3NEON)
	s.Neg, s.Abs, s.Sqrt, s.Rsqrt = unary(negNEON), unary(absNEON), unary(sqrtNEON), unary(rsqrtNEON)
	s.Clamp, s.Step = bounded(clampNEON), stepped(stepNEON)
	s.ReLU, s.LeakyReLU = unary(reluNEON), scaled(leakyReluNEON)

	s.GateReLU, s.GateLeakyReLU = binary(gateReluNEON), gateLeaky(s, gateLeakyReluNEON)
	s.ELUGrad, s.ClampGrad = binaryScaled(eluGradNEON), binaryBounded(clampGradNEON)
	s.SigmoidGrad, s.TanhGrad = binary(sigmoidGradNEON), binary(tanhGradNEON)
	s.AbsGrad, s.SqrtGrad = binary(absGradNEON), binary(sqrtGradNEON)

	s.AddGroups = func(dst, x, y []float32, group int) { eachGroup(dst, x, y, group, s.AddScalar) }
	s.SubGroups = func(dst, x, y []float32, group int) {
		eachGroup(dst, x, y, group, func(dst, x []float32, c float32) { s.AddScalar(dst, x, -c) })
	}
	s.DivGroups = func(dst, x, y []float32, group int) { eachGroup(dst, x, y, group, s.DivScalar) }
	s.ScaleColumns = func(dst, x, shift, scale, bias []float32) {
		n := len(shift)
		x = x[:len(dst)]
		for range rowsOf(len(dst), n) {
			s.Sub(dst[:n], x, shift)
			s.FMA3(dst[:n], dst, scale, bias)
			dst, x = dst[n:], x[n:]
		}
	}
}

func addInto[T Float](dst, a, b *T, n int, relu bool) {
	d, p, q := any(dst).(*float32), any(a).(*float32), any(b).(*float32)
	if relu {
		addReluNEON(d, p, q, n)
	} else {
		addNEON(d, p, q, n)
	}
}

func sumRows[T Float](acc, x *T, rows, n int) {
	sumRowsNEON(any(acc).(*float32), any(x).(*float32), rows, n)
}

//go:noescape
func addNEON(dst, a, b *float32, n int)

//go:noescape
func subNEON(dst, a, b *float32, n int)

//go:noescape
func mulNEON(dst, a, b *float32, n int)

//go:noescape
func divNEON(dst, a, b *float32, n int)

//go:noescape
func maxNEON(dst, a, b *float32, n int)

//go:noescape
func minNEON(dst, a, b *float32, n int)

//go:noescape
func addReluNEON(dst, a, b *float32, n int)

//go:noescape
func addScalarNEON(dst, x *float32, n int, c float32)

//go:noescape
func rsubScalarNEON(dst, x *float32, n int, c float32)

//go:noescape
func mulScalarNEON(dst, x *float32, n int, c float32)

//go:noescape
func divScalarNEON(dst, x *float32, n int, c float32)

//go:noescape
func rdivScalarNEON(dst, x *float32, n int, c float32)

//go:noescape
func axpyNEON(dst, x *float32, n int, c float32)

//go:noescape
func fma3NEON(dst, a, b, c *float32, n int)

//go:noescape
func negNEON(dst, x *float32, n int)

//go:noescape
func absNEON(dst, x *float32, n int)

//go:noescape
func sqrtNEON(dst, x *float32, n int)

//go:noescape
func rsqrtNEON(dst, x *float32, n int)

//go:noescape
func clampNEON(dst, x *float32, n int, lo, hi float32)

//go:noescape
func reluNEON(dst, x *float32, n int)

//go:noescape
func leakyReluNEON(dst, x *float32, n int, c float32)

//go:noescape
func stepNEON(dst, x *float32, n int, bound, above, below float32)

//go:noescape
func gateReluNEON(dst, a, b *float32, n int)

//go:noescape
func gateLeakyReluNEON(dst, a, b *float32, n int, c float32)

//go:noescape
func eluGradNEON(dst, a, b *float32, n int, c float32)

//go:noescape
func tanhGradNEON(dst, a, b *float32, n int)

//go:noescape
func sigmoidGradNEON(dst, a, b *float32, n int)

//go:noescape
func absGradNEON(dst, a, b *float32, n int)

//go:noescape
func sqrtGradNEON(dst, a, b *float32, n int)

//go:noescape
func clampGradNEON(dst, a, b *float32, n int, lo, hi float32)

//go:noescape
func sumRowsNEON(acc, x *float32, rows, n int)
