// Segments with AVX2, for both types: a block of columns of all rows of a tile in one call,
// prefetched from one row's edges to the next one's. Ids come in order; nothing but the row's
// own edges decides what is added to what. The sums of a block of 1, 2, 4 or 8 vectors are in
// Y0 to Y7, two times as many with the second in Y4 to Y7.
//
//   CX p   DI acc, at the row   SI x   R8 bytes a row   R9 ids   R10 the row's bound
//   AX edge   BX the row's end   R11 edges behind which AHEAD256 more may be read
//   R12 w, R13 w2 or by   R14 the last edge beside which a row is prefetched   DX row
//   R15 free   Y12 to Y15 weights and what is read

#include "types_amd64.h"

#define AHEAD256 32

// BOUNDSCALE is how many times as long as a bound an element is.
#ifdef DOUBLE
#define BOUNDSCALE 2
#else
#define BOUNDSCALE 1
#endif

// FIRST and SECOND apply OP to the block's columns, a vector at a time, for the registers of the
// first sum and of the second.
#define FIRSTONE(OP) OP(0, Y0)
#define FIRSTTWO(OP) \
	FIRSTONE(OP) \
	OP(32, Y1)
#define FIRSTFOUR(OP) \
	FIRSTTWO(OP) \
	OP(64, Y2)   \
	OP(96, Y3)
#define FIRSTEIGHT(OP) \
	FIRSTFOUR(OP) \
	OP(128, Y4)   \
	OP(160, Y5)   \
	OP(192, Y6)   \
	OP(224, Y7)
#define SECONDONE(OP) OP(0, Y4)
#define SECONDTWO(OP) \
	SECONDONE(OP) \
	OP(32, Y5)
#define SECONDFOUR(OP) \
	SECONDTWO(OP) \
	OP(64, Y6)    \
	OP(96, Y7)

#define ZERO(at, y) VXORPS y, y, y
#define LOAD(at, y) VMOVUPS at(DI), y
#define STORE(at, y) VMOVUPS y, at(DI)
#define PAST(at, y) VMOVNTPS y, at(DI)
#define STORE2(at, y) VMOVUPS y, at(DX)
#define PAST2(at, y) VMOVNTPS y, at(DX)
#define LOAD2(at, y) VMOVUPS at(DX), y
#define PLUS(at, y) VADDP at(DX), y, y
#define SCALE(at, y) VFMADD231P at(DX), Y15, y
#define TIMESBY(at, y) VMULP Y15, y, y

// LINES prefetches the block's columns of the row at mem.
#define LINESONE(mem) PREFETCHT0 (mem)
#define LINESTWO(mem) PREFETCHT0 (mem)
#define LINESFOUR(mem) \
	PREFETCHT0 (mem)   \
	PREFETCHT0 64(mem)
#define LINESEIGHT(mem) \
	LINESFOUR(mem)      \
	PREFETCHT0 128(mem) \
	PREFETCHT0 192(mem)

#define BEGIN256 \
	MOVQ    p+0(FP), CX                 \
	MOVQ    summing_x(CX), SI           \
	MOVQ    summing_stride(CX), R8      \
	MOVQ    summing_ids(CX), R9         \
	MOVQ    summing_bounds(CX), R10     \
	MOVQ    summing_acc(CX), DI         \
	MOVQ    summing_ahead(CX), R11      \
	MOVQ    summing_w(CX), R12          \
	MOVLQSX (R10), AX

// NEXTROW256 finds a row's edges.
#define NEXTROW256 \
	ADDQ    $4, R10   \
	MOVLQSX (R10), BX \
	MOVQ    R11, R14  \
	CMPQ    R14, BX   \
	CMOVQGT BX, R14

// ENDROW goes on with the next row, or ends, with what was written past the caches seen.
#define ENDROW \
	ADDQ R8, DI           \
	DECQ summing_rows(CX) \
	JNE  row              \
	SFENCE                \
	VZEROUPPER            \
	RET

