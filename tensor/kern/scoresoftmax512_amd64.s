//go:build amd64 && !noasm

// The softmax of the scores of a row's edges with AVX-512, before it is divided by its
// sum. How many edges a row has is hard to foresee: rows of up to 64 are one of three
// cases, whose scores stay in registers, without a loop.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "scores512_amd64.h"
#include "alone512_amd64.h"

// The mask of the last vector of four.
#define SOME4 K6,

// POWER turns scores into their exponentials; they are no greater than the maximum Z10.
#define POWER(M, off, x) \
	VSUBPS  Z10, x, x       \
	VMAXPS  x, Z14, x       \
	EXPPARTS(x, Z2, Z3, Z4) \
	TIMES(Z2, Z3, x)        \
	VMOVUPS x, M off(DI)

// func segmentSoftmaxAVX512(dst, pre, most, sums, x, own *float32, bounds *int32, rows int, slope float32)
TEXT ·segmentSoftmaxAVX512(SB), NOSPLIT, $0-68
	MOVQ    dst+0(FP), DI
	MOVQ    pre+8(FP), R12
	MOVQ    most+16(FP), DX
	MOVQ    sums+24(FP), R11
	MOVQ    x+32(FP), SI
	MOVQ    own+40(FP), R8
	MOVQ    bounds+48(FP), R9
	MOVQ    rows+56(FP), R10
	VBROADCASTSS slope+64(FP), Z28
	VPXORD  Z29, Z29, Z29
	VMOVUPS minusInfinity<>(SB), Z30
	VMOVUPS undefined<>(SB), Z31
	EXPCONSTS
	VMOVUPS lowest<>(SB), V14

row:
	MOVL    4(R9), CX
	SUBL    (R9), CX
	LEAQ    4(R9), R9
	JEQ     none
	VMOVAPS Z30, Z0
	KXORW   K3, K3, K3
	CMPL    CX, $1
	JEQ     one

several:
	VBROADCASTSS (R8), Z10
	CMPQ    CX, $16
	JGT     over16
	TAILMASK
	VMOVUPS.Z (SI), K2, Z16
	SCORE(SOME, (R12), Z16)
	ENDMAX(ordered1)
	VBROADCASTSS X0, Z10
	POWER(SOME, 0, Z16)
	VMOVAPS.Z Z16, K2, Z0

end:
	HALVE(VADDPS, VADDSS)
	VMOVSS  X0, (R11)
	LEAQ    (SI)(CX*4), SI
	LEAQ    (DI)(CX*4), DI
	LEAQ    (R12)(CX*4), R12

next:
	ADDQ    $4, R8
	ADDQ    $4, DX
	ADDQ    $4, R11
	DECQ    R10
	JNE     row
	VZEROUPPER
	RET

none:
	MOVL    CX, (DX)
	MOVL    CX, (R11)
	JMP     next

one:
	EACHONE(several)
	VMOVUPS (R8), Z10
	VMOVUPS (SI), Z16
	SCORE(ALL, (R12), Z16)
	VMOVAPS Z31, K3, Z0
	VMOVUPS Z0, (DX)
	VMOVAPS Z0, Z10
	POWER(ALL, 0, Z16)
	VMOVUPS Z16, (R11)
	ADDQ    $64, SI
	ADDQ    $64, DI
	ADDQ    $64, R12
	ADDQ    $64, R8
	ADDQ    $64, DX
	ADDQ    $64, R11
	ADDQ    $60, R9
	SUBQ    $16, R10
	JNE     row
	VZEROUPPER
	RET

over16:
	CMPQ    CX, $32
	JGT     over32
	SUBQ    $16, CX
	TAILMASK
	ADDQ    $16, CX
	VMOVUPS (SI), Z16
	SCORE(ALL, (R12), Z16)
	VMOVUPS.Z 64(SI), K2, Z17
	SCORE(SOME, 64(R12), Z17)
	ENDMAX(ordered2)
	VBROADCASTSS X0, Z10
	POWER(ALL, 0, Z16)
	POWER(SOME, 64, Z17)
	VMOVAPS Z16, Z0
	VADDPS  Z17, Z0, K2, Z0
	JMP     end

over32:
	CMPQ    CX, $64
	JGT     over64
	SUBQ    $32, CX
	MOVQ    $1, AX
	SHLQ    CX, AX
	DECQ    AX
	KMOVW   AX, K2
	SHRQ    $16, AX
	KMOVW   AX, K6
	ADDQ    $32, CX
	VMOVUPS (SI), Z16
	SCORE(ALL, (R12), Z16)
	VMOVUPS 64(SI), Z17
	SCORE(ALL, 64(R12), Z17)
	VMOVUPS.Z 128(SI), K2, Z18
	SCORE(SOME, 128(R12), Z18)
	VMOVUPS.Z 192(SI), K6, Z19
	SCORE(SOME4, 192(R12), Z19)
	ENDMAX(ordered4)
	VBROADCASTSS X0, Z10
	POWER(ALL, 0, Z16)
	POWER(ALL, 64, Z17)
	POWER(SOME, 128, Z18)
	POWER(SOME4, 192, Z19)
	VADDPS  Z17, Z16, Z0
	VADDPS  Z18, Z0, K2, Z0
	VADDPS  Z19, Z0, K6, Z0
	JMP     end

// The scores of the whole vectors, of which BX counts the bytes, wait in dst.
over64:
	XORL    BX, BX
	SUBQ    $16, CX

scores:
	VMOVUPS (SI), Z16
	SCORE(ALL, (R12), Z16)
	VMOVUPS Z16, (DI)(BX*1)
	ADDQ    $64, SI
	ADDQ    $64, R12
	ADDQ    $64, BX
	SUBQ    $16, CX
	JGT     scores
	ADDQ    $16, CX
	TAILMASK
	VMOVUPS.Z (SI), K2, Z16
	SCORE(SOME, (R12), Z16)
	ENDMAX(orderedn)
	VBROADCASTSS X0, Z10
	VXORPS  X5, X5, X5

powers:
	VMOVUPS (DI), Z17
	POWER(ALL, 0, Z17)
	VADDPS  Z17, Z5, Z5
	ADDQ    $64, DI
	SUBQ    $64, BX
	JNE     powers
	POWER(SOME, 0, Z16)
	VMOVAPS Z5, Z0
	VADDPS  Z16, Z0, K2, Z0
	JMP     end
