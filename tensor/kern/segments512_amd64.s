//go:build amd64 && !noasm

// Segments with AVX-512: one block of columns of all rows of a tile. A picked row is
// read once for all that it is wanted for; ids come in order, so every element of a sum
// is one chain of additions.

#include "go_asm.h"
#include "textflag.h"
#include "gather_amd64.h"

// Registers, beside those of gather_amd64.h:
//   CX p   DI acc, at the row   R10 its bound   AX edge   BX the row's end
//   R11 edges behind which AHEAD more may be read   R12 w   R13 bytes an edge's weights
//   K1..K4 columns   K5 weights   Z28..Z31 which weight is a column's

DATA evens<>+0(SB)/8, $0x0000000200000000
DATA evens<>+8(SB)/8, $0x0000000600000004
DATA evens<>+16(SB)/8, $0x0000000A00000008
DATA evens<>+24(SB)/8, $0x0000000E0000000C
DATA evens<>+32(SB)/8, $0x0000001200000010
DATA evens<>+40(SB)/8, $0x0000001600000014
DATA evens<>+48(SB)/8, $0x0000001A00000018
DATA evens<>+56(SB)/8, $0x0000001E0000001C
GLOBL evens<>(SB), RODATA|NOPTR, $64

DATA odds<>+0(SB)/8, $0x0000000300000001
DATA odds<>+8(SB)/8, $0x0000000700000005
DATA odds<>+16(SB)/8, $0x0000000B00000009
DATA odds<>+24(SB)/8, $0x0000000F0000000D
DATA odds<>+32(SB)/8, $0x0000001300000011
DATA odds<>+40(SB)/8, $0x0000001700000015
DATA odds<>+48(SB)/8, $0x0000001B00000019
DATA odds<>+56(SB)/8, $0x0000001F0000001D
GLOBL odds<>(SB), RODATA|NOPTR, $64

#define SETUP \
	MOVQ    p+0(FP), CX                \
	MOVQ    acc+8(FP), DI              \
	MOVQ    picked_x(CX), SI          \
	MOVQ    picked_stride(CX), R8     \
	MOVQ    picked_ids(CX), R9        \
	MOVQ    picked_bounds(CX), R10    \
	MOVQ    picked_ahead(CX), R11     \
	MOVQ    picked_w(CX), R12         \
	MOVQ    picked_wstride(CX), R13   \
	MOVQ    picked_columns(CX), AX    \
	KMOVW   AX, K1                     \
	SHRQ    $16, AX                    \
	KMOVW   AX, K2                     \
	SHRQ    $16, AX                    \
	KMOVW   AX, K3                     \
	SHRQ    $16, AX                    \
	KMOVW   AX, K4                     \
	MOVQ    picked_weights(CX), AX    \
	KMOVW   AX, K5                     \
	VMOVUPS (picked_order+0)(CX), Z28   \
	VMOVUPS (picked_order+64)(CX), Z29  \
	VMOVUPS (picked_order+128)(CX), Z30 \
	VMOVUPS (picked_order+192)(CX), Z31 \
	MOVLQSX (R10), AX                  \
	MOVQ    AX, DX                     \
	IMULQ   R13, DX                    \
	ADDQ    DX, R12

// SEGMENTS runs EDGE over the edges of every row, between LOAD and STORE; SOON prefetches
// for later rows.
#define SEGMENTS(SOON, LOAD, EDGE, STORE, FETCHN) \
row:                   \
	ADDQ    $4, R10      \
	MOVLQSX (R10), BX    \
	SOON                 \
	CMPQ    AX, BX       \
	JGE     next         \
	LOAD                 \
edge:                  \
	CMPQ    AX, R11      \
	JGE     near         \
	FETCH                \
	FETCHN               \
