// The updates of the optimisers besides Adam and SGD, with the roundings of their
// reference loops, for both types.
//
// In all of them w, g and up to three slices of state are in Y0 to Y4, scratch is Y5
// to Y7, the mask of a rest Y8, scalars Y9 to Y15. Lanes beyond a rest are 0 and
// never stored.

#include "types_amd64.h"

NUMBER(one<>, $0x3F800000, $0x3FF0000000000000)  // 1
NUMBER(sign<>, $0x80000000, $0x8000000000000000) // the sign bit

// REST loads the mask of the last CX bytes into Y8.
#define REST \
	LEAQ    ·tailMask+32(SB), AX \
	SUBQ    CX, AX               \
	VMOVUPS (AX), Y8

// UPDATE3 is the loop of F over arguments (p, grad, s1 *T, n int, c *scalars).
#define UPDATE3(SCALARS, F) \
	MOVQ       p+0(FP), DI    \
	MOVQ       grad+8(FP), SI \
	MOVQ       s1+16(FP), R8  \
	MOVQ       n+24(FP), CX   \
	MOVQ       c+32(FP), DX   \
	SCALARS                   \
	SHLQ       $SIZELOG, CX   \
	SUBQ       $32, CX        \
	JLT        tail           \
loop:                         \
	VMOVUPS    (DI), Y0       \
	VMOVUPS    (SI), Y1       \
	VMOVUPS    (R8), Y2       \
	F                         \
	VMOVUPS    Y0, (DI)       \
	VMOVUPS    Y2, (R8)       \
	ADDQ       $32, DI        \
	ADDQ       $32, SI        \
	ADDQ       $32, R8        \
	SUBQ       $32, CX        \
	JGE        loop           \
tail:                         \
	ADDQ       $32, CX        \
	JEQ        done           \
	REST                      \
	VMASKMOVPS (DI), Y8, Y0   \
	VMASKMOVPS (SI), Y8, Y1   \
	VMASKMOVPS (R8), Y8, Y2   \
	F                         \
	VMASKMOVPS Y0, Y8, (DI)   \
	VMASKMOVPS Y2, Y8, (R8)   \
done:                         \
	VZEROUPPER                \
	RET

// UPDATE4 is the loop of F over arguments (p, grad, s1, s2 *T, n int, c *scalars).
#define UPDATE4(SCALARS, F) \
	MOVQ       p+0(FP), DI    \
	MOVQ       grad+8(FP), SI \
	MOVQ       s1+16(FP), R8  \
	MOVQ       s2+24(FP), R9  \
	MOVQ       n+32(FP), CX   \
	MOVQ       c+40(FP), DX   \
	SCALARS                   \
	SHLQ       $SIZELOG, CX   \
	SUBQ       $32, CX        \
	JLT        tail           \
loop:                         \
	VMOVUPS    (DI), Y0       \
	VMOVUPS    (SI), Y1       \
	VMOVUPS    (R8), Y2       \
	VMOVUPS    (R9), Y3       \
	F                         \
	VMOVUPS    Y0, (DI)       \
	VMOVUPS    Y2, (R8)       \
	VMOVUPS    Y3, (R9)       \
	ADDQ       $32, DI        \
	ADDQ       $32, SI        \
	ADDQ       $32, R8        \
	ADDQ       $32, R9        \
	SUBQ       $32, CX        \
	JGE        loop           \
tail:                         \
	ADDQ       $32, CX        \
	JEQ        done           \
	REST                      \
	VMASKMOVPS (DI), Y8, Y0   \
	VMASKMOVPS (SI), Y8, Y1   \
	VMASKMOVPS (R8), Y8, Y2   \
	VMASKMOVPS (R9), Y8, Y3   \
	F                         \
	VMASKMOVPS Y0, Y8, (DI)   \
	VMASKMOVPS Y2, Y8, (R8)   \
	VMASKMOVPS Y3, Y8, (R9)   \
done:                         \
	VZEROUPPER                \
	RET

