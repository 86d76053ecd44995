//go:build amd64 && !noasm

// Sums and extrema of many short rows of float32.

#include "textflag.h"
#include "each_amd64.h"

// func sumEachAVX2(dst, x *float32, rows, n int)
TEXT ·sumEachAVX2(SB), NOSPLIT, $0-32
	SUMEACH

// func maxEachAVX2(dst, x *float32, rows, n int)
TEXT ·maxEachAVX2(SB), NOSPLIT, $0-32
	EXTREMEEACH(VMAXP, VMAXS, minusInf<>(SB))

// func minEachAVX2(dst, x *float32, rows, n int)
TEXT ·minEachAVX2(SB), NOSPLIT, $0-32
	EXTREMEEACH(VMINP, VMINS, infinity<>(SB))
