//go:build amd64 && !noasm

// The kernels of compare_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "compare_amd64.h"

// func equal64AVX2(dst *bool, a, b *float64, n int)
TEXT ·equal64AVX2(SB), NOSPLIT, $0-32
	COMPARE($0)

// func notEqual64AVX2(dst *bool, a, b *float64, n int)
TEXT ·notEqual64AVX2(SB), NOSPLIT, $0-32
	COMPARE($4)

// func less64AVX2(dst *bool, a, b *float64, n int)
TEXT ·less64AVX2(SB), NOSPLIT, $0-32
	COMPARE($0x11)

// func lessEqual64AVX2(dst *bool, a, b *float64, n int)
TEXT ·lessEqual64AVX2(SB), NOSPLIT, $0-32
	COMPARE($0x12)

// func select64AVX2(dst *float64, mask *bool, a, b *float64, n int)
TEXT ·select64AVX2(SB), NOSPLIT, $0-40
	SELECT
