//go:build amd64 && !noasm

// The kernels of extreme_amd64.h of float64.

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
	INDEXOF
	MOVQ BX, ret+24(FP)
	VZEROUPPER
	RET
