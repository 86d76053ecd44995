// Groups of elements with one number each, such as the rows of a matrix with a column, for
// both types. A group is a multiple of 8 elements.

#include "types_amd64.h"

// FOUR, then ONE, vectors of x with the number in Y15.
#define FOUR(OP) \
	VMOVUPS (SI), Y0    \
	VMOVUPS 32(SI), Y1  \
	VMOVUPS 64(SI), Y2  \
	VMOVUPS 96(SI), Y3  \
	OP      Y15, Y0, Y0 \
	OP      Y15, Y1, Y1 \
	OP      Y15, Y2, Y2 \
	OP      Y15, Y3, Y3 \
	VMOVUPS Y0, (DI)    \
	VMOVUPS Y1, 32(DI)  \
	VMOVUPS Y2, 64(DI)  \
	VMOVUPS Y3, 96(DI)  \
	ADDQ    $128, SI    \
	ADDQ    $128, DI

#define ONE(OP) \
	VMOVUPS (SI), Y0    \
	OP      Y15, Y0, Y0 \
	VMOVUPS Y0, (DI)    \
	ADDQ    $32, SI     \
	ADDQ    $32, DI

#define GROUPS(OP, next, four, rest, one, end) \
	MOVQ        dst+0(FP), DI      \
	MOVQ        x+8(FP), SI        \
	MOVQ        y+16(FP), DX       \
	MOVQ        groups+24(FP), R10 \
	MOVQ        group+32(FP), R8   \
	SHLQ        $SIZELOG, R8       \
next:                              \
	VBROADCASTS (DX), Y15          \
	ADDQ        $SIZE, DX          \
	MOVQ        R8, CX             \
	SUBQ        $128, CX           \
	JLT         rest               \
four:                              \
	FOUR(OP)                       \
	SUBQ        $128, CX           \
	JGE         four               \
rest:                              \
	ADDQ        $128, CX           \
	JEQ         end                \
one:                               \
	ONE(OP)                        \
	SUBQ        $32, CX            \
	JNE         one                \
end:                               \
	DECQ        R10                \
	JNE         next               \
	VZEROUPPER                     \
	RET

// SETGROUPS writes the number of each group to all of it.
#define SETGROUPS(next, one) \
	MOVQ        dst+0(FP), DI      \
	MOVQ        y+8(FP), DX        \
	MOVQ        groups+16(FP), R10 \
	MOVQ        group+24(FP), R8   \
	SHLQ        $SIZELOG, R8       \
next:                              \
	VBROADCASTS (DX), Y15          \
	ADDQ        $SIZE, DX          \
	MOVQ        R8, CX             \
one:                               \
	VMOVUPS     Y15, (DI)          \
	ADDQ        $32, DI            \
	SUBQ        $32, CX            \
	JNE         one                \
	DECQ        R10                \
	JNE         next               \
	VZEROUPPER                     \
	RET
