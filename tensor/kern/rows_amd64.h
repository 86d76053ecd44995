// What the kernels of whole rows share, for both types. A row of n elements is whole
// registers and a rest, the same in every row, so all its branches are predicted and the
// mask is loaded once.
//
//   DI dst   SI x   R10 rows left   R8 bytes in full registers   CX elements of the rest
//   BX byte in the row   Y9 mask of the rest   Y10, Y11 the rest of a row or two

// SHAPE sets R8, CX and Y9 from n in CX. What Y10 and Y11 held before would be computed with
// where there is no rest, slowly if it is a denormal number.
#define SHAPE \
	MOVQ    CX, R8               \
	ANDQ    $-VECTOR, R8         \
	SHLQ    $SIZELOG, R8         \
	ANDQ    $(VECTOR-1), CX      \
	LEAQ    ·tailMask+32(SB), AX \
	LEAQ    (CX*SIZE), BX        \
	SUBQ    BX, AX               \
	VMOVUPS (AX), Y9             \
	VXORPS  Y10, Y10, Y10        \
	VXORPS  Y11, Y11, Y11

// SPREAD combines the lanes of y by OP, in a fixed order, into every lane. STOREREST writes
// the first CX lanes of y (x its lower half) to p, which it moves behind them; CX is less than
// a register has. A masked store would take longer than all of a short row.

#ifdef DOUBLE

#define SPREAD(OP, y, t) \
	VPERM2F128 $1, y, y, t \
	OP         t, y, y     \
	VPERMILPD  $5, y, t    \
	OP         t, y, y

#define STOREREST(y, x, p, two, one, end) \
	TESTQ        $2, CX   \
	JEQ          one      \
	VMOVUPS      x, (p)   \
	VEXTRACTF128 $1, y, x \
	ADDQ         $16, p   \
one:                      \
	TESTQ        $1, CX   \
	JEQ          end      \
	VMOVSD       x, (p)   \
	ADDQ         $8, p    \
end:

#else

#define SPREAD(OP, y, t) \
	VPERM2F128 $1, y, y, t \
	OP         t, y, y     \
	VPERMILPS  $0x4E, y, t \
	OP         t, y, y     \
	VPERMILPS  $0xB1, y, t \
	OP         t, y, y

#define STOREREST(y, x, p, two, one, end) \
	TESTQ        $4, CX   \
	JEQ          two      \
	VMOVUPS      x, (p)   \
	VEXTRACTF128 $1, y, x \
	ADDQ         $16, p   \
two:                      \
	TESTQ        $2, CX   \
	JEQ          one      \
	VMOVLPS      x, (p)   \
	VMOVHLPS     x, x, x  \
	ADDQ         $8, p    \
one:                      \
	TESTQ        $1, CX   \
	JEQ          end      \
	VMOVSS       x, (p)   \
	ADDQ         $4, p    \
end:

#endif
