//go:build arm64 && !noasm

// Functions made of the exponential and the logarithm, and their gradients, with NEON: 4
// elements at a time, then the rest.

#include "textflag.h"
#include "neon_arm64.h"
#include "loops_arm64.h"
#include "functions_arm64.h"

#define SPLAT(at, bits) \
	DATA ·functionConstants+at+0(SB)/4, bits  \
	DATA ·functionConstants+at+4(SB)/4, bits  \
	DATA ·functionConstants+at+8(SB)/4, bits  \
	DATA ·functionConstants+at+12(SB)/4, bits

SPLAT(HIGHEST, $0x42B20000)      // 89: e^89 is +Inf
SPLAT(LOWEST, $0xC2D00000)       // -104: e^-104 is 0
SPLAT(LOG2E, $0x3FB8AA3B)        // 1/ln 2
SPLAT(LN2HI, $0x3F318000)        // 0.693359375
SPLAT(LN2LO, $0xB95E8083)        // ln 2 - LN2HI = -2.12194440e-4
SPLAT(P5, $0x39506967)           // 1.9875691500e-4
SPLAT(P4, $0x3AB743CE)           // 1.3981999507e-3
SPLAT(P3, $0x3C088908)           // 8.3334519073e-3
SPLAT(P2, $0x3D2AA9C1)           // 4.1665795894e-2
SPLAT(P1, $0x3E2AAAAA)           // 1.6666665459e-1
SPLAT(P0, $0x3F000000)           // 5.0000001201e-1, and 1/2
SPLAT(ONE, $0x3F800000)          // 1
SPLAT(BIAS, $127)                // of exponents, a whole number
SPLAT(LEAST, $0xC2AE0000)        // -87: e^-87 - 1 is -1
SPLAT(FLUSH, $0xC2B00000)        // -88: e^-88 is 0 where denormals are none of the result
SPLAT(SIGN, $0x80000000)         // the sign bit
SPLAT(MINUSTWO, $0xC0000000)     // -2
SPLAT(L7, $0xBD9C5ECC)           // -7.635268569e-2
SPLAT(L6, $0x3E02B147)           // 1.276293844e-1
SPLAT(L5, $0xBE06C30D)           // -1.316034347e-1
SPLAT(L4, $0x3E116C59)           // 1.420148760e-1
SPLAT(L3, $0xBE2A3909)           // -1.662331969e-1
SPLAT(L2, $0x3E4CD010)           // 2.000124454e-1
SPLAT(L1, $0xBE800114)           // -2.500082254e-1
SPLAT(L0, $0x3EAAAAAA)           // 3.333333135e-1
SPLAT(MINUSHALF, $0xBF000000)    // -1/2
SPLAT(LN2, $0x3F317218)          // ln 2
SPLAT(SQRTHALF, $0x3F3504F3)     // sqrt(1/2)
SPLAT(SMALLEST, $0x00800000)     // 2^-126, the smallest normal number
SPLAT(TWO25, $0x4C000000)        // 2^25, which makes the others normal
SPLAT(TWENTYFIVE, $0x41C80000)   // 25
SPLAT(INFINITY, $0x7F800000)     // +Inf
SPLAT(MINUSINF, $0xFF800000)     // -Inf
SPLAT(ROOT2LESS1, $0x3ED413CD)   // sqrt(2) - 1
SPLAT(NOTANUMBER, $0x7FC00000)   // NaN
SPLAT(LEAST110, $0xC2DC0000)     // -110: x·e^x is 0
SPLAT(ES6, $0x38A4054A)          // 7.821114559e-5
SPLAT(ES5, $0xBA51C0D8)          // -8.001453243e-4
SPLAT(ES4, $0x3BA9FBC7)          // 5.187484901e-3
SPLAT(ES3, $0xBCDBFBCD)          // -2.685346641e-2
SPLAT(ES2, $0x3DE71675)          // 1.128358021e-1
SPLAT(ES1, $0xBEC0939F)          // -3.761262596e-1
SPLAT(ES0, $0x3E0375D4)          // 1.283791661e-1
SPLAT(EB6, $0x394363A9)          // 1.863377548e-4
SPLAT(EB5, $0xBB4126CD)          // -2.947258996e-3
SPLAT(EB4, $0x3CB2E282)          // 2.183652297e-2
SPLAT(EB3, $0xBDD32808)          // -1.031036973e-1
SPLAT(EB2, $0xBF235DAD)          // -6.381481290e-1
SPLAT(EB1, $0xBF904466)          // -1.127087355
SPLAT(EB0, $0xB9B345F0)          // -3.419364803e-4
SPLAT(FOUR, $0x40800000)         // 4
SPLAT(TENISH, $0x41266666)       // 10.4: e^-x² is 0
SPLAT(TWOBYROOTPI, $0x3F906EBB)  // 2/sqrt(π)
SPLAT(Q9, $0x3C9952F8)           // 1.871632039e-2
SPLAT(Q8, $0xBCC37E1C)           // -2.386384457e-2
SPLAT(Q7, $0xBCF5D854)           // -3.001037985e-2
SPLAT(Q6, $0x3D098217)           // 3.357132897e-2
SPLAT(Q5, $0x3DA03D3D)           // 7.824180275e-2
SPLAT(Q4, $0xBDA3098B)           // -7.960804552e-2
SPLAT(Q3, $0xBE499112)           // -1.968424618e-1
SPLAT(Q2, $0x3F029E64)           // 5.102293491e-1
SPLAT(Q1, $0xBF0B472B)           // -5.440546870e-1
SPLAT(Q0, $0x3EA8A700)           // 3.293991089e-1
SPLAT(CENTRE, $0x3E800000)       // 1/4
SPLAT(FIFTEEN, $0x41700000)      // 15
SPLAT(THREETENTHS, $0x3E99999A)  // 0.3
SPLAT(DENSITY0, $0x3ECC422A)     // 1/sqrt(2π)
SPLAT(SEVEN, $0x40E00000)        // 7
SPLAT(MINUSSEVEN, $0xC0E00000)   // -7
SPLAT(TOQUARTER, $0x4A400000)    // 3·2^20: a sum with it ends in the nearest quarter
SPLAT(ROWBYTES, $0x000003E0)     // 31 rows of 32 bytes
SPLAT(BOUND, $0x47C35000)        // 1e5
SPLAT(TWOBYPI, $0x3F22F983)      // 2/π
SPLAT(PI2A, $0x3FC90FDB)         // π/2, first part
SPLAT(PI2B, $0xB33BBD2E)         // second
SPLAT(PI2C, $0xA6F72CED)         // third
SPLAT(TS2, $0xB94CA97B)          // -1.951809245e-4
SPLAT(TS1, $0x3C0883BB)          // 8.332188241e-3
SPLAT(TS0, $0xBE2AAAA3)          // -1.666665524e-1
SPLAT(TC2, $0x37CCF480)          // 2.443254925e-5
SPLAT(TC1, $0xBAB60615)          // -1.388731063e-3
SPLAT(TC0, $0x3D2AAAA5)          // 4.166664556e-2
SPLAT(QUARTER, $1)               // a quarter turn, a whole number
GLOBL ·functionConstants(SB), RODATA|NOPTR, $CONSTANTS

