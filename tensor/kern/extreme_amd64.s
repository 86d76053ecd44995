//go:build amd64 && !noasm

// The largest and the smallest element of float32, and where a value is first.

#include "textflag.h"
#include "extreme_amd64.h"

// func maxOfAVX2(x *float32, n int) float32
TEXT ·maxOfAVX2(SB), NOSPLIT, $0-20
	EXTREME(VMAXP, VMAXS, minusInf<>(SB))
	VMOVS X0, ret+16(FP)
	VZEROUPPER
	RET

// func minOfAVX2(x *float32, n int) float32
TEXT ·minOfAVX2(SB), NOSPLIT, $0-20
	EXTREME(VMINP, VMINS, infinity<>(SB))
	VMOVS X0, ret+16(FP)
	VZEROUPPER
	RET

// func indexOfAVX2(x *float32, n int, v float32) int
TEXT ·indexOfAVX2(SB), NOSPLIT, $0-32
	VBROADCASTS v+16(FP), Y15
	INDEXOF
	MOVQ BX, ret+24(FP)
	VZEROUPPER
	RET

// func segmentMaxOnesAVX2(acc, x *float32, bounds *int32, rows int, more bool)
TEXT ·segmentMaxOnesAVX2(SB), NOSPLIT, $0-33
	ROWMAXIMA
