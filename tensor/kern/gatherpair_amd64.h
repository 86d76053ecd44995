// Element-wise kernels on pairs of rows picked by ids, for both types. The rows of x are
// prefetched.

#include "gather_amd64.h"

#define SUM(mem, y) VADDP mem, y, y
#define DIFFERENCE(mem, y) VSUBP mem, y, y
#define PRODUCT(mem, y) VMULP mem, y, y

// PAIRS combines rows a, loaded, and b; DX is at x's row, R12 at y's. A register of
// columns at a time follows blocks of four. Where columns are left, those of the last register
// are combined first, and written last: dst may be where x or y is.
#define PAIRS(OP, a, b) \
	MOVQ    dst+0(FP), DI     \
	MOVQ    x+8(FP), SI       \
	MOVQ    y+16(FP), BX      \
	MOVQ    width+24(FP), R8  \
	MOVQ    xs+32(FP), R9     \
	MOVQ    ys+40(FP), R13    \
	MOVQ    n+48(FP), R10     \
	MOVQ    ahead+56(FP), R11 \
	SHLQ    $SIZELOG, R8      \
	MOVQ    R8, R14           \
	ANDQ    $31, R14          \
	XORQ    AX, AX            \
pair:                         \
	CMPQ    AX, R11           \
	JGE     near              \
	FETCH                     \
	FETCH1                    \
	CMPQ    R8, $128          \
	JLT     near              \
	FETCH4                    \
near:                         \
	ROW                       \
	MOVLQSX (R13)(AX*4), R12  \
	IMULQ   R8, R12           \
	ADDQ    BX, R12           \
	MOVQ    R8, CX            \
	TESTQ   R14, R14          \
	JEQ     blocks            \
	VMOVUPS -32(a)(R8*1), Y4  \
	OP(-32(b)(R8*1), Y4)      \
	SUBQ    R14, CX           \
blocks:                       \
	SUBQ    $128, CX          \
	JLT     singles           \
loop4:                        \
	VMOVUPS (a), Y0           \
	VMOVUPS 32(a), Y1         \
	VMOVUPS 64(a), Y2         \
	VMOVUPS 96(a), Y3         \
	OP((b), Y0)               \
	OP(32(b), Y1)             \
	OP(64(b), Y2)             \
	OP(96(b), Y3)             \
	VMOVUPS Y0, (DI)          \
	VMOVUPS Y1, 32(DI)        \
	VMOVUPS Y2, 64(DI)        \
	VMOVUPS Y3, 96(DI)        \
	ADDQ    $128, DX          \
	ADDQ    $128, R12         \
	ADDQ    $128, DI          \
	SUBQ    $128, CX          \
	JGE     loop4             \
singles:                      \
	ADDQ    $128, CX          \
	JEQ     next              \
loop1:                        \
	VMOVUPS (a), Y0           \
	OP((b), Y0)               \
	VMOVUPS Y0, (DI)          \
	ADDQ    $32, DX           \
	ADDQ    $32, R12          \
	ADDQ    $32, DI           \
	SUBQ    $32, CX           \
	JNE     loop1             \
next:                         \
	TESTQ   R14, R14          \
	JEQ     done              \
	ADDQ    R14, DI           \
	VMOVUPS Y4, -32(DI)       \
done:                         \
	INCQ    AX                \
	CMPQ    AX, R10           \
	JLT     pair              \
	VZEROUPPER                \
	RET
