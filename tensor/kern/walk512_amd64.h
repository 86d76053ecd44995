// The walk over a row's edges of kernels with AVX-512 that prefetch rows to the second cache or, on
// other processors, to the first one.

// EACHOF runs EDGE over edges AX to BX; those before the one in the register until have edges ahead,
// and NEXT beside them, or NEXTFIRST where first is not 0.
#define EACHOF(NEXT, NEXTFIRST, EDGE, until, first, near, nearFirst, last, rest, taken) \
	CMPQ AX, until \
	JGE  last      \
	CMPB first, $0 \
	JNE  nearFirst \
near:            \
	NEXT           \
	EDGE           \
	INCQ AX        \
	CMPQ AX, until \
	JLT  near      \
	JMP  last      \
nearFirst:       \
	NEXTFIRST      \
	EDGE           \
	INCQ AX        \
	CMPQ AX, until \
	JLT  nearFirst \
last:            \
	CMPQ AX, BX    \
	JGE  taken     \
rest:            \
	EDGE           \
	INCQ AX        \
	CMPQ AX, BX    \
	JLT  rest      \
taken:
