// Reductions, for both types: four chains of a register's lanes each, then one, then a
// masked tail; the lanes are merged pairwise at the end, so the order follows from the
// length alone.

#include "dots_amd64.h"

NUMBER(sign<>, $0x80000000, $0x8000000000000000) // the sign bit

// DOT leaves in X0 the dot product, over arguments (a, b *T, n int).
#define DOT \
	MOVQ a+0(FP), SI           \
	MOVQ b+8(FP), DX           \
	MOVQ n+16(FP), CX          \
	SHLQ $SIZELOG, CX          \
	PRODUCTS(SI, DX, TAILMASK)

// SUM leaves in X0 the sum, over arguments (x *T, n int).
#define SUM \
	MOVQ       x+0(FP), SI    \
	MOVQ       n+8(FP), CX    \
	CLEARSUMS                 \
	SHLQ       $SIZELOG, CX   \
	SUBQ       $128, CX       \
	JLT        singles        \
loop4:                        \
	VADDP      (SI), Y0, Y0   \
	VADDP      32(SI), Y1, Y1 \
	VADDP      64(SI), Y2, Y2 \
	VADDP      96(SI), Y3, Y3 \
	ADDQ       $128, SI       \
	SUBQ       $128, CX       \
	JGE        loop4          \
singles:                      \
	ADDQ       $96, CX        \
	JLT        tail           \
loop1:                        \
	VADDP      (SI), Y0, Y0   \
	ADDQ       $32, SI        \
	SUBQ       $32, CX        \
	JGE        loop1          \
tail:                         \
	ADDQ       $32, CX        \
	JEQ        done           \
	TAILMASK                  \
	VMASKMOVPS (SI), Y12, Y4  \
	VADDP      Y4, Y1, Y1     \
done:                         \
	MERGE

// SUMS leaves in X0 a sum of terms, over arguments that begin with (x *T, n int): TERM
// changes an element, PUT adds it to acc. Lanes beyond the end are made 0 in between.
#define SUMS(TERM, PUT) \
	MOVQ       x+0(FP), SI   \
	MOVQ       n+8(FP), CX   \
	CLEARSUMS                \
	SHLQ       $SIZELOG, CX  \
	SUBQ       $128, CX      \
	JLT        singles       \
loop4:                       \
	VMOVUPS    (SI), Y4      \
	VMOVUPS    32(SI), Y5    \
	VMOVUPS    64(SI), Y6    \
	VMOVUPS    96(SI), Y7    \
	TERM(Y4)                 \
	TERM(Y5)                 \
	TERM(Y6)                 \
	TERM(Y7)                 \
	PUT(Y4, Y0)              \
	PUT(Y5, Y1)              \
	PUT(Y6, Y2)              \
	PUT(Y7, Y3)              \
	ADDQ       $128, SI      \
	SUBQ       $128, CX      \
	JGE        loop4         \
singles:                     \
	ADDQ       $96, CX       \
	JLT        tail          \
loop1:                       \
	VMOVUPS    (SI), Y4      \
	TERM(Y4)                 \
	PUT(Y4, Y0)              \
	ADDQ       $32, SI       \
	SUBQ       $32, CX       \
	JGE        loop1         \
tail:                        \
	ADDQ       $32, CX       \
	JEQ        done          \
	TAILMASK                 \
	VMASKMOVPS (SI), Y12, Y4 \
	TERM(Y4)                 \
	VANDPS     Y12, Y4, Y4   \
	PUT(Y4, Y1)              \
done:                        \
	MERGE

// The sign bit is in Y15.
#define MAGNITUDE(y) VANDNPS y, Y15, y
#define PLUS(y, acc) VADDP y, acc, acc

// The mean is in Y15.
#define DEVIATION(y) VSUBP Y15, y, y
#define SQUARED(y, acc) VFMADD231P y, y, acc
