// The dot product of two rows, for both types: four registers of sums at a time, then
// one, then a masked tail; the lanes are merged pairwise at the end, so the order follows
// from the length alone.

#include "types_amd64.h"

// CLEARSUMS begins four sums.
#define CLEARSUMS \
	VXORPS Y0, Y0, Y0 \
	VXORPS Y1, Y1, Y1 \
	VXORPS Y2, Y2, Y2 \
	VXORPS Y3, Y3, Y3

// MERGE folds the lanes of Y0..Y3 into the lowest lane of X0.
#define MERGE \
	VADDP Y1, Y0, Y0                    \
	VADDP Y3, Y2, Y2                    \
	VADDP Y2, Y0, Y0                    \
	FOLDLANES(VADDP, VADDS, Y0, X0, X1)

// TAILMASK sets Y12 to the mask of the CX bytes that are left.
#define TAILMASK \
	LEAQ    ·tailMask+32(SB), AX \
	SUBQ    CX, AX               \
	VMOVUPS (AX), Y12

// MASKED says that Y12 has the mask.
#define MASKED

// PRODUCTS leaves in X0 the dot product of the CX bytes at a and b, which it moves by whole
// vectors. MASK is TAILMASK, or MASKED.
#define PRODUCTS(a, b, MASK) \
	CLEARSUMS                \
	SUBQ       $128, CX      \
	JLT        singles       \
loop4:                       \
	VMOVUPS    (a), Y4       \
	VMOVUPS    32(a), Y5     \
	VMOVUPS    64(a), Y6     \
	VMOVUPS    96(a), Y7     \
	VFMADD231P (b), Y4, Y0   \
	VFMADD231P 32(b), Y5, Y1 \
	VFMADD231P 64(b), Y6, Y2 \
	VFMADD231P 96(b), Y7, Y3 \
	ADDQ       $128, a       \
	ADDQ       $128, b       \
	SUBQ       $128, CX      \
	JGE        loop4         \
singles:                     \
	ADDQ       $96, CX       \
	JLT        tail          \
loop1:                       \
	VMOVUPS    (a), Y4       \
	VFMADD231P (b), Y4, Y0   \
	ADDQ       $32, a        \
	ADDQ       $32, b        \
	SUBQ       $32, CX       \
	JGE        loop1         \
tail:                        \
	ADDQ       $32, CX       \
	JEQ        merge         \
	MASK                     \
	VMASKMOVPS (a), Y12, Y4  \
	VMASKMOVPS (b), Y12, Y5  \
	VFMADD231P Y5, Y4, Y1    \
merge:                       \
	MERGE
