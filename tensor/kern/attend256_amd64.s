//go:build amd64 && !noasm

// Attention over the edges of rows with AVX2, for one score an edge, whose exponentials are
// products: e^(s+o) is e^(s-c)·e^(o+c), of the vertex' number and the row's, and so is
// e^(λ(s+o)), which is meant where s+o is below 0. What is of vertices is picked edge by edge;
// then it is known of all rows what theirs is, and then rows are summed up: in the order of
// edges, with their weights, or, where backward wants the same sum with a step by the sign of s+o
// and the registers do not hold both, by two lists of the edges above 0 and those below. Their
// weights are of vertices alone, and both sums are made of theirs.

#include "go_asm.h"
#include "textflag.h"
#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "exp_amd64.h"
#include "segments256_amd64.h"
#include "attendparts256_amd64.h"
#include "attend256_amd64.h"

SPLAT(minusInfinity<>, $0xFF800000)
DATA eightLanes<>(SB)/8, $8
GLOBL eightLanes<>(SB), RODATA|NOPTR, $8

// func attendFactorsAVX2(a *factoring)
// Backward a vertex has e^(s+c-most) f, e^(λ(s+c)-most) f, s, and what its gradients have in common.
TEXT ·attendFactorsAVX2(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), CX
	MOVQ factoring_factors(CX), DI
	MOVQ factoring_scores(CX), SI
	MOVQ factoring_most(CX), R8
	MOVQ factoring_by(CX), R9
	MOVQ factoring_less(CX), R10
	MOVQ factoring_n(CX), BX
	VBROADCASTSS factoring_slope(CX), Y14
	VBROADCASTSS factoring_centre(CX), Y15
	XORQ AX, AX

eight:
	VMOVUPS (SI)(AX*4), Y2
	VADDPS  Y15, Y2, Y0
	VMULPS  Y14, Y0, Y1
	VSUBPS  (R8)(AX*4), Y0, Y0
	VSUBPS  (R8)(AX*4), Y1, Y1
	VMOVUPS factoring_largest(CX), Y4
	VMAXPS  Y4, Y0, Y4
	VMAXPS  Y4, Y1, Y4
	VMOVUPS Y4, factoring_largest(CX)
	RAISE(Y0, Y8, Y9, Y10)
	RAISE(Y1, Y11, Y12, Y13)
	VMOVUPS (R9)(AX*4), Y4
	VMOVUPS factoring_smallest(CX), Y5
	VMINPS  Y5, Y4, Y5
	VMOVUPS Y5, factoring_smallest(CX)
	VMULPS  Y4, Y0, Y0
	VMULPS  Y4, Y1, Y1
	VMOVUPS (R10)(AX*4), Y3
	VDIVPS  Y4, Y3, Y3
	PUTQUADS
	ADDQ    $8, AX
	ADDQ    $128, DI
	CMPQ    AX, BX
	JLT     eight
	VZEROUPPER
	RET

// func attendPickAVX2(a *apart)
// Forward, the scores of vertices are picked edge by edge: they lie in lists then, and so do their
// powers e^(s-c) and e^(λ(s-c)).
TEXT ·attendPickAVX2(SB), NOSPLIT, $32-8
	BEGINPICKING
	VBROADCASTSS apart_slope(CX), Y14
	VBROADCASTSS apart_centre(CX), Y15
	PICKING(FETCHSCORES, GETPOWERS, PUTPOWERS)

// func attendBackPickAVX2(a *apart)
// Backward, four numbers are.
TEXT ·attendBackPickAVX2(SB), NOSPLIT, $32-8
	BEGINPICKING
	LEAQ (R13)(R13*2), R14
	PICKING(FETCHQUADS, GETQUADS, PUTFOUR)

// func attendBackSumsAVX2(a *apart)
// Rows have what is subtracted from gradients.
TEXT ·attendBackSumsAVX2(SB), NOSPLIT, $0-8
	SUMEDGES(LESS)

// func attendBackWeightsAVX2(a *apart)
// Their edges' weights, in their order, and the same times the steps.
TEXT ·attendBackWeightsAVX2(SB), NOSPLIT, $0-8
	WEIGHEDGES

// func attendApartAVX2(a *apart)
TEXT ·attendApartAVX2(SB), NOSPLIT, $0-8
	LISTEDGES(POWERS, LARGESTPUT)

// func attendBackApartAVX2(a *apart)
TEXT ·attendBackApartAVX2(SB), NOSPLIT, $0-8
	LISTEDGES(LESS, NOTHING)

// What rows multiply their two sums with, 8 rows at a time: SI their own numbers, R8 what was
// summed up of them, DI four factors a row.
#define BEGINROWS \
	MOVQ a+0(FP), CX              \
	MOVQ apart_own(CX), SI        \
	MOVQ apart_numbers(CX), R8    \
	MOVQ apart_rowFactors(CX), DI    \
	MOVQ apart_toNext(CX), R9     \
	MOVQ summing_rows(CX), BX     \
	VBROADCASTSS apart_slope(CX), Y14

#define ENDROWS \
	PUTQUADS      \
	ADDQ $32, SI  \
	ADDQ $32, R8  \
	ADDQ $128, DI \
	SUBQ $8, BX   \
	JGT  eight    \
	VZEROUPPER    \
	RET

// func attendRowsAVX2(a *apart)
TEXT ·attendRowsAVX2(SB), NOSPLIT, $0-8
	BEGINROWS

