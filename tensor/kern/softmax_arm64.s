//go:build arm64 && !noasm

// Softmax, log-softmax and normalisation of the rows of a matrix, and their gradients, with
// NEON: 4 elements at a time, then the rest, whose lanes beyond the end are filled with what
// adds nothing. Exponentials below 2^-126 are 0.
//
// R2 is the rows left and R3 is n. R0, which writes, and the last pointers that read a row
// end at the next one.

#include "textflag.h"
#include "neon_arm64.h"
#include "loops_arm64.h"
#include "functions_arm64.h"

// WALK does BODY for all fours of a row, then AFTER for its rest, if there is one.
#define WALK(loop, rest, end, BODY, AFTER) \
	SUBS $4, R3, R4 \
	BLT  rest       \
loop:                   \
	BODY            \
	SUBS $4, R4, R4 \
	BGE  loop       \
rest:                   \
	TST  $3, R3     \
	BEQ  end        \
	AFTER           \
end:

// SUMLANES makes all lanes of v the sum of all.
#define SUMLANES(v, V) \
	FADDP(v, v, v) \
	FADDPS(v, v)   \
	SPREAD(V)

#define ROWARGS \
	MOVD dst+0(FP), R0   \
	MOVD x+8(FP), R1     \
	MOVD rows+16(FP), R2 \
	MOVD n+24(FP), R3    \
	EXPCONSTS            \
	K(FLUSH, F30)        \
	K(MINUSINF, F31)

#define ROWARGS2 \
	MOVD dst+0(FP), R0   \
	MOVD grad+8(FP), R1  \
	MOVD y+16(FP), R5    \
	MOVD rows+24(FP), R2 \
	MOVD n+32(FP), R3    \
	MOVD R1, R6          \
	MOVD R5, R7

// LARGEST leaves the row's maximum, or NaN, in all lanes of V0. V31 is -Inf.
#define MAX4 \
	VLD1.P 16(R6), [V2.S4] \
	FMAX(0, 0, 2)

#define MAXREST \
	MOV4(2, 31)  \
	REST(R6, V2) \
	FMAX(0, 0, 2)

#define LARGEST \
	MOVD R1, R6  \
	MOV4(0, 31)  \
	WALK(maxLoop, maxRest, maxEnd, MAX4, MAXREST) \
	FMAXV(0, 0)  \
	SPREAD(V0)

// The exponentials of softmax go to dst, those of the rest stay in V5; V1 is their sum.
#define EXP4 \
	VLD1.P 16(R1), [V3.S4] \
	FSUB(3, 3, 0)          \
	EXPNEG(3, 4)           \
	FADD(1, 1, 3)          \
	VST1.P [V3.S4], 16(R6)

#define EXPREST \
	MOV4(5, 31)   \
	REST(R1, V5)  \
	FSUB(5, 5, 0) \
	EXPNEG(5, 4)  \
	FADD(1, 1, 5)

#define SCALE4 \
	VLD1   (R0), [V2.S4] \
	FMUL(2, 2, 1)        \
	VST1.P [V2.S4], 16(R0)

#define SCALEREST \
	FMUL(5, 5, 1) \
	STOREREST(V5, R0)

// func softmaxRowsNEON(dst, x *float32, rows, n int)
TEXT ·softmaxRowsNEON(SB), NOSPLIT, $0-32
	ROWARGS

row:
	LARGEST
	MOVD R0, R6
	CLEAR(1)
	WALK(expLoop, expRest, expEnd, EXP4, EXPREST)
	SUMLANES(1, V1)
	FDIV(1, 27, 1)
	WALK(scaleLoop, scaleRest, scaleEnd, SCALE4, SCALEREST)
	SUBS $1, R2, R2
	BNE  row
	RET

#define LOGEXP4 \
	VLD1.P 16(R6), [V3.S4] \
	FSUB(3, 3, 0)          \
	EXPNEG(3, 4)           \
	FADD(1, 1, 3)

#define LOGEXPREST \
	MOV4(3, 31)   \
	REST(R6, V3)  \
	FSUB(3, 3, 0) \
	EXPNEG(3, 4)  \
	FADD(1, 1, 3)

// Not x less the sum of both: for a large maximum that would lose the logarithm.
#define LESS4 \
	VLD1.P 16(R1), [V3.S4] \
	FSUB(3, 3, 0)          \
	FSUB(3, 3, 6)          \
	VST1.P [V3.S4], 16(R0)

