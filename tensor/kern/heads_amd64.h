// Row kernels with heads, for both types: every group of columns has a weight, or a dot
// product, of its own, and all groups of a row are done in one walk over the ids.

#include "gathersums_amd64.h"

// The weights of a vector of columns whose groups are vectors or more (one weight), halves
// of one, quarters of one (of float32), or columns. Y14 sends the weights of float32 to
// their lanes.
#define WHOLE(mem) VBROADCASTS mem, Y15
#define EACH(mem) VMOVUPS mem, Y15

#ifdef DOUBLE

#define HALVES(mem) \
	VBROADCASTF128 mem, Y15       \
	VPERMILPD      $0xC, Y15, Y15

// SUMS4 adds up the lanes of Y0, Y1, Y2 and Y3, SUMS1 those of Y0 in the same order.
#define SUMS4 \
	VHADDP     Y1, Y0, Y0        \
	VHADDP     Y3, Y2, Y2        \
	VPERM2F128 $0x20, Y2, Y0, Y1 \
	VPERM2F128 $0x31, Y2, Y0, Y0 \
	VADDP      Y0, Y1, Y0        \
	VMOVUPS    Y0, (DI)          \
	ADDQ       $32, DI

#define SUMS1 \
	VHADDP       Y0, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDS        X1, X0, X0

#else

#define HALVES(mem) \
	VBROADCASTSD mem, Y15      \
	VPERMILPS    Y14, Y15, Y15
#define QUARTERS(mem) \
	VBROADCASTF128 mem, Y15      \
	VPERMILPS      Y14, Y15, Y15

// SUMS4 adds up the lanes of Y0, Y1, Y2 and Y3, SUMS1 those of Y0 in the same order.
#define SUMS4 \
	VHADDP       Y1, Y0, Y0 \
	VHADDP       Y3, Y2, Y2 \
	VHADDP       Y2, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDP        X1, X0, X0 \
	VMOVUPS      X0, (DI)   \
	ADDQ         $16, DI

#define SUMS1 \
	VHADDP       Y0, Y0, Y0 \
	VHADDP       Y0, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDS        X1, X0, X0

#endif

// A row of a block, with weights for every vector, W bytes apart, or for every two.
#define HEADS64(GROUP, W) \
	HEADS32(GROUP, W)  \
	GROUP((4*W)(BX))   \
	SCALE(128(DX), Y4) \
	GROUP((5*W)(BX))   \
	SCALE(160(DX), Y5) \
	GROUP((6*W)(BX))   \
	SCALE(192(DX), Y6) \
	GROUP((7*W)(BX))   \
	SCALE(224(DX), Y7)

#define HEADS32(GROUP, W) \
	HEADS16(GROUP, W) \
	GROUP((2*W)(BX))  \
	SCALE(64(DX), Y2) \
	GROUP((3*W)(BX))  \
	SCALE(96(DX), Y3)

#define HEADS16(GROUP, W) \
	HEADS8(GROUP)     \
	GROUP((1*W)(BX))  \
	SCALE(32(DX), Y1)

#define HEADS8(GROUP) \
	GROUP((BX))     \
	SCALE((DX), Y0)

#define WIDE64 \
	WIDE32              \
	WHOLE((2*SIZE)(BX)) \
	SCALE(128(DX), Y4)  \
	SCALE(160(DX), Y5)  \
	WHOLE((3*SIZE)(BX)) \
	SCALE(192(DX), Y6)  \
	SCALE(224(DX), Y7)

#define WIDE32 \
	WIDE16              \
	WHOLE((1*SIZE)(BX)) \
	SCALE(64(DX), Y2)   \
	SCALE(96(DX), Y3)

#define WIDE16 \
	WHOLE((BX))       \
	SCALE((DX), Y0)   \
	SCALE(32(DX), Y1)

// HEADS is the kernel with weights W bytes apart for every vector, WIDEHEADS that with a
// weight for every two.
#define HEADS(GROUP, W) \
	COLUMNS(NOWEIGHT, NEXT, W, HEADS64(GROUP, W), HEADS32(GROUP, W), HEADS16(GROUP, W), HEADS8(GROUP)) \
	VZEROUPPER                                                                                         \
	RET

#define WIDEHEADS \
	COLUMNS(NOWEIGHT, NEXT, SIZE/2, WIDE64, WIDE32, WIDE16, HEADS8(WHOLE)) \
	VZEROUPPER                                                             \
	RET

// The dot products of a block of columns go to DI: PAIRS those of groups of two columns,
// FOURS of four (of float32), in two vectors; VECTORS those of a vector each, in four;
// TWOVECTORS of two each, in eight. R15 walks row, DX the picked row.
#define PRODUCTSOFTWO \
	VMOVUPS (R15), Y0      \
	VMOVUPS 32(R15), Y1    \
	VMULP   (DX), Y0, Y0   \
	VMULP   32(DX), Y1, Y1 \
	VHADDP  Y1, Y0, Y0     \
	ADDQ    $64, R15       \
	ADDQ    $64, DX

#define PAIRS \
	PRODUCTSOFTWO         \
	VPERMPD $0xD8, Y0, Y0 \
	VMOVUPS Y0, (DI)      \
	ADDQ    $32, DI

#define FOURS \
	PRODUCTSOFTWO           \
	VHADDPS      Y0, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VUNPCKLPS    X1, X0, X0 \
	VMOVUPS      X0, (DI)   \
	ADDQ         $16, DI

