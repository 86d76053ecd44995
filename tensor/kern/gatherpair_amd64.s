//go:build amd64 && !noasm

// Element-wise kernels of float32 on pairs of rows picked by ids.

#include "textflag.h"
#include "gatherpair_amd64.h"

// func gatherAddAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)
TEXT ·gatherAddAVX2(SB), NOSPLIT, $0-64
	PAIRS(SUM, DX, R12)

// func gatherSubAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)
TEXT ·gatherSubAVX2(SB), NOSPLIT, $0-64
	PAIRS(DIFFERENCE, DX, R12)

// func gatherRSubAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)
TEXT ·gatherRSubAVX2(SB), NOSPLIT, $0-64
	PAIRS(DIFFERENCE, R12, DX)

// func gatherMulAVX2(dst, x, y *float32, width int, xs, ys *int32, n, ahead int)
TEXT ·gatherMulAVX2(SB), NOSPLIT, $0-64
	PAIRS(PRODUCT, DX, R12)
