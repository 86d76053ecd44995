// The error function and its gradient.
//
// erf x is x + x·S(x²) for |x| < 1; beyond, it is 1 - e^B(|x|), and 1 from 4 on.
//
// S and B are minimax polynomials of degree 6, within 2e-8 of the function they
// make, relatively.

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

SPLAT(four<>, $0x40800000)          // 4
SPLAT(tenish<>, $0x41266666)         // 10.4: e^-x² is 0
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

// ERFGRAD: g·2/sqrt(π)·e^(-x²); V15 is 10.4, where it is 0, V11 the sign bit.
#define ERFGRAD \
	VANDNPS V1, V11, V9                         \
	VMINPS  V9, V15, V9                         \
	SQUARED(one<>(SB), V9, V2, V3, V4, V5, V6)  \
	VMULPS  twoByRootPi<>(SB), V5, V5           \
	TIMES(V4, V5, V5)                           \
	VMULPS  V5, V0, V0
