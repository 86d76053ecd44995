// Sums and extrema of many short rows, one number a row, for both types. A row has fewer
// elements than four registers; it is summed in the order in which Sum takes as many.

#include "loops_amd64.h"

NUMBER(infinity<>, $0x7F800000, $0x7FF0000000000000) // +Inf
NUMBER(minusInf<>, $0xFF800000, $0xFFF0000000000000) // -Inf
NUMBER(nan<>, $0x7FC00000, $0x7FF8000000000000)

// ROWS sets up arguments (dst, x *T, rows, n int): the whole registers of a row in DX,
// the mask of the rest in Y12, and its bytes in BX.
#define ROWS \
	MOVQ    dst+0(FP), DI        \
	MOVQ    x+8(FP), SI          \
	MOVQ    rows+16(FP), R8      \
	MOVQ    n+24(FP), BX         \
	SHLQ    $SIZELOG, BX         \
	MOVQ    BX, DX               \
	SHRQ    $5, DX               \
	ANDQ    $31, BX              \
	LEAQ    ·tailMask+32(SB), AX \
	SUBQ    BX, AX               \
	VMOVUPS (AX), Y12

#define SUMEACH \
	ROWS                                \
row:                                    \
	VXORPS     Y0, Y0, Y0               \
	MOVQ       DX, CX                   \
	TESTQ      CX, CX                   \
	JEQ        rest                     \
whole:                                  \
	VADDP      (SI), Y0, Y0             \
	ADDQ       $32, SI                  \
	DECQ       CX                       \
	JNE        whole                    \
rest:                                   \
	TESTQ      BX, BX                   \
	JEQ        merge                    \
	VMASKMOVPS (SI), Y12, Y1            \
	VADDP      Y1, Y0, Y0               \
	ADDQ       BX, SI                   \
merge:                                  \
	FOLDLANES(VADDP, VADDS, Y0, X0, X1) \
	VMOVS      X0, (DI)                 \
	ADDQ       $SIZE, DI                \
	DECQ       R8                       \
	JNE        row                      \
	VZEROUPPER                          \
	RET

// EXTREMEEACH is the loop of maxEach or minEach by the instructions M and MS, from START
// on. The instruction forgets NaN, so Y3 remembers which lanes saw one.
#define EXTREMEEACH(M, MS, START) \
	ROWS                         \
	VMOVUPS    START, Y2         \
row:                             \
	VMOVAPS    Y2, Y0            \
	VXORPS     Y3, Y3, Y3        \
	MOVQ       DX, CX            \
	TESTQ      CX, CX            \
	JEQ        rest              \
whole:                           \
	VMOVUPS    (SI), Y4          \
	VCMPP      $3, Y4, Y4, Y6    \
	M          Y4, Y0, Y0        \
	VORPS      Y6, Y3, Y3        \
	ADDQ       $32, SI           \
	DECQ       CX                \
	JNE        whole             \
rest:                            \
	TESTQ      BX, BX            \
	JEQ        merge             \
	VMASKMOVPS (SI), Y12, Y4     \
	VBLENDVPS  Y12, Y4, Y2, Y4   \
	VCMPP      $3, Y4, Y4, Y6    \
	M          Y4, Y0, Y0        \
	VORPS      Y6, Y3, Y3        \
	ADDQ       BX, SI            \
merge:                           \
	FOLDLANES(M, MS, Y0, X0, X1) \
	VMOVMSKP   Y3, AX            \
	TESTL      AX, AX            \
	JEQ        ordered           \
	VMOVS      nan<>(SB), X0     \
ordered:                         \
	VMOVS      X0, (DI)          \
	ADDQ       $SIZE, DI         \
	DECQ       R8                \
	JNE        row               \
	VZEROUPPER                   \
	RET
