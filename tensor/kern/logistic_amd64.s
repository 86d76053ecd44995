//go:build amd64 && !noasm

// SiLU and the gradients made of the logistic function σ. With u = e^-|x|, which
// never overflows, σ(|x|) is 1/(1+u) and σ(-|x|) is u/(1+u).

#include "textflag.h"
#include "loops_amd64.h"
#include "exp_amd64.h"

SPLAT(least110<>, $0xC2DC0000) // -110: x·e^x is 0

// FADE turns x into a = -|x|, at least -110, and the parts p and n of e^a; Y14 is -110.
#define FADE(x, a, n, p, t, s) \
	VORPS   sign<>(SB), x, a \
	VMAXPS  a, Y14, a        \
	VMOVAPS a, s             \
	EXPPARTS(s, n, p, t)

// SILU: x/(1+u), or x·u/(1+u) where x is negative, whose numerator rounds once even
// if u is a denormal number. x is limited there because -Inf·0 would be NaN.
#define SILU \
	FADE(Y0, Y1, Y2, Y4, Y5, Y6) \
	VMULPS    Y2, Y4, Y6         \
	VADDPS    one<>(SB), Y6, Y6  \
	VMAXPS    Y0, Y14, Y7        \
	VMULPS    Y4, Y7, Y7         \
	VMULPS    Y2, Y7, Y7         \
	VBLENDVPS Y0, Y7, Y0, Y0     \
	VDIVPS    Y6, Y0, Y0

// SLOPES leaves 1/(1+u) in Y7, u/(1+u) in Y6 and a in Y2 for x in Y1.
#define SLOPES \
	FADE(Y1, Y2, Y4, Y5, Y6, Y7) \
	VMULPS  Y4, Y5, Y6           \
	VMOVUPS one<>(SB), Y9        \
	VADDPS  Y9, Y6, Y7           \
	VDIVPS  Y7, Y9, Y7           \
	VMULPS  Y7, Y6, Y6

// SOFTPLUSGRAD: g·σ(x)
#define SOFTPLUSGRAD \
	SLOPES                   \
	VBLENDVPS Y1, Y6, Y7, Y7 \
	VMULPS    Y7, Y0, Y0

// SILUGRAD: the slope at -|x| is s = σ(-|x|)·(1 - |x|·σ(|x|)), at |x| it is 1 - s.
#define SILUGRAD \
	SLOPES                       \
	VFMADD213PS Y9, Y7, Y2       \
	VMULPS      Y2, Y6, Y6       \
	VSUBPS      Y6, Y9, Y7       \
	VBLENDVPS   Y1, Y6, Y7, Y7   \
	VMULPS      Y7, Y0, Y0

// func siluAVX2(dst, x *float32, n int)
TEXT ·siluAVX2(SB), NOSPLIT, $0-24
	EXPCONSTS
	VMOVUPS least110<>(SB), Y14
	MAP1(SILU)

// func softplusGradAVX2(dst, a, b *float32, n int)
TEXT ·softplusGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS least110<>(SB), Y14
	MAP2(SOFTPLUSGRAD)

// func siluGradAVX2(dst, a, b *float32, n int)
TEXT ·siluGradAVX2(SB), NOSPLIT, $0-32
	EXPCONSTS
	VMOVUPS least110<>(SB), Y14
	MAP2(SILUGRAD)
