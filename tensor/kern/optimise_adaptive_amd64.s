//go:build amd64 && !noasm

// The updates of the optimisers besides Adam and SGD, with the roundings of their
// reference loops.
//
// In all of them w, g and up to three slices of state are in Y0 to Y4, scratch is Y5
// to Y7, the mask of a rest Y8, scalars Y9 to Y15. Lanes beyond a rest are 0 and
// never stored.

#include "textflag.h"
#include "loops_amd64.h"

SPLAT(one<>, $0x3F800000)  // 1
SPLAT(sign<>, $0x80000000) // the sign bit

// REST loads the mask of the last CX elements into Y8.
#define REST \
	LEAQ    ·tailMask+32(SB), AX \
	SHLQ    $2, CX               \
	SUBQ    CX, AX               \
	VMOVUPS (AX), Y8

// UPDATE3 is the loop of F over arguments (p, grad, s1 *float32, n int, c *scalars).
#define UPDATE3(SCALARS, F) \
	MOVQ p+0(FP), DI \
	MOVQ grad+8(FP), SI \
	MOVQ s1+16(FP), R8 \
	MOVQ n+24(FP), CX \
	MOVQ c+32(FP), DX \
	SCALARS \
	SUBQ $8, CX \
	JLT  tail \
loop8: \
	VMOVUPS (DI), Y0 \
	VMOVUPS (SI), Y1 \
	VMOVUPS (R8), Y2 \
	F \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y2, (R8) \
	ADDQ $32, DI \
	ADDQ $32, SI \
	ADDQ $32, R8 \
	SUBQ $8, CX \
	JGE  loop8 \
tail: \
	ADDQ $8, CX \
	JEQ  done \
	REST \
	VMASKMOVPS (DI), Y8, Y0 \
	VMASKMOVPS (SI), Y8, Y1 \
	VMASKMOVPS (R8), Y8, Y2 \
	F \
	VMASKMOVPS Y0, Y8, (DI) \
	VMASKMOVPS Y2, Y8, (R8) \
done: \
	VZEROUPPER \
	RET

// UPDATE4 is the loop of F over arguments (p, grad, s1, s2 *float32, n int, c *scalars).
#define UPDATE4(SCALARS, F) \
	MOVQ p+0(FP), DI \
	MOVQ grad+8(FP), SI \
	MOVQ s1+16(FP), R8 \
	MOVQ s2+24(FP), R9 \
	MOVQ n+32(FP), CX \
	MOVQ c+40(FP), DX \
	SCALARS \
	SUBQ $8, CX \
	JLT  tail \
loop8: \
	VMOVUPS (DI), Y0 \
	VMOVUPS (SI), Y1 \
	VMOVUPS (R8), Y2 \
	VMOVUPS (R9), Y3 \
	F \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y2, (R8) \
	VMOVUPS Y3, (R9) \
	ADDQ $32, DI \
	ADDQ $32, SI \
	ADDQ $32, R8 \
	ADDQ $32, R9 \
	SUBQ $8, CX \
	JGE  loop8 \
tail: \
	ADDQ $8, CX \
	JEQ  done \
	REST \
	VMASKMOVPS (DI), Y8, Y0 \
	VMASKMOVPS (SI), Y8, Y1 \
	VMASKMOVPS (R8), Y8, Y2 \
	VMASKMOVPS (R9), Y8, Y3 \
	F \
	VMASKMOVPS Y0, Y8, (DI) \
	VMASKMOVPS Y2, Y8, (R8) \
	VMASKMOVPS Y3, Y8, (R9) \
done: \
	VZEROUPPER \
	RET

// UPDATE5 is the loop of F over arguments (p, grad, s1, s2, s3 *float32, n int, c *scalars).
#define UPDATE5(SCALARS, F) \
	MOVQ p+0(FP), DI \
	MOVQ grad+8(FP), SI \
	MOVQ s1+16(FP), R8 \
	MOVQ s2+24(FP), R9 \
	MOVQ s3+32(FP), R10 \
	MOVQ n+40(FP), CX \
	MOVQ c+48(FP), DX \
	SCALARS \
	SUBQ $8, CX \
	JLT  tail \
