// What attention with AVX2 has in common forward and backward: scores of edges become weights,
// in memory, 8 at a time.
//
//   CX a   R9 ids   R10 one bound further than the row's   AX the first edge whose row is not
//   added   BX the end of the edges whose weights are computed   R11 the next of them
//   R12 weights   R14 what is picked of vertices   R15 second weights   DX free; the rest is as
//   segments256_amd64.h has it

// What does not change is in memory, in all lanes.
#define ownNumber 0(SP)
#define slopes 32(SP)
#define stepBound 64(SP)
#define aboveBound 96(SP)
#define belowBound 128(SP)
#define secondWeights 160(SP)
#define toOwn 168(SP)
#define toSums 176(SP)

// KEEP puts a number of a into all lanes of memory.
#define KEEP(of, to) \
	VBROADCASTSS of, Y12 \
	VMOVUPS      Y12, to

// BESIDEBOUNDS puts the way from bounds to what belongs to rows where ROWNUMBER finds it.
#define BESIDEBOUNDS(of, to) \
	MOVQ of, DX  \
	SUBQ R10, DX \
	MOVQ DX, to

// ROWNUMBER is the row's number of those, through DX.
#define ROWNUMBER -4(R10)(DX*1)

// BEGINATTENTION puts the weights where the segments' first edge is that of Bounds[0].
#define BEGINATTENTION \
	BEGIN256                                   \
	MOVQ  weighing_picked(CX), R14             \
	MOVQ  summing_w2(CX), R15                  \
	SUBQ  summing_firstBytes(CX), R15          \
	MOVQ  R15, secondWeights                   \
	KEEP(weighing_slope(CX), slopes)           \
	KEEP(weighing_bound(CX), stepBound)        \
	KEEP(weighing_above(CX), aboveBound)       \
	KEEP(weighing_below(CX), belowBound)       \
	BESIDEBOUNDS(weighing_own(CX), toOwn)      \
	BESIDEBOUNDS(weighing_sums(CX), toSums)

// EIGHT points R15 at the mask of the next 8 edges up to BX, or as many as there are.
#define EIGHT \
	MOVQ    BX, DX                \
	SUBQ    R11, DX               \
	MOVL    $8, R15               \
	CMPQ    DX, R15               \
	CMOVQGT R15, DX               \
	SHLQ    $2, DX                \
	LEAQ    ·tailMask+32(SB), R15 \
	SUBQ    DX, R15

// STEPS is the step of each score.
#define STEPS(score, step, t) \
	VCMPPS    $0x1E, stepBound, score, step \
	VMOVUPS   belowBound, t                 \
	VBLENDVPS step, aboveBound, t, step

// RECTIFY sends scores through the rectifier.
#define RECTIFY(score, t) \
	VMULPS    slopes, score, t           \
	VBLENDVPS score, t, score, score

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

// MASKS multiplies the weights w with what dropout leaves.
#define MASKS(w, without) \
	MOVQ   weighing_masks(CX), DX \
	TESTQ  DX, DX                 \
	JEQ    without                \
	VMULPS (DX)(R11*4), w, w

// ACROSS leaves in all lanes of x what OP, commutative, makes of them.
#define ACROSS(OP, x, t) \
	VPERM2F128 $1, x, x, t  \
	OP         t, x, x      \
	VPERMILPS  $0x4E, x, t  \
	OP         t, x, x      \
	VPERMILPS  $0xB1, x, t  \
	OP         t, x, x
