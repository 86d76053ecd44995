// The columns of a matrix with numbers of their own, for both types.
//
// Sums over the rows: four vectors of columns at a time go down all rows with their sums in
// registers, then one, then the rest.
//
//   SI x   R13 g   R9 bytes a row   R10 rows   R8 bytes of whole vectors left   CX columns besides
//   DI, R12 the sums   R11 shift   DX, BX down a column of x, of g   AX rows left

#include "loops_amd64.h"

// LAYOUT sets R8, R9, CX and the mask Y15 from n in CX.
#define LAYOUT \
	LEAQ    (CX*SIZE), R9        \
	MOVQ    CX, R8               \
	ANDQ    $-VECTOR, R8         \
	SHLQ    $SIZELOG, R8         \
	ANDQ    $(VECTOR-1), CX      \
	LEAQ    ·tailMask+32(SB), AX \
	LEAQ    (CX*SIZE), BX        \
	SUBQ    BX, AX               \
	VMOVUPS (AX), Y15

// The sums of four vectors of columns, then of one, and what is taken off them; back, and on to the next.
#define WIDESUMS \
	VMOVUPS (DI), Y0     \
	VMOVUPS 32(DI), Y1   \
	VMOVUPS 64(DI), Y2   \
	VMOVUPS 96(DI), Y3   \
	VMOVUPS (R12), Y4    \
	VMOVUPS 32(R12), Y5  \
	VMOVUPS 64(R12), Y6  \
	VMOVUPS 96(R12), Y7  \
	VMOVUPS (R11), Y8    \
	VMOVUPS 32(R11), Y9  \
	VMOVUPS 64(R11), Y10 \
	VMOVUPS 96(R11), Y11

#define STOREWIDE \
	VMOVUPS Y0, (DI)    \
	VMOVUPS Y1, 32(DI)  \
	VMOVUPS Y2, 64(DI)  \
	VMOVUPS Y3, 96(DI)  \
	VMOVUPS Y4, (R12)   \
	VMOVUPS Y5, 32(R12) \
	VMOVUPS Y6, 64(R12) \
	VMOVUPS Y7, 96(R12) \
	ADDQ    $128, DI    \
	ADDQ    $128, R12   \
	ADDQ    $128, R11   \
	ADDQ    $128, SI

#define NARROWSUMS \
	VMOVUPS (DI), Y0  \
	VMOVUPS (R12), Y4 \
	VMOVUPS (R11), Y8

#define STORENARROW \
	VMOVUPS Y0, (DI)  \
	VMOVUPS Y4, (R12) \
	ADDQ    $32, DI   \
	ADDQ    $32, R12  \
	ADDQ    $32, R11  \
	ADDQ    $32, SI

#define MOMENT(at, sum, square, shift) \
	VMOVUPS    at(DX), Y12      \
	VSUBP      shift, Y12, Y12  \
	VADDP      Y12, sum, sum    \
	VFMADD231P Y12, Y12, square

#define COLUMNDOT(at, sum, dot, shift) \
	VMOVUPS    at(DX), Y12     \
	VMOVUPS    at(BX), Y13     \
	VSUBP      shift, Y12, Y12 \
	VADDP      Y13, sum, sum   \
	VFMADD231P Y12, Y13, dot

// COLUMNMOMENTS has arguments (sums, squares, x, shift *T, rows, n int).
#define COLUMNMOMENTS \
	MOVQ       sums+0(FP), DI     \
	MOVQ       squares+8(FP), R12 \
	MOVQ       x+16(FP), SI       \
	MOVQ       shift+24(FP), R11  \
	MOVQ       rows+32(FP), R10   \
	MOVQ       n+40(FP), CX       \
	LAYOUT                        \
wide:                             \
	CMPQ       R8, $128           \
	JLT        narrow             \
	WIDESUMS                      \
	MOVQ       SI, DX             \
	MOVQ       R10, AX            \
wideRow:                          \
	MOMENT(0, Y0, Y4, Y8)         \
	MOMENT(32, Y1, Y5, Y9)        \
	MOMENT(64, Y2, Y6, Y10)       \
	MOMENT(96, Y3, Y7, Y11)       \
	ADDQ       R9, DX             \
	DECQ       AX                 \
	JNE        wideRow            \
	STOREWIDE                     \
	SUBQ       $128, R8           \
	JMP        wide               \
