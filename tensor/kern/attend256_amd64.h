// Attention with AVX2 by products: numbers side by side and picked, rows' edges eight at a time,
// and the lists that they are taken apart into.

// PUTQUADS writes the lanes of Y0 to Y3 side by side, 8 times four numbers, to DI.
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

#define lastIDs 0(SP)

// TWOIDS puts 2 times an id into R11 and DX, for the two ids at mem.
#define TWOIDS(mem) \
	MOVQ mem, DX  \
	ADDQ DX, DX   \
	MOVL DX, R11  \
	SHRQ $32, DX

// FETCHQUADS and FETCHSCORES prefetch what is picked PICKED256 edges ahead of edge AX+n and the next.
#define FETCHQUADS(n) \
	TWOIDS((4*(PICKED256+n))(R9)(AX*4)) \
	PREFETCHT0 (R8)(R11*8)              \
	PREFETCHT0 (R8)(DX*8)
#define FETCHSCORES(n) \
	TWOIDS((4*(PICKED256+n))(R9)(AX*4)) \
	PREFETCHT0 (R8)(R11*2)              \
	PREFETCHT0 (R8)(DX*2)

// LOWQUADS and HIGHQUADS read those of edges n and n+1 of those at R15.
#define LOWQUADS(n, x, y) \
	TWOIDS((4*n)(R15))       \
	VMOVUPS (R8)(R11*8), x   \
	VMOVUPS (R8)(DX*8), y
#define HIGHQUADS(n, x, y) \
	TWOIDS((4*n)(R15))                \
	VINSERTF128 $1, (R8)(R11*8), x, x \
	VINSERTF128 $1, (R8)(DX*8), y, y

// GETQUADS puts the four numbers of the 8 edges at R15 into Y0 to Y3.
#define GETQUADS \
	LOWQUADS(0, X0, X1)      \
	LOWQUADS(2, X2, X3)      \
	HIGHQUADS(4, Y0, Y1)     \
	HIGHQUADS(6, Y2, Y3)     \
	VUNPCKLPS Y1, Y0, Y4     \
	VUNPCKHPS Y1, Y0, Y5     \
	VUNPCKLPS Y3, Y2, Y12    \
	VUNPCKHPS Y3, Y2, Y13    \
	VUNPCKLPD Y12, Y4, Y0    \
	VUNPCKHPD Y12, Y4, Y1    \
	VUNPCKLPD Y13, Y5, Y2    \
	VUNPCKHPD Y13, Y5, Y3

#define PUTFOUR \
	VMOVUPS Y0, (DI)        \
	VMOVUPS Y1, (DI)(R13*1) \
	VMOVUPS Y2, (DI)(R13*2) \
	VMOVUPS Y3, (DI)(R14*1)

// GETPOWERS puts the scores of the 8 edges at R15 into Y2, and their powers into Y0 and Y1.
#define FOURSCORES(n, x) \
	TWOIDS((4*n)(R15))                   \
	VMOVSS    (R8)(R11*2), x             \
	VINSERTPS $0x10, (R8)(DX*2), x, x    \
	TWOIDS((4*n+8)(R15))                 \
	VINSERTPS $0x20, (R8)(R11*2), x, x   \
	VINSERTPS $0x30, (R8)(DX*2), x, x
#define GETPOWERS \
	FOURSCORES(0, X2)           \
	FOURSCORES(4, X3)           \
	VINSERTF128 $1, X3, Y2, Y2  \
	VSUBPS  Y15, Y2, Y0         \
	VMULPS  Y14, Y0, Y1         \
	RAISE(Y0, Y8, Y9, Y10)      \
	RAISE(Y1, Y11, Y12, Y13)
#define PUTPOWERS \
	VMOVUPS Y0, (DI)        \
	VMOVUPS Y1, (DI)(R13*1) \
	VMOVUPS Y2, (DI)(R13*2)

#define BEGINPICKING \
	MOVQ a+0(FP), CX           \
	MOVQ apart_pickIDs(CX), R9 \
	MOVQ apart_picked(CX), R8  \
	MOVQ apart_pickTo(CX), DI  \
	MOVQ apart_list(CX), R13   \
	MOVQ apart_edges(CX), BX   \
	XORQ AX, AX

