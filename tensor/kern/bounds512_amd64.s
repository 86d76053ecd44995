//go:build amd64 && !noasm

// Bounds of segments with AVX-512, 16 at a time.

#include "textflag.h"
#include "vec512_amd64.h"

// func rebaseAVX512(dst, offsets *int32, n int)
TEXT ·rebaseAVX512(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ offsets+8(FP), SI
	MOVQ n+16(FP), CX
	VPBROADCASTD (SI), Z1
	SUBQ $16, CX
	JLT  tail

block:
	VMOVDQU32 (SI), Z0
	VPSUBD    Z1, Z0, Z0
	VMOVDQU32 Z0, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JGE  block

tail:
	ADDQ $16, CX
	TAILMASK
	VMOVDQU32.Z (SI), K2, Z0
	VPSUBD      Z1, Z0, Z0
	VMOVDQU32   Z0, K2, (DI)
	VZEROUPPER
	RET

// func decreasesAVX512(bounds *int32, n int) bool
TEXT ·decreasesAVX512(SB), NOSPLIT, $0-17
	MOVQ  bounds+0(FP), SI
	MOVQ  n+8(FP), CX
	KXORW K3, K3, K3
	SUBQ  $16, CX
	JLT   tail

block:
	VMOVDQU32 (SI), Z0
	VMOVDQU32 4(SI), Z1
	VPCMPD    $1, Z0, Z1, K1
	KORW      K1, K3, K3
	ADDQ  $64, SI
	SUBQ  $16, CX
	JGE   block

tail:
	ADDQ  $16, CX
	TAILMASK
	VMOVDQU32.Z (SI), K2, Z0
	VMOVDQU32.Z 4(SI), K2, Z1
	VPCMPD      $1, Z0, Z1, K2, K1
	KORW        K1, K3, K3
	KORTESTW    K3, K3
	SETNE       ret+16(FP)
	VZEROUPPER
	RET

// func lengthsAVX512(dst *float32, bounds *int32, n int)
TEXT ·lengthsAVX512(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ bounds+8(FP), SI
	MOVQ n+16(FP), CX
	SUBQ $16, CX
	JLT  tail

block:
	VMOVDQU32 4(SI), Z0
	VPSUBD    (SI), Z0, Z0
	VCVTDQ2PS Z0, Z0
	VMOVUPS   Z0, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JGE  block

tail:
	ADDQ $16, CX
	TAILMASK
	VMOVDQU32.Z 4(SI), K2, Z0
	VMOVDQU32.Z (SI), K2, Z1
	VPSUBD      Z1, Z0, Z0
	VCVTDQ2PS   Z0, Z0
	VMOVUPS     Z0, K2, (DI)
	VZEROUPPER
	RET
