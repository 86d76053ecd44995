// The updates of Adam, AMSGrad and SGD, with the roundings of their reference loops, for both
// types.

#include "types_amd64.h"

// The fields of adamScalars.
#define ADAMSCALARS \
	VBROADCASTS (AX), Y15         \
	VBROADCASTS SIZE(AX), Y14     \
	VBROADCASTS (2*SIZE)(AX), Y13 \
	VBROADCASTS (3*SIZE)(AX), Y12 \
	VBROADCASTS (4*SIZE)(AX), Y11 \
	VBROADCASTS (5*SIZE)(AX), Y10 \
	VBROADCASTS (6*SIZE)(AX), Y9  \
	VBROADCASTS (7*SIZE)(AX), Y8  \
	VBROADCASTS (8*SIZE)(AX), Y7

// MOMENTS updates w, m and v in Y0, Y2 and Y3 by g in Y1: w·shrink, then with
// d = g + l2·w both means.
#define MOMENTS \
	VMULP Y15, Y0, Y0 \
	VMULP Y14, Y0, Y4 \
	VADDP Y4, Y1, Y1  \
	VMULP Y13, Y2, Y2 \
	VMULP Y12, Y1, Y4 \
	VADDP Y4, Y2, Y2  \
	VMULP Y11, Y3, Y3 \
	VMULP Y10, Y1, Y4 \
	VMULP Y1, Y4, Y4  \
	VADDP Y4, Y3, Y3

// ADAMSTEP moves w in Y0 along m in Y2 by the second moment in s.
#define ADAMSTEP(s) \
	VSQRTP s, Y4      \
	VDIVP  Y9, Y4, Y4 \
	VADDP  Y8, Y4, Y4 \
	VMULP  Y7, Y2, Y1 \
	VDIVP  Y4, Y1, Y1 \
	VSUBP  Y1, Y0, Y0

// TOP makes Y5 the larger of itself and Y3, NaN if either is.
#define TOP \
	VMAXP     Y3, Y5, Y4     \
	VCMPP     $3, Y5, Y5, Y6 \
	VBLENDVPS Y6, Y5, Y4, Y5

// REST loads the mask of the last CX bytes into Y6.
#define REST \
	LEAQ    ·tailMask+32(SB), AX \
	SUBQ    CX, AX               \
	VMOVUPS (AX), Y6

// VELOCITY updates w and v in Y0 and Y2 by g in Y1, with d = g + decay·w: v becomes
// momentum·v + share·d, and w goes along what ALONG makes of d in Y1 and v.
#define VELOCITY(ALONG) \
	VMULP Y14, Y0, Y3 \
	VADDP Y3, Y1, Y1  \
	VMULP Y13, Y2, Y2 \
	VMULP Y12, Y1, Y3 \
	VADDP Y3, Y2, Y2  \
	ALONG             \
	VMULP Y15, Y3, Y3 \
	VSUBP Y3, Y0, Y0

#define PLAIN VMOVAPS Y2, Y3

#define NESTEROV \
	VMULP Y13, Y2, Y3 \
	VADDP Y3, Y1, Y3

// MOMENTUM is the loop of momentum over arguments (p, g, v *T, n int, lr, decay,
// momentum, share T).
#define MOMENTUM(ALONG) \
	MOVQ        p+0(FP), DI                   \
	MOVQ        grad+8(FP), SI                \
	MOVQ        v+16(FP), R8                  \
	MOVQ        n+24(FP), CX                  \
	VBROADCASTS lr+32(FP), Y15                \
	VBROADCASTS decay+(32+SIZE)(FP), Y14      \
	VBROADCASTS momentum+(32+2*SIZE)(FP), Y13 \
	VBROADCASTS share+(32+3*SIZE)(FP), Y12    \
	SHLQ        $SIZELOG, CX                  \
	SUBQ        $32, CX                       \
	JLT         tail                          \
loop:                                         \
	VMOVUPS     (DI), Y0                      \
	VMOVUPS     (SI), Y1                      \
	VMOVUPS     (R8), Y2                      \
	VELOCITY(ALONG)                           \
	VMOVUPS     Y0, (DI)                      \
	VMOVUPS     Y2, (R8)                      \
	ADDQ        $32, DI                       \
	ADDQ        $32, SI                       \
	ADDQ        $32, R8                       \
	SUBQ        $32, CX                       \
	JGE         loop                          \
tail:                                         \
	ADDQ        $32, CX                       \
	JEQ         done                          \
	REST                                      \
	VMASKMOVPS  (DI), Y6, Y0                  \
	VMASKMOVPS  (SI), Y6, Y1                  \
	VMASKMOVPS  (R8), Y6, Y2                  \
	VELOCITY(ALONG)                           \
	VMASKMOVPS  Y0, Y6, (DI)                  \
	VMASKMOVPS  Y2, Y6, (R8)                  \
done:                                         \
	VZEROUPPER                                \
	RET

