//go:build amd64 && !noasm

// The largest and the smallest element, and where a value is first.

#include "textflag.h"
#include "loops_amd64.h"

SPLAT(infinity<>, $0x7F800000) // +Inf
SPLAT(minusInf<>, $0xFF800000) // -Inf
DATA nan<>+0(SB)/4, $0x7FC00000
GLOBL nan<>(SB), RODATA|NOPTR, $4

// EXTREME is MaxOf or MinOf by the instructions M and MS, from START on, over
// arguments (x *float32, n int). The instruction forgets NaN, so Y3 remembers which
// lanes saw one.
#define EXTREME(M, MS, START) \
	MOVQ    x+0(FP), SI \
	MOVQ    n+8(FP), CX \
	VMOVUPS START, Y0 \
	VMOVAPS Y0, Y1 \
	VMOVAPS Y0, Y2 \
	VXORPS  Y3, Y3, Y3 \
	SUBQ    $16, CX \
	JLT     eight \
loop16: \
	VMOVUPS (SI), Y4 \
	VMOVUPS 32(SI), Y5 \
	VCMPPS  $3, Y5, Y4, Y6 \
	M       Y4, Y0, Y0 \
	M       Y5, Y1, Y1 \
	VORPS   Y6, Y3, Y3 \
	ADDQ    $64, SI \
	SUBQ    $16, CX \
	JGE     loop16 \
eight: \
	ADDQ    $8, CX \
	JLT     tail \
	VMOVUPS (SI), Y4 \
	VCMPPS  $3, Y4, Y4, Y6 \
	M       Y4, Y0, Y0 \
	VORPS   Y6, Y3, Y3 \
	ADDQ    $32, SI \
	SUBQ    $8, CX \
tail: \
	ADDQ    $8, CX \
	JEQ     done \
	LEAQ    ·tailMask+32(SB), AX \
	SHLQ    $2, CX \
	SUBQ    CX, AX \
	VMOVUPS (AX), Y12 \
	VMASKMOVPS (SI), Y12, Y4 \
	VBLENDVPS Y12, Y4, Y2, Y4 \
	VCMPPS  $3, Y4, Y4, Y6 \
	M       Y4, Y0, Y0 \
	VORPS   Y6, Y3, Y3 \
done: \
	M       Y1, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	M       X1, X0, X0 \
	VMOVHLPS X0, X0, X1 \
	M       X1, X0, X0 \
	VMOVSHDUP X0, X1 \
	MS      X1, X0, X0 \
	VMOVMSKPS Y3, AX \
	TESTL   AX, AX \
	JEQ     ordered \
	VMOVSS  nan<>(SB), X0 \
ordered:

// func maxOfAVX2(x *float32, n int) float32
TEXT ·maxOfAVX2(SB), NOSPLIT, $0-20
	EXTREME(VMAXPS, VMAXSS, minusInf<>(SB))
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

// func minOfAVX2(x *float32, n int) float32
TEXT ·minOfAVX2(SB), NOSPLIT, $0-20
	EXTREME(VMINPS, VMINSS, infinity<>(SB))
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

// indexOf returns the first index of v among the first n&^7 elements, n&^7 if there
// is none.
// func indexOfAVX2(x *float32, n int, v float32) int
TEXT ·indexOfAVX2(SB), NOSPLIT, $0-32
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	VBROADCASTSS v+16(FP), Y15
	XORQ         BX, BX
	SUBQ         $8, CX

loop8:
	CMPQ      BX, CX
	JGT       done
	VCMPPS    $0, (SI)(BX*4), Y15, Y0
	VMOVMSKPS Y0, AX
	ADDQ      $8, BX
	TESTL     AX, AX
	JEQ       loop8
	BSFL      AX, AX
	LEAQ      -8(BX)(AX*1), BX

done:
	MOVQ BX, ret+24(FP)
	VZEROUPPER
	RET
