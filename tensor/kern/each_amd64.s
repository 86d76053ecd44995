//go:build amd64 && !noasm

// Sums and extrema of many short rows, one number a row. A row has fewer than 32
// elements; it is summed in the order in which Sum takes as many.

#include "textflag.h"
#include "loops_amd64.h"

SPLAT(infinity<>, $0x7F800000) // +Inf
SPLAT(minusInf<>, $0xFF800000) // -Inf
DATA nan<>+0(SB)/4, $0x7FC00000
GLOBL nan<>(SB), RODATA|NOPTR, $4

// ROWS sets up arguments (dst, x *float32, rows, n int): the whole vectors of a row in
// DX, the mask of the rest in Y12, and its bytes in BX.
#define ROWS \
	MOVQ    dst+0(FP), DI        \
	MOVQ    x+8(FP), SI          \
	MOVQ    rows+16(FP), R8      \
	MOVQ    n+24(FP), BX         \
	MOVQ    BX, DX               \
	SHRQ    $3, DX               \
	ANDQ    $7, BX               \
	SHLQ    $2, BX               \
	LEAQ    ·tailMask+32(SB), AX \
	SUBQ    BX, AX               \
	VMOVUPS (AX), Y12

// func sumEachAVX2(dst, x *float32, rows, n int)
TEXT ·sumEachAVX2(SB), NOSPLIT, $0-32
	ROWS

row:
	VXORPS Y0, Y0, Y0
	MOVQ   DX, CX
	TESTQ  CX, CX
	JEQ    rest

eight:
	VADDPS (SI), Y0, Y0
	ADDQ   $32, SI
	DECQ   CX
	JNE    eight

rest:
	TESTQ        BX, BX
	JEQ          merge
	VMASKMOVPS   (SI), Y12, Y1
	VADDPS       Y1, Y0, Y0
	ADDQ         BX, SI

merge:
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VMOVHLPS     X0, X0, X1
	VADDPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VADDSS       X1, X0, X0
	VMOVSS       X0, (DI)
	ADDQ         $4, DI
	DECQ         R8
	JNE          row
	VZEROUPPER
	RET

// EACH is the loop of maxEach or minEach by the instructions M and MS, from START on.
// The instruction forgets NaN, so Y3 remembers which lanes saw one.
#define EACH(M, MS, START) \
	ROWS \
	VMOVUPS START, Y2 \
row: \
	VMOVAPS Y2, Y0 \
	VXORPS Y3, Y3, Y3 \
	MOVQ   DX, CX \
	TESTQ  CX, CX \
	JEQ    rest \
eight: \
	VMOVUPS (SI), Y4 \
	VCMPPS $3, Y4, Y4, Y6 \
	M      Y4, Y0, Y0 \
	VORPS  Y6, Y3, Y3 \
	ADDQ   $32, SI \
	DECQ   CX \
	JNE    eight \
rest: \
	TESTQ  BX, BX \
	JEQ    merge \
	VMASKMOVPS (SI), Y12, Y4 \
	VBLENDVPS Y12, Y4, Y2, Y4 \
	VCMPPS $3, Y4, Y4, Y6 \
	M      Y4, Y0, Y0 \
	VORPS  Y6, Y3, Y3 \
	ADDQ   BX, SI \
merge: \
	VEXTRACTF128 $1, Y0, X1 \
	M      X1, X0, X0 \
	VMOVHLPS X0, X0, X1 \
	M      X1, X0, X0 \
	VMOVSHDUP X0, X1 \
	MS     X1, X0, X0 \
	VMOVMSKPS Y3, AX \
	TESTL  AX, AX \
	JEQ    ordered \
	VMOVSS nan<>(SB), X0 \
ordered: \
	VMOVSS X0, (DI) \
	ADDQ   $4, DI \
	DECQ   R8 \
	JNE    row \
	VZEROUPPER \
	RET

// func maxEachAVX2(dst, x *float32, rows, n int)
TEXT ·maxEachAVX2(SB), NOSPLIT, $0-32
	EACH(VMAXPS, VMAXSS, minusInf<>(SB))

// func minEachAVX2(dst, x *float32, rows, n int)
TEXT ·minEachAVX2(SB), NOSPLIT, $0-32
	EACH(VMINPS, VMINSS, infinity<>(SB))
