//go:build amd64 && !noasm

// Attention with several scores an edge, its heads, with AVX-512: forward, exponentials are of the
// distance from a reference, which is a head's first score until another one is much larger; then what
// was summed up is scaled (as in the online softmax of FlashAttention, Dao et al. 2022). In the end
// all is made relative to the largest score.
//
// Every head has a reference, a largest score and sums of its own. Rows are cut into parts
// of 2, 4 or 8 heads and 16, 32, 64 or 128 columns, one after another.
//
// The scores of 16 edges are several vectors, edge by edge and head by head:
// first the scores, of which one vector does not wait for another, then their exponentials,
// then the edges' rows. Numbers of vertices are read where they lie, prefetched like rows.

#include "go_asm.h"
#include "textflag.h"
#include "loops_amd64.h"
#include "lanes_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "scores512_amd64.h"
#include "full512_amd64.h"
#include "walk512_amd64.h"
#include "attendheads512_amd64.h"

// Registers besides those of attendheads512_amd64.h:
//   R8 the end of the row's edges   R12 weights of an edge, or scores   R13 bytes to the row's
//   numbers   Z4 to Z7 where heads that share a vector have their weights   Z20 the largest scores
//   Z22 the largest of the block   Z25 the sums of exponentials   Z26 the second sums
//   Z27 the row's own numbers   Z28, Z29 weights   K2 a vector's lanes   K3 where scores are
//   NaN   K7 a row's numbers

// Scores and weights of 16 edges are in scratch, the second weights so many bytes further.
#define apart 512
#define factors 0(SP)
#define begin 64(SP)

// The heads of a row whose lane 4h, or 8h in two vectors, is head h's.
DATA fourths<>+0(SB)/4, $0
DATA fourths<>+4(SB)/4, $4
DATA fourths<>+8(SB)/4, $8
DATA fourths<>+12(SB)/4, $12
DATA fourths<>+16(SB)/4, $16
DATA fourths<>+20(SB)/4, $20
DATA fourths<>+24(SB)/4, $24
DATA fourths<>+28(SB)/4, $28
DATA fourths<>+32(SB)/8, $0
DATA fourths<>+40(SB)/8, $0
DATA fourths<>+48(SB)/8, $0
DATA fourths<>+56(SB)/8, $0
GLOBL fourths<>(SB), RODATA|NOPTR, $64

// Those whose lane 2h is head h's.
DATA seconds<>+0(SB)/4, $0
DATA seconds<>+4(SB)/4, $2
DATA seconds<>+8(SB)/4, $4
DATA seconds<>+12(SB)/4, $6
DATA seconds<>+16(SB)/4, $8
DATA seconds<>+20(SB)/4, $10
DATA seconds<>+24(SB)/4, $12
DATA seconds<>+28(SB)/4, $14
DATA seconds<>+32(SB)/8, $0
DATA seconds<>+40(SB)/8, $0
DATA seconds<>+48(SB)/8, $0
DATA seconds<>+56(SB)/8, $0
GLOBL seconds<>(SB), RODATA|NOPTR, $64

// BEGIN sets what does not change. Where a vector has several heads, of 1<<log columns, the
// lanes of Z4 are their numbers, and those of Z5 to Z7 those of the vectors that follow.
#define BEGIN(heads, log) \
	START                             \
	VPSRLD  $log, lanes<>(SB), Z4     \
	VPTERNLOGD $0xFF, Z5, Z5, Z5      \
	VPSLLD  $(4-log), Z5, Z5          \
	VPSUBD  Z5, Z4, Z5                \
	VPSUBD  Z4, Z5, Z6                \
	VPADDD  Z5, Z6, Z6                \
	VPSUBD  Z4, Z6, Z7                \
	VPADDD  Z5, Z7, Z7                \
	MOVL    $((1<<heads)-1), DX       \
	KMOVW   DX, K7                    \
	XORQ    R13, R13

// Several heads' numbers in mem, in each edge's lanes.
#define SPREAD2(mem, y) VBROADCASTSD mem, y
#define SPREAD4(mem, y) VBROADCASTF32X4 mem, y
#define SPREAD8(mem, y) VBROADCASTF32X8 mem, y

// ACROSS leaves in each edge's lanes what OP, commutative, makes of all; t is free.
#define ACROSS8(OP, x, t) \
	VSHUFF64X2 $0x4E, x, x, t \
	OP         t, x, x
#define ACROSS4(OP, x, t) \
	ACROSS8(OP, x, t)         \
	VSHUFF64X2 $0xB1, x, x, t \
	OP         t, x, x
#define ACROSS2(OP, x, t) \
	ACROSS4(OP, x, t)         \
	VPERMILPS  $0x4E, x, t    \
	OP         t, x, x

// BLOCK begins with the next 16 edges of the row, or as many as there are.
#define BLOCK \
	MOVQ    AX, begin    \
	LEAQ    16(AX), BX   \
	CMPQ    BX, R8       \
	CMOVQGT R8, BX       \
	MOVQ    attending_scratch(CX), R12

