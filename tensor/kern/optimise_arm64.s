//go:build arm64 && !noasm

// The optimisers' updates with NEON, 4 elements at a time, then the rest, with the roundings
// of their reference loops: products are rounded before they are added.
//
// In all of them w, g and up to three slices of state are in V0 to V4, scratch is V5 to V7,
// scalars are V16 and following, in the order of their struct. Lanes beyond a rest are
// computed, too, but never stored.

#include "textflag.h"
#include "neon_arm64.h"
#include "loops_arm64.h"

// SCALAR loads a scalar of the struct at R7 into all lanes.
#define SCALAR(V) VLD1R.P 4(R7), [V.S4]

#define SCALARS3 \
	SCALAR(V16) \
	SCALAR(V17) \
	SCALAR(V18)

#define SCALARS4 \
	SCALARS3    \
	SCALAR(V19)

#define SCALARS5 \
	SCALARS4    \
	SCALAR(V20)

#define SCALARS6 \
	SCALARS5    \
	SCALAR(V21)

#define SCALARS9 \
	SCALARS6    \
	SCALAR(V22) \
	SCALAR(V23) \
	SCALAR(V24)

#define SCALARS10 \
	SCALARS9    \
	SCALAR(V25)

// UPDATE2 is the loop of F over arguments (p, grad *float32, n int, c *scalars).
#define UPDATE2(SCALARS, F) \
	MOVD p+0(FP), R0 \
	MOVD grad+8(FP), R1 \
	MOVD n+16(FP), R3 \
	MOVD c+24(FP), R7 \
	SCALARS \
	SUBS $4, R3, R4 \
	BLT  tail \
loop4: \
	VLD1 (R0), [V0.S4] \
	VLD1.P 16(R1), [V1.S4] \
	F \
	VST1.P [V0.S4], 16(R0) \
	SUBS $4, R4, R4 \
	BGE  loop4 \
tail: \
	TST  $3, R3 \
	BEQ  done \
	MOVD R0, R8 \
	REST(R8, V0) \
	REST(R1, V1) \
	F \
	STOREREST(V0, R0) \
done: \
	RET

// UPDATE3 is the loop of F over arguments (p, grad, s1 *float32, n int, c *scalars).
#define UPDATE3(SCALARS, F) \
	MOVD p+0(FP), R0 \
	MOVD grad+8(FP), R1 \
	MOVD s1+16(FP), R2 \
	MOVD n+24(FP), R3 \
	MOVD c+32(FP), R7 \
	SCALARS \
	SUBS $4, R3, R4 \
	BLT  tail \
loop4: \
	VLD1 (R0), [V0.S4] \
	VLD1.P 16(R1), [V1.S4] \
	VLD1 (R2), [V2.S4] \
	F \
	VST1.P [V0.S4], 16(R0) \
	VST1.P [V2.S4], 16(R2) \
	SUBS $4, R4, R4 \
	BGE  loop4 \
tail: \
	TST  $3, R3 \
	BEQ  done \
	MOVD R0, R8 \
	REST(R8, V0) \
	REST(R1, V1) \
	MOVD R2, R8 \
	REST(R8, V2) \
	F \
	STOREREST(V0, R0) \
	STOREREST(V2, R2) \
done: \
	RET

// UPDATE4 is the loop of F over arguments (p, grad, s1, s2 *float32, n int, c *scalars).
#define UPDATE4(SCALARS, F) \
	MOVD p+0(FP), R0 \
	MOVD grad+8(FP), R1 \
	MOVD s1+16(FP), R2 \
	MOVD s2+24(FP), R5 \
	MOVD n+32(FP), R3 \
	MOVD c+40(FP), R7 \
	SCALARS \
	SUBS $4, R3, R4 \
	BLT  tail \
loop4: \
	VLD1 (R0), [V0.S4] \
	VLD1.P 16(R1), [V1.S4] \
	VLD1 (R2), [V2.S4] \
	VLD1 (R5), [V3.S4] \
	F \
	VST1.P [V0.S4], 16(R0) \
	VST1.P [V2.S4], 16(R2) \
	VST1.P [V3.S4], 16(R5) \
	SUBS $4, R4, R4 \
	BGE  loop4 \
tail: \
	TST  $3, R3 \
	BEQ  done \
	MOVD R0, R8 \
	REST(R8, V0) \
	REST(R1, V1) \
	MOVD R2, R8 \
	REST(R8, V2) \
	MOVD R5, R8 \
	REST(R8, V3) \
	F \
	STOREREST(V0, R0) \
	STOREREST(V2, R2) \
	STOREREST(V3, R5) \
done: \
	RET

// UPDATE5 is the loop of F over arguments (p, grad, s1, s2, s3 *float32, n int, c *scalars).
#define UPDATE5(SCALARS, F) \
	MOVD p+0(FP), R0 \
	MOVD grad+8(FP), R1 \
	MOVD s1+16(FP), R2 \
	MOVD s2+24(FP), R5 \
	MOVD s3+32(FP), R6 \
	MOVD n+40(FP), R3 \
	MOVD c+48(FP), R7 \
	SCALARS \
	SUBS $4, R3, R4 \
	BLT  tail \