#define VECTORS \
	VMOVUPS (R15), Y0      \
	VMOVUPS 32(R15), Y1    \
	VMOVUPS 64(R15), Y2    \
	VMOVUPS 96(R15), Y3    \
	VMULP   (DX), Y0, Y0   \
	VMULP   32(DX), Y1, Y1 \
	VMULP   64(DX), Y2, Y2 \
	VMULP   96(DX), Y3, Y3 \
	ADDQ    $128, R15      \
	ADDQ    $128, DX       \
	SUMS4

#define TWOVECTORS \
	VMOVUPS    (R15), Y0       \
	VMOVUPS    64(R15), Y1     \
	VMOVUPS    128(R15), Y2    \
	VMOVUPS    192(R15), Y3    \
	VMOVUPS    32(R15), Y4     \
	VMOVUPS    96(R15), Y5     \
	VMOVUPS    160(R15), Y6    \
	VMOVUPS    224(R15), Y7    \
	VMULP      (DX), Y0, Y0    \
	VMULP      64(DX), Y1, Y1  \
	VMULP      128(DX), Y2, Y2 \
	VMULP      192(DX), Y3, Y3 \
	VFMADD231P 32(DX), Y4, Y0  \
	VFMADD231P 96(DX), Y5, Y1  \
	VFMADD231P 160(DX), Y6, Y2 \
	VFMADD231P 224(DX), Y7, Y3 \
	ADDQ       $256, R15       \
	ADDQ       $256, DX        \
	SUMS4

// BLOCKS runs DOTS over all ids and blocks of columns, over BEGINDOTS' arguments; R13 is what ostride leaves
// behind the groups, shift the logarithm of columns a group, bytes those of a block.
#define BLOCKS(DOTS, shift, bytes) \
	BEGINDOTS                     \
	MOVQ       R12, AX            \
	SHRQ       $shift, AX         \
	SUBQ       AX, R13            \
	SHLQ       $SIZELOG, R13      \
	SHLQ       $SIZELOG, R12      \
	SHLQ       $SIZELOG, R8       \
	XORQ       AX, AX             \
id:                               \
	CMPQ       AX, R11            \
	JGE        near               \
	FETCH                         \
	FETCH1                        \
	CMPQ       R12, $128          \
	JLT        near               \
	FETCH4                        \
	CMPQ       R12, $512          \
	JLT        near               \
	PREFETCHT0 256(R15)           \
	PREFETCHT0 320(R15)           \
	PREFETCHT0 384(R15)           \
	PREFETCHT0 448(R15)           \
near:                             \
	ROW                           \
	INCQ       AX                 \
	MOVQ       BX, R15            \
	MOVQ       R12, CX            \
block:                            \
	DOTS                          \
	SUBQ       $bytes, CX         \
	JNE        block              \
	ADDQ       R13, DI            \
	CMPQ       AX, R10            \
	JLT        id                 \
	VZEROUPPER                    \
	RET

// LANEWISE leaves in y, lane by lane, the products of a group: R15 walks row, DX the picked
// row, R14 is bytes a group.
#define LANEWISE(more, next, y) \
	VMOVUPS    (R15), y    \
	VMULP      (DX), y, y  \
	MOVQ       R14, CX     \
	JMP        next        \
more:                      \
	VMOVUPS    (R15), Y8   \
	VFMADD231P (DX), Y8, y \
next:                      \
	ADDQ       $32, R15    \
	ADDQ       $32, DX     \
	SUBQ       $32, CX     \
	JNE        more

// ANYVECTORS has groups of any number of vectors, over arguments (out *T, ostride int, row
// *T, groups, group int, x *T, stride int, ids *int32, n, ahead int). The lanes of a group
// are added up pairwise, four groups at a time.
#define ANYVECTORS \
	MOVQ       out+0(FP), DI      \
	MOVQ       ostride+8(FP), R13 \
	MOVQ       row+16(FP), BX     \
	MOVQ       group+32(FP), R14  \
	MOVQ       x+40(FP), SI       \
	MOVQ       stride+48(FP), R8  \
	MOVQ       ids+56(FP), R9     \
	MOVQ       n+64(FP), R10      \
	SUBQ       groups+24(FP), R13 \
	SHLQ       $SIZELOG, R13      \
	SHLQ       $SIZELOG, R14      \
	SHLQ       $SIZELOG, R8       \
	MOVQ       ahead+72(FP), R11  \
	XORQ       AX, AX             \
id:                               \
	MOVQ       groups+24(FP), R12 \
	CMPQ       AX, R11            \
	JGE        near               \
	FETCH                         \
	FETCH2                        \
	CMPQ       R12, $6            \
	JLT        near               \
	PREFETCHT0 128(R15)           \
	PREFETCHT0 192(R15)           \
near:                             \
	ROW                           \
	INCQ       AX                 \
	MOVQ       BX, R15            \
	SUBQ       $4, R12            \
	JLT        single             \
four:                             \
	LANEWISE(more0, next0, Y0)    \
	LANEWISE(more1, next1, Y1)    \
	LANEWISE(more2, next2, Y2)    \
	LANEWISE(more3, next3, Y3)    \
	SUMS4                         \
	SUBQ       $4, R12            \
	JGE        four               \
single:                           \
	ADDQ       $4, R12            \
	JEQ        done               \
one:                              \
	LANEWISE(more, next, Y0)      \
	SUMS1                         \
	VMOVS      X0, (DI)           \
	ADDQ       $SIZE, DI          \
	DECQ       R12                \
	JNE        one                \
done:                             \
	ADDQ       R13, DI            \
	CMPQ       AX, R10            \
	JLT        id                 \
	VZEROUPPER                    \
	RET