// PICKING picks for all edges, from ids at R9: FETCH prefetches for two of them, GET and PUT take
// eight, of the vertices at R8, to lists at DI.
#define PICKING(FETCH, GET, PUT) \
eight:                         \
	LEAQ 8(AX), DX               \
	CMPQ DX, apart_pickAhead(CX) \
	JGT  fetched                 \
	FETCH(0)                     \
	FETCH(2)                     \
	FETCH(4)                     \
	FETCH(6)                     \
fetched:                       \
	LEAQ (R9)(AX*4), R15         \
	LEAQ 8(AX), DX               \
	CMPQ DX, BX                  \
	JGT  few                     \
pick:                          \
	GET                          \
	PUT                          \
	ADDQ $32, DI                 \
	ADDQ $8, AX                  \
	CMPQ AX, BX                  \
	JLT  eight                   \
	VZEROUPPER                   \
	RET                          \
few:                           \
	MOVQ BX, DX                  \
	SUBQ AX, DX                  \
	NEGQ DX                      \
	LEAQ ·tailMask+32(SB), R12   \
	VMOVUPS (R12)(DX*4), Y6      \
	VMASKMOVPS (R15), Y6, Y7     \
	VMOVUPS Y7, lastIDs          \
	LEAQ lastIDs, R15            \
	JMP  pick

// ENLIST appends the edges of the mask in m, of those whose weights are in Y0 and whose vertices
// are in Y7, to the list at to.
#define ENLIST(m, to) \
	VPMOVZXBD (R11)(m*8), Y12      \
	VPERMPS   Y0, Y12, Y13         \
	VPERMD    Y7, Y12, Y12         \
	VMOVUPS   Y12, (to)            \
	VMOVUPS   Y13, (to)(R13*2)     \
	POPCNTL   m, m                 \
	LEAQ      (to)(m*4), to

// MASKS multiplies the weights w with what dropout leaves.
#define MASKS(w, without) \
	MOVQ   apart_masks(CX), DX \
	TESTQ  DX, DX              \
	JEQ    without             \
	VMULPS (DX)(AX*4), w, w

// Rows' edges, 8 at a time:
//
//   CX a   R10 the row's bound   AX edge   BX the row's end   R8 the picked numbers of AX, of which
//   R13 bytes further there are others   SI what is summed up of rows   R9 ids   R15 the row's own
//   numbers   Y6 which edges there are   Y11 the row's own number   Y4 those above 0   Y5 the others
//   DX, R11, R12, R14, DI free

#define BEGINEDGES \
	MOVQ    a+0(FP), CX             \
	MOVQ    summing_bounds(CX), R10 \
	MOVQ    apart_list(CX), R13     \
	MOVQ    apart_numbers(CX), SI   \
	MOVQ    apart_own(CX), R15      \
	MOVLQSX (R10), AX

// ROWEDGES begins a row, which goes on at without if it has no edges.
#define ROWEDGES(without) \
	ADDQ    $4, R10             \
	MOVLQSX (R10), BX           \
	CMPQ    AX, BX              \
	JGE     without             \
	MOVQ    apart_pickTo(CX), R8 \
	SUBQ    summing_firstBytes(CX), R8 \
	LEAQ    (R8)(AX*4), R8      \
	VBROADCASTSS (R15), Y11

// EIGHT finds which edges there are, and which of them are above 0.
#define EIGHT \
	MOVQ    BX, DX                 \
	SUBQ    AX, DX                 \
	CMPQ    DX, $8                 \
	CMOVQGT eightLanes<>(SB), DX   \
	NEGQ    DX                     \
	LEAQ    ·tailMask+32(SB), R14  \
	VMOVUPS (R14)(DX*4), Y6        \
	VMOVUPS (R8)(R13*2), Y2        \
	VADDPS  Y11, Y2, Y12           \
	VXORPS  Y13, Y13, Y13          \
	VCMPPS  $0x1E, Y13, Y12, Y4    \
	VANDPS  Y6, Y4, Y4             \
	VANDNPS Y6, Y4, Y5