// MASKED makes K2 the mask of the lanes of the block's edges from AX on, which have 1<<shift
// each.
#define MASKED(shift) \
	MOVQ    BX, DX        \
	SUBQ    AX, DX        \
	SHLQ    $shift, DX    \
	VPBROADCASTD DX, Z16  \
	VPCMPUD $6, lanes<>(SB), Z16, K2

// NEXTVECTOR goes on with the vector after that at R12, back to the label if there is one.
#define NEXTVECTOR(shift, label) \
	ADDQ $64, R12              \
	ADDQ $(1<<(4-shift)), AX   \
	CMPQ AX, BX                \
	JLT  label                 \
	MOVQ begin, AX

// WALK adds the block's edges to sums, with PICK beside.
#define WALK(PARTS, LINES, EDGE) \
	MOVQ    attending_ahead(CX), R11 \
	CMPQ    R11, BX   \
	CMOVQGT BX, R11   \
	MOVQ    attending_scratch(CX), R12 \
	EACHOF(PICK(PARTS, LINES, PREFETCHT1), PICK(PARTS, LINES, PREFETCHT0), EDGE, R11, attending_first(CX), ahead, aheadFirst, last, rest, taken)

// VERTEX points DX at the numbers of a vertex.
#define VERTEX(id) \
	MOVLQSX id, DX                \
	IMULQ   attending_pickBytes(CX), DX \
	ADDQ    R14, DX

// EDGES does FIRST and NEXT, or EVEN and ODD, for the edges of a vector, each with DX at
// the numbers of an edge's vertex; for those beyond the block the last one.
#define NTH(n) \
	LEAQ    n(AX), R11 \
	CMPQ    R11, BX    \
	CMOVQGT BX, R11    \
	VERTEX((R9)(R11*4))
#define EDGES8(FIRST, NEXT) \
	DECQ BX            \
	VERTEX((R9)(AX*4)) \
	FIRST              \
	NTH(1)             \
	NEXT               \
	INCQ BX
#define EDGES4(FIRST, NEXT) \
	DECQ BX            \
	VERTEX((R9)(AX*4)) \
	FIRST              \
	NTH(1)             \
	NEXT(1)            \
	NTH(2)             \
	NEXT(2)            \
	NTH(3)             \
	NEXT(3)            \
	INCQ BX
#define EDGES2(EVEN, ODD) \
	DECQ BX            \
	VERTEX((R9)(AX*4)) \
	EVEN               \
	NTH(1)             \
	ODD(0)             \
	NTH(2)             \
	EVEN               \
	NTH(3)             \
	ODD(1)             \
	NTH(4)             \
	EVEN               \
	NTH(5)             \
	ODD(2)             \
	NTH(6)             \
	EVEN               \
	NTH(7)             \
	ODD(3)             \
	INCQ BX

// SCORES are what is picked of a vector's edges, in Z16.
#define SCORES8 EDGES8(SCORE8, SCORE8NEXT)
#define SCORE8 VMOVUPS (DX), Y16
#define SCORE8NEXT VINSERTF32X8 $1, (DX), Z16, Z16
#define SCORES4 EDGES4(SCORE4, SCORE4NEXT)
#define SCORE4 VMOVUPS (DX), X16
#define SCORE4NEXT(n) VINSERTF32X4 $n, (DX), Z16, Z16
#define SCORES2 EDGES2(SCORE2, SCORE2NEXT)
#define SCORE2 VMOVSD (DX), X17
#define SCORE2NEXT(n) \
	VMOVHPS (DX), X17, X17 \
	VINSERTF32X4 $n, X17, Z16, Z16

// PARTS are four numbers a head, in Z16, Z19, Z20 and Z21.
#define PART ADDQ attending_partBytes(CX), DX
#define PARTS8 EDGES8(PARTS8FIRST, PARTS8NEXT)
#define PARTS8FIRST \
	VMOVUPS (DX), Y16 \
	PART              \
	VMOVUPS (DX), Y19 \
	PART              \
	VMOVUPS (DX), Y20 \
	PART              \
	VMOVUPS (DX), Y21
#define PARTS8NEXT \
	VINSERTF32X8 $1, (DX), Z16, Z16 \
	PART                            \
	VINSERTF32X8 $1, (DX), Z19, Z19 \
	PART                            \
	VINSERTF32X8 $1, (DX), Z20, Z20 \
	PART                            \
	VINSERTF32X8 $1, (DX), Z21, Z21
#define PARTS4 EDGES4(PARTS4FIRST, PARTS4NEXT)
#define PARTS4FIRST \
	VMOVUPS (DX), X16 \
	PART              \
	VMOVUPS (DX), X19 \
	PART              \
	VMOVUPS (DX), X20 \
	PART              \
	VMOVUPS (DX), X21
#define PARTS4NEXT(n) \
	VINSERTF32X4 $n, (DX), Z16, Z16 \
	PART                            \
	VINSERTF32X4 $n, (DX), Z19, Z19 \
	PART                            \
	VINSERTF32X4 $n, (DX), Z20, Z20 \
	PART                            \
	VINSERTF32X4 $n, (DX), Z21, Z21
