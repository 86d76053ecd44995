//go:build amd64 && !noasm

// The kernels of optimise_adaptive_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "optimise_adaptive_amd64.h"

// func rmsprop64AVX2(p, grad, s1 *float64, n int, c *rmspropScalars[float64])
TEXT ·rmsprop64AVX2(SB), NOSPLIT, $0-40
	UPDATE3(RMSPROPSCALARS, RMSPROP)

// func rmspropCentered64AVX2(p, grad, s1, s2 *float64, n int, c *rmspropScalars[float64])
TEXT ·rmspropCentered64AVX2(SB), NOSPLIT, $0-48
	UPDATE4(RMSPROPSCALARS, RMSPROPCENTERED)

// func rmspropMomentum64AVX2(p, grad, s1, s2 *float64, n int, c *rmspropScalars[float64])
TEXT ·rmspropMomentum64AVX2(SB), NOSPLIT, $0-48
	UPDATE4(RMSPROPSCALARS, RMSPROPMOMENTUM)

// func rmspropBoth64AVX2(p, grad, s1, s2, s3 *float64, n int, c *rmspropScalars[float64])
TEXT ·rmspropBoth64AVX2(SB), NOSPLIT, $0-56
	UPDATE5(RMSPROPSCALARS, RMSPROPBOTH)

// func adagrad64AVX2(p, grad, s1 *float64, n int, c *adagradScalars[float64])
TEXT ·adagrad64AVX2(SB), NOSPLIT, $0-40
	UPDATE3(ADAGRADSCALARS, ADAGRAD)

// func adadelta64AVX2(p, grad, s1, s2 *float64, n int, c *adadeltaScalars[float64])
TEXT ·adadelta64AVX2(SB), NOSPLIT, $0-48
	UPDATE4(ADADELTASCALARS, ADADELTA)

// func nadam64AVX2(p, grad, s1, s2 *float64, n int, c *nadamScalars[float64])
TEXT ·nadam64AVX2(SB), NOSPLIT, $0-48
	UPDATE4(NADAMSCALARS, NADAM)

// func lion64AVX2(p, grad, s1 *float64, n int, c *lionScalars[float64])
TEXT ·lion64AVX2(SB), NOSPLIT, $0-40
	UPDATE3(LIONSCALARS, LION)
