//go:build amd64 && !noasm

// The kernels of softmax_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "softmax_amd64.h"

// func softmaxRows64AVX2(dst, x *float64, rows, n int)
TEXT ·softmaxRows64AVX2(SB), NOSPLIT, $0-32
	SOFTMAXROWS

// func logSoftmaxRows64AVX2(dst, x *float64, rows, n int)
TEXT ·logSoftmaxRows64AVX2(SB), NOSPLIT, $0-32
	LOGSOFTMAXROWS

// func softmaxGradRows64AVX2(dst, grad, y *float64, rows, n int)
TEXT ·softmaxGradRows64AVX2(SB), NOSPLIT, $0-40
	SOFTMAXGRADROWS

// func logSoftmaxGradRows64AVX2(dst, grad, y *float64, rows, n int)
TEXT ·logSoftmaxGradRows64AVX2(SB), NOSPLIT, $0-40
	LOGSOFTMAXGRADROWS
