// The largest and the smallest element, and where a value is first, for both types.

#include "loops_amd64.h"

NUMBER(infinity<>, $0x7F800000, $0x7FF0000000000000) // +Inf
NUMBER(minusInf<>, $0xFF800000, $0xFFF0000000000000) // -Inf
NUMBER(nan<>, $0x7FC00000, $0x7FF8000000000000)

// EXTREME leaves in X0 MaxOf or MinOf by the instructions M and MS, from START on, over
// arguments (x *T, n int). The instruction forgets NaN, so Y3 remembers which lanes saw
// one.
#define EXTREME(M, MS, START) \
	MOVQ       x+0(FP), SI          \
	MOVQ       n+8(FP), CX          \
	VMOVUPS    START, Y0            \
	VMOVAPS    Y0, Y1               \
	VMOVAPS    Y0, Y2               \
	VXORPS     Y3, Y3, Y3           \
	SHLQ       $SIZELOG, CX         \
	SUBQ       $64, CX              \
	JLT        single               \
loop2:                              \
	VMOVUPS    (SI), Y4             \
	VMOVUPS    32(SI), Y5           \
	VCMPP      $3, Y5, Y4, Y6       \
	M          Y4, Y0, Y0           \
	M          Y5, Y1, Y1           \
	VORPS      Y6, Y3, Y3           \
	ADDQ       $64, SI              \
	SUBQ       $64, CX              \
	JGE        loop2                \
single:                             \
	ADDQ       $32, CX              \
	JLT        tail                 \
	VMOVUPS    (SI), Y4             \
	VCMPP      $3, Y4, Y4, Y6       \
	M          Y4, Y0, Y0           \
	VORPS      Y6, Y3, Y3           \
	ADDQ       $32, SI              \
	SUBQ       $32, CX              \
tail:                               \
	ADDQ       $32, CX              \
	JEQ        done                 \
	LEAQ       ·tailMask+32(SB), AX \
	SUBQ       CX, AX               \
	VMOVUPS    (AX), Y12            \
	VMASKMOVPS (SI), Y12, Y4        \
	VBLENDVPS  Y12, Y4, Y2, Y4      \
	VCMPP      $3, Y4, Y4, Y6       \
	M          Y4, Y0, Y0           \
	VORPS      Y6, Y3, Y3           \
done:                               \
	M          Y1, Y0, Y0           \
	FOLDLANES(M, MS, Y0, X0, X1)    \
	VMOVMSKP   Y3, AX               \
	TESTL      AX, AX               \
	JEQ        ordered              \
	VMOVS      nan<>(SB), X0        \
ordered:

// INDEXOF leaves in BX the first index of v, in Y15, among the elements of arguments
// (x *T, n int) in whole registers, or else how many these are.
#define INDEXOF \
	MOVQ     x+0(FP), SI                \
	MOVQ     n+8(FP), CX                \
	XORQ     BX, BX                     \
	SUBQ     $VECTOR, CX                \
loop:                                   \
	CMPQ     BX, CX                     \
	JGT      done                       \
	VCMPP    $0, (SI)(BX*SIZE), Y15, Y0 \
	VMOVMSKP Y0, AX                     \
	ADDQ     $VECTOR, BX                \
	TESTL    AX, AX                     \
	JEQ      loop                       \
	BSFL     AX, AX                     \
	LEAQ     -VECTOR(BX)(AX*1), BX      \
done:
