// The natural logarithm, for both types and both widths of vectors.
//
// A positive normal x is m·2^k with m in [sqrt(1/2), sqrt(2)), and with f = m-1
// ln x = k·ln 2 + ln(1+f), where ln(1+f) = f - f²/2 + f³·L(f). L is a minimax
// polynomial of degree 7, within 6e-9 of ln(1+f), relatively, of degree 19 for float64,
// within 1e-17.

NUMBER(minusHalf<>, $0xBF000000, $0xBFE0000000000000) // -1/2
NUMBER(ln2<>, $0x3F317218, $0x3FE62E42FEFA39EF)       // ln 2

#ifdef DOUBLE

SPLAT64(l19<>, $0xBF99A9ABD337D594) // -2.5061306730966473e-2
SPLAT64(l18<>, $0x3FAD031E1695FA0F) // 5.6664409882604007e-2
SPLAT64(l17<>, $0xBFAF622726139B50) // -6.1295722387333937e-2
SPLAT64(l16<>, $0x3FAB8106561C49D5) // 5.3718755733047331e-2
SPLAT64(l15<>, $0xBFAB7C4EC4FA6F46) // -5.3682767434308816e-2
SPLAT64(l14<>, $0x3FADE2B239B1ED44) // 5.8370179694032605e-2
SPLAT64(l13<>, $0xBFB009DA02073165) // -6.2650323386326769e-2
SPLAT64(l12<>, $0x3FB1148D71F7565C) // 6.6719856570978069e-2
SPLAT64(l11<>, $0xBFB248BBB16FA5F9) // -7.1422320193640486e-2
SPLAT64(l10<>, $0x3FB3B10575CAA7C2) // 7.6919881112785611e-2
SPLAT64(l9<>, $0xBFB555574CE0C2E4)  // -8.3333450573956083e-2
SPLAT64(l8<>, $0x3FB745D343989CC1)  // 9.0909198763813333e-2
SPLAT64(l7<>, $0xBFB999999970EFEA)  // -9.9999999963017363e-2
SPLAT64(l6<>, $0x3FBC71C713CCB202)  // 1.1111110909832437e-1
SPLAT64(l5<>, $0xBFBFFFFFFFE03789)  // -1.2499999997109347e-1
SPLAT64(l4<>, $0x3FC24924925376FC)  // 1.4285714287591832e-1
SPLAT64(l3<>, $0xBFC5555555558074)  // -1.6666666666697305e-1
SPLAT64(l2<>, $0x3FC9999999999010)  // 1.9999999999993224e-1
SPLAT64(l1<>, $0xBFCFFFFFFFFFFFE7)  // -2.4999999999999930e-1
SPLAT64(l0<>, $0x3FD5555555555556)  // 3.3333333333333337e-1

// FIRST is the part of LOG1P that float32 does not have.
#define FIRST(f, p) \
	LOADC       l19<>(SB), p    \
	VFMADD213PC l18<>(SB), f, p \
	VFMADD213PC l17<>(SB), f, p \
	VFMADD213PC l16<>(SB), f, p \
	VFMADD213PC l15<>(SB), f, p \
	VFMADD213PC l14<>(SB), f, p \
	VFMADD213PC l13<>(SB), f, p \
	VFMADD213PC l12<>(SB), f, p \
	VFMADD213PC l11<>(SB), f, p \
	VFMADD213PC l10<>(SB), f, p \
	VFMADD213PC l9<>(SB), f, p  \
	VFMADD213PC l8<>(SB), f, p  \
	VFMADD213PC l7<>(SB), f, p

SPLAT64(toSqrtHalf<>, $0x00095F619980C433) // bits of 1 less those of sqrt(1/2)
SPLAT64(two52<>, $0x4330000000000000)      // 2^52

// SPLIT turns a positive normal x into f, and k into its float. AVX2 has no arithmetic
// shift of 64 bits, so the exponent stays biased until it is a float.
#define SPLIT(x, k, t) \
	VPADDC toSqrtHalf<>(SB), x, k \
	VPSRLQ $52, k, k              \
	VPSLLQ $52, k, t              \
	VPSUBQ t, x, x                \
	VPADDC one<>(SB), x, x        \
	VORPC  two52<>(SB), k, k      \
	VSUBPC bias<>(SB), k, k       \
	VSUBPC one<>(SB), x, x

#else

SPLAT(l7<>, $0xBD9C5ECC)       // -7.635268569e-2
SPLAT(l6<>, $0x3E02B147)       // 1.276293844e-1
SPLAT(l5<>, $0xBE06C30D)       // -1.316034347e-1
SPLAT(l4<>, $0x3E116C59)       // 1.420148760e-1
SPLAT(l3<>, $0xBE2A3909)       // -1.662331969e-1
SPLAT(l2<>, $0x3E4CD010)       // 2.000124454e-1
SPLAT(l1<>, $0xBE800114)       // -2.500082254e-1
SPLAT(l0<>, $0x3EAAAAAA)       // 3.333333135e-1
SPLAT(sqrtHalf<>, $0x3F3504F3) // sqrt(1/2)

#define FIRST(f, p) LOADC l7<>(SB), p

#define SPLIT(x, k, t) \
	VPSUBC    sqrtHalf<>(SB), x, k \
	VPSRAD    $23, k, k            \
	VPSLLD    $23, k, t            \
	VPSUBD    t, x, x              \
	VCVTDQ2PS k, k                 \
	VSUBPC    one<>(SB), x, x

#endif

// LOG1P is ln(1+f) as p.
#define LOG1P(f, p, t) \
	FIRST(f, p)                       \
	VFMADD213PC l6<>(SB), f, p        \
	VFMADD213PC l5<>(SB), f, p        \
	VFMADD213PC l4<>(SB), f, p        \
	VFMADD213PC l3<>(SB), f, p        \
	VFMADD213PC l2<>(SB), f, p        \
	VFMADD213PC l1<>(SB), f, p        \
	VFMADD213PC l0<>(SB), f, p        \
	VFMADD213PC minusHalf<>(SB), f, p \
	VMULP       f, f, t               \
	VFMADD213P  f, t, p
