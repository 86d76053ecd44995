//go:build amd64 && !noasm

// Scores with AVX-512: a number of each edge, 16 at a time, with one of its row. The last
// 16 of a row or fewer are masked, so that a short row takes few branches.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "scores512_amd64.h"
#include "alone512_amd64.h"

// WALK runs START, EDGES for each 16 edges and END over the rows: with DI at dst, SI at
// x and R12 at another number of the edges; with R8 at own, whose number Z10 has, DX at
// acc, R9 at bounds, and R10 rows left. EDGES is given what loads Z1 and the mask. Of 16
// rows with one edge each, START16 and END16 are the start and the end.
#define WALK(START, EDGES, END, START16, END16) \
row:                        \
	MOVL  4(R9), CX         \
	SUBL  (R9), CX          \
	LEAQ  4(R9), R9         \
	JEQ   next              \
	CMPL  CX, $1            \
	JEQ   one               \
several:                    \
	VBROADCASTSS (R8), Z10  \
	START                   \
	CMPQ  CX, $32           \
	JLE   last              \
sixteen:                    \
	EDGES(WHOLE, ALL, 0)    \
	ADDQ  $64, SI           \
	ADDQ  $64, DI           \
	ADDQ  $64, R12          \
	SUBQ  $16, CX           \
	CMPQ  CX, $32           \
	JGT   sixteen           \
last:                       \
	MOVQ  $1, AX            \
	SHLQ  CX, AX            \
	DECQ  AX                \
	KMOVW AX, K2            \
	SHRQ  $16, AX           \
	KMOVW AX, K1            \
	EDGES(PART, SOME, 0)    \
	EDGES(PART2, SOME2, 64) \
	LEAQ  (SI)(CX*4), SI    \
	LEAQ  (DI)(CX*4), DI    \
	LEAQ  (R12)(CX*4), R12  \
	END                     \
next:                       \
	ADDQ  $4, R8            \
	ADDQ  $4, DX            \
	DECQ  R10               \
	JNE   row               \
	VZEROUPPER              \
	RET                     \
one:                        \
	EACHONE(several)        \
	VMOVUPS (R8), Z10       \
	START16                 \
	EDGES(WHOLE, ALL, 0)    \
	END16                   \
	ADDQ  $64, SI           \
	ADDQ  $64, DI           \
	ADDQ  $64, R12          \
	ADDQ  $64, R8           \
	ADDQ  $64, DX           \
	ADDQ  $60, R9           \
	SUBQ  $16, R10          \
	JNE   row               \
	VZEROUPPER              \
	RET

#define WHOLE VMOVUPS (SI), Z1
#define PART VMOVUPS.Z (SI), K2, Z1
#define PART2 VMOVUPS.Z 64(SI), K1, Z1

#define NOTHING

#define COMBINE(OP, LOAD, M, off) \
	LOAD                \
	OP      Z10, Z1, Z1 \
	VMOVUPS Z1, M off(DI)
#define PLUS(LOAD, M, off) COMBINE(VADDPS, LOAD, M, off)
#define MINUS(LOAD, M, off) COMBINE(VSUBPS, LOAD, M, off)
#define TIMESOWN(LOAD, M, off) COMBINE(VMULPS, LOAD, M, off)

// WITHOWN has the arguments (dst, x, own *float32, bounds *int32, rows int).
#define WITHOWN(EDGES) \
	MOVQ dst+0(FP), DI     \
	MOVQ x+8(FP), SI       \
	MOVQ own+16(FP), R8    \
	MOVQ bounds+24(FP), R9 \
	MOVQ rows+32(FP), R10  \
	WALK(NOTHING, EDGES, NOTHING, NOTHING, NOTHING)

// func segmentAddAVX512(dst, x, own *float32, bounds *int32, rows int)
TEXT ·segmentAddAVX512(SB), NOSPLIT, $0-40
	WITHOWN(PLUS)

// func segmentSubAVX512(dst, x, own *float32, bounds *int32, rows int)
TEXT ·segmentSubAVX512(SB), NOSPLIT, $0-40
	WITHOWN(MINUS)

// func segmentMulAVX512(dst, x, own *float32, bounds *int32, rows int)
TEXT ·segmentMulAVX512(SB), NOSPLIT, $0-40
	WITHOWN(TIMESOWN)

