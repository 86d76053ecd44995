//go:build amd64 && !noasm

// Rows written to where ids say, into the caches or, a line at a time, past them.

#include "textflag.h"

#define BEGIN \
	MOVQ dst+0(FP), DI    \
	MOVQ x+8(FP), SI      \
	MOVQ width+16(FP), DX \
	MOVQ ids+24(FP), R9   \
	MOVQ n+32(FP), CX     \
	SHLQ $2, DX           \
	XORL AX, AX

// AT points R8 to the row that the next id names.
#define AT \
	MOVLQSX (R9)(AX*4), R8 \
	IMULQ   DX, R8         \
	ADDQ    DI, R8         \
	INCQ    AX             \
	MOVQ    DX, R10

// Rows of 8 columns or more, whose last vector may have some again.
// func scatterRowsNearAVX(dst, x *float32, width int, ids *int32, n int)
TEXT ·scatterRowsNearAVX(SB), NOSPLIT, $0-40
	BEGIN

row:
	AT

vector:
	CMPQ R10, $32
	JGE  whole
	SUBQ $32, R10
	ADDQ R10, SI
	ADDQ R10, R8
	MOVQ $32, R10

whole:
	VMOVUPS (SI), Y0
	VMOVUPS Y0, (R8)
	ADDQ    $32, SI
	ADDQ    $32, R8
	SUBQ    $32, R10
	JNE     vector
	CMPQ    AX, CX
	JLT     row
	VZEROUPPER
	RET

// func scatterRowsPastAVX(dst, x *float32, width int, ids *int32, n int)
TEXT ·scatterRowsPastAVX(SB), NOSPLIT, $0-40
	BEGIN

row:
	AT

line:
	VMOVUPS  (SI), Y0
	VMOVUPS  32(SI), Y1
	VMOVNTPS Y0, (R8)
	VMOVNTPS Y1, 32(R8)
	ADDQ     $64, SI
	ADDQ     $64, R8
	SUBQ     $64, R10
	JNE      line
	CMPQ     AX, CX
	JLT      row
	SFENCE
	VZEROUPPER
	RET

// PUT4 puts four numbers, two loaded at a time, as two ids are.
#define PUT4(i) \
	MOVQ    (4*i)(R9)(AX*4), R8    \
	MOVQ    (4*i+8)(R9)(AX*4), R11 \
	MOVLQSX R8, R12                \
	MOVLQSX R11, R13               \
	SARQ    $32, R8                \
	SARQ    $32, R11               \
	MOVQ    (4*i)(SI)(AX*4), BX    \
	MOVQ    (4*i+8)(SI)(AX*4), DX  \
	MOVL    BX, (DI)(R12*4)        \
	SHRQ    $32, BX                \
	MOVL    BX, (DI)(R8*4)         \
	MOVL    DX, (DI)(R13*4)        \
	SHRQ    $32, DX                \
	MOVL    DX, (DI)(R11*4)

// func scatterOnesAMD64(dst, x *float32, ids *int32, n int)
TEXT ·scatterOnesAMD64(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ ids+16(FP), R9
	MOVQ n+24(FP), CX
	XORQ AX, AX
	SUBQ $4, CX
	JLT  few

four:
	PUT4(0)
	ADDQ $4, AX
	CMPQ AX, CX
	JLE  four

few:
	ADDQ $4, CX
	CMPQ AX, CX
	JGE  done

one:
	MOVLQSX (R9)(AX*4), R8
	MOVL    (SI)(AX*4), BX
	MOVL    BX, (DI)(R8*4)
	INCQ    AX
	CMPQ    AX, CX
	JLT     one

done:
	RET
