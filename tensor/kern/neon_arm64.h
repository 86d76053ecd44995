// Instructions of arm64's Advanced SIMD that Go's assembler has no names for, as words: on four
// float32, or two float64 (D2). Arguments are numbers of registers, not their names, in the
// order of the manual: the destination first.

#define FADD(d, n, m) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB(d, n, m) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))
#define FMUL(d, n, m) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FDIV(d, n, m) WORD $(0x6E20FC00 | (m)<<16 | (n)<<5 | (d))

// FMLA: d += n * m; FMLS: d -= n * m; both rounded once.
#define FMLA(d, n, m) WORD $(0x4E20CC00 | (m)<<16 | (n)<<5 | (d))
#define FMLS(d, n, m) WORD $(0x4EA0CC00 | (m)<<16 | (n)<<5 | (d))

// FMLALANE: d += n * m[lane], lane of 0 to 3; FMULLANE: d = n * m[lane].
#define FMLALANE(d, n, m, lane) WORD $(0x4F801000 | ((lane)&1)<<21 | (m)<<16 | ((lane)>>1)<<11 | (n)<<5 | (d))
#define FMULLANE(d, n, m, lane) WORD $(0x4F809000 | ((lane)&1)<<21 | (m)<<16 | ((lane)>>1)<<11 | (n)<<5 | (d))

// FMAX and FMIN: NaN if one is.
#define FMAX(d, n, m) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMIN(d, n, m) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))

#define FABS(d, n) WORD $(0x4EA0F800 | (n)<<5 | (d))
#define FNEG(d, n) WORD $(0x6EA0F800 | (n)<<5 | (d))
#define FSQRT(d, n) WORD $(0x6EA1F800 | (n)<<5 | (d))

// Comparisons: all bits of an element are set where n stands so to m, or to 0; none where one is NaN.
#define FCMGT(d, n, m) WORD $(0x6EA0E400 | (m)<<16 | (n)<<5 | (d))
#define FCMGE(d, n, m) WORD $(0x6E20E400 | (m)<<16 | (n)<<5 | (d))
#define FCMEQ(d, n, m) WORD $(0x4E20E400 | (m)<<16 | (n)<<5 | (d))
#define FCMGT0(d, n) WORD $(0x4EA0C800 | (n)<<5 | (d))
#define FCMEQ0(d, n) WORD $(0x4EA0D800 | (n)<<5 | (d))
#define FCMLT0(d, n) WORD $(0x4EA0E800 | (n)<<5 | (d))
#define FCMLE0(d, n) WORD $(0x6EA0D800 | (n)<<5 | (d))

// Of all bits: BIC4: d = n &^ m; ORN4: d = n | ^m; BSL4: d = n where d is set, else m;
// BIT4: d = n where m is set, else d; BIF4: d = n where m is not set, else d.
#define BIC4(d, n, m) WORD $(0x4E601C00 | (m)<<16 | (n)<<5 | (d))
#define ORR4(d, n, m) WORD $(0x4EA01C00 | (m)<<16 | (n)<<5 | (d))
#define ORN4(d, n, m) WORD $(0x4EE01C00 | (m)<<16 | (n)<<5 | (d))
#define BSL4(d, n, m) WORD $(0x6E601C00 | (m)<<16 | (n)<<5 | (d))
#define BIT4(d, n, m) WORD $(0x6EA01C00 | (m)<<16 | (n)<<5 | (d))
#define BIF4(d, n, m) WORD $(0x6EE01C00 | (m)<<16 | (n)<<5 | (d))
#define MOV4(d, n) ORR4(d, n, n)

// Of four int32; SSHR4 keeps the sign. ADDU is their sum.
#define SUB4(d, n, m) WORD $(0x6EA08400 | (m)<<16 | (n)<<5 | (d))
#define SHL4(d, n, by) WORD $(0x4F005400 | (32+(by))<<16 | (n)<<5 | (d))
#define SSHR4(d, n, by) WORD $(0x4F000400 | (64-(by))<<16 | (n)<<5 | (d))

// FRINTN rounds to whole numbers, ties to even; FCVTNS does so to int32; SCVTF is from int32.
#define FRINTN(d, n) WORD $(0x4E218800 | (n)<<5 | (d))
#define FCVTNS(d, n) WORD $(0x4E21A800 | (n)<<5 | (d))
#define SCVTF(d, n) WORD $(0x4E21D800 | (n)<<5 | (d))

// FADDP: the sums of neighbours, of n and then of m. FADDPS: the sum of the first two elements of n.
#define FADDP(d, n, m) WORD $(0x6E20D400 | (m)<<16 | (n)<<5 | (d))
#define FADDPS(d, n) WORD $(0x7E30D800 | (n)<<5 | (d))

// FMAXV and FMINV: the largest and the least of four; NaN if one is.
#define FMAXV(d, n) WORD $(0x6E30F800 | (n)<<5 | (d))
#define FMINV(d, n) WORD $(0x6EB0F800 | (n)<<5 | (d))

// Two float64.
#define FADDD2(d, n, m) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))
#define FMLALANED2(d, n, m, lane) WORD $(0x4FC01000 | (m)<<16 | (lane)<<11 | (n)<<5 | (d))
#define FMAXD2(d, n, m) WORD $(0x4E60F400 | (m)<<16 | (n)<<5 | (d))

// Loads and stores of 16, 8 and 4 bytes of a vector register at so many bytes, a multiple of
// these, from general register n. The upper part of what is loaded is 0.
#define LDQ(t, n, at) WORD $(0x3DC00000 | ((at)/16)<<10 | (n)<<5 | (t))
#define LDD(t, n, at) WORD $(0xFD400000 | ((at)/8)<<10 | (n)<<5 | (t))
#define LDS(t, n, at) WORD $(0xBD400000 | ((at)/4)<<10 | (n)<<5 | (t))
#define STQ(t, n, at) WORD $(0x3D800000 | ((at)/16)<<10 | (n)<<5 | (t))
#define STD(t, n, at) WORD $(0xFD000000 | ((at)/8)<<10 | (n)<<5 | (t))
#define STS(t, n, at) WORD $(0xBD000000 | ((at)/4)<<10 | (n)<<5 | (t))

// CLEAR makes all of a register 0.
#define CLEAR(d) WORD $(0x6F00E400 | (d))

// Four uint32: sums, products, and all bits set where n >= m. SHIFT is to the right.
#define ADDU(d, n, m) WORD $(0x4EA08400 | (m)<<16 | (n)<<5 | (d))
#define MULU(d, n, m) WORD $(0x4EA09C00 | (m)<<16 | (n)<<5 | (d))
#define CMHS(d, n, m) WORD $(0x6EA03C00 | (m)<<16 | (n)<<5 | (d))
#define SHIFT(d, n, bits) WORD $(0x6F200400 | (32-(bits))<<16 | (n)<<5 | (d))

// All bits.
#define AND(d, n, m) WORD $(0x4E201C00 | (m)<<16 | (n)<<5 | (d))
#define EOR(d, n, m) WORD $(0x6E201C00 | (m)<<16 | (n)<<5 | (d))

// LDQX and STQX: the 16 bytes at the sum of two general registers.
#define LDQX(t, n, index) WORD $(0x3CE06800 | (index)<<16 | (n)<<5 | (t))
#define STQX(t, n, index) WORD $(0x3CA06800 | (index)<<16 | (n)<<5 | (t))
