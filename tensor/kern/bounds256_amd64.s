//go:build amd64 && !noasm

// Bounds of segments with AVX2, 8 at a time, twice in a round. What is left is taken one by one.

#include "textflag.h"

// func rebaseAVX2(dst, offsets *int32, n int)
TEXT ·rebaseAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ offsets+8(FP), SI
	MOVQ n+16(FP), CX
	MOVL (SI), DX
	VPBROADCASTD (SI), Y1
	SUBQ $16, CX
	JLT  tail

block:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y2
	VPSUBD  Y1, Y0, Y0
	VPSUBD  Y1, Y2, Y2
	VMOVDQU Y0, (DI)
	VMOVDQU Y2, 32(DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JGE  block

tail:
	ADDQ $16, CX
	JEQ  done

one:
	MOVL (SI), AX
	SUBL DX, AX
	MOVL AX, (DI)
	ADDQ $4, SI
	ADDQ $4, DI
	DECQ CX
	JNE  one

done:
	VZEROUPPER
	RET

// func decreasesAVX2(bounds *int32, n int) bool
TEXT ·decreasesAVX2(SB), NOSPLIT, $0-17
	MOVQ  bounds+0(FP), SI
	MOVQ  n+8(FP), CX
	VPXOR Y3, Y3, Y3
	SUBQ  $16, CX
	JLT   tail

block:
	VMOVDQU  (SI), Y0
	VMOVDQU  32(SI), Y2
	VPCMPGTD 4(SI), Y0, Y0
	VPCMPGTD 36(SI), Y2, Y2
	VPOR     Y0, Y3, Y3
	VPOR     Y2, Y3, Y3
	ADDQ  $64, SI
	SUBQ  $16, CX
	JGE   block

tail:
	VPMOVMSKB Y3, DX
	ADDQ $16, CX
	JEQ  done

one:
	MOVL (SI), AX
	CMPL AX, 4(SI)
	SETGT AX
	MOVBLZX AX, AX
	ORL  AX, DX
	ADDQ $4, SI
	DECQ CX
	JNE  one

done:
	TESTL DX, DX
	SETNE ret+16(FP)
	VZEROUPPER
	RET

// func lengthsAVX2(dst *float32, bounds *int32, n int)
TEXT ·lengthsAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ bounds+8(FP), SI
	MOVQ n+16(FP), CX
	SUBQ $16, CX
	JLT  tail

block:
	VMOVDQU   4(SI), Y0
	VMOVDQU   36(SI), Y2
	VPSUBD    (SI), Y0, Y0
	VPSUBD    32(SI), Y2, Y2
	VCVTDQ2PS Y0, Y0
	VCVTDQ2PS Y2, Y2
	VMOVUPS   Y0, (DI)
	VMOVUPS   Y2, 32(DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $16, CX
	JGE  block

tail:
	ADDQ $16, CX
	JEQ  done
	VXORPS X0, X0, X0

one:
	MOVL 4(SI), AX
	SUBL (SI), AX
	VCVTSI2SSL AX, X0, X1
	VMOVSS X1, (DI)
	ADDQ $4, SI
	ADDQ $4, DI
	DECQ CX
	JNE  one

done:
	VZEROUPPER
	RET
