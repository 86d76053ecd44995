//go:build amd64 && !noasm

// Element-wise AVX2+FMA kernels of float32.

#include "textflag.h"

#include "elementwise_amd64.h"
#include "vec256_amd64.h"

// tailMask read from byte 32-r on is a mask of r bytes.
DATA ·tailMask+0(SB)/8, $-1
DATA ·tailMask+8(SB)/8, $-1
DATA ·tailMask+16(SB)/8, $-1
DATA ·tailMask+24(SB)/8, $-1
DATA ·tailMask+32(SB)/8, $0
DATA ·tailMask+40(SB)/8, $0
DATA ·tailMask+48(SB)/8, $0
DATA ·tailMask+56(SB)/8, $0
GLOBL ·tailMask(SB), RODATA|NOPTR, $64

// func addAVX2(dst, a, b *float32, n int)
TEXT ·addAVX2(SB), NOSPLIT, $0-32
	BINARY(ADD)

// func subAVX2(dst, a, b *float32, n int)
TEXT ·subAVX2(SB), NOSPLIT, $0-32
	BINARY(SUB)

// func mulAVX2(dst, a, b *float32, n int)
TEXT ·mulAVX2(SB), NOSPLIT, $0-32
	BINARY(MUL)

// func divAVX2(dst, a, b *float32, n int)
TEXT ·divAVX2(SB), NOSPLIT, $0-32
	BINARY(DIV)

// func maxAVX2(dst, a, b *float32, n int)
TEXT ·maxAVX2(SB), NOSPLIT, $0-32
	BINARY(MAX)

// func minAVX2(dst, a, b *float32, n int)
TEXT ·minAVX2(SB), NOSPLIT, $0-32
	BINARY(MIN)

// func axpyAVX2(dst, a, b *float32, n int, c float32)
TEXT ·axpyAVX2(SB), NOSPLIT, $0-36
	VBROADCASTS c+32(FP), Y15
	BINARY(AXPY)

// func axpbyAVX2(dst, x, y *float32, n int, a, b float32)
TEXT ·axpbyAVX2(SB), NOSPLIT, $0-40
	VBROADCASTS a+32(FP), Y14
	VBROADCASTS b+36(FP), Y15
	BINARY(WEIGHTED)

// func axpbyPastAVX2(dst, x, y *float32, n int, a, b float32)
TEXT ·axpbyPastAVX2(SB), NOSPLIT, $0-40
	VBROADCASTS a+32(FP), Y14
	VBROADCASTS b+36(FP), Y15
	AXPBYPAST

// func fmaAVX2(dst, a, b, c *float32, n int)
TEXT ·fmaAVX2(SB), NOSPLIT, $0-40
	MAP3(FMA)

// func addScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·addScalarAVX2(SB), NOSPLIT, $0-28
	SCALED(ADDC)

// func rsubScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·rsubScalarAVX2(SB), NOSPLIT, $0-28
	SCALED(RSUBC)

// func mulScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·mulScalarAVX2(SB), NOSPLIT, $0-28
	SCALED(MULC)

// func divScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·divScalarAVX2(SB), NOSPLIT, $0-28
	SCALED(DIVC)

// func rdivScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·rdivScalarAVX2(SB), NOSPLIT, $0-28
	SCALED(RDIVC)

// func leakyReluAVX2(dst, x *float32, n int, c float32)
TEXT ·leakyReluAVX2(SB), NOSPLIT, $0-28
	SCALED(LEAKY)

// func reluAVX2(dst, x *float32, n int)
TEXT ·reluAVX2(SB), NOSPLIT, $0-24
	UNARY(RELU)

// func stepAVX2(dst, x *float32, n int, bound, above, below float32)
TEXT ·stepAVX2(SB), NOSPLIT, $0-36
	VBROADCASTS bound+24(FP), Y15
	VBROADCASTS above+28(FP), Y11
	VBROADCASTS below+32(FP), Y13
	UNARY(STEP)

// func absAVX2(dst, x *float32, n int)
TEXT ·absAVX2(SB), NOSPLIT, $0-24
	VMOVUPS sign<>(SB), Y15
	UNARY(ABS)

// func sqrtAVX2(dst, x *float32, n int)
TEXT ·sqrtAVX2(SB), NOSPLIT, $0-24
	UNARY(SQRT)

// func rsqrtAVX2(dst, x *float32, n int)
TEXT ·rsqrtAVX2(SB), NOSPLIT, $0-24
	VMOVUPS one<>(SB), Y15
	UNARY(RSQRT)

// func clampAVX2(dst, x *float32, n int, lo, hi float32)
TEXT ·clampAVX2(SB), NOSPLIT, $0-32
	VBROADCASTS lo+24(FP), Y15
	VBROADCASTS hi+28(FP), Y13
	UNARY(CLAMP)
