//go:build amd64 && !noasm

// Segments of float32 with AVX2, and what attention adds to their sums.

#include "go_asm.h"
#include "textflag.h"
#include "segments256_amd64.h"

// func segmentGatherSumOneAVX2(p *summing)
TEXT ·segmentGatherSumOneAVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTONE, ODDONE, JOINONE, UNWEIGHED, PLUS, LINESONE)

// func segmentGatherSumTwoAVX2(p *summing)
TEXT ·segmentGatherSumTwoAVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTTWO, ODDTWO, JOINTWO, UNWEIGHED, PLUS, LINESTWO)

// func segmentGatherSumFourAVX2(p *summing)
TEXT ·segmentGatherSumFourAVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTFOUR, ODDFOUR, JOINFOUR, UNWEIGHED, PLUS, LINESFOUR)

// func segmentGatherSumEightAVX2(p *summing)
TEXT ·segmentGatherSumEightAVX2(SB), NOSPLIT, $0-8
	WIDE(UNWEIGHED, PLUS)

// func segmentScaleSumOneAVX2(p *summing)
TEXT ·segmentScaleSumOneAVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTONE, ODDONE, JOINONE, BYEDGE, SCALE, LINESONE)

// func segmentScaleSumTwoAVX2(p *summing)
TEXT ·segmentScaleSumTwoAVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTTWO, ODDTWO, JOINTWO, BYEDGE, SCALE, LINESTWO)

// func segmentScaleSumFourAVX2(p *summing)
TEXT ·segmentScaleSumFourAVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTFOUR, ODDFOUR, JOINFOUR, BYEDGE, SCALE, LINESFOUR)

// func segmentScaleSumEightAVX2(p *summing)
TEXT ·segmentScaleSumEightAVX2(SB), NOSPLIT, $0-8
	WIDE(BYEDGE, SCALE)

// func segmentFactorSumOneAVX2(p *summing)
TEXT ·segmentFactorSumOneAVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTONE, ODDONE, JOINONE, BYVERTEX, SCALE, LINESONE)

// func segmentFactorSumTwoAVX2(p *summing)
TEXT ·segmentFactorSumTwoAVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTTWO, ODDTWO, JOINTWO, BYVERTEX, SCALE, LINESTWO)

// func segmentFactorSumFourAVX2(p *summing)
TEXT ·segmentFactorSumFourAVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTFOUR, ODDFOUR, JOINFOUR, BYVERTEX, SCALE, LINESFOUR)

// func segmentFactorSumEightAVX2(p *summing)
TEXT ·segmentFactorSumEightAVX2(SB), NOSPLIT, $0-8
	WIDE(BYVERTEX, SCALE)

// func segmentScaleSumsOneAVX2(p *summing)
TEXT ·segmentScaleSumsOneAVX2(SB), NOSPLIT, $0-8
	TWOSUMS(FIRSTONE, SECONDONE, TWICEONE, LINESONE)

// func segmentScaleSumsTwoAVX2(p *summing)
TEXT ·segmentScaleSumsTwoAVX2(SB), NOSPLIT, $0-8
	TWOSUMS(FIRSTTWO, SECONDTWO, TWICETWO, LINESTWO)

// func segmentScaleSumsFourAVX2(p *summing)
TEXT ·segmentScaleSumsFourAVX2(SB), NOSPLIT, $0-8
	TWOSUMS(FIRSTFOUR, SECONDFOUR, TWICEFOUR, LINESFOUR)

// SUMANDDOT is two sums a row, of which the second is multiplied with another row of the
// row's own and added up to a number, which goes on from what is there.
#define SUMANDDOT(FIRST, SECOND, ADD, DOT, LINES) \
	BEGIN256                                 \
	MOVQ         summing_w2(CX), R13         \
	SUBQ         summing_firstBytes(CX), R13 \
row:                                         \
	NEXTROW256                               \
	FIRST(ZERO)                              \
	SECOND(ZERO)                             \
	CMPQ         AX, BX                      \
	JGE          ended                       \
	EDGES256(BYBOTH, ADD, LINES)             \
	MOVQ         summing_toSecond(CX), DX    \
	ADDQ         DI, DX                      \
	VMULPS       (DX), Y4, Y4                \
	DOT                                      \
	VEXTRACTF128 $1, Y4, X5                  \
	VADDPS       X5, X4, X4                  \
	VMOVHLPS     X4, X4, X5                  \
	VADDPS       X5, X4, X4                  \
	VMOVSHDUP    X4, X5                      \
	VADDSS       X5, X4, X4                  \
	MOVQ         R10, R15                    \
	SUBQ         summing_bounds(CX), R15     \
	ADDQ         summing_dots(CX), R15       \
	VADDSS       -4(R15), X4, X4             \
	VMOVSS       X4, -4(R15)                 \
ended:                                       \
	CMPQ         summing_past(CX), $0        \
	JNE          past                        \
	FIRST(STORE)                             \
	JMP          put                         \
past:                                        \
	FIRST(PAST)                              \
put:                                         \
	ENDROW

#define DOTTWO VFMADD231PS 32(DX), Y5, Y4
#define DOTFOUR \
	DOTTWO                     \
	VFMADD231PS 64(DX), Y6, Y4 \
	VFMADD231PS 96(DX), Y7, Y4

// func segmentSumAndDotOneAVX2(p *summing)
TEXT ·segmentSumAndDotOneAVX2(SB), NOSPLIT, $0-8
	SUMANDDOT(FIRSTONE, SECONDONE, TWICEONE, NOTHING, LINESONE)

// func segmentSumAndDotTwoAVX2(p *summing)
TEXT ·segmentSumAndDotTwoAVX2(SB), NOSPLIT, $0-8
	SUMANDDOT(FIRSTTWO, SECONDTWO, TWICETWO, DOTTWO, LINESTWO)

// func segmentSumAndDotFourAVX2(p *summing)
TEXT ·segmentSumAndDotFourAVX2(SB), NOSPLIT, $0-8
	SUMANDDOT(FIRSTFOUR, SECONDFOUR, TWICEFOUR, DOTFOUR, LINESFOUR)
