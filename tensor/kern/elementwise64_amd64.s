//go:build amd64 && !noasm

// Element-wise AVX2+FMA kernels of float64.

#include "textflag.h"

#define DOUBLE
#include "elementwise_amd64.h"
#include "vec256_amd64.h"

// func add64AVX2(dst, a, b *float64, n int)
TEXT ·add64AVX2(SB), NOSPLIT, $0-32
	BINARY(ADD)

// func sub64AVX2(dst, a, b *float64, n int)
TEXT ·sub64AVX2(SB), NOSPLIT, $0-32
	BINARY(SUB)

// func mul64AVX2(dst, a, b *float64, n int)
TEXT ·mul64AVX2(SB), NOSPLIT, $0-32
	BINARY(MUL)

// func div64AVX2(dst, a, b *float64, n int)
TEXT ·div64AVX2(SB), NOSPLIT, $0-32
	BINARY(DIV)

// func max64AVX2(dst, a, b *float64, n int)
TEXT ·max64AVX2(SB), NOSPLIT, $0-32
	BINARY(MAX)

// func min64AVX2(dst, a, b *float64, n int)
TEXT ·min64AVX2(SB), NOSPLIT, $0-32
	BINARY(MIN)

// func axpy64AVX2(dst, a, b *float64, n int, c float64)
TEXT ·axpy64AVX2(SB), NOSPLIT, $0-40
	VBROADCASTS c+32(FP), Y15
	BINARY(AXPY)

// func axpby64AVX2(dst, x, y *float64, n int, a, b float64)
TEXT ·axpby64AVX2(SB), NOSPLIT, $0-48
	VBROADCASTS a+32(FP), Y14
	VBROADCASTS b+40(FP), Y15
	BINARY(WEIGHTED)

// func axpbyPast64AVX2(dst, x, y *float64, n int, a, b float64)
TEXT ·axpbyPast64AVX2(SB), NOSPLIT, $0-48
	VBROADCASTS a+32(FP), Y14
	VBROADCASTS b+40(FP), Y15
	AXPBYPAST

// func fma64AVX2(dst, a, b, c *float64, n int)
TEXT ·fma64AVX2(SB), NOSPLIT, $0-40
	MAP3(FMA)

// func addScalar64AVX2(dst, x *float64, n int, c float64)
TEXT ·addScalar64AVX2(SB), NOSPLIT, $0-32
	SCALED(ADDC)

// func rsubScalar64AVX2(dst, x *float64, n int, c float64)
TEXT ·rsubScalar64AVX2(SB), NOSPLIT, $0-32
	SCALED(RSUBC)

// func mulScalar64AVX2(dst, x *float64, n int, c float64)
TEXT ·mulScalar64AVX2(SB), NOSPLIT, $0-32
	SCALED(MULC)

// func divScalar64AVX2(dst, x *float64, n int, c float64)
TEXT ·divScalar64AVX2(SB), NOSPLIT, $0-32
	SCALED(DIVC)

// func rdivScalar64AVX2(dst, x *float64, n int, c float64)
TEXT ·rdivScalar64AVX2(SB), NOSPLIT, $0-32
	SCALED(RDIVC)

// func leakyRelu64AVX2(dst, x *float64, n int, c float64)
TEXT ·leakyRelu64AVX2(SB), NOSPLIT, $0-32
	SCALED(LEAKY)

// func relu64AVX2(dst, x *float64, n int)
TEXT ·relu64AVX2(SB), NOSPLIT, $0-24
	UNARY(RELU)

// func step64AVX2(dst, x *float64, n int, bound, above, below float64)
TEXT ·step64AVX2(SB), NOSPLIT, $0-48
	VBROADCASTS bound+24(FP), Y15
	VBROADCASTS above+32(FP), Y11
	VBROADCASTS below+40(FP), Y13
	UNARY(STEP)

// func abs64AVX2(dst, x *float64, n int)
TEXT ·abs64AVX2(SB), NOSPLIT, $0-24
	VMOVUPS sign<>(SB), Y15
	UNARY(ABS)

// func sqrt64AVX2(dst, x *float64, n int)
TEXT ·sqrt64AVX2(SB), NOSPLIT, $0-24
	UNARY(SQRT)

// func rsqrt64AVX2(dst, x *float64, n int)
TEXT ·rsqrt64AVX2(SB), NOSPLIT, $0-24
	VMOVUPS one<>(SB), Y15
	UNARY(RSQRT)

// func clamp64AVX2(dst, x *float64, n int, lo, hi float64)
TEXT ·clamp64AVX2(SB), NOSPLIT, $0-40
	VBROADCASTS lo+24(FP), Y15
	VBROADCASTS hi+32(FP), Y13
	UNARY(CLAMP)