#define PARTS2 EDGES2(PARTS2EVEN, PARTS2ODD)
#define PARTS2EVEN \
	VMOVSD (DX), X17 \
	PART             \
	VMOVSD (DX), X18 \
	PART             \
	VMOVSD (DX), X22 \
	PART             \
	VMOVSD (DX), X23
#define PARTS2ODD(n) \
	VMOVHPS (DX), X17, X17         \
	VINSERTF32X4 $n, X17, Z16, Z16 \
	PART                           \
	VMOVHPS (DX), X18, X18         \
	VINSERTF32X4 $n, X18, Z19, Z19 \
	PART                           \
	VMOVHPS (DX), X22, X22         \
	VINSERTF32X4 $n, X22, Z20, Z20 \
	PART                           \
	VMOVHPS (DX), X23, X23         \
	VINSERTF32X4 $n, X23, Z21, Z21

// ROW points DX at the row of a vertex.
#define ROW(id) \
	MOVLQSX id, DX                    \
	IMULQ   attending_xBytes(CX), DX  \
	ADDQ    SI, DX

// PICK prefetches the numbers, by PARTS, and the row of the vertex so many edges ahead.
#define PICK(PARTS, LINES, PREFETCH) \
	VERTEX((R15)(AX*4)) \
	PARTS               \
	ROW((R15)(AX*4))    \
	LINES(PREFETCH, DX)
#define ONEPART PREFETCHT0 (DX)
#define FOURPARTS \
	PREFETCHT0 (DX)                 \
	ADDQ attending_twoParts(CX), DX \
	PREFETCHT0 (DX)

// What is done to the columns of all heads: HEAD sets their weights, OP takes bytes, the
// registers of both sums, and a free one.
#define ALL8OF8(HEAD, OP) \
	HEAD(0, Z4)            \
	OP(0, Z0, Z8, Z16)     \
	HEAD(1, Z5)            \
	OP(64, Z1, Z9, Z17)    \
	HEAD(2, Z6)            \
	OP(128, Z2, Z10, Z18)  \
	HEAD(3, Z7)            \
	OP(192, Z3, Z11, Z19)
#define ALL4OF16(HEAD, OP) ALL8OF8(HEAD, OP)
#define ALLOF32(HEAD, OP) \
	HEAD(0, Z4)            \
	OP(0, Z0, Z8, Z16)     \
	HEAD(1, Z5)            \
	OP(64, Z1, Z9, Z17)
#define ALLOF16(HEAD, OP) \
	HEAD(0, Z4)            \
	OP(0, Z0, Z8, Z16)
#define ALL2OF32(HEAD, OP) \
	HEAD(0, Z4)            \
	OP(0, Z0, Z8, Z16)     \
	OP(64, Z1, Z9, Z17)    \
	HEAD(1, Z5)            \
	OP(128, Z2, Z10, Z18)  \
	OP(192, Z3, Z11, Z19)
#define ALL8OF16(HEAD, OP) \
	ALL4OF16(HEAD, OP)     \
	HEAD(4, Z4)            \
	OP(256, Z4, Z12, Z16)  \
	HEAD(5, Z4)            \
	OP(320, Z5, Z13, Z17)  \
	HEAD(6, Z4)            \
	OP(384, Z6, Z14, Z18)  \
	HEAD(7, Z4)            \
	OP(448, Z7, Z15, Z19)
#define ALL4OF32(HEAD, OP) \
	ALL2OF32(HEAD, OP)     \
	HEAD(2, Z4)            \
	OP(256, Z4, Z12, Z16)  \
	OP(320, Z5, Z13, Z17)  \
	HEAD(3, Z4)            \
	OP(384, Z6, Z14, Z18)  \
	OP(448, Z7, Z15, Z19)
#define ALL2OF64(HEAD, OP) \
	HEAD(0, Z4)            \
	OP(0, Z0, Z8, Z16)     \
	OP(64, Z1, Z9, Z17)    \
	OP(128, Z2, Z10, Z18)  \
	OP(192, Z3, Z11, Z19)  \
	HEAD(1, Z4)            \
	OP(256, Z4, Z12, Z16)  \
	OP(320, Z5, Z13, Z17)  \
	OP(384, Z6, Z14, Z18)  \
	OP(448, Z7, Z15, Z19)

// The weights of head n, by R12; of the heads of vector n from Z29, or Z22 and Z23, by idx.
#define ONEOF(n, idx) VBROADCASTSS (4*n)(R12), Z28
#define TWOOF(n, idx) \
	VBROADCASTSS (4*n)(R12), Z28      \
	VBROADCASTSS (apart+4*n)(R12), Z29
#define SHARED(n, idx) VPERMPS Z29, idx, Z28
#define SHAREDTWO(n, idx) \
	VPERMPS Z22, idx, Z28 \
	VPERMPS Z23, idx, Z29
