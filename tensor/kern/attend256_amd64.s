//go:build amd64 && !noasm

// Attention over the edges of rows with AVX2, for one score an edge, whose exponentials are
// products: e^(s+o) is e^(s-c)·e^(o+c), of the vertex' number and the row's, and so is
// e^(λ(s+o)), which is meant where s+o is below 0. Rows are read in one walk, with the numbers of
// their vertices, which have been found before: what an edge's weight takes is a multiplication
// and a comparison beside those of its row, without a pass of its own, or a list.
//
// Forward, weights are less by the factor e^(o+c) of the row, as their sum is, too: what is left is
// e^(s-c), or e^(λ(s-c)) times e^((λ-1)(o+c)), and since λ ≤ 1 the one that is meant is the larger
// one. For rows so far below 0 that all their edges are, that factor is the least that says so:
// sums stay within the range of float32 whatever o is. Backward weights are what they are.
//
// The registers hold sums of 64 columns, or two sums of 32. Of more columns a row is read block by
// block before the next one, with the weights that were kept: where blocks of all rows follow each
// other, they miss the translations of addresses, too.

#include "go_asm.h"
#include "textflag.h"
#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "exp_amd64.h"
#include "segments256_amd64.h"
#include "attend_amd64.h"
#include "attend256_amd64.h"

SPLAT(minusInfinity<>, $0xFF800000)
SPLAT(minus40<>, $0xC2200000)
SPLAT(tiny<>, $0x0DA24260) // 1e-30: weights are e^-40 and more

// func attendPairsAVX2(a *powering)
// A vertex has e^(s-c) and e^(λ(s-c)).
TEXT ·attendPairsAVX2(SB), NOSPLIT, $0-8
	POWERS(NOTHING, PUTPAIRS, 64)

// func attendQuadsAVX2(a *powering)
// It has s, too, and one number more.
TEXT ·attendQuadsAVX2(SB), NOSPLIT, $0-8
	POWERS(NUMBERSBESIDE, PUTQUADS, 128)

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

// func attendForwardRowsAVX2(a *attendWalk)
// A row has what its weights below 0 are multiplied with and, less than which vertices' numbers
// are below 0, -o. Where o is no number weights are none.
TEXT ·attendForwardRowsAVX2(SB), NOSPLIT, $0-8
	BEGINROWS
	MOVQ attendWalk_ofRows(CX), DI

eight:
	VMOVUPS (SI), Y8
	VADDPS  Y15, Y8, Y0
	BELOW(Y0, Y0)
	RAISE(Y0, Y4, Y5, Y6)
	VSUBPS  Y8, Y8, Y1
	VADDPS  Y1, Y0, Y0
	VSUBPS  Y8, Y1, Y1
	PUTQUADS
	NEXTROWS(128)

// func attendBackRowsAVX2(a *attendWalk)
// Backward it has both powers of o-c, and -o.
TEXT ·attendBackRowsAVX2(SB), NOSPLIT, $0-8
	BEGINROWS
	MOVQ attendWalk_ofRows(CX), DI
	VXORPS Y13, Y13, Y13

eight:
	VMOVUPS (SI), Y8
	VSUBPS  Y15, Y8, Y0
	VMULPS  Y14, Y0, Y1
	RAISE(Y0, Y4, Y5, Y6)
	RAISE(Y1, Y4, Y5, Y6)
	VSUBPS  Y8, Y13, Y2
	PUTQUADS
	NEXTROWS(128)

// func attendTotalsAVX2(a *attendWalk)
// Of rows' largest numbers, sums and second sums, it makes largest scores and the sums of what is
// relative to these.
TEXT ·attendTotalsAVX2(SB), NOSPLIT, $0-8
	BEGINROWS
	MOVQ attendWalk_totals(CX), DI
	MOVQ attendWalk_toNext(CX), DX

eight:
	VMOVUPS   (SI), Y8
	VMOVUPS   (DI), Y9
	VMOVUPS   minusInfinity<>(SB), Y10
	VCMPPS    $4, Y10, Y9, Y10 // the row has edges
	VADDPS    Y8, Y9, Y0
	VMULPS    Y14, Y0, Y1
	VBLENDVPS Y0, Y1, Y0, Y0
	VANDPS    Y10, Y0, Y0
	VMOVUPS   Y0, (DI)
	VADDPS    Y15, Y8, Y1
	VMULPS    Y14, Y1, Y2
	BELOW(Y1, Y1)
	VSUBPS    Y0, Y2, Y0
	VSUBPS    Y1, Y0, Y0
	RAISE(Y0, Y4, Y5, Y6)
	VANDPS    Y10, Y0, Y0
	VMULPS    (DI)(DX*1), Y0, Y1
	VMOVUPS   Y1, (DI)(DX*1)
	VMULPS    (DI)(DX*2), Y0, Y1
	VMOVUPS   Y1, (DI)(DX*2)
	NEXTROWS(32)

