//go:build amd64 && !noasm

// Sine and cosine of float64, 4 elements at a time.

#include "textflag.h"

#define DOUBLE
#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "trig_amd64.h"

// func sin64AVX2(dst, x *float64, n int) int
TEXT ·sin64AVX2(SB), NOSPLIT, $0-32
	TRIG256(SIN)

// func cos64AVX2(dst, x *float64, n int) int
TEXT ·cos64AVX2(SB), NOSPLIT, $0-32
	TRIG256(COS)
