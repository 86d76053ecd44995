//go:build amd64 && !noasm

// The functions of activations_amd64.h, erf_amd64.h and gelu64_amd64.h of float64, 8 elements at a time.

#include "textflag.h"

#define DOUBLE
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"
#include "activations_amd64.h"
#include "erf_amd64.h"
#include "tail_amd64.h"
#include "gelu64_amd64.h"

// func exp64AVX512(dst, x *float64, n int)
TEXT ·exp64AVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC highest<>(SB), V15
	LOADC lowest<>(SB), V14
	MAP1(EXP(V0, V1, V2, V4))

// func elu64AVX512(dst, x *float64, n int, c float64)
TEXT ·elu64AVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC least<>(SB), V14
	VXORPS      V9, V9, V9
	VBROADCASTS c+24(FP), V10
	MAP1(ELU(V0))

// func sigmoid64AVX512(dst, x *float64, n int)
TEXT ·sigmoid64AVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC highest<>(SB), V15
	LOADC lowest<>(SB), V14
	MAP1(SIGMOID(V0))

// func tanh64AVX512(dst, x *float64, n int)
TEXT ·tanh64AVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC least<>(SB), V14
	LOADC sign<>(SB), V9
	MAP1(TANH(V0))

// func log64AVX512(dst, x *float64, n int)
TEXT ·log64AVX512(SB), NOSPLIT, $0-24
	LOGCONSTS
	MAP1(LOG)

// func softplus64AVX512(dst, x *float64, n int)
TEXT ·softplus64AVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC lowest<>(SB), V14
	LOADC root2less1<>(SB), V9
	LOADC ln2<>(SB), V10
	MAP1(SOFTPLUS)

// func silu64AVX512(dst, x *float64, n int)
TEXT ·silu64AVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC fade<>(SB), V14
	MAP1(SILU)

// func softplusGrad64AVX512(dst, a, b *float64, n int)
TEXT ·softplusGrad64AVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC fade<>(SB), V14
	MAP2(SOFTPLUSGRAD)

// func siluGrad64AVX512(dst, a, b *float64, n int)
TEXT ·siluGrad64AVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC fade<>(SB), V14
	MAP2(SILUGRAD)

// func gelu64AVX512(dst, x *float64, n int)
TEXT ·gelu64AVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC tailEnd<>(SB), V15
	LOADC sign<>(SB), V11
	MAP1(GELU)

// func erf64AVX512(dst, x *float64, n int)
TEXT ·erf64AVX512(SB), NOSPLIT, $0-24
	EXPCONSTS
	LOADC atOne<>(SB), V15
	LOADC flush<>(SB), V14
	MAP1(ERF)

// func geluGrad64AVX512(dst, a, b *float64, n int)
TEXT ·geluGrad64AVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC tailEnd<>(SB), V15
	LOADC sign<>(SB), V11
	MAP2(GELUGRAD)

// func erfGrad64AVX512(dst, a, b *float64, n int)
TEXT ·erfGrad64AVX512(SB), NOSPLIT, $0-32
	EXPCONSTS
	LOADC vanish<>(SB), V15
	LOADC sign<>(SB), V11
	MAP2(ERFGRAD)
