//go:build amd64 && !noasm

// Sums and maxima of segments with AVX2, of up to 16 columns side by side: the accumulators of a row
// stay in one register or two.

#include "textflag.h"
#include "loops_amd64.h"

SPLAT(undefined<>, $0x7FC00000) // NaN

// A row's last columns fill a register, or Y15 is their mask.
#define FULLFROM(mem, y) VMOVUPS mem, y
#define FULLTO(y, mem) VMOVUPS y, mem
#define PARTFROM(mem, y) VMASKMOVPS mem, Y15, y
#define PARTTO(y, mem) VMASKMOVPS y, Y15, mem

#define MASK(columns) \
	LEAQ    ·tailMask+32(SB), AX \
	MOVQ    columns, CX          \
	SHLQ    $2, CX               \
	SUBQ    CX, AX               \
	VMOVUPS (AX), Y15

// LARGEST takes the numbers y into best; VMAXPS forgets NaN, so nan remembers where one was.
#define LARGEST(y, best, nan, t) \
	VCMPPS $3, y, y, t       \
	VMAXPS y, best, best     \
	VORPS  t, nan, nan

// TOTALS walks the rows of arguments (acc, x *float32, bounds *int32, rows, n int, more bool).
// BEGIN, STEP and END do a row's first numbers, those of a further edge at SI, and its result;
// they have them from SI, to DI.
#define TOTALS(BEGIN, STEP, END) \
	MOVQ    acc+0(FP), DI          \
	MOVQ    x+8(FP), SI            \
	MOVQ    bounds+16(FP), R9      \
	MOVQ    rows+24(FP), R10       \
	MOVQ    n+32(FP), R8           \
	MOVBQZX more+40(FP), R11       \
	SHLQ    $2, R8                 \
	VMOVUPS undefined<>(SB), Y14   \
row:                           \
	MOVL    4(R9), CX              \
	SUBL    (R9), CX               \
	ADDQ    $4, R9                 \
	TESTL   CX, CX                 \
	JEQ     next                   \
	TESTQ   R11, R11               \
	JNE     goeson                 \
	BEGIN(SI)                      \
	ADDQ    R8, SI                 \
	DECL    CX                     \
	JEQ     end                    \
	JMP     edge                   \
goeson:                        \
	BEGIN(DI)                      \
edge:                          \
	STEP                           \
	ADDQ    R8, SI                 \
	DECL    CX                     \
	JNE     edge                   \
end:                           \
	END                            \
next:                          \
	ADDQ    R8, DI                 \
	DECQ    R10                    \
	JNE     row                    \
	VZEROUPPER                     \
	RET

#define BEGIN1(LOAD, at) \
	LOAD((at), Y0)         \
	VCMPPS $3, Y0, Y0, Y2
#define STEP1(LOAD) \
	LOAD((SI), Y4)         \
	LARGEST(Y4, Y0, Y2, Y6)
#define END1(STORE) \
	VBLENDVPS Y2, Y14, Y0, Y0 \
	STORE(Y0, (DI))

#define BEGIN2(LOAD, at) \
	VMOVUPS (at), Y0       \
	LOAD(32(at), Y1)       \
	VCMPPS $3, Y0, Y0, Y2  \
	VCMPPS $3, Y1, Y1, Y3
#define STEP2(LOAD) \
	VMOVUPS (SI), Y4       \
	LOAD(32(SI), Y5)       \
	LARGEST(Y4, Y0, Y2, Y6) \
	LARGEST(Y5, Y1, Y3, Y7)
#define END2(STORE) \
	VBLENDVPS Y2, Y14, Y0, Y0 \
	VBLENDVPS Y3, Y14, Y1, Y1 \
	VMOVUPS Y0, (DI)       \
	STORE(Y1, 32(DI))

#define BEGINFULL1(at) BEGIN1(FULLFROM, at)
#define BEGINPART1(at) BEGIN1(PARTFROM, at)
#define BEGINFULL2(at) BEGIN2(FULLFROM, at)
#define BEGINPART2(at) BEGIN2(PARTFROM, at)

// Four columns are half of a register and two a quarter: a store by a mask takes four times as long.
#define QUARTERFROM(mem, x) VMOVSD mem, x
#define QUARTERTO(x, mem) VMOVSD x, mem
#define BEGINFEW(LOAD, at) \
	LOAD((at), X0) \
	VCMPPS $3, X0, X0, X2
