//go:build arm64 && !noasm

// The element-wise NEON kernels without functions, and the sums of the columns of a matrix.

#include "textflag.h"
#include "neon_arm64.h"
#include "loops_arm64.h"

// The operations of two slices: a becomes the result, b is the other operand, t and u
// are scratch.
#define PLUS(a, b, t, u) FADD(a, a, b)
#define MINUS(a, b, t, u) FSUB(a, a, b)
#define TIMES(a, b, t, u) FMUL(a, a, b)
#define OVER(a, b, t, u) FDIV(a, a, b)

// Not FMAX and FMIN: NaN in b does not count where a is none and stands so to b, and of
// two zeros it is b.
#define MAX(a, b, t, u) \
	FCMGT(t, a, b)  \
	FCMEQ(u, a, a)  \
	ORN4(t, t, u)   \
	BIF4(a, b, t)

#define MIN(a, b, t, u) \
	FCMGT(t, b, a)  \
	FCMEQ(u, a, a)  \
	ORN4(t, t, u)   \
	BIF4(a, b, t)

// Of one slice, with scalars in V31, V30 and V29.
#define ADDC(y, t) FADD(y, y, 31)
#define RSUBC(y, t) FSUB(y, 31, y)
#define MULC(y, t) FMUL(y, y, 31)
#define DIVC(y, t) FDIV(y, y, 31)
#define RDIVC(y, t) FDIV(y, 31, y)
#define AXPY(y, x, t, u) FMLA(y, x, 31)
#define FMA(y, a, b) FMLA(y, a, b)
#define NEGATE(y, t) FNEG(y, y)
#define ABS(y, t) FABS(y, y)
#define SQRT(y, t) FSQRT(y, y)

#define RSQRT(y, t) \
	FSQRT(t, y) \
	FDIV(y, 31, t)

// Comparisons, not FMAX and FMIN: a bound that is NaN is none.
#define CLAMP(y, t) \
	FCMGT(t, 31, y) \
	BIT4(y, 31, t)  \
	FCMGT(t, y, 30) \
	BIT4(y, 30, t)

#define RELU(y, t) \
	FCMLT0(t, y) \
	BIC4(y, y, t)

#define ADDRELU(a, b, t, u) \
	FADD(a, a, b) \
	RELU(a, t)

// V28 is scratch, too.
#define LEAKY(y, t) \
	FCMLT0(t, y)    \
	FMUL(28, y, 31) \
	BIT4(y, 28, t)

#define STEP(y, t) \
	FCMGT(y, y, 31) \
	BSL4(y, 30, 29)

// Gradients: g becomes the result, x or y is b.
#define GATE(g, b, t, u) \
	FCMLE0(t, b) \
	BIC4(g, g, t)

#define GATELEAKY(g, b, t, u) \
	FCMGT0(t, b)   \
	FMUL(u, g, 31) \
	BIF4(g, u, t)

#define ELUGRAD(g, b, t, u) \
	FADD(t, b, 31) \
	FMUL(t, t, g)  \
	FCMGT0(u, b)   \
	BIF4(g, t, u)

#define TANHGRAD(g, b, t, u) \
	MOV4(t, 31)   \
	FMLS(t, b, b) \
	FMUL(g, g, t)

#define SIGMOIDGRAD(g, b, t, u) \
	FSUB(t, 31, b) \
	FMUL(t, t, b)  \
	FMUL(g, g, t)

#define SQRTGRAD(g, b, t, u) \
	FADD(b, b, b) \
	FDIV(g, g, b)

// Where b is 0 or NaN, so is the result.
#define ABSGRAD(g, b, t, u) \
	MOV4(t, b)    \
	FCMGT0(u, b)  \
	BIT4(t, g, u) \
	FNEG(g, g)    \
	FCMLT0(u, b)  \
	BIF4(g, t, u)

#define CLAMPGRAD(g, b, t, u) \
	FCMGE(t, b, 31) \
	FCMGE(u, 30, b) \
	AND(t, t, u)   \
	AND(g, g, t)

// SCALED is UNARY with the argument c in V31.
#define SCALED(OP) \
	FMOVS c+24(FP), F31 \
	SPREAD(V31)         \
	UNARY(OP)