// ADAM has arguments (p, grad, m, v *T, n int, s *adamScalars).
#define ADAM \
	MOVQ       p+0(FP), DI    \
	MOVQ       grad+8(FP), SI \
	MOVQ       m+16(FP), R8   \
	MOVQ       v+24(FP), R9   \
	MOVQ       n+32(FP), CX   \
	MOVQ       s+40(FP), AX   \
	ADAMSCALARS               \
	SHLQ       $SIZELOG, CX   \
	SUBQ       $32, CX        \
	JLT        tail           \
loop:                         \
	VMOVUPS    (DI), Y0       \
	VMOVUPS    (SI), Y1       \
	VMOVUPS    (R8), Y2       \
	VMOVUPS    (R9), Y3       \
	MOMENTS                   \
	VMOVUPS    Y2, (R8)       \
	VMOVUPS    Y3, (R9)       \
	ADAMSTEP(Y3)              \
	VMOVUPS    Y0, (DI)       \
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
	VMASKMOVPS (DI), Y6, Y0   \
	VMASKMOVPS (SI), Y6, Y1   \
	VMASKMOVPS (R8), Y6, Y2   \
	VMASKMOVPS (R9), Y6, Y3   \
	MOMENTS                   \
	VMASKMOVPS Y2, Y6, (R8)   \
	VMASKMOVPS Y3, Y6, (R9)   \
	ADAMSTEP(Y3)              \
	VMASKMOVPS Y0, Y6, (DI)   \
done:                         \
	VZEROUPPER                \
	RET

// AMSGRAD has arguments (p, grad, m, v, top *T, n int, s *adamScalars).
#define AMSGRAD \
	MOVQ       p+0(FP), DI     \
	MOVQ       grad+8(FP), SI  \
	MOVQ       m+16(FP), R8    \
	MOVQ       v+24(FP), R9    \
	MOVQ       top+32(FP), R10 \
	MOVQ       n+40(FP), CX    \
	MOVQ       s+48(FP), AX    \
	ADAMSCALARS                \
	SHLQ       $SIZELOG, CX    \
	SUBQ       $32, CX         \
	JLT        tail            \
loop:                          \
	VMOVUPS    (DI), Y0        \
	VMOVUPS    (SI), Y1        \
	VMOVUPS    (R8), Y2        \
	VMOVUPS    (R9), Y3        \
	VMOVUPS    (R10), Y5       \
	MOMENTS                    \
	TOP                        \
	VMOVUPS    Y2, (R8)        \
	VMOVUPS    Y3, (R9)        \
	VMOVUPS    Y5, (R10)       \
	ADAMSTEP(Y5)               \
	VMOVUPS    Y0, (DI)        \
	ADDQ       $32, DI         \
	ADDQ       $32, SI         \
	ADDQ       $32, R8         \
	ADDQ       $32, R9         \
	ADDQ       $32, R10        \
	SUBQ       $32, CX         \
	JGE        loop            \
tail:                          \
	ADDQ       $32, CX         \
	JEQ        done            \
	REST                       \
	VMASKMOVPS (DI), Y6, Y0    \
	VMASKMOVPS (SI), Y6, Y1    \
	VMASKMOVPS (R8), Y6, Y2    \
	VMASKMOVPS (R9), Y6, Y3    \
	VMASKMOVPS (R10), Y6, Y5   \
	MOMENTS                    \
	TOP                        \
	VMOVUPS    (AX), Y6        \
	VMASKMOVPS Y2, Y6, (R8)    \
	VMASKMOVPS Y3, Y6, (R9)    \
	VMASKMOVPS Y5, Y6, (R10)   \
	ADAMSTEP(Y5)               \
	VMASKMOVPS Y0, Y6, (DI)    \
done:                          \
	VZEROUPPER                 \
	RET

// SGD has arguments (p, grad *T, n int, lr, decay T).
#define SGD \
	MOVQ        p+0(FP), DI              \
	MOVQ        grad+8(FP), SI           \
	MOVQ        n+16(FP), CX             \
	VBROADCASTS lr+24(FP), Y15           \
	VBROADCASTS decay+(24+SIZE)(FP), Y14 \
	SHLQ        $SIZELOG, CX             \
	SUBQ        $32, CX                  \
	JLT         tail                     \
loop:                                    \
	VMOVUPS     (DI), Y0                 \
	VMULP       Y14, Y0, Y1              \
	VADDP       (SI), Y1, Y1             \
	VMULP       Y15, Y1, Y1              \
	VSUBP       Y1, Y0, Y0               \
	VMOVUPS     Y0, (DI)                 \
	ADDQ        $32, DI                  \
	ADDQ        $32, SI                  \
	SUBQ        $32, CX                  \
	JGE         loop                     \
tail:                                    \
	ADDQ        $32, CX                  \
	JEQ         done                     \
	REST                                 \
	VMASKMOVPS  (DI), Y6, Y0             \
	VMASKMOVPS  (SI), Y6, Y2             \
	VMULP       Y14, Y0, Y1              \
	VADDP       Y2, Y1, Y1               \
	VMULP       Y15, Y1, Y1              \
	VSUBP       Y1, Y0, Y0               \
	VMASKMOVPS  Y0, Y6, (DI)             \
done:                                    \
	VZEROUPPER                           \
	RET