// NEXTEIGHT goes on with the next edges of the row, if there are.
#define NEXTEIGHT(eight) \
	ADDQ $32, R8 \
	ADDQ $8, AX  \
	CMPQ AX, BX  \
	JLT  eight   \
	MOVQ BX, AX

// PUTSUMS puts what Y9 and Y10 are in all behind what SI has of the row.
#define PUTSUMS \
	MOVQ         apart_toNext(CX), DX \
	VHADDPS      Y10, Y9, Y9          \
	VHADDPS      Y9, Y9, Y9           \
	VEXTRACTF128 $1, Y9, X10          \
	VADDPS       X10, X9, X9          \
	VMOVSS       X9, (SI)(DX*1)       \
	VEXTRACTPS   $1, X9, (SI)(DX*2)

#define LARGESTPUT \
	ACROSS(VMAXPS, Y8, Y12) \
	VMOVSS X8, (SI)

// POWERS keeps the powers of edges in Y0, and adds them up.
#define POWERS \
	VMOVUPS   minusInfinity<>(SB), Y12 \
	VBLENDVPS Y6, Y2, Y12, Y12         \
	VMAXPS    Y12, Y8, Y8              \
	VMOVUPS   (R8), Y0                 \
	VMOVUPS   (R8)(R13*1), Y1          \
	VANDPS    Y0, Y4, Y12              \
	VADDPS    Y12, Y9, Y9              \
	VANDPS    Y1, Y5, Y12              \
	VADDPS    Y12, Y10, Y10            \
	VBLENDVPS Y4, Y0, Y1, Y0

// LESS keeps in Y0 what rows are weighed with, and adds up what is subtracted from gradients.
#define LESS \
	VMOVUPS   (R8)(R13*1), Y1    \
	VBLENDVPS Y4, (R8), Y1, Y0   \
	LEAQ      (R13)(R13*2), DX   \
	VMULPS    (R8)(DX*1), Y0, Y3 \
	VANDPS    Y3, Y4, Y12        \
	VADDPS    Y12, Y9, Y9        \
	VANDPS    Y3, Y5, Y12        \
	VADDPS    Y12, Y10, Y10

// SUMEDGES sums up what TAKE takes of edges.
#define SUMEDGES(TAKE) \
	BEGINEDGES                      \
row:                              \
	VXORPS  Y9, Y9, Y9              \
	VXORPS  Y10, Y10, Y10           \
	ROWEDGES(ended)                 \
eight:                            \
	EIGHT                           \
	TAKE                            \
	NEXTEIGHT(eight)                \
ended:                            \
	PUTSUMS                         \
	ADDQ    $4, R15                 \
	ADDQ    $4, SI                  \
	DECQ    summing_rows(CX)        \
	JNE     row                     \
	VZEROUPPER                      \
	RET

// WEIGHEDGES computes weights by the factors of rows, in the order of edges, and the same times
// the steps.
#define WEIGHEDGES \
	BEGINEDGES                      \
	MOVQ summing_w(CX), R12         \
	SUBQ summing_firstBytes(CX), R12 \
	MOVQ summing_w2(CX), DI         \
	SUBQ summing_firstBytes(CX), DI \
	MOVQ apart_rowFactors(CX), SI   \
	VBROADCASTSS apart_more(CX), Y7 \
	VBROADCASTSS apart_less(CX), Y10 \
row:                              \
	ROWEDGES(ended)                 \
	VBROADCASTSS (SI), Y8           \
	VBROADCASTSS 4(SI), Y9          \
eight:                            \
	EIGHT                           \
	VMULPS    (R8), Y8, Y0          \
	VMULPS    (R8)(R13*1), Y9, Y1   \
	VBLENDVPS Y4, Y0, Y1, Y0        \
	MASKS(Y0, unmasked)             \
unmasked:                         \
	VMOVUPS   Y0, (R12)(AX*4)       \
	VBLENDVPS Y4, Y7, Y10, Y1       \
	VMULPS    Y1, Y0, Y1            \
	VMOVUPS   Y1, (DI)(AX*4)        \
	NEXTEIGHT(eight)                \
ended:                            \
	ADDQ $4, R15                    \
	ADDQ $16, SI                    \
	DECQ summing_rows(CX)           \
	JNE  row                        \
	VZEROUPPER                      \
	RET

