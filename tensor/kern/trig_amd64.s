//go:build amd64 && !noasm

// Sine and cosine, up to the first vector with an element beyond 1e5.
//
// |x| = n·π/2 + r with |r| <= π/4; π/2 is split in three (Cody and Waite), so that
// up to n = 2^16 the first product leaves an exact difference and the others lose
// nothing that matters. Minimax polynomials of r², within 4e-9, relatively:
// sin r = r + r³·S(r²), cos r = 1 - r²/2 + r⁴·C(r²).

#include "textflag.h"
#include "loops_amd64.h"

SPLAT(one<>, $0x3F800000)       // 1
SPLAT(sign<>, $0x80000000)      // the sign bit
SPLAT(minusHalf<>, $0xBF000000) // -1/2
SPLAT(bound<>, $0x47C35000)     // 1e5
SPLAT(twoByPi<>, $0x3F22F983)   // 2/π
SPLAT(pi2a<>, $0x3FC90FDB)      // π/2, first part
SPLAT(pi2b<>, $0xB33BBD2E)      // second
SPLAT(pi2c<>, $0xA6F72CED)      // third
SPLAT(s2<>, $0xB94CA97B)        // -1.951809245e-4
SPLAT(s1<>, $0x3C0883BB)        // 8.332188241e-3
SPLAT(s0<>, $0xBE2AAAA3)        // -1.666665524e-1
SPLAT(c2<>, $0x37CCF480)        // 2.443254925e-5
SPLAT(c1<>, $0xBAB60615)        // -1.388731063e-3
SPLAT(c0<>, $0x3D2AAAA5)        // 4.166664556e-2
SPLAT(quarter<>, $1)            // a quarter turn

// TURN leaves n in Y2, sin r in Y5 and cos r in Y6 for |x| in Y1.
#define TURN \
	VMULPS       twoByPi<>(SB), Y1, Y2   \
	VROUNDPS     $0, Y2, Y2              \
	VFNMADD231PS pi2a<>(SB), Y2, Y1      \
	VFNMADD231PS pi2b<>(SB), Y2, Y1      \
	VFNMADD231PS pi2c<>(SB), Y2, Y1      \
	VCVTPS2DQ    Y2, Y2                  \
	VMULPS       Y1, Y1, Y4              \
	VMOVUPS      s2<>(SB), Y5            \
	VFMADD213PS  s1<>(SB), Y4, Y5        \
	VFMADD213PS  s0<>(SB), Y4, Y5        \
	VMULPS       Y1, Y4, Y6              \
	VFMADD213PS  Y1, Y6, Y5              \
	VMOVUPS      c2<>(SB), Y6            \
	VFMADD213PS  c1<>(SB), Y4, Y6        \
	VFMADD213PS  c0<>(SB), Y4, Y6        \
	VFMADD213PS  minusHalf<>(SB), Y4, Y6 \
	VFMADD213PS  one<>(SB), Y4, Y6

// PICK takes the cosine in odd quarters and changes the sign in the second half
// turn; the lanes of Y2 count quarter turns.
#define PICK \
	VPSLLD    $31, Y2, Y4    \
	VBLENDVPS Y4, Y6, Y5, Y5 \
	VPSRLD    $1, Y2, Y2     \
	VPSLLD    $31, Y2, Y2    \
	VXORPS    Y2, Y5, Y5

// sin -x = -sin x
#define SIN \
	TURN                    \
	PICK                    \
	VANDPS Y15, Y0, Y0      \
	VXORPS Y0, Y5, Y0

// cos x = sin(|x| + π/2)
#define COS \
	TURN                        \
	VPADDD quarter<>(SB), Y2, Y2 \
	PICK                        \
	VMOVAPS Y5, Y0

// TRIG is MAP1 that stops before 8 elements with one beyond the bound, and returns
// the number of elements done.
#define TRIG(F) \
	MOVQ dst+0(FP), DI \
	MOVQ x+8(FP), SI \
	MOVQ n+16(FP), CX \
	VMOVUPS sign<>(SB), Y15 \
	VMOVUPS bound<>(SB), Y14 \
	XORQ BX, BX \
	SUBQ $8, CX \
	JLT  tail \
loop8: \
	VMOVUPS (SI)(BX*4), Y0 \
	VANDNPS Y0, Y15, Y1 \
	VCMPPS $0x1E, Y14, Y1, Y2 \
	VMOVMSKPS Y2, AX \
	TESTL AX, AX \
	JNE  done \
	F \
	VMOVUPS Y0, (DI)(BX*4) \
	ADDQ $8, BX \
	SUBQ $8, CX \
	JGE  loop8 \
tail: \
	ADDQ $8, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	LEAQ (CX*4), DX \
	SUBQ DX, AX \
	VMOVUPS (AX), Y3 \
	VMASKMOVPS (SI)(BX*4), Y3, Y0 \
	VANDNPS Y0, Y15, Y1 \
	VCMPPS $0x1E, Y14, Y1, Y2 \
	VMOVMSKPS Y2, AX \
	TESTL AX, AX \
	JNE  done \
	F \
	VMASKMOVPS Y0, Y3, (DI)(BX*4) \
	ADDQ CX, BX \
done:

// func sinAVX2(dst, x *float32, n int) int
TEXT ·sinAVX2(SB), NOSPLIT, $0-32
	TRIG(SIN)
	MOVQ BX, ret+24(FP)
	VZEROUPPER
	RET

// func cosAVX2(dst, x *float32, n int) int
TEXT ·cosAVX2(SB), NOSPLIT, $0-32
	TRIG(COS)
	MOVQ BX, ret+24(FP)
	VZEROUPPER
	RET