near:                  \
	CMPQ    AX, picked_soon(CX)     \
	JGE     here                    \
	MOVQ    picked_nextIDs(CX), R15 \
	MOVLQSX (R15)(AX*4), R15        \
	IMULQ   picked_nextStride(CX), R15 \
	ADDQ    picked_next(CX), R15    \
	PREFETCHT0 (R15)                \
	ADDQ    picked_nextLine(CX), R15 \
	PREFETCHT0 (R15)                \
here:                  \
	ROW                  \
	EDGE                 \
	ADDQ    R13, R12     \
	INCQ    AX           \
	CMPQ    AX, BX       \
	JLT     edge         \
	STORE                \
next:                  \
	ADDQ    R8, DI       \
	DECQ    picked_rows(CX) \
	JNE     row          \
	VZEROUPPER           \
	RET

// A block's columns between memory at base and four registers.
#define READ16(base, a) \
	VMOVUPS.Z (base), K1, a
#define READ32(base, a, b) \
	READ16(base, a)            \
	VMOVUPS.Z 64(base), K2, b
#define READ64(base, a, b, c, d) \
	READ32(base, a, b)         \
	VMOVUPS.Z 128(base), K3, c \
	VMOVUPS.Z 192(base), K4, d

#define WRITE16(base, a) \
	VMOVUPS a, K1, (base)
#define WRITE32(base, a, b) \
	WRITE16(base, a)        \
	VMOVUPS b, K2, 64(base)
#define WRITE64(base, a, b, c, d) \
	WRITE32(base, a, b)      \
	VMOVUPS c, K3, 128(base) \
	VMOVUPS d, K4, 192(base)

// SPREAD gives every column its weight, of those at mem.
#define SPREAD16(mem, w, a) \
	VMOVUPS.Z mem, K5, w \
	VPERMPS   w, Z28, a
#define SPREAD32(mem, w, a, b) \
	SPREAD16(mem, w, a)  \
	VPERMPS   w, Z29, b
#define SPREAD64(mem, w, a, b, c, d) \
	SPREAD32(mem, w, a, b) \
	VPERMPS   w, Z30, c    \
	VPERMPS   w, Z31, d

// One sum: Z0..Z3.
#define LOADS16 READ16(DI, Z0)
#define LOADS32 READ32(DI, Z0, Z1)
#define LOADS64 READ64(DI, Z0, Z1, Z2, Z3)
#define STORES16 WRITE16(DI, Z0)
#define STORES32 WRITE32(DI, Z0, Z1)
#define STORES64 WRITE64(DI, Z0, Z1, Z2, Z3)

#define ONE16 \
	SPREAD16((R12), Z8, Z12)        \
	VFMADD231PS (DX), Z12, K1, Z0
#define ONE32 \
	SPREAD32((R12), Z8, Z12, Z13)   \
	VFMADD231PS (DX), Z12, K1, Z0   \
	VFMADD231PS 64(DX), Z13, K2, Z1
#define ONE64 \
	SPREAD64((R12), Z8, Z12, Z13, Z14, Z15) \
	VFMADD231PS (DX), Z12, K1, Z0    \
	VFMADD231PS 64(DX), Z13, K2, Z1  \
	VFMADD231PS 128(DX), Z14, K3, Z2 \
	VFMADD231PS 192(DX), Z15, K4, Z3

// Two sums: Z0..Z3 and Z4..Z7. R14 leads from w to w2, SECOND from acc to acc2.
#define SETUP2 \
	SETUP                  \
	MOVQ w2+24(FP), R14    \
	SUBQ picked_w(CX), R14

#define SECOND \
	MOVQ acc2+16(FP), R15 \
	SUBQ acc+8(FP), R15   \
	ADDQ DI, R15

#define LOADS2_16 \
	LOADS16  \
	SECOND   \
	READ16(R15, Z4)
#define LOADS2_32 \
	LOADS32  \
	SECOND   \
	READ32(R15, Z4, Z5)
#define LOADS2_64 \
	LOADS64  \
	SECOND   \
	READ64(R15, Z4, Z5, Z6, Z7)