// LISTEDGES takes edges apart, and sums up what TAKE takes of them.
#define LISTEDGES(TAKE, PUT) \
	BEGINEDGES                     \
	MOVQ apart_above(CX), R12      \
	MOVQ apart_below(CX), DI       \
	MOVQ summing_ids(CX), R9       \
	MOVQ apart_orders(CX), R11      \
row:                             \
	VMOVUPS minusInfinity<>(SB), Y8 \
	VXORPS  Y9, Y9, Y9             \
	VXORPS  Y10, Y10, Y10          \
	ROWEDGES(ended)                \
eight:                           \
	EIGHT                          \
	TAKE                           \
	MASKS(Y0, unmasked)            \
unmasked:                        \
	VMASKMOVPS (R9)(AX*4), Y6, Y7  \
	VMOVMSKPS Y4, DX               \
	VMOVMSKPS Y5, R14              \
	ENLIST(DX, R12)                \
	ENLIST(R14, DI)                \
	NEXTEIGHT(eight)               \
ended:                           \
	PUT                            \
	PUTSUMS                        \
	MOVQ apart_ends(CX), R14       \
	MOVQ R12, DX                   \
	SUBQ apart_above(CX), DX       \
	SHRQ $2, DX                    \
	MOVL DX, (R14)                 \
	MOVQ DI, DX                    \
	SUBQ apart_below(CX), DX       \
	SHRQ $2, DX                    \
	MOVL DX, 4(R14)                \
	ADDQ $8, apart_ends(CX)        \
	ADDQ $4, R15                   \
	ADDQ $4, SI                    \
	DECQ summing_rows(CX)          \
	JNE  row                       \
	VZEROUPPER                     \
	RET

// Sums of the lists:
//
//   CX a   DI acc, at the row   SI x   R8 bytes a row   DX, R15 free
//   above: R9 ids, R12 weights, AX edge; below: R10, R13, BX
//   R14 the row's end in a list   R11 the last edge beside which a row is prefetched

#define LISTED(ids, w, at, ADD) \
	MOVLQSX      (ids)(at*4), DX \
	VBROADCASTSS (w)(at*4), Y15  \
	IMULQ        R8, DX          \
	ADDQ         SI, DX          \
	ADD

// LIST adds the rows of a list; it is at its end, R14, then. Where the list ends for all rows, what
// is prefetched are the rows that come next: of the next columns, or of the edges behind.
#define LIST(ids, w, at, ahead, next, ADD, LINES, near, last, rest, taken) \
	MOVQ    ahead(CX), R11   \
	CMPQ    R11, R14         \
	CMOVQGT R14, R11         \
	CMPQ    at, R11          \
	JGE     last             \
near:                      \
	MOVLQSX (4*AHEAD256)(ids)(at*4), R15 \
	IMULQ   R8, R15          \
	ADDQ    SI, R15          \
	LINES(R15)               \
	LISTED(ids, w, at, ADD)  \
	INCQ    at               \
	CMPQ    at, R11          \
	JLT     near             \
last:                      \
	CMPQ    at, R14          \
	JGE     taken            \
	MOVQ    ahead(CX), R15   \
	SHLQ    $2, R15          \
	MOVQ    next(CX), R11    \
	SUBQ    R15, R11         \
rest:                      \
	MOVLQSX (R11)(at*4), R15 \
	IMULQ   R8, R15          \
	ADDQ    apart_nextX(CX), R15 \
	LINES(R15)               \
	LISTED(ids, w, at, ADD)  \
	INCQ    at               \
	CMPQ    at, R14          \
	JLT     rest             \
taken:

#define ASIDE(at, y) VMOVUPS y, at(SP)
// JOINED is a row of both lists: that in y, and that put aside.
#define JOINED(at, y) \
	VMULPS      Y13, y, y       \
	VFMADD231PS at(SP), Y12, y
#define STEPPED(PUT, at, y) \
	VMULPS      Y15, y, Y9      \
	VMOVUPS     at(SP), Y8      \
	VFMADD231PS Y8, Y14, Y9     \
	PUT         Y9, at(DX)      \
	VMULPS      Y13, y, y       \
	VFMADD231PS Y8, Y12, y
