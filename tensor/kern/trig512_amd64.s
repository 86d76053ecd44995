//go:build amd64 && !noasm

// Sine and cosine, 16 elements at a time.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "trig_amd64.h"

// func sinAVX512(dst, x *float32, n int) int
TEXT ·sinAVX512(SB), NOSPLIT, $0-32
	TRIG512(SIN)

// func cosAVX512(dst, x *float32, n int) int
TEXT ·cosAVX512(SB), NOSPLIT, $0-32
	TRIG512(COS)
