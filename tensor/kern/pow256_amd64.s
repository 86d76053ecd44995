//go:build amd64 && !noasm

// Powers, 4 elements at a time.

#include "textflag.h"

#define DOUBLE
#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"
#include "activations_amd64.h"

#define NARROW 16
#define N0 X0
#define N1 X1
#define N2 X2
#define N10 X10
#define N11 X11
#include "pow_amd64.h"
#include "pow64_amd64.h"

// func powAVX2(dst, x *float32, n int, p float64, flip, nan uint32)
TEXT ·powAVX2(SB), NOSPLIT, $0-40
	POWERS(VCVTPD2PSY)

// func pow64AVX2(dst, x *float64, n int, p float64, flip, nan uint64)
TEXT ·pow64AVX2(SB), NOSPLIT, $0-48
	POWERS64

// func powEachAVX2(dst, a, b *float32, n int)
TEXT ·powEachAVX2(SB), NOSPLIT, $0-32
	POWERSEACH(VCVTPD2PSY)

// func powEach64AVX2(dst, a, b *float64, n int)
TEXT ·powEach64AVX2(SB), NOSPLIT, $0-32
	POWERSEACH64
