// GELU of float64 and its gradient, without a table.
//
// With a = |x| and the tail Q(a) = Φ(-a), GELU is max(x, 0) - a·Q(a). The slope is
// s(a) = Q(a) - a·φ(a) at -a and 1 - s(a) at a.

// GELU: the product rounds once, even if Q is a denormal number. V15 is tailEnd.
#define GELU \
	VANDNPS V0, V11, V1                         \
	VMINP   V1, V15, V1                         \
	SQUARED(half<>(SB), V1, V2, V3, V4, V5, V6) \
	TAIL(V1, V7, V6, V2)                        \
	VMULP   V7, V5, V5                          \
	VMULP   V5, V1, V1                          \
	TIMES(V4, V1, V1)                           \
	VXORPS  V2, V2, V2                          \
	VMAXP   V0, V2, V0                          \
	VSUBP   V1, V0, V0

// GELUGRAD: g in V0, x in V1.
#define GELUGRAD \
	VANDNPS      V1, V11, V9                    \
	VMINP        V9, V15, V9                    \
	SQUARED(half<>(SB), V9, V2, V3, V4, V5, V6) \
	TAIL(V9, V7, V6, V2)                        \
	VFNMADD231PC density0<>(SB), V9, V7         \
	VMULP        V7, V5, V5                     \
	TIMES(V4, V5, V5)                           \
	LOADC        one<>(SB), V6                  \
	VSUBP        V5, V6, V6                     \
	BYSIGN(V1, V5, V6, V7)                      \
	VMULP        V7, V0, V0
