//go:build amd64 && !noasm

// Segments with AVX-512: one block of columns of all rows of a tile. A picked row is
// read once for all that it is wanted for; ids come in order, and every element of a sum
// is one chain of additions, or, of few columns, four that take turns (FOURS). Nothing
// but the row's own edges decides what is added to what.

#include "go_asm.h"
#include "textflag.h"
#include "gather_amd64.h"
#include "pairs512_amd64.h"

// PICK1 to PICK4 prefetch a row's columns AHEAD edges before they are used; FAR1 and FAR2
// do so FARAHEAD edges before, to the second cache: for tables that do not fit the caches.
#define FARAHEAD 64
#define PICK1 \
	FETCH   \
	FETCH1
#define PICK2 \
	FETCH   \
	FETCH2
#define PICK4 \
	FETCH   \
	FETCH4
#define FAR1 \
	MOVLQSX (4*FARAHEAD)(R9)(AX*4), R15 \
	IMULQ   R8, R15                     \
	ADDQ    SI, R15                     \
	PREFETCHT1 (R15)
#define FAR2 \
	FAR1               \
	PREFETCHT1 64(R15)

// Registers, beside those of gather_amd64.h:
//   CX p   DI acc, at the row   R10 its bound   AX edge   BX the row's end
//   R11 edges behind which AHEAD more may be read   R12 w   R13 bytes an edge's weights
//   K1..K4 columns, of a row's last edges in FOURS   K5 weights   Z28..Z31 which weight is a column's

#define SETUP \
	MOVQ    p+0(FP), CX                \
	MOVQ    acc+8(FP), DI              \
	MOVQ    picked_x(CX), SI          \
	MOVQ    picked_stride(CX), R8     \
	MOVQ    picked_ids(CX), R9        \
	MOVQ    picked_bounds(CX), R10    \
	MOVQ    picked_ahead(CX), R11     \
	MOVQ    picked_w(CX), R12         \
	MOVQ    picked_wstride(CX), R13   \
	MOVQ    picked_columns(CX), AX    \
	KMOVW   AX, K1                     \
	SHRQ    $16, AX                    \
	KMOVW   AX, K2                     \
	SHRQ    $16, AX                    \
	KMOVW   AX, K3                     \
	SHRQ    $16, AX                    \
	KMOVW   AX, K4                     \
	MOVQ    picked_weights(CX), AX    \
	KMOVW   AX, K5                     \
	VMOVUPS (picked_order+0)(CX), Z28   \
	VMOVUPS (picked_order+64)(CX), Z29  \
	VMOVUPS (picked_order+128)(CX), Z30 \
	VMOVUPS (picked_order+192)(CX), Z31 \
	MOVLQSX (R10), AX                  \
	MOVQ    AX, DX                     \
	IMULQ   R13, DX                    \
	ADDQ    DX, R12

// SOONER prefetches the columns of the row 8 rows behind the one at base. What rows
// have one of is a stream, but too slow a one for the hardware's prefetchers, and
// sums are in no cache when they are written first.
#define SOONER(base, FETCHN) \
	LEAQ (base)(R8*8), R15 \
	FETCHN

// SUMSOON does so for sums that are not written past the caches; the label is the use's own.
#define SUMSOON(base, FETCHN, past) \
	CMPQ picked_past(CX), $0 \
	JNE  past            \
	SOONER(base, FETCHN) \
past:

// SEGMENTS runs EDGE over the edges of every row, between the sums' start at ZERO, or LOAD,
// and their end at BY, or none, and STORE; SOON prefetches for later rows, OWNED reads what
// the row's edges share, FAST may be ahead of EDGE.
#define SEGMENTS(SOON, ZERO, LOAD, OWNED, FAST, EDGE, BY, STORE, PICK) \
row:                   \
	ADDQ    $4, R10      \
	MOVLQSX (R10), BX    \
	SOON                 \
	ZERO                 \
	CMPQ    picked_more(CX), $0 \
	JEQ     begun        \
	LOAD                 \
begun:                 \
	CMPQ    AX, BX       \
	JGE     summed       \
	OWNED                \
	FAST                 \
edge:                  \
	CMPQ    AX, R11      \
	JGE     near         \
	PICK                 \
near:                  \
	CMPQ    AX, picked_soon(CX)     \
	JGE     here                    \
	MOVQ    picked_nextIDs(CX), R15 \
	MOVLQSX (R15)(AX*4), R15        \
	IMULQ   picked_nextStride(CX), R15 \
	ADDQ    picked_next(CX), R15    \
	PREFETCHT0 (R15)                \
	ADDQ    picked_nextLine(CX), R15 \
	PREFETCHT0 (R15)                \
here:                  \
	ROW                  \
	EDGE                 \
	ADDQ    R13, R12     \
	INCQ    AX           \
	CMPQ    AX, BX       \
	JLT     edge         \
