//go:build amd64 && !noasm

// Rows of 2 to 16 numbers, picked or repeated: two moves each, of as many numbers as half of
// a row has or more, of which the second ends where the row does. They overlap.

#include "textflag.h"

// PICKROWS copies the R10 rows that the ids at R9 name: R13 is where the second move begins,
// R12 the bytes of a row of dst, R8 those from row to row of x.
#define PICKROWS(move, a, b) \
	XORQ    AX, AX         \
id:                       \
	MOVLQSX (R9)(AX*4), DX \
	IMULQ   R8, DX         \
	ADDQ    SI, DX         \
	INCQ    AX             \
	move    (DX), a        \
	move    (DX)(R13*1), b \
	move    a, (DI)        \
	move    b, (DI)(R13*1) \
	ADDQ    R12, DI        \
	CMPQ    AX, R10        \
	JLT     id             \
	VZEROUPPER             \
	RET

// REPEATROWS writes each of the R10 rows of x at edges [bounds[r], bounds[r+1]).
#define REPEATROWS(move, a, b) \
	XORQ  AX, AX           \
row:                      \
	MOVL  4(R9)(AX*4), CX  \
	SUBL  (R9)(AX*4), CX   \
	move  (SI), a          \
	move  (SI)(R13*1), b   \
	ADDQ  R12, SI          \
	INCQ  AX               \
	TESTL CX, CX           \
	JEQ   next             \
edge:                     \
	move  a, (DI)          \
	move  b, (DI)(R13*1)   \
	ADDQ  R12, DI          \
	DECL  CX               \
	JNE   edge             \
next:                     \
	CMPQ  AX, R10          \
	JLT   row              \
	VZEROUPPER             \
	RET

// func gatherByTwosAVX(dst, x *float32, width, second, stride int, ids *int32, n int)
TEXT ·gatherByTwosAVX(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ width+16(FP), R12
	MOVQ second+24(FP), R13
	MOVQ stride+32(FP), R8
	MOVQ ids+40(FP), R9
	MOVQ n+48(FP), R10
	PICKROWS(VMOVSD, X0, X1)

// func repeatByTwosAVX(dst, x *float32, width, second int, bounds *int32, rows int)
TEXT ·repeatByTwosAVX(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ width+16(FP), R12
	MOVQ second+24(FP), R13
	MOVQ bounds+32(FP), R9
	MOVQ rows+40(FP), R10
	REPEATROWS(VMOVSD, X0, X1)

// func gatherByFoursAVX(dst, x *float32, width, second, stride int, ids *int32, n int)
TEXT ·gatherByFoursAVX(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ width+16(FP), R12
	MOVQ second+24(FP), R13
	MOVQ stride+32(FP), R8
	MOVQ ids+40(FP), R9
	MOVQ n+48(FP), R10
	PICKROWS(VMOVUPS, X0, X1)

// func repeatByFoursAVX(dst, x *float32, width, second int, bounds *int32, rows int)
TEXT ·repeatByFoursAVX(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ width+16(FP), R12
	MOVQ second+24(FP), R13
	MOVQ bounds+32(FP), R9
	MOVQ rows+40(FP), R10
	REPEATROWS(VMOVUPS, X0, X1)

// func gatherByEightsAVX(dst, x *float32, width, second, stride int, ids *int32, n int)
TEXT ·gatherByEightsAVX(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ width+16(FP), R12
	MOVQ second+24(FP), R13
	MOVQ stride+32(FP), R8
	MOVQ ids+40(FP), R9
	MOVQ n+48(FP), R10
	PICKROWS(VMOVUPS, Y0, Y1)

// func repeatByEightsAVX(dst, x *float32, width, second int, bounds *int32, rows int)
TEXT ·repeatByEightsAVX(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ width+16(FP), R12
	MOVQ second+24(FP), R13
	MOVQ bounds+32(FP), R9
	MOVQ rows+40(FP), R10
	REPEATROWS(VMOVUPS, Y0, Y1)
