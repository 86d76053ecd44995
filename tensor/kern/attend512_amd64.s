//go:build amd64 && !noasm

// Attention over the edges of rows with AVX-512, in one walk: scores, their exponentials,
// and the sums of rows that these weigh, for 16, 32, 64 or 128 columns with one score an
// edge. The scores of 16 edges are one vector, computed just before their rows are read: a
// processor does it while it waits for rows, which leave it little else to do. Scores of
// vertices are picked, and rows prefetched, up to 64 edges before they are used.
//
// Forward, exponentials are of the distance from a reference, which is the row's first
// score until another one is much larger; then what was summed up is scaled (as in the online
// softmax of FlashAttention, Dao et al. 2022). In the end all is made relative to the
// largest score.

#include "go_asm.h"
#include "textflag.h"
#include "loops_amd64.h"
#include "lanes_amd64.h"
#include "vec512_amd64.h"
#include "exp_amd64.h"
#include "scores512_amd64.h"
#include "full512_amd64.h"
#include "attend512_amd64.h"

// Registers:
//   CX a   DI acc, at the row   SI x   R9 ids   R15 the ids so many edges ahead
//   R10 the row's bound   R8 the end of its edges   AX edge   BX the end of 16 edges
//   R11 the end of those beside which something is picked ahead
//   R12 the weights of the 16, so that AX counts from the segments' first edge
//   R13 scratch   R14 what is picked of vertices   DX free
//   Z20 the largest score of each lane   Z21 far above the reference   Z24 the reference
//   Z25 the sum of exponentials   Z26 the second sum   Z27 the row's own number
//   Z28, Z29 an edge's weights   Z30 slope   Z31 zeros

#define firsts 0(SP)
#define seconds 64(SP)
#define toOwn 128(SP)
#define toMost 136(SP)
#define toSums 144(SP)
#define toSums2 152(SP)

// BESIDEBOUNDS puts the way from bounds to what belongs to rows where ROWNUMBER finds it.
#define BESIDEBOUNDS(of, to) \
	MOVQ of, DX  \
	SUBQ R10, DX \
	MOVQ DX, to

// ROWNUMBER is the row's number of those, through DX; R10 is one bound further.
#define ROWNUMBER -4(R10)(DX*1)

#define BEGIN \
	START                          \
	BESIDEBOUNDS(attending_own(CX), toOwn) \
	BESIDEBOUNDS(attending_sums(CX), toSums) \
	MOVQ    attending_scratch(CX), R13

// SIXTEEN begins with the next 16 edges of the row, or as many as there are: K2 is their
// mask.
#define SIXTEEN \
	MOVQ    R8, DX             \
	SUBQ    AX, DX             \
	VPBROADCASTD DX, Z16       \
	VPCMPUD $6, lanes<>(SB), Z16, K2 \
	LEAQ    16(AX), BX         \
	CMPQ    BX, R8             \
	CMOVQGT R8, BX             \
	MOVQ    attending_ahead(CX), R11 \
	CMPQ    R11, BX            \
	CMOVQGT BX, R11            \
	LEAQ    firsts, R12        \
	LEAQ    (AX*4), DX         \
	SUBQ    DX, R12

// ACROSS leaves in all lanes of x what OP makes of them, commutative; t is free.
#define ACROSS(OP, x, t) \
	VSHUFF64X2 $0x4E, x, x, t \
	OP         t, x, x        \
	VSHUFF64X2 $0xB1, x, x, t \
	OP         t, x, x        \
	VPERMILPS  $0x4E, x, t    \
	OP         t, x, x        \
	VPERMILPS  $0xB1, x, t    \
	OP         t, x, x

#define SHIFT16 SHLQ $6, DX
#define SHIFT32 SHLQ $7, DX
#define SHIFT64 SHLQ $8, DX
#define SHIFT128 SHLQ $9, DX

// ROW points DX at the edge's row.
#define ROW(SHIFT) \
	MOVLQSX (R9)(AX*4), DX \
	SHIFT                  \
	ADDQ    SI, DX
