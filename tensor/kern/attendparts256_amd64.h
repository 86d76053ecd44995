// What both ways of attention with AVX2 have in common.

// RAISE replaces the lanes of x, at most 88, by their exponentials; below 2^-126 by 0. Larger
// ones are replaced by anything.
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
