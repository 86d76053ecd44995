//go:build amd64 && !noasm

// The functions of activations_amd64.h and erf_amd64.h, 8 elements at a time.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"
#include "activations_amd64.h"
#include "erf_amd64.h"

// Two vectors at a time: this one is not long enough to fill the pipelines alone.
// func expAVX2(dst, x *float32, n int)
TEXT ·expAVX2(SB), NOSPLIT, $0-24
	MOVQ    dst+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    n+16(FP), CX
	EXPCONSTS
	VMOVUPS highest<>(SB), Y15
	VMOVUPS lowest<>(SB), Y14
	SUBQ    $16, CX
	JLT     eight

loop16:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y4
	EXP(Y0, Y1, Y2, Y3)
	EXP(Y4, Y5, Y6, Y7)
	VMOVUPS Y0, (DI)
	VMOVUPS Y4, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $16, CX
	JGE     loop16

eight:
	ADDQ    $8, CX
	JLT     tail
	VMOVUPS (SI), Y0
	EXP(Y0, Y1, Y2, Y3)
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX

tail:
	ADDQ       $8, CX
	JEQ        done
	LEAQ       ·tailMask+32(SB), AX
	SHLQ       $2, CX
	SUBQ       CX, AX
	VMOVUPS    (AX), Y11
	VMASKMOVPS (SI), Y11, Y0
	EXP(Y0, Y1, Y2, Y3)
	VMASKMOVPS Y0, Y11, (DI)

done:
	VZEROUPPER
	RET

// func eluAVX2(dst, x *float32, n int, c float32)
TEXT ·eluAVX2(SB), NOSPLIT, $0-28
	EXPCONSTS
	VMOVUPS least<>(SB), V14
	VXORPS V9, V9, V9
	VBROADCASTSS c+24(FP), V10
	MAP1(ELU(V0))

// func sigmoidAVX2(dst, x *float32, n int)
TEXT ·sigmoidAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS highest<>(SB), V15
	VMOVUPS lowest<>(SB), V14
	MAP1(SIGMOID(V0))

// func tanhAVX2(dst, x *float32, n int)
TEXT ·tanhAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS least<>(SB), V14
	VMOVUPS sign<>(SB), V9
	MAP1(TANH(V0))

// func logAVX2(dst, x *float32, n int)
TEXT ·logAVX2(SB), NOSPLIT, $0-24
	MAP1(LOG)

// func softplusAVX2(dst, x *float32, n int)
TEXT ·softplusAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS lowest<>(SB), V14
	MAP1(SOFTPLUS)

// func siluAVX2(dst, x *float32, n int)
TEXT ·siluAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS least110<>(SB), V14
	MAP1(SILU)

// func geluAVX2(dst, x *float32, n int)
TEXT ·geluAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS fifteen<>(SB), V15
	VMOVUPS minusFifteen<>(SB), V14
	VMOVUPS sign<>(SB), V11
	MAP1(GELU)

// func erfAVX2(dst, x *float32, n int)
TEXT ·erfAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS four<>(SB), V15
	VMOVUPS flush<>(SB), V14
	MAP1(ERF)

// func softplusGradAVX2(dst, a, b *float32, n int)
TEXT ·softplusGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS least110<>(SB), V14
	MAP2(SOFTPLUSGRAD)

// func siluGradAVX2(dst, a, b *float32, n int)
TEXT ·siluGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS least110<>(SB), V14
	MAP2(SILUGRAD)

// func geluGradAVX2(dst, a, b *float32, n int)
TEXT ·geluGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS fifteen<>(SB), V15
	VMOVUPS sign<>(SB), V11
	MAP2(GELUGRAD)

// func erfGradAVX2(dst, a, b *float32, n int)
TEXT ·erfGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS tenish<>(SB), V15
	VMOVUPS sign<>(SB), V11
	MAP2(ERFGRAD)
