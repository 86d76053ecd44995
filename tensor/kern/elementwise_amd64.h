// Element-wise operations, for both types: four registers at a time, then one, then a
// masked tail, which reads and writes nothing beyond the slices.
//
// y holds a (or x) and receives the result, b is the second operand (a register or
// memory), t and u are scratch. Y15 holds the scalar c, Y14 zeros.

#include "loops_amd64.h"

NUMBER(one<>, $0x3F800000, $0x3FF0000000000000)  // 1
NUMBER(sign<>, $0x80000000, $0x8000000000000000) // the sign bit

#define ADD(b, y, t, u) VADDP b, y, y
#define SUB(b, y, t, u) VSUBP b, y, y
#define MUL(b, y, t, u) VMULP b, y, y
#define DIV(b, y, t, u) VDIVP b, y, y

// The instructions give b if either is NaN: put a's NaN back.
#define MAX(b, y, t, u) \
	VMAXP     b, y, t     \
	VCMPP     $3, y, y, u \
	VBLENDVPS u, y, t, y

#define MIN(b, y, t, u) \
	VMINP     b, y, t     \
	VCMPP     $3, y, y, u \
	VBLENDVPS u, y, t, y

#define AXPY(b, y, t, u) VFMADD231P b, Y15, y

// WEIGHTED leaves a·y + b·mem in y, a in Y14 and b in Y15.
#define WEIGHTED(b, y, t, u) \
	VMULP      Y14, y, y \
	VFMADD231P b, Y15, y

#define ADDC(y, t) VADDP Y15, y, y
#define MULC(y, t) VMULP Y15, y, y
#define RSUBC(y, t) VSUBP y, Y15, y
#define DIVC(y, t) VDIVP Y15, y, y
#define RDIVC(y, t) VDIVP y, Y15, y

// 0 if 0 > x, else x, which keeps NaN.
#define RELU(y, t) VMAXP y, Y14, y

#define LEAKY(y, t) \
	VCMPP     $0x11, Y14, y, t \
	VMULP     Y15, y, Y13      \
	VBLENDVPS t, Y13, y, y

// STEP: bound is in Y15, what is above in Y11, what is below in Y13.
#define STEP(y, t) \
	VCMPP     $0x1E, Y15, y, t \
	VBLENDVPS t, Y11, Y13, y

// The sign bit is in Y15.
#define ABS(y, t) VANDNPS y, Y15, y
#define SQRT(y, t) VSQRTP y, y

// Y15 is 1.
#define RSQRT(y, t) \
	VSQRTP y, t      \
	VDIVP  t, Y15, y

// The instructions give their first operand here if it is NaN; lo is in Y15, hi in Y13.
#define CLAMP(y, t) \
	VMAXP y, Y15, y \
	VMINP y, Y13, y

#define FMA VFMADD213P Y2, Y1, Y0

// SCALED is UNARY with the argument c in Y15.
#define SCALED(OP) \
	VBROADCASTS c+24(FP), Y15 \
	UNARY(OP)

// AXPBYPAST is the loop of dst = a·x + b·y, written past the caches, over arguments (dst, x,
// y *T, n int): dst is aligned, n a multiple of four registers; a in Y14 and b in Y15.
#define PASTONE(off, r) \
	VMULP      off(SI), Y14, r \
	VFMADD231P off(DX), Y15, r \
	VMOVNTPS   r, off(DI)

#define AXPBYPAST \
	MOVQ dst+0(FP), DI \
	MOVQ x+8(FP), SI   \
	MOVQ y+16(FP), DX  \
	MOVQ n+24(FP), CX  \
	SHLQ $SIZELOG, CX  \
loop:                  \
	PASTONE(0, Y0)     \
	PASTONE(32, Y1)    \
	PASTONE(64, Y2)    \
	PASTONE(96, Y3)    \
	ADDQ $128, SI      \
	ADDQ $128, DX      \
	ADDQ $128, DI      \
	SUBQ $128, CX      \
	JNE  loop          \
	SFENCE             \
	VZEROUPPER         \
	RET