#define ALLONE8 SPREAD8((R12), Z29)
#define ALLTWO8 \
	SPREAD8((R12), Z22)      \
	SPREAD8(apart(R12), Z23)
#define ALLONE4 SPREAD4((R12), Z29)
#define ALLTWO4 \
	SPREAD4((R12), Z22)      \
	SPREAD4(apart(R12), Z23)
#define ALLONE2 SPREAD2((R12), Z29)
#define ALLTWO2 \
	SPREAD2((R12), Z22)      \
	SPREAD2(apart(R12), Z23)

#define ADDONE(bytes, a, b, x) VFMADD231PS bytes(DX), Z28, a
#define ADDTWO(bytes, a, b, x) TWICE(bytes(DX), x, a, b)
#define ENDONE(bytes, a, b, x) VMULPS Z28, a, a
#define ENDTWO(bytes, a, b, x) \
	VMULPS Z28, a, a \
	VMULPS Z28, b, b

// EDGE adds an edge's row.
#define EDGE(heads, PREPARE, ALL, HEAD, OP) \
	ROW((R9)(AX*4)) \
	PREPARE         \
	ALL(HEAD, OP)   \
	ADDQ    $(4*heads), R12

// SCALE multiplies sums with the heads' numbers in Z28, which it destroys with Z29 and R12.
#define SCALE(PREPARE, ALL, HEAD, OP) \
	VMOVUPS Z28, factors \
	LEAQ    factors, R12 \
	PREPARE             \
	ALL(HEAD, OP)

// NUMBERS writes a row's numbers.
#define NUMBERS(y, to) \
	MOVQ    to, DX               \
	VMOVUPS y, K7, (DX)(R13*1)

// NEXTROW goes on with the next row.
#define NEXTROW \
	ADDQ attending_accBytes(CX), DI  \
	ADDQ attending_rowBytes(CX), R13 \
	ROWEND

// FORWARD is attention's forward pass; see there.
#define FORWARD(heads, shift, log, SPREAD, ACROSS, SCORES, LINES, EDGE, SCALE, ZEROED, ROWS, STEP, SECONDSTEP, SECOND, MASKSECOND, PUTSECOND, SECONDEND, SECONDSTORE) \
	BEGIN(heads, log)              \
row:                             \
	ADDQ    $4, R10                \
	MOVLQSX (R10), R8              \
	ZEROED                         \
	VPXORD  Z25, Z25, Z25          \
	VPXORD  Z26, Z26, Z26          \
	CMPQ    AX, R8                 \
	JGE     empty                  \
	MOVQ    attending_own(CX), DX  \
	SPREAD((DX)(R13*1), Z27)       \
	VERTEX((R9)(AX*4))             \
	SPREAD((DX), Z16)              \
	VADDPS  Z27, Z16, Z16          \
	RECTIFY(STAY)                  \
	REFERFIRST                     \
	LOADC   minusInfinity<>(SB), Z20 \
	KXORW   K3, K3, K3             \
block:                           \
	BLOCK                          \
	LOADC   minusInfinity<>(SB), Z22 \
score:                           \
	MASKED(shift)                  \
	SCORES                         \
	VADDPS  Z27, Z16, Z16          \
	RECTIFY(STEP)                  \
	VCMPPS  $3, Z16, Z16, K5       \
	KORW    K5, K3, K3             \
	LOADC   minusInfinity<>(SB), Z17 \
	VMOVAPS Z16, K2, Z17           \
	VMAXPS  Z22, Z17, Z22          \
	VMOVUPS Z17, (R12)             \
	SECONDSTEP                     \
	NEXTVECTOR(shift, score)       \
	VMAXPS  Z20, Z22, Z20          \
	VCMPPS  $0x1E, Z21, Z22, K5    \
	KORTESTW K5, K5                \
	JNE     larger                 \
near:                            \
	MOVQ    attending_scratch(CX), R12 \
raise:                           \
	VMOVUPS (R12), Z16             \
	VSUBPS  Z24, Z16, Z16          \
	RAISE(Z16, Z17, Z18, Z19)      \
	VADDPS  Z16, Z25, Z25          \
	SECOND                         \
	MASKS(shift, unmasked)         \
	VMULPS  (DX), Z16, Z16         \
	MASKSECOND                     \
unmasked:                        \
	VMOVUPS Z16, (R12)             \
	PUTSECOND                      \
	NEXTVECTOR(shift, raise)       \
	WALK(ONEPART, LINES, EDGE)     \
	CMPQ    AX, R8                 \
	JLT     block                  \
	ACROSS(VMAXPS, Z20, Z16)       \
	VSUBPS  Z20, Z24, Z16          \
	RAISE(Z16, Z17, Z18, Z19)      \
	KORTESTW K3, K3                \
	JEQ     ordered                \
	VPXORD  Z17, Z17, Z17          \
	VMOVUPS undefined<>(SB), K3, Z17 \
	ACROSS(VADDPS, Z17, Z18)       \
	VADDPS  Z17, Z20, Z20          \
