// Reductions, for both types: four chains of a register's lanes each, then one, then a
// masked tail; the lanes are merged pairwise at the end, so the order follows from the
// length alone.

#include "dots_amd64.h"
#include "ones_amd64.h"

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
	MOVQ x+0(FP), SI  \
	MOVQ n+8(FP), CX  \
	SHLQ $SIZELOG, CX \
	NUMBERS

// NUMBERS leaves in X0 the sum of the CX bytes at SI, which it moves.
#define NUMBERS \
	CLEARSUMS                 \
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
	ADDQ       CX, SI         \
done:                         \
	MERGE

// ROWSUMS adds to each number of acc the sum of its row's numbers, over arguments (acc, x *T,
// bounds *int32, rows int).
#define ROWSUMS \
	MOVQ     acc+0(FP), DI     \
	MOVQ     x+8(FP), SI       \
	MOVQ     bounds+16(FP), R9 \
	MOVQ     rows+24(FP), R10  \
	VPCMPEQD Y15, Y15, Y15     \
row:                           \
	EIGHTONES(one)             \
	EIGHT(ADDTO)               \
	JNE      row               \
	JMP      all               \
one:                           \
	MOVL     4(R9), CX         \
	SUBL     (R9), CX          \
	SHLQ     $SIZELOG, CX      \
	NUMBERS                    \
	VADDS    (DI), X0, X0      \
	VMOVS    X0, (DI)          \
	ADDQ     $SIZE, DI         \
	ADDQ     $4, R9            \
	DECQ     R10               \
	JNE      row               \
all:                           \
	VZEROUPPER                 \
	RET

#define ADDTO(at) \
	VMOVUPS at(SI), Y0     \
	VADDP   at(DI), Y0, Y0 \
	VMOVUPS Y0, at(DI)

// EACHDOT is the dot product of each row of a with that of b, over arguments (dst, a, b *T,
// rows, n int).
#define EACHDOT \
	MOVQ dst+0(FP), DI       \
	MOVQ a+8(FP), SI         \
	MOVQ b+16(FP), DX        \
	MOVQ rows+24(FP), R10    \
	MOVQ n+32(FP), R8        \
	SHLQ $SIZELOG, R8        \
	MOVQ R8, R9              \
	ANDQ $31, R9             \
	MOVQ R9, CX              \
	TAILMASK                 \
row:                         \
	MOVQ R8, CX              \
	PRODUCTS(SI, DX, MASKED) \
	ADDQ R9, SI              \
	ADDQ R9, DX              \
	VMOVS X0, (DI)           \
	ADDQ $SIZE, DI           \
	DECQ R10                 \
	JNE  row                 \
	VZEROUPPER               \
	RET

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
