//go:build amd64 && !noasm

// Softmax and log-softmax of the rows of a matrix, 16 elements at a time, for rows of
// at least 16. The operations on an element and the order of a row's sum are those of
// softmax_amd64.s, so are the bits: the sum has 8 lanes, into which the lower half of a
// vector goes before the upper. A row is R9 bytes of 16 elements each, 8 more where R8
// is beyond R9, and the rest.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "log_amd64.h"
#include "rows_amd64.h"

SPLAT(minusInf<>, $0xFF800000) // -Inf

// LARGEST leaves the row's maximum in every lane of Z0 and the rest of the row in Y10.
// It may miss a NaN, which then comes out of the exponential.
#define LARGEST(loop, rest, end) \
	VMOVUPS (SI), Z0                   \
	MOVQ    $64, BX                    \
	CMPQ    BX, R9                     \
	JEQ     rest                       \
loop:                                  \
	VMAXPS  (SI)(BX*1), Z0, Z0         \
	ADDQ    $64, BX                    \
	CMPQ    BX, R9                     \
	JNE     loop                       \
rest:                                  \
	VEXTRACTF64X4 $1, Z0, Y1           \
	VMAXPS  Y1, Y0, Y0                 \
	VMAXPS  -32(SI)(R8*1), Y0, Y0      \
	TESTQ   CX, CX                     \
	JEQ     end                        \
	VMASKMOVPS (SI)(R8*1), Y9, Y10     \
	VMOVUPS minusInf<>(SB), Y1         \
	VBLENDVPS Y9, Y10, Y1, Y10         \
	VMAXPS  Y10, Y0, Y0                \
end:                                   \
	SPREAD(VMAXPS, Y0, Y1)             \
	VBROADCASTSS X0, Z0

// EXPOF leaves e^(x - maximum) in Z3 for 16 elements at BX, or for 8 if x is Y3.
#define EXPOF(x) \
	VMOVUPS (SI)(BX*1), x  \
	VSUBPS  Z0, Z3, Z3     \
	EXPNEG(Z3, Z4, Z5, Z6)

// BOTHHALVES adds the lanes of Z3 to the sum in Y1.
#define BOTHHALVES \
	VADDPS        Y3, Y1, Y1 \
	VEXTRACTF64X4 $1, Z3, Y3 \
	VADDPS        Y3, Y1, Y1

// func softmaxRowsAVX512(dst, x *float32, rows, n int)
TEXT ·softmaxRowsAVX512(SB), NOSPLIT, $0-32
	MOVQ    dst+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    rows+16(FP), R10
	MOVQ    n+24(FP), CX
	EXPCONSTS
	VMOVUPS flush<>(SB), V14
	SHAPE
	MOVQ    R8, R9
	ANDQ    $-64, R9

row:
	LARGEST(maxLoop, maxRest, maxEnd)

	// Y1 sums the exponentials; those of the rest stay in Y10.
	VXORPS  Y1, Y1, Y1
	TESTQ   CX, CX
	JEQ     expFull
	VSUBPS  Z0, Z10, Z10
	EXPNEG(Z10, Z4, Z5, Z6)
	VMOVAPS Y10, Y1

expFull:
	XORQ BX, BX

expLoop:
	EXPOF(Z3)
	VMOVUPS Z3, (DI)(BX*1)
	BOTHHALVES
	ADDQ    $64, BX
	CMPQ    BX, R9
	JNE     expLoop
	CMPQ    BX, R8
	JEQ     expEnd
	EXPOF(Y3)
	VMOVUPS Y3, (DI)(BX*1)
	VADDPS  Y3, Y1, Y1

expEnd:
	SPREAD(VADDPS, Y1, Y2)
	VMOVUPS      one<>(SB), Y0
	VDIVPS       Y1, Y0, Y1
	VBROADCASTSS X1, Z1
	XORQ         BX, BX

scaleLoop:
	VMULPS  (DI)(BX*1), Z1, Z3
	VMOVUPS Z3, (DI)(BX*1)
	ADDQ    $64, BX
	CMPQ    BX, R9
	JNE     scaleLoop
	CMPQ    BX, R8
	JEQ     scaleEnd
	VMULPS  (DI)(BX*1), Y1, Y3
	VMOVUPS Y3, (DI)(BX*1)

scaleEnd:
	LEAQ   (SI)(R8*1), SI
	LEAQ   (SI)(CX*4), SI
	ADDQ   R8, DI
	VMULPS Y1, Y10, Y10
	STOREREST(Y10, X10, DI, two, one, end)
	DECQ R10
	JNE  row
	VZEROUPPER
	RET

// func logSoftmaxRowsAVX512(dst, x *float32, rows, n int)
TEXT ·logSoftmaxRowsAVX512(SB), NOSPLIT, $0-32
	MOVQ    dst+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    rows+16(FP), R10
	MOVQ    n+24(FP), CX
	EXPCONSTS
	VMOVUPS flush<>(SB), V14
	SHAPE
	MOVQ    R8, R9
	ANDQ    $-64, R9

row:
	LARGEST(maxLoop, maxRest, maxEnd)

	// Y1 sums the exponentials; the rest stays in Y10, less the maximum.
	VXORPS  Y1, Y1, Y1
	TESTQ   CX, CX
	JEQ     expFull
	VSUBPS  Z0, Z10, Z10
	VMOVAPS Z10, Z1
	EXPNEG(Z1, Z4, Z5, Z6)

expFull:
	XORQ BX, BX

expLoop:
	EXPOF(Z3)
	BOTHHALVES
	ADDQ    $64, BX
	CMPQ    BX, R9
	JNE     expLoop
	CMPQ    BX, R8
	JEQ     expEnd
	EXPOF(Y3)
	VADDPS  Y3, Y1, Y1

expEnd:
	// The sum is at least 1, or NaN, which the difference carries over.
	SPREAD(VADDPS, Y1, Y2)
	VBROADCASTSS X1, Z1
	VSUBPS       Z1, Z1, Z7
	SPLIT(Z1, Z4, Z5)
	LOG1P(Z1, Z6, Z5)
	VFMADD231PC  ln2<>(SB), Z4, Z6
	VADDPS       Z7, Z6, Z6
	XORQ         BX, BX

	// Not x less their sum: for a large maximum that would lose the logarithm.
writeLoop:
	VMOVUPS (SI)(BX*1), Z3
	VSUBPS  Z0, Z3, Z3
	VSUBPS  Z6, Z3, Z3
	VMOVUPS Z3, (DI)(BX*1)
	ADDQ    $64, BX
	CMPQ    BX, R9
	JNE     writeLoop
	CMPQ    BX, R8
	JEQ     writeEnd
	VMOVUPS (SI)(BX*1), Y3
	VSUBPS  Y0, Y3, Y3
	VSUBPS  Y6, Y3, Y3
	VMOVUPS Y3, (DI)(BX*1)

writeEnd:
	LEAQ   (SI)(R8*1), SI
	LEAQ   (SI)(CX*4), SI
	ADDQ   R8, DI
	VSUBPS Y6, Y10, Y10
	STOREREST(Y10, X10, DI, two, one, end)
	DECQ R10
	JNE  row
	VZEROUPPER
	RET
