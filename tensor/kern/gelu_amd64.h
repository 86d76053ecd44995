// GELU, x·Φ(x) with the normal distribution Φ, and its gradient.
//
// With a = |x| and the tail Q(a) = Φ(-a), GELU is max(x, 0) - a·Q(a). The slope is
// s(a) = Q(a) - a·φ(a) at -a and 1 - s(a) at a. Up to a = 7 both functions are
// polynomials of degree 7 around the nearest quarter, whose coefficients are rows of a
// table (gelutable.go); beyond, they are too small to change what x >= 0 gives,
// so a stops there, and x < -7 goes the longer way of the macros FAR.
//
// That way Q(a) is that of tail_amd64.h, whose square is kept in two parts, or the tail would
// lose its digits.

SPLAT(minusFifteen<>, $0xC1700000)  // -15
SPLAT(magnitude<>, $0x7FFFFFFF)    // all but the sign bit
SPLAT(seven<>, $0x40E00000)         // 7
SPLAT(minusSeven<>, $0xC0E00000)    // -7
SPLAT(toQuarter<>, $0x4A400000)     // 3·2^20: a sum with it ends in the nearest quarter

// NEAREST leaves a, which is |x| up to 7, in V3, a + 3·2^20, whose last 5 bits count
// the quarters, in V2, and the way t from the nearest quarter to a in V4.
#define NEAREST(x) \
	VANDPC magnitude<>(SB), x, V3  \
	LOADC  seven<>(SB), V2         \
	VMINPS V3, V2, V3              \
	VADDPC toQuarter<>(SB), V3, V2 \
	VSUBPC toQuarter<>(SB), V2, V4 \
	VSUBPS V4, V3, V4

// GELU: TABLE leaves the polynomial's value of t in V12 and may use V2 and V5 to V15.
#define GELU \
	NEAREST(V0)                 \
	TABLE                       \
	VXORPS       V10, V10, V10  \
	VMAXPS       V0, V10, V10   \
	VFNMADD231PS V12, V3, V10   \
	SKIPUNLESSFAR(V0, V5)       \
	CALL         geluFar<>(SB)  \
	VMOVAPS      V10, V0

// GELUFAR puts x·Q(-x) into the lanes of V10 where x in V0 is below -7. The product
// rounds once, even if Q is a denormal number.
#define GELUFAR \
	EXPCONSTS                                   \
	LOADC  tailEnd<>(SB), V15                   \
	LOADC  minusFifteen<>(SB), V14              \
	VANDPC magnitude<>(SB), V0, V1              \
	VMINPS V1, V15, V1                          \
	SQUARED(half<>(SB), V1, V2, V3, V4, V5, V6) \
	TAIL(V1, V7, V6, V2)                        \
	VMULPS V7, V5, V5                           \
	VMAXPS V0, V14, V7                          \
	VMULPS V5, V7, V7                           \
	TIMES(V4, V7, V7)                           \
	CHOOSE($0x11, minusSeven<>(SB), V0, V7, V10, V10, V1)

// GELUGRAD: g in V0, x in V1, TABLE as in GELU.
#define GELUGRAD \
	NEAREST(V1)               \
	TABLE                     \
	LOADC  one<>(SB), V6      \
	VSUBPS V12, V6, V6        \
	BYSIGN(V1, V12, V6, V10)  \
	SKIPUNLESSFAR(V1, V5)     \
	CALL    geluGradFar<>(SB) \
	VMULPS V10, V0, V0

// GELUGRADFAR puts the slope into the lanes of V10 where x in V1 is below -7.
#define GELUGRADFAR \
	EXPCONSTS                                   \
	LOADC        tailEnd<>(SB), V15             \
	VANDPC       magnitude<>(SB), V1, V9        \
	VMINPS       V9, V15, V9                    \
	SQUARED(half<>(SB), V9, V2, V3, V4, V5, V6) \
	TAIL(V9, V7, V6, V2)                        \
	VFNMADD231PC density0<>(SB), V9, V7         \
	VMULPS       V7, V5, V5                     \
	TIMES(V4, V5, V5)                           \
	CHOOSE($0x11, minusSeven<>(SB), V1, V5, V10, V10, V2)
