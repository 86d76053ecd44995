//go:build amd64 && !noasm

// Reductions: four chains of 8 lanes, then one, then a masked tail; the lanes are
// merged pairwise at the end, so the order follows from the length alone.

#include "textflag.h"

// MERGE folds the lanes of Y0..Y3 into the lowest lane of X0.
#define MERGE \
	VADDPS       Y1, Y0, Y0 \
	VADDPS       Y3, Y2, Y2 \
	VADDPS       Y2, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS       X1, X0, X0 \
	VMOVHLPS     X0, X0, X1 \
	VADDPS       X1, X0, X0 \
	VMOVSHDUP    X0, X1     \
	VADDSS       X1, X0, X0

// func dotAVX2(a, b *float32, n int) float32
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DX
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	SUBQ   $32, CX
	JLT    eights

loop32:
	VMOVUPS     (SI), Y4
	VMOVUPS     32(SI), Y5
	VMOVUPS     64(SI), Y6
	VMOVUPS     96(SI), Y7
	VFMADD231PS (DX), Y4, Y0
	VFMADD231PS 32(DX), Y5, Y1
	VFMADD231PS 64(DX), Y6, Y2
	VFMADD231PS 96(DX), Y7, Y3
	ADDQ        $128, SI
	ADDQ        $128, DX
	SUBQ        $32, CX
	JGE         loop32

eights:
	ADDQ $24, CX
	JLT  tail

loop8:
	VMOVUPS     (SI), Y4
	VFMADD231PS (DX), Y4, Y0
	ADDQ        $32, SI
	ADDQ        $32, DX
	SUBQ        $8, CX
	JGE         loop8

tail:
	ADDQ        $8, CX
	JEQ         done
	LEAQ        ·tailMask+32(SB), AX
	SHLQ        $2, CX
	SUBQ        CX, AX
	VMOVUPS     (AX), Y12
	VMASKMOVPS  (SI), Y12, Y4
	VMASKMOVPS  (DX), Y12, Y5
	VFMADD231PS Y5, Y4, Y1

done:
	MERGE
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func sumAVX2(x *float32, n int) float32
TEXT ·sumAVX2(SB), NOSPLIT, $0-20
	MOVQ   x+0(FP), SI
	MOVQ   n+8(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	SUBQ   $32, CX
	JLT    eights

loop32:
	VADDPS (SI), Y0, Y0
	VADDPS 32(SI), Y1, Y1
	VADDPS 64(SI), Y2, Y2
	VADDPS 96(SI), Y3, Y3
	ADDQ   $128, SI
	SUBQ   $32, CX
	JGE    loop32

eights:
	ADDQ $24, CX
	JLT  tail

loop8:
	VADDPS (SI), Y0, Y0
	ADDQ   $32, SI
	SUBQ   $8, CX
	JGE    loop8

tail:
	ADDQ       $8, CX
	JEQ        done
	LEAQ       ·tailMask+32(SB), AX
	SHLQ       $2, CX
	SUBQ       CX, AX
	VMOVUPS    (AX), Y12
	VMASKMOVPS (SI), Y12, Y4
	VADDPS     Y4, Y1, Y1

done:
	MERGE
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

DATA negInf<>+0(SB)/4, $0xFF800000
GLOBL negInf<>(SB), RODATA|NOPTR, $4
DATA nan<>+0(SB)/4, $0x7FC00000
GLOBL nan<>(SB), RODATA|NOPTR, $4

// The maximum instruction forgets NaN, so Y3 remembers which lanes saw one.
// func maxOfAVX2(x *float32, n int) float32
TEXT ·maxOfAVX2(SB), NOSPLIT, $0-20
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	VBROADCASTSS negInf<>(SB), Y0
	VMOVAPS      Y0, Y1
	VMOVAPS      Y0, Y2
	VXORPS       Y3, Y3, Y3
	SUBQ         $16, CX
	JLT          eight

loop16:
	VMOVUPS (SI), Y4
	VMOVUPS 32(SI), Y5
	VCMPPS  $3, Y5, Y4, Y6
	VMAXPS  Y4, Y0, Y0
	VMAXPS  Y5, Y1, Y1
	VORPS   Y6, Y3, Y3
	ADDQ    $64, SI
	SUBQ    $16, CX
	JGE     loop16

eight:
	ADDQ    $8, CX
	JLT     tail
	VMOVUPS (SI), Y4
	VCMPPS  $3, Y4, Y4, Y6
	VMAXPS  Y4, Y0, Y0
	VORPS   Y6, Y3, Y3
	ADDQ    $32, SI
	SUBQ    $8, CX

tail:
	ADDQ       $8, CX
	JEQ        done
	LEAQ       ·tailMask+32(SB), AX
	SHLQ       $2, CX
	SUBQ       CX, AX
	VMOVUPS    (AX), Y12
	VMASKMOVPS (SI), Y12, Y4
	VBLENDVPS  Y12, Y4, Y2, Y4
	VCMPPS     $3, Y4, Y4, Y6
	VMAXPS     Y4, Y0, Y0
	VORPS      Y6, Y3, Y3

done:
	VMOVMSKPS    Y3, AX
	TESTL        AX, AX
	JNE          sawNaN
	VMAXPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VMOVHLPS     X0, X0, X1
	VMAXPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VMAXSS       X1, X0, X0
	VMOVSS       X0, ret+16(FP)
	VZEROUPPER
	RET

sawNaN:
	VMOVSS nan<>(SB), X0
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET
