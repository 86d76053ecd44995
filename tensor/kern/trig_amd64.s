//go:build amd64 && !noasm

// Sine and cosine, 8 elements at a time.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "trig_amd64.h"

// func sinAVX2(dst, x *float32, n int) int
TEXT ·sinAVX2(SB), NOSPLIT, $0-32
	TRIG256(SIN)

// func cosAVX2(dst, x *float32, n int) int
TEXT ·cosAVX2(SB), NOSPLIT, $0-32
	TRIG256(COS)
