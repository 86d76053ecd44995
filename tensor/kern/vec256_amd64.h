// Vectors of 8 float32, or of 4 float64 in files that define DOUBLE, for kernels that are
// written for two widths; vec512_amd64.h has the same names for twice as many.

#define V0 Y0
#define V1 Y1
#define V2 Y2
#define V3 Y3
#define V4 Y4
#define V5 Y5
#define V6 Y6
#define V7 Y7
#define V8 Y8
#define V9 Y9
#define V10 Y10
#define V11 Y11
#define V12 Y12
#define V13 Y13
#define V14 Y14
#define V15 Y15

// Instructions whose first operand is a constant in memory have a C at the end of their names;
// LOADC sets a register to one.
#define LOADC VMOVUPS
#define VADDPC VADDP
#define VSUBPC VSUBP
#define VMULPC VMULP
#define VFMADD213PC VFMADD213P
#define VFMADD231PC VFMADD231P
#define VFNMADD231PC VFNMADD231P
#define VFMSUB213PC VFMSUB213P
#define VXORPC VXORPS
#define VORPC VORPS
#define VANDPC VANDPS
#define VPADDC VPADD
#define VPSUBC VPSUBD

#ifdef DOUBLE

// ROUND rounds to whole numbers, ties to even.
#define ROUND(x, y) VROUNDPD $0, x, y

// HALVES turns p and the whole n into factors p and n whose product is p·2^n, for
// |n| <= 2044. The new p is a normal number, so that whatever it is multiplied by
// before n rounds once. V8 is bias: with it, the exponent of 2^n is in the lowest bits.
#define HALVES(n, p, t) \
	VMULPD half<>(SB), n, t \
	ROUND(t, t)             \
	VSUBPD t, n, n          \
	TWOTO(t)                \
	TWOTO(n)                \
	VMULPD t, p, p

// TIMES is p times the factor n that HALVES left.
#define TIMES(n, p, y) VMULPD n, p, y

// CHOOSE is yes where a stands to b as the predicate says, else no.
#define CHOOSE(predicate, b, a, yes, no, y, t) \
	VCMPPD    predicate, b, a, t \
	VBLENDVPD t, yes, no, y

// WHERE is c where a stands to b as the predicate says, else 0.
#define WHERE(predicate, b, a, c, y) \
	VCMPPD predicate, b, a, y \
	VANDPD c, y, y

// BYSIGN is yes where the sign bit of x is set, else no.
#define BYSIGN(x, yes, no, y) VBLENDVPD x, yes, no, y

#else

// ROUND rounds to whole numbers, ties to even.
#define ROUND(x, y) VROUNDPS $0, x, y

// HALVES turns p and the whole n into factors p and n whose product is p·2^n, for
// |n| <= 252. The new p is a normal number, so that whatever it is multiplied by
// before n rounds once. V8 is bias.
#define HALVES(n, p, t) \
	VCVTPS2DQ n, n      \
	VPSRAD    $1, n, t  \
	VPSUBD    t, n, n   \
	VPADDD    V8, t, t  \
	VPADDD    V8, n, n  \
	VPSLLD    $23, t, t \
	VPSLLD    $23, n, n \
	VMULPS    t, p, p

// TIMES is p times the factor n that HALVES left.
#define TIMES(n, p, y) VMULPS n, p, y

// CHOOSE is yes where a stands to b as the predicate says, else no.
#define CHOOSE(predicate, b, a, yes, no, y, t) \
	VCMPPS    predicate, b, a, t \
	VBLENDVPS t, yes, no, y

// WHERE is c where a stands to b as the predicate says, else 0.
#define WHERE(predicate, b, a, c, y) \
	VCMPPS predicate, b, a, y \
	VANDPS c, y, y

// BYSIGN is yes where the sign bit of x is set, else no.
#define BYSIGN(x, yes, no, y) VBLENDVPS x, yes, no, y

#endif

// MAP1ROUND is a round of MAP1.
#define MAP1ROUND(F) \
	VMOVUPS (SI), Y0 \
	F \
	VMOVUPS Y0, (DI) \
	ADDQ $32, SI \
	ADDQ $32, DI \
	SUBQ $32, CX

