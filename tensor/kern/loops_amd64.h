// The loops of the element-wise kernels: whole registers, then a masked tail, which
// reads and writes nothing beyond the slices.

// SPLAT defines 16 lanes of one number, local to the file.
#define SPLAT(name, bits) \
	DATA name+0(SB)/4, bits  \
	DATA name+4(SB)/4, bits  \
	DATA name+8(SB)/4, bits  \
	DATA name+12(SB)/4, bits \
	DATA name+16(SB)/4, bits \
	DATA name+20(SB)/4, bits \
	DATA name+24(SB)/4, bits \
	DATA name+28(SB)/4, bits \
	DATA name+32(SB)/4, bits \
	DATA name+36(SB)/4, bits \
	DATA name+40(SB)/4, bits \
	DATA name+44(SB)/4, bits \
	DATA name+48(SB)/4, bits \
	DATA name+52(SB)/4, bits \
	DATA name+56(SB)/4, bits \
	DATA name+60(SB)/4, bits \
	GLOBL name(SB), RODATA|NOPTR, $64

// BINARY is the loop of dst = a OP b over arguments (dst, a, b *float32, n int).
// OP(b, y, t, u) may use the scratch t and u and the constants from Y13 up.
#define BINARY(OP) \
	MOVQ dst+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ n+24(FP), CX \
	SUBQ $32, CX \
	JLT  eights \
loop32: \
	VMOVUPS (SI), Y0 \
	VMOVUPS 32(SI), Y1 \
	VMOVUPS 64(SI), Y2 \
	VMOVUPS 96(SI), Y3 \
	OP((DX), Y0, Y4, Y5) \
	OP(32(DX), Y1, Y6, Y7) \
	OP(64(DX), Y2, Y8, Y9) \
	OP(96(DX), Y3, Y10, Y11) \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y1, 32(DI) \
	VMOVUPS Y2, 64(DI) \
	VMOVUPS Y3, 96(DI) \
	ADDQ $128, SI \
	ADDQ $128, DX \
	ADDQ $128, DI \
	SUBQ $32, CX \
	JGE  loop32 \
eights: \
	ADDQ $24, CX \
	JLT  tail \
loop8: \
	VMOVUPS (SI), Y0 \
	OP((DX), Y0, Y4, Y5) \
	VMOVUPS Y0, (DI) \
	ADDQ $32, SI \
	ADDQ $32, DX \
	ADDQ $32, DI \
	SUBQ $8, CX \
	JGE  loop8 \
tail: \
	ADDQ $8, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	SHLQ $2, CX \
	SUBQ CX, AX \
	VMOVUPS (AX), Y12 \
	VMASKMOVPS (SI), Y12, Y0 \
	VMASKMOVPS (DX), Y12, Y1 \
	OP(Y1, Y0, Y4, Y5) \
	VMASKMOVPS Y0, Y12, (DI) \
done: \
	VZEROUPPER \
	RET

// UNARY is the loop of dst = OP(x) over arguments (dst, x *float32, n int).
// OP(y, t) may use t, Y14, which is zeros, and the constants from Y13 up that the
// caller set.
#define UNARY(OP) \
	MOVQ dst+0(FP), DI \
	MOVQ x+8(FP), SI \
	MOVQ n+16(FP), CX \
	VXORPS Y14, Y14, Y14 \
	SUBQ $32, CX \
	JLT  eights \
loop32: \
	VMOVUPS (SI), Y0 \
	VMOVUPS 32(SI), Y1 \
	VMOVUPS 64(SI), Y2 \
	VMOVUPS 96(SI), Y3 \
	OP(Y0, Y4) \
	OP(Y1, Y5) \
	OP(Y2, Y6) \
	OP(Y3, Y7) \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y1, 32(DI) \
	VMOVUPS Y2, 64(DI) \
	VMOVUPS Y3, 96(DI) \
	ADDQ $128, SI \
	ADDQ $128, DI \
	SUBQ $32, CX \
	JGE  loop32 \
eights: \
	ADDQ $24, CX \
	JLT  tail \
loop8: \
	VMOVUPS (SI), Y0 \
	OP(Y0, Y4) \
	VMOVUPS Y0, (DI) \
	ADDQ $32, SI \
	ADDQ $32, DI \
	SUBQ $8, CX \
	JGE  loop8 \
tail: \
	ADDQ $8, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	SHLQ $2, CX \
	SUBQ CX, AX \
	VMOVUPS (AX), Y12 \
	VMASKMOVPS (SI), Y12, Y0 \
	OP(Y0, Y4) \
	VMASKMOVPS Y0, Y12, (DI) \
done: \
	VZEROUPPER \
	RET
