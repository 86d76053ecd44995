//go:build amd64 && !noasm

// Columns side by side: eight of them to rows of eight, four rows at a time.

#include "textflag.h"

// HALVES reads four elements of two columns: those at low to the low half of y, those at
// high to the high one.
#define HALVES(low, high, x, y) \
	VMOVUPS      low, x \
	VINSERTF128  $1, high, y, y

// func interleaveAVX(dst *float32, step int, x *float32, stride, n int)
// n is a multiple of 4 above 0.
TEXT ·interleaveAVX(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ step+8(FP), R11
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), R8
	MOVQ n+32(FP), CX
	SHLQ $2, R11
	SHLQ $2, R8
	LEAQ (R8)(R8*2), R9  // three columns
	LEAQ (SI)(R8*4), R10 // column 4
	LEAQ (R11)(R11*2), R12

four:
	HALVES((SI), (R10), X0, Y0)
	HALVES((SI)(R8*1), (R10)(R8*1), X1, Y1)
	HALVES((SI)(R8*2), (R10)(R8*2), X2, Y2)
	HALVES((SI)(R9*1), (R10)(R9*1), X3, Y3)
	VUNPCKLPS Y1, Y0, Y4 // a0 b0 a1 b1 | e0 f0 e1 f1
	VUNPCKHPS Y1, Y0, Y5
	VUNPCKLPS Y3, Y2, Y6 // c0 d0 c1 d1 | g0 h0 g1 h1
	VUNPCKHPS Y3, Y2, Y7
	VUNPCKLPD Y6, Y4, Y0 // a0 b0 c0 d0 | e0 f0 g0 h0
	VUNPCKHPD Y6, Y4, Y1
	VUNPCKLPD Y7, Y5, Y2
	VUNPCKHPD Y7, Y5, Y3
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, (DI)(R11*1)
	VMOVUPS Y2, (DI)(R11*2)
	VMOVUPS Y3, (DI)(R12*1)
	LEAQ (DI)(R11*4), DI
	ADDQ $16, SI
	ADDQ $16, R10
	SUBQ $4, CX
	JNE  four
	VZEROUPPER
	RET
