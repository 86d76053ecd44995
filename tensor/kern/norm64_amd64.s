//go:build amd64 && !noasm

// The kernels of norm_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "norm_amd64.h"

// func normRows64AVX2(dst, x, mean, rstd *float64, rows, n int, count, eps float64)
TEXT ·normRows64AVX2(SB), NOSPLIT, $0-64
	NORMROWS

// func normGradRows64AVX2(dst, grad, x, mean, rstd *float64, rows, n int, count float64)
TEXT ·normGradRows64AVX2(SB), NOSPLIT, $0-64
	NORMGRADROWS
