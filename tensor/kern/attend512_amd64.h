// Attention with AVX-512: the weights of edges, which are products, and the sums of rows. Weights
// are computed as one number, and go to all lanes in the end: processors that take 512 bits in two
// halves take twice as long for the same in all lanes.
//
//   Z0 to Z7 sums   Z8 to Z15 second sums   X16 to X19, Z16 to Z19 what is computed and read
//   X20 to X27 what is of the row   Z28, Z29 weights, or what sums are multiplied with   K1 a vertex
//   whose scores are above 0

// FIRST and SECOND apply OP to the block's columns, a vector at a time.
#define FIRST16(OP) OP(0, Z0)
#define FIRST32(OP) \
	FIRST16(OP) \
	OP(64, Z1)
#define FIRST64(OP) \
	FIRST32(OP) \
	OP(128, Z2) \
	OP(192, Z3)
#define FIRST128(OP) \
	FIRST64(OP) \
	OP(256, Z4) \
	OP(320, Z5) \
	OP(384, Z6) \
	OP(448, Z7)
#define SECOND16(OP) OP(0, Z8)
#define SECOND32(OP) \
	SECOND16(OP) \
	OP(64, Z9)
#define SECOND64(OP) \
	SECOND32(OP) \
	OP(128, Z10) \
	OP(192, Z11)
#define SECOND128(OP) \
	SECOND64(OP) \
	OP(256, Z12) \
	OP(320, Z13) \
	OP(384, Z14) \
	OP(448, Z15)

#define ADDED(at, z) VFMADD231PS at(DX), Z28, z
#define TIMES28(at, z) VMULPS Z28, z, z
#define BOTHADDED(at, x, a, b) \
	VMOVUPS     at(DX), x \
	VFMADD231PS x, Z28, a \
	VFMADD231PS x, Z29, b
#define TWICE16 BOTHADDED(0, Z16, Z0, Z8)
#define TWICE32 \
	TWICE16                     \
	BOTHADDED(64, Z17, Z1, Z9)
#define TWICE64 \
	TWICE32                      \
	BOTHADDED(128, Z18, Z2, Z10) \
	BOTHADDED(192, Z19, Z3, Z11)
#define TWICE128 \
	TWICE64                      \
	BOTHADDED(256, Z16, Z4, Z12) \
	BOTHADDED(320, Z17, Z5, Z13) \
	BOTHADDED(384, Z18, Z6, Z14) \
	BOTHADDED(448, Z19, Z7, Z15)

// LINES prefetches the block's columns of the row at R15.
#define LINES16(PREFETCH) PREFETCH (R15)
#define LINES32(PREFETCH) \
	LINES16(PREFETCH) \
	PREFETCH 64(R15)
#define LINES64(PREFETCH) \
	LINES32(PREFETCH) \
	PREFETCH 128(R15) \
	PREFETCH 192(R15)
#define LINES128(PREFETCH) \
	LINES64(PREFETCH) \
	PREFETCH 256(R15) \
	PREFETCH 320(R15) \
	PREFETCH 384(R15) \
	PREFETCH 448(R15)

// To the second cache rows are prefetched AHEAD512 edges ahead, to the first one, which keeps fewer
// under way, FIRSTAHEAD. BESIDE walks over the row's edges by EDGE, or by MASKED where there are
// masks; AGAIN does so for further columns, 128 at a time.
#define AHEAD512 64
#define FIRSTAHEAD 16
#define NEXTPAIR(LINES) FETCHPAIR(PREFETCHT1, AHEAD512, LINES(PREFETCHT1))
#define NEXTPAIRFIRST(LINES) FETCHPAIR(PREFETCHT0, FIRSTAHEAD, LINES(PREFETCHT0))
#define NEXTQUAD(LINES) FETCHQUAD(PREFETCHT1, AHEAD512, LINES(PREFETCHT1))
#define NEXTQUADFIRST(LINES) FETCHQUAD(PREFETCHT0, FIRSTAHEAD, LINES(PREFETCHT0))
#define BESIDE(LINES, EDGE, MASKED) \
	EITHER(EACHOF(NEXTQUAD(LINES), NEXTQUADFIRST(LINES), EDGE, R14, attendWalk_toFirst(CX), near, nearFirst, last, rest, taken), EACHOF(NEXTQUAD(LINES), NEXTQUADFIRST(LINES), MASKED, R14, attendWalk_toFirst(CX), nearMasked, nearFirstMasked, lastMasked, restMasked, takenMasked))
