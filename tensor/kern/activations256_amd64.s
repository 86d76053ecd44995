//go:build amd64 && !noasm

// The functions of activations_amd64.h, erf_amd64.h and gelu_amd64.h, 8 elements at a time.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"
#include "activations_amd64.h"
#include "erf_amd64.h"
#include "tail_amd64.h"
#include "gelu_amd64.h"

// Two vectors at a time: this one is not long enough to fill the pipelines alone.
// func expAVX2(dst, x *float32, n int)
TEXT ·expAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	EXPCONSTS
	VMOVUPS highest<>(SB), Y15
	VMOVUPS lowest<>(SB), Y14
	SUBQ    $16, CX
	JLT     eight

loop16:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y4
	EXP(Y0, Y1, Y2, Y3)
	EXP(Y4, Y5, Y6, Y7)
	VMOVUPS Y0, (DI)
	VMOVUPS Y4, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $16, CX
	JGE     loop16

eight:
	ADDQ    $8, CX
	JLT     tail
	VMOVUPS (SI), Y0
	EXP(Y0, Y1, Y2, Y3)
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX

tail:
	ADDQ       $8, CX
	JEQ        done
	LEAQ       ·tailMask+32(SB), AX
	SHLQ       $2, CX
	SUBQ       CX, AX
	VMOVUPS    (AX), Y11
	VMASKMOVPS (SI), Y11, Y0
	EXP(Y0, Y1, Y2, Y3)
	VMASKMOVPS Y0, Y11, (DI)

done:
	VZEROUPPER
	RET

// func eluAVX2(dst, x *float32, n int, c float32)
TEXT ·eluAVX2(SB), NOSPLIT, $0-28
	EXPCONSTS
	LOADC least<>(SB), V14
	VXORPS       V9, V9, V9
	VBROADCASTSS c+24(FP), V10
	MAP1(ELU(V0))

// func sigmoidAVX2(dst, x *float32, n int)
TEXT ·sigmoidAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC highest<>(SB), V15
	LOADC lowest<>(SB), V14
	MAP1(SIGMOID(V0))

// func tanhAVX2(dst, x *float32, n int)
TEXT ·tanhAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC least<>(SB), V14
	LOADC sign<>(SB), V9
	MAP1(TANH(V0))

// func logAVX2(dst, x *float32, n int)
TEXT ·logAVX2(SB), NOSPLIT, $0-24
	LOGCONSTS
	MAP1(LOG)

// func softplusAVX2(dst, x *float32, n int)
TEXT ·softplusAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC lowest<>(SB), V14
	LOADC root2less1<>(SB), V9
	LOADC ln2<>(SB), V10
	MAP1(SOFTPLUS)

// func siluAVX2(dst, x *float32, n int)
TEXT ·siluAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC fade<>(SB), V14
	MAP1(SILU)

// ROWS loads the rows of the table that stand for the lanes i and i+4: coefficients 0
// to 3 into lo, 4 to 7 into hi.
#define ROWS(i, xlo, lo, xhi, hi) \
	MOVL        (4*i)(SP), R10            \
	MOVL        (4*i+16)(SP), R11         \
	VMOVUPS     (R9)(R10*1), xlo          \
	VMOVUPS     16(R9)(R10*1), xhi        \
	VINSERTF128 $1, (R9)(R11*1), lo, lo   \
	VINSERTF128 $1, 16(R9)(R11*1), hi, hi

// TRANSPOSE turns 4 rows of 4 coefficients, of each half, into columns.
#define TRANSPOSE(a, b, c, d, t, u, v, w) \
	VUNPCKLPS b, a, t \
	VUNPCKHPS b, a, u \
	VUNPCKLPS d, c, v \
	VUNPCKHPS d, c, w \
	VUNPCKLPD v, t, a \
	VUNPCKHPD v, t, b \
	VUNPCKLPD w, u, c \
	VUNPCKHPD w, u, d

// TABLE keeps the lanes' places in the table in the frame of 32 bytes.
#define TABLE \
	VPSLLD      $5, V2, V2                          \
	VPAND       rowBytes<>(SB), V2, V2              \
	VMOVUPS     V2, (SP)                            \
	ROWS(0, X5, V5, X9, V9)                         \
	ROWS(1, X6, V6, X10, V10)                       \
	ROWS(2, X7, V7, X11, V11)                       \
	ROWS(3, X8, V8, X12, V12)                       \
	TRANSPOSE(V9, V10, V11, V12, V13, V14, V15, V2) \
	TRANSPOSE(V5, V6, V7, V8, V13, V14, V15, V2)    \
	VFMADD213PS V11, V4, V12                        \
	VFMADD213PS V10, V4, V12                        \
	VFMADD213PS V9, V4, V12                         \
	VFMADD213PS V8, V4, V12                         \
	VFMADD213PS V7, V4, V12                         \
	VFMADD213PS V6, V4, V12                         \
	VFMADD213PS V5, V4, V12

SPLAT(rowBytes<>, $0x3E0) // 31 rows of 32 bytes

// SKIPUNLESSFAR jumps over the next instruction where no lane of x is below -7.
#define SKIPUNLESSFAR(x, t) \
	VCMPPS  $0x11, minusSeven<>(SB), x, t \
	VTESTPS t, t                          \
	JEQ 2(PC)

TEXT geluFar<>(SB), NOSPLIT, $0-0
	GELUFAR
	RET

// func geluAVX2(dst, x *float32, n int, table *geluCoefficients)
TEXT ·geluAVX2(SB), NOSPLIT, $32-32
	MOVQ table+24(FP), R9
	MAP1(GELU)

// func erfAVX2(dst, x *float32, n int)
TEXT ·erfAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC atOne<>(SB), V15
	LOADC flush<>(SB), V14
	MAP1(ERF)

// func softplusGradAVX2(dst, a, b *float32, n int)
TEXT ·softplusGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC fade<>(SB), V14
	MAP2(SOFTPLUSGRAD)

// func siluGradAVX2(dst, a, b *float32, n int)
TEXT ·siluGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC fade<>(SB), V14
	MAP2(SILUGRAD)

TEXT geluGradFar<>(SB), NOSPLIT, $0-0
	GELUGRADFAR
	RET

// func geluGradAVX2(dst, a, b *float32, n int, table *geluCoefficients)
TEXT ·geluGradAVX2(SB), NOSPLIT, $32-40
	MOVQ table+32(FP), R9
	MAP2(GELUGRAD)

// func erfGradAVX2(dst, a, b *float32, n int)
TEXT ·erfGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC vanish<>(SB), V15
	LOADC sign<>(SB), V11
	MAP2(ERFGRAD)
