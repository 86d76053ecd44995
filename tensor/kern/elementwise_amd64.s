//go:build amd64 && !noasm

// Element-wise AVX2+FMA kernels: 32 elements at a time, then 8, then a masked
// tail, which reads and writes nothing beyond the slices.

#include "textflag.h"
#include "loops_amd64.h"

// tailMask read from element 8-r on is a mask of r lanes.
DATA ·tailMask+0(SB)/8, $-1
DATA ·tailMask+8(SB)/8, $-1
DATA ·tailMask+16(SB)/8, $-1
DATA ·tailMask+24(SB)/8, $-1
DATA ·tailMask+32(SB)/8, $0
DATA ·tailMask+40(SB)/8, $0
DATA ·tailMask+48(SB)/8, $0
DATA ·tailMask+56(SB)/8, $0
GLOBL ·tailMask(SB), RODATA|NOPTR, $64

// Operations. y holds a (or x) and receives the result, b is the second
// operand (a register or memory), t and u are scratch. Y15 holds the scalar
// c, Y14 zeros.
#define ADD(b, y, t, u) VADDPS b, y, y
#define SUB(b, y, t, u) VSUBPS b, y, y
#define MUL(b, y, t, u) VMULPS b, y, y
#define DIV(b, y, t, u) VDIVPS b, y, y

// VMAXPS and VMINPS give b if either is NaN: put a's NaN back.
#define MAX(b, y, t, u) \
	VMAXPS    b, y, t \
	VCMPPS    $3, y, y, u \
	VBLENDVPS u, y, t, y

#define MIN(b, y, t, u) \
	VMINPS    b, y, t \
	VCMPPS    $3, y, y, u \
	VBLENDVPS u, y, t, y

#define ADDC(y, t) VADDPS Y15, y, y
#define MULC(y, t) VMULPS Y15, y, y

// 0 if 0 > x, else x, which keeps NaN.
#define RELU(y, t) VMAXPS y, Y14, y

#define LEAKY(y, t) \
	VCMPPS    $0x11, Y14, y, t \
	VMULPS    Y15, y, Y13      \
	VBLENDVPS t, Y13, y, y

// SCALED is UNARY with the argument c in Y15.
#define SCALED(OP) \
	VBROADCASTSS c+24(FP), Y15 \
	UNARY(OP)

// func addAVX2(dst, a, b *float32, n int)
TEXT ·addAVX2(SB), NOSPLIT, $0-32
	BINARY(ADD)

// func subAVX2(dst, a, b *float32, n int)
TEXT ·subAVX2(SB), NOSPLIT, $0-32
	BINARY(SUB)

// func mulAVX2(dst, a, b *float32, n int)
TEXT ·mulAVX2(SB), NOSPLIT, $0-32
	BINARY(MUL)

// func divAVX2(dst, a, b *float32, n int)
TEXT ·divAVX2(SB), NOSPLIT, $0-32
	BINARY(DIV)

// func maxAVX2(dst, a, b *float32, n int)
TEXT ·maxAVX2(SB), NOSPLIT, $0-32
	BINARY(MAX)

// func minAVX2(dst, a, b *float32, n int)
TEXT ·minAVX2(SB), NOSPLIT, $0-32
	BINARY(MIN)

// func addScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·addScalarAVX2(SB), NOSPLIT, $0-28
	SCALED(ADDC)

// func mulScalarAVX2(dst, x *float32, n int, c float32)
TEXT ·mulScalarAVX2(SB), NOSPLIT, $0-28
	SCALED(MULC)

// func reluAVX2(dst, x *float32, n int)
TEXT ·reluAVX2(SB), NOSPLIT, $0-24
	UNARY(RELU)

// func leakyReluAVX2(dst, x *float32, n int, c float32)
TEXT ·leakyReluAVX2(SB), NOSPLIT, $0-28
	SCALED(LEAKY)

// func axpyAVX2(dst, x *float32, n int, c float32)
TEXT ·axpyAVX2(SB), NOSPLIT, $0-28
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS c+24(FP), Y15
	SUBQ $32, CX
	JLT  eights

loop32:
	VMOVUPS     (DI), Y0
	VMOVUPS     32(DI), Y1
	VMOVUPS     64(DI), Y2
	VMOVUPS     96(DI), Y3
	VFMADD231PS (SI), Y15, Y0
	VFMADD231PS 32(SI), Y15, Y1
	VFMADD231PS 64(SI), Y15, Y2
	VFMADD231PS 96(SI), Y15, Y3
	VMOVUPS     Y0, (DI)
	VMOVUPS     Y1, 32(DI)
	VMOVUPS     Y2, 64(DI)
	VMOVUPS     Y3, 96(DI)
	ADDQ        $128, SI
	ADDQ        $128, DI
	SUBQ        $32, CX
	JGE         loop32

