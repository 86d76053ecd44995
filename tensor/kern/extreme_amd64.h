// The largest and the smallest element, and where a value is first, for both types.

#include "loops_amd64.h"
#include "ones_amd64.h"

NUMBER(infinity<>, $0x7F800000, $0x7FF0000000000000) // +Inf
NUMBER(minusInf<>, $0xFF800000, $0xFFF0000000000000) // -Inf
NUMBER(nan<>, $0x7FC00000, $0x7FF8000000000000)

// EXTREME leaves in X0 MaxOf or MinOf by the instructions M and MS, from START on, over
// arguments (x *T, n int).
#define EXTREME(M, MS, START) \
	MOVQ x+0(FP), SI  \
	MOVQ n+8(FP), CX  \
	SHLQ $SIZELOG, CX \
	FURTHEST(M, MS, START)

// FURTHEST does so of the CX bytes at SI, which it moves by whole vectors; CX are those behind
// these. The instruction forgets NaN, so Y3 remembers which lanes saw one.
#define FURTHEST(M, MS, START) \
	VMOVUPS    START, Y0            \
	VMOVAPS    Y0, Y1               \
	VMOVAPS    Y0, Y2               \
	VXORPS     Y3, Y3, Y3           \
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

// ROWMAXIMA gives acc the largest number of each row that has some, and of what acc has if
// there is more, over arguments (acc, x *T, bounds *int32, rows int, more bool).
#define ROWMAXIMA \
	MOVQ     acc+0(FP), DI                 \
	MOVQ     x+8(FP), SI                   \
	MOVQ     bounds+16(FP), R9             \
	MOVQ     rows+24(FP), R10              \
	MOVBQZX  more+32(FP), R11              \
	VPCMPEQD Y15, Y15, Y15                 \
	VMOVUPS  nan<>(SB), Y14                \
row:                                       \
	EIGHTONES(one)                         \
	TESTL    R11, R11                      \
	JNE      further                       \
	EIGHT(COPYOF)                          \
	JNE      row                           \
	JMP      all                           \
further:                                   \
	EIGHT(LARGEROF)                        \
	JNE      row                           \
	JMP      all                           \
one:                                       \
	MOVL     4(R9), CX                     \
	SUBL     (R9), CX                      \
	JEQ      next                          \
	SHLQ     $SIZELOG, CX                  \
	FURTHEST(VMAXP, VMAXS, minusInf<>(SB)) \
	ADDQ     CX, SI                        \
	TESTL    R11, R11                      \
	JEQ      only                          \
	VMOVS    (DI), X1                      \
	LARGER(X1, X0, X2, X14)                \
only:                                      \
	VMOVS    X0, (DI)                      \
next:                                      \
	ADDQ     $SIZE, DI                     \
	ADDQ     $4, R9                        \
	DECQ     R10                           \
	JNE      row                           \
all:                                       \
	VZEROUPPER                             \
	RET

#define LARGEROF(at) \
	VMOVUPS at(SI), Y0      \
	VMOVUPS at(DI), Y1      \
	LARGER(Y1, Y0, Y2, Y14) \
	VMOVUPS Y0, at(DI)

// LARGER makes y the larger of x and y, or NaN if one is; t is scratch.
#define LARGER(x, y, t, NaN) \
	VCMPP     $3, x, y, t \
	VMAXP     x, y, y     \
	VBLENDVPS t, NaN, y, y

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