#define WEIGHT VBROADCASTSS (R12)(AX*4), Z28
#define WEIGHTS \
	WEIGHT \
	VBROADCASTSS 64(R12)(AX*4), Z29

// Of 16 and 32 columns the weights of the 16 edges stay in registers, Z14 and Z15, and are permuted
// to all columns: Z12 is the edge's lane, Z13 -1. To read a weight from memory to all of a register
// takes the loads of a vector of a row, which is much of what such rows take: 0.85 to 0.97 of the time.
// Of more columns, where it makes no difference or there are no registers left, they are put into memory.
#define PUTFIRST(w) VMOVUPS w, firsts
#define PUTSECOND(w) VMOVUPS w, seconds
#define LANEFIRST(w) \
	VMOVAPS    w, Z14            \
	VPXORD     Z12, Z12, Z12     \
	VPTERNLOGD $0xFF, Z13, Z13, Z13
#define LANESECOND(w) VMOVAPS w, Z15
#define LANEWEIGHT \
	VPERMPS Z14, Z12, Z28 \
	VPSUBD  Z13, Z12, Z12
#define LANEWEIGHTS \
	VPERMPS Z15, Z12, Z29 \
	LANEWEIGHT

// NEXTROW goes on with the next row, of so many bytes.
#define NEXTROW(bytes) \
	ADDQ  $bytes, DI           \
	ROWEND

// Forward.

// PICKSCORE copies the score of the vertex so many edges ahead, whose score lies so many
// bytes ahead; ROW prefetches a row.
#define PICKSCORE(bytes, ROW) \
	MOVLQSX (R15)(AX*4), DX          \
	VMOVSS  (R14)(DX*4), X16         \
	VMOVSS  X16, bytes(R13)(AX*4)    \
	ROW

// ROWAHEAD prefetches the row of the vertex in DX, ROWHALFAHEAD that of the one half as far
// ahead, to the first cache.
#define ROWAHEAD(shift, LINES) \
	SHLQ    $shift, DX               \
	ADDQ    SI, DX                   \
	LINES(PREFETCHT1, DX)
#define ROWHALFAHEAD(shift, LINES) \
	MOVQ    attending_halfIDs(CX), DX \
	MOVLQSX (DX)(AX*4), DX           \
	SHLQ    $shift, DX               \
	ADDQ    SI, DX                   \
	LINES(PREFETCHT0, DX)

// FILLSCORES copies those of the first edges.
#define FILLSCORES \
	LEAQ    (AX*4), DX       \
	SUBQ    DX, R13          \
	MOVQ    attending_filled(CX), BX \
	MOVQ    AX, R11          \
	JMP     filled           \
fill:                      \
	MOVLQSX (R9)(R11*4), DX  \
	VMOVSS  (R14)(DX*4), X16 \
	VMOVSS  X16, (R13)(R11*4) \
	INCQ    R11              \
filled:                    \
	CMPQ    R11, BX          \
	JLT     fill

// FORWARD is attention's forward pass: ALL is for the registers of sums, ROWS for the rows
// at which they are written; STEP, SECOND, SECONDEND and SECONDSTORE are for the second sums.
#define FORWARD(ALL, ROWS, shift, LINES, ahead, EDGE, PUT, STEP, SECOND, MASKSECOND, PUTNEXT, SECONDEND, SECONDSTORE, bytes) \
	BEGIN                          \
	BESIDEBOUNDS(attending_most(CX), toMost) \
	BESIDEBOUNDS(attending_sums2(CX), toSums2) \
	FILLSCORES                     \
row:                             \
	ADDQ    $4, R10                \
	MOVLQSX (R10), R8              \
	ALL(ZERO)                      \
	VPXORD  Z25, Z25, Z25          \
	VPXORD  Z26, Z26, Z26          \
	CMPQ    AX, R8                 \
	JGE     empty                  \
	MOVQ    toOwn, DX              \
	VBROADCASTSS ROWNUMBER, Z27    \
	VBROADCASTSS (R13)(AX*4), Z16  \
	VADDPS  Z27, Z16, Z16          \
	RECTIFY(STAY)                  \
	REFERFIRST                     \
	LOADC   minusInfinity<>(SB), Z20 \
	KXORW   K3, K3, K3             \
