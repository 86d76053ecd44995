// Attention's walk with AVX2: scores of edges become weights, in memory, 8 at a time.
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

// MASKS multiplies the weights w with what dropout leaves.
#define MASKS(w, without) \
	MOVQ   weighing_masks(CX), DX \
	TESTQ  DX, DX                 \
	JEQ    without                \
	VMULPS (DX)(R11*4), w, w
