//go:build arm64 && !noasm

// Reductions with NEON, of one slice or of every row: four chains of 4 lanes over 16
// elements at a time, one chain over 4, then the rest, which the second chain takes. The
// chains and then the lanes are merged pairwise, so the order follows from the length alone.

#include "textflag.h"
#include "neon_arm64.h"
#include "loops_arm64.h"

// ZEROS makes V31 and the four chains 0.
#define ZEROS \
	VEOR V31.B16, V31.B16, V31.B16 \
	START

// START begins the four chains with V31.
#define START \
	MOV4(0, 31) \
	MOV4(1, 31) \
	MOV4(2, 31) \
	MOV4(3, 31)

// TERMS walks n elements in R3 from R1, which it moves behind them: TERM turns them into
// what PUT adds to a chain. The lanes beyond the rest have what V31 has before TERM, which
// gets V30 for the rest.
#define TERMS(TERM, PUT) \
	SUBS   $16, R3, R4    \
	BLT    fours          \
loop16:                       \
	VLD1.P 64(R1), [V4.S4, V5.S4, V6.S4, V7.S4] \
	TERM(4, 29)           \
	TERM(5, 29)           \
	TERM(6, 29)           \
	TERM(7, 29)           \
	PUT(0, 4)             \
	PUT(1, 5)             \
	PUT(2, 6)             \
	PUT(3, 7)             \
	SUBS   $16, R4, R4    \
	BGE    loop16         \
fours:                        \
	ADDS   $12, R4, R4    \
	BLT    tail           \
loop4:                        \
	VLD1.P 16(R1), [V4.S4] \
	TERM(4, 29)           \
	PUT(0, 4)             \
	SUBS   $4, R4, R4     \
	BGE    loop4          \
tail:                         \
	TST    $3, R3         \
	BEQ    merge          \
	MOV4(4, 31)           \
	REST(R1, V4)          \
	TERM(4, 30)           \
	PUT(1, 4)             \
merge:

// MERGE folds the chains into one lane by the instruction M, ACROSS folds its lanes.
#define MERGE(M, ACROSS) \
	M(0, 0, 1) \
	M(2, 2, 3) \
	M(0, 0, 2) \
	ACROSS

#define SUMACROSS \
	FADDP(0, 0, 0) \
	FADDPS(0, 0)

#define MAXACROSS FMAXV(0, 0)
#define MINACROSS FMINV(0, 0)

#define PLAIN(x, mean)
#define MAGNITUDE(x, mean) FABS(x, x)
#define DEVIATION(x, mean) FSUB(x, x, mean)
#define PLUS(acc, x) FADD(acc, acc, x)
#define SQUARED(acc, x) FMLA(acc, x, x)
#define LARGER(acc, x) FMAX(acc, acc, x)
#define SMALLER(acc, x) FMIN(acc, acc, x)

// ONE loads arguments (x *float32, n int).
#define ONE \
	MOVD x+0(FP), R1 \
	MOVD n+8(FP), R3

// ROWS loads arguments (dst, x *float32, rows, n int).
#define ROWS \
	MOVD dst+0(FP), R0   \
	MOVD x+8(FP), R1     \
	MOVD rows+16(FP), R5 \
	MOVD n+24(FP), R3

// NEXT stores a row's result and begins the next row.
#define NEXT \
	FMOVS.P F0, 4(R0)  \
	SUBS    $1, R5, R5 \
	BNE     row        \
	RET

// Infinities as bits, for V31.
#define MINUSINF \
	MOVW $0xFF800000, R6 \
	VDUP R6, V31.S4

#define INFINITY \
	MOVW $0x7F800000, R6 \
	VDUP R6, V31.S4

// func sumNEON(x *float32, n int) float32
TEXT ·sumNEON(SB), NOSPLIT, $0-20
	ONE
	ZEROS
	TERMS(PLAIN, PLUS)
	MERGE(FADD, SUMACROSS)
	FMOVS F0, ret+16(FP)
	RET

// func sumEachNEON(dst, x *float32, rows, n int)
TEXT ·sumEachNEON(SB), NOSPLIT, $0-32
	ROWS

row:
	ZEROS
	TERMS(PLAIN, PLUS)
	MERGE(FADD, SUMACROSS)
	NEXT

// func sumAbsNEON(x *float32, n int) float32
TEXT ·sumAbsNEON(SB), NOSPLIT, $0-20
	ONE
	ZEROS
	TERMS(MAGNITUDE, PLUS)
	MERGE(FADD, SUMACROSS)
	FMOVS F0, ret+16(FP)
	RET

// The mean in V29, and in V30 with 0 in the lanes beyond the rest.
// func sumSquaredDevNEON(x *float32, n int, mean float32) float32
TEXT ·sumSquaredDevNEON(SB), NOSPLIT, $0-28
	ONE
	ZEROS
	FMOVS mean+16(FP), F29
	SPREAD(V29)
	MOV4(30, 31)
	TBZ   $1, R3, 2(PC)
	VMOV  V29.D[0], V30.D[0]
	TBZ   $0, R3, 2(PC)
	VMOV  V29.S[0], V30.S[2]
	TERMS(DEVIATION, SQUARED)
	MERGE(FADD, SUMACROSS)
	FMOVS F0, ret+24(FP)
	RET

// func maxOfNEON(x *float32, n int) float32
TEXT ·maxOfNEON(SB), NOSPLIT, $0-20
	ONE
	MINUSINF
	START
	TERMS(PLAIN, LARGER)
	MERGE(FMAX, MAXACROSS)
	FMOVS F0, ret+16(FP)
	RET

// func maxEachNEON(dst, x *float32, rows, n int)
TEXT ·maxEachNEON(SB), NOSPLIT, $0-32
	ROWS
	MINUSINF

row:
	START
	TERMS(PLAIN, LARGER)
	MERGE(FMAX, MAXACROSS)
	NEXT

// func minOfNEON(x *float32, n int) float32
TEXT ·minOfNEON(SB), NOSPLIT, $0-20
	ONE
	INFINITY
	START
	TERMS(PLAIN, SMALLER)
	MERGE(FMIN, MINACROSS)
	FMOVS F0, ret+16(FP)
	RET

// func minEachNEON(dst, x *float32, rows, n int)
TEXT ·minEachNEON(SB), NOSPLIT, $0-32
	ROWS
	INFINITY

row:
	START
	TERMS(PLAIN, SMALLER)
	MERGE(FMIN, MINACROSS)
	NEXT

// sixteen returns where the first whole sixteen begins that has v, or where they end.
// func sixteenNEON(x *float32, n int, v float32) int
TEXT ·sixteenNEON(SB), NOSPLIT, $0-32
	ONE
	FMOVS v+16(FP), F31
	SPREAD(V31)
	MOVD  ZR, R5
	SUBS  $16, R3, R4
	BLT   done

loop16:
	VLD1.P  64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	FCMEQ(0, 0, 31)
	FCMEQ(1, 1, 31)
	FCMEQ(2, 2, 31)
	FCMEQ(3, 3, 31)
	ORR4(0, 0, 1)
	ORR4(2, 2, 3)
	ORR4(0, 0, 2)
	VUADDLV V0.S4, V0
	VMOV    V0.D[0], R6
	CBNZ    R6, done
	ADD     $16, R5
	SUBS    $16, R4, R4
	BGE     loop16

done:
	MOVD R5, ret+24(FP)
	RET