#define LESSREST \
	REST(R1, V3)  \
	FSUB(3, 3, 0) \
	FSUB(3, 3, 6) \
	STOREREST(V3, R0)

// The sum is at least 1, or NaN, which the difference in V7 carries over.
// func logSoftmaxRowsNEON(dst, x *float32, rows, n int)
TEXT ·logSoftmaxRowsNEON(SB), NOSPLIT, $0-32
	ROWARGS
	K(LN2, F29)

row:
	LARGEST
	MOVD R1, R6
	CLEAR(1)
	WALK(expLoop, expRest, expEnd, LOGEXP4, LOGEXPREST)
	SUMLANES(1, V1)
	FSUB(7, 1, 1)
	SPLIT(1, 4)
	LOG1P(1, 6)
	FMLA(6, 4, 29)
	FADD(6, 6, 7)
	WALK(lessLoop, lessRest, lessEnd, LESS4, LESSREST)
	SUBS $1, R2, R2
	BNE  row
	RET

#define DOT4 \
	VLD1.P 16(R6), [V1.S4] \
	VLD1.P 16(R7), [V2.S4] \
	FMLA(0, 1, 2)

#define DOTREST \
	CLEAR(1)     \
	CLEAR(2)     \
	REST(R6, V1) \
	REST(R7, V2) \
	FMLA(0, 1, 2)

#define GRAD4 \
	VLD1.P 16(R1), [V1.S4] \
	VLD1.P 16(R5), [V2.S4] \
	FSUB(1, 1, 0)          \
	FMUL(1, 1, 2)          \
	VST1.P [V1.S4], 16(R0)

#define GRADREST \
	REST(R1, V1)  \
	REST(R5, V2)  \
	FSUB(1, 1, 0) \
	FMUL(1, 1, 2) \
	STOREREST(V1, R0)

// func softmaxGradRowsNEON(dst, grad, y *float32, rows, n int)
TEXT ·softmaxGradRowsNEON(SB), NOSPLIT, $0-40
	ROWARGS2

row:
	CLEAR(0)
	WALK(dotLoop, dotRest, dotEnd, DOT4, DOTREST)
	SUMLANES(0, V0)
	WALK(gradLoop, gradRest, gradEnd, GRAD4, GRADREST)
	SUBS $1, R2, R2
	BNE  row
	RET

#define SUM4 \
	VLD1.P 16(R6), [V1.S4] \
	FADD(0, 0, 1)

#define SUMREST \
	CLEAR(1)     \
	REST(R6, V1) \
	FADD(0, 0, 1)

#define LOGGRAD4 \
	VLD1.P 16(R1), [V1.S4] \
	VLD1.P 16(R5), [V2.S4] \
	EXPNEG(2, 3)           \
	FMLS(1, 2, 0)          \
	VST1.P [V1.S4], 16(R0)

#define LOGGRADREST \
	REST(R1, V1)  \
	REST(R5, V2)  \
	EXPNEG(2, 3)  \
	FMLS(1, 2, 0) \
	STOREREST(V1, R0)

// func logSoftmaxGradRowsNEON(dst, grad, y *float32, rows, n int)
TEXT ·logSoftmaxGradRowsNEON(SB), NOSPLIT, $0-40
	ROWARGS2
	EXPCONSTS
	K(FLUSH, F30)

row:
	CLEAR(0)
	WALK(sumLoop, sumRest, sumEnd, SUM4, SUMREST)
	SUMLANES(0, V0)
	WALK(gradLoop, gradRest, gradEnd, LOGGRAD4, LOGGRADREST)
	SUBS $1, R2, R2
	BNE  row
	RET

// The distances from the mean in V0 are summed in V3, their squares in V2.
#define DEVIATION4 \
	VLD1.P 16(R6), [V1.S4] \
	FSUB(1, 1, 0)          \
	FADD(3, 3, 1)          \
	FMLA(2, 1, 1)

#define DEVIATIONREST \
	MOV4(1, 0)    \
	REST(R6, V1)  \
	FSUB(1, 1, 0) \
	FADD(3, 3, 1) \
	FMLA(2, 1, 1)

#define NORM4 \
	VLD1.P 16(R1), [V1.S4] \
	FSUB(1, 1, 0)          \
	FMUL(1, 1, 2)          \
	VST1.P [V1.S4], 16(R0)