// BINARYSCALED is BINARY with the argument c in V31.
#define BINARYSCALED(OP) \
	FMOVS c+32(FP), F31 \
	SPREAD(V31)         \
	BINARY(OP)

// ONE makes all lanes of V31 1.
#define ONE \
	FMOVS $1.0, F31 \
	SPREAD(V31)

// func addNEON(dst, a, b *float32, n int)
TEXT ·addNEON(SB), NOSPLIT, $0-32
	BINARY(PLUS)

// func subNEON(dst, a, b *float32, n int)
TEXT ·subNEON(SB), NOSPLIT, $0-32
	BINARY(MINUS)

// func mulNEON(dst, a, b *float32, n int)
TEXT ·mulNEON(SB), NOSPLIT, $0-32
	BINARY(TIMES)

// func divNEON(dst, a, b *float32, n int)
TEXT ·divNEON(SB), NOSPLIT, $0-32
	BINARY(OVER)

// func maxNEON(dst, a, b *float32, n int)
TEXT ·maxNEON(SB), NOSPLIT, $0-32
	BINARY(MAX)

// func minNEON(dst, a, b *float32, n int)
TEXT ·minNEON(SB), NOSPLIT, $0-32
	BINARY(MIN)

// func addReluNEON(dst, a, b *float32, n int)
TEXT ·addReluNEON(SB), NOSPLIT, $0-32
	BINARY(ADDRELU)

// func addScalarNEON(dst, x *float32, n int, c float32)
TEXT ·addScalarNEON(SB), NOSPLIT, $0-28
	SCALED(ADDC)

// func rsubScalarNEON(dst, x *float32, n int, c float32)
TEXT ·rsubScalarNEON(SB), NOSPLIT, $0-28
	SCALED(RSUBC)

// func mulScalarNEON(dst, x *float32, n int, c float32)
TEXT ·mulScalarNEON(SB), NOSPLIT, $0-28
	SCALED(MULC)

// func divScalarNEON(dst, x *float32, n int, c float32)
TEXT ·divScalarNEON(SB), NOSPLIT, $0-28
	SCALED(DIVC)

// func rdivScalarNEON(dst, x *float32, n int, c float32)
TEXT ·rdivScalarNEON(SB), NOSPLIT, $0-28
	SCALED(RDIVC)

// func axpyNEON(dst, x *float32, n int, c float32)
TEXT ·axpyNEON(SB), NOSPLIT, $0-28
	MOVD  dst+0(FP), R0
	MOVD  R0, R1
	MOVD  x+8(FP), R2
	MOVD  n+16(FP), R3
	FMOVS c+24(FP), F31
	SPREAD(V31)
	LOOP2(AXPY)

// func fma3NEON(dst, a, b, c *float32, n int)
TEXT ·fma3NEON(SB), NOSPLIT, $0-40
	TERNARY(FMA)

// func negNEON(dst, x *float32, n int)
TEXT ·negNEON(SB), NOSPLIT, $0-24
	UNARY(NEGATE)

// func absNEON(dst, x *float32, n int)
TEXT ·absNEON(SB), NOSPLIT, $0-24
	UNARY(ABS)

// func sqrtNEON(dst, x *float32, n int)
TEXT ·sqrtNEON(SB), NOSPLIT, $0-24
	UNARY(SQRT)

// func rsqrtNEON(dst, x *float32, n int)
TEXT ·rsqrtNEON(SB), NOSPLIT, $0-24
	ONE
	UNARY(RSQRT)

// func clampNEON(dst, x *float32, n int, lo, hi float32)
TEXT ·clampNEON(SB), NOSPLIT, $0-32
	FMOVS lo+24(FP), F31
	FMOVS hi+28(FP), F30
	SPREAD(V31)
	SPREAD(V30)
	UNARY(CLAMP)

// func reluNEON(dst, x *float32, n int)
TEXT ·reluNEON(SB), NOSPLIT, $0-24
	UNARY(RELU)

// func leakyReluNEON(dst, x *float32, n int, c float32)
TEXT ·leakyReluNEON(SB), NOSPLIT, $0-28
	SCALED(LEAKY)

