//go:build amd64 && !noasm

// Row kernels of float64 with heads.

#include "textflag.h"

#define DOUBLE
#include "heads_amd64.h"

// func gatherScaleEach64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)
TEXT ·gatherScaleEach64AVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	HEADS(EACH, 32)

// func gatherScaleHalves64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)
TEXT ·gatherScaleHalves64AVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	HEADS(HALVES, 2*SIZE)

// func gatherScaleVectors64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)
TEXT ·gatherScaleVectors64AVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	HEADS(WHOLE, SIZE)

// func gatherScaleTwoVectors64AVX2(acc *float64, width int, x *float64, stride int, ids *int32, n, ahead int, w *float64, wstride int)
TEXT ·gatherScaleTwoVectors64AVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	WIDEHEADS

// func gatherDotPairs64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotPairs64AVX2(SB), NOSPLIT, $0-72
	BLOCKS(PAIRS, 1, 64)

// func gatherDotVectors64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotVectors64AVX2(SB), NOSPLIT, $0-72
	BLOCKS(VECTORS, (5-SIZELOG), 128)

// func gatherDotTwoVectors64AVX2(out *float64, ostride int, row *float64, width int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotTwoVectors64AVX2(SB), NOSPLIT, $0-72
	BLOCKS(TWOVECTORS, (6-SIZELOG), 256)

// func gatherDotAnyVectors64AVX2(out *float64, ostride int, row *float64, groups int, group int, x *float64, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotAnyVectors64AVX2(SB), NOSPLIT, $0-80
	ANYVECTORS
