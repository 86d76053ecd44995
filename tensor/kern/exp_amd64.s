//go:build amd64 && !noasm

// The exponential function and the activations made of it.

#include "textflag.h"
#include "loops_amd64.h"
#include "exp_amd64.h"

// func expAVX2(dst, x *float32, n int)
TEXT ·expAVX2(SB), NOSPLIT, $0-24
	MOVQ    dst+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    n+16(FP), CX
	VMOVUPS highest<>(SB), Y15
	VMOVUPS lowest<>(SB), Y14
	EXPCONSTS
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

// x > 0: x, else c·(e^x - 1). Y9 is zeros, Y10 is c.
#define ELU(x) \
	VMINPS    x, Y9, Y1        \
	EXPM1(Y1, Y2, Y3, Y4)      \
	VMULPS    Y10, Y3, Y3      \
	VCMPPS    $0x1E, Y9, x, Y4 \
	VBLENDVPS Y4, x, Y3, x

// 1/(1 + e^-x)
#define SIGMOID(x) \
	VXORPS  sign<>(SB), x, x \
	EXP(x, Y1, Y2, Y3)       \
	VMOVUPS one<>(SB), Y1    \
	VADDPS  Y1, x, x         \
	VDIVPS  x, Y1, x

// With m = e^(-2|x|) - 1, tanh|x| is -m/(m + 2), and tanh has the sign of x. Y9 is
// the sign bit.
#define TANH(x) \
	VANDNPS x, Y9, Y1                \
	VMULPS  minusTwo<>(SB), Y1, Y1   \
	EXPM1(Y1, Y2, Y3, Y4)            \
	VSUBPS  minusTwo<>(SB), Y3, Y4   \
	VDIVPS  Y4, Y3, Y3               \
	VANDNPS Y3, Y9, Y3               \
	VANDPS  x, Y9, x                 \
	VORPS   Y3, x, x

// func eluAVX2(dst, x *float32, n int, c float32)
TEXT ·eluAVX2(SB), NOSPLIT, $0-28
	VMOVUPS      least<>(SB), Y14
	VXORPS       Y9, Y9, Y9
	VBROADCASTSS c+24(FP), Y10
	EXPCONSTS
	MAP1(ELU(Y0))

// func sigmoidAVX2(dst, x *float32, n int)
TEXT ·sigmoidAVX2(SB), NOSPLIT, $0-24
	VMOVUPS highest<>(SB), Y15
	VMOVUPS lowest<>(SB), Y14
	EXPCONSTS
	MAP1(SIGMOID(Y0))

// func tanhAVX2(dst, x *float32, n int)
TEXT ·tanhAVX2(SB), NOSPLIT, $0-24
	VMOVUPS least<>(SB), Y14
	VMOVUPS sign<>(SB), Y9
	EXPCONSTS
	MAP1(TANH(Y0))
