//go:build amd64 && !noasm

// Rows copied to another matrix with AVX-512. Rows of a large matrix lie on a page each,
// which the hardware does not foresee: the kernel prefetches those to come, of dst for writing.

#include "textflag.h"

// WRITTEN is PREFETCHW (BX)(AX*1), which Go's assembler lacks, WRITTEN64 that of the next line.
#define WRITTEN BYTE $0x0F; BYTE $0x0D; BYTE $0x0C; BYTE $0x03
#define WRITTEN64 BYTE $0x0F; BYTE $0x0D; BYTE $0x4C; BYTE $0x03; BYTE $0x40

// func copyRowsAVX512(dst *float32, step int, x *float32, stride, width, rows, ahead int)
TEXT ·copyRowsAVX512(SB), NOSPLIT, $0-56
	MOVQ  dst+0(FP), DI
	MOVQ  step+8(FP), R8
	MOVQ  x+16(FP), SI
	MOVQ  stride+24(FP), R9
	MOVQ  width+32(FP), DX
	MOVQ  rows+40(FP), CX
	MOVQ  ahead+48(FP), R10
	SHLQ  $2, R8
	SHLQ  $2, R9
	SHLQ  $2, DX
	MOVQ  R10, R12
	IMULQ R8, R12
	IMULQ R9, R10

row:
	XORL AX, AX
	LEAQ (SI)(R10*1), R11
	LEAQ (DI)(R12*1), BX
	TESTQ $64, DX
	JEQ  two
	PREFETCHT0 (R11)
	WRITTEN
	VMOVUPS (SI), Z0
	VMOVUPS Z0, (DI)
	MOVL $64, AX

two:
	CMPQ AX, DX
	JGE  next
	PREFETCHT0 (R11)(AX*1)
	PREFETCHT0 64(R11)(AX*1)
	WRITTEN
	WRITTEN64
	VMOVUPS (SI)(AX*1), Z0
	VMOVUPS 64(SI)(AX*1), Z1
	VMOVUPS Z0, (DI)(AX*1)
	VMOVUPS Z1, 64(DI)(AX*1)
	ADDQ $128, AX
	JMP  two

next:
	ADDQ R8, DI
	ADDQ R9, SI
	DECQ CX
	JNE  row
	VZEROUPPER
	RET
