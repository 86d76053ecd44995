//go:build amd64 && !noasm

// The kernels of softmax_amd64.h of float32.

#include "textflag.h"

#include "softmax_amd64.h"

// func softmaxRowsAVX2(dst, x *float32, rows, n int)
TEXT ·softmaxRowsAVX2(SB), NOSPLIT, $0-32
	SOFTMAXROWS

// func logSoftmaxRowsAVX2(dst, x *float32, rows, n int)
TEXT ·logSoftmaxRowsAVX2(SB), NOSPLIT, $0-32
	LOGSOFTMAXROWS

// func softmaxGradRowsAVX2(dst, grad, y *float32, rows, n int)
TEXT ·softmaxGradRowsAVX2(SB), NOSPLIT, $0-40
	SOFTMAXGRADROWS

// func logSoftmaxGradRowsAVX2(dst, grad, y *float32, rows, n int)
TEXT ·logSoftmaxGradRowsAVX2(SB), NOSPLIT, $0-40
	LOGSOFTMAXGRADROWS