// func stepNEON(dst, x *float32, n int, bound, above, below float32)
TEXT ·stepNEON(SB), NOSPLIT, $0-36
	FMOVS bound+24(FP), F31
	FMOVS above+28(FP), F30
	FMOVS below+32(FP), F29
	SPREAD(V31)
	SPREAD(V30)
	SPREAD(V29)
	UNARY(STEP)

// func gateReluNEON(dst, a, b *float32, n int)
TEXT ·gateReluNEON(SB), NOSPLIT, $0-32
	BINARY(GATE)

// func gateLeakyReluNEON(dst, a, b *float32, n int, c float32)
TEXT ·gateLeakyReluNEON(SB), NOSPLIT, $0-36
	BINARYSCALED(GATELEAKY)

// func eluGradNEON(dst, a, b *float32, n int, c float32)
TEXT ·eluGradNEON(SB), NOSPLIT, $0-36
	BINARYSCALED(ELUGRAD)

// func tanhGradNEON(dst, a, b *float32, n int)
TEXT ·tanhGradNEON(SB), NOSPLIT, $0-32
	ONE
	BINARY(TANHGRAD)

// func sigmoidGradNEON(dst, a, b *float32, n int)
TEXT ·sigmoidGradNEON(SB), NOSPLIT, $0-32
	ONE
	BINARY(SIGMOIDGRAD)

// func absGradNEON(dst, a, b *float32, n int)
TEXT ·absGradNEON(SB), NOSPLIT, $0-32
	BINARY(ABSGRAD)

// func sqrtGradNEON(dst, a, b *float32, n int)
TEXT ·sqrtGradNEON(SB), NOSPLIT, $0-32
	BINARY(SQRTGRAD)

// func clampGradNEON(dst, a, b *float32, n int, lo, hi float32)
TEXT ·clampGradNEON(SB), NOSPLIT, $0-40
	FMOVS lo+32(FP), F31
	FMOVS hi+36(FP), F30
	SPREAD(V31)
	SPREAD(V30)
	BINARY(CLAMPGRAD)

// ADDROWS adds a column of four rows in V1 to V4 to V0, in their order.
#define ADDROWS \
	FADD(0, 0, 1) \
	FADD(0, 0, 2) \
	FADD(0, 0, 3) \
	FADD(0, 0, 4)

// sumRows adds four rows at a time, each element's in their order.
// func sumRowsNEON(acc, x *float32, rows, n int)
TEXT ·sumRowsNEON(SB), NOSPLIT, $0-32
	MOVD acc+0(FP), R0
	MOVD x+8(FP), R1
	MOVD rows+16(FP), R2
	MOVD n+24(FP), R3
	LSL  $2, R3, R9
	SUBS $4, R2, R2
	BLT  single

fours:
	ADD  R9, R1, R5
	ADD  R9, R5, R6
	ADD  R9, R6, R7
	MOVD R0, R10         // reads the sums
	MOVD R0, R11         // writes them
	SUBS $4, R3, R4
	BLT  foursRest

foursLoop:
	VLD1.P 16(R10), [V0.S4]
	VLD1.P 16(R1), [V1.S4]
	VLD1.P 16(R5), [V2.S4]
	VLD1.P 16(R6), [V3.S4]
	VLD1.P 16(R7), [V4.S4]
	ADDROWS
	VST1.P [V0.S4], 16(R11)
	SUBS   $4, R4, R4
	BGE    foursLoop

foursRest:
	REST(R10, V0)
	REST(R1, V1)
	REST(R5, V2)
	REST(R6, V3)
	REST(R7, V4)
	ADDROWS
	STOREREST(V0, R11)
	MOVD R7, R1
	SUBS $4, R2, R2
	BGE  fours

single:
	ADDS $4, R2, R2
	BEQ  done

singles:
	MOVD R0, R10
	MOVD R0, R11
	SUBS $4, R3, R4
	BLT  singleRest

singleLoop:
	VLD1.P 16(R10), [V0.S4]
	VLD1.P 16(R1), [V1.S4]
	FADD(0, 0, 1)
	VST1.P [V0.S4], 16(R11)
	SUBS   $4, R4, R4
	BGE    singleLoop

singleRest:
	REST(R10, V0)
	REST(R1, V1)
	FADD(0, 0, 1)
	STOREREST(V0, R11)
	SUBS $1, R2, R2
	BNE  singles

done:
	RET
