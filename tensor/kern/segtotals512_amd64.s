//go:build amd64 && !noasm

// Sums and maxima of segments with AVX-512: of one column, and of up to 16 side by side.

#include "textflag.h"
#include "loops_amd64.h"
#include "vec512_amd64.h"
#include "alone512_amd64.h"

SPLAT(lowest<>, $0xFF800000)     // -Inf
SPLAT(undefined<>, $0x7FC00000)  // NaN

// WALK runs ROW over the rows of arguments (acc, x *float32, bounds *int32, rows, …): with
// DI at acc, SI at x and CX edges, at least one, until SI is at the next row's.
#define WALK(STEP, ROW) \
	MOVQ acc+0(FP), DI    \
	MOVQ x+8(FP), SI      \
	MOVQ bounds+16(FP), R9 \
	MOVQ rows+24(FP), R10 \
row:                    \
	MOVL 4(R9), CX        \
	SUBL (R9), CX         \
	ADDQ $4, R9           \
	TESTL CX, CX          \
	JEQ  next             \
	ROW                   \
next:                   \
	ADDQ STEP, DI         \
	DECQ R10              \
	JNE  row              \
	VZEROUPPER            \
	RET

// ADDUP and LARGEST take the lanes of y that the mask k has into Z0; LARGEST
// remembers in K3 where there was NaN, which VMAXPS forgets.
#define ADDUP(mem, k) VADDPS mem, Z0, k, Z0
#define LARGEST(mem, k) \
	VMOVUPS mem, k, Z1      \
	VCMPPS  $3, Z1, Z1, k, K4 \
	VMAXPS  Z0, Z1, k, Z0   \
	KORW    K4, K3, K3

// ONES takes a row's numbers 16 at a time.
#define ONES(OP) \
	SUBQ $16, CX           \
	JLT  tail              \
loop16:                  \
	OP((SI), K7)           \
	ADDQ $64, SI           \
	SUBQ $16, CX           \
	JGE  loop16            \
tail:                    \
	ADDQ $16, CX           \
	JEQ  merge             \
	TAILMASK               \
	OP((SI), K2)           \
	LEAQ (SI)(CX*4), SI    \
merge:

#define SUMROW \
	VXORPS X0, X0, X0      \
	CMPL   CX, $1          \
	JNE    several         \
	EACHONE(several)       \
	VADDPS  (SI), Z0, Z0   \
	VADDPS  (DI), Z0, Z0   \
	VMOVUPS Z0, (DI)       \
	ADDQ $64, SI           \
	ADDQ $60, DI           \
	ADDQ $60, R9           \
	SUBQ $15, R10          \
	JMP  next              \
several:                 \
	ONES(ADDUP)            \
	HALVE(VADDPS, VADDSS)  \
	VADDSS (DI), X0, X0    \
	VMOVSS X0, (DI)

// A row that goes on starts with what it has, which R11 tells.
#define MAXROW \
	KXORW   K3, K3, K3     \
	VMOVAPS Z30, Z0        \
	TESTQ   R11, R11       \
	JEQ     fresh          \
	LARGEST((DI), K6)      \
fresh:                   \
	ONES(LARGEST)          \
	HALVE(VMAXPS, VMAXSS)  \
	KORTESTW K3, K3        \
	JEQ     ordered        \
	VMOVAPS Z31, Z0        \
ordered:                 \
	VMOVSS  X0, (DI)

// Rows of n columns: R8 bytes, K1 their mask.
#define COLUMNS16 \
	MOVQ  n+32(FP), CX \
	MOVQ  CX, R8       \
	SHLQ  $2, R8       \
	MOVL  $1, AX       \
	SHLL  CX, AX       \
	DECL  AX           \
	KMOVW AX, K1

#define SUMCOLUMNS \
	VMOVUPS.Z (DI), K1, Z0 \
edge:                    \
	ADDUP((SI), K1)        \
	ADDQ    R8, SI         \
	DECL    CX             \
	JNE     edge           \
	VMOVUPS Z0, K1, (DI)

#define MAXCOLUMNS \
	KXORW   K3, K3, K3     \
	VMOVAPS Z30, Z0        \
	TESTQ   R11, R11       \
	JEQ     edge           \
	LARGEST((DI), K1)      \
edge:                    \
	LARGEST((SI), K1)      \
	ADDQ    R8, SI         \
	DECL    CX             \
	JNE     edge           \
	VMOVAPS Z31, K3, Z0    \
	VMOVUPS Z0, K1, (DI)

// func segmentSumOnesAVX512(acc, x *float32, bounds *int32, rows int)
TEXT ·segmentSumOnesAVX512(SB), NOSPLIT, $0-32
	KXNORW K7, K7, K7
	WALK($4, SUMROW)

// func segmentMaxOnesAVX512(acc, x *float32, bounds *int32, rows int, more bool)
TEXT ·segmentMaxOnesAVX512(SB), NOSPLIT, $0-33
	MOVBQZX more+32(FP), R11
	KXNORW K7, K7, K7
	MOVL    $1, AX
	KMOVW   AX, K6
	VMOVUPS lowest<>(SB), Z30
	VMOVUPS undefined<>(SB), Z31
	WALK($4, MAXROW)

// func segmentSumColumnsAVX512(acc, x *float32, bounds *int32, rows, n int)
TEXT ·segmentSumColumnsAVX512(SB), NOSPLIT, $0-40
	COLUMNS16
	WALK(R8, SUMCOLUMNS)

// func segmentMaxColumnsAVX512(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentMaxColumnsAVX512(SB), NOSPLIT, $0-41
	COLUMNS16
	MOVBQZX more+40(FP), R11
	VMOVUPS lowest<>(SB), Z30
	VMOVUPS undefined<>(SB), Z31
	WALK(R8, MAXCOLUMNS)
