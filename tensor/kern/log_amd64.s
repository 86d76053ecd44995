//go:build amd64 && !noasm

// The logarithm and softplus.

#include "textflag.h"
#include "loops_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"

SPLAT(smallest<>, $0x00800000)   // 2^-126, the smallest normal number
SPLAT(two25<>, $0x4C000000)      // 2^25, which makes the others normal
SPLAT(twentyFive<>, $0x41C80000) // 25
SPLAT(infinity<>, $0x7F800000)   // +Inf
SPLAT(minusInf<>, $0xFF800000)   // -Inf
SPLAT(half<>, $0x3F000000)       // 1/2
SPLAT(root2less1<>, $0x3ED413CD) // sqrt(2) - 1

// LOG: what is below 0 becomes NaN by all bits set, 0 becomes -Inf, +Inf and NaN stay.
#define LOG \
	VCMPPS      $0x11, smallest<>(SB), Y0, Y1 \
	VMULPS      two25<>(SB), Y0, Y2           \
	VBLENDVPS   Y1, Y2, Y0, Y2                \
	VANDPS      twentyFive<>(SB), Y1, Y1      \
	SPLIT(Y2, Y4, Y5)                         \
	VSUBPS      Y1, Y4, Y4                    \
	LOG1P(Y2, Y6, Y5)                         \
	VFMADD231PS ln2<>(SB), Y4, Y6             \
	VXORPS      Y7, Y7, Y7                    \
	VCMPPS      $0x11, Y7, Y0, Y1             \
	VORPS       Y1, Y6, Y6                    \
	VCMPPS      $0, Y7, Y0, Y1                \
	VBLENDVPS   Y1, minusInf<>(SB), Y6, Y6    \
	VCMPPS      $5, infinity<>(SB), Y0, Y1    \
	VBLENDVPS   Y1, Y0, Y6, Y0

// SOFTPLUS: max(x, 0) + ln(1+u) with u = e^-|x|; 1+u is 2·(1 + (u-1)/2) where u is
// too large for the polynomial. NaN comes through u.
#define SOFTPLUS \
	VORPS       sign<>(SB), Y0, Y1            \
	VMAXPS      Y1, Y14, Y1                   \
	EXPPARTS(Y1, Y2, Y4, Y5)                  \
	VMULPS      Y2, Y4, Y1                    \
	VCMPPS      $0x1E, root2less1<>(SB), Y1, Y2 \
	VSUBPS      one<>(SB), Y1, Y4             \
	VMULPS      half<>(SB), Y4, Y4            \
	VBLENDVPS   Y2, Y4, Y1, Y1                \
	VANDPS      ln2<>(SB), Y2, Y2             \
	LOG1P(Y1, Y4, Y5)                         \
	VADDPS      Y2, Y4, Y4                    \
	VXORPS      Y5, Y5, Y5                    \
	VMAXPS      Y5, Y0, Y0                    \
	VADDPS      Y4, Y0, Y0

// func logAVX2(dst, x *float32, n int)
TEXT ·logAVX2(SB), NOSPLIT, $0-24
	MAP1(LOG)

// func softplusAVX2(dst, x *float32, n int)
TEXT ·softplusAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS lowest<>(SB), Y14
	MAP1(SOFTPLUS)
