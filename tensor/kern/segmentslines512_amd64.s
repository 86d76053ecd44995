//go:build amd64 && !noasm

// Segments of rows that are a cache line each, 16 columns, with AVX-512, of tables in the
// caches: there the steps from edge to edge count, so a shift finds the row, nothing is
// prefetched, and what the other kernels of 16 columns look at for each row is settled
// before. Sums are in their order (FOURS): four that take turns, which are added up, and
// then the last one to three edges.

#include "go_asm.h"
#include "textflag.h"

// Registers: CX p   DI acc, at the row   SI x   R8 edges left of the row   R9 the id of the
// edge   R10 its bound   R11 the id behind which four are not there to be read   R12 the edge's weight
// or the factors   R13 the row's number of by   R14 rows left

#define LINESETUP \
	MOVQ    p+0(FP), CX            \
	MOVQ    acc+8(FP), DI          \
	MOVQ    picked_x(CX), SI       \
	MOVQ    picked_ids(CX), R9     \
	MOVQ    picked_ahead(CX), R11  \
	LEAQ    -16(R9)(R11*4), R11    \
	MOVQ    picked_bounds(CX), R10 \
	MOVQ    picked_rows(CX), R14   \
	MOVQ    picked_by(CX), R13     \
	MOVLQSX (R10), AX              \
	MOVQ    picked_w(CX), R12      \
	LEAQ    (R9)(AX*4), R9

// ROWOF points r at the row of edge i behind the current one, less SI.
#define ROWOF(i, r) \
	MOVLQSX (4*i)(R9), r \
	SHLQ    $6, r

// The row of edge i is added to sum as it is, times the edge's weight, or times its factor.
#define LINEPLAIN(i, sum, a, lane, k) \
	ROWOF(i, DX)                  \
	VADDPS (SI)(DX*1), sum, k sum
#define LINEWEIGHT(i, sum, a, lane, k) \
	ROWOF(i, DX)                   \
	VPERMPS Z4, lane, a            \
	VFMADD231PS (SI)(DX*1), a, k sum
#define LINEFACTOR(i, sum, a, lane, k) \
	MOVLQSX (4*i)(R9), DX                  \
	MOVQ    DX, R15                        \
	SHLQ    $6, R15                        \
	VMOVUPS (SI)(R15*1), k a               \
	VFMADD231PS.BCST (R12)(DX*4), a, k sum

// The weights of four edges are read at once into Z4, those of a row's last ones with some of the
// next row's, and permuted to all columns: to read one to all of a register takes as long as to
// read a row.
#define LANE(i, lane) \
	MOVL $i, DX          \
	VPBROADCASTD DX, lane
#define LANES \
	LANE(0, Z12) \
	LANE(1, Z13) \
	LANE(2, Z14) \
	LANE(3, Z15)
#define WEIGHTS VMOVUPS (R12), X4
#define ONEWEIGHT VMOVSS (R12), X4
#define NOWEIGHTS

// NEXTWEIGHTS steps to the weights of the edges that come.
#define NEXTWEIGHTS(OP, step) OP step, R12
#define STAY(OP, step)

#define ALWAYS
#define IF2 K2,
#define IF3 K3,
#define IF4 K4,

#define LINES(ADD, READ, ONE, NEXT) \
row:                                  \
	MOVLQSX 4(R10), R8                  \
	MOVLQSX (R10), AX                   \
	ADDQ    $4, R10                     \
	SUBQ    AX, R8                      \
	VPXORD  Z0, Z0, Z0                  \
	SUBQ    $4, R8                      \
	JLT     rest                        \
	VPXORD  Z1, Z1, Z1                  \
	VPXORD  Z2, Z2, Z2                  \
	VPXORD  Z3, Z3, Z3                  \
four:                                 \
	READ                                \
	ADD(0, Z0, Z8, Z12, ALWAYS)              \
	ADD(1, Z1, Z9, Z13, ALWAYS)              \
	ADD(2, Z2, Z10, Z14, ALWAYS)             \
	ADD(3, Z3, Z11, Z15, ALWAYS)             \
	NEXT(ADDQ, $16)                     \
	ADDQ    $16, R9                     \
	SUBQ    $4, R8                      \
	JGE     four                        \
	VADDPS  Z1, Z0, Z0                  \
	VADDPS  Z3, Z2, Z2                  \
	VADDPS  Z2, Z0, Z0                  \
rest:                                 \
	ADDQ    $4, R8                      \
	CMPQ    R9, R11                     \
	JGT     slow                        \
	KMOVW   (picked_rest+0)(CX)(R8*8), K2 \
	KMOVW   (picked_rest+2)(CX)(R8*8), K3 \
	KMOVW   (picked_rest+4)(CX)(R8*8), K4 \
	READ                                \
	ADD(0, Z0, Z8, Z12, IF2)                 \
	ADD(1, Z0, Z9, Z13, IF3)                 \
	ADD(2, Z0, Z10, Z14, IF4)                \
	NEXT(LEAQ, (R12)(R8*4))             \
	LEAQ    (R9)(R8*4), R9              \
summed:                               \
	TESTQ   R13, R13                    \
	JEQ     ended                       \
	VBROADCASTSS (R13), Z8              \
	VMULPS  Z8, Z0, Z0                  \
	ADDQ    $4, R13                     \
ended:                                \
	CMPQ    picked_past(CX), $0         \
	JNE     past                        \
	VMOVUPS Z0, (DI)                    \
	ADDQ    $64, DI                     \
	DECQ    R14                         \
	JNE     row                         \
	VZEROUPPER                          \
	RET                                 \
past:                                 \
	VMOVNTPS Z0, (DI)                   \
	ADDQ    $64, DI                     \
	DECQ    R14                         \
	JNE     row                         \
	SFENCE                              \
	VZEROUPPER                          \
	RET                                 \
slow:                                 \
	TESTQ   R8, R8                      \
	JEQ     summed                      \
	ONE                                 \
	ADD(0, Z0, Z8, Z12, ALWAYS)              \
	NEXT(ADDQ, $4)                      \
	ADDQ    $4, R9                      \
	DECQ    R8                          \
	JMP     slow

// func segmentGatherSumLinesAVX512(p *picked, acc *float32)
TEXT ·segmentGatherSumLinesAVX512(SB), NOSPLIT, $0-16
	LINESETUP
	LINES(LINEPLAIN, NOWEIGHTS, NOWEIGHTS, STAY)

// func segmentFactorSumLinesAVX512(p *picked, acc *float32)
TEXT ·segmentFactorSumLinesAVX512(SB), NOSPLIT, $0-16
	LINESETUP
	LINES(LINEFACTOR, NOWEIGHTS, NOWEIGHTS, STAY)

// func segmentScaleSumLinesAVX512(p *picked, acc *float32)
TEXT ·segmentScaleSumLinesAVX512(SB), NOSPLIT, $0-16
	LINESETUP
	LEAQ (R12)(AX*4), R12
	LANES
	LINES(LINEWEIGHT, WEIGHTS, ONEWEIGHT, NEXTWEIGHTS)
