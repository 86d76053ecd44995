//go:build amd64 && !noasm

// The functions of activations_amd64.h and erf_amd64.h but the logarithm, 16 elements
// at a time.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"
#include "activations_amd64.h"
#include "erf_amd64.h"

// func expAVX512(dst, x *float32, n int)
TEXT ·expAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS highest<>(SB), V15
	VMOVUPS lowest<>(SB), V14
	MAP1(EXP(V0, V1, V2, V4))

// func eluAVX512(dst, x *float32, n int, c float32)
TEXT ·eluAVX512(SB), NOSPLIT, $0-28
	EXPCONSTS
	VMOVUPS least<>(SB), V14
	VXORPS V9, V9, V9
	VBROADCASTSS c+24(FP), V10
	MAP1(ELU(V0))

// func sigmoidAVX512(dst, x *float32, n int)
TEXT ·sigmoidAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS highest<>(SB), V15
	VMOVUPS lowest<>(SB), V14
	MAP1(SIGMOID(V0))

// func tanhAVX512(dst, x *float32, n int)
TEXT ·tanhAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS least<>(SB), V14
	VMOVUPS sign<>(SB), V9
	MAP1(TANH(V0))

// func softplusAVX512(dst, x *float32, n int)
TEXT ·softplusAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS lowest<>(SB), V14
	MAP1(SOFTPLUS)

// func siluAVX512(dst, x *float32, n int)
TEXT ·siluAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS least110<>(SB), V14
	MAP1(SILU)

// func geluAVX512(dst, x *float32, n int)
TEXT ·geluAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS fifteen<>(SB), V15
	VMOVUPS minusFifteen<>(SB), V14
	VMOVUPS sign<>(SB), V11
	MAP1(GELU)

// func erfAVX512(dst, x *float32, n int)
TEXT ·erfAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS four<>(SB), V15
	VMOVUPS flush<>(SB), V14
	MAP1(ERF)

// func softplusGradAVX512(dst, a, b *float32, n int)
TEXT ·softplusGradAVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS least110<>(SB), V14
	MAP2(SOFTPLUSGRAD)

// func siluGradAVX512(dst, a, b *float32, n int)
TEXT ·siluGradAVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS least110<>(SB), V14
	MAP2(SILUGRAD)

// func geluGradAVX512(dst, a, b *float32, n int)
TEXT ·geluGradAVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS fifteen<>(SB), V15
	VMOVUPS sign<>(SB), V11
	MAP2(GELUGRAD)

// func erfGradAVX512(dst, a, b *float32, n int)
TEXT ·erfGradAVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS tenish<>(SB), V15
	VMOVUPS sign<>(SB), V11
	MAP2(ERFGRAD)
