//go:build amd64 && !noasm

// Dot products of many pairs of rows with AVX-512.

#include "textflag.h"
#include "pairs512_amd64.h"

// TAIL64 makes K1..K4 the masks of the first CX of 64 columns, fewer than 64.
#define TAIL64 \
	MOVQ  $1, AX  \
	SHLQ  CX, AX  \
	DECQ  AX      \
	KMOVW AX, K1  \
	SHRQ  $16, AX \
	KMOVW AX, K2  \
	SHRQ  $16, AX \
	KMOVW AX, K3  \
	SHRQ  $16, AX \
	KMOVW AX, K4

// AHEAD prefetches a stream: tiles begin and end too often for the hardware to keep up.
#define AHEAD(base) \
	PREFETCHT0 2048(base) \
	PREFETCHT0 2112(base) \
	PREFETCHT0 2176(base) \
	PREFETCHT0 2240(base)

// Short rows: 64 products at a time, 2^fold of which make
// one, fold >= 2. K6 are the results of a block.
// func dotEachAVX512(dst, a, b *float32, n, fold int)
TEXT ·dotEachAVX512(SB), NOSPLIT, $0-40
	MOVQ    dst+0(FP), DI
	MOVQ    a+8(FP), SI
	MOVQ    b+16(FP), DX
	MOVQ    n+24(FP), R10
	MOVQ    fold+32(FP), R13
	VMOVUPS evens<>(SB), Z24
	VMOVUPS odds<>(SB), Z25
	KXNORW  K1, K1, K1
	KXNORW  K2, K2, K2
	KXNORW  K3, K3, K3
	KXNORW  K4, K4, K4
	MOVQ    R13, CX
	MOVQ    $64, R12
	SHRQ    CX, R12
	MOVQ    R12, CX
	MOVQ    $1, AX
	SHLQ    CX, AX
	DECQ    AX
	KMOVW   AX, K6
	SUBQ    $64, R10
	JLT     tail

block:
	AHEAD(SI)
	AHEAD(DX)
	READ64(SI, Z8, Z9, Z10, Z11)
	READ64(DX, Z12, Z13, Z14, Z15)
	VMULPS  Z12, Z8, Z8
	VMULPS  Z13, Z9, Z9
	VMULPS  Z14, Z10, Z10
	VMULPS  Z15, Z11, Z11
	FIRST64
	PAIR(Z8, Z9, Z8)
	MOVQ    R13, R15
	SUBQ    $2, R15
	JEQ     put

more:
	PAIR(Z8, Z8, Z8)
	DECQ    R15
	JNE     more

put:
	VMOVUPS Z8, K6, (DI)
	ADDQ    $256, SI
	ADDQ    $256, DX
	LEAQ    (DI)(R12*4), DI
	SUBQ    $64, R10
	JGE     block

tail:
	ADDQ    $64, R10
	JEQ     done
	MOVQ    R10, CX
	TAIL64
	MOVQ    R13, CX
	SHRQ    CX, R10
	MOVQ    R10, CX
	MOVQ    $1, AX
	SHLQ    CX, AX
	DECQ    AX
	KMOVW   AX, K6
	XORQ    R10, R10
	JMP     block

done:
	VZEROUPPER
	RET

// PRODUCTS adds the products of the next 64 columns, or of the masked rest, to Z0..Z3.
#define PRODUCTS64 \
	VMOVUPS     (SI), Z4        \
	VMOVUPS     64(SI), Z5      \
	VMOVUPS     128(SI), Z6     \
	VMOVUPS     192(SI), Z7     \
	VFMADD231PS (DX), Z4, Z0    \
	VFMADD231PS 64(DX), Z5, Z1  \
	VFMADD231PS 128(DX), Z6, Z2 \
	VFMADD231PS 192(DX), Z7, Z3

#define PRODUCTSREST \
	READ64(SI, Z4, Z5, Z6, Z7)     \
	READ64(DX, Z8, Z9, Z10, Z11)   \
	VFMADD231PS Z8, Z4, Z0         \
	VFMADD231PS Z9, Z5, Z1         \
	VFMADD231PS Z10, Z6, Z2        \
	VFMADD231PS Z11, Z7, Z3

// Rows of any length.
// func dotRowsAVX512(dst, a, b *float32, rows, n int)
TEXT ·dotRowsAVX512(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ rows+24(FP), R10
	MOVQ n+32(FP), CX
	MOVQ CX, R8
	SHRQ $6, R8
	ANDQ $63, CX
	LEAQ (CX*4), R9
	TAIL64

row:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	MOVQ   R8, R11
	TESTQ  R11, R11
	JEQ    rest

block:
	AHEAD(SI)
	AHEAD(DX)
	PRODUCTS64
	ADDQ $256, SI
	ADDQ $256, DX
	DECQ R11
	JNE  block

rest:
	TESTQ R9, R9
	JEQ   merge
	PRODUCTSREST
	ADDQ  R9, SI
	ADDQ  R9, DX

merge:
	VADDPS        Z1, Z0, Z0
	VADDPS        Z3, Z2, Z2
	VADDPS        Z2, Z0, Z0
	VEXTRACTF64X4 $1, Z0, Y1
	VADDPS        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VADDPS        X1, X0, X0
	VMOVHLPS      X0, X0, X1
	VADDPS        X1, X0, X0
	VMOVSHDUP     X0, X1
	VADDSS        X1, X0, X0
	VMOVSS        X0, (DI)
	ADDQ          $4, DI
	DECQ          R10
	JNE           row
	VZEROUPPER
	RET
