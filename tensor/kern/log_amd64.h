// The natural logarithm, for both widths of vectors.
//
// A positive normal x is m·2^k with m in [sqrt(1/2), sqrt(2)), and with f = m-1
// ln x = k·ln 2 + ln(1+f), where ln(1+f) = f - f²/2 + f³·L(f). L is a minimax
// polynomial of degree 7, within 6e-9 of ln(1+f), relatively.

SPLAT(l7<>, $0xBD9C5ECC)        // -7.635268569e-2
SPLAT(l6<>, $0x3E02B147)        // 1.276293844e-1
SPLAT(l5<>, $0xBE06C30D)        // -1.316034347e-1
SPLAT(l4<>, $0x3E116C59)        // 1.420148760e-1
SPLAT(l3<>, $0xBE2A3909)        // -1.662331969e-1
SPLAT(l2<>, $0x3E4CD010)        // 2.000124454e-1
SPLAT(l1<>, $0xBE800114)        // -2.500082254e-1
SPLAT(l0<>, $0x3EAAAAAA)        // 3.333333135e-1
SPLAT(minusHalf<>, $0xBF000000) // -1/2
SPLAT(ln2<>, $0x3F317218)       // ln 2
SPLAT(sqrtHalf<>, $0x3F3504F3)  // sqrt(1/2)

// LOG1P is ln(1+f) as p.
#define LOG1P(f, p, t) \
	VMOVUPS     l7<>(SB), p        \
	VFMADD213PS l6<>(SB), f, p     \
	VFMADD213PS l5<>(SB), f, p     \
	VFMADD213PS l4<>(SB), f, p     \
	VFMADD213PS l3<>(SB), f, p     \
	VFMADD213PS l2<>(SB), f, p     \
	VFMADD213PS l1<>(SB), f, p     \
	VFMADD213PS l0<>(SB), f, p     \
	VFMADD213PS minusHalf<>(SB), f, p \
	VMULPS      f, f, t            \
	VFMADD213PS f, t, p

// SPLIT turns a positive normal x into f, and k into its float.
#define SPLIT(x, k, t) \
	VPSUBD    sqrtHalf<>(SB), x, k \
	VPSRAD    $23, k, k            \
	VPSLLD    $23, k, t            \
	VPSUBD    t, x, x              \
	VCVTDQ2PS k, k                 \
	VSUBPS    one<>(SB), x, x
