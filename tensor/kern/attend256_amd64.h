// Attention with AVX2: the weights of edges, which are products, and the sums of rows. BP is at vectors.
//
//   Y0 to Y7 sums, or Y0 to Y3 sums and Y4 to Y7 the second sums   Y8 to Y12 what is of the row
//   Y13 to Y15 weights and what is read

// VECTORS points BP at vectors behind these on the stack, which lie within a cache line each, and so
// within a page: the stack is where it is, and where two pages share what every edge reads, a walk takes 1.6 times as long.
#define VECTORS \
	LEAQ 63(SP), BP \
	ANDQ $-32, BP
#define belowZero 0(BP)

// BESIDE walks over the row's edges by EDGE, or by MASKED where there are masks, with FETCH beside;
// AGAIN does so for further columns. Rows are fetched AHEAD256 edges ahead, but half as many, which was
// faster there, of several blocks of 64 columns, and backward beside rows' own.
#define HALFAHEAD (AHEAD256/2)
#define BESIDE(FETCH, EDGE, MASKED) \
	EITHER(EACH(FETCH, EDGE, near, last, rest, taken), EACH(FETCH, MASKED, nearMasked, lastMasked, restMasked, takenMasked))
#define AGAIN(ahead, LINES, EDGE) \
	EACH(FETCHROW(ahead, LINES(R15)), EDGE, nearFurther, lastFurther, restFurther, takenFurther)

// KEEP and KEEPBOTH keep an edge's weights for further columns.
#define KEEP \
	MOVQ   weights, R15      \
	VMOVSS X15, (R15)(AX*8)
#define KEEPBOTH \
	MOVQ      weights, R15  \
	VUNPCKLPS Y14, Y15, Y13 \
	VMOVLPS   X13, (R15)(AX*8)

// MASK and MASKBOTH multiply the weights with what dropout leaves.
#define MASK \
	MOVQ         attendWalk_masks(CX), R15 \
	VBROADCASTSS (R15)(AX*4), Y13            \
	VMULPS       Y13, Y15, Y15
#define MASKBOTH \
	MASK                     \
	VMULPS       Y13, Y14, Y14

// The weight of an edge, of two powers of its vertex' number, is the larger of the first and Y8
// times the second, for that is the one that is meant. Y9 is the sum of weights, Y10 the largest
// number.
#define PAIREDGE(KEPT, ADD) \
	MOVLQSX      (R9)(AX*4), DX    \
	VBROADCASTSS 4(R12)(DX*8), Y15 \
	VMULPS       Y8, Y15, Y15      \
	VBROADCASTSS (R12)(DX*8), Y14  \
	VMAXPS       Y15, Y14, Y15     \
	VADDPS       Y15, Y9, Y9       \
	KEPT                           \
	TOROW                          \
	ADD
#define QUADEDGE(MASKED, KEPT, ADD) \
	MOVLQSX      (R9)(AX*4), DX     \
	ADDQ         DX, DX             \
	VBROADCASTSS 4(R12)(DX*8), Y15  \
	VBROADCASTSS 8(R12)(DX*8), Y13  \
	VMULPS       Y8, Y15, Y15       \
	VBROADCASTSS (R12)(DX*8), Y14   \
	VMAXPS       Y13, Y10, Y10      \
	VMAXPS       Y15, Y14, Y15      \
	VADDPS       Y15, Y9, Y9        \
	MASKED                          \
	KEPT                            \
	TOROW2                          \
	ADD

// Of two sums, the weight is chosen by whether the vertex' number is more than Y8, and the second
// weight of those which it is not is the first's belowZero. Y9 is as Y8 before, Y10 the sum of
// weights, Y11 that of the second ones, Y12 the largest number.
#define TWICEEDGE(MASKED, KEPT, ADD) \
	MOVLQSX      (R9)(AX*4), DX       \
	ADDQ         DX, DX               \
	VBROADCASTSS 8(R12)(DX*8), Y14    \
	VBROADCASTSS 4(R12)(DX*8), Y15    \
	VBROADCASTSS (R12)(DX*8), Y13     \
	VMAXPS       Y14, Y12, Y12        \
	VCMPPS       $0x1E, Y8, Y14, Y14  \
	VMULPS       Y9, Y15, Y15         \
	VBLENDVPS    Y14, Y13, Y15, Y15   \
	VMULPS       belowZero, Y15, Y13  \
	VBLENDVPS    Y14, Y15, Y13, Y14   \
	VADDPS       Y15, Y10, Y10        \
	VADDPS       Y14, Y11, Y11        \
	MASKED                            \
	KEPT                              \
	TOROW2                            \
	ADD