#define WITHSTEPS(at, y) STEPPED(VMOVUPS, at, y)
#define WITHSTEPSPAST(at, y) STEPPED(VMOVNTPS, at, y)
#define DOTABOVE(at, y) \
	VMOVUPS     at(DX), Y9  \
	VFMADD231PS y, Y9, Y10
#define DOTBELOW(at, y) \
	VMOVUPS     at(DX), Y9  \
	VFMADD231PS y, Y9, Y11

#define BESIDE \
	MOVQ summing_toSecond(CX), DX \
	ADDQ DI, DX

// A row's own is multiplied with the sums of lists that have edges: it may be infinite where
// there are none.
#define beginAbove 256(SP)
#define beginBelow 264(SP)
#define BEGINDOTS \
	MOVQ   AX, beginAbove \
	MOVQ   BX, beginBelow \
	VXORPS Y10, Y10, Y10  \
	VXORPS Y11, Y11, Y11
#define DOTSABOVE(FIRST) \
	CMPQ AX, beginAbove \
	JEQ  noneAbove      \
	BESIDE              \
	FIRST(DOTABOVE)     \
noneAbove:
#define DOTSBELOW(FIRST) \
	CMPQ BX, beginBelow \
	JEQ  noneBelow      \
	BESIDE              \
	FIRST(DOTBELOW)     \
noneBelow:
#define ENDDOTS \
	VMULPS       Y14, Y10, Y10    \
	VFMADD231PS  Y15, Y11, Y10    \
	FOLDLANES(VADDP, VADDS, Y10, X10, X11) \
	MOVQ         summing_dots(CX), DX \
	VADDSS       (DX), X10, X10   \
	VMOVSS       X10, (DX)        \
	ADDQ         $4, summing_dots(CX)

// LISTS is the sums of rows taken apart; JOINS makes of two sums what is wanted, JOINSPAST where
// that is written past the caches; the others are for what comes between.
#define LISTS(FIRST, LINES, BEGIN, ABOVE, BELOW, BEFORE, JOINS, JOINSPAST, END) \
	MOVQ a+0(FP), CX              \
	MOVQ summing_x(CX), SI        \
	MOVQ summing_stride(CX), R8   \
	MOVQ summing_acc(CX), DI      \
	MOVQ apart_above(CX), R9      \
	MOVQ apart_below(CX), R10     \
	MOVQ apart_list(CX), DX       \
	LEAQ (R9)(DX*2), R12          \
	LEAQ (R10)(DX*2), R13         \
	XORQ AX, AX                   \
	XORQ BX, BX                   \
row:                            \
	MOVQ    apart_ends(CX), DX    \
	MOVLQSX (DX), R14             \
	BEGIN                         \
	FIRST(ZERO)                   \
	LIST(R9, R12, AX, apart_aboveAhead, apart_aboveNext, FIRST(SCALE), LINES, near, last, rest, taken) \
	ABOVE                         \
	FIRST(ASIDE)                  \
	MOVQ    apart_ends(CX), DX    \
	MOVLQSX 4(DX), R14            \
	ADDQ    $8, apart_ends(CX)    \
	FIRST(ZERO)                   \
	LIST(R10, R13, BX, apart_belowAhead, apart_belowNext, FIRST(SCALE), LINES, nearBelow, lastBelow, restBelow, takenBelow) \
	BELOW                         \
	MOVQ    apart_rowFactors(CX), DX \
	VBROADCASTSS (DX), Y12        \
	VBROADCASTSS 4(DX), Y13       \
	VBROADCASTSS 8(DX), Y14       \
	VBROADCASTSS 12(DX), Y15      \
	ADDQ    $16, apart_rowFactors(CX) \
	BEFORE                        \
	CMPQ    summing_past(CX), $0  \
	JNE     past                  \
	FIRST(JOINS)                  \
	END                           \
	FIRST(STORE)                  \
	JMP     put                   \
past:                           \
	FIRST(JOINSPAST)              \
	END                           \
	FIRST(PAST)                   \
put:                            \
	ENDROW
