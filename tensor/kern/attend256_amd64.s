//go:build amd64 && !noasm

// The weights of attention's edges with AVX2, for one score an edge: those of all rows of
// a tile, before their rows are summed up with them (segments256_amd64.s). What is picked of
// vertices and becomes weights lies side by side, so that a row's scores are read three
// times for their largest, their sum, and the weights.

#include "go_asm.h"
#include "textflag.h"
#include "loops_amd64.h"
#include "vec256_amd64.h"
#include "exp_amd64.h"

SPLAT(minusInfinity<>, $0xFF800000)
SPLAT(undefined<>, $0x7FC00000) // NaN

// Registers:
//   CX a   DI weights, scores at first   R13 second weights, steps at first   R10 the row's
//   bound   AX edge   BX the row's end   R8 its first edge   SI masks   R9 ids
//   R14 what is picked of vertices   DX, R15 free
//   Y4 the largest score   Y5 the sum   Y6 the second sum   Y7 the row's own number
//   Y8 where scores are NaN   Y9 lanes   Y10 above   Y11 below   Y12 bound   Y13 slope

// BEGIN puts the weights where the segments' first edge is that of Bounds[0].
#define BEGIN \
	MOVQ    a+0(FP), CX               \
	MOVQ    weighing_bounds(CX), R10  \
	MOVQ    weighing_weights(CX), DI  \
	MOVQ    weighing_seconds(CX), R13 \
	MOVQ    weighing_masks(CX), SI    \
	MOVLQSX (R10), AX                 \
	LEAQ    (AX*4), DX                \
	SUBQ    DX, DI                    \
	SUBQ    DX, R13                   \
	VBROADCASTSS weighing_above(CX), Y10 \
	VBROADCASTSS weighing_below(CX), Y11 \
	VBROADCASTSS weighing_bound(CX), Y12 \
	VBROADCASTSS weighing_slope(CX), Y13

// ROWNUMBER points DX at the number of the row among those of rows.
#define ROWNUMBER(of) \
	MOVQ R10, DX                \
	SUBQ weighing_bounds(CX), DX \
	ADDQ of, DX                 \
	SUBQ $4, DX

// LANES makes Y9 the mask of the row's edges from AX on, 8 at most.
#define LANES(whole) \
	MOVQ    BX, DX                    \
	SUBQ    AX, DX                    \
	CMPQ    DX, $8                    \
	JLE     whole                     \
	MOVL    $8, DX                    \
whole:                              \
	SHLQ    $2, DX                    \
	LEAQ    ·tailMask+32(SB), R15     \
	SUBQ    DX, R15                   \
	VMOVUPS (R15), Y9

// RAISE replaces the lanes of x, none above 0 but by rounding, by their exponentials; below
// 2^-126 by 0.
#define RAISE(x, n, p, t) \
	VMOVUPS      flush<>(SB), p    \
	VMAXPS       x, p, x           \
	VMULPS       log2e<>(SB), x, n \
	ROUND(n, n)                    \
	VFNMADD231PS ln2hi<>(SB), n, x \
	VFNMADD231PS ln2lo<>(SB), n, x \
	POLY(x, p, t)                  \
	VADDPS       one<>(SB), p, p   \
	VCVTPS2DQ    n, n              \
	VPADDD       bias<>(SB), n, n  \
	VPSLLD       $23, n, n         \
	VMULPS       n, p, x

// ACROSS leaves in all lanes of x what OP, commutative, makes of them.
#define ACROSS(OP, x, t) \
	VPERM2F128 $1, x, x, t  \
	OP         t, x, x      \
	VPERMILPS  $0x4E, x, t  \
	OP         t, x, x      \
	VPERMILPS  $0xB1, x, t  \
	OP         t, x, x

// PUT writes the lanes of x that are the row's, before those of old, the next row's.
#define PUT(x, old) \
	VBLENDVPS Y9, x, old, old     \
	VMOVUPS   old, (DI)(AX*4)

#define NEXT8(label) \
	ADDQ $8, AX  \
	CMPQ AX, BX  \
	JLT  label

// func attendWeightsAVX2(a *weighing)
TEXT ·attendWeightsAVX2(SB), NOSPLIT, $0-8
	BEGIN

row:
	ADDQ    $4, R10
	MOVLQSX (R10), BX
	MOVQ    AX, R8
	VXORPS  Y4, Y4, Y4
	VXORPS  Y5, Y5, Y5
	VXORPS  Y6, Y6, Y6
	VXORPS  Y8, Y8, Y8
	CMPQ    AX, BX
	JGE     ended
	ROWNUMBER(weighing_own(CX))
	VBROADCASTSS (DX), Y7
	VMOVUPS minusInfinity<>(SB), Y4

score:
	LANES(scoring)
	VMOVUPS   (DI)(AX*4), Y0
	VADDPS    Y7, Y0, Y1
	VCMPPS    $0x1E, Y12, Y1, Y2
	VBLENDVPS Y2, Y10, Y11, Y2
	VMOVUPS   Y2, (R13)(AX*4)
	VMULPS    Y13, Y1, Y2
	VBLENDVPS Y1, Y2, Y1, Y1
	VCMPPS    $3, Y1, Y1, Y2
	VANDPS    Y9, Y2, Y2
	VORPS     Y2, Y8, Y8
	VMOVUPS   minusInfinity<>(SB), Y2
	VBLENDVPS Y9, Y1, Y2, Y2
	VMAXPS    Y2, Y4, Y4
	PUT(Y1, Y0)
	NEXT8(score)
	ACROSS(VMAXPS, Y4, Y0)
	VMOVMSKPS Y8, DX
	TESTL     DX, DX
	JEQ       ordered
	VMOVUPS   undefined<>(SB), Y4