// NEGATED is y = -|x|.
#define NEGATED(x, y) \
	FABS(y, x) \
	FNEG(y, y)

// x > 0: x, else c·(e^x - 1). V31 is c, V29 zeros.
#define ELU \
	FMIN(1, 0, 29) \
	EXPM1(1, 2, 3) \
	FMUL(3, 3, 31) \
	FCMGT0(1, 0)   \
	BIF4(0, 3, 1)

// 1/(1 + e^-x)
#define SIGMOID \
	FNEG(0, 0)     \
	EXP(0, 2)      \
	FADD(0, 0, 27) \
	FDIV(0, 27, 0)

// With m = e^(-2|x|) - 1, tanh|x| is -m/(m + 2), and tanh has the sign of x. V29 is -2,
// V31 the sign bit.
#define TANH \
	FABS(1, 0)     \
	FMUL(1, 1, 29) \
	EXPM1(1, 2, 3) \
	FSUB(4, 3, 29) \
	FDIV(3, 3, 4)  \
	BIF4(0, 3, 31)

// LOG: what is below 0 becomes NaN, 0 becomes -Inf, +Inf and NaN stay. V24 is SMALLEST,
// V25 TWO25, V26 TWENTYFIVE, V28 LN2, V29 INFINITY, V30 MINUSINF, V31 NOTANUMBER.
#define LOG \
	FMUL(2, 0, 25)   \
	FCMGT(1, 24, 0)  \
	BIF4(2, 0, 1)    \
	AND(1, 1, 26)   \
	SPLIT(2, 4)      \
	FSUB(4, 4, 1)    \
	LOG1P(2, 6)      \
	FMLA(6, 4, 28)   \
	FCMLT0(1, 0)     \
	BIT4(6, 31, 1)   \
	FCMEQ0(1, 0)     \
	BIT4(6, 30, 1)   \
	FCMGT(1, 29, 0)  \
	BIT4(0, 6, 1)

