// What the kernels of whole rows share. A row of n elements is n&^7 of them in full
// registers and a rest of n&7, the same in every row, so all its branches are
// predicted and the mask is loaded once.
//
//   DI dst   SI x   R10 rows left   R8 bytes in full registers   CX rest
//   BX byte in the row   Y9 mask of the rest

// SHAPE sets R8, CX and Y9 from n in CX.
#define SHAPE \
	MOVQ CX, R8                  \
	ANDQ $-8, R8                 \
	SHLQ $2, R8                  \
	ANDQ $7, CX                  \
	LEAQ ·tailMask+32(SB), AX    \
	LEAQ (CX*4), BX              \
	SUBQ BX, AX                  \
	VMOVUPS (AX), Y9

// SPREAD combines the lanes of y by OP, in a fixed order, into every lane.
#define SPREAD(OP, y, t) \
	VPERM2F128 $1, y, y, t    \
	OP         t, y, y        \
	VPERMILPS  $0x4E, y, t    \
	OP         t, y, y        \
	VPERMILPS  $0xB1, y, t    \
	OP         t, y, y

// STOREREST writes the first CX lanes of y (x its lower half) to p, which it moves
// behind them; CX is below 8. A masked store would take longer than all of a short row.
#define STOREREST(y, x, p, two, one, end) \
	TESTQ $4, CX           \
	JEQ   two              \
	VMOVUPS x, (p)         \
	VEXTRACTF128 $1, y, x  \
	ADDQ  $16, p           \
two:                       \
	TESTQ $2, CX           \
	JEQ   one              \
	VMOVLPS x, (p)         \
	VMOVHLPS x, x, x       \
	ADDQ  $8, p            \
one:                       \
	TESTQ $1, CX           \
	JEQ   end              \
	VMOVSS x, (p)          \
	ADDQ  $4, p            \
end:
