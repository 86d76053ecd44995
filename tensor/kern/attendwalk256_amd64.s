//go:build amd64 && !noasm

// Attention over the edges of rows with AVX2, for one score an edge and a block of columns:
// scores, their exponentials, and the sums of rows that these weigh, in one walk. The weights
// of a block of edges are computed just before their rows are read: a processor does it while it
// waits for rows. They stay in memory, too: for further blocks of columns, they are what the
// kernels of segments weigh edges with.
//
// Exponentials are of the distance from a reference, which is the row's first score
// until another one is much larger; then what was summed up is scaled (as in the online
// softmax of FlashAttention, Dao et al. 2022). In the end all is made relative to the
// largest score.

#include "go_asm.h"
#include "textflag.h"
#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "exp_amd64.h"
#include "segments256_amd64.h"
#include "attendparts256_amd64.h"
#include "attendwalk256_amd64.h"

SPLAT(minusInfinity<>, $0xFF800000)
SPLAT(mostNegative<>, $0xFF7FFFFF)
SPLAT(undefined<>, $0x7FC00000) // NaN
SPLAT(far<>, $0x41000000) // 8: scores are rarely so much larger, and sums of e^8 no less precise

// R13 is the scores of vertices, picked; Y8 the reference, Y9 the second sum, Y10 the
// sum, Y11 the largest score.
#define rowEnd 184(SP)
#define farAbove 192(SP)
#define spared 224(SP)
#define raised 256(SP)
#define toMost 288(SP)
#define toSums2 296(SP)
#define toBy 304(SP)
#define rowStart 312(SP)
#define undefinedLanes 320(SP)

// PICK copies the score of the vertex PICKED256 edges ahead, and fetches the row of the one
// AHEAD256 ahead.
#define PICK(LINES) \
	MOVLQSX (4*PICKED256)(R9)(AX*4), DX       \
	VMOVSS  (R14)(DX*4), X12                  \
	VMOVSS  X12, (4*PICKED256)(R13)(AX*4)     \
	MOVLQSX (4*AHEAD256)(R9)(AX*4), DX        \
	IMULQ   R8, DX                            \
	ADDQ    SI, DX                            \
	LINES(DX)

// WITHSECOND is BYBOTH with the second weights at R15.
#define WITHSECOND(n) \
	BYEDGE(n)                           \
	VBROADCASTSS (4*n)(R15)(AX*4), Y14

// BLOCK begins with the next 32 edges of the row, or as many as there are: of so many the weights
// are computed before their rows are read, 8 at a time from edge R11 on, for one after another
// they take long, beside each other they do not.
#define BLOCK \
	LEAQ    32(AX), BX \
	CMPQ    BX, rowEnd \
	CMOVQGT rowEnd, BX \
	MOVQ    AX, R11

// EACH runs EDGE over the block's edges, with FETCH before it where there are edges ahead.
#define EACH(FETCH, EDGE) \
	MOVQ    summing_ahead(CX), R11 \
	CMPQ    R11, BX                \
	CMOVQGT BX, R11                \
	CMPQ AX, R11 \
	JGE  last    \
near:          \
	FETCH        \
	EDGE         \
	INCQ AX      \
	CMPQ AX, R11 \
	JLT  near    \
last:          \
	CMPQ AX, BX  \
	JGE  taken   \
rest:          \
	EDGE         \
	INCQ AX      \
	CMPQ AX, BX  \
	JLT  rest    \
taken:

// PUTROW writes the sums of a row by ROWS, or past the caches by PASTROWS, and goes on.
#define PUTROW(ROWS, PASTROWS) \
	CMPQ summing_past(CX), $0 \
	JNE  past                 \
	ROWS                      \
	JMP  put                  \
past:                       \
	PASTROWS                  \
put:                        \
	ENDROW

// REFER makes Y8 the reference.
#define REFER \
	VADDPS  far<>(SB), Y8, Y12 \
	VMOVUPS Y12, farAbove

// FORWARD is attention's forward pass: ALL is for the registers of sums, STEP, STEPPED,
// STEPPEDPUT, STEPPEDLARGER and STEPPEDEND for the second sums.
#define FORWARD(ALL, LINES, EDGE, STEP, STEPPED, STEPPEDPUT, STEPPEDLARGER, STEPPEDEND, ROWS, PASTROWS) \
	BEGINATTENTION                            \
	BESIDEBOUNDS(weighing_most(CX), toMost)   \
	BESIDEBOUNDS(weighing_sums2(CX), toSums2) \
	BESIDEBOUNDS(summing_by(CX), toBy)        \
	MOVQ    weighing_scores(CX), R13          \
	SUBQ    summing_firstBytes(CX), R13       \
	MOVQ    weighing_filled(CX), BX           \
	MOVQ    AX, R11                           \
	JMP     filled                            \
fill:                                       \
	MOVLQSX (R9)(R11*4), DX                   \
	VMOVSS  (R14)(DX*4), X12                  \
	VMOVSS  X12, (R13)(R11*4)                 \
	INCQ    R11                               \
filled:                                     \
	CMPQ    R11, BX                           \
	JLT     fill                              \
row:                                        \
	ADDQ    $4, R10                           \
	MOVLQSX (R10), BX                         \
	MOVQ    BX, rowEnd                        \
	ALL(ZERO)                                 \
	VXORPS  Y9, Y9, Y9                        \
	VXORPS  Y10, Y10, Y10                     \
	VXORPS  Y11, Y11, Y11                     \
	VXORPS  Y15, Y15, Y15                     \
	CMPQ    AX, BX                            \
	JGE     ended                             \
	MOVQ    AX, rowStart                      \
	MOVQ    $0, undefinedLanes                \
	MOVQ    toOwn, DX                         \
	VBROADCASTSS ROWNUMBER, Y12               \
	VMOVUPS Y12, ownNumber                    \
	VBROADCASTSS (R13)(AX*4), Y13             \
	VADDPS  Y13, Y12, Y12                     \
	RECTIFY(Y12, Y13)                         \
	VMAXPS  mostNegative<>(SB), Y12, Y8       \
	REFER                                     \
	VMOVUPS minusInfinity<>(SB), Y11          \
block:                                      \
	BLOCK                                     \
eight:                                      \
	EIGHT                                     \
	VMOVUPS (R15), Y14                        \
	MOVQ    secondWeights, R15                \
	VMOVUPS (R13)(R11*4), Y12                  \
	VADDPS  ownNumber, Y12, Y12               \
	STEP                                      \
	RECTIFY(Y12, Y13)                         \
	VMOVUPS minusInfinity<>(SB), Y13          \
	VBLENDVPS Y14, Y12, Y13, Y12              \
	VMAXPS  Y12, Y11, Y11                     \
	VCMPPS  $0x16, farAbove, Y12, Y13         \
	VMOVMSKPS Y13, DX                         \
	TESTL   DX, DX                            \
	JNE     larger                            \
close:                                      \
	VSUBPS  Y8, Y12, Y12                      \
	RAISE(Y12, Y13, Y14, Y15)                 \
	VADDPS  Y12, Y10, Y10                     \
	STEPPED                                   \
	MASKS(Y12, unmasked)                      \
unmasked:                                   \
	VMOVUPS Y12, (R12)(R11*4)                  \
	STEPPEDPUT                                \
	ADDQ    $8, R11                           \
	CMPQ    R11, BX                           \
	JLT     eight                             \
	EACH(PICK(LINES), EDGE)                   \
	CMPQ    AX, rowEnd                        \
	JLT     block                             \
	ACROSS(VMAXPS, Y11, Y12)                  \
	VSUBPS  Y11, Y8, Y12                      \
	RAISE(Y12, Y13, Y14, Y15)                 \
	CMPQ    undefinedLanes, $0                \
	JEQ     ordered                           \
	VMOVUPS undefined<>(SB), Y11              \
ordered:                                    \
	ACROSS(VADDPS, Y10, Y13)                  \
	VMULPS  Y12, Y10, Y10                     \
	STEPPEDEND                                \
	VBROADCASTSS weighing_least(CX), Y13      \
	VMAXPS  Y10, Y13, Y13                     \
	VDIVPS  Y13, Y12, Y15                     \
	ALL(TIMESBY)                                \
ended:                                      \
	MOVQ    toMost, DX                        \
	VMOVSS  X11, ROWNUMBER                    \
	MOVQ    toSums2, DX                       \
	VMOVSS  X9, ROWNUMBER                     \
	MOVQ    toSums, DX                        \
	VMOVSS  X10, ROWNUMBER                    \
	MOVQ    toBy, DX                          \
	VMOVSS  X15, ROWNUMBER                    \
	PUTROW(ROWS, PASTROWS)                    \