summed:                \
	MOVQ    picked_by(CX), R15  \
	TESTQ   R15, R15     \
	JEQ     ended        \
	ADDQ    picked_byAt(CX), R15 \
	BY                   \
	ADDQ    R13, picked_byAt(CX) \
ended:                 \
	STORE                \
	ADDQ    R8, DI       \
	DECQ    picked_rows(CX) \
	JNE     row          \
	CMPQ    picked_past(CX), $0 \
	JEQ     cached       \
	SFENCE               \
cached:                \
	VZEROUPPER           \
	RET

#define WRITE16(base, a) \
	VMOVUPS a, K1, (base)
#define WRITE32(base, a, b) \
	WRITE16(base, a)        \
	VMOVUPS b, K2, 64(base)
#define WRITE64(base, a, b, c, d) \
	WRITE32(base, a, b)      \
	VMOVUPS c, K3, 128(base) \
	VMOVUPS d, K4, 192(base)

#define PAST16(base, a) \
	VMOVNTPS a, (base)
#define PAST32(base, a, b) \
	PAST16(base, a)        \
	VMOVNTPS b, 64(base)
#define PAST64(base, a, b, c, d) \
	PAST32(base, a, b)       \
	VMOVNTPS c, 128(base)    \
	VMOVNTPS d, 192(base)

// PUT writes sums to the cache or past it. The labels are the use's own.
#define PUT(WRITE, PAST, past, end) \
	CMPQ picked_past(CX), $0 \
	JNE  past \
	WRITE     \
	JMP  end  \
past:       \
	PAST      \
end:

// SPREAD gives every column its weight, of those at mem: the same to all if the block has
// one, else by order. The labels are the use's own.
#define SPREAD(mem, w, a, MORE, COPIES, one, end) \
	CMPQ      picked_single(CX), $0 \
	JNE       one       \
	VMOVUPS.Z mem, K5, w \
	VPERMPS   w, Z28, a \
	MORE                \
	JMP       end       \
one:                  \
	VBROADCASTSS mem, a \
	COPIES              \
end:

#define PERMUTED32(w, b) VPERMPS w, Z29, b
#define PERMUTED64(w, b, c, d) \
	VPERMPS w, Z29, b \
	VPERMPS w, Z30, c \
	VPERMPS w, Z31, d
#define COPIED64(a, b, c, d) \
	VMOVAPS a, b \
	VMOVAPS a, c \
	VMOVAPS a, d

#define SPREAD16(mem, w, a, one, end) SPREAD(mem, w, a, STAY, STAY, one, end)
#define COPIED32(a, b) VMOVAPS a, b
#define SPREAD32(mem, w, a, b, one, end) SPREAD(mem, w, a, PERMUTED32(w, b), COPIED32(a, b), one, end)
#define SPREAD64(mem, w, a, b, c, d, one, end) SPREAD(mem, w, a, PERMUTED64(w, b, c, d), COPIED64(a, b, c, d), one, end)

// One sum: Z0..Z3.
#define ZERO16 VPXORD Z0, Z0, Z0
#define ZERO32 \
	ZERO16               \
	VPXORD Z1, Z1, Z1
#define ZERO64 \
	ZERO32               \
	VPXORD Z2, Z2, Z2    \
	VPXORD Z3, Z3, Z3
#define LOADS16 READ16(DI, Z0)
#define LOADS32 READ32(DI, Z0, Z1)
#define LOADS64 READ64(DI, Z0, Z1, Z2, Z3)
#define STORES16 PUT(WRITE16(DI, Z0), PAST16(DI, Z0), sumPast, sumPut)
#define STORES32 PUT(WRITE32(DI, Z0, Z1), PAST32(DI, Z0, Z1), sumPast, sumPut)
#define STORES64 PUT(WRITE64(DI, Z0, Z1, Z2, Z3), PAST64(DI, Z0, Z1, Z2, Z3), sumPast, sumPut)

#define BY16 \
	SPREAD16((R15), Z8, Z12, byOne, byEnd) \
	VMULPS Z12, Z0, Z0
#define BY32 \
	SPREAD32((R15), Z8, Z12, Z13, byOne, byEnd) \
	VMULPS Z12, Z0, Z0              \
	VMULPS Z13, Z1, Z1
#define BY64 \
	SPREAD64((R15), Z8, Z12, Z13, Z14, Z15, byOne, byEnd) \
	VMULPS Z12, Z0, Z0              \
	VMULPS Z13, Z1, Z1              \
	VMULPS Z14, Z2, Z2              \
	VMULPS Z15, Z3, Z3

#define PLAIN16 VADDPS (DX), Z0, K1, Z0
#define PLAIN32 \
	PLAIN16                      \
	VADDPS 64(DX), Z1, K2, Z1
