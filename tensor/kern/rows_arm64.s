//go:build arm64 && !noasm

// Row kernels with NEON: rows are picked and multiplied with one, copied, or scaled by groups of
// columns.

#include "textflag.h"
#include "neon_arm64.h"

// Every dot product is four chains of four sums and, of columns that fill no vector, one sum.
// func gatherDotsNEON(out *float32, ostride int, row *float32, groups, group int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotsNEON(SB), NOSPLIT, $0-80
	MOVD out+0(FP), R0
	MOVD ostride+8(FP), R1
	MOVD row+16(FP), R2
	MOVD groups+24(FP), R3
	MOVD group+32(FP), R4
	MOVD x+40(FP), R5
	MOVD stride+48(FP), R6
	MOVD ids+56(FP), R7
	MOVD n+64(FP), R8
	MOVD ahead+72(FP), R14
	LSL  $2, R1
	LSL  $2, R6

edge:
	CBZ  R14, near
	SUB  $1, R14
	MOVW 128(R7), R15
	MADD R6, R5, R15, R15
	PRFM (R15), PLDL1KEEP
	CMP  $64, R6
	BLE  near
	PRFM 64(R15), PLDL1KEEP

near:
	MOVW.P 4(R7), R9
	MADD R6, R5, R9, R9
	MOVD R2, R10
	MOVD R0, R11
	MOVD R3, R12

group:
	CLEAR(0)
	CLEAR(1)
	CLEAR(2)
	CLEAR(3)
	SUBS $16, R4, R13
	BLT  few

sixteen:
	LDQ(4, 10, 0)
	LDQ(5, 10, 16)
	LDQ(6, 10, 32)
	LDQ(7, 10, 48)
	LDQ(16, 9, 0)
	LDQ(17, 9, 16)
	LDQ(18, 9, 32)
	LDQ(19, 9, 48)
	FMLA(0, 4, 16)
	FMLA(1, 5, 17)
	FMLA(2, 6, 18)
	FMLA(3, 7, 19)
	ADD  $64, R10
	ADD  $64, R9
	SUBS $16, R13
	BGE  sixteen

few:
	ADDS $12, R13
	BLT  fewer

four:
	LDQ(4, 10, 0)
	LDQ(16, 9, 0)
	FMLA(0, 4, 16)
	ADD  $16, R10
	ADD  $16, R9
	SUBS $4, R13
	BGE  four

fewer:
	ADDS $4, R13
	BEQ  sum

one:
	LDS(4, 10, 0)
	LDS(16, 9, 0)
	FMLA(1, 4, 16)
	ADD  $4, R10
	ADD  $4, R9
	SUBS $1, R13
	BNE  one

sum:
	FADD(0, 0, 1)
	FADD(2, 2, 3)
	FADD(0, 0, 2)
	FADDP(0, 0, 0)
	FADDPS(0, 0)
	STS(0, 11, 0)
	ADD  $4, R11
	SUBS $1, R12
	BNE  group
	ADD  R1, R0
	SUBS $1, R8
	BNE  edge
	RET

// COPY copies R2 columns, a multiple of 4, from R9 to R10.
#define COPY \
	SUBS $16, R2, R11  \
	BLT  few           \
sixteen:             \
	LDQ(0, 9, 0)       \
	LDQ(1, 9, 16)      \
	LDQ(2, 9, 32)      \
	LDQ(3, 9, 48)      \
	STQ(0, 10, 0)      \
	STQ(1, 10, 16)     \
	STQ(2, 10, 32)     \
	STQ(3, 10, 48)     \
	ADD  $64, R9       \
	ADD  $64, R10      \
	SUBS $16, R11      \
	BGE  sixteen       \
few:                 \
	ADDS $12, R11      \
	BLT  copied        \
four:                \
	LDQ(0, 9, 0)       \
	STQ(0, 10, 0)      \
	ADD  $16, R9       \
	ADD  $16, R10      \
	SUBS $4, R11       \
	BGE  four          \
copied:

// func gatherRowsNEON(dst, x *float32, width, stride int, ids *int32, n int)
TEXT ·gatherRowsNEON(SB), NOSPLIT, $0-48
	MOVD dst+0(FP), R10
	MOVD x+8(FP), R1
	MOVD width+16(FP), R2
	MOVD stride+24(FP), R3
	MOVD ids+32(FP), R4
	MOVD n+40(FP), R5
	LSL  $2, R3

row:
	MOVW.P 4(R4), R9
	MADD R3, R1, R9, R9
	COPY
	SUBS $1, R5
	BNE  row
	RET

// func scatterRowsNEON(dst, x *float32, width int, ids *int32, n int)
TEXT ·scatterRowsNEON(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R1
	MOVD x+8(FP), R9
	MOVD width+16(FP), R2
	MOVD ids+24(FP), R4
	MOVD n+32(FP), R5
	LSL  $2, R2, R3

row:
	MOVW.P 4(R4), R10
	MADD R3, R1, R10, R10
	COPY
	SUBS $1, R5
	BNE  row
	RET

// func mulGroupsNEON(dst, x, y *float32, groups, group int)
TEXT ·mulGroupsNEON(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R10
	MOVD x+8(FP), R9
	MOVD y+16(FP), R1
	MOVD groups+24(FP), R5
	MOVD group+32(FP), R2

group:
	LDS(24, 1, 0)
	ADD  $4, R1
	MOVD R2, R11

four:
	LDQ(0, 9, 0)
	FMULLANE(0, 0, 24, 0)
	STQ(0, 10, 0)
	ADD  $16, R9
	ADD  $16, R10
	SUBS $4, R11
	BNE  four
	SUBS $1, R5
	BNE  group
	RET

// func setGroupsNEON(dst, y *float32, groups, group int)
TEXT ·setGroupsNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R10
	MOVD y+8(FP), R1
	MOVD groups+16(FP), R5
	MOVD group+24(FP), R2

group:
	LDS(0, 1, 0)
	VDUP V0.S[0], V0.S4
	ADD  $4, R1
	MOVD R2, R11

four:
	STQ(0, 10, 0)
	ADD  $16, R10
	SUBS $4, R11
	BNE  four
	SUBS $1, R5
	BNE  group
	RET