// UPDATE5 is the loop of F over arguments (p, grad, s1, s2, s3 *T, n int, c *scalars).
#define UPDATE5(SCALARS, F) \
	MOVQ       p+0(FP), DI    \
	MOVQ       grad+8(FP), SI \
	MOVQ       s1+16(FP), R8  \
	MOVQ       s2+24(FP), R9  \
	MOVQ       s3+32(FP), R10 \
	MOVQ       n+40(FP), CX   \
	MOVQ       c+48(FP), DX   \
	SCALARS                   \
	SHLQ       $SIZELOG, CX   \
	SUBQ       $32, CX        \
	JLT        tail           \
loop:                         \
	VMOVUPS    (DI), Y0       \
	VMOVUPS    (SI), Y1       \
	VMOVUPS    (R8), Y2       \
	VMOVUPS    (R9), Y3       \
	VMOVUPS    (R10), Y4      \
	F                         \
	VMOVUPS    Y0, (DI)       \
	VMOVUPS    Y2, (R8)       \
	VMOVUPS    Y3, (R9)       \
	VMOVUPS    Y4, (R10)      \
	ADDQ       $32, DI        \
	ADDQ       $32, SI        \
	ADDQ       $32, R8        \
	ADDQ       $32, R9        \
	ADDQ       $32, R10       \
	SUBQ       $32, CX        \
	JGE        loop           \
tail:                         \
	ADDQ       $32, CX        \
	JEQ        done           \
	REST                      \
	VMASKMOVPS (DI), Y8, Y0   \
	VMASKMOVPS (SI), Y8, Y1   \
	VMASKMOVPS (R8), Y8, Y2   \
	VMASKMOVPS (R9), Y8, Y3   \
	VMASKMOVPS (R10), Y8, Y4  \
	F                         \
	VMASKMOVPS Y0, Y8, (DI)   \
	VMASKMOVPS Y2, Y8, (R8)   \
	VMASKMOVPS Y3, Y8, (R9)   \
	VMASKMOVPS Y4, Y8, (R10)  \
done:                         \
	VZEROUPPER                \
	RET

// MEAN is m = keep·m + take·x.
#define MEAN(m, keep, take, x) \
	VMULP keep, m, m  \
	VMULP take, x, Y5 \
	VADDP Y5, m, m

// SQUAREMEAN is v = keep·v + take·x·x.
#define SQUAREMEAN(v, keep, take, x) \
	VMULP keep, v, v  \
	VMULP take, x, Y5 \
	VMULP x, Y5, Y5   \
	VADDP Y5, v, v

// DECAY is g = g + decay·w.
#define DECAY(decay) \
	VMULP decay, Y0, Y5 \
	VADDP Y5, Y1, Y1

// STEP is w = w - lr·d.
#define STEP(lr, d) \
	VMULP lr, d, Y5  \
	VSUBP Y5, Y0, Y0

// The fields of rmspropScalars.
#define RMSPROPSCALARS \
	VBROADCASTS (DX), Y15         \
	VBROADCASTS SIZE(DX), Y14     \
	VBROADCASTS (2*SIZE)(DX), Y13 \
	VBROADCASTS (3*SIZE)(DX), Y12 \
	VBROADCASTS (4*SIZE)(DX), Y11 \
	VBROADCASTS (5*SIZE)(DX), Y10 \
	VXORPS      Y9, Y9, Y9

// SQUARES keeps v in Y2 and leaves it in Y6.
#define SQUARES \
	DECAY(Y14)                   \
	SQUAREMEAN(Y2, Y13, Y12, Y1) \
	VMOVAPS Y2, Y6

// CENTRE keeps the mean in Y3 and takes its square off Y6; NaN stays.
#define CENTRE \
	MEAN(Y3, Y13, Y12, Y1) \
	VMULP Y3, Y3, Y5       \
	VSUBP Y5, Y6, Y6       \
	VMAXP Y6, Y9, Y6

// SCALED divides d in Y1 by the root of Y6, plus eps.
#define SCALED \
	VSQRTP Y6, Y6      \
	VADDP  Y11, Y6, Y6 \
	VDIVP  Y6, Y1, Y1

// ALONG keeps the momentum in last.
#define ALONG(last) \
	VMULP Y10, last, last \
	VADDP Y1, last, last

#define RMSPROP \
	SQUARES       \
	SCALED        \
	STEP(Y15, Y1)

#define RMSPROPCENTERED \
	SQUARES       \
	CENTRE        \
	SCALED        \
	STEP(Y15, Y1)

