// What the kernels of scores with AVX-512 share.

SPLAT(minusInfinity<>, $0xFF800000)
SPLAT(undefined<>, $0x7FC00000) // NaN

// The mask of a whole vector, which is none, and of a part of one; a store, say, is
// VMOVUPS Z1, M (DI).
#define ALL
#define SOME K2,
#define SOME2 K1,

// SCORE adds the row's own number in Z10 to those in x, stores the sum in pre, and sends
// it through the rectifier with the slope Z28. It takes the score into the maximum Z0,
// and into K3 whether it is NaN, which VMAXPS forgets. Z29 is zeros.
#define SCORE(M, pre, x) \
	VADDPS  Z10, x, x         \
	VMOVUPS x, M pre          \
	VCMPPS  $0x11, Z29, x, K4 \
	VMULPS  Z28, x, K4, x     \
	VCMPPS  $3, x, x, M K5    \
	VMAXPS  Z0, x, M Z0       \
	KORW    K5, K3, K3

// ENDMAX leaves the maximum in Z0's first lane and stores it; Z31 is NaN.
#define ENDMAX(ordered) \
	HALVE(VMAXPS, VMAXSS) \
	KORTESTW K3, K3       \
	JEQ      ordered      \
	VMOVAPS  Z31, Z0      \
ordered:                \
	VMOVSS   X0, (DX)
