//go:build arm64 && !noasm

// Segments with NEON: a block of columns of all rows in one call. Every element is one chain
// of additions in the order of the edges, whatever the block.

#include "go_asm.h"
#include "textflag.h"
#include "neon_arm64.h"
#include "segments_arm64.h"

// func segmentSum64NEON(p *segmentSums)
TEXT ·segmentSum64NEON(SB), NOSPLIT, $0-8
	SUM(V16, LOAD, STORE, UNWEIGHED, PLUS, UNWEIGHED, LINES64)

// func segmentSum32NEON(p *segmentSums)
TEXT ·segmentSum32NEON(SB), NOSPLIT, $0-8
	SUM(V8, LOAD, STORE, UNWEIGHED, PLUS, UNWEIGHED, LINES32)

// func segmentSum16NEON(p *segmentSums)
TEXT ·segmentSum16NEON(SB), NOSPLIT, $0-8
	SUM(V4, LOAD, STORE, UNWEIGHED, PLUS, UNWEIGHED, LINES16)

// func segmentSum8NEON(p *segmentSums)
TEXT ·segmentSum8NEON(SB), NOSPLIT, $0-8
	SUM(V2, LOAD, STORE, UNWEIGHED, PLUS, UNWEIGHED, LINES16)

// func segmentSum4NEON(p *segmentSums)
TEXT ·segmentSum4NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOAD, STORE, UNWEIGHED, PLUS, UNWEIGHED, LINES16)

// func segmentSum2NEON(p *segmentSums)
TEXT ·segmentSum2NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADTWO, STORETWO, UNWEIGHED, PLUSTWO, UNWEIGHED, LINES16)

// func segmentSum1NEON(p *segmentSums)
TEXT ·segmentSum1NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADONE, STOREONE, UNWEIGHED, PLUSONE, UNWEIGHED, LINES16)

// func segmentScaleSum64NEON(p *segmentSums)
TEXT ·segmentScaleSum64NEON(SB), NOSPLIT, $0-8
	SUM(V16, LOAD, STORE, BYEDGE, SCALE, AFTER, LINES64)

// func segmentScaleSum32NEON(p *segmentSums)
TEXT ·segmentScaleSum32NEON(SB), NOSPLIT, $0-8
	SUM(V8, LOAD, STORE, BYEDGE, SCALE, AFTER, LINES32)

// func segmentScaleSum16NEON(p *segmentSums)
TEXT ·segmentScaleSum16NEON(SB), NOSPLIT, $0-8
	SUM(V4, LOAD, STORE, BYEDGE, SCALE, AFTER, LINES16)

// func segmentScaleSum8NEON(p *segmentSums)
TEXT ·segmentScaleSum8NEON(SB), NOSPLIT, $0-8
	SUM(V2, LOAD, STORE, BYEDGE, SCALE, AFTER, LINES16)

// func segmentScaleSum4NEON(p *segmentSums)
TEXT ·segmentScaleSum4NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOAD, STORE, BYEDGE, SCALE, AFTER, LINES16)

// func segmentScaleSum2NEON(p *segmentSums)
TEXT ·segmentScaleSum2NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADTWO, STORETWO, BYEDGE, SCALETWO, AFTER, LINES16)

// func segmentScaleSum1NEON(p *segmentSums)
TEXT ·segmentScaleSum1NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADONE, STOREONE, BYEDGE, SCALEONE, AFTER, LINES16)

// func segmentFactorSum64NEON(p *segmentSums)
TEXT ·segmentFactorSum64NEON(SB), NOSPLIT, $0-8
	SUM(V16, LOAD, STORE, BYVERTEX, SCALE, UNWEIGHED, LINES64)

// func segmentFactorSum32NEON(p *segmentSums)
TEXT ·segmentFactorSum32NEON(SB), NOSPLIT, $0-8
	SUM(V8, LOAD, STORE, BYVERTEX, SCALE, UNWEIGHED, LINES32)

// func segmentFactorSum16NEON(p *segmentSums)
TEXT ·segmentFactorSum16NEON(SB), NOSPLIT, $0-8
	SUM(V4, LOAD, STORE, BYVERTEX, SCALE, UNWEIGHED, LINES16)

// func segmentFactorSum8NEON(p *segmentSums)
TEXT ·segmentFactorSum8NEON(SB), NOSPLIT, $0-8
	SUM(V2, LOAD, STORE, BYVERTEX, SCALE, UNWEIGHED, LINES16)

// func segmentFactorSum4NEON(p *segmentSums)
TEXT ·segmentFactorSum4NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOAD, STORE, BYVERTEX, SCALE, UNWEIGHED, LINES16)

// func segmentFactorSum2NEON(p *segmentSums)
TEXT ·segmentFactorSum2NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADTWO, STORETWO, BYVERTEX, SCALETWO, UNWEIGHED, LINES16)

// func segmentFactorSum1NEON(p *segmentSums)
TEXT ·segmentFactorSum1NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADONE, STOREONE, BYVERTEX, SCALEONE, UNWEIGHED, LINES16)

// func segmentRowsSum64NEON(p *segmentSums)
TEXT ·segmentRowsSum64NEON(SB), NOSPLIT, $0-8
	SUM(V16, LOAD, STORE, UNWEIGHED, ROWS, AFTER, LINES64)