#define PLAIN64 \
	PLAIN32                      \
	VADDPS 128(DX), Z2, K3, Z2   \
	VADDPS 192(DX), Z3, K4, Z3

#define ONE16 \
	SPREAD16((R12), Z8, Z12, weightOne, weightEnd) \
	VFMADD231PS (DX), Z12, K1, Z0
#define ONE32 \
	SPREAD32((R12), Z8, Z12, Z13, weightOne, weightEnd) \
	VFMADD231PS (DX), Z12, K1, Z0   \
	VFMADD231PS 64(DX), Z13, K2, Z1
// SINGLE32 is ONE32 where the block has one weight; FARSINGLE32 prefetches those of later edges.
#define SINGLE32 \
	VBROADCASTSS (R12), Z12         \
	VFMADD231PS (DX), Z12, K1, Z0   \
	VFMADD231PS 64(DX), Z12, K2, Z1
#define FARSINGLE32 \
	PREFETCHT0 1024(R12)            \
	SINGLE32
#define ONE64 \
	SPREAD64((R12), Z8, Z12, Z13, Z14, Z15, weightOne, weightEnd) \
	VFMADD231PS (DX), Z12, K1, Z0    \
	VFMADD231PS 64(DX), Z13, K2, Z1  \
	VFMADD231PS 128(DX), Z14, K3, Z2 \
	VFMADD231PS 192(DX), Z15, K4, Z3

// Edge i behind the current one: its row's columns, plain or scaled, to the sum sum, or to
// the two of them.
#define PLAINADD(i, sum, second, a, lane) \
	MOVLQSX (4*i)(R9)(AX*4), DX      \
	IMULQ   R8, DX                   \
	VADDPS  (SI)(DX*1), sum, K1, sum
#define ONEADD(i, sum, second, a, lane) \
	MOVLQSX (4*i)(R9)(AX*4), DX      \
	IMULQ   R8, DX                   \
	VMOVUPS.Z (SI)(DX*1), K1, a      \
	VPERMPS Z26, lane, Z12           \
	VFMADD231PS a, Z12, sum
#define TWOADD(i, sum, second, a, lane) \
	ONEADD(i, sum, second, a, lane)  \
	VPERMPS Z27, lane, Z13           \
	VFMADD231PS a, Z13, second
// The same with a multiplied with the row's own.
#define DOTADD(i, sum, second, a, lane) \
	ONEADD(i, sum, second, a, lane)  \
	VMULPS  Z20, a, a

// The weights of four edges are read at once and permuted to all columns: to read one to all of
// a register takes as long as to read a row. FARWEIGHTS prefetches those of later edges, too,
// which the hardware does not foresee between the rows of a large table.
#define LANE(i, lane) \
	MOVL $i, DX          \
	VPBROADCASTD DX, lane
#define LANES \
	LANE(0, Z18) \
	LANE(1, Z19) \
	LANE(2, Z22) \
	LANE(3, Z23)
#define WEIGHTS VMOVUPS (R12), X26
#define FARWEIGHTS \
	WEIGHTS            \
	PREFETCHT0 1024(R12)
#define TWOWEIGHTS \
	WEIGHTS            \
	VMOVUPS (R12)(R14*1), X27

// AHEADOF prefetches the row of edge i behind the current one AHEAD edges later, FAROF
// FARAHEAD edges later, NEXTOF what SEGMENTS prefetches for others beside it.
#define AHEADOF(i) \
	MOVLQSX (4*AHEAD+4*i)(R9)(AX*4), R15 \
	IMULQ   R8, R15                      \
	PREFETCHT0 (SI)(R15*1)
#define FAROF(i) \
	MOVLQSX (4*FARAHEAD+4*i)(R9)(AX*4), R15 \
	IMULQ   R8, R15                         \
	PREFETCHT1 (SI)(R15*1)
#define NEXTOF(i) \
	MOVQ    picked_nextIDs(CX), R15 \
	MOVLQSX (4*i)(R15)(AX*4), R15   \
	IMULQ   picked_nextStride(CX), R15 \
	ADDQ    picked_next(CX), R15    \
	PREFETCHT0 (R15)                \
	ADDQ    picked_nextLine(CX), R15 \
	PREFETCHT0 (R15)

// FOURS takes four edges at a time by ADD, and then ADDED for them, with PICKOF and READ before: of
// few columns, the steps from edge to edge are most of the work, and an addition would wait
// for the one before it; so there are four sums of every fourth edge, which MERGE adds up. REST
// takes the row's last ones, none to three, without a branch, under the masks K2 to K4 and
// K7. Those near the end of all edges, and those of leaves, are left to EDGE, which adds
// them up as REST does.
#define FOURS(PICKOF, READ, ADD, ADDED, REST, CLEAR, MERGE, fast, alone, added, rest, lone, slow) \
	LEAQ    4(AX), R15              \
	CMPQ    R15, BX                 \
	JGT     rest                    \
	CLEAR                           \
fast:                             \
	CMPQ    R15, picked_soon(CX)    \
	JGT     alone                   \
	NEXTOF(0)                       \
	NEXTOF(1)                       \
	NEXTOF(2)                       \
	NEXTOF(3)                       \
	LEAQ    4(AX), R15              \
alone:                            \
	CMPQ    R15, R11                \
	JGT     added                   \
	PICKOF(0)                       \
	PICKOF(1)                       \
	PICKOF(2)                       \
	PICKOF(3)                       \
added:                            \
	READ                            \
	ADD(0, Z0, Z4, Z8, Z18)         \
	ADD(1, Z1, Z5, Z9, Z19)         \
	ADD(2, Z2, Z6, Z10, Z22)        \
	ADD(3, Z3, Z7, Z11, Z23)        \
	ADDED                           \
	ADDQ    $4, AX                  \
	LEAQ    (R12)(R13*4), R12       \
	LEAQ    4(AX), R15              \
	CMPQ    R15, BX                 \
	JLE     fast                    \
	MERGE                           \
rest:                             \
	CMPQ    picked_leaves(CX), $0   \
	JNE     slow                    \
	LEAQ    3(AX), R15              \
	CMPQ    R15, R11                \
	JGT     slow                    \
	CMPQ    R15, picked_soon(CX)    \
	JGT     lone                    \
	NEXTOF(0)                       \
	NEXTOF(1)                       \
	NEXTOF(2)                       \
lone:                             \
	PICKOF(0)                       \
	PICKOF(1)                       \
	PICKOF(2)                       \
	MOVQ    BX, R15                 \
	SUBQ    AX, R15                 \
	KMOVW   (picked_rest+0)(CX)(R15*8), K2 \
	KMOVW   (picked_rest+2)(CX)(R15*8), K3 \
	KMOVW   (picked_rest+4)(CX)(R15*8), K4 \
	REST                            \
	LEAQ    (R12)(R15*4), R12       \
	MOVQ    BX, AX                  \
	JMP     summed                  \
slow:                             \
	CMPQ    AX, BX                  \
	JGE     summed

#define RESTS(ADD) \
	ADD(0, K2, Z8) \
	ADD(1, K3, Z9) \
	ADD(2, K4, Z10)

// The same as the ADDs, to the first of the four sums, if the mask k is not 0.
#define PLAINREST(i, k, a) \
	MOVLQSX (4*i)(R9)(AX*4), DX      \
	IMULQ   R8, DX                   \
	VADDPS  (SI)(DX*1), Z0, k, Z0
#define ONEREST(i, k, a) \
	MOVLQSX (4*i)(R9)(AX*4), DX      \
	IMULQ   R8, DX                   \
	VMOVUPS.Z (SI)(DX*1), k, a       \
	VFMADD231PS.BCST (4*i)(R12), a, k, Z0
#define TWOREST(i, k, a) \
	ONEREST(i, k, a)                 \
	VFMADD231PS.BCST (4*i)(R12)(R14*1), a, k, Z4
#define DOTREST(i, k, a) \
	ONEREST(i, k, a)                 \
	VMULPS  Z20, a, a

#define CLEAR16 \
	VPXORD Z1, Z1, Z1 \
	VPXORD Z2, Z2, Z2 \
	VPXORD Z3, Z3, Z3
#define MERGE16 \
	VADDPS Z1, Z0, Z0 \
	VADDPS Z3, Z2, Z2 \
	VADDPS Z2, Z0, Z0
#define CLEAR2_16 \
	CLEAR16           \
	VPXORD Z5, Z5, Z5 \
	VPXORD Z6, Z6, Z6 \
	VPXORD Z7, Z7, Z7
#define MERGE2_16 \
	MERGE16           \
	VADDPS Z5, Z4, Z4 \
	VADDPS Z7, Z6, Z6 \
	VADDPS Z6, Z4, Z4

// Sums whose weights are the rows' own, one each, of a table at R14.
#define FACTORS \
	SETUP                  \
	MOVQ picked_w(CX), R14
#define OFROW \
	MOVLQSX (R9)(AX*4), R15       \
	VBROADCASTSS (R14)(R15*4), Z12
#define FACTOR16 \
	OFROW                         \
	VFMADD231PS (DX), Z12, K1, Z0
#define FACTOR32 \
	FACTOR16                      \
	VFMADD231PS 64(DX), Z12, K2, Z1
#define FACTOR64 \
	FACTOR32                         \
	VFMADD231PS 128(DX), Z12, K3, Z2 \
	VFMADD231PS 192(DX), Z12, K4, Z3