// SOFTPLUS: max(x, 0) + ln(1+u) with u = e^-|x|; 1+u is 2·(1 + (u-1)/2) where u is
// too large for the polynomial. NaN comes through u. V30 is LOWEST, V29 ROOT2LESS1, V31
// LN2, V7 P0, which is 1/2, V5 zeros.
#define SOFTPLUS \
	NEGATED(0, 1)   \
	FMAX(1, 1, 30)  \
	EXPPARTS(1, 2)  \
	FMUL(1, 1, 2)   \
	FSUB(4, 1, 27)  \
	FMUL(4, 4, 7)   \
	FCMGT(3, 1, 29) \
	AND(2, 3, 31)  \
	BIT4(1, 4, 3)   \
	LOG1P(1, 6)     \
	FADD(6, 6, 2)   \
	FMAX(0, 0, 5)   \
	FADD(0, 0, 6)

// With u = e^-|x|, which never overflows, σ(|x|) is 1/(1+u) and σ(-|x|) is u/(1+u).

// SILU: x/(1+u), or x·u/(1+u) where x is negative, whose numerator rounds once even
// if u is a denormal number. x is limited there because -Inf·0 would be NaN. V30 is LEAST110.
#define SILU \
	NEGATED(0, 1)  \
	FMAX(1, 1, 30) \
	EXPPARTS(1, 2) \
	FMUL(6, 1, 2)  \
	FADD(6, 6, 27) \
	FMAX(7, 0, 30) \
	FMUL(7, 7, 1)  \
	FMUL(7, 7, 2)  \
	BYSIGN(0, 7, 0) \
	FDIV(0, 0, 6)

// SLOPES leaves 1/(1+u) in V7, u/(1+u) in V6 and -|x|, at least -110, in V2 for x in V1.
#define SLOPES \
	NEGATED(1, 2)  \
	FMAX(2, 2, 30) \
	MOV4(3, 2)     \
	EXPPARTS(3, 4) \
	FMUL(6, 3, 4)  \
	FADD(7, 6, 27) \
	FDIV(7, 27, 7) \
	FMUL(6, 7, 6)

// SOFTPLUSGRAD: g·σ(x)
#define SOFTPLUSGRAD \
	SLOPES          \
	BYSIGN(1, 6, 7) \
	FMUL(0, 0, 7)

// SILUGRAD: the slope at -|x| is s = σ(-|x|)·(1 - |x|·σ(|x|)), at |x| it is 1 - s.
#define SILUGRAD \
	SLOPES          \
	MOV4(3, 27)     \
	FMLA(3, 7, 2)   \
	FMUL(6, 6, 3)   \
	FSUB(7, 27, 6)  \
	BYSIGN(1, 6, 7) \
	FMUL(0, 0, 7)

