//go:build amd64 && !noasm

// Reductions of float32.

#include "textflag.h"
#include "reduce_amd64.h"

// func dotAVX2(a, b *float32, n int) float32
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	DOT
	VMOVS X0, ret+24(FP)
	VZEROUPPER
	RET

// func sumAVX2(x *float32, n int) float32
TEXT ·sumAVX2(SB), NOSPLIT, $0-20
	SUM
	VMOVS X0, ret+16(FP)
	VZEROUPPER
	RET

// func sumAbsAVX2(x *float32, n int) float32
TEXT ·sumAbsAVX2(SB), NOSPLIT, $0-20
	VMOVUPS sign<>(SB), Y15
	SUMS(MAGNITUDE, PLUS)
	VMOVS X0, ret+16(FP)
	VZEROUPPER
	RET

// func sumSquaredDevAVX2(x *float32, n int, mean float32) float32
TEXT ·sumSquaredDevAVX2(SB), NOSPLIT, $0-28
	VBROADCASTS mean+16(FP), Y15
	SUMS(DEVIATION, SQUARED)
	VMOVS X0, ret+24(FP)
	VZEROUPPER
	RET

// func segmentSumOnesAVX2(acc, x *float32, bounds *int32, rows int)
TEXT ·segmentSumOnesAVX2(SB), NOSPLIT, $0-32
	ROWSUMS

// func dotRowsAVX2(dst, a, b *float32, rows, n int)
TEXT ·dotRowsAVX2(SB), NOSPLIT, $0-40
	EACHDOT
