//go:build amd64 && !noasm

// Segments of float64 with AVX2.

#include "go_asm.h"
#include "textflag.h"

#define DOUBLE
#include "segments256_amd64.h"

// func segmentGatherSumOne64AVX2(p *summing)
TEXT ·segmentGatherSumOne64AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTONE, ODDONE, JOINONE, UNWEIGHED, PLUS, LINESONE)

// func segmentGatherSumTwo64AVX2(p *summing)
TEXT ·segmentGatherSumTwo64AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTTWO, ODDTWO, JOINTWO, UNWEIGHED, PLUS, LINESTWO)

// func segmentGatherSumFour64AVX2(p *summing)
TEXT ·segmentGatherSumFour64AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTFOUR, ODDFOUR, JOINFOUR, UNWEIGHED, PLUS, LINESFOUR)

// func segmentGatherSumEight64AVX2(p *summing)
TEXT ·segmentGatherSumEight64AVX2(SB), NOSPLIT, $0-8
	WIDE(UNWEIGHED, PLUS)

// func segmentScaleSumOne64AVX2(p *summing)
TEXT ·segmentScaleSumOne64AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTONE, ODDONE, JOINONE, BYEDGE, SCALE, LINESONE)

// func segmentScaleSumTwo64AVX2(p *summing)
TEXT ·segmentScaleSumTwo64AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTTWO, ODDTWO, JOINTWO, BYEDGE, SCALE, LINESTWO)

// func segmentScaleSumFour64AVX2(p *summing)
TEXT ·segmentScaleSumFour64AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTFOUR, ODDFOUR, JOINFOUR, BYEDGE, SCALE, LINESFOUR)

// func segmentScaleSumEight64AVX2(p *summing)
TEXT ·segmentScaleSumEight64AVX2(SB), NOSPLIT, $0-8
	WIDE(BYEDGE, SCALE)

// func segmentFactorSumOne64AVX2(p *summing)
TEXT ·segmentFactorSumOne64AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTONE, ODDONE, JOINONE, BYVERTEX, SCALE, LINESONE)

// func segmentFactorSumTwo64AVX2(p *summing)
TEXT ·segmentFactorSumTwo64AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTTWO, ODDTWO, JOINTWO, BYVERTEX, SCALE, LINESTWO)

// func segmentFactorSumFour64AVX2(p *summing)
TEXT ·segmentFactorSumFour64AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRSTFOUR, ODDFOUR, JOINFOUR, BYVERTEX, SCALE, LINESFOUR)

// func segmentFactorSumEight64AVX2(p *summing)
TEXT ·segmentFactorSumEight64AVX2(SB), NOSPLIT, $0-8
	WIDE(BYVERTEX, SCALE)

// func segmentScaleSumsOne64AVX2(p *summing)
TEXT ·segmentScaleSumsOne64AVX2(SB), NOSPLIT, $0-8
	TWOSUMS(FIRSTONE, SECONDONE, TWICEONE, LINESONE)

// func segmentScaleSumsTwo64AVX2(p *summing)
TEXT ·segmentScaleSumsTwo64AVX2(SB), NOSPLIT, $0-8
	TWOSUMS(FIRSTTWO, SECONDTWO, TWICETWO, LINESTWO)

// func segmentScaleSumsFour64AVX2(p *summing)
TEXT ·segmentScaleSumsFour64AVX2(SB), NOSPLIT, $0-8
	TWOSUMS(FIRSTFOUR, SECONDFOUR, TWICEFOUR, LINESFOUR)

// func segmentDotScaleSumOne64AVX2(p *summing)
TEXT ·segmentDotScaleSumOne64AVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTONE, ALLINREGISTERS, DOTTEDONE, LINESONE, FETCH256(0, LINESONE))

// func segmentDotScaleSumTwo64AVX2(p *summing)
TEXT ·segmentDotScaleSumTwo64AVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTTWO, ALLINREGISTERS, DOTTEDTWO, LINESTWO, FETCH256(0, LINESTWO))

// func segmentDotScaleSumFour64AVX2(p *summing)
TEXT ·segmentDotScaleSumFour64AVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTFOUR, ALLINREGISTERS, DOTTEDFOUR, LINESFOUR, FETCH256(0, LINESFOUR))

// func segmentDotScaleSumEight64AVX2(p *summing)
TEXT ·segmentDotScaleSumEight64AVX2(SB), NOSPLIT, $0-8
	DOTSUM(FIRSTEIGHT, ALLINREGISTERS, DOTTEDEIGHT, LINESEIGHT, FETCH256(0, LINESEIGHT))
