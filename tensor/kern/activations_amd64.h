// Functions made of the exponential and the logarithm, for both types and both widths of
// vectors. V0 is x, for a gradient g with x in V1. Constants of more than one of them are here.

NUMBER(smallest<>, $0x00800000, $0x0010000000000000)     // 2^-126, 2^-1022, the smallest normal number
NUMBER(lift<>, $0x4C000000, $0x4350000000000000)         // 2^25, 2^54, which makes the others normal
NUMBER(lifted<>, $0x41C80000, $0x404B000000000000)       // 25, 54
NUMBER(infinity<>, $0x7F800000, $0x7FF0000000000000)     // +Inf
NUMBER(minusInf<>, $0xFF800000, $0xFFF0000000000000)     // -Inf
NUMBER(root2less1<>, $0x3ED413CD, $0x3FDA827999FCEF32)   // sqrt(2) - 1
NUMBER(notANumber<>, $0x7FC00000, $0x7FF8000000000000)   // NaN

// x > 0: x, else c·(e^x - 1). V9 is zeros, V10 is c.
#define ELU(x) \
	VMINP x, V9, V1                    \
	EXPM1(V1, V2, V3, V4)              \
	VMULP V10, V3, V3                  \
	CHOOSE($0x1E, V9, x, x, V3, x, V4)

// 1/(1 + e^-x)
#define SIGMOID(x) \
	VXORPC sign<>(SB), x, x \
	EXP(x, V1, V2, V3)      \
	LOADC  one<>(SB), V1    \
	VADDP  V1, x, x         \
	VDIVP  x, V1, x

// With m = e^(-2|x|) - 1, tanh|x| is -m/(m + 2), and tanh has the sign of x. V9 is
// the sign bit.
#define TANH(x) \
	VANDNPS x, V9, V1              \
	VMULPC  minusTwo<>(SB), V1, V1 \
	EXPM1(V1, V2, V3, V4)          \
	VSUBPC  minusTwo<>(SB), V3, V4 \
	VDIVP   V4, V3, V3             \
	VANDNPS V3, V9, V3             \
	VANDPS  x, V9, x               \
	VORPS   V3, x, x

// LOG: what is below 0 becomes NaN, 0 becomes -Inf, +Inf and NaN stay. LOGCONSTS sets its
// constants.
#define LOG \
	VMULP       V13, V0, V2                 \
	CHOOSE($0x11, V8, V0, V2, V0, V2, V1)   \
	WHERE($0x11, V8, V0, V9, V1)            \
	SPLIT(V2, V4, V5)                       \
	VSUBP       V1, V4, V4                  \
	LOG1P(V2, V6, V5)                       \
	VFMADD231PC ln2<>(SB), V4, V6           \
	CHOOSE($0x11, V14, V0, V10, V6, V6, V1) \
	CHOOSE($0, V14, V0, V11, V6, V6, V1)    \
	CHOOSE($5, V12, V0, V0, V6, V0, V1)

#define LOGCONSTS \
	LOADC  smallest<>(SB), V8    \
	LOADC  lifted<>(SB), V9      \
	LOADC  notANumber<>(SB), V10 \
	LOADC  minusInf<>(SB), V11   \
	LOADC  infinity<>(SB), V12   \
	LOADC  lift<>(SB), V13       \
	VXORPS V14, V14, V14

// SOFTPLUS: max(x, 0) + ln(1+u) with u = e^-|x|; 1+u is 2·(1 + (u-1)/2) where u is
// too large for the polynomial. NaN comes through u. V14 is lowest, V9 root2less1, V10 ln2.
#define SOFTPLUS \
	VORPC  sign<>(SB), V0, V1             \
	VMAXP  V1, V14, V1                    \
	EXPPARTS(V1, V2, V4, V5)              \
	TIMES(V2, V4, V1)                     \
	VSUBPC one<>(SB), V1, V4              \
	VMULPC half<>(SB), V4, V4             \
	WHERE($0x1E, V9, V1, V10, V2)         \
	CHOOSE($0x1E, V9, V1, V4, V1, V1, V5) \
	LOG1P(V1, V4, V5)                     \
	VADDP  V2, V4, V4                     \
	VXORPS V5, V5, V5                     \
	VMAXP  V5, V0, V0                     \
	VADDP  V4, V0, V0

// With u = e^-|x|, which never overflows, σ(|x|) is 1/(1+u) and σ(-|x|) is u/(1+u).

NUMBER(fade<>, $0xC2DC0000, $0xC087800000000000) // -110, -752: x·e^x is 0

// FADE turns x into a = -|x|, at least fade, and the parts p and n of e^a; V14 is fade.
#define FADE(x, a, n, p, t, s) \
	VORPC   sign<>(SB), x, a \
	VMAXP   a, V14, a        \
	VMOVAPS a, s             \
	EXPPARTS(s, n, p, t)

// SILU: x/(1+u), or x·u/(1+u) where x is negative, whose numerator rounds once even
// if u is a denormal number. x is limited there because -Inf·0 would be NaN.
#define SILU \
	FADE(V0, V1, V2, V4, V5, V6) \
	TIMES(V2, V4, V6)            \
	VADDPC one<>(SB), V6, V6     \
	VMAXP  V0, V14, V7           \
	VMULP  V4, V7, V7            \
	TIMES(V2, V7, V7)            \
	BYSIGN(V0, V7, V0, V0)       \
	VDIVP  V6, V0, V0

// SLOPES leaves 1/(1+u) in V7, u/(1+u) in V6 and a in V2 for x in V1.
#define SLOPES \
	FADE(V1, V2, V4, V5, V6, V7) \
	TIMES(V4, V5, V6)            \
	LOADC one<>(SB), V9          \
	VADDP V9, V6, V7             \
	VDIVP V7, V9, V7             \
	VMULP V7, V6, V6

// SOFTPLUSGRAD: g·σ(x)
#define SOFTPLUSGRAD \
	SLOPES                 \
	BYSIGN(V1, V6, V7, V7) \
	VMULP V7, V0, V0

// SILUGRAD: the slope at -|x| is s = σ(-|x|)·(1 - |x|·σ(|x|)), at |x| it is 1 - s.
#define SILUGRAD \
	SLOPES                 \
	VFMADD213P V9, V7, V2  \
	VMULP      V2, V6, V6  \
	VSUBP      V6, V9, V7  \
	BYSIGN(V1, V6, V7, V7) \
	VMULP      V7, V0, V0
