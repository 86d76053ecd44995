//go:build amd64 && !noasm

// The error function and GELU, with their gradients.
//
// erf x is x + x·S(x²) for |x| < 1; beyond, it is 1 - e^B(|x|), and 1 from 4 on.
//
// Φ(-a), the normal distribution's left tail, is e^(-a²/2)·t·R(w) for 0 <= a <= 15
// with t = 1/(1 + 0.3a), the form of Abramowitz and Stegun 7.1.26, and w = 3/4 - t,
// which is 0.3a·t - 1/4; so placed, R rounds least. The square a² is kept in
// two parts, or the tail would lose its digits; beyond 15 it is 0.
//
// S, B and R are minimax polynomials of degrees 6, 6 and 9, within 2e-8 of the
// function they make, relatively.

#include "textflag.h"
#include "loops_amd64.h"
#include "exp_amd64.h"

SPLAT(s6<>, $0x38A4054A) // 7.821114559e-5
SPLAT(s5<>, $0xBA51C0D8) // -8.001453243e-4
SPLAT(s4<>, $0x3BA9FBC7) // 5.187484901e-3
SPLAT(s3<>, $0xBCDBFBCD) // -2.685346641e-2
SPLAT(s2<>, $0x3DE71675) // 1.128358021e-1
SPLAT(s1<>, $0xBEC0939F) // -3.761262596e-1
SPLAT(s0<>, $0x3E0375D4) // 1.283791661e-1

SPLAT(b6<>, $0x394363A9) // 1.863377548e-4
SPLAT(b5<>, $0xBB4126CD) // -2.947258996e-3
SPLAT(b4<>, $0x3CB2E282) // 2.183652297e-2
SPLAT(b3<>, $0xBDD32808) // -1.031036973e-1
SPLAT(b2<>, $0xBF235DAD) // -6.381481290e-1
SPLAT(b1<>, $0xBF904466) // -1.127087355
SPLAT(b0<>, $0xB9B345F0) // -3.419364803e-4

SPLAT(r9<>, $0x3C9952F8) // 1.871632039e-2
SPLAT(r8<>, $0xBCC37E1C) // -2.386384457e-2
SPLAT(r7<>, $0xBCF5D854) // -3.001037985e-2
SPLAT(r6<>, $0x3D098217) // 3.357132897e-2
SPLAT(r5<>, $0x3DA03D3D) // 7.824180275e-2
SPLAT(r4<>, $0xBDA3098B) // -7.960804552e-2
SPLAT(r3<>, $0xBE499112) // -1.968424618e-1
SPLAT(r2<>, $0x3F029E64) // 5.102293491e-1
SPLAT(r1<>, $0xBF0B472B) // -5.440546870e-1
SPLAT(r0<>, $0x3EA8A700) // 3.293991089e-1

SPLAT(half<>, $0x3F000000)          // 1/2
SPLAT(centre<>, $0x3E800000) // 1/4
SPLAT(four<>, $0x40800000)          // 4
SPLAT(fifteen<>, $0x41700000)       // 15
SPLAT(tenish<>, $0x41266666)         // 10.4: e^-x² is 0
SPLAT(minusFifteen<>, $0xC1700000)  // -15
SPLAT(threeTenths<>, $0x3E99999A)   // 0.3
SPLAT(density0<>, $0x3ECC422A)      // 1/sqrt(2π)
SPLAT(twoByRootPi<>, $0x3F906EBB)   // 2/sqrt(π)

// ERF: e^B underflows nowhere up to 4. Y15 is 4, Y14 flush.
#define ERF \
	VMULPS      Y0, Y0, Y1         \
	VMOVUPS     s6<>(SB), Y2       \
	VFMADD213PS s5<>(SB), Y1, Y2   \
	VFMADD213PS s4<>(SB), Y1, Y2   \
	VFMADD213PS s3<>(SB), Y1, Y2   \
	VFMADD213PS s2<>(SB), Y1, Y2   \
	VFMADD213PS s1<>(SB), Y1, Y2   \
	VFMADD213PS s0<>(SB), Y1, Y2   \
	VFMADD213PS Y0, Y0, Y2         \
	VMOVUPS     sign<>(SB), Y9     \
	VANDNPS     Y0, Y9, Y1         \
	VMINPS      Y1, Y15, Y1        \
	VMOVUPS     b6<>(SB), Y4       \
	VFMADD213PS b5<>(SB), Y1, Y4   \
	VFMADD213PS b4<>(SB), Y1, Y4   \
	VFMADD213PS b3<>(SB), Y1, Y4   \
	VFMADD213PS b2<>(SB), Y1, Y4   \
	VFMADD213PS b1<>(SB), Y1, Y4   \
	VFMADD213PS b0<>(SB), Y1, Y4   \
	EXPNEG(Y4, Y5, Y6, Y7)         \
	VMOVUPS     one<>(SB), Y5      \
	VSUBPS      Y4, Y5, Y4         \
	VANDPS      Y0, Y9, Y0         \
	VORPS       Y0, Y4, Y4         \
	VCMPPS      $0x11, Y5, Y1, Y1  \
	VBLENDVPS   Y1, Y2, Y4, Y0