#define AGAIN(EDGE) \
	EACHOF(FETCHROW(AHEAD512, LINES128(PREFETCHT1)), FETCHROW(FIRSTAHEAD, LINES128(PREFETCHT0)), EDGE, R14, attendWalk_toFirst(CX), nearFurther, nearFirstFurther, lastFurther, restFurther, takenFurther)

// KEEP and KEEPBOTH keep an edge's weights for further columns.
#define KEEP \
	MOVQ   weights, R15      \
	VMOVSS X16, (R15)(AX*8)
#define KEEPBOTH \
	KEEP                      \
	VMOVSS X19, 4(R15)(AX*8)

// MASK and MASKBOTH multiply the weights with what dropout leaves.
#define MASK \
	MOVQ   attendWalk_masks(CX), R15 \
	VMULSS (R15)(AX*4), X16, X16
#define MASKBOTH \
	MASK                         \
	VMULSS (R15)(AX*4), X19, X19

// The weight of an edge, of two powers of its vertex' number, is the larger of the first and X20
// times the second, for that is the one that is meant. X21 is the sum of weights, X22 the largest
// number.
#define PAIREDGE(KEPT, ADD) \
	MOVLQSX (R9)(AX*4), DX          \
	VMULSS  4(R12)(DX*8), X20, X16  \
	VMOVSS  (R12)(DX*8), X17        \
	VMAXSS  X16, X17, X16           \
	VADDSS  X16, X21, X21           \
	KEPT                            \
	VBROADCASTSS X16, Z28           \
	TOROW                           \
	ADD
#define QUADEDGE(MASKED, KEPT, ADD) \
	MOVLQSX (R9)(AX*4), DX          \
	ADDQ    DX, DX                  \
	VMULSS  4(R12)(DX*8), X20, X16  \
	VMOVSS  (R12)(DX*8), X17        \
	VMAXSS  8(R12)(DX*8), X22, X22  \
	VMAXSS  X16, X17, X16           \
	VADDSS  X16, X21, X21           \
	MASKED                          \
	KEPT                            \
	VBROADCASTSS X16, Z28           \
	TOROW2                          \
	ADD

// CHOSEN makes the weight in X17 that of a vertex in K1, beside X16 for others, and the second
// weight, X19: X24 times X16 of others.
#define CHOSEN \
	VMOVSS X17, X16, K1, X16 \
	VMULSS X24, X16, X19     \
	VMOVSS X16, X19, K1, X19

// Of two sums, the weight is chosen by whether the vertex' number is more than X25. X26 is the sum
// of second weights.
#define TWICEEDGE(MASKED, KEPT, ADD) \
	MOVLQSX (R9)(AX*4), DX          \
	ADDQ    DX, DX                  \
	VMOVSS  8(R12)(DX*8), X18       \
	VCMPSS  $0x1E, X25, X18, K1     \
	VMAXSS  X18, X22, X22           \
	VMULSS  4(R12)(DX*8), X20, X16  \
	VMOVSS  (R12)(DX*8), X17        \
	CHOSEN                          \
	VADDSS  X16, X21, X21           \
	VADDSS  X19, X26, X26           \
	MASKED                          \
	KEPT                            \
	VBROADCASTSS X16, Z28           \
	VBROADCASTSS X19, Z29           \
	TOROW2                          \
	ADD

