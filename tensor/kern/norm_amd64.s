//go:build amd64 && !noasm

// The kernels of norm_amd64.h of float32.

#include "textflag.h"

#include "norm_amd64.h"

// func normRowsAVX2(dst, x, mean, rstd *float32, rows, n int, count, eps float32)
TEXT ·normRowsAVX2(SB), NOSPLIT, $0-56
	NORMROWS

// func normGradRowsAVX2(dst, grad, x, mean, rstd *float32, rows, n int, count float32)
TEXT ·normGradRowsAVX2(SB), NOSPLIT, $0-60
	NORMGRADROWS
