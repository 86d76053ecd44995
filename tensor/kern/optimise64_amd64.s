//go:build amd64 && !noasm

// The kernels of optimise_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "optimise_amd64.h"

// func adam64AVX2(p, grad, m, v *float64, n int, s *adamScalars[float64])
TEXT ·adam64AVX2(SB), NOSPLIT, $0-48
	ADAM

// func amsGrad64AVX2(p, grad, m, v, top *float64, n int, s *adamScalars[float64])
TEXT ·amsGrad64AVX2(SB), NOSPLIT, $0-56
	AMSGRAD

// func sgd64AVX2(p, grad *float64, n int, lr, decay float64)
TEXT ·sgd64AVX2(SB), NOSPLIT, $0-40
	SGD

// func sgdMomentum64AVX2(p, grad, v *float64, n int, lr, decay, momentum, share float64)
TEXT ·sgdMomentum64AVX2(SB), NOSPLIT, $0-64
	MOMENTUM(PLAIN)

// func sgdNesterov64AVX2(p, grad, v *float64, n int, lr, decay, momentum, share float64)
TEXT ·sgdNesterov64AVX2(SB), NOSPLIT, $0-64
	MOMENTUM(NESTEROV)
