//go:build arm64 && !noasm

// Sine and cosine with NEON, up to the first vector with an element beyond 1e5, by the
// polynomials and in the steps of trig_amd64.s, which says where they are from.

#include "textflag.h"
#include "neon_arm64.h"
#include "loops_arm64.h"
#include "functions_arm64.h"

#define TRIGCONSTS \
	TABLE           \
	K(TWOBYPI, F24) \
	K(PI2A, F25)    \
	K(PI2B, F26)    \
	K(ONE, F27)     \
	K(PI2C, F28)    \
	K(BOUND, F29)   \
	K(QUARTER, F30) \
	K(SIGN, F31)

// TURN leaves the number of quarter turns in V2, sin r in V5 and cos r in V6 for |x| in V1.
#define TURN \
	FMUL(2, 1, 24)  \
	FRINTN(2, 2)    \
	FMLS(1, 2, 25)  \
	FMLS(1, 2, 26)  \
	FMLS(1, 2, 28)  \
	FCVTNS(2, 2)    \
	FMUL(4, 1, 1)   \
	K(TS2, F16)     \
	HORNER(TS1, 4, 16, 17, F17) \
	HORNER(TS0, 4, 17, 16, F16) \
	FMUL(6, 1, 4)   \
	MOV4(5, 1)      \
	FMLA(5, 6, 16)  \
	K(TC2, F16)     \
	HORNER(TC1, 4, 16, 17, F17) \
	HORNER(TC0, 4, 17, 16, F16) \
	HORNER(MINUSHALF, 4, 16, 17, F17) \
	MOV4(6, 27)     \
	FMLA(6, 17, 4)

// PICK takes the cosine in odd quarters and changes the sign in the second half turn.
#define PICK \
	SHL4(4, 2, 31)  \
	SSHR4(4, 4, 31) \
	BIT4(5, 6, 4)   \
	SHIFT(2, 2, 1)  \
	SHL4(2, 2, 31)  \
	EOR(5, 5, 2)

// sin -x = -sin x
#define SIN \
	TURN          \
	PICK          \
	AND(0, 0, 31) \
	EOR(0, 0, 5)

// cos x = sin(|x| + π/2)
#define COS \
	TURN           \
	ADDU(2, 2, 30) \
	PICK           \
	MOV4(0, 5)

// STOPBEYOND leaves |x| in V1, and goes to done if one is beyond the bound.
#define STOPBEYOND \
	FABS(1, 0)          \
	FCMGT(2, 1, 29)     \
	VUADDLV V2.S4, V2   \
	VMOV    V2.D[0], R6 \
	CBNZ    R6, done

// TRIG is the loop of F over arguments (dst, x *float32, n int), which returns how many it
// did. What lies beyond the rest is made 0, which is within the bound.
#define TRIG(F) \
	TRIGCONSTS             \
	MOVD   dst+0(FP), R0   \
	MOVD   x+8(FP), R1     \
	MOVD   n+16(FP), R3    \
	MOVD   ZR, R5          \
	SUBS   $4, R3, R4      \
	BLT    tail            \
loop4:                         \
	VLD1.P 16(R1), [V0.S4] \
	STOPBEYOND             \
	F                      \
	VST1.P [V0.S4], 16(R0) \
	ADD    $4, R5          \
	SUBS   $4, R4, R4      \
	BGE    loop4           \
tail:                          \
	TST    $3, R3          \
	BEQ    done            \
	CLEAR(0)               \
	REST(R1, V0)           \
	STOPBEYOND             \
	F                      \
	STOREREST(V0, R0)      \
	MOVD   R3, R5          \
done:                          \
	MOVD   R5, ret+24(FP)  \
	RET

// func sinNEON(dst, x *float32, n int) int
TEXT ·sinNEON(SB), NOSPLIT, $0-32
	TRIG(SIN)

// func cosNEON(dst, x *float32, n int) int
TEXT ·cosNEON(SB), NOSPLIT, $0-32
	TRIG(COS)
