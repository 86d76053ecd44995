// Normalisation of the rows of a matrix and its gradient, for both types.

#include "loops_amd64.h"
#include "rows_amd64.h"

NUMBER(one<>, $0x3F800000, $0x3FF0000000000000) // 1

// NORMROWS has arguments (dst, x, mean, rstd *T, rows, n int, count, eps T). Y10 is the rest of
// x, Y3 Σ (x - mean), which rounding left, Y2 Σ (x - mean)²; the maximum with 0 keeps NaN.
#define NORMROWS \
	MOVQ        dst+0(FP), DI              \
	MOVQ        x+8(FP), SI                \
	MOVQ        mean+16(FP), R11           \
	MOVQ        rstd+24(FP), R12           \
	MOVQ        rows+32(FP), R10           \
	MOVQ        n+40(FP), CX               \
	VBROADCASTS count+48(FP), Y15          \
	VBROADCASTS eps+(48+SIZE)(FP), Y14     \
	VMOVUPS     one<>(SB), Y13             \
	VDIVP       Y15, Y13, Y15              \
	SHAPE                                  \
row:                                       \
	VXORPS      Y0, Y0, Y0                 \
	TESTQ       CX, CX                     \
	JEQ         sumFull                    \
	VMASKMOVPS  (SI)(R8*1), Y9, Y10        \
	VMOVAPS     Y10, Y0                    \
sumFull:                                   \
	XORQ        BX, BX                     \
	CMPQ        BX, R8                     \
	JEQ         sumEnd                     \
sumLoop:                                   \
	VADDP       (SI)(BX*1), Y0, Y0         \
	ADDQ        $32, BX                    \
	CMPQ        BX, R8                     \
	JNE         sumLoop                    \
sumEnd:                                    \
	SPREAD(VADDP, Y0, Y1)                  \
	VMULP       Y15, Y0, Y0                \
	VXORPS      Y2, Y2, Y2                 \
	VXORPS      Y3, Y3, Y3                 \
	TESTQ       CX, CX                     \
	JEQ         devFull                    \
	VSUBP       Y0, Y10, Y3                \
	VANDPS      Y9, Y3, Y3                 \
	VMULP       Y3, Y3, Y2                 \
devFull:                                   \
	XORQ        BX, BX                     \
	CMPQ        BX, R8                     \
	JEQ         devEnd                     \
devLoop:                                   \
	VMOVUPS     (SI)(BX*1), Y1             \
	VSUBP       Y0, Y1, Y1                 \
	VADDP       Y1, Y3, Y3                 \
	VFMADD231P  Y1, Y1, Y2                 \
	ADDQ        $32, BX                    \
	CMPQ        BX, R8                     \
	JNE         devLoop                    \
devEnd:                                    \
	SPREAD(VADDP, Y3, Y1)                  \
	SPREAD(VADDP, Y2, Y1)                  \
	VMULP       Y15, Y3, Y4                \
	VADDP       Y4, Y0, Y0                 \
	VMOVS       X0, (R11)                  \
	ADDQ        $SIZE, R11                 \
	VFNMADD231P Y4, Y3, Y2                 \
	VXORPS      Y1, Y1, Y1                 \
	VMAXP       Y2, Y1, Y2                 \
	VMULP       Y15, Y2, Y2                \
	VADDP       Y14, Y2, Y2                \
	VSQRTP      Y2, Y2                     \
	VDIVP       Y2, Y13, Y2                \
	VMOVS       X2, (R12)                  \
	ADDQ        $SIZE, R12                 \
	XORQ        BX, BX                     \
	CMPQ        BX, R8                     \
	JEQ         writeEnd                   \
writeLoop:                                 \
	VMOVUPS     (SI)(BX*1), Y1             \
	VSUBP       Y0, Y1, Y1                 \
	VMULP       Y2, Y1, Y1                 \
	VMOVUPS     Y1, (DI)(BX*1)             \
	ADDQ        $32, BX                    \
	CMPQ        BX, R8                     \
	JNE         writeLoop                  \