// ERF: e^B underflows nowhere up to 4. V29 is FOUR, V30 FLUSH, V31 the sign bit.
#define ERF \
	FMUL(1, 0, 0)              \
	K(ES6, F16)                 \
	HORNER(ES5, 1, 16, 17, F17) \
	HORNER(ES4, 1, 17, 16, F16) \
	HORNER(ES3, 1, 16, 17, F17) \
	HORNER(ES2, 1, 17, 16, F16) \
	HORNER(ES1, 1, 16, 17, F17) \
	HORNER(ES0, 1, 17, 16, F16) \
	MOV4(2, 0)                 \
	FMLA(2, 16, 0)             \
	FABS(1, 0)                 \
	FMIN(1, 1, 29)             \
	K(EB6, F4)                  \
	HORNER(EB5, 1, 4, 17, F17)  \
	HORNER(EB4, 1, 17, 4, F4)   \
	HORNER(EB3, 1, 4, 17, F17)  \
	HORNER(EB2, 1, 17, 4, F4)   \
	HORNER(EB1, 1, 4, 17, F17)  \
	HORNER(EB0, 1, 17, 4, F4)   \
	EXPNEG(4, 5)               \
	FSUB(4, 27, 4)             \
	BIF4(0, 4, 31)             \
	FCMGT(5, 27, 1)            \
	BIT4(0, 2, 5)

// ERFGRAD: g·2/sqrt(π)·e^(-x²); V29 is 10.4, where it is 0, V31 TWOBYROOTPI.
#define ERFGRAD \
	FABS(2, 1)           \
	FMIN(2, 2, 29)       \
	SQUARED(27, 2, 3, 4) \
	FMUL(3, 3, 31)       \
	FMUL(3, 3, 4)        \
	FMUL(0, 0, 3)

// func expNEON(dst, x *float32, n int)
TEXT ·expNEON(SB), NOSPLIT, $0-24
	EXPCONSTS
	K(HIGHEST, F29)
	K(LOWEST, F30)
	MAP1(EXP(0, 2))

// func eluNEON(dst, x *float32, n int, c float32)
TEXT ·eluNEON(SB), NOSPLIT, $0-28
	EXPCONSTS
	K(LEAST, F30)
	CLEAR(29)
	FMOVS c+24(FP), F31
	SPREAD(V31)
	MAP1(ELU)

// func sigmoidNEON(dst, x *float32, n int)
TEXT ·sigmoidNEON(SB), NOSPLIT, $0-24
	EXPCONSTS
	K(HIGHEST, F29)
	K(LOWEST, F30)
	MAP1(SIGMOID)

// func tanhNEON(dst, x *float32, n int)
TEXT ·tanhNEON(SB), NOSPLIT, $0-24
	EXPCONSTS
	K(LEAST, F30)
	K(MINUSTWO, F29)
	K(SIGN, F31)
	MAP1(TANH)

// func logNEON(dst, x *float32, n int)
TEXT ·logNEON(SB), NOSPLIT, $0-24
	TABLE
	K(SMALLEST, F24)
	K(TWO25, F25)
	K(TWENTYFIVE, F26)
	K(ONE, F27)
	K(LN2, F28)
	K(INFINITY, F29)
	K(MINUSINF, F30)
	K(NOTANUMBER, F31)
	MAP1(LOG)

// func softplusNEON(dst, x *float32, n int)
TEXT ·softplusNEON(SB), NOSPLIT, $0-24
	EXPCONSTS
	K(LOWEST, F30)
	K(ROOT2LESS1, F29)
	K(LN2, F31)
	K(P0, F7)
	CLEAR(5)
	MAP1(SOFTPLUS)

// func siluNEON(dst, x *float32, n int)
TEXT ·siluNEON(SB), NOSPLIT, $0-24
	EXPCONSTS
	K(LEAST110, F30)
	MAP1(SILU)

// func erfNEON(dst, x *float32, n int)
TEXT ·erfNEON(SB), NOSPLIT, $0-24
	EXPCONSTS
	K(FOUR, F29)
	K(FLUSH, F30)
	K(SIGN, F31)
	MAP1(ERF)

// func softplusGradNEON(dst, a, b *float32, n int)
TEXT ·softplusGradNEON(SB), NOSPLIT, $0-32
	EXPCONSTS
	K(LEAST110, F30)
	MAP2(SOFTPLUSGRAD)

// func siluGradNEON(dst, a, b *float32, n int)
TEXT ·siluGradNEON(SB), NOSPLIT, $0-32
	EXPCONSTS
	K(LEAST110, F30)
	MAP2(SILUGRAD)

// func erfGradNEON(dst, a, b *float32, n int)
TEXT ·erfGradNEON(SB), NOSPLIT, $0-32
	EXPCONSTS
	K(TENISH, F29)
	K(TWOBYROOTPI, F31)
	MAP2(ERFGRAD)
