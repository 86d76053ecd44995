//go:build amd64 && !noasm

// Picked rows taken apart: one walk over the ids for all parts of their rows.

#include "textflag.h"
#include "gather_amd64.h"

// func gatherEightsAVX2(d0, d1, d2, d3 *float32, parts int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherEightsAVX2(SB), NOSPLIT, $0-80
	MOVQ d0+0(FP), DI
	MOVQ d1+8(FP), R12
	MOVQ d2+16(FP), R13
	MOVQ d3+24(FP), R14
	MOVQ parts+32(FP), BX
	MOVQ x+40(FP), SI
	MOVQ stride+48(FP), R8
	MOVQ ids+56(FP), R9
	MOVQ n+64(FP), R10
	MOVQ ahead+72(FP), R11
	SHLQ $2, R8
	XORQ AX, AX
	XORQ CX, CX

id:
	CMPQ AX, R11
	JGE  near
	FETCH
	FETCH2

near:
	ROW
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1
	VMOVUPS Y0, (DI)(CX*1)
	VMOVUPS Y1, (R12)(CX*1)
	CMPQ    BX, $3
	JLT     next
	VMOVUPS 64(DX), Y2
	VMOVUPS Y2, (R13)(CX*1)
	JEQ     next
	VMOVUPS 96(DX), Y3
	VMOVUPS Y3, (R14)(CX*1)

next:
	ADDQ $32, CX
	INCQ AX
	CMPQ AX, R10
	JLT  id
	VZEROUPPER
	RET

// ROWOF loads the four elements of the row that the id at mem names.
#define ROWOF(mem, y) \
	MOVLQSX mem, DX \
	IMULQ   R8, DX  \
	VMOVUPS (SI)(DX*1), y

// func gatherFoursAVX(d0, d1, d2, d3 *float32, x *float32, stride int, ids *int32, n int)
TEXT ·gatherFoursAVX(SB), NOSPLIT, $0-64
	MOVQ d0+0(FP), DI
	MOVQ d1+8(FP), R12
	MOVQ d2+16(FP), R13
	MOVQ d3+24(FP), R14
	MOVQ x+32(FP), SI
	MOVQ stride+40(FP), R8
	MOVQ ids+48(FP), R9
	MOVQ n+56(FP), R10
	SHLQ $2, R8
	XORQ AX, AX
	SUBQ $4, R10
	JLT  few

four:
	ROWOF((R9)(AX*4), X0)
	ROWOF(4(R9)(AX*4), X1)
	ROWOF(8(R9)(AX*4), X2)
	ROWOF(12(R9)(AX*4), X3)
	VUNPCKLPS X1, X0, X4
	VUNPCKHPS X1, X0, X5
	VUNPCKLPS X3, X2, X6
	VUNPCKHPS X3, X2, X7
	VUNPCKLPD X6, X4, X0
	VUNPCKHPD X6, X4, X1
	VUNPCKLPD X7, X5, X2
	VUNPCKHPD X7, X5, X3
	VMOVUPS   X0, (DI)(AX*4)
	VMOVUPS   X1, (R12)(AX*4)
	VMOVUPS   X2, (R13)(AX*4)
	VMOVUPS   X3, (R14)(AX*4)
	ADDQ      $4, AX
	CMPQ      AX, R10
	JLE       four

few:
	ADDQ $4, R10
	CMPQ AX, R10
	JGE  done

one:
	ROWOF((R9)(AX*4), X0)
	VMOVSS     X0, (DI)(AX*4)
	VEXTRACTPS $1, X0, (R12)(AX*4)
	VEXTRACTPS $2, X0, (R13)(AX*4)
	VEXTRACTPS $3, X0, (R14)(AX*4)
	INCQ       AX
	CMPQ       AX, R10
	JLT        one

done:
	RET
