//go:build amd64 && !noasm

// The kernels of optimise_adaptive_amd64.h of float32.

#include "textflag.h"

#include "optimise_adaptive_amd64.h"

// func rmspropAVX2(p, grad, s1 *float32, n int, c *rmspropScalars[float32])
TEXT ·rmspropAVX2(SB), NOSPLIT, $0-40
	UPDATE3(RMSPROPSCALARS, RMSPROP)

// func rmspropCenteredAVX2(p, grad, s1, s2 *float32, n int, c *rmspropScalars[float32])
TEXT ·rmspropCenteredAVX2(SB), NOSPLIT, $0-48
	UPDATE4(RMSPROPSCALARS, RMSPROPCENTERED)

// func rmspropMomentumAVX2(p, grad, s1, s2 *float32, n int, c *rmspropScalars[float32])
TEXT ·rmspropMomentumAVX2(SB), NOSPLIT, $0-48
	UPDATE4(RMSPROPSCALARS, RMSPROPMOMENTUM)

// func rmspropBothAVX2(p, grad, s1, s2, s3 *float32, n int, c *rmspropScalars[float32])
TEXT ·rmspropBothAVX2(SB), NOSPLIT, $0-56
	UPDATE5(RMSPROPSCALARS, RMSPROPBOTH)

// func adagradAVX2(p, grad, s1 *float32, n int, c *adagradScalars[float32])
TEXT ·adagradAVX2(SB), NOSPLIT, $0-40
	UPDATE3(ADAGRADSCALARS, ADAGRAD)

// func adadeltaAVX2(p, grad, s1, s2 *float32, n int, c *adadeltaScalars[float32])
TEXT ·adadeltaAVX2(SB), NOSPLIT, $0-48
	UPDATE4(ADADELTASCALARS, ADADELTA)

// func nadamAVX2(p, grad, s1, s2 *float32, n int, c *nadamScalars[float32])
TEXT ·nadamAVX2(SB), NOSPLIT, $0-48
	UPDATE4(NADAMSCALARS, NADAM)

// func lionAVX2(p, grad, s1 *float32, n int, c *lionScalars[float32])
TEXT ·lionAVX2(SB), NOSPLIT, $0-40
	UPDATE3(LIONSCALARS, LION)