loop4: \
	VLD1 (R0), [V0.S4] \
	VLD1.P 16(R1), [V1.S4] \
	VLD1 (R2), [V2.S4] \
	VLD1 (R5), [V3.S4] \
	VLD1 (R6), [V4.S4] \
	F \
	VST1.P [V0.S4], 16(R0) \
	VST1.P [V2.S4], 16(R2) \
	VST1.P [V3.S4], 16(R5) \
	VST1.P [V4.S4], 16(R6) \
	SUBS $4, R4, R4 \
	BGE  loop4 \
tail: \
	TST  $3, R3 \
	BEQ  done \
	MOVD R0, R8 \
	REST(R8, V0) \
	REST(R1, V1) \
	MOVD R2, R8 \
	REST(R8, V2) \
	MOVD R5, R8 \
	REST(R8, V3) \
	MOVD R6, R8 \
	REST(R8, V4) \
	F \
	STOREREST(V0, R0) \
	STOREREST(V2, R2) \
	STOREREST(V3, R5) \
	STOREREST(V4, R6) \
done: \
	RET

// MEAN is m = keep·m + take·x.
#define MEAN(m, keep, take, x) \
	FMUL(m, m, keep) \
	FMUL(5, x, take) \
	FADD(m, m, 5)

// SQUAREMEAN is v = keep·v + take·x·x.
#define SQUAREMEAN(v, keep, take, x) \
	FMUL(v, v, keep) \
	FMUL(5, x, take) \
	FMUL(5, 5, x)    \
	FADD(v, v, 5)

// DECAY is g = g + decay·w.
#define DECAY(decay) \
	FMUL(5, 0, decay) \
	FADD(1, 1, 5)

// GO is w = w - lr·d.
#define GO(lr, d) \
	FMUL(5, d, lr) \
	FSUB(0, 0, 5)

// MOMENTS shrinks w and keeps both means; the scalars are those of adamScalars.
#define MOMENTS \
	FMUL(0, 0, 16)           \
	DECAY(17)                \
	MEAN(2, 18, 19, 1)       \
	SQUAREMEAN(3, 20, 21, 1)

// ADAMSTEP moves w along the mean by the second moment.
#define ADAMSTEP(second) \
	FSQRT(6, second) \
	FDIV(6, 6, 22)   \
	FADD(6, 6, 23)   \
	FMUL(7, 2, 24)   \
	FDIV(7, 7, 6)    \
	FSUB(0, 0, 7)

#define ADAM \
	MOMENTS     \
	ADAMSTEP(3)

#define AMSGRAD \
	MOMENTS       \
	FMAX(4, 4, 3) \
	ADAMSTEP(4)

// The scalars of SGD are lr, decay, momentum and share.
#define SGD \
	DECAY(17) \
	GO(16, 1)

#define MOMENTUM \
	DECAY(17)          \
	MEAN(2, 18, 19, 1) \
	GO(16, 2)

#define NESTEROV \
	DECAY(17)          \
	MEAN(2, 18, 19, 1) \
	FMUL(5, 2, 18)     \
	FADD(6, 1, 5)      \
	GO(16, 6)

// SQUARES keeps v and leaves it in V6; the scalars are those of rmspropScalars.
#define SQUARES \
	DECAY(17)                \
	SQUAREMEAN(2, 18, 19, 1) \
	MOV4(6, 2)

// CENTRE keeps the mean and takes its square off V6; NaN stays. V26 is zeros.
#define CENTRE \
	MEAN(3, 18, 19, 1) \
	FMUL(5, 3, 3)      \
	FSUB(6, 6, 5)      \
	FMAX(6, 6, 26)

// SCALED divides d in V1 by the root of V6, plus eps.
#define SCALED \
	FSQRT(6, 6)    \
	FADD(6, 6, 20) \
	FDIV(1, 1, 6)

// ALONG keeps the momentum in last.
#define ALONG(last) \
	FMUL(last, last, 21) \
	FADD(last, last, 1)

#define RMSPROP \
	SQUARES   \
	SCALED    \
	GO(16, 1)

#define RMSPROPCENTERED \
	SQUARES   \
	CENTRE    \
	SCALED    \
	GO(16, 1)

#define RMSPROPMOMENTUM \
	SQUARES   \
	SCALED    \
	ALONG(3)  \
	GO(16, 3)

#define RMSPROPBOTH \
	SQUARES   \
	CENTRE    \
	SCALED    \
	ALONG(4)  \
	GO(16, 4)

#define RMSPROPSCALARS \
	SCALARS6  \
	CLEAR(26)

// The scalars are lr, decay and eps.
#define ADAGRAD \
	DECAY(17)      \
	FMUL(5, 1, 1)  \
	FADD(2, 2, 5)  \
	FSQRT(6, 2)    \
	FADD(6, 6, 18) \
	FMUL(5, 1, 16) \
	FDIV(5, 5, 6)  \
	FSUB(0, 0, 5)

