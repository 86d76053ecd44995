//go:build amd64 && !noasm

// Segments with AVX-512, of blocks that are full: 64 or 128 columns with one weight an edge.
// Such rows take a few cycles each if the memory keeps up, so the steps from edge to edge
// are as few as can be: no masks, no orders of weights, and what may be prefetched is
// settled for all edges of a row before them. Every element of a sum is one chain of
// additions in the order of the edges.

#include "go_asm.h"
#include "textflag.h"
#include "full512_amd64.h"

// Registers:
//   CX p   DI acc, at the row   SI x   R8 bytes a row   R9 ids   R10 the row's bound
//   AX edge   BX the end of the edges that a loop takes   R11 edges behind which rows may be read ahead
//   R12 w   R13 from acc to acc2, or to own   R14 w2, or dots   DX, R15 free

#define SETUP \
	MOVQ    p+0(FP), CX            \
	MOVQ    acc+8(FP), DI          \
	MOVQ    picked_x(CX), SI       \
	MOVQ    picked_stride(CX), R8  \
	MOVQ    picked_ids(CX), R9     \
	MOVQ    picked_bounds(CX), R10 \
	MOVQ    picked_ahead(CX), R11  \
	MOVQ    picked_w(CX), R12      \
	MOVLQSX (R10), AX

// SETUP2 is for those with another two arguments.
#define SETUP2 \
	SETUP                          \
	MOVQ    other+16(FP), R13      \
	SUBQ    DI, R13                \
	MOVQ    numbers+24(FP), R14

// AHEAD prefetches the row of the edge so many edges later.
#define AHEAD(LINES, PREFETCH) \
	MOVQ    picked_aheadIDs(CX), R15 \
	MOVLQSX (R15)(AX*4), R15         \
	IMULQ   R8, R15                  \
	ADDQ    SI, R15                  \
	LINES(PREFETCH, R15)

// AHEADFACTOR does so with the row's factor, which is worth it where their tables are large.
#define AHEADFACTOR(LINES, PREFETCH) \
	MOVQ    picked_aheadIDs(CX), R15 \
	MOVLQSX (R15)(AX*4), R15         \
	PREFETCHT0 (R12)(R15*4)          \
	IMULQ   R8, R15                  \
	ADDQ    SI, R15                  \
	LINES(PREFETCH, R15)

// AHEADWEIGHT does so with the weights of later edges, which the hardware does not foresee between
// the rows of a large table: with 64 columns of 51 MB 0.8 of the time where weights come from memory.
#define AHEADWEIGHT(LINES, PREFETCH) \
	PREFETCHT0 1024(R12)(AX*4) \
	AHEAD(LINES, PREFETCH)

// BESIDE prefetches what others will pick.
#define BESIDE \
	MOVQ    picked_nextIDs(CX), R15    \
	MOVLQSX (R15)(AX*4), R15           \
	IMULQ   picked_nextStride(CX), R15 \
	ADDQ    picked_next(CX), R15       \
	PREFETCHT0 (R15)                   \
	ADDQ    picked_nextLine(CX), R15   \
	PREFETCHT0 (R15)

// ROW points DX at the edge's row.
#define ROW \
	MOVLQSX (R9)(AX*4), DX \
	IMULQ   R8, DX         \
	ADDQ    SI, DX

// SOON prefetches what rows have one of: sums 8 rows before they are used, unless they are
// written past the caches, and what is read 16 rows before it is.
#define SOON(LINES) \
	CMPQ picked_past(CX), $0 \
	JNE  soon                \
	LEAQ (DI)(R8*8), R15     \
	LINES(PREFETCHT1, R15)   \
soon:

#define SOON2(LINES) \
	CMPQ picked_past(CX), $0 \
	JNE  soon                \
	LEAQ (DI)(R8*8), R15     \
	LINES(PREFETCHT1, R15)   \
	ADDQ R13, R15            \
	LINES(PREFETCHT1, R15)   \
soon:

#define SOONOWN(LINES) \
	LEAQ (DI)(R8*8), R15     \
	LEAQ (R15)(R8*8), R15    \
	ADDQ R13, R15            \
	LINES(PREFETCHT1, R15)   \
	SOON(LINES)

// SEGMENTS runs EDGE over the edges of every row, between the sums' start at ZERO, or LOAD,
// and their end at BY, or none, and STORE; OWNED reads what the row's edges share. The edges
// of a row come in up to three loops: first those beside which something is prefetched for
// others, then those that have an edge so far ahead, then the last ones of all. The first two
// are there for either cache that AHEADS prefetches LINES to.
#define SEGMENTS(SOONER, ZERO, LOAD, OWNED, EDGE, BY, STORE, AHEADS, LINES) \
row:                             \
	ADDQ    $4, R10                \
	SOONER                         \
	ZERO                           \
	CMPQ    picked_more(CX), $0    \
	JEQ     begun                  \
	LOAD                           \
begun:                           \
	MOVLQSX (R10), BX              \
	CMPQ    AX, BX                 \
	JGE     summed                 \
	OWNED                          \
	CMPQ    BX, picked_soon(CX)    \
	CMOVQGT picked_soon(CX), BX    \
	CMPQ    AX, BX                 \
	JGE     alone                  \
	CMPB    picked_first(CX), $0   \
	JNE     besideFirst            \
beside:                          \
	AHEADS(LINES, PREFETCHT1)      \
	BESIDE                         \
	ROW                            \
	EDGE                           \
	INCQ    AX                     \
	CMPQ    AX, BX                 \
	JLT     beside                 \
	JMP     alone                  \
besideFirst:                     \
	AHEADS(LINES, PREFETCHT0)      \
	BESIDE                         \
	ROW                            \
	EDGE                           \
	INCQ    AX                     \
	CMPQ    AX, BX                 \
	JLT     besideFirst            \
alone:                           \
	MOVLQSX (R10), BX              \
	CMPQ    BX, R11                \
	CMOVQGT R11, BX                \
	CMPQ    AX, BX                 \
	JGE     last                   \
	CMPB    picked_first(CX), $0   \
	JNE     aheadFirst             \
ahead:                           \
	AHEADS(LINES, PREFETCHT1)      \
	ROW                            \
	EDGE                           \
	INCQ    AX                     \
	CMPQ    AX, BX                 \
	JLT     ahead                  \
	JMP     last                   \
aheadFirst:                      \
	AHEADS(LINES, PREFETCHT0)      \
	ROW                            \
	EDGE                           \
	INCQ    AX                     \
	CMPQ    AX, BX                 \
	JLT     aheadFirst             \
last:                            \
	MOVLQSX (R10), BX              \
	CMPQ    AX, BX                 \
	JGE     summed                 \
rest:                            \
	ROW                            \
	EDGE                           \
	INCQ    AX                     \
	CMPQ    AX, BX                 \
	JLT     rest                   \
summed:                          \
	MOVQ    picked_by(CX), R15     \
	TESTQ   R15, R15               \
	JEQ     ended                  \
	ADDQ    picked_byAt(CX), R15   \
	VBROADCASTSS (R15), Z28        \
	BY                             \
	ADDQ    $4, picked_byAt(CX)    \
ended:                           \
	STORE                          \
	ADDQ    R8, DI                 \
	DECQ    picked_rows(CX)        \
	JNE     row                    \
	CMPQ    picked_past(CX), $0    \
	JEQ     cached                 \
	SFENCE                         \
cached:                          \
	VZEROUPPER                     \
	RET

// PUT writes sums to the cache or past it. The labels are the use's own.
#define PUT(WRITE, WRITEPAST, past, end) \
	CMPQ picked_past(CX), $0 \
	JNE  past \
	WRITE     \
	JMP  end  \
past:       \
	WRITEPAST \
end:

// One sum; the weight of an edge is Z28.
#define WEIGHT VBROADCASTSS (R12)(AX*4), Z28
#define PUTFIRST(ONE) PUT(ONE(STORE, DI), ONE(PAST, DI), past, put)

