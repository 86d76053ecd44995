//go:build amd64 && !noasm

// The exponential function and the activations made of it, 8 float32 at a time.
//
// e^x = 2^n·e^r with n = round(x/ln 2) and |r| <= ln(2)/2; e^r is the polynomial
// of Cephes' expf (Moshier). ln 2 is split in two so that n·ln 2 is exact in its
// leading part. 2^n is applied in two factors, which makes results beyond the
// normal range round to denormals, zero and +Inf as they should. NaN passes
// through the clamp because VMINPS and VMAXPS give their second source.

//
// e^x - 1 for x <= 0 is 2^n·(e^r-1) + (2^n-1): near 0, where n is 0, it keeps all
// digits of the polynomial.

#include "textflag.h"

#define SPLAT(name, bits) \
	DATA name+0(SB)/4, bits  \
	DATA name+4(SB)/4, bits  \
	DATA name+8(SB)/4, bits  \
	DATA name+12(SB)/4, bits \
	DATA name+16(SB)/4, bits \
	DATA name+20(SB)/4, bits \
	DATA name+24(SB)/4, bits \
	DATA name+28(SB)/4, bits \
	GLOBL name(SB), RODATA|NOPTR, $32

SPLAT(highest<>, $0x42B20000) // 89: e^89 is +Inf
SPLAT(lowest<>, $0xC2D00000)  // -104: e^-104 is 0
SPLAT(log2e<>, $0x3FB8AA3B)   // 1/ln 2
SPLAT(ln2hi<>, $0x3F318000)   // 0.693359375
SPLAT(ln2lo<>, $0xB95E8083)   // ln 2 - ln2hi = -2.12194440e-4
SPLAT(p5<>, $0x39506967)      // 1.9875691500e-4
SPLAT(p4<>, $0x3AB743CE)      // 1.3981999507e-3
SPLAT(p3<>, $0x3C088908)      // 8.3334519073e-3
SPLAT(p2<>, $0x3D2AA9C1)      // 4.1665795894e-2
SPLAT(p1<>, $0x3E2AAAAA)      // 1.6666665459e-1
SPLAT(p0<>, $0x3F000000)      // 5.0000001201e-1
SPLAT(one<>, $0x3F800000)     // 1
SPLAT(bias<>, $127)           // exponent bias
SPLAT(least<>, $0xC2AE0000)   // -87: e^-87 - 1 is -1
SPLAT(sign<>, $0x80000000)    // the sign bit
SPLAT(minusTwo<>, $0xC0000000) // -2

// EXP replaces the lanes of x by their exponentials; Y12..Y15 and Y8 hold constants.
#define EXP(x, n, p, t) \
	VMINPS       x, Y15, x         \
	VMAXPS       x, Y14, x         \
	VMULPS       Y13, x, n         \
	VROUNDPS     $0, n, n          \
	VFNMADD231PS Y12, n, x         \
	VFNMADD231PS ln2lo<>(SB), n, x \
	VMOVUPS      p5<>(SB), p       \
	VFMADD213PS  p4<>(SB), x, p    \
	VFMADD213PS  p3<>(SB), x, p    \
	VFMADD213PS  p2<>(SB), x, p    \
	VFMADD213PS  p1<>(SB), x, p    \
	VFMADD213PS  p0<>(SB), x, p    \
	VMULPS       x, x, t           \
	VFMADD213PS  x, t, p           \
	VADDPS       one<>(SB), p, p   \
	VCVTPS2DQ    n, n              \
	VPSRAD       $1, n, t          \
	VPSUBD       t, n, n           \
	VPADDD       Y8, t, t          \
	VPADDD       Y8, n, n          \
	VPSLLD       $23, t, t         \
	VPSLLD       $23, n, n         \
	VMULPS       t, p, p           \
	VMULPS       n, p, x

// EXPM1 replaces the lanes of p by e^x - 1 for the lanes of x, which are at most
// 0, and destroys x; Y12..Y14 and Y8 hold constants.
#define EXPM1(x, n, p, t) \
	VMAXPS       x, Y14, x         \
	VMULPS       Y13, x, n         \
	VROUNDPS     $0, n, n          \
	VFNMADD231PS Y12, n, x         \
	VFNMADD231PS ln2lo<>(SB), n, x \
	VMOVUPS      p5<>(SB), p       \
	VFMADD213PS  p4<>(SB), x, p    \
	VFMADD213PS  p3<>(SB), x, p    \
	VFMADD213PS  p2<>(SB), x, p    \
	VFMADD213PS  p1<>(SB), x, p    \
	VFMADD213PS  p0<>(SB), x, p    \
	VMULPS       x, x, t           \
	VFMADD213PS  x, t, p           \
	VCVTPS2DQ    n, n              \
	VPADDD       Y8, n, n          \
	VPSLLD       $23, n, n         \
	VSUBPS       one<>(SB), n, t   \
	VFMADD213PS  t, n, p

