//go:build amd64 && !noasm

// Sixteen columns side by side, sixteen rows at a time. Each line of a column is read at once: where
// columns compete for one set of the caches, it would not be there for a second look.

#include "textflag.h"

// QUADS makes of columns a, b, c and d what their rows have of them: lane l of r0 is that of row
// 4·l, of r1 that of row 4·l + 1, and so on.
#define QUADS(a, b, c, d, r0, r1, r2, r3) \
	VUNPCKLPS b, a, Z20   \
	VUNPCKHPS b, a, Z21   \
	VUNPCKLPS d, c, Z22   \
	VUNPCKHPS d, c, Z23   \
	VUNPCKLPD Z22, Z20, r0 \
	VUNPCKHPD Z22, Z20, r1 \
	VUNPCKLPD Z23, Z21, r2 \
	VUNPCKHPD Z23, Z21, r3

// LOAD reads four columns from p on and makes quads of them.
#define LOAD(p, r0, r1, r2, r3) \
	VMOVUPS (p), Z16       \
	VMOVUPS (p)(R8*1), Z17 \
	VMOVUPS (p)(R8*2), Z18 \
	VMOVUPS (p)(R9*1), Z19 \
	QUADS(Z16, Z17, Z18, Z19, r0, r1, r2, r3)

// STORE writes rows j, j + 4, j + 8 and j + 12, whose quads are the lanes of a, b, c and d.
#define STORE(a, b, c, d, row0, row4, row8, row12) \
	VSHUFF32X4 $0x88, b, a, Z16     \
	VSHUFF32X4 $0x88, d, c, Z17     \
	VSHUFF32X4 $0xDD, b, a, Z18     \
	VSHUFF32X4 $0xDD, d, c, Z19     \
	VSHUFF32X4 $0x88, Z17, Z16, Z20 \
	VSHUFF32X4 $0x88, Z19, Z18, Z21 \
	VSHUFF32X4 $0xDD, Z17, Z16, Z22 \
	VSHUFF32X4 $0xDD, Z19, Z18, Z23 \
	VMOVUPS    Z20, row0            \
	VMOVUPS    Z21, row4            \
	VMOVUPS    Z22, row8            \
	VMOVUPS    Z23, row12

// func interleaveAVX512(dst *float32, step int, x *float32, stride, n int)
// n is a multiple of 16 above 0.
TEXT ·interleaveAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ step+8(FP), R11
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), R8
	MOVQ n+32(FP), CX
	SHLQ $2, R11
	SHLQ $2, R8
	LEAQ (R8)(R8*2), R9   // three columns
	LEAQ (SI)(R8*4), R10  // column 4
	LEAQ (R10)(R8*4), R12 // column 8
	LEAQ (R12)(R8*4), R13 // column 12
	LEAQ (R11)(R11*2), AX // three rows

sixteen:
	LOAD(SI, Z0, Z1, Z2, Z3)
	LOAD(R10, Z4, Z5, Z6, Z7)
	LOAD(R12, Z8, Z9, Z10, Z11)
	LOAD(R13, Z12, Z13, Z14, Z15)
	LEAQ (DI)(R11*4), DX
	LEAQ (DX)(R11*4), BX
	LEAQ (BX)(R11*4), R15
	STORE(Z0, Z4, Z8, Z12, (DI), (DX), (BX), (R15))
	STORE(Z1, Z5, Z9, Z13, (DI)(R11*1), (DX)(R11*1), (BX)(R11*1), (R15)(R11*1))
	STORE(Z2, Z6, Z10, Z14, (DI)(R11*2), (DX)(R11*2), (BX)(R11*2), (R15)(R11*2))
	STORE(Z3, Z7, Z11, Z15, (DI)(AX*1), (DX)(AX*1), (BX)(AX*1), (R15)(AX*1))
	LEAQ (R15)(R11*4), DI
	ADDQ $64, SI
	ADDQ $64, R10
	ADDQ $64, R12
	ADDQ $64, R13
	SUBQ $16, CX
	JNE  sixteen
	VZEROUPPER
	RET
