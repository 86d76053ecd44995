//go:build amd64 && !noasm

// Row kernels of float32 with heads.

#include "textflag.h"
#include "heads_amd64.h"

DATA halves<>+0(SB)/8, $0
DATA halves<>+8(SB)/8, $0
DATA halves<>+16(SB)/8, $0x0000000100000001
DATA halves<>+24(SB)/8, $0x0000000100000001
GLOBL halves<>(SB), RODATA|NOPTR, $32

DATA quarters<>+0(SB)/8, $0
DATA quarters<>+8(SB)/8, $0x0000000100000001
DATA quarters<>+16(SB)/8, $0x0000000200000002
DATA quarters<>+24(SB)/8, $0x0000000300000003
GLOBL quarters<>(SB), RODATA|NOPTR, $32

// func gatherScaleEachAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherScaleEachAVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	HEADS(EACH, 32)

// func gatherScaleQuartersAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherScaleQuartersAVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	VMOVUPS quarters<>(SB), Y14
	HEADS(QUARTERS, 16)

// func gatherScaleHalvesAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherScaleHalvesAVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	VMOVUPS halves<>(SB), Y14
	HEADS(HALVES, 2*SIZE)

// func gatherScaleVectorsAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherScaleVectorsAVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	HEADS(WHOLE, SIZE)

// func gatherScaleTwoVectorsAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherScaleTwoVectorsAVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	WIDEHEADS

// func gatherDotPairsAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotPairsAVX2(SB), NOSPLIT, $0-72
	BLOCKS(PAIRS, 1, 64)

// func gatherDotFoursAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotFoursAVX2(SB), NOSPLIT, $0-72
	BLOCKS(FOURS, 2, 64)

// func gatherDotVectorsAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotVectorsAVX2(SB), NOSPLIT, $0-72
	BLOCKS(VECTORS, (5-SIZELOG), 128)

// func gatherDotTwoVectorsAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotTwoVectorsAVX2(SB), NOSPLIT, $0-72
	BLOCKS(TWOVECTORS, (6-SIZELOG), 256)

// func gatherDotAnyVectorsAVX2(out *float32, ostride int, row *float32, groups int, group int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotAnyVectorsAVX2(SB), NOSPLIT, $0-80
	ANYVECTORS
