//go:build arm64 && !noasm

// GELU and its gradient with NEON, in the steps of gelu_amd64.h: up to |x| = 7 a polynomial
// around the nearest quarter, whose coefficients are a row of a table; the longer way where
// x < -7.

#include "textflag.h"
#include "neon_arm64.h"
#include "loops_arm64.h"
#include "functions_arm64.h"

// LD4NEXT loads four float32 from n on into a lane of four registers from t on, and moves
// n behind them; LD4 does not move it.
#define LD4NEXT(t, lane, n) WORD $(0x0DFFA000 | ((lane)>>1)<<30 | ((lane)&1)<<12 | (n)<<5 | (t))
#define LD4(t, lane, n) WORD $(0x0D60A000 | ((lane)>>1)<<30 | ((lane)&1)<<12 | (n)<<5 | (t))

// COEFFICIENTS loads the row of the table at R9 that stands for a lane into that of V16 to V23.
#define COEFFICIENTS(lane) \
	VMOV V3.S[lane], R5  \
	ADD  R9, R5, R5      \
	LD4NEXT(16, lane, 5) \
	LD4(20, lane, 5)

// LOOKUP leaves a, which is |x| up to 7, in V2, and the polynomial's value in V16. The last
// 5 bits of a + 3·2^20 count the quarters; V4 is the way from the nearest one to a. V29 is
// SEVEN, V30 TOQUARTER, V31 ROWBYTES.
#define LOOKUP(x) \
	FABS(2, x)      \
	FMIN(2, 2, 29)  \
	FADD(3, 2, 30)  \
	FSUB(4, 3, 30)  \
	FSUB(4, 2, 4)   \
	SHL4(3, 3, 5)   \
	VAND V31.B16, V3.B16, V3.B16 \
	COEFFICIENTS(0) \
	COEFFICIENTS(1) \
	COEFFICIENTS(2) \
	COEFFICIENTS(3) \
	FMLA(22, 23, 4) \
	FMLA(21, 22, 4) \
	FMLA(20, 21, 4) \
	FMLA(19, 20, 4) \
	FMLA(18, 19, 4) \
	FMLA(17, 18, 4) \
	FMLA(16, 17, 4)

// SKIPUNLESSFAR jumps over the next instruction where no lane of x is below -7; V13 tells
// which are. V14 is MINUSSEVEN.
#define SKIPUNLESSFAR(x) \
	FCMGT(13, 14, x)     \
	VUADDLV V13.S4, V5   \
	VMOV    V5.D[0], R5  \
	CBZ     R5, 2(PC)

// TAIL leaves a, which is |x| up to 15, in V2, and in V3, V4 and V5 parts whose product is
// Q(a) = Φ(-a): that of V3 and V4 is e^(-a²/2). V8 is FIFTEEN.
#define TAIL(x) \
	K(FIFTEEN, F8)             \
	K(THREETENTHS, F9)         \
	K(P0, F10)                 \
	K(CENTRE, F11)             \
	FABS(2, x)                 \
	FMIN(2, 2, 8)              \
	SQUARED(10, 2, 3, 4)       \
	FMUL(19, 2, 9)             \
	FADD(6, 19, 27)            \
	FDIV(6, 27, 6)             \
	FNEG(18, 11)               \
	FMLA(18, 19, 6)            \
	K(Q9, F16)                 \
	HORNER(Q8, 18, 16, 17, F17) \
	HORNER(Q7, 18, 17, 16, F16) \
	HORNER(Q6, 18, 16, 17, F17) \
	HORNER(Q5, 18, 17, 16, F16) \
	HORNER(Q4, 18, 16, 17, F17) \
	HORNER(Q3, 18, 17, 16, F16) \
	HORNER(Q2, 18, 16, 17, F17) \
	HORNER(Q1, 18, 17, 16, F16) \
	HORNER(Q0, 18, 16, 17, F17) \
	FMUL(5, 17, 6)

// geluFar puts x·Q(-x) into the lanes of V12 where x in V0 is below -7. The product rounds
// once, even if Q is a denormal number.
TEXT geluFar<>(SB), NOSPLIT, $0-0
	TAIL(0)
	FMUL(3, 3, 5)
	FNEG(5, 8)
	FMAX(5, 0, 5)
	FMUL(5, 5, 3)
	FMUL(5, 5, 4)
	BIT4(12, 5, 13)
	RET

// geluGradFar puts the slope into the lanes of V12 where x in V1 is below -7.
TEXT geluGradFar<>(SB), NOSPLIT, $0-0
	TAIL(1)
	K(DENSITY0, F16)
	FMLS(5, 2, 16)
	FMUL(3, 3, 5)
	FMUL(3, 3, 4)
	BIT4(12, 3, 13)
	RET

// With the tail Q(a), GELU is max(x, 0) - a·Q(a); the comparison keeps -0 and NaN.
#define GELU \
	LOOKUP(0)        \
	FCMLT0(5, 0)     \
	BIC4(12, 0, 5)   \
	FMLS(12, 2, 16)  \
	SKIPUNLESSFAR(0) \
	CALL geluFar<>(SB) \
	MOV4(0, 12)

// The slope is s(a) at -a and 1 - s(a) at a.
#define GELUGRAD \
	LOOKUP(1)         \
	FSUB(12, 27, 16)  \
	BYSIGN(1, 16, 12) \
	SKIPUNLESSFAR(1)  \
	CALL geluGradFar<>(SB) \
	FMUL(0, 0, 12)

#define GELUCONSTS \
	EXPCONSTS         \
	K(SEVEN, F29)     \
	K(TOQUARTER, F30) \
	K(ROWBYTES, F31)  \
	K(MINUSSEVEN, F14)

// func geluNEON(dst, x *float32, n int, table *geluCoefficients)
TEXT ·geluNEON(SB), NOSPLIT, $0-32
	GELUCONSTS
	MOVD table+24(FP), R9
	MAP1(GELU)

// func geluGradNEON(dst, a, b *float32, n int, table *geluCoefficients)
TEXT ·geluGradNEON(SB), NOSPLIT, $0-40
	GELUCONSTS
	MOVD table+32(FP), R9
	MAP2(GELUGRAD)
