// Attention of several heads with AVX-512: scores in Z16 become weights of edges, in memory; sums
// of rows are in Z0 to Z7 and Z8 to Z15.
//
//   CX a   DI acc, at the row   SI x   R9 ids   R15 the ids so many edges ahead
//   R10 the row's bound   AX edge   BX the end of the block of edges
//   R11 the end of those beside which something is picked ahead
//   R14 what is picked of vertices   DX free
//   Z21 far above the reference   Z24 the reference of exponentials   Z30 slope   Z31 zeros

SPLAT(far<>, $0x41000000) // 8: scores are rarely so much larger, and sums of e^8 no less precise
SPLAT(mostNegative<>, $0xFF7FFFFF)

// START sets what is alike for all numbers of heads.
#define START \
	MOVQ    a+0(FP), CX               \
	MOVQ    attending_acc(CX), DI     \
	MOVQ    attending_x(CX), SI       \
	MOVQ    attending_ids(CX), R9     \
	MOVQ    attending_bounds(CX), R10 \
	MOVQ    attending_picked(CX), R14 \
	MOVQ    attending_aheadIDs(CX), R15 \
	VBROADCASTSS attending_slope(CX), Z30 \
	VPXORD  Z31, Z31, Z31             \
	MOVLQSX (R10), AX

// RECTIFY sends the scores in Z16 through the rectifier; K6 is where they are greater than
// the bound of steps.
#define RECTIFY(STEPS) \
	STEPS                      \
	VCMPPS $0x11, Z31, Z16, K4 \
	VMULPS Z30, Z16, K4, Z16
#define STEPS \
	VBROADCASTSS attending_bound(CX), Z17 \
	VCMPPS $0x1E, Z17, Z16, K6
// SLOPES is the step of each score.
#define SLOPES(y) \
	VBROADCASTSS attending_below(CX), y     \
	VBROADCASTSS attending_above(CX), K6, y

// RAISE replaces the lanes of x, none above 0 but by rounding, by their exponentials; n, p
// and t are free.
#define RAISE(x, n, p, t) \
	LOADC        lowest<>(SB), p    \
	VMAXPS       x, p, x            \
	VMULPC       log2e<>(SB), x, n  \
	ROUND(n, n)                     \
	VFNMADD231PC ln2hi<>(SB), n, x  \
	VFNMADD231PC ln2lo<>(SB), n, x  \
	POLY(x, p, t)                   \
	VADDPC       one<>(SB), p, p    \
	VSCALEFPS    n, p, x

// MASKS jumps to the label if there are no masks, else DX points at those of edge AX.
#define MASKS(shift, without) \
	MOVQ  attending_masks(CX), DX \
	TESTQ DX, DX                  \
	JEQ   without                 \
	SHLQ  $(2+shift), AX          \
	ADDQ  AX, DX                  \
	SHRQ  $(2+shift), AX
// WRITE writes sums to the cache, or past it; the labels are the use's own.
#define WRITE(ROWS, past, end) \
	CMPQ attending_past(CX), $0 \
	JNE  past        \
	ROWS(STORE) \
	JMP  end         \
past:            \
	ROWS(PAST)  \
end:

// ROWEND goes on with the next row, or ends.
#define ROWEND \
	DECQ  attending_rows(CX)     \
	JNE   row                    \
	CMPQ  attending_past(CX), $0 \
	JEQ   cached                 \
	SFENCE                       \
cached:                        \
	VZEROUPPER                   \
	RET

// REFERFIRST makes the row's first score in Z16 the reference, if it is finite: a score of
// -Inf has a distance from no other that is a number.
#define REFERFIRST \
	VMAXPS.BCST mostNegative<>(SB), Z16, Z16 \
	REFER(Z16)
// REFER makes x the reference.
#define REFER(x) \
	VMOVAPS x, Z24              \
	VADDPC  far<>(SB), Z24, Z21

#define ONE64(OP) FIRST64(OP, DI)
#define ONE128(OP) FIRST128(OP, DI)
#define TWO64(OP) \
	FIRST64(OP, DI)  \
	SECOND64(OP, DI)
#define TWO128(OP) \
	FIRST128(OP, DI)  \
	SECOND128(OP, DI)
#define BOTHROWS(OP, FIRST, SECOND) \
	FIRST(OP, DI)                 \
	MOVQ attending_toAcc2(CX), DX \
	ADDQ DI, DX                   \
	SECOND(OP, DX)
#define TWOROWS64(OP) BOTHROWS(OP, FIRST64, SECOND64)
#define TWOROWS128(OP) BOTHROWS(OP, FIRST128, SECOND128)

// The same of 16 columns in a vector, or 32 in two.
#define FIRST16(OP, mem) OP(0(mem), Z0)
#define FIRST32(OP, mem) \
	OP(0(mem), Z0)  \
	OP(64(mem), Z1)
#define SECOND16(OP, mem) OP(0(mem), Z8)
#define SECOND32(OP, mem) \
	OP(0(mem), Z8)  \
	OP(64(mem), Z9)
#define LINES16(PREFETCH, base) PREFETCH (base)
#define LINES32(PREFETCH, base) \
	PREFETCH (base)   \
	PREFETCH 64(base)
#define ONE16(OP) FIRST16(OP, DI)
#define ONE32(OP) FIRST32(OP, DI)
#define TWO16(OP) \
	FIRST16(OP, DI)  \
	SECOND16(OP, DI)
#define TWO32(OP) \
	FIRST32(OP, DI)  \
	SECOND32(OP, DI)
#define TWOROWS16(OP) BOTHROWS(OP, FIRST16, SECOND16)
#define TWOROWS32(OP) BOTHROWS(OP, FIRST32, SECOND32)
