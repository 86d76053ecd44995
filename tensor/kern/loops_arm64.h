// The loops of the element-wise kernels: 16 elements at a time, then 4, then the rest of
// up to 3, of which neither loads nor stores go beyond the end.
//
// An operation OP gets the numbers of registers: of the operands, of which the first
// receives the result, then of scratch. The operands are in V0 to V3, V4 to V7 and V8 to
// V11, scratch is V16 to V19 and V20 to V23, so that V12 to V15 and V24 to V31 are for
// constants. R3 is n.

// REST loads the rest of a slice: two elements into the lower half, one into lane 2.
// The other lanes keep what they had.
#define REST(from, V) \
	TBZ    $1, R3, 2(PC)      \
	VLD1.P 8(from), V.D[0]    \
	TBZ    $0, R3, 2(PC)      \
	VLD1.P 4(from), V.S[2]

// STOREREST stores what REST loads.
#define STOREREST(V, to) \
	TBZ    $1, R3, 2(PC)   \
	VST1.P V.D[0], 8(to)   \
	TBZ    $0, R3, 2(PC)   \
	VST1.P V.S[2], 4(to)

// SPREAD copies the scalar in lane 0 to all lanes.
#define SPREAD(V) VDUP V.S[0], V.S4

// UNARY is the loop of dst = OP(x) over arguments (dst, x *float32, n int).
#define UNARY(OP) \
	MOVD   dst+0(FP), R0  \
	MOVD   x+8(FP), R1    \
	MOVD   n+16(FP), R3   \
	SUBS   $16, R3, R4    \
	BLT    fours          \
loop16:                       \
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4] \
	OP(0, 16)             \
	OP(1, 17)             \
	OP(2, 18)             \
	OP(3, 19)             \
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0) \
	SUBS   $16, R4, R4    \
	BGE    loop16         \
fours:                        \
	ADDS   $12, R4, R4    \
	BLT    tail           \
loop4:                        \
	VLD1.P 16(R1), [V0.S4] \
	OP(0, 16)             \
	VST1.P [V0.S4], 16(R0) \
	SUBS   $4, R4, R4     \
	BGE    loop4          \
tail:                         \
	TST    $3, R3         \
	BEQ    done           \
	REST(R1, V0)          \
	OP(0, 16)             \
	STOREREST(V0, R0)     \
done:                         \
	RET

// LOOP2 is the loop of dst = OP(a, b) with dst in R0, a in R1 and b in R2.
#define LOOP2(OP) \
	SUBS   $16, R3, R4    \
	BLT    fours          \
loop16:                       \
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4] \
	VLD1.P 64(R2), [V4.S4, V5.S4, V6.S4, V7.S4] \
	OP(0, 4, 16, 20)      \
	OP(1, 5, 17, 21)      \
	OP(2, 6, 18, 22)      \
	OP(3, 7, 19, 23)      \
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0) \
	SUBS   $16, R4, R4    \
	BGE    loop16         \
fours:                        \
	ADDS   $12, R4, R4    \
	BLT    tail           \
loop4:                        \
	VLD1.P 16(R1), [V0.S4] \
	VLD1.P 16(R2), [V4.S4] \
	OP(0, 4, 16, 20)      \
	VST1.P [V0.S4], 16(R0) \
	SUBS   $4, R4, R4     \
	BGE    loop4          \
tail:                         \
	TST    $3, R3         \
	BEQ    done           \
	REST(R1, V0)          \
	REST(R2, V4)          \
	OP(0, 4, 16, 20)      \
	STOREREST(V0, R0)     \
done:                         \
	RET

// BINARY is LOOP2 over arguments (dst, a, b *float32, n int).
#define BINARY(OP) \
	MOVD dst+0(FP), R0 \
	MOVD a+8(FP), R1   \
	MOVD b+16(FP), R2  \
	MOVD n+24(FP), R3  \
	LOOP2(OP)

// TERNARY is the loop of dst = OP(c, a, b) over arguments (dst, a, b, c *float32, n int):
// c comes first because it is what multiply-add adds to.
#define TERNARY(OP) \
	MOVD   dst+0(FP), R0  \
	MOVD   a+8(FP), R1    \
	MOVD   b+16(FP), R2   \
	MOVD   c+24(FP), R5   \
	MOVD   n+32(FP), R3   \
	SUBS   $16, R3, R4    \
	BLT    fours          \
loop16:                       \
	VLD1.P 64(R5), [V0.S4, V1.S4, V2.S4, V3.S4] \
	VLD1.P 64(R1), [V4.S4, V5.S4, V6.S4, V7.S4] \
	VLD1.P 64(R2), [V8.S4, V9.S4, V10.S4, V11.S4] \
	OP(0, 4, 8)           \
	OP(1, 5, 9)           \
	OP(2, 6, 10)          \
	OP(3, 7, 11)          \
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0) \
	SUBS   $16, R4, R4    \
	BGE    loop16         \
fours:                        \
	ADDS   $12, R4, R4    \
	BLT    tail           \
loop4:                        \
	VLD1.P 16(R5), [V0.S4] \
	VLD1.P 16(R1), [V4.S4] \
	VLD1.P 16(R2), [V8.S4] \
	OP(0, 4, 8)           \
	VST1.P [V0.S4], 16(R0) \
	SUBS   $4, R4, R4     \
	BGE    loop4          \
tail:                         \
	TST    $3, R3         \
	BEQ    done           \
	REST(R5, V0)          \
	REST(R1, V4)          \
	REST(R2, V8)          \
	OP(0, 4, 8)           \
	STOREREST(V0, R0)     \
done:                         \
	RET