// func segmentRowsSum32NEON(p *segmentSums)
TEXT ·segmentRowsSum32NEON(SB), NOSPLIT, $0-8
	SUM(V8, LOAD, STORE, UNWEIGHED, ROWS, AFTER, LINES32)

// func segmentRowsSum16NEON(p *segmentSums)
TEXT ·segmentRowsSum16NEON(SB), NOSPLIT, $0-8
	SUM(V4, LOAD, STORE, UNWEIGHED, ROWS, AFTER, LINES16)

// func segmentRowsSum8NEON(p *segmentSums)
TEXT ·segmentRowsSum8NEON(SB), NOSPLIT, $0-8
	SUM(V2, LOAD, STORE, UNWEIGHED, ROWS, AFTER, LINES16)

// func segmentRowsSum4NEON(p *segmentSums)
TEXT ·segmentRowsSum4NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOAD, STORE, UNWEIGHED, ROWS, AFTER, LINES16)

// func segmentRowsSum2NEON(p *segmentSums)
TEXT ·segmentRowsSum2NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADTWO, STORETWO, UNWEIGHED, ROWSTWO, AFTER, LINES16)

// func segmentRowsSum1NEON(p *segmentSums)
TEXT ·segmentRowsSum1NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADONE, STOREONE, UNWEIGHED, ROWSONE, AFTER, LINES16)

// func segmentMax64NEON(p *segmentSums)
TEXT ·segmentMax64NEON(SB), NOSPLIT, $0-8
	SUM(V16, LOAD, STORE, UNWEIGHED, LARGER, UNWEIGHED, LINES64)

// func segmentMax32NEON(p *segmentSums)
TEXT ·segmentMax32NEON(SB), NOSPLIT, $0-8
	SUM(V8, LOAD, STORE, UNWEIGHED, LARGER, UNWEIGHED, LINES32)

// func segmentMax16NEON(p *segmentSums)
TEXT ·segmentMax16NEON(SB), NOSPLIT, $0-8
	SUM(V4, LOAD, STORE, UNWEIGHED, LARGER, UNWEIGHED, LINES16)

// func segmentMax8NEON(p *segmentSums)
TEXT ·segmentMax8NEON(SB), NOSPLIT, $0-8
	SUM(V2, LOAD, STORE, UNWEIGHED, LARGER, UNWEIGHED, LINES16)

// func segmentMax4NEON(p *segmentSums)
TEXT ·segmentMax4NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOAD, STORE, UNWEIGHED, LARGER, UNWEIGHED, LINES16)

// func segmentMax2NEON(p *segmentSums)
TEXT ·segmentMax2NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADTWO, STORETWO, UNWEIGHED, LARGERTWO, UNWEIGHED, LINES16)

// func segmentMax1NEON(p *segmentSums)
TEXT ·segmentMax1NEON(SB), NOSPLIT, $0-8
	SUM(V1, LOADONE, STOREONE, UNWEIGHED, LARGERONE, UNWEIGHED, LINES16)

// func segmentHeads4NEON(p *segmentSums)
TEXT ·segmentHeads4NEON(SB), NOSPLIT, $0-8
	SUM(V4, LOAD, STORE, BYHEAD, HEADS4, AFTER, LINES16)

// func segmentHeads8NEON(p *segmentSums)
TEXT ·segmentHeads8NEON(SB), NOSPLIT, $0-8
	SUM(V8, LOAD, STORE, BYHEAD, HEADS8, AFTER, LINES32)

// func segmentHeads16NEON(p *segmentSums)
TEXT ·segmentHeads16NEON(SB), NOSPLIT, $0-8
	SUM(V16, LOAD, STORE, BYHEAD, HEADS16, AFTER, LINES64)

// func segmentScaleSums32NEON(p *segmentSums)
TEXT ·segmentScaleSums32NEON(SB), NOSPLIT, $0-8
	SUMS(V8, LOAD, LOAD2, STORE, STORE2, TWICE, LINES32)

// func segmentScaleSums16NEON(p *segmentSums)
TEXT ·segmentScaleSums16NEON(SB), NOSPLIT, $0-8
	SUMS(V4, LOAD, LOAD2, STORE, STORE2, TWICE, LINES16)

// func segmentScaleSums8NEON(p *segmentSums)
TEXT ·segmentScaleSums8NEON(SB), NOSPLIT, $0-8
	SUMS(V2, LOAD, LOAD2, STORE, STORE2, TWICE, LINES16)

// func segmentScaleSums4NEON(p *segmentSums)
TEXT ·segmentScaleSums4NEON(SB), NOSPLIT, $0-8
	SUMS(V1, LOAD, LOAD2, STORE, STORE2, TWICE, LINES16)

// func segmentScaleSums2NEON(p *segmentSums)
TEXT ·segmentScaleSums2NEON(SB), NOSPLIT, $0-8
	SUMS(V1, LOADTWO, LOADTWO2, STORETWO, STORETWO2, TWICETWO, LINES16)

// func segmentScaleSums1NEON(p *segmentSums)
TEXT ·segmentScaleSums1NEON(SB), NOSPLIT, $0-8
	SUMS(V1, LOADONE, LOADONE2, STOREONE, STOREONE2, TWICEONE, LINES16)