// SQUARED turns a into the parts p and n of e^(-c·a²).
#define SQUARED(c, a, hi, lo, n, p, t) \
	VMULPS       a, a, hi           \
	VMOVAPS      a, lo              \
	VFMSUB213PS  hi, a, lo          \
	VMULPS       c, hi, hi          \
	VXORPS       sign<>(SB), hi, hi \
	REDUCE(hi, n)                   \
	VFNMADD231PS c, lo, hi          \
	POLY(hi, p, t)                  \
	VADDPS       one<>(SB), p, p    \
	HALVES(n, t)                    \
	VMULPS       t, p, p

// TAIL is t·R(w) as q for a in [0, 15], with w in u.
#define TAIL(a, q, t, u) \
	VMOVUPS     threeTenths<>(SB), t  \
	VMOVUPS     one<>(SB), q    \
	VMULPS      t, a, u         \
	VFMADD213PS q, a, t         \
	VDIVPS      t, q, t         \
	VFMSUB213PS centre<>(SB), t, u \
	VMOVUPS     r9<>(SB), q     \
	VFMADD213PS r8<>(SB), u, q  \
	VFMADD213PS r7<>(SB), u, q  \
	VFMADD213PS r6<>(SB), u, q  \
	VFMADD213PS r5<>(SB), u, q  \
	VFMADD213PS r4<>(SB), u, q  \
	VFMADD213PS r3<>(SB), u, q  \
	VFMADD213PS r2<>(SB), u, q  \
	VFMADD213PS r1<>(SB), u, q  \
	VFMADD213PS r0<>(SB), u, q  \
	VMULPS      t, q, q

// GELU: x·(1 - Φ(-x)), or x·Φ(x) where x is negative, which rounds once even if
// Φ(x) is a denormal number. Y15 is 15, Y14 -15, Y11 the sign bit.
#define GELU \
	VANDNPS   Y0, Y11, Y1                              \
	VMINPS    Y1, Y15, Y1                              \
	SQUARED(half<>(SB), Y1, Y2, Y3, Y4, Y5, Y6)        \
	TAIL(Y1, Y7, Y6, Y2)                                   \
	VMULPS    Y7, Y5, Y5                               \
	VMOVUPS   one<>(SB), Y6                            \
	VFNMADD231PS Y4, Y5, Y6                            \
	VMULPS    Y0, Y6, Y6                               \
	VMAXPS    Y0, Y14, Y7                              \
	VMULPS    Y5, Y7, Y7                               \
	VMULPS    Y4, Y7, Y7                               \
	VBLENDVPS Y0, Y7, Y6, Y0

// GELUGRAD: the slope at -a is s = Φ(-a) - a·φ(a), at a it is 1 - s; beyond 15 s is 0.
#define GELUGRAD \
	VANDNPS      Y1, Y11, Y9                           \
	VMINPS       Y9, Y15, Y9                           \
	SQUARED(half<>(SB), Y9, Y2, Y3, Y4, Y5, Y6)        \
	TAIL(Y9, Y7, Y6, Y2)                                   \
	VFNMADD231PS density0<>(SB), Y9, Y7                \
	VMULPS       Y7, Y5, Y5                            \
	VMULPS       Y4, Y5, Y5                            \
	VMOVUPS      one<>(SB), Y6                         \
	VSUBPS       Y5, Y6, Y6                            \
	VBLENDVPS    Y1, Y5, Y6, Y6                        \
	VMULPS       Y6, Y0, Y0

// ERFGRAD: g·2/sqrt(π)·e^(-x²); Y15 is 10.4, where it is 0, Y11 the sign bit.
#define ERFGRAD \
	VANDNPS Y1, Y11, Y9                                \
	VMINPS  Y9, Y15, Y9                                \
	SQUARED(one<>(SB), Y9, Y2, Y3, Y4, Y5, Y6)         \
	VMULPS  twoByRootPi<>(SB), Y5, Y5                  \
	VMULPS  Y4, Y5, Y5                                 \
	VMULPS  Y5, Y0, Y0

// func erfAVX2(dst, x *float32, n int)
TEXT ·erfAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS four<>(SB), Y15
	VMOVUPS flush<>(SB), Y14
	MAP1(ERF)

// func geluAVX2(dst, x *float32, n int)
TEXT ·geluAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS fifteen<>(SB), Y15
	VMOVUPS minusFifteen<>(SB), Y14
	VMOVUPS sign<>(SB), Y11
	MAP1(GELU)

// func geluGradAVX2(dst, a, b *float32, n int)
TEXT ·geluGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS fifteen<>(SB), Y15
	VMOVUPS sign<>(SB), Y11
	MAP2(GELUGRAD)

// func erfGradAVX2(dst, a, b *float32, n int)
TEXT ·erfGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS tenish<>(SB), Y15
	VMOVUPS sign<>(SB), Y11
	MAP2(ERFGRAD)