// The scalars are lr, decay, rho, rest and eps.
#define ADADELTA \
	DECAY(17)                \
	SQUAREMEAN(2, 18, 19, 1) \
	FADD(6, 3, 20)           \
	FSQRT(6, 6)              \
	FADD(7, 2, 20)           \
	FSQRT(7, 7)              \
	FDIV(6, 6, 7)            \
	FMUL(6, 6, 1)            \
	SQUAREMEAN(3, 18, 19, 6) \
	GO(16, 6)

// The scalars are those of nadamScalars, of which MOMENTS takes the first six.
#define NADAM \
	MOMENTS        \
	FDIV(6, 3, 22) \
	FSQRT(6, 6)    \
	FADD(6, 6, 23) \
	FMUL(7, 1, 24) \
	FMUL(5, 2, 25) \
	FADD(7, 7, 5)  \
	FDIV(7, 7, 6)  \
	FSUB(0, 0, 7)

// The scalars are those of lionScalars, V26 is 1, V27 -1. 0 and NaN are their own signs.
#define LION \
	FMUL(6, 2, 18)     \
	FMUL(5, 1, 19)     \
	FADD(6, 6, 5)      \
	FCMGT0(5, 6)       \
	FCMLT0(7, 6)       \
	BIT4(6, 26, 5)     \
	BIT4(6, 27, 7)     \
	FMUL(0, 0, 17)     \
	GO(16, 6)          \
	MEAN(2, 20, 21, 1)

#define LIONSCALARS \
	SCALARS6         \
	FMOVS $1.0, F26  \
	FMOVS $-1.0, F27 \
	SPREAD(V26)      \
	SPREAD(V27)

// func adamNEON(p, grad, s1, s2 *float32, n int, c *adamScalars[float32])
TEXT ·adamNEON(SB), NOSPLIT, $0-48
	UPDATE4(SCALARS9, ADAM)

// func amsGradNEON(p, grad, s1, s2, s3 *float32, n int, c *adamScalars[float32])
TEXT ·amsGradNEON(SB), NOSPLIT, $0-56
	UPDATE5(SCALARS9, AMSGRAD)

// func sgdNEON(p, grad *float32, n int, c *sgdScalars)
TEXT ·sgdNEON(SB), NOSPLIT, $0-32
	UPDATE2(SCALARS4, SGD)

// func sgdMomentumNEON(p, grad, s1 *float32, n int, c *sgdScalars)
TEXT ·sgdMomentumNEON(SB), NOSPLIT, $0-40
	UPDATE3(SCALARS4, MOMENTUM)

// func sgdNesterovNEON(p, grad, s1 *float32, n int, c *sgdScalars)
TEXT ·sgdNesterovNEON(SB), NOSPLIT, $0-40
	UPDATE3(SCALARS4, NESTEROV)

// func rmspropNEON(p, grad, s1 *float32, n int, c *rmspropScalars[float32])
TEXT ·rmspropNEON(SB), NOSPLIT, $0-40
	UPDATE3(RMSPROPSCALARS, RMSPROP)

// func rmspropCenteredNEON(p, grad, s1, s2 *float32, n int, c *rmspropScalars[float32])
TEXT ·rmspropCenteredNEON(SB), NOSPLIT, $0-48
	UPDATE4(RMSPROPSCALARS, RMSPROPCENTERED)

// func rmspropMomentumNEON(p, grad, s1, s2 *float32, n int, c *rmspropScalars[float32])
TEXT ·rmspropMomentumNEON(SB), NOSPLIT, $0-48
	UPDATE4(RMSPROPSCALARS, RMSPROPMOMENTUM)

// func rmspropBothNEON(p, grad, s1, s2, s3 *float32, n int, c *rmspropScalars[float32])
TEXT ·rmspropBothNEON(SB), NOSPLIT, $0-56
	UPDATE5(RMSPROPSCALARS, RMSPROPBOTH)

// func adagradNEON(p, grad, s1 *float32, n int, c *adagradScalars[float32])
TEXT ·adagradNEON(SB), NOSPLIT, $0-40
	UPDATE3(SCALARS3, ADAGRAD)

// func adadeltaNEON(p, grad, s1, s2 *float32, n int, c *adadeltaScalars[float32])
TEXT ·adadeltaNEON(SB), NOSPLIT, $0-48
	UPDATE4(SCALARS5, ADADELTA)

// func nadamNEON(p, grad, s1, s2 *float32, n int, c *nadamScalars[float32])
TEXT ·nadamNEON(SB), NOSPLIT, $0-48
	UPDATE4(SCALARS10, NADAM)

// func lionNEON(p, grad, s1 *float32, n int, c *lionScalars[float32])
TEXT ·lionNEON(SB), NOSPLIT, $0-40
	UPDATE3(LIONSCALARS, LION)