narrow:                           \
	TESTQ      R8, R8             \
	JEQ        rest               \
	NARROWSUMS                    \
	MOVQ       SI, DX             \
	MOVQ       R10, AX            \
narrowRow:                        \
	MOMENT(0, Y0, Y4, Y8)         \
	ADDQ       R9, DX             \
	DECQ       AX                 \
	JNE        narrowRow          \
	STORENARROW                   \
	SUBQ       $32, R8            \
	JMP        narrow             \
rest:                             \
	TESTQ      CX, CX             \
	JEQ        done               \
	VMASKMOVPS (DI), Y15, Y0      \
	VMASKMOVPS (R12), Y15, Y4     \
	VMASKMOVPS (R11), Y15, Y8     \
	MOVQ       R10, AX            \
restRow:                          \
	VMASKMOVPS (SI), Y15, Y12     \
	VSUBP      Y8, Y12, Y12       \
	VADDP      Y12, Y0, Y0        \
	VFMADD231P Y12, Y12, Y4       \
	ADDQ       R9, SI             \
	DECQ       AX                 \
	JNE        restRow            \
	VMASKMOVPS Y0, Y15, (DI)      \
	VMASKMOVPS Y4, Y15, (R12)     \
done:                             \
	VZEROUPPER                    \
	RET

// COLUMNDOTS has arguments (sums, dots, grad, x, shift *T, rows, n int).
#define COLUMNDOTS \
	MOVQ       sums+0(FP), DI    \
	MOVQ       dots+8(FP), R12   \
	MOVQ       grad+16(FP), R13  \
	MOVQ       x+24(FP), SI      \
	MOVQ       shift+32(FP), R11 \
	MOVQ       rows+40(FP), R10  \
	MOVQ       n+48(FP), CX      \
	LAYOUT                       \
wide:                            \
	CMPQ       R8, $128          \
	JLT        narrow            \
	WIDESUMS                     \
	MOVQ       SI, DX            \
	MOVQ       R13, BX           \
	MOVQ       R10, AX           \
wideRow:                         \
	COLUMNDOT(0, Y0, Y4, Y8)     \
	COLUMNDOT(32, Y1, Y5, Y9)    \
	COLUMNDOT(64, Y2, Y6, Y10)   \
	COLUMNDOT(96, Y3, Y7, Y11)   \
	ADDQ       R9, DX            \
	ADDQ       R9, BX            \
	DECQ       AX                \
	JNE        wideRow           \
	STOREWIDE                    \
	ADDQ       $128, R13         \
	SUBQ       $128, R8          \
	JMP        wide              \
narrow:                          \
	TESTQ      R8, R8            \
	JEQ        rest              \
	NARROWSUMS                   \
	MOVQ       SI, DX            \
	MOVQ       R13, BX           \
	MOVQ       R10, AX           \
narrowRow:                       \
	COLUMNDOT(0, Y0, Y4, Y8)     \
	ADDQ       R9, DX            \
	ADDQ       R9, BX            \
	DECQ       AX                \
	JNE        narrowRow         \
	STORENARROW                  \
	ADDQ       $32, R13          \
	SUBQ       $32, R8           \
	JMP        narrow            \
rest:                            \
	TESTQ      CX, CX            \
	JEQ        done              \
	VMASKMOVPS (DI), Y15, Y0     \
	VMASKMOVPS (R12), Y15, Y4    \
	VMASKMOVPS (R11), Y15, Y8    \
	MOVQ       R10, AX           \
restRow:                         \
	VMASKMOVPS (SI), Y15, Y12    \
	VMASKMOVPS (R13), Y15, Y13   \
	VSUBP      Y8, Y12, Y12      \
	VADDP      Y13, Y0, Y0       \
	VFMADD231P Y12, Y13, Y4      \
	ADDQ       R9, SI            \
	ADDQ       R9, R13           \
	DECQ       AX                \
	JNE        restRow           \
	VMASKMOVPS Y0, Y15, (DI)     \
	VMASKMOVPS Y4, Y15, (R12)    \
done:                            \
	VZEROUPPER                   \
	RET

