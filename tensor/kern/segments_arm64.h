// What the NEON kernels of segments share: sums, or maxima, of up to 64 columns of rows in V0 to
// V15, or of two times up to 32, the second in V8 to V15.
//
//   R0 p   R1 x   R2 bytes a row of x   R3 ids   R4 the row's bound   R5 acc, at the row
//   R6 bytes a row of acc   R7 w, R19 w2   R8 bytes from a weight to the next   R9 edge
//   R10 the row's end   R11 edges behind which AHEADNEON more may be read   R12 row of x
//   R13 free   R14 the last edge beside which a row is prefetched   R15 not 0 if sums go on
//   R16 by   R17 rows left   R20 ids so far ahead   R21 from acc to the second sums
//   V16 to V23 what is read   V24, V25 weights

#define AHEADNEON 32

// Vn applies OP to so many vectors, by their numbers.
#define V1(OP) OP(0)
#define V2(OP) V1(OP); OP(1)
#define V4(OP) V2(OP); OP(2); OP(3)
#define V8(OP) V4(OP); OP(4); OP(5); OP(6); OP(7)
#define V16(OP) V8(OP); OP(8); OP(9); OP(10); OP(11); OP(12); OP(13); OP(14); OP(15)

#define READ(k) (16+((k)&7))

// Sums begin, end and are stored: vectors, and the parts of one that are 2 or 1 columns.
#define ZERO(k) CLEAR(k)
#define LOAD(k) LDQ(k, 5, 16*(k))
#define LOADTWO(k) LDD(k, 5, 0)
#define LOADONE(k) LDS(k, 5, 0)
#define STORE(k) STQ(k, 5, 16*(k))
#define STORETWO(k) STD(k, 5, 0)
#define STOREONE(k) STS(k, 5, 0)
#define TIMES(k) FMULLANE(k, k, 24, 0)

// The second sums, at R13.
#define ZERO2(k) CLEAR(8+(k))
#define LOAD2(k) LDQ(8+(k), 13, 16*(k))
#define LOADTWO2(k) LDD(8+(k), 13, 0)
#define LOADONE2(k) LDS(8+(k), 13, 0)
#define STORE2(k) STQ(8+(k), 13, 16*(k))
#define STORETWO2(k) STD(8+(k), 13, 0)
#define STOREONE2(k) STS(8+(k), 13, 0)
#define TIMES2(k) FMULLANE(8+(k), 8+(k), 24, 0)

// Columns of a row of x, at R12.
#define VECTOR(k) LDQ(READ(k), 12, 16*(k))
#define TWO(k) LDD(READ(k), 12, 0)
#define ONE(k) LDS(READ(k), 12, 0)

// What is done with them: added, scaled with the edge's weight, with two of them, with one for
// each 4, 8 or 16 columns, or with a row of weights; or the larger is taken.
#define PLUS(k) VECTOR(k); FADD(k, k, READ(k))
#define PLUSTWO(k) TWO(k); FADD(k, k, READ(k))
#define PLUSONE(k) ONE(k); FADD(k, k, READ(k))
#define SCALE(k) VECTOR(k); FMLALANE(k, READ(k), 24, 0)
#define SCALETWO(k) TWO(k); FMLALANE(k, READ(k), 24, 0)
#define SCALEONE(k) ONE(k); FMLALANE(k, READ(k), 24, 0)
#define TWICE(k) VECTOR(k); FMLALANE(k, READ(k), 24, 0); FMLALANE(8+(k), READ(k), 25, 0)
#define TWICETWO(k) TWO(k); FMLALANE(k, READ(k), 24, 0); FMLALANE(8+(k), READ(k), 25, 0)
#define TWICEONE(k) ONE(k); FMLALANE(k, READ(k), 24, 0); FMLALANE(8+(k), READ(k), 25, 0)
#define HEADS4(k) VECTOR(k); FMLALANE(k, READ(k), 24, (k)&3)
#define HEADS8(k) VECTOR(k); FMLALANE(k, READ(k), 24, ((k)>>1)&3)
#define HEADS16(k) VECTOR(k); FMLALANE(k, READ(k), 24, ((k)>>2)&3)
#define ROWS(k) VECTOR(k); LDQ(25, 7, 16*(k)); FMLA(k, READ(k), 25)
#define ROWSTWO(k) TWO(k); LDD(25, 7, 0); FMLA(k, READ(k), 25)
#define ROWSONE(k) ONE(k); LDS(25, 7, 0); FMLA(k, READ(k), 25)
#define LARGER(k) VECTOR(k); FMAX(k, k, READ(k))
#define LARGERTWO(k) TWO(k); FMAX(k, k, READ(k))
#define LARGERONE(k) ONE(k); FMAX(k, k, READ(k))

