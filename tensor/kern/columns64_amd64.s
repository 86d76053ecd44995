//go:build amd64 && !noasm

// The kernels of columns_amd64.h of float64.

#include "textflag.h"

#define DOUBLE
#include "columns_amd64.h"

// func columnMoments64AVX2(sums, squares, x, shift *float64, rows, n int)
TEXT ·columnMoments64AVX2(SB), NOSPLIT, $0-48
	COLUMNMOMENTS

// func columnDots64AVX2(sums, dots, grad, x, shift *float64, rows, n int)
TEXT ·columnDots64AVX2(SB), NOSPLIT, $0-56
	COLUMNDOTS

// func scaleColumns64AVX2(dst, x, shift, scale, bias *float64, rows, n int)
TEXT ·scaleColumns64AVX2(SB), NOSPLIT, $0-56
	SCALECOLUMNS

// func gradColumns64AVX2(dst, grad, x, shift, a, b, c *float64, rows, n int)
TEXT ·gradColumns64AVX2(SB), NOSPLIT, $0-72
	GRADCOLUMNS
