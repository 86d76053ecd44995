//go:build amd64 && !noasm

// Rectified sums of picked rows and the row's own, with AVX2: what a row has stays in
// registers while its edges pass, a block of columns at a time.

#include "textflag.h"
#include "gather_amd64.h"

// The registers of a block of 1, 2, 4 or 8 vectors, with what is done with each.
#define ON1(OP) OP(0, Y0, Y8)
#define ON2(OP) \
	ON1(OP)          \
	OP(32, Y1, Y9)
#define ON4(OP) \
	ON2(OP)          \
	OP(64, Y2, Y10)  \
	OP(96, Y3, Y11)
#define ON8(OP) \
	ON4(OP)          \
	OP(128, Y4, Y8)  \
	OP(160, Y5, Y9)  \
	OP(192, Y6, Y10) \
	OP(224, Y7, Y11)

#define OWN(at, own, t) VMOVUPS at(BX), own

// RECTIFIED is max(0, sum), and the sum where that is NaN.
#define RECTIFIED(at, own, t) \
	VADDPS  at(DX), own, t \
	VMAXPS  t, Y15, t      \
	VMOVUPS t, at(DI)

#define FETCHTWO \
	FETCH            \
	PREFETCHT0 (R15)
#define FETCHFOUR \
	FETCHTWO           \
	PREFETCHT0 64(R15)
#define FETCHEIGHT \
	FETCHFOUR           \
	PREFETCHT0 128(R15) \
	PREFETCHT0 192(R15)

// RECTIFY walks the rows of arguments (dst, x, own *float32, stride int, ids, bounds *int32,
// rows, ahead int), all at the block's columns.
#define RECTIFY(ON, PREFETCHED) \
	MOVQ    dst+0(FP), DI     \
	MOVQ    x+8(FP), SI       \
	MOVQ    own+16(FP), BX    \
	MOVQ    stride+24(FP), R8 \
	MOVQ    ids+32(FP), R9    \
	MOVQ    bounds+40(FP), R10 \
	MOVQ    rows+48(FP), R12  \
	MOVQ    ahead+56(FP), R11 \
	SHLQ    $2, R8            \
	VXORPS  Y15, Y15, Y15     \
	MOVLQSX (R10), AX         \
	MOVQ    AX, CX            \
	IMULQ   R8, CX            \
	ADDQ    CX, DI            \
row:                      \
	ADDQ    $4, R10           \
	MOVLQSX (R10), R13        \
	CMPQ    AX, R13           \
	JGE     next              \
	ON(OWN)                   \
	MOVQ    R11, R14          \
	CMPQ    R14, R13          \
	CMOVQGT R13, R14          \
	CMPQ    AX, R14           \
	JGE     rest              \
near:                     \
	PREFETCHED                \
	ROW                       \
	ON(RECTIFIED)             \
	ADDQ    R8, DI            \
	INCQ    AX                \
	CMPQ    AX, R14           \
	JLT     near              \
	CMPQ    AX, R13           \
	JGE     next              \
rest:                     \
	ROW                       \
	ON(RECTIFIED)             \
	ADDQ    R8, DI            \
	INCQ    AX                \
	CMPQ    AX, R13           \
	JLT     rest              \
next:                     \
	ADDQ    R8, BX            \
	DECQ    R12               \
	JNE     row               \
	VZEROUPPER                \
	RET

// func segmentAddReLU8AVX2(dst, x, own *float32, stride int, ids, bounds *int32, rows, ahead int)
TEXT ·segmentAddReLU8AVX2(SB), NOSPLIT, $0-64
	RECTIFY(ON1, FETCHTWO)

// func segmentAddReLU16AVX2(dst, x, own *float32, stride int, ids, bounds *int32, rows, ahead int)
TEXT ·segmentAddReLU16AVX2(SB), NOSPLIT, $0-64
	RECTIFY(ON2, FETCHTWO)

// func segmentAddReLU32AVX2(dst, x, own *float32, stride int, ids, bounds *int32, rows, ahead int)
TEXT ·segmentAddReLU32AVX2(SB), NOSPLIT, $0-64
	RECTIFY(ON4, FETCHFOUR)

// func segmentAddReLU64AVX2(dst, x, own *float32, stride int, ids, bounds *int32, rows, ahead int)
TEXT ·segmentAddReLU64AVX2(SB), NOSPLIT, $0-64
	RECTIFY(ON8, FETCHEIGHT)