// Backward a vertex' numbers are multiplied with Y9 where its third is more than Y8, else with
// Y10; Y11 is the sum of its fourth times the second weights, Y12 what these are the first's.
#define BACKEDGE(MASKED, KEPT, ADD) \
	MOVLQSX      (R9)(AX*4), DX       \
	ADDQ         DX, DX               \
	VBROADCASTSS 8(R12)(DX*8), Y14    \
	VBROADCASTSS 4(R12)(DX*8), Y15    \
	VBROADCASTSS (R12)(DX*8), Y13     \
	VCMPPS       $0x1E, Y8, Y14, Y14  \
	VMULPS       Y10, Y15, Y15        \
	VMULPS       Y9, Y13, Y13         \
	VBLENDVPS    Y14, Y13, Y15, Y15   \
	VMULPS       Y12, Y15, Y13        \
	VBLENDVPS    Y14, Y15, Y13, Y14   \
	VBROADCASTSS 12(R12)(DX*8), Y13   \
	VFMADD231PS  Y13, Y14, Y11        \
	MASKED                            \
	KEPT                              \
	TOROW2                            \
	ADD

// Further columns of an edge, by the weights that were kept.
#define KEPTEDGE(ADD) \
	MOVQ         weights, R15       \
	MOVLQSX      (R9)(AX*4), DX     \
	VBROADCASTSS (R15)(AX*8), Y15   \
	TOROW                           \
	ADD
#define KEPTBOTHEDGE(ADD) \
	MOVQ         weights, R15       \
	MOVLQSX      (R9)(AX*4), DX     \
	VBROADCASTSS (R15)(AX*8), Y15   \
	VBROADCASTSS 4(R15)(AX*8), Y14  \
	TOROW                           \
	ADD

// RECIPROCAL is 1 over a sum of weights, which is 0 only where there are none.
#define RECIPROCAL(sum, by) \
	VMAXPS  tiny<>(SB), sum, sum \
	VMOVUPS one<>(SB), by        \
	VDIVPS  sum, by, by

// ONCE is one sum a row: EDGES are its edges, TOTAL what is told of it, LAST the rest.
#define ONCE(FIRST, EDGES, TOTAL, LAST) \
	BEGIN                                 \
row:                                    \
	BEGINROW                              \
	VBROADCASTSS (DX), Y8                 \
	VXORPS       Y9, Y9, Y9               \
	VMOVUPS      minusInfinity<>(SB), Y10 \
	FIRST(ZERO)                           \
	EDGES                                 \
	TOTAL                                 \
	RECIPROCAL(Y9, Y15)                   \
	FIRST(TIMESBY)                        \
	PUTROW(FIRST(STORE), FIRST(PAST), past, put) \
	LAST

#define ALONE(FIRST, ahead, LINES, KEPT, LAST) \
	ONCE(FIRST, EACH(FETCHPAIR(PREFETCHT0, ahead, LINES(R15)), PAIREDGE(KEPT, FIRST(SCALE)), near, last, rest, taken), NOTHING, LAST)
#define TOLD(FIRST, ahead, LINES, KEPT, LAST) \
	ONCE(FIRST, BESIDE(FETCHQUAD(PREFETCHT0, ahead, LINES(R15)), QUADEDGE(NOTHING, KEPT, FIRST(SCALE)), QUADEDGE(MASK, KEPT, FIRST(SCALE))), TOTALS(X10, X9), LAST)

// BLOCKSONCE is the columns from 64 on.
#define BLOCKSONCE \
	VMOVAPS Y15, Y9 \
	FURTHER(256, FIRSTEIGHT(ZERO), AGAIN(HALFAHEAD, LINESEIGHT, KEPTEDGE(FIRSTEIGHT(SCALE))), ENDONCE) \
	ENDBLOCKS
#define ENDONCE \
	VMOVAPS Y9, Y15     \
	FIRSTEIGHT(TIMESBY) \
	PUTROW(FIRSTEIGHT(STORE), FIRSTEIGHT(PAST), pastFurther, putFurther)

#define BOTH(FIRST, OP, SECOND, OP2) \
	MOVQ summing_toSecond(CX), DX \
	ADDQ DI, DX                   \
	FIRST(OP)                     \
	SECOND(OP2)
#define TIMES13(at, y) VMULPS Y13, y, y

// PUTBOTH writes both sums of a row, which are multiplied with Y13.
#define PUTBOTH(FIRST, SECOND, past, put) \
	FIRST(TIMES13)  \
	SECOND(TIMES13) \
	PUTROW(BOTH(FIRST, STORE, SECOND, STORE2), BOTH(FIRST, PAST, SECOND, PAST2), past, put)

