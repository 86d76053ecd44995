// The exponential, the logarithm and what is made of them, on four elements, by the
// polynomials and in the steps of exp_amd64.h, log_amd64.h, activations_amd64.h, erf_amd64.h
// and gelu_amd64.h, which say where they are from.
//
// Constants are in a table, four times each; R8 is its address. Those of a polynomial are
// loaded where they are added, into registers that the sum is to have anyway. V16 to V23 are
// scratch, V24 to V28 have constants of the exponential, V29 to V31 those of a kernel.

#define HIGHEST     0
#define LOWEST      16
#define LOG2E       32
#define LN2HI       48
#define LN2LO       64
#define P5          80
#define P4          96
#define P3          112
#define P2          128
#define P1          144
#define P0          160
#define ONE         176
#define BIAS        192
#define LEAST       208
#define FLUSH       224
#define SIGN        240
#define MINUSTWO    256
#define L7          272
#define L6          288
#define L5          304
#define L4          320
#define L3          336
#define L2          352
#define L1          368
#define L0          384
#define MINUSHALF   400
#define LN2         416
#define SQRTHALF    432
#define SMALLEST    448
#define TWO25       464
#define TWENTYFIVE  480
#define INFINITY    496
#define MINUSINF    512
#define ROOT2LESS1  528
#define NOTANUMBER  544
#define LEAST110    560
#define ES6         576
#define ES5         592
#define ES4         608
#define ES3         624
#define ES2         640
#define ES1         656
#define ES0         672
#define EB6         688
#define EB5         704
#define EB4         720
#define EB3         736
#define EB2         752
#define EB1         768
#define EB0         784
#define FOUR        800
#define TENISH      816
#define TWOBYROOTPI 832
#define Q9          848
#define Q8          864
#define Q7          880
#define Q6          896
#define Q5          912
#define Q4          928
#define Q3          944
#define Q2          960
#define Q1          976
#define Q0          992
#define CENTRE      1008
#define FIFTEEN     1024
#define THREETENTHS 1040
#define DENSITY0    1056
#define SEVEN       1072
#define MINUSSEVEN  1088
#define TOQUARTER   1104
#define ROWBYTES    1120
#define BOUND       1136
#define TWOBYPI     1152
#define PI2A        1168
#define PI2B        1184
#define PI2C        1200
#define TS2         1216
#define TS1         1232
#define TS0         1248
#define TC2         1264
#define TC1         1280
#define TC0         1296
#define QUARTER     1312
#define CONSTANTS   1328 // bytes

// K loads a constant.
#define K(at, F) FMOVQ at(R8), F

// TABLE sets R8.
#define TABLE MOVD $·functionConstants(SB), R8

// HORNER is p = p·x + the constant, which q takes; the next step goes from q to p.
#define HORNER(at, x, p, q, Q) \
	K(at, Q)    \
	FMLA(q, p, x)

// EXPCONSTS sets the constants of the exponential.
#define EXPCONSTS \
	TABLE         \
	K(LOG2E, F24) \
	K(LN2HI, F25) \
	K(LN2LO, F26) \
	K(ONE, F27)   \
	K(BIAS, F28)

// REDUCE turns x into r, and n into its float.
#define REDUCE(x, n) \
	FMUL(n, x, 24) \
	FRINTN(n, n)   \
	FMLS(x, n, 25) \
	FMLS(x, n, 26)

// POLY turns r in x into e^r - 1.
#define POLY(x) \
	K(P5, F16)                \
	HORNER(P4, x, 16, 17, F17) \
	HORNER(P3, x, 17, 16, F16) \
	HORNER(P2, x, 16, 17, F17) \
	HORNER(P1, x, 17, 16, F16) \
	HORNER(P0, x, 16, 17, F17) \
	FMUL(16, x, x)            \
	FMLA(x, 17, 16)

// POWER turns the float n into 2^n.
#define POWER(n) \
	FCVTNS(n, n)   \
	ADDU(n, n, 28) \
	SHL4(n, n, 23)

// HALVES turns p and the whole n into factors p and n whose product is p·2^n, for
// |n| <= 252. The new p is a normal number, so that whatever it is multiplied by
// before n rounds once.
#define HALVES(n, p) \
	FCVTNS(n, n)     \
	SSHR4(16, n, 1)  \
	SUB4(n, n, 16)   \
	ADDU(16, 16, 28) \
	ADDU(n, n, 28)   \
	SHL4(16, 16, 23) \
	SHL4(n, n, 23)   \
	FMUL(p, p, 16)

