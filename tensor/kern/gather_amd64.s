//go:build amd64 && !noasm

// Row kernels: rows of a matrix picked by ids are summed, scaled and summed, or
// multiplied with one row.
//
// The sums hold a block of 64, 32, 16 or 8 columns (or a masked rest) in registers
// over all ids, so that acc is read and written once; ids come in order, so every
// element is one chain of additions. Rows of the block are prefetched AHEAD ids
// before use; the last ids are done without, so no id beyond the end is read.

#include "textflag.h"

#define AHEAD 16

// Registers, the same in every block:
//   DI acc   CX columns left   SI x   R8 bytes a row   R9 ids   R10 number of ids
//   R12 w    R13 bytes from weight to weight
//   AX id    BX current weight R11 first id that is not followed by AHEAD more
//   DX row   Y12 mask   Y15 weight

// ROW points DX at the block's columns of row ids[AX].
#define ROW \
	MOVLQSX (R9)(AX*4), DX \
	IMULQ   R8, DX         \
	ADDQ    SI, DX

// FETCH points R15 at the same columns of the row AHEAD ids later.
#define FETCH \
	MOVLQSX (4*AHEAD)(R9)(AX*4), R15 \
	IMULQ   R8, R15                  \
	ADDQ    SI, R15

// Nothing to do for a plain sum.
#define NOWEIGHT

// WEIGHT loads the weight of the current id and steps to the next.
#define WEIGHT \
	VBROADCASTSS (BX), Y15 \
	ADDQ         R13, BX

// One register of columns: plain or scaled.
#define PLUS(mem, y) VADDPS mem, y, y
#define SCALE(mem, y) VFMADD231PS mem, Y15, y

#define ROW64(OP) \
	OP((DX), Y0)    \
	OP(32(DX), Y1)  \
	OP(64(DX), Y2)  \
	OP(96(DX), Y3)  \
	OP(128(DX), Y4) \
	OP(160(DX), Y5) \
	OP(192(DX), Y6) \
	OP(224(DX), Y7)

#define ROW32(OP) \
	OP((DX), Y0)   \
	OP(32(DX), Y1) \
	OP(64(DX), Y2) \
	OP(96(DX), Y3)

#define ROW16(OP) \
	OP((DX), Y0)   \
	OP(32(DX), Y1)

#define ROW8(OP) OP((DX), Y0)

#define ROWREST(OP) \
	VMASKMOVPS (DX), Y12, Y1 \
	OP(Y1, Y0)

// An unaligned row of n cache lines touches n+1; the last line is left to the
// hardware's adjacent-line prefetcher.
#define FETCH4 \
	PREFETCHT0 (R15)    \
	PREFETCHT0 64(R15)  \
	PREFETCHT0 128(R15) \
	PREFETCHT0 192(R15)

#define FETCH2 \
	PREFETCHT0 (R15)   \
	PREFETCHT0 64(R15)

#define FETCH1 PREFETCHT0 (R15)

// IDS runs a block's ROW over all ids.
#define IDS(near, far, end, LOADW, ROWN, OP, FETCHN) \
	XORQ AX, AX   \
	MOVQ R12, BX  \
	CMPQ AX, R11  \
	JGE  far      \
near:             \
	FETCH         \
	FETCHN        \
	ROW           \
	LOADW         \
	ROWN(OP)      \
	INCQ AX       \
	CMPQ AX, R11  \
	JLT  near     \
far:              \
	CMPQ AX, R10  \
	JGE  end      \
	ROW           \
	LOADW         \
	ROWN(OP)      \
	INCQ AX       \
	JMP  far      \
end:

// COLUMNS walks acc in blocks.
#define COLUMNS(LOADW, OP) \
	MOVQ R10, R11 \
	SUBQ $AHEAD, R11 \
	SHLQ $2, R8 \
	SUBQ $64, CX \
	JLT  try32 \
block64: \
	VMOVUPS (DI), Y0 \
	VMOVUPS 32(DI), Y1 \
	VMOVUPS 64(DI), Y2 \
	VMOVUPS 96(DI), Y3 \
	VMOVUPS 128(DI), Y4 \
	VMOVUPS 160(DI), Y5 \
	VMOVUPS 192(DI), Y6 \
	VMOVUPS 224(DI), Y7 \
	IDS(near64, far64, end64, LOADW, ROW64, OP, FETCH4) \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y1, 32(DI) \
	VMOVUPS Y2, 64(DI) \
	VMOVUPS Y3, 96(DI) \
	VMOVUPS Y4, 128(DI) \
	VMOVUPS Y5, 160(DI) \
	VMOVUPS Y6, 192(DI) \
	VMOVUPS Y7, 224(DI) \
	ADDQ $256, DI \
	ADDQ $256, SI \
	SUBQ $64, CX \
	JGE  block64 \
try32: \
	ADDQ $32, CX \
	JLT  try16 \
	VMOVUPS (DI), Y0 \
	VMOVUPS 32(DI), Y1 \
	VMOVUPS 64(DI), Y2 \
	VMOVUPS 96(DI), Y3 \
	IDS(near32, far32, end32, LOADW, ROW32, OP, FETCH2) \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y1, 32(DI) \
	VMOVUPS Y2, 64(DI) \
	VMOVUPS Y3, 96(DI) \
	ADDQ $128, DI \
	ADDQ $128, SI \
	SUBQ $32, CX \