// LINES prefetches the columns, at R13.
#define LINES16 PRFM (R13), PLDL1KEEP
#define LINES32 PRFM (R13), PLDL1KEEP; PRFM 64(R13), PLDL1KEEP
#define LINES64 LINES32; PRFM 128(R13), PLDL1KEEP; PRFM 192(R13), PLDL1KEEP

// The weight of an edge: none, its own, one for each of four heads, or that of its vertex, which
// is in R12. AFTER goes on to the next edge's.
#define UNWEIGHED
#define BYEDGE LDS(24, 7, 0)
#define BYHEAD LDQ(24, 7, 0)
#define BYBOTH LDS(24, 7, 0); LDS(25, 19, 0)
#define BYVERTEX FMOVS (R7)(R12<<2), F24
#define AFTER ADD R8, R7
#define AFTERBOTH ADD R8, R7; ADD R8, R19

#define BEGIN \
	MOVD p+0(FP), R0                \
	MOVD segmentSums_x(R0), R1      \
	MOVD segmentSums_stride(R0), R2 \
	MOVD segmentSums_ids(R0), R3    \
	MOVD segmentSums_bounds(R0), R4 \
	MOVD segmentSums_acc(R0), R5    \
	MOVD segmentSums_step(R0), R6   \
	MOVD segmentSums_w(R0), R7      \
	MOVD segmentSums_w2(R0), R19    \
	MOVD segmentSums_wStep(R0), R8  \
	MOVD segmentSums_ahead(R0), R11 \
	MOVD segmentSums_more(R0), R15  \
	MOVD segmentSums_by(R0), R16    \
	MOVD segmentSums_rows(R0), R17  \
	MOVD segmentSums_second(R0), R21 \
	ADD  $(4*AHEADNEON), R3, R20    \
	MOVW (R4), R9

#define NEXTROW \
	ADD  $4, R4  \
	MOVW (R4), R10

#define EDGE(WEIGHT, ADDS, NEXT) \
	MOVW (R3)(R9<<2), R12  \
	WEIGHT                 \
	MADD R2, R1, R12, R12  \
	ADDS                   \
	NEXT                   \
	ADD  $1, R9

// EDGES adds the edges of a row; those that have one so far behind them prefetch its row.
#define EDGES(WEIGHT, ADDS, NEXT, LINES) \
	CMP  R10, R11          \
	CSEL LT, R11, R10, R14 \
	CMP  R14, R9           \
	BGE  last              \
near:                    \
	MOVW (R20)(R9<<2), R13 \
	MADD R2, R1, R13, R13  \
	LINES                  \
	EDGE(WEIGHT, ADDS, NEXT) \
	CMP  R14, R9           \
	BLT  near              \
last:                    \
	CMP  R10, R9           \
	BGE  taken             \
rest:                    \
	EDGE(WEIGHT, ADDS, NEXT) \
	CMP  R10, R9           \
	BLT  rest              \
taken:

// SUM is one sum a row.
#define SUM(N, LOADS, STORES, WEIGHT, ADDS, NEXT, LINES) \
	BEGIN                                \
row:                                   \
	NEXTROW                              \
	CBNZ R15, more                       \
	N(ZERO)                              \
begun:                                 \
	EDGES(WEIGHT, N(ADDS), NEXT, LINES)  \
	CBZ  R16, ended                      \
	LDS(24, 16, 0)                       \
	ADD  $4, R16                         \
	N(TIMES)                             \
ended:                                 \
	N(STORES)                            \
	ADD  R6, R5                          \
	SUB  $1, R17                         \
	CBNZ R17, row                        \
	RET                                  \
more:                                  \
	N(LOADS)                             \
	B    begun

// SUMS is two sums a row, of the same rows with two weights an edge.
#define SUMS(N, LOADS, LOADS2, STORES, STORES2, ADDS, LINES) \
	BEGIN                                \
row:                                   \
	NEXTROW                              \
	CBNZ R15, more                       \
	N(ZERO)                              \
	N(ZERO2)                             \
begun:                                 \
	EDGES(BYBOTH, N(ADDS), AFTERBOTH, LINES) \
	CBZ  R16, ended                      \
	LDS(24, 16, 0)                       \
	ADD  $4, R16                         \
	N(TIMES)                             \
	N(TIMES2)                            \
ended:                                 \
	ADD  R21, R5, R13                    \
	N(STORES)                            \
	N(STORES2)                           \
	ADD  R6, R5                          \
	SUB  $1, R17                         \
	CBNZ R17, row                        \
	RET                                  \
more:                                  \
	ADD  R21, R5, R13                    \
	N(LOADS)                             \
	N(LOADS2)                            \
	B    begun
