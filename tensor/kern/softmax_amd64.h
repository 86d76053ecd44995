// Softmax and log-softmax of the rows of a matrix and their gradients, for both types. What
// lies beyond the end of a row counts as -Inf. Exponentials that are no normal numbers are 0.
// The gradients sum rows of at least 256 bytes in four chains: one would wait for itself.

#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"
#include "rows_amd64.h"

NUMBER(minusInf<>, $0xFF800000, $0xFFF0000000000000) // -Inf

// LARGEST leaves the row's maximum in every lane of Y0 and the rest of the row in Y10.
// It may miss a NaN, which then comes out of the exponential.
#define LARGEST(loop, rest, end) \
	VMOVUPS    minusInf<>(SB), Y0  \
	XORQ       BX, BX              \
	CMPQ       BX, R8              \
	JEQ        rest                \
loop:                              \
	VMAXP      (SI)(BX*1), Y0, Y0  \
	ADDQ       $32, BX             \
	CMPQ       BX, R8              \
	JNE        loop                \
rest:                              \
	TESTQ      CX, CX              \
	JEQ        end                 \
	VMASKMOVPS (SI)(BX*1), Y9, Y10 \
	VMOVUPS    minusInf<>(SB), Y1  \
	VBLENDVPS  Y9, Y10, Y1, Y10    \
	VMAXP      Y10, Y0, Y0         \
end:                               \
	SPREAD(VMAXP, Y0, Y1)

// SOFTMAXROWS has arguments (dst, x *T, rows, n int). Y1 sums the exponentials; those of the
// rest stay in Y10.
#define SOFTMAXROWS \
	MOVQ    dst+0(FP), DI                  \
	MOVQ    x+8(FP), SI                    \
	MOVQ    rows+16(FP), R10               \
	MOVQ    n+24(FP), CX                   \
	EXPCONSTS                              \
	VMOVUPS flush<>(SB), Y14               \
	SHAPE                                  \
row:                                       \
	LARGEST(maxLoop, maxRest, maxEnd)      \
	VXORPS  Y1, Y1, Y1                     \
	TESTQ   CX, CX                         \
	JEQ     expFull                        \
	VSUBP   Y0, Y10, Y10                   \
	EXPNEG(Y10, Y4, Y5, Y6)                \
	VMOVAPS Y10, Y1                        \
expFull:                                   \
	XORQ    BX, BX                         \
	CMPQ    BX, R8                         \
	JEQ     expEnd                         \
expLoop:                                   \
	VMOVUPS (SI)(BX*1), Y3                 \
	VSUBP   Y0, Y3, Y3                     \
	EXPNEG(Y3, Y4, Y5, Y6)                 \
	VMOVUPS Y3, (DI)(BX*1)                 \
	VADDP   Y3, Y1, Y1                     \
	ADDQ    $32, BX                        \
	CMPQ    BX, R8                         \
	JNE     expLoop                        \
expEnd:                                    \
	SPREAD(VADDP, Y1, Y2)                  \
	VMOVUPS one<>(SB), Y0                  \
	VDIVP   Y1, Y0, Y1                     \
	XORQ    BX, BX                         \
	CMPQ    BX, R8                         \
	JEQ     scaleEnd                       \
scaleLoop:                                 \
	VMULP   (DI)(BX*1), Y1, Y3             \
	VMOVUPS Y3, (DI)(BX*1)                 \
	ADDQ    $32, BX                        \
	CMPQ    BX, R8                         \
	JNE     scaleLoop                      \
scaleEnd:                                  \
	LEAQ    (SI)(BX*1), SI                 \
	LEAQ    (SI)(CX*SIZE), SI              \
	ADDQ    BX, DI                         \
	VMULP   Y1, Y10, Y10                   \
	STOREREST(Y10, X10, DI, two, one, end) \
	DECQ    R10                            \
	JNE     row                            \
	VZEROUPPER                             \
	RET

// LOGSOFTMAXROWS has arguments (dst, x *T, rows, n int). Y1 sums the exponentials; the rest
// stays in Y10, less the maximum. The sum is at least 1, or NaN, which the difference Y7
// carries over. The maximum and the logarithm are subtracted one after the other: for a large
// maximum their sum would lose the logarithm.
#define LOGSOFTMAXROWS \
	MOVQ       dst+0(FP), DI               \
	MOVQ       x+8(FP), SI                 \
	MOVQ       rows+16(FP), R10            \
	MOVQ       n+24(FP), CX                \
	EXPCONSTS                              \
	VMOVUPS    flush<>(SB), Y14            \
	SHAPE                                  \
