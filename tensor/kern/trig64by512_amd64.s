//go:build amd64 && !noasm

// Sine and cosine of float64, 8 elements at a time.

#include "textflag.h"

#define DOUBLE
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "trig_amd64.h"

// func sin64AVX512(dst, x *float64, n int) int
TEXT ·sin64AVX512(SB), NOSPLIT, $0-32
	TRIG512(SIN)

// func cos64AVX512(dst, x *float64, n int) int
TEXT ·cos64AVX512(SB), NOSPLIT, $0-32
	TRIG512(COS)
