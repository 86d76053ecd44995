//go:build amd64 && !noasm

// Powers, 8 elements at a time.

#include "textflag.h"

#define DOUBLE
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"
#include "activations_amd64.h"

#define NARROW 32
#define N0 Y0
#define N1 Y1
#define N2 Y2
#define N10 Y10
#define N11 Y11
#include "pow_amd64.h"
#include "pow64_amd64.h"

// func powAVX512(dst, x *float32, n int, p float64, flip, nan uint32)
TEXT ·powAVX512(SB), NOSPLIT, $0-40
	POWERS(VCVTPD2PS)

// func pow64AVX512(dst, x *float64, n int, p float64, flip, nan uint64)
TEXT ·pow64AVX512(SB), NOSPLIT, $0-48
	POWERS64

// func powEachAVX512(dst, a, b *float32, n int)
TEXT ·powEachAVX512(SB), NOSPLIT, $0-32
	POWERSEACH(VCVTPD2PS)

// func powEach64AVX512(dst, a, b *float64, n int)
TEXT ·powEach64AVX512(SB), NOSPLIT, $0-32
	POWERSEACH64
