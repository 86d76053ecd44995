//go:build amd64 && !noasm

// Segments with AVX2: a block of columns of all rows of a tile in one call, prefetched from
// one row's edges to the next one's. Ids come in order; nothing but the row's own edges
// decides what is added to what.

#include "go_asm.h"
#include "textflag.h"
#include "segments256_amd64.h"

// Odd edges' chains.
#define ODD8(OP) OP(0, Y8)
#define ODD16(OP) \
	ODD8(OP)   \
	OP(32, Y9)
#define ODD32(OP) \
	ODD16(OP)   \
	OP(64, Y10) \
	OP(96, Y11)
#define JOIN8 VADDPS Y8, Y0, Y0
#define JOIN16 \
	JOIN8             \
	VADDPS Y9, Y1, Y1
#define JOIN32 \
	JOIN16             \
	VADDPS Y10, Y2, Y2 \
	VADDPS Y11, Y3, Y3
#define NOTHING

#define NARROW(FIRST, ODD, JOIN, WEIGHT, OP, LINES) \
	ONESUM(FIRST, PAIRS256(WEIGHT, FIRST(OP), ODD(OP), LINES), ODD(ZERO), JOIN)
#define WIDE(WEIGHT, OP) \
	ONESUM(FIRST64, EDGES256(WEIGHT, FIRST64(OP), LINES64), NOTHING, NOTHING)

// func segmentGatherSum8AVX2(p *summing)
TEXT ·segmentGatherSum8AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRST8, ODD8, JOIN8, UNWEIGHED, PLUS, LINES8)

// func segmentGatherSum16AVX2(p *summing)
TEXT ·segmentGatherSum16AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRST16, ODD16, JOIN16, UNWEIGHED, PLUS, LINES16)

// func segmentGatherSum32AVX2(p *summing)
TEXT ·segmentGatherSum32AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRST32, ODD32, JOIN32, UNWEIGHED, PLUS, LINES32)

// func segmentGatherSum64AVX2(p *summing)
TEXT ·segmentGatherSum64AVX2(SB), NOSPLIT, $0-8
	WIDE(UNWEIGHED, PLUS)

// func segmentScaleSum8AVX2(p *summing)
TEXT ·segmentScaleSum8AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRST8, ODD8, JOIN8, BYEDGE, SCALE, LINES8)

// func segmentScaleSum16AVX2(p *summing)
TEXT ·segmentScaleSum16AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRST16, ODD16, JOIN16, BYEDGE, SCALE, LINES16)

// func segmentScaleSum32AVX2(p *summing)
TEXT ·segmentScaleSum32AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRST32, ODD32, JOIN32, BYEDGE, SCALE, LINES32)

// func segmentScaleSum64AVX2(p *summing)
TEXT ·segmentScaleSum64AVX2(SB), NOSPLIT, $0-8
	WIDE(BYEDGE, SCALE)

// func segmentFactorSum8AVX2(p *summing)
TEXT ·segmentFactorSum8AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRST8, ODD8, JOIN8, BYVERTEX, SCALE, LINES8)

// func segmentFactorSum16AVX2(p *summing)
TEXT ·segmentFactorSum16AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRST16, ODD16, JOIN16, BYVERTEX, SCALE, LINES16)

// func segmentFactorSum32AVX2(p *summing)
TEXT ·segmentFactorSum32AVX2(SB), NOSPLIT, $0-8
	NARROW(FIRST32, ODD32, JOIN32, BYVERTEX, SCALE, LINES32)

// func segmentFactorSum64AVX2(p *summing)
TEXT ·segmentFactorSum64AVX2(SB), NOSPLIT, $0-8
	WIDE(BYVERTEX, SCALE)

// TWOSUMS is two sums a row, of the same rows with two weights an edge.
#define TWOSUMS(FIRST, SECOND, ADD, LINES) \
	BEGIN256                          \
	MOVQ summing_w2(CX), R13          \
	SUBQ summing_firstBytes(CX), R13  \
row:                                \
	NEXTROW256                        \
	CMPQ summing_more(CX), $0         \
	JNE  more                         \
	FIRST(ZERO)                       \
	SECOND(ZERO)                      \
