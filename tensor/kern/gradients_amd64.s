//go:build amd64 && !noasm

// Gradients of activations that need no function: g is in Y0, x or y in Y1.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec256_amd64.h"

SPLAT(one<>, $0x3F800000)  // 1
SPLAT(sign<>, $0x80000000) // the sign bit

// Y14 is zeros, Y15 and Y13 the scalars of each.
#define GATE \
	VCMPPS  $0x12, Y14, Y1, Y2 \
	VANDNPS Y0, Y2, Y0

#define GATELEAKY \
	VCMPPS    $0x1E, Y14, Y1, Y2 \
	VMULPS    Y15, Y0, Y4        \
	VBLENDVPS Y2, Y0, Y4, Y0

#define ELUGRAD \
	VADDPS    Y15, Y1, Y2        \
	VMULPS    Y0, Y2, Y2         \
	VCMPPS    $0x1E, Y14, Y1, Y4 \
	VBLENDVPS Y4, Y0, Y2, Y0

#define TANHGRAD \
	VMOVAPS      Y15, Y2    \
	VFNMADD231PS Y1, Y1, Y2 \
	VMULPS       Y2, Y0, Y0

#define SIGMOIDGRAD \
	VSUBPS Y1, Y15, Y2 \
	VMULPS Y1, Y2, Y2  \
	VMULPS Y2, Y0, Y0

#define SQRTGRAD \
	VADDPS Y1, Y1, Y1 \
	VDIVPS Y1, Y0, Y0

// The product is for 0 and NaN.
#define ABSGRAD \
	VANDPS    Y15, Y1, Y2     \
	VXORPS    Y0, Y2, Y2      \
	VMULPS    Y1, Y0, Y0      \
	VCMPPS    $8, Y14, Y1, Y4 \
	VBLENDVPS Y4, Y0, Y2, Y0

#define CLAMPGRAD \
	VCMPPS $0x1D, Y15, Y1, Y2 \
	VCMPPS $0x12, Y13, Y1, Y4 \
	VANDPS Y4, Y2, Y2         \
	VANDPS Y0, Y2, Y0

// func gateReluAVX2(dst, a, b *float32, n int)
TEXT ·gateReluAVX2(SB), NOSPLIT, $0-32
	VXORPS Y14, Y14, Y14
	MAP2(GATE)

// func gateLeakyReluAVX2(dst, a, b *float32, n int, c float32)
TEXT ·gateLeakyReluAVX2(SB), NOSPLIT, $0-36
	VBROADCASTSS c+32(FP), Y15
	VXORPS       Y14, Y14, Y14
	MAP2(GATELEAKY)

// func eluGradAVX2(dst, a, b *float32, n int, c float32)
TEXT ·eluGradAVX2(SB), NOSPLIT, $0-36
	VBROADCASTSS c+32(FP), Y15
	VXORPS       Y14, Y14, Y14
	MAP2(ELUGRAD)

// func tanhGradAVX2(dst, a, b *float32, n int)
TEXT ·tanhGradAVX2(SB), NOSPLIT, $0-32
	VMOVUPS one<>(SB), Y15
	MAP2(TANHGRAD)

// func sigmoidGradAVX2(dst, a, b *float32, n int)
TEXT ·sigmoidGradAVX2(SB), NOSPLIT, $0-32
	VMOVUPS one<>(SB), Y15
	MAP2(SIGMOIDGRAD)

// func sqrtGradAVX2(dst, a, b *float32, n int)
TEXT ·sqrtGradAVX2(SB), NOSPLIT, $0-32
	MAP2(SQRTGRAD)

// func absGradAVX2(dst, a, b *float32, n int)
TEXT ·absGradAVX2(SB), NOSPLIT, $0-32
	VMOVUPS sign<>(SB), Y15
	VXORPS  Y14, Y14, Y14
	MAP2(ABSGRAD)

// func clampGradAVX2(dst, a, b *float32, n int, lo, hi float32)
TEXT ·clampGradAVX2(SB), NOSPLIT, $0-40
	VBROADCASTSS lo+32(FP), Y15
	VBROADCASTSS hi+36(FP), Y13
	MAP2(CLAMPGRAD)
