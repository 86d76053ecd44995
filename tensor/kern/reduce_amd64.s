//go:build amd64 && !noasm

// Reductions: four chains of 8 lanes, then one, then a masked tail; the lanes are
// merged pairwise at the end, so the order follows from the length alone.

#include "textflag.h"
#include "loops_amd64.h"

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

SPLAT(sign<>, $0x80000000) // the sign bit

// SUMS is the loop of a sum of terms: TERM changes an element, PUT adds it to acc.
// Lanes beyond the end are made 0 in between. x is in SI, n in CX.
#define SUMS(TERM, PUT) \
	VXORPS Y0, Y0, Y0 \
	VXORPS Y1, Y1, Y1 \
	VXORPS Y2, Y2, Y2 \
	VXORPS Y3, Y3, Y3 \
	SUBQ $32, CX \
	JLT  eights \
loop32: \
	VMOVUPS (SI), Y4 \
	VMOVUPS 32(SI), Y5 \
	VMOVUPS 64(SI), Y6 \
	VMOVUPS 96(SI), Y7 \
	TERM(Y4) \
	TERM(Y5) \
	TERM(Y6) \
	TERM(Y7) \
	PUT(Y4, Y0) \
	PUT(Y5, Y1) \
	PUT(Y6, Y2) \
	PUT(Y7, Y3) \
	ADDQ $128, SI \
	SUBQ $32, CX \
	JGE  loop32 \
eights: \
	ADDQ $24, CX \
	JLT  tail \
loop8: \
	VMOVUPS (SI), Y4 \
	TERM(Y4) \
	PUT(Y4, Y0) \
	ADDQ $32, SI \
	SUBQ $8, CX \
	JGE  loop8 \
tail: \
	ADDQ $8, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	SHLQ $2, CX \
	SUBQ CX, AX \
	VMOVUPS (AX), Y12 \
	VMASKMOVPS (SI), Y12, Y4 \
	TERM(Y4) \
	VANDPS Y12, Y4, Y4 \
	PUT(Y4, Y1) \
done: \
	MERGE

#define MAGNITUDE(y) VANDNPS y, Y15, y
#define PLUS(y, acc) VADDPS y, acc, acc
#define DEVIATION(y) VSUBPS Y15, y, y
#define SQUARED(y, acc) VFMADD231PS y, y, acc

// func sumAbsAVX2(x *float32, n int) float32
TEXT ·sumAbsAVX2(SB), NOSPLIT, $0-20
	MOVQ    x+0(FP), SI
	MOVQ    n+8(FP), CX
	VMOVUPS sign<>(SB), Y15
	SUMS(MAGNITUDE, PLUS)
	VMOVSS  X0, ret+16(FP)
	VZEROUPPER
	RET

// func sumSquaredDevAVX2(x *float32, n int, mean float32) float32
TEXT ·sumSquaredDevAVX2(SB), NOSPLIT, $0-28
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	VBROADCASTSS mean+16(FP), Y15
	SUMS(DEVIATION, SQUARED)
	VMOVSS       X0, ret+24(FP)
	VZEROUPPER
	RET
