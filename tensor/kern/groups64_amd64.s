//go:build amd64 && !noasm

// The kernels of groups_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "groups_amd64.h"

// func addGroups64AVX2(dst, x, y *float64, groups, group int)
TEXT ·addGroups64AVX2(SB), NOSPLIT, $0-40
	GROUPS(VADDP, next, four, rest, one, end)

// func subGroups64AVX2(dst, x, y *float64, groups, group int)
TEXT ·subGroups64AVX2(SB), NOSPLIT, $0-40
	GROUPS(VSUBP, next, four, rest, one, end)

// func mulGroups64AVX2(dst, x, y *float64, groups, group int)
TEXT ·mulGroups64AVX2(SB), NOSPLIT, $0-40
	GROUPS(VMULP, next, four, rest, one, end)

// func divGroups64AVX2(dst, x, y *float64, groups, group int)
TEXT ·divGroups64AVX2(SB), NOSPLIT, $0-40
	GROUPS(VDIVP, next, four, rest, one, end)

// func setGroups64AVX2(dst, y *float64, groups, group int)
TEXT ·setGroups64AVX2(SB), NOSPLIT, $0-32
	SETGROUPS(next, one)