sixteen:                         \
	SIXTEEN                        \
	VMOVUPS.Z (R13)(AX*4), K2, Z16 \
	VADDPS  Z27, Z16, Z16          \
	RECTIFY(STEP)                  \
	VCMPPS  $3, Z16, Z16, K2, K5   \
	KORW    K5, K3, K3             \
	VMAXPS  Z20, Z16, K2, Z20      \
	VCMPPS  $0x1E, Z21, Z16, K2, K5 \
	KORTESTW K5, K5                \
	JNE     larger                 \
near:                            \
	VSUBPS  Z24, Z16, Z16          \
	RAISE(Z16, Z17, Z18, Z19)      \
	VADDPS  Z16, Z25, K2, Z25      \
	SECOND                         \
	MASKS(0, unmasked)             \
	VMULPS  (DX), Z16, Z16         \
	MASKSECOND                     \
unmasked:                        \
	PUT(Z16)                       \
	PUTNEXT                        \
	EACH(PICKSCORE(ahead, ROWAHEAD(shift, LINES)), PICKSCORE(ahead, ROWHALFAHEAD(shift, LINES)), EDGE) \
	CMPQ    AX, R8                 \
	JLT     sixteen                \
	ACROSS(VMAXPS, Z20, Z16)       \
	VSUBPS  Z20, Z24, Z16          \
	RAISE(Z16, Z17, Z18, Z19)      \
	KORTESTW K3, K3                \
	JEQ     ordered                \
	LOADC   undefined<>(SB), Z20   \
ordered:                         \
	ACROSS(VADDPS, Z25, Z17)       \
	VMULPS  Z16, Z25, Z25          \
	VBROADCASTSS attending_least(CX), Z17 \
	VMAXPS  Z25, Z17, Z17          \
	VDIVPS  Z17, Z16, Z28          \
	ALL(ENDED)                     \
	SECONDEND                      \
ended:                           \
	MOVQ    toMost, DX             \
	VMOVSS  X20, ROWNUMBER         \
	MOVQ    toSums, DX             \
	VMOVSS  X25, ROWNUMBER         \
	SECONDSTORE                    \
	WRITE(ROWS, past, put)         \
	NEXTROW(bytes)                 \
empty:                           \
	VPXORD  Z20, Z20, Z20          \
	JMP     ended                  \
larger:                          \
	LOADC   minusInfinity<>(SB), Z22 \
	VMOVAPS Z16, K2, Z22           \
	ACROSS(VMAXPS, Z22, Z17)       \
	VSUBPS  Z22, Z24, Z28          \
	RAISE(Z28, Z17, Z18, Z19)      \
	ALL(ENDED)                     \
	VMULPS  Z28, Z25, Z25          \
	VMULPS  Z28, Z26, Z26          \
	REFER(Z22)                     \
	JMP     near

#define TWICE16 TWICE(0(DX), Z16, Z0, Z8)
#define TWICE32 \
	TWICE16                   \
	TWICE(64(DX), Z17, Z1, Z9)

// EDGEONE adds an edge's row to the one sum, EDGETWO to both.
#define EDGEONE(SHIFT, WEIGH, ONE) \
	ROW(SHIFT)      \
	WEIGH           \
	ONE(SCALED, DX)
#define EDGETWO(SHIFT, WEIGH, TWO) \
	ROW(SHIFT) \
	WEIGH      \
	TWO

// STEPPED weighs the second sum's edges by the steps, too.
#define STEPPED \
	SLOPES(Z17)               \
	VMULPS  Z17, Z16, Z17     \
	VADDPS  Z17, Z26, K2, Z26