try16: \
	ADDQ $16, CX \
	JLT  try8 \
	VMOVUPS (DI), Y0 \
	VMOVUPS 32(DI), Y1 \
	IDS(near16, far16, end16, LOADW, ROW16, OP, FETCH1) \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y1, 32(DI) \
	ADDQ $64, DI \
	ADDQ $64, SI \
	SUBQ $16, CX \
try8: \
	ADDQ $8, CX \
	JLT  rest \
	VMOVUPS (DI), Y0 \
	IDS(near8, far8, end8, LOADW, ROW8, OP, FETCH1) \
	VMOVUPS Y0, (DI) \
	ADDQ $32, DI \
	ADDQ $32, SI \
	SUBQ $8, CX \
rest: \
	ADDQ $8, CX \
	JEQ  done \
	LEAQ ·tailMask+32(SB), AX \
	SHLQ $2, CX \
	SUBQ CX, AX \
	VMOVUPS (AX), Y12 \
	VMASKMOVPS (DI), Y12, Y0 \
	IDS(nearRest, farRest, endRest, LOADW, ROWREST, OP, FETCH1) \
	VMASKMOVPS Y0, Y12, (DI) \
done: \
	VZEROUPPER \
	RET

// func gatherSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n int)
TEXT ·gatherSumAVX2(SB), NOSPLIT, $0-48
	MOVQ acc+0(FP), DI
	MOVQ width+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), R8
	MOVQ ids+32(FP), R9
	MOVQ n+40(FP), R10
	COLUMNS(NOWEIGHT, PLUS)

// func gatherScaleSumAVX2(acc *float32, width int, x *float32, stride int, ids *int32, n int, w *float32, wstride int)
TEXT ·gatherScaleSumAVX2(SB), NOSPLIT, $0-64
	MOVQ acc+0(FP), DI
	MOVQ width+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ stride+24(FP), R8
	MOVQ ids+32(FP), R9
	MOVQ n+40(FP), R10
	MOVQ w+48(FP), R12
	MOVQ wstride+56(FP), R13
	SHLQ $2, R13
	COLUMNS(WEIGHT, SCALE)

// The dot product of one pair of rows is summed as dotAVX2 does it.
// func gatherDotAVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n int)
TEXT ·gatherDotAVX2(SB), NOSPLIT, $0-64
	MOVQ    out+0(FP), DI
	MOVQ    ostride+8(FP), R13
	MOVQ    row+16(FP), BX
	MOVQ    width+24(FP), R12
	MOVQ    x+32(FP), SI
	MOVQ    stride+40(FP), R8
	MOVQ    ids+48(FP), R9
	MOVQ    n+56(FP), R10
	SHLQ    $2, R13
	SHLQ    $2, R8
	MOVQ    R12, CX
	ANDQ    $7, CX
	SHLQ    $2, CX
	LEAQ    ·tailMask+32(SB), AX
	SUBQ    CX, AX
	VMOVUPS (AX), Y12
	MOVQ    R10, R11
	SUBQ    $AHEAD, R11
	XORQ    AX, AX

id:
	CMPQ AX, R11
	JGE  near
	FETCH
	FETCH1
	CMPQ R12, $48
	JLT  near
	FETCH4

near:
	ROW
	INCQ   AX
	MOVQ   BX, R15
	MOVQ   R12, CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	SUBQ   $32, CX
	JLT    eights

loop32:
	VMOVUPS     (R15), Y4
	VMOVUPS     32(R15), Y5
	VMOVUPS     64(R15), Y6
	VMOVUPS     96(R15), Y7
	VFMADD231PS (DX), Y4, Y0
	VFMADD231PS 32(DX), Y5, Y1
	VFMADD231PS 64(DX), Y6, Y2
	VFMADD231PS 96(DX), Y7, Y3
	ADDQ        $128, R15
	ADDQ        $128, DX
	SUBQ        $32, CX
	JGE         loop32

eights:
	ADDQ $24, CX
	JLT  tail

loop8:
	VMOVUPS     (R15), Y4
	VFMADD231PS (DX), Y4, Y0
	ADDQ        $32, R15
	ADDQ        $32, DX
	SUBQ        $8, CX
	JGE         loop8

tail:
	ADDQ        $8, CX
	JEQ         merge
	VMASKMOVPS  (R15), Y12, Y4
	VMASKMOVPS  (DX), Y12, Y5
	VFMADD231PS Y5, Y4, Y1

merge:
	VADDPS       Y1, Y0, Y0
	VADDPS       Y3, Y2, Y2
	VADDPS       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VMOVHLPS     X0, X0, X1
	VADDPS       X1, X0, X0
	VMOVSHDUP    X0, X1
	VADDSS       X1, X0, X0
	VMOVSS       X0, (DI)
	ADDQ         R13, DI
	CMPQ         AX, R10
	JLT          id
	VZEROUPPER
	RET