// MAP1 is the loop of dst = F(x) over arguments (dst, x *T, n int),
// a vector at a time: F turns V0 into its result and may use all vector registers.
#define MAP1(F) \
	MOVQ dst+0(FP), DI \
	MOVQ x+8(FP), SI \
	MOVQ n+16(FP), CX \
	SHLQ $SIZELOG, CX \
	SUBQ $32, CX \
	JLT  tail \
	CMPQ CX, $(AHEADFROM-32) \
	JLT  loop \
	SUBQ $AHEAD, CX \
ahead: \
	WRITTENLINE(0) \
	MAP1ROUND(F) \
	JGE  ahead \
	ADDQ $AHEAD, CX \
loop: \
	MAP1ROUND(F) \
	JGE  loop \
tail: \
	ADDQ $32, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	SUBQ CX, AX \
	VMOVUPS (AX), Y3 \
	VMASKMOVPS (SI), Y3, Y0 \
	F \
	VMOVUPS (AX), Y3 \
	VMASKMOVPS Y0, Y3, (DI) \
done: \
	VZEROUPPER \
	RET

// MAP2ROUND is a round of MAP2.
#define MAP2ROUND(F) \
	VMOVUPS (SI), Y0 \
	VMOVUPS (DX), Y1 \
	F \
	VMOVUPS Y0, (DI) \
	ADDQ $32, SI \
	ADDQ $32, DX \
	ADDQ $32, DI \
	SUBQ $32, CX

// MAP2 is the loop of dst = F(a, b) over arguments (dst, a, b *T, n int): F
// gets a in V0 and b in V1, leaves its result in V0 and may use all vector registers.
#define MAP2(F) \
	MOVQ dst+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ n+24(FP), CX \
	SHLQ $SIZELOG, CX \
	SUBQ $32, CX \
	JLT  tail \
	CMPQ CX, $(AHEADFROM-32) \
	JLT  loop \
	SUBQ $AHEAD, CX \
ahead: \
	WRITTENLINE(0) \
	MAP2ROUND(F) \
	JGE  ahead \
	ADDQ $AHEAD, CX \
loop: \
	MAP2ROUND(F) \
	JGE  loop \
tail: \
	ADDQ $32, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	SUBQ CX, AX \
	VMOVUPS (AX), Y3 \
	VMASKMOVPS (SI), Y3, Y0 \
	VMASKMOVPS (DX), Y3, Y1 \
	F \
	VMOVUPS (AX), Y3 \
	VMASKMOVPS Y0, Y3, (DI) \
done: \
	VZEROUPPER \
	RET

// MAP3ROUND is a round of MAP3.
#define MAP3ROUND(F) \
	VMOVUPS (SI), Y0 \
	VMOVUPS (DX), Y1 \
	VMOVUPS (R8), Y2 \
	F \
	VMOVUPS Y0, (DI) \
	ADDQ $32, SI \
	ADDQ $32, DX \
	ADDQ $32, R8 \
	ADDQ $32, DI \
	SUBQ $32, CX

// MAP3 is the loop of dst = F(a, b, c) over arguments (dst, a, b, c *T, n int):
// F gets them in V0, V1 and V2, leaves its result in V0 and may use all vector registers.
#define MAP3(F) \
	MOVQ dst+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ c+24(FP), R8 \
	MOVQ n+32(FP), CX \
	SHLQ $SIZELOG, CX \
	SUBQ $32, CX \
	JLT  tail \
	CMPQ CX, $(AHEADFROM-32) \
	JLT  loop \
	SUBQ $AHEAD, CX \
ahead: \
	WRITTENLINE(0) \
	MAP3ROUND(F) \
	JGE  ahead \
	ADDQ $AHEAD, CX \
loop: \
	MAP3ROUND(F) \
	JGE  loop \
tail: \
	ADDQ $32, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	SUBQ CX, AX \
	VMOVUPS (AX), Y3 \
	VMASKMOVPS (SI), Y3, Y0 \
	VMASKMOVPS (DX), Y3, Y1 \
	VMASKMOVPS (R8), Y3, Y2 \
	F \
	VMOVUPS (AX), Y3 \
	VMASKMOVPS Y0, Y3, (DI) \
done: \
	VZEROUPPER \
	RET