#define STEPPEDMASK VMULPS (DX), Z17, Z17
#define STEPPEDPUT PUTSECOND(Z17)
#define STEPPEDLANE LANESECOND(Z17)
#define STEPPEDEND \
	ACROSS(VADDPS, Z26, Z17)  \
	VMULPS  Z16, Z26, Z26
#define STEPPEDSTORE \
	MOVQ   toSums2, DX        \
	VMOVSS X26, ROWNUMBER

// func segmentAttend16AVX512(a *attending)
TEXT ·segmentAttend16AVX512(SB), NOSPLIT, $160-8
	FORWARD(ONE16, ONE16, 6, LINES16, 256, EDGEONE(SHIFT16, LANEWEIGHT, FIRST16), LANEFIRST, STAY, STAY, STAY, STAY, STAY, STAY, 64)

// func segmentAttend32AVX512(a *attending)
TEXT ·segmentAttend32AVX512(SB), NOSPLIT, $160-8
	FORWARD(ONE32, ONE32, 7, LINES32, 256, EDGEONE(SHIFT32, LANEWEIGHT, FIRST32), LANEFIRST, STAY, STAY, STAY, STAY, STAY, STAY, 128)

// func segmentAttend64AVX512(a *attending)
TEXT ·segmentAttend64AVX512(SB), NOSPLIT, $160-8
	FORWARD(ONE64, ONE64, 8, LINES64, 256, EDGEONE(SHIFT64, WEIGHT, FIRST64), PUTFIRST, STAY, STAY, STAY, STAY, STAY, STAY, 256)

// func segmentAttend128AVX512(a *attending)
TEXT ·segmentAttend128AVX512(SB), NOSPLIT, $160-8
	FORWARD(ONE128, ONE128, 9, LINES128, 128, EDGEONE(SHIFT128, WEIGHT, FIRST128), PUTFIRST, STAY, STAY, STAY, STAY, STAY, STAY, 512)

// func segmentAttendTwice16AVX512(a *attending)
TEXT ·segmentAttendTwice16AVX512(SB), NOSPLIT, $160-8
	FORWARD(TWO16, TWOROWS16, 6, LINES16, 256, EDGETWO(SHIFT16, LANEWEIGHTS, TWICE16), LANEFIRST, STEPS, STEPPED, STEPPEDMASK, STEPPEDLANE, STEPPEDEND, STEPPEDSTORE, 64)

// func segmentAttendTwice32AVX512(a *attending)
TEXT ·segmentAttendTwice32AVX512(SB), NOSPLIT, $160-8
	FORWARD(TWO32, TWOROWS32, 7, LINES32, 256, EDGETWO(SHIFT32, LANEWEIGHTS, TWICE32), LANEFIRST, STEPS, STEPPED, STEPPEDMASK, STEPPEDLANE, STEPPEDEND, STEPPEDSTORE, 128)

// func segmentAttendTwice64AVX512(a *attending)
TEXT ·segmentAttendTwice64AVX512(SB), NOSPLIT, $160-8
	FORWARD(TWO64, TWOROWS64, 8, LINES64, 256, EDGETWO(SHIFT64, WEIGHTS, TWICE64), PUTFIRST, STEPS, STEPPED, STEPPEDMASK, STEPPEDPUT, STEPPEDEND, STEPPEDSTORE, 256)

// func segmentAttendTwice128AVX512(a *attending)
TEXT ·segmentAttendTwice128AVX512(SB), NOSPLIT, $160-8
	FORWARD(TWO128, TWOROWS128, 9, LINES128, 128, EDGETWO(SHIFT128, WEIGHTS, TWICE128), PUTFIRST, STEPS, STEPPED, STEPPEDMASK, STEPPEDPUT, STEPPEDEND, STEPPEDSTORE, 512)

// Backward: four numbers of a vertex, its score, the largest of its row, the factor and
// what is left of the dot product, are picked as 16 bytes.

