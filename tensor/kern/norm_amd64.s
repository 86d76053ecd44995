//go:build amd64 && !noasm

// Normalisation of the rows of a matrix and its gradient.

#include "textflag.h"
#include "loops_amd64.h"
#include "rows_amd64.h"

SPLAT(one<>, $0x3F800000) // 1

// func normRowsAVX2(dst, x, mean, rstd *float32, rows, n int, count, eps float32)
TEXT ·normRowsAVX2(SB), NOSPLIT, $0-56
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         mean+16(FP), R11
	MOVQ         rstd+24(FP), R12
	MOVQ         rows+32(FP), R10
	MOVQ         n+40(FP), CX
	VBROADCASTSS count+48(FP), Y15
	VBROADCASTSS eps+52(FP), Y14
	VMOVUPS      one<>(SB), Y13
	VDIVPS       Y15, Y13, Y15 // 1/n
	SHAPE

row:
	VXORPS     Y0, Y0, Y0
	TESTQ      CX, CX
	JEQ        sumFull
	VMASKMOVPS (SI)(R8*1), Y9, Y10
	VMOVAPS    Y10, Y0

sumFull:
	XORQ BX, BX
	CMPQ BX, R8
	JEQ  sumEnd

sumLoop:
	VADDPS (SI)(BX*1), Y0, Y0
	ADDQ   $32, BX
	CMPQ   BX, R8
	JNE    sumLoop

sumEnd:
	SPREAD(VADDPS, Y0, Y1)
	VMULPS Y15, Y0, Y0

	// Y3 is Σ (x - mean), which rounding left, Y2 Σ (x - mean)². Y10 is the rest of x.
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	TESTQ  CX, CX
	JEQ    devFull
	VSUBPS Y0, Y10, Y3
	VANDPS Y9, Y3, Y3
	VMULPS Y3, Y3, Y2

devFull:
	XORQ BX, BX
	CMPQ BX, R8
	JEQ  devEnd

devLoop:
	VMOVUPS     (SI)(BX*1), Y1
	VSUBPS      Y0, Y1, Y1
	VADDPS      Y1, Y3, Y3
	VFMADD231PS Y1, Y1, Y2
	ADDQ        $32, BX
	CMPQ        BX, R8
	JNE         devLoop

devEnd:
	SPREAD(VADDPS, Y3, Y1)
	SPREAD(VADDPS, Y2, Y1)
	VMULPS       Y15, Y3, Y4
	VADDPS       Y4, Y0, Y0
	VMOVSS       X0, (R11)
	ADDQ         $4, R11
	VFNMADD231PS Y4, Y3, Y2
	VXORPS       Y1, Y1, Y1
	VMAXPS       Y2, Y1, Y2 // NaN stays
	VMULPS       Y15, Y2, Y2
	VADDPS       Y14, Y2, Y2
	VSQRTPS      Y2, Y2
	VDIVPS       Y2, Y13, Y2
	VMOVSS       X2, (R12)
	ADDQ         $4, R12
	XORQ         BX, BX
	CMPQ         BX, R8
	JEQ          writeEnd

writeLoop:
	VMOVUPS (SI)(BX*1), Y1
	VSUBPS  Y0, Y1, Y1
	VMULPS  Y2, Y1, Y1
	VMOVUPS Y1, (DI)(BX*1)
	ADDQ    $32, BX
	CMPQ    BX, R8
	JNE     writeLoop

writeEnd:
	ADDQ   BX, DI
	LEAQ   (SI)(BX*1), SI
	LEAQ   (SI)(CX*4), SI
	VSUBPS Y0, Y10, Y10
	VMULPS Y2, Y10, Y10
	STOREREST(Y10, X10, DI, two, one, end)
	DECQ   R10
	JNE    row
	VZEROUPPER
	RET

// func normGradRowsAVX2(dst, grad, x, mean, rstd *float32, rows, n int, count float32)
TEXT ·normGradRowsAVX2(SB), NOSPLIT, $0-60
	MOVQ         dst+0(FP), DI
	MOVQ         grad+8(FP), SI
	MOVQ         x+16(FP), DX
	MOVQ         mean+24(FP), R11
	MOVQ         rstd+32(FP), R12
	MOVQ         rows+40(FP), R10
	MOVQ         n+48(FP), CX
	VBROADCASTSS count+56(FP), Y15
	SHAPE

row:
	VBROADCASTSS (R11), Y14
	VBROADCASTSS (R12), Y13
	ADDQ         $4, R11
	ADDQ         $4, R12

	// Y0 is Σ g, Y1 Σ g·x̂; the rest of g is in Y10, of x̂ in Y11.
	VXORPS     Y0, Y0, Y0
	VXORPS     Y1, Y1, Y1
	TESTQ      CX, CX
	JEQ        sumFull
	VMASKMOVPS (SI)(R8*1), Y9, Y10
	VMASKMOVPS (DX)(R8*1), Y9, Y11
	VSUBPS     Y14, Y11, Y11
	VMULPS     Y13, Y11, Y11
	VANDPS     Y9, Y11, Y11
	VMOVAPS    Y10, Y0
	VMULPS     Y11, Y10, Y1

sumFull:
	XORQ BX, BX
	CMPQ BX, R8
	JEQ  sumEnd

sumLoop:
	VMOVUPS     (SI)(BX*1), Y2
	VMOVUPS     (DX)(BX*1), Y3
	VSUBPS      Y14, Y3, Y3
	VMULPS      Y13, Y3, Y3
	VADDPS      Y2, Y0, Y0
	VFMADD231PS Y3, Y2, Y1
	ADDQ        $32, BX
	CMPQ        BX, R8
	JNE         sumLoop

sumEnd:
	SPREAD(VADDPS, Y0, Y2)
	SPREAD(VADDPS, Y1, Y2)
	VDIVPS Y15, Y0, Y0
	VDIVPS Y15, Y1, Y1
	XORQ   BX, BX
	CMPQ   BX, R8
	JEQ    writeEnd

writeLoop:
	VMOVUPS      (SI)(BX*1), Y2
	VMOVUPS      (DX)(BX*1), Y3
	VSUBPS       Y14, Y3, Y3
	VMULPS       Y13, Y3, Y3
	VSUBPS       Y0, Y2, Y2
	VFNMADD231PS Y3, Y1, Y2
	VMULPS       Y13, Y2, Y2
	VMOVUPS      Y2, (DI)(BX*1)
	ADDQ         $32, BX
	CMPQ         BX, R8
	JNE          writeLoop

writeEnd:
	ADDQ         BX, DI
	LEAQ         (SI)(BX*1), SI
	LEAQ         (SI)(CX*4), SI
	LEAQ         (DX)(BX*1), DX
	LEAQ         (DX)(CX*4), DX
	VSUBPS       Y0, Y10, Y10
	VFNMADD231PS Y11, Y1, Y10
	VMULPS       Y13, Y10, Y10
	STOREREST(Y10, X10, DI, two, one, end)
	DECQ         R10
	JNE          row
	VZEROUPPER
	RET
