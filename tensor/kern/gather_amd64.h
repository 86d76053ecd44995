// What the row kernels share, for both types.
//
// The sums hold a block of 8, 4, 2 vectors of columns or one (or a masked rest) in registers
// over all ids, so that acc is read and written once; ids come in order, so every
// element is one chain of additions. Rows of the block are prefetched AHEAD ids
// before use; the last ids are done without, so no id beyond the end is read.

#include "types_amd64.h"

#define AHEAD 32

// Registers, the same in every block:
//   DI acc   CX columns left   SI x   R8 bytes a row   R9 ids   R10 number of ids
//   R12 w    R13 bytes from an id's weights to the next
//   AX id    BX current weight R11 ids behind which AHEAD more may be read
//   DX row   Y12 mask   Y14 order of weights   Y15 weight

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

// WEIGHT loads the one weight of the current id, NEXT steps to those of the next;
// a plain sum has none.
#define NEXT ADDQ R13, BX
#define NOWEIGHT
#define STAY

#define WEIGHT VBROADCASTS (BX), Y15

// FACTOR loads the weight of the current row, of a table of them.
#define FACTOR \
	MOVLQSX     (R9)(AX*4), BX      \
	VBROADCASTS (R12)(BX*SIZE), Y15

// One register of columns: added plain or scaled.
#define PLUS(mem, y) VADDP mem, y, y
#define SCALE(mem, y) VFMADD231P mem, Y15, y

// The larger; VMAXP gives mem if either is NaN: put y's NaN back.
#define LARGER(mem, y) \
	VMAXP     mem, y, Y8   \
	VCMPP     $3, y, y, Y9 \
	VBLENDVPS Y9, y, Y8, y

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
#define IDS(near, far, end, LOADW, ROWN, STEP, FETCHN) \
	XORQ AX, AX  \
	MOVQ R12, BX \
	CMPQ AX, R11 \
	JGE  far     \
near:            \
	FETCH        \
	FETCHN       \
	ROW          \
	LOADW        \
	ROWN         \
	STEP         \
	INCQ AX      \
	CMPQ AX, R11 \
	JLT  near    \
far:             \
	CMPQ AX, R10 \
	JGE  end     \
	ROW          \
	LOADW        \
	ROWN         \
	STEP         \
	INCQ AX      \
	JMP  far     \
end:

// COLUMNS walks acc in blocks down to a vector of columns; W is the bytes of the weights
// of a vector, 0 if one weight goes for all. CX becomes bytes.
#define COLUMNS(LOADW, STEP, W, B64, B32, B16, B8) \
	SHLQ    $SIZELOG, R8                                \
	SHLQ    $SIZELOG, CX                                \
	SUBQ    $256, CX                                    \
	JLT     try32                                       \
block64:                                                \
	VMOVUPS (DI), Y0                                    \
	VMOVUPS 32(DI), Y1                                  \
	VMOVUPS 64(DI), Y2                                  \
	VMOVUPS 96(DI), Y3                                  \
	VMOVUPS 128(DI), Y4                                 \
	VMOVUPS 160(DI), Y5                                 \
	VMOVUPS 192(DI), Y6                                 \
	VMOVUPS 224(DI), Y7                                 \
	IDS(near64, far64, end64, LOADW, B64, STEP, FETCH4) \
	VMOVUPS Y0, (DI)                                    \
	VMOVUPS Y1, 32(DI)                                  \
	VMOVUPS Y2, 64(DI)                                  \
	VMOVUPS Y3, 96(DI)                                  \
	VMOVUPS Y4, 128(DI)                                 \
	VMOVUPS Y5, 160(DI)                                 \
	VMOVUPS Y6, 192(DI)                                 \
	VMOVUPS Y7, 224(DI)                                 \
	ADDQ    $256, DI                                    \
	ADDQ    $256, SI                                    \
	ADDQ    $(8*W), R12                                 \
	SUBQ    $256, CX                                    \
	JGE     block64                                     \
try32:                                                  \
	ADDQ    $128, CX                                    \
	JLT     try16                                       \
	VMOVUPS (DI), Y0                                    \
	VMOVUPS 32(DI), Y1                                  \
	VMOVUPS 64(DI), Y2                                  \
	VMOVUPS 96(DI), Y3                                  \
	IDS(near32, far32, end32, LOADW, B32, STEP, FETCH2) \
	VMOVUPS Y0, (DI)                                    \
	VMOVUPS Y1, 32(DI)                                  \
	VMOVUPS Y2, 64(DI)                                  \
	VMOVUPS Y3, 96(DI)                                  \
	ADDQ    $128, DI                                    \
	ADDQ    $128, SI                                    \
	ADDQ    $(4*W), R12                                 \
	SUBQ    $128, CX                                    \
try16:                                                  \
	ADDQ    $64, CX                                     \
	JLT     try8                                        \
	VMOVUPS (DI), Y0                                    \
	VMOVUPS 32(DI), Y1                                  \
	IDS(near16, far16, end16, LOADW, B16, STEP, FETCH1) \
	VMOVUPS Y0, (DI)                                    \
	VMOVUPS Y1, 32(DI)                                  \
	ADDQ    $64, DI                                     \
	ADDQ    $64, SI                                     \
	ADDQ    $(2*W), R12                                 \
	SUBQ    $64, CX                                     \
try8:                                                   \
	ADDQ    $32, CX                                     \
	JLT     rest                                        \
	VMOVUPS (DI), Y0                                    \
	IDS(near8, far8, end8, LOADW, B8, STEP, FETCH1)     \
	VMOVUPS Y0, (DI)                                    \
	ADDQ    $32, DI                                     \
	ADDQ    $32, SI                                     \
	ADDQ    $(1*W), R12                                 \
	SUBQ    $32, CX                                     \
rest:                                                   \
	ADDQ    $32, CX

// REST walks the columns that fill no vector.
#define REST(LOADW, OP, STEP) \
	JEQ        done                                                   \
	LEAQ       ·tailMask+32(SB), AX                                   \
	SUBQ       CX, AX                                                 \
	VMOVUPS    (AX), Y12                                              \
	VMASKMOVPS (DI), Y12, Y0                                          \
	IDS(nearRest, farRest, endRest, LOADW, ROWREST(OP), STEP, FETCH1) \
	VMASKMOVPS Y0, Y12, (DI)                                          \
done:
