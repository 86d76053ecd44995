//go:build amd64 && !noasm

// Element-wise kernels of float64 on pairs of rows picked by ids.

#include "textflag.h"

#define DOUBLE
#include "gatherpair_amd64.h"

// func gatherAdd64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)
TEXT ·gatherAdd64AVX2(SB), NOSPLIT, $0-64
	PAIRS(SUM, DX, R12)

// func gatherSub64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)
TEXT ·gatherSub64AVX2(SB), NOSPLIT, $0-64
	PAIRS(DIFFERENCE, DX, R12)

// func gatherRSub64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)
TEXT ·gatherRSub64AVX2(SB), NOSPLIT, $0-64
	PAIRS(DIFFERENCE, R12, DX)

// func gatherMul64AVX2(dst, x, y *float64, width int, xs, ys *int32, n, ahead int)
TEXT ·gatherMul64AVX2(SB), NOSPLIT, $0-64
	PAIRS(PRODUCT, DX, R12)
