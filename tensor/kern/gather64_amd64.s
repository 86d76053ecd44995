//go:build amd64 && !noasm

// Row kernels of float64: rows of a matrix picked by ids are summed, scaled and summed,
// compared, or multiplied with one row.

#include "textflag.h"

#define DOUBLE
#include "gathersums_amd64.h"

// func gatherSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherSum64AVX2(SB), NOSPLIT, $0-56
	BEGINSUMS
	ALLCOLUMNS(NOWEIGHT, PLUS, STAY)

// func gatherMax64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherMax64AVX2(SB), NOSPLIT, $0-56
	BEGINSUMS
	ALLCOLUMNS(NOWEIGHT, LARGER, STAY)

// func gatherScaleSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)
TEXT ·gatherScaleSum64AVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	ALLCOLUMNS(WEIGHT, SCALE, NEXT)

// func gatherFactorSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, c *float64)
TEXT ·gatherFactorSum64AVX2(SB), NOSPLIT, $0-64
	BEGINSUMS
	MOVQ c+56(FP), R12
	ALLCOLUMNS(FACTOR, SCALE, STAY)

// func gatherDot64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherDot64AVX2(SB), NOSPLIT, $0-72
	ROWDOTS
