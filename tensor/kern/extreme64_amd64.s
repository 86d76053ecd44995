//go:build amd64 && !noasm

// The largest and the smallest element of float64, and where a value is first.

#include "textflag.h"

#define DOUBLE
#include "extreme_amd64.h"

// func maxOf64AVX2(x *float64, n int) float64
TEXT ·maxOf64AVX2(SB), NOSPLIT, $0-24
	EXTREME(VMAXP, VMAXS, minusInf<>(SB))
	VMOVS X0, ret+16(FP)
	VZEROUPPER
	RET

// func minOf64AVX2(x *float64, n int) float64
TEXT ·minOf64AVX2(SB), NOSPLIT, $0-24
	EXTREME(VMINP, VMINS, infinity<>(SB))
	VMOVS X0, ret+16(FP)
	VZEROUPPER
	RET

// func indexOf64AVX2(x *float64, n int, v float64) int
TEXT ·indexOf64AVX2(SB), NOSPLIT, $0-32
	VBROADCASTS v+16(FP), Y15
	INDEXOF
	MOVQ BX, ret+24(FP)
	VZEROUPPER
	RET

// func segmentMaxOnes64AVX2(acc, x *float64, bounds *int32, rows int, more bool)
TEXT ·segmentMaxOnes64AVX2(SB), NOSPLIT, $0-33
	ROWMAXIMA
