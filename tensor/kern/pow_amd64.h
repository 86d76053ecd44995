// Powers of float32 numbers by a number: e^(p·ln|x|) in float64, which a float32 rounds like
// the exact power, for both widths of vectors. Narrow vectors of float32 are N0 and so on.
//
// Only the sign is left: flip has the sign bit if p is an odd number, nan all bits if p is no
// whole number, which makes what is negative, but -Inf, NaN, as math.Pow has it.

SPLAT(magnitude<>, $0x7FFFFFFF)
SPLAT(minusInf32<>, $0xFF800000)

// LN is the logarithm of V0, which is at least 0 and no denormal number.
#define LN \
	VMOVAPS    V0, V2                              \
	SPLIT(V2, V4, V5)                              \
	LOG1P(V2, V6, V5)                              \
	VFMADD231P ln2<>(SB), V4, V6                   \
	VXORPS     V7, V7, V7                          \
	CHOOSE($0, V7, V0, minusInf<>(SB), V6, V6, V1) \
	CHOOSE($5, infinity<>(SB), V0, V0, V6, V0, V1)

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
	VMOVUPS      highest<>(SB), V15              \
	VMOVUPS      lowest<>(SB), V14               \
loop:                                            \
	VMOVUPS      (SI), N0                        \
	VANDPS       magnitude<>(SB), N0, N0         \
	VCVTPS2PD    N0, V0                          \
	LN                                           \
	VMULPD       V9, V0, V0                      \
	EXP(V0, V1, V2, V4)                          \
	narrow V0, N0                                \
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