// FETCH256 prefetches the row AHEAD256 edges behind edge AX+n.
#define FETCH256(n, LINES) \
	MOVLQSX (4*(AHEAD256+n))(R9)(AX*4), R15 \
	IMULQ   R8, R15                         \
	ADDQ    SI, R15                         \
	LINES(R15)

// EDGE256 adds the row of edge AX+n.
#define EDGE256(n, WEIGHT, ADD) \
	MOVLQSX (4*n)(R9)(AX*4), DX \
	WEIGHT(n)                   \
	IMULQ   R8, DX              \
	ADDQ    SI, DX              \
	ADD

// The weight of an edge: none, its own, or that of its vertex, which is in DX.
#define UNWEIGHED(n)
#define BYEDGE(n) VBROADCASTS (SIZE*n)(R12)(AX*SIZE), Y15
#define BYVERTEX(n) VBROADCASTS (R12)(DX*SIZE), Y15
#define BYBOTH(n) \
	BYEDGE(n)                               \
	VBROADCASTS (SIZE*n)(R13)(AX*SIZE), Y14

// Two sums at once.
#define TWICE(at, x, a, b) \
	VMOVUPS    at(DX), x \
	VFMADD231P x, Y15, a \
	VFMADD231P x, Y14, b
#define TWICEONE TWICE(0, Y13, Y0, Y4)
#define TWICETWO \
	TWICEONE               \
	TWICE(32, Y13, Y1, Y5)
#define TWICEFOUR \
	TWICETWO               \
	TWICE(64, Y13, Y2, Y6) \
	TWICE(96, Y13, Y3, Y7)

// EACH runs EDGE over the row's edges, beside FETCH as long as there are edges ahead.
#define EACH(FETCH, EDGE, near, last, rest, taken) \
	CMPQ AX, R14 \
	JGE  last    \
near:          \
	FETCH        \
	EDGE         \
	INCQ AX      \
	CMPQ AX, R14 \
	JLT  near    \
last:          \
	CMPQ AX, BX  \
	JGE  taken   \
rest:          \
	EDGE         \
	INCQ AX      \
	CMPQ AX, BX  \
	JLT  rest    \
taken:

// EDGES256 adds the edges of a row.
#define EDGES256(WEIGHT, ADD, LINES) EACH(FETCH256(0, LINES), EDGE256(0, WEIGHT, ADD), near, last, rest, taken)

// PAIRS256 does so with two chains of additions, for every other edge one: a block of few
// columns waits for its sums, not for rows. An edge by itself is taken beside a row to prefetch
// only if it is the row's last: which chain is whose must not depend on where ids end.
#define PAIRS256(WEIGHT, ADD, ADDODD, LINES) \
	DECQ R14                   \
	CMPQ AX, R14               \
	JGE  nearOne               \
nearTwo:                       \
	FETCH256(0, LINES)         \
	FETCH256(1, LINES)         \
	EDGE256(0, WEIGHT, ADD)    \
	EDGE256(1, WEIGHT, ADDODD) \
	ADDQ $2, AX                \
	CMPQ AX, R14               \
	JLT  nearTwo               \
nearOne:                       \
	JGT  last                  \
	LEAQ 1(AX), DX             \
	CMPQ DX, BX                \
	JNE  last                  \
	FETCH256(0, LINES)         \
	EDGE256(0, WEIGHT, ADD)    \
	INCQ AX                    \
last:                          \
	CMPQ AX, BX                \
	JGE  taken                 \
	DECQ BX                    \
	CMPQ AX, BX                \
	JGE  restOne               \
restTwo:                       \
	EDGE256(0, WEIGHT, ADD)    \
	EDGE256(1, WEIGHT, ADDODD) \
	ADDQ $2, AX                \
	CMPQ AX, BX                \
	JLT  restTwo               \