begun:                              \
	EDGES256(BYBOTH, ADD, LINES)      \
	MOVQ  summing_by(CX), DX          \
	TESTQ DX, DX                      \
	JEQ   ended                       \
	MOVQ  R10, R15                    \
	SUBQ  summing_bounds(CX), R15     \
	VBROADCASTSS -4(DX)(R15*1), Y15   \
	FIRST(TIMES)                      \
	SECOND(TIMES)                     \
ended:                              \
	MOVQ summing_toSecond(CX), DX     \
	ADDQ DI, DX                       \
	CMPQ summing_past(CX), $0         \
	JNE  past                         \
	FIRST(STORE)                      \
	SECOND(STORE2)                    \
	JMP  put                          \
past:                               \
	FIRST(PAST)                       \
	SECOND(PAST2)                     \
put:                                \
	ENDROW                            \
more:                               \
	MOVQ summing_toSecond(CX), DX     \
	ADDQ DI, DX                       \
	FIRST(LOAD)                       \
	SECOND(LOAD2)                     \
	JMP  begun

// func segmentScaleSums8AVX2(p *summing)
TEXT ·segmentScaleSums8AVX2(SB), NOSPLIT, $0-8
	TWOSUMS(FIRST8, SECOND8, TWICE8, LINES8)

// func segmentScaleSums16AVX2(p *summing)
TEXT ·segmentScaleSums16AVX2(SB), NOSPLIT, $0-8
	TWOSUMS(FIRST16, SECOND16, TWICE16, LINES16)

// func segmentScaleSums32AVX2(p *summing)
TEXT ·segmentScaleSums32AVX2(SB), NOSPLIT, $0-8
	TWOSUMS(FIRST32, SECOND32, TWICE32, LINES32)

// SUMANDDOT is two sums a row, of which the second is multiplied with another row of the
// row's own and added up to a number, which goes on from what is there.
#define SUMANDDOT(FIRST, SECOND, ADD, DOT, LINES) \
	BEGIN256                          \
	MOVQ summing_w2(CX), R13          \
	SUBQ summing_firstBytes(CX), R13  \
row:                                \
	NEXTROW256                        \
	FIRST(ZERO)                       \
	SECOND(ZERO)                      \
	CMPQ AX, BX                       \
	JGE  ended                        \
	EDGES256(BYBOTH, ADD, LINES)      \
	MOVQ summing_toSecond(CX), DX     \
	ADDQ DI, DX                       \
	VMULPS (DX), Y4, Y4               \
	DOT                               \
	VEXTRACTF128 $1, Y4, X5           \
	VADDPS       X5, X4, X4           \
	VMOVHLPS     X4, X4, X5           \
	VADDPS       X5, X4, X4           \
	VMOVSHDUP    X4, X5               \
	VADDSS       X5, X4, X4           \
	MOVQ  R10, R15                    \
	SUBQ  summing_bounds(CX), R15     \
	ADDQ  summing_dots(CX), R15       \
	VADDSS -4(R15), X4, X4            \
	VMOVSS X4, -4(R15)                \
ended:                              \
	CMPQ summing_past(CX), $0         \
	JNE  past                         \
	FIRST(STORE)                      \
	JMP  put                          \
past:                               \
	FIRST(PAST)                       \
put:                                \
	ENDROW

#define DOT16 VFMADD231PS 32(DX), Y5, Y4
#define DOT32 \
	DOT16                      \
	VFMADD231PS 64(DX), Y6, Y4 \
	VFMADD231PS 96(DX), Y7, Y4

// func segmentSumAndDot8AVX2(p *summing)
TEXT ·segmentSumAndDot8AVX2(SB), NOSPLIT, $0-8
	SUMANDDOT(FIRST8, SECOND8, TWICE8, NOTHING, LINES8)

// func segmentSumAndDot16AVX2(p *summing)
TEXT ·segmentSumAndDot16AVX2(SB), NOSPLIT, $0-8
	SUMANDDOT(FIRST16, SECOND16, TWICE16, DOT16, LINES16)

// func segmentSumAndDot32AVX2(p *summing)
TEXT ·segmentSumAndDot32AVX2(SB), NOSPLIT, $0-8
	SUMANDDOT(FIRST32, SECOND32, TWICE32, DOT32, LINES32)
