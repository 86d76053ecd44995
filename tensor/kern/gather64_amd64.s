//go:build amd64 && !noasm

// The kernels of gather_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "gather_amd64.h"

// func gatherSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherSum64AVX2(SB), NOSPLIT, $0-56
	SUMARGS
	COLUMNS(NOWEIGHT, STAY, 0, ROW64(PLUS), ROW32(PLUS), ROW16(PLUS), ROW8(PLUS))
	REST(NOWEIGHT, PLUS, STAY)
	VZEROUPPER
	RET

// func gatherMax64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherMax64AVX2(SB), NOSPLIT, $0-56
	SUMARGS
	COLUMNS(NOWEIGHT, STAY, 0, ROW64(LARGER), ROW32(LARGER), ROW16(LARGER), ROW8(LARGER))
	REST(NOWEIGHT, LARGER, STAY)
	VZEROUPPER
	RET

// func gatherScaleSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)
TEXT ·gatherScaleSum64AVX2(SB), NOSPLIT, $0-72
	SUMARGS
	MOVQ w+56(FP), R12
	MOVQ wstride+64(FP), R13
	SHLQ $SIZELOG, R13
	COLUMNS(WEIGHT, NEXT, 0, ROW64(SCALE), ROW32(SCALE), ROW16(SCALE), ROW8(SCALE))
	REST(WEIGHT, SCALE, NEXT)
	VZEROUPPER
	RET

// func gatherFactorSum64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, c *float64)
TEXT ·gatherFactorSum64AVX2(SB), NOSPLIT, $0-64
	SUMARGS
	MOVQ c+56(FP), R12
	COLUMNS(FACTOR, STAY, 0, ROW64(SCALE), ROW32(SCALE), ROW16(SCALE), ROW8(SCALE))
	REST(FACTOR, SCALE, STAY)
	VZEROUPPER
	RET

// func gatherDot64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherDot64AVX2(SB), NOSPLIT, $0-72
	DOTS
