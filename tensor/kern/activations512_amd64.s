//go:build amd64 && !noasm

// The functions of activations_amd64.h, erf_amd64.h and gelu_amd64.h, 16 elements at a time.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"
#include "activations_amd64.h"
#include "erf_amd64.h"
#include "tail_amd64.h"
#include "gelu_amd64.h"

// func expAVX512(dst, x *float32, n int)
TEXT ·expAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC highest<>(SB), V15
	LOADC lowest<>(SB), V14
	MAP1(EXP(V0, V1, V2, V4))

// func eluAVX512(dst, x *float32, n int, c float32)
TEXT ·eluAVX512(SB), NOSPLIT, $0-28
	EXPCONSTS
	LOADC least<>(SB), V14
	VXORPS       V9, V9, V9
	VBROADCASTSS c+24(FP), V10
	MAP1(ELU(V0))

// func sigmoidAVX512(dst, x *float32, n int)
TEXT ·sigmoidAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC highest<>(SB), V15
	LOADC lowest<>(SB), V14
	MAP1(SIGMOID(V0))

// func tanhAVX512(dst, x *float32, n int)
TEXT ·tanhAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC least<>(SB), V14
	LOADC sign<>(SB), V9
	MAP1(TANH(V0))

// func logAVX512(dst, x *float32, n int)
TEXT ·logAVX512(SB), NOSPLIT, $0-24
	LOGCONSTS
	MAP1(LOG)

// func softplusAVX512(dst, x *float32, n int)
TEXT ·softplusAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC lowest<>(SB), V14
	LOADC root2less1<>(SB), V9
	LOADC ln2<>(SB), V10
	MAP1(SOFTPLUS)

// func siluAVX512(dst, x *float32, n int)
TEXT ·siluAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC fade<>(SB), V14
	MAP1(SILU)

// COLUMNS loads the table: coefficient k of the quarters 0 to 15 is in Z(16+2k), of
// 16 to 31 in Z(17+2k).
#define COLUMNS \
	VMOVUPS (R9), Z16    \
	VMOVUPS 64(R9), Z17  \
	VMOVUPS 128(R9), Z18 \
	VMOVUPS 192(R9), Z19 \
	VMOVUPS 256(R9), Z20 \
	VMOVUPS 320(R9), Z21 \
	VMOVUPS 384(R9), Z22 \
	VMOVUPS 448(R9), Z23 \
	VMOVUPS 512(R9), Z24 \
	VMOVUPS 576(R9), Z25 \
	VMOVUPS 640(R9), Z26 \
	VMOVUPS 704(R9), Z27 \
	VMOVUPS 768(R9), Z28 \
	VMOVUPS 832(R9), Z29 \
	VMOVUPS 896(R9), Z30 \
	VMOVUPS 960(R9), Z31

// NEXT turns V12 into V12·t + c with c from the two registers of a column.
#define NEXT(lo, hi, c) \
	VMOVAPS     V2, c      \
	VPERMI2PS   hi, lo, c  \
	VFMADD213PS c, V4, V12

#define TABLE \
	VMOVAPS   V2, V12       \
	VPERMI2PS Z31, Z30, V12 \
	NEXT(Z28, Z29, V5)      \
	NEXT(Z26, Z27, V6)      \
	NEXT(Z24, Z25, V7)      \
	NEXT(Z22, Z23, V8)      \
	NEXT(Z20, Z21, V9)      \
	NEXT(Z18, Z19, V10)     \
	NEXT(Z16, Z17, V11)

// SKIPUNLESSFAR jumps over the next instruction where no lane of x is below -7.
#define SKIPUNLESSFAR(x, t) \
	VCMPPS.BCST $0x11, minusSeven<>(SB), x, K1 \
	KORTESTW    K1, K1                         \
	JEQ 2(PC)

TEXT geluFar<>(SB), NOSPLIT, $0-0
	GELUFAR
	RET

// func geluAVX512(dst, x *float32, n int, table *geluCoefficients)
TEXT ·geluAVX512(SB), NOSPLIT, $0-32
	MOVQ table+24(FP), R9
	COLUMNS
	MAP1(GELU)

// func erfAVX512(dst, x *float32, n int)
TEXT ·erfAVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC atOne<>(SB), V15
	LOADC flush<>(SB), V14
	MAP1(ERF)

// func softplusGradAVX512(dst, a, b *float32, n int)
TEXT ·softplusGradAVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC fade<>(SB), V14
	MAP2(SOFTPLUSGRAD)

// func siluGradAVX512(dst, a, b *float32, n int)
TEXT ·siluGradAVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC fade<>(SB), V14
	MAP2(SILUGRAD)

TEXT geluGradFar<>(SB), NOSPLIT, $0-0
	GELUGRADFAR
	RET

// func geluGradAVX512(dst, a, b *float32, n int, table *geluCoefficients)
TEXT ·geluGradAVX512(SB), NOSPLIT, $0-40
	MOVQ table+32(FP), R9
	COLUMNS
	MAP2(GELUGRAD)

// func erfGradAVX512(dst, a, b *float32, n int)
TEXT ·erfGradAVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC vanish<>(SB), V15
	LOADC sign<>(SB), V11
	MAP2(ERFGRAD)
