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

SPLAT(centre<>, $0x3E800000) // 1/4
SPLAT(four<>, $0x40800000)          // 4
SPLAT(fifteen<>, $0x41700000)       // 15
SPLAT(tenish<>, $0x41266666)         // 10.4: e^-x² is 0
SPLAT(minusFifteen<>, $0xC1700000)  // -15
SPLAT(threeTenths<>, $0x3E99999A)   // 0.3
SPLAT(density0<>, $0x3ECC422A)      // 1/sqrt(2π)
SPLAT(twoByRootPi<>, $0x3F906EBB)   // 2/sqrt(π)

// ERF: e^B underflows nowhere up to 4. V15 is 4, V14 flush.
#define ERF \
	VMULPS      V0, V0, V1         \
	VMOVUPS     s6<>(SB), V2       \
	VFMADD213PS s5<>(SB), V1, V2   \
	VFMADD213PS s4<>(SB), V1, V2   \
	VFMADD213PS s3<>(SB), V1, V2   \
	VFMADD213PS s2<>(SB), V1, V2   \
	VFMADD213PS s1<>(SB), V1, V2   \
	VFMADD213PS s0<>(SB), V1, V2   \
	VFMADD213PS V0, V0, V2         \
	VMOVUPS     sign<>(SB), V9     \
	VANDNPS     V0, V9, V1         \
	VMINPS      V1, V15, V1        \
	VMOVUPS     b6<>(SB), V4       \
	VFMADD213PS b5<>(SB), V1, V4   \
	VFMADD213PS b4<>(SB), V1, V4   \
	VFMADD213PS b3<>(SB), V1, V4   \
	VFMADD213PS b2<>(SB), V1, V4   \
	VFMADD213PS b1<>(SB), V1, V4   \
	VFMADD213PS b0<>(SB), V1, V4   \
	EXPNEG(V4, V5, V6, V7)         \
	VMOVUPS     one<>(SB), V5      \
	VSUBPS      V4, V5, V4         \
	VANDPS      V0, V9, V0         \
	VORPS       V0, V4, V4         \
	CHOOSE($0x11, V5, V1, V2, V4, V0, V1)

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
	HALVES(n, p, t)

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
// Φ(x) is a denormal number. V15 is 15, V14 -15, V11 the sign bit.
#define GELU \
	VANDNPS V0, V11, V1                         \
	VMINPS  V1, V15, V1                         \
	SQUARED(half<>(SB), V1, V2, V3, V4, V5, V6) \
	TAIL(V1, V7, V6, V2)                        \
	VMULPS  V7, V5, V5                          \
	TIMES(V4, V5, V7)                           \
	VMOVUPS one<>(SB), V6                       \
	VSUBPS  V7, V6, V6                          \
	VMULPS  V0, V6, V6                          \
	VMAXPS  V0, V14, V7                         \
	VMULPS  V5, V7, V7                          \
	TIMES(V4, V7, V7)                           \
	BYSIGN(V0, V7, V6, V0)

// GELUGRAD: the slope at -a is s = Φ(-a) - a·φ(a), at a it is 1 - s; beyond 15 s is 0.
#define GELUGRAD \
	VANDNPS      V1, V11, V9                    \
	VMINPS       V9, V15, V9                    \
	SQUARED(half<>(SB), V9, V2, V3, V4, V5, V6) \
	TAIL(V9, V7, V6, V2)                        \
	VFNMADD231PS density0<>(SB), V9, V7         \
	VMULPS       V7, V5, V5                     \
	TIMES(V4, V5, V5)                           \
	VMOVUPS      one<>(SB), V6                  \
	VSUBPS       V5, V6, V6                     \
	BYSIGN(V1, V5, V6, V6)                      \
	VMULPS       V6, V0, V0

// ERFGRAD: g·2/sqrt(π)·e^(-x²); V15 is 10.4, where it is 0, V11 the sign bit.
#define ERFGRAD \
	VANDNPS V1, V11, V9                         \
	VMINPS  V9, V15, V9                         \
	SQUARED(one<>(SB), V9, V2, V3, V4, V5, V6)  \
	VMULPS  twoByRootPi<>(SB), V5, V5           \
	TIMES(V4, V5, V5)                           \
	VMULPS  V5, V0, V0