#define ONESUM(ONE, EDGE, LINES) \
	SEGMENTS(SOON(LINES), ONE(ZERO, DI), ONE(LOAD, DI), STAY, EDGE, ONE(ENDED, DI), PUTFIRST(ONE), AHEAD, LINES)

#define SCALESUM(ONE, EDGE, LINES) \
	SEGMENTS(SOON(LINES), ONE(ZERO, DI), ONE(LOAD, DI), STAY, EDGE, ONE(ENDED, DI), PUTFIRST(ONE), AHEADWEIGHT, LINES)

#define FARFACTORSUM(ONE, EDGE, LINES) \
	SEGMENTS(SOON(LINES), ONE(ZERO, DI), ONE(LOAD, DI), STAY, EDGE, ONE(ENDED, DI), PUTFIRST(ONE), AHEADFACTOR, LINES)

#define EDGEPLAIN64 FIRST64(PLAIN, DX)
#define EDGEPLAIN128 FIRST128(PLAIN, DX)
// The weight of 64 columns goes through a general register: broadcast from memory, whether Zen 4's
// loads keep up with the prefetches is a matter of where the table lies, 0.95 to 1.7 times as long as
// a gather from it; so they do from any, 0.85 to 0.9 (51 MB), and tables in the caches gain 0 to 0.14.
#define EDGESCALED64 \
	MOVL         (R12)(AX*4), R15 \
	VPBROADCASTD R15, Z28         \
	FIRST64(SCALED, DX)
#define EDGESCALED128 \
	WEIGHT               \
	FIRST128(SCALED, DX)

// FACTOR is the weight of the edge's other end, of which w has all.
#define FACTOR \
	MOVLQSX      (R9)(AX*4), R15    \
	VBROADCASTSS (R12)(R15*4), Z28
#define EDGEFACTOR64 \
	FACTOR              \
	FIRST64(SCALED, DX)
#define EDGEFACTOR128 \
	FACTOR               \
	FIRST128(SCALED, DX)

// Two sums, whose weights are Z28 and Z29.
#define WEIGHTS \
	VBROADCASTSS (R12)(AX*4), Z28 \
	VBROADCASTSS (R14)(AX*4), Z29
#define EDGETWICE64 \
	WEIGHTS \
	TWICE64
#define EDGETWICE128 \
	WEIGHTS  \
	TWICE128

#define SECONDROW LEAQ (DI)(R13*1), R15
#define BOTH(ONE, TWO, OP) \
	ONE(OP, DI)  \
	SECONDROW    \
	TWO(OP, R15)
#define TWOSUMS(ONE, TWO, EDGE, LINES) \
	SEGMENTS(SOON2(LINES), BOTH(ONE, TWO, ZERO), BOTH(ONE, TWO, LOAD), STAY, EDGE, BOTH(ONE, TWO, ENDED), PUT(BOTH(ONE, TWO, STORE), BOTH(ONE, TWO, PAST), past, put), AHEAD, LINES)

// A sum, Z0 to Z7, and dot products with the row's own, Z8 to Z15.
#define DOTFIRST(mem, x, a, own) \
	VMOVUPS     mem, x      \
	VFMADD231PS x, Z28, a   \
	VMULPS      x, own, Z29
#define DOTTED(mem, x, a, own) \
	VMOVUPS     mem, x      \
	VFMADD231PS x, Z28, a   \
	VFMADD231PS x, own, Z29
#define DOTS64 \
	WEIGHT                          \
	DOTFIRST(0(DX), Z16, Z0, Z8)    \
	DOTTED(64(DX), Z17, Z1, Z9)     \
	DOTTED(128(DX), Z18, Z2, Z10)   \
	DOTTED(192(DX), Z19, Z3, Z11)
#define DOTS128 \
	DOTS64                          \
	DOTTED(256(DX), Z20, Z4, Z12)   \
	DOTTED(320(DX), Z21, Z5, Z13)   \
	DOTTED(384(DX), Z22, Z6, Z14)   \
	DOTTED(448(DX), Z23, Z7, Z15)
