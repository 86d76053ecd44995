//go:build amd64 && !noasm

#include "textflag.h"

// func Fence()
TEXT ·Fence(SB), NOSPLIT, $0-0
	SFENCE
	RET