row:                                       \
	LARGEST(maxLoop, maxRest, maxEnd)      \
	VXORPS     Y1, Y1, Y1                  \
	TESTQ      CX, CX                      \
	JEQ        expFull                     \
	VSUBP      Y0, Y10, Y10                \
	VMOVAPS    Y10, Y1                     \
	EXPNEG(Y1, Y4, Y5, Y6)                 \
expFull:                                   \
	XORQ       BX, BX                      \
	CMPQ       BX, R8                      \
	JEQ        expEnd                      \
expLoop:                                   \
	VMOVUPS    (SI)(BX*1), Y3              \
	VSUBP      Y0, Y3, Y3                  \
	EXPNEG(Y3, Y4, Y5, Y6)                 \
	VADDP      Y3, Y1, Y1                  \
	ADDQ       $32, BX                     \
	CMPQ       BX, R8                      \
	JNE        expLoop                     \
expEnd:                                    \
	SPREAD(VADDP, Y1, Y2)                  \
	VSUBP      Y1, Y1, Y7                  \
	SPLIT(Y1, Y4, Y5)                      \
	LOG1P(Y1, Y6, Y5)                      \
	VFMADD231P ln2<>(SB), Y4, Y6           \
	VADDP      Y7, Y6, Y6                  \
	XORQ       BX, BX                      \
	CMPQ       BX, R8                      \
	JEQ        writeEnd                    \
writeLoop:                                 \
	VMOVUPS    (SI)(BX*1), Y3              \
	VSUBP      Y0, Y3, Y3                  \
	VSUBP      Y6, Y3, Y3                  \
	VMOVUPS    Y3, (DI)(BX*1)              \
	ADDQ       $32, BX                     \
	CMPQ       BX, R8                      \
	JNE        writeLoop                   \
writeEnd:                                  \
	LEAQ       (SI)(BX*1), SI              \
	LEAQ       (SI)(CX*SIZE), SI           \
	ADDQ       BX, DI                      \
	VSUBP      Y6, Y10, Y10                \
	STOREREST(Y10, X10, DI, two, one, end) \
	DECQ       R10                         \
	JNE        row                         \
	VZEROUPPER                             \
	RET

// CHAINS makes R9 the bytes of a row that are summed in four chains; in short rows
// merging them would cost more than it saves.
#define CHAINS \
	MOVQ    R8, R9    \
	ANDQ    $-128, R9 \
	XORQ    AX, AX    \
	CMPQ    R9, $256  \
	CMOVQLT AX, R9

// SOFTMAXGRADROWS has arguments (dst, grad, y *T, rows, n int).
#define SOFTMAXGRADROWS \
	MOVQ       dst+0(FP), DI               \
	MOVQ       grad+8(FP), SI              \
	MOVQ       y+16(FP), DX                \
	MOVQ       rows+24(FP), R10            \
	MOVQ       n+32(FP), CX                \
	SHAPE                                  \
	CHAINS                                 \
row:                                       \
	VXORPS     Y0, Y0, Y0                  \
	TESTQ      CX, CX                      \
	JEQ        dotFull                     \
	VMASKMOVPS (SI)(R8*1), Y9, Y10         \
	VMASKMOVPS (DX)(R8*1), Y9, Y11         \
	VMULP      Y10, Y11, Y0                \
dotFull:                                   \
	XORQ       BX, BX                      \
	CMPQ       BX, R8                      \
	JEQ        dotEnd                      \
	CMPQ       BX, R9                      \
	JNE        dotLong                     \
dotLoop:                                   \
	VMOVUPS    (SI)(BX*1), Y1              \
	VFMADD231P (DX)(BX*1), Y1, Y0          \
	ADDQ       $32, BX                     \
	CMPQ       BX, R8                      \
	JNE        dotLoop                     \
dotEnd:                                    \
	SPREAD(VADDP, Y0, Y1)                  \
	XORQ       BX, BX                      \
	CMPQ       BX, R8                      \
	JEQ        writeEnd                    \
writeLoop:                                 \
	VMOVUPS    (SI)(BX*1), Y1              \
	VSUBP      Y0, Y1, Y1                  \
	VMULP      (DX)(BX*1), Y1, Y1          \
	VMOVUPS    Y1, (DI)(BX*1)              \
	ADDQ       $32, BX                     \
	CMPQ       BX, R8                      \
	JNE        writeLoop                   \
writeEnd:                                  \
	ADDQ       BX, DI                      \
	LEAQ       (SI)(BX*1), SI              \
	LEAQ       (SI)(CX*SIZE), SI           \
	LEAQ       (DX)(BX*1), DX              \
	LEAQ       (DX)(CX*SIZE), DX           \
	VSUBP      Y0, Y10, Y12                \
	VMULP      Y11, Y12, Y12               \
	STOREREST(Y12, X12, DI, two, one, end) \
	DECQ       R10                         \
	JNE        row                         \
	VZEROUPPER                             \
	RET                                    \