// DOT adds the products, Z29, up to the edge's number.
#define DOT \
	VEXTRACTF64X4 $1, Z29, Y30     \
	VADDPS        Y30, Y29, Y29    \
	VEXTRACTF32X4 $1, Y29, X30     \
	VADDPS        X30, X29, X29    \
	VPERMILPS     $0x4E, X29, X30  \
	VADDPS        X30, X29, X29    \
	VPERMILPS     $0xB1, X29, X30  \
	VADDPS        X30, X29, X29    \
	VADDSS        (R14)(AX*4), X29, X29 \
	VMOVSS        X29, (R14)(AX*4)
#define EDGEDOT64 \
	DOTS64 \
	DOT
#define EDGEDOT128 \
	DOTS128 \
	DOT
#define OWNED(OWN) \
	SECONDROW      \
	OWN(LOAD, R15)
#define DOTSUM(ONE, OWN, EDGE, LINES) \
	SEGMENTS(SOONOWN(LINES), ONE(ZERO, DI), ONE(LOAD, DI), OWNED(OWN), EDGE, ONE(ENDED, DI), PUTFIRST(ONE), AHEAD, LINES)

// func segmentGatherSumFull64AVX512(p *picked, acc *float32)
TEXT ·segmentGatherSumFull64AVX512(SB), NOSPLIT, $0-16
	SETUP
	ONESUM(FIRST64, EDGEPLAIN64, LINES64)

// func segmentGatherSumFull128AVX512(p *picked, acc *float32)
TEXT ·segmentGatherSumFull128AVX512(SB), NOSPLIT, $0-16
	SETUP
	ONESUM(FIRST128, EDGEPLAIN128, LINES128)

// func segmentScaleSumFull64AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSumFull64AVX512(SB), NOSPLIT, $0-16
	SETUP
	SCALESUM(FIRST64, EDGESCALED64, LINES64)

// func segmentScaleSumFull128AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSumFull128AVX512(SB), NOSPLIT, $0-16
	SETUP
	SCALESUM(FIRST128, EDGESCALED128, LINES128)

// func segmentFactorSumFull64AVX512(p *picked, acc *float32)
TEXT ·segmentFactorSumFull64AVX512(SB), NOSPLIT, $0-16
	SETUP
	ONESUM(FIRST64, EDGEFACTOR64, LINES64)

// func segmentFactorSumFarFull64AVX512(p *picked, acc *float32)
TEXT ·segmentFactorSumFarFull64AVX512(SB), NOSPLIT, $0-16
	SETUP
	FARFACTORSUM(FIRST64, EDGEFACTOR64, LINES64)

// func segmentFactorSumFarFull128AVX512(p *picked, acc *float32)
TEXT ·segmentFactorSumFarFull128AVX512(SB), NOSPLIT, $0-16
	SETUP
	FARFACTORSUM(FIRST128, EDGEFACTOR128, LINES128)

// func segmentScaleSumsFull64AVX512(p *picked, acc, other, numbers *float32)
TEXT ·segmentScaleSumsFull64AVX512(SB), NOSPLIT, $0-32
	SETUP2
	TWOSUMS(FIRST64, SECOND64, EDGETWICE64, LINES64)

// func segmentScaleSumsFull128AVX512(p *picked, acc, other, numbers *float32)
TEXT ·segmentScaleSumsFull128AVX512(SB), NOSPLIT, $0-32
	SETUP2
	TWOSUMS(FIRST128, SECOND128, EDGETWICE128, LINES128)

// func segmentDotScaleSumFull64AVX512(p *picked, acc, other, numbers *float32)
TEXT ·segmentDotScaleSumFull64AVX512(SB), NOSPLIT, $0-32
	SETUP2
	DOTSUM(FIRST64, SECOND64, EDGEDOT64, LINES64)

// func segmentDotScaleSumFull128AVX512(p *picked, acc, other, numbers *float32)
TEXT ·segmentDotScaleSumFull128AVX512(SB), NOSPLIT, $0-32
	SETUP2
	DOTSUM(FIRST128, SECOND128, EDGEDOT128, LINES128)