// EXPPARTS turns x, between LOWEST and HIGHEST, into parts x and n whose product is e^x.
#define EXPPARTS(x, n) \
	REDUCE(x, n)   \
	POLY(x)        \
	FADD(x, x, 27) \
	HALVES(n, x)

// EXP replaces x by its exponential; V29 is HIGHEST, V30 LOWEST. NaN stays, which FMIN and
// FMAX let pass.
#define EXP(x, n) \
	FMIN(x, x, 29) \
	FMAX(x, x, 30) \
	EXPPARTS(x, n) \
	FMUL(x, x, n)

// EXPNEG replaces x, at most 0, by its exponential, or by 0 where that is below 2^-126; V30
// is FLUSH.
#define EXPNEG(x, n) \
	FMAX(x, x, 30) \
	REDUCE(x, n)   \
	POLY(x)        \
	FADD(x, x, 27) \
	POWER(n)       \
	FMUL(x, x, n)

// EXPM1 makes p e^x - 1 for x, at most 0, and destroys x; V30 is LEAST.
#define EXPM1(x, n, p) \
	FMAX(x, x, 30) \
	REDUCE(x, n)   \
	POLY(x)        \
	POWER(n)       \
	FSUB(p, n, 27) \
	FMLA(p, n, x)

// SPLIT turns a positive normal x into f, and k into its float; V27 is 1.
#define SPLIT(x, k) \
	K(SQRTHALF, F16) \
	SUB4(k, x, 16)   \
	SSHR4(k, k, 23)  \
	SHL4(16, k, 23)  \
	SUB4(x, x, 16)   \
	SCVTF(k, k)      \
	FSUB(x, x, 27)

// LOG1P is ln(1+f) as p.
#define LOG1P(f, p) \
	K(L7, F16)                        \
	HORNER(L6, f, 16, 17, F17)        \
	HORNER(L5, f, 17, 16, F16)        \
	HORNER(L4, f, 16, 17, F17)        \
	HORNER(L3, f, 17, 16, F16)        \
	HORNER(L2, f, 16, 17, F17)        \
	HORNER(L1, f, 17, 16, F16)        \
	HORNER(L0, f, 16, 17, F17)        \
	HORNER(MINUSHALF, f, 17, 16, F16) \
	FMUL(17, f, f)                    \
	MOV4(p, f)                        \
	FMLA(p, 16, 17)

// BYSIGN makes y what yes is where the sign bit of x is set; V23 is scratch.
#define BYSIGN(x, yes, y) \
	SSHR4(23, x, 31) \
	BIT4(y, yes, 23)

// SQUARED makes parts p and n of e^(-c·a²). The square is kept in two parts.
#define SQUARED(c, a, p, n) \
	FMUL(p, a, a)   \
	FNEG(18, p)     \
	FMLA(18, a, a)  \
	FMUL(p, p, c)   \
	FNEG(p, p)      \
	REDUCE(p, n)    \
	FMLS(p, 18, c)  \
	POLY(p)         \
	FADD(p, p, 27)  \
	HALVES(n, p)

// MAP1 is the loop of F over arguments (dst, x *float32, n int): F turns V0 into its result
// and may use V1 to V7.
#define MAP1(F) \
	MOVD   dst+0(FP), R0   \
	MOVD   x+8(FP), R1     \
	MOVD   n+16(FP), R3    \
	SUBS   $4, R3, R4      \
	BLT    tail            \
loop4:                         \
	VLD1.P 16(R1), [V0.S4] \
	F                      \
	VST1.P [V0.S4], 16(R0) \
	SUBS   $4, R4, R4      \
	BGE    loop4           \
tail:                          \
	TST    $3, R3          \
	BEQ    done            \
	REST(R1, V0)           \
	F                      \
	STOREREST(V0, R0)      \
done:                          \
	RET

// MAP2 is the loop of F over arguments (dst, a, b *float32, n int): F gets a in V0 and b in
// V1, leaves its result in V0 and may use V2 to V7.
#define MAP2(F) \
	MOVD   dst+0(FP), R0   \
	MOVD   a+8(FP), R1     \
	MOVD   b+16(FP), R2    \
	MOVD   n+24(FP), R3    \
	SUBS   $4, R3, R4      \
	BLT    tail            \
loop4:                         \
	VLD1.P 16(R1), [V0.S4] \
	VLD1.P 16(R2), [V1.S4] \
	F                      \
	VST1.P [V0.S4], 16(R0) \
	SUBS   $4, R4, R4      \
	BGE    loop4           \
tail:                          \
	TST    $3, R3          \
	BEQ    done            \
	REST(R1, V0)           \
	REST(R2, V1)           \
	F                      \
	STOREREST(V0, R0)      \
done:                          \
	RET
