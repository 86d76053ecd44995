//go:build amd64 && !noasm

// Row kernels with heads: every group of columns has a weight, or a dot product,
// of its own, and all groups of a row are done in one walk over the ids.

#include "textflag.h"
#include "gather_amd64.h"

// The weights of 8 columns in groups of 16 or 8 (one weight), 4, 2 or 1. Y14 sends
// the weights of groups of 4 and 2 to their lanes.
#define GROUP8(mem) VBROADCASTSS mem, Y15
#define GROUP4(mem) \
	VBROADCASTSD mem, Y15      \
	VPERMILPS    Y14, Y15, Y15
#define GROUP2(mem) \
	VBROADCASTF128 mem, Y15      \
	VPERMILPS      Y14, Y15, Y15
#define GROUP1(mem) VMOVUPS mem, Y15

// The same with weights for every 8 columns, W bytes apart, or for every 16.
#define HEADS64(GROUP, W) \
	HEADS32(GROUP, W)       \
	GROUP((4*W)(BX))        \
	SCALE(128(DX), Y4)      \
	GROUP((5*W)(BX))        \
	SCALE(160(DX), Y5)      \
	GROUP((6*W)(BX))        \
	SCALE(192(DX), Y6)      \
	GROUP((7*W)(BX))        \
	SCALE(224(DX), Y7)

#define HEADS32(GROUP, W) \
	HEADS16(GROUP, W)       \
	GROUP((2*W)(BX))        \
	SCALE(64(DX), Y2)       \
	GROUP((3*W)(BX))        \
	SCALE(96(DX), Y3)

#define HEADS16(GROUP, W) \
	HEADS8(GROUP)           \
	GROUP(W(BX))            \
	SCALE(32(DX), Y1)

#define HEADS8(GROUP) \
	GROUP((BX))       \
	SCALE((DX), Y0)

#define WIDE64 \
	WIDE32              \
	GROUP8(8(BX))       \
	SCALE(128(DX), Y4)  \
	SCALE(160(DX), Y5)  \
	GROUP8(12(BX))      \
	SCALE(192(DX), Y6)  \
	SCALE(224(DX), Y7)

#define WIDE32 \
	WIDE16            \
	GROUP8(4(BX))     \
	SCALE(64(DX), Y2) \
	SCALE(96(DX), Y3)

#define WIDE16 \
	GROUP8((BX))      \
	SCALE((DX), Y0)   \
	SCALE(32(DX), Y1)

DATA fours<>+0(SB)/8, $0
DATA fours<>+8(SB)/8, $0
DATA fours<>+16(SB)/8, $0x0000000100000001
DATA fours<>+24(SB)/8, $0x0000000100000001
GLOBL fours<>(SB), RODATA|NOPTR, $32

DATA twos<>+0(SB)/8, $0
DATA twos<>+8(SB)/8, $0x0000000100000001
DATA twos<>+16(SB)/8, $0x0000000200000002
DATA twos<>+24(SB)/8, $0x0000000300000003
GLOBL twos<>(SB), RODATA|NOPTR, $32

// HEADS is the kernel with weights W bytes apart for every 8 columns.
#define HEADS(GROUP, W) \
	COLUMNS(NOWEIGHT, NEXT, W, HEADS64(GROUP, W), HEADS32(GROUP, W), HEADS16(GROUP, W), HEADS8(GROUP)) \
	VZEROUPPER \
	RET

// ARGUMENTS loads the arguments, which all five have alike.
#define ARGUMENTS \
	MOVQ acc+0(FP), DI       \
	MOVQ width+8(FP), CX     \
	MOVQ x+16(FP), SI        \
	MOVQ stride+24(FP), R8   \
	MOVQ ids+32(FP), R9      \
	MOVQ n+40(FP), R10       \
	MOVQ ahead+48(FP), R11   \
	MOVQ w+56(FP), R12       \
	MOVQ wstride+64(FP), R13 \
	SHLQ $2, R13

// The dot products of a block of columns go to DI: PAIRS of groups of 2 and FOURS of 4
// in 16 columns, EIGHTS of 8 in 32, SIXTEENS of 16 in 64. R15 walks row, DX the picked
// row.
#define PRODUCTS16 \
	VMOVUPS (R15), Y0       \
	VMOVUPS 32(R15), Y1     \
	VMULPS  (DX), Y0, Y0    \
	VMULPS  32(DX), Y1, Y1  \
	VHADDPS Y1, Y0, Y0      \
	ADDQ    $64, R15        \
	ADDQ    $64, DX

#define PAIRS \
	PRODUCTS16              \
	VPERMPD $0xD8, Y0, Y0   \
	VMOVUPS Y0, (DI)        \
	ADDQ    $32, DI

#define FOURS \
	PRODUCTS16              \
	VHADDPS Y0, Y0, Y0      \
	VEXTRACTF128 $1, Y0, X1 \
	VUNPCKLPS X1, X0, X0    \
	VMOVUPS X0, (DI)        \
	ADDQ    $16, DI

// SUMS4 adds up the lanes of Y0, Y1, Y2 and Y3.
#define SUMS4 \
	VHADDPS      Y1, Y0, Y0 \
	VHADDPS      Y3, Y2, Y2 \
	VHADDPS      Y2, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS       X1, X0, X0 \
	VMOVUPS      X0, (DI)   \
	ADDQ         $16, DI

#define EIGHTS \
	VMOVUPS (R15), Y0       \
	VMOVUPS 32(R15), Y1     \
	VMOVUPS 64(R15), Y2     \
	VMOVUPS 96(R15), Y3     \
	VMULPS  (DX), Y0, Y0    \
	VMULPS  32(DX), Y1, Y1  \
	VMULPS  64(DX), Y2, Y2  \
	VMULPS  96(DX), Y3, Y3  \
	ADDQ    $128, R15       \
	ADDQ    $128, DX        \
	SUMS4

#define SIXTEENS \
	VMOVUPS     (R15), Y0       \
	VMOVUPS     64(R15), Y1     \
	VMOVUPS     128(R15), Y2    \
	VMOVUPS     192(R15), Y3    \
	VMOVUPS     32(R15), Y4     \
	VMOVUPS     96(R15), Y5     \
	VMOVUPS     160(R15), Y6    \
	VMOVUPS     224(R15), Y7    \
	VMULPS      (DX), Y0, Y0    \
	VMULPS      64(DX), Y1, Y1  \
	VMULPS      128(DX), Y2, Y2 \
	VMULPS      192(DX), Y3, Y3 \
	VFMADD231PS 32(DX), Y4, Y0  \
	VFMADD231PS 96(DX), Y5, Y1  \
	VFMADD231PS 160(DX), Y6, Y2 \
	VFMADD231PS 224(DX), Y7, Y3 \
	ADDQ        $256, R15       \
	ADDQ        $256, DX        \
	SUMS4

// BLOCKS runs DOTS over all ids and blocks of columns; R13 is what ostride leaves behind the
// groups, shift the logarithm of columns a group.
#define BLOCKS(DOTS, shift, columns) \
	MOVQ out+0(FP), DI      \
	MOVQ ostride+8(FP), R13 \
	MOVQ row+16(FP), BX     \
	MOVQ width+24(FP), R12  \
	MOVQ x+32(FP), SI       \
	MOVQ stride+40(FP), R8  \
	MOVQ ids+48(FP), R9     \
	MOVQ n+56(FP), R10      \
	MOVQ ahead+64(FP), R11  \
	MOVQ R12, AX            \
	SHRQ $shift, AX         \
	SUBQ AX, R13            \
	SHLQ $2, R13            \
	SHLQ $2, R8             \
	XORQ AX, AX             \
id:                         \
	CMPQ AX, R11            \
	JGE  near               \
	FETCH                   \
	FETCH1                  \
	CMPQ R12, $32           \
	JLT  near               \
	FETCH4                  \
	CMPQ R12, $128          \
	JLT  near               \
	PREFETCHT0 256(R15)     \
	PREFETCHT0 320(R15)     \
	PREFETCHT0 384(R15)     \
	PREFETCHT0 448(R15)     \
near:                       \
	ROW                     \
	INCQ AX                 \
	MOVQ BX, R15            \
	MOVQ R12, CX            \
block:                      \
	DOTS                    \
	SUBQ $columns, CX       \
	JNE  block              \
	ADDQ R13, DI            \
	CMPQ AX, R10            \
	JLT  id                 \
	VZEROUPPER              \
	RET

// func gatherHeads16AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherHeads16AVX2(SB), NOSPLIT, $0-72
	ARGUMENTS
	COLUMNS(NOWEIGHT, NEXT, 2, WIDE64, WIDE32, WIDE16, HEADS8(GROUP8))
	VZEROUPPER
	RET

