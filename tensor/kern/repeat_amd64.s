//go:build amd64 && !noasm

// Rows repeated: a row's own values brought to each of its edges.

#include "textflag.h"
#include "ones_amd64.h"

// A row is written 16 elements at a time, what is too many of them to be written over by
// the rows behind it, except near the end of dst.
// func repeatOnesAVX2(dst, x *float32, bounds *int32, rows int)
TEXT ·repeatOnesAVX2(SB), NOSPLIT, $0-32
	MOVQ     dst+0(FP), DI
	MOVQ     x+8(FP), SI
	MOVQ     bounds+16(FP), R9
	MOVQ     rows+24(FP), R10
	MOVLQSX  (R9)(R10*4), R11
	MOVLQSX  (R9), DX
	SUBQ     DX, R11
	LEAQ     -64(DI)(R11*4), R11
	VPCMPEQD Y15, Y15, Y15

row:
	EIGHTONES(one)
	EIGHT(COPYOF)
	JNE row
	JMP done

one:
	MOVLQSX      4(R9), CX
	MOVLQSX      (R9), DX
	SUBQ         DX, CX
	LEAQ         (DI)(CX*4), DX
	VBROADCASTSS (SI), Y0
	ADDQ         $4, SI
	ADDQ         $4, R9
	DECQ         R10

sixteen:
	CMPQ    DI, R11
	JGT     near
	VMOVUPS Y0, (DI)
	VMOVUPS Y0, 32(DI)
	ADDQ    $64, DI
	CMPQ    DI, DX
	JLT     sixteen
	MOVQ    DX, DI
	TESTQ   R10, R10
	JNE     row
	JMP     done

near:
	CMPQ   DI, DX
	JGE    next
	VMOVSS X0, (DI)
	ADDQ   $4, DI
	JMP    near

next:
	TESTQ R10, R10
	JNE   row

done:
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