// func attendAloneOneAVX2(a *attendWalk)
TEXT ·attendAloneOneAVX2(SB), NOSPLIT, $64-8
	ALONE(FIRSTONE, AHEAD256, LINESONE, NOTHING, ENDROW)

// func attendAloneTwoAVX2(a *attendWalk)
TEXT ·attendAloneTwoAVX2(SB), NOSPLIT, $64-8
	ALONE(FIRSTTWO, AHEAD256, LINESTWO, NOTHING, ENDROW)

// func attendAloneFourAVX2(a *attendWalk)
TEXT ·attendAloneFourAVX2(SB), NOSPLIT, $64-8
	ALONE(FIRSTFOUR, AHEAD256, LINESFOUR, NOTHING, ENDROW)

// func attendAloneEightAVX2(a *attendWalk)
TEXT ·attendAloneEightAVX2(SB), NOSPLIT, $64-8
	ALONE(FIRSTEIGHT, AHEAD256, LINESEIGHT, NOTHING, ENDROW)

// func attendAloneWideAVX2(a *attendWalk)
TEXT ·attendAloneWideAVX2(SB), NOSPLIT, $64-8
	ALONE(FIRSTEIGHT, HALFAHEAD, LINESEIGHT, KEEP, BLOCKSONCE)

// func attendOnceOneAVX2(a *attendWalk)
TEXT ·attendOnceOneAVX2(SB), NOSPLIT, $64-8
	TOLD(FIRSTONE, AHEAD256, LINESONE, NOTHING, ENDROW)

// func attendOnceTwoAVX2(a *attendWalk)
TEXT ·attendOnceTwoAVX2(SB), NOSPLIT, $64-8
	TOLD(FIRSTTWO, AHEAD256, LINESTWO, NOTHING, ENDROW)

// func attendOnceFourAVX2(a *attendWalk)
TEXT ·attendOnceFourAVX2(SB), NOSPLIT, $64-8
	TOLD(FIRSTFOUR, AHEAD256, LINESFOUR, NOTHING, ENDROW)

// func attendOnceEightAVX2(a *attendWalk)
TEXT ·attendOnceEightAVX2(SB), NOSPLIT, $64-8
	TOLD(FIRSTEIGHT, AHEAD256, LINESEIGHT, NOTHING, ENDROW)

// func attendOnceWideAVX2(a *attendWalk)
TEXT ·attendOnceWideAVX2(SB), NOSPLIT, $64-8
	TOLD(FIRSTEIGHT, HALFAHEAD, LINESEIGHT, KEEP, BLOCKSONCE)

// func attendTwiceOneAVX2(a *attendWalk)
TEXT ·attendTwiceOneAVX2(SB), NOSPLIT, $96-8
	TWOAROW(FIRSTONE, SECONDONE, TWICEONE, LINESONE, NOTHING, ENDROW)

// func attendTwiceTwoAVX2(a *attendWalk)
TEXT ·attendTwiceTwoAVX2(SB), NOSPLIT, $96-8
	TWOAROW(FIRSTTWO, SECONDTWO, TWICETWO, LINESTWO, NOTHING, ENDROW)

// func attendTwiceFourAVX2(a *attendWalk)
TEXT ·attendTwiceFourAVX2(SB), NOSPLIT, $96-8
	TWOAROW(FIRSTFOUR, SECONDFOUR, TWICEFOUR, LINESFOUR, NOTHING, ENDROW)

// func attendTwiceWideAVX2(a *attendWalk)
TEXT ·attendTwiceWideAVX2(SB), NOSPLIT, $96-8
	TWOAROW(FIRSTFOUR, SECONDFOUR, TWICEFOUR, LINESFOUR, KEEPBOTH, BLOCKSTWICE)

// func attendBackOneAVX2(a *attendWalk)
TEXT ·attendBackOneAVX2(SB), NOSPLIT, $64-8
	BACKROW(FIRSTONE, SECONDONE, TWICEONE, LINESONE)

// func attendBackTwoAVX2(a *attendWalk)
TEXT ·attendBackTwoAVX2(SB), NOSPLIT, $64-8
	BACKROW(FIRSTTWO, SECONDTWO, TWICETWO, LINESTWO)

// func attendBackFourAVX2(a *attendWalk)
TEXT ·attendBackFourAVX2(SB), NOSPLIT, $64-8
	BACKROW(FIRSTFOUR, SECONDFOUR, TWICEFOUR, LINESFOUR)

// func attendBackEightAVX2(a *attendWalk)
TEXT ·attendBackEightAVX2(SB), NOSPLIT, $160-8
	BACKROWS(NOTHING, NOTHING)

// func attendBackWideAVX2(a *attendWalk)
TEXT ·attendBackWideAVX2(SB), NOSPLIT, $160-8
	BACKROWS(KEEPBOTH, BLOCKSBACK)