// TWOAROW is both sums of training.
#define TWOAROW(FIRST, SECOND, ADD, LINES, KEPT, LAST) \
	BEGIN                                   \
	VECTORS                                 \
	VBROADCASTSS attendWalk_below(CX), Y8 \
	VMOVUPS      Y8, belowZero              \
row:                                      \
	BEGINROW                                \
	VBROADCASTSS (DX), Y9                   \
	VBROADCASTSS 4(DX), Y8                  \
	VXORPS       Y10, Y10, Y10              \
	VXORPS       Y11, Y11, Y11              \
	VMOVUPS      minusInfinity<>(SB), Y12   \
	FIRST(ZERO)                             \
	SECOND(ZERO)                            \
	BESIDE(FETCHQUAD(PREFETCHT0, AHEAD256, LINES(R15)), TWICEEDGE(NOTHING, KEPT, ADD), TWICEEDGE(MASKBOTH, KEPT, ADD)) \
	TOTALS(X12, X10)                        \
	VMOVSS       X11, (DX)(R15*2)           \
	RECIPROCAL(Y10, Y13)                    \
	VMOVAPS      Y13, Y10                   \
	PUTBOTH(FIRST, SECOND, past, put)       \
	LAST

// BLOCKSTWICE is the columns from 32 on.
#define ZEROBOTH \
	FIRSTFOUR(ZERO)  \
	SECONDFOUR(ZERO)
#define BLOCKSTWICE \
	FURTHER(128, ZEROBOTH, AGAIN(AHEAD256, LINESFOUR, KEPTBOTHEDGE(TWICEFOUR)), ENDTWICE) \
	ENDBLOCKS
#define ENDTWICE \
	VMOVAPS Y10, Y13 \
	PUTBOTH(FIRSTFOUR, SECONDFOUR, pastFurther, putFurther)

// DOTS adds the product of the second sums with the row's own to Y8: if there are edges, for the
// row's own may be infinite.
#define DOTOWN(at, y) VFMADD231PS at(DX), y, Y8
#define DOTS(SECOND, none) \
	CMPQ BX, rowStart               \
	JEQ  none                       \
	MOVQ summing_toSecond(CX), DX   \
	ADDQ DI, DX                     \
	SECOND(DOTOWN)                  \
none:

// ENDDOTS adds them to the row's number, less what its edges have.
#define ENDDOTS(less) \
	FOLDLANES(VADDP, VADDS, Y8, X8, X13)     \
	VANDPS attendWalk_first(CX), less, less \
	VSUBSS less, X8, X8                      \
	MOVQ   attendWalk_totals(CX), DX       \
	ADDQ   $4, attendWalk_totals(CX)       \
	VADDSS (DX), X8, X8                      \
	VMOVSS X8, (DX)

// BACKROW is the sum of a row backward, and the product of the second one with the row's own, which
// is fetched meanwhile.
#define BACKROW(FIRST, SECOND, ADD, LINES) \
	BEGIN                                    \
	VBROADCASTSS attendWalk_below(CX), Y12 \
row:                                       \
	BEGINROW                                 \
	VBROADCASTSS (DX), Y9                    \
	VBROADCASTSS 8(DX), Y8                   \
	VBROADCASTSS 4(DX), Y10                  \
	VXORPS       Y11, Y11, Y11               \
	MOVQ         summing_toSecond(CX), DX    \
	ADDQ         DI, DX                      \
	LINES(DX)                                \
	FIRST(ZERO)                              \
	SECOND(ZERO)                             \
	BESIDE(FETCHQUAD(PREFETCHT0, AHEAD256, LINES(R15)), BACKEDGE(NOTHING, NOTHING, ADD), BACKEDGE(MASKBOTH, NOTHING, ADD)) \
	VXORPS       Y8, Y8, Y8                  \
	DOTS(SECOND, none)                       \
	PUTROW(FIRST(STORE), FIRST(PAST), past, put) \
	ENDDOTS(X11)                             \
	ENDROW

// Backward, 64 columns and more have no registers for second sums: what is wanted of these is their
// product with the row's own, and so the products of both rows of each edge are summed up, lane by lane.
//
//   R8 the row's own   Y8 the sum of products   Y9 what is subtracted   Y10, Y11 a product's chains

#define ownZero 0(BP)
#define ownPowers 32(BP)
#define belowOne 64(BP)