ordered:                         \
	ACROSS(VADDPS, Z25, Z17)       \
	VMULPS  Z16, Z25, Z25          \
	SECONDEND                      \
	VBROADCASTSS attending_least(CX), Z17 \
	VMAXPS  Z25, Z17, Z17          \
	VDIVPS  Z17, Z16, Z28          \
	SCALE                          \
ended:                           \
	NUMBERS(Z20, attending_most(CX)) \
	NUMBERS(Z25, attending_sums(CX)) \
	SECONDSTORE                    \
	WRITE(ROWS, past, put)         \
	NEXTROW                        \
empty:                           \
	VPXORD  Z20, Z20, Z20          \
	JMP     ended                  \
larger:                          \
	ACROSS(VMAXPS, Z22, Z17)       \
	VMAXPS  Z24, Z22, Z22          \
	VSUBPS  Z22, Z24, Z28          \
	REFER(Z22)                     \
	RAISE(Z28, Z17, Z18, Z19)      \
	VMULPS  Z28, Z25, Z25          \
	VMULPS  Z28, Z26, Z26          \
	SCALE                          \
	JMP     near

// The second sum's edges are weighed by the steps, too.
#define STEPSTORE \
	SLOPES(Z18)               \
	VMOVUPS Z18, apart(R12)
#define STEPPED \
	VMULPS  apart(R12), Z16, Z17 \
	VADDPS  Z17, Z26, Z26
#define STEPPEDMASK VMULPS (DX), Z17, Z17
#define STEPPEDPUT VMOVUPS Z17, apart(R12)
#define STEPPEDEND(ACROSS) \
	ACROSS(VADDPS, Z26, Z17) \
	VMULPS  Z16, Z26, Z26
#define STEPPEDSTORE NUMBERS(Z26, attending_sums2(CX))

#define FORWARDONE(heads, shift, log, SPREAD, ACROSS, SCORES, ALL, PREPARE, HEAD, SUMS, LINES) \
	FORWARD(heads, shift, log, SPREAD, ACROSS, SCORES, LINES, EDGE(heads, PREPARE, ALL, HEAD, ADDONE), SCALE(PREPARE, ALL, HEAD, ENDONE), SUMS(ZERO), SUMS, STAY, STAY, STAY, STAY, STAY, STAY, STAY)

#define FORWARDTWO(heads, shift, log, SPREAD, ACROSS, SCORES, ALL, PREPARE, PREPARETWO, HEAD, HEADTWO, SUMS, TWOSUMS, LINES) \
	FORWARD(heads, shift, log, SPREAD, ACROSS, SCORES, LINES, EDGE(heads, PREPARETWO, ALL, HEADTWO, ADDTWO), SCALE(PREPARE, ALL, HEAD, ENDTWO), SUMS(ZERO), TWOSUMS, STEPS, STEPSTORE, STEPPED, STEPPEDMASK, STEPPEDPUT, STEPPEDEND(ACROSS), STEPPEDSTORE)

// func segmentAttend8of4AVX512(a *attending)
TEXT ·segmentAttend8of4AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(8, 3, 2, SPREAD8, ACROSS8, SCORES8, ALLOF32, ALLONE8, SHARED, ONE32, LINES32)

// func segmentAttend4of8AVX512(a *attending)
TEXT ·segmentAttend4of8AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(4, 2, 3, SPREAD4, ACROSS4, SCORES4, ALLOF32, ALLONE4, SHARED, ONE32, LINES32)

// func segmentAttend2of16AVX512(a *attending)
TEXT ·segmentAttend2of16AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(2, 1, 3, SPREAD2, ACROSS2, SCORES2, ALLOF32, STAY, ONEOF, ONE32, LINES32)

// func segmentAttend8of2AVX512(a *attending)
TEXT ·segmentAttend8of2AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(8, 3, 1, SPREAD8, ACROSS8, SCORES8, ALLOF16, ALLONE8, SHARED, ONE16, LINES16)

// func segmentAttend4of4AVX512(a *attending)
TEXT ·segmentAttend4of4AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(4, 2, 2, SPREAD4, ACROSS4, SCORES4, ALLOF16, ALLONE4, SHARED, ONE16, LINES16)

// func segmentAttend2of8AVX512(a *attending)
TEXT ·segmentAttend2of8AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(2, 1, 3, SPREAD2, ACROSS2, SCORES2, ALLOF16, ALLONE2, SHARED, ONE16, LINES16)

// func segmentAttend8of8AVX512(a *attending)
TEXT ·segmentAttend8of8AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(8, 3, 3, SPREAD8, ACROSS8, SCORES8, ALL8OF8, ALLONE8, SHARED, ONE64, LINES64)

// func segmentAttend4of16AVX512(a *attending)
TEXT ·segmentAttend4of16AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(4, 2, 3, SPREAD4, ACROSS4, SCORES4, ALL4OF16, STAY, ONEOF, ONE64, LINES64)

// func segmentAttend2of32AVX512(a *attending)
TEXT ·segmentAttend2of32AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(2, 1, 3, SPREAD2, ACROSS2, SCORES2, ALL2OF32, STAY, ONEOF, ONE64, LINES64)