restOne:                       \
	JGT  taken                 \
	EDGE256(0, WEIGHT, ADD)    \
	INCQ AX                    \
taken:

// ONESUM is one sum a row: ADDS add its edges, JOIN joins its chains.
#define ONESUM(FIRST, ADDS, ZEROODD, JOIN) \
	BEGIN256                         \
	MOVQ        summing_by(CX), R13  \
row:                                 \
	NEXTROW256                       \
	ZEROODD                          \
	CMPQ        summing_more(CX), $0 \
	JNE         more                 \
	FIRST(ZERO)                      \
begun:                               \
	ADDS                             \
	JOIN                             \
	TESTQ       R13, R13             \
	JEQ         ended                \
	VBROADCASTS (R13), Y15           \
	ADDQ        $SIZE, R13           \
	FIRST(TIMESBY)                     \
ended:                               \
	CMPQ        summing_past(CX), $0 \
	JNE         past                 \
	FIRST(STORE)                     \
	JMP         put                  \
past:                                \
	FIRST(PAST)                      \
put:                                 \
	ENDROW                           \
more:                                \
	FIRST(LOAD)                      \
	JMP         begun

// Odd edges' chains.
#define ODDONE(OP) OP(0, Y8)
#define ODDTWO(OP) \
	ODDONE(OP) \
	OP(32, Y9)
#define ODDFOUR(OP) \
	ODDTWO(OP)  \
	OP(64, Y10) \
	OP(96, Y11)
#define JOINONE VADDP Y8, Y0, Y0
#define JOINTWO \
	JOINONE          \
	VADDP Y9, Y1, Y1
#define JOINFOUR \
	JOINTWO           \
	VADDP Y10, Y2, Y2 \
	VADDP Y11, Y3, Y3
#define NOTHING

#define NARROW(FIRST, ODD, JOIN, WEIGHT, OP, LINES) \
	ONESUM(FIRST, PAIRS256(WEIGHT, FIRST(OP), ODD(OP), LINES), ODD(ZERO), JOIN)
#define WIDE(WEIGHT, OP) \
	ONESUM(FIRSTEIGHT, EDGES256(WEIGHT, FIRSTEIGHT(OP), LINESEIGHT), NOTHING, NOTHING)

// TWOSUMS is two sums a row, of the same rows with two weights an edge.
#define TWOSUMS(FIRST, SECOND, ADD, LINES) \
	BEGIN256                                   \
	MOVQ        summing_w2(CX), R13            \
row:                                           \
	NEXTROW256                                 \
	CMPQ        summing_more(CX), $0           \
	JNE         more                           \
	FIRST(ZERO)                                \
	SECOND(ZERO)                               \
begun:                                         \
	EDGES256(BYBOTH, ADD, LINES)               \
	MOVQ        summing_by(CX), DX             \
	TESTQ       DX, DX                         \
	JEQ         ended                          \
	MOVQ        R10, R15                       \
	SUBQ        summing_bounds(CX), R15        \
	VBROADCASTS -SIZE(DX)(R15*BOUNDSCALE), Y15 \
	FIRST(TIMESBY)                               \
	SECOND(TIMESBY)                              \
ended:                                         \
	MOVQ        summing_toSecond(CX), DX       \
	ADDQ        DI, DX                         \
	CMPQ        summing_past(CX), $0           \
	JNE         past                           \
	FIRST(STORE)                               \
	SECOND(STORE2)                             \
	JMP         put                            \
past:                                          \
	FIRST(PAST)                                \
	SECOND(PAST2)                              \
put:                                           \
	ENDROW                                     \
more:                                          \
	MOVQ        summing_toSecond(CX), DX       \
	ADDQ        DI, DX                         \
	FIRST(LOAD)                                \
	SECOND(LOAD2)                              \
	JMP         begun