#define FACTORADD(i, sum, second, a, lane) \
	MOVLQSX (4*i)(R9)(AX*4), R15     \
	MOVQ    R15, DX                  \
	IMULQ   R8, DX                   \
	VMOVUPS.Z (SI)(DX*1), K1, a      \
	VFMADD231PS.BCST (R14)(R15*4), a, sum
#define FACTORREST(i, k, a) \
	MOVLQSX (4*i)(R9)(AX*4), R15     \
	MOVQ    R15, DX                  \
	IMULQ   R8, DX                   \
	VMOVUPS.Z (SI)(DX*1), k, a       \
	VFMADD231PS.BCST (R14)(R15*4), a, k, Z0
#define FACTORFOURS(PICKOF) FOURS(PICKOF, STAY, FACTORADD, STAY, RESTS(FACTORREST), CLEAR16, MERGE16, fast, alone, added, rest, lone, slow)

// SINGLE goes to EDGE where an edge has several weights, of this block or another.
#define SINGLE \
	CMPQ picked_single(CX), $0 \
	JEQ  edge                  \
	CMPQ R13, $4               \
	JNE  edge

#define PLAINFOURS(PICKOF) FOURS(PICKOF, STAY, PLAINADD, STAY, RESTS(PLAINREST), CLEAR16, MERGE16, fast, alone, added, rest, lone, slow)
#define ONEFOURS(PICKOF, READ) \
	SINGLE \
	FOURS(PICKOF, READ, ONEADD, STAY, RESTS(ONEREST), CLEAR16, MERGE16, fast, alone, added, rest, lone, slow)
#define TWOFOURS \
	SINGLE \
	FOURS(AHEADOF, TWOWEIGHTS, TWOADD, STAY, RESTS(TWOREST), CLEAR2_16, MERGE2_16, fast, alone, added, rest, lone, slow)

// Two sums: Z0..Z3 and Z4..Z7. R14 leads from w to w2, SECOND from acc to acc2.
#define SETUP2 \
	SETUP                  \
	MOVQ w2+24(FP), R14    \
	SUBQ picked_w(CX), R14

#define SECOND \
	MOVQ acc2+16(FP), R15 \
	SUBQ acc+8(FP), R15   \
	ADDQ DI, R15

#define SOON2(FETCHN) \
	SUMSOON(DI, FETCHN, sumSoon)   \
	SECOND                         \
	SUMSOON(R15, FETCHN, secondSoon)

#define ZERO2_16 \
	ZERO16               \
	VPXORD Z4, Z4, Z4
#define ZERO2_32 \
	ZERO32               \
	VPXORD Z4, Z4, Z4    \
	VPXORD Z5, Z5, Z5
#define ZERO2_64 \
	ZERO64               \
	VPXORD Z4, Z4, Z4    \
	VPXORD Z5, Z5, Z5    \
	VPXORD Z6, Z6, Z6    \
	VPXORD Z7, Z7, Z7

#define LOADS2_16 \
	LOADS16  \
	SECOND   \
	READ16(R15, Z4)
#define LOADS2_32 \
	LOADS32  \
	SECOND   \
	READ32(R15, Z4, Z5)
#define LOADS2_64 \
	LOADS64  \
	SECOND   \
	READ64(R15, Z4, Z5, Z6, Z7)
#define STORES2_16 \
	STORES16 \
	SECOND   \
	PUT(WRITE16(R15, Z4), PAST16(R15, Z4), secondPast, secondPut)
#define STORES2_32 \
	STORES32 \
	SECOND   \
	PUT(WRITE32(R15, Z4, Z5), PAST32(R15, Z4, Z5), secondPast, secondPut)
#define STORES2_64 \
	STORES64 \
	SECOND   \
	PUT(WRITE64(R15, Z4, Z5, Z6, Z7), PAST64(R15, Z4, Z5, Z6, Z7), secondPast, secondPut)

#define BY2_16 \
	BY16                 \
	VMULPS Z12, Z4, Z4
#define BY2_32 \
	BY32                 \
	VMULPS Z12, Z4, Z4   \
	VMULPS Z13, Z5, Z5
#define BY2_64 \
	BY64                 \
	VMULPS Z12, Z4, Z4   \
	VMULPS Z13, Z5, Z5   \
	VMULPS Z14, Z6, Z6   \
	VMULPS Z15, Z7, Z7

#define TWO16 \
	READ16(DX, Z16)                   \
	SPREAD16((R12), Z8, Z12, weightOne, weightEnd) \
	SPREAD16((R12)(R14*1), Z8, Z20, secondOne, secondEnd) \
	VFMADD231PS Z16, Z12, Z0          \
	VFMADD231PS Z16, Z20, Z4
