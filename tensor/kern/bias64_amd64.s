//go:build amd64 && !noasm

// The kernels of bias_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "bias_amd64.h"

// func addRelu64AVX2(dst, a, b *float64, n int)
TEXT ·addRelu64AVX2(SB), NOSPLIT, $0-32
	VXORPS Y14, Y14, Y14
	BINARY(ADDRELU)

// func sumRows64AVX2(acc, x *float64, rows, n int)
TEXT ·sumRows64AVX2(SB), NOSPLIT, $0-32
	SUMROWS
