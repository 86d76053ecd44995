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

// func segmentDotScaleSumOneAVX2(p *summing)
TEXT ·segmentDotScaleSumOneAVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTONE, DOTTEDONE, LINESONE)

// func segmentDotScaleSumTwoAVX2(p *summing)
TEXT ·segmentDotScaleSumTwoAVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTTWO, DOTTEDTWO, LINESTWO)

// func segmentDotScaleSumFourAVX2(p *summing)
TEXT ·segmentDotScaleSumFourAVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTFOUR, DOTTEDFOUR, LINESFOUR)

// func segmentDotScaleSumEightAVX2(p *summing)
TEXT ·segmentDotScaleSumEightAVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTEIGHT, DOTTEDEIGHT, LINESEIGHT)

// Sums of two blocks of eight vectors at once, in all registers, where nothing but rows is
// added: a row is then read in one go. AHEADWIDE of them take as much of the first cache as
// AHEAD256 blocks.
#define AHEADWIDE 16

#define SEVENMORE(OP) \
	OP(256, Y8)  \
	OP(288, Y9)  \
	OP(320, Y10) \
	OP(352, Y11) \
	OP(384, Y12) \
	OP(416, Y13) \
	OP(448, Y14)

#define FIRSTSIXTEEN(OP) \
	FIRSTEIGHT(OP) \
	SEVENMORE(OP)  \
	OP(480, Y15)

// func segmentGatherSumSixteenAVX2(p *summing)
TEXT ·segmentGatherSumSixteenAVX2(SB), NOSPLIT, $0-8
	BEGIN256
	MOVQ summing_by(CX), R13

row:
	NEXTROW256
	CMPQ summing_more(CX), $0
	JNE  more
	FIRSTSIXTEEN(ZERO)

begun:
	CMPQ AX, R14
	JGE  last

near:
	MOVLQSX    (4*AHEADWIDE)(R9)(AX*4), R15
	IMULQ      R8, R15
	ADDQ       SI, R15
	LINESEIGHT(R15)
	PREFETCHT0 256(R15)
	PREFETCHT0 320(R15)
	PREFETCHT0 384(R15)
	PREFETCHT0 448(R15)
	EDGE256(0, UNWEIGHED, FIRSTSIXTEEN(PLUS))
	INCQ       AX
	CMPQ       AX, R14
	JLT        near

last:
	CMPQ AX, BX
	JGE  taken

rest:
	EDGE256(0, UNWEIGHED, FIRSTSIXTEEN(PLUS))
	INCQ AX
	CMPQ AX, BX
	JLT  rest

taken:
	TESTQ       R13, R13
	JEQ         ended
	VMOVUPS     Y15, 480(DI)
	VBROADCASTS (R13), Y15
	ADDQ        $SIZE, R13
	FIRSTEIGHT(TIMESBY)
	SEVENMORE(TIMESBY)
	VMULP       480(DI), Y15, Y15

ended:
	CMPQ summing_past(CX), $0
	JNE  past
	FIRSTSIXTEEN(STORE)
	JMP  put

past:
	FIRSTSIXTEEN(PAST)

put:
	ENDROW

more:
	FIRSTSIXTEEN(LOAD)
	JMP begun