writeEnd:                                  \
	ADDQ        BX, DI                     \
	LEAQ        (SI)(BX*1), SI             \
	LEAQ        (SI)(CX*SIZE), SI          \
	VSUBP       Y0, Y10, Y12               \
	VMULP       Y2, Y12, Y12               \
	STOREREST(Y12, X12, DI, two, one, end) \
	DECQ        R10                        \
	JNE         row                        \
	VZEROUPPER                             \
	RET

// NORMGRADROWS has arguments (dst, grad, x, mean, rstd *T, rows, n int, count T). Y0 is Σ g, Y1
// Σ g·x̂; the rest of g is in Y10, of x̂ in Y11.
#define NORMGRADROWS \
	MOVQ        dst+0(FP), DI              \
	MOVQ        grad+8(FP), SI             \
	MOVQ        x+16(FP), DX               \
	MOVQ        mean+24(FP), R11           \
	MOVQ        rstd+32(FP), R12           \
	MOVQ        rows+40(FP), R10           \
	MOVQ        n+48(FP), CX               \
	VBROADCASTS count+56(FP), Y15          \
	SHAPE                                  \
row:                                       \
	VBROADCASTS (R11), Y14                 \
	VBROADCASTS (R12), Y13                 \
	ADDQ        $SIZE, R11                 \
	ADDQ        $SIZE, R12                 \
	VXORPS      Y0, Y0, Y0                 \
	VXORPS      Y1, Y1, Y1                 \
	TESTQ       CX, CX                     \
	JEQ         sumFull                    \
	VMASKMOVPS  (SI)(R8*1), Y9, Y10        \
	VMASKMOVPS  (DX)(R8*1), Y9, Y11        \
	VSUBP       Y14, Y11, Y11              \
	VMULP       Y13, Y11, Y11              \
	VANDPS      Y9, Y11, Y11               \
	VMOVAPS     Y10, Y0                    \
	VMULP       Y11, Y10, Y1               \
sumFull:                                   \
	XORQ        BX, BX                     \
	CMPQ        BX, R8                     \
	JEQ         sumEnd                     \
sumLoop:                                   \
	VMOVUPS     (SI)(BX*1), Y2             \
	VMOVUPS     (DX)(BX*1), Y3             \
	VSUBP       Y14, Y3, Y3                \
	VMULP       Y13, Y3, Y3                \
	VADDP       Y2, Y0, Y0                 \
	VFMADD231P  Y3, Y2, Y1                 \
	ADDQ        $32, BX                    \
	CMPQ        BX, R8                     \
	JNE         sumLoop                    \
sumEnd:                                    \
	SPREAD(VADDP, Y0, Y2)                  \
	SPREAD(VADDP, Y1, Y2)                  \
	VDIVP       Y15, Y0, Y0                \
	VDIVP       Y15, Y1, Y1                \
	XORQ        BX, BX                     \
	CMPQ        BX, R8                     \
	JEQ         writeEnd                   \
writeLoop:                                 \
	VMOVUPS     (SI)(BX*1), Y2             \
	VMOVUPS     (DX)(BX*1), Y3             \
	VSUBP       Y14, Y3, Y3                \
	VMULP       Y13, Y3, Y3                \
	VSUBP       Y0, Y2, Y2                 \
	VFNMADD231P Y3, Y1, Y2                 \
	VMULP       Y13, Y2, Y2                \
	VMOVUPS     Y2, (DI)(BX*1)             \
	ADDQ        $32, BX                    \
	CMPQ        BX, R8                     \
	JNE         writeLoop                  \
writeEnd:                                  \
	ADDQ        BX, DI                     \
	LEAQ        (SI)(BX*1), SI             \
	LEAQ        (SI)(CX*SIZE), SI          \
	LEAQ        (DX)(BX*1), DX             \
	LEAQ        (DX)(CX*SIZE), DX          \
	VSUBP       Y0, Y10, Y12               \
	VFNMADD231P Y11, Y1, Y12               \
	VMULP       Y13, Y12, Y12              \
	STOREREST(Y12, X12, DI, two, one, end) \
	DECQ        R10                        \
	JNE         row                        \
	VZEROUPPER                             \
	RET
