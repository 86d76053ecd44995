// Attention with AVX2 and AVX-512, one score an edge: what their walks over rows have in common,
// which is all but weights and sums.
//
//   CX a   DI acc, at the row   SI x   R8 bytes a row, R13 half of them   R9 ids   R10 the row's
//   bound   AX edge   BX the row's end   R11 edges behind which AHEAD256 more may be read
//   R12 numbers of vertices   R14 the last edge beside which a row is prefetched   DX, R15 free

#define rowStart 0(SP)
#define weights 8(SP) // kept, of the first id on
#define blocksLeft 16(SP)

// BEGIN sets what is alike for all rows.
#define BEGIN \
	MOVQ    a+0(FP), CX             \
	MOVQ    summing_x(CX), SI       \
	MOVQ    summing_stride(CX), R8  \
	MOVQ    R8, R13                 \
	SHRQ    $1, R13                 \
	MOVQ    summing_ids(CX), R9     \
	MOVQ    summing_bounds(CX), R10 \
	MOVQ    summing_acc(CX), DI     \
	MOVQ    summing_ahead(CX), R11  \
	MOVQ    attendWalk_vertices(CX), R12 \
	MOVLQSX (R10), AX                      \
	MOVQ    attendWalk_weights(CX), DX   \
	LEAQ    (AX*8), R15                    \
	SUBQ    R15, DX                        \
	MOVQ    DX, weights

// ENDBLOCKS goes on with the next row from its first columns.
#define ENDBLOCKS \
	SUBQ attendWalk_furtherBytes(CX), SI \
	SUBQ attendWalk_furtherBytes(CX), DI \
	ENDROW

// FETCHPAIR and FETCHQUAD prefetch the row so many edges behind edge AX, by LINES, which finds it at
// R15, and before it its vertex' numbers; FETCHROW the row.
#define FETCHPAIR(PREFETCH, ahead, LINES) \
	MOVLQSX  (4*ahead)(R9)(AX*4), R15 \
	PREFETCH (R12)(R15*8)             \
	IMULQ    R8, R15                  \
	ADDQ     SI, R15                  \
	LINES
#define FETCHQUAD(PREFETCH, ahead, LINES) \
	MOVLQSX  (4*ahead)(R9)(AX*4), R15 \
	ADDQ     R15, R15                 \
	PREFETCH (R12)(R15*8)             \
	IMULQ    R13, R15                 \
	ADDQ     SI, R15                  \
	LINES
#define FETCHROW(ahead, LINES) \
	MOVLQSX (4*ahead)(R9)(AX*4), R15 \
	ADDQ    R15, R15                 \
	IMULQ   R13, R15                 \
	ADDQ    SI, R15                  \
	LINES

// EITHER walks over the row's edges, or so where there are masks.
#define EITHER(WALK, MASKED) \
	CMPQ attendWalk_masks(CX), $0 \
	JNE  masked                   \
	WALK                          \
	JMP  weighed                  \
masked:                         \
	MASKED                        \
weighed:

// An edge's row, by its id, or twice that, in DX.
#define TOROW \
	IMULQ R8, DX  \
	ADDQ  SI, DX
#define TOROW2 \
	IMULQ R13, DX \
	ADDQ  SI, DX

// FURTHER walks over the row's edges again, block by block of so many bytes: BEGIN is before each,
// where SI and DI are at its columns, END behind it.
#define FURTHER(bytes, BEGIN, WALK, END) \
	MOVQ attendWalk_further(CX), DX \
	MOVQ DX, blocksLeft             \
further:                          \
	ADDQ $bytes, SI                 \
	ADDQ $bytes, DI                 \
	MOVQ rowStart, AX               \
	BEGIN                           \
	WALK                            \
	END                             \
	DECQ blocksLeft                 \
	JNE  further

// PUTROW writes the sums of a row by ROWS, or past the caches by PASTROWS.
#define PUTROW(ROWS, PASTROWS, past, put) \
	CMPQ summing_past(CX), $0 \
	JNE  past                 \
	ROWS                      \
	JMP  put                  \
past:                       \
	PASTROWS                  \
put:

// TOTALS writes two numbers of the row; a third one's place is at (DX)(R15*2).
#define TOTALS(first, second) \
	MOVQ   attendWalk_totals(CX), DX  \
	ADDQ   $4, attendWalk_totals(CX)  \
	MOVQ   attendWalk_toNext(CX), R15 \
	VMOVSS first, (DX)                  \
	VMOVSS second, (DX)(R15*1)

// BEGINROW finds a row's edges and points DX at its numbers.
#define BEGINROW \
	NEXTROW256                       \
	MOVQ AX, rowStart                \
	MOVQ attendWalk_ofRows(CX), DX \
	ADDQ $16, attendWalk_ofRows(CX)
