//go:build amd64 && !noasm

// The kernels of columns_amd64.h of float32.

#include "textflag.h"

#include "columns_amd64.h"

// func columnMomentsAVX2(sums, squares, x, shift *float32, rows, n int)
TEXT ·columnMomentsAVX2(SB), NOSPLIT, $0-48
	COLUMNMOMENTS

// func columnDotsAVX2(sums, dots, grad, x, shift *float32, rows, n int)
TEXT ·columnDotsAVX2(SB), NOSPLIT, $0-56
	COLUMNDOTS

// func scaleColumnsAVX2(dst, x, shift, scale, bias *float32, rows, n int)
TEXT ·scaleColumnsAVX2(SB), NOSPLIT, $0-56
	SCALECOLUMNS

// func gradColumnsAVX2(dst, grad, x, shift, a, b, c *float32, rows, n int)
TEXT ·gradColumnsAVX2(SB), NOSPLIT, $0-72
	GRADCOLUMNS
