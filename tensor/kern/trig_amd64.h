// Sine and cosine, for both types, up to the first vector with an element beyond a bound.
//
// |x| = n·π/2 + r with |r| <= π/4; π/2 is split in three (Cody and Waite), so that
// up to the bound, n = 2^16 and 2^30, the first product leaves an exact difference and the
// others lose nothing that matters. Minimax polynomials of r², within 4e-9, relatively, of
// float64 within 4e-18: sin r = r + r³·S(r²), cos r = 1 - r²/2 + r⁴·C(r²).

NUMBER(one<>, $0x3F800000, $0x3FF0000000000000)       // 1
NUMBER(sign<>, $0x80000000, $0x8000000000000000)      // the sign bit
NUMBER(minusHalf<>, $0xBF000000, $0xBFE0000000000000) // -1/2
NUMBER(bound<>, $0x47C35000, $0x41CDCD6500000000)     // 1e5, 1e9
NUMBER(twoByPi<>, $0x3F22F983, $0x3FE45F306DC9C883)   // 2/π
NUMBER(pi2a<>, $0x3FC90FDB, $0x3FF921FB54442D18)      // π/2, first part
NUMBER(pi2b<>, $0xB33BBD2E, $0x3C91A62633145C07)      // second
NUMBER(pi2c<>, $0xA6F72CED, $0xB91F1976B7ED8FBC)      // third
NUMBER(s2<>, $0xB94CA97B, $0xBF2A01A019BFDBA8)        // -1.951809245e-4, -1.984126982958721e-4
NUMBER(s1<>, $0x3C0883BB, $0x3F8111111110F7D0)        // 8.332188241e-3, 8.3333333333221182e-3
NUMBER(s0<>, $0xBE2AAAA3, $0xBFC5555555555548)        // -1.666665524e-1, -1.666666666666663e-1
NUMBER(c2<>, $0x37CCF480, $0x3EFA01A019C83BE8)        // 2.443254925e-5, 2.4801587288843854e-5
NUMBER(c1<>, $0xBAB60615, $0xBF56C16C16C14F8D)        // -1.388731063e-3, -1.3888888888873047e-3
NUMBER(c0<>, $0x3D2AAAA5, $0x3FA555555555554B)        // 4.166664556e-2, 4.1666666666666595e-2

#ifdef DOUBLE

SPLAT64(s5<>, $0x3DE5D8FB417FEDCE)    // 1.5896209413871381e-10
SPLAT64(s4<>, $0xBE5AE5E5A3F5832A)    // -2.5050747474110882e-8
SPLAT64(s3<>, $0x3EC71DE356786FC0)    // 2.7557313620040359e-6
SPLAT64(c5<>, $0xBDA8FA4692BA7686)    // -1.1358515330778941e-11
SPLAT64(c4<>, $0x3E21EE9D75CA9EDE)    // 2.0875700459352846e-9
SPLAT64(c3<>, $0xBE927E4F7EA4E10B)    // -2.755731417672348e-7
SPLAT64(quarter<>, $1)                // a quarter turn
SPLAT64(two52<>, $0x4330000000000000) // 2^52: a sum with it ends in a whole number

// SINE and COSINE are the parts of S and C that float32 does not have.
#define SINE(z, p) \
	LOADC       s5<>(SB), p    \
	VFMADD213PC s4<>(SB), z, p \
	VFMADD213PC s3<>(SB), z, p \
	VFMADD213PC s2<>(SB), z, p

#define COSINE(z, p) \
	LOADC       c5<>(SB), p    \
	VFMADD213PC c4<>(SB), z, p \
	VFMADD213PC c3<>(SB), z, p \
	VFMADD213PC c2<>(SB), z, p

// WHOLE turns the whole number n, at least 0, into an integer in its lowest bits.
#define WHOLE(n) VADDPC two52<>(SB), n, n

#define TOPBIT 63

#else

SPLAT(quarter<>, $1)

#define SINE(z, p) LOADC s2<>(SB), p
#define COSINE(z, p) LOADC c2<>(SB), p
#define WHOLE(n) VCVTPS2DQ n, n
#define TOPBIT 31

#endif

// TURN leaves n in V2, sin r in V5 and cos r in V6 for |x| in V1.
#define TURN \
	VMULPC       twoByPi<>(SB), V1, V2   \
	ROUND(V2, V2)                        \
	VFNMADD231PC pi2a<>(SB), V2, V1      \
	VFNMADD231PC pi2b<>(SB), V2, V1      \
	VFNMADD231PC pi2c<>(SB), V2, V1      \
	WHOLE(V2)                            \
	VMULP        V1, V1, V4              \
	SINE(V4, V5)                         \
	VFMADD213PC  s1<>(SB), V4, V5        \
	VFMADD213PC  s0<>(SB), V4, V5        \
	VMULP        V1, V4, V6              \
	VFMADD213P   V1, V6, V5              \
	COSINE(V4, V6)                       \
	VFMADD213PC  c1<>(SB), V4, V6        \
	VFMADD213PC  c0<>(SB), V4, V6        \
	VFMADD213PC  minusHalf<>(SB), V4, V6 \
	VFMADD213PC  one<>(SB), V4, V6

