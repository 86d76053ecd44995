//go:build amd64 && !noasm

// The optimisers' updates, with the roundings of their reference loops.

#include "textflag.h"

// The fields of adamScalars.
#define ADAMSCALARS \
	VBROADCASTSS (AX), Y15   \
	VBROADCASTSS 4(AX), Y14  \
	VBROADCASTSS 8(AX), Y13  \
	VBROADCASTSS 12(AX), Y12 \
	VBROADCASTSS 16(AX), Y11 \
	VBROADCASTSS 20(AX), Y10 \
	VBROADCASTSS 24(AX), Y9  \
	VBROADCASTSS 28(AX), Y8  \
	VBROADCASTSS 32(AX), Y7

// MOMENTS updates w, m and v in Y0, Y2 and Y3 by g in Y1: w·shrink, then with
// d = g + l2·w both means.
#define MOMENTS \
	VMULPS Y15, Y0, Y0 \
	VMULPS Y14, Y0, Y4 \
	VADDPS Y4, Y1, Y1  \
	VMULPS Y13, Y2, Y2 \
	VMULPS Y12, Y1, Y4 \
	VADDPS Y4, Y2, Y2  \
	VMULPS Y11, Y3, Y3 \
	VMULPS Y10, Y1, Y4 \
	VMULPS Y1, Y4, Y4  \
	VADDPS Y4, Y3, Y3

// ADAMSTEP moves w in Y0 along m in Y2 by the second moment in s.
#define ADAMSTEP(s) \
	VSQRTPS s, Y4      \
	VDIVPS  Y9, Y4, Y4 \
	VADDPS  Y8, Y4, Y4 \
	VMULPS  Y7, Y2, Y1 \
	VDIVPS  Y4, Y1, Y1 \
	VSUBPS  Y1, Y0, Y0

// TOP makes Y5 the larger of itself and Y3, NaN if either is.
#define TOP \
	VMAXPS    Y3, Y5, Y4     \
	VCMPPS    $3, Y5, Y5, Y6 \
	VBLENDVPS Y6, Y5, Y4, Y5

// REST loads the mask of the last CX elements into Y6.
#define REST \
	LEAQ    ·tailMask+32(SB), AX \
	SHLQ    $2, CX               \
	SUBQ    CX, AX               \
	VMOVUPS (AX), Y6

// VELOCITY updates w and v in Y0 and Y2 by g in Y1, with d = g + decay·w: v becomes
// momentum·v + share·d, and w goes along what ALONG makes of d in Y1 and v.
#define VELOCITY(ALONG) \
	VMULPS Y14, Y0, Y3 \
	VADDPS Y3, Y1, Y1  \
	VMULPS Y13, Y2, Y2 \
	VMULPS Y12, Y1, Y3 \
	VADDPS Y3, Y2, Y2  \
	ALONG              \
	VMULPS Y15, Y3, Y3 \
	VSUBPS Y3, Y0, Y0

#define PLAIN VMOVAPS Y2, Y3

#define NESTEROV \
	VMULPS Y13, Y2, Y3 \
	VADDPS Y3, Y1, Y3

// MOMENTUM is the loop of momentum over arguments (p, g, v *float32, n int, lr, decay,
// momentum, share float32).
#define MOMENTUM(ALONG) \
	MOVQ p+0(FP), DI \
	MOVQ grad+8(FP), SI \
	MOVQ v+16(FP), R8 \
	MOVQ n+24(FP), CX \
	VBROADCASTSS lr+32(FP), Y15 \
	VBROADCASTSS decay+36(FP), Y14 \
	VBROADCASTSS momentum+40(FP), Y13 \
	VBROADCASTSS share+44(FP), Y12 \
	SUBQ $8, CX \
	JLT  tail \
loop8: \
	VMOVUPS (DI), Y0 \
	VMOVUPS (SI), Y1 \
	VMOVUPS (R8), Y2 \
	VELOCITY(ALONG) \
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
	VMASKMOVPS (DI), Y6, Y0 \
	VMASKMOVPS (SI), Y6, Y1 \
	VMASKMOVPS (R8), Y6, Y2 \
	VELOCITY(ALONG) \
	VMASKMOVPS Y0, Y6, (DI) \
	VMASKMOVPS Y2, Y6, (R8) \
done: \
	VZEROUPPER \
	RET

// func adamAVX2(p, grad, m, v *float32, n int, s *adamScalars[float32])
TEXT ·adamAVX2(SB), NOSPLIT, $0-48
	MOVQ p+0(FP), DI
	MOVQ grad+8(FP), SI
	MOVQ m+16(FP), R8
	MOVQ v+24(FP), R9
	MOVQ n+32(FP), CX
	MOVQ s+40(FP), AX
	ADAMSCALARS
	SUBQ $8, CX
	JLT  tail

