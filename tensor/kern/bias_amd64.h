// A sum of two slices with ReLU, and the sums of the columns of a matrix, for both types.

#include "loops_amd64.h"

// Zeros first: the instruction gives its second source, the sum, if that is NaN.
#define ADDRELU(b, y, t, u) \
	VADDP b, y, y   \
	VMAXP y, Y14, y

// SUMROWS has arguments (acc, x *T, rows, n int). It adds four rows at a time, each element's in
// their order.
#define SUMROWS \
	MOVQ       acc+0(FP), DI        \
	MOVQ       x+8(FP), SI          \
	MOVQ       rows+16(FP), R10     \
	MOVQ       n+24(FP), R8         \
	MOVQ       R8, CX               \
	ANDQ       $(VECTOR-1), CX      \
	LEAQ       ·tailMask+32(SB), AX \
	LEAQ       (CX*SIZE), BX        \
	SUBQ       BX, AX               \
	VMOVUPS    (AX), Y9             \
	SHLQ       $SIZELOG, R8         \
	SUBQ       BX, R8               \
	LEAQ       (R8)(BX*1), R9       \
	SUBQ       $4, R10              \
	JLT        single               \
fours:                              \
	LEAQ       (SI)(R9*1), DX       \
	LEAQ       (DX)(R9*1), R11      \
	LEAQ       (R11)(R9*1), R12     \
	XORQ       BX, BX               \
	CMPQ       BX, R8               \
	JEQ        foursRest            \
foursLoop:                          \
	VMOVUPS    (DI)(BX*1), Y0       \
	VADDP      (SI)(BX*1), Y0, Y0   \
	VADDP      (DX)(BX*1), Y0, Y0   \
	VADDP      (R11)(BX*1), Y0, Y0  \
	VADDP      (R12)(BX*1), Y0, Y0  \
	VMOVUPS    Y0, (DI)(BX*1)       \
	ADDQ       $32, BX              \
	CMPQ       BX, R8               \
	JNE        foursLoop            \
foursRest:                          \
	TESTQ      CX, CX               \
	JEQ        foursEnd             \
	VMASKMOVPS (DI)(BX*1), Y9, Y0   \
	VMASKMOVPS (SI)(BX*1), Y9, Y1   \
	VMASKMOVPS (DX)(BX*1), Y9, Y2   \
	VMASKMOVPS (R11)(BX*1), Y9, Y3  \
	VMASKMOVPS (R12)(BX*1), Y9, Y4  \
	VADDP      Y1, Y0, Y0           \
	VADDP      Y2, Y0, Y0           \
	VADDP      Y3, Y0, Y0           \
	VADDP      Y4, Y0, Y0           \
	VMASKMOVPS Y0, Y9, (DI)(BX*1)   \
foursEnd:                           \
	LEAQ       (R12)(R9*1), SI      \
	SUBQ       $4, R10              \
	JGE        fours                \
single:                             \
	ADDQ       $4, R10              \
	JEQ        done                 \
singles:                            \
	XORQ       BX, BX               \
	CMPQ       BX, R8               \
	JEQ        singleRest           \
singleLoop:                         \
	VMOVUPS    (DI)(BX*1), Y0       \
	VADDP      (SI)(BX*1), Y0, Y0   \
	VMOVUPS    Y0, (DI)(BX*1)       \
	ADDQ       $32, BX              \
	CMPQ       BX, R8               \
	JNE        singleLoop           \
singleRest:                         \
	TESTQ      CX, CX               \
	JEQ        singleEnd            \
	VMASKMOVPS (DI)(BX*1), Y9, Y0   \
	VMASKMOVPS (SI)(BX*1), Y9, Y1   \
	VADDP      Y1, Y0, Y0           \
	VMASKMOVPS Y0, Y9, (DI)(BX*1)   \
singleEnd:                          \
	ADDQ       R9, SI               \
	DECQ       R10                  \
	JNE        singles              \
done:                               \
	VZEROUPPER                      \
	RET
