// Full blocks of columns with AVX-512: 64 in four vectors or 128 in eight.

// LINES prefetches the lines of 64 or 128 columns by PREFETCH, to the first cache or the second.
#define LINES64(PREFETCH, base) \
	PREFETCH (base)    \
	PREFETCH 64(base)  \
	PREFETCH 128(base) \
	PREFETCH 192(base)

#define LINES128(PREFETCH, base) \
	LINES64(PREFETCH, base) \
	PREFETCH 256(base) \
	PREFETCH 320(base) \
	PREFETCH 384(base) \
	PREFETCH 448(base)

// ON applies OP to 64 or 128 columns: vectors at mem and registers.
#define ON64(OP, mem, a, b, c, d) \
	OP(0(mem), a)    \
	OP(64(mem), b)   \
	OP(128(mem), c)  \
	OP(192(mem), d)
#define ON128(OP, mem, a, b, c, d, e, f, g, h) \
	ON64(OP, mem, a, b, c, d) \
	OP(256(mem), e)  \
	OP(320(mem), f)  \
	OP(384(mem), g)  \
	OP(448(mem), h)

#define STAY
#define ZERO(mem, a) VPXORD a, a, a
#define LOAD(mem, a) VMOVUPS mem, a
#define STORE(mem, a) VMOVUPS a, mem
#define PAST(mem, a) VMOVNTPS a, mem
#define PLAIN(mem, a) VADDPS mem, a, a
#define SCALED(mem, a) VFMADD231PS mem, Z28, a
#define ENDED(mem, a) VMULPS Z28, a, a

// One sum is in Z0 to Z7.
#define FIRST64(OP, mem) ON64(OP, mem, Z0, Z1, Z2, Z3)
#define FIRST128(OP, mem) ON128(OP, mem, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)

// A second one is in Z8 to Z15. Z28 and Z29 are an edge's weights, DX its row.
#define SECOND64(OP, mem) ON64(OP, mem, Z8, Z9, Z10, Z11)
#define SECOND128(OP, mem) ON128(OP, mem, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15)
#define TWICE(mem, x, a, b) \
	VMOVUPS     mem, x    \
	VFMADD231PS x, Z28, a \
	VFMADD231PS x, Z29, b
#define TWICE64 \
	TWICE(0(DX), Z16, Z0, Z8)    \
	TWICE(64(DX), Z17, Z1, Z9)   \
	TWICE(128(DX), Z18, Z2, Z10) \
	TWICE(192(DX), Z19, Z3, Z11)
#define TWICE128 \
	TWICE64                      \
	TWICE(256(DX), Z16, Z4, Z12) \
	TWICE(320(DX), Z17, Z5, Z13) \
	TWICE(384(DX), Z18, Z6, Z14) \
	TWICE(448(DX), Z19, Z7, Z15)
