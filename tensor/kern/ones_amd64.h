// Rows of one number each, eight side by side, for both types: graphs have many that give most
// of their vertices one neighbour.

#include "types_amd64.h"

// EIGHTONES jumps unless the R10 rows that are left begin with eight of a number each; their
// bounds are at R9, and Y15 has all bits set. It changes CX and Y0.
#define EIGHTONES(not) \
	CMPQ      R10, $8       \
	JLT       not           \
	MOVL      32(R9), CX    \
	SUBL      (R9), CX      \
	CMPL      CX, $8        \
	JNE       not           \
	VMOVDQU   (R9), Y0      \
	VPSUBD    4(R9), Y0, Y0 \
	VPCMPEQD  Y15, Y0, Y0   \
	VMOVMSKPS Y0, CX        \
	CMPL      CX, $0xFF     \
	JNE       not

// EIGHT takes their numbers at SI to the rows at DI, a vector at a time by OP, and goes behind
// them.
#ifdef DOUBLE
#define EIGHT(OP) \
	OP(0)        \
	OP(32)       \
	ADDQ $64, SI \
	ADDQ $64, DI \
	ADDQ $32, R9 \
	SUBQ $8, R10
#else
#define EIGHT(OP) \
	OP(0)        \
	ADDQ $32, SI \
	ADDQ $32, DI \
	ADDQ $32, R9 \
	SUBQ $8, R10
#endif

#define COPYOF(at) \
	VMOVUPS at(SI), Y0 \
	VMOVUPS Y0, at(DI)