#define STORES2_16 \
	STORES16 \
	SECOND   \
	WRITE16(R15, Z4)
#define STORES2_32 \
	STORES32 \
	SECOND   \
	WRITE32(R15, Z4, Z5)
#define STORES2_64 \
	STORES64 \
	SECOND   \
	WRITE64(R15, Z4, Z5, Z6, Z7)

#define TWO16 \
	READ16(DX, Z16)                   \
	SPREAD16((R12), Z8, Z12)          \
	SPREAD16((R12)(R14*1), Z8, Z20)   \
	VFMADD231PS Z16, Z12, Z0          \
	VFMADD231PS Z16, Z20, Z4
#define TWO32 \
	READ32(DX, Z16, Z17)                 \
	SPREAD32((R12), Z8, Z12, Z13)        \
	SPREAD32((R12)(R14*1), Z9, Z20, Z21) \
	VFMADD231PS Z16, Z12, Z0             \
	VFMADD231PS Z17, Z13, Z1             \
	VFMADD231PS Z16, Z20, Z4             \
	VFMADD231PS Z17, Z21, Z5
#define TWO64 \
	READ64(DX, Z16, Z17, Z18, Z19)                 \
	SPREAD64((R12), Z8, Z12, Z13, Z14, Z15)        \
	SPREAD64((R12)(R14*1), Z9, Z20, Z21, Z22, Z23) \
	VFMADD231PS Z16, Z12, Z0                       \
	VFMADD231PS Z17, Z13, Z1                       \
	VFMADD231PS Z18, Z14, Z2                       \
	VFMADD231PS Z19, Z15, Z3                       \
	VFMADD231PS Z16, Z20, Z4                       \
	VFMADD231PS Z17, Z21, Z5                       \
	VFMADD231PS Z18, Z22, Z6                       \
	VFMADD231PS Z19, Z23, Z7

// A sum, Z0..Z3, and dot products with the row's own, Z20..Z23. R14 leads from w to
// the dot products; K6 are those of an edge.
#define SETUPDOT \
	SETUP                    \
	MOVQ    dots+24(FP), R14 \
	SUBQ    picked_w(CX), R14 \
	MOVQ    picked_dots(CX), DX \
	KMOVW   DX, K6           \
	VMOVUPS evens<>(SB), Z24 \
	VMOVUPS odds<>(SB), Z25

#define OWN \
	MOVQ own+16(FP), R15 \
	SUBQ acc+8(FP), R15  \
	ADDQ DI, R15

// The row's own are a stream, but too slow a one for the hardware's prefetchers.
#define OWNSOON \
	OWN                \
	LEAQ (R15)(R8*4), R15
#define OWNSOON16 \
	OWNSOON            \
	FETCH1
#define OWNSOON32 \
	OWNSOON            \
	FETCH2
#define OWNSOON64 \
	OWNSOON            \
	FETCH4

#define LOADSDOT16 \
	LOADS16 \
	OWN     \
	READ16(R15, Z20)
#define LOADSDOT32 \
	LOADS32 \
	OWN     \
	READ32(R15, Z20, Z21)
#define LOADSDOT64 \
	LOADS64 \
	OWN     \
	READ64(R15, Z20, Z21, Z22, Z23)

// PAIR is the sums of neighbours in a and b, in order.
#define PAIR(a, b, y) \
	VMOVAPS   a, Z16       \
	VMOVAPS   a, Z17       \
	VPERMT2PS b, Z24, Z16  \
	VPERMT2PS b, Z25, Z17  \
	VADDPS    Z17, Z16, y

// FOLD adds up the products of the block, which are in Z8 and on: neighbours as often as
// p.fold says, of which FIRST does the first time for the whole block, or all of them
// to the dot product of an edge.
#define FOLD(FIRST, ALL) \
	MOVQ  picked_fold(CX), R15    \
	CMPQ  R15, $const_whole       \
	JEQ   all                     \
	SUBQ  $1, R15                 \
	JLT   put                     \
	FIRST                         \
	JEQ   put                     \
	PAIR(Z8, Z9, Z8)              \
	JMP   test                    \
