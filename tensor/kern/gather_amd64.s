//go:build amd64 && !noasm

// Row kernels: rows of a matrix picked by ids are summed, scaled and summed, compared,
// multiplied with one row, or copied.

#include "textflag.h"

#include "gather_amd64.h"
#include "lanes_amd64.h"

// func gatherSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherSumAVX2(SB), NOSPLIT, $0-56
	MOVQ acc+0(FP), DI
	MOVQ width+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), R8
	MOVQ ids+32(FP), R9
	MOVQ n+40(FP), R10
	MOVQ ahead+48(FP), R11
	COLUMNS(NOWEIGHT, STAY, 0, ROW64(PLUS), ROW32(PLUS), ROW16(PLUS), ROW8(PLUS))
	REST(NOWEIGHT, PLUS, STAY)
	VZEROUPPER
	RET

// func gatherMaxAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherMaxAVX2(SB), NOSPLIT, $0-56
	MOVQ acc+0(FP), DI
	MOVQ width+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), R8
	MOVQ ids+32(FP), R9
	MOVQ n+40(FP), R10
	MOVQ ahead+48(FP), R11
	COLUMNS(NOWEIGHT, STAY, 0, ROW64(LARGER), ROW32(LARGER), ROW16(LARGER), ROW8(LARGER))
	REST(NOWEIGHT, LARGER, STAY)
	VZEROUPPER
	RET

// func gatherScaleSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherScaleSumAVX2(SB), NOSPLIT, $0-72
	MOVQ acc+0(FP), DI
	MOVQ width+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), R8
	MOVQ ids+32(FP), R9
	MOVQ n+40(FP), R10
	MOVQ ahead+48(FP), R11
	MOVQ w+56(FP), R12
	MOVQ wstride+64(FP), R13
	SHLQ $2, R13
	COLUMNS(WEIGHT, NEXT, 0, ROW64(SCALE), ROW32(SCALE), ROW16(SCALE), ROW8(SCALE))
	REST(WEIGHT, SCALE, NEXT)
	VZEROUPPER
	RET

// func gatherFactorSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, c *float32)
TEXT ·gatherFactorSumAVX2(SB), NOSPLIT, $0-64
	MOVQ acc+0(FP), DI
	MOVQ width+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), R8
	MOVQ ids+32(FP), R9
	MOVQ n+40(FP), R10
	MOVQ ahead+48(FP), R11
	MOVQ c+56(FP), R12
	COLUMNS(FACTOR, STAY, 0, ROW64(SCALE), ROW32(SCALE), ROW16(SCALE), ROW8(SCALE))
	REST(FACTOR, SCALE, STAY)
	VZEROUPPER
	RET

// The dot product of one pair of rows is summed as dotAVX2 does it.
// func gatherDotAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotAVX2(SB), NOSPLIT, $0-72
	MOVQ    out+0(FP), DI
	MOVQ    ostride+8(FP), R13
	MOVQ    row+16(FP), BX
	MOVQ    width+24(FP), R12
	MOVQ    x+32(FP), SI
	MOVQ    stride+40(FP), R8
	MOVQ    ids+48(FP), R9
	MOVQ    n+56(FP), R10
	SHLQ    $2, R13
	SHLQ    $2, R8
	MOVQ    R12, CX
	ANDQ    $7, CX
	SHLQ    $2, CX
	LEAQ    ·tailMask+32(SB), AX
	SUBQ    CX, AX
	VMOVUPS (AX), Y12
	MOVQ    ahead+64(FP), R11
	XORQ    AX, AX

id:
	CMPQ AX, R11
	JGE  near
	FETCH
	FETCH1
	CMPQ R12, $48
	JLT  near
	FETCH4

near:
	ROW
	INCQ   AX
	MOVQ   BX, R15
	MOVQ   R12, CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	SUBQ   $32, CX
	JLT    eights

loop32:
	VMOVUPS     (R15), Y4
	VMOVUPS     32(R15), Y5
	VMOVUPS     64(R15), Y6
	VMOVUPS     96(R15), Y7
	VFMADD231PS (DX), Y4, Y0
	VFMADD231PS 32(DX), Y5, Y1
	VFMADD231PS 64(DX), Y6, Y2
	VFMADD231PS 96(DX), Y7, Y3
	ADDQ        $128, R15
	ADDQ        $128, DX
	SUBQ        $32, CX
	JGE         loop32

eights:
	ADDQ $24, CX
	JLT  tail

loop8:
	VMOVUPS     (R15), Y4
	VFMADD231PS (DX), Y4, Y0
	ADDQ        $32, R15
	ADDQ        $32, DX
	SUBQ        $8, CX
	JGE         loop8

tail:
	ADDQ        $8, CX
	JEQ         merge
	VMASKMOVPS  (R15), Y12, Y4
	VMASKMOVPS  (DX), Y12, Y5
	VFMADD231PS Y5, Y4, Y1

merge:
	VADDPS       Y1, Y0, Y0
	VADDPS       Y3, Y2, Y2
	VADDPS       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VMOVHLPS     X0, X0, X1
	VADDPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VADDSS       X1, X0, X0
	VMOVSS       X0, (DI)
	ADDQ         R13, DI
	CMPQ         AX, R10
	JLT          id
	VZEROUPPER
	RET

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
	MOVL    r, (4*i)(DI)(AX*4)

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
	MOVL  (R9)(AX*4), BX
	MOVL  28(R9)(AX*4), CX
	SUBL  BX, CX
	CMPL  CX, $7
	JEQ   row
	TESTL CX, CX
	JEQ   same

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