#define TWO32 \
	READ32(DX, Z16, Z17)                 \
	SPREAD32((R12), Z8, Z12, Z13, weightOne, weightEnd) \
	SPREAD32((R12)(R14*1), Z9, Z20, Z21, secondOne, secondEnd) \
	VFMADD231PS Z16, Z12, Z0             \
	VFMADD231PS Z17, Z13, Z1             \
	VFMADD231PS Z16, Z20, Z4             \
	VFMADD231PS Z17, Z21, Z5
#define TWO64 \
	READ64(DX, Z16, Z17, Z18, Z19)                 \
	SPREAD64((R12), Z8, Z12, Z13, Z14, Z15, weightOne, weightEnd) \
	SPREAD64((R12)(R14*1), Z9, Z20, Z21, Z22, Z23, secondOne, secondEnd) \
	VFMADD231PS Z16, Z12, Z0                       \
	VFMADD231PS Z17, Z13, Z1                       \
	VFMADD231PS Z18, Z14, Z2                       \
	VFMADD231PS Z19, Z15, Z3                       \
	VFMADD231PS Z16, Z20, Z4                       \
	VFMADD231PS Z17, Z21, Z5                       \
	VFMADD231PS Z18, Z22, Z6                       \
	VFMADD231PS Z19, Z23, Z7

// A sum, Z0..Z3, and dot products with the row's own, Z20..Z23. R14 leads from w to
// the dot products; K6 are those of an edge.
#define SETUPDOT \
	SETUP                    \
	MOVQ    dots+24(FP), R14 \
	SUBQ    picked_w(CX), R14 \
	MOVQ    picked_dots(CX), DX \
	KMOVW   DX, K6           \
	VMOVUPS evens<>(SB), Z24 \
	VMOVUPS odds<>(SB), Z25

#define OWN \
	MOVQ own+16(FP), R15 \
	SUBQ acc+8(FP), R15  \
	ADDQ DI, R15

#define SOONDOT(FETCHN) \
	SUMSOON(DI, FETCHN, sumSoon) \
	OWN                  \
	SOONER(R15, FETCHN)

#define OWNED16 \
	OWN     \
	READ16(R15, Z20)
#define OWNED32 \
	OWN     \
	READ32(R15, Z20, Z21)
#define OWNED64 \
	OWN     \
	READ64(R15, Z20, Z21, Z22, Z23)

// QUARTERS adds up the quarters of a; b is free.
#define QUARTERS(az, ay, ax, by, bx) \
	VEXTRACTF64X4 $1, az, by      \
	VADDPS   by, ay, ay           \
	VEXTRACTF128 $1, ay, bx       \
	VADDPS   bx, ax, ax

// FOLD4 adds up the products of four edges, in Z8 to Z11, in FOLD's order.
#define FOLD4 \
	VUNPCKLPS Z9, Z8, Z12         \
	VUNPCKHPS Z9, Z8, Z13         \
	VADDPS    Z13, Z12, Z12       \
	VUNPCKLPS Z11, Z10, Z14       \
	VUNPCKHPS Z11, Z10, Z15       \
	VADDPS    Z15, Z14, Z14       \
	VUNPCKLPD Z14, Z12, Z13       \
	VUNPCKHPD Z14, Z12, Z15       \
	VADDPS    Z15, Z13, Z13       \
	QUARTERS(Z13, Y13, X13, Y12, X12)

#define ADDDOTS \
	FOLD4                         \
	VADDPS    (R12)(R14*1), X13, X13  \
	VMOVUPS   X13, (R12)(R14*1)

#define RESTDOTS \
	RESTS(DOTREST)                \
	VPXORD    Z11, Z11, Z11       \
	KMOVW     (picked_rest+6)(CX)(R15*8), K7 \
	FOLD4                         \
	VMOVUPS.Z (R12)(R14*1), K7, X12   \
	VADDPS    X12, X13, X13       \
	VMOVUPS   X13, K7, (R12)(R14*1)

#define DOTFOURS \
	CMPQ picked_fold(CX), $const_whole \
	JNE  edge                  \
	CMPQ R13, $4               \
	JNE  edge                  \
	FOURS(AHEADOF, WEIGHTS, DOTADD, ADDDOTS, RESTDOTS, CLEAR16, MERGE16, fast, alone, added, rest, lone, slow)

// FOLD adds up the products of the block, which are in Z8 and on: neighbours as often as
// p.fold says, of which FIRST does the first time for the whole block, or all of them
// to the dot product of an edge.
#define FOLD(FIRST, ALL) \
	MOVQ  picked_fold(CX), R15    \
	CMPQ  R15, $const_whole       \
	JEQ   all                     \
	SUBQ  $1, R15                 \
	JLT   put                     \
	FIRST                         \
	JEQ   put                     \
	PAIR(Z8, Z9, Z8)              \
	JMP   test                    \
