// Powers of float32 numbers by a number: e^(p·ln|x|) in float64, which a float32 rounds like
// the exact power, for both widths of vectors. Narrow vectors of float32 are N0 and so on.
//
// Only the sign is left: flip has the sign bit if p is an odd number, nan all bits if p is no
// whole number, which makes what is negative, but -Inf, NaN, as math.Pow has it. Where every
// number has an exponent of its own, that one tells what becomes of signs.

SPLAT(magnitude<>, $0x7FFFFFFF)
SPLAT(minusInf32<>, $0xFF800000)

SPLAT64(g10<>, $0x3FAB94C85F7A01BB) // 5.3869496970040363e-2
SPLAT64(g9<>, $0xBFB93FD39428ABAC)  // -9.8630164786910057e-2
SPLAT64(g8<>, $0x3FB991F493B9CA14)  // 9.9883352342466758e-2
SPLAT64(g7<>, $0xBFB96826F241C69E)  // -9.9245485443840015e-2
SPLAT64(g6<>, $0x3FBC32ACFEF5BE18)  // 1.1014825081451141e-1
SPLAT64(g5<>, $0xBFBFFEE0B685EA08)  // -1.2498287635927607e-1
SPLAT64(g4<>, $0x3FC24A9A74A221BA)  // 1.4290171332346607e-1
SPLAT64(g3<>, $0xBFC5556520FE7F7B)  // -1.6666854964295993e-1
SPLAT64(g2<>, $0x3FC999922A2E81AA)  // 1.9999911365176831e-1
SPLAT64(g1<>, $0xBFCFFFFFC147D76F)  // -2.499999707940179e-1
SPLAT64(g0<>, $0x3FD555555B52F05D)  // 3.3333333891255795e-1

SPLAT64(h5<>, $0x3F29F06A4F54BC82) // 1.9789979675397326e-4
SPLAT64(h4<>, $0x3F56D8D0016140B8) // 1.3944655707014818e-3
SPLAT64(h3<>, $0x3F81112727D8CA2D) // 8.3334979090966214e-3
SPLAT64(h2<>, $0x3FA55548DD4CCA71) // 4.1666295065074695e-2
SPLAT64(h1<>, $0x3FC5555544198957) // 1.6666665864165495e-1
SPLAT64(h0<>, $0x3FE0000003A11767) // 5.0000000676002976e-1

SPLAT64(ninety<>, $0x4056800000000000)          // 90: e^90 is +Inf
SPLAT64(minusHundredTen<>, $0xC05B800000000000) // -110: e^-110 is 0

// POWER is e^(p·ln V0), V0 at least 0 and no denormal number, p in V9, by polynomials of which a
// float32 shows no error: degree 10 for the logarithm, as log_amd64.h has it, within 2e-11,
// and 7 for the exponential, within 5e-11. V15 is ninety, V14 minusHundredTen, V13, V12 and V8 as
// EXPCONSTS has them.
#define POWER \
	VMOVAPS      V0, V2                            \
	SPLIT(V2, V4, V5)                              \
	LOADC        g10<>(SB), V6                     \
	VFMADD213PC  g9<>(SB), V2, V6                  \
	VFMADD213PC  g8<>(SB), V2, V6                  \
	VFMADD213PC  g7<>(SB), V2, V6                  \
	VFMADD213PC  g6<>(SB), V2, V6                  \
	VFMADD213PC  g5<>(SB), V2, V6                  \
	VFMADD213PC  g4<>(SB), V2, V6                  \
	VFMADD213PC  g3<>(SB), V2, V6                  \
	VFMADD213PC  g2<>(SB), V2, V6                  \
	VFMADD213PC  g1<>(SB), V2, V6                  \
	VFMADD213PC  g0<>(SB), V2, V6                  \
	VFMADD213PC  minusHalf<>(SB), V2, V6           \
	VMULPD       V2, V2, V5                        \
	VFMADD213PD  V2, V5, V6                        \
	VFMADD231PD  V12, V4, V6                       \
	VXORPS       V7, V7, V7                        \
	CHOOSE($0, V7, V0, minusInf<>(SB), V6, V6, V1) \
	CHOOSE($5, infinity<>(SB), V0, V0, V6, V0, V1) \
	VMULPD       V9, V0, V0                        \
	VMINPD       V0, V15, V0                       \
	VMAXPD       V0, V14, V0                       \
	VMULPD       V13, V0, V1                       \
	ROUND(V1, V1)                                  \
	VFNMADD231PD V12, V1, V0                       \
	LOADC        h5<>(SB), V2                      \
	VFMADD213PC  h4<>(SB), V0, V2                  \
	VFMADD213PC  h3<>(SB), V0, V2                  \
	VFMADD213PC  h2<>(SB), V0, V2                  \
	VFMADD213PC  h1<>(SB), V0, V2                  \
	VFMADD213PC  h0<>(SB), V0, V2                  \
	VMULPD       V0, V0, V4                        \
	VFMADD213PD  V0, V4, V2                        \
	TWOTO(V1)                                      \
	VFMADD213PD  V1, V1, V2                        \
	VMOVAPS      V2, V0