#define NORMREST \
	REST(R1, V1)  \
	FSUB(1, 1, 0) \
	FMUL(1, 1, 2) \
	STOREREST(V1, R0)

// The mean was rounded; what is left of the sum gives its error (see normRows).
// func normRowsNEON(dst, x, mean, rstd *float32, rows, n int, count, eps float32)
TEXT ·normRowsNEON(SB), NOSPLIT, $0-56
	MOVD  dst+0(FP), R0
	MOVD  x+8(FP), R1
	MOVD  mean+16(FP), R9
	MOVD  rstd+24(FP), R10
	MOVD  rows+32(FP), R2
	MOVD  n+40(FP), R3
	FMOVS count+48(FP), F31
	FMOVS eps+52(FP), F30
	FMOVS $1.0, F27
	SPREAD(V31)
	SPREAD(V30)
	SPREAD(V27)
	FDIV(31, 27, 31) // 1/n
	CLEAR(29)

row:
	MOVD    R1, R6
	CLEAR(0)
	WALK(sumLoop, sumRest, sumEnd, SUM4, SUMREST)
	SUMLANES(0, V0)
	FMUL(0, 0, 31)
	MOVD    R1, R6
	CLEAR(2)
	CLEAR(3)
	WALK(devLoop, devRest, devEnd, DEVIATION4, DEVIATIONREST)
	SUMLANES(2, V2)
	SUMLANES(3, V3)
	FMUL(4, 3, 31)
	FADD(0, 0, 4)
	FMLS(2, 3, 4)
	FMAX(2, 2, 29)   // NaN stays
	FMUL(2, 2, 31)
	FADD(2, 2, 30)
	FSQRT(2, 2)
	FDIV(2, 27, 2)
	FMOVS.P F0, 4(R9)
	FMOVS.P F2, 4(R10)
	WALK(normLoop, normRest, normEnd, NORM4, NORMREST)
	SUBS    $1, R2, R2
	BNE     row
	RET

// V0 sums g, V1 sums g·x̂ with x̂ = (x - mean)·rstd in V3; V29 is the mean, V30 rstd.
#define HATTED \
	FSUB(3, 3, 29) \
	FMUL(3, 3, 30)

#define ALONG4 \
	VLD1.P 16(R6), [V2.S4] \
	VLD1.P 16(R7), [V3.S4] \
	HATTED                 \
	FADD(0, 0, 2)          \
	FMLA(1, 2, 3)

#define ALONGREST \
	CLEAR(2)      \
	MOV4(3, 29)   \
	REST(R6, V2)  \
	REST(R7, V3)  \
	HATTED        \
	FADD(0, 0, 2) \
	FMLA(1, 2, 3)

#define NORMGRAD \
	HATTED         \
	FSUB(2, 2, 0)  \
	FMLS(2, 3, 1)  \
	FMUL(2, 2, 30)

#define NORMGRAD4 \
	VLD1.P 16(R1), [V2.S4] \
	VLD1.P 16(R5), [V3.S4] \
	NORMGRAD               \
	VST1.P [V2.S4], 16(R0)

#define NORMGRADREST \
	REST(R1, V2) \
	REST(R5, V3) \
	NORMGRAD     \
	STOREREST(V2, R0)

// func normGradRowsNEON(dst, grad, x, mean, rstd *float32, rows, n int, count float32)
TEXT ·normGradRowsNEON(SB), NOSPLIT, $0-60
	MOVD  dst+0(FP), R0
	MOVD  grad+8(FP), R1
	MOVD  x+16(FP), R5
	MOVD  mean+24(FP), R9
	MOVD  rstd+32(FP), R10
	MOVD  rows+40(FP), R2
	MOVD  n+48(FP), R3
	FMOVS count+56(FP), F31
	SPREAD(V31)
	MOVD  R1, R6
	MOVD  R5, R7

row:
	VLD1R.P 4(R9), [V29.S4]
	VLD1R.P 4(R10), [V30.S4]
	CLEAR(0)
	CLEAR(1)
	WALK(alongLoop, alongRest, alongEnd, ALONG4, ALONGREST)
	SUMLANES(0, V0)
	SUMLANES(1, V1)
	FDIV(0, 0, 31)
	FDIV(1, 1, 31)
	WALK(gradLoop, gradRest, gradEnd, NORMGRAD4, NORMGRADREST)
	SUBS    $1, R2, R2
	BNE     row
	RET
