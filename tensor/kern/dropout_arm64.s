//go:build arm64 && !noasm

// Dropout with NEON: the draws of four indices at a time, compared with the threshold, and the
// products masked by the outcome.

#include "textflag.h"
#include "neon_arm64.h"

// Registers: V8 the next indices, V9 fours, V10 and V11 the multipliers, V12 and V13 the keys,
// V14 the threshold, V15 the scale.

// MIX is mix32 of the elements of x.
#define MIX(x, t) \
	SHIFT(t, x, 16) \
	EOR(x, x, t)    \
	MULU(x, x, 10)  \
	SHIFT(t, x, 15) \
	EOR(x, x, t)    \
	MULU(x, x, 11)  \
	SHIFT(t, x, 16) \
	EOR(x, x, t)

// DROP is four elements whose indices are in V0.
#define DROP \
	EOR(0, 0, 12)  \
	MIX(0, 1)      \
	EOR(0, 0, 13)  \
	MIX(0, 1)      \
	CMHS(0, 0, 14) \
	LDQ(2, 1, 0)   \
	ADD  $16, R1   \
	FMUL(2, 2, 15) \
	AND(2, 2, 0)   \
	STQ(2, 0, 0)   \
	ADD  $16, R0

// CONSTANTS loads the arguments from keys0 on, which lie at the same place in all functions.
#define CONSTANTS \
	MOVWU keys0+24(FP), R4     \
	MOVWU keys1+28(FP), R5     \
	MOVWU threshold+32(FP), R6 \
	MOVWU scale+36(FP), R7     \
	VDUP  R4, V12.S4           \
	VDUP  R5, V13.S4           \
	VDUP  R6, V14.S4           \
	VDUP  R7, V15.S4           \
	MOVD  $0x7feb352d, R4      \
	MOVD  $0x846ca68b, R5      \
	VDUP  R4, V10.S4           \
	VDUP  R5, V11.S4

// func dropoutNEON(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, first uint32)
TEXT ·dropoutNEON(SB), NOSPLIT, $0-44
	MOVD  dst+0(FP), R0
	MOVD  x+8(FP), R1
	MOVD  n+16(FP), R2
	CONSTANTS
	MOVWU first+40(FP), R4
	VDUP  R4, V8.S4
	MOVD  $0x100000000, R5    // 0, 1
	VMOV  R5, V0.D[0]
	MOVD  $0x300000002, R5    // 2, 3
	VMOV  R5, V0.D[1]
	ADDU(8, 8, 0)
	MOVD  $4, R5
	VDUP  R5, V9.S4

four:
	VMOV V8.B16, V0.B16
	ADDU(8, 8, 9)
	DROP
	SUBS $4, R2
	BNE  four
	RET

// func dropoutAtNEON(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, ids *int32)
TEXT ·dropoutAtNEON(SB), NOSPLIT, $0-48
	MOVD  dst+0(FP), R0
	MOVD  x+8(FP), R1
	MOVD  n+16(FP), R2
	CONSTANTS
	MOVD  ids+40(FP), R3

four:
	LDQ(0, 3, 0)
	ADD  $16, R3
	DROP
	SUBS $4, R2
	BNE  four
	RET