// POWERS is the loop over arguments (dst, x *float32, n int, p float64, flip, nan uint32); n is a
// multiple of the lanes.
#define POWERS(narrow) \
	MOVQ         dst+0(FP), DI                   \
	MOVQ         x+8(FP), SI                     \
	MOVQ         n+16(FP), CX                    \
	VBROADCASTSD p+24(FP), V9                    \
	VBROADCASTSS flip+32(FP), N10                \
	VBROADCASTSS nan+36(FP), N11                 \
	EXPCONSTS                                    \
	LOADC        ninety<>(SB), V15               \
	LOADC        minusHundredTen<>(SB), V14      \
loop:                                         \
	VMOVUPS      (SI), N0                        \
	VANDPS       magnitude<>(SB), N0, N0         \
	VCVTPS2PD    N0, V0                          \
	POWER                                        \
	narrow       V0, N0                          \
	VMOVUPS      (SI), N1                        \
	VANDPS       N10, N1, N2                     \
	VXORPS       N2, N0, N0                      \
	VXORPS       N2, N2, N2                      \
	VCMPPS       $0x11, N2, N1, N2               \
	VCMPPS       $0x1E, minusInf32<>(SB), N1, N1 \
	VANDPS       N1, N2, N2                      \
	VANDPS       N11, N2, N2                     \
	VORPS        N2, N0, N0                      \
	VMOVUPS      N0, (DI)                        \
	ADDQ         $NARROW, SI                     \
	ADDQ         $NARROW, DI                     \
	SUBQ         $(NARROW/4), CX                 \
	JNE          loop                            \
	VZEROUPPER                                   \
	RET

SPLAT64(most<>, $0x7FEFFFFFFFFFFFFF)      // the largest number
SPLAT64(minusMost<>, $0xFFEFFFFFFFFFFFFF) // and the least

// FINITE makes the largest number of the exponent +Inf, whose product with the logarithm 0 would be
// NaN, and the least of -Inf. Both are even.
#define FINITE(p, t) \
	LOADC  most<>(SB), t      \
	VMINPD p, t, p            \
	LOADC  minusMost<>(SB), t \
	VMAXPD p, t, p

// SIGNED makes V0, which is |a|^b for b in V9, a^b: 1 if b is 0 or a is 1, even if the other is NaN.
#define SIGNED(a) \
	ROUND(V9, V2)                             \
	WHERE($4, V2, V9, notANumber<>(SB), V3)   \
	WHERE($0x1E, minusInf<>(SB), a, V3, V4)   \
	VXORPS V5, V5, V5                         \
	WHERE($0x11, V5, a, V4, V3)               \
	VMULPC half<>(SB), V9, V4                 \
	ROUND(V4, V6)                             \
	WHERE($4, V6, V4, a, V7)                  \
	WHERE($0, V2, V9, V7, V4)                 \
	VANDPC sign<>(SB), V4, V4                 \
	VXORPS V4, V0, V0                         \
	VORPS  V3, V0, V0                         \
	CHOOSE($0, V5, V9, one<>(SB), V0, V0, V2) \
	CHOOSE($0, one<>(SB), a, one<>(SB), V0, V0, V2)

// POWERSEACH is the loop over arguments (dst, a, b *float32, n int), of a^b; n is a multiple of the
// lanes.
#define POWERSEACH(narrow) \
	MOVQ      dst+0(FP), DI              \
	MOVQ      a+8(FP), SI                \
	MOVQ      b+16(FP), DX               \
	MOVQ      n+24(FP), CX               \
	EXPCONSTS                            \
	LOADC     ninety<>(SB), V15          \
	LOADC     minusHundredTen<>(SB), V14 \
loop:                                 \
	VCVTPS2PD (SI), V10                  \
	VCVTPS2PD (DX), V9                   \
	FINITE(V9, V1)                       \
	LOADC     sign<>(SB), V0             \
	VANDNPS   V10, V0, V0                \
	POWER                                \
	SIGNED(V10)                          \
	narrow    V0, N0                     \
	VMOVUPS   N0, (DI)                   \
	ADDQ      $NARROW, SI                \
	ADDQ      $NARROW, DX                \
	ADDQ      $NARROW, DI                \
	SUBQ      $(NARROW/4), CX            \
	JNE       loop                       \
	VZEROUPPER                           \
	RET
