//go:build amd64 && !noasm

// Dropout: the draws of 16 or 8 indices at a time, compared with the threshold
// without sign, and the products masked by the outcome.

#include "textflag.h"
#include "lanes_amd64.h"

#define SPLAT(name, bits) \
	DATA name+0(SB)/4, bits  \
	DATA name+4(SB)/4, bits  \
	DATA name+8(SB)/4, bits  \
	DATA name+12(SB)/4, bits \
	DATA name+16(SB)/4, bits \
	DATA name+20(SB)/4, bits \
	DATA name+24(SB)/4, bits \
	DATA name+28(SB)/4, bits \
	GLOBL name(SB), RODATA|NOPTR, $32

SPLAT(mul1<>, $0x7feb352d)
SPLAT(mul2<>, $0x846ca68b)
SPLAT(eight<>, $8)

// Registers: Y8 the next indices, Y9 eights, Y10 and Y11 the multipliers, Y12 and
// Y13 the keys, Y14 the threshold, Y15 the scale.

// MIX is mix32 of the lanes of x.
#define MIX(x, t) \
	VPSRLD  $16, x, t \
	VPXOR   t, x, x   \
	VPMULLD Y10, x, x \
	VPSRLD  $15, x, t \
	VPXOR   t, x, x   \
	VPMULLD Y11, x, x \
	VPSRLD  $16, x, t \
	VPXOR   t, x, x

// KEPT turns indices into masks: all ones where draw >= threshold.
#define KEPT(x, t) \
	VPXOR    Y12, x, x \
	MIX(x, t)          \
	VPXOR    Y13, x, x \
	MIX(x, t)          \
	VPMAXUD  Y14, x, t \
	VPCMPEQD t, x, x

// CONSTANTS loads the arguments from keys0 on, which lie at the same place in
// all functions.
#define CONSTANTS \
	VBROADCASTSS keys0+24(FP), Y12     \
	VBROADCASTSS keys1+28(FP), Y13     \
	VBROADCASTSS threshold+32(FP), Y14 \
	VBROADCASTSS scale+36(FP), Y15     \
	VMOVDQU      mul1<>(SB), Y10       \
	VMOVDQU      mul2<>(SB), Y11

// TAIL loads the mask of the last CX elements into Y7.
#define TAIL \
	LEAQ    ·tailMask+32(SB), AX \
	SHLQ    $2, CX               \
	SUBQ    CX, AX               \
	VMOVUPS (AX), Y7

// func dropoutAVX2(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, first uint32)
TEXT ·dropoutAVX2(SB), NOSPLIT, $0-44
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), CX
	CONSTANTS
	VMOVDQU      eight<>(SB), Y9
	VBROADCASTSS first+40(FP), Y8
	VPADDD       lanes<>(SB), Y8, Y8
	SUBQ         $16, CX
	JLT          eights

loop16:
	VMOVDQA Y8, Y0
	VPADDD  Y9, Y8, Y2
	VPADDD  Y9, Y2, Y8
	KEPT(Y0, Y1)
	KEPT(Y2, Y3)
	VMULPS  (SI), Y15, Y4
	VMULPS  32(SI), Y15, Y5
	VANDPS  Y0, Y4, Y4
	VANDPS  Y2, Y5, Y5
	VMOVUPS Y4, (DI)
	VMOVUPS Y5, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $16, CX
	JGE     loop16

eights:
	ADDQ    $8, CX
	JLT     tail
	VMOVDQA Y8, Y0
	VPADDD  Y9, Y8, Y8
	KEPT(Y0, Y1)
	VMULPS  (SI), Y15, Y4
	VANDPS  Y0, Y4, Y4
	VMOVUPS Y4, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX

tail:
	ADDQ       $8, CX
	JEQ        done
	TAIL
	KEPT(Y8, Y1)
	VMASKMOVPS (SI), Y7, Y4
	VMULPS     Y4, Y15, Y4
	VANDPS     Y8, Y4, Y4
	VMASKMOVPS Y4, Y7, (DI)

done:
	VZEROUPPER
	RET

// func dropoutAtAVX2(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, ids *int32)
TEXT ·dropoutAtAVX2(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ ids+40(FP), DX
	CONSTANTS
	SUBQ $8, CX
	JLT  tail

loop8:
	VMOVDQU (DX), Y0
	KEPT(Y0, Y1)
	VMULPS  (SI), Y15, Y4
	VANDPS  Y0, Y4, Y4
	VMOVUPS Y4, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, DI
	SUBQ    $8, CX
	JGE     loop8

tail:
	ADDQ       $8, CX
	JEQ        done
	TAIL
	VPMASKMOVD (DX), Y7, Y0
	KEPT(Y0, Y1)
	VMASKMOVPS (SI), Y7, Y4
	VMULPS     Y4, Y15, Y4
	VANDPS     Y0, Y4, Y4
	VMASKMOVPS Y4, Y7, (DI)

done:
	VZEROUPPER
	RET

// Rows of 8: the indices are 8*id and the lane.
// func dropoutEightsAVX2(dst, x *float32, n int, keys0, keys1, threshold uint32, scale float32, ids *int32)
TEXT ·dropoutEightsAVX2(SB), NOSPLIT, $0-48
	MOVQ    dst+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    n+16(FP), CX
	MOVQ    ids+40(FP), DX
	CONSTANTS
	VMOVDQU lanes<>(SB), Y9

id:
	VPBROADCASTD (DX), Y0
	VPSLLD       $3, Y0, Y0
	VPADDD       Y9, Y0, Y0
	KEPT(Y0, Y1)
	VMULPS       (SI), Y15, Y4
	VANDPS       Y0, Y4, Y4
	VMOVUPS      Y4, (DI)
	ADDQ         $32, SI
	ADDQ         $4, DX
	ADDQ         $32, DI
	DECQ         CX
	JNE          id
	VZEROUPPER
	RET