// SCALECOLUMNS has arguments (dst, x, shift, scale, bias *T, rows, n int).
#define SCALECOLUMNS \
	MOVQ       dst+0(FP), DI        \
	MOVQ       x+8(FP), SI          \
	MOVQ       shift+16(FP), R11    \
	MOVQ       scale+24(FP), R12    \
	MOVQ       bias+32(FP), R13     \
	MOVQ       rows+40(FP), R10     \
	MOVQ       n+48(FP), CX         \
	LAYOUT                          \
row:                                \
	XORQ       BX, BX               \
	CMPQ       BX, R8               \
	JEQ        rest                 \
loop:                               \
	VMOVUPS    (SI)(BX*1), Y0       \
	VMOVUPS    (R12)(BX*1), Y1      \
	VSUBP      (R11)(BX*1), Y0, Y0  \
	VFMADD213P (R13)(BX*1), Y1, Y0  \
	VMOVUPS    Y0, (DI)(BX*1)       \
	ADDQ       $32, BX              \
	CMPQ       BX, R8               \
	JNE        loop                 \
rest:                               \
	TESTQ      CX, CX               \
	JEQ        next                 \
	VMASKMOVPS (SI)(BX*1), Y15, Y0  \
	VMASKMOVPS (R12)(BX*1), Y15, Y1 \
	VMASKMOVPS (R11)(BX*1), Y15, Y2 \
	VMASKMOVPS (R13)(BX*1), Y15, Y3 \
	VSUBP      Y2, Y0, Y0           \
	VFMADD213P Y3, Y1, Y0           \
	VMASKMOVPS Y0, Y15, (DI)(BX*1)  \
next:                               \
	ADDQ       R9, SI               \
	ADDQ       R9, DI               \
	DECQ       R10                  \
	JNE        row                  \
	VZEROUPPER                      \
	RET

// GRADCOLUMNS has arguments (dst, grad, x, shift, a, b, c *T, rows, n int).
#define GRADCOLUMNS \
	MOVQ       dst+0(FP), DI        \
	MOVQ       grad+8(FP), R13      \
	MOVQ       x+16(FP), SI         \
	MOVQ       shift+24(FP), R11    \
	MOVQ       rows+56(FP), R10     \
	MOVQ       n+64(FP), CX         \
	LAYOUT                          \
	MOVQ       a+32(FP), R12        \
	MOVQ       b+40(FP), DX         \
	MOVQ       c+48(FP), AX         \
row:                                \
	XORQ       BX, BX               \
	CMPQ       BX, R8               \
	JEQ        rest                 \
loop:                               \
	VMOVUPS    (SI)(BX*1), Y0       \
	VMOVUPS    (DX)(BX*1), Y1       \
	VSUBP      (R11)(BX*1), Y0, Y0  \
	VFMADD213P (R13)(BX*1), Y1, Y0  \
	VADDP      (AX)(BX*1), Y0, Y0   \
	VMULP      (R12)(BX*1), Y0, Y0  \
	VMOVUPS    Y0, (DI)(BX*1)       \
	ADDQ       $32, BX              \
	CMPQ       BX, R8               \
	JNE        loop                 \
rest:                               \
	TESTQ      CX, CX               \
	JEQ        next                 \
	VMASKMOVPS (SI)(BX*1), Y15, Y0  \
	VMASKMOVPS (DX)(BX*1), Y15, Y1  \
	VMASKMOVPS (R11)(BX*1), Y15, Y2 \
	VMASKMOVPS (R13)(BX*1), Y15, Y3 \
	VMASKMOVPS (AX)(BX*1), Y15, Y4  \
	VMASKMOVPS (R12)(BX*1), Y15, Y5 \
	VSUBP      Y2, Y0, Y0           \
	VFMADD213P Y3, Y1, Y0           \
	VADDP      Y4, Y0, Y0           \
	VMULP      Y5, Y0, Y0           \
	VMASKMOVPS Y0, Y15, (DI)(BX*1)  \
next:                               \
	ADDQ       R9, SI               \
	ADDQ       R9, DI               \
	ADDQ       R9, R13              \
	DECQ       R10                  \
	JNE        row                  \
	VZEROUPPER                      \
	RET