#define QUADS(name, a, b) \
	DATA name+0(SB)/4, $(0+a)   \
	DATA name+4(SB)/4, $(4+a)   \
	DATA name+8(SB)/4, $(8+a)   \
	DATA name+12(SB)/4, $(12+a) \
	DATA name+16(SB)/4, $(16+a) \
	DATA name+20(SB)/4, $(20+a) \
	DATA name+24(SB)/4, $(24+a) \
	DATA name+28(SB)/4, $(28+a) \
	DATA name+32(SB)/4, $(0+b)  \
	DATA name+36(SB)/4, $(4+b)  \
	DATA name+40(SB)/4, $(8+b)  \
	DATA name+44(SB)/4, $(12+b) \
	DATA name+48(SB)/4, $(16+b) \
	DATA name+52(SB)/4, $(20+b) \
	DATA name+56(SB)/4, $(24+b) \
	DATA name+60(SB)/4, $(28+b) \
	GLOBL name(SB), RODATA|NOPTR, $64
QUADS(quads01<>, 0, 1)
QUADS(quads23<>, 2, 3)

// PICKFOUR is PICKSCORE for four numbers, which shift the id by 4, and which are prefetched
// before they are picked.
#define PICKFOUR(bytes, ROW) \
	MOVQ    attending_soonIDs(CX), DX \
	MOVLQSX (DX)(AX*4), DX           \
	SHLQ    $4, DX                   \
	PREFETCHT0 (R14)(DX*1)           \
	MOVLQSX (R15)(AX*4), DX          \
	SHLQ    $4, DX                   \
	VMOVUPS (R14)(DX*1), X16         \
	ROW                              \
	MOVQ    AX, DX                   \
	SHLQ    $4, DX                   \
	VMOVUPS X16, bytes(R13)(DX*1)

#define FILLFOURS \
	MOVQ    AX, DX            \
	SHLQ    $4, DX            \
	MOVQ    R13, R12          \
	SUBQ    DX, R13           \
	MOVQ    attending_filled(CX), BX \
	MOVQ    AX, R11           \
	JMP     filled            \
fill:                       \
	MOVLQSX (R9)(R11*4), DX   \
	SHLQ    $4, DX            \
	VMOVUPS (R14)(DX*1), X16  \
	VMOVUPS X16, (R12)        \
	ADDQ    $16, R12          \
	INCQ    R11               \
filled:                     \
	CMPQ    R11, BX           \
	JLT     fill

// BACKWARD is the way back to what attention weighed: ALL is for the registers of both sums,
// OWNROW multiplies the second with the row's own to Z16.
#define BACKWARD(ALL, ONE, shift, ahead, EDGE, PUT, PUTNEXT, OWNROW, LINES, bytes) \
	BEGIN                             \
	FILLFOURS                         \
row:                                \
	ADDQ    $4, R10                   \
	MOVLQSX (R10), R8                 \
	ALL(ZERO)                         \
	VPXORD  Z25, Z25, Z25             \
	MOVQ    attending_toRows(CX), DX  \
	ADDQ    DI, DX                    \
	ADDQ    $(8*bytes), DX            \
	LINES(PREFETCHT1, DX)             \
	CMPQ    AX, R8                    \
	JGE     ended                     \
	MOVQ    toOwn, DX                 \
	VBROADCASTSS ROWNUMBER, Z27       \