loop8:
	VMOVUPS (DI), Y0
	VMOVUPS (SI), Y1
	VMOVUPS (R8), Y2
	VMOVUPS (R9), Y3
	MOMENTS
	VMOVUPS Y2, (R8)
	VMOVUPS Y3, (R9)
	ADAMSTEP(Y3)
	VMOVUPS Y0, (DI)
	ADDQ    $32, DI
	ADDQ    $32, SI
	ADDQ    $32, R8
	ADDQ    $32, R9
	SUBQ    $8, CX
	JGE     loop8

tail:
	ADDQ       $8, CX
	JEQ        done
	REST
	VMASKMOVPS (DI), Y6, Y0
	VMASKMOVPS (SI), Y6, Y1
	VMASKMOVPS (R8), Y6, Y2
	VMASKMOVPS (R9), Y6, Y3
	MOMENTS
	VMASKMOVPS Y2, Y6, (R8)
	VMASKMOVPS Y3, Y6, (R9)
	ADAMSTEP(Y3)
	VMASKMOVPS Y0, Y6, (DI)

done:
	VZEROUPPER
	RET

// func amsGradAVX2(p, grad, m, v, top *float32, n int, s *adamScalars[float32])
TEXT ·amsGradAVX2(SB), NOSPLIT, $0-56
	MOVQ p+0(FP), DI
	MOVQ grad+8(FP), SI
	MOVQ m+16(FP), R8
	MOVQ v+24(FP), R9
	MOVQ top+32(FP), R10
	MOVQ n+40(FP), CX
	MOVQ s+48(FP), AX
	ADAMSCALARS
	SUBQ $8, CX
	JLT  tail

loop8:
	VMOVUPS (DI), Y0
	VMOVUPS (SI), Y1
	VMOVUPS (R8), Y2
	VMOVUPS (R9), Y3
	VMOVUPS (R10), Y5
	MOMENTS
	TOP
	VMOVUPS Y2, (R8)
	VMOVUPS Y3, (R9)
	VMOVUPS Y5, (R10)
	ADAMSTEP(Y5)
	VMOVUPS Y0, (DI)
	ADDQ    $32, DI
	ADDQ    $32, SI
	ADDQ    $32, R8
	ADDQ    $32, R9
	ADDQ    $32, R10
	SUBQ    $8, CX
	JGE     loop8

tail:
	ADDQ       $8, CX
	JEQ        done
	REST
	VMASKMOVPS (DI), Y6, Y0
	VMASKMOVPS (SI), Y6, Y1
	VMASKMOVPS (R8), Y6, Y2
	VMASKMOVPS (R9), Y6, Y3
	VMASKMOVPS (R10), Y6, Y5
	MOMENTS
	TOP
	VMOVUPS    (AX), Y6
	VMASKMOVPS Y2, Y6, (R8)
	VMASKMOVPS Y3, Y6, (R9)
	VMASKMOVPS Y5, Y6, (R10)
	ADAMSTEP(Y5)
	VMASKMOVPS Y0, Y6, (DI)

done:
	VZEROUPPER
	RET

// func sgdAVX2(p, grad *float32, n int, lr, decay float32)
TEXT ·sgdAVX2(SB), NOSPLIT, $0-32
	MOVQ         p+0(FP), DI
	MOVQ         grad+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS lr+24(FP), Y15
	VBROADCASTSS decay+28(FP), Y14
	SUBQ         $8, CX
	JLT          tail

loop8:
	VMOVUPS (DI), Y0
	VMULPS  Y14, Y0, Y1
	VADDPS  (SI), Y1, Y1
	VMULPS  Y15, Y1, Y1
	VSUBPS  Y1, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, DI
	ADDQ    $32, SI
	SUBQ    $8, CX
	JGE     loop8

tail:
	ADDQ       $8, CX
	JEQ        done
	REST
	VMASKMOVPS (DI), Y6, Y0
	VMASKMOVPS (SI), Y6, Y2
	VMULPS     Y14, Y0, Y1
	VADDPS     Y2, Y1, Y1
	VMULPS     Y15, Y1, Y1
	VSUBPS     Y1, Y0, Y0
	VMASKMOVPS Y0, Y6, (DI)

done:
	VZEROUPPER
	RET

// func sgdMomentumAVX2(p, grad, v *float32, n int, lr, decay, momentum, share float32)
TEXT ·sgdMomentumAVX2(SB), NOSPLIT, $0-48
	MOMENTUM(PLAIN)

// func sgdNesterovAVX2(p, grad, v *float32, n int, lr, decay, momentum, share float32)
TEXT ·sgdNesterovAVX2(SB), NOSPLIT, $0-48
	MOMENTUM(NESTEROV)