eight:
	VMOVUPS (SI), Y0
	VMOVUPS (R8), Y8
	VADDPS  Y8, Y0, Y2
	VMULPS  Y14, Y2, Y3
	VBLENDVPS Y2, Y3, Y2, Y2 // the largest score
	VMOVUPS minusInfinity<>(SB), Y15
	VCMPPS  $4, Y15, Y8, Y15 // the row has edges
	VANDPS  Y15, Y2, Y2
	VMOVUPS Y2, (R8)
	VBROADCASTSS apart_centre(CX), Y4
	VADDPS  Y4, Y0, Y0
	VMULPS  Y14, Y0, Y1
	VSUBPS  Y2, Y0, Y0
	VSUBPS  Y2, Y1, Y1
	RAISE(Y0, Y4, Y5, Y6)
	RAISE(Y1, Y4, Y5, Y6)
	VANDPS  Y15, Y0, Y0
	VANDPS  Y15, Y1, Y1
	VMULPS  (R8)(R9*1), Y0, Y2
	VMULPS  (R8)(R9*2), Y1, Y3
	VADDPS  Y2, Y3, Y8 // the sum
	VMOVUPS Y8, (R8)(R9*1)
	VBROADCASTSS apart_more(CX), Y4
	VBROADCASTSS apart_less(CX), Y5
	VMULPS  Y4, Y2, Y2
	VFMADD231PS Y5, Y3, Y2
	VMOVUPS Y2, (R8)(R9*2) // the second sum
	VBROADCASTSS apart_least(CX), Y9
	VMAXPS  Y8, Y9, Y8
	VMOVUPS one<>(SB), Y9
	VDIVPS  Y8, Y9, Y8
	VMULPS  Y8, Y0, Y0
	VMULPS  Y8, Y1, Y1
	VMULPS  Y4, Y0, Y2
	VMULPS  Y5, Y1, Y3
	ENDROWS

// func attendBackRowsAVX2(a *apart)
// The sums begin with what they are less.
TEXT ·attendBackRowsAVX2(SB), NOSPLIT, $0-8
	BEGINROWS
	VBROADCASTSS apart_centre(CX), Y15
	VXORPS       Y13, Y13, Y13

eight:
	VMOVUPS (SI), Y0
	VSUBPS  Y15, Y0, Y0
	VMULPS  Y14, Y0, Y1
	RAISE(Y0, Y4, Y5, Y6)
	RAISE(Y1, Y4, Y5, Y6)
	VBROADCASTSS apart_more(CX), Y2
	VBROADCASTSS apart_less(CX), Y3
	VMULPS  Y0, Y2, Y2
	VMULPS  Y1, Y3, Y3
	VMULPS  (R8)(R9*1), Y2, Y8
	VFMADD231PS (R8)(R9*2), Y3, Y8
	VSUBPS  Y8, Y13, Y8
	VMOVUPS Y8, (R8)(R9*1)
	ENDROWS

// func attendListsTwiceOneAVX2(a *apart)
TEXT ·attendListsTwiceOneAVX2(SB), NOSPLIT, $256-8
	LISTS(FIRSTONE, LINESONE, NOTHING, NOTHING, NOTHING, BESIDE, WITHSTEPS, WITHSTEPSPAST, NOTHING)

// func attendListsTwiceTwoAVX2(a *apart)
TEXT ·attendListsTwiceTwoAVX2(SB), NOSPLIT, $256-8
	LISTS(FIRSTTWO, LINESTWO, NOTHING, NOTHING, NOTHING, BESIDE, WITHSTEPS, WITHSTEPSPAST, NOTHING)

// func attendListsTwiceFourAVX2(a *apart)
TEXT ·attendListsTwiceFourAVX2(SB), NOSPLIT, $256-8
	LISTS(FIRSTFOUR, LINESFOUR, NOTHING, NOTHING, NOTHING, BESIDE, WITHSTEPS, WITHSTEPSPAST, NOTHING)

// func attendListsTwiceEightAVX2(a *apart)
TEXT ·attendListsTwiceEightAVX2(SB), NOSPLIT, $256-8
	LISTS(FIRSTEIGHT, LINESEIGHT, NOTHING, NOTHING, NOTHING, BESIDE, WITHSTEPS, WITHSTEPSPAST, NOTHING)

// func attendListsBackOneAVX2(a *apart)
TEXT ·attendListsBackOneAVX2(SB), NOSPLIT, $272-8
	LISTS(FIRSTONE, LINESONE, BEGINDOTS, DOTSABOVE(FIRSTONE), DOTSBELOW(FIRSTONE), NOTHING, JOINED, JOINED, ENDDOTS)

// func attendListsBackTwoAVX2(a *apart)
TEXT ·attendListsBackTwoAVX2(SB), NOSPLIT, $272-8
	LISTS(FIRSTTWO, LINESTWO, BEGINDOTS, DOTSABOVE(FIRSTTWO), DOTSBELOW(FIRSTTWO), NOTHING, JOINED, JOINED, ENDDOTS)

// func attendListsBackFourAVX2(a *apart)
TEXT ·attendListsBackFourAVX2(SB), NOSPLIT, $272-8
	LISTS(FIRSTFOUR, LINESFOUR, BEGINDOTS, DOTSABOVE(FIRSTFOUR), DOTSBELOW(FIRSTFOUR), NOTHING, JOINED, JOINED, ENDDOTS)

// func attendListsBackEightAVX2(a *apart)
TEXT ·attendListsBackEightAVX2(SB), NOSPLIT, $272-8
	LISTS(FIRSTEIGHT, LINESEIGHT, BEGINDOTS, DOTSABOVE(FIRSTEIGHT), DOTSBELOW(FIRSTEIGHT), NOTHING, JOINED, JOINED, ENDDOTS)
