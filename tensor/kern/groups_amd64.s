//go:build amd64 && !noasm

// The kernels of groups_amd64.h of float32.

#include "textflag.h"

#include "groups_amd64.h"

// func addGroupsAVX2(dst, x, y *float32, groups, group int)
TEXT ·addGroupsAVX2(SB), NOSPLIT, $0-40
	GROUPS(VADDP, next, four, rest, one, end)

// func subGroupsAVX2(dst, x, y *float32, groups, group int)
TEXT ·subGroupsAVX2(SB), NOSPLIT, $0-40
	GROUPS(VSUBP, next, four, rest, one, end)

// func mulGroupsAVX2(dst, x, y *float32, groups, group int)
TEXT ·mulGroupsAVX2(SB), NOSPLIT, $0-40
	GROUPS(VMULP, next, four, rest, one, end)

// func divGroupsAVX2(dst, x, y *float32, groups, group int)
TEXT ·divGroupsAVX2(SB), NOSPLIT, $0-40
	GROUPS(VDIVP, next, four, rest, one, end)

// func setGroupsAVX2(dst, y *float32, groups, group int)
TEXT ·setGroupsAVX2(SB), NOSPLIT, $0-32
	SETGROUPS(next, one)