more:                           \
	PAIR(Z8, Z8, Z8)              \
test:                           \
	SUBQ  $1, R15                 \
	JGT   more                    \
put:                            \
	VMOVUPS Z8, K6, (R12)(R14*1)  \
	JMP   done                    \
all:                            \
	ALL                           \
	VEXTRACTF64X4 $1, Z8, Y9      \
	VADDPS   Y9, Y8, Y8           \
	VEXTRACTF128 $1, Y8, X9       \
	VADDPS   X9, X8, X8           \
	VMOVHLPS X8, X8, X9           \
	VADDPS   X9, X8, X8           \
	VMOVSHDUP X8, X9              \
	VADDSS   X9, X8, X8           \
	VADDSS   (R12)(R14*1), X8, X8 \
	VMOVSS   X8, (R12)(R14*1)     \
done:

#define FIRST16 PAIR(Z8, Z8, Z8)
#define FIRST32 PAIR(Z8, Z9, Z8)
#define FIRST64 \
	PAIR(Z8, Z9, Z8)   \
	PAIR(Z10, Z11, Z9)

#define ALL16
#define ALL32 VADDPS Z9, Z8, Z8
#define ALL64 \
	VADDPS Z9, Z8, Z8    \
	VADDPS Z11, Z10, Z10 \
	VADDPS Z10, Z8, Z8

#define DOT16 \
	READ16(DX, Z8)            \
	SPREAD16((R12), Z12, Z12) \
	VFMADD231PS Z8, Z12, Z0   \
	VMULPS Z20, Z8, Z8        \
	FOLD(FIRST16, ALL16)
#define DOT32 \
	READ32(DX, Z8, Z9)             \
	SPREAD32((R12), Z16, Z12, Z13) \
	VFMADD231PS Z8, Z12, Z0        \
	VFMADD231PS Z9, Z13, Z1        \
	VMULPS Z20, Z8, Z8             \
	VMULPS Z21, Z9, Z9             \
	FOLD(FIRST32, ALL32)
#define DOT64 \
	READ64(DX, Z8, Z9, Z10, Z11)             \
	SPREAD64((R12), Z16, Z12, Z13, Z14, Z15) \
	VFMADD231PS Z8, Z12, Z0                  \
	VFMADD231PS Z9, Z13, Z1                  \
	VFMADD231PS Z10, Z14, Z2                 \
	VFMADD231PS Z11, Z15, Z3                 \
	VMULPS Z20, Z8, Z8                       \
	VMULPS Z21, Z9, Z9                       \
	VMULPS Z22, Z10, Z10                     \
	VMULPS Z23, Z11, Z11                     \
	FOLD(FIRST64, ALL64)

// func segmentScaleSum64AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSum64AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(STAY, LOADS64, ONE64, STORES64, FETCH4)

// func segmentScaleSum32AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSum32AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(STAY, LOADS32, ONE32, STORES32, FETCH2)

// func segmentScaleSum16AVX512(p *picked, acc *float32)
TEXT ·segmentScaleSum16AVX512(SB), NOSPLIT, $0-16
	SETUP
	SEGMENTS(STAY, LOADS16, ONE16, STORES16, FETCH1)

// func segmentScaleSums64AVX512(p *picked, acc, acc2, w2 *float32)
TEXT ·segmentScaleSums64AVX512(SB), NOSPLIT, $0-32
	SETUP2
	SEGMENTS(STAY, LOADS2_64, TWO64, STORES2_64, FETCH4)

// func segmentScaleSums32AVX512(p *picked, acc, acc2, w2 *float32)
TEXT ·segmentScaleSums32AVX512(SB), NOSPLIT, $0-32
	SETUP2
	SEGMENTS(STAY, LOADS2_32, TWO32, STORES2_32, FETCH2)