loop8: \
	VMOVUPS (DI), Y0 \
	VMOVUPS (SI), Y1 \
	VMOVUPS (R8), Y2 \
	VMOVUPS (R9), Y3 \
	VMOVUPS (R10), Y4 \
	F \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y2, (R8) \
	VMOVUPS Y3, (R9) \
	VMOVUPS Y4, (R10) \
	ADDQ $32, DI \
	ADDQ $32, SI \
	ADDQ $32, R8 \
	ADDQ $32, R9 \
	ADDQ $32, R10 \
	SUBQ $8, CX \
	JGE  loop8 \
tail: \
	ADDQ $8, CX \
	JEQ  done \
	REST \
	VMASKMOVPS (DI), Y8, Y0 \
	VMASKMOVPS (SI), Y8, Y1 \
	VMASKMOVPS (R8), Y8, Y2 \
	VMASKMOVPS (R9), Y8, Y3 \
	VMASKMOVPS (R10), Y8, Y4 \
	F \
	VMASKMOVPS Y0, Y8, (DI) \
	VMASKMOVPS Y2, Y8, (R8) \
	VMASKMOVPS Y3, Y8, (R9) \
	VMASKMOVPS Y4, Y8, (R10) \
done: \
	VZEROUPPER \
	RET

// MEAN is m = keep·m + take·x.
#define MEAN(m, keep, take, x) \
	VMULPS keep, m, m  \
	VMULPS take, x, Y5 \
	VADDPS Y5, m, m

// SQUAREMEAN is v = keep·v + take·x·x.
#define SQUAREMEAN(v, keep, take, x) \
	VMULPS keep, v, v  \
	VMULPS take, x, Y5 \
	VMULPS x, Y5, Y5   \
	VADDPS Y5, v, v

// DECAY is g = g + decay·w.
#define DECAY(decay) \
	VMULPS decay, Y0, Y5 \
	VADDPS Y5, Y1, Y1

// STEP is w = w - lr·d.
#define STEP(lr, d) \
	VMULPS lr, d, Y5 \
	VSUBPS Y5, Y0, Y0

// The fields of rmspropScalars.
#define RMSPROPSCALARS \
	VBROADCASTSS (DX), Y15   \
	VBROADCASTSS 4(DX), Y14  \
	VBROADCASTSS 8(DX), Y13  \
	VBROADCASTSS 12(DX), Y12 \
	VBROADCASTSS 16(DX), Y11 \
	VBROADCASTSS 20(DX), Y10 \
	VXORPS       Y9, Y9, Y9

// SQUARES keeps v in Y2 and leaves it in Y6.
#define SQUARES \
	DECAY(Y14)                    \
	SQUAREMEAN(Y2, Y13, Y12, Y1)  \
	VMOVAPS Y2, Y6

// CENTRE keeps the mean in Y3 and takes its square off Y6; NaN stays.
#define CENTRE \
	MEAN(Y3, Y13, Y12, Y1) \
	VMULPS Y3, Y3, Y5      \
	VSUBPS Y5, Y6, Y6      \
	VMAXPS Y6, Y9, Y6

// SCALED divides d in Y1 by the root of Y6, plus eps.
#define SCALED \
	VSQRTPS Y6, Y6      \
	VADDPS  Y11, Y6, Y6 \
	VDIVPS  Y6, Y1, Y1

// ALONG keeps the momentum in last.
#define ALONG(last) \
	VMULPS Y10, last, last \
	VADDPS Y1, last, last

#define RMSPROP \
	SQUARES \
	SCALED  \
	STEP(Y15, Y1)

#define RMSPROPCENTERED \
	SQUARES \
	CENTRE  \
	SCALED  \
	STEP(Y15, Y1)

#define RMSPROPMOMENTUM \
	SQUARES   \
	SCALED    \
	ALONG(Y3) \
	STEP(Y15, Y3)

