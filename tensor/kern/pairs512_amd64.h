// What the AVX-512 kernels of segments and of dot products share: blocks of columns in
// four registers under the masks K1..K4, and sums of neighbours.

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

// PAIR is the sums of neighbours in a and b, in order; Z24 and Z25 are evens and odds.
#define PAIR(a, b, y) \
	VMOVAPS   a, Z16       \
	VMOVAPS   a, Z17       \
	VPERMT2PS b, Z24, Z16  \
	VPERMT2PS b, Z25, Z17  \
	VADDPS    Z17, Z16, y

#define FIRST64 \
	PAIR(Z8, Z9, Z8)   \
	PAIR(Z10, Z11, Z9)
