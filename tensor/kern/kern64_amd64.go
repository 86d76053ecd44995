//go:build amd64 && !noasm

// The float64 kernels: choice, and from slices to the assembly. What is not here is
// the reference loop, or is composed of what is here.

package kern

import (
	"math"

	"golang.org/x/sys/cpu"
)

func fastest64() *Set[float64] {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return reference[float64]()
	}
	s := doubles()
	if hasAVX512() {
		useActivations64by512(s)
		useCopyRows512(s)
	}
	return s
}

// doubles is the set with AVX2.
func doubles() *Set[float64] {
	s := reference[float64]() // the composed kernels are made of what the set has when they are called
	s.Add, s.Sub, s.Mul, s.Div = binary(add64AVX2), binary(sub64AVX2), binary(mul64AVX2), binary(div64AVX2)
	s.Max, s.Min = binary(max64AVX2), binary(min64AVX2)
	s.AddScalar, s.RSubScalar, s.MulScalar = scaled(addScalar64AVX2), scaled(rsubScalar64AVX2), scaled(mulScalar64AVX2)
	s.DivScalar, s.RDivScalar = scaled(divScalar64AVX2), scaled(rdivScalar64AVX2)
	s.Axpy = axpyBy(axpy64AVX2)
	s.FMA3 = ternary(fma64AVX2)
	s.Axpby = axpbyBy(axpby64AVX2, axpbyPast64AVX2)
	s.AddGroups, s.SubGroups = grouped(addGroups64AVX2, addGroups[float64]), grouped(subGroups64AVX2, subGroups[float64])
	s.MulGroups, s.DivGroups = grouped(mulGroups64AVX2, mulGroups[float64]), grouped(divGroups64AVX2, divGroups[float64])
	s.SetGroups = filled(setGroups64AVX2)

	s.Neg = func(dst, x []float64) { s.MulScalar(dst, x, -1) }
	s.Abs, s.Sqrt, s.Rsqrt, s.Clamp = unary(abs64AVX2), unary(sqrt64AVX2), unary(rsqrt64AVX2), bounded(clamp64AVX2)
	s.Sin, s.Cos = trig(sin64AVX2, math.Sin, trigBound64), trig(cos64AVX2, math.Cos, trigBound64)
	s.ReLU, s.LeakyReLU, s.Step = unary(relu64AVX2), scaled(leakyRelu64AVX2), stepped(step64AVX2)

	s.GateReLU, s.GateLeakyReLU = binary(gateRelu64AVX2), gateLeaky(s, gateLeakyRelu64AVX2)
	s.ELUGrad = binaryScaled(eluGrad64AVX2)
	s.SigmoidGrad, s.TanhGrad = binary(sigmoidGrad64AVX2), binary(tanhGrad64AVX2)
	s.AbsGrad, s.SqrtGrad, s.ClampGrad = binary(absGrad64AVX2), binary(sqrtGrad64AVX2), binaryBounded(clampGrad64AVX2)

	useDerived(s)
	useActivations64(s)
	useComparisons64(s)
	useRows64(s)
	useOptimisers64(s)
	useAdaptiveOptimisers64(s)
	useReductions64(s)
	useEach64(s)
	useColumns64(s)
	useGathers64(s)
	useHeads64(s)
	useGatherPairs64(s)
	useParts(s)
	s.DotEach = eachDot(dotRows64AVX2)
	useSegments256(s)
	useSegmentTotals64(s)
	s.ScatterRows, s.RepeatRows = scatterRowsAVX[float64], repeatRowsAVX[float64]
	return s
}

// The assembly. n > 0; the reference loops are the comments of Set.

//go:noescape
func add64AVX2(dst, a, b *float64, n int)

//go:noescape
func sub64AVX2(dst, a, b *float64, n int)

//go:noescape
func mul64AVX2(dst, a, b *float64, n int)

//go:noescape
func div64AVX2(dst, a, b *float64, n int)

//go:noescape
func max64AVX2(dst, a, b *float64, n int)

//go:noescape
func min64AVX2(dst, a, b *float64, n int)

//go:noescape
func addScalar64AVX2(dst, x *float64, n int, c float64)

//go:noescape
func mulScalar64AVX2(dst, x *float64, n int, c float64)

//go:noescape
func relu64AVX2(dst, x *float64, n int)

//go:noescape
func leakyRelu64AVX2(dst, x *float64, n int, c float64)

//go:noescape
func axpy64AVX2(dst, a, b *float64, n int, c float64)

//go:noescape
func step64AVX2(dst, x *float64, n int, bound, above, below float64)

//go:noescape
func abs64AVX2(dst, x *float64, n int)

//go:noescape
func sqrt64AVX2(dst, x *float64, n int)

//go:noescape
func rsqrt64AVX2(dst, x *float64, n int)

//go:noescape
func clamp64AVX2(dst, x *float64, n int, lo, hi float64)

//go:noescape
func rsubScalar64AVX2(dst, x *float64, n int, c float64)

//go:noescape
func divScalar64AVX2(dst, x *float64, n int, c float64)

//go:noescape
func rdivScalar64AVX2(dst, x *float64, n int, c float64)

//go:noescape
func fma64AVX2(dst, a, b, c *float64, n int)

//go:noescape
func addGroups64AVX2(dst, x, y *float64, groups, group int)

//go:noescape
func subGroups64AVX2(dst, x, y *float64, groups, group int)

//go:noescape
func mulGroups64AVX2(dst, x, y *float64, groups, group int)

//go:noescape
func divGroups64AVX2(dst, x, y *float64, groups, group int)

//go:noescape
func setGroups64AVX2(dst, y *float64, groups, group int)

//go:noescape
func gateRelu64AVX2(dst, a, b *float64, n int)

//go:noescape
func gateLeakyRelu64AVX2(dst, a, b *float64, n int, c float64)

//go:noescape
func eluGrad64AVX2(dst, a, b *float64, n int, c float64)

//go:noescape
func tanhGrad64AVX2(dst, a, b *float64, n int)

//go:noescape
func sigmoidGrad64AVX2(dst, a, b *float64, n int)

//go:noescape
func sqrtGrad64AVX2(dst, a, b *float64, n int)

//go:noescape
func absGrad64AVX2(dst, a, b *float64, n int)

//go:noescape
func clampGrad64AVX2(dst, a, b *float64, n int, lo, hi float64)

//go:noescape
func sin64AVX2(dst, x *float64, n int) int

//go:noescape
func cos64AVX2(dst, x *float64, n int) int