larger:                                     \
	VMOVUPS   Y12, spared                     \
	VCMPPS    $3, Y12, Y12, Y13               \
	VMOVMSKPS Y13, DX                         \
	ORQ       DX, undefinedLanes              \
	VMOVUPS   minusInfinity<>(SB), Y14        \
	VBLENDVPS Y13, Y14, Y12, Y12              \
	ACROSS(VMAXPS, Y12, Y13)                  \
	VMAXPS    Y12, Y8, Y12                    \
	VMOVUPS   Y12, raised                     \
	VSUBPS    Y12, Y8, Y15                    \
	RAISE(Y15, Y12, Y13, Y14)                 \
	ALL(TIMESBY)                                \
	VMULPS    Y15, Y10, Y10                   \
	VMULPS    Y15, Y9, Y9                     \
	MOVQ      rowStart, DX                    \
	JMP       rescaled                        \
rescale:                                    \
	VMULPS    (R12)(DX*4), Y15, Y12           \
	VMOVUPS   Y12, (R12)(DX*4)                \
	STEPPEDLARGER                             \
	ADDQ      $8, DX                          \
rescaled:                                   \
	CMPQ      DX, R11                         \
	JLT       rescale                         \
	VMOVUPS   raised, Y8                      \
	REFER                                     \
	VMOVUPS   spared, Y12                     \
	JMP       close

#define FORWARDONCE(FIRST, OP, LINES) \
	FORWARD(FIRST, LINES, EDGE256(0, BYEDGE, FIRST(OP)), NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, FIRST(STORE), FIRST(PAST))

// What FORWARD does for the second sums, which weigh edges by their steps, too.
#define STEPTO \
	STEPS(Y12, Y13, Y15)     \
	VMOVUPS Y13, (R15)(R11*4)
#define STEPPEDSUM \
	VMULPS (R15)(R11*4), Y12, Y13 \
	VADDPS Y13, Y9, Y9
#define STEPPEDPUTS \
	VMULPS  (R15)(R11*4), Y12, Y13 \
	VMOVUPS Y13, (R15)(R11*4)
#define STEPPEDRESCALE \
	VMULPS  (R15)(DX*4), Y15, Y12 \
	VMOVUPS Y12, (R15)(DX*4)
#define STEPPEDSUMEND \
	ACROSS(VADDPS, Y9, Y13) \
	VMULPS Y12, Y9, Y9

#define BOTH(FIRST, OP, SECOND, OP2) \
	MOVQ summing_toSecond(CX), DX \
	ADDQ DI, DX                   \
	FIRST(OP)                     \
	SECOND(OP2)
#define FORWARDTWICE(ALL, FIRST, SECOND, ADD, LINES) \
	FORWARD(ALL, LINES, EDGE256(0, WITHSECOND, ADD), STEPTO, STEPPEDSUM, STEPPEDPUTS, STEPPEDRESCALE, STEPPEDSUMEND, BOTH(FIRST, STORE, SECOND, STORE2), BOTH(FIRST, PAST, SECOND, PAST2))
#define ALLONE(OP) \
	FIRSTONE(OP)  \
	SECONDONE(OP)
#define ALLTWO(OP) \
	FIRSTTWO(OP)  \
	SECONDTWO(OP)
#define ALLFOUR(OP) \
	FIRSTFOUR(OP)  \
	SECONDFOUR(OP)

// func attendOneAVX2(a *weighing)
TEXT ·attendOneAVX2(SB), NOSPLIT, $328-8
	FORWARDONCE(FIRSTONE, SCALE, LINESONE)

// func attendTwoAVX2(a *weighing)
TEXT ·attendTwoAVX2(SB), NOSPLIT, $328-8
	FORWARDONCE(FIRSTTWO, SCALE, LINESTWO)

// func attendFourAVX2(a *weighing)
TEXT ·attendFourAVX2(SB), NOSPLIT, $328-8
	FORWARDONCE(FIRSTFOUR, SCALE, LINESFOUR)

// func attendEightAVX2(a *weighing)
TEXT ·attendEightAVX2(SB), NOSPLIT, $328-8
	FORWARDONCE(FIRSTEIGHT, SCALE, LINESEIGHT)

// func attendTwiceOneAVX2(a *weighing)
TEXT ·attendTwiceOneAVX2(SB), NOSPLIT, $328-8
	FORWARDTWICE(ALLONE, FIRSTONE, SECONDONE, TWICEONE, LINESONE)

// func attendTwiceTwoAVX2(a *weighing)
TEXT ·attendTwiceTwoAVX2(SB), NOSPLIT, $328-8
	FORWARDTWICE(ALLTWO, FIRSTTWO, SECONDTWO, TWICETWO, LINESTWO)

// func attendTwiceFourAVX2(a *weighing)
TEXT ·attendTwiceFourAVX2(SB), NOSPLIT, $328-8
	FORWARDTWICE(ALLFOUR, FIRSTFOUR, SECONDFOUR, TWICEFOUR, LINESFOUR)