more:                           \
	PAIR(Z8, Z8, Z8)              \
test:                           \
	SUBQ  $1, R15                 \
	JGT   more                    \
put:                            \
	VMOVUPS Z8, K6, (R12)(R14*1)  \
	JMP   done                    \
all:                            \
	ALL                           \
	VPERMILPS $0x4E, Z8, Z9       \
	VADDPS   Z9, Z8, Z8           \
	VPERMILPS $0xB1, Z8, Z9       \
	VADDPS   Z9, Z8, Z8           \
	QUARTERS(Z8, Y8, X8, Y9, X9)  \
	VADDSS   (R12)(R14*1), X8, X8 \
	VMOVSS   X8, (R12)(R14*1)     \
done:

#define FIRST16 PAIR(Z8, Z8, Z8)
#define FIRST32 PAIR(Z8, Z9, Z8)
#define ALL16
#define ALL32 VADDPS Z9, Z8, Z8
#define ALL64 \
	VADDPS Z9, Z8, Z8    \
	VADDPS Z11, Z10, Z10 \
	VADDPS Z10, Z8, Z8

#define DOT16 \
	READ16(DX, Z8)            \
	SPREAD16((R12), Z12, Z12, weightOne, weightEnd) \
	VFMADD231PS Z8, Z12, Z0   \
	VMULPS Z20, Z8, Z8        \
	FOLD(FIRST16, ALL16)
#define DOT32 \
	READ32(DX, Z8, Z9)             \
	SPREAD32((R12), Z16, Z12, Z13, weightOne, weightEnd) \
	VFMADD231PS Z8, Z12, Z0        \
	VFMADD231PS Z9, Z13, Z1        \
	VMULPS Z20, Z8, Z8             \
	VMULPS Z21, Z9, Z9             \
	FOLD(FIRST32, ALL32)
#define DOT64 \
	READ64(DX, Z8, Z9, Z10, Z11)             \
	SPREAD64((R12), Z16, Z12, Z13, Z14, Z15, weightOne, weightEnd) \
	VFMADD231PS Z8, Z12, Z0                  \
	VFMADD231PS Z9, Z13, Z1                  \
	VFMADD231PS Z10, Z14, Z2                 \
	VFMADD231PS Z11, Z15, Z3                 \
	VMULPS Z20, Z8, Z8                       \
	VMULPS Z21, Z9, Z9                       \
	VMULPS Z22, Z10, Z10                     \
	VMULPS Z23, Z11, Z11                     \
	FOLD(FIRST64, ALL64)

// func segmentGatherSum64AVX512(p *picked, acc *float32)
TEXT ·segmentGatherSum64AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH4, sumSoon), ZERO64, LOADS64, STAY, STAY, PLAIN64, BY64, STORES64, PICK4)

// func segmentGatherSum32AVX512(p *picked, acc *float32)
TEXT ·segmentGatherSum32AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH2, sumSoon), ZERO32, LOADS32, STAY, STAY, PLAIN32, BY32, STORES32, PICK2)

// func segmentGatherSum16AVX512(p *picked, acc *float32)
TEXT ·segmentGatherSum16AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH1, sumSoon), ZERO16, LOADS16, STAY, PLAINFOURS(AHEADOF), PLAIN16, BY16, STORES16, PICK1)

// func segmentGatherSumFar16AVX512(p *picked, acc *float32)
TEXT ·segmentGatherSumFar16AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH1, sumSoon), ZERO16, LOADS16, STAY, PLAINFOURS(FAROF), PLAIN16, BY16, STORES16, FAR1)

// func segmentGatherSumFar32AVX512(p *picked, acc *float32)
TEXT ·segmentGatherSumFar32AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH2, sumSoon), ZERO32, LOADS32, STAY, STAY, PLAIN32, BY32, STORES32, FAR2)

// func segmentScaleSum64AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSum64AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH4, sumSoon), ZERO64, LOADS64, STAY, STAY, ONE64, BY64, STORES64, PICK4)

// func segmentScaleSum32AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSum32AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH2, sumSoon), ZERO32, LOADS32, STAY, STAY, ONE32, BY32, STORES32, PICK2)

// func segmentScaleSum16AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSum16AVX512(SB), NOSPLIT, $0-16
	SETUP
	LANES
	SEGMENTS(SUMSOON(DI, FETCH1, sumSoon), ZERO16, LOADS16, STAY, ONEFOURS(AHEADOF, WEIGHTS), ONE16, BY16, STORES16, PICK1)

// func segmentScaleSumFar16AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSumFar16AVX512(SB), NOSPLIT, $0-16
	SETUP
	LANES
	SEGMENTS(SUMSOON(DI, FETCH1, sumSoon), ZERO16, LOADS16, STAY, ONEFOURS(FAROF, FARWEIGHTS), ONE16, BY16, STORES16, FAR1)