// func segmentScaleSums16AVX512(p *picked, acc, acc2, w2 *float32)
TEXT ·segmentScaleSums16AVX512(SB), NOSPLIT, $0-32
	SETUP2
	SEGMENTS(STAY, LOADS2_16, TWO16, STORES2_16, FETCH1)

// func segmentDotScaleSum64AVX512(p *picked, acc, own, dots *float32)
TEXT ·segmentDotScaleSum64AVX512(SB), NOSPLIT, $0-32
	SETUPDOT
	SEGMENTS(OWNSOON64, LOADSDOT64, DOT64, STORES64, FETCH4)

// func segmentDotScaleSum32AVX512(p *picked, acc, own, dots *float32)
TEXT ·segmentDotScaleSum32AVX512(SB), NOSPLIT, $0-32
	SETUPDOT
	SEGMENTS(OWNSOON32, LOADSDOT32, DOT32, STORES32, FETCH2)

// func segmentDotScaleSum16AVX512(p *picked, acc, own, dots *float32)
TEXT ·segmentDotScaleSum16AVX512(SB), NOSPLIT, $0-32
	SETUPDOT
	SEGMENTS(OWNSOON16, LOADSDOT16, DOT16, STORES16, FETCH1)

// Dot products of many pairs of short rows: 64 products at a time, 2^fold of which make
// one, fold >= 2. K6 are the results of a block.
// func dotEachAVX512(dst, a, b *float32, n, fold int)
TEXT ·dotEachAVX512(SB), NOSPLIT, $0-40
	MOVQ    dst+0(FP), DI
	MOVQ    a+8(FP), SI
	MOVQ    b+16(FP), DX
	MOVQ    n+24(FP), R10
	MOVQ    fold+32(FP), R13
	VMOVUPS evens<>(SB), Z24
	VMOVUPS odds<>(SB), Z25
	KXNORW  K1, K1, K1
	KXNORW  K2, K2, K2
	KXNORW  K3, K3, K3
	KXNORW  K4, K4, K4
	MOVQ    R13, CX
	MOVQ    $64, R12
	SHRQ    CX, R12
	MOVQ    R12, CX
	MOVQ    $1, AX
	SHLQ    CX, AX
	DECQ    AX
	KMOVW   AX, K6
	SUBQ    $64, R10
	JLT     tail

block:
	READ64(SI, Z8, Z9, Z10, Z11)
	READ64(DX, Z12, Z13, Z14, Z15)
	VMULPS  Z12, Z8, Z8
	VMULPS  Z13, Z9, Z9
	VMULPS  Z14, Z10, Z10
	VMULPS  Z15, Z11, Z11
	FIRST64
	PAIR(Z8, Z9, Z8)
	MOVQ    R13, R15
	SUBQ    $2, R15
	JEQ     put

more:
	PAIR(Z8, Z8, Z8)
	DECQ    R15
	JNE     more

put:
	VMOVUPS Z8, K6, (DI)
	ADDQ    $256, SI
	ADDQ    $256, DX
	LEAQ    (DI)(R12*4), DI
	SUBQ    $64, R10
	JGE     block

tail:
	ADDQ    $64, R10
	JEQ     done
	MOVQ    R10, CX
	MOVQ    $1, AX
	SHLQ    CX, AX
	DECQ    AX
	KMOVW   AX, K1
	SHRQ    $16, AX
	KMOVW   AX, K2
	SHRQ    $16, AX
	KMOVW   AX, K3
	SHRQ    $16, AX
	KMOVW   AX, K4
	MOVQ    R13, CX
	SHRQ    CX, R10
	MOVQ    R10, CX
	MOVQ    $1, AX
	SHLQ    CX, AX
	DECQ    AX
	KMOVW   AX, K6
	XORQ    R10, R10
	JMP     block

done:
	VZEROUPPER
	RET
