//go:build amd64 && !noasm

// Rows repeated: a row's own values brought to each of its edges.

#include "textflag.h"

// A row is written 16 elements at a time, what is too many of them to be written over by
// the rows behind it, except near the end of dst. Eight rows of one edge each are copied.
// func repeatOnesAVX2(dst, x *float32, bounds *int32, rows int)
TEXT ·repeatOnesAVX2(SB), NOSPLIT, $0-32
	MOVQ    dst+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    bounds+16(FP), R9
	MOVQ    rows+24(FP), R10
	MOVLQSX (R9)(R10*4), R11
	MOVLQSX (R9), DX
	SUBQ    DX, R11
	LEAQ    -64(DI)(R11*4), R11
	XORQ    AX, AX
	LEAQ    -8(R10), R12
	VPCMPEQD Y15, Y15, Y15

row:
	CMPQ      AX, R12
	JGT       one
	MOVL      32(R9)(AX*4), CX
	SUBL      (R9)(AX*4), CX
	CMPL      CX, $8
	JNE       one
	VMOVDQU   (R9)(AX*4), Y0
	VPSUBD    4(R9)(AX*4), Y0, Y0
	VPCMPEQD  Y15, Y0, Y0
	VMOVMSKPS Y0, CX
	CMPL      CX, $0xFF
	JNE       one
	VMOVUPS   (SI)(AX*4), Y0
	VMOVUPS   Y0, (DI)
	ADDQ      $32, DI
	ADDQ      $8, AX
	CMPQ      AX, R10
	JLT       row
	JMP       done

one:
	MOVLQSX      4(R9)(AX*4), CX
	MOVLQSX      (R9)(AX*4), DX
	SUBQ         DX, CX
	LEAQ         (DI)(CX*4), DX
	VBROADCASTSS (SI)(AX*4), Y0
	INCQ         AX

sixteen:
	CMPQ    DI, R11
	JGT     near
	VMOVUPS Y0, (DI)
	VMOVUPS Y0, 32(DI)
	ADDQ    $64, DI
	CMPQ    DI, DX
	JLT     sixteen
	MOVQ    DX, DI
	CMPQ    AX, R10
	JLT     row
	JMP     done

near:
	CMPQ   DI, DX
	JGE    next
	VMOVSS X0, (DI)
	ADDQ   $4, DI
	JMP    near

next:
	CMPQ AX, R10
	JLT  row

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