#define RMSPROPMOMENTUM \
	SQUARES       \
	SCALED        \
	ALONG(Y3)     \
	STEP(Y15, Y3)

#define RMSPROPBOTH \
	SQUARES       \
	CENTRE        \
	SCALED        \
	ALONG(Y4)     \
	STEP(Y15, Y4)

// The fields of adagradScalars.
#define ADAGRADSCALARS \
	VBROADCASTS (DX), Y15         \
	VBROADCASTS SIZE(DX), Y14     \
	VBROADCASTS (2*SIZE)(DX), Y13

#define ADAGRAD \
	DECAY(Y14)         \
	VMULP  Y1, Y1, Y5  \
	VADDP  Y5, Y2, Y2  \
	VSQRTP Y2, Y6      \
	VADDP  Y13, Y6, Y6 \
	VMULP  Y15, Y1, Y5 \
	VDIVP  Y6, Y5, Y5  \
	VSUBP  Y5, Y0, Y0

// The fields of adadeltaScalars.
#define ADADELTASCALARS \
	VBROADCASTS (DX), Y15         \
	VBROADCASTS SIZE(DX), Y14     \
	VBROADCASTS (2*SIZE)(DX), Y13 \
	VBROADCASTS (3*SIZE)(DX), Y12 \
	VBROADCASTS (4*SIZE)(DX), Y11

#define ADADELTA \
	DECAY(Y14)                   \
	SQUAREMEAN(Y2, Y13, Y12, Y1) \
	VADDP  Y11, Y3, Y6           \
	VSQRTP Y6, Y6                \
	VADDP  Y11, Y2, Y7           \
	VSQRTP Y7, Y7                \
	VDIVP  Y7, Y6, Y6            \
	VMULP  Y1, Y6, Y6            \
	SQUAREMEAN(Y3, Y13, Y12, Y6) \
	STEP(Y15, Y6)

// The first fields of nadamScalars; the others are read where they are used.
#define NADAMSCALARS \
	VBROADCASTS (DX), Y15         \
	VBROADCASTS SIZE(DX), Y14     \
	VBROADCASTS (2*SIZE)(DX), Y13 \
	VBROADCASTS (3*SIZE)(DX), Y12 \
	VBROADCASTS (4*SIZE)(DX), Y11 \
	VBROADCASTS (5*SIZE)(DX), Y10 \
	VBROADCASTS (6*SIZE)(DX), Y9

#define NADAM \
	VMULP       Y15, Y0, Y0      \
	DECAY(Y14)                   \
	MEAN(Y2, Y13, Y12, Y1)       \
	SQUAREMEAN(Y3, Y11, Y10, Y1) \
	VDIVP       Y9, Y3, Y6       \
	VSQRTP      Y6, Y6           \
	VBROADCASTS (7*SIZE)(DX), Y5 \
	VADDP       Y5, Y6, Y6       \
	VBROADCASTS (8*SIZE)(DX), Y5 \
	VMULP       Y5, Y1, Y7       \
	VBROADCASTS (9*SIZE)(DX), Y5 \
	VMULP       Y5, Y2, Y5       \
	VADDP       Y5, Y7, Y7       \
	VDIVP       Y6, Y7, Y7       \
	VSUBP       Y7, Y0, Y0

// The fields of lionScalars.
#define LIONSCALARS \
	VBROADCASTS (DX), Y15         \
	VBROADCASTS SIZE(DX), Y14     \
	VBROADCASTS (2*SIZE)(DX), Y13 \
	VBROADCASTS (3*SIZE)(DX), Y12 \
	VBROADCASTS (4*SIZE)(DX), Y11 \
	VBROADCASTS (5*SIZE)(DX), Y10 \
	VXORPS      Y9, Y9, Y9

// LION: 0 and NaN are their own signs.
#define LION \
	VMULP     Y13, Y2, Y6        \
	VMULP     Y12, Y1, Y5        \
	VADDP     Y5, Y6, Y6         \
	VANDPS    sign<>(SB), Y6, Y7 \
	VORPS     one<>(SB), Y7, Y7  \
	VCMPP     $12, Y9, Y6, Y5    \
	VBLENDVPS Y5, Y7, Y6, Y6     \
	VMULP     Y14, Y0, Y0        \
	STEP(Y15, Y6)                \
	MEAN(Y2, Y11, Y10, Y1)
