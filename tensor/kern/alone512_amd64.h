// What the AVX-512 kernels of one number an edge have for rows with one edge each, the
// leaves of a graph: 16 such rows side by side are one vector, of their edges and of
// their own numbers.

// EACHONE goes on if the row whose second bound is at R9 and the 15 behind it have one edge
// each, of R10 rows; else to several. Z27 is made ones.
#define EACHONE(several) \
	CMPQ         R10, $16        \
	JLT          several         \
	MOVL         $1, AX          \
	VPBROADCASTD AX, Z27         \
	VMOVDQU32    (R9), Z26       \
	VPSUBD       -4(R9), Z26, Z26 \
	VPCMPEQD     Z27, Z26, K5    \
	KORTESTW     K5, K5          \
	JCC          several