// func segmentScaleSumFar32AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSumFar32AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH2, sumSoon), ZERO32, LOADS32, STAY, STAY, ONE32, BY32, STORES32, FAR2)

// func segmentScaleSumSingle32AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSumSingle32AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH2, sumSoon), ZERO32, LOADS32, STAY, STAY, SINGLE32, BY32, STORES32, PICK2)

// func segmentScaleSumFarSingle32AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSumFarSingle32AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(SUMSOON(DI, FETCH2, sumSoon), ZERO32, LOADS32, STAY, STAY, FARSINGLE32, BY32, STORES32, FAR2)

// func segmentFactorSum64AVX512(p *picked, acc *float32)
TEXT ·segmentFactorSum64AVX512(SB), NOSPLIT, $0-16
	FACTORS
	SEGMENTS(SUMSOON(DI, FETCH4, sumSoon), ZERO64, LOADS64, STAY, STAY, FACTOR64, BY64, STORES64, PICK4)

// func segmentFactorSum32AVX512(p *picked, acc *float32)
TEXT ·segmentFactorSum32AVX512(SB), NOSPLIT, $0-16
	FACTORS
	SEGMENTS(SUMSOON(DI, FETCH2, sumSoon), ZERO32, LOADS32, STAY, STAY, FACTOR32, BY32, STORES32, PICK2)

// func segmentFactorSum16AVX512(p *picked, acc *float32)
TEXT ·segmentFactorSum16AVX512(SB), NOSPLIT, $0-16
	FACTORS
	SEGMENTS(SUMSOON(DI, FETCH1, sumSoon), ZERO16, LOADS16, STAY, FACTORFOURS(AHEADOF), FACTOR16, BY16, STORES16, PICK1)

// func segmentFactorSumFar16AVX512(p *picked, acc *float32)
TEXT ·segmentFactorSumFar16AVX512(SB), NOSPLIT, $0-16
	FACTORS
	SEGMENTS(SUMSOON(DI, FETCH1, sumSoon), ZERO16, LOADS16, STAY, FACTORFOURS(FAROF), FACTOR16, BY16, STORES16, FAR1)

// func segmentFactorSumFar32AVX512(p *picked, acc *float32)
TEXT ·segmentFactorSumFar32AVX512(SB), NOSPLIT, $0-16
	FACTORS
	SEGMENTS(SUMSOON(DI, FETCH2, sumSoon), ZERO32, LOADS32, STAY, STAY, FACTOR32, BY32, STORES32, FAR2)

// func segmentScaleSums64AVX512(p *picked, acc, acc2, w2 *float32)
TEXT ·segmentScaleSums64AVX512(SB), NOSPLIT, $0-32
	SETUP2
	SEGMENTS(SOON2(FETCH4), ZERO2_64, LOADS2_64, STAY, STAY, TWO64, BY2_64, STORES2_64, PICK4)

// func segmentScaleSums32AVX512(p *picked, acc, acc2, w2 *float32)
TEXT ·segmentScaleSums32AVX512(SB), NOSPLIT, $0-32
	SETUP2
	SEGMENTS(SOON2(FETCH2), ZERO2_32, LOADS2_32, STAY, STAY, TWO32, BY2_32, STORES2_32, PICK2)

// func segmentScaleSums16AVX512(p *picked, acc, acc2, w2 *float32)
TEXT ·segmentScaleSums16AVX512(SB), NOSPLIT, $0-32
	SETUP2
	LANES
	SEGMENTS(SOON2(FETCH1), ZERO2_16, LOADS2_16, STAY, TWOFOURS, TWO16, BY2_16, STORES2_16, PICK1)

// func segmentDotScaleSum64AVX512(p *picked, acc, own, dots *float32)
TEXT ·segmentDotScaleSum64AVX512(SB), NOSPLIT, $0-32
	SETUPDOT
	SEGMENTS(SOONDOT(FETCH4), ZERO64, LOADS64, OWNED64, STAY, DOT64, BY64, STORES64, PICK4)

// func segmentDotScaleSum32AVX512(p *picked, acc, own, dots *float32)
TEXT ·segmentDotScaleSum32AVX512(SB), NOSPLIT, $0-32
	SETUPDOT
	SEGMENTS(SOONDOT(FETCH2), ZERO32, LOADS32, OWNED32, STAY, DOT32, BY32, STORES32, PICK2)

// func segmentDotScaleSum16AVX512(p *picked, acc, own, dots *float32)
TEXT ·segmentDotScaleSum16AVX512(SB), NOSPLIT, $0-32
	SETUPDOT
	LANES
	SEGMENTS(SOONDOT(FETCH1), ZERO16, LOADS16, OWNED16, DOTFOURS, DOT16, BY16, STORES16, PICK1)
