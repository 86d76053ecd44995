// Reductions, for both types: four chains of vectors, then one, then a masked tail; the lanes
// are merged pairwise at the end, so the order follows from the length alone.

#include "loops_amd64.h"

NUMBER(sign<>, $0x80000000, $0x8000000000000000) // the sign bit

// MERGE folds the lanes of Y0..Y3 into the lowest lane of X0.
#define MERGE \
	VADDP Y1, Y0, Y0                    \
	VADDP Y3, Y2, Y2                    \
	VADDP Y2, Y0, Y0                    \
	FOLDLANES(VADDP, VADDS, Y0, X0, X1)

// DOT has arguments (a, b *T, n int).
#define DOT \
	MOVQ       a+0(FP), SI          \
	MOVQ       b+8(FP), DX          \
	MOVQ       n+16(FP), CX         \
	VXORPS     Y0, Y0, Y0           \
	VXORPS     Y1, Y1, Y1           \
	VXORPS     Y2, Y2, Y2           \
	VXORPS     Y3, Y3, Y3           \
	SHLQ       $SIZELOG, CX         \
	SUBQ       $128, CX             \
	JLT        singles              \
loop4:                              \
	VMOVUPS    (SI), Y4             \
	VMOVUPS    32(SI), Y5           \
	VMOVUPS    64(SI), Y6           \
	VMOVUPS    96(SI), Y7           \
	VFMADD231P (DX), Y4, Y0         \
	VFMADD231P 32(DX), Y5, Y1       \
	VFMADD231P 64(DX), Y6, Y2       \
	VFMADD231P 96(DX), Y7, Y3       \
	ADDQ       $128, SI             \
	ADDQ       $128, DX             \
	SUBQ       $128, CX             \
	JGE        loop4                \
singles:                            \
	ADDQ       $96, CX              \
	JLT        tail                 \
loop1:                              \
	VMOVUPS    (SI), Y4             \
	VFMADD231P (DX), Y4, Y0         \
	ADDQ       $32, SI              \
	ADDQ       $32, DX              \
	SUBQ       $32, CX              \
	JGE        loop1                \
tail:                               \
	ADDQ       $32, CX              \
	JEQ        done                 \
	LEAQ       ·tailMask+32(SB), AX \
	SUBQ       CX, AX               \
	VMOVUPS    (AX), Y12            \
	VMASKMOVPS (SI), Y12, Y4        \
	VMASKMOVPS (DX), Y12, Y5        \
	VFMADD231P Y5, Y4, Y1           \
done:                               \
	MERGE

// SUM has arguments (x *T, n int).
#define SUM \
	MOVQ       x+0(FP), SI          \
	MOVQ       n+8(FP), CX          \
	VXORPS     Y0, Y0, Y0           \
	VXORPS     Y1, Y1, Y1           \
	VXORPS     Y2, Y2, Y2           \
	VXORPS     Y3, Y3, Y3           \
	SHLQ       $SIZELOG, CX         \
	SUBQ       $128, CX             \
	JLT        singles              \
loop4:                              \
	VADDP      (SI), Y0, Y0         \
	VADDP      32(SI), Y1, Y1       \
	VADDP      64(SI), Y2, Y2       \
	VADDP      96(SI), Y3, Y3       \
	ADDQ       $128, SI             \
	SUBQ       $128, CX             \
	JGE        loop4                \
singles:                            \
	ADDQ       $96, CX              \
	JLT        tail                 \
loop1:                              \
	VADDP      (SI), Y0, Y0         \
	ADDQ       $32, SI              \
	SUBQ       $32, CX              \
	JGE        loop1                \
tail:                               \
	ADDQ       $32, CX              \
	JEQ        done                 \
	LEAQ       ·tailMask+32(SB), AX \
	SUBQ       CX, AX               \
	VMOVUPS    (AX), Y12            \
	VMASKMOVPS (SI), Y12, Y4        \
	VADDP      Y4, Y1, Y1           \
done:                               \
	MERGE

// SUMS is the loop of a sum of terms: TERM changes an element, PUT adds it to acc.
// Lanes beyond the end are made 0 in between. x is in SI, n in CX.
#define SUMS(TERM, PUT) \
	VXORPS     Y0, Y0, Y0           \
	VXORPS     Y1, Y1, Y1           \
	VXORPS     Y2, Y2, Y2           \
	VXORPS     Y3, Y3, Y3           \
	SHLQ       $SIZELOG, CX         \
	SUBQ       $128, CX             \
	JLT        singles              \
loop4:                              \
	VMOVUPS    (SI), Y4             \
	VMOVUPS    32(SI), Y5           \
	VMOVUPS    64(SI), Y6           \
	VMOVUPS    96(SI), Y7           \
	TERM(Y4)                        \
	TERM(Y5)                        \
	TERM(Y6)                        \
	TERM(Y7)                        \
	PUT(Y4, Y0)                     \
	PUT(Y5, Y1)                     \
	PUT(Y6, Y2)                     \
	PUT(Y7, Y3)                     \
	ADDQ       $128, SI             \
	SUBQ       $128, CX             \
	JGE        loop4                \
singles:                            \
	ADDQ       $96, CX              \
	JLT        tail                 \
loop1:                              \
	VMOVUPS    (SI), Y4             \
	TERM(Y4)                        \
	PUT(Y4, Y0)                     \
	ADDQ       $32, SI              \
	SUBQ       $32, CX              \
	JGE        loop1                \
tail:                               \
	ADDQ       $32, CX              \
	JEQ        done                 \
	LEAQ       ·tailMask+32(SB), AX \
	SUBQ       CX, AX               \
	VMOVUPS    (AX), Y12            \
	VMASKMOVPS (SI), Y12, Y4        \
	TERM(Y4)                        \
	VANDPS     Y12, Y4, Y4          \
	PUT(Y4, Y1)                     \
done:                               \
	MERGE

#define MAGNITUDE(y) VANDNPS y, Y15, y
#define PLUS(y, acc) VADDP y, acc, acc
#define DEVIATION(y) VSUBP Y15, y, y
#define SQUARED(y, acc) VFMADD231P y, y, acc