// Backward a vertex' numbers are multiplied with X21 where its third is more than X25, else with
// X20; X26 is the sum of its fourth times the second weights.
#define BACKEDGE(MASKED, KEPT, ADD) \
	MOVLQSX (R9)(AX*4), DX             \
	ADDQ    DX, DX                     \
	VMOVSS  8(R12)(DX*8), X18          \
	VCMPSS  $0x1E, X25, X18, K1        \
	VMULSS  4(R12)(DX*8), X20, X16     \
	VMULSS  (R12)(DX*8), X21, X17      \
	CHOSEN                             \
	VFMADD231SS 12(R12)(DX*8), X19, X26 \
	MASKED                             \
	KEPT                               \
	VBROADCASTSS X16, Z28              \
	VBROADCASTSS X19, Z29              \
	TOROW2                             \
	ADD

// Further columns of an edge, by the weights that were kept.
#define KEPTEDGE(ADD) \
	MOVQ         weights, R15       \
	MOVLQSX      (R9)(AX*4), DX     \
	VBROADCASTSS (R15)(AX*8), Z28   \
	TOROW                           \
	ADD
#define KEPTBOTHEDGE(ADD) \
	MOVQ         weights, R15       \
	MOVLQSX      (R9)(AX*4), DX     \
	VBROADCASTSS (R15)(AX*8), Z28   \
	VBROADCASTSS 4(R15)(AX*8), Z29  \
	TOROW                           \
	ADD

// RECIPROCAL is 1 over the sum of weights, which is 0 only where there are none, in X23; BYSUM
// brings it to all lanes of Z28.
#define RECIPROCAL \
	VMAXSS tiny<>(SB), X21, X21 \
	VMOVSS one<>(SB), X23       \
	VDIVSS X21, X23, X23
#define BYSUM VBROADCASTSS X23, Z28

// ONCE is one sum a row: EDGES are its edges, TOTAL what is told of it, LAST the rest.
#define ONCE(FIRST, EDGES, TOTAL, LAST) \
	BEGIN                              \
row:                                 \
	BEGINROW                           \
	VMOVSS (DX), X20                   \
	VXORPS X21, X21, X21               \
	VMOVSS minusInfinity<>(SB), X22    \
	FIRST(ZERO)                        \
	EDGES                              \
	TOTAL                              \
	RECIPROCAL                         \
	ENDONCE(FIRST, past, put)          \
	LAST

#define ENDONCE(FIRST, past, put) \
	BYSUM          \
	FIRST(TIMES28) \
	PUTROW(FIRST(STORE), FIRST(PAST), past, put)

#define ALONE(FIRST, LINES, KEPT, LAST) \
	ONCE(FIRST, EACHOF(NEXTPAIR(LINES), NEXTPAIRFIRST(LINES), PAIREDGE(KEPT, FIRST(ADDED)), R14, attendWalk_toFirst(CX), near, nearFirst, last, rest, taken), NOTHING, LAST)
#define TOLD(FIRST, LINES, KEPT, LAST) \
	ONCE(FIRST, BESIDE(LINES, QUADEDGE(NOTHING, KEPT, FIRST(ADDED)), QUADEDGE(MASK, KEPT, FIRST(ADDED))), TOTALS(X22, X21), LAST)

// BLOCKSONCE is the columns from 128 on.
#define BLOCKSONCE \
	FURTHER(512, FIRST128(ZERO), AGAIN(KEPTEDGE(FIRST128(ADDED))), ENDONCE(FIRST128, pastFurther, putFurther)) \
	ENDBLOCKS

#define BOTH(FIRST, OP, SECOND, OP2) \
	MOVQ summing_toSecond(CX), DX \
	ADDQ DI, DX                   \
	FIRST(OP)                     \
	SECOND(OP2)

// ENDTWICE writes both sums of a row, over the sum of weights.
#define ENDTWICE(FIRST, SECOND, past, put) \
	BYSUM           \
	FIRST(TIMES28)  \
	SECOND(TIMES28) \
	PUTROW(BOTH(FIRST, STORE, SECOND, STORE2), BOTH(FIRST, PAST, SECOND, PAST2), past, put)

