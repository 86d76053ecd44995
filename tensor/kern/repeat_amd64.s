//go:build amd64 && !noasm

// Rows repeated: a row's own values brought to each of its edges.

#include "textflag.h"

// func repeatOnesAVX2(dst, x *float32, bounds *int32, rows int)
TEXT ·repeatOnesAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ bounds+16(FP), R9
	MOVQ rows+24(FP), R10
	XORQ AX, AX

row:
	MOVLQSX      4(R9)(AX*4), CX
	MOVLQSX      (R9)(AX*4), DX
	SUBQ         DX, CX
	VBROADCASTSS (SI)(AX*4), Y0
	INCQ         AX
	SUBQ         $8, CX
	JLT          rest

eight:
	VMOVUPS Y0, (DI)
	ADDQ    $32, DI
	SUBQ    $8, CX
	JGE     eight

rest:
	TESTQ   $4, CX
	JEQ     two
	VMOVUPS X0, (DI)
	ADDQ    $16, DI

two:
	TESTQ  $2, CX
	JEQ    one
	VMOVLPS X0, (DI)
	ADDQ   $8, DI

one:
	TESTQ  $1, CX
	JEQ    next
	VMOVSS X0, (DI)
	ADDQ   $4, DI

next:
	CMPQ AX, R10
	JLT  row
	VZEROUPPER
	RET

// func repeatEightsAVX2(dst, x *float32, bounds *int32, rows int)
TEXT ·repeatEightsAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ bounds+16(FP), R9
	MOVQ rows+24(FP), R10
	XORQ AX, AX

row:
	MOVL    4(R9)(AX*4), CX
	SUBL    (R9)(AX*4), CX
	VMOVUPS (SI), Y0
	ADDQ    $32, SI
	INCQ    AX
	TESTL   CX, CX
	JEQ     next

edge:
	VMOVUPS Y0, (DI)
	ADDQ    $32, DI
	DECL    CX
	JNE     edge

next:
	CMPQ AX, R10
	JLT  row
	VZEROUPPER
	RET
