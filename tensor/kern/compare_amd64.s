//go:build amd64 && !noasm

// The kernels of compare_amd64.h of float32.

#include "textflag.h"

#include "compare_amd64.h"

// func equalAVX2(dst *bool, a, b *float32, n int)
TEXT ·equalAVX2(SB), NOSPLIT, $0-32
	COMPARE($0)

// func notEqualAVX2(dst *bool, a, b *float32, n int)
TEXT ·notEqualAVX2(SB), NOSPLIT, $0-32
	COMPARE($4)

// func lessAVX2(dst *bool, a, b *float32, n int)
TEXT ·lessAVX2(SB), NOSPLIT, $0-32
	COMPARE($0x11)

// func lessEqualAVX2(dst *bool, a, b *float32, n int)
TEXT ·lessEqualAVX2(SB), NOSPLIT, $0-32
	COMPARE($0x12)

// func selectAVX2(dst *float32, mask *bool, a, b *float32, n int)
TEXT ·selectAVX2(SB), NOSPLIT, $0-40
	SELECT