dotLong:                                   \
	VXORPS     Y1, Y1, Y1                  \
	VXORPS     Y2, Y2, Y2                  \
	VXORPS     Y3, Y3, Y3                  \
dotLoop32:                                 \
	VMOVUPS    (SI)(BX*1), Y4              \
	VMOVUPS    32(SI)(BX*1), Y5            \
	VMOVUPS    64(SI)(BX*1), Y6            \
	VMOVUPS    96(SI)(BX*1), Y7            \
	VFMADD231P (DX)(BX*1), Y4, Y0          \
	VFMADD231P 32(DX)(BX*1), Y5, Y1        \
	VFMADD231P 64(DX)(BX*1), Y6, Y2        \
	VFMADD231P 96(DX)(BX*1), Y7, Y3        \
	ADDQ       $128, BX                    \
	CMPQ       BX, R9                      \
	JNE        dotLoop32                   \
	VADDP      Y1, Y0, Y0                  \
	VADDP      Y3, Y2, Y2                  \
	VADDP      Y2, Y0, Y0                  \
	CMPQ       BX, R8                      \
	JEQ        dotEnd                      \
	JMP        dotLoop

// LOGSOFTMAXGRADROWS has arguments (dst, grad, y *T, rows, n int).
#define LOGSOFTMAXGRADROWS \
	MOVQ        dst+0(FP), DI               \
	MOVQ        grad+8(FP), SI              \
	MOVQ        y+16(FP), DX                \
	MOVQ        rows+24(FP), R10            \
	MOVQ        n+32(FP), CX                \
	EXPCONSTS                               \
	VMOVUPS     flush<>(SB), Y14            \
	SHAPE                                   \
	CHAINS                                  \
row:                                        \
	VXORPS      Y0, Y0, Y0                  \
	TESTQ       CX, CX                      \
	JEQ         sumFull                     \
	VMASKMOVPS  (SI)(R8*1), Y9, Y10         \
	VMASKMOVPS  (DX)(R8*1), Y9, Y11         \
	VMOVAPS     Y10, Y0                     \
sumFull:                                    \
	XORQ        BX, BX                      \
	CMPQ        BX, R8                      \
	JEQ         sumEnd                      \
	CMPQ        BX, R9                      \
	JNE         sumLong                     \
sumLoop:                                    \
	VADDP       (SI)(BX*1), Y0, Y0          \
	ADDQ        $32, BX                     \
	CMPQ        BX, R8                      \
	JNE         sumLoop                     \
sumEnd:                                     \
	SPREAD(VADDP, Y0, Y1)                   \
	XORQ        BX, BX                      \
	CMPQ        BX, R8                      \
	JEQ         writeEnd                    \
writeLoop:                                  \
	VMOVUPS     (DX)(BX*1), Y3              \
	EXPNEG(Y3, Y4, Y5, Y6)                  \
	VMOVUPS     (SI)(BX*1), Y1              \
	VFNMADD231P Y3, Y0, Y1                  \
	VMOVUPS     Y1, (DI)(BX*1)              \
	ADDQ        $32, BX                     \
	CMPQ        BX, R8                      \
	JNE         writeLoop                   \
writeEnd:                                   \
	ADDQ        BX, DI                      \
	LEAQ        (SI)(BX*1), SI              \
	LEAQ        (SI)(CX*SIZE), SI           \
	LEAQ        (DX)(BX*1), DX              \
	LEAQ        (DX)(CX*SIZE), DX           \
	TESTQ       CX, CX                      \
	JEQ         next                        \
	EXPNEG(Y11, Y4, Y5, Y6)                 \
	VFNMADD231P Y11, Y0, Y10                \
	STOREREST(Y10, X10, DI, two, one, next) \
	DECQ        R10                         \
	JNE         row                         \
	VZEROUPPER                              \
	RET                                     \
sumLong:                                    \
	VXORPS      Y1, Y1, Y1                  \
	VXORPS      Y2, Y2, Y2                  \
	VXORPS      Y3, Y3, Y3                  \
sumLoop32:                                  \
	VADDP       (SI)(BX*1), Y0, Y0          \
	VADDP       32(SI)(BX*1), Y1, Y1        \
	VADDP       64(SI)(BX*1), Y2, Y2        \
	VADDP       96(SI)(BX*1), Y3, Y3        \
	ADDQ        $128, BX                    \
	CMPQ        BX, R9                      \
	JNE         sumLoop32                   \
	VADDP       Y1, Y0, Y0                  \
	VADDP       Y3, Y2, Y2                  \
	VADDP       Y2, Y0, Y0                  \
	CMPQ        BX, R8                      \
	JEQ         sumEnd                      \
	JMP         sumLoop