// func segmentAttend8of16AVX512(a *attending)
TEXT ·segmentAttend8of16AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(8, 3, 3, SPREAD8, ACROSS8, SCORES8, ALL8OF16, STAY, ONEOF, ONE128, LINES128)

// func segmentAttend4of32AVX512(a *attending)
TEXT ·segmentAttend4of32AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(4, 2, 3, SPREAD4, ACROSS4, SCORES4, ALL4OF32, STAY, ONEOF, ONE128, LINES128)

// func segmentAttend2of64AVX512(a *attending)
TEXT ·segmentAttend2of64AVX512(SB), NOSPLIT, $72-8
	FORWARDONE(2, 1, 3, SPREAD2, ACROSS2, SCORES2, ALL2OF64, STAY, ONEOF, ONE128, LINES128)

// func segmentAttendTwice8of4AVX512(a *attending)
TEXT ·segmentAttendTwice8of4AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(8, 3, 2, SPREAD8, ACROSS8, SCORES8, ALLOF32, ALLONE8, ALLTWO8, SHARED, SHAREDTWO, TWO32, TWOROWS32, LINES32)

// func segmentAttendTwice4of8AVX512(a *attending)
TEXT ·segmentAttendTwice4of8AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(4, 2, 3, SPREAD4, ACROSS4, SCORES4, ALLOF32, ALLONE4, ALLTWO4, SHARED, SHAREDTWO, TWO32, TWOROWS32, LINES32)

// func segmentAttendTwice2of16AVX512(a *attending)
TEXT ·segmentAttendTwice2of16AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(2, 1, 3, SPREAD2, ACROSS2, SCORES2, ALLOF32, STAY, STAY, ONEOF, TWOOF, TWO32, TWOROWS32, LINES32)

// func segmentAttendTwice8of2AVX512(a *attending)
TEXT ·segmentAttendTwice8of2AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(8, 3, 1, SPREAD8, ACROSS8, SCORES8, ALLOF16, ALLONE8, ALLTWO8, SHARED, SHAREDTWO, TWO16, TWOROWS16, LINES16)

// func segmentAttendTwice4of4AVX512(a *attending)
TEXT ·segmentAttendTwice4of4AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(4, 2, 2, SPREAD4, ACROSS4, SCORES4, ALLOF16, ALLONE4, ALLTWO4, SHARED, SHAREDTWO, TWO16, TWOROWS16, LINES16)

// func segmentAttendTwice2of8AVX512(a *attending)
TEXT ·segmentAttendTwice2of8AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(2, 1, 3, SPREAD2, ACROSS2, SCORES2, ALLOF16, ALLONE2, ALLTWO2, SHARED, SHAREDTWO, TWO16, TWOROWS16, LINES16)

// func segmentAttendTwice8of8AVX512(a *attending)
TEXT ·segmentAttendTwice8of8AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(8, 3, 3, SPREAD8, ACROSS8, SCORES8, ALL8OF8, ALLONE8, ALLTWO8, SHARED, SHAREDTWO, TWO64, TWOROWS64, LINES64)

// func segmentAttendTwice4of16AVX512(a *attending)
TEXT ·segmentAttendTwice4of16AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(4, 2, 3, SPREAD4, ACROSS4, SCORES4, ALL4OF16, STAY, STAY, ONEOF, TWOOF, TWO64, TWOROWS64, LINES64)

// func segmentAttendTwice2of32AVX512(a *attending)
TEXT ·segmentAttendTwice2of32AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(2, 1, 3, SPREAD2, ACROSS2, SCORES2, ALL2OF32, STAY, STAY, ONEOF, TWOOF, TWO64, TWOROWS64, LINES64)

// func segmentAttendTwice8of16AVX512(a *attending)
TEXT ·segmentAttendTwice8of16AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(8, 3, 3, SPREAD8, ACROSS8, SCORES8, ALL8OF16, STAY, STAY, ONEOF, TWOOF, TWO128, TWOROWS128, LINES128)

// func segmentAttendTwice4of32AVX512(a *attending)
TEXT ·segmentAttendTwice4of32AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(4, 2, 3, SPREAD4, ACROSS4, SCORES4, ALL4OF32, STAY, STAY, ONEOF, TWOOF, TWO128, TWOROWS128, LINES128)

// func segmentAttendTwice2of64AVX512(a *attending)
TEXT ·segmentAttendTwice2of64AVX512(SB), NOSPLIT, $72-8
	FORWARDTWO(2, 1, 3, SPREAD2, ACROSS2, SCORES2, ALL2OF64, STAY, STAY, ONEOF, TWOOF, TWO128, TWOROWS128, LINES128)

// Backward.

// BACKWARD is the way back to what attention weighed: FOLD makes of the products in Z8 to
// Z15 their sums by heads, in the first lanes of Z16.
#define BACKWARD(heads, shift, log, SPREAD, ACROSS, PARTS, EDGE, ZEROED, SUMS, FOLD, PRODUCTS, LINES) \
	BEGIN(heads, log)                 \
