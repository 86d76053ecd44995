// The exponential function, for both types and both widths of vectors.
//
// e^x = 2^n·e^r with n = round(x/ln 2) and |r| <= ln(2)/2; e^r is the polynomial
// of Cephes' expf (Moshier), for float64 a minimax polynomial of degree 11, within 2e-17.
// ln 2 is split in two so that n·ln 2 is exact in its leading part, or rounded once. 2^n is
// applied in the end, which makes results beyond the normal range round to denormals, zero
// and +Inf as they should. NaN passes through the clamp because VMINPS and VMAXPS give their
// second source.
//
// e^x - 1 for x <= 0 is 2^n·(e^r-1) + (2^n-1): near 0, where n is 0, it keeps all
// digits of the polynomial.

#include "types_amd64.h"

NUMBER(highest<>, $0x42B20000, $0x4086300000000000)  // 89, 710: e^89 is +Inf, e^710 of float64
NUMBER(lowest<>, $0xC2D00000, $0xC087500000000000)   // -104, -746: the exponential is 0
NUMBER(log2e<>, $0x3FB8AA3B, $0x3FF71547652B82FE)    // 1/ln 2
NUMBER(ln2hi<>, $0x3F318000, $0x3FE62E42FEFA39EF)    // 0.693359375, ln 2 rounded
NUMBER(ln2lo<>, $0xB95E8083, $0x3C7ABC9E3B39803F)    // ln 2 - ln2hi
NUMBER(p0<>, $0x3F000000, $0x3FE0000000000001)       // 5.0000001201e-1, or nearer to 1/2
NUMBER(one<>, $0x3F800000, $0x3FF0000000000000)      // 1
NUMBER(half<>, $0x3F000000, $0x3FE0000000000000)     // 1/2
NUMBER(bias<>, $127, $0x43300000000003FF)            // exponent bias, 2^52 + the bias of float64
NUMBER(least<>, $0xC2AE0000, $0xC044000000000000)    // -87, -40: the exponential less 1 is -1
NUMBER(flush<>, $0xC2B00000, $0xC086280000000000)    // -88, -709: 0 where denormals are none of the result
NUMBER(sign<>, $0x80000000, $0x8000000000000000)     // the sign bit
NUMBER(minusTwo<>, $0xC0000000, $0xC000000000000000) // -2

#ifdef DOUBLE

SPLAT64(p9<>, $0x3E5AF38A9B0EC855) // 2.5100385495510319e-8
SPLAT64(p8<>, $0x3E9289185613A3D6) // 2.7620088445409748e-7
SPLAT64(p7<>, $0x3EC71DE0DAE63BB3) // 2.7557268459997065e-6
SPLAT64(p6<>, $0x3EFA019B90D2AE7A) // 2.4801521295954375e-5
SPLAT64(p5<>, $0x3F2A01A01A7C41D5) // 1.9841269863053617e-4
SPLAT64(p4<>, $0x3F56C16C1788BD90) // 1.3888888917213717e-3
SPLAT64(p3<>, $0x3F811111111109B3) // 8.3333333333300618e-3
SPLAT64(p2<>, $0x3FA5555555553D63) // 4.1666666666624128e-2
SPLAT64(p1<>, $0x3FC5555555555556) // 1.6666666666666667e-1

// LEADING is the part of POLY that float32 does not have.
#define LEADING(x, p) \
	LOADC       p9<>(SB), p    \
	VFMADD213PC p8<>(SB), x, p \
	VFMADD213PC p7<>(SB), x, p \
	VFMADD213PC p6<>(SB), x, p \
	VFMADD213PC p5<>(SB), x, p

// TWOTO turns the float n, at least -1023, into 2^n; V8 is bias, which puts n, biased, into
// the lowest bits of the sum.
#define TWOTO(n) \
	VADDPD V8, n, n  \
	VPSLLQ $52, n, n

#else

SPLAT(p5<>, $0x39506967) // 1.9875691500e-4
SPLAT(p4<>, $0x3AB743CE) // 1.3981999507e-3
SPLAT(p3<>, $0x3C088908) // 8.3334519073e-3
SPLAT(p2<>, $0x3D2AA9C1) // 4.1665795894e-2
SPLAT(p1<>, $0x3E2AAAAA) // 1.6666665459e-1

#define LEADING(x, p) LOADC p5<>(SB), p

#define TWOTO(n) \
	VCVTPS2DQ n, n      \
	VPADDD    V8, n, n  \
	VPSLLD    $23, n, n

#endif

// REDUCE turns x into r, and n into its float; V13 is log2e, V12 ln2hi.
#define REDUCE(x, n) \
	VMULP        V13, x, n \
	ROUND(n, n)            \
	VFNMADD231P  V12, n, x \
	VFNMADD231PC ln2lo<>(SB), n, x

// POLY is e^r - 1 as p for r in x.
#define POLY(x, p, t) \
	LEADING(x, p)              \
	VFMADD213PC p4<>(SB), x, p \
	VFMADD213PC p3<>(SB), x, p \
	VFMADD213PC p2<>(SB), x, p \
	VFMADD213PC p1<>(SB), x, p \
	VFMADD213PC p0<>(SB), x, p \
	VMULP       x, x, t        \
	VFMADD213P  x, t, p

// EXPPARTS turns x into its exponential as the parts p and n, which TIMES multiplies.
// V12 is ln2hi, V13 log2e, V8 bias; x must be between lowest and highest.
#define EXPPARTS(x, n, p, t) \
	REDUCE(x, n)           \
	POLY(x, p, t)          \
	VADDPC one<>(SB), p, p \
	HALVES(n, p, t)

// EXP replaces the lanes of x by their exponentials; V14 is lowest, V15 highest,
// the others as in EXPPARTS.
#define EXP(x, n, p, t) \
	VMINP x, V15, x      \
	VMAXP x, V14, x      \
	EXPPARTS(x, n, p, t) \
	TIMES(n, p, x)

// EXPNEG replaces the lanes of x, which are at most 0, by their exponentials, or by
// 0 where those are no normal numbers; V14 is flush, the others as in EXPPARTS.
#define EXPNEG(x, n, p, t) \
	VMAXP  x, V14, x       \
	REDUCE(x, n)           \
	POLY(x, p, t)          \
	VADDPC one<>(SB), p, p \
	TWOTO(n)               \
	VMULP  n, p, x

// EXPM1 replaces the lanes of p by e^x - 1 for the lanes of x, which are at most
// 0, and destroys x; V14 is least, the others as in EXPPARTS.
#define EXPM1(x, n, p, t) \
	VMAXP      x, V14, x       \
	REDUCE(x, n)               \
	POLY(x, p, t)              \
	TWOTO(n)                   \
	VSUBPC     one<>(SB), n, t \
	VFMADD213P t, n, p

// SQUARED turns a into the parts p and n of e^(-c·a²), c in memory. The square is kept in two parts, or
// large ones would cost digits.
#define SQUARED(c, a, hi, lo, n, p, t) \
	VMULP        a, a, hi           \
	VMOVAPS      a, lo              \
	VFMSUB213P   hi, a, lo          \
	VMULPC       c, hi, hi          \
	VXORPC       sign<>(SB), hi, hi \
	REDUCE(hi, n)                   \
	VFNMADD231PC c, lo, hi          \
	POLY(hi, p, t)                  \
	VADDPC       one<>(SB), p, p    \
	HALVES(n, p, t)

// EXPCONSTS sets the constants of EXPPARTS.
#define EXPCONSTS \
	LOADC log2e<>(SB), V13 \
	LOADC ln2hi<>(SB), V12 \
	LOADC bias<>(SB), V8
