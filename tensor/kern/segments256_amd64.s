//go:build amd64 && !noasm

// Segments of float32 with AVX2, and what attention adds to their sums.

#include "go_asm.h"
#include "textflag.h"
#include "segments256_amd64.h"
#include "wide256_amd64.h"

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
	DOTSUM(FIRSTONE, ALLINREGISTERS, DOTTEDONE, LINESONE, FETCH256(0, LINESONE))

// func segmentDotScaleSumTwoAVX2(p *summing)
TEXT ·segmentDotScaleSumTwoAVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTTWO, ALLINREGISTERS, DOTTEDTWO, LINESTWO, FETCH256(0, LINESTWO))

// func segmentDotScaleSumFourAVX2(p *summing)
TEXT ·segmentDotScaleSumFourAVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTFOUR, ALLINREGISTERS, DOTTEDFOUR, LINESFOUR, FETCH256(0, LINESFOUR))

// func segmentDotScaleSumEightAVX2(p *summing)
TEXT ·segmentDotScaleSumEightAVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTEIGHT, ALLINREGISTERS, DOTTEDEIGHT, LINESEIGHT, FETCH256(0, LINESEIGHT))

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
	EACH(FETCHWIDE, EDGE256(0, UNWEIGHED, FIRSTSIXTEEN(PLUS)), near, last, rest, taken)
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

// func segmentScaleSumSixteenAVX2(p *summing)
TEXT ·segmentScaleSumSixteenAVX2(SB), NOSPLIT, $128-8
	KEPTLINES
	BEGINSUMS(FIRSTFOURTEEN, KEPTTWO)
	EACH(FETCHWIDE, EDGE256(0, BYEDGE, FIRSTFOURTEEN(SCALE) KEPTTWO(KEPTSCALE)), near, last, rest, taken)
	ENDSUMS(FIRSTFOURTEEN, KEPTTWO)

// func segmentFactorSumSixteenAVX2(p *summing)
TEXT ·segmentFactorSumSixteenAVX2(SB), NOSPLIT, $128-8
	KEPTLINES
	BEGINSUMS(FIRSTFOURTEEN, KEPTTWO)
	EACH(FETCHWIDE, EDGE256(0, BYVERTEX, FIRSTFOURTEEN(SCALE) KEPTTWO(KEPTSCALE)), near, last, rest, taken)
	ENDSUMS(FIRSTFOURTEEN, KEPTTWO)

// func segmentDotScaleSumSixteenAVX2(p *summing)
TEXT ·segmentDotScaleSumSixteenAVX2(SB), NOSPLIT, $320-8
	KEPTLINES
	DOTSUM(FIRSTEIGHT, KEPTEIGHT, DOTTEDEIGHT KEPTEIGHT(KEPTDOTTED), LINESSIXTEEN, FETCHWIDE)