row:                                \
	ADDQ    $4, R10                   \
	MOVLQSX (R10), R8                 \
	ZEROED                            \
	VPXORD  Z16, Z16, Z16             \
	CMPQ    AX, R8                    \
	JGE     ended                     \
	MOVQ    attending_accBytes(CX), DX \
	LEAQ    (DI)(DX*8), DX            \
	ADDQ    attending_toRows(CX), DX  \
	LINES(PREFETCHT1, DX)             \
	VPXORD  Z25, Z25, Z25             \
	MOVQ    attending_own(CX), DX     \
	SPREAD((DX)(R13*1), Z27)          \
block:                              \
	BLOCK                             \
score:                              \
	MASKED(shift)                     \
	PARTS                             \
	VADDPS  Z27, Z16, Z16             \
	RECTIFY(STEPS)                    \
	VSUBPS  Z19, Z16, Z16             \
	RAISE(Z16, Z17, Z18, Z19)         \
	VMULPS  Z20, Z16, Z17             \
	MASKS(shift, unmasked)            \
	VMULPS  (DX), Z17, Z17            \
unmasked:                           \
	VMOVUPS Z17, (R12)                \
	SLOPES(Z18)                       \
	VMULPS  Z18, Z17, Z17             \
	VMOVUPS Z17, apart(R12)           \
	VMULPS  Z18, Z16, Z16             \
	VFMADD231PS Z21, Z16, K2, Z25     \
	NEXTVECTOR(shift, score)          \
	WALK(FOURPARTS, LINES, EDGE)      \
	CMPQ    AX, R8                    \
	JLT     block                     \
	MOVQ    attending_toRows(CX), DX  \
	ADDQ    DI, DX                    \
	PRODUCTS(TIMESROW, DX)            \
	FOLD                              \
	ACROSS(VADDPS, Z25, Z17)          \
	VSUBPS  Z25, Z16, Z16             \
ended:                              \
	NUMBERS(Z16, attending_sums(CX))  \
	WRITE(SUMS, past, put)            \
	NEXTROW

#define TIMESROW(mem, a) VMULPS mem, a, a

// HALVED is the sums of halves of x and y side by side, QUARTERED those of halves of their
// halves; SINGLES leaves in each quarter the sum of its lanes.
#define HALVED(x, y, z) \
	VSHUFF64X2 $0x44, y, x, Z17 \
	VSHUFF64X2 $0xEE, y, x, Z18 \
	VADDPS     Z17, Z18, z
#define QUARTERED(x, y, z) \
	VSHUFF64X2 $0x88, y, x, Z17 \
	VSHUFF64X2 $0xDD, y, x, Z18 \
	VADDPS     Z17, Z18, z
#define SINGLES(x) \
	VPERMILPS $0x4E, x, Z17 \
	VADDPS    Z17, x, x     \
	VPERMILPS $0xB1, x, Z17 \
	VADDPS    Z17, x, x
#define FOLD8OF8 \
	QUARTERED(Z8, Z9, Z8)     \
	QUARTERED(Z10, Z11, Z10)  \
	SINGLES(Z8)               \
	SINGLES(Z10)              \
	VMOVUPS   fourths<>(SB), Z16 \
	VPERMI2PS Z10, Z8, Z16
#define PICKFOURTHS \
	VMOVUPS fourths<>(SB), Z16 \
	VPERMPS Z8, Z16, Z16
#define FOLDQUARTERS \
	QUARTERED(Z8, Z10, Z8)    \
	SINGLES(Z8)               \
	PICKFOURTHS
#define FOLD4OF16 \
	HALVED(Z8, Z9, Z8)        \
	HALVED(Z10, Z11, Z10)     \
	FOLDQUARTERS
#define FOLD2OF32 \
	VADDPS Z9, Z8, Z8         \
	VADDPS Z11, Z10, Z10      \
	HALVED(Z8, Z10, Z8)       \
	VMOVAPS Z8, Z10           \
	FOLDQUARTERS
#define FOLD8OF4 \
	SINGLES(Z8)                \
	SINGLES(Z9)                \
	VMOVUPS   fourths<>(SB), Z16 \
	VPERMI2PS Z9, Z8, Z16
#define FOLD4OF8 \
	QUARTERED(Z8, Z9, Z8)      \
	SINGLES(Z8)                \
	PICKFOURTHS
#define FOLD2OF16 \
	HALVED(Z8, Z9, Z8)         \
	QUARTERED(Z8, Z8, Z8)      \
	SINGLES(Z8)                \
	PICKFOURTHS
#define FOLD8OF2 \
	VPERMILPS $0xB1, Z8, Z17   \
	VADDPS    Z17, Z8, Z8      \
	VMOVUPS   seconds<>(SB), Z16 \
	VPERMPS   Z8, Z16, Z16
#define FOLD4OF4 \
	SINGLES(Z8)                \
	PICKFOURTHS
