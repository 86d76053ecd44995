//go:build arm64 && !noasm

// Comparisons to one byte an element with NEON, and selection by such bytes; n is a
// multiple of 8.

#include "textflag.h"
#include "neon_arm64.h"

// COMPARE is the loop of dst = TEST(a, b) over arguments (dst *bool, a, b *float32, n int), 16
// elements at a time, then 8: TEST sets all bits of an element of a or none, BOOL takes bytes
// of them to 1 or 0 by the ones in V31.
#define COMPARE(TEST, BOOL) \
	MOVD   dst+0(FP), R0          \
	MOVD   a+8(FP), R1            \
	MOVD   b+16(FP), R2           \
	MOVD   n+24(FP), R3           \
	VMOVI  $1, V31.B16            \
	SUBS   $16, R3, R3            \
	BLT    eight                  \
loop16:                               \
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4] \
	VLD1.P 64(R2), [V4.S4, V5.S4, V6.S4, V7.S4] \
	TEST(0, 4)                    \
	TEST(1, 5)                    \
	TEST(2, 6)                    \
	TEST(3, 7)                    \
	VUZP1  V1.H8, V0.H8, V0.H8    \
	VUZP1  V3.H8, V2.H8, V2.H8    \
	VUZP1  V2.B16, V0.B16, V0.B16 \
	BOOL                          \
	VST1.P [V0.B16], 16(R0)       \
	SUBS   $16, R3, R3            \
	BGE    loop16                 \
eight:                                \
	ADDS   $8, R3, R3             \
	BLT    done                   \
	VLD1   (R1), [V0.S4, V1.S4]   \
	VLD1   (R2), [V4.S4, V5.S4]   \
	TEST(0, 4)                    \
	TEST(1, 5)                    \
	VUZP1  V1.H8, V0.H8, V0.H8    \
	VUZP1  V0.B16, V0.B16, V0.B16 \
	BOOL                          \
	VST1   [V0.B8], (R0)          \
done:                                 \
	RET

#define SAME(a, b) FCMEQ(a, a, b)
#define BELOW(a, b) FCMGT(a, b, a)
#define ATMOST(a, b) FCMGE(a, b, a)

#define YES AND(0, 0, 31)
#define NO BIC4(0, 31, 0)

// func equalNEON(dst *bool, a, b *float32, n int)
TEXT ·equalNEON(SB), NOSPLIT, $0-32
	COMPARE(SAME, YES)

// func notEqualNEON(dst *bool, a, b *float32, n int)
TEXT ·notEqualNEON(SB), NOSPLIT, $0-32
	COMPARE(SAME, NO)

// func lessNEON(dst *bool, a, b *float32, n int)
TEXT ·lessNEON(SB), NOSPLIT, $0-32
	COMPARE(BELOW, YES)

// func lessEqualNEON(dst *bool, a, b *float32, n int)
TEXT ·lessEqualNEON(SB), NOSPLIT, $0-32
	COMPARE(ATMOST, YES)

// A byte of 1 becomes the four bytes of -1, which have all bits set.
// func selectNEON(dst *float32, mask *bool, a, b *float32, n int)
TEXT ·selectNEON(SB), NOSPLIT, $0-40
	MOVD dst+0(FP), R0
	MOVD mask+8(FP), R5
	MOVD a+16(FP), R1
	MOVD b+24(FP), R2
	MOVD n+32(FP), R3
	CLEAR(31)

loop8:
	VLD1.P  8(R5), [V0.B8]
	VLD1.P  32(R1), [V2.S4, V3.S4]
	VLD1.P  32(R2), [V4.S4, V5.S4]
	VUXTL   V0.B8, V0.H8
	VUXTL2  V0.H8, V1.S4
	VUXTL   V0.H4, V0.S4
	SUB4(0, 31, 0)
	SUB4(1, 31, 1)
	BSL4(0, 2, 4)
	BSL4(1, 3, 5)
	VST1.P  [V0.S4, V1.S4], 32(R0)
	SUBS    $8, R3, R3
	BNE     loop8
	RET
