//go:build amd64 && !noasm

// Reductions of float64.

#include "textflag.h"

#define DOUBLE
#include "reduce_amd64.h"

// func dot64AVX2(a, b *float64, n int) float64
TEXT ·dot64AVX2(SB), NOSPLIT, $0-32
	DOT
	VMOVS X0, ret+24(FP)
	VZEROUPPER
	RET

// func sum64AVX2(x *float64, n int) float64
TEXT ·sum64AVX2(SB), NOSPLIT, $0-24
	SUM
	VMOVS X0, ret+16(FP)
	VZEROUPPER
	RET

// func sumAbs64AVX2(x *float64, n int) float64
TEXT ·sumAbs64AVX2(SB), NOSPLIT, $0-24
	VMOVUPS sign<>(SB), Y15
	SUMS(MAGNITUDE, PLUS)
	VMOVS X0, ret+16(FP)
	VZEROUPPER
	RET

// func sumSquaredDev64AVX2(x *float64, n int, mean float64) float64
TEXT ·sumSquaredDev64AVX2(SB), NOSPLIT, $0-32
	VBROADCASTS mean+16(FP), Y15
	SUMS(DEVIATION, SQUARED)
	VMOVS X0, ret+24(FP)
	VZEROUPPER
	RET

// func segmentSumOnes64AVX2(acc, x *float64, bounds *int32, rows int)
TEXT ·segmentSumOnes64AVX2(SB), NOSPLIT, $0-32
	ROWSUMS

// func dotRows64AVX2(dst, a, b *float64, rows, n int)
TEXT ·dotRows64AVX2(SB), NOSPLIT, $0-40
	EACHDOT