sixteen:                            \
	SIXTEEN                           \
	MOVQ    AX, DX                    \
	SHLQ    $4, DX                    \
	VMOVUPS (R13)(DX*1), Z16          \
	VMOVUPS 64(R13)(DX*1), Z17        \
	VMOVUPS 128(R13)(DX*1), Z18       \
	VMOVUPS 192(R13)(DX*1), Z19       \
	VMOVUPS quads01<>(SB), Z22        \
	VMOVUPS quads23<>(SB), Z23        \
	VMOVAPS Z16, Z20                  \
	VPERMT2PS Z17, Z22, Z20           \
	VPERMT2PS Z17, Z23, Z16           \
	VMOVAPS Z18, Z21                  \
	VPERMT2PS Z19, Z22, Z21           \
	VPERMT2PS Z19, Z23, Z18           \
	VSHUFF64X2 $0x44, Z21, Z20, Z17   \
	VSHUFF64X2 $0xEE, Z21, Z20, Z19   \
	VSHUFF64X2 $0x44, Z18, Z16, Z20   \
	VSHUFF64X2 $0xEE, Z18, Z16, Z21   \
	VADDPS  Z27, Z17, Z16             \
	RECTIFY(STEPS)                    \
	VSUBPS  Z19, Z16, Z16             \
	RAISE(Z16, Z17, Z18, Z19)         \
	VMULPS  Z20, Z16, Z17             \
	MASKS(0, unmasked)                \
	VMULPS  (DX), Z17, Z17            \
unmasked:                           \
	PUT(Z17)                          \
	SLOPES(Z18)                       \
	VMULPS  Z18, Z17, Z17             \
	PUTNEXT(Z17)                      \
	VMULPS  Z18, Z16, Z16             \
	VFMADD231PS Z21, Z16, K2, Z25     \
	EACH(PICKFOUR(ahead, ROWAHEAD((shift-4), LINES)), PICKFOUR(ahead, ROWHALFAHEAD(shift, LINES)), EDGE) \
	CMPQ    AX, R8                    \
	JLT     sixteen                   \
	MOVQ    attending_toRows(CX), DX  \
	ADDQ    DI, DX                    \
	OWNROW                            \
	VSUBPS  Z25, Z16, Z25             \
	ACROSS(VADDPS, Z25, Z16)          \
ended:                              \
	MOVQ    toSums, DX                \
	VMOVSS  X25, ROWNUMBER            \
	WRITE(ONE, past, put)             \
	NEXTROW(bytes)

#define OWNROW16 VMULPS 0(DX), Z8, Z16
#define OWNROW32 \
	OWNROW16                    \
	VFMADD231PS 64(DX), Z9, Z16
#define OWNROW64 \
	VMULPS      0(DX), Z8, Z16    \
	VFMADD231PS 64(DX), Z9, Z16   \
	VFMADD231PS 128(DX), Z10, Z16 \
	VFMADD231PS 192(DX), Z11, Z16
#define OWNROW128 \
	OWNROW64                      \
	VFMADD231PS 256(DX), Z12, Z16 \
	VFMADD231PS 320(DX), Z13, Z16 \
	VFMADD231PS 384(DX), Z14, Z16 \
	VFMADD231PS 448(DX), Z15, Z16

// func segmentAttendBack16AVX512(a *attending)
TEXT ·segmentAttendBack16AVX512(SB), NOSPLIT, $160-8
	BACKWARD(TWO16, ONE16, 6, 1024, EDGETWO(SHIFT16, LANEWEIGHTS, TWICE16), LANEFIRST, LANESECOND, OWNROW16, LINES16, 64)

// func segmentAttendBack32AVX512(a *attending)
TEXT ·segmentAttendBack32AVX512(SB), NOSPLIT, $160-8
	BACKWARD(TWO32, ONE32, 7, 1024, EDGETWO(SHIFT32, LANEWEIGHTS, TWICE32), LANEFIRST, LANESECOND, OWNROW32, LINES32, 128)

// func segmentAttendBack64AVX512(a *attending)
TEXT ·segmentAttendBack64AVX512(SB), NOSPLIT, $160-8
	BACKWARD(TWO64, ONE64, 8, 1024, EDGETWO(SHIFT64, WEIGHTS, TWICE64), PUTFIRST, PUTSECOND, OWNROW64, LINES64, 256)

// func segmentAttendBack128AVX512(a *attending)
TEXT ·segmentAttendBack128AVX512(SB), NOSPLIT, $160-8
	BACKWARD(TWO128, ONE128, 9, 512, EDGETWO(SHIFT128, WEIGHTS, TWICE128), PUTFIRST, PUTSECOND, OWNROW128, LINES128, 512)