// PRODUCTEDGE is as BACKEDGE; the vertex' four numbers are in both halves of a vector.
#define PRODUCTEDGE(MASKED, KEPT) \
	MOVLQSX        (R9)(AX*4), DX       \
	ADDQ           DX, DX               \
	VBROADCASTF128 (R12)(DX*8), Y12     \
	VMULPS         ownPowers, Y12, Y12  \
	VPERMILPS      $0xAA, Y12, Y14      \
	VCMPPS         $0x1E, ownZero, Y14, Y14 \
	VPERMILPS      $0x00, Y12, Y13      \
	VPERMILPS      $0x55, Y12, Y15      \
	VBLENDVPS      Y14, Y13, Y15, Y15   \
	VMULPS         belowOne, Y15, Y13   \
	VBLENDVPS      Y14, Y15, Y13, Y14   \
	VPERMILPS      $0xFF, Y12, Y13      \
	VFMADD231SS    X13, X14, X9         \
	MASKED                              \
	KEPT                                \
	TOROW2                              \
	PRODUCTS

#define KEPTPRODUCTEDGE \
	MOVQ         weights, R15        \
	MOVLQSX      (R9)(AX*4), DX      \
	ADDQ         DX, DX              \
	VBROADCASTSS (R15)(AX*8), Y15    \
	VBROADCASTSS 4(R15)(AX*8), Y14   \
	TOROW2                           \
	PRODUCTS

#define PRODUCT(at, x, y, d) \
	VMOVUPS     at(DX), x   \
	VFMADD231PS x, Y15, y   \
	VFMADD231PS at(R8), x, d
#define PRODUCTS \
	VMOVUPS     (DX), Y12         \
	VFMADD231PS Y12, Y15, Y0      \
	VMULPS      (R8), Y12, Y10    \
	VMOVUPS     32(DX), Y13       \
	VFMADD231PS Y13, Y15, Y1      \
	VMULPS      32(R8), Y13, Y11  \
	PRODUCT(64, Y12, Y2, Y10)     \
	PRODUCT(96, Y13, Y3, Y11)     \
	PRODUCT(128, Y12, Y4, Y10)    \
	PRODUCT(160, Y13, Y5, Y11)    \
	PRODUCT(192, Y12, Y6, Y10)    \
	PRODUCT(224, Y13, Y7, Y11)    \
	VADDPS      Y11, Y10, Y10     \
	VFMADD231PS Y10, Y14, Y8

#define TOOWN \
	MOVQ summing_toSecond(CX), R8 \
	ADDQ DI, R8

// BACKROWS is BACKROW so: KEPT keeps weights, LAST is the columns from 64 on.
#define BACKROWS(KEPT, LAST) \
	BEGIN                                    \
	VECTORS                                  \
	VBROADCASTSS attendWalk_below(CX), Y12 \
	VMOVUPS      Y12, belowOne               \
row:                                       \
	BEGINROW                                 \
	VBROADCASTSS   8(DX), Y8                 \
	VMOVUPS        Y8, ownZero               \
	VBROADCASTF128 (DX), Y9                  \
	VBLENDPS       $0xCC, one<>(SB), Y9, Y9  \
	VMOVUPS        Y9, ownPowers             \
	VXORPS         Y8, Y8, Y8                \
	VXORPS         Y9, Y9, Y9                \
	BEGINBACK                                \
	BESIDE(FETCHQUAD(PREFETCHT0, HALFAHEAD, LINESEIGHT(R15)), PRODUCTEDGE(NOTHING, KEPT), PRODUCTEDGE(MASKBOTH, KEPT)) \
	PUTROW(FIRSTEIGHT(STORE), FIRSTEIGHT(PAST), past, put) \
	LAST                                     \
	ENDDOTS(X9)                              \
	ADDQ   summing_stride(CX), DI            \
	DECQ   summing_rows(CX)                  \
	JNE    row                               \
	SFENCE                                   \
	VZEROUPPER                               \
	RET

// BEGINBACK is before the edges of a row: the first one's product waits for the row's own, which was
// fetched two rows before.
#define BEGINBACK \
	TOOWN                  \
	LEAQ (R8)(R13*4), DX   \
	LINESEIGHT(DX)         \
	FIRSTEIGHT(ZERO)
#define BLOCKSBACK \
	FURTHER(256, BEGINBACK, AGAIN(HALFAHEAD, LINESEIGHT, KEPTPRODUCTEDGE), ENDBACK) \
	SUBQ attendWalk_furtherBytes(CX), SI \
	SUBQ attendWalk_furtherBytes(CX), DI
