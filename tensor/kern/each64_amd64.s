//go:build amd64 && !noasm

// Sums and extrema of many short rows of float64.

#include "textflag.h"

#define DOUBLE
#include "each_amd64.h"

// func sumEach64AVX2(dst, x *float64, rows, n int)
TEXT ·sumEach64AVX2(SB), NOSPLIT, $0-32
	SUMEACH

// func maxEach64AVX2(dst, x *float64, rows, n int)
TEXT ·maxEach64AVX2(SB), NOSPLIT, $0-32
	EXTREMEEACH(VMAXP, VMAXS, minusInf<>(SB))

// func minEach64AVX2(dst, x *float64, rows, n int)
TEXT ·minEach64AVX2(SB), NOSPLIT, $0-32
	EXTREMEEACH(VMINP, VMINS, infinity<>(SB))
