//go:build amd64 && !noasm

// The AVX2+FMA and AVX-512 kernels: choice, and from slices to the assembly.

package kern

import "golang.org/x/sys/cpu"

func fastest32() (*Set[float32], string) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return reference[float32](), "go"
	}
	if !hasAVX512() {
		return avx2(), "avx2"
	}
	return avx512(), "avx512"
}

// hasAVX512 tells whether the processor has the parts of AVX-512 that the kernels are written
// in: vectors of 512 bits, and those of 256 and 128 with as many registers and masks.
func hasAVX512() bool {
	return cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL
}

func avx2() *Set[float32] {
	s := &Set[float32]{
		Add: binary(addAVX2), Sub: binary(subAVX2), Mul: binary(mulAVX2),
		Div: binary(divAVX2), Max: binary(maxAVX2), Min: binary(minAVX2),
		AddScalar: scaled(addScalarAVX2), MulScalar: scaled(mulScalarAVX2), LeakyReLU: scaled(leakyReluAVX2),
		Axpy:    axpyBy(axpyAVX2),
		ReLU:    unary(reluAVX2),
		Step:    stepped(stepAVX2),
		Dropout: dropoutAVX, DropoutRows: dropoutRowsAVX,
		AddGroups: grouped(addGroupsAVX2, addGroups[float32]), SubGroups: grouped(subGroupsAVX2, subGroups[float32]),
		MulGroups: grouped(mulGroupsAVX2, mulGroups[float32]), DivGroups: grouped(divGroupsAVX2, divGroups[float32]),
		SetGroups: filled(setGroupsAVX2), CopyRows: copyRows[float32], ScatterRows: scatterRowsAVX[float32], RepeatRows: repeatRowsAVX[float32],
	}
	useDerived(s)
	useFunctions(s)
	useGradients(s)
	useActivations(s)
	useReductions(s)
	useGathers(s)
	useHeads(s)
	useComparisons(s)
	useRows(s)
	useColumns(s)
	useOptimisers(s)
	useAdaptiveOptimisers(s)
	useEach(s)
	useWinners(s)
	useGatherPairs(s)
	useComposed(s)
	useParts(s)
	s.Axpby = axpbyBy(axpbyAVX2, axpbyPastAVX2)
	s.DotEach = eachDot(dotRowsAVX2)
	useInterleave(s)
	useSegments256(s)
	useSegmentTotals256(s)
	useAddReLU(s)
	useAttention(s, false)
	return s
}

// avx512 is avx2 with what 512 bits do better.
func avx512() *Set[float32] {
	s := avx2()
	useAVX512(s)
	useRows512(s)
	useSegments512(s)
	useSegmentTotals512(s)
	useScores512(s)
	useAttention(s, true)
	useAttentionHeads512(s)
	useInterleave512(s)
	useCopyRows512(s)
	return s
}

// The assembly. n > 0; the reference loops are the comments of Set.

//go:noescape
func addAVX2(dst, a, b *float32, n int)

//go:noescape
func subAVX2(dst, a, b *float32, n int)

//go:noescape
func mulAVX2(dst, a, b *float32, n int)

//go:noescape
func divAVX2(dst, a, b *float32, n int)

//go:noescape
func maxAVX2(dst, a, b *float32, n int)

//go:noescape
func minAVX2(dst, a, b *float32, n int)

//go:noescape
func addScalarAVX2(dst, x *float32, n int, c float32)

//go:noescape
func mulScalarAVX2(dst, x *float32, n int, c float32)

//go:noescape
func leakyReluAVX2(dst, x *float32, n int, c float32)

//go:noescape
func reluAVX2(dst, x *float32, n int)

//go:noescape
func axpyAVX2(dst, a, b *float32, n int, c float32)

//go:noescape
func stepAVX2(dst, x *float32, n int, bound, above, below float32)

//go:noescape
func addGroupsAVX2(dst, x, y *float32, groups, group int)

//go:noescape
func subGroupsAVX2(dst, x, y *float32, groups, group int)

//go:noescape
func mulGroupsAVX2(dst, x, y *float32, groups, group int)

//go:noescape
func divGroupsAVX2(dst, x, y *float32, groups, group int)

//go:noescape
func setGroupsAVX2(dst, y *float32, groups, group int)
