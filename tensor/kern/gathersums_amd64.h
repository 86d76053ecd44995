// The kernels that sum, compare or multiply rows that ids pick, for both types.

#include "gather_amd64.h"
#include "dots_amd64.h"

// BEGINSUMS loads the arguments of sums (acc *T, width int, x *T, stride int, ids *int32, n,
// ahead int).
#define BEGINSUMS \
	MOVQ acc+0(FP), DI     \
	MOVQ width+8(FP), CX   \
	MOVQ x+16(FP), SI      \
	MOVQ stride+24(FP), R8 \
	MOVQ ids+32(FP), R9    \
	MOVQ n+40(FP), R10     \
	MOVQ ahead+48(FP), R11

// WEIGHTS loads the arguments w *T, wstride int behind those.
#define WEIGHTS \
	MOVQ w+56(FP), R12       \
	MOVQ wstride+64(FP), R13 \
	SHLQ $SIZELOG, R13

// BEGINDOTS loads the arguments of dot products with one row (out *T, ostride int, row *T, width
// int, x *T, stride int, ids *int32, n, ahead int).
#define BEGINDOTS \
	MOVQ out+0(FP), DI      \
	MOVQ ostride+8(FP), R13 \
	MOVQ row+16(FP), BX     \
	MOVQ width+24(FP), R12  \
	MOVQ x+32(FP), SI       \
	MOVQ stride+40(FP), R8  \
	MOVQ ids+48(FP), R9     \
	MOVQ n+56(FP), R10      \
	MOVQ ahead+64(FP), R11

// ALLCOLUMNS combines all columns by OP, with one weight a row or none.
#define ALLCOLUMNS(LOADW, OP, STEP) \
	COLUMNS(LOADW, STEP, 0, ROW64(OP), ROW32(OP), ROW16(OP), ROW8(OP)) \
	REST(LOADW, OP, STEP)                                              \
	VZEROUPPER                                                         \
	RET

// ROWDOTS is the loop of the dot products of one row with those that ids pick, over
// BEGINDOTS' arguments. The products of a pair are summed as dot does it. Rows of a vector take a seventh longer
// if the loop is not aligned.
#define ROWDOTS \
	BEGINDOTS                  \
	SHLQ    $SIZELOG, R13      \
	SHLQ    $SIZELOG, R8       \
	SHLQ    $SIZELOG, R12      \
	MOVQ    R12, CX            \
	ANDQ    $31, CX            \
	TAILMASK                   \
	XORQ    AX, AX             \
	PCALIGN $16                \
id:                            \
	CMPQ    AX, R11            \
	JGE     near               \
	FETCH                      \
	FETCH1                     \
	CMPQ    R12, $192          \
	JLT     near               \
	FETCH4                     \
near:                          \
	ROW                        \
	INCQ    AX                 \
	MOVQ    BX, R15            \
	MOVQ    R12, CX            \
	PRODUCTS(R15, DX, MASKED)  \
	VMOVS   X0, (DI)           \
	ADDQ    R13, DI            \
	CMPQ    AX, R10            \
	JLT     id                 \
	VZEROUPPER                 \
	RET