// DOTTED takes a vector of an edge's row to the sum y and, times the row's own, to the product d.
#define DOTTED(at, x, y, d) \
	VMOVUPS    at(DX), x \
	VFMADD231P x, Y15, y \
	VFMADD231P at(CX), x, d
#define DOTTEDONE \
	VMOVS (R13)(AX*SIZE), X8 \
	DOTTED(0, Y12, Y0, Y8)
#define DOTTEDTWO \
	DOTTEDONE \
	DOTTED(32, Y13, Y1, Y8)
#define DOTTEDFOUR \
	DOTTEDTWO               \
	DOTTED(64, Y12, Y2, Y8) \
	DOTTED(96, Y13, Y3, Y8)
#define DOTTEDEIGHT \
	DOTTEDFOUR               \
	VMOVUPS 128(DX), Y12     \
	VFMADD231P Y12, Y15, Y4  \
	VMULP 128(CX), Y12, Y9   \
	DOTTED(160, Y13, Y5, Y9) \
	DOTTED(192, Y12, Y6, Y9) \
	DOTTED(224, Y13, Y7, Y9) \
	VADDP Y9, Y8, Y8

// BEGINSUMS and ENDSUMS are what comes before and after the edges of a row of one sum: FIRST is the
// sums that are in registers, KEPT what has no register (wide256_amd64.h), ALLINREGISTERS for none.
#define ALLINREGISTERS(OP)
#define BEGINSUMS(FIRST, KEPT) \
	BEGIN256                     \
	MOVQ   summing_dots(CX), R13 \
row:                                 \
	NEXTROW256                   \
	CMPQ   summing_more(CX), $0  \
	JNE    more                  \
	VXORPS Y14, Y14, Y14         \
	KEPT(KEPTZERO)               \
	FIRST(ZERO)                  \
begun:
#define ENDSUMS(FIRST, KEPT) \
	MOVQ        p+0(FP), CX                    \
	MOVQ        summing_by(CX), DX             \
	TESTQ       DX, DX                         \
	JEQ         ended                          \
	MOVQ        R10, R15                       \
	SUBQ        summing_bounds(CX), R15        \
	VBROADCASTS -SIZE(DX)(R15*BOUNDSCALE), Y15 \
	FIRST(TIMESBY)                             \
	KEPT(KEPTTIMESBY)                          \
ended:                                             \
	CMPQ        summing_past(CX), $0           \
	JNE         past                           \
	FIRST(STORE)                               \
	KEPT(KEPTSTORE)                            \
	JMP         put                            \
past:                                              \
	FIRST(PAST)                                \
	KEPT(KEPTPAST)                             \
put:                                               \
	ENDROW                                     \
more:                                              \
	FIRST(LOAD)                                \
	KEPT(KEPTLOAD)                             \
	JMP         begun

// DOTSUM is one sum a row, and for each edge the product of its row with the row's own, which
// goes on from what is there. One chain of additions a column is enough, for an edge takes
// longer than an addition. CX is at the row's own while edges are added; where rows have few edges,
// the own ones are what is waited for, and that of OWNAHEAD rows on (a factor of
// addresses, at most 8) is prefetched.
#define OWNAHEAD 8
#define DOTSUM(FIRST, KEPT, ADD, LINES, FETCH) \
	BEGINSUMS(FIRST, KEPT)                                                                    \
	MOVQ summing_toSecond(CX), CX                                                             \
	ADDQ DI, CX                                                                               \
	LEAQ (CX)(R8*OWNAHEAD), DX                                                                \
	LINES(DX)                                                                                 \
	EACH(FETCH, EDGE256(0, BYEDGE, TOTHEDOT(ADD)), near, last, rest, taken)                   \
	ENDSUMS(FIRST, KEPT)

// TOTHEDOT adds an edge and folds its product.
#define TOTHEDOT(ADD) \
	ADD                                  \
	FOLDLANES(VADDP, VADDS, Y8, X8, X10) \
	VMOVS X8, (R13)(AX*SIZE)
