// Vectors of 16 float32, or of 8 float64 in files that define DOUBLE: the names of
// vec256_amd64.h for AVX-512. K1 is scratch, K2 the mask of a tail.

#define V0 Z0
#define V1 Z1
#define V2 Z2
#define V3 Z3
#define V4 Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define V8 Z8
#define V9 Z9
#define V10 Z10
#define V11 Z11
#define V12 Z12
#define V13 Z13
#define V14 Z14
#define V15 Z15

// HALVES has nothing to do: TIMES takes the whole n.
#define HALVES(n, p, t)

// Constants in memory are read as one number that is broadcast: Go's linker aligns data to 32
// bytes, so that 64 of them nearly always lie in two cache lines, and take two reads.

#ifdef DOUBLE

#define LOADC VBROADCASTSD
#define VADDPC VADDPD.BCST
#define VSUBPC VSUBPD.BCST
#define VMULPC VMULPD.BCST
#define VFMADD213PC VFMADD213PD.BCST
#define VFMADD231PC VFMADD231PD.BCST
#define VFNMADD231PC VFNMADD231PD.BCST
#define VFMSUB213PC VFMSUB213PD.BCST
#define VXORPC VXORPD.BCST
#define VORPC VORPD.BCST
#define VANDPC VANDPD.BCST
#define VPADDC VPADDQ.BCST

// ROUND rounds to whole numbers, ties to even.
#define ROUND(x, y) VRNDSCALEPD $0, x, y

// TIMES is p·2^n, rounded once.
#define TIMES(n, p, y) VSCALEFPD n, p, y

// CHOOSE is yes where a stands to b as the predicate says, else no.
#define CHOOSE(predicate, b, a, yes, no, y, t) \
	VCMPPD    predicate, b, a, K1 \
	VBLENDMPD yes, no, K1, y

// WHERE is c where a stands to b as the predicate says, else 0.
#define WHERE(predicate, b, a, c, y) \
	VCMPPD    predicate, b, a, K1 \
	VMOVUPD.Z c, K1, y

// BYSIGN is yes where the sign bit of x is set, else no.
#define BYSIGN(x, yes, no, y) \
	VPMOVQ2M  x, K1 \
	VBLENDMPD yes, no, K1, y

#else

#define LOADC VBROADCASTSS
#define VADDPC VADDPS.BCST
#define VSUBPC VSUBPS.BCST
#define VMULPC VMULPS.BCST
#define VFMADD213PC VFMADD213PS.BCST
#define VFMADD231PC VFMADD231PS.BCST
#define VFNMADD231PC VFNMADD231PS.BCST
#define VFMSUB213PC VFMSUB213PS.BCST
#define VXORPC VXORPS.BCST
#define VORPC VORPS.BCST
#define VANDPC VANDPS.BCST
#define VPADDC VPADDD.BCST
#define VPSUBC VPSUBD.BCST

// ROUND rounds to whole numbers, ties to even.
#define ROUND(x, y) VRNDSCALEPS $0, x, y

// TIMES is p·2^n, rounded once.
#define TIMES(n, p, y) VSCALEFPS n, p, y

// CHOOSE is yes where a stands to b as the predicate says, else no.
#define CHOOSE(predicate, b, a, yes, no, y, t) \
	VCMPPS    predicate, b, a, K1 \
	VBLENDMPS yes, no, K1, y

// WHERE is c where a stands to b as the predicate says, else 0.
#define WHERE(predicate, b, a, c, y) \
	VCMPPS    predicate, b, a, K1 \
	VMOVUPS.Z c, K1, y

// BYSIGN is yes where the sign bit of x is set, else no.
#define BYSIGN(x, yes, no, y) \
	VPMOVD2M  x, K1 \
	VBLENDMPS yes, no, K1, y

#endif

// TAILMASK makes K2 the mask of CX lanes of 4 bytes, fewer than 16.
#define TAILMASK \
	MOVL  $1, AX  \
	SHLL  CX, AX  \
	DECL  AX      \
	KMOVW AX, K2

// HALVE merges the lanes of Z0 into its first by the instructions M and MS.
#define HALVE(M, MS) \
	VEXTRACTF64X4 $1, Z0, Y1 \
	M         Y1, Y0, Y0     \
	VEXTRACTF128 $1, Y0, X1  \
	M         X1, X0, X0     \
	VMOVHLPS  X0, X0, X1     \
	M         X1, X0, X0     \
	VMOVSHDUP X0, X1         \
	MS        X1, X0, X0

// MAP1ROUND is a round of MAP1.
#define MAP1ROUND(F) \
	VMOVUPS (SI), Z0 \
	F \
	VMOVUPS Z0, (DI) \
	ADDQ $64, SI \
	ADDQ $64, DI \
	SUBQ $64, CX

// MAP1 is the loop of dst = F(x) over arguments (dst, x *T, n int).
#define MAP1(F) \
	MOVQ dst+0(FP), DI \
	MOVQ x+8(FP), SI \
	MOVQ n+16(FP), CX \
	SHLQ $SIZELOG, CX \
	SUBQ $64, CX \
	JLT  tail \
	CMPQ CX, $(AHEADFROM-64) \
	JLT  loop \
	SUBQ $AHEAD, CX \
ahead: \
	WRITTENLINE(0) \
	MAP1ROUND(F) \
	JGE  ahead \
	ADDQ $AHEAD, CX \
loop: \
	MAP1ROUND(F) \
	JGE  loop \
tail: \
	ADDQ $64, CX \
	JEQ  done \
	SHRQ $2, CX \
	TAILMASK \
	VMOVUPS.Z (SI), K2, Z0 \
	F \
	VMOVUPS Z0, K2, (DI) \
done: \
	VZEROUPPER \
	RET

// MAP2ROUND is a round of MAP2.
#define MAP2ROUND(F) \
	VMOVUPS (SI), Z0 \
	VMOVUPS (DX), Z1 \
	F \
	VMOVUPS Z0, (DI) \
	ADDQ $64, SI \
	ADDQ $64, DX \
	ADDQ $64, DI \
	SUBQ $64, CX

// MAP2 is the loop of dst = F(a, b) over arguments (dst, a, b *T, n int).
#define MAP2(F) \
	MOVQ dst+0(FP), DI \
	MOVQ a+8(FP), SI \
	MOVQ b+16(FP), DX \
	MOVQ n+24(FP), CX \
	SHLQ $SIZELOG, CX \
	SUBQ $64, CX \
	JLT  tail \
	CMPQ CX, $(AHEADFROM-64) \
	JLT  loop \
	SUBQ $AHEAD, CX \
ahead: \
	WRITTENLINE(0) \
	MAP2ROUND(F) \
	JGE  ahead \
	ADDQ $AHEAD, CX \
loop: \
	MAP2ROUND(F) \
	JGE  loop \
tail: \
	ADDQ $64, CX \
	JEQ  done \
	SHRQ $2, CX \
	TAILMASK \
	VMOVUPS.Z (SI), K2, Z0 \
	VMOVUPS.Z (DX), K2, Z1 \
	F \
	VMOVUPS Z0, K2, (DI) \
done: \
	VZEROUPPER \
	RET
