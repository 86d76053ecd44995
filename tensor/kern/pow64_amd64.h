// Powers of float64 numbers by a number: e^(p·ln|x|), for both widths of vectors.
//
// What the product magnifies are the digits of the logarithm, so it has some 64 bits, as a sum of
// two numbers. With |x| = m·2^k as log_amd64.h has it and u = 2(m-1)/(m+1), ln m is
// 2·atanh(u/2) = u + u³/12 + u⁵·A(u²); A is a minimax polynomial of degree 6, within 1.2e-20 of the
// logarithm, relatively. u, its square, the factor of u³ and their products are sums of
// two numbers, of which the second is what rounding took from the first (Dekker).
//
// Signs are those of pow_amd64.h.

SPLAT64(a6<>, $0x3EB0E42737F30D9A)       // 1.0067953722249935e-6
SPLAT64(a5<>, $0x3ED0F7FF2495E01C)       // 4.0456621460613588e-6
SPLAT64(a4<>, $0x3EF3B1EEB89EB56A)       // 1.878266224480033e-5
SPLAT64(a3<>, $0x3F1745CE9E708DF5)       // 8.8778244034907878e-5
SPLAT64(a2<>, $0x3F3C71C722D58989)       // 4.3402778358916282e-4
SPLAT64(a1<>, $0x3F62492492457E21)       // 2.2321428570391132e-3
SPLAT64(a0<>, $0x3F89999999999B30)       // 1.2500000000000705e-2
SPLAT64(twelfth<>, $0x3FB5555555555555)  // 1/12, rounded
SPLAT64(twelfthLo<>, $0x3C55555555555555) // 1/12 - twelfth
SPLAT64(two<>, $0x4000000000000000)      // 2
SPLAT64(ln2a<>, $0x3FE62E42FEE00000)     // ln 2 in 33 bits: k·ln2a is exact
SPLAT64(ln2b<>, $0x3DEA39EF35793C76)     // ln 2 - ln2a
SPLAT64(beyondExp<>, $0x4089000000000000) // 800: e^800 is +Inf

// LN2PARTS is the logarithm of V0, which is at least 0, as V2 + V3. V10 and V11 are scratch.
#define LN2PARTS \
	VMULPC       lift<>(SB), V0, V2                    \
	CHOOSE($0x11, smallest<>(SB), V0, V2, V0, V2, V1)  \
	WHERE($0x11, smallest<>(SB), V0, lifted<>(SB), V1) \
	SPLIT(V2, V4, V5)                                  \
	VSUBPD       V1, V4, V4                            \
	VADDPC       two<>(SB), V2, V3                     \
	VSUBPC       two<>(SB), V3, V5                     \
	VSUBPD       V5, V2, V5                            \
	LOADC        one<>(SB), V1                         \
	VDIVPD       V3, V1, V6                            \
	VADDPD       V2, V2, V7                            \
	VMULPD       V6, V7, V10                           \
	VFNMADD231PD V3, V10, V7                           \
	VFNMADD231PD V5, V10, V7                           \
	VMULPD       V6, V7, V7                            \
	VMULPD       V10, V10, V1                          \
	VMOVAPS      V10, V2                               \
	VFMSUB213PD  V1, V10, V2                           \
	VADDPD       V10, V10, V3                          \
	VFMADD231PD  V3, V7, V2                            \
	LOADC        a6<>(SB), V3                          \
	VFMADD213PC  a5<>(SB), V1, V3                      \
	VFMADD213PC  a4<>(SB), V1, V3                      \
	VFMADD213PC  a3<>(SB), V1, V3                      \
	VFMADD213PC  a2<>(SB), V1, V3                      \
	VFMADD213PC  a1<>(SB), V1, V3                      \
	VFMADD213PC  a0<>(SB), V1, V3                      \
	VMULPD       V1, V3, V3                            \
	LOADC        twelfth<>(SB), V6                     \
	VADDPD       V3, V6, V5                            \
	VSUBPD       V5, V6, V6                            \
	VADDPD       V3, V6, V6                            \
	VADDPC       twelfthLo<>(SB), V6, V6               \
	VMULPD       V5, V1, V11                           \
	VMOVAPS      V1, V3                                \
	VFMSUB213PD  V11, V5, V3                           \
	VFMADD231PD  V1, V6, V3                            \
	VFMADD231PD  V2, V5, V3                            \
	VMULPD       V11, V10, V1                          \
	VMOVAPS      V10, V2                               \
	VFMSUB213PD  V1, V11, V2                           \
	VFMADD231PD  V10, V3, V2                           \
	VFMADD231PD  V7, V11, V2                           \
	VADDPD       V1, V10, V5                           \
	VSUBPD       V5, V10, V6                           \
	VADDPD       V1, V6, V6                            \
	VADDPD       V7, V2, V2                            \
	VADDPD       V2, V6, V6                            \
	VMULPC       ln2a<>(SB), V4, V1                    \
	VADDPD       V5, V1, V2                            \
	VSUBPD       V2, V1, V3                            \
	VADDPD       V5, V3, V3                            \
	VADDPD       V6, V3, V3                            \
	VFMADD231PC  ln2b<>(SB), V4, V3                    \
	VXORPS       V7, V7, V7                            \
	CHOOSE($0, V7, V0, minusInf<>(SB), V2, V2, V1)     \
	CHOOSE($5, infinity<>(SB), V0, V0, V2, V2, V1)

// POWER64 is e^(p·ln V0), V0 at least 0 and p in V9. The second part of the product is none where
// the first is infinite; the remainder of ln 2 is subtracted from it, so that little is rounded.
#define POWER64 \
	LN2PARTS                                  \
	VMULPD       V2, V9, V0                   \
	VFMSUB213PD  V0, V9, V2                   \
	VFMADD231PD  V3, V9, V2                   \
	LOADC        sign<>(SB), V1               \
	VANDNPS      V0, V1, V1                   \
	WHERE($0x11, beyondExp<>(SB), V1, V2, V3) \
	VMINPD       V0, V15, V0                  \
	VMAXPD       V0, V14, V0                  \
	VMULPD       V13, V0, V1                  \
	ROUND(V1, V1)                             \
	VFNMADD231PD V12, V1, V0                  \
	VFNMADD231PC ln2lo<>(SB), V1, V3          \
	VADDPD       V3, V0, V0                   \
	POLY(V0, V4, V5)                          \
	VADDPC       one<>(SB), V4, V4            \
	HALVES(V1, V4, V5)                        \
	TIMES(V1, V4, V0)

// POWERS64 is the loop over arguments (dst, x *float64, n int, p float64, flip, nan uint64); n is
// a multiple of the lanes.
#define POWERS64 \
	MOVQ         dst+0(FP), DI                             \
	MOVQ         x+8(FP), SI                               \
	MOVQ         n+16(FP), CX                              \
	VBROADCASTSD p+24(FP), V9                              \
	EXPCONSTS                                              \
	LOADC        highest<>(SB), V15                        \
	LOADC        lowest<>(SB), V14                         \
loop:                                                   \
	VMOVUPS      (SI), V1                                  \
	LOADC        sign<>(SB), V0                            \
	VANDNPS      V1, V0, V0                                \
	POWER64                                                \
	VMOVUPS      (SI), V1                                  \
	VBROADCASTSD flip+32(FP), V2                           \
	VANDPS       V2, V1, V2                                \
	VXORPS       V2, V0, V0                                \
	VXORPS       V2, V2, V2                                \
	WHERE($0x1E, minusInf<>(SB), V1, notANumber<>(SB), V3) \
	WHERE($0x11, V2, V1, V3, V4)                           \
	VBROADCASTSD nan+40(FP), V2                            \
	VANDPS       V2, V4, V4                                \
	VORPS        V4, V0, V0                                \
	VMOVUPS      V0, (DI)                                  \
	ADDQ         $(2*NARROW), SI                           \
	ADDQ         $(2*NARROW), DI                           \
	SUBQ         $(NARROW/4), CX                           \
	JNE          loop                                      \
	VZEROUPPER                                             \
	RET

// POWERSEACH64 is the loop over arguments (dst, a, b *float64, n int), of a^b; n is a multiple of
// the lanes.
#define POWERSEACH64 \
	MOVQ    dst+0(FP), DI      \
	MOVQ    a+8(FP), SI        \
	MOVQ    b+16(FP), DX       \
	MOVQ    n+24(FP), CX       \
	EXPCONSTS                  \
	LOADC   highest<>(SB), V15 \
	LOADC   lowest<>(SB), V14  \
loop:                       \
	VMOVUPS (SI), V1           \
	LOADC   sign<>(SB), V0     \
	VANDNPS V1, V0, V0         \
	VMOVUPS (DX), V9           \
	FINITE(V9, V1)             \
	POWER64                    \
	VMOVUPS (SI), V1           \
	SIGNED(V1)                 \
	VMOVUPS V0, (DI)           \
	ADDQ    $(2*NARROW), SI    \
	ADDQ    $(2*NARROW), DX    \
	ADDQ    $(2*NARROW), DI    \
	SUBQ    $(NARROW/4), CX    \
	JNE     loop               \
	VZEROUPPER                 \
	RET
