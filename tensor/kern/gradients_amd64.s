//go:build amd64 && !noasm

// The kernels of gradients_amd64.h of float32.

#include "textflag.h"

#include "gradients_amd64.h"

// func gateReluAVX2(dst, a, b *float32, n int)
TEXT ·gateReluAVX2(SB), NOSPLIT, $0-32
	VXORPS Y14, Y14, Y14
	MAP2(GATE)

// func gateLeakyReluAVX2(dst, a, b *float32, n int, c float32)
TEXT ·gateLeakyReluAVX2(SB), NOSPLIT, $0-36
	VBROADCASTS c+32(FP), Y15
	VXORPS      Y14, Y14, Y14
	MAP2(GATELEAKY)

// func eluGradAVX2(dst, a, b *float32, n int, c float32)
TEXT ·eluGradAVX2(SB), NOSPLIT, $0-36
	VBROADCASTS c+32(FP), Y15
	VXORPS      Y14, Y14, Y14
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
	VBROADCASTS lo+32(FP), Y15
	VBROADCASTS hi+(32+SIZE)(FP), Y13
	MAP2(CLAMPGRAD)
