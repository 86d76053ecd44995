//go:build amd64 && !noasm

// Two rows weighted and added; a large result is written past the caches.

#include "textflag.h"
#include "loops_amd64.h"

// WEIGHTED leaves a·y + b·mem in y.
#define WEIGHTED(mem, y, t, u) \
	VMULPS      Y14, y, y   \
	VFMADD231PS mem, Y15, y

// func axpbyAVX2(dst, x, y *float32, n int, a, b float32)
TEXT ·axpbyAVX2(SB), NOSPLIT, $0-40
	VBROADCASTSS a+32(FP), Y14
	VBROADCASTSS b+36(FP), Y15
	BINARY(WEIGHTED)

// PASTONE is the same of the 8 elements at off, whose place in dst is aligned.
#define PASTONE(off, r) \
	VMULPS      off(SI), Y14, r \
	VFMADD231PS off(DX), Y15, r \
	VMOVNTPS    r, off(DI)

// func axpbyPastAVX2(dst, x, y *float32, n int, a, b float32)
TEXT ·axpbyPastAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ n+24(FP), CX
	VBROADCASTSS a+32(FP), Y14
	VBROADCASTSS b+36(FP), Y15

loop:
	PASTONE(0, Y0)
	PASTONE(32, Y1)
	PASTONE(64, Y2)
	PASTONE(96, Y3)
	ADDQ $128, SI
	ADDQ $128, DX
	ADDQ $128, DI
	SUBQ $32, CX
	JNE  loop
	SFENCE
	VZEROUPPER
	RET