// func gatherHeads8AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherHeads8AVX2(SB), NOSPLIT, $0-72
	ARGUMENTS
	HEADS(GROUP8, 4)

// func gatherHeads4AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherHeads4AVX2(SB), NOSPLIT, $0-72
	ARGUMENTS
	VMOVUPS fours<>(SB), Y14
	HEADS(GROUP4, 8)

// func gatherHeads2AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherHeads2AVX2(SB), NOSPLIT, $0-72
	ARGUMENTS
	VMOVUPS twos<>(SB), Y14
	HEADS(GROUP2, 16)

// func gatherHeads1AVX2(acc *float32, width int, x *float32, stride int, ids *int32, n, ahead int, w *float32, wstride int)
TEXT ·gatherHeads1AVX2(SB), NOSPLIT, $0-72
	ARGUMENTS
	HEADS(GROUP1, 32)

// GROUP leaves in y, lane by lane, the products of a group: R15 walks row, DX the
// picked row, R14 is bytes a group.
#define GROUP(more, next, y) \
	VMOVUPS     (R15), y     \
	VMULPS      (DX), y, y   \
	MOVQ        R14, CX      \
	JMP         next         \
more:                        \
	VMOVUPS     (R15), Y8    \
	VFMADD231PS (DX), Y8, y  \
next:                        \
	ADDQ        $32, R15     \
	ADDQ        $32, DX      \
	SUBQ        $32, CX      \
	JNE         more

// The lanes of a group are added up pairwise, four groups at a time.
// func gatherDotHeadsAVX2(out *float32, ostride int, row *float32, groups int, group int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotHeadsAVX2(SB), NOSPLIT, $0-80
	MOVQ out+0(FP), DI
	MOVQ ostride+8(FP), R13
	MOVQ row+16(FP), BX
	MOVQ group+32(FP), R14
	MOVQ x+40(FP), SI
	MOVQ stride+48(FP), R8
	MOVQ ids+56(FP), R9
	MOVQ n+64(FP), R10
	SUBQ groups+24(FP), R13
	SHLQ $2, R13
	SHLQ $2, R14
	SHLQ $2, R8
	MOVQ ahead+72(FP), R11
	XORQ AX, AX

id:
	MOVQ groups+24(FP), R12
	CMPQ AX, R11
	JGE  near
	FETCH
	FETCH2
	CMPQ R12, $6
	JLT  near
	PREFETCHT0 128(R15)
	PREFETCHT0 192(R15)

near:
	ROW
	INCQ AX
	MOVQ BX, R15
	SUBQ $4, R12
	JLT  single

four:
	GROUP(more0, next0, Y0)
	GROUP(more1, next1, Y1)
	GROUP(more2, next2, Y2)
	GROUP(more3, next3, Y3)
	VHADDPS      Y1, Y0, Y0
	VHADDPS      Y3, Y2, Y2
	VHADDPS      Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VMOVUPS      X0, (DI)
	ADDQ         $16, DI
	SUBQ         $4, R12
	JGE          four

single:
	ADDQ $4, R12
	JEQ  done

one:
	GROUP(more, next, Y0)
	VHADDPS      Y0, Y0, Y0
	VHADDPS      Y0, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDSS       X1, X0, X0
	VMOVSS       X0, (DI)
	ADDQ         $4, DI
	DECQ         R12
	JNE          one

done:
	ADDQ R13, DI
	CMPQ AX, R10
	JLT  id
	VZEROUPPER
	RET

// func gatherDotHeads2AVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotHeads2AVX2(SB), NOSPLIT, $0-72
	BLOCKS(PAIRS, 1, 16)

// func gatherDotHeads4AVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotHeads4AVX2(SB), NOSPLIT, $0-72
	BLOCKS(FOURS, 2, 16)

// func gatherDotHeads8AVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotHeads8AVX2(SB), NOSPLIT, $0-72
	BLOCKS(EIGHTS, 3, 32)

// func gatherDotHeads16AVX2(out *float32, ostride int, row *float32, width int, x *float32, stride int, ids *int32, n, ahead int)
TEXT ·gatherDotHeads16AVX2(SB), NOSPLIT, $0-72
	BLOCKS(SIXTEENS, 4, 64)