// PICK takes the cosine in odd quarters and changes the sign in the second half
// turn; the lanes of V2 count quarter turns.
#define PICK \
	VPSLL  $TOPBIT, V2, V4 \
	BYSIGN(V4, V6, V5, V5)   \
	VPSRL  $1, V2, V2      \
	VPSLL  $TOPBIT, V2, V2 \
	VXORPS   V2, V5, V5

// sin -x = -sin x
#define SIN \
	TURN               \
	PICK               \
	VANDPS V15, V0, V0 \
	VXORPS V0, V5, V0

// cos x = sin(|x| + π/2)
#define COS \
	TURN                          \
	VPADDC  quarter<>(SB), V2, V2 \
	PICK                          \
	VMOVAPS V5, V0

// TRIG256 and TRIG512 are MAP1 that stops before a vector with an element beyond the bound, and
// returns the number of elements done, over arguments (dst, x *T, n int) int.
#define TRIG256(F) \
	MOVQ       dst+0(FP), DI        \
	MOVQ       x+8(FP), SI          \
	MOVQ       n+16(FP), CX         \
	VMOVUPS    sign<>(SB), Y15      \
	VMOVUPS    bound<>(SB), Y14     \
	XORQ       BX, BX               \
	SHLQ       $SIZELOG, CX         \
	SUBQ       $32, CX              \
	JLT        tail                 \
loop:                                   \
	VMOVUPS    (SI)(BX*1), Y0       \
	VANDNPS    Y0, Y15, Y1          \
	VCMPP      $0x1E, Y14, Y1, Y2   \
	VMOVMSKP   Y2, AX               \
	TESTL      AX, AX               \
	JNE        done                 \
	F                               \
	VMOVUPS    Y0, (DI)(BX*1)       \
	ADDQ       $32, BX              \
	SUBQ       $32, CX              \
	JGE        loop                 \
tail:                                   \
	ADDQ       $32, CX              \
	JEQ        done                 \
	LEAQ       ·tailMask+32(SB), AX \
	SUBQ       CX, AX               \
	VMOVUPS    (AX), Y3             \
	VMASKMOVPS (SI)(BX*1), Y3, Y0   \
	VANDNPS    Y0, Y15, Y1          \
	VCMPP      $0x1E, Y14, Y1, Y2   \
	VMOVMSKP   Y2, AX               \
	TESTL      AX, AX               \
	JNE        done                 \
	F                               \
	VMASKMOVPS Y0, Y3, (DI)(BX*1)   \
	ADDQ       CX, BX               \
done:                                   \
	SHRQ       $SIZELOG, BX         \
	MOVQ       BX, ret+24(FP)       \
	VZEROUPPER                      \
	RET

#define TRIG512(F) \
	MOVQ       dst+0(FP), DI        \
	MOVQ       x+8(FP), SI          \
	MOVQ       n+16(FP), CX         \
	VMOVUPS    sign<>(SB), Z15      \
	VMOVUPS    bound<>(SB), Z14     \
	XORQ       BX, BX               \
	SHLQ       $SIZELOG, CX         \
	SUBQ       $64, CX              \
	JLT        tail                 \
loop:                                   \
	VMOVUPS    (SI)(BX*1), Z0       \
	VANDNPS    Z0, Z15, Z1          \
	VCMPP      $0x1E, Z14, Z1, K1   \
	KORTESTW   K1, K1               \
	JNE        done                 \
	F                               \
	VMOVUPS    Z0, (DI)(BX*1)       \
	ADDQ       $64, BX              \
	SUBQ       $64, CX              \
	JGE        loop                 \
tail:                                   \
	ADDQ       $64, CX              \
	JEQ        done                 \
	MOVQ       CX, DX               \
	SHRQ       $2, CX               \
	TAILMASK                        \
	VMOVUPS.Z  (SI)(BX*1), K2, Z0   \
	VANDNPS    Z0, Z15, Z1          \
	VCMPP      $0x1E, Z14, Z1, K1   \
	KORTESTW   K1, K1               \
	JNE        done                 \
	F                               \
	VMOVUPS    Z0, K2, (DI)(BX*1)   \
	ADDQ       DX, BX               \
done:                                   \
	SHRQ       $SIZELOG, BX         \
	MOVQ       BX, ret+24(FP)       \
	VZEROUPPER                      \
	RET
