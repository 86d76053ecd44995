// Segments of float32 with AVX2 in blocks of sixteen vectors of columns, whose rows are read in one
// go: all registers of the processor.

// Rows are prefetched AHEADWIDE ahead, which take as much of the first cache as AHEAD256 blocks of
// eight vectors.
#define AHEADWIDE (AHEAD256/2)

#define LINESSIXTEEN(mem) \
	LINESEIGHT(mem)     \
	PREFETCHT0 256(mem) \
	PREFETCHT0 320(mem) \
	PREFETCHT0 384(mem) \
	PREFETCHT0 448(mem)
#define FETCHWIDE \
	MOVLQSX (4*AHEADWIDE)(R9)(AX*4), R15 \
	IMULQ   R8, R15                      \
	ADDQ    SI, R15                      \
	LINESSIXTEEN(R15)

#define SIXMORE(OP) \
	OP(256, Y8)  \
	OP(288, Y9)  \
	OP(320, Y10) \
	OP(352, Y11) \
	OP(384, Y12) \
	OP(416, Y13)
#define SEVENMORE(OP) \
	SIXMORE(OP)  \
	OP(448, Y14)

#define FIRSTSIXTEEN(OP) \
	FIRSTEIGHT(OP) \
	SEVENMORE(OP)  \
	OP(480, Y15)

// Sums of as many vectors beside weights and dot products, which want registers, too: those that
// have none are on the stack, where BP is, in lines of their own, and are read and written for
// each edge, while memory is waited for.
#define KEPTTWO(OP) \
	OP(448, 0(BP))  \
	OP(480, 32(BP))
#define KEPTEIGHT(OP) \
	KEPTTWO(OP)      \
	OP(256, 64(BP))  \
	OP(288, 96(BP))  \
	OP(320, 128(BP)) \
	OP(352, 160(BP)) \
	OP(384, 192(BP)) \
	OP(416, 224(BP))

#define KEPTZERO(at, kept) VMOVAPS Y14, kept
#define KEPTLOAD(at, kept) \
	VMOVUPS at(DI), Y14 \
	VMOVAPS Y14, kept
#define KEPTTIMESBY(at, kept) \
	VMULP   kept, Y15, Y14 \
	VMOVAPS Y14, kept
#define KEPTSTORE(at, kept) \
	VMOVAPS kept, Y14   \
	VMOVUPS Y14, at(DI)
#define KEPTPAST(at, kept) \
	VMOVAPS  kept, Y14   \
	VMOVNTPS Y14, at(DI)
#define KEPTSCALE(at, kept) \
	VMOVAPS    kept, Y14         \
	VFMADD231P at(DX), Y15, Y14  \
	VMOVAPS    Y14, kept
#define KEPTDOTTED(at, kept) \
	VMOVUPS    at(DX), Y12      \
	VMOVAPS    kept, Y14        \
	VFMADD231P Y12, Y15, Y14    \
	VMOVAPS    Y14, kept        \
	VFMADD231P at(CX), Y12, Y8

// KEPTLINES points BP at the lines on the stack.
#define KEPTLINES \
	LEAQ 63(SP), BP \
	ANDQ $-64, BP

#define FIRSTFOURTEEN(OP) \
	FIRSTEIGHT(OP) \
	SIXMORE(OP)
