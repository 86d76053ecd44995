// The tail of the normal distribution, for both types and both widths of vectors.
//
// Q(a) = Φ(-a) is e^(-a²/2)·t·R(w) with t = 1/(1 + c·a), the form of Abramowitz and Stegun
// 7.1.26, and w = c·a·t - k, which is 1 - k - t; so placed, R rounds least. R is a minimax
// polynomial of degree 9 within 2e-8 for a <= 15, of float64 of degree 21 within 3e-17 for
// a <= 39. Beyond, Q is 0.

NUMBER(r9<>, $0x3C9952F8, $0x3FAA56889A8FE62D) // 1.871632039e-2, 5.144144903892953e-2
NUMBER(r8<>, $0xBCC37E1C, $0x3FA6A7EF7126F695) // -2.386384457e-2, 4.424999481441919e-2
NUMBER(r7<>, $0xBCF5D854, $0xBFCD68D41200F5E6) // -3.001037985e-2, -2.2976160887803515e-1
NUMBER(r6<>, $0x3D098217, $0x3FDBD7695DC3F828) // 3.357132897e-2, 4.350226798704875e-1
NUMBER(r5<>, $0x3DA03D3D, $0xBFE263CB8FA5B429) // 7.824180275e-2, -5.74682026444525e-1
NUMBER(r4<>, $0xBDA3098B, $0x3FE33F33B09EDFA9) // -7.960804552e-2, 6.014650773640727e-1
NUMBER(r3<>, $0xBE499112, $0xBFE0CC75AE57AC78) // -1.968424618e-1, -5.249584584356759e-1
NUMBER(r2<>, $0x3F029E64, $0x3FD91ABF19CA215F) // 5.102293491e-1, 3.922574760295187e-1
NUMBER(r1<>, $0xBF0B472B, $0xBFD04C47B8643A72) // -5.440546870e-1, -2.546557713220984e-1
NUMBER(r0<>, $0x3EA8A700, $0x3FC2897222860A86) // 3.293991089e-1, 1.448195141384369e-1

NUMBER(tailC<>, $0x3E99999A, $0x3FC8000000000000)    // c: 0.3, 3/16
NUMBER(tailK<>, $0x3E800000, $0x3FE0000000000000)    // k: 1/4, 1/2
NUMBER(tailEnd<>, $0x41700000, $0x4043800000000000)  // 15, 39: from here on Q is 0
NUMBER(density0<>, $0x3ECC422A, $0x3FD9884533D43651) // 1/sqrt(2π)

#ifdef DOUBLE

SPLAT64(r21<>, $0xBF43304707F2970E) // -5.855891066814682e-4
SPLAT64(r20<>, $0x3F34702FFAF6DC2E) // 3.118626727557941e-4
SPLAT64(r19<>, $0x3F6325D1B7C0893B) // 2.337369542162152e-3
SPLAT64(r18<>, $0xBF421465E288E30B) // -5.517480358952787e-4
SPLAT64(r17<>, $0xBF7307E8EC245916) // -4.646215298882225e-3
SPLAT64(r16<>, $0x3F5BD63D37DFD716) // 1.6990278086245806e-3
SPLAT64(r15<>, $0x3F7FF14CD0717EB0) // 7.7984810405663935e-3
SPLAT64(r14<>, $0xBF79555231188960) // -6.184884130137597e-3
SPLAT64(r13<>, $0xBF8728B9BAF59729) // -1.13081464939558e-2
SPLAT64(r12<>, $0x3F946236D53B6AAF) // 1.9905907406477293e-2
SPLAT64(r11<>, $0x3F79AABDE18278E8) // 6.266347620252889e-3
SPLAT64(r10<>, $0xBFA9CB6316688F7C) // -5.0379845128445816e-2

// FARTHER is the part of R that float32 does not have.
#define FARTHER(w, q) \
	LOADC       r21<>(SB), q    \
	VFMADD213PC r20<>(SB), w, q \
	VFMADD213PC r19<>(SB), w, q \
	VFMADD213PC r18<>(SB), w, q \
	VFMADD213PC r17<>(SB), w, q \
	VFMADD213PC r16<>(SB), w, q \
	VFMADD213PC r15<>(SB), w, q \
	VFMADD213PC r14<>(SB), w, q \
	VFMADD213PC r13<>(SB), w, q \
	VFMADD213PC r12<>(SB), w, q \
	VFMADD213PC r11<>(SB), w, q \
	VFMADD213PC r10<>(SB), w, q \
	VFMADD213PC r9<>(SB), w, q

#else

#define FARTHER(w, q) LOADC r9<>(SB), q

#endif

// TAIL is t·R(w) as q for a in [0, tailEnd], with w in u.
#define TAIL(a, q, t, u) \
	LOADC       tailC<>(SB), t    \
	LOADC       one<>(SB), q      \
	VMULP       t, a, u           \
	VFMADD213P  q, a, t           \
	VDIVP       t, q, t           \
	VFMSUB213PC tailK<>(SB), t, u \
	FARTHER(u, q)                 \
	VFMADD213PC r8<>(SB), u, q    \
	VFMADD213PC r7<>(SB), u, q    \
	VFMADD213PC r6<>(SB), u, q    \
	VFMADD213PC r5<>(SB), u, q    \
	VFMADD213PC r4<>(SB), u, q    \
	VFMADD213PC r3<>(SB), u, q    \
	VFMADD213PC r2<>(SB), u, q    \
	VFMADD213PC r1<>(SB), u, q    \
	VFMADD213PC r0<>(SB), u, q    \
	VMULP       t, q, q