eights:
	ADDQ $24, CX
	JLT  tail

loop8:
	VMOVUPS     (DI), Y0
	VFMADD231PS (SI), Y15, Y0
	VMOVUPS     Y0, (DI)
	ADDQ        $32, SI
	ADDQ        $32, DI
	SUBQ        $8, CX
	JGE         loop8

tail:
	ADDQ        $8, CX
	JEQ         done
	LEAQ        ·tailMask+32(SB), AX
	SHLQ        $2, CX
	SUBQ        CX, AX
	VMOVUPS     (AX), Y12
	VMASKMOVPS  (SI), Y12, Y1
	VMASKMOVPS  (DI), Y12, Y0
	VFMADD231PS Y1, Y15, Y0
	VMASKMOVPS  Y0, Y12, (DI)

done:
	VZEROUPPER
	RET

// func mulAddAVX2(dst, a, b *float32, n int)
TEXT ·mulAddAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ n+24(FP), CX
	SUBQ $32, CX
	JLT  eights

loop32:
	VMOVUPS     (DI), Y0
	VMOVUPS     32(DI), Y1
	VMOVUPS     64(DI), Y2
	VMOVUPS     96(DI), Y3
	VMOVUPS     (SI), Y4
	VMOVUPS     32(SI), Y5
	VMOVUPS     64(SI), Y6
	VMOVUPS     96(SI), Y7
	VFMADD231PS (DX), Y4, Y0
	VFMADD231PS 32(DX), Y5, Y1
	VFMADD231PS 64(DX), Y6, Y2
	VFMADD231PS 96(DX), Y7, Y3
	VMOVUPS     Y0, (DI)
	VMOVUPS     Y1, 32(DI)
	VMOVUPS     Y2, 64(DI)
	VMOVUPS     Y3, 96(DI)
	ADDQ        $128, SI
	ADDQ        $128, DX
	ADDQ        $128, DI
	SUBQ        $32, CX
	JGE         loop32

eights:
	ADDQ $24, CX
	JLT  tail

loop8:
	VMOVUPS     (DI), Y0
	VMOVUPS     (SI), Y4
	VFMADD231PS (DX), Y4, Y0
	VMOVUPS     Y0, (DI)
	ADDQ        $32, SI
	ADDQ        $32, DX
	ADDQ        $32, DI
	SUBQ        $8, CX
	JGE         loop8

tail:
	ADDQ        $8, CX
	JEQ         done
	LEAQ        ·tailMask+32(SB), AX
	SHLQ        $2, CX
	SUBQ        CX, AX
	VMOVUPS     (AX), Y12
	VMASKMOVPS  (SI), Y12, Y4
	VMASKMOVPS  (DX), Y12, Y5
	VMASKMOVPS  (DI), Y12, Y0
	VFMADD231PS Y5, Y4, Y0
	VMASKMOVPS  Y0, Y12, (DI)

done:
	VZEROUPPER
	RET

// func stepAVX2(dst, x *float32, n int, bound, above, below float32)
TEXT ·stepAVX2(SB), NOSPLIT, $0-36
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS bound+24(FP), Y15
	VBROADCASTSS above+28(FP), Y14
	VBROADCASTSS below+32(FP), Y13
	SUBQ         $8, CX
	JLT          tail

loop8:
	VMOVUPS   (SI), Y0
	VCMPPS    $0x1E, Y15, Y0, Y1
	VBLENDVPS Y1, Y14, Y13, Y0
	VMOVUPS   Y0, (DI)
	ADDQ      $32, SI
	ADDQ      $32, DI
	SUBQ      $8, CX
	JGE       loop8

tail:
	ADDQ       $8, CX
	JEQ        done
	LEAQ       ·tailMask+32(SB), AX
	SHLQ       $2, CX
	SUBQ       CX, AX
	VMOVUPS    (AX), Y12
	VMASKMOVPS (SI), Y12, Y0
	VCMPPS     $0x1E, Y15, Y0, Y1
	VBLENDVPS  Y1, Y14, Y13, Y0
	VMASKMOVPS Y0, Y12, (DI)

done:
	VZEROUPPER
	RET
