//go:build amd64 && !noasm

// The kernels of bias_amd64.h of float32.

#include "textflag.h"

#include "bias_amd64.h"

// func addReluAVX2(dst, a, b *float32, n int)
TEXT ·addReluAVX2(SB), NOSPLIT, $0-32
	VXORPS Y14, Y14, Y14
	BINARY(ADDRELU)

// func sumRowsAVX2(acc, x *float32, rows, n int)
TEXT ·sumRowsAVX2(SB), NOSPLIT, $0-32
	SUMROWS