ordered:
	MOVQ R8, AX

raise:
	LANES(raising)
	VMOVUPS (DI)(AX*4), Y0
	VSUBPS  Y4, Y0, Y1
	RAISE(Y1, Y2, Y3, Y15)
	PUT(Y1, Y0)
	VANDPS      Y9, Y1, Y1
	VADDPS      Y1, Y5, Y5
	VMOVUPS     (R13)(AX*4), Y2
	VANDPS      Y9, Y2, Y2
	VFMADD231PS Y2, Y1, Y6
	NEXT8(raise)
	ACROSS(VADDPS, Y5, Y0)
	ACROSS(VADDPS, Y6, Y0)
	VBROADCASTSS weighing_least(CX), Y0
	VMAXPS  Y5, Y0, Y0
	VMOVUPS one<>(SB), Y1
	VDIVPS  Y0, Y1, Y14
	MOVQ    R8, AX

weigh:
	LANES(weighing)
	VMOVUPS (DI)(AX*4), Y0
	VMULPS  Y14, Y0, Y1
	TESTQ   SI, SI
	JEQ     unmasked
	VMULPS  (SI)(AX*4), Y1, Y1

unmasked:
	PUT(Y1, Y0)
	VMULPS  (R13)(AX*4), Y1, Y1
	VMOVUPS (R13)(AX*4), Y0
	VBLENDVPS Y9, Y1, Y0, Y0
	VMOVUPS Y0, (R13)(AX*4)
	NEXT8(weigh)
	MOVQ    BX, AX

ended:
	ROWNUMBER(weighing_most(CX))
	VMOVSS X4, (DX)
	ROWNUMBER(weighing_sums(CX))
	VMOVSS X5, (DX)
	CMPQ   weighing_sums2(CX), $0
	JEQ    put
	ROWNUMBER(weighing_sums2(CX))
	VMOVSS X6, (DX)

put:
	DECQ weighing_rows(CX)
	JNE  row
	VZEROUPPER
	RET

// QUAD reads the four numbers of edges n and n+4 of those at R15.
#define QUAD(n, x, y) \
	MOVLQSX     (4*n)(R15), DX            \
	SHLQ        $4, DX                    \
	VMOVUPS     (R14)(DX*1), x            \
	MOVLQSX     (4*n+16)(R15), DX         \
	SHLQ        $4, DX                    \
	VINSERTF128 $1, (R14)(DX*1), y, y

// Backward: a vertex has four numbers, its score, the largest of its row, the factor, and
// what is left of the dot product, which are picked together. Y14 is the sum of the row.
// func attendBackWeightsAVX2(a *weighing)
TEXT ·attendBackWeightsAVX2(SB), NOSPLIT, $32-8
	BEGIN
	MOVQ weighing_ids(CX), R9
	MOVQ weighing_picked(CX), R14

row:
	ADDQ    $4, R10
	MOVLQSX (R10), BX
	VXORPS  Y14, Y14, Y14
	CMPQ    AX, BX
	JGE     ended
	ROWNUMBER(weighing_own(CX))
	VBROADCASTSS (DX), Y7

weigh:
	LANES(weighing)
	LEAQ (R9)(AX*4), R15
	LEAQ 8(AX), DX
	CMPQ DX, BX
	JLE  pick
	VMASKMOVPS (R15), Y9, Y0 // a missing edge's vertex is the first
	VMOVUPS    Y0, 0(SP)
	LEAQ       0(SP), R15

pick:
	QUAD(0, X0, Y0)
	QUAD(1, X1, Y1)
	QUAD(2, X2, Y2)
	QUAD(3, X3, Y3)
	VUNPCKLPS Y1, Y0, Y4
	VUNPCKHPS Y1, Y0, Y5
	VUNPCKLPS Y3, Y2, Y6
	VUNPCKHPS Y3, Y2, Y8
	VUNPCKLPD Y6, Y4, Y0 // scores
	VUNPCKHPD Y6, Y4, Y1 // the largest
	VUNPCKLPD Y8, Y5, Y2 // factors
	VUNPCKHPD Y8, Y5, Y3 // what is left
	VADDPS    Y7, Y0, Y0
	VCMPPS    $0x1E, Y12, Y0, Y4
	VBLENDVPS Y4, Y10, Y11, Y4
	VMULPS    Y13, Y0, Y5
	VBLENDVPS Y0, Y5, Y0, Y0
	VSUBPS    Y1, Y0, Y0
	RAISE(Y0, Y1, Y5, Y6)
	VMULPS    Y0, Y2, Y2
	TESTQ     SI, SI
	JEQ       unmasked
	VMULPS    (SI)(AX*4), Y2, Y2

unmasked:
	VMOVUPS Y2, (DI)(AX*4)
	VMULPS  Y4, Y2, Y5
	VMOVUPS Y5, (R13)(AX*4)
	VMULPS  Y4, Y0, Y0
	VMULPS  Y3, Y0, Y0
	VANDPS  Y9, Y0, Y0
	VSUBPS  Y0, Y14, Y14
	NEXT8(weigh)
	MOVQ    BX, AX
	ACROSS(VADDPS, Y14, Y0)

ended:
	ROWNUMBER(weighing_sums(CX))
	VMOVSS X14, (DX)
	DECQ   weighing_rows(CX)
	JNE    row
	VZEROUPPER
	RET