#define STEPFEW(LOAD) \
	LOAD((SI), X4) \
	LARGEST(X4, X0, X2, X6)
#define ENDFEW(STORE) \
	VBLENDVPS X2, X14, X0, X0 \
	STORE(X0, (DI))
#define BEGINHALF(at) BEGINFEW(FULLFROM, at)
#define BEGINQUARTER(at) BEGINFEW(QUARTERFROM, at)

// func segmentMax2AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentMax2AVX2(SB), NOSPLIT, $0-41
	TOTALS(BEGINQUARTER, STEPFEW(QUARTERFROM), ENDFEW(QUARTERTO))

// func segmentMax4AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentMax4AVX2(SB), NOSPLIT, $0-41
	TOTALS(BEGINHALF, STEPFEW(FULLFROM), ENDFEW(FULLTO))

// func segmentMax8AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentMax8AVX2(SB), NOSPLIT, $0-41
	TOTALS(BEGINFULL1, STEP1(FULLFROM), END1(FULLTO))

// func segmentMaxTo8AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentMaxTo8AVX2(SB), NOSPLIT, $0-41
	MASK(n+32(FP))
	TOTALS(BEGINPART1, STEP1(PARTFROM), END1(PARTTO))

// func segmentMax16AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentMax16AVX2(SB), NOSPLIT, $0-41
	TOTALS(BEGINFULL2, STEP2(FULLFROM), END2(FULLTO))

// func segmentMaxTo16AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentMaxTo16AVX2(SB), NOSPLIT, $0-41
	MOVQ n+32(FP), BX
	SUBQ $8, BX
	MASK(BX)
	TOTALS(BEGINPART2, STEP2(PARTFROM), END2(PARTTO))

// Sums go on from what acc has: more is true.
#define SUMFROM1(LOAD, at) LOAD((at), Y0)
#define ADDEND1(LOAD) \
	LOAD((SI), Y4)     \
	VADDPS Y4, Y0, Y0
#define SUMTO1(STORE) STORE(Y0, (DI))

#define SUMFROM2(LOAD, at) \
	VMOVUPS (at), Y0 \
	LOAD(32(at), Y1)
#define ADDEND2(LOAD) \
	LOAD(32(SI), Y5)    \
	VADDPS (SI), Y0, Y0 \
	VADDPS Y5, Y1, Y1
#define SUMTO2(STORE) \
	VMOVUPS Y0, (DI)  \
	STORE(Y1, 32(DI))

#define SUMFULL1(at) SUMFROM1(FULLFROM, at)
#define SUMPART1(at) SUMFROM1(PARTFROM, at)
#define SUMFULL2(at) SUMFROM2(FULLFROM, at)
#define SUMPART2(at) SUMFROM2(PARTFROM, at)

#define SUMFEW(LOAD, at) LOAD((at), X0)
#define ADDFEW(LOAD) \
	LOAD((SI), X4) \
	VADDPS X4, X0, X0
#define SUMQUARTER(at) SUMFEW(QUARTERFROM, at)
#define SUMHALF(at) SUMFEW(FULLFROM, at)

// func segmentSum2AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentSum2AVX2(SB), NOSPLIT, $0-41
	TOTALS(SUMQUARTER, ADDFEW(QUARTERFROM), QUARTERTO(X0, (DI)))

// func segmentSum4AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentSum4AVX2(SB), NOSPLIT, $0-41
	TOTALS(SUMHALF, ADDFEW(FULLFROM), FULLTO(X0, (DI)))

// func segmentSum8AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentSum8AVX2(SB), NOSPLIT, $0-41
	TOTALS(SUMFULL1, ADDEND1(FULLFROM), SUMTO1(FULLTO))

// func segmentSumTo8AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentSumTo8AVX2(SB), NOSPLIT, $0-41
	MASK(n+32(FP))
	TOTALS(SUMPART1, ADDEND1(PARTFROM), SUMTO1(PARTTO))

// func segmentSum16AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentSum16AVX2(SB), NOSPLIT, $0-41
	TOTALS(SUMFULL2, ADDEND2(FULLFROM), SUMTO2(FULLTO))

// func segmentSumTo16AVX2(acc, x *float32, bounds *int32, rows, n int, more bool)
TEXT ·segmentSumTo16AVX2(SB), NOSPLIT, $0-41
	MOVQ n+32(FP), BX
	SUBQ $8, BX
	MASK(BX)
	TOTALS(SUMPART2, ADDEND2(PARTFROM), SUMTO2(PARTTO))