#define FOLD2OF8 \
	QUARTERED(Z8, Z8, Z8)      \
	SINGLES(Z8)                \
	PICKFOURTHS
#define FOLD8OF16 \
	HALVED(Z8, Z9, Z8)        \
	HALVED(Z10, Z11, Z9)      \
	HALVED(Z12, Z13, Z10)     \
	HALVED(Z14, Z15, Z11)     \
	FOLD8OF8
#define PAIRED \
	VADDPS Z9, Z8, Z8         \
	VADDPS Z11, Z10, Z9       \
	VADDPS Z13, Z12, Z10      \
	VADDPS Z15, Z14, Z11
#define FOLD4OF32 \
	PAIRED                    \
	FOLD4OF16
#define FOLD2OF64 \
	PAIRED                    \
	FOLD2OF32

#define BACKWARDBY(heads, shift, log, SPREAD, ACROSS, PARTS, ALL, PREPARE, HEAD, FOLD, ONE, TWO, SECOND, LINES) \
	BACKWARD(heads, shift, log, SPREAD, ACROSS, PARTS, EDGE(heads, PREPARE, ALL, HEAD, ADDTWO), TWO(ZERO), ONE, FOLD, SECOND, LINES)

// func segmentAttendBack8of4AVX512(a *attending)
TEXT ·segmentAttendBack8of4AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(8, 3, 2, SPREAD8, ACROSS8, PARTS8, ALLOF32, ALLTWO8, SHAREDTWO, FOLD8OF4, ONE32, TWO32, SECOND32, LINES32)

// func segmentAttendBack4of8AVX512(a *attending)
TEXT ·segmentAttendBack4of8AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(4, 2, 3, SPREAD4, ACROSS4, PARTS4, ALLOF32, ALLTWO4, SHAREDTWO, FOLD4OF8, ONE32, TWO32, SECOND32, LINES32)

// func segmentAttendBack2of16AVX512(a *attending)
TEXT ·segmentAttendBack2of16AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(2, 1, 3, SPREAD2, ACROSS2, PARTS2, ALLOF32, STAY, TWOOF, FOLD2OF16, ONE32, TWO32, SECOND32, LINES32)

// func segmentAttendBack8of2AVX512(a *attending)
TEXT ·segmentAttendBack8of2AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(8, 3, 1, SPREAD8, ACROSS8, PARTS8, ALLOF16, ALLTWO8, SHAREDTWO, FOLD8OF2, ONE16, TWO16, SECOND16, LINES16)

// func segmentAttendBack4of4AVX512(a *attending)
TEXT ·segmentAttendBack4of4AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(4, 2, 2, SPREAD4, ACROSS4, PARTS4, ALLOF16, ALLTWO4, SHAREDTWO, FOLD4OF4, ONE16, TWO16, SECOND16, LINES16)

// func segmentAttendBack2of8AVX512(a *attending)
TEXT ·segmentAttendBack2of8AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(2, 1, 3, SPREAD2, ACROSS2, PARTS2, ALLOF16, ALLTWO2, SHAREDTWO, FOLD2OF8, ONE16, TWO16, SECOND16, LINES16)

// func segmentAttendBack8of8AVX512(a *attending)
TEXT ·segmentAttendBack8of8AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(8, 3, 3, SPREAD8, ACROSS8, PARTS8, ALL8OF8, ALLTWO8, SHAREDTWO, FOLD8OF8, ONE64, TWO64, SECOND64, LINES64)

// func segmentAttendBack4of16AVX512(a *attending)
TEXT ·segmentAttendBack4of16AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(4, 2, 3, SPREAD4, ACROSS4, PARTS4, ALL4OF16, STAY, TWOOF, FOLD4OF16, ONE64, TWO64, SECOND64, LINES64)

// func segmentAttendBack2of32AVX512(a *attending)
TEXT ·segmentAttendBack2of32AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(2, 1, 3, SPREAD2, ACROSS2, PARTS2, ALL2OF32, STAY, TWOOF, FOLD2OF32, ONE64, TWO64, SECOND64, LINES64)

// func segmentAttendBack8of16AVX512(a *attending)
TEXT ·segmentAttendBack8of16AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(8, 3, 3, SPREAD8, ACROSS8, PARTS8, ALL8OF16, STAY, TWOOF, FOLD8OF16, ONE128, TWO128, SECOND128, LINES128)

// func segmentAttendBack4of32AVX512(a *attending)
TEXT ·segmentAttendBack4of32AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(4, 2, 3, SPREAD4, ACROSS4, PARTS4, ALL4OF32, STAY, TWOOF, FOLD4OF32, ONE128, TWO128, SECOND128, LINES128)

// func segmentAttendBack2of64AVX512(a *attending)
TEXT ·segmentAttendBack2of64AVX512(SB), NOSPLIT, $72-8
	BACKWARDBY(2, 1, 3, SPREAD2, ACROSS2, PARTS2, ALL2OF64, STAY, TWOOF, FOLD2OF64, ONE128, TWO128, SECOND128, LINES128)