#define RMSPROPBOTH \
	SQUARES   \
	CENTRE    \
	SCALED    \
	ALONG(Y4) \
	STEP(Y15, Y4)

// The fields of adagradScalars.
#define ADAGRADSCALARS \
	VBROADCASTSS (DX), Y15  \
	VBROADCASTSS 4(DX), Y14 \
	VBROADCASTSS 8(DX), Y13

#define ADAGRAD \
	DECAY(Y14)          \
	VMULPS  Y1, Y1, Y5  \
	VADDPS  Y5, Y2, Y2  \
	VSQRTPS Y2, Y6      \
	VADDPS  Y13, Y6, Y6 \
	VMULPS  Y15, Y1, Y5 \
	VDIVPS  Y6, Y5, Y5  \
	VSUBPS  Y5, Y0, Y0

// The fields of adadeltaScalars.
#define ADADELTASCALARS \
	VBROADCASTSS (DX), Y15   \
	VBROADCASTSS 4(DX), Y14  \
	VBROADCASTSS 8(DX), Y13  \
	VBROADCASTSS 12(DX), Y12 \
	VBROADCASTSS 16(DX), Y11

#define ADADELTA \
	DECAY(Y14)                   \
	SQUAREMEAN(Y2, Y13, Y12, Y1) \
	VADDPS  Y11, Y3, Y6          \
	VSQRTPS Y6, Y6               \
	VADDPS  Y11, Y2, Y7          \
	VSQRTPS Y7, Y7               \
	VDIVPS  Y7, Y6, Y6           \
	VMULPS  Y1, Y6, Y6           \
	SQUAREMEAN(Y3, Y13, Y12, Y6) \
	STEP(Y15, Y6)

// The first fields of nadamScalars; the others are read where they are used.
#define NADAMSCALARS \
	VBROADCASTSS (DX), Y15   \
	VBROADCASTSS 4(DX), Y14  \
	VBROADCASTSS 8(DX), Y13  \
	VBROADCASTSS 12(DX), Y12 \
	VBROADCASTSS 16(DX), Y11 \
	VBROADCASTSS 20(DX), Y10 \
	VBROADCASTSS 24(DX), Y9

#define NADAM \
	VMULPS       Y15, Y0, Y0     \
	DECAY(Y14)                   \
	MEAN(Y2, Y13, Y12, Y1)       \
	SQUAREMEAN(Y3, Y11, Y10, Y1) \
	VDIVPS       Y9, Y3, Y6      \
	VSQRTPS      Y6, Y6          \
	VBROADCASTSS 28(DX), Y5      \
	VADDPS       Y5, Y6, Y6      \
	VBROADCASTSS 32(DX), Y5      \
	VMULPS       Y5, Y1, Y7      \
	VBROADCASTSS 36(DX), Y5      \
	VMULPS       Y5, Y2, Y5      \
	VADDPS       Y5, Y7, Y7      \
	VDIVPS       Y6, Y7, Y7      \
	VSUBPS       Y7, Y0, Y0

// The fields of lionScalars.
#define LIONSCALARS \
	VBROADCASTSS (DX), Y15   \
	VBROADCASTSS 4(DX), Y14  \
	VBROADCASTSS 8(DX), Y13  \
	VBROADCASTSS 12(DX), Y12 \
	VBROADCASTSS 16(DX), Y11 \
	VBROADCASTSS 20(DX), Y10 \
	VXORPS       Y9, Y9, Y9

// LION: 0 and NaN are their own signs.
#define LION \
	VMULPS    Y13, Y2, Y6        \
	VMULPS    Y12, Y1, Y5        \
	VADDPS    Y5, Y6, Y6         \
	VANDPS    sign<>(SB), Y6, Y7 \
	VORPS     one<>(SB), Y7, Y7  \
	VCMPPS    $12, Y9, Y6, Y5    \
	VBLENDVPS Y5, Y7, Y6, Y6     \
	VMULPS    Y14, Y0, Y0        \
	STEP(Y15, Y6)                \
	MEAN(Y2, Y11, Y10, Y1)

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
