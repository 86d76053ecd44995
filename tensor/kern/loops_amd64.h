// The loops of the element-wise kernels: whole registers, then a masked tail, which
// reads and writes nothing beyond the slices. They count in bytes, so they serve both
// types of element, as a mask of bytes does.

#include "types_amd64.h"

// Of arrays of AHEADFROM bytes and more, which may be parts of still larger ones, the lines that
// are written AHEAD bytes later are fetched: processors fetch what is read by themselves, but
// a store to a line that is in no cache waits for it. WRITTENLINE is PREFETCHW (AHEAD+off)(DI),
// which Go's assembler does not know.
#define AHEADFROM 8192
#define AHEAD 1024
#define WRITTENLINE(off) BYTE $0x0F; BYTE $0x0D; BYTE $0x8F; LONG $(AHEAD+off)
#define WRITTENLINES WRITTENLINE(0); WRITTENLINE(64)

// BINARY4 is a round of BINARY.
#define BINARY4(OP) \
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
	SUBQ $128, CX

// BINARY is the loop of dst = a OP b over arguments (dst, a, b *T, n int).
// OP(b, y, t, u) may use the scratch t and u and the constants from Y13 up.
#define BINARY(OP) \
	MOVQ dst+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ n+24(FP), CX \
	SHLQ $SIZELOG, CX \
	SUBQ $128, CX \
	JLT  singles \
	CMPQ CX, $(AHEADFROM-128) \
	JLT  loop4 \
	SUBQ $AHEAD, CX \
ahead: \
	WRITTENLINES \
	BINARY4(OP) \
	JGE  ahead \
	ADDQ $AHEAD, CX \
loop4: \
	BINARY4(OP) \
	JGE  loop4 \
singles: \
	ADDQ $96, CX \
	JLT  tail \
loop1: \
	VMOVUPS (SI), Y0 \
	OP((DX), Y0, Y4, Y5) \
	VMOVUPS Y0, (DI) \
	ADDQ $32, SI \
	ADDQ $32, DX \
	ADDQ $32, DI \
	SUBQ $32, CX \
	JGE  loop1 \
tail: \
	ADDQ $32, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	SUBQ CX, AX \
	VMOVUPS (AX), Y12 \
	VMASKMOVPS (SI), Y12, Y0 \
	VMASKMOVPS (DX), Y12, Y1 \
	OP(Y1, Y0, Y4, Y5) \
	VMASKMOVPS Y0, Y12, (DI) \
done: \
	VZEROUPPER \
	RET

// UNARY4 is a round of UNARY.
#define UNARY4(OP) \
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
	SUBQ $128, CX

// UNARY is the loop of dst = OP(x) over arguments (dst, x *T, n int).
// OP(y, t) may use t, Y14, which is zeros, and the constants from Y13 up that the
// caller set.
#define UNARY(OP) \
	MOVQ dst+0(FP), DI \
	MOVQ x+8(FP), SI \
	MOVQ n+16(FP), CX \
	VXORPS Y14, Y14, Y14 \
	SHLQ $SIZELOG, CX \
	SUBQ $128, CX \
	JLT  singles \
	CMPQ CX, $(AHEADFROM-128) \
	JLT  loop4 \
	SUBQ $AHEAD, CX \
ahead: \
	WRITTENLINES \
	UNARY4(OP) \
	JGE  ahead \
	ADDQ $AHEAD, CX \
loop4: \
	UNARY4(OP) \
	JGE  loop4 \
singles: \
	ADDQ $96, CX \
	JLT  tail \
loop1: \
	VMOVUPS (SI), Y0 \
	OP(Y0, Y4) \
	VMOVUPS Y0, (DI) \
	ADDQ $32, SI \
	ADDQ $32, DI \
	SUBQ $32, CX \
	JGE  loop1 \
tail: \
	ADDQ $32, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	SUBQ CX, AX \
	VMOVUPS (AX), Y12 \
	VMASKMOVPS (SI), Y12, Y0 \
	OP(Y0, Y4) \
	VMASKMOVPS Y0, Y12, (DI) \
done: \
	VZEROUPPER \
	RET
