// The exponential function, for both widths of vectors.
//
// e^x = 2^n·e^r with n = round(x/ln 2) and |r| <= ln(2)/2; e^r is the polynomial
// of Cephes' expf (Moshier). ln 2 is split in two so that n·ln 2 is exact in its
// leading part. 2^n is applied in the end, which makes results beyond the normal
// range round to denormals, zero and +Inf as they should. NaN passes
// through the clamp because VMINPS and VMAXPS give their second source.
//
// e^x - 1 for x <= 0 is 2^n·(e^r-1) + (2^n-1): near 0, where n is 0, it keeps all
// digits of the polynomial.

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
SPLAT(flush<>, $0xC2B00000)   // -88: e^-88 is 0 where denormals are none of the result
SPLAT(sign<>, $0x80000000)    // the sign bit
SPLAT(minusTwo<>, $0xC0000000) // -2

// REDUCE turns x into r, and n into its float; V13 is log2e, V12 ln2hi.
#define REDUCE(x, n) \
	VMULPS       V13, x, n         \
	ROUND(n, n)                    \
	VFNMADD231PS V12, n, x         \
	VFNMADD231PS ln2lo<>(SB), n, x

// POLY is e^r - 1 as p for r in x.
#define POLY(x, p, t) \
	VMOVUPS     p5<>(SB), p    \
	VFMADD213PS p4<>(SB), x, p \
	VFMADD213PS p3<>(SB), x, p \
	VFMADD213PS p2<>(SB), x, p \
	VFMADD213PS p1<>(SB), x, p \
	VFMADD213PS p0<>(SB), x, p \
	VMULPS      x, x, t        \
	VFMADD213PS x, t, p

// EXPPARTS turns x into its exponential as the parts p and n, which TIMES multiplies.
// V12 is ln2hi, V13 log2e, V8 bias; x must be between lowest and highest.
#define EXPPARTS(x, n, p, t) \
	REDUCE(x, n)            \
	POLY(x, p, t)           \
	VADDPS one<>(SB), p, p  \
	HALVES(n, p, t)

// EXP replaces the lanes of x by their exponentials; V14 is lowest, V15 highest,
// the others as in EXPPARTS.
#define EXP(x, n, p, t) \
	VMINPS x, V15, x     \
	VMAXPS x, V14, x     \
	EXPPARTS(x, n, p, t) \
	TIMES(n, p, x)

// EXPNEG replaces the lanes of x, which are at most 0, by their exponentials, or by
// 0 where those are below 2^-126; V14 is flush, the others as in EXPPARTS.
#define EXPNEG(x, n, p, t) \
	VMAXPS    x, V14, x       \
	REDUCE(x, n)              \
	POLY(x, p, t)             \
	VADDPS    one<>(SB), p, p \
	VCVTPS2DQ n, n            \
	VPADDD    V8, n, n        \
	VPSLLD    $23, n, n       \
	VMULPS    n, p, x

// EXPM1 replaces the lanes of p by e^x - 1 for the lanes of x, which are at most
// 0, and destroys x; V14 is least, the others as in EXPPARTS.
#define EXPM1(x, n, p, t) \
	VMAXPS      x, V14, x       \
	REDUCE(x, n)                \
	POLY(x, p, t)               \
	VCVTPS2DQ   n, n            \
	VPADDD      V8, n, n        \
	VPSLLD      $23, n, n       \
	VSUBPS      one<>(SB), n, t \
	VFMADD213PS t, n, p

// EXPCONSTS sets the constants of EXPPARTS.
#define EXPCONSTS \
	VMOVUPS log2e<>(SB), V13 \
	VMOVUPS ln2hi<>(SB), V12 \
	VMOVUPS bias<>(SB), V8
