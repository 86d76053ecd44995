//go:build amd64 && !noasm

// The kernels of gradients_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "gradients_amd64.h"

// func gateRelu64AVX2(dst, a, b *float64, n int)
TEXT ·gateRelu64AVX2(SB), NOSPLIT, $0-32
	VXORPS Y14, Y14, Y14
	MAP2(GATE)

// func gateLeakyRelu64AVX2(dst, a, b *float64, n int, c float64)
TEXT ·gateLeakyRelu64AVX2(SB), NOSPLIT, $0-40
	VBROADCASTS c+32(FP), Y15
	VXORPS      Y14, Y14, Y14
	MAP2(GATELEAKY)

// func eluGrad64AVX2(dst, a, b *float64, n int, c float64)
TEXT ·eluGrad64AVX2(SB), NOSPLIT, $0-40
	VBROADCASTS c+32(FP), Y15
	VXORPS      Y14, Y14, Y14
	MAP2(ELUGRAD)

// func tanhGrad64AVX2(dst, a, b *float64, n int)
TEXT ·tanhGrad64AVX2(SB), NOSPLIT, $0-32
	VMOVUPS one<>(SB), Y15
	MAP2(TANHGRAD)

// func sigmoidGrad64AVX2(dst, a, b *float64, n int)
TEXT ·sigmoidGrad64AVX2(SB), NOSPLIT, $0-32
	VMOVUPS one<>(SB), Y15
	MAP2(SIGMOIDGRAD)

// func sqrtGrad64AVX2(dst, a, b *float64, n int)
TEXT ·sqrtGrad64AVX2(SB), NOSPLIT, $0-32
	MAP2(SQRTGRAD)

// func absGrad64AVX2(dst, a, b *float64, n int)
TEXT ·absGrad64AVX2(SB), NOSPLIT, $0-32
	VMOVUPS sign<>(SB), Y15
	VXORPS  Y14, Y14, Y14
	MAP2(ABSGRAD)

// func clampGrad64AVX2(dst, a, b *float64, n int, lo, hi float64)
TEXT ·clampGrad64AVX2(SB), NOSPLIT, $0-48
	VBROADCASTS lo+32(FP), Y15
	VBROADCASTS hi+(32+SIZE)(FP), Y13
	MAP2(CLAMPGRAD)
