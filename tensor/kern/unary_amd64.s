//go:build amd64 && !noasm

// Functions of one element that are one or two instructions, and the multiply-add
// of three slices.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec256_amd64.h"

SPLAT(one<>, $0x3F800000)  // 1
SPLAT(sign<>, $0x80000000) // the sign bit

#define ABS(y, t) VANDNPS y, Y15, y
#define SQRT(y, t) VSQRTPS y, y
#define RSUBC(y, t) VSUBPS y, Y15, y
#define DIVC(y, t) VDIVPS Y15, y, y
#define RDIVC(y, t) VDIVPS y, Y15, y

#define RSQRT(y, t) \
	VSQRTPS y, t      \
	VDIVPS  t, Y15, y

// VMAXPS and VMINPS give their first operand here if it is NaN.
#define CLAMP(y, t) \
	VMAXPS y, Y15, y \
	VMINPS y, Y13, y

#define FMA VFMADD213PS Y2, Y1, Y0

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
	VBROADCASTSS lo+24(FP), Y15
	VBROADCASTSS hi+28(FP), Y13
	UNARY(CLAMP)

// func rsubScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·rsubScalarAVX2(SB), NOSPLIT, $0-28
	VBROADCASTSS c+24(FP), Y15
	UNARY(RSUBC)

// func divScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·divScalarAVX2(SB), NOSPLIT, $0-28
	VBROADCASTSS c+24(FP), Y15
	UNARY(DIVC)

// func rdivScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·rdivScalarAVX2(SB), NOSPLIT, $0-28
	VBROADCASTSS c+24(FP), Y15
	UNARY(RDIVC)

// func fma3AVX2(dst, a, b, c *float32, n int)
TEXT ·fma3AVX2(SB), NOSPLIT, $0-40
	MAP3(FMA)
