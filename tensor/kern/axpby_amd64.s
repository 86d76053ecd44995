//go:build amd64 && !noasm

// Two rows weighted and added; a large result is written past the caches.

#include "textflag.h"

// WEIGHTED leaves a·x + b·y of the 8 elements at off in r.
#define WEIGHTED(off, r) \
	VMULPS      off(SI), Y14, r \
	VFMADD231PS off(DX), Y15, r

// func axpbyAVX2(dst, x, y *float32, n int, a, b float32, past bool)
TEXT ·axpbyAVX2(SB), NOSPLIT, $0-41
	MOVQ    dst+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    y+16(FP), DX
	MOVQ    n+24(FP), CX
	VBROADCASTSS a+32(FP), Y14
	VBROADCASTSS b+36(FP), Y15
	MOVBLZX past+40(FP), BX
	TESTQ   $31, DI
	JEQ     aligned
	XORL    BX, BX

aligned:
	SUBQ $32, CX
	JLT  eights

loop32:
	WEIGHTED(0, Y0)
	WEIGHTED(32, Y1)
	WEIGHTED(64, Y2)
	WEIGHTED(96, Y3)
	TESTL   BX, BX
	JNE     past32
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	JMP     next32

past32:
	VMOVNTPS Y0, (DI)
	VMOVNTPS Y1, 32(DI)
	VMOVNTPS Y2, 64(DI)
	VMOVNTPS Y3, 96(DI)

next32:
	ADDQ $128, SI
	ADDQ $128, DX
	ADDQ $128, DI
	SUBQ $32, CX
	JGE  loop32

eights:
	ADDQ $24, CX
	JLT  tail

loop8:
	WEIGHTED(0, Y0)
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, DI
	SUBQ    $8, CX
	JGE     loop8

tail:
	ADDQ        $8, CX
	JEQ         done
	LEAQ        ·tailMask+32(SB), AX
	SHLQ        $2, CX
	SUBQ        CX, AX
	VMOVUPS     (AX), Y12
	VMASKMOVPS  (SI), Y12, Y0
	VMASKMOVPS  (DX), Y12, Y1
	VMULPS      Y0, Y14, Y0
	VFMADD231PS Y1, Y15, Y0
	VMASKMOVPS  Y0, Y12, (DI)

done:
	TESTL BX, BX
	JEQ   cached
	SFENCE

cached:
	VZEROUPPER
	RET
