// Comparisons to one byte an element, and selection by such bytes, for both types; n is a
// multiple of 8.

#include "types_amd64.h"

SPLAT(ones<>, $0x01010101) // 32 times true

#ifdef DOUBLE

#define VPMOVZXB VPMOVZXBQ
#define VPCMPGT VPCMPGTQ

// COMPARE is the loop of dst = a P b over arguments (dst *bool, a, b *float64, n int). The
// shuffle takes every second word, within halves, which VPERMQ puts back in order.
#define COMPARE(P) \
	MOVQ         dst+0(FP), DI     \
	MOVQ         a+8(FP), SI       \
	MOVQ         b+16(FP), DX      \
	MOVQ         n+24(FP), CX      \
	VMOVUPS      ones<>(SB), X15   \
loop8:                             \
	VMOVUPS      (SI), Y0          \
	VMOVUPS      32(SI), Y1        \
	VCMPPD       P, (DX), Y0, Y0   \
	VCMPPD       P, 32(DX), Y1, Y1 \
	VSHUFPS      $0x88, Y1, Y0, Y0 \
	VPERMQ       $0xD8, Y0, Y0     \
	VEXTRACTF128 $1, Y0, X1        \
	VPACKSSDW    X1, X0, X0        \
	VPACKSSWB    X0, X0, X0        \
	VPAND        X15, X0, X0       \
	VMOVQ        X0, (DI)          \
	ADDQ         $64, SI           \
	ADDQ         $64, DX           \
	ADDQ         $8, DI            \
	SUBQ         $8, CX            \
	JNE          loop8             \
	VZEROUPPER                     \
	RET

#else

#define VPMOVZXB VPMOVZXBD
#define VPCMPGT VPCMPGTD

// The packing instructions work within halves; this puts their groups of 4 bytes
// back in order.
DATA order<>+0(SB)/4, $0
DATA order<>+4(SB)/4, $4
DATA order<>+8(SB)/4, $1
DATA order<>+12(SB)/4, $5
DATA order<>+16(SB)/4, $2
DATA order<>+20(SB)/4, $6
DATA order<>+24(SB)/4, $3
DATA order<>+28(SB)/4, $7
GLOBL order<>(SB), RODATA|NOPTR, $32

// COMPARE is the loop of dst = a P b over arguments (dst *bool, a, b *float32, n int),
// 32 elements at a time, then 8.
#define COMPARE(P) \
	MOVQ         dst+0(FP), DI     \
	MOVQ         a+8(FP), SI       \
	MOVQ         b+16(FP), DX      \
	MOVQ         n+24(FP), CX      \
	VMOVUPS      ones<>(SB), Y15   \
	VMOVUPS      order<>(SB), Y14  \
	SUBQ         $32, CX           \
	JLT          eights            \
loop32:                            \
	VMOVUPS      (SI), Y0          \
	VMOVUPS      32(SI), Y1        \
	VMOVUPS      64(SI), Y2        \
	VMOVUPS      96(SI), Y3        \
	VCMPPS       P, (DX), Y0, Y0   \
	VCMPPS       P, 32(DX), Y1, Y1 \
	VCMPPS       P, 64(DX), Y2, Y2 \
	VCMPPS       P, 96(DX), Y3, Y3 \
	VPACKSSDW    Y1, Y0, Y0        \
	VPACKSSDW    Y3, Y2, Y2        \
	VPACKSSWB    Y2, Y0, Y0        \
	VPERMD       Y0, Y14, Y0       \
	VPAND        Y15, Y0, Y0       \
	VMOVDQU      Y0, (DI)          \
	ADDQ         $128, SI          \
	ADDQ         $128, DX          \
	ADDQ         $32, DI           \
	SUBQ         $32, CX           \
	JGE          loop32            \
eights:                            \
	ADDQ         $24, CX           \
	JLT          done              \
loop8:                             \
	VMOVUPS      (SI), Y0          \
	VCMPPS       P, (DX), Y0, Y0   \
	VEXTRACTF128 $1, Y0, X1        \
	VPACKSSDW    X1, X0, X0        \
	VPACKSSWB    X0, X0, X0        \
	VPAND        X15, X0, X0       \
	VMOVQ        X0, (DI)          \
	ADDQ         $32, SI           \
	ADDQ         $32, DX           \
	ADDQ         $8, DI            \
	SUBQ         $8, CX            \
	JGE          loop8             \
done:                              \
	VZEROUPPER                     \
	RET

#endif

// SELECT has arguments (dst *T, mask *bool, a, b *T, n int).
#define SELECT \
	MOVQ      dst+0(FP), DI    \
	MOVQ      mask+8(FP), R8   \
	MOVQ      a+16(FP), SI     \
	MOVQ      b+24(FP), DX     \
	MOVQ      n+32(FP), CX     \
	VPXOR     Y15, Y15, Y15    \
loop:                          \
	VPMOVZXB  (R8), Y0         \
	VPCMPGT   Y15, Y0, Y0      \
	VMOVUPS   (DX), Y1         \
	VBLENDVPS Y0, (SI), Y1, Y0 \
	VMOVUPS   Y0, (DI)         \
	ADDQ      $VECTOR, R8      \
	ADDQ      $32, SI          \
	ADDQ      $32, DX          \
	ADDQ      $32, DI          \
	SUBQ      $VECTOR, CX      \
	JNE       loop             \
	VZEROUPPER                 \
	RET