// A row's maximum begins with -Inf, and with what acc has if R11 tells that it goes on.
#define STARTMAX \
	VMOVAPS Z30, Z0            \
	KXORW   K3, K3, K3         \
	TESTQ   R11, R11           \
	JEQ     fresh              \
	VMOVUPS (DX), K6, Z1       \
	VCMPPS  $3, Z1, Z1, K6, K3 \
	VMAXPS  Z0, Z1, K6, Z0     \
fresh:

#define STARTMAX16 \
	VMOVAPS Z30, Z0            \
	KXORW   K3, K3, K3         \
	TESTQ   R11, R11           \
	JEQ     fresh16            \
	VMOVUPS (DX), Z1           \
	VCMPPS  $3, Z1, Z1, K3     \
	VMAXPS  Z0, Z1, Z0         \
fresh16:

#define ENDMAX16 \
	VMOVAPS Z31, K3, Z0 \
	VMOVUPS Z0, (DX)

#define SCOREMAX(LOAD, M, off) \
	LOAD                 \
	SCORE(M, off(R12), Z1)  \
	VMOVUPS Z1, M off(DI)

// func segmentScoreMaxAVX512(dst, pre, acc, x, own *float32, bounds *int32, rows int, slope float32, more bool)
TEXT ·segmentScoreMaxAVX512(SB), NOSPLIT, $0-61
	MOVQ    dst+0(FP), DI
	MOVQ    pre+8(FP), R12
	MOVQ    acc+16(FP), DX
	MOVQ    x+24(FP), SI
	MOVQ    own+32(FP), R8
	MOVQ    bounds+40(FP), R9
	MOVQ    rows+48(FP), R10
	VBROADCASTSS slope+56(FP), Z28
	MOVBQZX more+60(FP), R11
	MOVL    $1, AX
	KMOVW   AX, K6
	VPXORD  Z29, Z29, Z29
	VMOVUPS minusInfinity<>(SB), Z30
	VMOVUPS undefined<>(SB), Z31
	WALK(STARTMAX, SCOREMAX, ENDMAX(ordered), STARTMAX16, ENDMAX16)

// The sums are in the order of segmentSumOnesAVX512.
#define STARTSUM \
	VXORPS X0, X0, X0

#define ENDSUM \
	HALVE(VADDPS, VADDSS)  \
	VADDSS (DX), X0, X0    \
	VMOVSS X0, (DX)

#define ENDSUM16 \
	VADDPS  (DX), Z0, Z0   \
	VMOVUPS Z0, (DX)

#define EXPSUM(LOAD, M, off) \
	LOAD                    \
	VSUBPS  Z10, Z1, Z1     \
	EXP(Z1, Z2, Z3, Z4)     \
	VMOVUPS Z1, M off(DI)      \
	VADDPS  Z1, Z0, M Z0

// func segmentExpSumAVX512(dst, acc, x, own *float32, bounds *int32, rows int)
TEXT ·segmentExpSumAVX512(SB), NOSPLIT, $0-48
	MOVQ    dst+0(FP), DI
	MOVQ    acc+8(FP), DX
	MOVQ    x+16(FP), SI
	MOVQ    own+24(FP), R8
	MOVQ    bounds+32(FP), R9
	MOVQ    rows+40(FP), R10
	EXPCONSTS
	VMOVUPS highest<>(SB), V15
	VMOVUPS lowest<>(SB), V14
	WALK(STARTSUM, EXPSUM, ENDSUM, STARTSUM, ENDSUM16)

// With y at R12.
#define STEPSUM(LOAD, M, off) \
	LOAD                         \
	VCMPPS  $0x1E, Z28, Z1, K4   \
	VBLENDMPS Z29, Z30, K4, Z2   \
	VMULPS  off(R12), Z2, M Z2      \
	VMOVUPS Z2, M off(DI)           \
	VADDPS  Z2, Z0, M Z0

// func segmentStepSumAVX512(dst, acc, y, x *float32, bounds *int32, rows int, bound, above, below float32)
TEXT ·segmentStepSumAVX512(SB), NOSPLIT, $0-60
	MOVQ dst+0(FP), DI
	MOVQ acc+8(FP), DX
	MOVQ y+16(FP), R12
	MOVQ x+24(FP), SI
	MOVQ bounds+32(FP), R9
	MOVQ rows+40(FP), R10
	MOVQ DX, R8 // rows have no number that edges need
	VBROADCASTSS bound+48(FP), Z28
	VBROADCASTSS above+52(FP), Z29
	VBROADCASTSS below+56(FP), Z30
	WALK(STARTSUM, STEPSUM, ENDSUM, STARTSUM, ENDSUM16)
