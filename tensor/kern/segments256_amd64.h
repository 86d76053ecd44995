// What the AVX2 kernels of segments share: sums of 8, 16, 32 or 64 columns of rows, in
// Y0 to Y7, or of two times as many, the second in Y4 to Y7.
//
//   CX p   DI acc, at the row   SI x   R8 bytes a row   R9 ids   R10 the row's bound
//   AX edge   BX the row's end   R11 edges behind which AHEAD256 more may be read
//   R12 w, R13 w2 or by   R14 the last edge beside which a row is prefetched   DX row
//   R15 free   Y12 to Y15 weights and what is read

#define AHEAD256 32

// ON applies OP to the block's columns, a vector at a time, for the registers of the
// first sum and of the second.
#define FIRST8(OP) OP(0, Y0)
#define FIRST16(OP) \
	FIRST8(OP) \
	OP(32, Y1)
#define FIRST32(OP) \
	FIRST16(OP) \
	OP(64, Y2)  \
	OP(96, Y3)
#define FIRST64(OP) \
	FIRST32(OP)  \
	OP(128, Y4)  \
	OP(160, Y5)  \
	OP(192, Y6)  \
	OP(224, Y7)
#define SECOND8(OP) OP(0, Y4)
#define SECOND16(OP) \
	SECOND8(OP) \
	OP(32, Y5)
#define SECOND32(OP) \
	SECOND16(OP) \
	OP(64, Y6)   \
	OP(96, Y7)

#define ZERO(at, y) VXORPS y, y, y
#define LOAD(at, y) VMOVUPS at(DI), y
#define STORE(at, y) VMOVUPS y, at(DI)
#define PAST(at, y) VMOVNTPS y, at(DI)
#define STORE2(at, y) VMOVUPS y, at(DX)
#define PAST2(at, y) VMOVNTPS y, at(DX)
#define LOAD2(at, y) VMOVUPS at(DX), y
#define PLUS(at, y) VADDPS at(DX), y, y
#define SCALE(at, y) VFMADD231PS at(DX), Y15, y
#define TIMES(at, y) VMULPS Y15, y, y

// LINES prefetches the block's columns.
#define LINES8 PREFETCHT0 (R15)
#define LINES16 PREFETCHT0 (R15)
#define LINES32 \
	PREFETCHT0 (R15)   \
	PREFETCHT0 64(R15)
#define LINES64 \
	LINES32             \
	PREFETCHT0 128(R15) \
	PREFETCHT0 192(R15)

#define BEGIN256 \
	MOVQ p+0(FP), CX                \
	MOVQ summing_x(CX), SI          \
	MOVQ summing_stride(CX), R8     \
	MOVQ summing_ids(CX), R9        \
	MOVQ summing_bounds(CX), R10    \
	MOVQ summing_acc(CX), DI        \
	MOVQ summing_ahead(CX), R11     \
	MOVQ summing_w(CX), R12         \
	SUBQ summing_firstBytes(CX), R12 \
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
	ADDQ R8, DI             \
	DECQ summing_rows(CX)   \
	JNE  row                \
	SFENCE                  \
	VZEROUPPER              \
	RET

// FETCH256 prefetches the row AHEAD256 edges behind edge AX+n.
#define FETCH256(n, LINES) \
	MOVLQSX (4*(AHEAD256+n))(R9)(AX*4), R15 \
	IMULQ   R8, R15 \
	ADDQ    SI, R15 \
	LINES

// EDGE256 adds the row of edge AX+n.
#define EDGE256(n, WEIGHT, ADD) \
	MOVLQSX (4*n)(R9)(AX*4), DX \
	WEIGHT(n)                   \
	IMULQ   R8, DX              \
	ADDQ    SI, DX              \
	ADD

// The weight of an edge: none, its own, or that of its vertex, which is in DX.
#define UNWEIGHED(n)
#define BYEDGE(n) VBROADCASTSS (4*n)(R12)(AX*4), Y15
#define BYVERTEX(n) VBROADCASTSS (R12)(DX*4), Y15
#define BYBOTH(n) \
	BYEDGE(n)                           \
	VBROADCASTSS (4*n)(R13)(AX*4), Y14

// Two sums at once.
#define TWICE(at, x, a, b) \
	VMOVUPS     at(DX), x \
	VFMADD231PS x, Y15, a \
	VFMADD231PS x, Y14, b
#define TWICE8 TWICE(0, Y12, Y0, Y4)
#define TWICE16 \
	TWICE8                   \
	TWICE(32, Y13, Y1, Y5)
#define TWICE32 \
	TWICE16                  \
	TWICE(64, Y12, Y2, Y6)   \
	TWICE(96, Y13, Y3, Y7)

// EDGES256 adds the edges of a row.
#define EDGES256(WEIGHT, ADD, LINES) \
	CMPQ AX, R14           \
	JGE  last              \
near:                    \
	FETCH256(0, LINES)     \
	EDGE256(0, WEIGHT, ADD) \
	INCQ AX                \
	CMPQ AX, R14           \
	JLT  near              \
last:                    \
	CMPQ AX, BX            \
	JGE  taken             \
rest:                    \
	EDGE256(0, WEIGHT, ADD) \
	INCQ AX                \
	CMPQ AX, BX            \
	JLT  rest              \
taken:

// PAIRS256 does so with two chains of additions, for every other edge one: a block of few
// columns waits for its sums, not for rows.
#define PAIRS256(WEIGHT, ADD, ADDODD, LINES) \
	DECQ R14               \
	CMPQ AX, R14           \
	JGE  nearOne           \
nearTwo:                 \
	FETCH256(0, LINES)     \
	FETCH256(1, LINES)     \
	EDGE256(0, WEIGHT, ADD) \
	EDGE256(1, WEIGHT, ADDODD) \
	ADDQ $2, AX            \
	CMPQ AX, R14           \
	JLT  nearTwo           \
nearOne:                 \
	JGT  last              \
	FETCH256(0, LINES)     \
	EDGE256(0, WEIGHT, ADD) \
	INCQ AX                \
last:                    \
	CMPQ AX, BX            \
	JGE  taken             \
	DECQ BX                \
	CMPQ AX, BX            \
	JGE  restOne           \
restTwo:                 \
	EDGE256(0, WEIGHT, ADD) \
	EDGE256(1, WEIGHT, ADDODD) \
	ADDQ $2, AX            \
	CMPQ AX, BX            \
	JLT  restTwo           \
restOne:                 \
	JGT  taken             \
	EDGE256(0, WEIGHT, ADD) \
	INCQ AX                \
taken:

// ONESUM is one sum a row: ADDS add its edges, JOIN joins its chains.
#define ONESUM(FIRST, ADDS, ZEROODD, JOIN) \
	BEGIN256                      \
	MOVQ summing_by(CX), R13      \
row:                            \
	NEXTROW256                    \
	ZEROODD                       \
	CMPQ summing_more(CX), $0     \
	JNE  more                     \
	FIRST(ZERO)                   \
begun:                          \
	ADDS                          \
	JOIN                          \
	TESTQ R13, R13                \
	JEQ  ended                    \
	VBROADCASTSS (R13), Y15       \
	ADDQ $4, R13                  \
	FIRST(TIMES)                  \
ended:                          \
	CMPQ summing_past(CX), $0     \
	JNE  past                     \
	FIRST(STORE)                  \
	JMP  put                      \
past:                           \
	FIRST(PAST)                   \
put:                            \
	ENDROW                        \
more:                           \
	FIRST(LOAD)                   \
	JMP  begun