// func expAVX2(dst, x *float32, n int, c float32)
TEXT ·expAVX2(SB), NOSPLIT, $0-28
	MOVQ    dst+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    n+16(FP), CX
	VMOVUPS highest<>(SB), Y15
	VMOVUPS lowest<>(SB), Y14
	VMOVUPS log2e<>(SB), Y13
	VMOVUPS ln2hi<>(SB), Y12
	VMOVUPS bias<>(SB), Y8
	SUBQ    $16, CX
	JLT     eight

loop16:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y4
	EXP(Y0, Y1, Y2, Y3)
	EXP(Y4, Y5, Y6, Y7)
	VMOVUPS Y0, (DI)
	VMOVUPS Y4, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $16, CX
	JGE     loop16

eight:
	ADDQ    $8, CX
	JLT     tail
	VMOVUPS (SI), Y0
	EXP(Y0, Y1, Y2, Y3)
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX

tail:
	ADDQ       $8, CX
	JEQ        done
	LEAQ       ·tailMask+32(SB), AX
	SHLQ       $2, CX
	SUBQ       CX, AX
	VMOVUPS    (AX), Y11
	VMASKMOVPS (SI), Y11, Y0
	EXP(Y0, Y1, Y2, Y3)
	VMASKMOVPS Y0, Y11, (DI)

done:
	VZEROUPPER
	RET

// x > 0: x, else c·(e^x - 1). Y9 is zeros, Y10 is c.
#define ELU(x) \
	VMINPS    x, Y9, Y1        \
	EXPM1(Y1, Y2, Y3, Y4)      \
	VMULPS    Y10, Y3, Y3      \
	VCMPPS    $0x1E, Y9, x, Y4 \
	VBLENDVPS Y4, x, Y3, x

// 1/(1 + e^-x)
#define SIGMOID(x) \
	VXORPS  sign<>(SB), x, x \
	EXP(x, Y1, Y2, Y3)       \
	VMOVUPS one<>(SB), Y1    \
	VADDPS  Y1, x, x         \
	VDIVPS  x, Y1, x

// With m = e^(-2|x|) - 1, tanh|x| is -m/(m + 2), and tanh has the sign of x. Y9 is
// the sign bit.
#define TANH(x) \
	VANDNPS x, Y9, Y1                \
	VMULPS  minusTwo<>(SB), Y1, Y1   \
	EXPM1(Y1, Y2, Y3, Y4)            \
	VSUBPS  minusTwo<>(SB), Y3, Y4   \
	VDIVPS  Y4, Y3, Y3               \
	VANDNPS Y3, Y9, Y3               \
	VANDPS  x, Y9, x                 \
	VORPS   Y3, x, x

// MAP is the loop of dst = F(x) over arguments (dst, x *float32, n int, c float32).
#define MAP(F) \
	MOVQ    dst+0(FP), DI        \
	MOVQ    x+8(FP), SI          \
	MOVQ    n+16(FP), CX         \
	VMOVUPS log2e<>(SB), Y13     \
	VMOVUPS ln2hi<>(SB), Y12     \
	VMOVUPS bias<>(SB), Y8       \
	SUBQ    $8, CX               \
	JLT     tail                 \
loop8:                           \
	VMOVUPS (SI), Y0             \
	F(Y0)                        \
	VMOVUPS Y0, (DI)             \
	ADDQ    $32, SI              \
	ADDQ    $32, DI              \
	SUBQ    $8, CX               \
	JGE     loop8                \
tail:                            \
	ADDQ    $8, CX               \
	JEQ     done                 \
	LEAQ    ·tailMask+32(SB), AX \
	SHLQ    $2, CX               \
	SUBQ    CX, AX               \
	VMOVUPS (AX), Y11            \
	VMASKMOVPS (SI), Y11, Y0     \
	F(Y0)                        \
	VMASKMOVPS Y0, Y11, (DI)     \
done:                            \
	VZEROUPPER                   \
	RET

// func eluAVX2(dst, x *float32, n int, c float32)
TEXT ·eluAVX2(SB), NOSPLIT, $0-28
	VMOVUPS      least<>(SB), Y14
	VXORPS       Y9, Y9, Y9
	VBROADCASTSS c+24(FP), Y10
	MAP(ELU)

// func sigmoidAVX2(dst, x *float32, n int, c float32)
TEXT ·sigmoidAVX2(SB), NOSPLIT, $0-28
	VMOVUPS highest<>(SB), Y15
	VMOVUPS lowest<>(SB), Y14
	MAP(SIGMOID)

// func tanhAVX2(dst, x *float32, n int, c float32)
TEXT ·tanhAVX2(SB), NOSPLIT, $0-28
	VMOVUPS least<>(SB), Y14
	VMOVUPS sign<>(SB), Y9
	MAP(TANH)
