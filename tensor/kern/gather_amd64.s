//go:build amd64 && !noasm

// Row kernels of float32: rows of a matrix picked by ids are summed, scaled and summed,
// compared, or multiplied with one row. Copies of rows, here too, are of words.

#include "textflag.h"
#include "gathersums_amd64.h"
#include "lanes_amd64.h"

// func gatherSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherSumAVX2(SB), NOSPLIT, $0-56
	BEGINSUMS
	ALLCOLUMNS(NOWEIGHT, PLUS, STAY)

// func gatherMaxAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherMaxAVX2(SB), NOSPLIT, $0-56
	BEGINSUMS
	ALLCOLUMNS(NOWEIGHT, LARGER, STAY)

// func gatherScaleSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherScaleSumAVX2(SB), NOSPLIT, $0-72
	BEGINSUMS
	WEIGHTS
	ALLCOLUMNS(WEIGHT, SCALE, NEXT)

// func gatherFactorSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, c *float32)
TEXT ·gatherFactorSumAVX2(SB), NOSPLIT, $0-64
	BEGINSUMS
	MOVQ c+56(FP), R12
	ALLCOLUMNS(FACTOR, SCALE, STAY)

// func gatherDotAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotAVX2(SB), NOSPLIT, $0-72
	ROWDOTS

// Rows of 8 columns or more, whose last vector may have some again.
// func gatherRowsAVX2(dst *float32, x *float32, width, stride int, ids *int32, n, ahead int)
TEXT ·gatherRowsAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ width+16(FP), R12
	MOVQ stride+24(FP), R8
	MOVQ ids+32(FP), R9
	MOVQ n+40(FP), R10
	MOVQ ahead+48(FP), R11
	SHLQ $2, R8
	SHLQ $2, R12
	XORQ AX, AX

id:
	CMPQ AX, R11
	JGE  near
	FETCH
	FETCH1

near:
	ROW
	INCQ AX
	MOVQ R12, CX

loop8:
	CMPQ CX, $32
	JGE  whole
	SUBQ $32, CX
	ADDQ CX, DX
	ADDQ CX, DI
	MOVQ $32, CX

whole:
	VMOVUPS (DX), Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, DX
	ADDQ    $32, DI
	SUBQ    $32, CX
	JNE     loop8
	CMPQ    AX, R10
	JLT     id
	VZEROUPPER
	RET

// PICK copies the element of x at row ids[AX+i].
#define PICK(i, r) \
	MOVLQSX (4*i)(R9)(AX*4), r \
	IMULQ   R14, r             \
	MOVL    (SI)(r*4), r       \
	MOVL r, (4*i)(DI)(AX*4)

// PICK4 picks four numbers that lie side by side: two ids a load, and one store. It takes
// half of the time.
#define PICK4(i, x) \
	MOVQ    (4*i)(R9)(AX*4), R8    \
	MOVQ    (4*i+8)(R9)(AX*4), R11 \
	MOVLQSX R8, R12                \
	MOVLQSX R11, R13               \
	SARQ    $32, R8                \
	SARQ    $32, R11               \
	VMOVD   (SI)(R12*4), x         \
	VPINSRD $1, (SI)(R8*4), x, x   \
	VPINSRD $2, (SI)(R13*4), x, x  \
	VPINSRD $3, (SI)(R11*4), x, x  \
	VMOVDQU x, (4*i)(DI)(AX*4)

// Eight ids in a row or eight times the same id, as the rows of readouts and of blocks of
// samples have them, are one vector.
// func gatherOnesAVX2(dst *float32, x *float32, stride int, ids *int32, n int)
TEXT ·gatherOnesAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ stride+16(FP), R14
	MOVQ ids+24(FP), R9
	MOVQ n+32(FP), R10
	XORQ AX, AX
	SUBQ $8, R10
	JLT  few
	CMPQ R14, $1
	JEQ  unit

eight:
	PICK(0, R8)
	PICK(1, R11)
	PICK(2, R12)
	PICK(3, R13)
	PICK(4, R15)
	PICK(5, BX)
	PICK(6, CX)
	PICK(7, DX)
	ADDQ $8, AX
	CMPQ AX, R10
	JLE  eight
	JMP  few

unit:
	VMOVDQU lanes<>(SB), Y3

together:
	PREFETCHT0 2048(R9)(AX*4)
	MOVL       (R9)(AX*4), BX
	MOVL       28(R9)(AX*4), CX
	SUBL       BX, CX
	CMPL       CX, $7
	JEQ        row
	TESTL      CX, CX
	JEQ        same

apart:
	PICK4(0, X0)
	PICK4(4, X1)
	ADDQ $8, AX
	CMPQ AX, R10
	JLE  together
	JMP  last

row:
	VPBROADCASTD (R9)(AX*4), Y0
	VPADDD       Y3, Y0, Y0
	VPCMPEQD     (R9)(AX*4), Y0, Y0
	VPMOVMSKB    Y0, CX
	CMPL         CX, $-1
	JNE          apart
	MOVLQSX      BX, BX
	PREFETCHT0   2048(SI)(BX*4)
	VMOVDQU      (SI)(BX*4), Y0
	VMOVDQU      Y0, (DI)(AX*4)
	ADDQ         $8, AX
	CMPQ         AX, R10
	JLE          together
	JMP          last

same:
	VPBROADCASTD (R9)(AX*4), Y0
	VPCMPEQD     (R9)(AX*4), Y0, Y0
	VPMOVMSKB    Y0, CX
	CMPL         CX, $-1
	JNE          apart
	MOVLQSX      BX, BX
	VPBROADCASTD (SI)(BX*4), Y0
	VMOVDQU      Y0, (DI)(AX*4)
	ADDQ         $8, AX
	CMPQ         AX, R10
	JLE          together

last:
	VZEROUPPER

few:
	ADDQ $8, R10
	CMPQ AX, R10
	JGE  done

one:
	PICK(0, DX)
	INCQ AX
	CMPQ AX, R10
	JLT  one

done:
	RET
