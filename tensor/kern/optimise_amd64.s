//go:build amd64 && !noasm

// The kernels of optimise_amd64.h of float32.

#include "textflag.h"

#include "optimise_amd64.h"

// func adamAVX2(p, grad, m, v *float32, n int, s *adamScalars[float32])
TEXT ·adamAVX2(SB), NOSPLIT, $0-48
	ADAM

// func amsGradAVX2(p, grad, m, v, top *float32, n int, s *adamScalars[float32])
TEXT ·amsGradAVX2(SB), NOSPLIT, $0-56
	AMSGRAD

// func sgdAVX2(p, grad *float32, n int, lr, decay float32)
TEXT ·sgdAVX2(SB), NOSPLIT, $0-32
	SGD

// func sgdMomentumAVX2(p, grad, v *float32, n int, lr, decay, momentum, share float32)
TEXT ·sgdMomentumAVX2(SB), NOSPLIT, $0-48
	MOMENTUM(PLAIN)

// func sgdNesterovAVX2(p, grad, v *float32, n int, lr, decay, momentum, share float32)
TEXT ·sgdNesterovAVX2(SB), NOSPLIT, $0-48
	MOMENTUM(NESTEROV)