#define ENDBACK PUTROW(FIRSTEIGHT(STORE), FIRSTEIGHT(PAST), pastFurther, putFurther)

// Numbers of vertices and of rows, 8 at a time.

// PUTPAIRS and PUTQUADS write the lanes of Y0 and Y1, or Y0 to Y3, side by side to DI.
#define PUTPAIRS \
	VUNPCKLPS    Y1, Y0, Y2       \
	VUNPCKHPS    Y1, Y0, Y3       \
	VMOVUPS      X2, (DI)         \
	VMOVUPS      X3, 16(DI)       \
	VEXTRACTF128 $1, Y2, 32(DI)   \
	VEXTRACTF128 $1, Y3, 48(DI)
#define PUTQUADS \
	VUNPCKLPS    Y1, Y0, Y4        \
	VUNPCKHPS    Y1, Y0, Y5        \
	VUNPCKLPS    Y3, Y2, Y6        \
	VUNPCKHPS    Y3, Y2, Y7        \
	VUNPCKLPD    Y6, Y4, Y0        \
	VUNPCKHPD    Y6, Y4, Y1        \
	VUNPCKLPD    Y7, Y5, Y2        \
	VUNPCKHPD    Y7, Y5, Y3        \
	VMOVUPS      X0, (DI)          \
	VMOVUPS      X1, 16(DI)        \
	VMOVUPS      X2, 32(DI)        \
	VMOVUPS      X3, 48(DI)        \
	VEXTRACTF128 $1, Y0, 64(DI)    \
	VEXTRACTF128 $1, Y1, 80(DI)    \
	VEXTRACTF128 $1, Y2, 96(DI)    \
	VEXTRACTF128 $1, Y3, 112(DI)

// RAISE replaces the lanes of x, at most 88, by their exponentials; below 2^-126 by 0. Larger
// ones are replaced by anything.
#define RAISE(x, n, p, t) \
	VMOVUPS      flush<>(SB), p    \
	VMAXPS       x, p, x           \
	VMULPS       log2e<>(SB), x, n \
	ROUND(n, n)                    \
	VFNMADD231PS ln2hi<>(SB), n, x \
	VFNMADD231PS ln2lo<>(SB), n, x \
	POLY(x, p, t)                  \
	VADDPS       one<>(SB), p, p   \
	VCVTPS2DQ    n, n              \
	VPADDD       bias<>(SB), n, n  \
	VPSLLD       $23, n, n         \
	VMULPS       n, p, x

// BELOW is the exponent of what weights below 0 are multiplied with, for rows' own numbers and the
// centre in sum: (λ-1) of it, or what makes all of them the larger ones. Y12 is λ-1, Y13 that bound.
#define BELOW(sum, y) \
	VMULPS sum, Y12, y \
	VMINPS Y13, y, y

#define BEGINROWS \
	MOVQ a+0(FP), CX                  \
	MOVQ attendWalk_own(CX), SI     \
	MOVQ summing_rows(CX), BX         \
	VBROADCASTSS attendWalk_slope(CX), Y14 \
	VBROADCASTSS attendWalk_centre(CX), Y15 \
	VSUBPS  one<>(SB), Y14, Y12       \
	VMULPS  minus40<>(SB), Y12, Y13

#define NEXTROWS(bytes) \
	ADDQ $32, SI    \
	ADDQ $bytes, DI \
	SUBQ $8, BX     \
	JGT  eight      \
	VZEROUPPER      \
	RET

// POWERS puts both powers of vertices' numbers by PUT, with these as BESIDE has them.
#define POWERS(BESIDE, PUT, bytes) \
	MOVQ a+0(FP), CX                     \
	MOVQ powering_powers(CX), DI         \
	MOVQ powering_scores(CX), SI         \
	MOVQ powering_n(CX), BX              \
	VBROADCASTSS powering_slope(CX), Y14 \
	VBROADCASTSS powering_centre(CX), Y15 \
eight:                                 \
	VMOVUPS (SI), Y12                    \
	VSUBPS  Y15, Y12, Y0                 \
	VMULPS  Y14, Y0, Y1                  \
	RAISE(Y0, Y8, Y9, Y10)               \
	RAISE(Y1, Y8, Y9, Y10)               \
	BESIDE                               \
	PUT                                  \
	ADDQ    $32, SI                      \
	ADDQ    $bytes, DI                   \
	SUBQ    $8, BX                       \
	JGT     eight                        \
	VZEROUPPER                           \
	RET
#define NUMBERSBESIDE \
	VMOVAPS Y12, Y2     \
	VXORPS  Y3, Y3, Y3