// TWOAROW is both sums of training.
#define TWOAROW(FIRST, SECOND, ADD, LINES, KEPT, LAST) \
	BEGIN                              \
	VMOVSS attendWalk_below(CX), X24   \
row:                                 \
	BEGINROW                           \
	VMOVSS (DX), X20                   \
	VMOVSS 4(DX), X25                  \
	VXORPS X21, X21, X21               \
	VXORPS X26, X26, X26               \
	VMOVSS minusInfinity<>(SB), X22    \
	FIRST(ZERO)                        \
	SECOND(ZERO)                       \
	BESIDE(LINES, TWICEEDGE(NOTHING, KEPT, ADD), TWICEEDGE(MASKBOTH, KEPT, ADD)) \
	TOTALS(X22, X21)                   \
	VMOVSS X26, (DX)(R15*2)            \
	RECIPROCAL                         \
	ENDTWICE(FIRST, SECOND, past, put) \
	LAST

// ZEROBOTH is before the edges of a block.
#define ZEROBOTH \
	FIRST128(ZERO)  \
	SECOND128(ZERO)

// BLOCKSTWICE is the columns from 128 on.
#define BLOCKSTWICE \
	FURTHER(512, ZEROBOTH, AGAIN(KEPTBOTHEDGE(TWICE128)), ENDTWICE(FIRST128, SECOND128, pastFurther, putFurther)) \
	ENDBLOCKS

// DOTS adds the product of the second sums with the row's own to Z27: if there are edges, for the
// row's own may be infinite.
#define DOTOWN(at, z) VFMADD231PS at(DX), z, Z27
#define DOTS(SECOND, none) \
	CMPQ BX, rowStart             \
	JEQ  none                     \
	MOVQ summing_toSecond(CX), DX \
	ADDQ DI, DX                   \
	SECOND(DOTOWN)                \
none:

// ENDDOTS adds them to the row's number, less what its edges have.
#define ENDDOTS \
	VMOVAPS Z27, Z0                        \
	HALVE(VADDPS, VADDSS)                  \
	VANDPS  attendWalk_first(CX), X26, X26 \
	VSUBSS  X26, X0, X0                    \
	MOVQ    attendWalk_totals(CX), DX      \
	ADDQ    $4, attendWalk_totals(CX)      \
	VADDSS  (DX), X0, X0                   \
	VMOVSS  X0, (DX)

// BACKROW is the sum of a row backward, and the product of the second one with the row's own, which
// was prefetched OWNAHEAD rows before.
#define BACKROW(FIRST, SECOND, ADD, LINES, KEPT, LAST) \
	BEGIN                            \
	VMOVSS attendWalk_below(CX), X24 \
row:                               \
	BEGINROW                         \
	VMOVSS (DX), X21                 \
	VMOVSS 4(DX), X20                \
	VMOVSS 8(DX), X25                \
	VXORPS X26, X26, X26             \
	VXORPS Z27, Z27, Z27             \
	MOVQ   summing_toSecond(CX), DX  \
	ADDQ   DI, DX                    \
	LEAQ   (DX)(R8*OWNAHEAD), R15    \
	LINES(PREFETCHT1)                \
	FIRST(ZERO)                      \
	SECOND(ZERO)                     \
	BESIDE(LINES, BACKEDGE(NOTHING, KEPT, ADD), BACKEDGE(MASKBOTH, KEPT, ADD)) \
	DOTS(SECOND, none)               \
	PUTROW(FIRST(STORE), FIRST(PAST), past, put) \
	LAST                             \
	ENDDOTS                          \
	ENDROW

// BLOCKSBACK is the columns from 128 on.
#define BLOCKSBACK \
	FURTHER(512, ZEROBOTH, AGAIN(KEPTBOTHEDGE(TWICE128)), ENDBACK) \
	SUBQ attendWalk_furtherBytes(CX), SI \
	SUBQ attendWalk_furtherBytes(CX), DI
#define ENDBACK \
	DOTS(SECOND128, noneFurther) \
	PUTROW(FIRST128(STORE), FIRST128(PAST), pastFurther, putFurther)
